//! Interrupts of commands on packages: `judge generate`, `judge check` and `judge visualize`.

use std::fs;

use judge_event::{End, Event};
use rustix::process::Signal;

use crate::interrupt::{SLEEP, no_process_is_left, send, started_command};
use crate::workspace::{CommandOutput, Workspace, parse};

/// A visualizer that hangs can be interrupted.
#[test]
fn interrupted_drawing_is_reported_and_leaves_nothing_behind() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.write("problems/sum/output_visualizer/draw.c", SLEEP);
    let words = ["visualize", "sum", "secret/01", "-o", "pictures"];
    let (child, below) = started_command(&workspace, &words, 2);
    send(&child, Signal::INT);
    let output = CommandOutput::from_child(child).exits(130);
    assert_eq!(
        (output.stdout.as_str(), output.stderr.lines().count()),
        ("", 1),
        "{output:?}"
    );
    output.stderr_has(&["interrupted: anything not listed above did not run"]);
    no_process_is_left(&below);
    assert!(!workspace.path("pictures").exists());
}

#[test]
fn interrupted_checks_are_reported_and_leave_nothing_behind() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.sum("sum");
    workspace.write("problems/sum/input_validators/sleep.c", SLEEP);
    for subcommand in ["check", "verify"] {
        let words = [subcommand, "--jobs=1", "--report=json=events.jsonl"];
        let (child, below) = started_command(&workspace, &words, 2);
        send(&child, Signal::INT);
        CommandOutput::from_child(child)
            .exits(130)
            .stdout_has(&["not everything was checked", "0 packages checked"]);
        no_process_is_left(&below);
        let events = parse(&fs::read_to_string(workspace.path("events.jsonl")).unwrap());
        assert!(
            matches!(events.last(), Some(Event::CheckFinished(finished)) if finished.end == End::Interrupted)
        );
    }
}

/// If `judge generate` is interrupted or killed, the data is unchanged.
fn generating_ended_by(signal: Signal, code: Option<i32>) {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("sum", "");
    workspace.write(
        "problems/sum/input_validators/v.ctd",
        "INT(0,9) NEWLINE EOF\n",
    );
    workspace.write(
        "solutions/sum/accepted/same.c",
        "#include <stdio.h>\nint main(void) { putchar(getchar()); }\n",
    );
    let rules = "data: {secret: {data: [{a: g.c 1}, {b: g.c 2}, {c: g.c 3}]}}\n";
    workspace.write("problems/sum/generators/generators.yaml", rules);
    let generator = |body: &str| {
        let head = "#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char **argv) { int n = argv[1][0] - '0';";
        workspace.write("problems/sum/generators/g.c", format!("{head} {body} }}\n"));
    };
    generator("printf(\"%d\\n\", n);");
    workspace.judge(["generate"]).exits(0);
    workspace.write("problems/sum/data/secret/mine.in", "4\n");
    workspace.write("problems/sum/data/secret/mine.ans", "4\n");
    // The first test case would change; the second is never completed.
    generator("while (n == 2) pause(); printf(\"%d\\n\", n + 5);");
    let before = workspace.files("problems/sum");
    let (mut child, below) = started_command(&workspace, &["generate", "--jobs", "2"], 1);
    send(&child, signal);
    assert_eq!(child.wait().unwrap().code(), code);
    no_process_is_left(&below);
    assert_eq!(workspace.files("problems/sum"), before);
    // The interrupted work can be done now.
    generator("printf(\"%d\\n\", n + 5);");
    workspace.judge(["generate"]).exits(0);
    assert_eq!(
        fs::read_to_string(workspace.path("problems/sum/data/secret/1-a.in")).unwrap(),
        "6\n"
    );
}

#[test]
fn interrupts_leave_the_data_unchanged() {
    generating_ended_by(Signal::INT, Some(130));
}

#[test]
fn kills_leave_the_data_unchanged() {
    generating_ended_by(Signal::KILL, None);
}
