//! Authoring test data: from `generators.yaml` to what lies in `data/`.
//!
//! Responsible for planning, making, comparing and putting in place, and for what test cases are worth. Programs are run by
//! `judge-exec`, packages are read by the package crate. Must not talk to anybody, nor know how submissions are judged.
//!
//! A [`Project`] is what is known before anything runs; [`Project::make`] makes all data aside; the [`Proposal`] says
//! what would change, and [`Proposal::put_in_place`] is the only thing that changes a package.
//!
//! # Example
//!
//! ```
//! use std::path::Path;
//!
//! use judge_authoring::plan;
//! use judge_package::read_generators_text;
//!
//! let rules = "data: {secret: {data: [small: gen.py 5, {by_hand: {in: 1 2}}]}}\n";
//! let rules = read_generators_text(Path::new("sum"), rules)?.expect("there are rules");
//! let plan = plan(&rules, &[])?;
//! let ids: Vec<&str> = plan.cases.iter().map(|case| case.id.as_str()).collect();
//! assert_eq!(ids, ["secret/1-small", "secret/2-by_hand"]);
//! # Ok::<(), judge_package::PackageErrors>(())
//! ```

mod add;
mod agreement;
mod complete;
mod differing;
mod files;
mod generate;
mod generators;
mod make;
mod parallel;
mod project;
mod review;
mod samples;
#[cfg(test)]
mod testing;
mod validation;
mod worth;

use std::path::PathBuf;

use judge_event::Progress;
use judge_exec::{ExecError, Session};
use judge_files::ChangeError;
use judge_model::Problem;
use judge_package::{GENERATORS_FILE, PackageError, PackageErrors, Workspace, load_in_place_of};

pub use add::{AddEnd, AddError, Adding, CaseSource, GivenFile, Judge, NewTestCase, free_ids};
pub use differing::Shown;
pub use files::changes::{Change, ChangeKind};
pub use files::lock::{HAND_WRITTEN, LOCK_FILE};
pub use files::reading::Content;
pub use generate::{GenerateEnd, GenerateSettings, Generated, Objection};
pub use generators::calls::GeneratorCall;
pub use generators::command::Command;
pub use generators::origins::tell_origins;
pub use generators::plan::{Answers, DataPlan, PlannedCase, plan};
pub use make::Notice;
pub use project::{Project, no_generators};
pub use review::{ChangedAnswer, ChangedAnswers, Review, ReviewError};
pub use worth::{KilledMutants, TestDataDemands, assess_test_data};

use crate::files::changes::{Difference, compare};
use crate::files::lock::Lock;
use crate::files::reading::{Unreadable, files_below};
use crate::parallel::Workers;

/// An error that keeps data from being made or put in place: a fault of the host. The faults of the package are in the
/// [`Proposal`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthoringError {
    /// A program could not be run, or a file could not be read or written.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// The data could not be put in place.
    #[error(transparent)]
    Place(#[from] ChangeError),
}

/// The resources that data is made with. The session's token ends it early.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The session, opened with the project's languages and [directories](Project::directories).
    pub session: &'a Session,
    /// Programs that run at a time, at least 1.
    pub jobs: usize,
    /// The workspace by which the package is read as it would be.
    pub workspace: &'a Workspace,
    /// The listener that hears what is worked on, whenever something begins or ends.
    pub on_progress: OnProgress<'a>,
}

/// Hears how far the work on a package is, and what is running, the oldest first. Called by several threads.
pub type OnProgress<'a> = &'a (dyn Fn(&Progress) + Sync);

/// The data as it would be, made aside.
#[derive(Debug)]
pub struct Proposal<'p> {
    project: &'p Project,
    /// The faults of the rules, or of the data that was made. With any of them nothing can be put in place.
    pub faults: Vec<PackageError>,
    /// The notices for the author.
    pub notices: Vec<Notice>,
    /// The number of test cases that were made.
    pub test_cases: usize,
    /// The number of cases of other directories that were made.
    pub for_validators: usize,
    difference: Difference,
    lock_changes: bool,
    /// The new text of `generators.yaml`, when it is to change too.
    pub rules: Option<String>,
}

impl Project {
    /// Makes the data of the test cases for which `is_wanted` holds (it gets their ids). `None` when it was
    /// interrupted.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn make(
        &self,
        resources: Resources<'_>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Proposal<'_>>, AuthoringError> {
        match self.propose(resources, is_wanted) {
            // A failure that comes of the cancelling is nobody's fault.
            Err(_) if resources.session.is_cancelled() => Ok(None),
            proposed => proposed,
        }
    }

    fn propose(
        &self,
        resources: Resources<'_>,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Proposal<'_>>, AuthoringError> {
        let workers = Workers { session: resources.session, jobs: resources.jobs, on_progress: resources.on_progress };
        let directory = &self.problem.directory;
        let lock_path = directory.join(LOCK_FILE);
        let mut proposal = Proposal {
            project: self,
            faults: Vec::new(),
            notices: Vec::new(),
            test_cases: 0,
            for_validators: 0,
            difference: Difference::default(),
            lock_changes: false,
            rules: None,
        };
        let lock = match Lock::read(&lock_path) {
            Ok(lock) => lock,
            Err(error) => {
                let hint = "if it is lost, remove it: data that is made again in the same way is known again";
                let error = PackageError::invalid(&lock_path, None, error.to_string());
                proposal.faults.push(error.hint(Some(hint.to_owned())));
                return Ok(Some(proposal));
            }
        };
        let present = match files_below(&directory.join("data")) {
            Ok(present) => present,
            // The package's own data is its author's to mend.
            Err(Unreadable { path, cause }) => {
                proposal.faults.push(PackageError::unreadable(&path, &cause));
                return Ok(Some(proposal));
            }
        };
        let wanted = self.wanted(is_wanted);
        let is_wanted = |id: &str| is_wanted(id) || wanted.iter().any(|case| case.id == id);
        let Some(mut data) = self.make_inputs(&wanted, workers)? else { return Ok(None) };
        if data.faults.is_empty() {
            let without_answer = self.answers_to_write(&wanted, &mut data)?;
            self.link_copies(&is_wanted, &mut data)?;
            if let Some(loaded) = self.load_staged(&present, &lock, &is_wanted, resources.workspace, &mut data)?
                && self.complete(&loaded, &without_answer, workers, &mut data)?.is_none()
            {
                return Ok(None);
            }
        }
        if resources.session.is_cancelled() {
            return Ok(None);
        }
        let made = self.made_files(&data)?;
        data.notices.extend(files::duplicates::find(&made, self.answers_are_outputs()));
        proposal.difference = compare(&made, &present, &lock, is_wanted, |path| self.may_replace(path));
        proposal.lock_changes = proposal.difference.lock != lock;
        let included = self.plan.included.iter().map(|(id, _)| id.as_str()).filter(|id| is_wanted(id));
        let ids = wanted.iter().map(|case| case.id.as_str()).chain(included);
        let (test_cases, others): (Vec<&str>, Vec<&str>) = ids.partition(|id| is_test_case(id));
        (proposal.test_cases, proposal.for_validators) = (test_cases.len(), others.len());
        proposal.faults = data.faults;
        let silencings = &resources.workspace.check.silencings;
        let is_open = |notice: &Notice| !silencings.iter().any(|silencing| notice.is_silenced(silencing, self.name()));
        proposal.notices = self.warning_notices().chain(data.notices).filter(is_open).collect();
        Ok(Some(proposal))
    }

    /// True when a file may be replaced although it was written by hand.
    fn may_replace(&self, path: &str) -> bool {
        self.is_review && path.ends_with(".ans")
    }

    /// The warnings about the rules, as notices.
    fn warning_notices(&self) -> impl Iterator<Item = Notice> {
        self.warnings.iter().map(|warning| {
            let line = warning.line.map(|line| format!(":{line}")).unwrap_or_default();
            Notice {
                id: format!("{GENERATORS_FILE}{line}"),
                message: warning.message.clone(),
                code: Some(warning.code),
            }
        })
    }

    /// The planned test cases that are wanted, with those that copies of them are links to.
    fn wanted(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<&PlannedCase> {
        let copies = self.plan.cases.iter().filter_map(|case| Some((&case.id, case.same_as.as_ref()?)));
        let included = self.plan.included.iter().map(|(id, original)| (id, original));
        let originals: Vec<&String> =
            copies.chain(included).filter(|(id, _)| is_wanted(id)).map(|(_, original)| original).collect();
        let wanted = |case: &&PlannedCase| is_wanted(&case.id) || originals.contains(&&case.id);
        self.plan.cases.iter().filter(wanted).collect()
    }

    /// Test cases whose answers a solution is to write. All that lack an answer get an empty one for now.
    fn answers_to_write(&self, wanted: &[&PlannedCase], data: &mut make::Data) -> Result<Vec<String>, AuthoringError> {
        let mut ids = Vec::new();
        for case in wanted.iter().filter(|case| case.same_as.is_none()) {
            let has =
                |data: &make::Data, extension: &str| data.origins.contains_key(&format!("{}{extension}", case.id));
            let needs = ["sample", "secret", "fuzz"].contains(&case.root()) && has(data, ".in") && !has(data, ".ans");
            if !needs {
                continue;
            }
            if self.answers_are_outputs() {
                if case.answers == Answers::Nothing {
                    data.faults.push(self.fault(case, "has no answer: it brings no `ans`, and `solution` is empty"));
                    continue;
                }
                ids.push(case.id.clone());
            }
            let path = format!("{}.ans", case.id);
            self.write_bytes(&path, b"")?;
            data.origins.insert(path, case.origin());
        }
        Ok(ids)
    }
}

/// True for what submissions are judged on.
pub(crate) fn is_test_case(id: &str) -> bool {
    ["sample/", "secret/"].iter().any(|root| id.starts_with(root))
}

impl Proposal<'_> {
    /// The changes to test cases, in order of their ids.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.difference.changes
    }

    /// Files of `data/` that were written by hand, or changed since they were made, where something else would have to
    /// be. With any of them nothing is put in place.
    #[must_use]
    pub fn in_the_way(&self) -> &[String] {
        &self.difference.in_the_way
    }

    /// Files that are not asked for any more, and that were changed by hand since they were made. They stay.
    #[must_use]
    pub fn kept(&self) -> &[String] {
        &self.difference.kept
    }

    /// True when the package would change at all; the lock file counts.
    #[must_use]
    pub fn changes_anything(&self) -> bool {
        !self.difference.changes.is_empty() || !self.in_the_way().is_empty() || self.lock_changes
    }

    /// True when the lock file would change.
    #[must_use]
    pub fn changes_lock(&self) -> bool {
        self.lock_changes
    }

    /// The package as it would be, with its submissions.
    ///
    /// # Errors
    /// The faults of the package as it would be; none when the proposal has no faults.
    pub fn load(&self, workspace: &Workspace) -> Result<Problem, PackageErrors> {
        let problem = load_in_place_of(self.project.directory(), &self.project.staged(), workspace)?.problem;
        Ok(Problem { submissions: self.project.problem.submissions.clone(), ..problem })
    }

    /// True when a test case was written by hand.
    #[must_use]
    pub fn is_by_hand(&self, id: &str) -> bool {
        self.project.plan.cases.iter().any(|case| case.id == id && !case.given.is_empty())
    }

    /// The path of a file of `data/` until it is put in place.
    #[must_use]
    pub fn staged(&self, path: &str) -> PathBuf {
        self.project.staged_data().join(path)
    }

    /// The files below `data/` that would be written.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        self.difference.write.iter().map(String::as_str)
    }

    /// Puts the data in place. Does nothing when nothing changes.
    ///
    /// # Errors
    /// When a file cannot be written. Before the first file has its new name nothing is changed.
    ///
    /// # Panics
    /// With faults, or with files in the way: what is wrong must not be put in place.
    pub fn put_in_place(&self) -> Result<(), AuthoringError> {
        assert!(self.faults.is_empty() && self.in_the_way().is_empty(), "what is wrong must not be put in place");
        if self.changes_anything() {
            let package = &self.project.problem.directory;
            files::place::put_in_place(&self.difference, &self.project.staged_data(), package, self.rules.as_deref())?;
        }
        Ok(())
    }
}
