//! Judging: from loaded packages to a finished run. Shared by the commands that judge.
//!
//! Responsible for a run from its plan to its report. Must not know which command runs it.

pub(crate) mod inferring;
mod matrix;
mod planning;
pub(crate) mod run;
mod run_context;
pub(crate) mod selected_plan;
mod settings;
pub(crate) mod submission_args;
pub(crate) mod submit;
pub(crate) mod verify;

use std::path::Path;

use judge_event::Command;
use judge_report::View;
use judge_runner::Plan;

pub(crate) use self::planning::PlanBuilder;
pub(crate) use self::run_context::{RunContext, with_worker};
pub(crate) use self::settings::JudgingSettings;
use crate::args::ReportingArgs;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::{ReportRequest, Reporters};

/// The name of a package: that of its directory.
pub(crate) fn name_of(directory: &Path) -> String {
    directory
        .file_name()
        .unwrap_or(directory.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// Runs a plan and reports it.
pub(crate) fn judge(
    config: &Config,
    reports: &ReportingArgs,
    settings: JudgingSettings,
    plan: Plan,
) -> Result<ExitCode, Failure> {
    let request = ReportRequest::new(reports);
    let request = match settings.command {
        // The reports that the workspace configures describe the workspace, and not a single
        // submission.
        Some(Command::Submit) => ReportRequest {
            view: View::Submit,
            configured: false,
            ..request
        },
        // The reports of the whole run are written by `judge report`.
        _ if plan.shard.is_some() => ReportRequest {
            configured: false,
            ..request
        },
        _ => request,
    };
    let context = RunContext::open(config, settings, &plan.languages())?;
    // Opened last: reporters create files, and a run that cannot begin must not leave any.
    let mut reporters = Reporters::open(config, request)?;
    context.run(plan, &mut reporters)?;
    reporters.finish()
}
