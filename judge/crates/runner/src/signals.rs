//! The signals that interrupt a run.
//!
//! Responsible for hearing them. Must not decide what they lead to.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::RunnerError;

/// The signals that interrupt a run.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, RunnerError> {
        let listen = |kind| signal(kind).map_err(RunnerError::io("listen for", std::path::Path::new("signals")));
        Ok(Self { interrupt: listen(SignalKind::interrupt())?, terminate: listen(SignalKind::terminate())? })
    }

    pub(crate) async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
