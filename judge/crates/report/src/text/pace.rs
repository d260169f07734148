//! The remaining time of counted work, from a limit or from the pace so far, and the interval
//! between lines of progress.
//!
//! Responsible for giving no estimate that would be a guess. Must not know where it is printed.

use std::time::Duration;

/// The time without progress after which no remaining time is given.
const STUCK_AFTER: Duration = Duration::from_secs(10);
/// The time at the beginning in which the pace is not measured, because cached results arrive
/// immediately.
const WARM_UP: Duration = Duration::from_secs(1);
/// The pace is measured over the last one to two periods of this length.
const RECENT: Duration = Duration::from_secs(15);
/// The factor between the recent pace and that of the whole work above which no estimate is given:
/// otherwise one slow submission among quick ones would lead to an estimate of days.
const UNSTEADY: u32 = 4;

/// The elapsed time from which an interval applies, and the interval between lines of progress
/// without a bar. With a fixed interval, an hour of waiting would print 360 lines.
const LINE_EVERY: [(Duration, Duration); 3] = [
    (Duration::from_secs(600), Duration::from_secs(60)),
    (Duration::from_secs(120), Duration::from_secs(30)),
    (Duration::ZERO, Duration::from_secs(10)),
];

/// The source of the remaining time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remaining {
    /// Estimated from the pace so far.
    #[default]
    ByPace,
    /// Known, because there is a limit.
    Known(Duration),
    /// Unknown.
    Unknown,
}

/// The count at an elapsed time.
#[derive(Clone, Copy, Debug)]
struct Point {
    done: u64,
    elapsed: Duration,
}

/// The pace of counted work.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    pub(crate) left: Remaining,
    /// The count at the end, if it is known.
    pub(crate) total: u64,
    done: u64,
    /// The elapsed time of the last progress.
    advanced: Duration,
    /// The count and its time, after the first count that needed work.
    since: Option<Point>,
    /// Two such points: one to two times [`RECENT`] ago, and less than [`RECENT`] ago.
    recent: [Option<Point>; 2],
}

impl Pace {
    /// Starts a new measurement and keeps the source of the remaining time.
    pub(crate) fn begin(&mut self) {
        *self = Self {
            left: self.left,
            ..Self::default()
        };
    }

    /// Records the count at an elapsed time.
    pub(crate) fn advance(&mut self, done: u64, elapsed: Duration) {
        if self.done != done {
            self.advanced = elapsed;
            self.done = done;
        }
        // Cached results arrive immediately, and do not show the pace of the others.
        if elapsed < WARM_UP {
            return;
        }
        let now = Point { done, elapsed };
        self.since.get_or_insert(now);
        match &mut self.recent {
            [None, _] => self.recent = [Some(now), Some(now)],
            // Two points alternate, so that the pace is always measured over one to two periods,
            // without a list of all counts.
            [before, Some(later)] if elapsed >= later.elapsed + RECENT => {
                *before = Some(*later);
                *later = now;
            }
            _ => {}
        }
    }

    /// Returns the remaining time for this total, if it is known.
    pub(crate) fn left(&self, total: u64, elapsed: Duration) -> Option<Duration> {
        match self.left {
            Remaining::Known(left) => return Some(left),
            Remaining::Unknown => return None,
            Remaining::ByPace => {}
        }
        // There is no estimate before the first progress.
        let is_known =
            (1..total).contains(&self.done) && elapsed.saturating_sub(self.advanced) <= STUCK_AFTER;
        let to_do = total.saturating_sub(self.done);
        let recent = self
            .left_by(self.recent[0], to_do, elapsed)
            .filter(|_| is_known)?;
        let overall = self.left_by(self.since, to_do, elapsed)?;
        // An estimate is given only if the recent pace and that of the whole run roughly agree.
        let is_steady = recent <= overall.saturating_mul(UNSTEADY)
            && overall <= recent.saturating_mul(UNSTEADY);
        is_steady.then_some(recent)
    }

    /// Returns the time that the work takes at the pace since a point, if there was progress since
    /// then.
    fn left_by(&self, since: Option<Point>, to_do: u64, elapsed: Duration) -> Option<Duration> {
        let since = since?;
        let counted = self
            .done
            .checked_sub(since.done)
            .filter(|counted| *counted > 0)?;
        Some(
            elapsed
                .saturating_sub(since.elapsed)
                .mul_f64(as_f64(to_do) / as_f64(counted)),
        )
    }
}

/// Returns the time until the next line of progress.
pub(crate) fn line_every(elapsed: Duration) -> Duration {
    let row = LINE_EVERY.iter().find(|(from, _)| elapsed >= *from);
    row.map_or(Duration::ZERO, |(_, every)| *every)
}

/// Returns a count as a factor.
#[expect(clippy::cast_precision_loss, reason = "no run has 2^53 test runs")]
fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn only_a_steady_pace_gives_an_estimate() {
        let mut pace = Pace::default();
        pace.advance(0, seconds(1));
        assert_eq!(pace.left(10, seconds(1)), None, "nothing is done");
        for done in 1..=5 {
            pace.advance(done, seconds(1 + done * 2));
        }
        assert_eq!(pace.left(10, seconds(11)), Some(seconds(10)));
        assert_eq!(pace.left(10, seconds(21)), Some(seconds(20)));
        assert_eq!(pace.left(10, seconds(22)), None);
        assert_eq!(pace.left(5, seconds(11)), None, "all is done");
    }

    #[test]
    fn a_slow_submission_among_quick_ones_gives_no_estimate() {
        let mut pace = Pace::default();
        for second in 1..=60 {
            pace.advance(second * 5, seconds(second));
        }
        assert_eq!(pace.left(1000, seconds(60)), Some(seconds(140)));
        // One in eight seconds is forty times as slow. After a while this is the expected pace.
        for step in 1..=200 {
            let now = 60 + step * 8;
            pace.advance(300 + step, seconds(now));
            let left = pace.left(1000, seconds(now));
            match step {
                4..20 => assert_eq!(left, None, "{step}"),
                150.. => assert!(left.is_some(), "{step}"),
                _ => {}
            }
        }
    }

    #[test]
    fn immediate_results_do_not_count_for_the_pace() {
        let mut pace = Pace::default();
        pace.advance(900, Duration::from_millis(50));
        pace.advance(900, seconds(1));
        pace.advance(910, seconds(11));
        assert_eq!(pace.left(1000, seconds(11)), Some(seconds(90)));
        pace.begin();
        assert_eq!(pace.left(1000, seconds(1)), None);
    }

    #[test]
    fn limits_determine_the_remaining_time() {
        let mut pace = Pace {
            left: Remaining::Known(seconds(3)),
            ..Pace::default()
        };
        assert_eq!(pace.left(0, seconds(0)), Some(seconds(3)));
        pace.left = Remaining::Unknown;
        pace.advance(1, seconds(2));
        assert_eq!(pace.left(2, seconds(2)), None);
    }
}
