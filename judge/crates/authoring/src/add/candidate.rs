//! A candidate: a test case to be added, with its name and the resulting package.
//!
//! Responsible for names, and for the rules with a new command. Must not assess the test case.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use judge_event::Addition;
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::Problem;
use judge_package::{
    GENERATORS_FILE, Workspace, insert_case, load, read_generators_text, read_text_within,
};

use crate::add::error::{AddError, request_error};
use crate::add::new_test_case::{CaseSource, NewTestCase, given_files};
use crate::differing::{first_difference, size};
use crate::files::lock::LOCK_FILE;
use crate::project::Project;
use crate::proposal::Proposal;

/// The maximum size of rules in bytes, the same as in the YAML reader.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// A test case to be added, and the resulting package.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The package with the test case.
    pub(crate) project: Project,
    /// The id of the test case.
    pub(crate) id: String,
    /// The new text of `generators.yaml`, when a command creates the test case.
    pub(crate) rules: Option<String>,
    /// The temporary directory with copies of the given files, if any.
    _spool: Option<LockedDirectory>,
}

impl Candidate {
    /// Finds a name for the test case, and reads the package including the test case.
    pub(crate) fn find(
        directory: &Path,
        workspace: &Workspace,
        new: &NewTestCase<'_>,
    ) -> Result<Self, AddError> {
        check_group(new.group)?;
        let problem = load(directory, workspace)?.problem;
        let name = name_case(&problem, new.group, new.name, &new.source.suggested_name())?;
        let (files, spool) = match new.source {
            CaseSource::Command(command) => {
                return Self::by_command(directory, workspace, new.group, &name, command);
            }
            CaseSource::Bytes(input) => found_file(input)?,
            CaseSource::Files { input, answer } => given_files(input, answer)?,
        };
        let id = format!("{}/{name}", new.group);
        let project = Project::by_hand(directory, workspace, &id, &files)?;
        Ok(Self {
            project,
            id,
            rules: None,
            _spool: Some(spool),
        })
    }

    /// Creates a test case with this group and name from a generator command.
    fn by_command(
        directory: &Path,
        workspace: &Workspace,
        group: &str,
        name: &str,
        command: &str,
    ) -> Result<Self, AddError> {
        let path = directory.join(GENERATORS_FILE);
        let text = match read_text_within(&path, MAX_RULES_BYTES) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                let why = format!("cannot read `{}`: {error}", path.display());
                return Err(request_error(why));
            }
        };
        let inserted = insert_case(directory, text.as_deref(), group, name, command)?;
        let rules = read_generators_text(directory, &inserted.text)?;
        let rules = rules.ok_or_else(|| request_error("the new rules cannot be read"))?;
        let project = Project::from_rules(directory, workspace, &rules)?;
        // In numbered groups, the id of a test case is known only after planning. The line of the
        // new rule identifies the test case.
        let mut cases = project.plan.cases.iter();
        let planned = cases.find(|case| case.line == Some(inserted.line));
        let planned = planned.ok_or_else(|| request_error("the command creates no test case"))?;
        let id = planned.id.clone();
        Ok(Self {
            project,
            id,
            rules: Some(inserted.text),
            _spool: None,
        })
    }

    /// The first other test case with the same input.
    pub(crate) fn repeats<'p>(
        &self,
        proposal: &Proposal<'_>,
        problem: &'p Problem,
    ) -> Option<&'p String> {
        let staged = proposal.staged(&format!("{}.in", self.id));
        let bytes = std::fs::metadata(&staged).map_or(0, |metadata| metadata.len());
        let same = |path: &Path| {
            // Sizes are compared first, so that most test cases need not be read.
            std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == bytes)
                && first_difference(path, &staged).is_ok_and(|place| place.is_none())
        };
        let mut others = problem.test_cases.iter().filter(|case| case.id != self.id);
        others.find(|case| same(&case.input)).map(|case| &case.id)
    }

    /// Describes the test case of a proposal.
    pub(crate) fn describe(&self, proposal: &Proposal<'_>) -> Addition {
        let id = &self.id;
        let input = size(&proposal.staged(&format!("{id}.in"))).unwrap_or_default();
        let planned = self.project.plan.cases.iter().find(|case| case.id == *id);
        let written = proposal.difference.write.iter();
        let mut files: Vec<String> = written.map(|path| format!("data/{path}")).collect();
        files.extend(self.rules.iter().map(|_| GENERATORS_FILE.to_owned()));
        files.push(LOCK_FILE.to_owned());
        let hint = "choose another `--name`, or move it away";
        let conflict = |path| format!("`data/{path}` already exists and was written by hand");
        let conflicts = proposal.difference.conflicts.iter();
        let conflicts = conflicts.map(|path: &String| (conflict(path), hint.to_owned()));
        let notices = proposal.notices.iter().filter(|notice| notice.id == *id);
        let validators = &self.project.problem.input_validators;
        let unvalidated = "the input was not validated: the package has no input validator";
        let unvalidated = validators.is_empty().then(|| unvalidated.to_owned());
        Addition {
            problem: self.project.name().to_owned(),
            id: id.clone(),
            input,
            command: planned.and_then(|planned| Some(planned.command.as_ref()?.to_text())),
            objections: conflicts.collect(),
            notices: unvalidated
                .into_iter()
                .chain(notices.map(|notice| notice.message.clone()))
                .collect(),
            files,
            ..Addition::default()
        }
    }
}

/// Writes an input into a temporary directory.
fn found_file(input: &[u8]) -> Result<(BTreeMap<String, PathBuf>, LockedDirectory), AddError> {
    let cannot = "cannot write the input to a temporary directory";
    let failed = |error| request_error(format!("{cannot}: {error}"));
    let spool = LockedDirectory::temporary(TemporaryPurpose::Add).map_err(failed)?;
    let file = spool.path().join("in");
    std::fs::write(&file, input).map_err(failed)?;
    Ok((BTreeMap::from([("in".to_owned(), file)]), spool))
}

/// Checks that a group is `sample`, `secret`, or inside one of them.
fn check_group(group: &str) -> Result<(), AddError> {
    match group.split('/').next() {
        Some("sample" | "secret") => Ok(()),
        _ => Err(request_error(format!(
            "expected `sample`, `secret` or a group in one of them, found `--to {group}`"
        ))),
    }
}

/// Names a test case of a group: the typed name, or else the suggested one with the first free
/// number.
fn name_case(
    problem: &Problem,
    group: &str,
    typed: Option<&str>,
    suggested: &str,
) -> Result<String, AddError> {
    let taken = |name: &str| {
        let id = format!("{group}/{name}");
        problem.test_cases.iter().any(|case| case.id == id)
    };
    match typed {
        Some(name) if !is_name(name) => Err(request_error(format!(
            "expected a name of letters, digits, `_`, `-` and `.`, found `{name}`"
        ))),
        Some(name) if taken(name) => Err(request_error(format!(
            "test case `{group}/{name}` already exists\nhint: choose another `--name`"
        ))),
        Some(name) => Ok(name.to_owned()),
        None => {
            let name = if is_name(suggested) {
                suggested
            } else {
                "added"
            };
            let numbered = (2..).map(|number| format!("{name}-{number}"));
            let mut names = std::iter::once(name.to_owned()).chain(numbered);
            Ok(names.find(|name| !taken(name)).unwrap_or_default())
        }
    }
}

/// Returns true for a valid name of a test case (2025-09, "General requirements").
fn is_name(name: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.len() <= 200
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_valid)
}

#[cfg(test)]
mod tests {
    use judge_model::{FormatVersion, TestCase};

    use super::*;

    fn problem(test_cases: &[&str]) -> Problem {
        let case = |id: &&str| TestCase {
            id: (*id).to_owned(),
            ..TestCase::default()
        };
        Problem {
            test_cases: test_cases.iter().map(case).collect(),
            ..Problem::new("sum", PathBuf::new(), FormatVersion::V2025_09)
        }
    }

    #[test]
    fn given_names_are_used_or_the_first_free_one() {
        let problem = problem(&["secret/big", "secret/big-2", "sample/1"]);
        let name = |group: &str, typed: Option<&str>, suggested: &str| {
            name_case(&problem, group, typed, suggested).map_err(|error| error.to_string())
        };
        assert_eq!(name("secret", None, "big").unwrap(), "big-3");
        assert_eq!(name("secret/large", None, "big").unwrap(), "big");
        assert_eq!(name("sample", Some("2"), "big").unwrap(), "2");
        assert_eq!(name("secret", None, "no name!").unwrap(), "added");
        for (group, typed, why) in [
            (
                "secret",
                Some("big"),
                "test case `secret/big` already exists",
            ),
            ("secret", Some("../x"), "expected a name of letters"),
            ("secret", Some(""), "expected a name of letters"),
            ("secret", Some(".hidden"), "expected a name of letters"),
        ] {
            let error = name(group, typed, "big").unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        assert!(check_group("sample").is_ok() && check_group("secret/large").is_ok());
        assert!(
            check_group("data").is_err()
                && check_group("").is_err()
                && check_group("secrets").is_err()
        );
    }
}
