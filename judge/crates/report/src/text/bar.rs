//! The live bar: how far a run is, at the moment.
//!
//! Responsible for the one place where something is drawn and taken away again. Must not know events.

use std::io;

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use judge_event::Progress;

use crate::text::line::{elide, width, wrap};
use crate::text::numbers::count;
use crate::text::page::Look;

/// Columns of the bar itself, and of the times behind it when they are long.
const BAR: usize = 14;
const TIMES: usize = 16;
/// Columns that stay free at the end: `^C`, which the terminal prints there, must not go on in the next line, from which
/// nothing would take the bar away any more.
const FREE: u16 = 3;
/// Drawings in a second at most.
const RATE: u8 = 20;
/// Columns for the name of what runs, below which it says nothing.
const LEAST_NAME: usize = 12;

/// The look of a live bar: the elapsed time, about how much is left, and a message in the room that [`room`] gives.
pub(crate) fn style(unicode: bool) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{{bar:{BAR}}} {{elapsed}}{{left}}  {{msg}}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("left", |state: &ProgressState, into: &mut dyn std::fmt::Write| {
            // Nothing is known before something is done.
            if state.pos() > 0 && state.elapsed().as_secs() > 0 && state.fraction() < 1.0 {
                let _ = write!(into, ", {:#} left", HumanDuration(state.eta()));
            }
        })
        .progress_chars(if unicode { "━╸─" } else { "=> " })
}

/// Columns for the message of a bar on a page that is so wide.
pub(crate) fn room(width: usize) -> usize {
    width.saturating_sub(BAR + 1 + TIMES + 2 + usize::from(FREE))
}

/// The target of bars: standard error if they are shown, and else nothing.
#[must_use]
pub fn bar_target(is_shown: bool) -> ProgressDrawTarget {
    match is_shown {
        true => ProgressDrawTarget::term_like_with_hz(Box::new(Narrow(Term::stderr())), RATE),
        false => ProgressDrawTarget::hidden(),
    }
}

/// A terminal as if it were a little narrower, since indicatif fills the line to its end with blanks.
#[derive(Debug)]
struct Narrow(Term);

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(FREE).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A bar below the results.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    started: bool,
    room: usize,
}

impl Bar {
    pub(crate) fn new(target: ProgressDrawTarget, look: Look) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style(look.unicode));
        Self { bar, started: false, room: room(look.width) }
    }

    /// Draws the bar, not more often than its target allows. `runs` are what is counted, such as `test runs`.
    pub(crate) fn show(&mut self, progress: &Progress, runs: &str) {
        self.started = true;
        if self.bar.is_finished() {
            // What comes after a check has a bar of its own.
            self.bar.reset();
        }
        self.bar.set_length(progress.total);
        self.bar.set_message(message(progress, runs, self.room));
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

/// The message beside the bar, in this room.
fn message(progress: &Progress, runs: &str, room: usize) -> String {
    let Progress { compiled, to_compile, done, total, running } = progress;
    let mut parts = Vec::new();
    if compiled < to_compile {
        parts.push(format!("{} of {} compiled", count(*compiled), count(*to_compile)));
    }
    parts.push(format!("{} of {} {runs}", count(*done), count(*total)));
    let counts = parts.join(", ");
    let left = room.saturating_sub(width(&counts) + 2);
    // One line, whatever a file is called.
    let first = running.first().and_then(|running| wrap(running, usize::MAX).into_iter().next());
    match first.filter(|_| left >= LEAST_NAME) {
        Some(first) => format!("{counts}, {}", elide(&first, left, "...")),
        None => elide(&counts, room, "..."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_missing_and_is_harmless() {
        let mut progress = Progress { compiled: 2, to_compile: 5, done: 0, total: 1234, running: Vec::new() };
        assert_eq!(message(&progress, "test runs", 40), "2 of 5 compiled, 0 of 1,234 test runs");
        assert_eq!(message(&progress, "validator runs", 60), "2 of 5 compiled, 0 of 1,234 validator runs");
        progress.compiled = 5;
        progress.running = vec!["fiveup accepted/\u{1b}[2J.rs secret/1\nx".to_owned()];
        assert_eq!(message(&progress, "test runs", 60), "0 of 1,234 test runs, fiveup accepted/\\x1b[2J.rs secret/1");
        assert_eq!(message(&progress, "test runs", 40), "0 of 1,234 test runs, fiveup ...secret/1");
        assert_eq!(message(&progress, "test runs", 30), "0 of 1,234 test runs");
    }
}
