//! The submissions of a comparison, and the baseline.
//!
//! Responsible for what the words of the command line mean. Must not run anything.

use std::path::Path;
use std::sync::Arc;

use judge_event::comparison::Comparison;
use judge_files::regular_file;
use judge_runner::Plan;

use crate::args::CompareArgs;
use crate::commands::judging::submission_args::entered;
use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::config::Config;
use crate::failure::Failure;

/// The size of the largest file with an earlier comparison: one with thousands of rounds has less than a hundredth of it.
const MAX_BASELINE_BYTES: u64 = 256 << 20;

/// The earlier comparison in a file.
pub(super) fn read_baseline(config: &Config, path: &Path) -> Result<Comparison, Failure> {
    let failed =
        |why: &dyn std::fmt::Display| Failure::Usage(format!("cannot use baseline `{}`: {why}", path.display()));
    let bytes = regular_file::read(&config.directory.join(path), MAX_BASELINE_BYTES).map_err(|error| failed(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| failed(&"expected UTF-8"))?;
    Comparison::parse(&text).map_err(|error| failed(&error))
}

/// One problem with the submissions to compare, of which nothing is expected.
pub(super) fn plan(config: &Config, args: &CompareArgs, settings: JudgingSettings) -> Result<Plan, Failure> {
    let (mut loaded, submissions) = entered(config, args.problem.name.as_deref(), &args.submissions)?;
    if submissions.len() < 2 {
        return Err(Failure::Usage(format!(
            "expected at least two submissions to compare, found {}: `{}`",
            submissions.len(),
            submissions.first().map_or("", |only| only.id.as_str())
        )));
    }
    let whole = Arc::new(loaded.problem.clone());
    loaded.problem.submissions = submissions;
    Ok(Plan { output_hashes: true, ..PlanBuilder::plan_of_replaced(config, settings, loaded, whole) })
}
