//! Submissions and the package's programs: useless ones, and those that other systems cannot run.
//!
//! Must not know how programs are compiled.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use judge_model::{CHECKTESTDATA, Problem, Program, SCRIPT_LANGUAGES, Submission, Verdict};
use judge_package::code;

use super::bytes::same;
use super::findings::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(problem) = subject.problem() else {
        return;
    };
    check_submissions(subject, problem, findings);
    check_duplicates(problem, findings);
    check_validators(subject, problem, findings);
}

fn check_submissions(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    let place = subject.directory.join("submissions");
    let is_accepted = |submission: &Submission| submission.id.starts_with("accepted/");
    if !problem.submissions.iter().any(is_accepted) {
        let message =
            "no submission is in `accepted`: nothing shows that the problem can be solved";
        findings.add(code::NO_ACCEPTED, &place, message);
    }
    let may_be_rejected = |submission: &Submission| {
        submission
            .expectations
            .iter()
            .any(|rule| rule.permitted != [Verdict::Accepted] && !rule.permitted.is_empty())
    };
    if !problem.submissions.iter().any(may_be_rejected) {
        let message = "no submission is expected to be rejected";
        findings.add(code::NOTHING_REJECTED, &place, message);
    }
    let limit = problem.limits.code_bytes;
    for submission in &problem.submissions {
        let size = code_bytes(submission);
        if size > limit {
            let message = format!(
                "`{}` has {size} bytes; the code limit is {limit} bytes",
                submission.id
            );
            findings.add(code::CODE_OVER_LIMIT, &submission.path, message);
        }
    }
}

/// The size of the sources of a submission, in bytes.
fn code_bytes(submission: &Submission) -> u64 {
    let root = if submission.path.is_dir() {
        &submission.path
    } else {
        submission.path.parent().unwrap_or(Path::new(""))
    };
    let files = submission.sources.iter().map(|source| root.join(source));
    let files = files.filter_map(|file| fs::metadata(file).ok());
    files.map(|file| file.len()).sum()
}

/// Finds submissions of one file with the same bytes. Links are intentional.
fn check_duplicates(problem: &Problem, findings: &mut Findings) {
    let mut by_size: BTreeMap<u64, Vec<&Submission>> = BTreeMap::new();
    for submission in &problem.submissions {
        let Ok(metadata) = fs::symlink_metadata(&submission.path) else {
            continue;
        };
        // A link to another submission shares its bytes on purpose.
        if !metadata.is_file() {
            continue;
        }
        let alike = by_size.entry(metadata.len()).or_default();
        let twin = alike
            .iter()
            .find(|other| same(&other.path, &submission.path));
        match twin {
            Some(twin) => {
                let message = format!("`{}` has the same bytes as `{}`", submission.id, twin.id);
                findings.add(code::SUBMISSION_TWICE, &submission.path, message);
            }
            None => alike.push(submission),
        }
    }
}

/// Source: 2025-09, "Programs": the languages that every system supports.
fn check_validators(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    let output = problem.output_validator.programs();
    // Every judge that accepts the format supports these languages.
    let is_known = |id: &str| id == CHECKTESTDATA || SCRIPT_LANGUAGES.contains(&id);
    let is_uncommon =
        |program: &&Program| program.scripts.is_none() && !is_known(&program.language.0);
    let validators = problem.input_validators.iter().chain(output);
    for program in validators.filter(is_uncommon) {
        let message = format!(
            "is written in `{}`, which judging systems need not support",
            program.language
        );
        findings.add(code::VALIDATOR_LANGUAGE, &program.path, message);
    }
    if output.len() > 1 {
        let message = format!(
            "{} output validators: some systems run the first one only",
            output.len()
        );
        let place = subject.directory.join("output_validators");
        findings.add(code::SEVERAL_OUTPUT_VALIDATORS, &place, message);
    }
}
