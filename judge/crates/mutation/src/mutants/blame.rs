//! The mutants that the errors of a compiler are about.
//!
//! Responsible for places in a combined program. Must not know what compilers write.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::mutants::combine::Combined;
use crate::mutants::mutant::MutantIndex;

/// An error, by the places that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The places, in the order in which they are named.
    pub(crate) places: Vec<Place>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// In bytes.
    pub(crate) range: Range<usize>,
    /// True for the primary place, which the error is about; others are only part of the explanation.
    pub(crate) is_primary: bool,
}

/// The mutants without which these errors should be gone: those in whose text an error lies, or else those of the
/// innermost choice around it. Empty when an error lies nowhere near any of them.
#[must_use]
pub(crate) fn blamed(combined: &Combined, complaints: &[Complaint]) -> BTreeSet<MutantIndex> {
    complaints.iter().flat_map(|complaint| of_one(combined, complaint)).collect()
}

fn of_one(combined: &Combined, complaint: &Complaint) -> Vec<MutantIndex> {
    let primary = || complaint.places.iter().filter(|place| place.is_primary);
    let others = || complaint.places.iter().filter(|place| !place.is_primary);
    let branch = |place: &Place| {
        let holds = |(range, _): &&(Range<usize>, MutantIndex)| holds(range, &place.range);
        combined.branches.iter().find(holds).map(|(_, mutant)| vec![*mutant])
    };
    let choice = |place: &Place| {
        let holding = combined.choices.iter().filter(|(range, _)| holds(range, &place.range));
        holding.min_by_key(|(range, _)| range.len()).map(|(_, mutants)| mutants.clone())
    };
    let found = primary().find_map(branch).or_else(|| primary().find_map(choice));
    let found = found.or_else(|| others().find_map(branch)).or_else(|| others().find_map(choice));
    // An error about a whole statement may be about a choice in it.
    let within = || {
        let inside = combined.choices.iter().filter(|(range, _)| primary().any(|place| holds(&place.range, range)));
        inside.flat_map(|(_, mutants)| mutants.iter().copied()).collect()
    };
    found.unwrap_or_else(within)
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_about_the_innermost_text_around_it() {
        let combined = Combined {
            text: String::new(),
            branches: vec![(10..20, MutantIndex(1)), (40..50, MutantIndex(2))],
            choices: vec![(5..60, [1, 3].map(MutantIndex).into()), (35..55, [2, 4].map(MutantIndex).into())],
        };
        let about = |range: Range<usize>, also: Option<Range<usize>>| {
            let also = also.map(|range| Place { range, is_primary: false });
            let places = [Place { range, is_primary: true }].into_iter().chain(also).collect();
            blamed(&combined, &[Complaint { places }]).into_iter().map(|mutant| mutant.0).collect::<Vec<_>>()
        };
        assert_eq!(about(12..15, None), [1]);
        assert_eq!(about(40..50, None), [2]);
        assert_eq!(about(36..38, None), [2, 4]);
        assert_eq!(about(22..30, None), [1, 3]);
        assert_eq!(about(70..71, Some(11..12)), [1]);
        assert_eq!(about(70..71, None), [0; 0]);
        assert_eq!(about(0..100, None), [1, 2, 3, 4]);
    }
}
