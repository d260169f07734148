//! Shards: merged shards equal the run on one machine.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use judge_event::{Event, RunStarted, TimeLimitFrom};
use judge_model::Verdict;

use crate::workspace::{CommandOutput, SUM, SUM_PLUS_ONE, Workspace, parse};

/// Three problems with submissions of every kind: correct, wrong, with a compile error, and in an
/// unknown language.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::isolated()?;
    for (problem, submissions) in [("one", 5), ("three", 1), ("two", 4)] {
        workspace.sum(problem);
        for number in 0..submissions {
            workspace.write(
                &format!("solutions/{problem}/accepted/a{number}.c"),
                format!("// {number}\n{SUM}"),
            );
        }
        workspace.write(
            &format!("solutions/{problem}/wrong_answer/more.c"),
            SUM_PLUS_ONE,
        );
    }
    workspace.write("solutions/one/accepted/more.c", SUM_PLUS_ONE);
    workspace.write(
        "solutions/two/accepted/none.c",
        "int main(void) { return 3 }\n",
    );
    workspace.problem("zero", "limits: {time_limit: 1}\n");
    workspace.case("zero", "secret/1", "1\n", "1\n");
    Some(workspace)
}

fn shard(workspace: &Workspace, shard: &str, more: &[&str]) -> CommandOutput {
    let (number, _) = shard.split_once('/').unwrap();
    fs::create_dir_all(workspace.path("out")).unwrap();
    let json = format!("--report=json=out/{number}.jsonl");
    workspace.judge([&["run", "--shard", shard, &json], more].concat())
}

fn all_shards(workspace: &Workspace, shard_count: u64) {
    for number in 1..=shard_count {
        // Results would be marked as cached, and the runs would differ.
        let output = shard(
            workspace,
            &format!("{number}/{shard_count}"),
            &["--no-cache"],
        );
        assert!(matches!(output.code, Some(0 | 1)), "{output:?}");
    }
}

/// Events without the differences between two equal runs: times, memory, use of the cache, and
/// hosts.
fn without_variations(text: &str) -> Vec<serde_json::Value> {
    fn remove_variations(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                let varying_keys = [
                    "cpu_time_us",
                    "wall_time_us",
                    "memory_bytes",
                    "started_at",
                    "host",
                    "cached",
                    "slowest",
                ];
                map.retain(|key, _| !varying_keys.contains(&key.as_str()));
                map.values_mut().for_each(remove_variations);
            }
            serde_json::Value::Array(values) => values.iter_mut().for_each(remove_variations),
            _ => {}
        }
    }
    let values = text.lines().map(|line| serde_json::from_str(line).unwrap());
    values
        .map(|mut value| {
            remove_variations(&mut value);
            value
        })
        .collect()
}

fn read(workspace: &Workspace, path: &str) -> String {
    fs::read_to_string(workspace.path(path)).unwrap()
}

fn header(workspace: &Workspace, path: &str) -> RunStarted {
    match parse(read(workspace, path).lines().next().unwrap()).remove(0) {
        Event::RunStarted(run) => run,
        other => panic!("{other:?}"),
    }
}

#[test]
fn merged_shards_equal_the_run_on_one_machine() {
    let Some(workspace) = workspace() else { return };
    let alone = workspace
        .judge([
            "run",
            "--no-cache",
            "--report=json=alone.jsonl",
            "--report",
            "sarif=alone.sarif",
        ])
        .exits(1);
    for shard_count in [1, 4] {
        all_shards(&workspace, shard_count);
        let options = [
            "report",
            "out",
            "--report=json=merged.jsonl",
            "--report",
            "sarif=merged.sarif",
        ];
        let merged = workspace.judge(options).exits(1);
        assert_eq!(
            without_variations(&read(&workspace, "merged.jsonl")),
            without_variations(&read(&workspace, "alone.jsonl")),
            "{shard_count} shards"
        );
        assert_eq!(
            read(&workspace, "merged.sarif"),
            read(&workspace, "alone.sarif")
        );
        assert_eq!(without_times(&merged.stdout), without_times(&alone.stdout));
        assert_eq!(merged.stderr, "");
        assert_eq!(
            workspace
                .judge(["report", "--missing", "out"])
                .exits(0)
                .stdout,
            ""
        );
        fs::remove_dir_all(workspace.path("out")).unwrap();
    }
}

/// The terminal's report without digits: the layout of times, but not their values.
fn without_times(text: &str) -> String {
    let words = text
        .split_whitespace()
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()) && *word != "ms");
    words
        .filter(|word| !["s", "MiB", "KiB"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_shard_needs_an_event_stream() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    workspace
        .judge(["run", "--shard", "1/2"])
        .exits(2)
        .stderr_has(&["--report"]);
    let without = workspace
        .judge(["run", "--shard", "1/2", "--report", "junit=judge.xml"])
        .exits(2);
    without.stderr_has(&[
        "`--shard` needs an event stream",
        "hint: `--report json=FILE`",
    ]);
    assert!(!workspace.path("judge.xml").exists());
}

#[test]
fn an_event_stream_describes_its_shard() {
    let Some(workspace) = workspace() else { return };
    shard(&workspace, "2/3", &[]);
    let shard = header(&workspace, "out/2.jsonl").shard.unwrap();
    assert_eq!(
        (shard.number, shard.of, shard.problems, shard.submissions),
        (2, 3, 4, 15)
    );
    assert_eq!(shard.run.len(), 64);
    // A part of a run is never reported as the whole, even if a pattern matches only one file.
    let alone = workspace.judge(["report", "out/2.jsonl"]).exits(3);
    alone.stderr_has(&["2 of 3 shards are missing: 1,3"]);
    assert_eq!(alone.stdout, "");
}

#[test]
fn missing_shards_are_named_for_an_array_option() {
    let Some(workspace) = workspace() else { return };
    for number in ["1/6", "3/6", "4/6"] {
        shard(&workspace, number, &[]);
    }
    assert_eq!(
        workspace
            .judge(["report", "--missing", "out"])
            .exits(0)
            .stdout,
        "2,5-6\n"
    );
    let output = workspace.judge(["report", "out"]).exits(3);
    output.stderr_has(&["3 of 6 shards are missing: 2,5-6", "hint:"]);
    assert_eq!(output.stdout, "");
    workspace
        .judge(["report", "problems"])
        .exits(5)
        .stderr_has(&["no shard found in `problems`", "hint:"]);
    workspace
        .judge(["report", "nowhere", "out"])
        .exits(5)
        .stderr_has(&["no such file or directory: `nowhere`"]);
    workspace
        .judge(["report", "judge.yaml", "out"])
        .exits(2)
        .stderr_has(&["expected the events of a shard"]);
}

#[test]
fn unrelated_duplicate_and_damaged_shards_are_refused_by_name() {
    let Some(workspace) = workspace() else { return };
    all_shards(&workspace, 2);
    workspace.write("out/other.jsonl", "{}\n");
    std::os::unix::fs::symlink(".", workspace.path("out/link")).unwrap();
    let merge = |code| workspace.judge(["report", "out"]).exits(code);
    merge(1);
    let whole = read(&workspace, "out/2.jsonl");
    workspace.write("out/again/2.jsonl", &whole);
    merge(3).stderr_has(&["shard 2 occurs twice", "again/2.jsonl"]);
    let run = header(&workspace, "out/2.jsonl").shard.unwrap().run;
    workspace.write(
        "out/again/2.jsonl",
        whole.replacen(&run, &run.replace('a', "b"), 1),
    );
    merge(3).stderr_has(&["again/2.jsonl` belongs to another run: its digest"]);
    fs::remove_dir_all(workspace.path("out/again")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let start = lines
        .iter()
        .position(|line| line.contains("submission_started"))
        .unwrap();
    let mut without_start = lines.clone();
    without_start.remove(start);
    let mut without_end = lines.clone();
    without_end.remove(
        lines
            .iter()
            .position(|line| line.contains("\"submission_finished\""))
            .unwrap(),
    );
    let mut repeated = lines.clone();
    repeated.insert(start, lines[start]);
    let mut garbage = lines.clone();
    garbage[start] = "{";
    let cut = lines[..lines.len() - 1].to_vec();
    for (damaged, code, words) in [
        (cut, 3, "2.jsonl` is incomplete"),
        (
            without_start,
            2,
            "2.jsonl`: it is damaged: `submission_started` of",
        ),
        (without_end, 2, "2.jsonl`: it is damaged: the end of"),
        (repeated, 2, "2.jsonl`: "),
        (garbage, 2, "2.jsonl`: "),
    ] {
        workspace.write("out/2.jsonl", damaged.join("\n") + "\n");
        let output = workspace
            .judge(["report", "out", "--report=json=merged.jsonl"])
            .exits(code);
        output.stderr_has(&[words]);
        assert!(!workspace.path("merged.jsonl").exists(), "{words}");
    }
    workspace.write(
        "out/2.jsonl",
        whole.replace("\"completed\"", "\"interrupted\""),
    );
    merge(3).stderr_has(&["2.jsonl` is incomplete", "1 of 2 shards is missing: 2"]);
    workspace.write("out/2.jsonl", &whole);
    // Shards of another selection: the minority is refused.
    workspace.judge(["run", "one", "--shard", "1/3", "--report=json=out/3.jsonl"]);
    merge(3)
        .stderr_has(&["3.jsonl` belongs to another run: it belongs to a run with 3 shards, most other files to one with 2"]);
}

#[test]
fn shards_of_different_packages_or_options_are_refused() {
    let Some(workspace) = workspace() else { return };
    workspace.case("one", "sample/1", "1 2\n", "3\n");
    shard(&workspace, "1/4", &[]);
    workspace.case("one", "secret/01", "2 4\n", "6\n");
    for number in ["2/4", "3/4", "4/4"] {
        shard(&workspace, number, &[]);
    }
    let output = workspace.judge(["report", "out"]).exits(3);
    output.stderr_has(&[
        "2.jsonl` belongs to another run: its package `one` differs from that of shard 1",
    ]);
    shard(&workspace, "1/4", &[]);
    workspace.judge(["report", "out"]).exits(1);
    for options in [
        &["--time-limit", "3"][..],
        &["--fail-fast"],
        &["--samples"],
        &["--time-factor", "2"],
    ] {
        shard(&workspace, "4/4", options);
        workspace
            .judge(["report", "out"])
            .exits(3)
            .stderr_has(&["4.jsonl` belongs to another run: its digest"]);
    }
    // Hosts may differ in these.
    shard(&workspace, "4/4", &["--jobs", "1", "--no-cache"]);
    workspace.judge(["report", "out"]).exits(1);
}

/// Results of a shard that was killed are taken from the cache.
#[test]
fn an_interrupted_shard_is_resumed() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("wait", "limits: {time_limit: 60}\n");
    workspace.case("wait", "secret/1", "1 2\n", "3\n");
    workspace.write("solutions/wait/accepted/a.c", SUM);
    workspace.write(
        "solutions/wait/accepted/b.c",
        "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n",
    );
    fs::create_dir(workspace.path("out")).unwrap();
    let args = [
        "run",
        "--shard",
        "1/1",
        "--report=json=out/1.jsonl",
        "--jobs",
        "1",
    ];
    let mut child = workspace
        .command_keeping(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    crate::interrupt::within(Duration::from_secs(120), "the first result", || {
        let records = workspace.files_below(&workspace.results_dir().join("records"));
        records.values().any(|record| !record.is_empty())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!workspace.path("out/1.jsonl").exists());
    workspace.write("solutions/wait/accepted/b.c", format!("// b\n{SUM}"));
    CommandOutput::from_command(&mut workspace.command_keeping(args)).exits(0);
    let cached: Vec<bool> = parse(&read(&workspace, "out/1.jsonl"))
        .iter()
        .filter_map(|event| match event {
            Event::TestCaseFinished(finished) => Some(finished.cached),
            _ => None,
        })
        .collect();
    assert_eq!(cached, [true, false]);
    workspace.judge(["report", "out"]).exits(0);
}

#[test]
fn empty_shards_are_not_an_error() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for number in 1..=3 {
        shard(&workspace, &format!("{number}/3"), &[]).exits(0);
    }
    workspace
        .judge(["report", "out"])
        .exits(0)
        .stdout_has(&["1 problem, 1 submission as expected"]);
}

#[test]
fn faults_of_packages_are_reported_once() {
    let Some(workspace) = workspace() else { return };
    workspace.write("problems/broken/problem.yaml", "limit: 3\n");
    workspace.problem("validated", "limits: {time_limit: 1}\n");
    workspace.case("validated", "secret/1", "1\n", "1\n");
    workspace.write(
        "problems/validated/output_validator/v.c",
        "int main(void) { return 3 }\n",
    );
    for name in ["a", "b", "c", "d"] {
        workspace.write(&format!("solutions/validated/accepted/{name}.c"), SUM);
    }
    workspace
        .judge(["run", "--report=json=alone.jsonl"])
        .exits(3);
    for number in 1..=5 {
        shard(&workspace, &format!("{number}/5"), &[]);
    }
    workspace
        .judge(["report", "out", "--report=json=merged.jsonl"])
        .exits(3);
    assert_eq!(
        without_variations(&read(&workspace, "merged.jsonl")),
        without_variations(&read(&workspace, "alone.jsonl"))
    );
}

#[test]
fn time_limits_are_measured_once_and_not_by_each_shard() {
    let Some(workspace) = Workspace::isolated() else {
        return;
    };
    workspace.problem("open", "");
    workspace.case("open", "sample/1", "1 2\n", "3\n");
    workspace.case("open", "secret/1", "2 2\n", "4\n");
    for name in ["a", "b"] {
        workspace.write(
            &format!("solutions/open/accepted/{name}.c"),
            format!("// {name}\n{SUM}"),
        );
    }
    let refused = shard(&workspace, "1/2", &[]).exits(2);
    refused.stderr_has(&[
        "each shard would infer its own time limit, since none is stated, for `open`",
        "hint: measure",
    ]);
    workspace
        .judge(["run", "--samples", "--report=json=limits.jsonl"])
        .exits(0);
    for number in ["1/2", "2/2"] {
        shard(&workspace, number, &["--time-limits", "limits.jsonl"]).exits(0);
    }
    workspace
        .judge(["report", "out", "--report=json=merged.jsonl"])
        .exits(0);
    workspace
        .judge([
            "run",
            "--time-limits",
            "limits.jsonl",
            "--report=json=alone.jsonl",
        ])
        .exits(0);
    assert_eq!(
        without_variations(&read(&workspace, "merged.jsonl")),
        without_variations(&read(&workspace, "alone.jsonl"))
    );
    let limits = |path: &str| {
        let events = parse(&read(&workspace, path));
        events.into_iter().find_map(|event| match event {
            Event::ProblemStarted(started) => {
                Some((started.time_limit_us, started.time_limit_from.unwrap()))
            }
            _ => None,
        })
    };
    let (measured, merged) = (
        limits("limits.jsonl").unwrap(),
        limits("merged.jsonl").unwrap(),
    );
    assert!(
        !measured.1.cached && merged.1.cached,
        "the event says that an earlier run has measured it"
    );
    let unmarked = |(limit, from): (u64, Box<TimeLimitFrom>)| {
        (
            limit,
            TimeLimitFrom {
                cached: false,
                ..*from
            },
        )
    };
    assert_eq!(unmarked(merged), unmarked(measured));
    workspace.problem("other", "");
    workspace.case("other", "secret/1", "2 2\n", "4\n");
    workspace.write("solutions/other/accepted/a.c", SUM);
    let missing = shard(&workspace, "1/2", &["--time-limits", "limits.jsonl"]).exits(2);
    missing.stderr_has(&["`limits.jsonl` has no inferred time limit for `other`"]);
}

#[test]
fn durations_of_an_earlier_run_balance_shards() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    for name in ["b", "c", "d", "e", "f"] {
        workspace.write(
            &format!("solutions/sum/accepted/{name}.c"),
            format!("// {name}\n{SUM}"),
        );
    }
    workspace
        .judge(["run", "--report=json=before.jsonl"])
        .exits(0);
    // The first submission is set to take as long as all others.
    let text = read(&workspace, "before.jsonl");
    let slow = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let is = value["event"] == "test_case_finished" && value["submission"] == "accepted/b.c";
        if is {
            line.replacen("\"wall_time_us\":", "\"wall_time_us\":9999", 1)
        } else {
            line.to_owned()
        }
    };
    workspace.write(
        "before.jsonl",
        text.lines().map(slow).collect::<Vec<_>>().join("\n") + "\n",
    );
    for number in ["1/2", "2/2"] {
        shard(&workspace, number, &["--durations", "before.jsonl"]).exits(0);
    }
    let places = |number: u64| {
        header(&workspace, &format!("out/{number}.jsonl"))
            .shard
            .unwrap()
            .parts[0]
            .submissions
            .clone()
    };
    assert_eq!((places(1).as_str(), places(2).as_str()), ("1", "2-6"));
    // With other durations, it is another run.
    shard(&workspace, "2/2", &[]).exits(0);
    workspace
        .judge(["report", "out"])
        .exits(3)
        .stderr_has(&["belongs to another run"]);
    shard(&workspace, "2/2", &["--durations", "nowhere"]).exits(4);
}

/// Only the processors that a batch system assigns to the process are used.
#[test]
fn the_affinity_of_the_process_is_respected() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    if !Path::new("/usr/bin/taskset").exists() {
        return crate::workspace::skipped("affinity", "taskset is not installed");
    }
    let args = [
        "-c",
        "0",
        env!("CARGO_BIN_EXE_judge"),
        "run",
        "--report=json=run.jsonl",
    ];
    CommandOutput::from_command(&mut workspace.command_of(Path::new("/usr/bin/taskset"), args))
        .exits(0);
    let run = header(&workspace, "run.jsonl");
    assert_eq!((run.jobs, run.host.unwrap().cores), (1, 1));
}

#[test]
fn different_processors_are_reported_if_they_may_affect_verdicts() {
    let Some(workspace) = workspace() else { return };
    all_shards(&workspace, 2);
    let text = read(&workspace, "out/2.jsonl");
    let model = header(&workspace, "out/2.jsonl")
        .host
        .unwrap()
        .processor
        .unwrap();
    let other = text.replacen(&model, "Another Model", 1);
    workspace.write("out/2.jsonl", &other);
    assert_eq!(workspace.judge(["report", "out"]).exits(1).stderr, "");
    let near =
        "\"near_limit\":{\"first_cpu_time_us\":1,\"first_verdict\":\"AC\"},\"judge_message\":\"x\"";
    let close = other.replacen("},\"difference\"", &format!("}},{near},\"difference\""), 1);
    assert_ne!(close, other, "a wrong answer has a difference");
    workspace.write("out/2.jsonl", &close);
    let output = workspace.judge(["report", "out"]);
    output.stderr_has(&[
        "shards ran on different processors",
        "Another Model (2)",
        "1 submission took about as long",
    ]);
    assert!(parse(&close).iter().any(
        |event| matches!(event, Event::TestCaseFinished(finished) if finished.verdict == Verdict::WrongAnswer)
    ));
}
