//! The commands of README.md, of the tour, and of the site's first pages and tutorials, each run
//! unchanged, in order, in a copy of a part of this repository.
//!
//! The copy has one problem and a few of its solutions. Options with a small budget are appended to
//! slow commands.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::workspace::{CommandOutput, Workspace, has, shims_last, skipped};

/// Files of the repository, or directories, that the copy has.
const COPIED: [&str; 5] = [
    "judge.yaml",
    "problems/fiveup",
    "solutions/fiveup/accepted",
    "solutions/fiveup/wrong_answer/greedy_look_ahead.rs",
    "solutions/fiveup/wrong_answer/order_ignored.rs",
];

/// The first pages for every reader, whose commands run in order in one copy.
const FIRST_PAGES: [&str; 3] = [
    "README.md",
    "judge/docs/index.md",
    "judge/docs/tutorials/getting-started.md",
];
const TOUR: &str = "judge/docs/tutorials/tour.md";
/// The tutorials of the site, one for each kind of reader. The one for CI comes before the one that
/// writes a new problem.
const PATHS: [&str; 5] = [
    "judge/docs/tutorials/student.md",
    "judge/docs/tutorials/ci.md",
    "judge/docs/tutorials/comparer.md",
    "judge/docs/tutorials/setter.md",
    "judge/docs/tutorials/contributor.md",
];

/// The options that are appended to slow commands. In these tables the first matching entry counts.
const BUDGETS: [(&str, &str); 6] = [
    ("judge stress fiveup/accepted/", "--inputs 20 --seed 1"),
    ("judge stress", "--time 20 --seed 1"),
    ("judge compare", "--budget 0.3"),
    (
        "judge mutate fiveup --hunt",
        "--limit 3 --seed 1 --inputs 20",
    ),
    ("judge mutate", "--limit 3 --seed 1"),
    ("judge run --matrix", "-j 2"),
];

/// Exit codes of commands that may differ from 0, because they report a wrong program.
const CODES: [(&str, i32); 5] = [
    ("judge submit my/fiveup.rs --samples", 0),
    ("judge submit solutions/fiveup/accepted/", 0),
    ("judge submit", 1),
    ("judge stress fiveup/accepted/", 0),
    ("judge stress", 1),
];

/// Commands that are not run here, with the reason.
const LEFT_OUT: [(&str, &str); 7] = [
    ("cargo install", "builds the judge: ci/check does"),
    ("cargo build", "builds the judge: ci/check does"),
    ("cargo test", "it would start this test again"),
    (
        "target/debug/",
        "the program that is tested is somewhere else, and is run by its name",
    ),
    ("ci/check", "it would start this test again"),
    (
        "judge statement fiveup --pdf",
        "it needs LaTeX or a browser: the tests of that command say when neither is there",
    ),
    (
        "judge visualize",
        "the problem of the copy has no visualizer: the tests of that command have one",
    ),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines of all shell blocks of a page, without comments. Blocks may be in a list.
fn commands(page: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let blocks = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    let lines = blocks
        .flat_map(str::lines)
        .map(|line| line.split(" #").next().unwrap().trim());
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

fn entry<'a, T>(table: &'a [(&str, T)], line: &str) -> Option<&'a T> {
    table
        .iter()
        .find(|(start, _)| line.starts_with(start))
        .map(|(_, value)| value)
}

/// A part of this repository, under Git.
fn copy() -> Option<Workspace> {
    let workspace = Workspace::isolated().filter(|_| has("rust") && has("python3"))?;
    for name in COPIED {
        let from = repository().join(name);
        if from.is_file() {
            workspace.write(name, fs::read(&from).unwrap());
        }
        for (path, bytes) in workspace.files_below(&from) {
            let path = path
                .strip_prefix(repository())
                .unwrap()
                .display()
                .to_string();
            workspace.write(&path, bytes);
        }
    }
    let git = "git init -q -b main && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm one";
    let output =
        CommandOutput::from_command(&mut workspace.command_of(Path::new("bash"), ["-c", git]));
    if output.code != Some(0) {
        skipped(
            "the tour",
            &format!("git does not make a repository: {}", output.stderr),
        );
        return None;
    }
    Some(workspace)
}

/// The command for a shell, with this program in its `PATH`.
fn command_of(workspace: &Workspace, line: &str) -> Command {
    let mut command = workspace.command_of(Path::new("bash"), ["-c", line]);
    let programs = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let path = shims_last();
    let home = std::env::var("HOME").unwrap_or_default();
    command
        .env("PATH", format!("{}:{}", programs.display(), path.display()))
        .env("JUDGE_RESULTS_DIR", workspace.results_dir());
    // Files of the user go into the copy, while tools are found in their places.
    for (name, place) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        command.env(
            name,
            std::env::var(name).unwrap_or_else(|_| format!("{home}/{place}")),
        );
    }
    command.env("HOME", workspace.root());
    command
}

/// Runs a command that continues until Ctrl-C, and interrupts it as soon as it waits for changes.
fn run_until_it_waits(workspace: &Workspace, line: &str) -> CommandOutput {
    let mut command = command_of(workspace, &format!("exec {line}"));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The reader continues after the interrupt: a pipe without a reader would kill the program.
    let lines = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let pid = Pid::from_child(&child);
    let reader = thread::spawn(move || {
        for line in lines {
            if line.ends_with("Ctrl-C ends") {
                kill_process(pid, Signal::INT).unwrap();
            }
        }
    });
    let output = CommandOutput::from_child(child);
    reader.join().unwrap();
    output
}

/// Runs the commands of pages in one copy.
fn follow(pages: &[&str], min_commands: usize) -> Option<Workspace> {
    run_in_copy(pages.iter().flat_map(|page| commands(page)), min_commands)
}

/// Runs commands in one copy, each only once.
fn run_in_copy(
    commands: impl IntoIterator<Item = String>,
    min_commands: usize,
) -> Option<Workspace> {
    let mut lines: Vec<String> = Vec::new();
    for line in commands {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    assert!(
        lines
            .iter()
            .filter(|line| line.starts_with("judge "))
            .count()
            > min_commands,
        "{lines:#?}"
    );
    let workspace = copy()?;
    for line in lines.iter().filter(|line| entry(&LEFT_OUT, line).is_none()) {
        let command = format!("{line} {}", entry(&BUDGETS, line).unwrap_or(&""));
        let output = if line.ends_with("--watch") {
            run_until_it_waits(&workspace, line)
        } else {
            CommandOutput::from_command(&mut command_of(&workspace, &command))
        };
        assert_eq!(
            output.code,
            Some(*entry(&CODES, line).unwrap_or(&0)),
            "`{command}`: {output:#?}"
        );
    }
    Some(workspace)
}

#[test]
fn every_command_of_the_first_pages_runs() {
    let Some(workspace) = follow(&FIRST_PAGES, 10) else {
        return;
    };
    assert!(workspace.path("solutions/total").exists());
    for file in [
        "bash-completion/completions/judge",
        "man/man1/judge.1",
        "man/man1/judge-run.1",
    ] {
        assert!(
            fs::metadata(workspace.path(".local/share").join(file))
                .unwrap()
                .len()
                > 0,
            "{file}"
        );
    }
}

/// The commands of the tour that judge submissions and search for inputs, and the commands for
/// packages and reports. These are two parts, because each of them takes several seconds.
fn parts_of_tour() -> (Vec<String>, Vec<String>) {
    let mut judging = commands(TOUR);
    let first = judging.iter().position(|line| line == "judge check fiveup");
    let mut packages = judging.split_off(first.unwrap());
    // The report of this run is read in the second part.
    let run = judging.iter().find(|line| line.ends_with("json=run.jsonl"));
    packages.insert(0, run.unwrap().clone());
    (judging, packages)
}

#[test]
fn every_command_for_judging_in_the_tour_runs() {
    let Some(workspace) = run_in_copy(parts_of_tour().0, 12) else {
        return;
    };
    for file in ["my/fiveup.rs", "run.jsonl"] {
        assert!(workspace.path(file).exists(), "{file}");
    }
}

#[test]
fn every_command_for_packages_in_the_tour_runs() {
    let Some(workspace) = run_in_copy(parts_of_tour().1, 17) else {
        return;
    };
    for file in [
        "run.jsonl",
        "fiveup.html",
        "3.jsonl",
        "testlib.rs",
        "solutions/myproblem",
    ] {
        assert!(workspace.path(file).exists(), "{file}");
    }
}

#[test]
#[ignore = "takes long: `ci/check slow-tests`"]
fn every_command_of_the_paths_runs() {
    let Some(workspace) = follow(&PATHS, 25) else {
        return;
    };
    for file in [
        "run.html",
        "comment.md",
        "1.jsonl",
        "before.json",
        "compared.html",
        "path.html",
        "log",
    ] {
        assert!(workspace.path(file).exists(), "{file}");
    }
}

#[test]
fn the_tables_of_the_tour_name_existing_commands() {
    let lines: Vec<String> = FIRST_PAGES
        .iter()
        .chain([&TOUR])
        .chain(&PATHS)
        .flat_map(|page| commands(page))
        .collect();
    let starts = LEFT_OUT
        .iter()
        .chain(&BUDGETS)
        .map(|(start, _)| *start)
        .chain(CODES.iter().map(|(start, _)| *start));
    for start in starts {
        assert!(
            lines.iter().any(|line| line.starts_with(start)),
            "no page has a command `{start}` any more"
        );
    }
}
