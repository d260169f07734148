//! Output validation: runs the package's output validators on an output.
//!
//! Responsible for the arguments and files of an output validator, and for reading its feedback directory. Must not
//! know how the output came to be, nor what a decision means for a submission.
//!
//! Source: package format, "Output Validators".

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Bytes, Excerpt};
use judge_grading::{ScoreFiles, TestLimits, ValidatorDecision, classify_validator};
use judge_model::{Limit, Limits, Outcome, OutputValidatorArgs, Problem, Termination, TestCase};
use judge_sandbox::{Bind, CancelToken, Capture, Execution, Finished, Input, Layout, RunLimits, Slot, Work, read_file};

use crate::ExecError;
use crate::build::program::Runnable;
use crate::jury::next_pass::{NEXT_INPUT, NextPass};
use crate::jury::testlib;
use crate::jury::visualizer::Feedback;
use crate::jury::written::outcome_within;
use crate::store::programs::{ProgramCache, Readable};

const PROCESSES: u32 = 64;
/// Files that a validator may create in its feedback directory.
pub(crate) const FILES: u64 = 4096;
const STDERR_EXCERPT: usize = 2 << 10;
pub(crate) const MESSAGE: usize = 8 << 10;
/// A score is a short number. A longer file is invalid, and its first bytes show that.
const SCORE: usize = 1 << 10;

/// A question to output validators: about one output, or about one pass of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) limits: &'a Limits,
    /// The input file of the first pass.
    pub(crate) input: &'a Path,
    pub(crate) answer: &'a Path,
    /// The position of the validator that is asked, among the problem's output validators.
    pub(crate) position: usize,
    pub(crate) args: &'a OutputValidatorArgs,
    /// The output of the submission; empty while it talks with the validator.
    pub(crate) output: &'a [u8],
    /// The files that the pass before left: the input of this one, and those of its feedback directory (2025-09,
    /// "Multi-pass").
    pub(crate) earlier: Option<&'a NextPass>,
    /// True when the problem has scores that a validator may give.
    pub(crate) scoring: bool,
    /// True when what it leaves is wanted for the output visualizer.
    pub(crate) keep_feedback: bool,
}

impl<'a> Question<'a> {
    /// About no output yet.
    pub(crate) fn of_test_case(problem: &'a Problem, test_case: &'a TestCase) -> Self {
        Self {
            limits: &problem.limits,
            input: &test_case.input,
            answer: &test_case.answer,
            position: 0,
            args: &test_case.output_validator_args,
            output: &[],
            earlier: None,
            scoring: problem.grading.scores(),
            keep_feedback: false,
        }
    }

    /// The limits of a validator's run.
    pub(crate) fn test_limits(&self) -> TestLimits {
        test_limits(&run_limits(self.limits))
    }
}

/// The limits by which a run is classified: those that were enforced, of standard output alone.
pub(crate) fn test_limits(limits: &RunLimits) -> TestLimits {
    let RunLimits { cpu_time, wall_time, memory_bytes, stdout_bytes, .. } = *limits;
    TestLimits { cpu_time, wall_time, memory_bytes, output_bytes: stdout_bytes }
}

/// The limits of a validator's run: what it is guaranteed is taken as its limit.
pub(crate) fn run_limits(limits: &Limits) -> RunLimits {
    RunLimits {
        cpu_time: limits.validation_time,
        wall_time: wall_limit(limits),
        memory_bytes: limits.validation_memory_bytes,
        stdout_bytes: limits.validation_output_bytes,
        stderr_bytes: limits.validation_output_bytes,
        processes: PROCESSES,
    }
}

/// The working directory of a validator, which is its feedback directory.
pub(crate) fn feedback_directory(limits: &Limits) -> Work {
    Work::Writable { bytes: limits.validation_output_bytes, files: FILES }
}

/// The feedback directory's name as an argument; it ends with a slash.
pub(crate) fn feedback_argument(layout: &Layout) -> OsString {
    let mut feedback = layout.work.clone().into_os_string();
    feedback.push("/");
    feedback
}

fn wall_limit(limits: &Limits) -> Duration {
    limits.validation_time * 2 + Duration::from_secs(1)
}

/// The reply of a validator. The files are those of its feedback directory; one that is missing, too large, a directory
/// or a link counts as absent.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// A reason for a judge error begins with "the output validator".
    pub(crate) decision: ValidatorDecision,
    /// The beginning of `judgemessage.txt`.
    pub(crate) judge_message: Bytes,
    /// The beginning of `teammessage.txt`.
    pub(crate) team_message: Bytes,
    /// The beginning of `score.txt`.
    pub(crate) score: Option<Vec<u8>>,
    /// The beginning of `score_multiplier.txt`.
    pub(crate) score_multiplier: Option<Vec<u8>>,
    /// It left `nextpass.in`, whatever its decision is.
    pub(crate) next_pass: Option<NextPass>,
    /// The end of standard error.
    pub(crate) stderr: Excerpt,
    /// True when it was ended for its time, or used more.
    pub(crate) timed_out: bool,
    /// The bytes that it wrote to standard output, which reach nobody unless it talks with the submission.
    pub(crate) stdout_bytes: u64,
    /// The feedback directory, where it is wanted.
    pub(crate) feedback: Option<Feedback>,
}

impl Reply {
    /// Puts together how a validator ended and what it left. Reads the working directory at once: without a mount
    /// namespace it is gone with the slot's next run.
    pub(crate) fn of_run(
        question: &Question<'_>,
        finished: &Finished,
        stderr: &[u8],
        cache: &ProgramCache,
    ) -> Result<Self, ExecError> {
        let mut reply = Self::new("output validator", question.limits, finished, stderr, cache)?;
        if let (true, Some(work)) = (question.keep_feedback, &finished.work) {
            reply.feedback = Feedback::keep(cache, work, question.limits.validation_output_bytes)?;
        }
        Ok(reply)
    }

    /// Puts together how any validator ended that reports as output validators do. `role` says what it is.
    pub(crate) fn new(
        role: &str,
        limits: &Limits,
        finished: &Finished,
        stderr: &[u8],
        cache: &ProgramCache,
    ) -> Result<Self, ExecError> {
        let outcome = outcome_within(finished, limits.validation_output_bytes);
        let work = &finished.work;
        let mut decision = match classify_validator(&outcome, &test_limits(&run_limits(limits))) {
            ValidatorDecision::JudgeError { reason } => {
                ValidatorDecision::JudgeError { reason: format!("the {role} {reason}") }
            }
            other => other,
        };
        let most = limits.validation_output_bytes;
        let read = |name: &str| work.as_ref().and_then(|work| read_file(work, Path::new(name), most).ok());
        let beginning = |name: &str, length: usize| {
            read(name).map(|mut bytes| {
                bytes.truncate(length);
                bytes
            })
        };
        let next_pass = match (work, read(NEXT_INPUT)) {
            (Some(work), Some(input)) => match NextPass::keep(cache, work, &input, most) {
                Ok(next_pass) => Some(next_pass),
                Err(fault) => {
                    decision = ValidatorDecision::JudgeError { reason: fault.refusal()?.to_string() };
                    None
                }
            },
            _ => None,
        };
        Ok(Self {
            decision,
            judge_message: Bytes(beginning("judgemessage.txt", MESSAGE).unwrap_or_default()),
            team_message: Bytes(beginning("teammessage.txt", MESSAGE).unwrap_or_default()),
            score: beginning("score.txt", SCORE),
            score_multiplier: beginning("score_multiplier.txt", SCORE),
            next_pass,
            stderr: tail(stderr),
            timed_out: is_out_of_time(&finished.outcome, &run_limits(limits)),
            stdout_bytes: finished.outcome.usage.stdout_bytes,
            feedback: None,
        })
    }

    /// Takes what it says about the score.
    pub(crate) fn score_files(&mut self) -> ScoreFiles {
        ScoreFiles { score: self.score.take(), multiplier: self.score_multiplier.take() }
    }

    /// Adds what another validator said of the same output: any judge error is one, any rejection rejects.
    fn and(self, other: Self) -> Self {
        use ValidatorDecision::{Accepted, Cancelled, JudgeError, Rejected};
        let weight = |decision: &ValidatorDecision| match decision {
            Accepted => 0,
            Rejected => 1,
            JudgeError { .. } => 2,
            Cancelled => 3,
        };
        // The worse decision leads, with its message first; the other one is added behind it, for the author of the
        // package.
        let (mut first, second) =
            if weight(&other.decision) > weight(&self.decision) { (other, self) } else { (self, other) };
        let join = |one: &mut Bytes, two: Bytes| {
            if !one.0.is_empty() && !two.0.is_empty() && one.0.last() != Some(&b'\n') {
                one.0.push(b'\n');
            }
            one.0.extend(two.0);
        };
        join(&mut first.judge_message, second.judge_message);
        join(&mut first.team_message, second.team_message);
        first.score = first.score.or(second.score);
        first.score_multiplier = first.score_multiplier.or(second.score_multiplier);
        first.next_pass = first.next_pass.or(second.next_pass);
        first.timed_out |= second.timed_out;
        first.stdout_bytes += second.stdout_bytes;
        first
    }
}

/// Asks validators in a slot of the jury's.
pub(crate) struct OutputValidation<'a> {
    pub(crate) slot: &'a mut dyn Slot,
    pub(crate) cache: &'a ProgramCache,
    pub(crate) cancel: &'a CancelToken,
    /// True when a validator in Python that reads text fails on bytes that are not UTF-8, as under PyPy and in most
    /// locales. CPython lets them through in the locale of the sandbox.
    pub(crate) strict_text: bool,
}

/// Makes CPython decode its standard streams as strictly as it does in most locales (the `PYTHONIOENCODING` of its
/// manual, "Environment variables").
const STRICT_TEXT: &str = "PYTHONIOENCODING=utf-8:strict";

/// True when a run was ended for its time, or used more CPU time than it may.
pub(crate) fn is_out_of_time(outcome: &Outcome, limits: &RunLimits) -> bool {
    let was_ended = matches!(outcome.termination, Termination::Killed { limit: Limit::CpuTime | Limit::WallTime });
    was_ended || outcome.usage.cpu_time > limits.cpu_time
}

impl OutputValidation<'_> {
    /// Asks every validator, whatever the others said (legacy, "Output Validators"); `None` when it was cancelled.
    pub(crate) fn ask_all(
        mut self,
        validators: &[Arc<Runnable>],
        question: &Question<'_>,
    ) -> Result<Option<Reply>, ExecError> {
        let mut all: Option<Reply> = None;
        for (position, validator) in validators.iter().enumerate() {
            let reply = self.ask(validator, &Question { position, ..*question })?;
            if reply.decision == ValidatorDecision::Cancelled {
                return Ok(None);
            }
            all = Some(match all {
                Some(before) => before.and(reply),
                None => reply,
            });
        }
        Ok(all)
    }

    /// Asks one validator: `validator input answer feedback_dir/ [args] < output`.
    pub(crate) fn ask(&mut self, validator: &Runnable, question: &Question<'_>) -> Result<Reply, ExecError> {
        if validator.testlib {
            return self.ask_checker(validator, question);
        }
        let (execution, _files) = self.execution(validator, question)?;
        let mut capture = Capture::default();
        let finished = self.slot.run(&execution, &mut capture)?;
        let stderr = validator.shown(&capture.stderr, self.slot.layout());
        Reply::of_run(question, &finished, &stderr, self.cache)
    }

    /// Asks a checker that knows testlib's protocol only.
    fn ask_checker(&mut self, checker: &Runnable, question: &Question<'_>) -> Result<Reply, ExecError> {
        let (execution, _files) = self.execution(checker, question)?;
        let output = self.cache.stage()?;
        let execution = testlib::checker_execution(execution, checker, question, &output.path, self.slot.layout())?;
        let mut capture = Capture::default();
        let finished = self.slot.run(&execution, &mut capture)?;
        let reply = Reply::of_run(question, &finished, &capture.stderr, self.cache)?;
        Ok(testlib::reply_of(reply, &finished, &capture.stderr, question))
    }

    /// The run of a validator. Copies among its files are gone with the second part.
    pub(crate) fn execution(
        &self,
        validator: &Runnable,
        question: &Question<'_>,
    ) -> Result<(Execution, [Readable; 2]), ExecError> {
        let next_input = question.earlier.map(NextPass::input);
        let input = next_input.as_deref().unwrap_or(question.input);
        // Validators run under another user's id, and archives unpack with modes that only the owner can read.
        let files = [self.cache.readable(input)?, self.cache.readable(question.answer)?];
        let paths = files.each_ref().map(|file| &*file.path);
        let mut execution = execution(validator, question, paths, self.slot.layout(), self.cancel)?;
        if self.strict_text {
            execution.env.push(STRICT_TEXT.into());
        }
        Ok((execution, files))
    }
}

/// The run of a validator. The files must be [`ProgramCache::readable`]; the working directory is kept, for
/// [`Reply::of_run`].
fn execution(
    validator: &Runnable,
    question: &Question<'_>,
    [input, answer]: [&Path; 2],
    layout: &Layout,
    cancel: &CancelToken,
) -> Result<Execution, ExecError> {
    let limits = question.limits;
    let mut args =
        ["/judge/input", "/judge/answer"].map(|name| layout.place(Path::new(name)).into_os_string()).to_vec();
    args.push(feedback_argument(layout));
    args.extend(question.args.of(question.position).map(OsString::from));
    let mut execution = validator.execution(args, run_limits(limits), layout, cancel.clone())?;
    let bind = |source: &Path, target: &str| Bind { source: source.to_owned(), target: PathBuf::from(target) };
    // Bound under fixed names: neither the id of the test case nor its directory is for the validator to see.
    execution.binds.extend([bind(input, "/judge/input"), bind(answer, "/judge/answer")]);
    Ok(Execution {
        // From memory: the output was captured there, and no file of it has to be written and removed for each test
        // case.
        stdin: Input::Bytes(question.output.into()),
        work: feedback_directory(limits),
        work_files: question.earlier.map(NextPass::feedback).into_iter().collect(),
        keep_work: true,
        ..execution
    })
}

/// The end of standard error says why a program died.
pub(crate) fn tail(stderr: &[u8]) -> Excerpt {
    Excerpt::new(stderr, 0, STDERR_EXCERPT)
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn next_pass_gets_everything_but_its_input() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let work = dir.path().join("work");
        std::fs::create_dir_all(work.join("state")).unwrap();
        std::fs::write(work.join("state/1"), "x").unwrap();
        std::fs::write(work.join(NEXT_INPUT), "7").unwrap();
        let work: OwnedFd = std::fs::File::open(&work).unwrap().into();
        let limits = Limits::default();
        let nothing = Path::new("/nowhere");
        let question = Question {
            limits: &limits,
            input: nothing,
            answer: nothing,
            position: 0,
            args: &OutputValidatorArgs::default(),
            output: &[],
            earlier: None,
            scoring: false,
            keep_feedback: false,
        };
        let termination = Termination::Exited { code: 42 };
        let outcome = Outcome { termination, usage: judge_model::Usage::default() };
        let finished = Finished { outcome, work: Some(work), ended: Duration::ZERO };
        let reply = Reply::of_run(&question, &finished, b"", &cache).unwrap();
        assert_eq!(reply.decision, ValidatorDecision::Accepted);
        let next = reply.next_pass.unwrap();
        assert_eq!(std::fs::read_to_string(next.input()).unwrap(), "7");
        let left: Vec<_> = std::fs::read_dir(next.feedback()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["state"]);
    }

    fn reply(decision: ValidatorDecision, message: &str) -> Reply {
        Reply {
            decision,
            judge_message: Bytes(message.into()),
            team_message: Bytes::default(),
            score: None,
            score_multiplier: None,
            next_pass: None,
            stderr: Excerpt::default(),
            timed_out: false,
            stdout_bytes: 0,
            feedback: None,
        }
    }

    #[test]
    fn worst_of_several_decisions_counts_with_all_messages() {
        use ValidatorDecision::{Accepted, JudgeError, Rejected};
        let error = JudgeError { reason: "x".into() };
        for (one, two, expected) in [
            (Accepted, Accepted, Accepted),
            (Accepted, Rejected, Rejected),
            (Rejected, Accepted, Rejected),
            (Rejected, error.clone(), error.clone()),
            (error.clone(), Accepted, error.clone()),
        ] {
            let all = reply(one, "a").and(reply(two, "b"));
            assert_eq!(all.decision, expected);
            assert_eq!(all.judge_message.0.len(), 3);
        }
        let scored = Reply { score: Some(b"7".to_vec()), ..reply(Accepted, "") };
        assert_eq!(reply(Rejected, "").and(scored).score, Some(b"7".to_vec()));
    }
}
