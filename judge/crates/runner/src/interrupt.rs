//! Interrupts outside of runs: termination signals set a token.
//!
//! Responsible for listening. A run has its own listener. Must not know what is interrupted.

use std::thread::JoinHandle;
use std::time::Duration;

use judge_exec::ExecError;
use judge_sandbox::CancelToken;
use tokio::sync::oneshot;

use crate::signals::{GRACE, Signals};

/// Sets a token on SIGINT (Ctrl-C), SIGTERM, SIGHUP and SIGQUIT, until it is dropped.
#[derive(Debug)]
pub struct Interrupts {
    stop: Option<oneshot::Sender<()>>,
    listener: Option<JoinHandle<()>>,
}

impl Interrupts {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the host has no thread or no signal handler left.
    pub fn listen(token: CancelToken) -> Result<Self, ExecError> {
        Self::listen_with(token, GRACE)
    }

    /// The same for work that is finished after the first signal, without a limit on its time. A
    /// second signal ends the process.
    ///
    /// # Errors
    /// As for [`Self::listen`].
    pub fn listen_without_limit(token: CancelToken) -> Result<Self, ExecError> {
        Self::listen_with(token, Duration::MAX)
    }

    fn listen_with(token: CancelToken, grace: Duration) -> Result<Self, ExecError> {
        let failed = || ExecError::io("listen for", std::path::Path::new("signals"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed())?;
        // Before anything is started, so that no signal is lost.
        let mut signals = {
            let _entered = runtime.enter();
            Signals::listen()?
        };
        let (stop, stopped) = oneshot::channel();
        let listen = async move {
            tokio::select! {
                () = signals.received_with(grace) => token.cancel(),
                _ = stopped => {}
            }
        };
        let listener = std::thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || runtime.block_on(listen));
        Ok(Self {
            stop: Some(stop),
            listener: Some(listener.map_err(failed())?),
        })
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        // The listener ends when the sender is gone.
        drop(self.stop.take());
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
    }
}
