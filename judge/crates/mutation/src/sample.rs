//! A sample of mutants: the same for the same seed.
//!
//! Must not know mutants, but for their indices.

use std::collections::BTreeSet;

use judge_exec::Random;

use crate::mutants::MutantIndex;

/// The indices of a sample of so many mutants, each as likely as any other.
pub(crate) fn draw(total: usize, wanted: usize, seed: u64) -> BTreeSet<MutantIndex> {
    let mut numbers: Vec<usize> = (0..total).collect();
    let mut random = Random::new(seed);
    let wanted = wanted.min(total);
    // Fisher and Yates, as far as needed.
    for place in 0..wanted {
        let left = (total - place) as u64;
        numbers.swap(place, place + usize::try_from(random.draw() % left).unwrap_or(0));
    }
    numbers[..wanted].iter().copied().map(MutantIndex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_and_everything_is_drawn_at_most_once() {
        assert_eq!(draw(100, 7, 1), draw(100, 7, 1));
        assert_ne!(draw(100, 7, 1), draw(100, 7, 2));
        assert_eq!(draw(100, 7, 1).len(), 7);
        assert_eq!(draw(5, 7, 1).len(), 5);
        assert!(draw(0, 7, 1).is_empty());
        let drawn: BTreeSet<MutantIndex> = (0..200).flat_map(|seed| draw(10, 1, seed)).collect();
        assert_eq!(drawn.len(), 10);
    }
}
