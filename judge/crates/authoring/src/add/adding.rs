//! Adding a test case to a package, from the request to the written files.
//!
//! Responsible for the order: find a candidate, generate its data, assess it, and write it unless
//! there are objections. Must not know how judging works.

use std::path::Path;
use std::sync::Arc;

use judge_event::{Addition, RunState};
use judge_model::Problem;
use judge_package::{GENERATORS_FILE, PackageErrors, Workspace};

use crate::add::assessment::{Assessment, Judge};
use crate::add::candidate::Candidate;
use crate::add::error::{AddError, request_error};
use crate::add::new_test_case::{CaseSource, NewTestCase};
use crate::make::make;
use crate::project::Project;
use crate::proposal::Proposal;
use crate::resources::Resources;

/// A test case that is being added to a package.
#[derive(Debug)]
pub struct Adding {
    candidate: Candidate,
    /// The package with its current rules, when a command of a generator is added to them.
    before: Option<Project>,
    /// The problem as it is now.
    current: Arc<Problem>,
    required: Vec<String>,
    is_answer_given: bool,
    dry_run: bool,
}

/// The outcome of adding a test case.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is only one value of it")]
pub enum AddStatus {
    /// It was interrupted while data was generated; nothing was written.
    Interrupted,
    /// A run of submissions did not finish; nothing was written.
    Unfinished(RunState),
    /// The test case was added, or would be, or was not because of objections.
    Concluded(Addition),
}

impl Adding {
    /// Finds a name for the test case, and reads the package including it.
    ///
    /// # Errors
    /// Returns an error if the request does not fit the package, and the faults of the package.
    pub fn find(
        directory: &Path,
        workspace: &Workspace,
        new: &NewTestCase<'_>,
    ) -> Result<Self, AddError> {
        let candidate = Candidate::find(directory, workspace, new)?;
        let current = candidate.project.problem.clone();
        let before = match candidate.rules {
            Some(_) => Project::open(directory, workspace)?,
            None => None,
        };
        let current = Arc::new(current);
        let is_answer_given = matches!(
            new.source,
            CaseSource::Files {
                answer: Some(_),
                ..
            }
        );
        let required = new.required.to_vec();
        Ok(Self {
            candidate,
            before,
            current,
            required,
            is_answer_given,
            dry_run: new.dry_run,
        })
    }

    /// The packages for which data is generated.
    #[must_use]
    pub fn projects(&self) -> Vec<&Project> {
        self.before
            .iter()
            .chain([&self.candidate.project])
            .collect()
    }

    /// The problem as it is now.
    #[must_use]
    pub fn problem(&self) -> &Arc<Problem> {
        &self.current
    }

    /// Creates the test case, judges submissions on it, and writes it unless there are objections.
    ///
    /// # Errors
    /// The faults of the package and of the host.
    pub fn run(
        &self,
        resources: Resources<'_>,
        judge: &mut Judge<'_>,
    ) -> Result<AddStatus, AddError> {
        let Candidate {
            project, id, rules, ..
        } = &self.candidate;
        // Otherwise, other changes by the rules would look like consequences of the new test case.
        if let Some(before) = &self.before
            && !data_matches_rules(before, resources)?
        {
            return Ok(AddStatus::Interrupted);
        }
        let is_selected = |other: &str| rules.is_some() || other == id;
        let Some(mut proposal) = make(project, resources, &is_selected)? else {
            return Ok(AddStatus::Interrupted);
        };
        // The rules are written together with the data, in one transaction.
        proposal.rules.clone_from(rules);
        PackageErrors::check(std::mem::take(&mut proposal.faults))?;
        let problem = proposal.load(resources.workspace)?;
        let mut addition = self.candidate.describe(&proposal);
        // A repeated input is refused before submissions run on it: it cannot reject further
        // submissions.
        if let Some(known) = self.candidate.repeats(&proposal, &problem) {
            let [problem, id] = [&addition.problem, known].map(ToOwned::to_owned);
            return Err(AddError::Repeats { problem, id });
        }
        let assessment = Assessment {
            problem,
            current: &self.current,
            id,
            is_answer_given: self.is_answer_given,
            required: &self.required,
        };
        match assessment.assess(&mut addition, judge)? {
            Some(state) => Ok(AddStatus::Unfinished(state)),
            None => self.conclude(addition, &proposal),
        }
    }

    fn conclude(
        &self,
        mut addition: Addition,
        proposal: &Proposal<'_>,
    ) -> Result<AddStatus, AddError> {
        let done = match (addition.objections.is_empty(), self.dry_run) {
            (false, _) => {
                addition.files.clear();
                "not added"
            }
            (true, true) => "would be added",
            (true, false) => {
                proposal.put_in_place()?;
                "added"
            }
        };
        addition.done = done.to_owned();
        Ok(AddStatus::Concluded(addition))
    }
}

/// Checks that the data of a package matches its rules. Returns false when it was interrupted.
fn data_matches_rules(project: &Project, resources: Resources<'_>) -> Result<bool, AddError> {
    let Some(proposal) = make(project, resources, &|_| true)? else {
        return Ok(false);
    };
    if !proposal.faults.is_empty()
        || !proposal.difference.changes.is_empty()
        || !proposal.difference.conflicts.is_empty()
    {
        let problem = project.name();
        return Err(request_error(format!(
            "the data of {problem} differs from {GENERATORS_FILE}\nhint: run `judge generate {problem}` first"
        )));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use judge_event::End;
    use judge_model::Verdict;

    use super::*;
    use crate::testing::{Package, files, judged_run};

    /// Adds a test case on which every submission gets this verdict.
    fn add(
        package: &Package,
        new: &NewTestCase<'_>,
        verdict: Verdict,
    ) -> Result<AddStatus, AddError> {
        let adding = Adding::find(&package.path(), &package.workspace, new)?;
        let session = package.session(&adding.projects());
        adding.run(package.resources(&session), &mut |problem, _| {
            Ok(judged_run(&problem, |_, _| verdict))
        })
    }

    fn concluded(end: Result<AddStatus, AddError>) -> Addition {
        match end.unwrap() {
            AddStatus::Concluded(addition) => addition,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn inputs_are_added_with_the_answer_of_the_reference_solution() {
        let package = Package::sum();
        let new = NewTestCase::found(b"1 2\n", "secret/new");
        let dry = concluded(add(
            &package,
            &NewTestCase {
                dry_run: true,
                ..new
            },
            Verdict::Accepted,
        ));
        assert_eq!(
            (dry.done.as_str(), package.read("data/secret/new.in")),
            ("would be added", None)
        );
        let addition = concluded(add(&package, &new, Verdict::Accepted));
        assert_eq!(
            (addition.done.as_str(), addition.id.as_str()),
            ("added", "secret/new")
        );
        assert_eq!(
            addition.notices,
            ["the input was not validated: the package has no input validator"]
        );
        assert_eq!(
            addition.files,
            [
                "data/secret/new.ans",
                "data/secret/new.in",
                "generators/lock.json"
            ]
        );
        assert_eq!(package.read("data/secret/new.in").as_deref(), Some("1 2\n"));
        assert_eq!(package.read("data/secret/new.ans").as_deref(), Some("3\n"));
        // The name is in use now.
        let error = add(&package, &new, Verdict::Accepted).unwrap_err();
        assert!(matches!(error, AddError::Request(_)), "{error}");
    }

    #[test]
    fn objections_leave_the_package_unchanged() {
        let package = Package::sum();
        let before = files(&package.path());
        let new = NewTestCase::found(b"1 2\n", "secret/new");
        let addition = concluded(add(&package, &new, Verdict::WrongAnswer));
        assert_eq!(
            (addition.done.as_str(), addition.objections.len()),
            ("not added", 1)
        );
        assert_eq!(files(&package.path()), before);
    }

    #[test]
    fn unfinished_and_interrupted_runs_leave_the_package_unchanged() {
        let package = Package::sum();
        let before = files(&package.path());
        let new = NewTestCase::found(b"1 2\n", "secret/new");
        let adding = Adding::find(&package.path(), &package.workspace, &new).unwrap();
        let session = package.session(&adding.projects());
        let aborted = |_, _| {
            Ok(RunState {
                end: Some(End::Aborted),
                ..RunState::default()
            })
        };
        let end = adding
            .run(package.resources(&session), &mut { aborted })
            .unwrap();
        assert!(
            matches!(&end, AddStatus::Unfinished(state) if state.end == Some(End::Aborted)),
            "{end:?}"
        );
        package.cancel.cancel();
        let end = adding
            .run(package.resources(&session), &mut { aborted })
            .unwrap();
        assert!(matches!(end, AddStatus::Interrupted), "{end:?}");
        assert_eq!(files(&package.path()), before);
    }

    #[test]
    fn commands_are_refused_if_data_and_rules_differ() {
        let package = Package::sum();
        package.rule("5 5", "10");
        package.write("generators/gen.script", "* print 7\n");
        let new = NewTestCase {
            source: CaseSource::Command("gen.script {seed:1}"),
            group: "secret",
            ..NewTestCase::found(b"", "secret/new")
        };
        let error = add(&package, &new, Verdict::Accepted).unwrap_err();
        assert!(
            matches!(&error, AddError::Request(why) if why.starts_with("the data of sum differs")),
            "{error}"
        );
    }
}
