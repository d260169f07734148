//! The progress of work on a package, while it goes on.
//!
//! Responsible for a bar on a terminal, and for lines elsewhere. Must not know what is done.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};
use judge_event::Progress;

use crate::text::bar::{room, style};
use crate::text::escape::printable_lines;
use crate::text::line::{elide, wrap};
use crate::text::numbers::count;
use crate::text::page::Look;

/// Where no bar is drawn, a line this often says how far it is.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// For what runs no longer than this it is not said how long it runs.
const SOON: Duration = Duration::from_secs(2);

/// The live bar of work on a package.
pub struct WorkBar {
    bar: ProgressBar,
    room: usize,
    problem: String,
    lines: Option<Box<dyn Write + Send>>,
    printed: Duration,
}

impl WorkBar {
    /// A bar for a problem, drawn where the target says. With `lines`, a line is printed there now and then.
    #[must_use]
    pub fn new(target: ProgressDrawTarget, problem: &str, look: Look, lines: Option<Box<dyn Write + Send>>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style(look.unicode));
        Self { bar, room: room(look.width), problem: problem.to_owned(), lines, printed: Duration::ZERO }
    }

    /// Draws it, not more often than its target allows; `running` is the time that the first of what is running takes.
    pub fn show(&mut self, progress: &Progress, running: Duration, elapsed: Duration) {
        let words = words(&self.problem, progress, running);
        if elapsed >= self.printed + LINE_EVERY
            && let Some(lines) = &mut self.lines
        {
            self.printed = elapsed;
            // Nobody who does not read it is worse off.
            drop(writeln!(lines, "{}", printable_lines(&words)));
        }
        self.bar.set_length(progress.total);
        self.bar.set_message(elide(&words, self.room, "..."));
        self.bar.set_position(progress.done);
    }

    /// Takes it away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl fmt::Debug for WorkBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkBar").field("bar", &self.bar).finish_non_exhaustive()
    }
}

/// The progress in words, on one line.
fn words(problem: &str, progress: &Progress, running: Duration) -> String {
    let mut words = format!("{problem}: {} of {}", count(progress.done), count(progress.total));
    if let Some(first) = progress.running.first().and_then(|first| wrap(first, usize::MAX).into_iter().next()) {
        words.push_str(&format!(", {}", elide(&first, 60, "...")));
        if running >= SOON {
            words.push_str(&format!(", for {} s", running.as_secs()));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A file that is read while it is written.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn where_no_bar_is_drawn_a_line_comes_now_and_then() {
        let lines = Shared::default();
        let target = ProgressDrawTarget::hidden();
        let mut bar = WorkBar::new(target, "sum", Look::default(), Some(Box::new(lines.clone())));
        let progress = Progress { total: 2, running: vec!["secret/1: g.py".into()], ..Progress::default() };
        for second in 1..=25 {
            bar.show(&progress, Duration::from_secs(second), Duration::from_secs(second));
        }
        let told = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(told, "sum: 0 of 2, secret/1: g.py, for 10 s\nsum: 0 of 2, secret/1: g.py, for 20 s\n");
    }

    #[test]
    fn it_says_what_runs_and_for_how_long() {
        let progress =
            Progress { done: 3, total: 1200, running: vec!["secret/4: g.py \u{1b}7".into()], ..Progress::default() };
        assert_eq!(words("sum", &progress, Duration::from_millis(300)), "sum: 3 of 1,200, secret/4: g.py \\x1b7");
        assert_eq!(
            words("sum", &progress, Duration::from_secs(73)),
            "sum: 3 of 1,200, secret/4: g.py \\x1b7, for 73 s"
        );
        assert_eq!(words("sum", &Progress::default(), SOON), "sum: 0 of 0");
    }
}
