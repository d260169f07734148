//! Superseded runs: a save ends the run that it makes obsolete, so that the saved file is judged
//! immediately.
//!
//! Responsible for listening to changes during a run. Must not know which files matter, nor how
//! anything is run.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use judge_sandbox::CancelToken;

use crate::commands::watching::watched::Watched;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::watch::Watch;

/// A finished run, and the files that changed during it.
pub(super) struct WatchedRun {
    pub(super) result: Result<Option<ExitCode>, Failure>,
    pub(super) changed: BTreeSet<PathBuf>,
}

/// Judges until the end, or until a change supersedes the run.
pub(super) fn judge_until_superseded(
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
