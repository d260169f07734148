//! `judge report`, and `--report`: reports of stored runs, and the files for CI systems.

use std::fs;
use std::process::Stdio;

use judge_event::Event;

use crate::workspace::{CommandOutput, SUM_PLUS_ONE, Workspace, parse};

const KINDS: [&str; 7] = [
    "junit", "markdown", "github", "gitlab", "sarif", "html", "short",
];

/// The problem `sum` with expected and unexpected results: exit code 1.
fn workspace() -> Option<Workspace> {
    let workspace = Workspace::with_sum()?;
    workspace.write("solutions/sum/wrong_answer/more.c", SUM_PLUS_ONE);
    workspace.write("solutions/sum/accepted/more.c", SUM_PLUS_ONE);
    workspace.write(
        "solutions/sum/accepted/none.c",
        "int main(void) { return 3 }\n",
    );
    workspace.write(
        "problems/sum/input_validators/validate.c",
        "int main(void) { return 42; }\n",
    );
    let made = r#"{"from":"generate gen.py 1","files":{".in":{"bytes":4,"sha256":"0"}}}"#;
    workspace.write(
        "problems/sum/generators/lock.json",
        format!(r#"{{"version":1,"test_cases":{{"sample/1":{made}}}}}"#),
    );
    Some(workspace)
}

fn report_options(directory: &str) -> Vec<String> {
    KINDS
        .iter()
        .flat_map(|kind| ["--report".to_owned(), format!("{kind}={directory}/{kind}")])
        .collect()
}

fn args<'a>(first: &[&'a str], rest: &'a [String]) -> Vec<&'a str> {
    first
        .iter()
        .copied()
        .chain(rest.iter().map(String::as_str))
        .collect()
}

/// Runs the command with every report, and reports the stored stream again: the reports must be
/// equal.
#[track_caller]
fn stored_reports_equal_live_ones(
    workspace: &Workspace,
    command: &[&str],
    options: &[&str],
    code: i32,
) {
    for directory in ["live", "again"] {
        fs::create_dir_all(workspace.path(directory)).unwrap();
    }
    let (to_live, to_again) = (report_options("live"), report_options("again"));
    // Colours are forced for long output, so that they are compared too.
    let judge = |words: Vec<&str>| {
        let force = if options.contains(&"-vv") { "1" } else { "" };
        CommandOutput::from_command(workspace.command(words).env("CLICOLOR_FORCE", force))
            .exits(code)
    };
    let first: Vec<&str> = command
        .iter()
        .chain(options)
        .copied()
        .chain(["--report=json=run.jsonl"])
        .collect();
    let live = judge(args(&first, &to_live));
    let first: Vec<&str> = ["report", "run.jsonl"]
        .iter()
        .chain(options)
        .copied()
        .collect();
    let again = judge(args(&first, &to_again));
    assert_eq!(again.stdout, live.stdout);
    assert!(!live.stdout.is_empty() || options.contains(&"-q"));
    for kind in KINDS {
        let read =
            |directory: &str| fs::read_to_string(workspace.path(directory).join(kind)).unwrap();
        assert_eq!(read("again"), read("live"), "{kind}");
    }
    if command[0] == "run" {
        let page = fs::read_to_string(workspace.path("live/html")).unwrap();
        assert!(
            page.contains(r#""from":["input made by","gen.py 1"]"#),
            "the page shows the origin of an input"
        );
    }
}

#[test]
fn stored_runs_are_reported_like_live_ones() {
    let Some(workspace) = workspace() else { return };
    for options in [&[][..], &["-q"], &["-v"], &["-vv"]] {
        stored_reports_equal_live_ones(&workspace, &["run"], options, 1);
    }
    // The validator accepts everything, which is a finding.
    stored_reports_equal_live_ones(&workspace, &["verify"], &["-v"], 3);
    stored_reports_equal_live_ones(&workspace, &["check", "--static"], &[], 3);
    stored_reports_equal_live_ones(&workspace, &["check", "--data"], &["-v"], 0);
    for options in [&[][..], &["-q"], &["-vv"]] {
        stored_reports_equal_live_ones(&workspace, &["run", "--matrix"], options, 1);
    }
    stored_reports_equal_live_ones(
        &workspace,
        &["submit", "-p", "sum", "solutions/sum/accepted/more.c"],
        &[],
        1,
    );
}

#[test]
fn reports_are_complete_and_leave_no_temporary_files() {
    let Some(workspace) = workspace() else { return };
    fs::create_dir(workspace.path("out")).unwrap();
    workspace
        .judge([
            "run",
            "--report",
            "junit=out/j.xml",
            "--report",
            "junit=out/k.xml",
        ])
        .exits(1);
    let mut files: Vec<_> = fs::read_dir(workspace.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files, ["j.xml", "k.xml"]);
    let text = fs::read_to_string(workspace.path("out/j.xml")).unwrap();
    assert!(
        text.contains(
            "<testsuite name=\"sum/wrong_answer/more.c\" tests=\"3\" failures=\"0\" errors=\"0\""
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "<testsuite name=\"sum/accepted/more.c\" tests=\"3\" failures=\"2\" errors=\"0\""
        ),
        "{text}"
    );
}

/// This is reported before anything runs, and not after an hour of judging.
#[test]
fn unwritable_places_are_reported_first() {
    let Some(workspace) = workspace() else { return };
    let output = workspace
        .judge(["run", "--report", "junit=nowhere/j.xml"])
        .exits(4);
    output.stderr_has(&["cannot write", "nowhere/j.xml"]);
    assert_eq!(output.stdout, "");
    let twice = workspace
        .judge(["run", "--report", "junit=x", "--report", "sarif=x"])
        .exits(2);
    twice.stderr_has(&["x`; expected a file for each"]);
}

#[test]
fn reports_on_standard_output_are_alone_there() {
    let Some(workspace) = workspace() else { return };
    let junit = workspace.judge(["run", "--report", "junit=-"]).exits(1);
    assert!(
        junit.stdout.starts_with("<?xml") && junit.stdout.ends_with("</testsuites>\n"),
        "{}",
        junit.stdout
    );
    let github = workspace.judge(["run", "--report", "github=-"]).exits(1);
    github.stdout_has(&[
        "1 problem",
        "::error file=solutions/sum/accepted/more.c,line=1,title=judge%3A expectation-violated::",
    ]);
    let both = workspace
        .judge(["run", "--report=json", "--report", "sarif=-"])
        .exits(2);
    both.stderr_has(&[
        "standard output has room for one of `--report json` and `--report sarif`",
        "hint:",
    ]);
}

#[test]
fn the_workspace_may_ask_for_reports() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "judge.yaml",
        "problems: [problems]\nreport: {junit: judge.xml, markdown: [a.md]}\n",
    );
    fs::create_dir_all(workspace.path("problems/sum")).unwrap();
    let mut command = workspace.command(["-C", "problems/sum", "run"]);
    CommandOutput::from_command(&mut command).exits(1);
    assert!(
        fs::read_to_string(workspace.path("judge.xml"))
            .unwrap()
            .starts_with("<?xml")
    );
    assert!(
        fs::read_to_string(workspace.path("a.md"))
            .unwrap()
            .starts_with("### ❌ judge\n")
    );
    fs::remove_file(workspace.path("a.md")).unwrap();
    workspace
        .judge(["submit", "-p", "sum", "solutions/sum/accepted/sum.c"])
        .exits(0);
    assert!(
        !workspace.path("a.md").exists(),
        "one submission says nothing about the workspace"
    );
}

#[test]
fn ci_systems_get_their_reports() {
    let Some(workspace) = workspace() else { return };
    workspace.write("summary", "before\n");
    let mut github = workspace.command(["run", "--report=ci"]);
    github
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", workspace.path("summary"));
    let output = CommandOutput::from_command(&mut github).exits(1);
    let lines: Vec<&str> = output.stdout.lines().collect();
    let word = lines[0].strip_prefix("::stop-commands::").unwrap();
    let resumed = lines
        .iter()
        .position(|line| *line == format!("::{word}::"))
        .unwrap();
    assert!(
        lines[resumed + 1..]
            .iter()
            .all(|line| line.starts_with("::error "))
            && resumed + 1 < lines.len()
    );
    let summary = fs::read_to_string(workspace.path("summary")).unwrap();
    assert!(summary.starts_with("before\n### ❌ judge\n"), "{summary}");

    let mut gitlab = workspace.command(["run", "--report=ci"]);
    CommandOutput::from_command(gitlab.env("GITLAB_CI", "true").env("CI", "true")).exits(1);
    assert!(
        workspace.path("judge-junit.xml").exists()
            && workspace.path("gl-code-quality-report.json").exists()
    );

    let output = workspace.judge(["run", "--report=ci"]).exits(1);
    output.stderr_has(&["note: `--report ci` has no effect"]);
}

#[test]
fn invalid_event_files_are_refused() {
    let workspace = Workspace::new();
    let started = r#"{"event":"check_started","schema":1,"judge_version":"9","profile":"default","packages":0}"#;
    let finished = r#"{"event":"check_finished","end":"completed","wall_time_us":1}"#;
    let cases = [
        (String::new(), "expected an event stream"),
        (
            "hello\n".to_owned(),
            "found no event in line 1: expected value at column 1",
        ),
        (format!("{finished}\n"), "found another event"),
        (
            format!("{started}\n{{\"event\":\"fin\n"),
            "line 2 of the event stream is not an event",
        ),
        (
            format!("{started}\n{{\"event\":\"fin"),
            "the file ends in the middle of a line",
        ),
        (
            format!("{started}\n{finished}\n{started}\n"),
            "found those of several",
        ),
        (
            format!("{}\n", started.replace("\"schema\":1", "\"schema\":2")),
            "its schema is 2",
        ),
    ];
    for (text, words) in cases {
        workspace.write("run.jsonl", text);
        workspace
            .judge(["report", "run.jsonl"])
            .exits(2)
            .stderr_has(&["`run.jsonl`: ", words]);
    }
    workspace
        .judge(["report", "gone.jsonl"])
        .exits(2)
        .stderr_has(&["`gone.jsonl`: cannot read it"]);
    // An event of a later version is ignored, and an incomplete stream is not a success.
    workspace.write(
        "run.jsonl",
        format!("{started}\n{{\"event\":\"coffee_made\",\"cups\":2}}\n{finished}\n"),
    );
    workspace
        .judge(["report", "run.jsonl"])
        .exits(0)
        .stdout_has(&["0 packages checked"]);
    workspace.write("run.jsonl", format!("{started}\n"));
    workspace.judge(["report", "run.jsonl"]).exits(4);
}

#[test]
fn streams_may_be_pipes_and_readers_may_disappear() {
    let Some(workspace) = workspace() else { return };
    let run = workspace.judge(["run", "--report=json"]).exits(1);
    assert!(
        matches!(parse(&run.stdout).first(), Some(Event::RunStarted(started)) if started.host.is_some())
    );
    workspace.write("run.jsonl", &run.stdout);
    let file = fs::File::open(workspace.path("run.jsonl")).unwrap();
    let output =
        CommandOutput::from_command(workspace.command(["report", "-"]).stdin(file)).exits(1);
    output.stdout_has(&["sum  The Problem sum", "accepted/more.c", "accepted/sum.c"]);
    for options in [
        &["report", "run.jsonl"][..],
        &["report", "run.jsonl", "--report", "junit=-"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = workspace
            .command(options)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = CommandOutput::from_child(child);
        assert_eq!((output.code, output.stderr.as_str()), (Some(141), ""));
    }
}

#[test]
fn a_report_is_never_written_over_its_source() {
    let Some(workspace) = workspace() else { return };
    let stream = workspace.judge(["run", "--report=json"]).exits(1).stdout;
    workspace.write("run.jsonl", &stream);
    std::os::unix::fs::symlink("run.jsonl", workspace.path("link")).unwrap();
    fs::hard_link(workspace.path("run.jsonl"), workspace.path("hard")).unwrap();
    for name in ["run.jsonl", "link", "hard", "./run.jsonl"] {
        let result = workspace
            .judge(["report", "run.jsonl", "--report", &format!("html={name}")])
            .exits(2);
        result.stderr_has(&["is an input of this report", "hint: name another file"]);
        assert_eq!(
            fs::read_to_string(workspace.path("run.jsonl")).unwrap(),
            stream
        );
    }
    workspace
        .judge(["report", "run.jsonl", "--report", "html=page.html"])
        .exits(1);
}

#[test]
fn special_files_and_endless_lines_are_refused_immediately() {
    let Some(workspace) = workspace() else { return };
    fs::File::create(workspace.path("holes.jsonl"))
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        workspace.path("pipe"),
        rustix::fs::Mode::RUSR,
    )
    .unwrap();
    workspace
        .judge(["report", "holes.jsonl"])
        .exits(2)
        .stderr_has(&["line 1 is longer than 134217728 bytes"]);
    workspace
        .judge(["report", "."])
        .exits(2)
        .stderr_has(&["holes.jsonl`: line 1 is longer than 134217728 bytes"]);
    for name in ["pipe", "/dev/zero"] {
        workspace
            .judge(["report", name])
            .exits(2)
            .stderr_has(&["not a regular file"]);
    }
    let zeros = fs::File::open("/dev/zero").unwrap();
    let result =
        CommandOutput::from_command(workspace.command(["report", "-"]).stdin(zeros)).exits(2);
    result.stderr_has(&["`-`: cannot read it: line 1 is longer than"]);
}

#[test]
fn oversized_reports_are_errors_and_leave_no_files() {
    let Some(workspace) = workspace() else { return };
    workspace.write(
        "run.jsonl",
        workspace.judge(["run", "--report=json"]).exits(1).stdout,
    );
    let judge = workspace.command(["report", "run.jsonl", "--report", "html=page.html"]);
    let mut limited = workspace.command_of(
        std::path::Path::new("/bin/sh"),
        ["-c", "ulimit -f 1; exec \"$@\"", "sh"],
    );
    let result =
        CommandOutput::from_command(limited.arg(judge.get_program()).args(judge.get_args()))
            .exits(4);
    result.stderr_has(&["cannot write", "page.html"]);
    let left = fs::read_dir(workspace.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert!(
        left.into_iter()
            .all(|name| !name.to_string_lossy().contains("page.html"))
    );
}
