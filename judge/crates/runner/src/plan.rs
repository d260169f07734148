//! Plans: what a run will do, in the order in which it will be told.
//!
//! Responsible for that order and nothing else: a plan is data. Must not know how anything is run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{PackageFault, PackageWarning};
use judge_grading::TimedRun;
use judge_model::{Grading, LanguageId, OutputValidator, Problem, Program};

use crate::toolchain::SCRIPT_LANGUAGES;

/// Where a problem's time limit comes from.
#[derive(Clone, Debug)]
pub enum TimeLimitSource {
    /// It is stated, by the package or by who runs it.
    Stated,
    /// It is to be inferred from the submissions of this: the whole problem, with all test cases and submissions.
    ToInfer(Arc<Problem>),
    /// It was inferred; this run binds it.
    Inferred(TimedRun),
    /// It could not be inferred, and this is why. Nothing of the problem is judged.
    Failed(String),
}

/// What becomes of a time limit without the margins that the package asks for on both sides of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Margins {
    /// Nothing.
    Ignored,
    /// A remark, where a run happens to show it. Nothing is run for longer because of it.
    #[default]
    Remarked,
    /// A violation, or a remark in legacy packages, which ask for less. What is too slow runs for long enough to show
    /// it.
    Demanded,
}

/// A problem of a plan.
#[derive(Clone, Debug)]
pub struct PlannedProblem {
    /// Its name, unique in the plan.
    pub name: String,
    /// Its directory as it is told, relative to the workspace where possible.
    pub path: String,
    /// The problem, with the selected test cases and submissions only, in package order.
    pub problem: Arc<Problem>,
    /// How many test cases the problem has, selected or not.
    pub test_cases_total: usize,
    /// The time limit in force; without meaning while it is to be inferred.
    pub time_limit: Duration,
    /// Where it comes from.
    pub time_limit_source: TimeLimitSource,
    /// What becomes of missing margins. Those of a limit that was inferred are always demanded.
    pub margins: Margins,
    /// The paths of its submissions as they are told, in the order of the submissions.
    pub submission_paths: Vec<String>,
    /// Oddities of the package.
    pub warnings: Vec<PackageWarning>,
}

/// What a run will do.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Faults of packages that could not be loaded; they are told first.
    pub package_faults: Vec<PackageFault>,
    /// The problems, in order.
    pub problems: Vec<PlannedProblem>,
    /// Whether it is told which outputs are the same (`output_hash`), because they are compared with each other.
    pub output_hashes: bool,
}

/// The programs of a package that judging needs.
fn programs_of(problem: &Problem) -> Vec<&Program> {
    let validators = match &problem.output_validator {
        OutputValidator::Custom(validators) => validators.as_slice(),
        OutputValidator::Default => &[],
    };
    let grader = match &problem.grading {
        Grading::Legacy(legacy) => legacy.grader.as_ref(),
        _ => None,
    };
    validators.iter().chain(&problem.static_validator).chain(grader).collect()
}

impl Plan {
    /// Submissions over all problems.
    #[must_use]
    pub fn submissions(&self) -> usize {
        self.problems.iter().map(|planned| planned.problem.submissions.len()).sum()
    }

    /// The languages that tools are needed for.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        let submissions = |problem: &Problem| -> Vec<_> {
            problem.submissions.iter().filter_map(|submission| submission.language.clone()).collect()
        };
        let of_problem = |problem: &Problem| {
            let programs = programs_of(problem).into_iter();
            let programs = programs.flat_map(|program| match program.scripts {
                Some(_) => SCRIPT_LANGUAGES.iter().map(|id| LanguageId((*id).to_owned())).collect(),
                None => vec![program.language.clone()],
            });
            programs.chain(submissions(problem)).collect::<Vec<_>>()
        };
        let problems = self.problems.iter().flat_map(|planned| match &planned.time_limit_source {
            TimeLimitSource::ToInfer(whole) => vec![&planned.problem, whole],
            _ => vec![&planned.problem],
        });
        problems.flat_map(|problem| of_problem(problem)).collect()
    }

    /// Test runs over all problems, if nothing is stopped early.
    #[must_use]
    pub fn test_runs(&self) -> usize {
        self.problems.iter().map(|planned| planned.problem.submissions.len() * planned.problem.test_cases.len()).sum()
    }
}
