//! Inferred time limits for commands that do not judge by a plain run, and the progress of runs that
//! are not reported.
//!
//! Responsible for the messages when a limit cannot be inferred, and for the progress bar meanwhile.
//! Must not know how a limit is inferred: that is the same for every command.

use std::io;
use std::time::{Duration, Instant};

use judge_event::{End, Event, Progress, RunState};
use judge_report::{Reporter as _, Terminal};
use judge_runner::{NotInferred, Observer, Plan, PlannedProblem, TimeLimitSource};

use crate::commands::judging::RunContext;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// The note on an interrupt while time limits were measured, for commands that report interruptions
/// themselves.
pub(crate) const INTERRUPTED_WHILE_MEASURING: &str =
    "interrupted while time limits were measured; nothing else was done";

/// Infers the missing time limits of a plan where possible. Returns an exit code when that was
/// interrupted.
pub(crate) fn infer_time_limits(
    config: &Config,
    plan: &mut Plan,
    context: &RunContext,
) -> Result<Option<ExitCode>, Failure> {
    let mut observer = ProgressObserver::new(config, None);
    let (environment, settings) = (&context.environment, &context.settings);
    let end = judge_runner::infer_time_limits(plan, environment, settings, &mut observer)?;
    let mut faults = observer.finish()?.host_faults;
    match end {
        End::Completed => Ok(None),
        End::Interrupted => Ok(Some(ExitCode::Interrupted)),
        End::Aborted => {
            let fault = faults.pop().map(|fault| fault.message);
            Err(Failure::Host(fault.unwrap_or_default()))
        }
    }
}

/// Fails where the time limit of a problem could not be inferred.
pub(crate) fn require_time_limit(planned: &PlannedProblem) -> Result<(), Failure> {
    match &planned.time_limit_source {
        TimeLimitSource::Failed(why) => Err(failure(&planned.path, why)),
        _ => Ok(()),
    }
}

fn failure(path: &str, why: &NotInferred) -> Failure {
    let message = why.message();
    match why {
        NotInferred::NothingStated(_) => Failure::Package(format!(
            "{path}/problem.yaml: {message}\nhint: set `limits.time_limit` in problem.yaml, or use `judge run --time-limit SECONDS`"
        )),
        NotInferred::PackageFault(_) => Failure::Package(format!("{path}: {message}")),
        NotInferred::NoTools(_) => Failure::Host(format!("{path}: {message}")),
    }
}

/// The observer of a run that is not reported, such as the measurement of a time limit: collects the
/// state, and shows the progress.
pub(crate) struct ProgressObserver {
    state: RunState,
    bar: Terminal,
    /// The latest time at which the run ends, as if it were interrupted.
    end: Option<Instant>,
}

impl ProgressObserver {
    /// Observes a run of at most this time.
    pub(crate) fn new(config: &Config, max_time: Option<Duration>) -> Self {
        Self {
            state: RunState::default(),
            bar: config.progress_bar(),
            end: max_time.map(|time| Instant::now() + time),
        }
    }

    /// Removes the progress, and returns the state.
    pub(crate) fn finish(mut self) -> Result<RunState, Failure> {
        finish_bar(&mut self.bar)?;
        Ok(self.state)
    }
}

/// Removes a progress bar.
pub(crate) fn finish_bar(bar: &mut Terminal) -> Result<(), Failure> {
    bar.finish()
        .map_err(|source| Failure::write("progress", source))
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
