//! The Rust library for programs of packages: available without Cargo to the package's own
//! programs, and as a file.
//!
//! The packages `rusttools` and `rustinteractor` in `testdata/packages` use all of it.

use std::fs;
use std::path::Path;
use std::process::Command;

use judge_event::{Event, Finding};
use judge_model::Verdict;

use crate::programs::{path, run_package};
use crate::workspace::{CommandOutput, SUM, Workspace, has, levels};

fn findings(output: &CommandOutput) -> Vec<String> {
    let line = |finding: &Finding| format!("{} {}", finding.code, finding.message);
    let found = output.events.iter().filter_map(|event| {
        if let Event::Finding(finding) = event {
            Some(finding)
        } else {
            None
        }
    });
    found.map(line).collect()
}

#[test]
fn an_output_validator_judges_by_its_tolerance() {
    if !has("rust") {
        return;
    }
    let Some(output) = run_package("rusttools") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 3);
    let message = |submission: &str| {
        output
            .last_case(submission)
            .judge_message
            .to_text()
            .into_owned()
    };
    let found = "the output: line 1, column 1: expected a number `the mean`, found `mean`\n";
    assert_eq!(message("wrong_answer/says_no_number.c"), found);
    let whole = output.test_cases().find(|case| {
        case.submission == "wrong_answer/whole_numbers.c" && case.test_case == "sample/1"
    });
    assert_eq!(
        whole.unwrap().judge_message.to_text(),
        "expected 2.3333333333333335, found 2\n"
    );
}

#[test]
fn programs_with_the_library_run_at_every_level() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    let levels = levels();
    for level in levels
        .iter()
        .map(ToString::to_string)
        .chain(["none".to_owned()])
    {
        for command in ["check --data", "run"] {
            let (package, level) = (
                path("rusttools").display().to_string(),
                format!("--isolation={level}"),
            );
            workspace
                .judge(command.split(' ').chain([&*package, &*level]))
                .exits(0);
        }
    }
}

#[test]
fn interactors_work_in_several_passes() {
    if !has("rust") {
        return;
    }
    let Some(output) = run_package("rustinteractor") else {
        return;
    };
    let output = output.exits(0);
    assert_eq!(output.verdicts().len(), 4);
    let message = |submission: &str| {
        output
            .last_case(submission)
            .judge_message
            .to_text()
            .into_owned()
    };
    assert_eq!(
        message("wrong_answer/one_by_one.c"),
        "more than seven guesses\n"
    );
    let number =
        "the output: line 1, column 1: expected an integer `a guess` from 1 to 100, found `five`\n";
    assert_eq!(message("wrong_answer/no_number.c"), number);
    let accepted = output
        .test_cases()
        .filter(|case| case.verdict == Verdict::Accepted);
    assert!(
        accepted
            .filter(|case| case.submission == "accepted/halves.c")
            .all(|case| case.passes == Some(2))
    );
}

#[test]
fn validators_reach_their_bounds_and_those_of_the_statement() {
    let Some(workspace) = Workspace::isolated().filter(|_| has("rust")) else {
        return;
    };
    for package in ["rusttools", "rustinteractor"] {
        let path = path(package);
        let output = workspace.events([Path::new("check"), &path]).exits(0);
        assert_eq!(findings(&output), [] as [&str; 0], "{package}");
    }
}

/// A problem with an input validator that uses the library.
fn sum_with(validator: &str) -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("rust"))?;
    workspace.sum("sum");
    workspace.write(
        "problems/sum/statement/problem.en.md",
        "Add $a$ and $b$, where $1 \\le a, b \\le 5000$.\n",
    );
    workspace.write("problems/sum/input_validators/validate.rs", validator);
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    Some(workspace)
}

const VALIDATOR: &str = "fn main() {
    testlib::validate_input(|input, _| {
        input.int(\"a\", 1..=1000_u32);
        input.space();
        input.int(\"b\", 2..=5000_u32);
        input.newline();
    })
}
";

#[test]
fn bounds_are_compared_with_data_and_statement() {
    let Some(workspace) = sum_with(VALIDATOR) else {
        return;
    };
    let output = workspace.events(["check"]).exits(0);
    let expected = [
        "JP808 `b` never reaches its upper bound 5000: the largest value in the test cases is 2000",
        "JP809 `a` is at most 5000 here, but 1000 in the input validator `validate.rs`",
        "JP809 `b` is at least 1 here, but 2 in the input validator `validate.rs`",
    ];
    assert_eq!(findings(&output), expected);
    let place = output.events.iter().find_map(|event| match event {
        Event::Finding(finding) => Some((finding.file.clone(), finding.line)),
        _ => None,
    });
    assert_eq!(
        place,
        Some((
            "problems/sum/input_validators/validate.rs".to_owned(),
            Some(5)
        ))
    );
}

#[test]
fn constants_in_the_statement_are_numbers() {
    let Some(workspace) = sum_with(VALIDATOR) else {
        return;
    };
    let metadata = fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    workspace.write(
        "problems/sum/problem.yaml",
        format!("{metadata}constants: {{most: 1000, least: 2}}\n"),
    );
    let text = "Add $a \\in [1, {{most}}]$ and $b$, where ${{least}} \\le b \\le {{most}}$.\n";
    workspace.write("problems/sum/statement/problem.en.md", text);
    let output = workspace.events(["check"]).exits(0);
    let expected = [
        "JP808 `b` never reaches its upper bound 5000: the largest value in the test cases is 2000",
        "JP809 `b` is at most 1000 here, but 5000 in the input validator `validate.rs`",
    ];
    assert_eq!(findings(&output), expected);
}

#[test]
fn a_fault_is_reported_with_its_place() {
    let Some(workspace) = sum_with(VALIDATOR) else {
        return;
    };
    workspace.case("sum", "secret/03", "7 007\n", "14\n");
    let output = workspace.events(["check"]).exits(3);
    let message = "rejects `secret/03`: it exited with code 43: line 1, column 3: expected an integer `b` from 2 to 5000, found `007`: it \
                has leading zeros";
    assert!(
        findings(&output)
            .iter()
            .any(|finding| finding.contains(message)),
        "{:?}",
        findings(&output)
    );
}

#[test]
fn unknown_options_of_validators_are_faults_of_the_call() {
    let Some(workspace) = sum_with(VALIDATOR) else {
        return;
    };
    workspace.write(
        "problems/sum/data/secret/test_group.yaml",
        "input_validator_args: [--most, '5']\n",
    );
    let output = workspace.events(["check"]).exits(3);
    let message = "wrong call: unknown option `--most`";
    assert!(
        findings(&output)
            .iter()
            .any(|finding| finding.contains(message)),
        "{:?}",
        findings(&output)
    );
}

#[test]
fn the_flags_of_a_workspace_apply_to_library_and_program() {
    let Some(workspace) = sum_with(VALIDATOR) else {
        return;
    };
    let compile = "[\"{compiler}\", -C, panic=abort, -C, opt-level=0, --edition, '2021', -o, \"{output}/main\", \"{main}\"]";
    workspace.write(
        "judge.yaml",
        format!("problems: [problems]\nlanguages:\n  rust:\n    compile: {compile}\n"),
    );
    let output = workspace.events(["check"]).exits(0);
    assert_eq!(findings(&output).len(), 3, "{:?}", findings(&output));
}

#[test]
fn submissions_cannot_use_the_library() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("rust")) else {
        return;
    };
    workspace.write(
        "solutions/sum/accepted/with.rs",
        "fn main() { println!(\"{}\", testlib::join(&[1])); }",
    );
    let output = workspace.events(["run"]).exits(1);
    assert_eq!(output.verdict("accepted/with.rs"), Verdict::CompileError);
}

/// Compiles a program with the library's file next to it, without `judge`.
fn compiled(workspace: &Workspace, directory: &str, edition: &str) -> Command {
    let (main, program) = (
        workspace.path(&format!("{directory}/main.rs")),
        workspace.path("program"),
    );
    let mut rustc = workspace.command_of(
        Path::new("rustc"),
        ["-D", "warnings", "--edition", edition, "-o"],
    );
    let output = rustc.arg(&program).arg(main).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    workspace.command_of(&program, [] as [&str; 0])
}

#[test]
fn the_library_is_written_out_as_one_file() {
    let workspace = Workspace::new();
    if !has("rust") {
        return;
    }
    fs::create_dir(workspace.path("tool")).unwrap();
    workspace.write(
        "tool/testlib.rs",
        workspace.judge(["print", "testlib"]).exits(0).stdout,
    );
    let generator = fs::read_to_string(path("rusttools").join("generators/generate.rs")).unwrap();
    // If the library is a module, the program declares it before use.
    workspace.write(
        "tool/main.rs",
        generator.replacen("use testlib", "mod testlib;\n\nuse testlib", 1),
    );
    for edition in ["2021", "2024"] {
        let output = compiled(&workspace, "tool", edition)
            .args(["--n", "5", "--most=9", "7"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let numbers: Vec<i32> = str::from_utf8(&output.stdout)
            .unwrap()
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!((numbers.len(), numbers[0]), (6, 5));
        let wrong = compiled(&workspace, "tool", edition)
            .args(["--n", "51", "7"])
            .output()
            .unwrap();
        assert_eq!(wrong.status.code(), Some(1));
        let message = "wrong call: option `--n`: expected an integer from 1 to 50, found `51`";
        assert_eq!(String::from_utf8_lossy(&wrong.stderr).trim_end(), message);
    }
}
