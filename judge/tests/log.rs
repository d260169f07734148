//! `JUDGE_LOG`: lines about decisions, on standard error, and only on request.

use std::fs;

use tempfile::TempDir;

use crate::workspace::{CommandOutput, Workspace};

/// A program that prints nothing.
const LOOP: &str = "int main(void) { for (;;) { } }\n";

/// `judge run` with these topics and a separate cache, which keeps results.
fn run(workspace: &Workspace, cache: &TempDir, topics: &str) -> CommandOutput {
    let mut command = workspace.command_keeping(["run", "--report=json"]);
    command
        .env("JUDGE_CACHE_DIR", cache.path())
        .env("JUDGE_LOG", topics);
    let output = CommandOutput::from_command(&mut command);
    assert!(
        !output.events.is_empty(),
        "standard output is a stream of events: {output:?}"
    );
    output
}

/// The lines of a topic that have all of these words.
fn lines(output: &CommandOutput, topic: &str, words: &[&str]) -> usize {
    let topic = format!(" {topic}: ");
    let has_all =
        |line: &&str| line.contains(&topic) && words.iter().all(|word| line.contains(word));
    output.stderr.lines().filter(has_all).count()
}

#[test]
fn a_decision_of_each_kind_is_reported() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let first = run(&workspace, &cache, "all").exits(0);
    assert_eq!(
        lines(
            &first,
            "cache",
            &["program looked up", "entry=\"sum.c\"", "hit=false"]
        ),
        1,
        "{}",
        first.stderr
    );
    assert_eq!(
        lines(&first, "cache", &["results looked up", "found=0 of=3"]),
        1,
        "{}",
        first.stderr
    );
    assert_eq!(
        lines(&first, "cache", &["result cached", "varies=false"]),
        3,
        "{}",
        first.stderr
    );
    assert_eq!(
        lines(&first, "compile", &["compiler starts", "command=["]),
        1,
        "{}",
        first.stderr
    );
    assert_eq!(
        lines(&first, "compile", &["compiler ended", "code: 0"]),
        1,
        "{}",
        first.stderr
    );
    assert_eq!(
        lines(&first, "schedule", &["begins", "sum.c on secret/01, First"]),
        1,
        "{}",
        first.stderr
    );
    assert!(
        lines(&first, "sandbox", &["slot is ready"]) >= 2,
        "{}",
        first.stderr
    );
    assert!(
        lines(&first, "sandbox", &["sent", "kind=\"run\""]) >= 4,
        "{}",
        first.stderr
    );
    assert!(
        lines(&first, "sandbox", &["received", "kind=\"finished\""]) >= 4,
        "{}",
        first.stderr
    );

    let second = run(&workspace, &cache, "cache").exits(0);
    assert_eq!(
        lines(&second, "cache", &["program looked up", "hit=true"]),
        1,
        "{}",
        second.stderr
    );
    assert_eq!(
        lines(&second, "cache", &["results looked up", "found=3 of=3"]),
        1,
        "{}",
        second.stderr
    );
    assert!(
        second.stderr.lines().all(|line| line.contains(" cache: ")),
        "one topic was asked for: {}",
        second.stderr
    );

    for path in workspace
        .files_below(&cache.path().join("programs"))
        .into_keys()
    {
        if path.ends_with("manifest.json") {
            fs::write(cache.path().join("programs").join(path), "{}").unwrap();
        }
    }
    let damaged = run(&workspace, &cache, "cache").exits(0);
    assert!(
        lines(&damaged, "cache", &["damaged", "manifest.json"]) >= 1,
        "{}",
        damaged.stderr
    );
}

#[test]
fn a_confirmation_is_reported_with_its_reason() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace.problem("sum", "limits: {time_limit: 0.3, memory: 256}\n");
    workspace.write("solutions/sum/accepted/sum.c", LOOP);
    let output = run(&workspace, &tempfile::tempdir().unwrap(), "confirm").exits(1);
    let words = [
        "submission=\"accepted/sum.c\"",
        "test_case=\"sample/1\"",
        "attempt=First",
        "reason: Unexpected",
    ];
    assert_eq!(lines(&output, "confirm", &words), 1, "{}", output.stderr);
    assert_eq!(
        lines(
            &output,
            "confirm",
            &["test_case=\"sample/1\"", "attempt=Again", "decision=Final"]
        ),
        1,
        "{}",
        output.stderr
    );
}

#[test]
fn logs_are_off_by_default_and_an_unknown_topic_is_an_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let cache = tempfile::tempdir().unwrap();
    let output = run(&workspace, &cache, "").exits(0);
    output.stderr_has_only_progress();
    let mut command = workspace.command(["list"]);
    let output = CommandOutput::from_command(command.env("JUDGE_LOG", "cache,shedule")).exits(2);
    output.stderr_has(&[
        "JUDGE_LOG: unknown topic `shedule`; expected `all`, or some of `cache`, `compile`",
    ]);
}
