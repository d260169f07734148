//! The share of the host that other processes used during a case.
//!
//! Responsible for distinguishing a late sandbox from a busy host. Must not decide about cases.
//!
//! A case that gets no processor is too late to show anything: a program that gives up after five
//! seconds may have computed for less than its limit of half a second, and a supervisor has to wait
//! for its turn. Such a case may be tried again, but only if the host itself shows that other
//! processes were in the way.

use std::fs;
use std::time::Duration;

/// The share of the processors used by others above which a case may be tried again.
pub(crate) const BUSY: f64 = 0.2;

/// Ticks of all processors, as the kernel counts them.
pub(crate) struct Ticks {
    working: f64,
    all: f64,
}

/// Ticks per second (`USER_HZ`, the same on every Linux).
const HERTZ: f64 = 100.0;

impl Ticks {
    pub(crate) fn now() -> Self {
        Self::read(&fs::read_to_string("/proc/stat").unwrap_or_default())
    }

    fn read(stat: &str) -> Self {
        let first = stat.lines().next().unwrap_or_default();
        let numbers: Vec<f64> = first
            .split_whitespace()
            .skip(1)
            .filter_map(|text| text.parse().ok())
            .collect();
        // user, nice, system, idle, iowait, irq, softirq, steal; guests' time is counted in the
        // first two.
        let sum = |indexes: &[usize]| {
            indexes
                .iter()
                .filter_map(|index| numbers.get(*index))
                .sum::<f64>()
        };
        Self {
            working: sum(&[0, 1, 2, 5, 6, 7]),
            all: sum(&[0, 1, 2, 3, 4, 5, 6, 7]),
        }
    }

    /// The share of all processors that others have used since then; `own` is the time that is
    /// known not to be theirs.
    pub(crate) fn used_by_others(&self, own: Duration) -> f64 {
        let now = Self::now();
        let all = now.all - self.all;
        if all > 0.0 {
            (now.working - self.working - own.as_secs_f64() * HERTZ).max(0.0) / all
        } else {
            0.0
        }
    }
}
