//! Random numbers for inputs: small values often, bounds sometimes.
//!
//! Responsible for the distribution of numbers. Pure. Must not choose seeds.

use judge_exec::Random;

/// Draws numbers for inputs.
pub(crate) trait Draw {
    /// Returns true with a probability of one in `times`.
    fn once_in(&mut self, times: u64) -> bool;
    /// Draws a number from `low` to `high`, with equal probabilities.
    fn between(&mut self, low: i64, high: i64) -> i64;
    /// Draws a number below `length`. Each number of binary digits has the same probability, so
    /// small numbers are frequent.
    fn small(&mut self, length: u64) -> u64;
    /// Draws a number from `low` to `high` that is often near the bound that is closer to 0, with
    /// the distribution of [`small`](Self::small). If 0 is between them, the number is often near
    /// 0, on either side.
    fn near(&mut self, low: i64, high: i64) -> i64;
}

impl Draw for Random {
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = high.abs_diff(low.min(high));
        let offset = if width == u64::MAX {
            self.draw()
        } else {
            self.below(width + 1)
        };
        low.min(high).wrapping_add_unsigned(offset)
    }

    fn small(&mut self, length: u64) -> u64 {
        if length <= 1 {
            return 0;
        }
        let digits = 64 - (length - 1).leading_zeros();
        let digits = self.below(u64::from(digits) + 1);
        let max = if digits >= 64 {
            u64::MAX
        } else {
            (1 << digits) - 1
        };
        let min = if digits == 0 { 0 } else { 1 << (digits - 1) };
        let max = max.min(length - 1);
        if max == u64::MAX {
            self.draw() | min
        } else {
            min + self.below(max - min + 1)
        }
    }

    fn near(&mut self, low: i64, high: i64) -> i64 {
        let width = high.abs_diff(low.min(high)).saturating_add(1);
        // In a range around zero, simple numbers are those close to zero on both sides, and not
        // those close to the lower bound.
        if low < 0 && high > 0 {
            let size = self.small(
                low.unsigned_abs()
                    .max(high.unsigned_abs())
                    .saturating_add(1),
            );
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            return if self.once_in(2) {
                (-size).max(low)
            } else {
                size.min(high)
            };
        }
        let offset = self.small(width);
        if high <= 0 && low < 0 {
            high.wrapping_sub_unsigned(offset)
        } else {
            low.wrapping_add_unsigned(offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_frequent_and_large_ones_occur() {
        let mut random = Random::for_number(1, 1);
        let drawn: Vec<u64> = (0..4000).map(|_| random.small(1_000_000)).collect();
        assert!(drawn.iter().all(|number| *number < 1_000_000));
        assert!(drawn.iter().filter(|number| **number < 10).count() > 500);
        assert!(drawn.iter().filter(|number| **number >= 100_000).count() > 200);
        assert!(
            (0..1000).all(|_| random.small(3) < 3) && random.small(1) == 0 && random.small(0) == 0
        );
        assert!((0..1000).any(|_| random.small(u64::MAX) > u64::MAX / 4));
    }

    #[test]
    fn bounds_are_respected_and_reached() {
        let mut random = Random::for_number(2, 1);
        for (low, high) in [
            (0, 5),
            (1, 28),
            (-4, 3),
            (-9, -7),
            (5, 5),
            (i64::MIN, i64::MAX),
            (-3, 0),
        ] {
            for _ in 0..2000 {
                assert!((low..=high).contains(&random.between(low, high)));
                let near = random.near(low, high);
                assert!((low..=high).contains(&near), "{near} in {low} to {high}");
            }
            let reached = |wanted| (0..4000).any(|_| random.near(low, high) == wanted);
            if high.checked_sub(low).is_some_and(|width| width < 100) {
                let mut reached = reached;
                assert!(reached(low) && reached(high), "{low} to {high}");
            }
        }
    }
}
