//! Submissions: the package's `submissions/` and the workspace's `solutions/<problem>/`.
//!
//! Responsible for finding them, and for combining their expectations: from the directory, from
//! `submissions.yaml` and from tags in sources. Must not know whether they compile or meet their
//! expectations.

mod answers;
mod directories;
mod expected;
mod globs;
mod language;
pub(crate) mod rules;
mod scopes;
pub(crate) mod tags;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::{Expectation, Language, Problem, Submission};

use self::expected::{DescriptionRules, ProblemContext};
use self::language::{NamedLanguage, is_source, recognise_submission};
use self::rules::{DESCRIPTION, Rule};
use crate::code;
use crate::disk::tree::{Folder, invalid_name};
use crate::error::{Finding, Findings};
use crate::metadata::Dialect;
use crate::programs::format_languages::{is_known, known_codes};
use crate::programs::{RecognitionFailure, unrecognised_error};
use crate::suggest::{did_you_mean, likely_intended};

/// The directories with a meaning, for hints (2025-09, "Example submissions").
const DIRECTORIES: [&str; 6] = [
    "accepted",
    "rejected",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "brute_force",
];

/// The usual short names of verdicts, and the directories for them.
const SHORT_NAMES: [(&str, &str); 5] = [
    ("ac", "accepted"),
    ("wa", "wrong_answer"),
    ("tle", "time_limit_exceeded"),
    ("rte", "run_time_error"),
    ("re", "run_time_error"),
];

/// The hint at a directory that is named by a short name.
fn spelt_out(name: &str) -> Option<String> {
    let (_, directory) = SHORT_NAMES
        .iter()
        .find(|(short, _)| short.eq_ignore_ascii_case(name))?;
    Some(format!("did you mean `{directory}`?"))
}

/// The submissions of a package and of its directory of solutions, in order of their ids. The rest
/// of the problem must be complete.
pub(crate) fn submissions(
    problem: &Problem,
    solutions: Option<&Path>,
    dialect: Dialect,
    languages: &[Language],
    findings: &mut Findings,
) -> Vec<Submission> {
    let place = ProblemContext { problem, dialect };
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut submissions = Vec::new();
    let own = problem.directory.join("submissions");
    for root in [Some(own.clone()), solutions.map(Path::to_owned)]
        .into_iter()
        .flatten()
    {
        let Some(root) = Folder::read_flat(&root, findings) else {
            continue;
        };
        let mut entries: Vec<(String, PathBuf)> = Vec::new();
        warn_of_loose(&root, languages, findings);
        for (directory, folder) in &root.folders {
            let Some(folder) = Folder::read_flat(&folder.path, findings) else {
                continue;
            };
            warn_of_ignored(&folder, languages, findings);
            let folders = folder
                .folders
                .into_iter()
                .map(|(name, folder)| (name, folder.path));
            for (name, path) in folder.files.into_iter().chain(folders) {
                let id = format!("{directory}/{name}");
                if is_new(&mut found, &id, &path, findings) {
                    entries.push((id, path));
                }
            }
        }
        submissions.extend(submissions_in(&place, &root, entries, languages, findings));
    }
    // Both places count: the workspace may keep all solutions outside of the package.
    if !found.keys().any(|id| id.starts_with("accepted/")) {
        let message =
            "no submission is in `accepted`: nothing shows that the problem can be solved";
        findings.warn_at(code::NO_ACCEPTED, &own, message);
    }
    submissions.sort_by(|a, b| a.id.cmp(&b.id));
    submissions
}

/// The submissions in one directory of directories, which may have its own description.
fn submissions_in(
    place: &ProblemContext<'_>,
    root: &Folder,
    entries: Vec<(String, PathBuf)>,
    languages: &[Language],
    findings: &mut Findings,
) -> Vec<Submission> {
    let document = root
        .files
        .get(DESCRIPTION)
        .and_then(|file| rules::open(file, findings));
    let rules = document
        .as_ref()
        .map(|document| rules::read(document, findings))
        .unwrap_or_default();
    check_languages(&rules, languages, findings);
    let description_rules = DescriptionRules::new(place, &rules, findings);
    let mut submissions = Vec::new();
    for (id, path) in entries {
        let mut submission = Submission {
            id,
            path,
            of_package: true,
            ..Submission::default()
        };
        if place.problem.submit_answer {
            answers::read(&mut submission, place.problem, findings);
        } else {
            recognise(&mut submission, place, &rules, languages, findings);
        }
        submission.expectations = description_rules.expectations_of(&submission, findings);
        submissions.push(submission);
    }
    description_rules.warn_of_unused(&submissions, findings);
    warn_of_unknown(root, &mut submissions, findings);
    submissions
}

/// True if the id is new. A duplicate in the package or the solutions is an error.
fn is_new(
    found: &mut BTreeMap<String, PathBuf>,
    id: &str,
    path: &Path,
    findings: &mut Findings,
) -> bool {
    if let Some(first) = found.get(id) {
        let message = format!(
            "submission `{id}` exists twice, the other one at {}",
            first.display()
        );
        let hint = "rename one of them: their results would be ambiguous".to_owned();
        let error = Finding::new(code::DUPLICATE_SUBMISSION, path, message);
        findings.error(error.hint(Some(hint)));
        return false;
    }
    found.insert(id.to_owned(), path.to_owned());
    true
}

/// Determines the language and the entry point of a submission.
fn recognise(
    submission: &mut Submission,
    place: &ProblemContext<'_>,
    rules: &[Rule<'_>],
    languages: &[Language],
    findings: &mut Findings,
) {
    let covering = || rules.iter().filter(|rule| rule.glob.covers(&submission.id));
    // Several globs may cover a submission. The first language that is known counts: an unknown
    // one was reported with its glob.
    let language = covering()
        .filter_map(|rule| rule.language.as_ref())
        .find(|(code, _)| is_known(code, languages));
    let entry_point = covering().find_map(|rule| rule.entry_point.as_ref());
    let named = NamedLanguage {
        language: language.map(|(code, _)| code.as_str()),
        entry_point: entry_point.map(|(name, _)| name.as_str()),
        only_one: !place.dialect.is_legacy(),
    };
    let reason = match recognise_submission(&submission.path, named, languages, findings) {
        Ok(found) => {
            submission.sources = found.sources;
            submission.language = Some(found.language);
            submission.entry_class = found.entry_class;
            return;
        }
        Err(reason) => reason,
    };
    let id = &submission.id;
    match (&reason, entry_point) {
        (RecognitionFailure::NoEntryPoint(_), Some((_, node))) => {
            let message = format!("submission `{id}`: {}", reason.message());
            findings.error(node.error(code::ENTRY_POINT_MISSING, message));
        }
        // 2025-09 demands files of one language, or its name in the description. Legacy has no
        // such rule, so there it is a warning.
        (RecognitionFailure::SeveralLanguages(_), _) if !place.dialect.is_legacy() => {
            let hint = format!("name its `language` in `{DESCRIPTION}`");
            let error =
                unrecognised_error(&submission.path, "submission", &reason).hint(Some(hint));
            findings.error(error.coded(code::SUBMISSION_UNRECOGNISED));
        }
        _ => {
            let message = format!("submission `{id}` cannot be judged: {}", reason.message());
            findings.warn_at(code::SUBMISSION_UNRECOGNISED, &submission.path, message);
        }
    }
}

fn check_languages(rules: &[Rule<'_>], languages: &[Language], findings: &mut Findings) {
    for (code, node) in rules.iter().filter_map(|rule| rule.language.as_ref()) {
        if !is_known(code, languages) {
            let error = node.expected("the code of a language, such as `cpp`");
            findings.error(error.hint(did_you_mean(code, known_codes(languages))));
        }
    }
}

/// Warns about files next to the directories, which are not submissions.
fn warn_of_loose(root: &Folder, languages: &[Language], findings: &mut Findings) {
    for (name, path) in &root.files {
        if is_source(name, languages) {
            let message = "ignored: expected in a directory of submissions such as `accepted`";
            findings.warn_at(code::SUBMISSION_LOOSE, path, message);
        } else if name == "submissions.yml" {
            let message = format!("ignored: expected the name `{DESCRIPTION}`");
            findings.warn_at(code::ENTRY_UNKNOWN, path, message);
        }
    }
}

/// Warns about directories whose submissions have no expectations. If the name of a directory is
/// almost one with a meaning, its submissions count as unexpected.
fn warn_of_unknown(root: &Folder, submissions: &mut [Submission], findings: &mut Findings) {
    for (name, folder) in &root.folders {
        let inside = |submission: &Submission| {
            submission
                .id
                .strip_prefix(name)
                .is_some_and(|id| id.starts_with('/'))
        };
        let (mut some, mut expected) = (false, false);
        for submission in submissions.iter().filter(|submission| inside(submission)) {
            some = true;
            expected |= !submission.expectations.is_empty();
        }
        // A directory whose submissions have expectations by a glob or a tag has a meaning,
        // regardless of its name.
        if !some
            || expected
            || directories::is_mixed(name)
            || Expectation::of_directory(name).is_some()
        {
            continue;
        }
        let message =
            format!("unknown directory `{name}`: nothing is expected of the submissions in it");
        let intended = likely_intended(name, DIRECTORIES);
        let code = if intended.is_some() {
            code::DIRECTORY_MISSPELT
        } else {
            code::DIRECTORY_UNKNOWN
        };
        let hint = did_you_mean(name, DIRECTORIES).or_else(|| spelt_out(name));
        findings.warn(Finding::new(code, &folder.path, message).hint(hint));
        let Some(intended) = intended else { continue };
        for submission in submissions
            .iter_mut()
            .filter(|submission| inside(submission))
        {
            submission.misplaced = Some(format!(
                "expected the directory `{intended}`, found `{name}`, which is unknown"
            ));
        }
    }
}

fn warn_of_ignored(folder: &Folder, languages: &[Language], findings: &mut Findings) {
    for path in &folder.ignored {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy())
            .unwrap_or_default();
        if !name.starts_with('.') && is_source(&name, languages) {
            findings.warn(invalid_name(path));
        }
    }
}

#[cfg(test)]
#[path = "submissions_tests.rs"]
mod tests;
