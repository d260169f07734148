//! Problems whose submissions read a file and write a file, in place of standard input and output
//! (`.files.yaml`).

use crate::workspace::{Workspace, has};

/// A problem whose programs double the number in `sum.in` into `sum.out`.
fn with_problem() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("python3"))?;
    workspace.write(
        "problems/sum/problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 0b7c0ef0-6b0c-4a52-8a40-6c1d9c4b5a12\nlicense: cc0\nsource: here\n\
         limits: {time_limit: 5, output: 1}\n",
    );
    for (case, number) in [("1", 4), ("2", 50)] {
        workspace.write(
            &format!("problems/sum/data/secret/{case}.in"),
            format!("{number}\n"),
        );
        workspace.write(
            &format!("problems/sum/data/secret/{case}.ans"),
            format!("{}\n", 2 * number),
        );
    }
    workspace.write(
        "problems/sum/.files.yaml",
        "input: sum.in\noutput: sum.out\n",
    );
    workspace.write("problems/sum/statement/problem.en.md", "Double it.\n");
    workspace.write(
        "problems/sum/input_validators/any.py",
        "import sys\nsys.exit(42)\n",
    );
    Some(workspace)
}

const READS: &str = "n = int(open('sum.in').read())\n";

#[test]
fn only_the_named_files_are_read_and_written() {
    let Some(workspace) = with_problem() else {
        return;
    };
    let programs = [
        (
            "right",
            format!("{READS}open('sum.out', 'w').write(str(2 * n))\nprint('not this')\n"),
            "AC",
        ),
        ("standard_output", format!("{READS}print(2 * n)\n"), "WA"),
        (
            "standard_input",
            "n = int(input())\nopen('sum.out', 'w').write(str(2 * n))\n".to_owned(),
            "RTE",
        ),
        (
            "other_file",
            format!("{READS}open('other.out', 'w').write(str(2 * n))\n"),
            "WA",
        ),
        (
            "directory",
            format!("import os\n{READS}os.mkdir('sum.out')\n"),
            "WA",
        ),
        (
            "pipe",
            format!("import os\n{READS}os.mkfifo('sum.out')\n"),
            "WA",
        ),
        // Links are refused, even to files that the judge can read.
        (
            "link_outside",
            format!("import os\n{READS}os.symlink('/etc/passwd', 'sum.out')\n"),
            "WA",
        ),
        (
            "crashes_later",
            format!("{READS}open('sum.out', 'w').write(str(2 * n))\nexit(3)\n"),
            "RTE",
        ),
        (
            "too_much",
            format!("{READS}open('sum.out', 'w').write('9' * (2 << 20))\n"),
            "RTE OLE",
        ),
        // The next test case sees its own input.
        (
            "writes_input",
            format!(
                "{READS}open('sum.in', 'w').write('7')\nopen('sum.out', 'w').write(str(2 * n))\n"
            ),
            "AC RTE",
        ),
    ];
    for (name, program, expected) in programs {
        workspace.write(&format!("mine/{name}.py"), program);
        let args = [
            "submit",
            &format!("mine/{name}.py"),
            "-p",
            "sum",
            "--no-fail-fast",
            "--report=json",
        ];
        let state = workspace.judge(args).state();
        let verdict = state.problems[0].submissions[0]
            .finished
            .as_ref()
            .unwrap()
            .verdict
            .code();
        assert!(
            expected.split(' ').any(|word| word == verdict),
            "{name}: {verdict}"
        );
    }
}

#[test]
fn results_depend_on_named_files_and_answers_are_generated() {
    let Some(workspace) = with_problem() else {
        return;
    };
    let program = format!("{READS}open('sum.out', 'w').write(str(2 * n) + '\\n')\n");
    workspace.write("problems/sum/submissions/accepted/files.py", program);
    workspace.judge(["run", "sum"]).exits(0);
    // Without the file, the submission is judged again and fails.
    std::fs::rename(
        workspace.path("problems/sum/.files.yaml"),
        workspace.path("away"),
    )
    .unwrap();
    workspace.judge(["run", "sum"]).exits(1);
    std::fs::rename(
        workspace.path("away"),
        workspace.path("problems/sum/.files.yaml"),
    )
    .unwrap();
    workspace.judge(["run", "sum"]).exits(0);
    std::fs::remove_file(workspace.path("problems/sum/data/secret/2.ans")).unwrap();
    workspace
        .judge(["generate", "--review", "sum", "--accept-answers"])
        .exits(0);
    assert_eq!(
        std::fs::read_to_string(workspace.path("problems/sum/data/secret/2.ans")).unwrap(),
        "100\n"
    );
    // A solution that does not write this file has no answer, not even an empty one.
    workspace.write(
        "problems/sum/submissions/accepted/files.py",
        format!("{READS}print(2 * n)\n"),
    );
    std::fs::remove_file(workspace.path("problems/sum/data/secret/2.ans")).unwrap();
    workspace
        .judge(["generate", "--review", "sum", "--accept-answers"])
        .exits(3)
        .stderr_has(&["left no readable file `sum.out`"]);
    assert!(!workspace.path("problems/sum/data/secret/2.ans").exists());
    workspace.write("problems/sum/data/secret/2.ans", "100\n");
    workspace
        .judge(["pack", "sum", "--for", "plain"])
        .exits(3)
        .stdout_has(&["replaces standard input and output with files"]);
}

#[test]
fn invalid_descriptions_of_files_are_package_errors() {
    let Some(workspace) = with_problem() else {
        return;
    };
    for (text, words) in [
        ("input: ../x\n", "expected the name of a file"),
        ("input: a\noutput: a\n", "name the same file"),
        ("in: a\n", "unknown key `in`"),
        ("- a\n", "expected `input`, `output` or both"),
    ] {
        workspace.write("problems/sum/.files.yaml", text);
        workspace
            .judge(["run", "sum"])
            .exits(3)
            .stdout_has(&[".files.yaml", words]);
    }
    workspace.write("problems/sum/.files.yaml", "input: a\n");
    let problem = std::fs::read_to_string(workspace.path("problems/sum/problem.yaml")).unwrap();
    workspace.write("problems/sum/problem.yaml", problem + "type: interactive\n");
    workspace
        .judge(["run", "sum"])
        .exits(3)
        .stdout_has(&["not interactive, multi-pass or submit-answer"]);
}
