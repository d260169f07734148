//! `judge run`: the jury's submissions, each against what is expected of it.
//!
//! Responsible for selecting and loading. Must not know how anything is judged or told.

use judge_event::Command;
use judge_package::{SelectError, Selection, load, select};
use judge_runner::Plan;

use crate::args::{JudgingArgs, RunArgs};
use crate::commands::judging::{PlanBuilder, judge};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::sharding::{judge_shard, time_limits};

pub(crate) fn carry_out(config: &Config, args: &RunArgs) -> Result<ExitCode, Failure> {
    let mut plan = plan(config, &args.what, &args.judging)?;
    if let Some(file) = &args.sharding.time_limits {
        time_limits::take(config, &mut plan, file)?;
    }
    if let Some(directory) = &args.sharding.events {
        return judge_shard(config, args, &plan, directory);
    }
    judge(config, &args.judging, plan, !args.no_fail_fast, Command::Run)
}

/// What the words select of the jury's submissions, as far as it can be loaded.
pub(crate) fn plan(config: &Config, what: &[String], judging: &JudgingArgs) -> Result<Plan, Failure> {
    let selection = select_packages(config, what)?;
    let mut builder = PlanBuilder::new(config, judging);
    let mut loaded = Vec::new();
    for package in &selection.packages {
        match load(&package.directory, &config.workspace) {
            Ok(found) => loaded.push((package, found)),
            Err(errors) => builder.add_errors(&package.directory, &errors),
        }
    }
    selection.check(loaded.iter().map(|(_, found)| &found.problem)).map_err(|error| select_failure(&error))?;
    for (package, found) in loaded {
        // A word with a pattern may name parts that only some of the packages have.
        if package.filter.is_everything() || !package.filter.leaves_nothing_of(&found.problem) {
            builder.add(found, &package.filter);
        }
    }
    let plan = builder.finish();
    if plan.package_faults.is_empty() && plan.submissions() == 0 {
        let problems: Vec<_> = plan.problems.iter().map(|planned| planned.name.as_str()).collect();
        return Err(Failure::NothingSelected(format!("there is no submission for {}", problems.join(", "))));
    }
    Ok(plan)
}

/// The packages that the words name, seen from the current directory.
pub(crate) fn select_packages(config: &Config, what: &[String]) -> Result<Selection, Failure> {
    select(&config.workspace, what, &config.directory).map_err(|error| select_failure(&error))
}

/// Why nothing was selected, as a failure of the command.
pub(crate) fn select_failure(error: &SelectError) -> Failure {
    match error {
        SelectError::NoMatch { .. } | SelectError::NoPackages { .. } => Failure::NothingSelected(error.to_string()),
        SelectError::Glob { .. } | SelectError::Unreadable(_) => Failure::Usage(error.to_string()),
    }
}
