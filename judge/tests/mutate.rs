//! `judge mutate`: detected mistakes, cached results, equivalent mutants, and inputs that kill
//! survivors.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use judge_event::{HuntResult, MutantStatus, Mutation, SearchEnd};
use judge_model::Verdict;
use rustix::process::{Pid, Signal, kill_process};

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

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    if !has("rust") {
        return None;
    }
    workspace.problem("larger", "limits:\n  time_limit: 4\n  memory: 256\n");
    workspace.case("larger", "sample/1", "3 2\n", "3\n");
    workspace.case("larger", "secret/01", "1 2\n", "2\n");
    // Results of mutants are cached by program. The name of the directory prevents sharing between
    // tests.
    let text = format!("{LARGER}// {}\n", workspace.path("").display());
    workspace.write("solutions/larger/accepted/compare.rs", text);
    Some(workspace)
}

#[track_caller]
fn document(output: &CommandOutput) -> Mutation {
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
        .judge(["mutate", "larger", "--time-limit", "0.5", "--report=json"])
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
    workspace.problem("larger", "");
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

/// A number up to the first argument, by the seed, and one below 10.
const TWO_NUMBERS: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {\n\
    long long most = atoll(v[1]); unsigned s = atoi(v[2]); if (c != 3) return 1;\n\
    printf(\"%lld %d\\n\", most, (int)(s * 2654435761u >> 28) % 10); }\n";

/// The same workspace with a generator and a validator that allow numbers beyond 32 bits.
fn workspace_for_hunts() -> Option<Workspace> {
    let workspace = workspace()?;
    workspace.write(
        "problems/larger/input_validators/v.ctd",
        "INT(0,5000000000) SPACE INT(0,5000000000) NEWLINE EOF\n",
    );
    workspace.write("problems/larger/generators/two.c", TWO_NUMBERS);
    let rules = "data:\n  secret:\n    data:\n      - large: two.c 4000000000 {seed}\n";
    workspace.write("problems/larger/generators/generators.yaml", rules);
    Some(workspace)
}

const HUNT: [&str; 7] = [
    "mutate", "larger", "--hunt", "--inputs", "60", "--seed", "5",
];

#[track_caller]
fn hunted(mutation: &Mutation) -> &HuntResult {
    mutation.hunt.as_ref().expect("a hunt")
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn hunts_find_the_same_inputs_with_any_number_of_jobs() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    let output = workspace
        .judge(HUNT.iter().chain(&["--report=json=one.json", "-j", "1"]))
        .exits(0);
    output.stdout_has(&[
        "survived",
        "integer-width",
        "killed by input 1 below: RTE: exit code 101",
    ]);
    output.stdout_has(&[
        "survived",
        "comparison",
        "likely equivalent: it was correct on all",
    ]);
    output.stdout_has(&[
        "input 1 ",
        "minimal: no line or word can be removed",
        "found",
        " of seed 5 ",
        "answer",
    ]);
    output.stdout_has(&[
        "add it",
        "judge add judge-hunt/larger/mutant-",
        ".in -p larger",
    ]);
    output.stdout_has(&[
        "hunted",
        " inputs in",
        "made of",
        "1 kind of generator call",
        "seed",
        "5; other inputs",
    ]);
    let one = Mutation::parse(&fs::read_to_string(workspace.path("one.json")).unwrap()).unwrap();
    let result = hunted(&one);
    let id = |was: &str| &one.survivors().find(|mutant| mutant.was == was).unwrap().id;
    let [found] = &result.found[..] else {
        panic!("{result:?}")
    };
    assert_eq!((found.kills.len(), &found.kills[0].mutant), (1, id("i64")));
    assert_eq!(
        (found.kills[0].verdict, found.is_minimal),
        (Verdict::RunTimeError, true)
    );
    let input = String::from_utf8(found.input.0.clone()).unwrap();
    let numbers: Vec<i64> = input
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    assert!(
        numbers.iter().any(|number| *number > i64::from(i32::MAX)),
        "{input}"
    );
    assert_eq!(
        found.answer.as_ref().unwrap().0,
        format!("{}\n", numbers.iter().max().unwrap()).as_bytes()
    );
    assert_eq!(
        &result.likely_equivalent,
        &[id("numbers[0], numbers[1]").clone(), id(">").clone()]
    );
    assert_eq!(
        (result.end, result.next, result.seed),
        (SearchEnd::Inputs, 60, 5)
    );
    assert!(
        result.tally.judged_inputs > 10 && result.tally.kinds_reached == 1,
        "{result:?}"
    );
    // The score is that of the test data as it is.
    assert_eq!((one.score.totals.killed, one.score.survived), (6, 3));
    let file = workspace.path(&format!("judge-hunt/larger/mutant-{}.in", id("i64")));
    assert_eq!(
        (fs::read(&file).unwrap(), found.file.as_deref()),
        (found.input.0.clone(), file.to_str())
    );
    // An existing file is left unchanged.
    fs::write(&file, "mine").unwrap();
    let three = document(
        &workspace
            .judge(HUNT.iter().chain(&["--report=json", "-j", "3"]))
            .exits(0),
    );
    let again = &hunted(&three).found[0];
    assert!(again.file.as_ref().unwrap().ends_with("-2.in"), "{again:?}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(
        (&again.input, &again.kills, again.number),
        (&found.input, &found.kills, found.number)
    );
    assert_eq!(hunted(&three).likely_equivalent, result.likely_equivalent);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn inputs_found_by_a_hunt_become_test_cases_and_survivors_are_declared() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    // The findings are in the document even if they cannot be added.
    let add = [
        "--add",
        "nowhere/mutant",
        "--report=json=failed.json",
        "--save",
        "other",
    ];
    workspace.judge(HUNT.iter().chain(&add)).exits(2);
    assert!(workspace.path("failed.json").is_file());
    let page = ["--report", "html=page.html"];
    let add = [
        "--add",
        "secret/mutant",
        "--report=json=hunt.json",
        "--save",
        "found",
    ];
    let output = workspace
        .judge(HUNT.iter().chain(&add).chain(&page))
        .exits(0);
    output.stdout_has(&["secret/mutant-01", "added"]);
    assert!(!workspace.files("found/larger").is_empty());
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    for fact in [
        "66.6 %",
        "integer-width",
        "likely equivalent",
        "An input that kills",
        "judge add found/larger/mutant-",
    ] {
        assert!(page.contains(fact), "{fact} in {page}");
    }
    let mutation =
        Mutation::parse(&fs::read_to_string(workspace.path("hunt.json")).unwrap()).unwrap();
    let argued = hunted(&mutation)
        .likely_equivalent
        .iter()
        .map(|id| format!("accepted/compare.rs {id}: the same\n"));
    workspace.write(
        "problems/larger/equivalent_mutants.txt",
        argued.collect::<String>(),
    );
    let output = workspace
        .judge(["mutate", "larger", "--min-score", "100", "--hunt"])
        .exits(0);
    output
        .stdout_has(&[
            "100.0 %",
            "7 of 7 mutants killed",
            "2 argued to be equivalent",
        ])
        .stdout_lacks(&["hunted", "warning"]);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn interrupted_hunts_report_their_findings() {
    let Some(workspace) = workspace_for_hunts() else {
        return;
    };
    let log = workspace.path("log");
    let mut command = workspace.command(["mutate", "larger", "--hunt=600", "--report=json"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let give_up = Instant::now() + Duration::from_secs(100);
    while !fs::read_to_string(&log).unwrap().contains("inputs, ") {
        assert!(Instant::now() < give_up, "no word of a search");
        sleep(Duration::from_millis(50));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mutation = document(&CommandOutput::from_child(child).exits(130));
    let result = hunted(&mutation);
    assert_eq!(
        (result.end, &result.likely_equivalent),
        (SearchEnd::Interrupted, &Vec::new())
    );
    assert!(result.tally.inputs > 0);
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

#[test]
fn hunts_without_sources_of_inputs_are_reported() {
    let Some(workspace) = workspace() else { return };
    let output = workspace.judge(["mutate", "larger", "--hunt"]).exits(0);
    output.stdout_has(&[
        "no search: none of the inputs",
        "warning: no source of inputs",
    ]);
    workspace
        .judge(["mutate", "larger", "--inputs", "5"])
        .exits(2)
        .stderr_has(&["--hunt"]);
    let both = ["mutate", "larger", "--hunt", "--report=json", "--add", "x"];
    workspace
        .judge(both)
        .exits(2)
        .stderr_has(&["both write to standard output"]);
}
