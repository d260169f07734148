//! From generated test data to its report.
//!
//! Responsible for naming places as the user knows them, and for what is to be done about objections. Must not generate.

use std::path::Path;

use judge_authoring::{Generated, Objection, Project};
use judge_report::Generation;

use crate::config::Config;

/// The report on the data of a package; `good` where it is as it should be.
pub(super) fn report(config: &Config, project: &Project, generated: &Generated, good: bool) -> Generation {
    let place = |path: &Path| config.shown(&project.directory().join("data").join(path));
    let objection = |objection: &Objection| {
        match objection {
        Objection::InTheWay { path } => (
            format!("`{}` was written by hand, or changed since it was made", place(path.as_ref())),
            "move it away, or take its test case out of generators.yaml".to_owned(),
        ),
        Objection::OtherAnswers { test_cases } => (
            format!("the same input has another answer now, in {test_cases} of the test cases"),
            "fix the solution that writes them; if it is right, look at them with `judge generate --review`, or take them all: \
             `--accept-answers`"
                .to_owned(),
        ),
    }
    };
    Generation {
        problem: project.name().to_owned(),
        test_cases: generated.test_cases as u64,
        for_validators: generated.for_validators as u64,
        changes: generated.changes.iter().map(|(word, id)| ((*word).to_owned(), id.clone())).collect(),
        objections: generated.objections.iter().map(objection).collect(),
        notices: generated.notices.iter().map(|notice| (notice.id.clone(), notice.in_words())).collect(),
        done: generated.end.to_string(),
        good,
    }
}
