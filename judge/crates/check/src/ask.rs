//! Asking: many questions at a time, answered in their order.
//!
//! Responsible for the threads. Must not know what a question is for.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use judge_model::Limits;
use judge_runner::{
    Data, Desk, InputQuestion, InputReply, InputValidatorDecision, Jury, OutputQuestion, OutputReply, RunnerError,
};
use judge_sandbox::CancelToken;

use crate::Ready;
use crate::questions::{Asked, Content, Question};

/// What came of a question.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Of each input validator with its name, as far as they were asked.
    Input(Vec<(String, InputReply)>),
    Output(OutputReply),
    /// What is otherwise than shown, if anything is.
    Replay(Option<String>),
}

impl Reply {
    /// How many runs it took.
    pub(crate) fn runs(&self) -> u64 {
        match self {
            Self::Input(replies) => replies.len() as u64,
            Self::Output(_) | Self::Replay(_) => 1,
        }
    }
}

/// Asks every question, and gives the replies in their order; not all of them when it is cancelled. `done` hears after
/// each question how many are answered.
pub(crate) fn ask_all(
    questions: &[Question<'_>],
    ready: &Ready,
    jury: &Jury,
    limits: &Limits,
    jobs: usize,
    cancel: &CancelToken,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<Reply>, RunnerError> {
    let (answered, hears) = mpsc::channel();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |answered: mpsc::Sender<()>| -> Result<Vec<(usize, Reply)>, RunnerError> {
        let mut desk = jury.desk();
        let mut replies = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let ends = || stop.load(Ordering::Relaxed) || cancel.is_cancelled();
            let Some(question) = questions.get(index).filter(|_| !ends()) else {
                return Ok(replies);
            };
            match ask(question, ready, &mut desk, limits) {
                Ok(reply) => {
                    replies.push((index, reply));
                    // Nobody hears it when everything is given up.
                    let _ = answered.send(());
                }
                Err(error) => {
                    // Without this the others would go on for nothing.
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let jobs = jobs.clamp(1, questions.len().max(1));
    let mut all = thread::scope(|scope| -> Result<Vec<(usize, Reply)>, RunnerError> {
        let workers: Vec<_> = (0..jobs)
            .map(|_| {
                let (work, answered) = (&work, answered.clone());
                scope.spawn(move || work(answered))
            })
            .collect();
        // The channel ends when the last worker does.
        drop(answered);
        (1..).zip(hears).for_each(|(count, ())| done(count));
        let mut all = Vec::with_capacity(questions.len());
        for worker in workers {
            all.extend(worker.join().map_err(|_| RunnerError::WorkerLost)??);
        }
        Ok(all)
    })?;
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, reply)| reply).collect())
}

fn ask(question: &Question<'_>, ready: &Ready, desk: &mut Desk<'_>, limits: &Limits) -> Result<Reply, RunnerError> {
    match (&question.asked, &ready.outputs) {
        (Asked::Input { input, args, files, until_rejected }, _) => {
            let input = match input {
                Content::File(path) => Data::File(path),
                Content::Bytes(bytes) => Data::Bytes(bytes),
            };
            let mut replies = Vec::new();
            for ((name, validator), args) in ready.inputs.iter().zip(args) {
                let reply = desk.ask_input(validator, &InputQuestion { input, args, files: *files })?;
                let done = *until_rejected && matches!(reply.decision, InputValidatorDecision::Rejected { .. });
                replies.push((name.clone(), reply));
                if done {
                    break;
                }
            }
            Ok(Reply::Input(replies))
        }
        (Asked::Output { input, answer, args, output }, Some(validators)) => {
            let read;
            let output = match output {
                Content::Bytes(bytes) => bytes.as_ref(),
                Content::File(path) => {
                    read = std::fs::read(path).map_err(|source| RunnerError::Io {
                        action: "read",
                        path: (*path).to_owned(),
                        source,
                    })?;
                    &read
                }
            };
            Ok(Reply::Output(desk.ask_output(validators, &OutputQuestion { limits, input, answer, args, output })?))
        }
        (Asked::Replay { case, passes, interactive }, Some(validators)) => {
            let (input, answer, args) = (&case.input, &case.answer, &case.output_validator_args);
            let question = OutputQuestion { limits, input, answer, args, output: &[] };
            Ok(Reply::Replay(desk.replay(validators, &question, (*interactive, passes))?.err()))
        }
        // Never: without output validators they are not asked.
        (Asked::Output { .. } | Asked::Replay { .. }, None) => Ok(Reply::Input(Vec::new())),
    }
}
