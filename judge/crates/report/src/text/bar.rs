//! The live bar: how far a run is, at the moment.
//!
//! Responsible for the one place where something is drawn and taken away again. Must not know events.

use std::io;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use judge_event::Progress;

use crate::text::line::{elide, wrap};
use crate::text::numbers::count;

/// A bar below the results.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    started: bool,
}

impl Bar {
    pub(crate) fn new(target: ProgressDrawTarget, unicode: bool) -> Self {
        let style = ProgressStyle::with_template("{bar:20} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars(if unicode { "━╸─" } else { "=> " });
        Self { bar: ProgressBar::with_draw_target(Some(0), target).with_style(style), started: false }
    }

    /// Draws the bar, not more often than its target allows. `runs` are what is counted, such as `test runs`.
    pub(crate) fn show(&mut self, progress: &Progress, runs: &str) {
        self.started = true;
        if self.bar.is_finished() {
            // What comes after a check has a bar of its own.
            self.bar.reset();
        }
        self.bar.set_length(progress.total);
        self.bar.set_message(message(progress, runs));
        self.bar.set_position(progress.done);
    }

    /// Does something with the bar out of the way.
    pub(crate) fn aside(&self, action: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.started && !self.bar.is_finished() { self.bar.suspend(action) } else { action() }
    }

    /// Takes the bar away, until it is shown again.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The message beside the bar.
fn message(progress: &Progress, runs: &str) -> String {
    let Progress { compiled, to_compile, done, total, running } = progress;
    let mut parts = Vec::new();
    if compiled < to_compile {
        parts.push(format!("{} of {} compiled", count(*compiled), count(*to_compile)));
    }
    parts.push(format!("{} of {} {runs}", count(*done), count(*total)));
    // One line, whatever a file is called; the bar itself cuts it to the width.
    if let Some(first) = running.first().and_then(|running| wrap(running, usize::MAX).into_iter().next()) {
        parts.push(elide(&first, 60, "..."));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_missing_and_is_harmless() {
        let mut progress = Progress { compiled: 2, to_compile: 5, done: 0, total: 1234, running: Vec::new() };
        assert_eq!(message(&progress, "test runs"), "2 of 5 compiled, 0 of 1,234 test runs");
        assert_eq!(message(&progress, "validator runs"), "2 of 5 compiled, 0 of 1,234 validator runs");
        progress.compiled = 5;
        progress.running = vec!["fiveup accepted/\u{1b}[2J.rs secret/1\nx".to_owned()];
        assert_eq!(message(&progress, "test runs"), "0 of 1,234 test runs, fiveup accepted/\\x1b[2J.rs secret/1");
    }
}
