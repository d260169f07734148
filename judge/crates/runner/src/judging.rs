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

use judge_event::{Bytes, Difference, Excerpt, Interaction};
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
use crate::late_slot::LateSlot;
use crate::passes::Passes;
use crate::program::{Runnable, environment};
use crate::transcript::Transcript;
use crate::validating::{NextPass, Question, Reply, Validating, tail};

/// A program is killed for its CPU time only at this multiple of the limit: what was used then tells a program that is
/// far too slow from one that is close to the limit: it lies beyond what is confirmed (1.3 times).
pub(crate) const KILL_AT: f64 = 1.35;
/// A program that used less than this share of the elapsed time was idle; a busier one had a busy machine.
const IDLE_SHARE: f64 = 0.05;
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

/// What is known after a test case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    pub(crate) difference: Option<Difference>,
    pub(crate) judge_message: Bytes,
    pub(crate) stderr: Excerpt,
    pub(crate) reason: Option<String>,
    /// What the output validator said about the score.
    pub(crate) score_files: ScoreFiles,
    pub(crate) team_message: Bytes,
    /// How often the submission was run.
    pub(crate) passes: u32,
    /// Tells outputs apart, where that is asked for; see [`output_hash`].
    pub(crate) output_hash: Option<String>,
    /// What was said, when that did not end well.
    pub(crate) interaction: Option<Box<Interaction>>,
    /// Whether an earlier run has judged it ([`crate::results`]).
    pub(crate) cached: bool,
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

impl Judged {
    fn new(verdict: Verdict, outcome: &Outcome) -> Self {
        Self {
            verdict,
            outcome: outcome.clone(),
            difference: None,
            judge_message: Bytes::default(),
            stderr: Excerpt::default(),
            reason: None,
            score_files: ScoreFiles::default(),
            team_message: Bytes::default(),
            passes: 1,
            output_hash: None,
            interaction: None,
            cached: false,
        }
    }

    /// Nothing was handed in for the test case.
    fn unanswered() -> Self {
        let outcome = Outcome { termination: Termination::Exited { code: 0 }, usage: Usage::default() };
        let reason = Some("nothing was handed in for this test case".to_owned());
        Self { reason, ..Self::new(Verdict::WrongAnswer, &outcome) }
    }

    fn judge_error(outcome: &Outcome, reason: String) -> Self {
        Self { reason: Some(reason), ..Self::new(Verdict::JudgeError, outcome) }
    }

    /// Whether another run would come to the same, whatever its CPU time, so that this one may stand for it. A judge error is
    /// to be looked into. What was ended for elapsed time may have waited for the machine, unless both sides of an
    /// interaction waited for each other.
    pub(crate) fn is_lasting(&self) -> bool {
        let deadlock = self.interaction.as_ref().is_some_and(|interaction| interaction.deadlock);
        let waited = self.outcome.termination == Termination::Killed { limit: Limit::WallTime } && !deadlock;
        self.verdict != Verdict::JudgeError && !waited
    }

    /// Whether the CPU time is about the time limit.
    pub(crate) fn is_near(&self, time_limit: Duration) -> bool {
        judge_grading::near_limit(self.outcome.usage.cpu_time, time_limit)
    }

    /// Whether the verdict is to be confirmed by a run alone on the machine. On one that is overloaded, a program that
    /// was kept waiting looks like one that is idle.
    pub(crate) fn wants_confirmation(&self, time_limit: Duration, overloaded: impl FnOnce() -> bool) -> bool {
        let usage = &self.outcome.usage;
        let busy = usage.cpu_time.as_secs_f64() > IDLE_SHARE * usage.wall_time.as_secs_f64();
        // A deadlock is one on any machine.
        let deadlock = self.interaction.as_ref().is_some_and(|interaction| interaction.deadlock);
        let waited = self.outcome.termination == Termination::Killed { limit: Limit::WallTime } && !deadlock;
        self.is_near(time_limit) || (waited && (busy || overloaded()))
    }
}

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
    fn who_was_idle_is_confirmed_only_where_others_may_have_kept_it_waiting() {
        let second = Duration::from_secs(1);
        let waited = |cpu_ms| {
            let usage = Usage {
                cpu_time: Duration::from_millis(cpu_ms),
                wall_time: Duration::from_secs(2),
                ..Usage::default()
            };
            let termination = Termination::Killed { limit: Limit::WallTime };
            Judged::new(Verdict::TimeLimitExceeded, &Outcome { termination, usage })
        };
        assert!(!waited(40).wants_confirmation(second, || false));
        assert!(waited(40).wants_confirmation(second, || true));
        assert!(waited(300).wants_confirmation(second, || false));
        let wrong = Outcome { termination: Termination::Exited { code: 0 }, ..waited(40).outcome };
        assert!(!Judged::new(Verdict::WrongAnswer, &wrong).wants_confirmation(second, || true));
    }

    #[test]
    fn the_elapsed_time_leaves_room_for_the_cpu_time() {
        let limit = Duration::from_secs(4);
        assert_eq!(wall_limit(limit, KILL_AT), Duration::from_secs(8));
        assert_eq!(wall_limit(limit / 8, KILL_AT), Duration::from_millis(1500));
        assert_eq!(wall_limit(limit, 3.0), Duration::from_secs(15));
    }
}
