//! Time limits that packages leave open.

use std::ffi::OsStr;

use judge_model::Verdict;

use crate::programs::{judged, path};
use crate::workspace::Workspace;

#[test]
fn a_time_limit_is_inferred_from_what_must_be_fast_enough() {
    let Some(said) = judged("inferredlimit") else { return };
    let said = said.exits(0);
    let started = said.state().problems.remove(0).started;
    let from = started.time_limit_from.clone().unwrap();
    assert_eq!((from.submission.as_str(), from.test_case.as_str()), ("accepted/slower.py", "secret/3"));
    assert!(from.cpu_time_us >= 400_000, "{from:?}");
    // On the grid of a tenth of a second, and the smallest that is twice of it.
    assert_eq!(started.time_limit_us % 100_000, 0);
    assert!((2 * from.cpu_time_us..2 * from.cpu_time_us + 100_000).contains(&started.time_limit_us), "{started:?}");
    assert_eq!(said.verdict("time_limit_exceeded/endless.py"), Verdict::TimeLimitExceeded);
    // What was measured is told, not run again: the very same time.
    let told = said.test_cases().find(|of| of.submission == from.submission && of.test_case == from.test_case).unwrap();
    assert_eq!(told.cpu_time_us, from.cpu_time_us);
}

#[test]
fn a_selection_has_the_time_limit_of_the_whole() {
    let Some(workspace) = Workspace::isolated() else { return };
    let path = path("inferredlimit");
    let wrong = path.join("submissions/wrong_answer/wrong.py");
    let said = workspace.events([OsStr::new("run"), wrong.as_os_str(), "--samples".as_ref()]).exits(0);
    let started = said.state().problems.remove(0).started;
    assert_eq!(started.submissions, ["wrong_answer/wrong.py"]);
    assert_eq!(started.time_limit_from.unwrap().submission, "accepted/slower.py");
    let submit = [OsStr::new("submit"), "-p".as_ref(), path.as_os_str(), wrong.as_os_str()];
    workspace.judge(submit).exits(1).tells(&["inferredlimit: wrong answer on sample/1"]);
}

#[test]
fn what_must_be_too_slow_must_be_so_by_the_margin() {
    let Some(workspace) = Workspace::isolated() else { return };
    let path = path("slowenough");
    // Also when judging stops early: the submission runs until it was slow enough, or to its end.
    let said = workspace.events([OsStr::new("run"), path.as_os_str()]).exits(1);
    assert_eq!(said.verdict("time_limit_exceeded/almost.py"), Verdict::TimeLimitExceeded);
    assert_eq!(said.verdict("time_limit_exceeded/enough.py"), Verdict::TimeLimitExceeded);
    let violations = |id: &str| {
        let submissions = said.state().problems.remove(0).submissions;
        submissions.into_iter().find(|of| of.started.submission == id).unwrap().finished.unwrap().violations
    };
    let told = violations("time_limit_exceeded/almost.py");
    assert!(
        told.len() == 1 && told[0].contains("is too long: `time_limit_exceeded/almost.py` must be too slow"),
        "{told:?}"
    );
    assert!(violations("time_limit_exceeded/enough.py").is_empty());
}

#[test]
fn without_anything_to_infer_it_from_the_package_is_at_fault() {
    let Some(workspace) = Workspace::isolated() else { return };
    let path = path("nolimit");
    let said = workspace.judge([OsStr::new("run"), path.as_os_str()]).exits(3);
    said.tells(&[
        "no time limit",
        "there is no time limit, and no submission that it could be inferred from",
        "not measured: `accepted/broken.c` (did not compile)",
        "hint: set `limits.time_limit`",
        "skipped: the package is at fault",
    ]);
    let said = workspace.judge([OsStr::new("run"), "--time-limit".as_ref(), "1".as_ref(), path.as_os_str()]).exits(1);
    said.tells(&["accepted/broken.c", "CE"]);
}
