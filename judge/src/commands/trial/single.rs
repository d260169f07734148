//! A run of a program on one input.
//!
//! Responsible for the problem that it is run in, and for running it. Must not know where the input comes from, nor how the
//! result is printed.

use std::sync::Arc;
use std::time::Duration;

use judge_exec::{Fault, Refusal, Session, Trial};
use judge_model::{Grading, OutputValidator, ProblemIndex, Submission, SubmissionIndex, TestCaseIndex};
use judge_package::LoadedPackage;
use judge_runner::PlannedProblem;

use super::result::{print_refusal, print_trial};
use super::{SingleInput, unknown_problem};
use crate::commands::judging::inferring::{infer_time_limits, require_time_limit};
use crate::commands::judging::{JudgingSettings, PlanBuilder, RunContext};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

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
    let settings = match package {
        Some(_) => settings,
        None => JudgingSettings { time_limit: settings.time_limit.or(Some(TIME)), ..settings },
    };
    let mut loaded = package.unwrap_or_else(|| unknown_problem("input", config.directory.clone(), submission.clone()));
    let whole = Arc::new(loaded.problem.clone());
    let problem = &mut loaded.problem;
    if problem.submit_answer {
        return Err(Failure::Usage(format!("`{}` expects output files: there is no program to run", problem.name)));
    }
    problem.submissions = vec![submission];
    problem.test_cases = vec![input.like.clone()];
    if !problem.interactive {
        // Nobody judges what it writes.
        problem.output_validator = OutputValidator::Default;
    }
    (problem.grading, problem.static_validator) = (Grading::PassFail, None);
    let mut plan = PlanBuilder::plan_of_replaced(config, settings, loaded, whole);
    let context = RunContext::open(config, settings, &plan.languages())?;
    if let Some(code) = infer_time_limits(config, &mut plan, &context)? {
        return Ok(code);
    }
    plan.problems.iter().try_for_each(require_time_limit)?;
    let planned = &plan.problems[0];
    match tried(&context, planned, input)? {
        None => Ok(ExitCode::Interrupted),
        Some(Err(refusal)) => print_refusal(&context, planned, &refusal),
        Some(Ok(trial)) => print_trial(config, planned, trial),
    }
}

/// Runs it; `None` when that was interrupted.
fn tried(
    context: &RunContext,
    planned: &PlannedProblem,
    input: &SingleInput,
) -> Result<Option<Result<Trial, Refusal>>, Failure> {
    let _interrupts = context.listen()?;
    let session = Session::open(vec![planned.timed()], &context.environment, false)?;
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
