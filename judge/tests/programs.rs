//! The package's own programs, and files next to submissions: the packages in `testdata/packages`,
//! whose submissions are in the directories of their expectations.

use std::path::{Path, PathBuf};

use judge_model::{Score, Termination, Verdict};

use crate::workspace::{CommandOutput, Workspace, has};

/// The directory of a package.
pub(crate) fn path(package: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/packages")
        .join(package);
    path.canonicalize().unwrap()
}

/// Judges a package in the repository. Every submission of it must be run.
pub(crate) fn run_package(package: &str) -> Option<CommandOutput> {
    let workspace = Workspace::isolated()?;
    if !has("python3") {
        return None;
    }
    let path = path(package);
    let output = workspace.events([Path::new("run"), Path::new("--no-fail-fast"), &path]);
    assert!(
        output
            .verdicts()
            .iter()
            .all(|(_, verdict)| verdict.is_some()),
        "something was skipped: {}",
        output.stdout
    );
    Some(output)
}

/// Asserts that all submissions are as expected, and their number.
fn as_expected(package: &str, submissions: usize) {
    let Some(output) = run_package(package) else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), submissions);
}

#[test]
fn validators_may_have_build_scripts() {
    as_expected("scripts", 2);
}

#[test]
fn validators_may_consist_of_a_run_script() {
    as_expected("runonly", 2);
}

#[test]
fn included_files_are_next_to_submissions_and_may_start_the_program() {
    as_expected("included", 4);
}

#[test]
fn without_isolation_programs_do_not_damage_the_cache() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("python3")) else {
        return;
    };
    let package = path("included");
    let package = package.to_str().unwrap();
    for _ in 0..2 {
        let output = workspace
            .events(["run", package, "--isolation", "none", "--no-cache"])
            .exits(0);
        assert_eq!(output.verdicts().len(), 4);
    }
    let reading = "import os\nhere = os.path.dirname(os.path.abspath(__file__))\n\
        assert not os.path.exists(os.path.join(here, 'note'))\nopen(os.path.join(here, 'note'), 'w').close()\n";
    let sum = Workspace::with_sum().unwrap();
    sum.write(
        "solutions/sum/accepted/notes.py",
        format!("{reading}print(sum(map(int, input().split())))\n"),
    );
    // Every run has separate files, on each of the three test cases and for both commands.
    for _ in 0..2 {
        let output = sum
            .events([
                "run",
                "sum/accepted/notes.py",
                "--isolation",
                "none",
                "--no-cache",
            ])
            .exits(0);
        assert_eq!(
            output.verdict("accepted/notes.py"),
            Verdict::Accepted,
            "{}",
            output.stdout
        );
    }
}

#[test]
fn test_case_files_are_in_the_working_directory() {
    as_expected("testfiles", 4);
}

#[test]
fn writable_test_case_files_may_be_changed() {
    as_expected("testfileswritable", 2);
}

#[test]
fn constants_are_filled_in() {
    as_expected("constants", 3);
}

#[test]
fn all_validators_of_a_legacy_package_are_run() {
    let Some(output) = run_package("severalvalidators") else {
        return;
    };
    let output = output.exits(0);
    for (submission, verdict) in [
        ("accepted/print6.py", Verdict::Accepted),
        ("wrong_answer/print7.py", Verdict::WrongAnswer),
    ] {
        let case = output.last_case(submission);
        assert_eq!(case.verdict, verdict);
        let message = case.judge_message.to_text();
        // Flags are for the validator that they name.
        assert_eq!(message, "three heard its own flags\ntwo heard");
    }
}

#[test]
fn answers_are_judged_without_a_program() {
    let Some(output) = run_package("answers") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 2);
    let missing = output.last_case("wrong_answer/partly");
    assert_eq!(
        (missing.test_case.as_str(), missing.verdict),
        ("secret/2", Verdict::WrongAnswer)
    );
    assert_eq!(
        missing.reason.as_deref(),
        Some("nothing was handed in for this test case")
    );
}

#[test]
fn plain_testlib_checkers_use_the_testlib_convention() {
    let Some(output) = run_package("testlibchecker") else {
        return;
    };
    let output = output.exits(0);
    let wrong = output.last_case("wrong_answer/triple.py");
    assert_eq!(wrong.judge_message.to_text(), "not <the> number");
}

#[test]
fn a_checker_with_plain_testlib_gives_points() {
    let Some(output) = run_package("testlibpoints") else {
        return;
    };
    // The scores that follow from the points are expected in its `submissions.yaml`.
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 3);
    let near = output.last_case("accepted/near.py");
    assert_eq!(
        (near.score, near.judge_message.to_text().as_ref()),
        (Some(Score(7.5)), "not far off")
    );
}

#[test]
fn interactors_with_plain_testlib_work_like_other_validators() {
    let Some(output) = run_package("testlibinteractor") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 3);
    assert_eq!(
        output
            .last_case("accepted/double.py")
            .judge_message
            .to_text(),
        "all doubled"
    );
    let spins = output.last_case("wrong_answer/spins.py");
    assert_eq!(spins.judge_message.to_text(), "not <the> double");
    assert_eq!(
        spins.termination,
        Termination::Cancelled,
        "nothing that it does matters any more"
    );
}

#[test]
fn points_in_a_problem_without_scores_are_a_judge_error() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    if !has("python3") {
        return;
    }
    workspace.write("points.py", "input()\nprint(-1)\n");
    let package = path("testlibinteractor");
    let output = workspace
        .judge([
            Path::new("submit"),
            Path::new("-p"),
            &package,
            Path::new("points.py"),
        ])
        .exits(3);
    output.stdout_has(&[
        "judge error",
        "gave 1 points, but the problem has no scores",
    ]);
}

#[test]
fn static_validators_read_submission_files() {
    let Some(output) = run_package("staticvalidator") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 4);
}

#[test]
fn numbers_beyond_binary64_are_compared_like_others() {
    as_expected("hugenumbers", 3);
}

#[test]
fn incomplete_test_cases_are_package_faults() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = path("broken/halves");
    for command in [&["run"][..], &["check", "--static"], &["verify"]] {
        let output = workspace
            .judge(command.iter().copied().chain([package.to_str().unwrap()]))
            .exits(3);
        output.stdout_has(&[
            "data/secret/1.in",
            "test case `secret/1` has no `.ans` file",
        ]);
        output.stdout_has(&["data/secret/2.ans", "its input `2.in` is missing"]);
    }
}

#[test]
fn invalid_default_validator_arguments_are_package_faults() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    let package = path("broken/badarguments");
    let package = package.to_str().unwrap();
    let message = "unknown argument `float_tolerence` of the default output validator; expected";
    let run = workspace.events(["run", package]).exits(3);
    let fault = &run.state().package_faults[0];
    assert!(
        fault.file.ends_with("data/secret/test_group.yaml") && fault.line == Some(1),
        "{fault:?}"
    );
    assert!(fault.message.starts_with(message), "{fault:?}");
    let check = workspace.events(["check", "--static", package]).exits(3);
    let found = check.events.iter().find_map(|event| match event {
        judge_event::Event::Finding(finding) => Some(finding),
        _ => None,
    });
    let found = found.unwrap();
    assert_eq!(
        (
            found.code.as_str(),
            found.line,
            found.message.starts_with(message)
        ),
        ("JP908", Some(1), true)
    );
}
