//! Generating the data of a package: from its rules to what was done with what they make.
//!
//! Responsible for when made data is put in place, and for what stands against that. Must not know how data is made, nor
//! who is told.

use std::fmt;

use judge_model::{Problem, TestCase};
use judge_package::PackageError;

use crate::{AuthoringError, Change, ChangeKind, LOCK_FILE, Notice, Project, Proposal, Resources};

/// The wishes about data that is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GenerateSettings {
    /// True when nothing is changed, and it is a fault when something would change.
    pub check: bool,
    /// True when nothing is changed.
    pub dry_run: bool,
    /// True when other answers are taken for inputs that are the same as before.
    pub accept_answers: bool,
}

/// The generated data of a package, and what was done with it.
#[derive(Debug)]
pub struct Generated {
    /// The end that it came to.
    pub end: GenerateEnd,
    /// The number of test cases that were made.
    pub test_cases: usize,
    /// The number of cases of other directories that were made, which are there to test validators.
    pub for_validators: usize,
    /// The changes to test cases, or to the lock file alone: the word for each, and its test case or file.
    pub changes: Vec<(&'static str, String)>,
    /// The objections to putting it in place.
    pub objections: Vec<Objection>,
    /// The notices for the author.
    pub notices: Vec<Notice>,
    /// The faults of the rules, or of the data that was made.
    pub faults: Vec<PackageError>,
}

/// The end of generating the data of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateEnd {
    /// The package is at fault; nothing was changed.
    Faulty,
    /// There are objections; nothing was changed.
    Refused,
    /// Everything is there already.
    Unchanged,
    /// Something would change, and nothing was to.
    Outdated,
    /// Something would change.
    WouldChange,
    /// Only the lock file was written.
    Locked,
    /// The data was put in place.
    Placed,
}

impl fmt::Display for GenerateEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Faulty => "cannot be generated, nothing was changed",
            Self::Refused => "refused, and nothing is written",
            Self::Unchanged => "nothing changes",
            Self::Outdated => "not as generators.yaml says: run `judge generate`",
            Self::WouldChange => "would change",
            Self::Locked => "written down in generators/lock.json",
            Self::Placed => "put in place",
        })
    }
}

/// An objection to putting generated data in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Objection {
    /// A file of `data/` was written by hand, or changed since it was made, where something else would have to be.
    InTheWay {
        /// The path below `data/`.
        path: String,
    },
    /// Inputs that are the same as before have other answers.
    OtherAnswers {
        /// The number of these test cases.
        test_cases: usize,
    },
}

impl Project {
    /// Makes the data of the test cases for which `is_wanted` holds, and puts it in place unless something stands against
    /// it. `None` when it was interrupted.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn generate(
        &self,
        resources: Resources<'_>,
        is_wanted: &dyn Fn(&str) -> bool,
        settings: GenerateSettings,
    ) -> Result<Option<Generated>, AuthoringError> {
        let Some(mut proposal) = self.make(resources, is_wanted)? else { return Ok(None) };
        let objections = proposal.objections(settings);
        let end = proposal.end(settings, !objections.is_empty());
        if matches!(end, GenerateEnd::Locked | GenerateEnd::Placed) {
            proposal.put_in_place()?;
        }
        let mut notices = std::mem::take(&mut proposal.notices);
        let kept = |path: &String| Notice {
            id: path.clone(),
            message: "is not asked for any more, but was changed by hand, so it stays".to_owned(),
            code: None,
        };
        notices.extend(proposal.kept().iter().map(kept));
        Ok(Some(Generated {
            end,
            test_cases: proposal.test_cases,
            for_validators: proposal.for_validators,
            changes: proposal.worded_changes(end),
            objections,
            notices,
            faults: std::mem::take(&mut proposal.faults),
        }))
    }

    /// The problem with the test cases that it is to have.
    #[must_use]
    pub fn as_planned(&self) -> Problem {
        let mut problem = self.problem.clone();
        let included = self.plan.included.iter().map(|(id, _)| id);
        let planned = self.plan.cases.iter().map(|case| &case.id).chain(included);
        problem.test_cases.extend(planned.map(|id| TestCase { id: id.clone(), ..TestCase::default() }));
        problem
    }
}

impl Proposal<'_> {
    fn objections(&self, settings: GenerateSettings) -> Vec<Objection> {
        if !self.faults.is_empty() {
            // Data that was made in part says nothing about the rest.
            return Vec::new();
        }
        let in_the_way = self.in_the_way().iter().map(|path| Objection::InTheWay { path: path.clone() });
        let is_other = |change: &&Change| change.kind == ChangeKind::AnswerChanged && !settings.accept_answers;
        let test_cases = self.changes().iter().filter(is_other).count();
        in_the_way.chain((test_cases > 0).then_some(Objection::OtherAnswers { test_cases })).collect()
    }

    fn end(&self, settings: GenerateSettings, is_refused: bool) -> GenerateEnd {
        if !self.faults.is_empty() {
            GenerateEnd::Faulty
        } else if is_refused {
            GenerateEnd::Refused
        } else if !self.changes_anything() {
            GenerateEnd::Unchanged
        } else if settings.check {
            GenerateEnd::Outdated
        } else if settings.dry_run {
            GenerateEnd::WouldChange
        } else if self.changes().is_empty() {
            GenerateEnd::Locked
        } else {
            GenerateEnd::Placed
        }
    }

    /// The changes in words. Data that cannot be made changes nothing; a change of the lock file alone counts where
    /// nothing was to change.
    fn worded_changes(&self, end: GenerateEnd) -> Vec<(&'static str, String)> {
        match (end, self.changes()) {
            (GenerateEnd::Faulty, _) => Vec::new(),
            (GenerateEnd::Outdated, []) if self.changes_lock() => {
                vec![("changed", LOCK_FILE.to_owned())]
            }
            (_, changes) => changes.iter().map(|change| (change.kind.word(), change.describe())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Package, files};

    fn generate(package: &Package, settings: GenerateSettings) -> Generated {
        let project = Project::open(&package.path(), &package.workspace).unwrap().unwrap();
        let session = package.session(&[&project]);
        project.generate(package.resources(&session), &|_| true, settings).unwrap().unwrap()
    }

    /// A package whose rules made `secret/1`.
    fn generated() -> Package {
        let package = Package::sum();
        std::fs::remove_dir_all(package.path().join("data")).unwrap();
        package.rule("0 3", "3");
        let made = generate(&package, GenerateSettings::default());
        assert_eq!((made.end, made.changes.as_slice()), (GenerateEnd::Placed, &[("added", "secret/1".to_owned())][..]));
        package
    }

    #[test]
    fn what_is_there_already_is_left_alone() {
        let package = generated();
        let before = files(&package.path());
        for check in [false, true] {
            let again = generate(&package, GenerateSettings { check, ..GenerateSettings::default() });
            assert_eq!((again.end, again.changes.len()), (GenerateEnd::Unchanged, 0));
        }
        assert_eq!(files(&package.path()), before);
    }

    #[test]
    fn looking_changes_nothing() {
        let package = generated();
        package.rule("5 5", "10");
        let before = files(&package.path());
        let changes = [("input changed", "secret/1".to_owned())];
        let outdated = generate(&package, GenerateSettings { check: true, ..GenerateSettings::default() });
        assert_eq!((outdated.end, outdated.changes.as_slice()), (GenerateEnd::Outdated, &changes[..]));
        let dry = generate(&package, GenerateSettings { dry_run: true, ..GenerateSettings::default() });
        assert_eq!((dry.end, dry.changes.as_slice()), (GenerateEnd::WouldChange, &changes[..]));
        assert_eq!(files(&package.path()), before);
        assert_eq!(generate(&package, GenerateSettings::default()).end, GenerateEnd::Placed);
        assert_eq!(package.read("data/secret/1.in").as_deref(), Some("5 5\n"));
    }

    #[test]
    fn another_answer_is_taken_only_where_that_is_wanted() {
        let package = generated();
        package.rule("0 3", "4");
        let refused = generate(&package, GenerateSettings::default());
        assert_eq!(refused.end, GenerateEnd::Refused);
        assert_eq!(refused.objections, [Objection::OtherAnswers { test_cases: 1 }]);
        assert_eq!(package.read("data/secret/1.ans").as_deref(), Some("3\n"));
        let taken = generate(&package, GenerateSettings { accept_answers: true, ..GenerateSettings::default() });
        assert_eq!(taken.end, GenerateEnd::Placed);
        assert_eq!(package.read("data/secret/1.ans").as_deref(), Some("4\n"));
    }

    #[test]
    fn a_file_that_was_written_by_hand_stands_in_the_way() {
        let package = Package::sum();
        package.rule("5 5", "10");
        let refused = generate(&package, GenerateSettings::default());
        let paths = ["secret/1.ans", "secret/1.in"].map(|path| Objection::InTheWay { path: path.to_owned() });
        assert_eq!((refused.end, refused.objections.as_slice()), (GenerateEnd::Refused, &paths[..]));
        assert_eq!(package.read("data/secret/1.in").as_deref(), Some("0 3\n"));
    }
}
