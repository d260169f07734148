//! `judge grade` under stress: invalid requests of every kind, hostile programs, faults of the
//! host, and kills.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::grade::{bash, inline, lines};
use crate::workspace::{SUM, Workspace, has, strongest_level};

#[test]
fn invalid_requests_do_not_stop_the_stream() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    mkfifoat(CWD, workspace.path("pipe.c"), Mode::from_raw_mode(0o600)).unwrap();
    fs::File::create(workspace.path("huge.c"))
        .unwrap()
        .set_len(100 << 20)
        .unwrap();
    workspace.write("loop/a/x.c", SUM);
    std::os::unix::fs::symlink("..", workspace.path("loop/a/up")).unwrap();
    let sum = |more: Value| {
        let mut request = json!({"problem": "sum"});
        request
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        request
    };
    let long = "n".repeat(253) + ".c";
    let paths = [
        "/",
        "/dev/zero",
        "/proc",
        "/dev",
        ".",
        "pipe.c",
        "huge.c",
        "loop",
        "no\u{0}thing.c",
        "",
        "judge.yaml",
    ];
    let mut requests: Vec<Value> = paths
        .iter()
        .map(|path| sum(json!({"path": path})))
        .collect();
    let names = [
        "a/.",
        "a/",
        ".",
        "..",
        "a//b.c",
        "",
        "x\u{0}.c",
        "/etc/x.c",
        "-o.c",
        "@list.c",
        "a b'\"$(x).c",
        &long,
    ];
    requests.extend(
        names
            .iter()
            .map(|name| sum(json!({"filename": name, "source": SUM}))),
    );
    requests.extend(names.iter().map(|name| sum(json!({"files": {*name: SUM}}))));
    requests.push(sum(json!({"files": {"a": SUM, "a/b.c": SUM}})));
    requests.push(sum(json!({"files": {}})));
    let problems = [
        "/",
        "/dev/zero",
        "pipe.c",
        "",
        "\u{0}",
        "judge.yaml",
        "solutions",
    ];
    requests.extend(problems.map(|name| json!({"problem": name, "language": "c", "source": SUM})));
    for (key, value) in [
        ("memory", json!(0)),
        ("time_limit", json!(-1)),
        ("time_limit", json!(1e300)),
        ("output", json!(u64::MAX)),
    ] {
        requests.push(sum(
            json!({"language": "c", "source": SUM, "limits": {key: value}}),
        ));
    }
    for tests in [json!([]), json!([""]), json!(["/"]), json!(["../sample"])] {
        requests.push(sum(json!({"language": "c", "source": SUM, "tests": tests})));
    }
    let checker = json!({"tests": [{"input": "", "output": ""}], "checker": {"path": "/dev/zero"}});
    requests.push(json!({"problem": checker, "language": "c", "source": SUM}));
    requests.push(sum(json!({"language": "c", "source": SUM})));
    workspace.write("requests.jsonl", lines(&requests));
    let output = workspace.judge(["grade", "requests.jsonl", "--ordered"]);
    let found = crate::grade::results(&output);
    assert!(matches!(output.code, Some(2 | 3)), "{output:?}");
    assert_eq!(found.len(), requests.len());
    for (result, request) in found.iter().zip(&requests) {
        assert!(
            result["error"].is_object() != result["verdict"].is_string(),
            "{request}: {result}"
        );
        assert_ne!(result["error"]["kind"], "host", "{request}: {result}");
    }
    assert_eq!(found.last().unwrap()["verdict"], "AC");
}

/// The hostile suite's directory.
fn hostile() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../testdata/hostile")
        .canonicalize()
        .unwrap()
}

/// The request for a program of the hostile suite, distinguished by a comment, and its possible
/// verdicts.
fn hostile_request(name: &str, number: usize) -> (Value, Vec<Value>) {
    let declared: Value =
        serde_json::from_str(&fs::read_to_string(hostile().join(format!("{name}.json"))).unwrap())
            .unwrap();
    let at_level = &declared["levels"][strongest_level().unwrap().name()];
    let verdicts = at_level
        .get("verdicts")
        .unwrap_or(&declared["expect"]["verdicts"])
        .as_array()
        .unwrap()
        .clone();
    let python = hostile().join(format!("{name}.py"));
    let (main, comment) = if python.exists() {
        ("main.py", "#")
    } else {
        ("main.c", "//")
    };
    let source = fs::read_to_string(hostile().join(format!("{name}.{}", &main[5..]))).unwrap();
    let mut files = BTreeMap::from([(main.to_owned(), format!("{source}\n{comment} {number}\n"))]);
    let header = hostile()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "h"));
    if let Some(header) = header.filter(|_| main == "main.c") {
        files.insert(
            header.file_name().unwrap().to_str().unwrap().to_owned(),
            fs::read_to_string(&header).unwrap(),
        );
    }
    let output = declared["expect"]["stdout"].as_str().unwrap_or("nothing\n");
    let mut problem = inline(&[("", output)]);
    let seconds = declared["limits"]["cpu_ms"].as_f64().unwrap_or(500.0) / 1e3;
    problem["limits"] = json!({"time_limit": seconds, "memory": 64, "output": 1});
    (json!({"problem": problem, "files": files}), verdicts)
}

/// Hostile programs with different attacks among correct ones.
fn mixed(workspace: &Workspace, names: &[&str], number: usize) {
    let mut requests = Vec::new();
    let mut expected = BTreeMap::new();
    for (index, name) in names.iter().cycle().take(number).enumerate() {
        let (mut request, verdicts) = hostile_request(name, index);
        request["id"] = json!(format!("{name} {index}"));
        expected.insert(format!("{name} {index}"), verdicts);
        let id = format!("sound {index}");
        requests.extend([
            request,
            json!({"id": id, "problem": "sum", "language": "bash", "source": bash(&format!(": {index}"))}),
        ]);
        expected.insert(id, vec![json!("AC")]);
    }
    workspace.write("requests.jsonl", lines(&requests));
    // Hundreds of them take longer than any other command of a test may.
    let output = workspace
        .command(["grade", "requests.jsonl", "-j", "3"])
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found.len(), 2 * number);
    for result in found {
        let verdicts = &expected[result["id"].as_str().unwrap()];
        assert!(
            verdicts.contains(&result["verdict"]),
            "{verdicts:?}: {result}"
        );
    }
}

/// Programs that create at most one kernel object of a kind, and no storms.
const HOSTILE: [&str; 14] = [
    "aborts",
    "busy_loop",
    "children_inherit_memory",
    "fakes_a_report",
    "ignores_every_signal",
    "infinite_recursion",
    "kills_everyone",
    "kills_itself",
    "malloc_and_touch",
    "signals_its_parent",
    "sleeps_for_ever",
    "stdout_flood",
    "stops_itself",
    "survivor_holds_stdout",
];

#[test]
fn hostile_programs_do_not_affect_other_results() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    mixed(&workspace, &HOSTILE, HOSTILE.len());
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn five_hundred_hostile_programs_do_not_affect_other_results() {
    let Some(workspace) = Workspace::with_sum().filter(|_| has("python3")) else {
        return;
    };
    mixed(&workspace, &HOSTILE, 500);
}

/// A stream of programs, some of which are slow, and some of which fail.
fn stream(number: usize) -> Vec<Value> {
    let bodies = ["", "sleep 0.05", "exit 3", "b=0", ": $RANDOM"];
    let requests = (0..number).map(|id| {
        let source = bash(&format!("{}\n: {}", bodies[id % 5], id % 50));
        json!({"id": id, "problem": "sum", "language": "bash", "source": source})
    });
    requests.collect()
}

/// The complete lines of a file of results, by name, reduced to the parts that do not depend on
/// time.
fn stable_results(path: &Path) -> BTreeMap<u64, Vec<Value>> {
    let mut found: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let result: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let parts = ["verdict", "passed", "judged", "error"].map(|key| result[key].clone());
        let failure = result["first_failure"]["test_case"].clone();
        found
            .entry(result["id"].as_u64().unwrap())
            .or_default()
            .push(json!([parts, failure]));
    }
    found
}

/// The child processes of a process, from the kernel's list.
fn children(pid: u32) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let numbers: Vec<i32> = lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect();
    numbers.into_iter().filter_map(Pid::from_raw).collect()
}

fn resuming(workspace: &Workspace) -> Command {
    let mut command = workspace.command([
        "grade",
        "requests.jsonl",
        "--resume",
        "results.jsonl",
        "-j",
        "2",
    ]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Kills the process, or one of its workers, after `more` further results.
fn kill_after(mut child: Child, results: &Path, more: u64, turn: usize) {
    let size = || fs::metadata(results).map_or(0, |metadata| metadata.len());
    let from = size();
    while size() < from + more {
        if child.try_wait().unwrap().is_some() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let worker = children(child.id()).into_iter().nth(turn % 3);
    match worker.filter(|_| turn % 2 == 1) {
        Some(worker) => {
            let _ = kill_process(worker, Signal::KILL);
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            // The last worker may be idle, and then its end has no effect.
            assert!(
                matches!(output.status.code(), Some(0 | 4)),
                "{:?}: {stderr}",
                output.status
            );
            if output.status.code() == Some(4) {
                assert!(stderr.contains(" without a result: `"), "{stderr}");
            }
        }
        None => {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// Kills a stream `kills` times, and compares its results with those of an undisturbed one.
fn killed(requests: usize, kills: usize) {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let stream = stream(requests);
    workspace.write("requests.jsonl", lines(&stream));
    workspace
        .judge(["grade", "requests.jsonl", "--output", "whole.jsonl"])
        .exits(0);
    let whole = stable_results(&workspace.path("whole.jsonl"));
    assert_eq!(whole.len(), requests);
    let results = workspace.path("results.jsonl");
    for turn in 0..kills {
        // Any place is suitable; these differ in each round.
        let more = 1 + (turn as u64 * 7919) % (150 * requests as u64 / kills as u64);
        kill_after(resuming(&workspace).spawn().unwrap(), &results, more, turn);
    }
    assert_eq!(resuming(&workspace).status().unwrap().code(), Some(0));
    assert_eq!(stable_results(&results), whole);
}

#[test]
fn killed_streams_resume_with_one_result_per_request() {
    killed(60, 4);
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn repeated_kills_neither_lose_nor_repeat_results() {
    killed(600, 24);
}

#[test]
fn host_faults_name_unanswered_requests() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    // The programs are slow, so that few have results before the directory is removed.
    let slow = |id: Value, remark: &str| {
        let source = bash(&format!("sleep 0.5 # {remark}"));
        json!({"id": id, "problem": "sum", "language": "bash", "source": source, "tests": ["sample"]})
    };
    let mut requests = vec![
        slow("first".into(), "first"),
        slow("same as the first".into(), "first"),
    ];
    requests.extend((0..30).map(|id| slow(id.into(), &id.to_string())));
    workspace.write("requests.jsonl", lines(&requests));
    let mut command = workspace.command(["grade", "requests.jsonl", "-j", "1"]);
    let directory = workspace.path("temporary");
    fs::create_dir(&directory).unwrap();
    let mut child = command
        .env("TMPDIR", &directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    while !first.contains("\"id\":\"first\"") {
        assert_ne!(stdout.read_line(&mut first).unwrap(), 0, "{first}");
    }
    // There is no directory for programs of requests any more. The program may still create files
    // in it, so that one attempt does not always empty it.
    while directory.exists() {
        let _ = fs::remove_dir_all(&directory);
    }
    let _ = stdout.lines().count();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains(" without a result: `"), "{stderr}");
    assert!(
        stderr.contains("`17`, `18`") && stderr.contains(" more\nhint: "),
        "{stderr}"
    );
    assert!(
        stderr.contains("hint: `--resume FILE` continues a file of results"),
        "{stderr}"
    );
}
