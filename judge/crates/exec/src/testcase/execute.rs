//! One test case: run the submission, classify the outcome, and compare the output or request the
//! validator's decision.
//!
//! Responsible for the path of one test case, the hot path of the whole tool. Must not know the
//! order of test cases, what is expected of a submission or how a validator is run.

use std::io::{BufReader, Read as _};
use std::path::Path;

use judge_event::Bytes;
use judge_grading::{
    Classification, CompareOptions, Comparison, Evidence, HostDelay, InteractionDecision,
    ScoreFiles, ValidatorDecision, classify, compare, wall_limit,
};
use judge_model::{Limit, Outcome, Termination, TestCase, Usage, Verdict};
use judge_sandbox::{
    CancelToken, Capture, Execution, Finished, HarvestError, Input, Layout, RunLimits, Slot, Work,
    read_file,
};
use sha2::{Digest as _, Sha256};

use crate::ExecError;
use crate::build::lazy_slot::LazySlot;
use crate::build::places::unplaced;
use crate::build::sources::names_streams;
use crate::fault::Fault;
use crate::jury::next_pass::NextPass;
use crate::jury::output_validator::OutputValidation;
use crate::jury::reply::{Question, Reply, tail};
use crate::jury::visualizer::Pictures;
use crate::regular_file;
use crate::store::checksum::hex;
use crate::store::programs::ProgramCache;
use crate::testcase::files::renamed;
use crate::testcase::interaction::{ConversationEnd, InteractionEnd, SubmissionSide};
use crate::testcase::load::may_delay_unnoticed;
use crate::testcase::passes::Passes;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::{OutputCheck, TestRun};
use crate::testcase::transcript::Transcript;

/// Files that a submission may create where it may write.
const SUBMISSION_FILES: u64 = 4096;

/// The result of one pass.
struct Pass {
    result: TestResult,
    /// The files that it leaves to the next pass, if there is to be one.
    next: Option<NextPass>,
    /// The end of the conversation, if there was one.
    conversation: Option<ConversationEnd>,
}

/// The size of the largest input, in bytes: the limit of test data when packages are loaded.
const MAX_DATA_BYTES: u64 = 1000 << 20;

/// Judges test cases in the slots of one worker.
pub(crate) struct TestExecutor<'a> {
    /// The slot in which submissions run: nothing of the package is in its reach.
    pub(crate) slot: &'a mut dyn Slot,
    /// The slot of the package's own programs.
    pub(crate) jury: &'a mut dyn LazySlot,
    pub(crate) capture: &'a mut Capture,
    pub(crate) cache: &'a ProgramCache,
    pub(crate) cancel: CancelToken,
}

impl TestExecutor<'_> {
    /// Judges the submission on a test case, in as many passes as the validator requests; `None`
    /// when it was cancelled.
    pub(crate) fn execute(&mut self, run: &TestRun) -> Result<Option<TestResult>, ExecError> {
        let mut transcript = Transcript::default();
        let Some((mut result, conversation)) =
            self.execute_with_transcript(run, &mut transcript)?
        else {
            return Ok(None);
        };
        // The conversation explains a rejection. It is not needed for an accepted submission, and
        // it may have thousands of messages.
        if result.verdict != Verdict::Accepted || run.transcript {
            let interaction =
                |end: ConversationEnd| transcript.interaction(Some(end.ended_first), end.deadlock);
            result.interaction = conversation.map(interaction).map(Box::new);
        }
        Ok(Some(result))
    }

    /// Judges in the same way, with the conversation in the transcript, and with the end of its
    /// last pass.
    pub(crate) fn execute_with_transcript(
        &mut self,
        run: &TestRun,
        transcript: &mut Transcript,
    ) -> Result<Option<(TestResult, Option<ConversationEnd>)>, ExecError> {
        // A fault of the package, such as a validator that changed on disk, is a judge error
        // of this test case. Only faults of the host end the run.
        let result = self.execute_passes(run, transcript);
        Fault::answer(result, |why| Some((TestResult::refused(why), None)))
    }

    fn execute_passes(
        &mut self,
        run: &TestRun,
        transcript: &mut Transcript,
    ) -> Result<Option<(TestResult, Option<ConversationEnd>)>, ExecError> {
        // Problems of one pass go through the same loop: a validator that requests a second pass
        // there is a judge error, not a verdict.
        let mut passes = Passes::new();
        loop {
            transcript.start_pass(passes.number);
            let pass = if run.problem.interactive {
                self.interact(run, &passes, transcript)?
            } else {
                self.pass(run, &passes)?
            };
            let Some(Pass {
                mut result,
                next,
                conversation,
            }) = pass
            else {
                return Ok(None);
            };
            if transcript.record.is_some() && !run.problem.interactive {
                let path = passes
                    .input()
                    .unwrap_or_else(|| run.test_case().input.clone());
                let input = regular_file::read(&path, MAX_DATA_BYTES)
                    .map_err(ExecError::io("read", &path))?;
                transcript.ran(&input, &self.capture.stdout);
            }
            if let Some(next) = next {
                passes.advance(next, result.outcome.usage);
                continue;
            }
            // Limits hold for each pass, so the maximum over all passes is compared with them.
            result.outcome.usage = passes.maximum(result.outcome.usage);
            result.passes = passes.number;
            // The output in an interaction is not captured.
            let compared = run.output_hash && !run.problem.interactive;
            result.output_hash = compared.then(|| output_hash(&self.capture.stdout));
            if !matches!(result.verdict, Verdict::Accepted | Verdict::JudgeError) {
                let mut stderr = tail(&self.capture.stderr);
                // Without a mount namespace, the slot's directory has a random path, which must not
                // cause differences between two reports.
                for Bytes(part) in [&mut stderr.head, &mut stderr.tail] {
                    *part = unplaced(std::mem::take(part), self.slot.layout());
                }
                result.stderr = stderr;
                if result.verdict == Verdict::RunTimeError {
                    result.reason = self.missing_proc(run);
                }
            }
            return Ok(Some((result, conversation)));
        }
    }

    /// Returns the reason why the submission did not find a file that its standard error mentions,
    /// if it did not see `/proc`.
    fn missing_proc(&self, run: &TestRun) -> Option<String> {
        let saw_proc = run.sees_proc() || self.slot.layout() != Layout::fixed();
        (!saw_proc && names_streams(&self.capture.stderr)).then(|| {
            "`/proc`, and streams below `/dev`, are available to programs whose source or arguments name `/dev` or `/proc`"
                .to_owned()
        })
    }

    /// Runs the submission, and then checks its output.
    fn pass(&mut self, run: &TestRun, passes: &Passes) -> Result<Option<Pass>, ExecError> {
        let decided = |result| {
            Ok(Some(Pass {
                result,
                next: None,
                conversation: None,
            }))
        };
        // Submitted answers are treated like an output from here on, so the same code checks both.
        let outcome = if run.problem.submit_answer {
            let Some(outcome) = take_answer(run, self.capture)? else {
                return decided(TestResult::unanswered());
            };
            outcome
        } else {
            let mut execution =
                submission_execution(run, passes, self.slot.layout(), self.cancel.clone())?;
            if let Some(name) = &run.problem.named_files.input {
                // The problem names a file for the input. It is put into the working directory
                // under that name, and standard input is empty, as on systems that judge in this
                // way.
                execution.stdin = Input::Empty;
                let input = &run.test_case().input;
                let bytes = regular_file::read(input, MAX_DATA_BYTES)
                    .map_err(ExecError::io("read", input))?;
                execution
                    .work_files
                    .push(renamed(&bytes, name, self.cache)?);
                // A warm process has the files with which it was warmed.
                execution.warm = None;
            }
            let finished = self.slot.run(&execution, self.capture)?;
            // The file is read before the outcome is classified: its size counts towards the output
            // limit.
            take_output_file(run, &finished, self.capture)
        };
        // The limit that the sandbox enforced: the excess over it shows how much the host delayed
        // the run.
        let wall_limit = wall_limit(run.time_limit, run.kill_at);
        match classify(&outcome, &run.test_limits()) {
            Classification::Cancelled => Ok(None),
            Classification::Verdict(verdict) => {
                decided(TestResult::new(verdict, &outcome).with_delay(wall_limit))
            }
            Classification::CompareOutput => match &*run.output_check {
                OutputCheck::Unjudged => decided(TestResult::new(Verdict::Accepted, &outcome)),
                OutputCheck::Default(options) => {
                    let (options, output) = (&options[run.test_case.0], &self.capture.stdout);
                    decided(compare_output(options, run.test_case(), output, &outcome)?)
                }
                OutputCheck::Custom(validators) => {
                    let output = &self.capture.stdout;
                    let question = Question {
                        output,
                        ..question(run, passes)
                    };
                    let validating = OutputValidation {
                        slot: self.jury.open()?,
                        cache: self.cache,
                        cancel: self.cancel.clone(),
                        strict_text: false,
                    };
                    // The submission's slot is idle meanwhile: the validator runs in its own slot,
                    // which can reach the data of the package.
                    let Some(reply) = validating.ask_all(validators, &question)? else {
                        return Ok(None);
                    };
                    let (reply, next) = passes.next(reply, run.problem.passes, run.max_pass_time());
                    // The time for passes is checked before the reply is used, because running
                    // out of it turns the decision into a judge error.
                    let result = result_of_reply(reply, run.test_case(), output, &outcome)?;
                    Ok(Some(Pass {
                        result,
                        next,
                        conversation: None,
                    }))
                }
            },
        }
    }

    /// Runs the submission with the validator.
    fn interact(
        &mut self,
        run: &TestRun,
        passes: &Passes,
        transcript: &mut Transcript,
    ) -> Result<Option<Pass>, ExecError> {
        // Preparing the output check refuses an interactive problem without its own validator.
        let OutputCheck::Custom(validators) = &*run.output_check else {
            unreachable!("the output check of an interactive problem is a validator")
        };
        let execution = submission_execution(run, passes, self.slot.layout(), self.cancel.clone())?;
        let mut validating = OutputValidation {
            slot: self.jury.open()?,
            cache: self.cache,
            cancel: self.cancel.clone(),
            strict_text: false,
        };
        let speaker = SubmissionSide {
            slot: &mut *self.slot,
            capture: &mut *self.capture,
            execution,
            limits: run.test_limits(),
        };
        let Some(end) =
            validating.talk(&validators[0], &question(run, passes), speaker, transcript)?
        else {
            return Ok(None);
        };
        let InteractionEnd {
            outcome,
            decision,
            reply,
            conversation,
            starved,
        } = end;
        // Copied before `passes.next` takes the reply: a judge error made there keeps the
        // message of the validator.
        let (judge_message, stderr) = (reply.judge_message.clone(), reply.stderr.clone());
        let (reply, next) = passes.next(reply, run.problem.passes, run.max_pass_time());
        let result = match (decision, reply.decision) {
            (InteractionDecision::Cancelled, _) => return Ok(None),
            (InteractionDecision::JudgeError { reason }, _)
            | (
                InteractionDecision::Verdict(Verdict::Accepted | Verdict::WrongAnswer),
                ValidatorDecision::JudgeError { reason },
            ) => TestResult {
                judge_message,
                stderr,
                ..TestResult::judge_error(&outcome, reason)
            },
            (InteractionDecision::Verdict(verdict), _) => TestResult {
                judge_message,
                ..TestResult::new(verdict, &outcome)
            },
        };
        // A validator may have requested another pass before the submission crashed. That pass is
        // not run.
        let next = next.filter(|_| result.verdict == Verdict::Accepted);
        // A score that was written before the submission failed on its own does not count.
        let is_scored = matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer);
        let score_files = if is_scored {
            reply.score_files
        } else {
            ScoreFiles::default()
        };
        // One side waits while the other one works, so a run that exceeds its elapsed time is
        // blamed on the host only if the host is known to have starved the submission.
        let was_starved = (starved || may_delay_unnoticed())
            && Evidence {
                deadlock: conversation.deadlock,
                ..result.evidence()
            }
            .ran_out_of_wall_time();
        let delay = if was_starved {
            HostDelay::Starved
        } else {
            HostDelay::None
        };
        let result = TestResult {
            score_files,
            team_message: reply.team_message,
            delay,
            feedback: reply.feedback,
            ..result
        };
        Ok(Some(Pass {
            result,
            next,
            conversation: Some(conversation),
        }))
    }
}

/// The hash that distinguishes outputs: the beginning of the SHA-256, which is enough for those of
/// one problem.
fn output_hash(output: &[u8]) -> String {
    hex(&Sha256::digest(output)[..8])
}

/// The question to the validator in this pass.
fn question<'a>(run: &'a TestRun, passes: &'a Passes) -> Question<'a> {
    let keep_feedback = run.pictures != Pictures::None && run.problem.output_visualizer.is_some();
    Question {
        earlier: passes.earlier.as_ref(),
        keep_feedback,
        ..Question::for_test_case(&run.problem, run.test_case())
    }
}

/// Replaces standard output with the output file, if the problem names one. A missing or special
/// file counts as an empty output.
fn take_output_file(run: &TestRun, finished: &Finished, capture: &mut Capture) -> Outcome {
    let mut outcome = finished.outcome.clone();
    let Some(name) = &run.problem.named_files.output else {
        return outcome;
    };
    let max = run.problem.limits.output_bytes;
    // Standard output does not count here, even if the file is missing.
    capture.stdout.clear();
    match finished
        .work
        .as_ref()
        .map(|work| read_file(work, Path::new(name), max))
    {
        Some(Ok(bytes)) => {
            outcome.usage.stdout_bytes = bytes.len() as u64;
            capture.stdout = bytes;
        }
        Some(Err(HarvestError::TooLarge { .. }))
            if matches!(outcome.termination, Termination::Exited { .. }) =>
        {
            outcome.termination = Termination::Killed {
                limit: Limit::Output,
            };
        }
        _ => {}
    }
    outcome
}

/// Reads the submitted answer of a test case in place of a program's output. The output limit
/// applies to it too.
fn take_answer(run: &TestRun, capture: &mut Capture) -> Result<Option<Outcome>, ExecError> {
    capture.stdout.clear();
    capture.stderr.clear();
    let Some(path) = &run.answer else {
        return Ok(None);
    };
    let failed = || ExecError::io("read", path);
    let max = run.problem.limits.output_bytes;
    // One byte more than allowed shows that the limit was exceeded, without reading a file of any
    // size.
    let file = regular_file::open(path).map_err(failed())?;
    let stdout_bytes = file
        .take(max.saturating_add(1))
        .read_to_end(&mut capture.stdout)
        .map_err(failed())? as u64;
    let termination = if stdout_bytes > max {
        Termination::Killed {
            limit: Limit::Output,
        }
    } else {
        Termination::Exited { code: 0 }
    };
    Ok(Some(Outcome {
        termination,
        usage: Usage {
            stdout_bytes,
            ..Usage::default()
        },
    }))
}

fn submission_execution(
    run: &TestRun,
    passes: &Passes,
    layout: &Layout,
    cancel: CancelToken,
) -> Result<Execution, ExecError> {
    let limits = &run.problem.limits;
    let has_output_file = run.problem.named_files.output.is_some();
    let work = if run.problem.allow_file_writing || has_output_file {
        Work::Writable {
            bytes: limits.output_bytes,
            files: SUBMISSION_FILES,
        }
    } else {
        Work::ReadOnly
    };
    let run_limits = RunLimits {
        cpu_time: run.time_limit.mul_f64(run.kill_at),
        wall_time: wall_limit(run.time_limit, run.kill_at),
        memory_bytes: limits.memory_bytes,
        stdout_bytes: limits.output_bytes,
        stderr_bytes: limits.output_bytes,
        processes: run.program.toolchain.language.processes,
    };
    let execution = run
        .program
        .execution(&run.test_case().args, run_limits, layout, cancel)?;
    Ok(Execution {
        stdin: Input::File(
            passes
                .input()
                .unwrap_or_else(|| run.test_case().input.clone()),
        ),
        work,
        keep_work: execution.keep_work || has_output_file,
        // The program's files come first: those of the test case replace them (2025-09, "Test
        // Data").
        work_files: run
            .program
            .files_at_hand()
            .into_iter()
            .chain(run.files.clone())
            .collect(),
        proc_mounted: run.sees_proc(),
        ..execution
    })
}

fn compare_output(
    options: &CompareOptions,
    test_case: &TestCase,
    output: &[u8],
    outcome: &Outcome,
) -> Result<TestResult, ExecError> {
    let answer = &test_case.answer;
    let failed = || ExecError::io("read", answer);
    let reader = BufReader::with_capacity(64 << 10, regular_file::open(answer).map_err(failed())?);
    match compare(options, reader, output).map_err(failed())? {
        Comparison::Accepted => Ok(TestResult::new(Verdict::Accepted, outcome)),
        Comparison::Rejected(found) => {
            let difference =
                crate::testcase::difference::describe(&found, answer, output).map_err(failed())?;
            Ok(TestResult {
                difference: Some(difference),
                rejected_hash: Some(output_hash(output)),
                ..TestResult::new(Verdict::WrongAnswer, outcome)
            })
        }
    }
}

/// Returns the result of a submission by a validator's decision.
fn result_of_reply(
    reply: Reply,
    test_case: &TestCase,
    output: &[u8],
    outcome: &Outcome,
) -> Result<TestResult, ExecError> {
    let result = match reply.decision {
        // `ask_all` has no answer when it is cancelled.
        ValidatorDecision::Accepted | ValidatorDecision::Cancelled => {
            TestResult::new(Verdict::Accepted, outcome)
        }
        ValidatorDecision::Rejected => {
            let answer = &test_case.answer;
            let difference = crate::testcase::difference::difference_for_validator(answer, output)
                .map_err(ExecError::io("read", answer))?;
            TestResult {
                difference,
                ..TestResult::new(Verdict::WrongAnswer, outcome)
            }
        }
        ValidatorDecision::JudgeError { reason } => TestResult {
            stderr: reply.stderr,
            ..TestResult::judge_error(outcome, reason)
        },
    };
    Ok(TestResult {
        judge_message: reply.judge_message,
        score_files: reply.score_files,
        team_message: reply.team_message,
        feedback: reply.feedback,
        validator_spoke: reply.spoke,
        ..result
    })
}
