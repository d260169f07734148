//! `judge run`: judges the jury's submissions against their expectations.
//!
//! Responsible for the plan of the selection. Must not know how anything is judged or reported.

use judge_event::Command;
use judge_model::ReportKind;
use judge_runner::Plan;

use crate::args::{ExtentArgs, RunArgs};
use crate::commands::judging::selected_plan::plan_of;
use crate::commands::judging::{JudgingSettings, judge, matrix};
use crate::commands::selection::select_changed;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::sharding::{shard_of, take_time_limits};

pub(crate) fn run(config: &Config, args: &RunArgs) -> Result<ExitCode, Failure> {
    if args.matrix.is_requested {
        return matrix::run(config, args);
    }
    let Some(selection) = select_changed(config, &args.changes)? else {
        return Ok(ExitCode::AsExpected);
    };
    let mut plan = plan_of(config, &selection, args.settings())?;
    if let Some(file) = &args.sharding.time_limits {
        take_time_limits(config, &mut plan, file)?;
    }
    if let Some(shard) = args.sharding.shard {
        if !args
            .judging
            .reports
            .targets()
            .any(|target| target.kind == ReportKind::Json)
        {
            let hint = "`--report json=FILE` writes the event stream that `judge report` needs";
            return Err(Failure::Usage(format!(
                "`--shard` needs an event stream\nhint: {hint}"
            )));
        }
        plan = shard_of(config, args, &plan, shard)?;
    }
    judge_plan(config, args, plan)
}

impl RunArgs {
    /// The settings of the run.
    pub(crate) fn settings(&self) -> JudgingSettings {
        // A matrix needs a result of every submission on every test case.
        let no_fail_fast = self.extent.no_fail_fast || self.matrix.is_requested;
        let command = if self.matrix.is_requested {
            Command::Matrix
        } else {
            Command::Run
        };
        let settings = self.judging.settings(
            command,
            ExtentArgs {
                no_fail_fast,
                ..self.extent
            },
        );
        JudgingSettings {
            strict: settings.strict || self.strict,
            time_limit: self.time_limit,
            time_factor: self.time_factor.factor,
            ..settings
        }
    }
}

/// Judges a plan, and reports it.
pub(crate) fn judge_plan(config: &Config, args: &RunArgs, plan: Plan) -> Result<ExitCode, Failure> {
    judge(config, &args.judging.reports, args.settings(), plan)
}
