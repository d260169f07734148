//! Random numbers that are the same everywhere.
//!
//! Responsible for the generator and for drawing from it without bias. Must not depend on the
//! environment.
//!
//! The generator is xoshiro256** (Blackman and Vigna), with a state that SplitMix64 derives from
//! the seed. Only integer operations and single roundings of IEEE 754 are used, so the numbers are
//! the same on every platform, and do not change within a major version.

use std::collections::BTreeSet;
// Programs that contain the library are compiled in older editions too, in which this trait is not
// in the prelude.
use std::convert::TryFrom;
use std::ops::RangeInclusive;

use super::number::Integer;

/// A source of random numbers.
///
/// ```
/// use testlib::Random;
/// let mut random = Random::new(42);
/// let die: u32 = random.int(1..=6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(Random::new(42).int(1..=6_u32), die);
/// ```
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// Creates a source of random numbers from a seed. Similar seeds give unrelated numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self([(); 4].map(|()| split_mix(&mut state)))
    }

    /// Creates a source from a state of xoshiro256**, to compare with other implementations.
    ///
    /// # Panics
    /// When the state is all zeros, which never changes.
    #[must_use]
    pub fn from_state(state: [u64; 4]) -> Self {
        assert!(state != [0; 4], "expected a state that is not all zeros");
        Self(state)
    }

    /// Creates another source with numbers that are independent of the later ones of this source.
    #[must_use]
    pub fn split(&mut self) -> Self {
        Self::new(self.bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        // xoshiro256** (Blackman and Vigna). Packages depend on its output: the data of a seed must
        // never change.
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Draws a number from 0 to `max`, all equally likely. It is drawn with as many bits as needed,
    /// and again if it is too large.
    fn up_to(&mut self, max: u128) -> u128 {
        // A shift by all 128 bits overflows, and happens for `max` 0, which needs no bits.
        let mask = u128::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
        loop {
            let mut drawn = u128::from(self.bits());
            if mask > u128::from(u64::MAX) {
                drawn |= u128::from(self.bits()) << 64;
            }
            // Rejecting numbers that are too large is exact. A remainder would make small numbers
            // more likely.
            drawn &= mask;
            if drawn <= max {
                return drawn;
            }
        }
    }

    /// Draws an integer of a range, all equally likely.
    ///
    /// # Panics
    /// When the range is empty.
    #[track_caller]
    pub fn int<T: Integer>(&mut self, range: RangeInclusive<T>) -> T {
        let (low, high) = (range.start().to_wide(), range.end().to_wide());
        assert!(
            low <= high,
            "expected a range that is not empty, found {}..={}",
            low,
            high
        );
        // Wraps around, since the distance may need one bit more than an `i128` has.
        let drawn = self.up_to(high.wrapping_sub(low) as u128);
        let value = low.wrapping_add(drawn as i128);
        T::from_wide(value).expect("it is between two numbers of the type")
    }

    /// Draws an index: a number from 0 to `count - 1`.
    ///
    /// # Panics
    /// When `count` is 0.
    #[track_caller]
    pub fn index(&mut self, count: usize) -> usize {
        assert!(
            count > 0,
            "expected something to choose from, found nothing"
        );
        self.int(0..=count - 1)
    }

    /// Draws a number of a range, from 2⁵³ equal steps.
    ///
    /// # Panics
    /// When the range is empty or not finite.
    #[expect(
        clippy::cast_precision_loss,
        reason = "an `f64` represents integers of 53 bits exactly"
    )]
    #[track_caller]
    pub fn real(&mut self, range: RangeInclusive<f64>) -> f64 {
        let (low, high) = (*range.start(), *range.end());
        assert!(
            low <= high && (high - low).is_finite(),
            "expected a finite range, found {}..={}",
            low,
            high
        );
        // The upper 53 bits are as many as the significand of an `f64` holds, so the conversion
        // is exact.
        let part = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        // Rounding can exceed the upper end by one step.
        (low + (high - low) * part).clamp(low, high)
    }

    /// Returns true with a probability of `chances` out of `total`.
    ///
    /// # Panics
    /// When `total` is 0.
    #[track_caller]
    pub fn chance(&mut self, chances: u64, total: u64) -> bool {
        assert!(total > 0, "expected a total of at least 1, found 0");
        self.int(0..=total - 1) < chances
    }

    /// Draws an integer of a range with a bias: the largest of `bias + 1` draws if `bias` is
    /// positive, and the smallest of `1 - bias` draws if it is negative.
    ///
    /// # Panics
    /// When the range is empty.
    #[track_caller]
    pub fn biased<T: Integer>(&mut self, range: RangeInclusive<T>, bias: i32) -> T {
        let mut value = self.int(range.clone());
        for _ in 0..bias.unsigned_abs() {
            let other = self.int(range.clone());
            value = if bias > 0 {
                value.max(other)
            } else {
                value.min(other)
            };
        }
        value
    }

    /// Draws an index, with a probability proportional to its weight.
    ///
    /// # Panics
    /// When the weights add up to 0, or to more than 2⁶⁴ - 1.
    #[track_caller]
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let sum = weights
            .iter()
            .try_fold(0_u64, |sum, weight| sum.checked_add(*weight));
        let sum = sum
            .filter(|sum| *sum > 0)
            .expect("weights add up to something, and to less than 2^64");
        let mut drawn = self.int(0..=sum - 1);
        for (index, weight) in weights.iter().enumerate() {
            if drawn < *weight {
                return index;
            }
            drawn -= weight;
        }
        unreachable!("what was drawn is less than the sum")
    }

    /// Picks one of several values.
    ///
    /// # Panics
    /// When `from` is empty.
    #[track_caller]
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }

    /// Puts things into random order, with all orders equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        // Fisher and Yates: each position gets one of the remaining things, including its own.
        // Without its own, some orders would never occur.
        for end in (1..things.len()).rev() {
            things.swap(end, self.int(0..=end));
        }
    }

    /// Draws `count` different elements, in random order.
    ///
    /// # Panics
    /// When there are fewer elements.
    #[track_caller]
    pub fn sample<T: Clone>(&mut self, from: &[T], count: usize) -> Vec<T> {
        assert!(
            count <= from.len(),
            "expected at most {} of them, found {count}",
            from.len()
        );
        self.distinct(count, 0..=from.len().saturating_sub(1))
            .into_iter()
            .map(|index| from[index].clone())
            .collect()
    }

    /// Draws `count` different integers of a range, in random order.
    ///
    /// # Panics
    /// When the range has fewer integers.
    #[track_caller]
    pub fn distinct<T: Integer>(&mut self, count: usize, range: RangeInclusive<T>) -> Vec<T> {
        if count == 0 {
            return Vec::new();
        }
        let (low, high) = (range.start().to_wide(), range.end().to_wide());
        let more = i128::try_from(count - 1).expect("a count has at most 64 bits");
        assert!(
            low <= high && more <= high.saturating_sub(low),
            "{}..={} has no {} numbers",
            low,
            high,
            count
        );
        // Floyd's algorithm: a number from each longer range, or its last number if that one was
        // drawn before.
        let mut chosen = BTreeSet::new();
        let mut drawn_ones = Vec::with_capacity(count);
        for last in high - more..=high {
            let drawn = self.int(low..=last);
            let new = if chosen.insert(drawn) { drawn } else { last };
            chosen.insert(new);
            drawn_ones.push(T::from_wide(new).expect("it is between two numbers of the type"));
        }
        // All sets are equally likely, but large numbers tend to come late.
        self.shuffle(&mut drawn_ones);
        drawn_ones
    }
}

/// The next number of SplitMix64 (Steele, Lea and Flood).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
