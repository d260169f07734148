//! The configuration of a command: its directories, workspace, terminal and processors.
//!
//! Responsible for reading the environment, in one place. Must not run any command.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use judge_exec::is_installed;
use judge_files::LockedDirectory;
use judge_package::{CPYTHON, IgnoredFile, PYPY, Workspace, normal, with_pypy};
use judge_report::{Look, ProgressTarget, Terminal, TerminalSettings, Verbosity, View};
use judge_sandbox::CancelToken;

use crate::args::{Cli, Global, Words};
use crate::failure::Failure;
use crate::host;
use crate::messages::{columns_of, note, warning};

/// The surroundings of a command.
#[derive(Clone)]
pub(crate) struct Config {
    /// The directory that the command was started in, or that `-C` names. Absolute, links resolved.
    pub(crate) directory: PathBuf,
    /// The workspace around this directory, or around the named problems.
    pub(crate) workspace: Workspace,
    /// The settings of the terminal.
    pub(crate) terminal: TerminalSettings,
    /// True when progress may be drawn on standard error.
    pub(crate) progress: bool,
    /// Set when the results are obsolete: the run then ends as if it were interrupted.
    pub(crate) stop: Option<CancelToken>,
    /// A note on the interpreter that runs Python 3, if it is not the usual one or should be
    /// another one.
    pub(crate) python: RefCell<Option<String>>,
}

/// The number of processes and threads that a job usually needs, such as a compiler with its parts or
/// a virtual machine.
const PROCESSES_PER_JOB: u64 = 40;

impl Config {
    /// Reads the surroundings. A profile of the command line takes precedence over that of the
    /// workspace.
    ///
    /// # Errors
    /// When the directory or `judge.yaml` cannot be read, or words lead to several workspaces.
    pub(crate) fn new(cli: &Cli) -> Result<Self, Failure> {
        let Cli { command, global } = cli;
        host::check_directories()?;
        judge_sandbox::check_host()?;
        LockedDirectory::sweep_temporary();
        let here = global
            .directory
            .clone()
            .unwrap_or_else(|| PathBuf::from("."));
        let directory = here
            .canonicalize()
            .map_err(|source| Failure::Directory { path: here, source })?;
        let mut workspace = find_workspace(&directory, &command.words())?;
        workspace.check.profile = command.profile().or(workspace.check.profile);
        let python = choose_python(
            &mut workspace,
            &std::env::var_os("PATH").unwrap_or_default(),
        );
        let progress = std::io::stderr().is_terminal()
            && !is_dumb_terminal()
            && !is_set("CI")
            && !global.quiet;
        let (terminal, python) = (terminal_settings(global), RefCell::new(python));
        Ok(Self {
            terminal,
            directory,
            workspace,
            progress,
            stop: None,
            python,
        })
    }

    /// The place where progress is shown: a bar on a terminal, and occasional lines elsewhere.
    pub(crate) fn progress_target(&self) -> ProgressTarget {
        match self.terminal.verbosity {
            _ if self.progress => ProgressTarget::terminal(),
            Verbosity::Quiet => ProgressTarget::hidden(),
            _ => ProgressTarget::lines(Box::new(std::io::stderr())),
        }
    }

    /// A terminal of which only the progress is visible.
    pub(crate) fn progress_bar(&self) -> Terminal {
        Terminal::new(
            self.terminal,
            Box::new(std::io::sink()),
            self.progress_target(),
        )
    }

    /// Prints which `judge.yaml` is in use (with `-v`), and whether one of another user is ignored
    /// (without `-q`): its settings, such as an isolation level, then have no effect.
    pub(crate) fn note_workspace(&self) {
        let verbosity = self.terminal.verbosity;
        for IgnoredFile { file, owner } in &self.workspace.ignored_files {
            match owner {
                Some(user) if verbosity >= Verbosity::Normal => note(&format!(
                    "`{}` is ignored: it belongs to the user {user}, who is neither you nor root\n\
                     hint: if you trust it, name its directory in JUDGE_SAFE_DIRECTORY",
                    file.display()
                )),
                None if verbosity >= Verbosity::Verbose => {
                    note(&format!(
                        "`{}` is ignored: it is in a package",
                        file.display()
                    ));
                }
                _ => {}
            }
        }
        if let Some(file) = &self.workspace.misnamed_file
            && verbosity >= Verbosity::Normal
        {
            warning(&format!(
                "`{}` is ignored: rename it to `judge.yaml`",
                file.display()
            ));
        }
        if verbosity >= Verbosity::Verbose {
            match &self.workspace.file {
                Some(file) => note(&format!("the workspace is defined by `{}`", file.display())),
                None => note(&format!(
                    "no `judge.yaml`: the workspace is `{}`",
                    self.workspace.root.display()
                )),
            }
        }
    }

    /// A path as it is printed: relative to the workspace if it is in it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        self.workspace.shown(path)
    }

    /// The directory of the workspace within its repository: empty, or with a slash at its end.
    /// Readers of reports in a CI know files by their place in the repository.
    pub(crate) fn place_in_repository(&self) -> String {
        let root = &self.workspace.root;
        let repository = root
            .ancestors()
            .find(|directory| directory.join(".git").exists());
        let place = repository.and_then(|repository| root.strip_prefix(repository).ok());
        place
            .filter(|place| !place.as_os_str().is_empty())
            .map(|place| format!("{}/", place.display()))
            .unwrap_or_default()
    }

    /// The number of programs to run at a time, which `typed` overrides, and the processors for
    /// them. The number is at most what the control groups of this process permit.
    pub(crate) fn jobs_or(&self, typed: Option<usize>) -> (usize, Vec<usize>) {
        let cores = host::physical_cores();
        let configured = self.workspace.jobs.map(std::num::NonZero::get);
        // A host that permits too few for a single job refuses to run anything.
        let max = judge_sandbox::permitted_processes().map_or(usize::MAX, |permitted| {
            usize::try_from(permitted / PROCESSES_PER_JOB).unwrap_or(usize::MAX)
        });
        let jobs = typed.or(configured).unwrap_or(cores.len()).min(max).max(1);
        // More jobs than cores share them, and the kernel's scheduler distributes them better than
        // fixed places.
        (
            jobs,
            if jobs <= cores.len() {
                cores
            } else {
                Vec::new()
            },
        )
    }
}

/// True when colour is forced for every destination: by `CLICOLOR_FORCE`
/// (<https://bixense.com/clicolors>) or `FORCE_COLOR` (<https://force-color.org>), unless
/// `NO_COLOR` is set too.
pub(crate) fn color_is_forced() -> bool {
    let is_on = |variable| {
        std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
    };
    !is_set("NO_COLOR") && (is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR"))
}

/// True for a terminal without colour, and without a line that could be drawn again.
fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn terminal_settings(global: &Global) -> TerminalSettings {
    // Colour depends on standard output, where results go, and progress on standard error.
    let stdout = std::io::stdout();
    // https://no-color.org: any value that is not empty turns colour off.
    let color =
        color_is_forced() || stdout.is_terminal() && !is_set("NO_COLOR") && !is_dumb_terminal();
    // `COLUMNS` first: users and tests set it where the terminal cannot be asked.
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let width = columns
        .or_else(|| columns_of(&stdout))
        .unwrap_or(DEFAULT_WIDTH)
        .clamp(40, 160);
    TerminalSettings {
        look: Look {
            width,
            color,
            unicode: is_utf8_locale(),
        },
        view: View::Run,
        verbosity: match (global.quiet, global.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Verbose,
            (false, _) => Verbosity::Everything,
        },
    }
}

/// The width in columns if it is unknown: for a file, a pipe, or the log of a CI job.
const DEFAULT_WIDTH: usize = 120;

/// True when the locale's encoding is UTF-8 (locale(7): `LC_ALL` over `LC_CTYPE` over `LANG`); an
/// unset locale counts as UTF-8, because containers have none and their logs are read as UTF-8.
fn is_utf8_locale() -> bool {
    let value = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    value.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Finds the workspace of a command. The path of a problem elsewhere leads to the workspace around
/// that problem, with its solutions and settings. Paths of programs lead to a workspace only if the
/// directory itself has no `judge.yaml`: a program may lie anywhere.
fn find_workspace(directory: &Path, words: &Words<'_>) -> Result<Workspace, Failure> {
    let find =
        |place: &Path| Workspace::find(place).map_err(|errors| Failure::usage(&errors, place));
    let here = find(directory)?;
    let elsewhere = |word: &str| {
        let place = place(directory, word)
            .filter(|place| here.file.is_none() || !place.starts_with(&here.root));
        let found = place.map(|place| find(&place)).transpose()?;
        Ok::<_, Failure>(found.filter(|found| found.file.is_some() && found.root != here.root))
    };
    let mut found: Option<(&str, Workspace)> = None;
    let mut local_word: Option<&str> = None;
    for word in &words.what {
        match (elsewhere(word)?, &found) {
            (None, _) => local_word = Some(word),
            (Some(other), Some((first, one))) if other.root != one.root => {
                return Err(different_workspaces(first, word));
            }
            (Some(_), Some(_)) => {}
            (Some(other), None) => found = Some((word, other)),
        }
    }
    if let (Some((first, _)), Some(word)) = (&found, local_word) {
        return Err(different_workspaces(first, word));
    }
    if here.file.is_none() {
        for word in &words.programs {
            if let Some(other) = elsewhere(word)? {
                return Ok(other);
            }
        }
    }
    Ok(found.map_or(here, |(_, workspace)| workspace))
}

fn different_workspaces(one: &str, other: &str) -> Failure {
    Failure::Usage(format!(
        "`{one}` and `{other}` lie in different workspaces\nhint: run the command once for each workspace"
    ))
}

/// The existing part of the path that a word names, unless it is only a directory around the
/// current one.
fn place(directory: &Path, word: &str) -> Option<PathBuf> {
    let whole = normal(&directory.join(word)).ok()?;
    let existing = whole.ancestors().find(|place| place.exists())?;
    (existing == whole || !directory.starts_with(existing)).then(|| existing.to_owned())
}

/// Makes PyPy run Python 3 if the workspace chooses it, or if the target system of the packages
/// does and the host has PyPy. Returns a note about the choice.
fn choose_python(workspace: &mut Workspace, path: &OsString) -> Option<String> {
    let stated = workspace.python.as_ref().map(|id| id.0.as_str());
    let profile = workspace
        .check
        .profile
        .filter(|profile| profile.runs_pypy());
    let (requested, why) = match (stated, profile) {
        (Some(PYPY), _) => (true, "set in `judge.yaml`".to_owned()),
        (None, Some(profile)) => (
            false,
            format!("as for profile `{profile}`; `python: {CPYTHON}` in judge.yaml changes that"),
        ),
        _ => return None,
    };
    let found = workspace
        .languages
        .iter()
        .any(|row| row.id.0 == PYPY && is_installed(row, path));
    if requested || found {
        workspace.languages = with_pypy(&workspace.languages);
        return Some(format!("PyPy runs Python 3: {why}"));
    }
    let profile = profile?;
    Some(format!(
        "profile `{profile}` runs Python 3 with PyPy, but `pypy3` is not in PATH: CPython runs it, and times differ\n\
         hint: install PyPy, or set `python: {CPYTHON}` in judge.yaml"
    ))
}
