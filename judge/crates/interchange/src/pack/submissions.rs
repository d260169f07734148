//! Submissions for other judges, where directories express expectations.
//!
//! Responsible for their directories and for expectations without a directory. Must not compile or
//! run submissions.

use std::io;

use judge_event::Part;
use judge_model::{Expectation, Problem, Submission, Verdict};

use super::archive::Archive;
use super::legacy::LegacyJudge;
use super::programs::{ProgramFile, read_files};
use crate::remarks::Remarks;

/// The directories of Kattis. Source: Kattis/problemtools, model/submissions.py: others are an
/// error.
const OF_KATTIS: [&str; 5] = [
    "accepted",
    "partially_accepted",
    "wrong_answer",
    "run_time_error",
    "time_limit_exceeded",
];
/// The directories of DOMjudge. Source: DOMjudge, SubmissionService, PROBLEM_RESULT_REMAP.
const OF_DOMJUDGE: [&str; 7] = [
    "accepted",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "compiler_error",
    "no_output",
    "output_limit",
];
/// The directory for submissions that get some of the points.
const PARTIAL: &str = "partially_accepted";
/// The directory for submissions with several possible verdicts, which a tag in them lists.
const MIXED: &str = "mixed";
/// The maximum size of a submission in DOMjudge, in bytes. Source: the default of
/// `sourcesize_limit`.
const MAX_DOMJUDGE_BYTES: usize = 256 << 10;

/// Puts the submissions of a problem into an archive. Returns the number of accepted ones.
pub(super) fn put_submissions(
    problem: &Problem,
    target: LegacyJudge,
    archive: &mut Archive,
    remarks: &mut Remarks,
) -> io::Result<usize> {
    let mut accepted = 0;
    for submission in &problem.submissions {
        let Some((directory, name)) = submission.id.split_once('/') else {
            continue;
        };
        let name = name.replace(' ', "");
        let Some(place) = place_of(submission, directory, target, remarks) else {
            continue;
        };
        // Constants are replaced only in files of the package (2025-09, "Constants").
        let own = if submission.of_package {
            &problem.constants[..]
        } else {
            &[]
        };
        let mut files = read_files(&submission.path, own)?;
        if place == MIXED && !tag(&mut files[..], submission) {
            let message =
                "is left out: its expectation cannot be stated in a comment in its language";
            remarks.lost(Part::Solutions, &submission.id, message);
            continue;
        }
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        if target == LegacyJudge::Domjudge && bytes > MAX_DOMJUDGE_BYTES {
            let message = format!(
                "has {bytes} bytes: DOMjudge skips more than {MAX_DOMJUDGE_BYTES} by default"
            );
            remarks.lost(Part::Solutions, &submission.id, message);
        }
        accepted += usize::from(place == "accepted");
        let is_directory = submission.path.is_dir();
        for file in files {
            if is_directory && target == LegacyJudge::Domjudge && file.name.contains('/') {
                let message = format!(
                    "loses `{}`: DOMjudge takes files directly in a directory",
                    file.name
                );
                remarks.lost(Part::Solutions, &submission.id, message);
                continue;
            }
            let path = if is_directory {
                format!("submissions/{place}/{name}/{}", file.name)
            } else {
                format!("submissions/{place}/{name}")
            };
            archive.put_program(path, file.bytes, file.executable);
        }
    }
    Ok(accepted)
}

/// Returns the directory of a submission for the other judge, or `None` with a remark if there is
/// none.
fn place_of<'s>(
    submission: &Submission,
    directory: &'s str,
    target: LegacyJudge,
    remarks: &mut Remarks,
) -> Option<&'s str> {
    let known: &[&str] = if target == LegacyJudge::Kattis {
        &OF_KATTIS
    } else {
        &OF_DOMJUDGE
    };
    // Source: problemtools, verifyproblem.py: a submission with points is accepted as a whole,
    // regardless of verdicts on single test cases.
    let gets_points = |rule: &Expectation| {
        rule.scope.is_none() && rule.score.is_some_and(|score| score.min.0 > 0.0)
    };
    let is_partial = submission.expectations.iter().any(gets_points);
    if target == LegacyJudge::Kattis && is_partial && !matches!(directory, "accepted" | PARTIAL) {
        let message = format!(
            "is expected to get points, and is put into `{PARTIAL}`: its verdicts on test cases are lost"
        );
        remarks.lost(Part::Solutions, &submission.id, message);
        return Some(PARTIAL);
    }
    // Expectations beyond the directory are lost, since these judges only use the directory.
    if known.contains(&directory) {
        let by_directory = format!("directory `{directory}`");
        if submission
            .expectations
            .iter()
            .any(|rule| rule.origin != by_directory && !concerns_time(rule))
        {
            let message = format!("keeps only the expectation of its directory `{directory}`");
            remarks.lost(Part::Solutions, &submission.id, message);
        }
        return Some(directory);
    }
    if target == LegacyJudge::Domjudge && !verdicts_of(submission).is_empty() {
        return Some(MIXED);
    }
    let message = format!("is left out: the target has no directory `{directory}`");
    remarks.lost(Part::Solutions, &submission.id, message);
    None
}

fn concerns_time(rule: &Expectation) -> bool {
    rule.required.is_empty()
        && rule.whole.is_empty()
        && rule.score.is_none()
        && rule.message.is_none()
        && rule.scope.is_none()
        && rule.time_limit.is_some()
}

/// Returns the permitted verdicts of a submission as a whole, if a single rule states them.
fn verdicts_of(submission: &Submission) -> Vec<Verdict> {
    let [rule] = &submission.expectations[..] else {
        return Vec::new();
    };
    if rule.scope.is_some() {
        return Vec::new();
    }
    let sets = [&rule.whole, &rule.required, &rule.permitted];
    let stated = sets.into_iter().find(|set| !set.is_empty());
    stated.cloned().unwrap_or_default()
}

/// Appends a comment with the verdicts to the first file that can have one. Returns false if no
/// file can. Source: DOMjudge, "Expected results".
fn tag(files: &mut [ProgramFile], submission: &Submission) -> bool {
    const TAG: &[u8] = b"@EXPECTED_RESULTS@";
    // No tag is added next to the author's, since DOMjudge refuses a second one.
    let is_tagged = |file: &ProgramFile| file.bytes.windows(TAG.len()).any(|part| part == TAG);
    if files.iter().any(is_tagged) {
        return true;
    }
    let words: Vec<&str> = verdicts_of(submission)
        .iter()
        .filter_map(|verdict| word_of(*verdict))
        .collect();
    let comment = |name: &str| match name.rsplit_once('.')?.1 {
        "c" | "cc" | "cpp" | "cxx" | "rs" | "java" | "js" | "go" | "kt" | "cs" | "swift"
        | "scala" => Some("//"),
        "py" | "rb" | "pl" | "sh" | "jl" => Some("#"),
        _ => None,
    };
    let Some((file, sign)) = files
        .iter_mut()
        .find_map(|file| comment(&file.name).map(|sign| (file, sign)))
    else {
        return false;
    };
    if !file.bytes.ends_with(b"\n") {
        file.bytes.push(b'\n');
    }
    file.bytes
        .extend_from_slice(format!("{sign} @EXPECTED_RESULTS@: {}\n", words.join(", ")).as_bytes());
    true
}

fn word_of(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Accepted => Some("CORRECT"),
        Verdict::WrongAnswer => Some("WRONG-ANSWER"),
        Verdict::TimeLimitExceeded => Some("TIMELIMIT"),
        Verdict::RunTimeError | Verdict::MemoryLimitExceeded => Some("RUN-ERROR"),
        Verdict::OutputLimitExceeded => Some("OUTPUT-LIMIT"),
        Verdict::CompileError => Some("COMPILER-ERROR"),
        _ => None,
    }
}
