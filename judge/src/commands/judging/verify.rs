//! `judge verify`: checks packages and judges their submissions, in one report for CI.
//!
//! Responsible for the order of the two. Must not know how either works.

use judge_event::Command;
use judge_lint::Extent;
use judge_package::Selection;
use judge_runner::Margins;

use crate::args::{ExtentArgs, SeverityArgs, VerifyArgs};
use crate::commands::check::packages::{Scope, check_packages};
use crate::commands::judging::{JudgingSettings, PlanBuilder, RunContext};
use crate::commands::selection::select_changed;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::{ReportRequest, Reporters};

pub(crate) fn run(config: &Config, args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let Some(selection) = select_changed(config, &args.changes)? else {
        return Ok(ExitCode::AsExpected);
    };
    let settings = args
        .judging
        .settings(Command::Verify, ExtentArgs::default());
    let settings = JudgingSettings {
        strict: settings.strict || args.severity_args.strict,
        margins: Margins::Demanded,
        time_factor: args.time_factor.factor,
        ..settings
    };
    let reporters = Reporters::open(config, ReportRequest::new(&args.judging.reports))?;
    let extent = if args.files_only {
        Extent::Files
    } else {
        Extent::Everything
    };
    let everything = args.changes.is_everything();
    verify_selected(
        config,
        &selection,
        settings,
        &args.severity_args,
        (extent, everything),
        reporters,
    )
}

/// Checks packages and, unless the extent leaves programs out, judges them; `whole_workspace` is
/// true when the command line names no problems.
pub(crate) fn verify_selected(
    config: &Config,
    selection: &Selection,
    settings: JudgingSettings,
    severity_args: &SeverityArgs,
    (extent, whole_workspace): (Extent, bool),
    mut reporters: Reporters,
) -> Result<ExitCode, Failure> {
    let (jobs, _) = config.jobs_or(settings.jobs);
    let scope = Scope {
        whole_workspace,
        extent,
        isolation: settings.isolation,
        jobs,
        no_cache: settings.no_cache,
        save: false,
    };
    let checked = check_packages(config, selection, severity_args, scope, &mut reporters)?;
    // A package that cannot be judged has a finding with the reason.
    let loaded: Vec<_> = selection
        .packages
        .iter()
        .zip(checked)
        .filter_map(|(package, checked)| Some((package, checked.loaded?)))
        .collect();
    selection.check(loaded.iter().map(|(_, loaded)| &loaded.problem))?;
    if extent == Extent::Files {
        return reporters.finish();
    }
    let mut builder = PlanBuilder::new(config, settings);
    for (package, mut loaded) in loaded {
        if package.filter.is_everything() || !package.filter.leaves_nothing_of(&loaded.problem) {
            // The check has reported them as findings.
            loaded.warnings.clear();
            builder.add(loaded, &package.filter);
        }
    }
    let plan = builder.finish();
    if !plan.package_faults.is_empty() || plan.submissions() > 0 {
        let context = RunContext::open(config, settings, &plan.languages())?;
        context.run(plan, &mut reporters)?;
    }
    reporters.finish()
}
