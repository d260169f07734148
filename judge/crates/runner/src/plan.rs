//! Plans: what a run will do, in the order in which it will be told.
//!
//! Responsible for that order and nothing else: a plan is data. Must not know how anything is run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{PackageFault, PackageWarning};
use judge_model::{Grading, LanguageId, OutputValidator, Problem, Program};

use crate::toolchain::SCRIPT_LANGUAGES;

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
    /// The time limit in force.
    pub time_limit: Duration,
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
        self.problems.iter().flat_map(|planned| of_problem(&planned.problem)).collect()
    }

    /// Test runs over all problems, if nothing is stopped early.
    #[must_use]
    pub fn test_runs(&self) -> usize {
        self.problems.iter().map(|planned| planned.problem.submissions.len() * planned.problem.test_cases.len()).sum()
    }
}
