//! The command line as such: help, version, mistakes, and readers that go away.

use std::process::Stdio;

use crate::workspace::{Said, Workspace};

#[test]
fn help_and_version_need_nothing() {
    let workspace = Workspace::new();
    // Not even a sound workspace.
    workspace.write("judge.yaml", "nonsense: true\n");
    let help = workspace.judge(["--help"]).exits(0);
    help.tells(&["Usage: judge", "run", "submit", "list", "doctor", "Exit codes: 0 as expected"]);
    for command in ["run", "submit", "list", "doctor"] {
        let said = workspace.judge([command, "--help"]).exits(0);
        said.tells(&[&format!("Usage: judge {command}")]);
        assert_eq!(said.stderr, "");
    }
    let version = workspace.judge(["--version"]).exits(0);
    assert_eq!(version.stdout, format!("judge {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_command_the_help_is_shown() {
    Workspace::new().judge::<&str>([]).exits(2).complains(&["Usage: judge"]);
}

#[test]
fn what_cannot_be_understood_is_a_usage_error() {
    let workspace = Workspace::new();
    for (args, word) in [
        (&["--frobnicate"][..], "--frobnicate"),
        (&["rum"], "rum"),
        (&["run", "--jobs", "0"], "expected a number from 1 to 1024"),
        (&["run", "--time-limit", "-1"], "-1"),
        (&["run", "--time-limit", "soon"], "expected seconds"),
        (&["run", "--isolation", "strong"], "expected one of `full`"),
        (&["run", "-q", "-v"], "cannot be used with"),
        (&["run", "--color", "sometimes"], "sometimes"),
        (&["submit"], "FILE"),
        (&["doctor", "sum"], "sum"),
    ] {
        let said = workspace.judge(args).exits(2);
        assert!(said.stderr.contains(word) && said.stdout.is_empty(), "{args:?}: {said:?}");
    }
}

/// People name files as they like, and packages come from strangers.
#[test]
fn no_name_reaches_the_terminal_raw() {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("problems/odd\x1b[31m/problem.yaml", "unknown: true\n");
    for (args, code) in [(&["list"][..], 3), (&["run", "\x1b[31mred"], 2), (&["submit", "\x1b[31m.c"], 2)] {
        let said = workspace.judge(args).exits(code);
        said.complains(&["error: ", "\\x1b[31m"]);
        assert!(!said.stdout.contains('\x1b') && !said.stderr.contains('\x1b'), "{args:?}: {said:?}");
    }
}

/// Like `judge list | true`: nothing is said. But a run that was not told to its end is no success.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let Some(workspace) = Workspace::with_sum() else { return };
    workspace.write("solutions/sum/accepted/wrong.c", "int main(void) { return 3; }\n");
    let commands = [
        (&["list"][..], 0),
        (&["list", "--json"], 0),
        (&["--help"], 0),
        (&["doctor"], 0),
        (&["run"], 141),
        (&["run", "--json"], 141),
    ];
    for (args, code) in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said = Said::of_child(workspace.command(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap());
        assert_eq!((said.code, said.stderr.as_str()), (Some(code), ""), "{args:?}");
    }
}
