//! Asking questions: many at a time, with replies in the order of the questions.
//!
//! Responsible for the order of the replies. Must not know the purpose of a question.

use std::collections::BTreeMap;
use std::path::Path;

use judge_exec::{
    Crew, Data, ExecError, InputQuestion, InputReply, InputValidatorDecision, OutputQuestion,
    OutputReply, ReplayResult, Session, Start, Worker,
};
use judge_model::{Limits, TestCase};
use judge_package::{MAX_DATA_BYTES, read_within};
use judge_sandbox::CancelToken;

use super::questions::{Content, Question, QuestionKind};
use super::ready::ReadyValidators;

/// The reply to a question.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// The replies of the input validators that were run, each with the validator's name.
    Input(Vec<(String, InputReply)>),
    Output(OutputReply),
    Replay(ReplayResult),
    /// True when the output validator held a conversation.
    Turns(bool),
    /// No reply: the program is missing, or was abandoned after a timeout.
    Unanswered,
}

impl Reply {
    /// The number of runs that the reply took.
    pub(crate) fn runs(&self) -> u64 {
        match self {
            Self::Input(replies) => replies.len() as u64,
            Self::Output(_) | Self::Replay(_) | Self::Turns(_) => 1,
            Self::Unanswered => 0,
        }
    }
}

/// Asks every question and returns the replies in order; some are missing after a cancellation.
/// `done` is called after each reply, with the number of answered questions.
pub(crate) fn ask_all(
    questions: &[Question<'_>],
    ready: &ReadyValidators,
    session: &Session,
    limits: &Limits,
    jobs: usize,
    cancel: &CancelToken,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<Reply>, ExecError> {
    let work = |worker: &mut Worker<'_>, question: &Question<'_>| {
        if cancel.is_cancelled() {
            Ok(None)
        } else {
            ask(question, ready, worker, limits).map(Some)
        }
    };
    let mut replies = BTreeMap::new();
    let begin = |_| Ok(session.worker(None).with_warm_programs());
    Crew::new(jobs).for_each_result(
        questions,
        begin,
        work,
        |index, reply| -> Result<(), ExecError> {
            replies.insert(index, reply);
            done(replies.len());
            Ok(())
        },
    )?;
    Ok(replies.into_values().collect())
}

fn ask(
    question: &Question<'_>,
    ready: &ReadyValidators,
    worker: &mut Worker<'_>,
    limits: &Limits,
) -> Result<Reply, ExecError> {
    match (&question.kind, &ready.outputs) {
        (QuestionKind::Input { input, args, files }, _) => {
            let input = match input {
                Content::File(path) => Data::File(path),
                Content::Bytes(bytes) => Data::Bytes(bytes),
            };
            let until_rejected = question.purpose.expects_rejection();
            ask_inputs(input, (args, *files), until_rejected, ready, worker)
        }
        (
            QuestionKind::Output {
                input,
                answer,
                args,
                output,
            },
            Some((validators, timeouts)),
        ) => {
            let read;
            let synthetic = !question.purpose.is_own_output();
            let output = match output {
                Content::Bytes(bytes) => bytes.as_ref(),
                Content::File(path) => {
                    read =
                        read_within(path, MAX_DATA_BYTES).map_err(ExecError::io("read", path))?;
                    &read
                }
            };
            let request = |validation_time| {
                let limits = &Limits {
                    validation_time,
                    ..limits.clone()
                };
                let question = OutputQuestion {
                    limits,
                    input,
                    answer,
                    args,
                    output,
                };
                match (ready.talks, synthetic) {
                    (true, _) => worker.speak_to(validators, &question),
                    (false, true) => worker.ask_made_up_output(validators, &question),
                    (false, false) => worker.ask_output(validators, &question),
                }
            };
            let reply = timeouts.request(synthetic, request, |reply| reply.timed_out)?;
            Ok(reply.map_or(Reply::Unanswered, Reply::Output))
        }
        (QuestionKind::Replay { case, passes }, Some((validators, _))) => {
            let question = without_output(case, limits);
            let replayed = worker.replay(validators, &question, passes, ready.talks)?;
            Ok(Reply::Replay(replayed))
        }
        (QuestionKind::Turns { case, line, count }, Some((validators, _))) => {
            let question = without_output(case, limits);
            let answers = worker.answers_to_line(validators, &question, line, *count)?;
            Ok(Reply::Turns(answers == *count))
        }
        // Without output validators there are no such questions.
        (_, None) => Ok(Reply::Unanswered),
    }
}

/// The question about a test case for a conversation, which writes the output.
fn without_output<'a>(case: &'a TestCase, limits: &'a Limits) -> OutputQuestion<'a> {
    OutputQuestion {
        limits,
        input: &case.input,
        answer: &case.answer,
        args: &case.output_validator_args,
        output: &[],
    }
}

/// The questions about inputs that were answered, each with its reply.
pub(crate) fn input_replies<'a>(
    questions: &'a [Question<'a>],
    replies: &'a [Reply],
) -> Vec<(&'a Question<'a>, &'a [(String, InputReply)])> {
    let answered = questions.iter().zip(replies);
    let answered = answered.filter_map(|(question, reply)| match reply {
        Reply::Input(replies) => Some((question, replies.as_slice())),
        _ => None,
    });
    answered.collect()
}

/// The questions about outputs that were answered, each with its reply.
pub(crate) fn output_replies<'a>(
    questions: &'a [Question<'a>],
    replies: &'a [Reply],
) -> Vec<(&'a Question<'a>, &'a OutputReply)> {
    let answered = questions.iter().zip(replies);
    let answered = answered.filter_map(|(question, reply)| match reply {
        Reply::Output(reply) => Some((question, reply)),
        _ => None,
    });
    answered.collect()
}

fn ask_inputs(
    input: Data<'_>,
    (args, files): (&[Vec<String>], Option<&Path>),
    until_rejected: bool,
    ready: &ReadyValidators,
    worker: &mut Worker<'_>,
) -> Result<Reply, ExecError> {
    let mut replies = Vec::new();
    for ((name, validator, timeouts), args) in ready.inputs.iter().zip(args) {
        let bounds = ready.bounds && !until_rejected;
        let question = InputQuestion {
            input,
            args,
            files,
            bounds,
        };
        let is_expected = |reply: &Result<InputReply, ExecError>| match reply
            .as_ref()
            .map(|reply| &reply.decision)
        {
            Ok(InputValidatorDecision::Accepted) => !until_rejected,
            Ok(InputValidatorDecision::Rejected { is_as_agreed, .. }) => {
                until_rejected && *is_as_agreed
            }
            _ => false,
        };
        let request = |time| {
            worker.try_warm(
                Start::Warm,
                |worker| worker.ask_input_within(validator, &question, time),
                is_expected,
            )
        };
        let Some(reply) = timeouts.request(until_rejected, request, |reply| reply.timed_out)?
        else {
            return Ok(Reply::Unanswered);
        };
        let done =
            until_rejected && matches!(reply.decision, InputValidatorDecision::Rejected { .. });
        replies.push((name.clone(), reply));
        if done {
            break;
        }
    }
    Ok(Reply::Input(replies))
}
