//! `judge mutate`: detected mistakes, cached results and equivalent mutants.

use std::fs;
use std::time::UNIX_EPOCH;

use judge_event::{MutantStatus, Mutation};

use crate::workspace::{CommandOutput, Workspace, has};

/// The larger of two numbers. Two of its nine mutants are equivalent: `>=`, and `larger` with
/// swapped arguments. The two ways to write a number keep the compiler from detecting the first.
const LARGER: &str = "use std::io;

fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!(\"{}\", larger(numbers[0], numbers[1]));
}

fn larger(a: i64, b: i64) -> String {
    if a > b { a.to_string() } else { format!(\"{b:1}\") }
}
";

const BRANCH: &str = "if a > b { a.to_string() } else { format!(\"{b:1}\") }";

/// A limit that no other test has. Results of mutants are cached by program and limits: so tests
/// share the compiled programs and no results.
pub(crate) fn own_limit() -> String {
    let since = UNIX_EPOCH.elapsed().unwrap();
    format!(
        "validation_time: {}.{:06}",
        60 + since.as_secs() % 10_000,
        since.subsec_micros()
    )
}

pub(crate) fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    if !has("rust") {
        return None;
    }
    let limits = format!(
        "limits:\n  time_limit: 4\n  memory: 256\n  {}\n",
        own_limit()
    );
    workspace.problem("larger", &limits);
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    workspace.write("solutions/larger/accepted/compare.rs", LARGER);
    Some(workspace)
}

#[track_caller]
pub(crate) fn document(output: &CommandOutput) -> Mutation {
    Mutation::parse(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"))
}

/// The original texts of survivors, each with its replacement.
fn survivors(mutation: &Mutation) -> Vec<(&str, &str)> {
    mutation
        .survivors()
        .map(|mutant| (mutant.was.as_str(), mutant.becomes.as_str()))
        .collect()
}

#[test]
fn survivors_are_reported_and_new_cases_run_only_open_mutants() {
    let Some(workspace) = workspace() else { return };
    let first = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let swapped = ("numbers[0], numbers[1]", "numbers[1], numbers[0]");
    assert_eq!(survivors(&first), [("i64", "i32"), swapped, (">", ">=")]);
    assert_eq!((first.score.totals.killed, first.score.totals.of), (6, 9));
    // Another type cannot be chosen when the program runs; everything else can.
    assert_eq!(
        (
            first.method.together,
            first.method.apart,
            first.method.known
        ),
        (8, 1, 0)
    );
    let reached = |was: &str| {
        first
            .mutants
            .iter()
            .find(|mutant| mutant.was == was && mutant.status == MutantStatus::Survived)
    };
    assert_eq!(
        reached(">").unwrap().reached.as_deref(),
        Some(&[][..]),
        "the numbers are never the same"
    );
    assert_eq!(
        reached(swapped.0).unwrap().reached.as_ref().map(Vec::len),
        Some(2)
    );
    let groups: Vec<_> = first
        .groups
        .iter()
        .map(|group| (group.group.as_str(), group.totals.killed))
        .collect();
    // `0` for `1` gives the right answer where the second number is the larger one: the sample's 3
    // are `1` for `0`, `2` for `1` and a condition that never holds; the secret case's 4 are `0`
    // and `2` for `1`, `!=`, and one that always holds.
    assert_eq!(groups, [("sample", 3), ("secret", 4)]);

    workspace.case(
        "larger",
        "secret/02-large",
        "3000000000 1\n",
        "3000000000\n",
    );
    let second = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!(survivors(&second), [swapped, (">", ">=")]);
    let kill = second
        .mutants
        .iter()
        .find(|mutant| mutant.was == "i64")
        .unwrap();
    assert_eq!(kill.kills[0].test_case, "secret/02-large");
    assert!(
        second.method.known > 0 && second.method.runs < first.method.runs,
        "{:?}",
        second.method
    );
    // Nothing has changed: nothing is run.
    let third = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    assert_eq!((third.method.runs, third.score), (0, second.score));
    let full = document(
        &workspace
            .judge(["mutate", "larger", "--full", "--report=json"])
            .exits(0),
    );
    // The first kill of a group decides about the group.
    assert_eq!((&full.score, &full.groups), (&second.score, &second.groups));
    let groups: Vec<_> = second
        .groups
        .iter()
        .map(|group| group.totals.killed)
        .collect();
    assert_eq!(groups, [3, 7]);
    assert!(
        full.mutants
            .iter()
            .map(|mutant| mutant.kills.len())
            .sum::<usize>()
            > 7
    );
}

#[test]
fn survivors_are_shown_as_differences_and_scores_can_be_required() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge(["mutate", "larger", "--min-score", "66"])
        .exits(0);
    output.stdout_has(&[
        "larger mutants of accepted/compare.rs",
        "66.6 %",
        "6 of 9 mutants killed",
        "3 survived",
    ]);
    output.stdout_has(&[
        "survived",
        "integer-width",
        "- let numbers: Vec<i64>",
        "+ let numbers: Vec<i32>",
    ]);
    output.stdout_has(&[
        "comparison",
        "line 10, in larger",
        "- if a > b { a.to",
        "+ if a >= b { a.to",
    ]);
    output.stdout_has(&[
        "nearest: 2 test cases reach this place, with values that make no difference",
    ]);
    let output = workspace
        .judge([
            "mutate",
            "larger/accepted/compare.rs",
            "--min-score",
            "67",
            "-q",
        ])
        .exits(1);
    output
        .stdout_has(&["66.6 %", "expected 67 % or more"])
        .stdout_lacks(&["survived  "]);
    workspace
        .judge(["mutate", "larger", "--min-score", "101"])
        .exits(2)
        .stderr_has(&["expected percent from 0 to 100"]);
    let sample = document(
        &workspace
            .judge([
                "mutate",
                "larger",
                "--sample",
                "4",
                "--seed",
                "3",
                "--report=json",
            ])
            .exits(0),
    );
    assert_eq!(
        (
            sample.mutants.len(),
            sample.method.possible,
            sample.method.seed
        ),
        (4, 9, Some(3))
    );
}

#[test]
fn declared_equivalents_do_not_count_until_killed() {
    let Some(workspace) = workspace() else { return };
    let first = document(
        &workspace
            .judge(["mutate", "larger", "--report=json"])
            .exits(0),
    );
    let file = "problems/larger/equivalent_mutants.txt";
    let argued: String = first
        .survivors()
        .map(|mutant| {
            format!(
                "accepted/compare.rs {}: the same\n  for all numbers\n",
                mutant.id
            )
        })
        .collect();
    workspace.write(file, &argued);
    let output = workspace
        .judge(["mutate", "larger", "--min-score", "100"])
        .exits(0);
    output
        .stdout_has(&[
            "100.0 %",
            "6 of 6 mutants killed",
            "3 argued to be equivalent",
        ])
        .stdout_lacks(&["warning"]);
    // One of the entries is wrong, and another one names no mutant.
    workspace.case(
        "larger",
        "secret/02-large",
        "3000000000 1\n",
        "3000000000\n",
    );
    workspace.write(
        file,
        format!("{argued}accepted/compare.rs 0123456789: of old\n"),
    );
    let output = workspace.judge(["mutate", "larger"]).exits(0);
    output.stdout_has(&[
        "7 of 7 mutants killed",
        "declared equivalent, but `secret/02-large` kills it (RTE)",
    ]);
    output.stdout_has(&["`0123456789` is declared equivalent, but this mutant no longer exists"]);
    workspace.write(file, "accepted/compare.rs: why\n");
    let output = workspace.judge(["mutate", "larger"]).exits(3);
    output.stderr_has(&[
        "problems/larger/equivalent_mutants.txt:1: expected a solution, a mutant",
        "hint: write",
    ]);
}

#[test]
fn endless_mutants_are_killed_by_the_time_limit() {
    let Some(workspace) = workspace() else { return };
    let counting = LARGER.replace(
        BRANCH,
        "let mut c = a;\n    while c < b {\n        c += 1;\n    }\n    c.to_string()",
    );
    workspace.write("solutions/larger/accepted/compare.rs", counting);
    let output = workspace
        .judge(["mutate", "larger", "--time-limit", "0.1", "--report=json"])
        .exits(0);
    let mutation = document(&output);
    let endless = mutation
        .mutants
        .iter()
        .find(|mutant| mutant.was == "+=" && mutant.becomes == "-=")
        .unwrap();
    assert_eq!(endless.status, MutantStatus::Killed);
    let without = mutation
        .mutants
        .iter()
        .find(|mutant| mutant.was == "c += 1;")
        .unwrap();
    assert_eq!(without.kills[0].verdict.code(), "TLE");
}

#[test]
fn unsupported_solutions_are_reported_with_a_reason() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "solutions/larger/accepted/compare.rs",
        LARGER.replace("a > b", "a < b"),
    );
    let output = workspace.judge(["mutate", "larger"]).exits(1);
    output.stderr_has(&["expected `accepted/compare.rs` to be accepted, found WA on `"]);
    workspace.write("solutions/larger/accepted/compare.rs", LARGER);
    workspace.write(
        "solutions/larger/wrong_answer/smaller.rs",
        LARGER.replace("a > b", "a < b"),
    );
    workspace
        .judge(["mutate", "larger/wrong_answer/smaller.rs"])
        .exits(5)
        .stderr_has(&[
            "`smaller.rs` is in `wrong_answer`; only accepted solutions are mutated",
            "hint: `judge mutate larger`",
        ]);
    workspace.remove("solutions/larger/wrong_answer/smaller.rs");
    workspace.write("solutions/larger/accepted/compare.rs", "fn main() {");
    workspace
        .judge(["mutate", "larger"])
        .exits(2)
        .stderr_has(&["accepted/compare.rs: line 1 cannot be parsed as Rust"]);
    // Faults of this package and of a third one do not keep another package from being mutated.
    workspace.write(
        "problems/other/problem.yaml",
        fs::read(workspace.path("problems/larger/problem.yaml")).unwrap(),
    );
    workspace.write("problems/other/data/secret/1.in", "1 2\n");
    workspace.write("problems/other/data/secret/1.ans", "2\n");
    workspace.write("solutions/other/accepted/compare.rs", LARGER);
    workspace.write("problems/broken/problem.yaml", "name: [");
    let output = workspace.judge(["mutate"]).exits(3);
    output.stderr_has(&[
        "problems/broken/problem.yaml",
        "line 1 cannot be parsed as Rust",
    ]);
    output.stdout_has(&["other"]);
    workspace.remove("problems/broken/problem.yaml");
    workspace.remove("solutions/larger/accepted/compare.rs");
    workspace.write("solutions/larger/accepted/compare.js", "console.log(1);");
    let output = workspace.judge(["mutate", "larger"]).exits(5);
    output.stderr_has(&["`larger` has no accepted solution in Rust, C++, C, Java or Python"]);
    let output = workspace.judge(["mutate"]).exits(0);
    output
        .stderr_has(&["note: `larger` has no accepted solution in Rust, C++"])
        .stdout_has(&["other"]);
}

#[test]
fn missing_time_limits_are_inferred() {
    let Some(workspace) = workspace() else { return };
    workspace.problem("larger", &format!("limits:\n  {}\n", own_limit()));
    let mutate = ["mutate", "larger", "--report=json"];
    let mutation =
        document(&CommandOutput::from_command(&mut workspace.command_keeping(mutate)).exits(0));
    assert_eq!(
        (
            mutation.score.totals.killed,
            mutation.score.totals.of,
            mutation.time_limit_us
        ),
        (6, 9, 1_000_000)
    );
    // A solution that cannot be measured is reported as such.
    workspace.write("solutions/larger/wrong_answer/broken.c", "int main(void) {");
    workspace.write(
        "solutions/larger/accepted/compare.rs",
        "fn main() { let x: i64 = \"\"; }",
    );
    workspace.judge(["mutate", "larger"]).exits(3).stderr_has(&[
        "none can be inferred: `accepted/compare.rs` does not compile: error",
        "hint: set `limits.time_limit`",
    ]);
}

#[test]
fn a_missing_compiler_is_named() {
    let Some(workspace) = workspace() else { return };
    let mut command = workspace.command(["mutate", "larger"]);
    let output =
        CommandOutput::from_command(command.env("PATH", workspace.path("problems"))).exits(2);
    output.stderr_has(&[
        "accepted/compare.rs: this host cannot compile and run `rust`",
        "hint: `judge doctor`",
    ]);
}
