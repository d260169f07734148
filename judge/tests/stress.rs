//! `judge stress`: findings, their repetition and their minimization. Budgets are numbers of
//! inputs.

use serde_json::Value;

use crate::workspace::{CommandOutput, Workspace, has};

/// The maximum of some numbers. `START` is its initial value, and `MORE` precedes the output.
const LARGEST: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int n, x, best = START; scanf(\"%d\", &n);\n\
    for (int i = 0; i < n; i++) { scanf(\"%d\", &x); if (x > best) best = x; }\nMORE\nprintf(\"%d\\n\", best); }\n";
/// A given number of random numbers between two bounds, by a seed.
const GENERATOR: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {\n\
    int n = atoi(v[1]), low = atoi(v[2]), high = atoi(v[3]); if (c != 5 || n < 1 || low > high) return 1;\n\
    unsigned s = atoi(v[4]); printf(\"%d\\n\", n);\n\
    for (int i = 0; i < n; i++) { s = s * 1103515245u + 12345u;\n\
    printf(\"%d%c\", low + (int)((s >> 8) % (unsigned)(high - low + 1)), i + 1 < n ? ' ' : '\\n'); } }\n";
const RULES: &str = "data:\n  secret:\n    data:\n      - random: gen 300 -1000 1000 {seed}\n      - few: gen 5 1 9 {seed}\n";

fn largest(start: &str, more: &str) -> String {
    LARGEST.replace("START", start).replace("MORE", more)
}

/// The problem `largest` with a correct solution, one that starts at 0, and one that fails in two
/// ways.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("largest", "limits:\n  time_limit: 4\n  memory: 256\n");
    workspace.case("largest", "secret/1", "3\n1 3 2\n", "3\n");
    workspace.case("largest", "secret/2", "2\n7 -7\n", "7\n");
    let validator = "INT(1,1000,n) NEWLINE REP(n,SPACE) INT(-1000,1000) END NEWLINE EOF\n";
    workspace.write("problems/largest/input_validators/v.ctd", validator);
    workspace.write("problems/largest/generators/gen.c", GENERATOR);
    workspace.write(
        "problems/largest/generators/generators.yaml",
        RULES.replace("gen ", "gen.c "),
    );
    workspace.write("solutions/largest/accepted/a.c", largest("-2000", ""));
    workspace.write("solutions/largest/accepted/b.c", largest("-1001", ""));
    workspace.write(
        "solutions/largest/wrong_answer/from_zero.c",
        largest("0", ""),
    );
    workspace.write(
        "solutions/largest/wrong_answer/two_ways.c",
        largest("0", "if (n > 4) abort();"),
    );
    Some(workspace)
}

fn document(output: &CommandOutput) -> Value {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"))
}

/// A call without a seed, which is the last argument then.
const CALL: &str = "gen.c [1..300] [-1000..0] [-1000..1000]";
const FROM_ZERO: &str = "largest/wrong_answer/from_zero.c";

#[test]
fn failing_inputs_are_found_by_the_packages_generators_and_shrunk() {
    let Some(workspace) = workspace() else { return };
    let args = [
        "stress",
        FROM_ZERO,
        "--inputs",
        "400",
        "--seed",
        "1",
        "--generator",
        CALL,
        "--shrink",
        "100",
    ];
    let output = workspace.judge(args).exits(1);
    output.stdout_has(&[
        "✗ largest found an input on which `wrong_answer/from_zero.c` fails",
        "wrong_answer/from_zero.c WA",
    ]);
    output.stdout_has(&[
        "line 1: expected `-1`, found `0`",
        "found input",
        "gen.c ",
        "2 lines, 5 bytes, minimal: no line or word",
    ]);
    output.stdout_has(&[
        "│ 1",
        "│ -1",
        "answer │ -1",
        "add it printf '1\\n-1\\n' | judge add - -p largest",
    ]);
    output.stdout_has(&[
        "--require-kill wrong_answer/from_zero.c",
        "1 kind of generator call",
        "written by accepted/a.c",
        "seed 1;",
    ]);
}

#[test]
fn rejecting_test_cases_are_reported() {
    let Some(workspace) = workspace() else { return };
    workspace.case("largest", "secret/3", "1\n-9\n", "-9\n");
    workspace.case("largest", "secret/4", "2\n-9 -8\n", "-8\n");
    let args = [
        "stress",
        FROM_ZERO,
        "--inputs",
        "1",
        "--from",
        "3",
        "--seed",
        "1",
        "--generator",
        CALL,
        "--shrink",
        "0",
    ];
    for jobs in ["1", "3"] {
        let output = workspace
            .judge([&args[..], &["-j", jobs]].concat())
            .exits(1);
        output.stdout_has(&[
            "✗ largest",
            "`secret/3` rejects `wrong_answer/from_zero.c` already (WA)",
        ]);
        let output = document(
            &workspace
                .judge([&args[..], &["-j", jobs, "--report=json"]].concat())
                .exits(1),
        );
        let expected = serde_json::json!([
            {"submission": "wrong_answer/from_zero.c", "test_case": "secret/3", "verdict": "WA"}
        ]);
        assert_eq!(output["rejected_by"], expected);
    }
    let output = workspace
        .judge([
            "stress",
            "largest/accepted/b.c",
            "--inputs",
            "5",
            "--seed",
            "1",
            "--report=json",
        ])
        .exits(0);
    assert_eq!(document(&output).get("rejected_by"), None);
}

#[test]
fn findings_are_repeatable_with_any_number_of_jobs() {
    let Some(workspace) = workspace() else { return };
    let with = |more: &[&str], code| {
        let args = [
            "stress",
            FROM_ZERO,
            "--seed",
            "77",
            "--shrink",
            "0",
            "--report=json",
        ];
        document(&workspace.judge(args.iter().chain(more)).exits(code))
    };
    let one = with(&["-j", "1", "--inputs", "600"], 1);
    let three = with(&["-j", "3", "--inputs", "600"], 1);
    assert_eq!(one["findings"], three["findings"]);
    assert_eq!(
        (&one["end"], &one["next"]),
        (&"found".into(), &three["next"])
    );
    let number = one["findings"][0]["number"].as_u64().unwrap();
    assert_eq!(one["next"], number + 1);
    let again = with(&["--from", &number.to_string(), "--inputs", "1"], 1);
    assert_eq!(again["findings"], one["findings"]);
    if number > 0 {
        let before = with(&["--inputs", &number.to_string()], 0);
        assert_eq!(
            (&before["findings"], &before["end"], &before["next"]),
            (&Value::Array(vec![]), &"inputs".into(), &number.into())
        );
    }
}

#[test]
fn correct_solutions_are_not_distinguished() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge([
            "stress",
            "largest/accepted/*",
            "--inputs",
            "150",
            "--seed",
            "3",
        ])
        .exits(0);
    output.stdout_has(&[
        "✓ largest an input on which verdicts differ: none found",
        "150 inputs in",
        "--seed 3 --from 150",
    ]);
    let find = [
        "--find",
        "a.c != b.c || a !~ AC",
        "-p",
        "largest",
        "--reference",
        "b",
    ];
    let output = workspace
        .judge(["stress", "--inputs", "80"].iter().chain(&find))
        .exits(0);
    output.stdout_has(&[
        "a.c != b.c || a !~ AC: none found",
        "written by accepted/b.c",
    ]);
}

#[test]
fn failures_of_several_kinds_are_distinguished() {
    let Some(workspace) = workspace() else { return };
    let search = |condition: &str| {
        let args = [
            "stress", "-p", "largest", "--find", condition, "--inputs", "900", "--seed", "5",
        ];
        let found = document(
            &workspace
                .judge(args.iter().chain(&["--shrink", "100", "--report=json"]))
                .exits(1),
        );
        found["findings"][0].clone()
    };
    let wrong = search("two_ways ~ WA");
    assert_eq!(
        (&wrong["input"], &wrong["is_minimal"]),
        (&"1\n-1\n".into(), &true.into())
    );
    let failed = search("two_ways ~ RTE");
    assert_eq!(failed["failures"][0]["how"], "SIGABRT");
    // One number more than the array has room for.
    assert_eq!(
        (&failed["input"], &failed["answer"]),
        (&"5\n0 0 0 0 0\n".into(), &"0\n".into())
    );
}

#[test]
fn finders_typed_calls_and_mutated_test_cases_are_searched() {
    let Some(workspace) = workspace() else { return };
    let base = [
        "stress",
        "-p",
        "largest",
        "--inputs",
        "500",
        "--seed",
        "2",
        "--report=json",
    ];
    let find = [
        "--find",
        "from_zero ~ WA && !(two_ways ~ RTE)",
        "--generator",
        "gen.c [1..9] [-5..-1] (3|-1) {seed}",
    ];
    let found = document(&workspace.judge(base.iter().chain(&find)).exits(1));
    let finding = &found["findings"][0];
    assert!(
        finding["made_by"].as_str().unwrap().starts_with("gen.c "),
        "{found}"
    );
    assert_eq!(
        (
            &finding["input"],
            finding["failures"].as_array().unwrap().len()
        ),
        (&"1\n-1\n".into(), 2)
    );
    workspace.remove("problems/largest/generators/generators.yaml");
    let changed = document(&workspace.judge(base.iter().chain(&[FROM_ZERO])).exits(1));
    assert_eq!(
        (&changed["kinds"], &changed["findings"][0]["input"]),
        (&0.into(), &"1\n-1\n".into())
    );
    assert!(
        changed["findings"][0]["made_by"]
            .as_str()
            .unwrap()
            .starts_with("test case secret/"),
        "{changed}"
    );
}

#[test]
fn a_found_input_becomes_a_test_case() {
    let Some(workspace) = workspace() else { return };
    workspace.judge(["run", FROM_ZERO]).exits(1);
    let args = [
        "stress",
        FROM_ZERO,
        "--inputs",
        "400",
        "--seed",
        "1",
        "--add",
        "secret/killer",
        "--save",
        "found",
    ];
    let output = workspace.judge(args).exits(0);
    output.stdout_has(&[
        "file found/largest-1-",
        "secret/killer · added",
        "wrong_answer/from_zero.c",
        "no other test case does",
    ]);
    let read = |path: &str| std::fs::read_to_string(workspace.path(path)).unwrap();
    assert_eq!(read("problems/largest/data/secret/killer.in"), "1\n-1\n");
    assert_eq!(read("problems/largest/data/secret/killer.ans"), "-1\n");
    assert_eq!(workspace.files("found").len(), 2);
    workspace.judge(["run", FROM_ZERO]).exits(0);
    // Finding nothing to add is a failure.
    let nothing = [
        "stress",
        "largest/accepted/b.c",
        "--inputs",
        "20",
        "--add",
        "secret/x",
    ];
    workspace
        .judge(nothing)
        .exits(1)
        .stdout_has(&["none found"]);
    // The report of the addition is text for people.
    let both = workspace
        .judge(nothing.into_iter().chain(["--json"]))
        .exits(2);
    both.stderr_has(&[
        "`--report` and `--add` both write to standard output",
        "hint:",
    ]);
}

#[test]
fn the_slowest_input_is_kept() {
    let Some(workspace) = workspace() else { return };
    let slow = largest(
        "-2000",
        "for (volatile long i = 0; i < 100000L * n; i++) {}",
    );
    workspace.write("solutions/largest/accepted/slow.c", slow);
    let args = [
        "stress",
        "largest/accepted/slow.c",
        "--slowest",
        "--inputs",
        "200",
        "--seed",
        "4",
        "--report=json",
    ];
    let found = document(&workspace.judge(args).exits(0));
    assert!(found["slowest"]["bytes"].as_u64().unwrap() > 100, "{found}");
}

#[test]
fn interactive_problems_are_searched() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    workspace
        .judge(["new", "guess", "--type", "interactive"])
        .exits(0);
    let wrong = workspace
        .files("problems/guess")
        .into_keys()
        .chain(workspace.files("solutions").into_keys());
    let wrong = wrong
        .filter(|path| path.to_string_lossy().contains("steps_too_small"))
        .collect::<Vec<_>>();
    let base = [
        "stress",
        "-p",
        "guess",
        "--inputs",
        "150",
        "--seed",
        "9",
        "--shrink",
        "20",
        "--report=json",
    ];
    let found = document(
        &workspace
            .judge(base.iter().chain(&[wrong[0].to_str().unwrap()]))
            .exits(1),
    );
    assert_ne!(
        found["findings"][0]["failures"][0]["verdict"], "AC",
        "{found}"
    );
    assert!(found["findings"][0].get("answer").is_none(), "{found}");
}

#[test]
fn multi_pass_problems_are_searched() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    workspace
        .judge(["new", "telephone", "--type", "multi-pass"])
        .exits(0);
    let wrong = workspace
        .files("problems/telephone")
        .into_keys()
        .chain(workspace.files("solutions").into_keys());
    let wrong = wrong
        .filter(|path| path.to_string_lossy().contains("four_letters"))
        .collect::<Vec<_>>();
    let base = [
        "stress",
        "-p",
        "telephone",
        "--inputs",
        "300",
        "--seed",
        "9",
        "--shrink",
        "20",
        "--report=json",
    ];
    let found = document(
        &workspace
            .judge(base.iter().chain(&[wrong[0].to_str().unwrap()]))
            .exits(1),
    );
    assert_eq!(
        found["findings"][0]["failures"][0]["verdict"], "WA",
        "{found}"
    );
}

#[test]
fn impossible_searches_are_refused_with_a_reason() {
    let Some(workspace) = workspace() else { return };
    let output = |args: &[&str], code| workspace.judge(["stress"].iter().chain(args)).exits(code);
    output(&[], 2).stderr_has(&["required"]);
    output(&["-p", "largest", "--find", "x ~ WA"], 2)
        .stderr_has(&["in `--find`: `x` names no submission of `problems/largest`"]);
    let several = "`accepted` matches several submissions: `accepted/";
    output(
        &[
            "-p",
            "largest",
            "--find",
            "accepted/a.c ~ WA",
            "--reference",
            "accepted",
        ],
        2,
    )
    .stderr_has(&[several]);
    let mistyped = ["-p", "largest", "--find", "from_zer.c ~ WA"];
    output(&mistyped, 2).stderr_has(&["`from_zer.c` names no submission of", "did you mean"]);
    output(&["-p", "largest", "--find", "a ~"], 2)
        .stderr_has(&["expected the name of a submission"]);
    output(&[FROM_ZERO, "--generator", "gen.c [5..1]"], 2).stderr_has(&["smaller number first"]);
    output(&[FROM_ZERO, "--generator", "nobody 1"], 2)
        .stderr_has(&["no such file or generator: `nobody`"]);
    output(&[FROM_ZERO, "--generator", "gen.c [1..<N>]"], 2).stderr_has(&["no constant `N`"]);
    workspace.remove("solutions/largest/accepted/b.c");
    output(&["largest/accepted/a.c"], 2)
        .stderr_has(&["expected another accepted submission", "--reference"]);
    workspace.write(
        "solutions/largest/wrong_answer/broken.c",
        "int main(void) { return }\n",
    );
    output(&["largest/wrong_answer/broken.c"], 1)
        .stderr_has(&["cannot be run: it does not compile"]);
    workspace.remove("problems/largest/input_validators/v.ctd");
    workspace.remove("problems/largest/generators/generators.yaml");
    output(&[FROM_ZERO], 5).stderr_has(&["no source of inputs", "--generator"]);
    let unvalidated = [
        FROM_ZERO,
        "--generator",
        "gen.c [1..5] -9 [-9..9] {seed}",
        "--inputs",
        "200",
        "--seed",
        "1",
    ];
    output(&unvalidated, 1).stdout_has(&["the smallest that the generator made", "│ 1"]);
}

#[test]
fn expensive_calls_are_drawn_rarely_and_costs_repeat_the_inputs() {
    let Some(workspace) = workspace() else { return };
    // The second generator takes 0.3 s of CPU time for any input.
    let slow_generator = GENERATOR.replace(
        "if (c != 5",
        "for (volatile long i = 0; clock() < 300000; i++) {}\nif (c != 5",
    );
    workspace.write(
        "problems/largest/generators/dear.c",
        format!("#include <time.h>\n{slow_generator}"),
    );
    let rules = format!(
        "{}      - dear: dear.c 3 1 5 {{seed}}\n",
        RULES.replace("gen ", "gen.c ")
    );
    workspace.write("problems/largest/generators/generators.yaml", rules);
    let stress = |more: &[&str]| {
        let args = [
            "stress",
            "largest/accepted/b.c",
            "--inputs",
            "24",
            "--report=json",
            "-j",
            "1",
        ];
        workspace.judge(args.iter().chain(more))
    };
    let found = document(&stress(&[]).exits(0));
    assert_eq!(found["costs"], "03", "{found}");
    let seed = found["seed"].to_string();
    let again = document(&stress(&["--seed", &format!("{seed}/03")]).exits(0));
    for key in [
        "costs",
        "judged",
        "repeated",
        "refused",
        "invalid",
        "kinds_reached",
        "next",
    ] {
        assert_eq!(again[key], found[key], "{key}");
    }
    let seeded = document(&stress(&["--seed", "1"]).exits(0));
    assert!(seeded.get("costs").is_none(), "{seeded}");
    stress(&["--seed", "1/012"])
        .exits(2)
        .stderr_has(&["--seed: expected costs of 2 kinds of calls, found 3"]);
    stress(&["--seed", "1/05"])
        .exits(2)
        .stderr_has(&["expected a digit from 0 to 3"]);
}

#[test]
fn searches_end_on_time_despite_slow_generators() {
    let Some(workspace) = workspace() else { return };
    let endless = GENERATOR.replace("if (c != 5", "for (;;) {}\nif (c != 5");
    workspace.write("problems/largest/generators/gen.c", endless);
    let args = [
        "stress",
        "largest/accepted/b.c",
        "--generator",
        CALL,
        "--time",
        "1",
        "--report=json",
        "-j",
        "1",
    ];
    let found = document(&workspace.judge(args).exits(0));
    assert_eq!(found["judged"], 0);
    // The generator would run for 60 s.
    assert!(
        found["elapsed_us"].as_u64().unwrap() < 20_000_000,
        "{found}"
    );
}
