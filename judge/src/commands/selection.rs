//! The packages that the words of a command name, for all commands that take such words.
//!
//! Responsible for selecting and loading packages, and for leaving out unchanged ones. Must not
//! know what a command does with them.

use std::path::{Path, PathBuf};

use judge_exec::Crew;
use judge_model::Problem;
use judge_package::{
    LoadedPackage, PackageErrors, SelectedPackage, Selection, is_package, load, select,
};
use judge_report::noun;

use crate::args::ChangesArgs;
use crate::commands::interchange::foreign::{
    may_be_foreign_archive, may_be_foreign_directory, with_imported,
};
use crate::commands::since::Changes;
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::note;

/// The packages that the words name; with `--since`, without unchanged ones. `None`, after a note,
/// when no named package changed.
pub(crate) fn select_changed(
    config: &Config,
    changes: &ChangesArgs,
) -> Result<Option<Selection>, Failure> {
    let selection = select_packages(config, &changes.selection.what)?;
    let Some(range) = &changes.since else {
        return Ok(Some(selection));
    };
    let changes = Changes::since(&config.workspace, range)?;
    Ok(narrowed(
        config,
        selection,
        &changes,
        &format!("since {range}"),
    ))
}

/// Keeps the packages of a selection that changes affect. `in_words` describes the changes, such as
/// `since main`. `None`, after a note, when they affect none.
pub(crate) fn narrowed(
    config: &Config,
    mut selection: Selection,
    changes: &Changes,
    in_words: &str,
) -> Option<Selection> {
    let left_out = changes.narrow(&mut selection, &config.workspace);
    let problems = |number: usize| {
        format!(
            "{number} {}",
            noun(number as u64, "problem is", "problems are")
        )
    };
    // Standard output may be a stream of events.
    if selection.packages.is_empty() {
        note(&format!(
            "nothing changed {in_words}: {} unchanged",
            problems(left_out)
        ));
        return None;
    }
    if left_out > 0 {
        note(&format!("{} unchanged {in_words}", problems(left_out)));
    }
    Some(selection)
}

/// The packages that the words name from the current directory, for reading. Problems of other
/// formats are included, as imported packages.
pub(crate) fn select_packages(config: &Config, what: &[String]) -> Result<Selection, Failure> {
    let words = with_imported(config, what, may_be_foreign_archive)?;
    let what = words.as_deref().unwrap_or(what);
    match select_own(config, what) {
        Err(failure) => match with_imported(config, what, may_be_foreign_directory)? {
            Some(words) => select_own(config, &words),
            None => Err(failure),
        },
        selected => selected,
    }
}

/// The packages that the words name from the current directory, for writing.
pub(crate) fn select_own(config: &Config, what: &[String]) -> Result<Selection, Failure> {
    let selection = select(&config.workspace, what, &config.directory)?;
    selection.unsearched().iter().for_each(|text| note(text));
    Ok(selection)
}

/// The packages of a selection that can be loaded, in order. Most of the work is system calls, so
/// several threads load them faster.
pub(crate) fn load_packages(
    config: &Config,
    selection: &Selection,
) -> Vec<Result<LoadedPackage, PackageErrors>> {
    let (threads, _) = config.jobs_or(None);
    let workspace = &config.workspace;
    let load_one = |(): &mut (), package: &SelectedPackage| load(&package.directory, workspace);
    Crew::new(threads).map(&selection.packages, || (), load_one)
}

/// The directories of selected packages.
pub(crate) fn directories(packages: &[SelectedPackage]) -> Vec<PathBuf> {
    let directory = |package: &SelectedPackage| package.directory.clone();
    packages.iter().map(directory).collect()
}

/// Keeps the test cases of a problem that a selection names.
pub(crate) fn keep_selected_cases(
    selection: &Selection,
    problem: &mut Problem,
) -> Result<(), Failure> {
    selection.check([&*problem])?;
    let package = selection
        .packages
        .iter()
        .find(|package| package.directory == problem.directory);
    problem
        .test_cases
        .retain(|case| package.is_some_and(|found| found.filter.matches_test_case(&case.id)));
    Ok(())
}

/// Loads one package, whose faults are an error.
pub(crate) fn load_package(config: &Config, package: &Path) -> Result<LoadedPackage, Failure> {
    load(package, &config.workspace)
        .map_err(|errors| Failure::package(&errors, &config.workspace.root))
}

/// Loads the problem of one package, whose faults are an error.
pub(crate) fn load_problem(config: &Config, package: &Path) -> Result<Problem, Failure> {
    Ok(load_package(config, package)?.problem)
}

/// Refuses a place for a new package in another one.
pub(crate) fn expect_outside_packages(directory: &Path) -> Result<(), Failure> {
    match directory.ancestors().find(|around| is_package(around)) {
        None => Ok(()),
        Some(around) => Err(Failure::Usage(format!(
            "`{}` is a package; a package inside it would not be found",
            around.display()
        ))),
    }
}
