//! The live progress of work on a package.
//!
//! Responsible for a bar on a terminal, and for lines elsewhere. Must not know the kind of work.

use std::time::Duration;

use judge_event::Progress;

use crate::text::bar::{LiveBar, ProgressTarget};
use crate::text::line::{elide, wrap};
use crate::text::numbers::part_of;
use crate::text::page::Look;

/// The running time of a program up to which it is not printed.
const MIN_PRINTED_TIME: Duration = Duration::from_secs(2);

/// The live bar of work on a package.
#[derive(Debug)]
pub struct WorkBar {
    bar: LiveBar,
    problem: String,
}

impl WorkBar {
    /// Creates a bar for a problem.
    #[must_use]
    pub fn new(target: ProgressTarget, problem: &str, look: Look) -> Self {
        Self {
            bar: LiveBar::new(target, look),
            problem: problem.to_owned(),
        }
    }

    /// Shows the bar, at most as often as its target allows. `running` is the time for which the
    /// first running program has run.
    pub fn show(&mut self, progress: &Progress, running: Duration, elapsed: Duration) {
        self.show_words(
            &words(&self.problem, progress, running),
            progress.done,
            progress.total,
            elapsed,
        );
    }

    /// Shows other words, at `done` of `total` in any unit; `total` is 0 if it is unknown.
    pub fn show_words(&mut self, words: &str, done: u64, total: u64, elapsed: Duration) {
        self.bar.show(
            elide(words, self.bar.room(), "..."),
            if total == 0 { 0 } else { done },
            total,
            elapsed,
        );
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.clear();
    }
}

/// Returns the progress in words, on one line.
fn words(problem: &str, progress: &Progress, running: Duration) -> String {
    let mut words = format!("{problem}: {}", part_of(progress.done, progress.total));
    if let Some(first) = progress
        .running
        .first()
        .and_then(|first| wrap(first, usize::MAX).into_iter().next())
    {
        words.push_str(&format!(", {}", elide(&first, 60, "...")));
        // The growing time shows that a program hangs.
        if running >= MIN_PRINTED_TIME {
            words.push_str(&format!(", for {} s", running.as_secs()));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A writer that can be read while it is written.
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
    fn lines_are_printed_at_intervals_without_a_bar() {
        let lines = Shared::default();
        let mut bar = WorkBar::new(
            ProgressTarget::lines(Box::new(lines.clone())),
            "sum",
            Look::default(),
        );
        let progress = Progress {
            total: 2,
            running: vec!["secret/1: g.py".into()],
            ..Progress::default()
        };
        for second in 1..=25 {
            bar.show(
                &progress,
                Duration::from_secs(second),
                Duration::from_secs(second),
            );
        }
        let printed = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(
            printed,
            "sum: 0 of 2, secret/1: g.py, for 10 s (10s elapsed)\nsum: 0 of 2, secret/1: g.py, for 20 s (20s elapsed)\n"
        );
    }

    #[test]
    fn running_programs_are_printed_with_their_time() {
        let progress = Progress {
            done: 3,
            total: 1200,
            running: vec!["secret/4: g.py \u{1b}7".into()],
            ..Progress::default()
        };
        assert_eq!(
            words("sum", &progress, Duration::from_millis(300)),
            "sum: 3 of 1,200, secret/4: g.py \\x1b7"
        );
        assert_eq!(
            words("sum", &progress, Duration::from_secs(73)),
            "sum: 3 of 1,200, secret/4: g.py \\x1b7, for 73 s"
        );
        assert_eq!(
            words("sum", &Progress::default(), MIN_PRINTED_TIME),
            "sum: 0 of 0"
        );
    }
}
