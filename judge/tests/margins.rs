//! The margins around stated time limits, and the scores that directories demand: remarks of `run`,
//! and errors of `verify`.

use std::ffi::OsStr;
use std::process::Command;

use judge_event::SubmissionFinished;

use crate::programs::path;
use crate::workspace::{CommandOutput, Workspace, has};

/// Judges some submissions of a package of `testdata/packages`. Those that are too slow take
/// seconds.
fn run_submissions(command: &str, package: &str, submissions: &[&str]) -> Option<CommandOutput> {
    let workspace = Workspace::isolated()?;
    let submissions = submissions
        .iter()
        .map(|submission| path(package).join("submissions").join(submission));
    let words: Vec<_> = std::iter::once(command.into()).chain(submissions).collect();
    has("python3").then(|| workspace.events(words))
}

#[track_caller]
fn finished(output: &CommandOutput, submission: &str) -> SubmissionFinished {
    let submissions = output.state().problems.remove(0).submissions;
    let found = submissions
        .into_iter()
        .find(|state| state.started.submission == submission);
    found
        .and_then(|state| state.finished)
        .unwrap_or_else(|| panic!("no result of {submission} in:\n{}", output.stdout))
}

const TOO_SHORT: &str = "the time limit of 1 s is too short: `accepted/nearly.py` takes ";

#[test]
fn missing_margins_are_remarks() {
    let Some(output) = run_submissions(
        "run",
        "statedmargins",
        &[
            "accepted/nearly.py",
            "accepted/quick.py",
            "time_limit_exceeded/almost.py",
        ],
    ) else {
        return;
    };
    let output = output.exits(0);
    let nearly = finished(&output, "accepted/nearly.py");
    assert!(
        nearly.as_expected && nearly.violations.is_empty() && nearly.remarks.len() == 1,
        "{nearly:?}"
    );
    assert!(
        nearly.remarks[0].starts_with(TOO_SHORT) && nearly.remarks[0].contains("on `secret/3`"),
        "{nearly:?}"
    );
    for calm in ["accepted/quick.py", "time_limit_exceeded/almost.py"] {
        assert_eq!(finished(&output, calm).remarks, [""; 0], "{calm}");
    }
}

#[test]
fn verify_requires_the_margins_of_2025_09() {
    let Some(output) = run_submissions(
        "verify",
        "statedmargins",
        &[
            "accepted/nearly.py",
            "accepted/quick.py",
            "time_limit_exceeded/almost.py",
        ],
    ) else {
        return;
    };
    let output = output.exits(1);
    let violations = |submission| finished(&output, submission).violations;
    let nearly = violations("accepted/nearly.py");
    assert!(
        nearly.len() == 1 && nearly[0].starts_with(TOO_SHORT),
        "{nearly:?}"
    );
    let almost = violations("time_limit_exceeded/almost.py");
    // It computes for 1.4 s, and Python takes time to start.
    let words = "the time limit of 1 s is too long: `time_limit_exceeded/almost.py` must be too slow, but takes 1.";
    assert!(
        almost.len() == 1 && almost[0].starts_with(words) && almost[0].contains("on `secret/3`"),
        "{almost:?}"
    );
    assert_eq!(violations("accepted/quick.py"), [""; 0]);
}

#[test]
fn command_line_limits_have_no_margins() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let submission = path("statedmargins").join("submissions/accepted/nearly.py");
    let words = [
        OsStr::new("run"),
        "--time-limit".as_ref(),
        "3".as_ref(),
        submission.as_os_str(),
    ];
    let output = workspace.events(words).exits(0);
    assert_eq!(finished(&output, "accepted/nearly.py").remarks, [""; 0]);
}

#[test]
fn legacy_safety_margins_are_remarks() {
    let Some(output) = run_submissions(
        "verify",
        "safetymargin",
        &["accepted/quick.py", "time_limit_exceeded/nearly.py"],
    ) else {
        return;
    };
    let output = output.exits(0);
    let nearly = finished(&output, "time_limit_exceeded/nearly.py").remarks;
    let words = "sensitive to the time limit: `time_limit_exceeded/nearly.py` takes 1.";
    assert!(
        nearly.len() == 1 && nearly[0].starts_with(words) && nearly[0].contains("but not for 2 s"),
        "{nearly:?}"
    );
    assert_eq!(finished(&output, "accepted/quick.py").remarks, [""; 0]);
}

#[test]
fn legacy_directories_promise_scores() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    if !has("python3") {
        return;
    }
    let package = workspace.path("problems/legacygroups");
    assert!(
        Command::new("cp")
            .arg("-r")
            .args([path("legacygroups"), package])
            .status()
            .unwrap()
            .success()
    );
    let submissions = "problems/legacygroups/submissions";
    for (from, to) in [
        ("accepted/all.py", "partially_accepted/all.py"),
        ("partially_accepted/first.py", "accepted/first.py"),
    ] {
        let (from, to) = (
            workspace.path(&format!("{submissions}/{from}")),
            format!("{submissions}/{to}"),
        );
        workspace.write(&to, std::fs::read(from).unwrap());
    }
    let output = workspace.events(["run"]).exits(0);
    let remarks = |submission| finished(&output, submission).remarks;
    let without = remarks("accepted/first.py");
    assert!(
        without.len() == 1 && without[0].starts_with("is in `accepted` without the full score"),
        "{without:?}"
    );
    let with = remarks("partially_accepted/all.py");
    assert!(
        with.len() == 1 && with[0].starts_with("is in `partially_accepted` with the full score"),
        "{with:?}"
    );
    for calm in ["accepted/all.py", "partially_accepted/first.py"] {
        assert_eq!(remarks(calm), [""; 0], "{calm}");
    }
    workspace.judge(["run"]).exits(0).stdout_has(&[
        "accepted/first.py",
        "remark: is in `accepted` without the full score",
    ]);
}
