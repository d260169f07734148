//! Reviewing answers: those that would change although the input is the same, and accepting some of
//! them.
//!
//! Responsible for which changes are looked at, and for putting nothing in place but what was
//! accepted. Must not know how answers are made, nor who decides about them.

use std::path::{Path, PathBuf};

use judge_exec::ExecError;
use judge_package::{PackageErrors, Workspace};

use crate::differing::{Excerpts, excerpts};
use crate::error::AuthoringError;
use crate::files::changes::ChangeKind;
use crate::make::make;
use crate::project::Project;
use crate::proposal::Proposal;
use crate::resources::Resources;

/// A package whose answers are reviewed.
#[derive(Debug)]
pub struct Review {
    /// The package to look at.
    project: Project,
    /// The same package, for the answers that are accepted.
    accepting: Project,
}

/// An error that keeps answers from being reviewed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The rules or the data of the package are at fault.
    #[error(transparent)]
    Package(#[from] PackageErrors),
    /// An answer that was accepted cannot be put in place.
    #[error(
        "`data/{path}` was written by hand, and generators.yaml makes something else\nhint: see `judge generate {problem}`"
    )]
    InTheWay {
        /// The path below `data/`.
        path: String,
        /// The problem.
        problem: String,
    },
    /// The package has faults that it did not have at the first reading.
    #[error("{problem}: the package was changed during the review")]
    Changed {
        /// The problem.
        problem: String,
    },
    /// The host is at fault.
    #[error(transparent)]
    Authoring(#[from] AuthoringError),
}

/// The answers that would change.
#[derive(Debug)]
pub struct ChangedAnswers<'p> {
    proposal: Proposal<'p>,
    ids: Vec<String>,
    missing: usize,
    others: usize,
}

/// An answer that would change or is missing, as far as it is shown.
#[derive(Debug)]
pub struct ChangedAnswer {
    /// The file.
    pub file: PathBuf,
    /// True when the test case was written by hand.
    pub is_by_hand: bool,
    /// The answer that is there, and the new one.
    pub shown: Excerpts,
}

impl Review {
    /// Reads a package whose answers are looked at again: those of its rules, and those of test
    /// cases that were written by hand. Of the latter an answer stays when the new one is as good.
    ///
    /// # Errors
    /// Everything that is wrong in the package.
    pub fn open(directory: &Path, workspace: &Workspace) -> Result<Self, PackageErrors> {
        let open = || Project::for_review(directory, workspace);
        Ok(Self {
            project: open()?,
            accepting: open()?,
        })
    }

    /// The package to look at.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The packages whose data is made.
    #[must_use]
    pub fn projects(&self) -> [&Project; 2] {
        [&self.project, &self.accepting]
    }

    /// Makes the answers of the test cases that are selected, and finds those that would change.
    /// `None` when it was interrupted.
    ///
    /// # Errors
    /// Faults of the package and of the host.
    pub fn changed_answers(
        &self,
        resources: Resources<'_>,
        is_selected: &dyn Fn(&str) -> bool,
    ) -> Result<Option<ChangedAnswers<'_>>, ReviewError> {
        let Some(mut proposal) = make(&self.project, resources, is_selected)? else {
            return Ok(None);
        };
        PackageErrors::check(std::mem::take(&mut proposal.faults))?;
        let is_answer = |kind| matches!(kind, ChangeKind::AnswerChanged | ChangeKind::AnswerAdded);
        let answers = proposal
            .changes()
            .iter()
            .filter(|change| is_answer(change.kind));
        let ids: Vec<String> = answers.map(|change| change.id.clone()).collect();
        let others = proposal.changes().len() - ids.len();
        let missing = proposal
            .changes()
            .iter()
            .filter(|change| change.kind == ChangeKind::AnswerAdded)
            .count();
        Ok(Some(ChangedAnswers {
            proposal,
            ids,
            missing,
            others,
        }))
    }

    /// Makes the answers of these test cases again, and puts only them in place. False when it was
    /// interrupted before.
    ///
    /// # Errors
    /// Faults of the host, and when the answers cannot be put in place.
    pub fn accept(&self, resources: Resources<'_>, ids: &[String]) -> Result<bool, ReviewError> {
        let is_accepted = |id: &str| ids.iter().any(|accepted| accepted == id);
        // Made a second time, for the accepted cases only: a stage holds everything that was
        // looked at, and what was not accepted must not be put in place.
        let Some(proposal) = make(&self.accepting, resources, &is_accepted)? else {
            return Ok(false);
        };
        let problem = self.project.name().to_owned();
        if let Some(path) = proposal.in_the_way().first() {
            return Err(ReviewError::InTheWay {
                path: path.clone(),
                problem,
            });
        }
        // The data was made without faults a moment ago. So somebody has changed the package
        // since.
        if !proposal.faults.is_empty() {
            return Err(ReviewError::Changed { problem });
        }
        proposal.put_in_place()?;
        Ok(true)
    }
}

impl ChangedAnswers<'_> {
    /// The test cases, in order.
    #[must_use]
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The number of those that had no answer.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// The number of other test cases that would change.
    #[must_use]
    pub fn others(&self) -> usize {
        self.others
    }

    /// Reads what is shown of the answer to a test case.
    ///
    /// # Errors
    /// When one of the two files cannot be read.
    pub fn show(&self, id: &str) -> Result<ChangedAnswer, AuthoringError> {
        let path = format!("{id}.ans");
        let file = self.proposal.project.directory().join("data").join(&path);
        let shown =
            excerpts(&file, &self.proposal.staged(&path)).map_err(ExecError::io("read", &file))?;
        Ok(ChangedAnswer {
            file,
            is_by_hand: self.proposal.is_by_hand(id),
            shown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Package, files};

    #[test]
    fn only_accepted_answers_are_put_in_place() {
        let package = Package::sum();
        package.write("data/secret/new.in", "1 2\n");
        package.write("data/secret/new.ans", "4\n");
        package.write("data/secret/1.ans", "5\n");
        let review = Review::open(&package.path(), &package.workspace).unwrap();
        let session = package.session(&review.projects());
        let answers = review
            .changed_answers(package.resources(&session), &|_| true)
            .unwrap()
            .unwrap();
        assert_eq!(
            (answers.ids(), answers.others()),
            (&["secret/1".to_owned(), "secret/new".to_owned()][..], 0)
        );
        let answer = answers.show("secret/new").unwrap();
        assert_eq!(
            (
                answer.shown.before.as_slice(),
                answer.shown.after.as_slice()
            ),
            (&b"4\n"[..], &b"3\n"[..])
        );
        assert!(
            answer.is_by_hand && answer.file.ends_with("data/secret/new.ans"),
            "{answer:?}"
        );
        assert!(
            review
                .accept(package.resources(&session), &["secret/new".to_owned()])
                .unwrap()
        );
        assert_eq!(package.read("data/secret/new.ans").as_deref(), Some("3\n"));
        assert_eq!(package.read("data/secret/1.ans").as_deref(), Some("5\n"));
    }

    #[test]
    fn a_missing_answer_is_made_where_the_accepted_solutions_agree() {
        let package = Package::sum();
        package.write("data/secret/bare.in", "1 2\n");
        package.write("submissions/accepted/zero.script", "* print 0\n");
        let changed = || {
            let review = Review::open(&package.path(), &package.workspace).unwrap();
            let session = package.session(&review.projects());
            let answers = review.changed_answers(package.resources(&session), &|_| true);
            let found = answers.map(|answers| {
                let answers = answers.unwrap();
                let shown = answers.show("secret/bare").unwrap().shown;
                assert_eq!(
                    (shown.before.as_slice(), shown.after.as_slice()),
                    (&b""[..], &b"3\n"[..])
                );
                (answers.ids().to_vec(), answers.missing())
            });
            let made = found.is_ok()
                && review
                    .accept(package.resources(&session), &["secret/bare".to_owned()])
                    .unwrap();
            found
                .map(|found| (found, made))
                .map_err(|error| error.to_string())
        };
        let error = changed().unwrap_err();
        assert!(
            error.contains(
                "`accepted/zero.script` gives another one than the solution that writes it"
            ),
            "{error}"
        );
        assert_eq!(package.read("data/secret/bare.ans"), None);
        package.write("submissions/accepted/zero.script", "* print 3\n");
        assert_eq!(
            changed().unwrap(),
            ((vec!["secret/bare".to_owned()], 1), true)
        );
        assert_eq!(package.read("data/secret/bare.ans").as_deref(), Some("3\n"));
        // It counts as written by hand from now on.
        assert!(
            package
                .read("generators/lock.json")
                .unwrap()
                .contains("\"secret/bare\": {\"from\":\"hand-written\"")
        );
    }

    #[test]
    fn a_signal_ends_it_and_nothing_is_written() {
        let package = Package::sum();
        package.write("data/secret/1.ans", "5\n");
        let before = files(&package.path());
        let review = Review::open(&package.path(), &package.workspace).unwrap();
        let session = package.session(&review.projects());
        package.cancel.cancel();
        assert!(
            review
                .changed_answers(package.resources(&session), &|_| true)
                .unwrap()
                .is_none()
        );
        assert!(
            !review
                .accept(package.resources(&session), &["secret/1".to_owned()])
                .unwrap()
        );
        assert_eq!(files(&package.path()), before);
    }

    #[test]
    fn a_package_that_was_changed_meanwhile_is_left_alone() {
        let package = Package::sum();
        package.write("data/secret/1.ans", "5\n");
        let review = Review::open(&package.path(), &package.workspace).unwrap();
        let session = package.session(&review.projects());
        package.write("generators/lock.json", "{");
        let before = files(&package.path());
        let error = review
            .accept(package.resources(&session), &["secret/1".to_owned()])
            .unwrap_err();
        assert!(
            matches!(&error, ReviewError::Changed { problem } if problem == "sum"),
            "{error}"
        );
        assert_eq!(files(&package.path()), before);
    }
}
