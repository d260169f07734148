//! Scoring problems of both formats: the packages in `testdata/packages`. If the format has scores
//! in `submissions.yaml`, they are expected there.

use judge_event::SubmissionFinished;
use judge_model::{Score, Verdict};

use crate::programs::run_package;
use crate::workspace::CommandOutput;

/// The result of a submission of the only problem.
#[track_caller]
fn finished(output: &CommandOutput, submission: &str) -> SubmissionFinished {
    let problem = output.state().problems.remove(0);
    let found = problem
        .submissions
        .into_iter()
        .find(|state| state.started.submission == submission);
    found
        .and_then(|state| state.finished)
        .unwrap_or_else(|| panic!("no result of {submission} in:\n{}", output.stdout))
}

/// The score of the submission and of each group with a score.
#[track_caller]
fn scores(output: &CommandOutput, submission: &str) -> (Option<f64>, Vec<(String, f64)>) {
    let finished = finished(output, submission);
    let groups = finished
        .groups
        .into_iter()
        .filter_map(|group| Some((group.group, group.score?.0)));
    (finished.score.map(|score| score.0), groups.collect())
}

fn judged_cases(output: &CommandOutput, submission: &str) -> Vec<String> {
    let of_submission = output
        .test_cases()
        .filter(|test_case| test_case.submission == submission);
    of_submission
        .map(|test_case| test_case.test_case.clone())
        .collect()
}

#[test]
fn groups_of_2025_09_have_the_stated_scores() {
    let Some(output) = run_package("scoringgroups") else {
        return;
    };
    let output = output.exits(0);
    let (score, groups) = scores(&output, "accepted/all.py");
    assert_eq!(score, Some(100.0));
    let expected = [
        ("secret", 100.0),
        ("secret/1small", 20.0),
        ("secret/2parts", 30.0),
        ("secret/3least", 50.0),
    ];
    assert_eq!(
        groups,
        expected.map(|(group, score)| (group.to_owned(), score))
    );
    assert_eq!(
        finished(&output, "accepted/all.py").max_score,
        Some(Score(100.0))
    );
    // One of three equal parts is missing.
    assert_eq!(scores(&output, "partly/misses_13.py").0, Some(90.0));
}

#[test]
fn groups_are_not_judged_without_required_groups() {
    let Some(workspace) = crate::workspace::Workspace::isolated() else {
        return;
    };
    let output = workspace.events([
        std::path::Path::new("run"),
        &crate::programs::path("scoringgroups"),
    ]);
    let failing = "partly/fails_small.py";
    assert_eq!(
        judged_cases(&output, failing),
        [
            "sample/1",
            "secret/1small/1",
            "secret/3least/1",
            "secret/3least/2"
        ]
    );
    let groups = finished(&output, failing).groups;
    let skipped = groups
        .iter()
        .find(|group| group.group == "secret/2parts")
        .unwrap();
    assert_eq!(
        skipped.skipped.as_deref(),
        Some("`secret/1small` was not passed")
    );
    assert_eq!((skipped.verdict, skipped.score), (None, Some(Score(0.0))));
    // The requirements are transitive, from the sample on.
    assert_eq!(
        judged_cases(&output, "partly/only_negative.py"),
        ["sample/1", "secret/3least/1", "secret/3least/2"]
    );
}

#[test]
fn scores_of_validators_must_follow_the_rules() {
    let Some(output) = run_package("scoringfiles") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(scores(&output, "accepted/half.py").0, Some(30.0));
    assert_eq!(
        output.last_case("accepted/half.py").score,
        Some(Score(15.0))
    );
    let output = run_package("brokenscore").unwrap().exits(3);
    assert_eq!(output.verdict("accepted/all.py"), Verdict::JudgeError);
    assert_eq!(finished(&output, "accepted/all.py").score, None);
    let reason = output.last_case("accepted/all.py").reason.clone().unwrap();
    assert_eq!(
        reason,
        "the validator wrote 61 into `score.txt`, but the maximum score is 60"
    );
}

#[test]
fn legacy_groups_are_graded() {
    let Some(output) = run_package("legacygroups") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(scores(&output, "accepted/all.py").0, Some(100.0));
    let (score, groups) = scores(&output, "partially_accepted/first.py");
    assert_eq!(score, Some(40.0));
    assert_eq!(groups.last(), Some(&("secret/group2".to_owned(), 0.0)));
    assert_eq!(
        output.verdict("partially_accepted/first.py"),
        Verdict::Accepted
    );
}

#[test]
fn complete_runs_are_graded_like_stopped_ones() {
    let Some(output) = run_package("breaks") else {
        return;
    };
    let output = output.exits(0);
    let all = ["sample/1", "secret/g1/1", "secret/g1/2", "secret/g2/1"];
    for submission in [
        "wrong_answer/everywhere.py",
        "wrong_answer/crashes_later.py",
    ] {
        assert_eq!(judged_cases(&output, submission), all);
        let finished = finished(&output, submission);
        assert_eq!(
            (
                finished.test_cases_run,
                finished.deciding_test_case.as_deref()
            ),
            (4, Some("secret/g1/1"))
        );
        let after: Vec<bool> = output
            .test_cases()
            .filter(|test_case| test_case.submission == submission)
            .map(|test_case| test_case.after_stop)
            .collect();
        assert_eq!(after, [false, false, true, true]);
        let skipped = finished
            .groups
            .iter()
            .find(|group| group.group == "secret/g2")
            .unwrap();
        assert_eq!((skipped.verdict, skipped.skipped.is_some()), (None, true));
    }
    assert_eq!(
        output.verdict("wrong_answer/crashes_later.py"),
        Verdict::WrongAnswer
    );
    assert_eq!(
        output.last_case("wrong_answer/crashes_later.py").verdict,
        Verdict::RunTimeError
    );
    // The same applies to groups that require another one.
    let output = run_package("scoringgroups").unwrap().exits(0);
    assert_eq!(
        judged_cases(&output, "partly/fails_small.py").len(),
        judged_cases(&output, "accepted/all.py").len()
    );
    // Without the flag, test cases after the stop are not run.
    let workspace = crate::workspace::Workspace::isolated().unwrap();
    let output = workspace
        .events([
            std::path::Path::new("run"),
            &crate::programs::path("breaks"),
        ])
        .exits(0);
    assert_eq!(
        judged_cases(&output, "wrong_answer/everywhere.py"),
        all[..2]
    );
}

#[test]
fn ignored_samples_never_decide_the_verdict() {
    let Some(output) = run_package("ignoredsample") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(
        finished(&output, "accepted/wrong_sample.py").deciding_test_case,
        None
    );
    let deciding = finished(&output, "wrong_answer/sample_and_secret.py").deciding_test_case;
    assert_eq!(deciding.as_deref(), Some("secret/2"));
    // It does not reject a submission, or make a test case redundant, either.
    let workspace = crate::workspace::Workspace::isolated().unwrap();
    let output = workspace
        .events([
            std::path::Path::new("run"),
            std::path::Path::new("--matrix"),
            &crate::programs::path("ignoredsample"),
        ])
        .exits(0);
    let assessed = output.events.iter().find_map(|event| match event {
        judge_event::Event::TestDataAssessed(assessed) => Some(assessed.clone()),
        _ => None,
    });
    let assessed = assessed.unwrap();
    let of_samples = |case: &String| case.starts_with("sample/");
    assert!(
        assessed
            .must_be_rejected
            .iter()
            .all(|by| !by.test_cases.is_empty()),
        "{assessed:?}"
    );
    assert!(
        !assessed
            .must_be_rejected
            .iter()
            .flat_map(|by| &by.test_cases)
            .any(of_samples),
        "{assessed:?}"
    );
    assert!(
        !assessed
            .smallest
            .iter()
            .chain(&assessed.idle)
            .any(of_samples),
        "{assessed:?}"
    );
}

#[test]
fn the_no_errors_flag_selects_the_worst_verdict() {
    let Some(output) = run_package("noerrors") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdict("wrong_answer/one.py"), Verdict::WrongAnswer);
    // Wrong on one test case and killed by an assertion on the next: the worst verdict counts, not
    // the first.
    assert_eq!(
        output.verdict("run_time_error/worst.py"),
        Verdict::RunTimeError
    );
    let secret = |submission| {
        finished(&output, submission)
            .groups
            .into_iter()
            .find(|group| group.group == "secret")
    };
    assert_eq!(
        secret("wrong_answer/one.py").unwrap().verdict,
        Some(Verdict::WrongAnswer)
    );
}

#[test]
fn graders_of_the_package_are_run() {
    let Some(output) = run_package("customgrader") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(scores(&output, "accepted/all.py").0, Some(13.0));
    assert_eq!(scores(&output, "partially_accepted/one.py").0, Some(1.0));
    assert_eq!(output.verdict("wrong_answer/none.py"), Verdict::WrongAnswer);
    assert_eq!(scores(&output, "wrong_answer/none.py").0, None);
}

#[test]
fn scores_are_printed() {
    let Some(workspace) = crate::workspace::Workspace::isolated() else {
        return;
    };
    let path = crate::programs::path("scoringgroups");
    let run = workspace
        .judge([std::ffi::OsStr::new("run"), path.as_os_str()])
        .exits(0);
    run.stdout_has(&[
        "partly/misses_13.py",
        "WA",
        "score 90/100",
        "secret/2parts/3",
    ]);
    let run = workspace
        .judge([std::ffi::OsStr::new("run"), "-v".as_ref(), path.as_os_str()])
        .exits(0);
    run.stdout_has(&[
        "partly/fails_small.py",
        "secret/1small",
        "WA",
        "score 0/20",
        "`secret/1small` was not passed",
    ]);
    let submission = path.join("submissions/partly/misses_13.py");
    let submit = [
        std::ffi::OsStr::new("submit"),
        "-p".as_ref(),
        path.as_os_str(),
        submission.as_os_str(),
    ];
    workspace.judge(submit).exits(1).stdout_has(&[
        "scoringgroups: score 90/100, wrong answer on secret/2parts/3",
        "secret/3least",
        "score 50/50",
    ]);
}
