//! A program on one input: what it writes, and what it used.
//!
//! Responsible for where its output goes, and for the exit code. Must not know where the input comes from.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use judge_exec::{Fault, Refusal, Session, Trial};
use judge_model::{Grading, OutputValidator, ProblemIndex, Submission, SubmissionIndex, TestCaseIndex, Verdict};
use judge_package::{Filter, LoadedPackage};
use judge_report::{TrialReport, printable_lines};
use judge_runner::{Interrupts, PlannedProblem};
use judge_sandbox::CancelToken;

use super::{SingleInput, unknown_problem};
use crate::commands::judging::inferring::{infer_time_limits, require_time_limit};
use crate::commands::judging::{JudgingSettings, PlanBuilder, Ready};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::{Failure, RESULT};
use crate::reporters::write;

/// The time limit of what belongs to no problem.
pub(super) const TIME: Duration = Duration::from_secs(10);

/// Runs the program once and shows what it did.
pub(super) fn run(
    config: &Config,
    settings: JudgingSettings,
    package: Option<LoadedPackage>,
    submission: Submission,
    input: &SingleInput,
) -> Result<ExitCode, Failure> {
    let whole = package.as_ref().map(|package| Arc::new(package.problem.clone()));
    let settings = match whole {
        Some(_) => settings,
        None => JudgingSettings { time_limit: settings.time_limit.or(Some(TIME)), ..settings },
    };
    let mut loaded = package.unwrap_or_else(|| unknown_problem("input", config.directory.clone(), submission.clone()));
    let problem = &mut loaded.problem;
    if problem.submit_answer {
        return Err(Failure::Usage(format!("`{}` is answered with files: there is no program to try", problem.name)));
    }
    problem.submissions = vec![submission];
    problem.test_cases = vec![input.like.clone()];
    if !problem.interactive {
        // Nobody judges what it writes.
        problem.output_validator = OutputValidator::Default;
    }
    (problem.grading, problem.static_validator) = (Grading::PassFail, None);
    loaded.warnings.clear();
    let mut builder = PlanBuilder::new(config, settings);
    builder.add_instead(loaded, &Filter::default(), whole);
    let mut plan = builder.finish();
    let ready = Ready::open(config, settings, &plan.languages())?;
    if let Some(code) = infer_time_limits(config, &mut plan, &ready)? {
        return Ok(code);
    }
    plan.problems.iter().try_for_each(require_time_limit)?;
    let planned = &plan.problems[0];
    match tried(&ready, planned, input)? {
        None => Ok(ExitCode::Interrupted),
        Some(Err(refusal)) => refused(&ready, planned, &refusal),
        Some(Ok(trial)) => tell(config, planned, trial),
    }
}

/// Runs it; `None` when that was interrupted.
fn tried(
    ready: &Ready,
    planned: &PlannedProblem,
    input: &SingleInput,
) -> Result<Option<Result<Trial, Refusal>>, Failure> {
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, &cancel);
    let session = Session::open(vec![planned.timed()], &environment, false)?;
    let mut adhoc = session.adhoc_input(ProblemIndex(0), None)?;
    let prepared = match adhoc.prepare_submission(SubmissionIndex(0)) {
        Ok(prepared) => prepared,
        Err(_) if session.is_cancelled() => return Ok(None),
        Err(Fault::Refused(refusal)) => return Ok(Some(Err(refusal))),
        Err(Fault::Host(error)) => return Err(error.into()),
    };
    adhoc.take(&input.bytes, TestCaseIndex(0))?;
    adhoc.answer(&input.answer)?;
    Ok(adhoc.trial(&prepared)?.map(Ok))
}

/// Tells why there is nothing to run.
fn refused(ready: &Ready, planned: &PlannedProblem, refusal: &Refusal) -> Result<ExitCode, Failure> {
    let language = planned.problem.submissions.iter().find_map(|submission| submission.language.as_ref());
    let missing = language.and_then(|language| ready.toolchains.get(language)?.err());
    match (missing, refusal) {
        (Some(missing), _) => Err(Failure::Measuring(missing.to_string())),
        (None, Refusal::Submission { why, compiler_said }) => {
            // What the compiler says first stands in the reason too.
            let text = match compiler_said.is_empty() {
                true => format!("CE: {why}\n"),
                false => format!("CE: it does not compile\n{}", String::from_utf8_lossy(compiler_said)),
            };
            write(&mut io::stderr(), &printable_lines(&text))?;
            Ok(ExitCode::ExpectationViolated)
        }
        (None, refusal) => Err(Failure::Package(format!("{}: {refusal}", planned.path))),
    }
}

fn tell(config: &Config, planned: &PlannedProblem, trial: Trial) -> Result<ExitCode, Failure> {
    let Trial { result, stdout, stderr } = trial;
    let usage = result.outcome.usage;
    let is_judged = planned.problem.interactive;
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
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
        stderr: judge_event::Bytes(stderr),
        interaction: result.interaction.map(|interaction| *interaction),
        judge_message: result.judge_message,
        reason: result.reason,
    };
    if is_judged {
        write(&mut io::stdout(), &report.conversation(config.terminal.look))?;
    } else {
        show(&stdout)?;
    }
    write(&mut io::stderr(), &report.to_text(config.terminal.look))?;
    Ok(match report.verdict {
        Verdict::Accepted => ExitCode::AsExpected,
        Verdict::JudgeError => ExitCode::PackageFault,
        _ => ExitCode::ExpectationViolated,
    })
}

/// Writes the output of the program: as it is for programs, and so that it cannot control the terminal for people.
fn show(output: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    if stdout.is_terminal() {
        let text = printable_lines(&String::from_utf8_lossy(output)).to_string();
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return write(&mut stdout, &format!("{text}{end}"));
    }
    let written = stdout.write_all(output).and_then(|()| stdout.flush());
    written.map_err(|source| Failure::Write { what: RESULT.to_owned(), source })
}
