//! `judge print completions` and `judge print man` describe the arguments.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::workspace::{Workspace, skipped};

/// Every command, as the help lists them.
pub(crate) fn commands(workspace: &Workspace) -> Vec<String> {
    let help = workspace.judge(["--help"]).exits(0).stdout;
    let lines = help.lines().take_while(|line| *line != "Options:");
    let names: Vec<String> = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect();
    assert!(
        names.len() > 8 && names.contains(&"run".to_owned()),
        "{names:?}"
    );
    names
}

/// Runs a program on a text, if this host has the program.
fn reads(program: &str, args: &[&str], text: &str) -> Option<String> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        skipped(program, "not installed");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program}: {errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn completions_ask_this_program_and_need_no_workspace() {
    let workspace = Workspace::new();
    workspace.write("judge.yaml", "nonsense: true\n");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = workspace.judge(["print", "completions", shell]).exits(0);
        assert!(
            output.stdout.contains("COMPLETE") && output.stderr.is_empty(),
            "{shell}: {output:?}"
        );
    }
    let script = workspace.judge(["print", "completions", "bash"]).stdout;
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_judge"))
        .parent()
        .unwrap()
        .display()
        .to_string();
    // The completions of bash after `judge rep`: it calls the function with the command, the word
    // and the word before it.
    let ask = "COMP_WORDS=(judge rep)\nCOMP_CWORD=1\n_clap_complete_judge judge rep judge\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    let lines = format!("PATH={programs}:$PATH\n{script}\n{ask}");
    if let Some(offered) = reads("bash", &["--norc"], &lines) {
        assert_eq!(offered.trim(), "report");
    }
    workspace
        .judge(["print", "completions", "tcsh"])
        .exits(2)
        .stderr_has(&["tcsh", "bash"]);
}

#[test]
fn manual_pages_have_every_command_and_option() {
    let workspace = Workspace::new();
    let page = workspace.judge(["print", "man"]).exits(0).stdout;
    for name in commands(&workspace) {
        assert!(
            page.contains(&format!("judge\\-{name}(1)")),
            "{name} in:\n{page}"
        );
    }
    assert!(page.contains("Exit codes: 0 as expected"), "{page}");
    let run = workspace.judge(["print", "man", "run"]).exits(0).stdout;
    for option in [
        "no\\-fail\\-fast",
        "\\-\\-report",
        "\\-\\-isolation",
        "\\-\\-directory",
    ] {
        assert!(run.contains(option), "{option} in:\n{run}");
    }
    if let Some(shown) = reads("groff", &["-man", "-Tascii", "-P-c"], &run) {
        // Bold letters are printed twice, with a backspace between.
        let mut plain = String::new();
        for c in shown.chars() {
            if c == '\u{8}' {
                plain.pop();
            } else {
                plain.push(c);
            }
        }
        assert!(
            plain.contains("--no-fail-fast") && plain.contains("NAME\n"),
            "{plain}"
        );
    }
    workspace
        .judge(["print", "man", "rum"])
        .exits(2)
        .stderr_has(&["unknown command `rum`", "`run`"]);
}
