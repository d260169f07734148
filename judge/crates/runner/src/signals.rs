//! The signals that interrupt a run.
//!
//! Responsible for receiving them. Must not decide the consequences.

use std::fs;
use std::future::poll_fn;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use judge_exec::ExecError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// True once any listener has received one of the signals.
static RECEIVED: AtomicBool = AtomicBool::new(false);

/// The time that an interrupted command has to finish. Ending all programs takes milliseconds.
pub(crate) const GRACE: Duration = Duration::from_secs(5);

/// The time within which several signals count as one request. timeout(1) sends its signal to the
/// command and then to the whole process group, as do shells and CI runners, so one request may
/// arrive as two signals.
const SAME_REQUEST: Duration = Duration::from_millis(200);

static OVERDUE: OnceLock<fn()> = OnceLock::new();

/// Calls `overdue` when this process still runs some seconds after a signal asked it to end, or
/// when it is asked a second time: it may be waiting for an event that never happens. `overdue`
/// should end the process.
pub fn when_overdue(overdue: fn()) {
    let _ = OVERDUE.set(overdue);
}

/// Waits in a separate thread, since every other one may be stuck.
fn watch_for_end(grace: Duration) {
    let Some(overdue) = OVERDUE.get() else { return };
    let watch = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                // The second listener starts only after the pause, so it misses signals that belong
                // to the first request.
                tokio::time::sleep(SAME_REQUEST).await;
                let Ok(mut again) = Signals::listen() else {
                    return;
                };
                let _ = tokio::time::timeout(grace, again.any()).await;
            });
        }
        overdue();
    };
    // If no thread can be started, the command ends without this watch.
    let _ = std::thread::Builder::new()
        .name("overdue".to_owned())
        .spawn(watch);
}

/// True when this process was asked to end. A later failure may be a consequence, such as a
/// compiler that was stopped.
#[must_use]
pub fn is_interrupted() -> bool {
    RECEIVED.load(Ordering::Relaxed)
}

/// The signals that interrupt a run: SIGINT, SIGTERM, and SIGHUP and SIGQUIT unless this process
/// was started with them ignored, as nohup(1) does.
pub(crate) struct Signals(Vec<Signal>);

impl Signals {
    /// Begins to listen. Must be called within a runtime.
    pub(crate) fn listen() -> Result<Self, ExecError> {
        let listen = |kind| signal(kind).map_err(ExecError::io("listen for", Path::new("signals")));
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let optional = [SignalKind::hangup(), SignalKind::quit()];
        let optional = optional
            .into_iter()
            .filter(|kind| !is_ignored(*kind, &status));
        let all = [SignalKind::interrupt(), SignalKind::terminate()]
            .into_iter()
            .chain(optional);
        Ok(Self(all.map(listen).collect::<Result<_, _>>()?))
    }

    /// Waits for a signal. The process then has this time to finish, unless a second signal comes.
    pub(crate) async fn received_with(&mut self, grace: Duration) {
        self.any().await;
        // Several runs of one process may listen. Only the first signal starts the watch,
        // which ends the process for all of them.
        if !RECEIVED.swap(true, Ordering::Relaxed) {
            watch_for_end(grace);
        }
    }

    async fn any(&mut self) {
        poll_fn(|context| {
            let mut any = self
                .0
                .iter_mut()
                .map(|signal| signal.poll_recv(context).is_ready());
            if any.any(|is_ready| is_ready) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// Waits for a signal; forever without a listener, because the caller listens.
pub(crate) async fn received(signals: Option<&mut Signals>) {
    match signals {
        Some(signals) => signals.received_with(GRACE).await,
        None => std::future::pending().await,
    }
}

/// True when this process was started with the signal ignored: `SigIgn` in proc_pid_status(5).
fn is_ignored(kind: SignalKind, status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    mask >> (kind.as_raw_value() - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_mask() {
        let status = "Name:\tjudge\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000000\n";
        assert!(is_ignored(SignalKind::hangup(), status));
        assert!(!is_ignored(SignalKind::quit(), status));
        assert!(!is_ignored(SignalKind::hangup(), ""));
    }
}
