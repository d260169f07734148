//! The solutions of a plan that mutants are made of.
//!
//! Responsible for which problems have one, and for their time limits. Must not know how mutants are made or judged.

use std::collections::BTreeSet;

use judge_model::LanguageId;
use judge_mutation::MutationError;
use judge_runner::Plan;

use crate::commands::judging::RunContext;
use crate::commands::judging::inferring::{INTERRUPTED, infer_time_limits};
use crate::commands::mutate::hunt_package::HuntPackage;
use crate::commands::mutate::solution::Solution;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::{complain, note};

/// The solutions of a plan, and the exit code that follows from packages that are broken, which end no others.
pub(crate) fn chosen(
    config: &Config,
    with_hunt: bool,
    all: bool,
    plan: &Plan,
) -> Result<(Vec<Solution>, ExitCode), Failure> {
    let mut code = ExitCode::AsExpected;
    for fault in &plan.package_faults {
        let line = fault.line.map(|line| format!(":{line}")).unwrap_or_default();
        let hint = fault.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        complain(&format!("error: {}{line}: {}{hint}", fault.file, fault.message))?;
        code = ExitCode::PackageFault;
    }
    let (mut solutions, mut without) = (Vec::new(), Vec::new());
    for planned in &plan.problems {
        match Solution::of(config, with_hunt, all, planned) {
            Ok(found) if found.is_empty() => without.push(format!("`{}`", planned.name)),
            Ok(found) => solutions.extend(found),
            Err(failure) => code = worse(code, passed_over(failure)?),
        }
    }
    let verb = if without.len() == 1 { "has" } else { "have" };
    let text = format!("{} {verb} no accepted solution in Rust, C++, C, Java or Python", without.join(", "));
    match (without.is_empty(), solutions.is_empty() && code == ExitCode::AsExpected) {
        (true, _) => {}
        (false, true) => {
            return Err(Failure::NothingSelected(format!("{text} among what was named: mutants are made of one")));
        }
        (false, false) => complain(&format!("note: {text}: mutants are made of one"))?,
    }
    Ok((solutions, code))
}

/// Prints a failure that is a package's, and returns its exit code: other packages go on.
///
/// # Errors
/// Any other failure.
pub(crate) fn passed_over(failure: Failure) -> Result<ExitCode, Failure> {
    let code = failure.exit_code();
    let is_package = matches!(code, ExitCode::PackageFault | ExitCode::ExpectationViolated);
    if !is_package && !matches!(failure, Failure::Mutation(MutationError::Solution { .. })) {
        return Err(failure);
    }
    complain(&format!("error: {failure}"))?;
    Ok(code)
}

/// The languages of the solutions, of what judges them, and of what makes inputs for a hunt.
pub(crate) fn languages(solutions: &[Solution]) -> BTreeSet<LanguageId> {
    let mut languages = only(solutions).languages();
    let packages = solutions.iter().filter_map(|solution| solution.hunt_package.as_ref());
    languages.extend(packages.flat_map(HuntPackage::languages));
    languages
}

/// A plan of the solutions alone.
fn only(solutions: &[Solution]) -> Plan {
    Plan { problems: solutions.iter().map(|solution| solution.planned.clone()).collect(), ..Plan::default() }
}

/// Finds the time limits that are to be inferred. An exit code when that was interrupted, which has been
/// printed.
pub(crate) fn take_time_limits(
    config: &Config,
    solutions: &mut [Solution],
    context: &RunContext,
) -> Result<Option<ExitCode>, Failure> {
    let mut plan = only(solutions);
    let code = infer_time_limits(config, &mut plan, context)?;
    if code.is_some() {
        note(INTERRUPTED);
    }
    for (solution, planned) in solutions.iter_mut().zip(plan.problems) {
        solution.planned.time_limit = planned.time_limit;
        solution.planned.time_limit_source = planned.time_limit_source;
    }
    Ok(code)
}
