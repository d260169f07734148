//! The solutions that are mutated: which one of each problem, and all that is known of it.
//!
//! Responsible for which solution is meant, for what is argued about its mutants, and for its time limit. Must not know
//! how mutants are made or judged, nor what follows from it.

use std::collections::BTreeSet;
use std::io;

use judge_event::Mutation;
use judge_grading::must_be_accepted;
use judge_model::{LanguageId, Submission, SubmissionIndex};
use judge_mutation::{EQUIVALENTS, Equivalent, MutationError, RUST, Settings, mutate, parse_equivalents};
use judge_report::{Reporter, Terminal};
use judge_runner::{Plan, PlannedProblem};
use judge_sandbox::CancelToken;

use crate::commands::judging::Ready;
use crate::commands::judging::inferring::infer_time_limits;
use crate::commands::mutate::hunt_package::HuntPackage;
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::reporters::complain;

/// A solution, and what is argued about it.
pub(crate) struct Solution {
    /// The problem, of whose submissions this is the only one.
    pub(crate) planned: PlannedProblem,
    pub(crate) submission: Submission,
    equivalents: Vec<Equivalent>,
    /// The package in which survivors are hunted, if they are.
    pub(crate) hunt_package: Option<HuntPackage>,
}

impl Solution {
    /// The first that is written in Rust and must be accepted, of those that were named; `None` when there is none.
    pub(crate) fn of(config: &Config, with_hunt: bool, planned: &PlannedProblem) -> Result<Option<Self>, Failure> {
        let rust = LanguageId(RUST.to_owned());
        let is_meant = |of: &Submission| of.language.as_ref() == Some(&rust) && must_be_accepted(&of.expectations);
        let mut submissions = SubmissionIndex::enumerate(&planned.problem.submissions);
        let Some((index, submission)) = submissions.find(|(_, submission)| is_meant(submission)) else {
            return Ok(None);
        };
        let submission = submission.clone();
        let equivalents = equivalents(config, planned, &submission.id)?;
        let hunt_package = with_hunt.then(|| HuntPackage::of(config, planned)).transpose()?;
        let planned = planned.with_submissions(|other| other == index);
        Ok(Some(Self { planned, submission, equivalents, hunt_package }))
    }

    /// Tries its mutants. `None` when it was interrupted.
    pub(crate) fn mutate(
        &self,
        config: &Config,
        settings: &Settings,
        ready: &Ready,
        cancel: &CancelToken,
    ) -> Result<Option<Mutation>, Failure> {
        let mut bar = Terminal::new(config.terminal, Box::new(io::sink()), config.progress_target());
        let environment = ready.settings.environment(&ready.toolchains, &ready.sandbox, cancel);
        let (timed, solution) = (self.planned.timed(), &self.submission);
        let mutation =
            mutate(&timed, solution, &self.equivalents, &environment, settings, &mut |progress| bar.progress(progress));
        bar.finish().map_err(|source| Failure::Write { what: "progress".to_owned(), source })?;
        let path = self.planned.submission_paths.concat();
        Ok(mutation?.map(|mutation| Mutation { path, ..mutation }))
    }
}

/// The size of a file of arguments, which people write.
const MOST_EQUIVALENTS: u64 = 16 << 20;

/// The arguments of the package that mutants of this solution are equivalent to it.
fn equivalents(config: &Config, planned: &PlannedProblem, solution: &str) -> Result<Vec<Equivalent>, Failure> {
    let file = planned.problem.directory.join(EQUIVALENTS);
    let text = match judge_package::read_text_within(&file, MOST_EQUIVALENTS) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::Package(format!("cannot read `{}`: {error}", config.shown(&file)))),
    };
    let found =
        parse_equivalents(&text).map_err(|error| Failure::Package(format!("{}:{error}", config.shown(&file))))?;
    Ok(found.into_iter().filter(|argued| argued.solution == solution).collect())
}

/// The solutions of a plan, and the exit code that follows from packages that are broken, which end no others.
pub(crate) fn chosen(config: &Config, with_hunt: bool, plan: &Plan) -> Result<(Vec<Solution>, ExitCode), Failure> {
    let mut code = ExitCode::AsExpected;
    for fault in &plan.package_faults {
        let line = fault.line.map(|line| format!(":{line}")).unwrap_or_default();
        let hint = fault.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        complain(&format!("error: {}{line}: {}{hint}", fault.file, fault.message))?;
        code = ExitCode::PackageFault;
    }
    let (mut solutions, mut without) = (Vec::new(), Vec::new());
    for planned in &plan.problems {
        match Solution::of(config, with_hunt, planned) {
            Ok(Some(solution)) => solutions.push(solution),
            Ok(None) => without.push(format!("`{}`", planned.name)),
            Err(failure) => code = worse(code, passed_over(failure)?),
        }
    }
    let verb = if without.len() == 1 { "has" } else { "have" };
    let told = format!("{} {verb} no accepted solution in Rust", without.join(", "));
    match (without.is_empty(), solutions.is_empty() && code == ExitCode::AsExpected) {
        (true, _) => {}
        (false, true) => {
            return Err(Failure::NothingSelected(format!("{told} among what was named: mutants are made of one")));
        }
        (false, false) => complain(&format!("note: {told}: mutants are made of one"))?,
    }
    Ok((solutions, code))
}

/// Prints a failure that is a package's, and returns its exit code: other packages are none the worse for it.
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

/// Finds the time limits that are to be inferred. An exit code when that was interrupted.
pub(crate) fn take_time_limits(
    config: &Config,
    solutions: &mut [Solution],
    ready: &Ready,
) -> Result<Option<ExitCode>, Failure> {
    let mut plan = only(solutions);
    let code = infer_time_limits(config, &mut plan, ready)?;
    for (solution, planned) in solutions.iter_mut().zip(plan.problems) {
        solution.planned.time_limit = planned.time_limit;
        solution.planned.time_limit_source = planned.time_limit_source;
    }
    Ok(code)
}
