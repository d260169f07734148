//! `judge generate`: what lies in `data/` afterwards, and what stays as it was.

use std::fs;

use crate::workspace::{SUM, Workspace, has};

const RULES: &str = "solution: /submissions/accepted/sum.c\ndata:\n  sample:\n    data:\n      '1': {in: 1 2, ans: '3'}\n  \
                     secret:\n    data:\n      - seeded: gen.py {seed}\n      - text: {in: 4 5}\n";

/// A problem whose data is still to be made.
fn unmade() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    workspace.problem("sum", "limits:\n  time_limit: 4\n");
    workspace.write("problems/sum/input_validators/v.ctd", "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n");
    workspace.write("problems/sum/generators/gen.py", "import sys\nprint(int(sys.argv[1]) % 10000, 7)\n");
    workspace.write("problems/sum/generators/generators.yaml", RULES);
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    Some(workspace)
}

#[test]
fn data_is_made_once_and_then_nothing_changes() {
    let Some(workspace) = unmade() else { return };
    workspace.judge(["generate", "--check"]).exits(1).tells(&["sum", "added", "sample/1", "added", "secret/1-seeded"]);
    assert!(!workspace.path("problems/sum/data").exists());
    workspace.judge(["generate", "--dry-run"]).exits(0).tells(&["would change"]);
    assert!(!workspace.path("problems/sum/data").exists());
    workspace.judge(["generate"]).exits(0).tells(&["3 test cases", "put in place"]);
    let read = |path: &str| fs::read_to_string(workspace.path(path)).unwrap();
    assert_eq!(read("problems/sum/data/secret/2-text.in"), "4 5\n");
    assert_eq!(read("problems/sum/data/secret/2-text.ans"), "9\n");
    assert!(read("problems/sum/generators/lock.json").contains("\"generate gen.py "));
    workspace.judge(["generate", "--check"]).exits(0).tells(&["nothing changes"]);
    workspace.judge(["run"]).exits(0);
}

#[test]
fn what_was_written_by_hand_is_never_touched() {
    let Some(workspace) = unmade() else { return };
    workspace.case("sum", "secret/mine", "1 1\n", "2\n");
    workspace.case("sum", "secret/2-text", "9 9\n", "18\n");
    workspace.judge(["generate"]).exits(1).tells(&["2-text.in` was written by hand", "nothing was changed"][..1]);
    assert!(!workspace.path("problems/sum/data/sample").exists());
    workspace.remove("problems/sum/data/secret/2-text.in");
    workspace.remove("problems/sum/data/secret/2-text.ans");
    workspace.judge(["generate"]).exits(0);
    assert_eq!(fs::read_to_string(workspace.path("problems/sum/data/secret/mine.in")).unwrap(), "1 1\n");
    // Its own files go when they are not asked for any more.
    workspace.write("problems/sum/generators/generators.yaml", RULES.replace("      - text: {in: 4 5}\n", ""));
    workspace.judge(["generate"]).exits(0).tells(&["removed", "secret/2-text"]);
    assert!(!workspace.path("problems/sum/data/secret/2-text.in").exists());
    assert!(workspace.path("problems/sum/data/secret/mine.in").exists());
}

#[test]
fn other_answers_are_taken_only_when_asked_to() {
    let Some(workspace) = unmade() else { return };
    workspace.judge(["generate"]).exits(0);
    workspace.write("solutions/sum/accepted/sum.c", SUM.replace("a + b", "a - b"));
    let said = workspace.judge(["generate"]).exits(1);
    said.tells(&["answer changed", "secret/2-text", "--accept-answers"]);
    assert_eq!(fs::read_to_string(workspace.path("problems/sum/data/secret/2-text.ans")).unwrap(), "9\n");
    workspace.judge(["generate", "--accept-answers"]).exits(0);
    assert_eq!(fs::read_to_string(workspace.path("problems/sum/data/secret/2-text.ans")).unwrap(), "-1\n");
}

#[test]
fn faults_of_the_package_leave_everything_as_it_was() {
    let Some(workspace) = unmade() else { return };
    for (program, expected) in [
        ("import os\nprint(os.getpid(), os.urandom(8).hex())\n", "is not deterministic"),
        ("print('x')\n", "the input validator `v.ctd` rejects the input"),
        ("raise SystemExit(3)\n", "ended with exit code 3"),
    ] {
        workspace.write("problems/sum/generators/gen.py", program);
        workspace.judge(["generate"]).exits(3).complains(&["generators.yaml:8", expected]);
        assert!(
            !workspace.path("problems/sum/data").exists()
                && !workspace.path("problems/sum/generators/lock.json").exists()
        );
    }
}
