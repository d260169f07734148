//! Submissions: the package's `submissions/` and the workspace's `solutions/<problem>/`.
//!
//! Responsible for finding them and for what their directories say of them. Must not know whether they compile.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::{Expectation, Language, Submission};

use crate::error::{Findings, PackageError};
use crate::metadata::Dialect;
use crate::programs::{Recognised, Unrecognised, language_of, recognise, unrecognised_error};
use crate::suggest::did_you_mean;
use crate::tree::Folder;
use crate::yaml::{Document, Value};

/// The directories with a meaning, for hints (2025-09, "Submissions").
const DIRECTORIES: [&str; 6] =
    ["accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force"];

/// The submissions of a package and of its directory of solutions, in order of their ids.
pub(crate) fn submissions(
    package: &Path,
    solutions: Option<&Path>,
    dialect: Dialect,
    languages: &[Language],
    findings: &mut Findings,
) -> Vec<Submission> {
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    for root in [Some(package.join("submissions")), solutions.map(Path::to_owned)].into_iter().flatten() {
        let Some(root) = Folder::read_flat(&root, findings) else { continue };
        check_loose_files(&root, languages, findings);
        for (directory, folder) in &root.folders {
            warn_of_unknown(directory, &folder.path, findings);
            let Some(folder) = Folder::read_flat(&folder.path, findings) else { continue };
            warn_of_ignored(&folder, languages, findings);
            let folders = folder.folders.into_iter().map(|(name, folder)| (name, folder.path));
            for (name, path) in folder.files.into_iter().chain(folders) {
                insert(&mut found, format!("{directory}/{name}"), path, findings);
            }
        }
    }
    if !found.keys().any(|id| id.starts_with("accepted/")) {
        findings.warn(
            &package.join("submissions"),
            None,
            "no submission is in `accepted`: nothing shows that the problem can be solved",
        );
    }
    found.into_iter().map(|(id, path)| submission(id, path, dialect, languages, findings)).collect()
}

fn insert(found: &mut BTreeMap<String, PathBuf>, id: String, path: PathBuf, findings: &mut Findings) {
    if let Some(first) = found.get(&id) {
        let message = format!("submission `{id}` is there twice, the other one at {}", first.display());
        let hint = "rename one of them: their results could not be told apart".to_owned();
        findings.error(PackageError::invalid(&path, None, message).hint(Some(hint)));
    } else {
        found.insert(id, path);
    }
}

fn submission(
    id: String,
    path: PathBuf,
    dialect: Dialect,
    languages: &[Language],
    findings: &mut Findings,
) -> Submission {
    let recognised = recognise(&path, languages, findings);
    let expectations = id.split('/').next().and_then(Expectation::of_directory).into_iter().collect();
    match recognised {
        Ok(Recognised { sources, language, entry_class }) => Submission {
            id,
            path,
            sources,
            language: Some(language),
            entry_class,
            of_package: true,
            expectations,
            ..Submission::default()
        },
        Err(reason) => {
            let several = matches!(reason, Unrecognised::SeveralLanguages(_));
            if several && !dialect.is_legacy() {
                findings.error(unrecognised_error(&path, "submission", &reason));
            } else {
                findings.warn(&path, None, format!("submission `{id}` cannot be judged: {}", reason.message()));
            }
            Submission { id, path, of_package: true, expectations, ..Submission::default() }
        }
    }
}

/// Files beside the directories are no submissions. `submissions.yaml` says more about them, which is not read yet.
fn check_loose_files(root: &Folder, languages: &[Language], findings: &mut Findings) {
    for (name, path) in &root.files {
        if name == "submissions.yaml" {
            match Document::read(path) {
                Ok(document) if *document.root().value() == Value::Null => {}
                Ok(document) => findings.error(document.root().unsupported("expectations in `submissions.yaml`")),
                Err(error) => findings.error(error),
            }
        } else if language_of(name, languages).is_some() {
            findings.warn(path, None, "ignored: a submission lies in a directory such as `accepted`");
        }
    }
}

fn warn_of_unknown(directory: &str, path: &Path, findings: &mut Findings) {
    if Expectation::of_directory(directory).is_none() {
        let message = format!("unknown directory `{directory}`: nothing is expected of the submissions in it");
        findings.warn_with(path, None, message, did_you_mean(directory, DIRECTORIES));
    }
}

fn warn_of_ignored(folder: &Folder, languages: &[Language], findings: &mut Findings) {
    for path in &folder.ignored {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        if !name.starts_with('.') && language_of(&name, languages).is_some() {
            let hint = "names have letters, digits, `_`, `.` and `-`, and start with a letter, a digit or `_`";
            findings.warn_with(path, None, "ignored: its name is not allowed", Some(hint.to_owned()));
        }
    }
}

#[cfg(test)]
#[path = "submissions_tests.rs"]
mod tests;
