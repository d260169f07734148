//! `judge list`: lists problems, test cases and submissions.
//!
//! Responsible for loading the named problems. Must not run anything.

use judge_event::{ListedProblem, Listing};
use judge_report::{ListingReport, printable_lines};

use crate::args::ListArgs;
use crate::commands::document::DocumentOutput;
use crate::commands::selection::{load_packages, select_changed};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::write;

pub(crate) fn run(config: &Config, args: &ListArgs) -> Result<ExitCode, Failure> {
    // Readers of the list get an empty one when nothing changed.
    let selection = select_changed(config, &args.changes)?.unwrap_or_default();
    let mut problems = Vec::new();
    let mut faults = Vec::new();
    for (package, loaded) in selection
        .packages
        .iter()
        .zip(load_packages(config, &selection))
    {
        match loaded {
            Ok(loaded) => problems.push((package, loaded.problem)),
            Err(errors) => faults.push(Failure::package(&errors, &config.workspace.root)),
        }
    }
    selection.check(problems.iter().map(|(_, problem)| problem))?;
    let has_parts = |(package, problem): &(&judge_package::SelectedPackage, _)| {
        package.filter.is_everything() || !package.filter.leaves_nothing_of(problem)
    };
    let listed = problems
        .into_iter()
        .filter(has_parts)
        .map(|(package, mut problem)| {
            problem
                .test_cases
                .retain(|test_case| package.filter.matches_test_case(&test_case.id));
            problem
                .submissions
                .retain(|submission| package.filter.matches_submission(&submission.id));
            ListedProblem::new(&problem, &|path| config.shown(path))
        });
    let listing = Listing {
        problems: listed.collect(),
    };
    let terminal = config.terminal;
    DocumentOutput::open(config, &args.reports.targets)?.write(
        || ListingReport(&listing).to_text(terminal.look, terminal.verbosity),
        |_| format!("{}\n", listing.to_json()),
    )?;
    if faults.is_empty() {
        return Ok(ExitCode::AsExpected);
    }
    // Packages that load are listed; the others are reported, and decide the exit code.
    let lines: Vec<String> = faults
        .iter()
        .map(|fault| format!("error: {}\n", printable_lines(&fault.to_string())))
        .collect();
    write(&mut std::io::stderr(), lines.concat())?;
    Ok(ExitCode::PackageFault)
}
