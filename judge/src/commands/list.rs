//! `judge list`: what there is to judge.
//!
//! Responsible for loading what was named. Must not run anything.

use judge_package::Selection;
use judge_report::{ListedProblem, Listing, printable_lines};

use crate::args::ListArgs;
use crate::commands::selection::{Selected, load_packages, select_changed, select_failure};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::write;

pub(crate) fn carry_out(config: &Config, args: &ListArgs) -> Result<ExitCode, Failure> {
    let selection = match select_changed(config, &args.changes)? {
        Selected::Some(selection) => selection,
        // Whoever reads the list wants one.
        Selected::Unchanged => Selection::default(),
    };
    let mut problems = Vec::new();
    let mut faults = Vec::new();
    for (package, loaded) in selection.packages.iter().zip(load_packages(config, &selection)) {
        match loaded {
            Ok(loaded) => problems.push((package, loaded.problem)),
            Err(errors) => faults.push(Failure::package(&errors, &config.workspace.root)),
        }
    }
    selection.check(problems.iter().map(|(_, problem)| problem)).map_err(|error| select_failure(&error))?;
    let wanted = |(package, problem): &(&judge_package::SelectedPackage, _)| {
        package.filter.is_everything() || !package.filter.leaves_nothing_of(problem)
    };
    let listed = problems.into_iter().filter(wanted).map(|(package, mut problem)| {
        problem.test_cases.retain(|test_case| package.filter.matches_test_case(&test_case.id));
        problem.submissions.retain(|submission| package.filter.matches_submission(&submission.id));
        let mut listed = ListedProblem::new(&problem, &config.workspace.root);
        // What lies in an archive is told as lying there.
        listed.path = config.shown(&problem.directory);
        for (listed, submission) in listed.submissions.iter_mut().zip(&problem.submissions) {
            listed.path = config.shown(&submission.path);
        }
        listed
    });
    let listing = Listing { problems: listed.collect() };
    let look = config.terminal.look;
    let text =
        if args.json { format!("{}\n", listing.to_json()) } else { listing.to_text(look, config.terminal.verbosity) };
    write(&mut std::io::stdout(), &text)?;
    if faults.is_empty() {
        return Ok(ExitCode::AsExpected);
    }
    // What could be loaded is listed; what could not is told, and counts.
    let lines: Vec<String> =
        faults.iter().map(|fault| format!("error: {}\n", printable_lines(&fault.to_string()))).collect();
    write(&mut std::io::stderr(), &lines.concat())?;
    Ok(ExitCode::PackageFault)
}
