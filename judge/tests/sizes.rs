//! Huge files: sparse files of terabytes are reported, and not read.

use std::fs;
use std::path::Path;

use crate::workspace::{CommandOutput, SUM, Workspace};

const TERABYTE: u64 = 1 << 40;
/// More than the files next to programs may have, and less than a file of test data may have.
const EXTRA_FILE_SIZE: u64 = 300 << 20;
/// The memory in KiB that the harness may map: far less than reading a huge file needs.
const MEMORY: u64 = 4 << 20;
/// The CPU time in seconds that the harness may use: far less than reading a terabyte takes.
const SECONDS: u64 = 30;

fn sparse(workspace: &Workspace, path: &str) {
    sparse_of(workspace, path, TERABYTE);
}

fn sparse_of(workspace: &Workspace, path: &str, size: u64) {
    workspace.write(path, "");
    fs::OpenOptions::new()
        .write(true)
        .open(workspace.path(path))
        .unwrap()
        .set_len(size)
        .unwrap();
}

fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.sum("sum");
    workspace.write("problems/sum/submissions/accepted/sum.c", SUM);
    Some(workspace)
}

/// Runs with little memory and little CPU time. Other processes of the host do not affect the CPU
/// time.
fn bounded(workspace: &Workspace, args: &[&str]) -> CommandOutput {
    let limited = format!("ulimit -Sv {MEMORY} && ulimit -St {SECONDS} && exec \"$0\" \"$@\"");
    let words = ["-c", &limited, env!("CARGO_BIN_EXE_judge")]
        .into_iter()
        .chain(args.iter().copied());
    let mut command = workspace.command_of(Path::new("/bin/sh"), words);
    let output = CommandOutput::from_command(&mut command);
    assert!(output.code.is_some(), "{args:?} took too long: {output:?}");
    output
}

#[test]
fn files_of_a_terabyte_are_reported_immediately() {
    for (path, code, message) in [
        (
            "problems/sum/data/secret/01.in",
            3,
            "expected at most 1000 MiB, found 1048576 MiB",
        ),
        (
            "problems/sum/data/secret/01.ans",
            3,
            "expected at most 1000 MiB, found 1048576 MiB",
        ),
        (
            "problems/sum/problem.yaml",
            3,
            "expected a YAML file of at most 1048576 bytes",
        ),
        (
            "problems/sum/data/secret/test_group.yaml",
            3,
            "expected a YAML file of at most 1048576 bytes",
        ),
        (
            "problems/sum/submissions/accepted/sum.c",
            1,
            "the source has 1099511627776 bytes",
        ),
        (
            "problems/sum/submissions/accepted/several/data",
            1,
            "the source has 1099511627",
        ),
    ] {
        let Some(workspace) = workspace() else { return };
        workspace.write("problems/sum/submissions/accepted/several/main.c", SUM);
        sparse(&workspace, path);
        let output = bounded(&workspace, &["run", "sum"]).exits(code);
        assert!(
            format!("{}{}", output.stdout, output.stderr).contains(message),
            "{path}: {output:?}"
        );
    }
}

/// These files are copied for every program, so their size is limited.
#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn oversized_program_directories_are_package_faults_in_every_command() {
    for (path, at) in [
        (
            "problems/sum/include/default/large.h",
            "problems/sum/include/default",
        ),
        (
            "problems/sum/include/c/deep/large.h",
            "problems/sum/include/c",
        ),
        (
            "problems/sum/data/secret/01.files/large",
            "problems/sum/data/secret/01.files",
        ),
    ] {
        let Some(workspace) = workspace() else { return };
        sparse_of(&workspace, path, EXTRA_FILE_SIZE);
        for args in [
            &["run", "sum"][..],
            &["verify", "sum"],
            &["run", "--matrix", "sum"],
            &["check", "--static", "sum"],
        ] {
            let output = bounded(&workspace, args).exits(3);
            let reported = format!("{}{}", output.stdout, output.stderr)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let message =
                "its files are too large in total: expected at most 256 MiB, found 300 MiB";
            assert!(
                reported.contains(at) && reported.contains(message),
                "{path} {args:?}: {reported}"
            );
        }
    }
}

#[test]
fn added_files_are_bounded_and_not_held_in_memory() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "problems/sum/input_validators/validate.c",
        "int main(void) { return 42; }\n",
    );
    sparse(&workspace, "large.in");
    let add = ["add", "-p", "sum", "--dry-run"];
    let output = bounded(&workspace, &[&add[..], &["large.in"]].concat()).exits(2);
    output.stderr_has(&["cannot read `large.in`: expected at most 1000 MiB, found 1048576 MiB"]);
    let output = bounded(
        &workspace,
        &[&add[..], &["large.in", "--answer", "large.in"]].concat(),
    )
    .exits(2);
    output.stderr_has(&["cannot read `large.in`"]);
    // A stream is read up to the bound, and a small one works like a file.
    workspace.write("small.in", "7 8\n");
    for redirection in ["< small.in", "<(cat small.in)"] {
        let (file, redirection) = if redirection.starts_with("<(") {
            (redirection, "")
        } else {
            ("-", redirection)
        };
        let script = format!("\"$0\" add -p sum --dry-run {file} {redirection}");
        let words = ["-c", &script, env!("CARGO_BIN_EXE_judge")];
        let output =
            CommandOutput::from_command(&mut workspace.command_of(Path::new("/bin/bash"), words))
                .exits(0);
        output.stdout_has(&["would be added", "1 line, 4 bytes"]);
    }
}

/// Prints four million lines.
const LONG_ANSWER: &str = "#include <stdio.h>\nint main(void) { for (int i = 0; i < 4000000; i++) puts(\"LINE\"); \
    puts(\"LAST\"); }\n";

#[test]
fn long_answers_are_compared_in_part() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem(
        "long",
        "limits: {time_limit: 4, memory: 256, output: 64, validation_output: 64}\n",
    );
    workspace.case(
        "long",
        "secret/1",
        "1\n",
        &format!("{}12\n", "12\n".repeat(4_000_000)),
    );
    workspace.write(
        "problems/long/input_validators/validate.ctd",
        "INT(0,9) NEWLINE EOF\n",
    );
    // Only the last line differs, and then all lines.
    for (line, last, words) in [
        (
            "12",
            "13",
            &[
                "...",
                "4000000 12",
                "- 4000001 12",
                "+ 4000001 13",
                "1 of 1 changed answers",
            ][..],
        ),
        (
            "13",
            "13",
            &[
                "- 1 12",
                "and ",
                "more lines",
                "truncated: the answers are too large to show in full",
            ],
        ),
    ] {
        workspace.write(
            "solutions/long/accepted/long.c",
            LONG_ANSWER.replace("LINE", line).replace("LAST", last),
        );
        bounded(
            &workspace,
            &["generate", "--review", "--accept-answers", "--check"],
        )
        .exits(0)
        .stdout_has(words);
    }
}
