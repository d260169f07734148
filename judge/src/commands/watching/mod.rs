//! `--watch`: judges, checks or renders, and repeats that for everything that a saved file affects.
//!
//! Responsible for continuing after errors in the files. Must not know which command is run again,
//! nor how anything is judged or reported.

mod superseded;
mod watched;

use std::collections::BTreeSet;
use std::path::PathBuf;

use judge_runner::Interrupts;
use judge_sandbox::CancelToken;

use crate::args::Cli;
use crate::commands::watching::superseded::{WatchedRun, judge_until_superseded};
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
