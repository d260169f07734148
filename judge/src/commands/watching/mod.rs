//! `--watch`: judges, checks or renders, and repeats that for everything that a saved file affects.
//!
//! Responsible for continuing after errors in the files. Must not know which command is run again,
//! nor how anything is judged or reported.

mod watched;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use crate::args::Cli;
use crate::commands::watching::watched::Watched;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;
use crate::reporters::print_failure;
use crate::watch::Watch;

/// The line that is printed while nothing is left to run.
const WAITING: &str = "waiting for files to change; Ctrl-C ends";

/// Runs until it is interrupted. The exit code is that for an interrupt during a run, and otherwise
/// that of the last run.
pub(crate) fn run(cli: &Cli, args: &impl Watched) -> Result<ExitCode, Failure> {
    let cancel = CancelToken::new()?;
    let _interrupts = Interrupts::listen(cancel.clone())?;
    let (mut config, mut watched) = read_workspace(cli, args)?;
    if let Some(why) = watched.why_polled() {
        note(&format!(
            "the files are polled twice a second, because {why}"
        ));
    }
    let here = config.directory.clone();
    let failed = |source| Failure::Directory {
        path: here.clone(),
        source,
    };
    // `None` runs everything, as in the first run.
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    let mut code = ExitCode::AsExpected;
    loop {
        let WatchedRun {
            result,
            changed: mut pending,
        } = judge_until_superseded(args, &config, changed.as_ref(), &mut watched, &cancel)?;
        match result {
            Ok(None) => {}
            // Without a change, a signal ended the run. Only a superseded run is repeated.
            Ok(Some(ExitCode::Interrupted))
                if pending.is_empty() || judge_runner::is_interrupted() =>
            {
                return Ok(ExitCode::Interrupted);
            }
            Ok(Some(ExitCode::Interrupted)) => {}
            Ok(Some(done)) => {
                code = done;
                note(WAITING);
            }
            Err(failure) => code = print_recoverable(failure)?,
        }
        let (mut is_read, mut waits) = (false, pending.is_empty());
        while !is_read {
            // Changes that came during the run are pending already; waiting would leave them
            // until the next save.
            if waits {
                let Some(paths) = watched.changed(|| !cancel.is_cancelled()).map_err(failed)?
                else {
                    return Ok(code);
                };
                pending.extend(paths);
            }
            match read_workspace(cli, args) {
                Ok(found) => {
                    // The new watch begins before the old one is asked for its last changes, so
                    // that none is lost between them.
                    let before = std::mem::replace(&mut watched, found.1);
                    pending.extend(before.meanwhile().map_err(failed)?);
                    config = found.0;
                    is_read = true;
                }
                // A file that is saved in the middle of an edit is often broken. The next save may
                // fix it.
                Err(failure) => code = print_recoverable(failure)?,
            }
            waits = true;
        }
        // A changed `judge.yaml` may change every verdict.
        let everything = config
            .workspace
            .file
            .as_ref()
            .is_some_and(|file| pending.contains(file));
        changed = (!everything).then_some(pending);
    }
}

/// The present workspace, and the files to watch.
fn read_workspace(cli: &Cli, args: &impl Watched) -> Result<(Config, Watch), Failure> {
    let config = Config::new(cli)?;
    let watched = args.watch(&config)?;
    Ok((config, watched))
}

/// Prints a failure that the next save may correct; a reader that is gone ends everything.
fn print_recoverable(failure: Failure) -> Result<ExitCode, Failure> {
    let code = failure.exit_code();
    if code == ExitCode::ReaderGone {
        return Err(failure);
    }
    print_failure(&failure);
    note(WAITING);
    Ok(code)
}

/// A finished run, and the files that changed during it.
struct WatchedRun {
    result: Result<Option<ExitCode>, Failure>,
    changed: BTreeSet<PathBuf>,
}

/// Judges until the end, or until a change supersedes the run.
fn judge_until_superseded(
    args: &impl Watched,
    config: &Config,
    changed: Option<&BTreeSet<PathBuf>>,
    watched: &mut Watch,
    cancel: &CancelToken,
) -> Result<WatchedRun, Failure> {
    let Some(is_superseded) = args.supersedes(config) else {
        return Ok(WatchedRun {
            result: args.judge(config, changed),
            changed: BTreeSet::new(),
        });
    };
    let stop = CancelToken::new()?;
    let config = Config {
        stop: Some(stop.clone()),
        ..config.clone()
    };
    let is_over = AtomicBool::new(false);
    let (result, changes) = thread::scope(|scope| {
        let listener = scope.spawn(|| {
            let mut changes = BTreeSet::new();
            // The listener ends with the run, or with the whole command.
            let go_on = || !is_over.load(Ordering::Relaxed) && !cancel.is_cancelled();
            while let Some(paths) = watched.changed(go_on)? {
                changes.extend(paths);
                if is_superseded(&changes) {
                    // Programs are killed immediately, and the run counts as interrupted.
                    stop.cancel();
                    break;
                }
            }
            io::Result::Ok(changes)
        });
        let result = args.judge(&config, changed);
        is_over.store(true, Ordering::Relaxed);
        (
            result,
            listener
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let changed = changes.map_err(|source| Failure::Directory {
        path: config.directory.clone(),
        source,
    })?;
    Ok(WatchedRun { result, changed })
}
