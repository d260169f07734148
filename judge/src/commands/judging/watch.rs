//! `judge run --watch` and `judge submit --watch`: judges, and judges again what a saved file affects.
//!
//! Responsible for what a change affects, and for going on whatever is wrong with the files. Must not know how anything is
//! judged or told.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_model::Submission;
use judge_runner::{Interrupts, Plan, PlannedProblem};
use judge_sandbox::CancelToken;

use crate::args::{Global, RunArgs, SubmitArgs, Words};
use crate::commands::judging::run::{Selected, judge_plan, plan_of, select_changed, select_packages};
use crate::commands::judging::submit::{self, meant};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::reporters::{note, tell_failure, write_stdout};
use crate::watch::Watch;

/// Clears the screen and leaves what was scrolled away (ECMA-48: ED, CUP).
const CLEAR: &str = "\x1b[2J\x1b[H";

/// The line that stands there while nothing is left to be judged.
const WAITING: &str = "waiting for files to change; Ctrl-C ends";

/// A command that is carried out again and again.
pub(crate) trait Watched {
    /// The words that say where the workspace is.
    fn words(&self) -> Words<'_>;

    /// Watches everything that it depends on.
    fn watch(&self, config: &Config) -> Result<Watch, Failure>;

    /// Judges what a change affects, or everything the first time; `None` when it affects nothing.
    fn judge(&self, config: &Config, changed: Option<&BTreeSet<PathBuf>>) -> Result<Option<ExitCode>, Failure>;
}

impl Watched for RunArgs {
    fn words(&self) -> Words<'_> {
        self.words()
    }

    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        watch(config, &self.changes.selection.what)
    }

    fn judge(&self, config: &Config, changed: Option<&BTreeSet<PathBuf>>) -> Result<Option<ExitCode>, Failure> {
        judge_changed(config, self, changed)
    }
}

impl Watched for SubmitArgs {
    fn words(&self) -> Words<'_> {
        self.words()
    }

    fn watch(&self, config: &Config) -> Result<Watch, Failure> {
        let (file, package) = meant(config, self)?;
        let files = config.workspace.file.clone().into_iter();
        match file.is_dir() {
            true => Ok(Watch::new(&[package, file], &files.collect::<Vec<_>>())),
            false => Ok(Watch::new(&[package], &files.chain([file]).collect::<Vec<_>>())),
        }
    }

    fn judge(&self, config: &Config, changed: Option<&BTreeSet<PathBuf>>) -> Result<Option<ExitCode>, Failure> {
        if let Some(changed) = changed {
            // Other submissions of the package are none of its affairs.
            let (file, package) = meant(config, self)?;
            let submissions = package.join("submissions");
            if changed.iter().all(|path| path.starts_with(&submissions) && !path.starts_with(&file)) {
                return Ok(None);
            }
            tell_changed(config, changed)?;
        }
        submit::carry_out(config, self).map(Some)
    }
}

/// Ends when it is interrupted: while it judges with the code for that, while it waits with the code of the last run.
pub(crate) fn carry_out(global: &Global, args: &impl Watched) -> Result<ExitCode, Failure> {
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let (mut config, mut watched) = look(global, args)?;
    if let Some(why) = watched.why_looked() {
        note(&format!("the files are looked at twice a second, because {why}"));
    }
    let here = config.directory.clone();
    // The first time everything is judged.
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    let mut code = ExitCode::AsExpected;
    loop {
        match args.judge(&config, changed.as_ref()) {
            Ok(None) => {}
            Ok(Some(ExitCode::Interrupted)) => return Ok(ExitCode::Interrupted),
            Ok(Some(done)) => {
                code = done;
                note(WAITING);
            }
            Err(failure) => code = printed(failure)?,
        }
        let failed = |source| Failure::Directory { path: here.clone(), source };
        let mut pending = BTreeSet::new();
        let mut is_heard = false;
        while !is_heard {
            let Some(paths) = watched.changed(|| !cancel.is_cancelled()).map_err(failed)? else { return Ok(code) };
            pending.extend(paths);
            match look(global, args) {
                Ok(found) => {
                    // Watched before it is judged, and what changed until then is heard too.
                    let before = std::mem::replace(&mut watched, found.1);
                    pending.extend(before.meanwhile().map_err(failed)?);
                    config = found.0;
                    is_heard = true;
                }
                Err(failure) => code = printed(failure)?,
            }
        }
        let everything = config.workspace.file.as_ref().is_some_and(|file| pending.contains(file));
        changed = (!everything).then_some(pending);
    }
}

/// The workspace as it is now, and the files to watch.
fn look(global: &Global, args: &impl Watched) -> Result<(Config, Watch), Failure> {
    let config = Config::new(global, &args.words(), None)?;
    let watched = args.watch(&config)?;
    Ok((config, watched))
}

/// Tells a failure that the next change may mend; another one ends everything.
fn printed(failure: Failure) -> Result<ExitCode, Failure> {
    let code = failure.exit_code();
    if code == ExitCode::ReaderGone {
        return Err(failure);
    }
    tell_failure(&failure);
    note(WAITING);
    Ok(code)
}

/// Watches the packages that are named, their solutions, and the workspace's file.
fn watch(config: &Config, what: &[String]) -> Result<Watch, Failure> {
    let mut trees = Vec::new();
    let mut files: Vec<PathBuf> = config.workspace.file.clone().into_iter().collect();
    for package in select_packages(config, what)?.packages {
        trees.extend(config.workspace.solutions_of(&package.directory));
        // They may come to be.
        files.extend(package.directory.file_name().map(|name| config.workspace.solutions.join(name)));
        trees.push(package.directory);
    }
    Ok(Watch::new(&trees, &files))
}

/// Judges what a change affects; `None` when it affects nothing.
fn judge_changed(
    config: &Config,
    args: &RunArgs,
    changed: Option<&BTreeSet<PathBuf>>,
) -> Result<Option<ExitCode>, Failure> {
    let selection = match select_changed(config, &args.changes)? {
        Selected::Some(selection) => selection,
        Selected::Unchanged => return Ok(Some(ExitCode::AsExpected)),
    };
    let mut plan = plan_of(config, &selection, args.settings())?;
    if let Some(changed) = changed {
        narrow(&mut plan, changed);
        if plan.problems.is_empty() && plan.package_faults.is_empty() {
            return Ok(None);
        }
        tell_changed(config, changed)?;
    }
    judge_plan(config, args, plan).map(Some)
}

/// Begins a report of its own, with what changed.
fn tell_changed(config: &Config, changed: &BTreeSet<PathBuf>) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        write_stdout(CLEAR)?;
    }
    // Editors leave nothing of the files that they write beside; of what was removed nothing is left either.
    let there: Vec<String> = changed.iter().filter(|path| path.exists()).map(|path| config.shown(path)).collect();
    let told = if there.is_empty() { "something was removed".to_owned() } else { there.join(", ") };
    note(&format!("changed: {told}"));
    Ok(())
}

/// Leaves the problems that a change affects, and of one of which only submissions changed, these.
fn narrow(plan: &mut Plan, changed: &BTreeSet<PathBuf>) {
    plan.problems.retain_mut(|planned| {
        let touched: Vec<bool> = planned.problem.submissions.iter().map(|of| touches(of, changed)).collect();
        let of_submission = |path: &&PathBuf| planned.problem.submissions.iter().any(|of| is_of(of, path));
        let other = changed.iter().filter(|path| !of_submission(path));
        // A submission that went leaves nothing to judge.
        let whole = other.clone().any(|path| {
            path.starts_with(&planned.problem.directory)
                && !path.starts_with(planned.problem.directory.join("submissions"))
        });
        if !whole {
            keep_submissions(planned, &touched);
        }
        whole || touched.contains(&true)
    });
}

fn touches(submission: &Submission, changed: &BTreeSet<PathBuf>) -> bool {
    changed.iter().any(|path| is_of(submission, path))
}

/// True when a path is a submission, a part of it, or a directory around it.
fn is_of(submission: &Submission, path: &Path) -> bool {
    path.starts_with(&submission.path) || submission.path.starts_with(path)
}

fn keep_submissions(planned: &mut PlannedProblem, kept: &[bool]) {
    let mut flags = kept.iter();
    planned.submission_paths.retain(|_| flags.next() == Some(&true));
    let mut problem = (*planned.problem).clone();
    let mut flags = kept.iter();
    problem.submissions.retain(|_| flags.next() == Some(&true));
    planned.problem = Arc::new(problem);
}
