//! The progress of work: a bar on a terminal, and elsewhere a line at intervals.
//!
//! Responsible for all output that is drawn and removed again. Must not know events.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use judge_event::Progress;

use crate::text::escape::printable_lines;
use crate::text::line::{elide, width, wrap};
use crate::text::numbers::part_of;
use crate::text::pace::{Pace, Remaining, line_every};
use crate::text::page::Look;

/// The width of the bar in columns. `TIMES` is the maximum width of the times after it.
const BAR: usize = 14;
const TIMES: usize = 16;
/// The number of columns that stay free at the end. The terminal prints `^C` there; if that
/// continued in the next line, the bar could not be removed any more.
const FREE: u16 = 3;
/// The maximum number of drawings per second.
const RATE: u8 = 20;
/// The minimum width in columns at which the name of running work is useful.
const MIN_NAME: usize = 12;

/// Returns the style of a live bar: the elapsed time, the estimated remaining time, and a message
/// that fits the rest of the line.
fn style(unicode: bool, pace: Arc<Mutex<Pace>>) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{{bar:{BAR}}} {{elapsed}}{{left}}  {{msg}}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key(
            "left",
            move |state: &ProgressState, into: &mut dyn fmt::Write| {
                let pace = *pace.lock().unwrap_or_else(PoisonError::into_inner);
                let left = pace.left(pace.total, state.elapsed());
                if let Some(left) = left.filter(|_| state.elapsed().as_secs() > 0) {
                    let _ = write!(into, ", {} left", short_time(left));
                }
            },
        )
        .progress_chars(if unicode { "━╸─" } else { "=> " })
}

/// The target of progress output.
pub struct ProgressTarget {
    bar: ProgressDrawTarget,
    lines: Option<Box<dyn Write + Send>>,
}

impl ProgressTarget {
    /// Creates a bar on a draw target.
    #[must_use]
    pub fn drawn(bar: ProgressDrawTarget) -> Self {
        Self { bar, lines: None }
    }

    /// Creates a bar on standard error, which must be a terminal.
    #[must_use]
    pub fn terminal() -> Self {
        Self::drawn(ProgressDrawTarget::term_like_with_hz(
            Box::new(Narrow(Term::stderr())),
            RATE,
        ))
    }

    /// Creates a bar that is a line every ten seconds, later less often, and none for shorter work:
    /// for a writer that is not a terminal, such as the log of a CI.
    #[must_use]
    pub fn lines(lines: Box<dyn Write + Send>) -> Self {
        Self {
            bar: ProgressDrawTarget::hidden(),
            lines: Some(lines),
        }
    }

    /// No output.
    #[must_use]
    pub fn hidden() -> Self {
        Self::drawn(ProgressDrawTarget::hidden())
    }
}

/// A bar, or lines, with a message.
pub(crate) struct LiveBar {
    bar: ProgressBar,
    room: usize,
    lines: Option<Box<dyn Write + Send>>,
    printed: Duration,
    pace: Arc<Mutex<Pace>>,
}

impl LiveBar {
    pub(crate) fn new(target: ProgressTarget, look: Look) -> Self {
        let pace = Arc::<Mutex<Pace>>::default();
        let style = style(look.unicode, Arc::clone(&pace));
        // A bar without a length would be drawn as full before anything is counted.
        let bar = ProgressBar::with_draw_target(Some(1), target.bar).with_style(style);
        let room = look
            .width
            .saturating_sub(BAR + 1 + TIMES + 2 + usize::from(FREE));
        Self {
            bar,
            room,
            lines: target.lines,
            printed: Duration::ZERO,
            pace,
        }
    }

    /// Returns the number of columns for the message; unlimited for lines.
    pub(crate) fn room(&self) -> usize {
        if self.lines.is_some() {
            usize::MAX
        } else {
            self.room
        }
    }

    /// Returns the time since the bar began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }

    /// Shows the bar at `done` of `total`, at most as often as its target allows.
    pub(crate) fn show(&mut self, message: String, done: u64, total: u64, elapsed: Duration) {
        self.show_paced(message, (done, total), (done, total), elapsed);
    }

    /// Shows the same as `show`, but estimates the remaining time from other counts, `paced`, of
    /// work that takes about the same time each.
    fn show_paced(
        &mut self,
        message: String,
        (done, total): (u64, u64),
        paced: (u64, u64),
        elapsed: Duration,
    ) {
        self.pace().advance(paced.0, elapsed);
        self.pace().total = paced.1;
        // A bar of length 0 would be full immediately.
        self.bar.set_length(total.max(1));
        self.bar.set_position(done);
        // Without a terminal, a line is printed at intervals, so that the log of a CI shows
        // activity.
        if self.lines.is_some() && elapsed >= self.printed + line_every(elapsed) {
            self.printed = elapsed;
            let left = self.pace().left(paced.1, elapsed);
            // A log that cannot be written must not fail the run.
            if let Some(lines) = &mut self.lines {
                drop(writeln!(
                    lines,
                    "{} ({})",
                    printable_lines(&message),
                    times(elapsed, left)
                ));
            }
        }
        self.bar.set_message(message);
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the source of the remaining time, which the next output uses.
    pub(crate) fn expect(&self, left: Remaining) {
        self.pace().left = left;
    }

    /// Changes the message to that of a step of unknown duration.
    pub(crate) fn say(&self, message: &'static str) {
        self.expect(Remaining::Unknown);
        self.bar.set_message(message);
    }

    /// Begins again, if the bar was removed.
    fn begin(&mut self) {
        if self.bar.is_finished() {
            self.bar.reset();
            self.printed = Duration::ZERO;
            self.pace().begin();
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Removes the bar from the screen, also after an error or panic.
impl Drop for LiveBar {
    fn drop(&mut self) {
        if !self.bar.is_finished() {
            self.clear();
        }
    }
}

impl fmt::Debug for LiveBar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveBar")
            .field("bar", &self.bar)
            .finish_non_exhaustive()
    }
}

/// Returns the times of a line, in the format of a bar.
fn times(elapsed: Duration, left: Option<Duration>) -> String {
    let left = left.map_or_else(String::new, |left| {
        format!(", about {} left", short_time(left))
    });
    format!("{} elapsed{left}", short_time(elapsed))
}

/// Returns a time in one or two units: `45s`, `3m 20s`, `2h 5m`.
fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    let two = |whole: u64, unit: &str, rest: u64, unit_of_rest: &str| match rest {
        0 => format!("{whole}{unit}"),
        rest => format!("{whole}{unit} {rest}{unit_of_rest}"),
    };
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => two(seconds / 60, "m", seconds % 60, "s"),
        _ => two(seconds / 3600, "h", seconds / 60 % 60, "m"),
    }
}

/// A terminal that reports a smaller width, because indicatif pads the line with spaces.
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
    live: LiveBar,
    started: bool,
    /// The budget of the counted work, if there is one. `counting_since` is the elapsed time at
    /// which counting began.
    budget: Option<Duration>,
    counting_since: Option<Duration>,
}

impl Bar {
    pub(crate) fn new(target: ProgressTarget, look: Look) -> Self {
        Self {
            live: LiveBar::new(target, look),
            started: false,
            budget: None,
            counting_since: None,
        }
    }

    /// Computes the remaining time from a budget, which begins with the first count.
    pub(crate) fn set_budget(&mut self, budget: Duration) {
        self.budget = Some(budget);
    }

    /// Shows the bar, at most as often as its target allows. `runs` names the counted units, such
    /// as `test runs`.
    pub(crate) fn show(&mut self, progress: &Progress, runs: &str) {
        self.started = true;
        // A run after a check has a separate bar.
        self.live.begin();
        let message = message(progress, runs, self.live.room());
        if let Some(budget) = self.budget {
            let elapsed = self.live.elapsed();
            self.live.expect(match progress.total {
                0 => Remaining::Unknown,
                _ => {
                    let since = *self.counting_since.get_or_insert(elapsed);
                    Remaining::Known(budget.saturating_sub(elapsed.saturating_sub(since)))
                }
            });
        }
        let (shown, elapsed) = ((progress.done, progress.total), self.live.elapsed());
        let paced = if progress.expected > 0 {
            (progress.executed, progress.expected)
        } else {
            shown
        };
        self.live.show_paced(message, shown, paced, elapsed);
    }

    /// Runs an action while the bar is hidden.
    pub(crate) fn aside(&self, action: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let bar = &self.live.bar;
        if self.started && !bar.is_finished() {
            bar.suspend(action)
        } else {
            action()
        }
    }

    /// Removes the bar until it is shown again.
    pub(crate) fn clear(&self) {
        self.live.clear();
    }
}

/// Returns the message next to the bar, which fits `room` columns.
fn message(progress: &Progress, runs: &str, room: usize) -> String {
    let mut parts = Vec::new();
    if progress.compiled < progress.to_compile {
        parts.push(part_of(progress.compiled, progress.to_compile) + " compiled");
    }
    // Escaped, so that it is one line with any file name.
    let first = progress
        .running
        .first()
        .and_then(|running| wrap(running, usize::MAX).into_iter().next());
    if let Some(first) = first
        .as_ref()
        .filter(|_| parts.is_empty() && progress.total == 0)
    {
        return elide(first, room, "...");
    }
    parts.push(format!("{} {runs}", part_of(progress.done, progress.total)));
    if progress.confirmed < progress.to_confirm {
        // Nothing else runs at that time, so the previous count does not change.
        let again = part_of(progress.confirmed + 1, progress.to_confirm);
        parts.push(format!("running again, alone: {again}"));
    }
    let counts = parts.join(", ");
    let left = room.saturating_sub(width(&counts) + 2);
    match first.filter(|_| left >= MIN_NAME) {
        Some(first) => format!("{counts}, {}", elide(&first, left, "...")),
        None => elide(&counts, room, "..."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_counts_and_are_escaped() {
        let mut progress = Progress {
            compiled: 2,
            to_compile: 5,
            total: 1234,
            ..Progress::default()
        };
        assert_eq!(
            message(&progress, "test runs", 40),
            "2 of 5 compiled, 0 of 1,234 test runs"
        );
        assert_eq!(
            message(&progress, "validator runs", 60),
            "2 of 5 compiled, 0 of 1,234 validator runs"
        );
        // A step without counts is rendered alone.
        let step = Progress {
            running: vec!["measuring start-up times".to_owned()],
            ..Progress::default()
        };
        assert_eq!(message(&step, "rounds", 60), "measuring start-up times");
        assert_eq!(message(&step, "rounds", 20), "measurin...-up times");
        progress.compiled = 5;
        progress.running = vec!["fiveup accepted/\u{1b}[2J.rs secret/1\nx".to_owned()];
        assert_eq!(
            message(&progress, "test runs", 60),
            "0 of 1,234 test runs, fiveup accepted/\\x1b[2J.rs secret/1"
        );
        assert_eq!(
            message(&progress, "test runs", 40),
            "0 of 1,234 test runs, fiveup ...secret/1"
        );
        assert_eq!(message(&progress, "test runs", 30), "0 of 1,234 test runs");
        let again = Progress {
            done: 21,
            total: 21,
            to_confirm: 2,
            ..Progress::default()
        };
        assert_eq!(
            message(&again, "test runs", 60),
            "21 of 21 test runs, running again, alone: 1 of 2"
        );
        let over = Progress {
            confirmed: 2,
            ..again
        };
        assert_eq!(message(&over, "test runs", 60), "21 of 21 test runs");
    }

    #[test]
    fn budgets_begin_with_the_first_count() {
        let mut bar = Bar::new(ProgressTarget::hidden(), Look::default());
        bar.set_budget(Duration::from_secs(30));
        let left = |bar: &Bar| bar.live.pace().left;
        bar.show(
            &Progress {
                running: vec!["starting".to_owned()],
                ..Progress::default()
            },
            "rounds",
        );
        assert_eq!(left(&bar), Remaining::Unknown);
        bar.show(
            &Progress {
                done: 1,
                total: 90,
                ..Progress::default()
            },
            "rounds",
        );
        let Remaining::Known(first) = left(&bar) else {
            panic!()
        };
        std::thread::sleep(Duration::from_millis(20));
        bar.show(
            &Progress {
                done: 2,
                total: 900,
                ..Progress::default()
            },
            "rounds",
        );
        let Remaining::Known(later) = left(&bar) else {
            panic!()
        };
        assert!(
            first == Duration::from_secs(30) && later + Duration::from_millis(20) <= first,
            "{first:?} {later:?}"
        );
    }

    #[test]
    fn lines_become_less_frequent_during_long_work() {
        let mut live = LiveBar::new(ProgressTarget::lines(Box::new(io::sink())), Look::default());
        let mut printed = Vec::new();
        for seconds in 0..1000 {
            live.show("x".to_owned(), 1, 2, Duration::from_secs(seconds));
            printed.push(live.printed.as_secs());
        }
        printed.dedup();
        assert_eq!(printed[..3], [0, 10, 20]);
        let between = |from, to| {
            printed
                .iter()
                .filter(|printed| (from..to).contains(*printed))
                .count()
        };
        assert_eq!(
            [(0, 120), (120, 600), (600, 1000)].map(|(from, to)| between(from, to)),
            [12, 16, 6],
            "{printed:?}"
        );
    }

    #[test]
    fn restarted_bars_print_lines_again() {
        let mut live = LiveBar::new(ProgressTarget::lines(Box::new(io::sink())), Look::default());
        let printed_at = |live: &mut LiveBar, seconds| {
            live.show("x".to_owned(), 1, 2, Duration::from_secs(seconds));
            live.printed.as_secs()
        };
        assert_eq!(
            [9, 10, 19, 25].map(|seconds| printed_at(&mut live, seconds)),
            [0, 10, 10, 25]
        );
        live.clear();
        live.begin();
        assert_eq!(
            [9, 11].map(|seconds| printed_at(&mut live, seconds)),
            [0, 11]
        );
    }

    #[test]
    fn the_remaining_time_is_printed_only_at_a_known_pace() {
        let written = Lines::default();
        let mut live = LiveBar::new(
            ProgressTarget::lines(Box::new(written.clone())),
            Look::default(),
        );
        for (done, seconds) in [(0, 1), (1, 10), (2, 20), (2, 30), (2, 40), (3, 50)] {
            live.show("x".to_owned(), done, 9, Duration::from_secs(seconds));
        }
        let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let has_rest: Vec<bool> = written.lines().map(|line| line.contains(" left")).collect();
        assert_eq!(has_rest, [true, true, true, false, true], "{written}");
    }

    /// A writer into memory.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_and_bars_format_times_the_same_way() {
        let seconds = Duration::from_secs;
        assert_eq!(
            times(seconds(40), Some(seconds(180))),
            "40s elapsed, about 3m left"
        );
        assert_eq!(times(seconds(40), None), "40s elapsed");
        let shown = [59, 60, 95, 3599, 3600, 7500].map(|time| short_time(seconds(time)));
        assert_eq!(shown, ["59s", "1m", "1m 35s", "59m 59s", "1h", "2h 5m"]);
    }
}
