//! Submissions that are answers, for problems of type `submit-answer`.
//!
//! Responsible for assigning files to test cases. Must not read the files.
//!
//! Source: 2025-09, "Problem types": "a submission consists of the answers to the test cases".
//! Their layout on disk is not specified. A single file answers every test case. A directory has a
//! file for each, named by the id of the test case (`secret/03.out`), by the part after `secret/`
//! or `sample/`, or by its last component if that is unique. The extensions `.out`, `.ans` and
//! `.txt` are optional.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_model::{Problem, Submission};

use crate::code;
use crate::disk::tree::Folder;
use crate::error::{Finding, Findings};
use crate::programs::sources_in;

const EXTENSIONS: [&str; 3] = [".out", ".ans", ".txt"];

/// Fills in the answers of a submission.
pub(super) fn read(submission: &mut Submission, problem: &Problem, findings: &mut Findings) {
    let ids = || {
        problem
            .test_cases
            .iter()
            .map(|test_case| test_case.id.clone())
    };
    let Some(folder) = Folder::read(&submission.path, findings) else {
        submission.answers = ids().map(|id| (id, submission.path.clone())).collect();
        return;
    };
    let files = sources_in(&folder);
    let mut by_name: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files {
        let text = file.to_string_lossy().replace('\\', "/");
        let name = EXTENSIONS
            .iter()
            .find_map(|extension| text.strip_suffix(extension))
            .unwrap_or(&text)
            .to_owned();
        let path = folder.path.join(&file);
        if let Some(other) = by_name.get(&name) {
            let message = format!(
                "answers the same test case as {}, and is ignored",
                other.display()
            );
            findings.warn_at(code::ANSWERS_NOTHING, &path, message);
        } else {
            by_name.insert(name, path);
        }
    }
    for id in ids() {
        let below = id.split_once('/').map_or(id.as_str(), |(_, below)| below);
        let last = id.rsplit('/').next().unwrap_or(&id).to_owned();
        let is_unique = ids()
            .filter(|other| other.rsplit('/').next() == Some(&last))
            .count()
            == 1;
        let found = [
            Some(id.clone()),
            Some(below.to_owned()),
            is_unique.then_some(last),
        ]
        .into_iter()
        .flatten()
        .find_map(|name| by_name.get(&name).cloned());
        if let Some(path) = found {
            submission.answers.insert(id, path);
        }
    }
    by_name.retain(|_, path| !submission.answers.values().any(|used| used == path));
    for path in by_name.values() {
        findings.warn_at(code::ANSWERS_NOTHING, path, "answers no test case");
    }
    if submission.answers.is_empty() {
        let message = format!("submission `{}` answers no test case", submission.id);
        let hint = "name one of its files like a test case, such as `secret/01.out`".to_owned();
        findings
            .warn(Finding::new(code::ANSWERS_NOTHING, &submission.path, message).hint(Some(hint)));
    }
}
