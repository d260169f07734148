//! Runs packages that `judge` writes itself: a fixed workload, and small programs in each language.
//!
//! Responsible for running one of them without a report, but with a progress bar. Must not depend
//! on what the results are used for.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_event::{Event, Progress, RunState};
use judge_package::{Workspace, load};
use judge_report::{Reporter as _, Terminal};
use judge_runner::{Observer, Plan, PlannedProblem, RunSettings};

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
    let bar = Terminal::new(
        config.terminal,
        Box::new(io::sink()),
        config.progress_target(),
    );
    let end = limits.max_time.map(|time| Instant::now() + time);
    let mut observer = ProgressObserver {
        state: RunState::default(),
        bar,
        end,
    };
    let plan = Plan {
        problems: vec![planned],
        ..Plan::default()
    };
    judge_runner::run(plan, &environment, &RunSettings::default(), &mut observer)?;
    let ProgressObserver { state, mut bar, .. } = observer;
    bar.finish()
        .map_err(|source| Failure::write("progress", source))?;
    Ok(state)
}

/// Collects the state of a run, and shows its progress.
struct ProgressObserver {
    state: RunState,
    bar: Terminal,
    /// The latest time at which the run ends.
    end: Option<Instant>,
}

impl Observer for ProgressObserver {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.bar.progress(progress)
    }

    fn shows_excerpts(&self) -> bool {
        false
    }

    fn is_done(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
