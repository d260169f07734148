//! Samples of mutants, by a seed.

use std::collections::BTreeSet;

use judge_exec::Random;

use crate::mutants::MutantIndex;

/// The indices of a random sample of this size, with equal probabilities.
pub(crate) fn draw(total: usize, size: usize, seed: u64) -> BTreeSet<MutantIndex> {
    let mut numbers: Vec<usize> = (0..total).collect();
    let mut random = Random::new(seed);
    let size = size.min(total);
    // A Fisher–Yates shuffle that stops once the sample is complete.
    for place in 0..size {
        let left = (total - place) as u64;
        numbers.swap(
            place,
            place + usize::try_from(random.draw() % left).unwrap_or(0),
        );
    }
    numbers[..size].iter().copied().map(MutantIndex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_depend_on_the_seed_and_have_no_duplicates() {
        assert_eq!(draw(100, 7, 1), draw(100, 7, 1));
        assert_ne!(draw(100, 7, 1), draw(100, 7, 2));
        assert_eq!(draw(100, 7, 1).len(), 7);
        assert_eq!(draw(5, 7, 1).len(), 5);
        assert!(draw(0, 7, 1).is_empty());
        let drawn: BTreeSet<MutantIndex> = (0..200).flat_map(|seed| draw(10, 1, seed)).collect();
        assert_eq!(drawn.len(), 10);
    }
}
