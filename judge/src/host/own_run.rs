//! Runs packages that `judge` writes itself: a fixed workload, and small programs in each language.
//!
//! Responsible for running one of them without a report, but with a progress bar. Must not depend
//! on what the results are used for.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::RunState;
use judge_package::{Workspace, load};
use judge_runner::{Plan, PlannedProblem, RunSettings};

use crate::commands::judging::inferring::ProgressObserver;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::config::Config;
use crate::failure::Failure;

/// The limits of such a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnRunLimits {
    /// The time limit of each test case.
    pub(super) time_limit: Duration,
    /// The time after which the whole run ends as if it were interrupted.
    pub(super) max_time: Option<Duration>,
}

/// Runs all submissions of a package, without cached results, and returns the state at the end.
pub(super) fn run(
    config: &Config,
    package: &Path,
    settings: JudgingSettings,
    limits: OwnRunLimits,
) -> Result<RunState, Failure> {
    let mut workspace = Workspace::bare(package.parent().unwrap_or(package));
    workspace.languages.clone_from(&config.workspace.languages);
    let problem = load(package, &workspace)
        .map_err(|errors| Failure::Usage(errors.to_string()))?
        .problem;
    let languages = problem
        .submissions
        .iter()
        .filter_map(|submission| submission.language.clone())
        .collect();
    let RunContext { environment, .. } = RunContext::open(config, settings, &languages)?;
    let path = problem.name.clone();
    let planned = PlannedProblem::new(Arc::new(problem), path, limits.time_limit);
    let plan = Plan {
        problems: vec![planned],
        ..Plan::default()
    };
    let mut observer = ProgressObserver::new(config, limits.max_time);
    judge_runner::run(plan, &environment, &RunSettings::default(), &mut observer)?;
    observer.finish()
}
