//! The run that compares answers, before anything is timed.
//!
//! Responsible for its state, and for its report when nothing can be compared. Must not know times.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use judge_event::{Event, Progress, RunState};
use judge_report::{Reporter, Terminal, printable_lines};
use judge_runner::Observer;

use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::messages::listed;

/// The message of a comparison that was interrupted.
pub(super) const INTERRUPTED: &str = "interrupted: nothing was compared";

/// The run that compares answers. Only its state matters; its report is printed if the run fails.
pub(super) struct FirstRun {
    pub(super) state: RunState,
    terminal: Terminal,
    text: TextBuffer,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct TextBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for TextBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FirstRun {
    pub(super) fn new(config: &Config) -> Self {
        let text = TextBuffer::default();
        let results = Box::new(text.clone());
        Self {
            state: RunState::default(),
            terminal: Terminal::new(config.terminal, results, config.progress_target()),
            text,
        }
    }

    /// The exit code when nothing can be compared.
    pub(super) fn failure_code(&self) -> Option<ExitCode> {
        let code = exit_code::for_state(&self.state);
        let skipped = self.state.counts().skipped > 0;
        match code {
            // A wrong answer does not prevent the comparison, but is one of its findings. A skipped
            // submission does prevent it, since it has no answers.
            ExitCode::AsExpected | ExitCode::ExpectationViolated => {
                skipped.then_some(ExitCode::HostFault)
            }
            other => Some(other),
        }
    }

    /// The sentence below the report when nothing can be compared.
    pub(super) fn failure_message(&self, code: ExitCode) -> String {
        let submissions = self
            .state
            .problems
            .iter()
            .flat_map(|problem| &problem.submissions);
        let skipped: Vec<String> = submissions
            .filter(|submission| submission.skipped.is_some())
            .map(|submission| printable_lines(&submission.started.submission))
            .collect();
        match (code, skipped.is_empty()) {
            (ExitCode::Interrupted, _) => INTERRUPTED.to_owned(),
            (_, true) => {
                "nothing was compared: the answers of some submissions are missing".to_owned()
            }
            (_, false) => format!(
                "nothing was compared: {} cannot be run here",
                listed(skipped)
            ),
        }
    }

    pub(super) fn report(mut self) -> Result<String, Failure> {
        self.terminal
            .finish()
            .map_err(|source| Failure::write("the report", source))?;
        let bytes = self
            .text
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Observer for FirstRun {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.terminal.event(event)
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        self.terminal.progress(progress)
    }
}
