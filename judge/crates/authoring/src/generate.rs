//! Generating the data of a package.
//!
//! Responsible for deciding whether data is put in place, and for the objections to it. Must not
//! know how data is generated.

use std::fmt;

use judge_package::Finding;

use crate::error::AuthoringError;
use crate::files::changes::{Change, ChangeKind};
use crate::files::lock::LOCK_FILE;
use crate::make::make;
use crate::notice::Notice;
use crate::project::Project;
use crate::proposal::Proposal;
use crate::resources::Resources;

/// The settings of generating data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GenerateSettings {
    /// True when nothing is changed, and a necessary change is a failure.
    pub check: bool,
    /// True when changed answers of unchanged inputs are accepted.
    pub accept_answers: bool,
}

/// The generated data of a package.
#[derive(Debug)]
pub struct GeneratedData {
    /// The result of generating it.
    pub end: GenerateEnd,
    /// The number of test cases that were generated.
    pub test_cases: usize,
    /// The number of generated cases for testing validators, in other directories.
    pub for_validators: usize,
    /// The changes to test cases, or to the lock file only: the kind of each in words, and its test
    /// case or file.
    pub changes: Vec<(&'static str, String)>,
    /// The objections to putting the data in place.
    pub objections: Vec<Objection>,
    /// The notices for the author.
    pub notices: Vec<Notice>,
    /// The faults of the rules, or of the generated data.
    pub faults: Vec<Finding>,
}

/// The result of generating the data of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateEnd {
    /// The package is at fault; nothing was changed.
    Faulty,
    /// There are objections; nothing was changed.
    Refused,
    /// The data is up to date.
    Unchanged,
    /// The data would change, but changes were not allowed.
    Outdated,
    /// Only the lock file was written.
    Locked,
    /// The data was put in place.
    Placed,
}

impl fmt::Display for GenerateEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Faulty => "cannot be generated, nothing was changed",
            Self::Refused => "refused, and nothing was written",
            Self::Unchanged => "up to date",
            Self::Outdated => "differs from generators.yaml: run `judge generate`",
            Self::Locked => "recorded in generators/lock.json",
            Self::Placed => "put in place",
        })
    }
}

/// An objection to putting generated data in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// A file of `data/` was written by hand, or changed after it was generated, and would be
    /// overwritten.
    InTheWay {
        /// The path below `data/`.
        path: String,
    },
    /// Unchanged inputs have different answers.
    OtherAnswers {
        /// The number of these test cases.
        test_cases: usize,
    },
}

/// Generates the data of the selected test cases, and puts it in place unless there are objections.
/// Returns `None` when it was interrupted.
///
/// # Errors
/// Faults of the host.
pub fn generate(
    project: &Project,
    resources: Resources<'_>,
    is_selected: &dyn Fn(&str) -> bool,
    settings: GenerateSettings,
) -> Result<Option<GeneratedData>, AuthoringError> {
    let Some(mut proposal) = make(project, resources, is_selected)? else {
        return Ok(None);
    };
    let objections = objections(&proposal, settings);
    let end = end(&proposal, settings, !objections.is_empty());
    if matches!(end, GenerateEnd::Locked | GenerateEnd::Placed) {
        proposal.put_in_place()?;
    }
    let mut notices = std::mem::take(&mut proposal.notices);
    let why = "is no longer planned, but was changed by hand, so it is kept";
    let kept = proposal.difference.kept.iter();
    notices.extend(kept.map(|path| Notice::new(path, why.to_owned(), None)));
    Ok(Some(GeneratedData {
        end,
        test_cases: proposal.test_cases,
        for_validators: proposal.for_validators,
        changes: changes(&proposal, end),
        objections,
        notices,
        faults: std::mem::take(&mut proposal.faults),
    }))
}

fn objections(proposal: &Proposal<'_>, settings: GenerateSettings) -> Vec<Objection> {
    if !proposal.faults.is_empty() {
        // Incomplete data does not allow conclusions about the rest.
        return Vec::new();
    }
    let conflicts = proposal
        .difference
        .conflicts
        .iter()
        .map(|path| Objection::InTheWay { path: path.clone() });
    // A changed answer to an unchanged input indicates a mistake in the new solution or in the old
    // one. The author has to check it.
    let is_other =
        |change: &&Change| change.kind == ChangeKind::AnswerChanged && !settings.accept_answers;
    let test_cases = proposal.difference.changes.iter().filter(is_other).count();
    conflicts
        .chain((test_cases > 0).then_some(Objection::OtherAnswers { test_cases }))
        .collect()
}

fn end(proposal: &Proposal<'_>, settings: GenerateSettings, is_refused: bool) -> GenerateEnd {
    if !proposal.faults.is_empty() {
        GenerateEnd::Faulty
    } else if is_refused {
        GenerateEnd::Refused
    } else if !proposal.changes_anything() {
        GenerateEnd::Unchanged
    } else if settings.check {
        GenerateEnd::Outdated
    } else if proposal.difference.changes.is_empty() {
        GenerateEnd::Locked
    } else {
        GenerateEnd::Placed
    }
}

/// The changes in words. With `check`, a change of the lock file alone counts too.
fn changes(proposal: &Proposal<'_>, end: GenerateEnd) -> Vec<(&'static str, String)> {
    match (end, proposal.difference.changes.as_slice()) {
        (GenerateEnd::Faulty, _) => Vec::new(),
        (GenerateEnd::Outdated, []) => vec![("changed", LOCK_FILE.to_owned())],
        (_, changes) => changes
            .iter()
            .map(|change| (change.kind.word(), change.describe()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Package, files};

    fn generate(package: &Package, settings: GenerateSettings) -> GeneratedData {
        let project = Project::open(&package.path(), &package.workspace)
            .unwrap()
            .unwrap();
        let session = package.session(&[&project]);
        super::generate(&project, package.resources(&session), &|_| true, settings)
            .unwrap()
            .unwrap()
    }

    /// A package with rules from which `secret/1` was generated.
    fn generated() -> Package {
        let package = Package::sum();
        std::fs::remove_dir_all(package.path().join("data")).unwrap();
        package.rule("0 3", "3");
        let data = generate(&package, GenerateSettings::default());
        assert_eq!(
            (data.end, data.changes.as_slice()),
            (GenerateEnd::Placed, &[("added", "secret/1".to_owned())][..])
        );
        package
    }

    #[test]
    fn inputs_are_staged_one_by_one() {
        let package = Package::sum();
        std::fs::remove_dir_all(package.path().join("data")).unwrap();
        let rule = |number: u32| {
            format!(
                "      '{number}': {{in: \"{number} 1\", ans: \"{}\"}}\n",
                number + 1
            )
        };
        let rules: String = (1..=4).map(rule).collect();
        package.write(
            "generators/generators.yaml",
            &format!("data:\n  secret:\n    data:\n{rules}"),
        );
        let project = Project::open(&package.path(), &package.workspace)
            .unwrap()
            .unwrap();
        let session = package.session(&[&project]);
        let seen = std::sync::Mutex::new(Vec::new());
        let on_progress = |progress: &judge_event::Progress| {
            let staged = files(&project.stage.data());
            seen.lock()
                .unwrap()
                .push((progress.total, progress.done, staged.len()));
        };
        std::fs::create_dir_all(project.stage.data()).unwrap();
        let resources = Resources {
            on_progress: &on_progress,
            ..package.resources(&session)
        };
        super::generate(&project, resources, &|_| true, GenerateSettings::default())
            .unwrap()
            .unwrap();
        let seen = seen.into_inner().unwrap();
        // There are four rules with two files each.
        let steps: Vec<_> = seen
            .iter()
            .filter(|(total, ..)| *total == 4)
            .take(8)
            .map(|(_, done, files)| (*done, *files))
            .collect();
        assert_eq!(
            steps,
            [
                (0, 0),
                (1, 2),
                (1, 2),
                (2, 4),
                (2, 4),
                (3, 6),
                (3, 6),
                (4, 8)
            ],
            "{seen:?}"
        );
    }

    #[test]
    fn unchanged_data_is_not_written() {
        let package = generated();
        let before = files(&package.path());
        for check in [false, true] {
            let again = generate(
                &package,
                GenerateSettings {
                    check,
                    ..GenerateSettings::default()
                },
            );
            assert_eq!(
                (again.end, again.changes.len()),
                (GenerateEnd::Unchanged, 0)
            );
        }
        assert_eq!(files(&package.path()), before);
    }

    #[test]
    fn checks_change_nothing() {
        let package = generated();
        package.rule("5 5", "10");
        let before = files(&package.path());
        let changes = [("input changed", "secret/1".to_owned())];
        let outdated = generate(
            &package,
            GenerateSettings {
                check: true,
                ..GenerateSettings::default()
            },
        );
        assert_eq!(
            (outdated.end, outdated.changes.as_slice()),
            (GenerateEnd::Outdated, &changes[..])
        );
        assert_eq!(files(&package.path()), before);
        assert_eq!(
            generate(&package, GenerateSettings::default()).end,
            GenerateEnd::Placed
        );
        assert_eq!(package.read("data/secret/1.in").as_deref(), Some("5 5\n"));
    }

    #[test]
    fn changed_answers_must_be_accepted() {
        let package = generated();
        package.rule("0 3", "4");
        let refused = generate(&package, GenerateSettings::default());
        assert_eq!(refused.end, GenerateEnd::Refused);
        assert_eq!(
            refused.objections,
            [Objection::OtherAnswers { test_cases: 1 }]
        );
        assert_eq!(package.read("data/secret/1.ans").as_deref(), Some("3\n"));
        let taken = generate(
            &package,
            GenerateSettings {
                accept_answers: true,
                ..GenerateSettings::default()
            },
        );
        assert_eq!(taken.end, GenerateEnd::Placed);
        assert_eq!(package.read("data/secret/1.ans").as_deref(), Some("4\n"));
    }

    #[test]
    fn hand_written_files_are_not_overwritten() {
        let package = Package::sum();
        package.rule("5 5", "10");
        let refused = generate(&package, GenerateSettings::default());
        let paths = ["secret/1.ans", "secret/1.in"].map(|path| Objection::InTheWay {
            path: path.to_owned(),
        });
        assert_eq!(
            (refused.end, refused.objections.as_slice()),
            (GenerateEnd::Refused, &paths[..])
        );
        assert_eq!(package.read("data/secret/1.in").as_deref(), Some("0 3\n"));
    }
}
