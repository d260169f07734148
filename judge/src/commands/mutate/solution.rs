//! The solutions that are mutated.
//!
//! Responsible for choosing one per problem, for its list of equivalent mutants, and for time
//! limits. Must not know how mutants are made or run.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use judge_authoring::Project;
use judge_event::{Mutation, Progress};
use judge_grading::must_be_accepted;
use judge_model::{Expectation, LanguageFamily, LanguageId, Submission, SubmissionIndex, Verdict};
use judge_mutation::{
    EQUIVALENTS, Equivalent, HuntProblem, MutationError, Settings, mutate, parse_equivalents,
};
use judge_package::quoted;
use judge_report::{Reporter as _, noun};
use judge_runner::{Plan, PlannedProblem};
use judge_stress::add_placeholder;

use crate::commands::judging::RunContext;
use crate::commands::judging::inferring::{
    INTERRUPTED_WHILE_MEASURING, finish_bar, infer_time_limits,
};
use crate::commands::selection::load_package;
use crate::commands::stress::target::{directories, inputs_of_package};
use crate::config::Config;
use crate::exit_code::{ExitCode, worse};
use crate::failure::Failure;
use crate::messages::{complain, fault_text, note};

/// The maximum size of the list of equivalent mutants, in bytes.
const MAX_EQUIVALENTS_BYTES: u64 = 16 << 20;

/// A solution, and the list of its equivalent mutants.
pub(super) struct Solution {
    /// The problem, with this submission only.
    pub(super) planned: PlannedProblem,
    pub(super) submission: Submission,
    equivalents: Vec<Equivalent>,
    /// The package for a hunt of survivors, if there is one.
    pub(super) hunt_package: Option<HuntPackage>,
}

impl Solution {
    /// Chooses the submissions of a problem that must be accepted: all of them, or the first in the
    /// first of the [languages](LanguageFamily::ALL) that has one.
    pub(super) fn choose(
        config: &Config,
        with_hunt: bool,
        all: bool,
        planned: &PlannedProblem,
    ) -> Result<Vec<Self>, Failure> {
        let mut candidates = candidates(config, &planned.problem.submissions);
        if !all {
            let preference = |language| {
                LanguageFamily::ALL
                    .iter()
                    .position(|other| *other == language)
            };
            // Stable: of one language, the first submission stays first.
            candidates.sort_by_key(|(_, language)| preference(*language));
            candidates.truncate(1);
        }
        candidates
            .into_iter()
            .map(|(index, _)| Self::open(config, with_hunt, planned, index))
            .collect()
    }

    fn open(
        config: &Config,
        with_hunt: bool,
        planned: &PlannedProblem,
        index: SubmissionIndex,
    ) -> Result<Self, Failure> {
        let submission = planned.problem.submissions[index].clone();
        let equivalents = equivalents(config, planned, &submission.id)?;
        let hunt_package = with_hunt
            .then(|| HuntPackage::open(config, planned))
            .transpose()?;
        let planned = planned.with_submissions(|other| other == index);
        Ok(Self {
            planned,
            submission,
            equivalents,
            hunt_package,
        })
    }

    /// Runs the mutants. `None` when it was interrupted, which has been printed.
    pub(super) fn mutate(
        &self,
        config: &Config,
        settings: &Settings,
        context: &RunContext,
    ) -> Result<Option<Mutation>, Failure> {
        let mut bar = config.progress_bar().counting("mutants");
        let (timed, solution) = (self.planned.timed(), &self.submission);
        let mut reached = Progress::default();
        let mutation = mutate(
            &timed,
            solution,
            &self.equivalents,
            &context.environment,
            settings,
            &mut |progress| {
                reached = furthest(std::mem::take(&mut reached), progress);
                bar.progress(progress)
            },
        );
        finish_bar(&mut bar)?;
        let mutation = mutation?;
        if mutation.is_none() {
            note(&interruption(
                &format!("{}/{}", self.planned.name, solution.id),
                &reached,
            ));
        }
        let path = self.planned.submission_paths.concat();
        Ok(mutation.map(|mutation| Mutation { path, ..mutation }))
    }
}

/// The progress with the mutants themselves. Survivors are compared after that, with a progress of
/// their own.
fn furthest(reached: Progress, now: &Progress) -> Progress {
    if (now.total, now.done) < (reached.total, reached.done) {
        reached
    } else {
        now.clone()
    }
}

/// The note about an interrupt.
fn interruption(solution: &str, reached: &Progress) -> String {
    match reached.done {
        0 => format!("interrupted before any mutant of `{solution}` was tried"),
        done => format!(
            "interrupted with {done} of {} of `{solution}` tried; their results are cached: run again to continue",
            format_args!(
                "{} {}",
                reached.total,
                noun(reached.total, "mutant", "mutants")
            )
        ),
    }
}

/// True for a solution that must be accepted, if only as a whole: in legacy packages with graders,
/// single test cases have no expectations. If a test case rejects it, running its mutants fails.
fn expects_acceptance(submission: &Submission) -> bool {
    let accepted_as_a_whole =
        |rule: &Expectation| rule.scope.is_none() && rule.whole == [Verdict::Accepted];
    must_be_accepted(&submission.expectations)
        || submission.expectations.iter().any(accepted_as_a_whole)
}

/// The submissions that can be mutated, with their languages.
fn candidates(
    config: &Config,
    submissions: &[Submission],
) -> Vec<(SubmissionIndex, LanguageFamily)> {
    let rows = &config.workspace.languages;
    let family = |submission: &Submission| {
        rows.iter()
            .find(|row| Some(&row.id) == submission.language.as_ref())?
            .family
    };
    SubmissionIndex::enumerate(submissions)
        .filter_map(|(index, submission)| {
            let language = family(submission)?;
            expects_acceptance(submission).then_some((index, language))
        })
        .collect()
}

/// The failure for the selection of a single submission that must not be accepted.
fn wrong_submission(config: &Config, plan: &Plan) -> Option<Failure> {
    let [planned] = &plan.problems[..] else {
        return None;
    };
    let [submission] = &planned.problem.submissions[..] else {
        return None;
    };
    let (directory, name) = submission.id.split_once('/')?;
    if directory == "accepted" || expects_acceptance(submission) {
        return None;
    }
    let has_solution = load_package(config, &planned.problem.directory)
        .is_ok_and(|loaded| !candidates(config, &loaded.problem.submissions).is_empty());
    let hint = match has_solution {
        true => format!("\nhint: `judge mutate {}`", planned.name),
        false => String::new(),
    };
    Some(Failure::NothingSelected(format!(
        "`{name}` is in `{directory}`; only accepted solutions are mutated{hint}"
    )))
}

/// Reads the mutants of this solution that are equivalent to it, as the package argues.
fn equivalents(
    config: &Config,
    planned: &PlannedProblem,
    solution: &str,
) -> Result<Vec<Equivalent>, Failure> {
    let file = planned.problem.directory.join(EQUIVALENTS);
    let text = match judge_package::read_text_within(&file, MAX_EQUIVALENTS_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Failure::Package(format!(
                "cannot read `{}`: {error}",
                config.shown(&file)
            )));
        }
    };
    let found = parse_equivalents(&text)
        .map_err(|error| Failure::Package(format!("{}:{error}", config.shown(&file))))?;
    Ok(found
        .into_iter()
        .filter(|argued| argued.solution == solution)
        .collect())
}

/// The solutions of a plan, and the exit code that follows from broken packages, which do not stop
/// others.
pub(super) fn choose_all(
    config: &Config,
    with_hunt: bool,
    all: bool,
    plan: &Plan,
) -> Result<(Vec<Solution>, ExitCode), Failure> {
    let mut code = ExitCode::AsExpected;
    for fault in &plan.package_faults {
        complain(&format!("error: {}", fault_text(fault)))?;
        code = ExitCode::PackageFault;
    }
    let (mut solutions, mut without) = (Vec::new(), Vec::new());
    for planned in &plan.problems {
        match Solution::choose(config, with_hunt, all, planned) {
            Ok(found) if found.is_empty() => without.push(planned.name.as_str()),
            Ok(found) => solutions.extend(found),
            Err(failure) => code = worse(code, skip_package(failure)?),
        }
    }
    let text = without_solution(&without);
    match (
        without.is_empty(),
        solutions.is_empty() && code == ExitCode::AsExpected,
    ) {
        (true, _) => {}
        // Nothing was done and nothing else was reported, so success would be misleading.
        (false, true) => {
            return Err(wrong_submission(config, plan).unwrap_or_else(|| Failure::NothingSelected(format!(
                "{text} in the selection\nhint: mutants are created from an accepted solution in one of these languages"
            ))));
        }
        (false, false) => complain(&format!(
            "note: {text}; mutants are created from an accepted solution in one of these languages"
        ))?,
    }
    Ok((solutions, code))
}

/// The message about problems without a solution that can be mutated.
pub(super) fn without_solution(problems: &[&str]) -> String {
    let verb = if problems.len() == 1 { "has" } else { "have" };
    format!(
        "{} {verb} no accepted solution in Rust, C++, C, Java or Python",
        quoted(problems)
    )
}

/// Prints a failure of one package, and returns its exit code. Other packages are not affected.
///
/// # Errors
/// Any other failure.
pub(super) fn skip_package(failure: Failure) -> Result<ExitCode, Failure> {
    let code = failure.exit_code();
    let is_package = matches!(code, ExitCode::PackageFault | ExitCode::ExpectationViolated);
    if !is_package && !matches!(failure, Failure::Mutation(MutationError::Solution { .. })) {
        return Err(failure);
    }
    complain(&format!("error: {failure}"))?;
    Ok(code)
}

/// The languages of the solutions, of the programs that judge them, and of the programs that make
/// inputs for a hunt.
pub(super) fn languages(solutions: &[Solution]) -> BTreeSet<LanguageId> {
    let mut languages = plan_of(solutions).languages();
    let packages = solutions
        .iter()
        .filter_map(|solution| solution.hunt_package.as_ref());
    languages.extend(packages.flat_map(HuntPackage::languages));
    languages
}

fn plan_of(solutions: &[Solution]) -> Plan {
    Plan {
        problems: solutions
            .iter()
            .map(|solution| solution.planned.clone())
            .collect(),
        ..Plan::default()
    }
}

/// Infers missing time limits. Returns an exit code when that was interrupted, which has been
/// printed.
pub(super) fn infer(
    config: &Config,
    solutions: &mut [Solution],
    context: &RunContext,
) -> Result<Option<ExitCode>, Failure> {
    let mut plan = plan_of(solutions);
    // All solutions of a problem have one limit, and measurements are distinguished by the
    // problem's name.
    let mut names = BTreeSet::new();
    plan.problems
        .retain(|planned| names.insert(planned.name.clone()));
    let code = infer_time_limits(config, &mut plan, context)?;
    if code.is_some() {
        note(INTERRUPTED_WHILE_MEASURING);
    }
    for solution in solutions {
        if let Some(planned) = plan
            .problems
            .iter()
            .find(|planned| planned.name == solution.planned.name)
        {
            solution.planned.time_limit = planned.time_limit;
            solution.planned.time_limit_source = planned.time_limit_source.clone();
        }
    }
    Ok(code)
}

/// The package of a hunt.
pub(super) struct HuntPackage {
    pub(super) problem: HuntProblem,
    /// The directories that programs of the package may see.
    pub(super) directories: Vec<PathBuf>,
    /// Owns one of these directories.
    _project: Option<Project>,
}

impl HuntPackage {
    pub(super) fn open(config: &Config, planned: &PlannedProblem) -> Result<Self, Failure> {
        let package = &planned.problem.directory;
        let mut loaded = load_package(config, package)?;
        add_placeholder(&mut loaded.problem);
        let project = Project::open(package, &config.workspace)
            .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs_of_package(project.as_ref(), &loaded.problem);
        let directories = directories(&loaded.problem.directory, project.as_ref());
        let problem = HuntProblem {
            inputs,
            input_args: loaded.input_args(),
            problem: loaded.problem,
        };
        Ok(Self {
            problem,
            directories,
            _project: project,
        })
    }

    /// The languages of generators and input validators.
    pub(super) fn languages(&self) -> BTreeSet<LanguageId> {
        self.problem.languages()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparing_survivors_does_not_reduce_the_progress() {
        let progress = |done, total| Progress {
            done,
            total,
            ..Progress::default()
        };
        let steps = [
            progress(0, 20),
            progress(19, 20),
            progress(20, 20),
            progress(0, 7),
            progress(4, 7),
        ];
        let reached = steps.iter().fold(Progress::default(), furthest);
        assert!(
            interruption("a/b.rs", &reached)
                .starts_with("interrupted with 20 of 20 mutants of `a/b.rs` tried")
        );
        assert!(interruption("a/b.rs", &progress(0, 20)).starts_with("interrupted before"));
    }
}
