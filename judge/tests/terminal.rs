//! The output of commands to terminals and elsewhere: colour, width, closed outputs.

use std::fs::File;
use std::io::{Read, pipe};
use std::process::{Command, Stdio};
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::workspace::{CommandOutput, SUM_PLUS_ONE, Workspace};

const COLUMNS: u16 = 80;

/// Runs a command with both streams on a terminal. Returns its exit code, and the whole output.
fn on_a_terminal(command: &mut Command) -> (Option<i32>, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(
        &terminal,
        Winsize {
            ws_row: 24,
            ws_col: COLUMNS,
            ws_xpixel: 0,
            ws_ypixel: 0,
        },
    )
    .unwrap();
    let name = ptsname(&terminal, Vec::new())
        .unwrap()
        .into_string()
        .unwrap();
    let line = File::options().read(true).write(true).open(name).unwrap();
    command
        .env_remove("COLUMNS")
        .stdout(line.try_clone().unwrap())
        .stderr(line);
    let mut child = command.spawn().unwrap();
    // The command has handles of the terminal line; reading ends when the last one is closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let reader = thread::spawn(move || {
        let mut message = Vec::new();
        // A closed line is an error for the reader of the terminal.
        let _ = File::from(terminal).read_to_end(&mut message);
        message
    });
    let code = child.wait().unwrap().code();
    (code, String::from_utf8(reader.join().unwrap()).unwrap())
}

/// The number of SGR sequences, such as colours, the number of other escape sequences, and the text
/// without any.
fn split_escapes(message: &str) -> (usize, usize, String) {
    let (mut colours, mut others, mut plain) = (0, 0, String::new());
    let mut parts = message.split("\x1b[");
    plain.push_str(parts.next().unwrap());
    for part in parts {
        let end = part
            .find(|c: char| c.is_ascii_alphabetic())
            .expect("a sequence ends");
        if part[end..].starts_with('m') {
            colours += 1;
        } else {
            others += 1;
        }
        plain.push_str(&part[end + 1..]);
    }
    assert!(!plain.contains('\x1b'), "{message:?}");
    (colours, others, plain)
}

/// Arguments, and the exit code that they must have.
type Expected = (Vec<&'static str>, i32);

/// A workspace with every kind of message, and the commands that print them, with their exit codes.
fn workspace() -> Option<(Workspace, Vec<Expected>)> {
    let workspace = Workspace::with_sum()?;
    let long = "solutions/sum/accepted/of_two_numbers_and_nothing_else_with_a_name_that_is_longer_than_most_lines.c";
    workspace.write(long, SUM_PLUS_ONE);
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write("problems/sum/statement/problem.en.md", "Add.\n");
    workspace.write(
        "problems/sum/input_validators/validate.c",
        "int main(void) { return 42; }\n",
    );
    CommandOutput::from_command(&mut workspace.command_keeping(["run", "--report=json=run.jsonl"]))
        .exits(1);
    CommandOutput::from_command(&mut workspace.command_keeping([
        "run",
        "--shard=1/1",
        "--report=json=shard.jsonl",
    ]));
    let commands = [
        (&["list"][..], 0),
        (&["list", "-v"], 0),
        (&["run"], 1),
        (&["run", "-vv", "--no-fail-fast"], 1),
        (&["run", "-q"], 1),
        (&["submit", "-p", "sum", "solutions/sum/accepted/sum.c"], 0),
        (&["check", "--static"], 0),
        (&["check", "--data"], 0),
        (&["verify"], 1),
        (&["run", "--matrix"], 1),
        (&["report", "shard.jsonl"], 1),
        (&["report", "run.jsonl"], 1),
        (&["doctor"], 0),
        (&["run", "--help"], 0),
        (&["run", "nowhere"], 5),
    ];
    Some((
        workspace,
        commands.map(|(args, code)| (args.to_vec(), code)).to_vec(),
    ))
}

/// The command, without languages for `doctor`.
fn quick_command(workspace: &Workspace, args: &[&str]) -> Command {
    if args == ["doctor"] {
        workspace.doctor_without_languages()
    } else {
        workspace.command_keeping(args)
    }
}

#[test]
fn colour_and_line_width_follow_the_terminal() {
    let Some((workspace, commands)) = workspace() else {
        return;
    };
    for (args, code) in &commands {
        let command = || workspace.command_keeping(args);
        let piped = CommandOutput::from_command(&mut command()).exits(*code);
        for message in [&piped.stdout, &piped.stderr] {
            assert!(!message.contains(['\x1b', '\r']), "{args:?}: {message:?}");
        }
        let (ended, message) = on_a_terminal(command().env("TERM", "xterm-256color"));
        let (colours, _, plain) = split_escapes(&message);
        assert_eq!(ended, Some(*code), "{args:?}: {message}");
        // Errors of the command line have no colour.
        assert_eq!(
            colours > 0,
            args[..] != ["run", "nowhere"],
            "{args:?}: {message:?}"
        );
        for line in plain.split(['\r', '\n']) {
            assert!(
                line.chars().count() <= usize::from(COLUMNS),
                "{args:?}: {line}"
            );
        }
        let command = || quick_command(&workspace, args);
        let (ended, message) =
            on_a_terminal(command().env("TERM", "xterm-256color").env("NO_COLOR", "1"));
        assert_eq!(
            (ended, split_escapes(&message).0),
            (Some(*code), 0),
            "{args:?}: {message:?}"
        );
        let (ended, message) = on_a_terminal(command().env("TERM", "dumb"));
        assert_eq!(
            (ended, split_escapes(&message).0, split_escapes(&message).1),
            (Some(*code), 0, 0),
            "{args:?}: {message:?}"
        );
        let forced = CommandOutput::from_command(command().env("CLICOLOR_FORCE", "1")).exits(*code);
        assert_eq!(
            split_escapes(&forced.stdout).0 > 0,
            colours > 0,
            "{args:?}: {:?}",
            forced.stdout
        );
    }
}

/// As in `judge run | head -1`: there is no error message, but a truncated report of a run is not a
/// success.
#[test]
fn streams_of_requests_show_their_progress_and_a_summary() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let source = |number: usize| format!("read a b; sleep 0.1; echo $((a + b)) # {number}");
    let requests = (0..6).map(|number| {
        format!(
            "{}\n",
            serde_json::json!({"problem": "sum", "language": "bash", "source": source(number), "tests": ["sample"]})
        )
    });
    workspace.write("requests.jsonl", requests.collect::<String>());
    let mut command = workspace.command([
        "grade",
        "requests.jsonl",
        "--output",
        "results.jsonl",
        "-j",
        "1",
    ]);
    let (code, message) = on_a_terminal(command.env("TERM", "xterm").env_remove("CI"));
    let (_, others, plain) = split_escapes(&message);
    assert_eq!(code, Some(0), "{plain}");
    assert!(
        others > 0 && plain.contains("/s: ") && plain.contains("6 requests in "),
        "{plain}"
    );
    assert!(plain.trim_end().ends_with(": 6 AC"), "{plain}");
}

#[test]
fn every_command_accepts_a_closed_output() {
    let Some((workspace, commands)) = workspace() else {
        return;
    };
    for (args, code) in &commands {
        let calm = CommandOutput::from_command(&mut quick_command(&workspace, args)).exits(*code);
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let mut command = quick_command(&workspace, args);
        let output = CommandOutput::from_child(
            command
                .stdout(writer)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        );
        let is_run = ["run", "submit", "check", "verify", "report", "report"].contains(&args[0]);
        let expected = if calm.stdout.is_empty() || args.contains(&"--help") || !is_run {
            *code
        } else {
            141
        };
        assert_eq!(
            (output.code, output.stderr),
            (Some(expected), calm.stderr),
            "{args:?}"
        );
    }
}

#[test]
fn errors_wrap_on_terminals_and_not_in_pipes() {
    let workspace = Workspace::new();
    workspace.write("judge.yaml", "chek: {}\n");
    let (code, message) = on_a_terminal(&mut workspace.command(["list"]));
    assert_eq!(code, Some(2), "{message}");
    assert!(
        message.contains("\r\n  `solutions`")
            && message.lines().all(|line| line.chars().count() <= 80),
        "{message}"
    );
    let output = workspace.judge(["list"]).exits(2);
    assert!(output.stderr.starts_with(
        "error: judge.yaml:1: unknown key `chek`; expected one of `problems`, `solutions`"
    ));
}
