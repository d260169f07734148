//! `judge matrix`: which test cases reject which submissions, and what that makes them worth.

use std::fs;

use judge_event::{Event, TestDataAssessed};

use crate::workspace::{SUM, SUM_PLUS_ONE, Said, Workspace, parse};

/// Wrong where a number has more than two digits.
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
fn every_submission_is_judged_on_every_test_case_and_the_rest_is_told() {
    let Some(workspace) = workspace() else { return };
    let said = workspace.events(["matrix"]).exits(0);
    assert_eq!(said.test_cases().count(), 9);
    let assessed = assessed(&said.events);
    let rejected: Vec<(&str, usize)> =
        assessed.must_be_rejected.iter().map(|one| (one.submission.as_str(), one.test_cases.len())).collect();
    assert_eq!(rejected, [("wrong_answer/plus_one.c", 3), ("wrong_answer/small.c", 1)]);
    assert_eq!(assessed.idle, [] as [&str; 0]);
    let redundant: Vec<(&str, &str)> =
        assessed.redundant.iter().map(|one| (one.test_case.as_str(), one.covered_by.as_str())).collect();
    assert_eq!(redundant, [("sample/1", "secret/02-large"), ("secret/01", "secret/02-large")]);
    assert_eq!((assessed.smallest.as_slice(), assessed.smallest_is_exact), (&["secret/02-large".to_owned()][..], true));
    assert!(matches!(said.events.last(), Some(Event::RunFinished(_))), "the last event stays the last");

    let said = workspace.judge(["matrix"]).exits(0);
    said.tells(&[
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
    assert!(!said.stdout.contains('\u{1b}'), "colour in a pipe: {said:?}");
}

#[test]
fn a_number_of_rejections_can_be_demanded() {
    let Some(workspace) = workspace() else { return };
    workspace.judge(["matrix", "--min-kills", "1"]).exits(0);
    let said = workspace.judge(["matrix", "--min-kills=2"]).exits(1);
    said.tells(&["small.c: rejected by 1 secret test case; demanded are at least 2"]);
    said.is_silent_of(&["plus_one.c: rejected"]);
    // A sample rejects it too, which contestants see.
    let said = workspace.judge(["matrix", "--min-kills=3"]).exits(1);
    said.tells(&["plus_one.c: rejected by 2 secret test cases; demanded are at least 3"]);
    let said = workspace.judge(["matrix", "--min-kills=3", "--count-samples"]).exits(1);
    said.tells(&["small.c: rejected by 1 test case;"]).is_silent_of(&["plus_one.c: rejected"]);
    workspace.judge(["matrix", "--count-samples"]).exits(2);
    workspace.judge(["matrix", "--min-kills=x"]).exits(2);
}

#[test]
fn a_wrong_submission_that_nothing_rejects_violates_its_expectation() {
    let Some(workspace) = workspace() else { return };
    workspace.write("solutions/sum/wrong_answer/right.c", format!("// the same\n{SUM}"));
    let said = workspace.judge(["matrix"]).exits(1);
    said.tells(&["right.c", "rejected by no test case (1): wrong_answer/right.c"]);
    // Where only a part is looked at, the rest may reject it.
    let said = workspace.events(["matrix", "sum/sample/*"]).exits(0);
    assert_eq!(assessed(&said.events).must_be_rejected.len(), 3);
    assert_eq!(assessed(&said.events).smallest, ["sample/1"]);
}

#[test]
fn markdown_goes_to_standard_output_and_the_stream_to_a_file() {
    let Some(workspace) = workspace() else { return };
    let said = workspace.judge(["matrix", "--markdown", "--json=matrix.jsonl"]).exits(0);
    assert!(said.stdout.starts_with("## sum\n\n| "), "{said:?}");
    said.tells(&["| ✓ | `wrong_answer/plus_one.c` | `W` | `WW` | 3 |", "- smallest set", "`secret/02-large`"]);
    let events = parse(&fs::read_to_string(workspace.path("matrix.jsonl")).unwrap());
    assert_eq!(assessed(&events).must_be_rejected.len(), 2);
    let said: Said = workspace.judge(["matrix", "--markdown", "--json"]).exits(2);
    said.complains(&["both write to standard output", "hint:"]);
}

#[test]
fn what_did_not_compile_says_nothing_about_test_cases() {
    let Some(workspace) = workspace() else { return };
    workspace.write("solutions/sum/wrong_answer/broken.c", "int main(void) { return }\n");
    let said = workspace.events(["matrix"]).exits(1);
    assert!(assessed(&said.events).must_be_rejected.iter().all(|one| one.submission != "wrong_answer/broken.c"));
    workspace.judge(["matrix"]).exits(1).tells(&["broken.c", "C CC", "compile error"]);
}

#[test]
fn nothing_named_so_is_nothing_selected() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.judge(["matrix", "summ"]).exits(5).complains(&["did you mean `sum`?"]);
    workspace.judge(["matrix"]).exits(5).complains(&["there is no submission for sum"]);
}
