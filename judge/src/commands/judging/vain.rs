//! Judging that a save makes vain: it is ended, so that what was saved is judged at once.
//!
//! Responsible for hearing of changes while something is judged. Must not know which files matter, nor how anything is judged.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use judge_sandbox::CancelToken;

use crate::commands::judging::watch::Watched;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::watch::Watch;

/// True for changes that make vain what is being judged.
pub(crate) type Vain = Box<dyn Fn(&BTreeSet<PathBuf>) -> bool + Send + Sync>;

/// The result of judging, as it came out, and the files that changed meanwhile.
pub(super) type Judged = (Result<Option<ExitCode>, Failure>, BTreeSet<PathBuf>);

/// Judges, and ends that as soon as a change makes it vain.
pub(super) fn judge_while_wanted(
    args: &impl Watched,
    config: &Config,
    changed: Option<&BTreeSet<PathBuf>>,
    watched: &mut Watch,
    cancel: &CancelToken,
) -> Result<Judged, Failure> {
    let Some(is_vain) = args.vain(config) else { return Ok((args.judge(config, changed), BTreeSet::new())) };
    let stop = CancelToken::new()?;
    let config = Config { stop: Some(stop.clone()), ..config.clone() };
    let is_over = AtomicBool::new(false);
    let (judged, heard) = thread::scope(|scope| {
        let listener = scope.spawn(|| {
            let mut heard = BTreeSet::new();
            let go_on = || !is_over.load(Ordering::Relaxed) && !cancel.is_cancelled();
            while let Some(paths) = watched.changed(go_on)? {
                heard.extend(paths);
                if is_vain(&heard) {
                    stop.cancel();
                    break;
                }
            }
            io::Result::Ok(heard)
        });
        let judged = args.judge(&config, changed);
        is_over.store(true, Ordering::Relaxed);
        (judged, listener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let heard = heard.map_err(|source| Failure::Directory { path: config.directory.clone(), source })?;
    Ok((judged, heard))
}
