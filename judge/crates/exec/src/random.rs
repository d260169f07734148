//! Random numbers that are the same for the same seed, on every machine.
//!
//! Responsible for drawing. Pure. Must not choose seeds.
//!
//! Source: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA
//! 2014).

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The finalizer of SplitMix64.
fn mix(mut mixed: u64) -> u64 {
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Random {
    /// Creates the stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates a separate stream for each number under a seed.
    #[must_use]
    pub fn for_number(seed: u64, number: u64) -> Self {
        Self(mix(seed ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// The next number of 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `length`; 0 when that is 0. The bias is that of 64 bits, far too small to
    /// show here.
    pub fn below(&mut self, length: u64) -> u64 {
        // A product of 128 bits instead of a remainder: division is slower, and its bias falls
        // on the small numbers.
        ((u128::from(self.draw()) * u128::from(length)) >> 64) as u64
    }

    /// An index below `length`; 0 when that is 0.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or(0)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_the_reference_implementation() {
        // The first outputs of the reference implementation with these seeds.
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.draw(), random.draw()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
        let mut random = Random::new(0);
        assert_eq!(
            [random.draw(), random.draw()],
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]
        );
    }

    #[test]
    fn indices_are_drawn_uniformly() {
        let mut random = Random::new(7);
        let mut seen = [0u32; 5];
        (0..10_000).for_each(|_| seen[random.index(5)] += 1);
        assert!(
            seen.iter().all(|count| (1_850..2_150).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn streams_depend_on_seed_and_number() {
        let first = |seed, number| Random::for_number(seed, number).draw();
        assert_eq!(first(7, 3), first(7, 3));
        let all: std::collections::BTreeSet<u64> = (0..40)
            .flat_map(|seed| (0..40).map(move |number| first(seed, number)))
            .collect();
        assert_eq!(all.len(), 1600);
    }
}
