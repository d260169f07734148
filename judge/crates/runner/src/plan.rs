//! Plans: what a run will do, in the order in which it will be told.
//!
//! Responsible for that order and nothing else: a plan is data. Must not know how anything is run.

use std::sync::Arc;
use std::time::Duration;

use judge_event::{PackageFault, PackageWarning};
use judge_model::Problem;

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

impl Plan {
    /// Submissions over all problems.
    #[must_use]
    pub fn submissions(&self) -> usize {
        self.problems.iter().map(|planned| planned.problem.submissions.len()).sum()
    }

    /// Test runs over all problems, if nothing is stopped early.
    #[must_use]
    pub fn test_runs(&self) -> usize {
        self.problems.iter().map(|planned| planned.problem.submissions.len() * planned.problem.test_cases.len()).sum()
    }
}
