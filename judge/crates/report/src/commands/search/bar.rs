//! The live progress of a search for inputs.
//!
//! Responsible for a bar on a terminal, and for lines elsewhere. Must not know the condition of the
//! search.

use std::time::Duration;

use judge_event::InputTally;

use crate::text::bar::{LiveBar, ProgressTarget};
use crate::text::line::width;
use crate::text::numbers::{count, plural};
use crate::text::pace::Remaining;
use crate::text::page::Look;

/// The number of steps of a bar.
const STEPS: u64 = 1000;

/// The live bar of a search.
#[derive(Debug)]
pub struct SearchBar(LiveBar);

impl SearchBar {
    /// Creates a bar that is not yet visible.
    #[must_use]
    pub fn new(target: ProgressTarget, look: Look) -> Self {
        Self(LiveBar::new(target, look))
    }

    /// Shows the bar, at most as often as its target allows. `spent` is the used share of the time
    /// or of the inputs.
    pub fn show(&mut self, tally: &InputTally, elapsed: Duration, spent: f64) {
        let whole = words(tally, elapsed, true);
        let words = if width(&whole) <= self.0.room() {
            whole
        } else {
            words(tally, elapsed, false)
        };
        self.0.expect(left(elapsed, spent));
        self.0.show(
            words,
            (spent.clamp(0.0, 1.0) * STEPS as f64) as u64,
            STEPS,
            elapsed,
        );
    }

    /// Reports that programs are compiled.
    pub fn compiling(&self) {
        self.0.say("compiling");
    }

    /// Reports that the test cases of the package are tried.
    pub fn test_cases(&self) {
        self.0.say("trying the test cases");
    }

    /// Reports that found inputs are minimized.
    pub fn minimizing(&self) {
        self.0.say("minimizing the input");
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.0.clear();
    }
}

/// Returns the remaining time, when this share is used.
fn left(elapsed: Duration, spent: f64) -> Remaining {
    match spent {
        none if none <= 0.0 => Remaining::Unknown,
        spent => Remaining::Known(elapsed.mul_f64((1.0 / spent - 1.0).clamp(0.0, 1e6))),
    }
}

/// Returns the progress in words, on one line. The kinds of calls are left out on a narrow
/// terminal.
fn words(tally: &InputTally, elapsed: Duration, has_kinds: bool) -> String {
    let seconds = elapsed.as_secs_f64();
    // The rate of the whole search, because a recent rate jumps with every expensive call.
    let rate = if seconds > 0.0 {
        (tally.inputs as f64 / seconds).round() as u64
    } else {
        0
    };
    let (kinds, reached) = (tally.kinds, tally.kinds_reached);
    let kinds = if kinds == 0 || !has_kinds {
        String::new()
    } else {
        format!(", {reached} of {kinds} kinds of calls")
    };
    format!(
        "{}, {}/s, {} judged{kinds}, {} found",
        plural(tally.inputs, "input"),
        count(rate),
        count(tally.judged_inputs),
        count(tally.findings)
    )
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    fn tally() -> InputTally {
        InputTally {
            inputs: 1234,
            judged_inputs: 900,
            kinds: 4,
            kinds_reached: 3,
            findings: 1,
            ..InputTally::default()
        }
    }

    #[test]
    fn progress_is_one_line() {
        let expected = "1,234 inputs, 617/s, 900 judged, 3 of 4 kinds of calls, 1 found";
        assert_eq!(words(&tally(), Duration::from_secs(2), true), expected);
        assert_eq!(
            words(&tally(), Duration::from_secs(2), false),
            "1,234 inputs, 617/s, 900 judged, 1 found"
        );
        assert_eq!(
            words(&InputTally::default(), Duration::ZERO, true),
            "0 inputs, 0/s, 0 judged, 0 found"
        );
    }

    #[test]
    fn the_remaining_time_follows_from_the_limit() {
        assert_eq!(
            left(Duration::from_secs(3), 0.2),
            Remaining::Known(Duration::from_secs(12))
        );
        assert_eq!(
            left(Duration::from_secs(15), 1.1),
            Remaining::Known(Duration::ZERO)
        );
        assert_eq!(left(Duration::from_secs(15), 0.0), Remaining::Unknown);
        let lines = Lines::default();
        let mut bar = SearchBar::new(
            ProgressTarget::lines(Box::new(lines.clone())),
            Look::default(),
        );
        bar.show(&tally(), Duration::from_secs(10), 0.4);
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert!(text.ends_with("(10s elapsed, about 15s left)\n"), "{text}");
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn without_a_bar_there_is_a_line_every_ten_seconds() {
        let lines = Lines::default();
        let mut bar = SearchBar::new(
            ProgressTarget::lines(Box::new(lines.clone())),
            Look::default(),
        );
        for second in [0, 9, 10, 11, 19, 25, 30] {
            bar.show(&tally(), Duration::from_secs(second), 0.5);
        }
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let rates: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split(", ").nth(1))
            .collect();
        assert_eq!(rates, ["123/s", "49/s"], "{text}");
    }
}
