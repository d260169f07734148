//! Random numbers that are the same everywhere.
//!
//! Responsible for the generator and for drawing from it without bias. Must not take anything
//! from its surroundings.
//!
//! The generator is xoshiro256** (Blackman and Vigna), its state made of the seed by
//! SplitMix64. Only integer operations and single roundings of IEEE 754 are used, so the
//! numbers are the same on every platform, and they stay the same within a major version.

use std::collections::BTreeSet;
// Programs with the library in them are compiled in older editions too, whose prelude lacks it.
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
    /// Makes a source of random numbers from a seed. Seeds that are alike give numbers that are
    /// not.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self([(); 4].map(|()| split_mix(&mut state)))
    }

    /// Makes a source from a state of xoshiro256**, to compare with other implementations.
    ///
    /// # Panics
    /// When the state is all zeros, from which it never gets away.
    #[must_use]
    pub fn from_state(state: [u64; 4]) -> Self {
        assert!(state != [0; 4], "expected a state that is not all zeros");
        Self(state)
    }

    /// Another source, whose numbers have nothing to do with those that follow here.
    #[must_use]
    pub fn split(&mut self) -> Self {
        Self::new(self.bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        // xoshiro256** (Blackman and Vigna). Its output is part of what packages depend on:
        // the data of a seed must never change.
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

    /// A number from 0 to `most`, each as likely as any other: drawn with as many bits as are
    /// needed, and again if it is too large.
    fn up_to(&mut self, most: u128) -> u128 {
        // A shift by all 128 bits overflows, and happens for `most` 0, which needs no bits.
        let mask = u128::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
        loop {
            let mut drawn = u128::from(self.bits());
            if mask > u128::from(u64::MAX) {
                drawn |= u128::from(self.bits()) << 64;
            }
            // Rejecting numbers that are too large is exact. A remainder would make small
            // numbers likelier.
            drawn &= mask;
            if drawn <= most {
                return drawn;
            }
        }
    }

    /// An integer of a range, each as likely as any other.
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
        // Wrapping, since the distance may need one bit more than an `i128` has.
        let drawn = self.up_to(high.wrapping_sub(low) as u128);
        let value = low.wrapping_add(drawn as i128);
        T::from_wide(value).expect("it lies between two numbers of the type")
    }

    /// A number from 0 to `count - 1`: an index.
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

    /// A number of a range, from 2⁵³ equal steps.
    ///
    /// # Panics
    /// When the range is empty or not finite.
    #[expect(
        clippy::cast_precision_loss,
        reason = "53 bits are exactly those that fit"
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
        // Rounding can lead beyond the upper end by one step.
        (low + (high - low) * part).clamp(low, high)
    }

    /// True `chances` times out of `of`.
    ///
    /// # Panics
    /// When `of` is 0.
    #[track_caller]
    pub fn chance(&mut self, chances: u64, of: u64) -> bool {
        assert!(of > 0, "expected at least one chance");
        self.int(0..=of - 1) < chances
    }

    /// An integer of a range that is more likely to be large (`bias` above 0: the largest of
    /// `bias + 1` drawn ones) or small (below 0: the smallest).
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

    /// An index, each as likely as its weight says.
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

    /// Puts things into random order, each order as likely as any other.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        // Fisher and Yates: each position gets one of the things that are left, itself
        // included. Without itself, some orders would never occur.
        for end in (1..things.len()).rev() {
            things.swap(end, self.int(0..=end));
        }
    }

    /// Several of many, none twice, in random order.
    ///
    /// # Panics
    /// When there are not that many.
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

    /// Integers of a range, none twice, in random order.
    ///
    /// # Panics
    /// When the range has not that many.
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
        // Floyd's way: of each longer range one number, or its last one if that was drawn
        // before.
        let mut chosen = BTreeSet::new();
        let mut drawn_ones = Vec::with_capacity(count);
        for last in high - more..=high {
            let drawn = self.int(low..=last);
            let new = if chosen.insert(drawn) { drawn } else { last };
            chosen.insert(new);
            drawn_ones.push(T::from_wide(new).expect("it lies between two numbers of the type"));
        }
        // The numbers are evenly drawn as a set, but large ones tend to come late.
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
