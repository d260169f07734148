//! The commands that can be watched: the files that they depend on.
//!
//! Responsible for the effect of a change. Must not know how files are watched, nor how anything is
//! judged or reported.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::args::{CheckArgs, RunArgs, StatementArgs, SubmitArgs};
use crate::commands::check;
use crate::commands::judging::run::judge_plan;
use crate::commands::judging::selected_plan::plan_of;
use crate::commands::judging::submit::{self, file_and_package};
use crate::commands::selection::{select_changed, select_packages};
use crate::commands::statement;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;
use crate::reporters::write_stdout;
use crate::watch::Watch;

/// Clears the screen and keeps the scrollback (ECMA-48: ED, CUP).
const CLEAR: &str = "\x1b[2J\x1b[H";

/// The files that changed; `None` for everything, as in the first run.
pub(crate) type Changed<'a> = Option<&'a BTreeSet<PathBuf>>;

/// True for changes that supersede the present run.
pub(crate) type Supersedes = Box<dyn Fn(&BTreeSet<PathBuf>) -> bool + Send + Sync>;

/// A command that is run again after every save.
pub(crate) trait Watched {
    /// Watches everything that the command depends on.
    fn watch(&self, config: &Config) -> Result<Watch, Failure>;

    /// Returns the test for changes that supersede the present run. `None` when a run is always
    /// completed, because a change affects few of many submissions or problems.
    fn supersedes(&self, _: &Config) -> Option<Supersedes> {
        None
    }

    /// Judges what a change affects, or everything the first time; `None` when it affects
    /// nothing.
    fn judge(&self, config: &Config, changed: Changed<'_>) -> Result<Option<ExitCode>, Failure>;
}

impl Watched for RunArgs {
    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        watch_packages(config, &self.changes.selection.what)
    }

    fn judge(&self, config: &Config, changed: Changed<'_>) -> Result<Option<ExitCode>, Failure> {
        let Some(selection) = select_changed(config, &self.changes)? else {
            return Ok(Some(ExitCode::AsExpected));
        };
        let mut plan = plan_of(config, &selection, self.settings())?;
        if let Some(changed) = changed {
            // A removed file changes the whole report, so everything runs.
            if !changed.iter().any(|path| is_removed(path)) {
                plan.narrow(changed);
            }
            if plan.problems.is_empty() && plan.package_faults.is_empty() {
                return Ok(None);
            }
            print_changed(config, changed)?;
        }
        judge_plan(config, self, plan).map(Some)
    }
}

impl Watched for SubmitArgs {
    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        let (file, package) = file_and_package(config, self)?;
        let files = config.workspace.file.clone().into_iter();
        match file.is_dir() {
            true => Ok(Watch::new(&[package, file], &files.collect::<Vec<_>>())),
            false => Ok(Watch::new(
                &[package],
                &files.chain([file]).collect::<Vec<_>>(),
            )),
        }
    }

    fn supersedes(&self, config: &Config) -> Option<Supersedes> {
        let (file, package) = file_and_package(config, self).ok()?;
        Some(Box::new(move |changed| concerns(changed, &file, &package)))
    }

    fn judge(&self, config: &Config, changed: Changed<'_>) -> Result<Option<ExitCode>, Failure> {
        if let Some(changed) = changed {
            let (file, package) = file_and_package(config, self)?;
            if !concerns(changed, &file, &package) {
                return Ok(None);
            }
            print_changed(config, changed)?;
        }
        submit::run(config, self).map(Some)
    }
}

impl Watched for CheckArgs {
    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        watch_packages(config, &self.changes.selection.what)
    }

    fn judge(&self, config: &Config, changed: Changed<'_>) -> Result<Option<ExitCode>, Failure> {
        if let Some(changed) = changed {
            print_changed(config, changed)?;
        }
        check::check_changed(config, self, changed)
    }
}

impl Watched for StatementArgs {
    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        watch_packages(config, &self.selection.what)
    }

    fn judge(&self, config: &Config, changed: Changed<'_>) -> Result<Option<ExitCode>, Failure> {
        if let Some(changed) = changed {
            // A page that was just written into a package would be rendered again forever.
            let changed: BTreeSet<PathBuf> = changed
                .iter()
                .filter(|path| !statement::is_own_page(path))
                .cloned()
                .collect();
            if changed.is_empty() {
                return Ok(None);
            }
            print_changed(config, &changed)?;
        }
        statement::run(config, self).map(Some)
    }
}

/// True for changes that affect a submission: changes of other submissions of the package do not.
fn concerns(changed: &BTreeSet<PathBuf>, file: &Path, package: &Path) -> bool {
    let submissions = package.join("submissions");
    // The file itself may be one of the package's submissions.
    changed
        .iter()
        .any(|path| !path.starts_with(&submissions) || path.starts_with(file))
}

/// Watches the packages that are named, their solutions, and the workspace's file.
fn watch_packages(config: &Config, what: &[String]) -> Result<Watch, Failure> {
    let mut trees = Vec::new();
    let mut files: Vec<PathBuf> = config.workspace.file.clone().into_iter().collect();
    for package in select_packages(config, what)?.packages {
        trees.extend(config.workspace.solutions_of(&package.directory));
        // They may be created later.
        files.extend(
            package
                .directory
                .file_name()
                .map(|name| config.workspace.solutions.join(name)),
        );
        trees.push(package.directory);
    }
    Ok(Watch::new(&trees, &files))
}

/// Prints the changed files, at the beginning of a new report.
fn print_changed(config: &Config, changed: &BTreeSet<PathBuf>) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        write_stdout(CLEAR)?;
    }
    let names = |is_meant: &dyn Fn(&Path) -> bool| {
        let names: Vec<String> = changed
            .iter()
            .filter(|path| is_meant(path))
            .map(|path| config.shown(path))
            .collect();
        names.join(", ")
    };
    for (what, names) in [
        ("changed", names(&Path::exists)),
        ("removed", names(&is_removed)),
    ] {
        if !names.is_empty() {
            note(&format!("{what}: {names}"));
        }
    }
    Ok(())
}

/// True for a removed file, except for temporary files of editors, which seldom have an extension.
fn is_removed(path: &Path) -> bool {
    path.extension().is_some() && !path.exists()
}
