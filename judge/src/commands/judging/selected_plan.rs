//! The plan of the submissions that the words of a command select.
//!
//! Responsible for selections without any submission. Must not know how anything is judged or
//! reported.

use std::path::Path;

use judge_model::TestCase;
use judge_package::{Selection, quoted};
use judge_runner::Plan;

use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::commands::selection::{load_packages, select_packages};
use crate::config::Config;
use crate::failure::Failure;

/// The maximum number of problems whose directories a message names.
const PLACES_NAMED: usize = 3;

/// The plan of the jury's submissions that the words select, without packages that cannot be
/// loaded.
pub(crate) fn plan(
    config: &Config,
    what: &[String],
    settings: JudgingSettings,
) -> Result<Plan, Failure> {
    plan_of(config, &select_packages(config, what)?, settings)
}

/// The plan of the jury's submissions in a selection, without packages that cannot be loaded.
pub(crate) fn plan_of(
    config: &Config,
    selection: &Selection,
    settings: JudgingSettings,
) -> Result<Plan, Failure> {
    let mut builder = PlanBuilder::new(config, settings);
    let mut loaded = Vec::new();
    for (package, found) in selection
        .packages
        .iter()
        .zip(load_packages(config, selection))
    {
        match found {
            Ok(found) => loaded.push((package, found)),
            Err(errors) => builder.add_errors(&package.directory, &errors),
        }
    }
    selection.check(loaded.iter().map(|(_, found)| &found.problem))?;
    let problems = || loaded.iter().map(|(_, found)| &found.problem);
    let mut cases = problems().flat_map(|problem| &problem.test_cases);
    // A package with a fault is reported, whatever the others have.
    let is_sound = loaded.len() == selection.packages.len();
    if settings.samples && is_sound && !cases.any(TestCase::is_sample) {
        return Err(no_samples(problems().map(|problem| &problem.name)));
    }
    for (package, found) in loaded {
        // A word with a pattern may name parts that only some of the packages have.
        if package.filter.is_everything() || !package.filter.leaves_nothing_of(&found.problem) {
            builder.add(found, &package.filter);
        }
    }
    let plan = builder.finish();
    if plan.package_faults.is_empty() && plan.submissions() == 0 {
        return Err(Failure::NothingSelected(no_submission(config, &plan)));
    }
    Ok(plan)
}

/// The failure of a run of the samples only, of problems without any.
pub(crate) fn no_samples<'a>(problems: impl IntoIterator<Item = &'a String>) -> Failure {
    Failure::NothingSelected(format!(
        "no test cases in `data/sample` of {}\nhint: without `--samples`, all test cases are judged",
        quoted(problems)
    ))
}

/// The message about problems without submissions, with the directories that were searched.
fn no_submission(config: &Config, plan: &Plan) -> String {
    let names: Vec<_> = plan
        .problems
        .iter()
        .map(|planned| planned.name.as_str())
        .collect();
    let is_workspace = config.workspace.file.is_some();
    let place = |directory: &Path| format!("`{}`", config.shown(directory));
    let places: Vec<_> = plan
        .problems
        .iter()
        .take(PLACES_NAMED)
        .flat_map(|planned| {
            let directory = &planned.problem.directory;
            let solutions = &config.workspace.solutions;
            let solution_directory = directory
                .file_name()
                .map(|name| solutions.join(name))
                .filter(|_| is_workspace || solutions.is_dir());
            [
                Some(place(&directory.join("submissions"))),
                solution_directory.map(|solution_directory| place(&solution_directory)),
            ]
            .into_iter()
            .flatten()
        })
        .collect();
    let more = if plan.problems.len() > PLACES_NAMED {
        ", …"
    } else {
        ""
    };
    format!(
        "no submissions for {}; searched {}{more}",
        names.join(", "),
        places.join(" and ")
    )
}
