//! `judge check --data`: runs validators on the test data, and checks nothing else.
//!
//! Responsible for the reporters and the sandbox. Must not know what validators are asked, nor how it is rendered.

use std::time::Instant;

use judge_lint::{Check, Extent, load_data};

use crate::args::CheckArgs;
use crate::commands::check::packages::{carry_through, check_of};
use crate::commands::check::validators::OpenValidators;
use crate::commands::selection::{select_failure, select_packages};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::reporters::{ReportRequest, Reporters};

/// Runs the validators of the selected packages.
pub(super) fn check(config: &Config, args: &CheckArgs) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let selection = select_packages(config, &args.changes.selection.what)?;
    let (jobs, _) = config.jobs_or(args.jobs);
    let packages = load_data(&selection, &config.workspace).map_err(|error| select_failure(&error))?;
    let open = OpenValidators::open(config, args.isolation.level, &packages, args.cache.no_cache)?;
    // The reports that judge.yaml names are of all that is said about packages, and not of a part of it.
    let wanted = ReportRequest { configured: false, ..ReportRequest::new(&args.reports) };
    let mut reporters = Reporters::open(config, wanted)?;
    let check = Check {
        // Whatever validators say that they should not is an error.
        strict: true,
        extent: Extent::OwnData,
        validators: open.as_ref().map(|open| &open.validators),
        ..check_of(config, begun, jobs)
    };
    carry_through(&check, &packages, &mut reporters)?;
    Ok(exit_code::of(&reporters.finish()?))
}
