//! A run of a program on one input.
//!
//! Responsible for the problem in which it runs, for the output, and for the exit code. Must not
//! know where the input comes from.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use judge_event::{Bytes, Excerpt};
use judge_exec::{
    Data, Fault, INPUT_VALIDATOR_CODES, InputQuestion, InputValidatorDecision, Refusal, Session,
    Trial, source_remark,
};
use judge_model::{
    Grading, OutputValidator, Problem, ProblemIndex, Program, Submission, SubmissionIndex,
    TestCase, TestCaseIndex, Verdict, micros,
};
use judge_report::{TrialReport, printable_lines};
use judge_runner::PlannedProblem;

use crate::commands::judging::inferring::{infer_time_limits, require_time_limit};
use crate::commands::judging::{JudgingSettings, PlanBuilder, RunContext};
use crate::commands::loose::{DEFAULT_TIME_LIMIT, problem_of};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::{note, print, warning, write};

/// The CPU time limit of an input validator, which runs before the program does.
const VALIDATION_TIME: Duration = Duration::from_secs(2);

/// A single input for a program.
pub(super) struct SingleInput {
    pub(super) bytes: Vec<u8>,
    pub(super) answer: Vec<u8>,
    /// The test case of the package with this input, or an empty one.
    pub(super) template: TestCase,
    /// True when the input validators of the package are asked whether it is valid.
    pub(super) asks_validators: bool,
}

/// Runs the program once and prints its output and how it ended.
pub(super) fn run(
    config: &Config,
    settings: JudgingSettings,
    package: Option<Problem>,
    submission: Submission,
    input: &SingleInput,
) -> Result<ExitCode, Failure> {
    let settings = match package {
        Some(_) => settings,
        None => JudgingSettings {
            time_limit: settings.time_limit.or(Some(DEFAULT_TIME_LIMIT)),
            ..settings
        },
    };
    let mut problem = package
        .unwrap_or_else(|| problem_of("input", config.directory.clone(), vec![submission.clone()]));
    let whole = Arc::new(problem.clone());
    if problem.submit_answer {
        return Err(Failure::Usage(format!(
            "`{}` expects output files: there is no program to run",
            problem.name
        )));
    }
    problem.submissions = vec![submission];
    problem.test_cases = vec![input.template.clone()];
    if !problem.interactive {
        // The output is only printed.
        problem.output_validator = OutputValidator::Default;
    }
    // Groups and rules for sources matter for verdicts only.
    (problem.grading, problem.static_validator) = (Grading::PassFail, None);
    let mut plan = PlanBuilder::plan_of_replaced(config, settings, problem, whole);
    let mut languages = plan.languages();
    if input.asks_validators {
        let validators = &plan.problems[0].problem.input_validators;
        languages.extend(validators.iter().flat_map(Program::languages));
    }
    let context = RunContext::open(config, settings, &languages)?;
    if let Some(code) = infer_time_limits(config, &mut plan, &context)? {
        return Ok(code);
    }
    plan.problems.iter().try_for_each(require_time_limit)?;
    let planned = &plan.problems[0];
    match run_once(&context, planned, input)? {
        None => Ok(ExitCode::Interrupted),
        Some(Err(refusal)) => print_refusal(&context, planned, &refusal),
        Some(Ok(trial)) => print_trial(config, planned, trial),
    }
}

/// Runs the program. `None` when that was interrupted.
fn run_once(
    context: &RunContext,
    planned: &PlannedProblem,
    input: &SingleInput,
) -> Result<Option<Result<Trial, Refusal>>, Failure> {
    let _interrupts = context.listen()?;
    let session = Session::open(vec![planned.timed()], &context.environment, false)?;
    let mut adhoc = session.adhoc_input(ProblemIndex(0), None)?;
    let prepared = match adhoc.prepare_submission(SubmissionIndex(0)) {
        Ok(prepared) => prepared,
        // A compiler that was killed by the signal looks like one that failed.
        Err(_) if session.is_cancelled() => return Ok(None),
        Err(Fault::Refused(refusal)) => return Ok(Some(Err(refusal))),
        Err(Fault::Host(error)) => return Err(error.into()),
    };
    // Validators come first: an interactor may behave in any way on an invalid input.
    if input.asks_validators {
        note_invalid_input(&session, planned, &input.bytes)?;
    }
    adhoc.take(&input.bytes, TestCaseIndex(0))?;
    adhoc.answer(&input.answer)?;
    Ok(adhoc.trial(&prepared)?.map(Ok))
}

/// Prints a warning about the first input validator that rejects an input. Validators that exceed
/// [`VALIDATION_TIME`] are ignored.
fn note_invalid_input(
    session: &Session,
    planned: &PlannedProblem,
    input: &[u8],
) -> Result<(), Failure> {
    let mut worker = session.worker(None);
    for program in &planned.problem.input_validators {
        // `judge check` reports a validator that cannot be prepared.
        let Ok(validator) = Fault::apart(worker.input_validator(&planned.problem, program))? else {
            continue;
        };
        let question = InputQuestion {
            input: Data::Bytes(input),
            args: &[],
            files: None,
            bounds: false,
        };
        let reply = worker.ask_input_within(&validator, &question, VALIDATION_TIME)?;
        if let InputValidatorDecision::Rejected { how, is_as_agreed } = reply.decision {
            let Excerpt { head, tail, .. } = &reply.output;
            let text = format!("{}{}", head.to_text(), tail.to_text());
            let line = text.lines().rev().find(|line| !line.trim().is_empty());
            let why = line.map_or_else(String::new, |line| format!(": {}", line.trim()));
            let what = format!("the input validator `{}` {how}{why}", program.name);
            warning(&if is_as_agreed {
                format!("the input is invalid: {what}; an interactor may fail on it")
            } else {
                format!("{what}; {INPUT_VALIDATOR_CODES}")
            });
            return Ok(());
        }
    }
    Ok(())
}

/// Prints the likely cause of a failure that the source of the program shows.
fn note_source(planned: &PlannedProblem, has_run: bool) {
    let problem = &planned.problem;
    let remark = |submission| source_remark(submission, problem, has_run);
    if let Some(remark) = problem.submissions.first().and_then(remark) {
        note(&remark);
    }
}

/// Prints why the program cannot be run.
fn print_refusal(
    context: &RunContext,
    planned: &PlannedProblem,
    refusal: &Refusal,
) -> Result<ExitCode, Failure> {
    let language = planned
        .problem
        .submissions
        .iter()
        .find_map(|submission| submission.language.as_ref());
    let missing = language.and_then(|language| {
        context
            .environment
            .toolchains
            .for_submissions(language)?
            .err()
    });
    match (missing, refusal) {
        (Some(missing), _) => Err(Failure::Host(missing.to_string())),
        (
            None,
            Refusal::Submission {
                why,
                compiler_output,
            },
        ) => {
            // The reason repeats the first message of the compiler.
            let text = match compiler_output.is_empty() {
                true => format!("CE: {why}\n"),
                false => format!(
                    "CE: it does not compile\n{}",
                    String::from_utf8_lossy(compiler_output)
                ),
            };
            write(&mut io::stderr(), printable_lines(&text))?;
            note_source(planned, false);
            Ok(ExitCode::ExpectationViolated)
        }
        (None, refusal) => Err(Failure::Package(format!("{}: {refusal}", planned.path))),
    }
}

/// Prints the output of the program, or its conversation, and how it ended.
fn print_trial(
    config: &Config,
    planned: &PlannedProblem,
    trial: Trial,
) -> Result<ExitCode, Failure> {
    let result = trial.result;
    let usage = result.outcome.usage;
    let is_judged = planned.problem.interactive;
    // With another verdict, it is that of the program.
    let interactor_stderr = match result.verdict {
        Verdict::JudgeError if is_judged => result.stderr,
        _ => Excerpt::default(),
    };
    let report = TrialReport {
        verdict: result.verdict,
        is_judged,
        termination: result.outcome.termination,
        cpu_time_us: micros(usage.cpu_time),
        wall_time_us: micros(usage.wall_time),
        time_limit_us: micros(planned.time_limit),
        memory_bytes: usage.memory_bytes,
        memory_limit: planned.problem.limits.memory_bytes,
        output_bytes: (!is_judged).then_some(usage.stdout_bytes),
        stderr: Bytes(trial.stderr),
        interactor_stderr,
        interaction: result.interaction.map(|interaction| *interaction),
        judge_message: result.judge_message,
        reason: result.reason,
    };
    if is_judged {
        print(report.conversation(config.terminal.look))?;
    } else {
        print_output(&trial.stdout)?;
    }
    write(&mut io::stderr(), report.to_text(config.terminal.look))?;
    if report.verdict == Verdict::RunTimeError || report.output_bytes == Some(0) {
        note_source(planned, true);
    }
    Ok(exit_code(report.verdict))
}

/// The exit code for the verdict on one run.
pub(super) fn exit_code(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::Accepted => ExitCode::AsExpected,
        Verdict::JudgeError => ExitCode::PackageFault,
        _ => ExitCode::ExpectationViolated,
    }
}

/// Prints the output of the program. On a terminal, control characters are escaped.
fn print_output(output: &[u8]) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        let text = printable_lines(&String::from_utf8_lossy(output));
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        return print(format!("{text}{end}"));
    }
    print(output)
}
