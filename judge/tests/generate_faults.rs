//! Faults that `judge generate` reports: of rules, generators, solutions and validators. They leave
//! the data unchanged.

use std::fs;

use judge_model::IsolationLevel;

use crate::generate::{RULES, without_data};
use crate::workspace::levels;

#[test]
fn mistyped_generators_are_reported_with_line_and_suggestion() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write(
        "problems/sum/generators/generators.yaml",
        RULES.replace("gen.py", "gne.py"),
    );
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&[
        "generators.yaml:8",
        "unknown generator `gne.py`",
        "hint: did you mean `gen.py`?",
    ]);
}

#[test]
fn rules_with_another_extension_are_reported_with_their_name() {
    let Some(workspace) = without_data() else {
        return;
    };
    let rules = workspace.path("problems/sum/generators/generators.yaml");
    fs::rename(&rules, rules.with_extension("yml")).unwrap();
    workspace.judge(["generate"]).exits(5).stderr_has(&[
        "has no `generators/generators.yaml`",
        "hint: rename `generators/generators.yml` to `generators/generators.yaml`",
    ]);
}

#[test]
fn package_faults_leave_the_data_unchanged() {
    let Some(workspace) = without_data() else {
        return;
    };
    for (program, expected) in [
        (
            "import os\nprint(os.getpid(), os.urandom(8).hex())\n",
            "is not deterministic: a second run with the same arguments produced different data; draw random numbers from the seed",
        ),
        (
            "print('x')\n",
            "the input validator `v.ctd` rejects the input",
        ),
        ("raise SystemExit(3)\n", "exited with code 3"),
        (
            "raise ValueError('no such \x1b[31mshape')\n",
            "ValueError: no such \\x1b[31mshape",
        ),
    ] {
        workspace.write("problems/sum/generators/gen.py", program);
        workspace
            .judge(["generate"])
            .exits(3)
            .stderr_has(&["generators.yaml:8", expected]);
        assert!(
            !workspace.path("problems/sum/data").exists()
                && !workspace.path("problems/sum/generators/lock.json").exists()
        );
    }
}

#[test]
fn repeated_failures_of_a_generator_are_reported_once() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write(
        "problems/sum/generators/gen.py",
        "raise ValueError('shape')\n",
    );
    let rules = "data:\n  secret:\n    data:\n      - one: gen.py 1\n      - two: gen.py 2\n      - three: gen.py 3\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&["generators.yaml:4: `secret/1-one`, `secret/2-two`, `secret/3-three`: `gen.py 1` exited with"]);
    assert_eq!(
        output.stderr.matches("ValueError: shape").count(),
        1,
        "{}",
        output.stderr
    );
}

#[test]
fn a_missing_solution_is_reported_once_for_all_test_cases() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write(
        "problems/sum/generators/generators.yaml",
        RULES.replace("sum.c", "nope.c"),
    );
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&[
        "generators.yaml",
        "`secret/2-text`: no solution `submissions/accepted/nope.c`",
    ]);
    assert_eq!(
        output.stderr.matches("nope.c").count(),
        1,
        "{}",
        output.stderr
    );
}

#[test]
fn the_standard_error_of_a_crashing_output_validator_is_shown() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write(
        "problems/sum/output_validator/v.py",
        "raise KeyError('no_such_option')\n",
    );
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&["returned exit code 1", "KeyError: 'no_such_option'"]);
    // This validator writes its reason to the wrong place.
    let script = "import sys\nprint('too late', file=sys.stderr)\nsys.exit(43)\n";
    workspace.write("problems/sum/output_validator/v.py", script);
    workspace
        .judge(["generate"])
        .exits(3)
        .stderr_has(&["the output validator rejects the answer: too late"]);
}

#[test]
fn rejected_inputs_are_kept_and_shown() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write("problems/sum/generators/gen.py", "print('one two')\n");
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&[
        "`secret/1-seeded`: the input validator `v.ctd` rejects the input",
        "begins:\n    one two",
    ]);
    let named = output
        .stderr
        .split('`')
        .find(|word| word.contains("/sum-secret-1-seeded-") && word.ends_with(".in"))
        .map(str::to_owned);
    assert_eq!(fs::read_to_string(named.unwrap()).unwrap(), "one two\n");
    // A validator without a valid exit code, and a file of the user.
    workspace.remove("problems/sum/input_validators/v.ctd");
    workspace.write(
        "problems/sum/input_validators/v.py",
        "raise SystemExit('a mistake')\n",
    );
    workspace.write("mine.txt", "8 8\n");
    workspace.write("problems/sum/generators/generators.yaml", "data: {}\n");
    workspace.case("sum", "secret/1", "1 2\n", "3\n");
    let output = workspace.judge(["add", "mine.txt"]).exits(3);
    output.stderr_has(&[
        "it exited with code 1; an input validator exits with code 42 for a valid and 43",
        "a mistake",
        "/mine.txt`, begins:\n    8 8",
    ]);
}

#[test]
fn suspicious_generators_are_reported() {
    let Some(workspace) = without_data() else {
        return;
    };
    // The generator is new.
    let generator = format!(
        "import sys\nprint(7, 7)\n# {}\n",
        workspace.path("").display()
    );
    workspace.write("problems/sum/generators/gen.py", generator);
    let more =
        "      - again: {in: 4 5}\n      - odd: {in: 4 6, match: [x, '6']}\nsomething: new\n";
    workspace.write(
        "problems/sum/generators/generators.yaml",
        format!("{RULES}{more}"),
    );
    let output = workspace.judge(["generate"]).exits(0);
    output.stdout_has(&["generators.yaml:12", "unknown key `something` is ignored"]);
    output.stdout_has(&[
        "`secret/1-seeded`",
        "does not seem to depend on its seed: 11 seeds give the same output",
    ]);
    output.stdout_has(&["`secret/4-odd`", "does not match `x`"]);
    output.stdout_has(&["`secret/3-again`", "is equal to `secret/2-text` [JP302]"]);
    let again = workspace.judge(["generate"]).exits(0);
    assert!(
        !again.stdout.contains("depend on its seed"),
        "{}",
        again.stdout
    );
    // Intended findings are silenced by code and file, and `check` does not report the entry as
    // useless.
    let generator = format!(
        "import sys\nprint(7, 7)\n# again, {}\n",
        workspace.path("").display()
    );
    workspace.write("problems/sum/generators/gen.py", generator);
    let entry =
        |code: &str, file: &str| format!("    - {{code: {code}, file: '{file}', reason: meant}}\n");
    let silenced = entry("JP337", "data/secret/1-*") + &entry("JP302", "data/secret/other*");
    workspace.write(
        "judge.yaml",
        format!("problems: problems\ncheck:\n  ignore:\n{silenced}"),
    );
    let output = workspace.judge(["generate"]).exits(0);
    output.stdout_has(&["`secret/3-again`", "is equal to `secret/2-text` [JP302]"]);
    assert!(
        !output.stdout.contains("depend on its seed"),
        "{}",
        output.stdout
    );
    let checked = workspace.judge(["check"]);
    checked.stdout_has(&["this entry for JP302 silences no finding"]);
    assert!(!checked.stdout.contains("JP337"), "{}", checked.stdout);
}

#[test]
fn unreadable_data_does_not_affect_other_packages() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write(
        "problems/pipe/problem.yaml",
        fs::read(workspace.path("problems/sum/problem.yaml")).unwrap(),
    );
    workspace.write(
        "problems/pipe/generators/generators.yaml",
        "data: {secret: {data: [a: {in: 1 2}]}}\n",
    );
    workspace.write("problems/pipe/data/secret/2.ans", "");
    let pipe = workspace.path("problems/pipe/data/secret/2.in");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&[
        "error: pipe: ",
        "problems/pipe/data/secret/2.in: cannot be read: not a regular file",
    ]);
    output.stdout_has(&["sum"]);
}

#[test]
fn oversized_generator_files_are_reported() {
    let Some(workspace) = without_data() else {
        return;
    };
    let huge = "#include <stdio.h>\nint main(void) {\n    FILE *file = fopen(\"large\", \"w\");\n    \
                fseek(file, 1L << 40, SEEK_SET);\n    putc('x', file);\n    return fclose(file);\n}\n";
    workspace.write("problems/sum/generators/huge.c", huge);
    workspace.write(
        "problems/sum/generators/generators.yaml",
        "data:\n  secret:\n    data: {a: {generate: huge.c}}\n",
    );
    let output = workspace.judge(["generate"]).exits(3);
    assert!(
        output.stderr.contains("wrote a file of more than") && !output.stderr.contains("SIG"),
        "{output:?}"
    );
}

/// Python ignores the signal that ends other programs, and its traceback does not name the limit.
#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn oversized_python_generator_output_is_reported() {
    let Some(workspace) = without_data() else {
        return;
    };
    let large = "with open('large', 'wb') as file:\n    file.truncate(512 << 20)\n    file.seek(0, 2)\n    file.write(b'x')\n";
    let long = "while True:\n    print('x' * (1 << 20))\n";
    for text in [large, long] {
        workspace.write("problems/sum/generators/huge.py", text);
        let rules = "data:\n  secret:\n    data: {a: {generate: huge.py}}\n";
        workspace.write("problems/sum/generators/generators.yaml", rules);
        for level in levels().into_iter().chain([IsolationLevel::None]) {
            let output = workspace
                .judge(["generate", "--isolation", level.name()])
                .exits(3);
            assert!(
                output
                    .stderr
                    .contains("exceeded its output limit of 512 MiB"),
                "{level}: {output:?}"
            );
        }
    }
}
