//! The load of the host during measurements.
//!
//! Responsible for the number of processors that other programs kept busy. Must not depend on what
//! is measured, or on how the load is used.

use std::fs;

/// The ticks of all processors so far, from `/proc/stat` (proc_stat(5)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticks {
    busy: u64,
    all: u64,
    processors: u64,
}

impl Ticks {
    /// Reads the ticks up to now; `None` if the host does not report them.
    pub(crate) fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let first = text.lines().next()?.strip_prefix("cpu ")?;
        // user, nice, system, idle, iowait, irq, softirq, steal. The time of guests is included in
        // user.
        let ticks: Vec<u64> = first
            .split_ascii_whitespace()
            .take(8)
            .map_while(|word| word.parse().ok())
            .collect();
        let (idle, all) = (ticks.get(3)? + ticks.get(4)?, ticks.iter().sum::<u64>());
        // The first line is the sum. The lines of individual processors follow it directly, before
        // the lines of interrupts.
        let processors = text
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("cpu"))
            .count() as u64;
        Some(Self {
            busy: all - idle,
            all,
            processors,
        })
    }

    /// Returns the minimum number of processors that other programs kept busy since then, while one
    /// program at a time was measured.
    pub(crate) fn others_since(self, then: Self) -> Option<f64> {
        let all = self.all.checked_sub(then.all).filter(|all| *all > 0)?;
        let share = self.busy.checked_sub(then.busy)? as f64 / all as f64;
        // The measured program and this one take turns, so they keep one processor busy.
        Some((share * self.processors as f64 - 1.0).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_beyond_one_program_is_attributed_to_others() {
        let at = |user: u64, idle: u64| {
            Ticks::parse(&format!(
                "cpu  {user} 0 0 {idle} 0 0 0 0 0 0\ncpu0 1 2\ncpu1 3 4\nintr 5\n"
            ))
            .unwrap()
        };
        assert_eq!(
            at(300, 100).others_since(at(200, 0)),
            Some(0.0),
            "one of two processors is busy"
        );
        assert_eq!(at(175, 25).others_since(at(0, 0)), Some(0.75));
        assert_eq!(at(5, 5).others_since(at(5, 5)), None, "no time has passed");
        assert_eq!(Ticks::parse("cpu  1 2\n"), None);
        assert_eq!(Ticks::parse(""), None);
    }
}
