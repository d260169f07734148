//! `judge add`: added test cases, the report on their kills, and refusals.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::generate::{CONTESTANT, INTERACTOR, PREFIX_N, TWO_PASSES, talking};
use crate::packing::with_adder;
use crate::workspace::{CommandOutput, SUM_PLUS_ONE, Workspace, has};

/// Wrong for numbers of at least a thousand.
const SMALL_ONLY: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); \
                          printf(\"%d\\n\", a + b > 5000 ? 0 : a + b); }\n";
const ANOTHER: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", b + a); }\n";

/// The problem `sum` with two accepted solutions and two wrong ones; one of them passes all test
/// cases.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n",
    );
    workspace.write("solutions/sum/accepted/another.c", ANOTHER);
    workspace.write("solutions/sum/wrong_answer/plus_one.c", SUM_PLUS_ONE);
    workspace.write("solutions/sum/wrong_answer/small_only.c", SMALL_ONLY);
    Some(workspace)
}

#[test]
fn misplaced_arguments_are_refused_with_a_hint() {
    let Some(workspace) = workspace() else { return };
    let place = workspace.judge(["add", "sum", "secret/mine"]).exits(2);
    place.stderr_has(&[
        "unexpected argument `secret/mine`",
        "hint: `add` takes one input file",
    ]);
    let directory = workspace.judge(["add", "problems/sum"]).exits(2);
    directory.stderr_has(&[
        "`problems/sum` is a directory; expected the input of a test case",
        "hint: name a problem with `--problem problems/sum`",
    ]);
}

#[test]
fn added_files_are_reported_with_kills() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine.txt", "3000 4000\n");
    let dry = workspace
        .judge(["add", "mine.txt", "-p", "sum", "--dry-run"])
        .exits(0);
    dry.stdout_has(&["secret/mine · would be added"]);
    assert!(!workspace.path("problems/sum/data/secret/mine.in").exists());
    let output = workspace
        .judge([
            "add",
            "mine.txt",
            "-p",
            "sum",
            "--require-kill",
            "small_only.c",
        ])
        .exits(0);
    output.stdout_has(&[
        "✓ sum",
        "secret/mine · added",
        "input 1 line, 10 bytes",
        "2 accepted solutions agree, the slowest in",
    ]);
    output.stdout_has(&[
        "rejects wrong_answer/plus_one.c",
        "WA · 3 of 3 others do so too",
    ]);
    output.stdout_has(&[
        "wrong_answer/small_only.c",
        "WA · no other test case does",
        "files data/secret/mine.ans",
    ]);
    let read =
        |path: &str| fs::read_to_string(workspace.path(&format!("problems/sum/{path}"))).unwrap();
    assert_eq!(
        (read("data/secret/mine.in"), read("data/secret/mine.ans")),
        ("3000 4000\n".into(), "7000\n".into())
    );
    assert!(read("generators/lock.json").contains("\"secret/mine\": {\"from\":\"hand-written\""));
    workspace.judge(["run"]).exits(0);
}

#[test]
fn standard_input_is_added_to_a_group() {
    let Some(workspace) = workspace() else { return };
    let args = [
        "add",
        "-",
        "--to",
        "secret/group",
        "--name",
        "large",
        "--report=markdown",
        "-C",
        "problems/sum",
    ];
    let mut child = workspace
        .command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"1000 2001\n")
        .unwrap();
    let output = CommandOutput::from_child(child).exits(0);
    output.stdout_has(&[
        "### Test case `secret/group/large` of `sum`: added",
        "- input: 1 line, 10 bytes",
    ]);
    output.stdout_has(&[
        "`wrong_answer/small_only.c`",
        "| `wrong_answer/plus_one.c` | WA | 3 of 3 |",
    ]);
    assert!(
        workspace
            .path("problems/sum/data/secret/group/large.ans")
            .exists()
    );
    // The name is taken now.
    workspace.write("mine.in", "1 1\n");
    let args = [
        "add",
        "mine.in",
        "-p",
        "sum",
        "--to",
        "secret/group",
        "--name",
        "large",
    ];
    workspace
        .judge(args)
        .exits(2)
        .stderr_has(&["test case `secret/group/large` already exists", "--name"]);
    workspace
        .judge(["add", "mine.in", "-p", "sum", "--to", "invalid_input"])
        .exits(2);
    // The answer differs from that of the accepted solutions.
    workspace.write("other.in", "4 5\n");
    workspace.write("other.ans", "10\n");
    let output = workspace
        .judge(["add", "other.in", "-p", "sum", "--answer", "other.ans"])
        .exits(1);
    output.stdout_has(&[
        "the given answer differs from the output of `accepted/",
        "line 1 of the answer has `10`, the solution writes `9`",
    ]);
    // An existing input is refused under any name.
    workspace.write("mine.in", "1000 2001\n");
    let before = workspace.files("problems/sum");
    let output = workspace
        .judge(["add", "mine.in", "-p", "sum", "--name", "again"])
        .exits(3);
    output.stderr_has(&["sum: `secret/group/large` already has this input; nothing was written"]);
    assert_eq!(workspace.files("problems/sum"), before);
}

#[test]
fn generator_calls_are_added_to_the_rules() {
    let Some(workspace) = workspace().filter(|_| has("python3")) else {
        return;
    };
    workspace.write(
        "problems/sum/generators/random.py",
        "import sys\nprint(int(sys.argv[1]) % 10000, 9000)\n",
    );
    let rules =
        "# Rules.\ndata:\n  secret:\n    data:\n      - first: random.py 1 # one\n\n# The end.\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    let add = ["add", "--generate", "random.py {seed:7}", "-p", "sum"];
    // The data of the rules is not generated yet.
    workspace
        .judge(add)
        .exits(2)
        .stderr_has(&["the data of sum differs from generators/generators.yaml"]);
    workspace.judge(["generate"]).exits(0);
    let before = workspace.files("problems/sum");
    let args = [&add[..], &["--require-kill", "accepted/sum.c"]].concat();
    workspace
        .judge(args)
        .exits(1)
        .stdout_has(&["not added", "`accepted/sum.c` must be rejected, but is not"]);
    assert_eq!(workspace.files("problems/sum"), before);
    let args = [&add[..], &["--require-kill", "wrong_answer/small_only.c"]].concat();
    let output = workspace.judge(args).exits(0);
    output.stdout_has(&[
        "secret/2-random · added",
        "made by random.py ",
        "generators/generators.yaml, generators/lock.json",
    ]);
    let read =
        |path: &str| fs::read_to_string(workspace.path(&format!("problems/sum/{path}"))).unwrap();
    let expected = rules.replace("# one\n", "# one\n      - random: random.py {seed:7}\n");
    assert_eq!(read("generators/generators.yaml"), expected);
    assert!(read("data/secret/2-random.in").ends_with(" 9000\n"));
    assert!(
        read("generators/lock.json")
            .contains("\"secret/2-random\": {\"from\":\"generate random.py ")
    );
    workspace.judge(["generate", "--check"]).exits(0);
}

#[test]
fn invalid_test_cases_are_refused_and_nothing_is_written() {
    let Some(workspace) = workspace() else { return };
    workspace.write("solutions/sum/accepted/another.c", SMALL_ONLY);
    workspace.write("invalid.in", "1  2\n");
    workspace.write("large.in", "4000 4000\n");
    workspace.write("small.in", "1 4\n");
    workspace.write("wrong.ans", "6\n");
    let before = workspace.files("problems/sum");
    let add = |args: &[&str]| workspace.judge([&["add", "-p", "sum"], args].concat());
    add(&["invalid.in"]).exits(3).stderr_has(&[
        "`secret/invalid`",
        "the input validator `v.ctd` rejects the input",
    ]);
    let output = add(&["large.in"]).exits(1);
    output.stdout_has(&[
        "not added",
        "`accepted/",
        "gets WA on it, so the accepted solutions do not agree: line 1",
    ]);
    let output = add(&["small.in", "--require-kill", "small_only.c"]).exits(1);
    output.stdout_has(&[
        "✗ sum",
        "secret/small · not added",
        "`wrong_answer/small_only.c` must be rejected, but is not",
    ]);
    let output = add(&["small.in", "--answer", "wrong.ans"]).exits(1);
    output.stdout_has(&[
        "the given answer differs from the output of `accepted/another.c`",
        "differs from the output of `accepted/sum.c`",
    ]);
    assert!(!output.stdout.contains("do not agree"), "{}", output.stdout);
    add(&["small.in", "--require-kill", "none.c"])
        .exits(5)
        .stderr_has(&[
            "`none.c` names no problem, package, test case or submission",
            "hint: ",
        ]);
    add(&["none.in"])
        .exits(2)
        .stderr_has(&["cannot read `none.in`"]);
    add(&["small.in", "--name", "a b"]).exits(2);
    assert_eq!(workspace.files("problems/sum"), before);
}

#[test]
fn json_reports_are_complete() {
    let Some(workspace) = workspace() else { return };
    workspace.write("mine.in", "3000 4000\n");
    let output = workspace
        .judge(["add", "mine.in", "-p", "sum", "--report=json"])
        .exits(0);
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(
        (&document["test_case"], &document["done"]),
        (&"secret/mine".into(), &"added".into())
    );
    let small = &document["rejections"][1];
    assert_eq!(
        (&small["submission"], &small["others"]),
        (&"wrong_answer/small_only.c".into(), &0.into())
    );
    assert_eq!(document["accepted"].as_array().unwrap().len(), 2);
    workspace
        .judge([
            "add",
            "mine.in",
            "-p",
            "sum",
            "--report=json",
            "--report=markdown",
        ])
        .exits(2);
}

/// Correct if the number is eight.
const ALWAYS_EIGHT: &str = "read -r n\nread -r question\necho n8\n";

#[test]
fn interactive_problems_take_test_cases_without_answers() {
    let Some(workspace) = talking("interactive", INTERACTOR, CONTESTANT) else {
        return;
    };
    workspace.write("solutions/talk/wrong_answer/always_eight.sh", ALWAYS_EIGHT);
    workspace.judge(["generate"]).exits(0);
    workspace.write("mine.in", "7\n");
    let add = [
        "add",
        "mine.in",
        "-p",
        "talk",
        "--require-kill",
        "always_eight.sh",
    ];
    let output = workspace.judge(add).exits(0);
    output.stdout_has(&[
        "secret/mine · added",
        "accepted solution: 1",
        "wrong_answer/always_eight.sh",
        "WA · 3 of 3",
    ]);
    let read = |id: &str| fs::read_to_string(workspace.path(&format!("problems/talk/data/{id}")));
    assert_eq!(read("secret/mine.ans").unwrap(), "");
    assert!(read("secret/mine.interaction").is_err());
    // A sample is shown immediately.
    workspace.write("six.in", "6\n");
    workspace
        .judge(["add", "six.in", "-p", "talk", "--to", "sample"])
        .exits(0);
    assert_eq!(read("sample/six.interaction").unwrap(), "<6\n<?\n>n6\n");
    workspace.judge(["generate", "--check"]).exits(0);
    workspace.judge(["run"]).exits(0);
    // The wrong submission is correct for eight.
    workspace.write("eight.in", "8\n");
    let output = workspace
        .judge([
            "add",
            "eight.in",
            "-p",
            "talk",
            "--require-kill",
            "always_eight.sh",
        ])
        .exits(1);
    output.stdout_has(&[
        "`wrong_answer/always_eight.sh` must be rejected, but is not",
        "hint: choose an input on which this submission fails",
    ]);
    // A failing solution shows that the test case is wrong, or the solution itself.
    workspace.write(
        "solutions/talk/accepted/also.sh",
        "read -r n\nread -r question\necho \"n${n:0:1}\"\n",
    );
    workspace.write("long.in", "12\n");
    let output = workspace.judge(["add", "long.in", "-p", "talk"]).exits(1);
    output.stdout_has(&["`accepted/also.sh` gets WA on it"]);
}

#[test]
fn multi_pass_problems_take_test_cases_without_answers() {
    let Some(workspace) = talking("multi-pass", TWO_PASSES, PREFIX_N) else {
        return;
    };
    // Right in the first pass only.
    workspace.write(
        "solutions/talk/wrong_answer/three_only.sh",
        "read -r n\nif [ \"$n\" = 7 ]; then echo n; else echo \"$n\"; fi\n",
    );
    workspace.judge(["generate"]).exits(0);
    workspace.write("mine.in", "8\n");
    let output = workspace.judge(["add", "mine.in", "-p", "talk"]).exits(0);
    output.stdout_has(&["secret/mine · added", "rejects wrong_answer/three_only.sh"]);
    // Rules on one line leave no place for another rule.
    let add = ["add", "--generate", "gen.sh {seed:1}", "-p", "talk"];
    let output = workspace.judge(add).exits(3);
    output.stderr_has(&[
        "generators.yaml:1",
        "are not written on separate lines",
        "hint: write it there yourself",
    ]);
    let rules = "data:\n  sample:\n    data:\n      '1': {in: '3'}\n      '2': {in: '4', in.statement: four}\n  secret:\n    \
                 data:\n      a: {in: '5'}\n";
    workspace.write("problems/talk/generators/generators.yaml", rules);
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["up to date"]);
    workspace
        .judge(add)
        .exits(3)
        .stderr_has(&["unknown generator `gen.sh`"]);
    workspace.write("problems/talk/generators/gen.sh", "echo $(($1 % 1000))\n");
    workspace
        .judge(add)
        .exits(0)
        .stdout_has(&["secret/gen · added"]);
    workspace.judge(["generate", "--check"]).exits(0);
}

#[test]
fn output_validators_decide_whether_answers_agree() {
    let Some(workspace) = workspace().filter(|_| has("python3")) else {
        return;
    };
    // Every number with the correct value is accepted unless it is too large.
    let validator = "import sys\nvalue = int(sys.stdin.read())\nright = int(open(sys.argv[2]).read())\n\
                     sys.exit(42 if value == right and value < 9000 else 43)\n";
    workspace.write("problems/sum/output_validator/validate.py", validator);
    let printf = "printf(\"%d\\n\"";
    workspace.write(
        "solutions/sum/accepted/another.c",
        ANOTHER.replace(printf, "printf(\"+%d\\n\""),
    );
    workspace.write("mine.in", "3000 4000\n");
    let output = workspace
        .judge([
            "add",
            "mine.in",
            "-p",
            "sum",
            "--require-kill",
            "small_only.c",
        ])
        .exits(0);
    output.stdout_has(&[
        "2 accepted solutions agree",
        "rejects wrong_answer/plus_one.c",
    ]);
    // An answer that the validator rejects is not used.
    workspace.write("large.in", "5000 4000\n");
    let output = workspace.judge(["add", "large.in", "-p", "sum"]).exits(3);
    output.stderr_has(&["`secret/large`: the output validator rejects the answer"]);
}

/// The section of the tour about adding a test case: its commands are run unchanged, in a workspace
/// with a problem of that name.
#[test]
fn the_commands_of_the_tour_work() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    fs::rename(
        workspace.path("problems/sum"),
        workspace.path("problems/fiveup"),
    )
    .unwrap();
    fs::rename(
        workspace.path("solutions/sum"),
        workspace.path("solutions/fiveup"),
    )
    .unwrap();
    workspace.write(
        "problems/fiveup/input_validators/v.ctd",
        "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n",
    );
    workspace.write("mine.in", "3000 4000\n");
    let tour = include_str!("../docs/tutorials/tour.md");
    let (_, section) = tour.split_once("### Adding a test case").unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let lines = block.split_once("```").unwrap().0.lines();
    let commands: Vec<&str> = lines.filter(|line| line.starts_with("judge ")).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let words: Vec<&str> = command
            .split('#')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        assert_eq!(words[0], "judge");
        workspace.judge(&words[1..]).exits(0);
    }
    assert_eq!(
        fs::read_to_string(workspace.path("problems/fiveup/data/secret/found.ans")).unwrap(),
        "7000\n"
    );
}

#[test]
fn spaces_that_a_new_validator_expects_are_visible() {
    let Some(workspace) = with_adder() else {
        return;
    };
    workspace.write("few.in", "3\n1 2\n");
    workspace
        .judge(["add", "few.in", "-p", "adder"])
        .exits(3)
        .stderr_has(&["line 2: expected \" \", found the end of the line"]);
}

#[test]
fn inputs_that_nothing_validates_are_reported() {
    let Some(workspace) = workspace() else { return };
    fs::remove_dir_all(workspace.path("problems/sum/input_validators")).unwrap();
    workspace.write("mine.in", "3000 4000\n");
    workspace
        .judge(["add", "mine.in", "-p", "sum"])
        .exits(0)
        .stdout_has(&[
            "secret/mine · added",
            "note: the input was not validated: the package has no input validator",
        ]);
}
