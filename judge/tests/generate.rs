//! `judge generate`: the content of `data/` afterwards, and unchanged files.

use std::fs;

use crate::workspace::{CommandOutput, SUM, Workspace, has};

pub(crate) const RULES: &str = "solution: /submissions/accepted/sum.c\ndata:\n  sample:\n    data:\n      '1': {in: 1 2, ans: '3'}\n  \
                     secret:\n    data:\n      - seeded: gen.py {seed}\n      - text: {in: 4 5}\n";

/// A problem whose data is not generated yet.
pub(crate) fn without_data() -> Option<Workspace> {
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
