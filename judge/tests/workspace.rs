//! The fixture: a workspace in a temporary directory, runs of the `judge` binary in it, and their
//! output.
//!
//! Responsible for an environment that is the same on every host. Must not know the expectations of
//! tests.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{LazyLock, Once};
use std::thread;
use std::time::Duration;

use judge_event::{Event, RunState, TestCaseFinished, parse_line};
use judge_model::{IsolationLevel, Verdict};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::{NamedTempFile, TempDir};

/// Reads two numbers and prints their sum.
pub(crate) const SUM: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
/// Prints the sum plus one.
pub(crate) const SUM_PLUS_ONE: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b + 1); }\n";

const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

/// The maximum time of one run of `judge` on a busy machine. A run that hangs must not block the
/// tests.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The output of `judge doctor --report=json` on this host.
static DOCTOR: LazyLock<serde_json::Value> = LazyLock::new(|| {
    let output = Workspace::new().judge(["doctor", "--report=json"]);
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
});

/// Reports that something is not tested. Printed past the test harness, which hides the output of
/// passing tests.
pub(crate) fn skipped(what: &str, why: &str) {
    let test = thread::current().name().unwrap_or("?").to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {what}: {why}");
}

/// The strongest isolation level of this host.
pub(crate) fn strongest_level() -> Option<IsolationLevel> {
    serde_json::from_value(DOCTOR["isolation"]["level"].clone()).ok()
}

/// The isolation levels to test at: the strongest, and that of unprivileged users.
pub(crate) fn levels() -> Vec<IsolationLevel> {
    let mut levels: Vec<_> = strongest_level().into_iter().collect();
    if !levels.contains(&IsolationLevel::Namespaces) {
        levels.push(IsolationLevel::Namespaces);
    }
    levels
}

/// The tools of all languages, as `judge doctor` found them.
pub(crate) fn doctor_lines() -> &'static [serde_json::Value] {
    DOCTOR["toolchains"].as_array().unwrap()
}

/// True when this host has the tools of a language; if not, the skipped test is reported.
pub(crate) fn has(language: &str) -> bool {
    let of_language = |line: &&serde_json::Value| line["language"] == language;
    let lines: Vec<_> = doctor_lines().iter().filter(of_language).collect();
    assert!(
        !lines.is_empty(),
        "the language `{language}` is not in the table"
    );
    let problem = lines
        .iter()
        .find_map(|line| line["problem"].as_str())
        .filter(|problem| !problem.starts_with("not tried"));
    if let Some(problem) = problem {
        skipped(language, problem);
    }
    problem.is_none()
}

/// A workspace with nothing but `judge.yaml`, removed when it is dropped.
pub(crate) struct Workspace {
    directory: TempDir,
    /// The directory of results, separate for each command, so that every command judges.
    results: TempDir,
    commands: AtomicU64,
    has_facts: Once,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let workspace = Self {
            directory,
            results: tempfile::tempdir().unwrap(),
            commands: AtomicU64::new(0),
            has_facts: Once::new(),
        };
        workspace.write("judge.yaml", "problems: [problems]\n");
        fs::create_dir(workspace.path("problems")).unwrap();
        workspace
    }

    /// The same; `None`, reported as skipped, on a host that cannot judge programs or has no C
    /// compiler.
    pub(crate) fn isolated() -> Option<Self> {
        if strongest_level().is_none() {
            skipped(
                "everything",
                &format!("this host gives no isolation: {}", DOCTOR["attempts"]),
            );
            return None;
        }
        has("c").then(Self::new)
    }

    /// A workspace with the problem `sum` (a sample and two secret test cases) and one accepted
    /// submission.
    pub(crate) fn with_sum() -> Option<Self> {
        let workspace = Self::isolated()?;
        workspace.sum("sum");
        workspace.write("solutions/sum/accepted/sum.c", SUM);
        Some(workspace)
    }

    /// The root with links resolved, as in reports.
    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// Every file and link below a directory, including hidden ones, with its content.
    pub(crate) fn files(&self, below: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        self.files_below(&self.path(below))
    }

    /// The same for a directory that need not be the workspace's.
    pub(crate) fn files_below(&self, directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let (path, kind) = entry
                .map(|entry| (entry.path(), entry.file_type().unwrap()))
                .unwrap();
            if kind.is_dir() {
                found.extend(self.files_below(&path));
            } else if kind.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(path, target.into_os_string().into_encoded_bytes());
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
        found
    }

    /// A problem without test data; `more` are further lines of its `problem.yaml`.
    pub(crate) fn problem(&self, name: &str, more: &str) {
        let head =
            format!("problem_format_version: 2025-09\ntype: pass-fail\nname: The Problem {name}\n");
        let uuid = format!("uuid: 5c7d4b55-3c57-4d0e-8d4b-{:0>12}\n", name.len());
        self.write(
            &format!("problems/{name}/problem.yaml"),
            format!("{head}{uuid}license: public domain\n{more}"),
        );
    }

    /// The problem of adding two numbers, with a time limit that other tests do not come near.
    pub(crate) fn sum(&self, name: &str) {
        self.problem(name, "limits:\n  time_limit: 4\n  memory: 256\n");
        self.case(name, "sample/1", "1 2\n", "3\n");
        self.case(name, "secret/01", "2 3\n", "5\n");
        self.case(name, "secret/02-large", "1000 2000\n", "3000\n");
    }

    pub(crate) fn case(&self, problem: &str, id: &str, input: &str, answer: &str) {
        self.write(&format!("problems/{problem}/data/{id}.in"), input);
        self.write(&format!("problems/{problem}/data/{id}.ans"), answer);
    }

    /// The command, in this workspace and in a clean environment.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        self.command_of(Path::new(JUDGE), args)
    }

    /// The command with a directory of results that later commands share.
    pub(crate) fn command_keeping<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = self.command(args);
        command.env("JUDGE_RESULTS_DIR", self.results_dir());
        command
    }

    /// The shared directory of results, with the shared facts.
    pub(crate) fn results_dir(&self) -> PathBuf {
        let results = self.results.path().join("kept");
        self.has_facts.call_once(|| copy_facts(&results));
        results
    }

    /// The same for another program.
    pub(crate) fn command_of<S: AsRef<OsStr>>(
        &self,
        program: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Command {
        let number = self.commands.fetch_add(1, Ordering::Relaxed);
        let results = self.results.path().join(number.to_string());
        copy_facts(&results);
        let mut command = self.bare_command(program, args);
        command.env("JUDGE_RESULTS_DIR", results);
        command
    }

    /// The command in its environment, without a directory of results.
    fn bare_command<S: AsRef<OsStr>>(
        &self,
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(self.root())
            .stdin(Stdio::null())
            .env_clear();
        // Version managers find their tools by HOME and similar variables.
        for name in [
            "HOME",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
            "CARGO_HOME",
            "PYENV_ROOT",
            "TMPDIR",
        ] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("PATH", shims_last())
            .env("JUDGE_CACHE_DIR", cache_dir())
            .env("COLUMNS", "100")
            .env("LANG", "C.UTF-8");
        command
    }

    /// `judge doctor` on a host without compilers, for tests that are not about languages: trying
    /// all of them takes seconds.
    pub(crate) fn doctor_without_languages(&self) -> Command {
        let mut command = self.command(["doctor"]);
        command.env("PATH", self.path("problems"));
        command
    }

    /// Runs `judge` to its end.
    pub(crate) fn judge<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
    ) -> CommandOutput {
        CommandOutput::from_command(&mut self.command(args))
    }

    /// Runs `judge` for its event stream, which must be the whole standard output.
    pub(crate) fn events<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
    ) -> CommandOutput {
        let output = CommandOutput::from_command(self.command(args).arg("--report=json"));
        assert!(!output.events.is_empty(), "no events: {output:?}");
        output
    }
}

/// `PATH` with the shims of version managers at the end: they run a shell script whenever a program
/// starts.
pub(crate) fn shims_last() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let (shims, others): (Vec<_>, Vec<_>) =
        std::env::split_paths(&path).partition(|directory| directory.ends_with("shims"));
    std::env::join_paths(others.into_iter().chain(shims)).unwrap()
}

/// One cache for all tests, so that programs compile once and the cache is shared by many
/// processes, as in practice.
pub(crate) fn cache_dir() -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    std::env::temp_dir().join(format!("judge-end-to-end-{user}"))
}

/// The directory of the facts about this host and this program that commands share: the facts from
/// the first run, and the toolchains that later ones need. With a new directory of results, each
/// command would query the versions of compilers and hash a program of 150 MB, which takes longer
/// than judging a small problem.
static FACTS: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut directory = cache_dir().into_os_string();
    directory.push("-facts");
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.write("solutions/sum/accepted/sum.c", SUM);
    // A host without isolation or a C compiler has nothing to share.
    workspace
        .bare_command(JUDGE, ["run"])
        .env("JUDGE_RESULTS_DIR", &directory)
        .output()
        .unwrap();
    directory.into()
});

/// Copies the shared facts to a directory of results.
fn copy_facts(results: &Path) {
    for name in [
        "CACHEDIR.TAG",
        "files/judge",
        "host/isolation",
        "host/toolchains",
    ] {
        copy_fact(name, &FACTS, results);
    }
}

/// Copies a file of one directory of results to another, if it is there.
fn copy_fact(name: &str, from: &Path, to: &Path) {
    let (Ok(bytes), place) = (fs::read(from.join(name)), to.join(name)) else {
        return;
    };
    let directory = place.parent().unwrap();
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .unwrap();
    // Other tests may be reading it.
    let mut file = NamedTempFile::new_in(directory).unwrap();
    file.write_all(&bytes).unwrap();
    file.persist(place).unwrap();
}

impl Drop for Workspace {
    /// Shares the toolchains that the commands found.
    fn drop(&mut self) {
        const TOOLCHAINS: &str = "host/toolchains";
        let size = |results: &Path| {
            fs::metadata(results.join(TOOLCHAINS)).map_or(0, |metadata| metadata.len())
        };
        let commands = 0..self.commands.load(Ordering::Relaxed);
        let results = commands
            .map(|number| self.results.path().join(number.to_string()))
            .max_by_key(|path| size(path));
        if let Some(results) = results.filter(|results| size(results) > size(&FACTS)) {
            copy_fact(TOOLCHAINS, &results, &FACTS);
        }
    }
}

/// Makes a file executable.
pub(crate) fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The outcome of a run of `judge`.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    /// The exit code; `None` if a signal killed it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Standard output as events, when it is a stream of events.
    pub(crate) events: Vec<Event>,
}

impl CommandOutput {
    pub(crate) fn from_command(command: &mut Command) -> Self {
        Self::from_child(
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    }

    /// Waits for a child whose output is piped.
    pub(crate) fn from_child(child: Child) -> Self {
        let pid = Pid::from_child(&child);
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = receiver.recv_timeout(TIMEOUT) else {
            kill_process(pid, Signal::KILL).unwrap();
            panic!("no end within {TIMEOUT:?}");
        };
        Self::from_output(&output.unwrap())
    }

    fn from_output(output: &Output) -> Self {
        // Output for people and programs is valid text, for any output of submissions.
        let stdout = String::from_utf8(output.stdout.clone()).unwrap();
        let stderr = String::from_utf8(output.stderr.clone()).unwrap();
        let events = if stdout.starts_with("{\"event\"") {
            parse(&stdout)
        } else {
            Vec::new()
        };
        Self {
            code: output.status.code(),
            stdout,
            stderr,
            events,
        }
    }

    /// Asserts the exit code, and prints the whole output otherwise.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Asserts that standard output has these words in this order, with any text between them.
    #[track_caller]
    pub(crate) fn stdout_has(&self, words: &[&str]) -> &Self {
        find_in_order(&self.stdout, words);
        self
    }

    /// The same for standard error.
    #[track_caller]
    pub(crate) fn stderr_has(&self, words: &[&str]) -> &Self {
        find_in_order(&self.stderr, words);
        self
    }

    /// Asserts that standard error has only progress, which appears on a slow host.
    #[track_caller]
    pub(crate) fn stderr_has_only_progress(&self) -> &Self {
        let others: Vec<&str> = self
            .stderr
            .lines()
            .filter(|line| !line.contains(" elapsed"))
            .collect();
        assert!(others.is_empty(), "{others:?}");
        self
    }

    /// Asserts that standard output does not have these words.
    #[track_caller]
    pub(crate) fn stdout_lacks(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(!self.stdout.contains(word), "`{word}` in:\n{}", self.stdout);
        }
        self
    }

    pub(crate) fn test_cases(&self) -> impl Iterator<Item = &TestCaseFinished> {
        self.events.iter().filter_map(|event| match event {
            Event::TestCaseFinished(test_case) => Some(test_case),
            _ => None,
        })
    }

    /// The result of a submission on its last test case.
    #[track_caller]
    pub(crate) fn last_case(&self, submission: &str) -> &TestCaseFinished {
        let found = self
            .test_cases()
            .filter(|test_case| test_case.submission == submission)
            .last();
        found.unwrap_or_else(|| panic!("no test case of {submission} in:\n{}", self.stdout))
    }

    pub(crate) fn state(&self) -> RunState {
        let mut state = RunState::default();
        self.events.iter().for_each(|event| state.apply(event));
        state
    }

    /// Every submission with its verdict, `None` when it was skipped.
    pub(crate) fn verdicts(&self) -> Vec<(String, Option<Verdict>)> {
        let problems = self.state().problems;
        let submissions = problems.into_iter().flat_map(|problem| problem.submissions);
        submissions
            .map(|submission| {
                (
                    submission.started.submission,
                    submission.finished.map(|finished| finished.verdict),
                )
            })
            .collect()
    }

    /// The verdict of one submission.
    #[track_caller]
    pub(crate) fn verdict(&self, submission: &str) -> Verdict {
        let found = self.verdicts().into_iter().find(|(id, _)| id == submission);
        let (_, verdict) =
            found.unwrap_or_else(|| panic!("no submission {submission} in:\n{}", self.stdout));
        verdict.unwrap_or_else(|| panic!("{submission} has no verdict in:\n{}", self.stdout))
    }
}

/// Every line as an event; the first line that is not an event fails the test.
#[track_caller]
pub(crate) fn parse(text: &str) -> Vec<Event> {
    let events = (1..)
        .zip(text.lines())
        .map(|(number, line)| parse_line(line, number).unwrap());
    events.collect()
}

/// White space counts as one space: line breaks depend on the lengths of paths.
#[track_caller]
fn find_in_order(text: &str, words: &[&str]) {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = one_line(text);
    let mut from = 0;
    for word in words {
        match message[from..].find(&one_line(word)) {
            Some(place) => from += place + one_line(word).len(),
            None => panic!("no `{word}` after `{}` in:\n{text}", &message[..from]),
        }
    }
}
