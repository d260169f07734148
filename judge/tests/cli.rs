//! The command line itself: help, version, mistakes, and closed outputs.

use std::process::Stdio;

use crate::workspace::{CommandOutput, Workspace};

#[test]
fn help_and_version_need_no_workspace() {
    let workspace = Workspace::new();
    // Not even a valid workspace.
    workspace.write("judge.yaml", "nonsense: true\n");
    let help = workspace.judge(["--help"]).exits(0);
    help.stdout_has(&[
        "Usage: judge",
        "run",
        "submit",
        "list",
        "doctor",
        "Exit codes: 0 as expected",
    ]);
    for command in ["run", "submit", "list", "doctor"] {
        let output = workspace.judge([command, "--help"]).exits(0);
        output.stdout_has(&[&format!("Usage: judge {command}")]);
        assert_eq!(output.stderr, "");
    }
    let version = workspace.judge(["--version"]).exits(0);
    assert_eq!(
        version.stdout,
        format!("judge {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn without_a_command_the_help_is_shown() {
    Workspace::new()
        .judge::<&str>([])
        .exits(2)
        .stderr_has(&["Usage: judge"]);
}

#[test]
fn invalid_arguments_are_usage_errors() {
    let workspace = Workspace::new();
    for (args, word) in [
        (&["--frobnicate"][..], "--frobnicate"),
        (&["rum"], "rum"),
        (&["run", "--jobs", "0"], "expected a number from 1 to 1024"),
        (&["run", "--time-limit", "-1"], "-1"),
        (&["run", "--time-limit", "soon"], "expected seconds"),
        (&["run", "--isolation", "strong"], "expected one of `full`"),
        (&["run", "-q", "-v"], "cannot be used with"),
        (&["submit"], "FILE"),
        (&["doctor", "sum"], "sum"),
    ] {
        let output = workspace.judge(args).exits(2);
        assert!(
            output.stderr.contains(word) && output.stdout.is_empty(),
            "{args:?}: {output:?}"
        );
    }
}

#[test]
fn the_help_has_groups_and_commands_have_examples() {
    let workspace = Workspace::new();
    let help = workspace.judge(["--help"]).exits(0);
    help.stdout_has(&[
        "Judging:",
        "run",
        "Writing problems:",
        "new",
        "CI and clusters:",
        "verify",
        "This tool:",
        "doctor",
    ]);
    assert!(
        help.stdout.lines().all(|line| line.chars().count() <= 100),
        "{}",
        help.stdout
    );
    let subcommands = help
        .stdout
        .lines()
        .take_while(|line| *line != "Options:")
        .filter(|line| line.starts_with("  "));
    for subcommand in subcommands
        .map(|line| line.split_whitespace().next().unwrap())
        .filter(|subcommand| *subcommand != "help")
    {
        let output = workspace.judge([subcommand, "--help"]).exits(0);
        output.stdout_has(&[
            "Options:",
            "Examples:",
            &format!("judge {subcommand}"),
            &format!("judge {subcommand}"),
        ]);
    }
}

#[test]
fn commands_of_other_tools_have_a_hint() {
    let workspace = Workspace::new();
    for (typed, ours) in [
        ("test", "judge submit"),
        ("fuzz", "judge stress"),
        ("zip", "judge pack"),
        ("stats", "judge list"),
    ] {
        let output = workspace.judge([typed, "fiveup"]).exits(2);
        output.stderr_has(&[&format!("error: unknown command `{typed}`"), "hint: ", ours]);
        assert!(!output.stderr.contains("testlib"), "{output:?}");
    }
    // A typing error is still reported as one.
    workspace
        .judge(["chekc"])
        .exits(2)
        .stderr_has(&["unrecognized subcommand", "check"]);
}

#[test]
fn colour_can_be_forced_and_refused() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    let is_coloured = |args: &[&str], variables: &[(&str, &str)]| {
        CommandOutput::from_command(workspace.command(args).envs(variables.iter().copied()))
            .stdout
            .contains("\x1b[")
    };
    for args in [&["list"][..], &["--help"]] {
        for (variables, coloured) in [
            (&[][..], false),
            (&[("CLICOLOR_FORCE", "1")], true),
            (&[("FORCE_COLOR", "1")], true),
            (&[("FORCE_COLOR", "0")], false),
            (&[("CLICOLOR_FORCE", "")], false),
            (&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false),
            (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        ] {
            assert_eq!(
                is_coloured(args, variables),
                coloured,
                "{args:?} with {variables:?}"
            );
        }
    }
}

/// Users name files as they like, and packages are untrusted.
#[test]
fn names_are_escaped_on_the_terminal() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/odd\x1b[31m/problem.yaml", "unknown: true\n");
    for (args, code) in [
        (&["list"][..], 3),
        (&["run", "\x1b[31mred"], 2),
        (&["submit", "\x1b[31m.c"], 2),
    ] {
        let output = workspace.judge(args).exits(code);
        output.stderr_has(&["error: ", "\\x1b[31m"]);
        assert!(
            !output.stdout.contains('\x1b') && !output.stderr.contains('\x1b'),
            "{args:?}: {output:?}"
        );
    }
}

/// As in `judge list | true`, nothing is printed. But a run with a truncated report is not a
/// success.
#[test]
fn closed_outputs_are_not_an_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write(
        "solutions/sum/accepted/wrong.c",
        "int main(void) { return 3; }\n",
    );
    let commands = [
        (&["list"][..], 0),
        (&["list", "--report=json"], 0),
        (&["--help"], 0),
        (&["doctor"], 0),
        (&["run"], 141),
        (&["run", "--report=json"], 141),
    ];
    for (args, code) in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = if args == ["doctor"] {
            workspace.doctor_without_languages()
        } else {
            workspace.command(args)
        };
        let output = CommandOutput::from_child(
            command
                .stdout(writer)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        );
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (Some(code), ""),
            "{args:?}"
        );
    }
}

#[test]
fn option_values_are_escaped_in_messages() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for words in [
        &[
            "run",
            "--shard",
            "x\n::error file=a::own\n##[error]own\n##vso[task]own\u{1b}[2J",
        ][..],
        &["run", "--isolation=x\n::error::own\n##[error]own"],
        &["run", "-jx\n::error::own"],
        &["run\n::error::own"],
        &["run", "no\n::error::own"],
    ] {
        let result = workspace.judge(words);
        assert_ne!(result.code, Some(0), "{words:?}");
        for line in result.stderr.lines().chain(result.stdout.lines()) {
            let start = line.trim_start();
            let is_command =
                start.starts_with("::") || ["##[", "##vso["].iter().any(|mark| line.contains(mark));
            assert!(!is_command, "{words:?}: {result:?}");
            assert!(!line.contains(char::is_control), "{words:?}: {result:?}");
        }
    }
}

#[test]
fn a_small_stack_limit_is_enough() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let judge = workspace.command(["list"]);
    let mut limited = workspace.command_of(
        std::path::Path::new("/bin/sh"),
        ["-c", "ulimit -Ss 64; exec \"$@\"", "sh"],
    );
    CommandOutput::from_command(limited.arg(judge.get_program()).args(judge.get_args()))
        .exits(0)
        .stdout_has(&["sum"]);
}
