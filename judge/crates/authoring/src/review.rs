//! Reviewing answers that would change although their inputs are the same, and accepting some of
//! them.
//!
//! Responsible for choosing the changes to review, and for putting only accepted ones in place.
//! Must not know how answers are produced, or how the user decides.

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

/// A review of the answers of a package.
#[derive(Debug)]
pub struct Review {
    /// The package to review.
    project: Project,
    /// The same package, for writing accepted answers again.
    accepting: Project,
}

/// The reason why answers cannot be reviewed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The rules or the data of the package are at fault.
    #[error(transparent)]
    Package(#[from] PackageErrors),
    /// An answer that was accepted cannot be put in place.
    #[error(
        "`data/{path}` was written by hand, and generators.yaml produces different data\nhint: see `judge generate {problem}`"
    )]
    InTheWay {
        /// The path below `data/`.
        path: String,
        /// The problem.
        problem: String,
    },
    /// The package has faults that it did not have when it was first read.
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
    /// The ids of the test cases, in order.
    pub ids: Vec<String>,
    /// The number of test cases that had no answer.
    pub missing: usize,
    /// The number of other test cases that would change.
    pub others: usize,
}

/// The parts to show of an answer that would change or is missing.
#[derive(Debug)]
pub struct ChangedAnswer {
    /// The path of the answer.
    pub file: PathBuf,
    /// True when the test case was written by hand.
    pub is_by_hand: bool,
    /// The current answer and the new one.
    pub shown: Excerpts,
}

impl Review {
    /// Reads a package for a review of its answers: those of its rules, and those of test cases
    /// that were written by hand. The latter are kept when the new answer is equally good.
    ///
    /// # Errors
    /// Returns all faults of the package.
    pub fn open(directory: &Path, workspace: &Workspace) -> Result<Self, PackageErrors> {
        let open = || Project::for_review(directory, workspace);
        Ok(Self {
            project: open()?,
            accepting: open()?,
        })
    }

    /// The package to review.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The packages for which data is generated.
    #[must_use]
    pub fn projects(&self) -> [&Project; 2] {
        [&self.project, &self.accepting]
    }

    /// Generates the answers of the selected test cases, and finds those that would change. Returns
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
        let (mut ids, mut missing, mut others) = (Vec::new(), 0, 0);
        for change in &proposal.difference.changes {
            match change.kind {
                ChangeKind::AnswerChanged => ids.push(change.id.clone()),
                ChangeKind::AnswerAdded => {
                    ids.push(change.id.clone());
                    missing += 1;
                }
                _ => others += 1,
            }
        }
        Ok(Some(ChangedAnswers {
            proposal,
            ids,
            missing,
            others,
        }))
    }

    /// Generates the answers of these test cases again, and puts only them in place. Returns false
    /// when it was interrupted before that.
    ///
    /// # Errors
    /// Faults of the host, and when the answers cannot be put in place.
    pub fn accept(&self, resources: Resources<'_>, ids: &[String]) -> Result<bool, ReviewError> {
        let is_accepted = |id: &str| ids.iter().any(|accepted| accepted == id);
        // The accepted answers are generated a second time: the first stage contains all reviewed
        // answers, and those that were not accepted must not be put in place.
        let Some(proposal) = make(&self.accepting, resources, &is_accepted)? else {
            return Ok(false);
        };
        let problem = self.project.name().to_owned();
        if let Some(path) = proposal.difference.conflicts.first() {
            return Err(ReviewError::InTheWay {
                path: path.clone(),
                problem,
            });
        }
        // The data was generated without faults before, so the package has been changed since.
        if !proposal.faults.is_empty() {
            return Err(ReviewError::Changed { problem });
        }
        proposal.put_in_place()?;
        Ok(true)
    }
}

impl ChangedAnswers<'_> {
    /// Reads the parts to show of the answer to a test case.
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
            (&answers.ids[..], answers.others),
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
    fn missing_answers_are_written_if_accepted_solutions_agree() {
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
                (answers.ids.to_vec(), answers.missing)
            });
            let is_accepted = found.is_ok()
                && review
                    .accept(package.resources(&session), &["secret/bare".to_owned()])
                    .unwrap();
            found
                .map(|found| (found, is_accepted))
                .map_err(|error| error.to_string())
        };
        let error = changed().unwrap_err();
        assert!(
            error
                .contains("`accepted/zero.script` disagrees with the solution that writes answers"),
            "{error}"
        );
        assert_eq!(package.read("data/secret/bare.ans"), None);
        package.write("submissions/accepted/zero.script", "* print 3\n");
        assert_eq!(
            changed().unwrap(),
            ((vec!["secret/bare".to_owned()], 1), true)
        );
        assert_eq!(package.read("data/secret/bare.ans").as_deref(), Some("3\n"));
        // The answer counts as written by hand from now on.
        assert!(
            package
                .read("generators/lock.json")
                .unwrap()
                .contains("\"secret/bare\": {\"from\":\"hand-written\"")
        );
    }

    #[test]
    fn interrupted_reviews_write_nothing() {
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
    fn packages_changed_during_a_review_are_not_modified() {
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
