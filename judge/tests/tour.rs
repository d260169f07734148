//! The commands of README.md, each run as it stands there, one after another, in a copy of a part of this repository.
//!
//! The copy has one problem and a few of its solutions, and what would take long gets a small budget behind the line;
//! the whole of it is made by `ci/walkthrough tour`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::{Said, Workspace, has, skipped};

/// Files of the repository, or directories, that the copy has.
const COPIED: [&str; 5] = [
    "judge.yaml",
    "problems/fiveup",
    "solutions/fiveup/accepted",
    "solutions/fiveup/wrong_answer/greedy_look_ahead.rs",
    "solutions/fiveup/wrong_answer/order_ignored.rs",
];

/// The options that are put behind commands that would take long.
const BUDGETS: [(&str, &str); 5] = [
    ("judge stress", "--time 20 --seed 1"),
    ("judge compare", "--budget 1"),
    ("judge mutate fiveup --hunt", "--limit 3 --seed 1 --inputs 20"),
    ("judge mutate", "--limit 3 --seed 1"),
    ("judge matrix", "-j 2"),
];

/// Commands that do not end with 0: those that tell of a wrong program.
const CODES: [(&str, i32); 2] = [("judge submit", 1), ("judge stress", 1)];

/// Commands that are not run here, with the reason.
const LEFT_OUT: [(&str, &str); 5] = [
    ("cargo run --release -- run", "builds the judge, and judges all problems: ci/check does"),
    ("cargo test --workspace", "it would start this test again"),
    ("RUSTFLAGS=", "builds the judge for another C library"),
    ("cp target/", "a place that everybody has to name for themselves"),
    ("judge verify --strict --ci", "it is about a CI: `ci/walkthrough continuous`"),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines of all blocks for a shell, without what is said about them.
fn commands() -> Vec<String> {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    let lines: Vec<String> = blocks.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let without_comments = lines.iter().map(|line| line.split(" #").next().unwrap().trim_end().to_owned());
    without_comments.filter(|line| !line.is_empty()).collect()
}

fn of<'a, T>(table: &'a [(&str, T)], line: &str) -> Option<&'a T> {
    table.iter().find(|(start, _)| line.starts_with(start)).map(|(_, value)| value)
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
            let path = path.strip_prefix(repository()).unwrap().display().to_string();
            workspace.write(&path, bytes);
        }
    }
    let git = "git init -q -b main && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm one";
    let said = Said::of(&mut workspace.command_of(Path::new("bash"), ["-c", git]));
    if said.code != Some(0) {
        skipped("the tour", &format!("git does not make a repository: {}", said.stderr));
        return None;
    }
    Some(workspace)
}

fn run(workspace: &Workspace, line: &str) -> Said {
    let mut command = workspace.command_of(Path::new("bash"), ["-c", line]);
    let programs = Path::new(env!("CARGO_BIN_EXE_judge")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let home = std::env::var("HOME").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", programs.display())).env("JUDGE_RESULTS_DIR", workspace.results_dir());
    // Files for the user go into the copy, while tools are found where they are.
    for (name, place) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        command.env(name, std::env::var(name).unwrap_or_else(|_| format!("{home}/{place}")));
    }
    Said::of(command.env("HOME", workspace.root()))
}

#[test]
fn every_command_of_the_readme_runs_as_it_stands_there() {
    let lines = commands();
    assert!(lines.iter().filter(|line| line.starts_with("judge ")).count() > 30, "{lines:#?}");
    for (start, _) in LEFT_OUT.iter().chain(&BUDGETS) {
        assert!(lines.iter().any(|line| line.starts_with(start)), "`{start}` does not stand in README.md any more");
    }
    let Some(workspace) = copy() else { return };
    for line in lines.iter().filter(|line| of(&LEFT_OUT, line).is_none()) {
        let mut command = format!("{line} {}", of(&BUDGETS, line).unwrap_or(&""));
        if line.ends_with("--watch") {
            // It goes on until Ctrl-C, and ends then as what it judged last.
            command = format!("timeout --preserve-status -s INT 8 {line}");
        }
        let said = run(&workspace, &command);
        assert_eq!(said.code, Some(*of(&CODES, line).unwrap_or(&0)), "`{command}`: {said:#?}");
    }
    for file in ["my/fiveup.rs", "run.jsonl", "fiveup.html", "out", "library/testlib.rs", "solutions/myproblem"] {
        assert!(workspace.path(file).exists(), "{file}");
    }
    for file in ["bash-completion/completions/judge", "man/man1/judge.1", "man/man1/judge-run.1"] {
        assert!(fs::metadata(workspace.path(".local/share").join(file)).unwrap().len() > 0, "{file}");
    }
}
