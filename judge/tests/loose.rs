//! `judge stress`, `judge compare` and `judge try` on loose files: no package, no workspace,
//! nothing written next to them.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, has};

/// The maximum of some numbers; `START` is its initial value.
const LARGEST: &str = "#include <stdio.h>\nint main(void) { int n, x, best = START; scanf(\"%d\", &n);\n\
    for (int i = 0; i < n; i++) { scanf(\"%d\", &x); if (x > best) best = x; }\nprintf(\"%d\\n\", best); }\n";
/// Up to nine numbers from -9 to 9, by a seed as the only argument.
const GENERATOR: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int main(int c, char **v) { if (c != 2) { fputs(\"one seed, please\\n\", stderr); return 1; } unsigned s = atoi(v[1]);\n\
    int n = 1 + s % 9; printf(\"%d\\n\", n);\n\
    for (int i = 0; i < n; i++) { s = s * 1103515245u + 12345u; printf(\"%d%c\", (int)(s >> 8) % 10, i + 1 < n ? ' ' : '\\n'); } }\n";
const VALIDATOR: &str = "INT(1,9,n) NEWLINE REP(n,SPACE) INT(-9,9) END NEWLINE EOF\n";
/// A `testlib.h` with the original exit codes, reduced to the needs of the checker.
const TESTLIB: &str =
    "#include <cstdio>\n#include <cstdlib>\n#define OK_EXIT_CODE 0\n#define WA_EXIT_CODE 1\n";
/// Accepts an output whose first number equals that of the answer or exceeds it by one.
const CHECKER: &str = "#include \"testlib.h\"\nint main(int c, char **v) { if (c < 4) return 3; int x, y;\n\
    FILE *o = fopen(v[2], \"r\"), *a = fopen(v[3], \"r\"); if (!o || !a) return 3;\n\
    if (fscanf(o, \"%d\", &x) != 1 || fscanf(a, \"%d\", &y) != 1) return WA_EXIT_CODE;\n\
    return x == y || x == y + 1 ? OK_EXIT_CODE : WA_EXIT_CODE; }\n";

/// A directory with a program that starts at 0, a correct one and a generator.
pub(crate) fn directory() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.write("mine.c", LARGEST.replace("START", "0"));
    workspace.write("brute.c", LARGEST.replace("START", "-2000"));
    workspace.write(
        "gen.c",
        GENERATOR.replace("(int)(s >> 8) % 10", "(int)((s >> 8) % 19u) - 9"),
    );
    Some(workspace)
}

fn document(output: &CommandOutput) -> Value {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error} in {output:?}"))
}

const SEARCH: [&str; 10] = [
    "stress",
    "mine.c",
    "--reference",
    "brute.c",
    "--generator",
    "gen.c",
    "--inputs",
    "100",
    "--seed",
    "1",
];

#[test]
fn the_smallest_failing_input_is_found_with_a_brute_force_and_a_generator() {
    let Some(workspace) = directory() else { return };
    let before = workspace.files("");
    let output = workspace.judge(SEARCH).exits(1);
    output.stdout_has(&[
        "✗ mine found an input on which `mine.c` fails",
        "mine.c WA; line 1: expected `-",
    ]);
    output.stdout_has(&[
        "gen.c ",
        "the smallest that the generator made",
        "written by brute.c",
    ]);
    output.stdout_has(&["save it the same with --seed 1 --from", "--save DIR"]);
    output.stdout_lacks(&["judge add", "warning"]);
    let found = document(
        &workspace
            .judge(SEARCH.iter().chain(&["--report=json"]))
            .exits(1),
    );
    let input = found["findings"][0]["input"].as_str().unwrap();
    assert!(input.starts_with("1\n-"), "{found}");
    assert!(
        found["findings"][0]["call"]
            .as_str()
            .unwrap()
            .starts_with("gen.c "),
        "{found}"
    );
    assert_eq!(
        workspace.files(""),
        before,
        "nothing is written next to the files"
    );
    // Again from another directory, by paths, with the finding in files.
    let saved: Vec<String> = SEARCH
        .iter()
        .map(|word| word.replace("mine.c", "../mine.c"))
        .collect();
    let saved: Vec<String> = saved
        .iter()
        .map(|word| {
            word.replace("brute.c", "../brute.c")
                .replace("gen.c", "../gen.c")
        })
        .collect();
    workspace.write("below/empty", "");
    let mut command =
        workspace.command(saved.iter().map(String::as_str).chain(["--save", "found"]));
    let output = CommandOutput::from_command(command.current_dir(workspace.path("below"))).exits(1);
    output.stdout_has(&["../gen.c ", "file below/found/mine-1-"]);
    output.stdout_lacks(&["/tmp", "judge-examples"]);
    assert_eq!(workspace.files("below/found").len(), 2);
}

#[test]
fn a_validator_lets_parts_of_the_input_be_removed() {
    let Some(workspace) = directory() else { return };
    workspace.write("v.ctd", VALIDATOR);
    let found = document(
        &workspace
            .judge(
                SEARCH
                    .iter()
                    .chain(&["--validator", "v.ctd", "--report=json"]),
            )
            .exits(1),
    );
    let finding = &found["findings"][0];
    assert_eq!(
        (&finding["input"], &finding["is_minimal"]),
        (&"1\n-1\n".into(), &true.into())
    );
    assert_eq!(
        (&finding["answer"], &found["invalid"]),
        (&"-1\n".into(), &0.into())
    );
    // A rejected input is not a finding.
    workspace.write(
        "v.ctd",
        "INT(1,9,n) NEWLINE REP(n,SPACE) INT(0,9) END NEWLINE EOF\n",
    );
    let output = workspace
        .judge(SEARCH.iter().chain(&["--validator", "v.ctd"]))
        .exits(0);
    output.stdout_has(&["none found", "rejected by the input validators"]);
    // A validator that does not follow the rules of packages rejects everything, which is reported.
    workspace.write("v.c", "int main(void) { return 0; }\n");
    let output = workspace
        .judge(SEARCH.iter().chain(&["--validator", "v.c"]))
        .exits(5);
    output.stdout_has(&[
        "none of the inputs could be judged",
        "is invalid: the input validator `v.c`",
        "0",
        "exits with code 42",
    ]);
}

#[test]
fn checkers_that_fail_on_every_output_are_not_agreement() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("right.sh", "read a b; echo $((a + b))\n");
    workspace.write("wrong.sh", "echo 0\n");
    workspace.write("brute.sh", "read a b; echo $((b + a))\n");
    workspace.write("gen.sh", "echo 3 $1\n");
    workspace.write("check/check.sh", "exit 0\n");
    let search = [
        "--generator",
        "gen.sh [1..9]",
        "--checker",
        "check/check.sh",
        "--inputs",
        "5",
    ];
    let two = ["stress", "right.sh", "wrong.sh", "--reference", "brute.sh"];
    let one = ["stress", "wrong.sh", "--reference", "brute.sh"];
    for submissions in [&two[..], &one] {
        workspace
            .judge(submissions.iter().chain(&search))
            .exits(3)
            .stdout_has(&["judge error on every valid input, such as"])
            .stdout_has(&["returned exit code 0"]);
    }
}

#[test]
fn outputs_are_judged_by_a_checker_or_within_a_tolerance() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.write("right.c", SUM);
    workspace.write("one-more.c", SUM_PLUS_ONE);
    workspace.write("two-more.c", SUM_PLUS_ONE.replace("+ 1", "+ 2"));
    workspace.write(
        "half.c",
        SUM.replace("\"%d\\n\", a + b", "\"%.3f\\n\", a + b + 0.002"),
    );
    workspace.write(
        "gen.c",
        "#include <stdio.h>\nint main(int c, char **v) { (void)c; printf(\"3 %s\\n\", v[1]); }\n",
    );
    workspace.write("tests/1.in", "3 4\n");
    workspace.write("tests/1.out", "7\n");
    let validator = "#include <stdio.h>\nint main(int c, char **v) { if (c < 4) return 1; int x, y; FILE *a = fopen(v[2], \"r\");\n\
        if (!a || fscanf(a, \"%d\", &y) != 1) return 1; if (scanf(\"%d\", &x) != 1) return 43;\n\
        return x == y || x == y + 1 ? 42 : 43; }\n";
    workspace.write("check/check.c", validator);
    let mut checkers = vec!["check/check.c"];
    if has("cpp") {
        workspace.write("testlib/testlib.h", TESTLIB);
        workspace.write("testlib/check.cpp", CHECKER);
        checkers.push("testlib/check.cpp");
    }
    let search = [
        "--reference",
        "right.c",
        "--generator",
        "gen.c [1..9]",
        "--inputs",
        "20",
        "--seed",
        "1",
    ];
    for checker in checkers {
        let by = ["--checker", checker];
        let stress = |file| workspace.judge(["stress", file].iter().chain(&search).chain(&by));
        stress("one-more.c").exits(0);
        stress("two-more.c")
            .exits(1)
            .stdout_has(&["two-more.c  WA".replace("  ", " ").as_str()]);
        let examples = |file| workspace.judge(["try", file, "--input", "tests"].iter().chain(&by));
        examples("one-more.c").exits(0).stdout_has(&["AC"]);
        examples("two-more.c").exits(1).stdout_has(&["WA"]);
        let compare = |file| {
            let args = [
                "compare", "right.c", file, "--input", "tests", "--budget", "0.1",
            ];
            workspace.judge(args.iter().chain(&by))
        };
        compare("one-more.c")
            .exits(0)
            .stdout_has(&["B differs from A on none of 1 test case"]);
        compare("two-more.c")
            .exits(1)
            .stdout_has(&["only A is right", "tests/1: wrong answer"]);
    }
    let within = ["--float-tolerance", "0.01"];
    workspace
        .judge(["stress", "half.c"].iter().chain(&search))
        .exits(1);
    workspace
        .judge(["stress", "half.c"].iter().chain(&search).chain(&within))
        .exits(0);
    workspace
        .judge(["try", "half.c", "--input", "tests"])
        .exits(1);
    workspace
        .judge(["try", "half.c", "--input", "tests"].iter().chain(&within))
        .exits(0);
    let output = workspace
        .judge([
            "try",
            "half.c",
            "--input",
            "tests",
            "--float-tolerance",
            "little",
        ])
        .exits(2);
    output.stderr_has(&["invalid value 'little' for '--float-tolerance"]);
    let output = workspace
        .judge(
            ["try", "half.c", "--input", "tests/1.in"]
                .iter()
                .chain(&within),
        )
        .exits(2);
    output.stderr_has(&["this input has none", "hint: name a directory of examples"]);
}

#[test]
fn two_programs_suffice_if_the_first_is_correct() {
    let Some(workspace) = directory() else { return };
    let args = [
        "stress",
        "brute.c",
        "mine.c",
        "--generator",
        "gen.c",
        "--inputs",
        "400",
        "--seed",
        "1",
        "--report=json",
    ];
    let found = document(&workspace.judge(args).exits(1));
    assert_eq!(
        (
            &found["reference"],
            &found["findings"][0]["failures"][1]["verdict"]
        ),
        (&"brute.c".into(), &"WA".into())
    );
}

#[test]
fn faults_of_generators_are_shown() {
    let Some(workspace) = directory() else { return };
    let output = workspace.judge(SEARCH.iter().map(|word| {
        if *word == "gen.c" {
            "gen.c 5 {seed}"
        } else {
            word
        }
    }));
    output.exits(5).stdout_has(&[
        "none of the inputs could be judged",
        "exited with code 1: one seed, please",
    ]);
    let constant = "#include <stdio.h>\nint main(void) { puts(\"1\\n5\"); }\n";
    workspace.write("gen.c", constant);
    workspace
        .judge(SEARCH)
        .exits(0)
        .stdout_has(&["warning: all 100 inputs are equal"]);
    let clock = "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);\n\
        printf(\"1\\n%d\\n\", (int)(t.tv_nsec % 1000)); }\n";
    workspace.write("gen.c", clock);
    workspace
        .judge(SEARCH)
        .exits(0)
        .stdout_has(&["produced two different inputs: a generator must derive"]);
    // A reference that fails is named, too.
    workspace.write("brute.c", "int main(void) { return 3; }\n");
    workspace
        .judge(SEARCH)
        .exits(5)
        .stdout_has(&["warning: `brute.c`, which writes the answers, gets RTE"]);
    let crash = "#include <stdio.h>\nint main(void) { fputs(\"head\\nno such key\\n\", stderr); return 3; }\n";
    workspace.write("brute.c", crash);
    workspace
        .judge(SEARCH)
        .exits(5)
        .stdout_has(&["on every valid input, such as gen.c", ": no such key"]);
}

#[test]
fn an_always_too_slow_reference_is_reported_soon() {
    let Some(workspace) = directory() else { return };
    workspace.write("brute.c", "int main(void) { for (;;) ; }\n");
    let search: Vec<&str> = SEARCH[..6].iter().copied().chain(["--time", "1"]).collect();
    // The time is over before the first answer.
    let begun = Instant::now();
    let output = workspace
        .judge(search.iter().chain(&["--time-limit", "60"]))
        .exits(5);
    output.stdout_has(&[
        "`brute.c`, which writes the answers, had answered no input when the time was over",
        "a shorter `--time-limit` leaves time for more",
        "none of the inputs could be judged",
    ]);
    assert!(begun.elapsed() < Duration::from_secs(40), "{output:?}");
    let output = workspace
        .judge(search.iter().chain(&["--time-limit", "0.02"]))
        .exits(5);
    output.stdout_has(&[
        "gets TLE on every valid input, such as gen.c",
        "`--time-limit`",
    ]);
}

#[test]
fn references_and_generators_may_be_outside_the_package() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("mine/late.c", SUM.replace("a + b)", "a + b + (a == 7))"));
    workspace.write("mine/brute.c", SUM);
    workspace.write(
        "mine/gen.c",
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { printf(\"%d %d\\n\", atoi(v[1]), c); }\n",
    );
    // `--args` is the former name of `--generator`.
    let args = [
        "stress",
        "mine/late.c",
        "-p",
        "sum",
        "--reference",
        "mine/brute.c",
        "--args",
        "mine/gen.c [1..9]",
    ];
    let output = workspace
        .judge(args.iter().chain(&["--inputs", "200", "--seed", "1"]))
        .exits(1);
    output.stdout_has(&[
        "✗ sum found",
        "mine/gen.c 7",
        "judge add - -p sum",
        "written by brute.c (reference)",
    ]);
    output.stdout_lacks(&["--generate"]);
    // The same for files next to those of the package.
    for file in ["late.c", "brute.c", "gen.c"] {
        let text = std::fs::read(workspace.path(&format!("mine/{file}"))).unwrap();
        workspace.write(&format!("problems/sum/{file}"), text);
    }
    let comparison_args = [
        "stress",
        "late.c",
        "--reference",
        "brute.c",
        "--generator",
        "gen.c [1..9]",
        "--inputs",
        "200",
        "--seed",
        "1",
    ];
    let mut command = workspace.command(comparison_args);
    let output =
        CommandOutput::from_command(command.current_dir(workspace.path("problems/sum"))).exits(1);
    output.stdout_has(&["✗ sum found", "gen.c 7", "written by brute.c (reference)"]);
    let inside = [
        "stress",
        "sum/accepted/sum.c",
        "--reference",
        "mine/brute.c",
        "--validator",
        "mine/gen.c",
    ];
    workspace
        .judge(inside)
        .exits(2)
        .stderr_has(&["`--validator` is for programs without a package"]);
}

#[test]
fn two_programs_are_compared_on_inputs_and_the_first_writes_the_answers() {
    let Some(workspace) = directory() else { return };
    workspace.write("1.in", "2\n5 9\n");
    workspace.write("more/2.in", "1\n-5\n");
    workspace.write("more/10.in", "1\n5\n");
    workspace.write("more/10.out", "5\n");
    workspace.write("copy.c", LARGEST.replace("START", "-2000"));
    let before = workspace.files("");
    let args = [
        "compare", "brute.c", "copy.c", "--input", "1.in", "--input", "more/", "--budget", "0.2",
    ];
    let output = workspace.judge(args).exits(0);
    output.stdout_has(&[
        "A brute.c",
        "B copy.c",
        "AC 3/3",
        "B differs from A on none of 3 test cases",
        "CPU time",
    ]);
    output.stdout_lacks(&["/tmp", "judge-examples"]);
    let output = workspace
        .judge([
            "compare", "brute.c", "mine.c", "--input", "more", "--budget", "0.1",
        ])
        .exits(1);
    output.stdout_has(&[
        "only A is right on 1",
        "more/2: wrong answer",
        "- expected -5",
        "+ found 0",
    ]);
    assert_eq!(
        workspace.files(""),
        before,
        "nothing is written next to the files"
    );
    workspace.write("fails.c", "int main(void) { return 3; }\n");
    let output = workspace
        .judge(["compare", "fails.c", "mine.c", "--input", "1.in"])
        .exits(1);
    output.stderr_has(&[
        "`fails.c` comes first and writes the answers, but gets RTE on `1.in`",
        "hint: put a program first that is correct",
    ]);
    workspace.write("broken.c", "int main(void) { return undeclared; }\n");
    let output = workspace
        .judge(["compare", "broken.c", "mine.c", "--input", "1.in"])
        .exits(1);
    output.stdout_has(&["CE", "A does not compile", "undeclared"]);
    workspace
        .judge(["compare", "mine.c", "brute.c", "-i", "1.in", "-i", "1.in"])
        .exits(2)
        .stderr_has(&["named twice"]);
}
