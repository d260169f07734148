//! Shards that did not come to their end, and those that did: what is there is not judged again.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::sharding::{calm, names, read, shard};
use crate::workspace::{SUM, Said, Workspace};

#[test]
fn a_shard_that_is_there_is_not_judged_again() {
    let Some(workspace) = crate::sharding::workspace() else { return };
    let first = shard(&workspace, "1/2", &["-v"]);
    let again = shard(&workspace, "1/2", &["-v"]);
    assert_eq!((again.code, &again.stdout), (first.code, &first.stdout));
    again.complains(&["shard 1/2 is there already", "shard-1-of-2.jsonl"]);
    workspace.write("out/shard-2-of-2.jsonl", "x\n");
    shard(&workspace, "2/2", &[]).exits(2).complains(&["expected a shard"]);
}

/// A shard whose last submission waits until it is killed.
fn waiting() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    workspace.problem("wait", "limits: {time_limit: 60}\n");
    workspace.case("wait", "secret/1", "1 2\n", "3\n");
    for name in ["a", "b", "c"] {
        workspace.write(&format!("solutions/wait/accepted/{name}.c"), format!("// {name}\n{SUM}"));
    }
    workspace.write("solutions/wait/accepted/d.c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
    Some(workspace)
}

fn ended_by(signal: Signal, code: Option<i32>) {
    let Some(workspace) = waiting() else { return };
    let args = ["run", "--shard", "1/1", "--events", "out", "--jobs", "1"];
    let child = workspace.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let partial = || -> Option<String> {
        let name = names(&workspace).into_iter().find(|name| name.contains(".partial."))?;
        Some(read(&workspace, &format!("out/{name}")))
    };
    let give_up = Instant::now() + Duration::from_secs(120);
    let judged = || {
        workspace.path("out").is_dir() && partial().is_some_and(|text| text.matches("submission_finished").count() == 3)
    };
    while !judged() {
        assert!(Instant::now() < give_up, "three submissions");
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_process(pid, signal).unwrap();
    let said = Said::of_child(child);
    assert_eq!(said.code, code, "{said:?}");
    if code.is_some() {
        said.complains(&["shard 1/1 is unfinished", "the same command goes on there"]);
    }
    let before = partial().unwrap();
    workspace
        .judge(["merge", "out"])
        .exits(4)
        .complains(&["1 of 1 shard is missing: 1", "shard 1 is unfinished: 3 of 4 submissions"]);
    assert_eq!(workspace.judge(["missing", "out"]).exits(0).stdout, "1\n");

    // What is changed is judged anew: nothing of before counts.
    workspace.write("solutions/wait/accepted/d.c", format!("// d\n{SUM}"));
    shard(&workspace, "1/1", &[]).exits(0);
    assert_eq!(names(&workspace).len(), 2, "{:?}", names(&workspace));
    fs::remove_file(workspace.path("out/shard-1-of-1.jsonl")).unwrap();

    // What is as it was is gone on with: the header is made to fit, as if nothing had changed.
    workspace.judge(["run", "--shard", "1/1", "--events", "fresh"]).exits(0);
    let new = read(&workspace, "fresh/shard-1-of-1.jsonl");
    let name = names(&workspace).remove(0);
    let stale = before.replace(sources(&before), sources(&new));
    let marked = stale.replacen("\"wall_time_us\":", "\"wall_time_us\":12345678", 1);
    workspace.write(&format!("out/{name}"), marked);
    let said = shard(&workspace, "1/1", &["-v"]).exits(0);
    said.complains(&["shard 1/1: 3 of 4 submissions are there from an attempt that did not end"]);
    said.tells(&[
        "accepted/a.c",
        "accepted/b.c",
        "accepted/c.c",
        "accepted/d.c",
        "1 problem, 4 submissions as expected",
    ]);
    assert_eq!(names(&workspace), ["shard-1-of-1.jsonl"]);
    assert!(read(&workspace, "out/shard-1-of-1.jsonl").contains("\"wall_time_us\":12345678"), "used again");
    assert_eq!(calm_events(&workspace, "out"), calm_events(&workspace, "fresh"));
    workspace.judge(["merge", "out"]).exits(0);
}

fn calm_events(workspace: &Workspace, directory: &str) -> Vec<serde_json::Value> {
    calm(&read(workspace, &format!("{directory}/shard-1-of-1.jsonl")))
}

/// The digest of the shard's submissions in its first line.
fn sources(text: &str) -> &str {
    let from = text.find("\"sources\":\"").unwrap() + "\"sources\":\"".len();
    &text[from..from + 64]
}

#[test]
fn a_shard_that_was_interrupted_goes_on_where_it_ended() {
    ended_by(Signal::INT, Some(130));
    ended_by(Signal::TERM, Some(130));
}

#[test]
fn a_shard_that_was_killed_goes_on_where_it_ended() {
    ended_by(Signal::KILL, None);
}
