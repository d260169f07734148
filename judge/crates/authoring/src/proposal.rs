//! Proposals: generated data, compared with the data of the package.
//!
//! Responsible for changing packages, only by [`Proposal::put_in_place`].

use std::path::PathBuf;

use judge_model::Problem;
use judge_package::{Finding, PackageErrors, Workspace, load_in_place_of};

use crate::error::AuthoringError;
use crate::files::changes::Difference;
use crate::files::place;
use crate::notice::Notice;
use crate::project::Project;

/// The generated data, and the changes that would put it in place.
#[derive(Debug)]
pub(crate) struct Proposal<'p> {
    pub(crate) project: &'p Project,
    /// The faults of the rules, or of the generated data. If there are any, nothing can be put in
    /// place.
    pub(crate) faults: Vec<Finding>,
    /// The notices for the author.
    pub(crate) notices: Vec<Notice>,
    /// The number of test cases that were generated.
    pub(crate) test_cases: usize,
    /// The number of generated cases in other directories.
    pub(crate) for_validators: usize,
    /// The new text of `generators.yaml`, if it changes too.
    pub(crate) rules: Option<String>,
    /// The changes. If there are conflicts among them, nothing is put in place.
    pub(crate) difference: Difference,
    pub(crate) lock_changes: bool,
}

impl Proposal<'_> {
    /// Returns true when the package would change, including the lock file.
    pub(crate) fn changes_anything(&self) -> bool {
        let Difference {
            changes, conflicts, ..
        } = &self.difference;
        !changes.is_empty() || !conflicts.is_empty() || self.lock_changes
    }

    /// Loads the staged package, with its submissions.
    ///
    /// # Errors
    /// The faults of the staged package; none when the proposal has no faults.
    pub(crate) fn load(&self, workspace: &Workspace) -> Result<Problem, PackageErrors> {
        let staged = self.project.stage.package();
        let problem = load_in_place_of(self.project.directory(), &staged, workspace)?.problem;
        Ok(Problem {
            submissions: self.project.problem.submissions.clone(),
            ..problem
        })
    }

    /// Returns true when a test case was written by hand.
    pub(crate) fn is_by_hand(&self, id: &str) -> bool {
        self.project
            .plan
            .cases
            .iter()
            .any(|case| case.id == id && !case.given.is_empty())
    }

    /// The path of a file of `data/` until it is put in place.
    pub(crate) fn staged(&self, path: &str) -> PathBuf {
        self.project.stage.data().join(path)
    }

    /// Puts the data in place. Does nothing when nothing changes.
    ///
    /// # Errors
    /// When a file cannot be written. Nothing changes before the first file has its new name.
    ///
    /// # Panics
    /// When there are faults or conflicting files: wrong data must not be put in place.
    pub(crate) fn put_in_place(&self) -> Result<(), AuthoringError> {
        assert!(
            self.faults.is_empty() && self.difference.conflicts.is_empty(),
            "wrong data must not be put in place"
        );
        if self.changes_anything() {
            let (staged, package) = (self.project.stage.data(), self.project.directory());
            place::put_in_place(&self.difference, &staged, package, self.rules.as_deref())?;
        }
        Ok(())
    }
}
