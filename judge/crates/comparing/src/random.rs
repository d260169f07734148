//! Random numbers that are the same for the same seed, on every machine.
//!
//! Responsible for drawing. Pure. Must not choose seeds.
//!
//! Source: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).

/// A generator.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// An index below `length`, which is not 0. The bias is that of 64 bits, far below what anything here can show.
    pub(crate) fn below(&mut self, length: usize) -> usize {
        let wide = u128::from(self.next()) * length as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from 0 to below 1.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A draw from the standard normal distribution (Box and Muller).
    #[cfg(test)]
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        // The first outputs of the reference implementation with seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn every_index_is_drawn_about_as_often() {
        let mut random = Random::new(7);
        let mut seen = [0u32; 5];
        (0..10_000).for_each(|_| seen[random.below(5)] += 1);
        assert!(seen.iter().all(|count| (1_850..2_150).contains(count)), "{seen:?}");
    }
}
