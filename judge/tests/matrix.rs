//! `judge run --matrix`: which test cases reject which submissions, and which test cases are
//! redundant.

use std::fs;

use judge_event::{Event, TestDataAssessed};

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has, parse};

/// Wrong if a number has more than two digits.
const SMALL_SUM: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); \
    printf(\"%d\\n\", a > 99 ? 0 : a + b); }\n";

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("solutions/sum/wrong_answer/plus_one.c", SUM_PLUS_ONE);
    workspace.write("solutions/sum/wrong_answer/small.c", SMALL_SUM);
    Some(workspace)
}

fn assessed(events: &[Event]) -> &TestDataAssessed {
    let found = events.iter().find_map(|event| match event {
        Event::TestDataAssessed(assessed) => Some(assessed),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing assessed in {events:?}"))
}

#[test]
fn every_submission_is_judged_on_every_test_case_and_the_rest_is_reported() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.events(["run", "--matrix"]).exits(0);
    assert_eq!(output.test_cases().count(), 9);
    let assessed = assessed(&output.events);
    let rejected: Vec<(&str, usize)> = assessed
        .must_be_rejected
        .iter()
        .map(|one| (one.submission.as_str(), one.test_cases.len()))
        .collect();
    assert_eq!(
        rejected,
        [("wrong_answer/plus_one.c", 3), ("wrong_answer/small.c", 1)]
    );
    assert_eq!(assessed.idle, [] as [&str; 0]);
    let redundant: Vec<(&str, &str)> = assessed
        .redundant
        .iter()
        .map(|one| (one.test_case.as_str(), one.covered_by.as_str()))
        .collect();
    assert_eq!(
        redundant,
        [
            ("sample/1", "secret/02-large"),
            ("secret/01", "secret/02-large")
        ]
    );
    assert_eq!(
        (assessed.smallest.as_slice(), assessed.smallest_is_exact),
        (&["secret/02-large".to_owned()][..], true)
    );
    assert!(
        matches!(output.events.last(), Some(Event::RunFinished(_))),
        "the last event stays the last"
    );

    let output = workspace.judge(["run", "--matrix"]).exits(0);
    output.stdout_has(&[
        "sample",
        "secret",
        "accepted/sum.c",
        "A AA",
        "plus_one.c 3 W WW",
        "small.c 1 A AW",
        "rejected by one test case only (1)",
        "small.c by secret/02-large",
        "made redundant by secret/02-large (2): sample/1, secret/01",
        "smallest set",
        "(1)",
        "3 submissions",
    ]);
    assert!(
        !output.stdout.contains('\u{1b}'),
        "colour in a pipe: {output:?}"
    );
}

#[test]
fn a_number_of_rejections_can_be_demanded() {
    let Some(workspace) = workspace() else { return };
    workspace
        .judge(["run", "--matrix", "--min-kills", "1"])
        .exits(0);
    let output = workspace
        .judge(["run", "--matrix", "--min-kills=2"])
        .exits(1);
    output.stdout_has(&["small.c: rejected by 1 secret test case; at least 2 required"]);
    output.stdout_lacks(&["plus_one.c: rejected"]);
    // A sample rejects it too, which contestants see.
    let output = workspace
        .judge(["run", "--matrix", "--min-kills=3"])
        .exits(1);
    output.stdout_has(&["plus_one.c: rejected by 2 secret test cases; at least 3 required"]);
    workspace
        .judge(["run", "--matrix", "--min-kills=x"])
        .exits(2);
}

#[test]
fn unrejected_wrong_submissions_violate_expectations() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/sum/wrong_answer/right.c",
        format!("// the same\n{SUM}"),
    );
    let output = workspace.judge(["run", "--matrix"]).exits(1);
    output.stdout_has(&[
        "right.c",
        "rejected by no test case (1): wrong_answer/right.c",
    ]);
    // With only a part of the test cases, the rest may reject it.
    let output = workspace
        .events(["run", "--matrix", "sum/sample/*"])
        .exits(0);
    assert_eq!(assessed(&output.events).must_be_rejected.len(), 3);
    assert_eq!(assessed(&output.events).smallest, ["sample/1"]);
}

/// A mutant that never takes the larger number dies on the sample alone.
const LARGER: &str = "fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!(\"{}\", if numbers[0] > numbers[1] { numbers[0] } else { numbers[1] });
}
";

#[test]
fn killed_mutants_count_like_rejected_submissions() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    workspace.problem("larger", "limits:\n  time_limit: 4\n  memory: 256\n");
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    workspace.case("larger", "secret/02", "1 1\n", "1\n");
    workspace.write("solutions/larger/accepted/compare.rs", LARGER);
    let second = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a); }\n";
    workspace.write("solutions/larger/wrong_answer/first.c", second);
    let without = workspace.events(["run", "--matrix"]).exits(0);
    let without = assessed(&without.events);
    assert_eq!(
        (&*without.smallest, &*without.idle),
        (
            &["secret/01".to_owned()][..],
            &["sample/1", "secret/02"].map(str::to_owned)[..]
        )
    );
    assert_eq!(without.mutants, None);
    let with = workspace.events(["run", "--matrix", "--mutants"]).exits(0);
    let with = assessed(&with.events);
    let mutants = with.mutants.as_ref().unwrap();
    assert_eq!(mutants.solution, "accepted/compare.rs");
    let killed_by = |id: &str| mutants.by.iter().find(|by| by.test_case == id).unwrap();
    assert!(
        killed_by("sample/1").alone > 0
            && killed_by("secret/01").alone > 0
            && killed_by("secret/02").alone == 0,
        "{mutants:?}"
    );
    assert_eq!(
        (&*with.smallest, &with.idle),
        (
            &["sample/1", "secret/01"].map(str::to_owned)[..],
            &Vec::new()
        )
    );
    let output = workspace.judge(["run", "--matrix", "--mutants"]).exits(0);
    output.stdout_has(&[
        "made redundant by",
        "smallest set of test cases that kills and rejects",
        "mutants of accepted/compare.rs",
    ]);
    output.stdout_has(&["sample/1", "by it alone", "secret/01", "by it alone"]);
    workspace.remove("solutions/larger/accepted/compare.rs");
    workspace.write("solutions/larger/accepted/sum.js", "console.log(1);");
    let output = workspace.judge(["run", "--matrix", "--mutants"]).exits(1);
    output.stderr_has(&[
        "note: without mutants: `larger` has no accepted solution in Rust, C++, C, Java or Python",
    ]);
    output.stdout_lacks(&["by it alone"]);
}

#[test]
fn markdown_goes_to_standard_output_and_the_stream_to_a_file() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge([
            "run",
            "--matrix",
            "--report",
            "markdown",
            "--report=json=matrix.jsonl",
        ])
        .exits(0);
    assert!(output.stdout.starts_with("## sum\n\n| "), "{output:?}");
    output.stdout_has(&[
        "| ✓ | `wrong_answer/plus_one.c` | `W` | `WW` | 3 |",
        "- smallest set",
        "`secret/02-large`",
    ]);
    let output = workspace
        .judge(["run", "--matrix", "--report", "markdown=matrix.md"])
        .exits(0);
    output.stdout_has(&["plus_one.c 3 W WW"]);
    assert!(
        fs::read_to_string(workspace.path("matrix.md"))
            .unwrap()
            .starts_with("## sum\n\n| ")
    );
    let events = parse(&fs::read_to_string(workspace.path("matrix.jsonl")).unwrap());
    assert_eq!(assessed(&events).must_be_rejected.len(), 2);
    let output: CommandOutput = workspace
        .judge(["run", "--matrix", "--report", "markdown", "--report=json"])
        .exits(2);
    output.stderr_has(&[
        "standard output has room for one of `--report markdown` and `--report json`",
        "hint:",
    ]);
}

#[test]
fn compile_errors_give_no_rejections() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/sum/wrong_answer/broken.c",
        "int main(void) { return }\n",
    );
    let output = workspace.events(["run", "--matrix"]).exits(1);
    assert!(
        assessed(&output.events)
            .must_be_rejected
            .iter()
            .all(|one| one.submission != "wrong_answer/broken.c")
    );
    workspace.judge(["run", "--matrix"]).exits(1).stdout_has(&[
        "broken.c",
        "C CC",
        "compile error",
    ]);
}

#[test]
fn unknown_names_are_an_error() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace
        .judge(["run", "--matrix", "summ"])
        .exits(5)
        .stderr_has(&["did you mean `sum`?"]);
    workspace
        .judge(["run", "--matrix"])
        .exits(5)
        .stderr_has(&["no submissions for sum"]);
}

#[test]
fn groups_with_break_do_not_hide_test_cases() {
    let Some(workspace) = workspace() else { return };
    if !has("python3") {
        return;
    }
    let package = crate::programs::path("breaks");
    let package = package.to_str().unwrap();
    let output = workspace
        .events(["run", "--matrix", "--min-kills", "1", package])
        .exits(0);
    assert_eq!(output.test_cases().count(), 16);
    let assessed = assessed(&output.events);
    let rejected: Vec<(&str, usize)> = assessed
        .must_be_rejected
        .iter()
        .map(|one| (one.submission.as_str(), one.test_cases.len()))
        .collect();
    let expected = [
        ("wrong_answer/crashes_later.py", 2),
        ("wrong_answer/everywhere.py", 3),
        ("wrong_answer/last_group.py", 1),
    ];
    assert_eq!(rejected, expected);
    assert_eq!(assessed.smallest, ["secret/g2/1"]);
    assert_eq!(assessed.idle, ["sample/1"]);
    let redundant: Vec<&str> = assessed
        .redundant
        .iter()
        .map(|one| one.test_case.as_str())
        .collect();
    assert_eq!(redundant, ["secret/g1/1", "secret/g1/2"]);
    workspace
        .judge(["run", "--matrix", "--min-kills", "2", package])
        .exits(1)
        .stdout_has(&["last_group.py"]);
}
