//! `judge generate`: the content of `data/` afterwards, and unchanged files.

use std::fs;

use judge_model::IsolationLevel;

use crate::workspace::{CommandOutput, SUM, Workspace, has, levels};

const RULES: &str = "solution: /submissions/accepted/sum.c\ndata:\n  sample:\n    data:\n      '1': {in: 1 2, ans: '3'}\n  \
                     secret:\n    data:\n      - seeded: gen.py {seed}\n      - text: {in: 4 5}\n";

/// A problem whose data is not generated yet.
fn without_data() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    workspace.problem("sum", "limits:\n  time_limit: 4\n");
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(0,9999) SPACE INT(0,9999) NEWLINE EOF\n",
    );
    workspace.write(
        "problems/sum/generators/gen.py",
        "import sys\nprint(int(sys.argv[1]) % 10000, 7)\n",
    );
    workspace.write("problems/sum/generators/generators.yaml", RULES);
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    Some(workspace)
}

#[test]
fn data_is_generated_once() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace
        .judge(["generate", "--check"])
        .exits(1)
        .stdout_has(&["sum", "added", "sample/1", "added", "secret/1-seeded"]);
    assert!(!workspace.path("problems/sum/data").exists());
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["3 test cases", "put in place"]);
    let read = |path: &str| fs::read_to_string(workspace.path(path)).unwrap();
    assert_eq!(read("problems/sum/data/secret/2-text.in"), "4 5\n");
    assert_eq!(read("problems/sum/data/secret/2-text.ans"), "9\n");
    assert!(read("problems/sum/generators/lock.json").contains("\"generate gen.py "));
    workspace
        .judge(["generate", "--check"])
        .exits(0)
        .stdout_has(&["up to date"]);
    // A run reports the origin of each input.
    let run = workspace.events(["run"]).exits(0);
    let problems = run.state().problems;
    let origins: Vec<_> = problems[0]
        .started
        .inputs
        .iter()
        .map(|input| input.origin.as_deref().unwrap())
        .collect();
    assert!(
        origins.contains(&"text")
            && origins
                .iter()
                .any(|from| from.starts_with("generate gen.py ")),
        "{origins:?}"
    );
}

#[test]
fn leftovers_of_killed_commands_are_removed_by_the_next_one() {
    let Some(workspace) = without_data() else {
        return;
    };
    let left = [
        "judge-generate-killed",
        "judge-mutants-killed",
        "judge-printing-killed",
    ];
    left.iter()
        .for_each(|name| workspace.write(&format!("temporary/{name}/secret.in"), "secret"));
    workspace.write("temporary/judge-generated", "not the judge's");
    let temporary = workspace.path("temporary");
    CommandOutput::from_command(workspace.command(["generate"]).env("TMPDIR", &temporary)).exits(0);
    let there: Vec<_> = fs::read_dir(&temporary)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(there, ["judge-generated"]);
}

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
fn files_written_by_hand_are_never_changed() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.case("sum", "secret/mine", "1 1\n", "2\n");
    workspace.case("sum", "secret/2-text", "9 9\n", "18\n");
    workspace.judge(["generate"]).exits(1).stdout_has(&[
        "refused, and nothing was written",
        "2-text.in` was written by hand",
    ]);
    assert!(!workspace.path("problems/sum/data/sample").exists());
    workspace.remove("problems/sum/data/secret/2-text.in");
    workspace.remove("problems/sum/data/secret/2-text.ans");
    workspace.judge(["generate"]).exits(0);
    assert_eq!(
        fs::read_to_string(workspace.path("problems/sum/data/secret/mine.in")).unwrap(),
        "1 1\n"
    );
    // Generated files are removed when they are no longer planned.
    workspace.write(
        "problems/sum/generators/generators.yaml",
        RULES.replace("      - text: {in: 4 5}\n", ""),
    );
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["removed", "secret/2-text"]);
    assert!(
        !workspace
            .path("problems/sum/data/secret/2-text.in")
            .exists()
    );
    assert!(workspace.path("problems/sum/data/secret/mine.in").exists());
}

#[test]
fn other_answers_are_accepted_only_on_request() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    workspace.write(
        "solutions/sum/accepted/sum.c",
        SUM.replace("a + b", "a - b"),
    );
    let output = workspace.judge(["generate"]).exits(1);
    output.stdout_has(&["answer changed", "secret/2-text", "--accept-answers"]);
    assert_eq!(
        fs::read_to_string(workspace.path("problems/sum/data/secret/2-text.ans")).unwrap(),
        "9\n"
    );
    workspace.judge(["generate", "--accept-answers"]).exits(0);
    assert_eq!(
        fs::read_to_string(workspace.path("problems/sum/data/secret/2-text.ans")).unwrap(),
        "-1\n"
    );
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
fn directories_with_another_digit_are_reported_as_renamed() {
    let Some(workspace) = without_data() else {
        return;
    };
    let rules = |number| {
        let items: Vec<String> = (0..number)
            .map(|n| format!("      - c: {{in: {n} 1}}\n"))
            .collect();
        format!(
            "data:\n  secret:\n    data:\n{}  invalid_input:\n    data:\n      x: {{in: x}}\n",
            items.concat()
        )
    };
    workspace.write("problems/sum/generators/generators.yaml", rules(9));
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["9 test cases and 1 to test validators"]);
    workspace.write("problems/sum/generators/generators.yaml", rules(10));
    let output = workspace.judge(["generate"]).exits(0);
    output.stdout_has(&[
        "renamed secret/1-c to secret/01-c",
        "renamed and 8 more; -v shows them",
        "added secret/10-c",
    ]);
}

#[test]
fn every_run_generates_the_same_bytes() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    let first = workspace.files("problems/sum");
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["up to date"]);
    assert_eq!(workspace.files("problems/sum"), first);
    fs::remove_dir_all(workspace.path("problems/sum/data")).unwrap();
    workspace.remove("problems/sum/generators/lock.json");
    // Nothing is cached, and more programs run at a time.
    let cache = workspace.path("cache");
    let output = CommandOutput::from_command(
        workspace
            .command(["generate", "--jobs", "3"])
            .env("JUDGE_CACHE_DIR", cache),
    )
    .exits(0);
    output.stdout_has(&["put in place"]);
    assert_eq!(workspace.files("problems/sum"), first);
}

#[test]
fn changed_generators_affect_only_their_test_cases() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.write("problems/sum/generators/other.py", "print(3, 3)\n");
    workspace.write(
        "problems/sum/generators/generators.yaml",
        format!("{RULES}      - other: other.py\n"),
    );
    workspace.judge(["generate"]).exits(0);
    let before = workspace.files("problems/sum/data");
    let changed_at = |path: &str| {
        fs::metadata(workspace.path(path))
            .unwrap()
            .modified()
            .unwrap()
    };
    let untouched = changed_at("problems/sum/data/secret/1-seeded.in");
    workspace.write("problems/sum/generators/other.py", "print(4, 4)\n");
    let output = workspace.judge(["generate"]).exits(0);
    output
        .stdout_has(&["put in place", "input changed secret/3-other"])
        .stdout_lacks(&["secret/1", "secret/2", "sample"]);
    let after = workspace.files("problems/sum/data");
    let differ: Vec<_> = before
        .keys()
        .filter(|path| before[*path] != after[*path])
        .collect();
    assert_eq!(
        differ,
        [
            &workspace.path("problems/sum/data/secret/3-other.ans"),
            &workspace.path("problems/sum/data/secret/3-other.in")
        ]
    );
    assert_eq!(
        changed_at("problems/sum/data/secret/1-seeded.in"),
        untouched
    );
    // Only the named test case is examined.
    workspace.write("problems/sum/generators/other.py", "print(5, 5)\n");
    workspace
        .judge(["generate", "sum/secret/1-*"])
        .exits(0)
        .stdout_has(&["1 test case", "up to date"]);
    assert_eq!(workspace.files("problems/sum/data"), after);
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

#[test]
fn rules_generate_every_kind_of_file() {
    let Some(workspace) = without_data() else {
        return;
    };
    let rules = "solution: /submissions/accepted/sum.c\ndata:\n  sample:\n    data: {'1': {copy: hand/one}}\n  secret:\n    \
                 include: [sample]\n    test_group.yaml: {output_validator_args: [case_sensitive]}\n    data:\n      \
                 - many: {generate: 'gen.py {count}', count: [7, 9]}\n      - flaky: {generate: 'flaky.py {seed}', \
                 retries: 50}\n      - both: {generate: both.py}\n  invalid_input:\n    data: {bad: {in: '1'}}\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    workspace.write("problems/sum/generators/hand/one.in", "1 2\n");
    workspace.write("problems/sum/generators/hand/one.ans", "3\n");
    workspace.write("problems/sum/generators/hand/one.yaml", "hint: add\n");
    let flaky =
        "import sys\nseed = int(sys.argv[1])\nif seed % 7: sys.exit(1)\nprint(seed % 100, 1)\n";
    workspace.write("problems/sum/generators/flaky.py", flaky);
    let both =
        "open('testcase.in', 'w').write('8 8\\n')\nopen('testcase.ans', 'w').write('16\\n')\n";
    workspace.write("problems/sum/generators/both.py", both);
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["6 test cases", "put in place"]);
    let read = |path: &str| {
        fs::read_to_string(workspace.path(&format!("problems/sum/data/{path}"))).unwrap()
    };
    assert_eq!(
        (
            read("sample/1.yaml").as_str(),
            read("secret/1.ans").as_str()
        ),
        ("hint: add\n", "3\n")
    );
    let link = fs::read_link(workspace.path("problems/sum/data/secret/1.in")).unwrap();
    assert_eq!(link.to_str(), Some("../sample/1.in"));
    assert_eq!(
        (read("secret/1-many-7.in"), read("secret/2-many-9.ans")),
        ("7 7\n".to_owned(), "16\n".to_owned())
    );
    assert!(read("secret/3-flaky.in").ends_with(" 1\n"));
    assert_eq!(read("secret/4-both.ans"), "16\n");
    assert_eq!(
        read("secret/test_group.yaml"),
        "{output_validator_args: [case_sensitive]}\n"
    );
    // An invalid input that no validator rejects is a fault.
    workspace.write(
        "problems/sum/generators/generators.yaml",
        rules.replace("{in: '1'}", "{in: 1 1}"),
    );
    workspace
        .judge(["generate"])
        .exits(3)
        .stderr_has(&["invalid_input/bad", "no input validator rejects this input"]);
}

#[test]
fn generators_in_rust_are_compiled_once() {
    let Some(workspace) = without_data().filter(|_| has("rust")) else {
        return;
    };
    workspace.remove("problems/sum/generators/gen.py");
    let source = "fn main() {\n    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();\n    \
                  println!(\"{} 7\", seed % 10000);\n}\n";
    workspace.write("problems/sum/generators/gen.rs", source);
    workspace.write(
        "problems/sum/generators/generators.yaml",
        RULES.replace("gen.py", "gen.rs"),
    );
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["3 test cases", "put in place"]);
    workspace.write("problems/sum/generators/gen.rs", "fn main() {");
    workspace
        .judge(["generate"])
        .exits(3)
        .stderr_has(&["gen.rs", "does not compile"]);
}

/// A problem whose answers are not outputs, with a sample without an interaction to show.
pub(crate) fn talking(kind: &str, validator: &str, solution: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("bash"))?;
    // A long line of output takes an interactor in Bash seconds to read.
    workspace.problem("talk", "limits:\n  time_limit: 20\n  output: 1\n");
    let metadata = fs::read_to_string(workspace.path("problems/talk/problem.yaml")).unwrap();
    workspace.write(
        "problems/talk/problem.yaml",
        metadata.replace("type: pass-fail", &format!("type: {kind}")),
    );
    workspace.write(
        "problems/talk/input_validators/v.ctd",
        "INT(0,9999) NEWLINE EOF\n",
    );
    workspace.write("problems/talk/output_validator/v.sh", validator);
    workspace.write("solutions/talk/accepted/s.sh", solution);
    let rules = "data: {sample: {data: {'1': {in: '3'}, '2': {in: '4', in.statement: four}}}, secret: {data: {a: {in: '5'}}}}\n";
    workspace.write("problems/talk/generators/generators.yaml", rules);
    Some(workspace)
}

pub(crate) const INTERACTOR: &str = "read -r n <\"$1\"\necho \"$n\"\necho '?'\nread -r reply\n\
                          [ \"$reply\" = \"n$n\" ] && exit 42\nexit 43\n";
pub(crate) const CONTESTANT: &str = "read -r n\nread -r question\necho \"n$n\"\n";

#[test]
fn samples_of_interactive_problems_show_the_conversation() {
    let Some(workspace) = talking("interactive", INTERACTOR, CONTESTANT) else {
        return;
    };
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["3 test cases", "put in place"]);
    let sample = "problems/talk/data/sample/1.interaction";
    let read = || fs::read_to_string(workspace.path(sample)).unwrap();
    assert_eq!(read(), "<3\n<?\n>n3\n");
    let exists = |id: &str| {
        workspace
            .path(&format!("problems/talk/data/{id}.interaction"))
            .exists()
    };
    assert!(
        !exists("sample/2") && !exists("secret/a"),
        "only `sample/1` shows its interaction"
    );
    workspace
        .judge(["generate", "--check"])
        .exits(0)
        .stdout_has(&["up to date"]);
    workspace.judge(["check"]).stdout_lacks(&["JP312"]);

    // Data of unchanged generators is kept, and so are files that were written by hand.
    let change = |text: &str| {
        workspace.write(sample, text);
        workspace.remove("problems/talk/generators/lock.json");
        workspace.judge(["generate"]).exits(0);
        read()
    };
    assert_eq!(change("<3\n<?\n>by hand\n"), "<3\n<?\n>by hand\n");
    workspace.remove(sample);
    workspace.judge(["generate"]).exits(0);
    assert_eq!(read(), "<3\n<?\n>n3\n");
    workspace.write(
        "problems/talk/output_validator/v.sh",
        INTERACTOR.replace("'?'", "'!'"),
    );
    workspace
        .judge(["generate"])
        .exits(0)
        .stdout_has(&["sample/1"]);
    assert_eq!(read(), "<3\n<!\n>n3\n");

    workspace.write("solutions/talk/accepted/s.sh", "echo 7\n");
    let output = workspace.judge(["generate"]).exits(3);
    output.stderr_has(&[
        "generators.yaml:1",
        "`sample/1`",
        "the solution whose interaction is shown gets WA",
    ]);
    assert_eq!(read(), "<3\n<!\n>n3\n");
}

pub(crate) const TWO_PASSES: &str = "read -r reply\nif [ -e \"$3state\" ]; then [ \"$reply\" = n7 ] && exit 42; exit 43; fi\n\
                                     : >\"$3state\"\necho 7 >\"$3nextpass.in\"\nexit 42\n";
/// Writes its line with an `n` before it.
pub(crate) const PREFIX_N: &str = "read -r n\necho \"n$n\"\n";

#[test]
fn samples_of_multi_pass_problems_show_each_pass() {
    let Some(workspace) = talking("multi-pass", TWO_PASSES, PREFIX_N) else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    let read = |id: &str| fs::read_to_string(workspace.path(&format!("problems/talk/data/{id}")));
    assert_eq!(
        read("sample/1.interaction").unwrap(),
        "<3\n>n3\n---\n<7\n>n7\n"
    );
    assert_eq!(read("sample/2.in.statement").unwrap(), "four\n");
    assert!(read("sample/2.interaction").is_err());
    // Without a solution nothing can be shown, and nothing is required.
    workspace.remove("solutions/talk/accepted/s.sh");
    workspace.judge(["generate"]).exits(0);
    assert!(read("sample/1.interaction").is_err());
}

#[test]
fn empty_rules_do_not_remove_data() {
    let Some(workspace) = without_data() else {
        return;
    };
    workspace.judge(["generate"]).exits(0);
    let before = workspace.files("problems/sum/data");
    workspace.write("problems/sum/generators/generators.yaml", "# nothing yet\n");
    workspace.judge(["generate"]).exits(3).stderr_has(&[
        "generators.yaml",
        "expected rules for generating test data",
        "hint: delete it",
    ]);
    assert_eq!(workspace.files("problems/sum/data"), before);
    // Read as an empty directory, the rule would remove its test case.
    let mistyped = RULES.replace("{in: 4 5}", "{inn: 4 5}");
    workspace.write("problems/sum/generators/generators.yaml", mistyped);
    workspace.judge(["generate"]).exits(3).stderr_has(&[
        "generators.yaml:9: `data.secret.data[1].text` makes no input",
        "hint: did you mean `in`?",
    ]);
    assert_eq!(workspace.files("problems/sum/data"), before);
}
