//! `judge grade`: files of results and of reports.

use std::fs;

use rustix::fs::{CWD, FlockOperation, Mode, fcntl_lock, mkfifoat};
use serde_json::json;

use crate::grade::{grade, inline, lines};
use crate::workspace::{SUM, SUM_PLUS_ONE, Workspace};

/// A pipe or a device has no results to continue, and two commands must not continue one file.
#[test]
fn only_regular_files_that_nobody_writes_are_resumed() {
    let workspace = Workspace::new();
    workspace.write("requests.jsonl", "{}\n");
    let resume = |file: &str| {
        workspace
            .judge(["grade", "requests.jsonl", "--resume", file])
            .exits(2)
    };
    mkfifoat(CWD, workspace.path("pipe"), Mode::from_raw_mode(0o600)).unwrap();
    for file in ["pipe", "/dev/null", "/dev/full"] {
        let message = format!("error: cannot resume `{file}`: not a regular file");
        resume(file).stderr_has(&[&message]);
    }
    let unfinished = "{\"line\": 1}\n{\"li";
    workspace.write("results.jsonl", unfinished);
    let file = fs::File::options()
        .append(true)
        .open(workspace.path("results.jsonl"))
        .unwrap();
    fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive).unwrap();
    resume("results.jsonl").stderr_has(&["another `judge grade` is writing to it"]);
    // The other command may still be writing the last line.
    let text = |file: &str| fs::read_to_string(workspace.path(file)).unwrap();
    assert_eq!(text("results.jsonl"), unfinished);
    // A file that was never one of results has no incomplete result to remove.
    workspace.write("mine.c", "int main(void) {}");
    resume("mine.c").stderr_has(&["cannot resume `mine.c`: line 1 is not a result"]);
    assert_eq!(text("mine.c"), "int main(void) {}");
    // A report must not replace the requests or the results.
    for args in [
        [
            "--resume",
            "results.jsonl",
            "--report",
            "junit=results.jsonl",
        ],
        ["--output", "new.jsonl", "--report", "junit=./new.jsonl"],
        ["--output", "new.jsonl", "--report", "junit=requests.jsonl"],
    ] {
        workspace
            .judge([&["grade", "requests.jsonl"][..], &args].concat())
            .exits(2)
            .stderr_has(&["name another file"]);
    }
    assert_eq!(text("results.jsonl"), unfinished);
    assert!(!workspace.path("new.jsonl").exists());
}

#[test]
fn reports_match_those_of_runs() {
    let Some(workspace) = Workspace::with_sum() else {
        return;
    };
    let requests = [
        json!({"id": "right", "problem": "sum", "language": "c", "source": SUM}),
        json!({"id": "wrong & more", "problem": "sum", "language": "c", "source": SUM_PLUS_ONE}),
        json!({"id": "broken", "problem": inline(&[("", "")]), "language": "c", "source": "int main(void) {"}),
        json!({"id": "no such", "problem": "nope", "language": "c", "source": SUM}),
        json!({"problem": {"tests": [{"input": "1 2", "output": "3"}], "limits": {"time_limit": 7}},
            "language": "c", "source": SUM}),
        json!({"id": "unreadable"}),
    ];
    let args = [
        "--ordered",
        "--report",
        "junit=a.xml",
        "--report",
        "markdown=a.md",
        "--report",
        "html=a.html",
    ];
    let (found, _) = grade(&workspace, &lines(&requests), &args, 2);
    assert_eq!(found.len(), 6);
    let text = |file: &str| fs::read_to_string(workspace.path(file)).unwrap();
    let junit = text("a.xml");
    assert!(
        junit.contains("tests=\"6\" failures=\"2\" errors=\"2\""),
        "{junit}"
    );
    for word in [
        "<testsuite name=\"inline 1/broken\"",
        "<testsuite name=\"inline 2/line 5\"",
        "<testsuite name=\"(invalid requests)/unreadable\"",
        "<error message=\"missing field `problem`",
        "wrong &amp; more",
        "WA on sample/1: expected 3: found 4",
        "error: expected declaration",
    ] {
        assert!(junit.contains(word), "no `{word}` in {junit}");
    }
    let (_, time) = junit.split_once("classname=\"sum/right\" time=\"").unwrap();
    let time: f64 = time.split('"').next().unwrap().parse().unwrap();
    let right = found.iter().find(|result| result["id"] == "right").unwrap();
    assert!(
        time > 0.0 && (time - right["time"].as_f64().unwrap()).abs() < 1e-5,
        "{junit}"
    );
    let markdown = text("a.md");
    let runs: u64 = found
        .iter()
        .filter_map(|result| result["judged"].as_u64())
        .sum();
    assert!(
        [" / 4 s |", " / 7 s |", "| ❌ | `no such` | error |"]
            .iter()
            .all(|words| markdown.contains(words))
            && markdown.contains(&format!(" 2 errors; {runs} test runs in ")),
        "{markdown}"
    );
    for (file, words) in [
        ("a.md", ["wrong & more", "broken"]),
        ("a.html", ["WA on sample/1", "no such"]),
    ] {
        let report = text(file);
        assert!(words.iter().all(|word| report.contains(word)), "{report}");
    }
    // Errors alone fail a report too.
    let requests = lines(&[requests[0].clone(), requests[3].clone()]);
    grade(&workspace, &requests, &["--report", "markdown=b.md"], 2);
    let markdown = text("b.md");
    assert!(markdown.starts_with("### ❌ judge"), "{markdown}");
    let output = workspace
        .judge(["grade", "requests.jsonl", "--report", "junit"])
        .exits(2);
    output.stderr_has(&[
        "`--report` and `grade` both write to standard output",
        "--report KIND=FILE",
    ]);
}
