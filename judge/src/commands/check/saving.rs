//! `judge check --save`: generated inputs and outputs become test cases of the package.
//!
//! Responsible for the files of a case and for unused names. Must not know how the cases are found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use judge_files::{Transaction, Withstands};
use judge_lint::{ExtraPart, FailingCase};
use judge_model::{FormatVersion, TestCase};
use judge_package::{InputValidatorArgs, LoadedPackage, Workspace, read_within};
use serde_json::json;

use crate::failure::Failure;
use crate::messages::note;

/// The maximum size in bytes of a file that is compared with a case to be saved.
const MAX_COMPARED: u64 = 1 << 20;

/// The maximum size in bytes of an input or answer that is copied.
const MAX_COPIED: u64 = 64 << 20;

/// The files of one case by their extensions.
type Files = BTreeMap<&'static str, Vec<u8>>;

/// The cases to be saved, by the directory of their package.
#[derive(Default)]
pub(crate) struct SavedCases {
    packages: BTreeMap<PathBuf, Vec<(ExtraPart, String, Files)>>,
    /// Packages whose format has no place for such cases.
    legacy: Vec<PathBuf>,
}

impl SavedCases {
    /// Adds a case.
    ///
    /// # Errors
    /// When the test case that it is derived from cannot be read.
    pub(crate) fn add(
        &mut self,
        loaded: &LoadedPackage,
        case: &FailingCase,
    ) -> Result<(), Failure> {
        let problem = &loaded.problem;
        if problem.format != FormatVersion::V2025_09 {
            self.legacy.push(problem.directory.clone());
            return Ok(());
        }
        let Some(like) = problem
            .test_cases
            .iter()
            .find(|found| found.id == case.like)
        else {
            return Ok(());
        };
        let mut files = Files::new();
        if case.part == ExtraPart::InvalidInput {
            files.insert("in", case.bytes.clone());
        } else {
            files.insert("in", read(&like.input)?);
            files.insert("ans", read(&like.answer)?);
            files.insert("out", case.bytes.clone());
        }
        if let Some(settings) = settings(loaded, like, case.part) {
            files.insert("yaml", settings);
        }
        // The same bytes may be accepted with the arguments of several groups. Each set of
        // arguments is a separate case with its own settings.
        let of_package = self.packages.entry(problem.directory.clone()).or_default();
        if of_package
            .iter()
            .all(|(part, _, others)| (*part, others) != (case.part, &files))
        {
            of_package.push((case.part, case.name.clone(), files));
        }
        Ok(())
    }

    /// Writes the cases into their packages, and prints their paths. Each package gets all of its
    /// cases or none.
    ///
    /// # Errors
    /// When a package cannot be changed. The cases of the others are written.
    pub(crate) fn write(mut self, workspace: &Workspace) -> Result<(), Failure> {
        self.legacy.dedup();
        for package in &self.legacy {
            note(&format!(
                "`{}` is in the legacy format, which has no place for cases of validators: nothing is saved; \
                 `judge upgrade` converts it",
                workspace.shown(package)
            ));
        }
        if self.packages.is_empty() && self.legacy.is_empty() {
            note(
                "no finding has an input or output that becomes a test case; the format has no place for those of \
                 interactive and multi-pass problems",
            );
        }
        let mut failed = Ok(());
        for (package, cases) in &self.packages {
            match write_cases(package, cases) {
                Ok(saved) => report(workspace, package, &saved),
                // The last failure decides the exit code and is printed at the end; the others are
                // printed here.
                Err(failure) => {
                    if let Err(other) = std::mem::replace(&mut failed, Err(failure)) {
                        note(&format!("nothing is saved: {other}"));
                    }
                }
            }
        }
        failed
    }
}

/// Writes cases into a package and returns their paths without extensions.
fn write_cases(
    package: &Path,
    cases: &[(ExtraPart, String, Files)],
) -> Result<Vec<PathBuf>, Failure> {
    let mut transaction = Transaction::begin(package, Withstands::Kills)?;
    let mut saved = Vec::new();
    for (part, name, files) in cases {
        let directory = Path::new("data").join(part.name());
        let Some(stem) = free_name(package, &directory, name, files, &saved)? else {
            continue;
        };
        for (extension, content) in files {
            transaction.write(&directory.join(format!("{stem}.{extension}")), content)?;
        }
        saved.push(directory.join(stem));
    }
    transaction.commit()?;
    Ok(saved)
}

fn report(workspace: &Workspace, package: &Path, saved: &[PathBuf]) {
    for case in saved {
        note(&format!("saved `{}`", workspace.shown(&package.join(case))));
    }
    if !saved.is_empty() {
        let name = workspace.shown(package);
        note(&format!(
            "once the validators are fixed, `judge check --data {name}` reports nothing"
        ));
    }
}

/// Returns an unused name for a case; `None` when a case with such a name has the same files.
fn free_name(
    package: &Path,
    directory: &Path,
    name: &str,
    files: &Files,
    saved: &[PathBuf],
) -> Result<Option<String>, Failure> {
    for number in 1_u32.. {
        let stem = if number == 1 {
            name.to_owned()
        } else {
            format!("{name}-{number}")
        };
        let path = |extension: &str| package.join(directory).join(format!("{stem}.{extension}"));
        let exists = |extension: &str| fs::symlink_metadata(path(extension)).is_ok();
        if saved.contains(&directory.join(&stem)) {
            continue;
        }
        // A file of any of these kinds would count as a part of the new case.
        if !["in", "ans", "out", "yaml"].into_iter().any(exists) {
            return Ok(Some(stem));
        }
        let is_same = |(extension, content): (&&str, &Vec<u8>)| {
            read_within(&path(extension), MAX_COMPARED).is_ok_and(|found| found == *content)
        };
        if files.iter().all(is_same) {
            return Ok(None);
        }
    }
    Err(Failure::Usage("no name is free".to_owned()))
}

/// The settings of a case: those of the test case that it is derived from, since other groups may
/// have other ones.
fn settings(loaded: &LoadedPackage, like: &TestCase, part: ExtraPart) -> Option<Vec<u8>> {
    let input_args = match loaded.input_validator_args.get(&like.id) {
        Some(InputValidatorArgs::All(args)) => json!(args),
        Some(InputValidatorArgs::ByName(by_name)) => json!(by_name),
        None => json!([]),
    };
    let mut settings = vec![
        ("input_validator_args", input_args),
        ("args", json!(like.args)),
    ];
    if part != ExtraPart::InvalidInput {
        settings.push((
            "output_validator_args",
            json!(like.output_validator_args.all),
        ));
    }
    let data = loaded.problem.directory.join("data");
    let inherits = [data.clone(), data.join(part.name())]
        .iter()
        .any(|group| group.join("test_group.yaml").exists());
    settings.retain(|(_, value)| inherits || *value != json!([]));
    // JSON is YAML.
    let lines = settings
        .iter()
        .map(|(key, value)| format!("{key}: {value}\n"));
    (!settings.is_empty()).then(|| lines.collect::<String>().into_bytes())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_within(path, MAX_COPIED).map_err(|error| {
        Failure::Package(format!(
            "cannot save a case like `{}`: {error}",
            path.display()
        ))
    })
}
