//! Inferred time limits for commands that do not judge by a plain run.
//!
//! Responsible for the messages when a limit cannot be inferred. Must not know how one is inferred:
//! that is the same for every command.

use std::io;

use judge_event::{End, Event, HostFault, Progress};
use judge_report::{Reporter as _, Terminal};
use judge_runner::{NotInferred, Observer, Plan, PlannedProblem, TimeLimitSource};

use crate::commands::judging::RunContext;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// The note on an interrupt while time limits were measured, for commands that report interruptions
/// themselves.
pub(crate) const INTERRUPTED: &str =
    "interrupted while time limits were measured; nothing else was done";

/// Infers the missing time limits of a plan where possible. Returns an exit code when that was
/// interrupted.
pub(crate) fn infer_time_limits(
    config: &Config,
    plan: &mut Plan,
    context: &RunContext,
) -> Result<Option<ExitCode>, Failure> {
    let bar = Terminal::new(
        config.terminal,
        Box::new(io::sink()),
        config.progress_target(),
    );
    let mut listener = Silent { bar, fault: None };
    let RunContext {
        environment,
        settings,
    } = context;
    let end = judge_runner::infer_time_limits(plan, environment, settings, &mut listener)?;
    listener
        .bar
        .finish()
        .map_err(|source| Failure::write("progress", source))?;
    match (end, listener.fault) {
        (End::Interrupted, _) => return Ok(Some(ExitCode::Interrupted)),
        (End::Aborted, fault) => {
            return Err(Failure::Measuring(
                fault.map(|fault| fault.message).unwrap_or_default(),
            ));
        }
        (End::Completed, _) => {}
    }
    Ok(None)
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
        NotInferred::NoTools(_) => Failure::Measuring(format!("{path}: {message}")),
    }
}

/// Shows progress, and keeps the fault that ended the run.
struct Silent {
    bar: Terminal,
    fault: Option<HostFault>,
}

impl Observer for Silent {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The measuring runs are not part of the report. Only the reason why they ended is
        // kept.
        if let Event::HostFault(fault) = event {
            self.fault = Some(fault.clone());
        }
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.bar.progress(progress)
    }

    fn shows_excerpts(&self) -> bool {
        false
    }
}
