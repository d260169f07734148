//! Runs the package's own programs outside of a test run: input and output validators on data, the
//! static validator and the grader on groups, and an output validator that communicates with a
//! partner that is not a program.
//!
//! Responsible for making the requests. Must not know the consequences of a reply for a package or
//! a run.
//!
//! Source: package format, "Input Validators" and "Output Validators".

use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_checktestdata::CheckError;
use judge_event::Excerpt;
use judge_files::real_path;
use judge_grading::{
    CompareOptions, Comparison, InputValidatorDecision, InteractionDecision, ValidatorCodes,
    ValidatorDecision, classify_input_validator, compare,
};
use judge_model::{
    CHECKTESTDATA, FormatVersion, GroupSettings, Limits, OutputValidator, Problem, ProblemIndex,
    Program, ScoreSettings, SubmissionPlace, TestCaseIndex, TestGroupIndex, Verdict, fill_in,
};
use judge_sandbox::{CancelToken, Capture, Execution, Input, RunLimits, Slot, Work};

use crate::ExecError;
use crate::build::bounds;
use crate::build::compile::Trust;
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::fault::{Fault, Refusal};
use crate::jury::grader::{StaticValidation, ask_grader};
use crate::jury::limits::{apply_file_limit, is_out_of_time, test_limits};
use crate::jury::reply::{Question, Reply};
use crate::jury::static_validator::{ExaminedSubmission, ask_static_validator};
use crate::jury::validator_requests::{
    Data, InputQuestion, InputReply, OutputQuestion, OutputReply,
};
use crate::regular_file;
use crate::session::worker::Worker;
use crate::testcase::interaction::SubmissionSide;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::OutputCheck;
use crate::testcase::transcript::Transcript;

/// The maximum size of an input that is checked in process, in bytes: the limit of test data when
/// packages are loaded.
pub(crate) const MAX_DATA_BYTES: u64 = 1000 << 20;
/// The size of the largest program in checktestdata.
const MAX_CHECKTESTDATA_BYTES: usize = 16 << 20;
/// Input validators are not limited by the format (2025-09, "Limits"); these keep a faulty one from
/// running forever.
const INPUT_TIME: Duration = Duration::from_secs(60);
const INPUT_MEMORY: u64 = 2 << 30;
const INPUT_OUTPUT: u64 = 1 << 20;
const INPUT_FILES: u64 = 4096;
const PROCESSES: u32 = 64;
/// The largest part of a validator's output that is kept, in bytes.
const MAX_EXCERPT_BYTES: usize = 2 << 10;

/// An input validator that is ready to run.
#[derive(Clone, Debug)]
pub struct ReadyInputValidator(Arc<ReadyInput>);

#[derive(Debug)]
enum ReadyInput {
    Program(Arc<Runnable>),
    Checktestdata(judge_checktestdata::Program),
}

/// The output validators of a problem, ready to run.
#[derive(Clone, Debug)]
pub struct ReadyOutputValidators {
    /// The package's own programs; `None` for the default one.
    programs: Option<Vec<Arc<Runnable>>>,
    format: FormatVersion,
    /// True when the problem has scores that they may give.
    pub(super) scoring: bool,
}

impl ReadyOutputValidators {
    /// The package's own programs; `None` for the default one.
    pub(super) fn programs(&self) -> Option<&[Arc<Runnable>]> {
        self.programs.as_deref()
    }
}

impl Worker<'_> {
    /// Prepares an input validator: compiles it, or reads it if it is a checktestdata program.
    ///
    /// # Errors
    /// Faults of the package, with the compiler's message, and of the host.
    pub fn input_validator(
        &mut self,
        problem: &Problem,
        program: &Program,
    ) -> Result<ReadyInputValidator, Fault> {
        // Programs in checktestdata are interpreted in process: they cannot do anything but
        // read the input, so they need no sandbox.
        let ready = if program.language.0 == CHECKTESTDATA {
            let source = regular_file::read(&program.path, MAX_CHECKTESTDATA_BYTES as u64)
                .map_err(ExecError::io("read", &program.path))?;
            let unreadable = |error: &dyn std::fmt::Display| {
                format!(
                    "the input validator `{}` cannot be read: {error}",
                    program.name
                )
            };
            let source =
                fill_in(&source, &problem.constants, MAX_CHECKTESTDATA_BYTES).ok_or_else(|| {
                    Fault::of_package(unreadable(&"it is too long with its constants filled in"))
                })?;
            let parsed = judge_checktestdata::Program::parse(&source);
            ReadyInput::Checktestdata(
                parsed.map_err(|error| Fault::of_package(unreadable(&error)))?,
            )
        } else {
            ReadyInput::Program(self.ready_warm(program, "input validator", problem)?)
        };
        Ok(ReadyInputValidator(Arc::new(ready)))
    }

    /// Prepares a problem's output validators, the default one or its own.
    ///
    /// # Errors
    /// Faults of the package, with the compiler's message, and of the host.
    pub fn output_validators(&mut self, problem: &Problem) -> Result<ReadyOutputValidators, Fault> {
        let programs = match &problem.output_validator {
            OutputValidator::Default => None,
            OutputValidator::Custom(programs) => {
                Some(self.ready_validators(programs, problem, Trust::Content)?)
            }
        };
        Ok(ReadyOutputValidators {
            programs,
            format: problem.format,
            scoring: problem.grading.scores(),
        })
    }

    /// Prepares the package's own output validators.
    pub(super) fn ready_validators(
        &mut self,
        programs: &[Program],
        problem: &Problem,
        trust: Trust,
    ) -> Result<Vec<Arc<Runnable>>, Fault> {
        programs
            .iter()
            .map(|program| self.ready(program, "output validator", problem, trust))
            .collect()
    }

    /// Runs an input validator: `validator [args] < input`, exit code 42 accepts.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn ask_input(
        &mut self,
        validator: &ReadyInputValidator,
        question: &InputQuestion<'_>,
    ) -> Result<InputReply, ExecError> {
        self.ask_input_within(validator, question, INPUT_TIME)
    }

    /// Runs an input validator with this CPU time limit, at most a minute.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn ask_input_within(
        &mut self,
        validator: &ReadyInputValidator,
        question: &InputQuestion<'_>,
        time: Duration,
    ) -> Result<InputReply, ExecError> {
        // A caller may allow less than a minute, and a warm run gets even less. The reply must not
        // depend on that reduction.
        let ordinary = time.min(INPUT_TIME);
        let reply = self.input_reply(validator, question, self.time_of_making(ordinary), ordinary);
        Fault::answer(reply, |reason| {
            InputReply::decided(InputValidatorDecision::JudgeError { reason })
        })
    }

    fn input_reply(
        &mut self,
        validator: &ReadyInputValidator,
        question: &InputQuestion<'_>,
        time: Duration,
        ordinary: Duration,
    ) -> Result<InputReply, ExecError> {
        match &*validator.0 {
            ReadyInput::Checktestdata(program) => check(program, question.input),
            ReadyInput::Program(program) => {
                let files = self.copied(question.files)?;
                let cancel = self.cancel.clone();
                let slot = self.validators()?;
                let execution = input_execution(program, question, files, time, slot, &cancel)?;
                let mut capture = Capture::default();
                let finished = slot.run(&execution, &mut capture)?;
                program.expect_whole()?;
                let text = if capture.stderr.is_empty() {
                    &capture.stdout
                } else {
                    &capture.stderr
                };
                // A validator that uses the published testlib does not use 42 and 43, and its
                // sources show which kind it is.
                let codes = if program.testlib_validator {
                    ValidatorCodes::Testlib
                } else {
                    ValidatorCodes::Package
                };
                let outcome = apply_file_limit(&finished, INPUT_OUTPUT);
                let decision =
                    classify_input_validator(&outcome, &test_limits(&execution.limits), codes);
                let text = program.shown(text, slot.layout());
                if self.was_cut_short(&finished.outcome, time, ordinary) {
                    return self.input_reply(validator, question, ordinary, ordinary);
                }
                Ok(InputReply {
                    output: tail(&text),
                    bounds: bounds::read(&finished),
                    timed_out: is_out_of_time(&finished.outcome, &execution.limits),
                    ..InputReply::decided(decision)
                })
            }
        }
    }

    /// Runs a problem's output validators on an output that no submission wrote.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn ask_output(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
    ) -> Result<OutputReply, ExecError> {
        self.ask_output_in(validators, question, false)
    }

    /// Runs a problem's output validators on a generated output. Validators in Python that read it
    /// as text fail on bytes that are not UTF-8, as on most judging systems.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn ask_made_up_output(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
    ) -> Result<OutputReply, ExecError> {
        self.ask_output_in(validators, question, true)
    }

    fn ask_output_in(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
        strict_text: bool,
    ) -> Result<OutputReply, ExecError> {
        let reply = self.output_reply(validators, question, strict_text);
        Fault::answer(reply, OutputReply::judge_error)
    }

    fn output_reply(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
        strict_text: bool,
    ) -> Result<OutputReply, ExecError> {
        let Some(programs) = validators.programs() else {
            return compare_output(validators.format, question);
        };
        let (limits, asked) = (question.limits, question.in_first_pass(validators.scoring));
        let reply = self
            .output_validation(strict_text)?
            .ask_all(programs, &asked)?;
        // Checked after the run, because a program may change while it runs, and then its reply
        // does not count.
        programs
            .iter()
            .try_for_each(|program| program.expect_whole())?;
        match reply {
            Some(reply) => reply_to_question(reply, limits),
            None => Ok(OutputReply::decided(ValidatorDecision::Cancelled)),
        }
    }

    /// Runs a partner with the output validator of an interactive problem on a test case, in the
    /// first pass; `None` when that was cancelled. The partner is given the duplex connection, and
    /// is finished when its `run` returns.
    ///
    /// # Errors
    /// Faults of the package and of the host.
    pub fn talk(
        &mut self,
        problem: ProblemIndex,
        test_case: TestCaseIndex,
        partner: &mut dyn Slot,
    ) -> Result<Option<TestResult>, Fault> {
        // A user is waiting at this point anyway, so the files of the validator are verified now.
        let check = self.prepare(problem, Trust::Content)?;
        let timed = &self.session.problems[problem.0];
        let (definition, wall_time) = (Arc::clone(&timed.problem), timed.time_limit);
        let OutputCheck::Custom(validators) = &*check else {
            return Err(Refusal::Package("the problem is not interactive".to_owned()).into());
        };
        let question = Question::for_test_case(&definition, &definition.test_cases[test_case]);
        let (mut capture, cancel) = (Capture::default(), self.cancel.clone());
        let limits = &definition.limits;
        let speaker = partner_side(partner, &mut capture, limits, wall_time, cancel);
        let mut validating = self.output_validation(false)?;
        let transcript = &mut Transcript::default();
        let Some(end) = validating.talk(&validators[0], &question, speaker, transcript)? else {
            return Ok(None);
        };
        let result = match end.decision {
            InteractionDecision::Cancelled => return Ok(None),
            InteractionDecision::JudgeError { reason } => {
                TestResult::judge_error(&end.outcome, reason)
            }
            InteractionDecision::Verdict(verdict) => TestResult::new(verdict, &end.outcome),
        };
        // Any other verdict describes how the partner ended; the message of the validator is then
        // about an interrupted conversation.
        let says_why = matches!(
            result.verdict,
            Verdict::Accepted | Verdict::WrongAnswer | Verdict::JudgeError
        );
        let judge_message = if says_why {
            end.reply.judge_message
        } else {
            judge_event::Bytes::default()
        };
        Ok(Some(TestResult {
            judge_message,
            ..result
        }))
    }

    /// Runs the static validator on a compiled submission, for a group.
    pub fn validate(
        &mut self,
        submission: SubmissionPlace,
        group: TestGroupIndex,
    ) -> Result<StaticValidation, ExecError> {
        let problem = Arc::clone(self.session.problem(submission.problem));
        let error = |reason: String| Ok(StaticValidation::judge_error(reason));
        let Some(validator) = &problem.static_validator else {
            return error("the package has no static validator".to_owned());
        };
        let validator = match self.ready(validator, "static validator", &problem, Trust::Content) {
            Ok(validator) => validator,
            Err(fault) => return error(fault.refusal()?.to_string()),
        };
        // The validator runs long after compiling, and another process may have trimmed the cache
        // since.
        let Ok(program) = self.compile(submission)?.result else {
            return error("the submission cannot be compiled again".to_owned());
        };
        let language = &program.toolchain.language;
        let sources =
            Sources::from_submission(self.session.submission(submission), &problem, &language.id);
        let sources = match sources.read(language) {
            Ok(sources) => sources,
            Err(fault) => return error(fault.refusal()?.to_string()),
        };
        let args = match &problem.test_groups[group].settings {
            GroupSettings::Scores(ScoreSettings {
                static_validation: Some(validation),
                ..
            }) => &*validation.args,
            _ => &[],
        };
        let examined = ExaminedSubmission {
            sources: &sources,
            program: &program,
            args,
        };
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        let slot = self.validators()?;
        let answer =
            ask_static_validator(&validator, &examined, &problem.limits, slot, cache, &cancel);
        Fault::answer(answer.map(Into::into), StaticValidation::judge_error)
    }

    /// Runs the package's grader. `input` has the verdicts and scores of the parts of a group.
    ///
    /// # Errors
    /// Faults of the host. A refusal is worded to follow "the grader"; it is a judge error.
    pub fn grade(
        &mut self,
        problem: ProblemIndex,
        flags: &[String],
        input: &str,
    ) -> Result<Vec<u8>, Fault> {
        let problem = Arc::clone(self.session.problem(problem));
        let Some(grader) = problem.grading.grader() else {
            return Err(Fault::of_package(
                "is missing: `grading: custom` needs a program in `graders/`",
            ));
        };
        let program = match self.ready(grader, "grader", &problem, Trust::Content) {
            Ok(program) => program,
            Err(fault) => {
                return Err(Fault::of_package(format!(
                    "cannot be run: {}",
                    fault.refusal()?
                )));
            }
        };
        let cancel = self.cancel.clone();
        let slot = self.validators()?;
        // It is cancelled only when the run is aborted, and then the answer is not used.
        let answer = ask_grader(&program, flags, input, &problem.limits, slot, &cancel)?;
        answer.ok_or_else(|| Fault::of_package("was cancelled"))
    }
}

fn check(program: &judge_checktestdata::Program, input: Data<'_>) -> Result<InputReply, ExecError> {
    let bytes = match input {
        Data::Bytes(bytes) => bytes.to_vec(),
        Data::File(path) => {
            regular_file::read(path, MAX_DATA_BYTES).map_err(ExecError::io("read", path))?
        }
    };
    let mut reached = Vec::new();
    let (decision, message) = match program.reach(&bytes) {
        Ok(found) => {
            reached = found;
            (InputValidatorDecision::Accepted, String::new())
        }
        Err(CheckError::Rejected(rejection)) => (
            InputValidatorDecision::Rejected {
                how: "rejects".to_owned(),
                is_as_agreed: true,
            },
            rejection.to_string(),
        ),
        Err(fault @ CheckError::Faulty(_)) => (
            InputValidatorDecision::JudgeError {
                reason: format!("is faulty: {fault}"),
            },
            String::new(),
        ),
    };
    Ok(InputReply {
        output: tail(message.as_bytes()),
        reached,
        ..InputReply::decided(decision)
    })
}

/// Returns the parts of a validator's reply that matter without a submission.
pub(super) fn reply_to_question(reply: Reply, limits: &Limits) -> Result<OutputReply, ExecError> {
    let next_input = reply.next_pass.map(|next| {
        let input = next.input();
        regular_file::read(&input, limits.validation_output_bytes)
            .map_err(ExecError::io("read", &input))
    });
    Ok(OutputReply {
        decision: reply.decision,
        judge_message: reply.judge_message,
        score: reply.score_files.score,
        stderr: reply.stderr,
        next_input: next_input.transpose()?,
        spoke: reply.spoke,
        timed_out: reply.timed_out,
    })
}

/// The side of a partner that is not a program, so there is no command. Its limits bound the time
/// for which the validator waits.
pub(super) fn partner_side<'a>(
    slot: &'a mut dyn Slot,
    capture: &'a mut Capture,
    limits: &Limits,
    wall_time: Duration,
    cancel: CancelToken,
) -> SubmissionSide<'a> {
    let limits = RunLimits {
        cpu_time: wall_time,
        wall_time,
        memory_bytes: limits.memory_bytes,
        stdout_bytes: limits.output_bytes,
        stderr_bytes: 0,
        processes: 1,
    };
    SubmissionSide {
        slot,
        capture,
        limits: test_limits(&limits),
        execution: Execution::new(Vec::new(), limits, cancel),
    }
}

fn input_execution(
    program: &Runnable,
    question: &InputQuestion<'_>,
    files: Option<PathBuf>,
    time: Duration,
    slot: &dyn Slot,
    cancel: &CancelToken,
) -> Result<Execution, ExecError> {
    let limits = RunLimits {
        cpu_time: time,
        wall_time: time * 2,
        memory_bytes: INPUT_MEMORY,
        stdout_bytes: INPUT_OUTPUT,
        stderr_bytes: INPUT_OUTPUT,
        processes: PROCESSES,
    };
    let mut execution = Execution {
        stdin: match question.input {
            Data::Bytes(bytes) => Input::Bytes(bytes.into()),
            // Test cases may be links to others of the package.
            Data::File(path) => Input::File(real_path(path).map_err(ExecError::io("read", path))?),
        },
        work: Work::Writable {
            bytes: INPUT_OUTPUT,
            files: INPUT_FILES,
        },
        work_files: program.files_at_hand().into_iter().chain(files).collect(),
        // Kept to see whether it wrote too much.
        keep_work: true,
        ..program.execution(question.args, limits, slot.layout(), cancel.clone())?
    };
    if program.reports_bounds && question.bounds {
        bounds::ask(&mut execution, slot.layout());
    }
    Ok(execution)
}

/// The default output validator.
fn compare_output(
    format: FormatVersion,
    question: &OutputQuestion<'_>,
) -> Result<OutputReply, ExecError> {
    let options = match CompareOptions::parse(&question.args.all, format) {
        Ok(options) => options,
        Err(error) => return Ok(OutputReply::judge_error(error.to_string())),
    };
    let failed = || ExecError::io("read", question.answer);
    let reader = BufReader::with_capacity(
        64 << 10,
        regular_file::open(question.answer).map_err(failed())?,
    );
    Ok(OutputReply::decided(
        match compare(&options, reader, question.output).map_err(failed())? {
            Comparison::Accepted => ValidatorDecision::Accepted,
            Comparison::Rejected(_) => ValidatorDecision::Rejected,
        },
    ))
}

fn tail(output: &[u8]) -> Excerpt {
    Excerpt::new(output, 0, MAX_EXCERPT_BYTES)
}
