//! One test case: run the submission, classify, compare or ask the package's validator.
//!
//! Responsible for the path of one test case, the hot path of the whole tool. Must not know the order in which test
//! cases come, what is expected of a submission, nor how a validator is asked.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_grading::{
    Classification, CompareOptions, Comparison, InteractionDecision, PassDecision, ScoreFiles, TestLimits,
    ValidatorDecision, classify, compare, next_pass,
};
use judge_model::{Limit, Outcome, Problem, Termination, TestCase, Usage, Verdict};
use judge_sandbox::{Bind, CancelToken, Capture, Execution, Input, Layout, RunLimits, Slot, Work};
use sha2::{Digest as _, Sha256};

use crate::RunnerError;
use crate::cache::ProgramCache;
use crate::command::PROGRAM;
use crate::interacting::{Speaker, Talked};
use crate::judged::Judged;
use crate::late_slot::LateSlot;
use crate::next_pass::NextPass;
use crate::passes::Passes;
use crate::program::{Runnable, environment};
use crate::transcript::Transcript;
use crate::validating::{Question, Reply, Validating, tail};

/// A program is killed for its CPU time only at this multiple of the limit: what was used then tells a program that is
/// far too slow from one that is close to the limit: it lies beyond what is confirmed (1.3 times).
pub(crate) const KILL_AT: f64 = 1.35;
/// Files that a submission may create where it may write.
const SUBMISSION_FILES: u64 = 4096;

/// How output is judged, ready for use.
#[derive(Clone, Debug)]
pub(crate) enum Judgement {
    /// In process, with the options of each test case, in the order of the problem's test cases.
    Default(Vec<CompareOptions>),
    /// By programs of the package, all of which must accept: one, but for legacy packages.
    Custom(Vec<Arc<Runnable>>),
    /// By nobody: whatever comes to its end is accepted. For those who want the output.
    Unjudged,
}

/// A submission on a test case.
#[derive(Clone, Debug)]
pub(crate) struct TestRun {
    pub(crate) problem: Arc<Problem>,
    pub(crate) judgement: Arc<Judgement>,
    pub(crate) program: Arc<Runnable>,
    /// Index among the problem's test cases.
    pub(crate) test_case: usize,
    /// For a problem of type `submit-answer`: the file that was handed in for the test case, if there is one.
    pub(crate) answer: Option<PathBuf>,
    /// What lies in the working directory, copied into the cache.
    pub(crate) files: Option<PathBuf>,
    pub(crate) time_limit: Duration,
    /// At which multiple of the time limit it is killed.
    pub(crate) kill_at: f64,
    /// How many times the usual the wall time limit is.
    pub(crate) patience: u32,
    /// Whether to say which outputs are the same.
    pub(crate) output_hash: bool,
    /// Whether to count instructions, which a run that is timed should not.
    pub(crate) count_instructions: bool,
}

impl TestRun {
    fn test_case(&self) -> &TestCase {
        &self.problem.test_cases[self.test_case]
    }
}

/// One pass over a test case.
struct Passed {
    judged: Judged,
    /// What it leaves to the next pass, if there is to be one.
    next: Option<NextPass>,
    /// When they talked.
    talk: Option<Talk>,
}

/// Which side ended first, and whether both waited for each other.
pub(crate) type Talk = (judge_event::Party, bool);

/// Judges test cases in the slots of one worker.
pub(crate) struct Judge<'a> {
    /// Where submissions run: nothing of the package is in its reach.
    pub(crate) slot: &'a mut dyn Slot,
    pub(crate) capture: &'a mut Capture,
    pub(crate) cache: &'a ProgramCache,
    pub(crate) cancel: CancelToken,
}

impl Judge<'_> {
    /// Judges the submission on a test case, in as many passes as the validator wants; `None` when it was cancelled.
    pub(crate) fn judge(&mut self, run: &TestRun, jury: &mut dyn LateSlot) -> Result<Option<Judged>, RunnerError> {
        let mut transcript = Transcript::default();
        let Some((mut judged, talk)) = self.judge_noting(run, jury, &mut transcript)? else { return Ok(None) };
        if judged.verdict != Verdict::Accepted {
            judged.interaction = talk.map(|(first, deadlock)| Box::new(transcript.interaction(Some(first), deadlock)));
        }
        Ok(Some(judged))
    }

    /// The same, with what was said in the transcript, and how the last pass of a conversation ended.
    pub(crate) fn judge_noting(
        &mut self,
        run: &TestRun,
        jury: &mut dyn LateSlot,
        transcript: &mut Transcript,
    ) -> Result<Option<(Judged, Option<Talk>)>, RunnerError> {
        let mut passes = Passes::new();
        loop {
            transcript.start_pass(passes.number());
            let passed = if run.problem.interactive {
                self.interact(run, &passes, transcript, jury)?
            } else {
                self.pass(run, &passes, jury)?
            };
            let Some(Passed { mut judged, next, talk }) = passed else { return Ok(None) };
            if transcript.is_recorded() && !run.problem.interactive {
                let path = passes.input().unwrap_or_else(|| run.test_case().input.clone());
                let input = std::fs::read(&path).map_err(RunnerError::io("read", &path))?;
                transcript.ran(&input, &self.capture.stdout);
            }
            if let Some(next) = next {
                passes.go_on(next, judged.outcome.usage);
                continue;
            }
            judged.outcome.usage = passes.most(judged.outcome.usage);
            judged.passes = passes.number();
            // What is said in an interaction is not captured.
            let compared = run.output_hash && !run.problem.interactive;
            judged.output_hash = compared.then(|| output_hash(&self.capture.stdout));
            if !matches!(judged.verdict, Verdict::Accepted | Verdict::JudgeError) {
                judged.stderr = tail(&self.capture.stderr);
            }
            return Ok(Some((judged, talk)));
        }
    }

    /// Runs the submission, and then has its output judged.
    fn pass(&mut self, run: &TestRun, passes: &Passes, jury: &mut dyn LateSlot) -> Result<Option<Passed>, RunnerError> {
        let decided = |judged| Ok(Some(Passed { judged, next: None, talk: None }));
        let outcome = if run.problem.submit_answer {
            let Some(outcome) = take_answer(run, self.capture)? else {
                return decided(Judged::unanswered());
            };
            outcome
        } else {
            let execution = submission_execution(run, passes, self.slot.layout(), self.cancel.clone())?;
            self.slot.run(&execution, self.capture)?.outcome
        };
        match classify(&outcome, &test_limits(run)) {
            Classification::Cancelled => Ok(None),
            Classification::Verdict(verdict) => decided(Judged::new(verdict, &outcome)),
            Classification::CompareOutput => match &*run.judgement {
                Judgement::Unjudged => decided(Judged::new(Verdict::Accepted, &outcome)),
                Judgement::Default(options) => {
                    let (options, output) = (&options[run.test_case], &self.capture.stdout);
                    decided(compare_output(options, run.test_case(), output, &outcome)?)
                }
                Judgement::Custom(validators) => {
                    let output = &self.capture.stdout;
                    let question = Question { output, ..question(run, passes) };
                    let validating = Validating { slot: jury.open()?, cache: self.cache, cancel: &self.cancel };
                    let Some(reply) = validating.ask_all(validators, &question)? else { return Ok(None) };
                    let (reply, next) = with_next_pass(reply, run, passes);
                    let judged = judged_by(reply, run.test_case(), output, &outcome)?;
                    Ok(Some(Passed { judged, next, talk: None }))
                }
            },
        }
    }

    /// Lets the submission talk with the validator.
    fn interact(
        &mut self,
        run: &TestRun,
        passes: &Passes,
        transcript: &mut Transcript,
        jury: &mut dyn LateSlot,
    ) -> Result<Option<Passed>, RunnerError> {
        let Judgement::Custom(validators) = &*run.judgement else {
            unreachable!("an interactive problem without a validator is not judged")
        };
        let execution = submission_execution(run, passes, self.slot.layout(), self.cancel.clone())?;
        let mut validating = Validating { slot: jury.open()?, cache: self.cache, cancel: &self.cancel };
        let speaker =
            Speaker { slot: &mut *self.slot, capture: &mut *self.capture, execution, limits: test_limits(run) };
        let Some(talked) = validating.talk(&validators[0], &question(run, passes), speaker, transcript)? else {
            return Ok(None);
        };
        let Talked { outcome, decision, reply, ended_first, deadlock } = talked;
        let talk = Some((ended_first, deadlock));
        let (judge_message, stderr) = (reply.judge_message.clone(), reply.stderr.clone());
        let (mut reply, next) = with_next_pass(reply, run, passes);
        let (score_files, team_message) = (reply.score_files(), std::mem::take(&mut reply.team_message));
        let judged = match (decision, reply.decision) {
            (InteractionDecision::Cancelled, _) => return Ok(None),
            (InteractionDecision::JudgeError { reason }, _)
            | (
                InteractionDecision::Verdict(Verdict::Accepted | Verdict::WrongAnswer),
                ValidatorDecision::JudgeError { reason },
            ) => Judged { judge_message, stderr, ..Judged::judge_error(&outcome, reason) },
            (InteractionDecision::Verdict(verdict), _) => Judged { judge_message, ..Judged::new(verdict, &outcome) },
        };
        let next = next.filter(|_| judged.verdict == Verdict::Accepted);
        // What it wrote before the submission failed on its own is no score.
        let its_own = matches!(judged.verdict, Verdict::Accepted | Verdict::WrongAnswer);
        let score_files = if its_own { score_files } else { ScoreFiles::default() };
        let judged = Judged { score_files, team_message, ..judged };
        Ok(Some(Passed { judged, next, talk }))
    }
}

/// Tells outputs apart: the beginning of the SHA-256, which has no accidents among the outputs of one problem.
fn output_hash(output: &[u8]) -> String {
    Sha256::digest(output).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What the validator is asked in this pass.
fn question<'a>(run: &'a TestRun, passes: &'a Passes) -> Question<'a> {
    Question { earlier: passes.earlier(), ..Question::of_test_case(&run.problem, run.test_case()) }
}

/// The next pass, if the validator wants one and may.
fn with_next_pass(mut reply: Reply, run: &TestRun, passes: &Passes) -> (Reply, Option<NextPass>) {
    let wrote = reply.next_pass.take();
    match next_pass(&reply.decision, wrote.is_some(), passes.number(), run.problem.passes) {
        PassDecision::Over => (reply, None),
        PassDecision::Next => (reply, wrote),
        PassDecision::JudgeError { reason } => {
            reply.decision = ValidatorDecision::JudgeError { reason };
            (reply, None)
        }
    }
}

/// Reads what was handed in for a test case in place of a program's output; the limit of the output holds for it too.
fn take_answer(run: &TestRun, capture: &mut Capture) -> Result<Option<Outcome>, RunnerError> {
    capture.stdout.clear();
    capture.stderr.clear();
    let Some(path) = &run.answer else { return Ok(None) };
    let failed = || RunnerError::io("read", path);
    let most = run.problem.limits.output_bytes;
    let file = File::open(path).map_err(failed())?;
    let stdout_bytes = file.take(most.saturating_add(1)).read_to_end(&mut capture.stdout).map_err(failed())? as u64;
    let termination = if stdout_bytes > most {
        Termination::Killed { limit: Limit::Output }
    } else {
        Termination::Exited { code: 0 }
    };
    Ok(Some(Outcome { termination, usage: Usage { stdout_bytes, ..Usage::default() } }))
}

fn test_limits(run: &TestRun) -> TestLimits {
    TestLimits {
        cpu_time: run.time_limit,
        wall_time: wall_limit(run.time_limit, run.kill_at) * run.patience,
        memory_bytes: run.problem.limits.memory_bytes,
        output_bytes: run.problem.limits.output_bytes,
    }
}

/// A run that is stopped late for its CPU time gets more, so that it is not stopped for the elapsed time before.
fn wall_limit(time_limit: Duration, kill_at: f64) -> Duration {
    (time_limit * 2).max(time_limit + Duration::from_secs(1)).max(time_limit.mul_f64(kill_at * 1.25))
}

pub(crate) fn submission_execution(
    run: &TestRun,
    passes: &Passes,
    layout: &Layout,
    cancel: CancelToken,
) -> Result<Execution, RunnerError> {
    let limits = &run.problem.limits;
    let language = &run.program.toolchain.language;
    let mut args = run.program.command(limits.memory_bytes, layout)?;
    args.extend(run.test_case().args.iter().map(OsString::from));
    let work = if run.problem.allow_file_writing {
        Work::Writable { bytes: limits.output_bytes, files: SUBMISSION_FILES }
    } else {
        Work::ReadOnly
    };
    Ok(Execution {
        program: PathBuf::from(&args[0]),
        args,
        env: environment(language, layout),
        stdin: Input::File(passes.input().unwrap_or_else(|| run.test_case().input.clone())),
        limits: RunLimits {
            cpu_time: run.time_limit.mul_f64(run.kill_at),
            wall_time: wall_limit(run.time_limit, run.kill_at) * run.patience,
            memory_bytes: limits.memory_bytes,
            stdout_bytes: limits.output_bytes,
            stderr_bytes: limits.output_bytes,
            processes: language.processes,
        },
        work,
        cwd: None,
        // The program's files first: those of the test case replace them (2025-09, "Test Data").
        work_files: run
            .program
            .at_hand
            .then(|| run.program.files.clone())
            .into_iter()
            .chain(run.files.clone())
            .collect(),
        binds: vec![program_bind(&run.program)],
        // What was put beside a submission may start it by `/proc/self/exe`.
        proc_mounted: language.needs_proc || run.program.at_hand,
        keep_work: false,
        count_instructions: run.count_instructions,
        cancel,
    })
}

pub(crate) fn program_bind(program: &Runnable) -> Bind {
    Bind { source: program.files.clone(), target: PathBuf::from(PROGRAM) }
}

fn compare_output(
    options: &CompareOptions,
    test_case: &TestCase,
    output: &[u8],
    outcome: &Outcome,
) -> Result<Judged, RunnerError> {
    let answer = &test_case.answer;
    let failed = || RunnerError::io("read", answer);
    let reader = BufReader::with_capacity(64 << 10, File::open(answer).map_err(failed())?);
    match compare(options, reader, output).map_err(failed())? {
        Comparison::Accepted => Ok(Judged::new(Verdict::Accepted, outcome)),
        Comparison::Rejected(found) => {
            let difference = crate::difference::describe(&found, answer, output).map_err(failed())?;
            Ok(Judged { difference: Some(difference), ..Judged::new(Verdict::WrongAnswer, outcome) })
        }
    }
}

/// What a validator's decision means for the submission.
fn judged_by(mut reply: Reply, test_case: &TestCase, output: &[u8], outcome: &Outcome) -> Result<Judged, RunnerError> {
    let (score_files, judge_message) = (reply.score_files(), reply.judge_message);
    let judged = match reply.decision {
        // `ask_all` has no answer when it is cancelled.
        ValidatorDecision::Accepted | ValidatorDecision::Cancelled => {
            Judged { judge_message, ..Judged::new(Verdict::Accepted, outcome) }
        }
        ValidatorDecision::Rejected => {
            let answer = &test_case.answer;
            let difference =
                crate::difference::beside_validator(answer, output).map_err(RunnerError::io("read", answer))?;
            Judged { judge_message, difference, ..Judged::new(Verdict::WrongAnswer, outcome) }
        }
        ValidatorDecision::JudgeError { reason } => {
            Judged { judge_message, stderr: reply.stderr, ..Judged::judge_error(outcome, reason) }
        }
    };
    Ok(Judged { score_files, team_message: reply.team_message, ..judged })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elapsed_time_leaves_room_for_the_cpu_time() {
        let limit = Duration::from_secs(4);
        assert_eq!(wall_limit(limit, KILL_AT), Duration::from_secs(8));
        assert_eq!(wall_limit(limit / 8, KILL_AT), Duration::from_millis(1500));
        assert_eq!(wall_limit(limit, 3.0), Duration::from_secs(15));
    }
}
