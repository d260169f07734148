//! The progress of making test data, while a package is worked on.
//!
//! Responsible for where and how often it is shown. Must not know what is done.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use judge_authoring::OnProgress;
use judge_event::Progress;
use judge_report::WorkBar;

use crate::config::Config;

/// Programs that run for ever say nothing: the bar goes on by itself.
const TICK: Duration = Duration::from_millis(200);

/// Does something, and shows how far it is: by a bar on a terminal, and by a line now and then elsewhere.
pub(crate) fn watched<T>(config: &Config, problem: &str, work: impl FnOnce(OnProgress<'_>) -> T) -> T {
    let mut bar = WorkBar::new(config.progress_target(), problem, config.terminal.look);
    let latest: Mutex<Option<(Progress, Instant)>> = Mutex::new(None);
    let (working, is_over) = channel::<()>();
    let latest = &latest;
    thread::scope(|scope| {
        // Goes with this closure, however that ends, and the thread with it.
        let working = working;
        scope.spawn(move || {
            let begun = Instant::now();
            while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Some((progress, since)) = &*latest.lock().unwrap_or_else(PoisonError::into_inner) {
                    bar.show(progress, since.elapsed(), begun.elapsed());
                }
            }
            bar.clear();
        });
        let worked = work(&|progress| {
            let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
            // What runs longest is told, and for how long.
            let since = latest.take().filter(|(known, _)| known.running.first() == progress.running.first());
            *latest = Some((progress.clone(), since.map_or_else(Instant::now, |(_, since)| since)));
        });
        drop(working);
        worked
    })
}
