//! The natural order of names, in which numbers count as numbers: `w2` before `w10`.
//!
//! Must not know what is named.

use std::cmp::Ordering;

/// Compares two names; those that are equal but for leading zeros stay apart.
pub(crate) fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
        };
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let ([number, other_number], rests) = split([left, right]);
            [left, right] = rests;
            number.len().cmp(&other_number.len()).then_with(|| number.cmp(other_number))
        } else {
            left = &left[first.len_utf8()..];
            right = &right[second.len_utf8()..];
            first.cmp(&second)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The numbers at the front, without leading zeros, and what follows.
fn split(texts: [&str; 2]) -> ([&str; 2], [&str; 2]) {
    let parts = texts.map(|text| text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())));
    (parts.map(|(number, _)| number.trim_start_matches('0')), parts.map(|(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["w10", "w1", "b", "w2", "secret/02-a", "secret/1", "w", "secret/10"];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(names, ["b", "secret/1", "secret/02-a", "secret/10", "w", "w1", "w2", "w10"]);
    }

    #[test]
    fn it_is_an_order() {
        proptest!(|(names in prop::collection::vec("[a01-9/é]{0,5}", 3))| {
            let [a, b, c] = [&names[0], &names[1], &names[2]];
            prop_assert_eq!(natural(a, b), natural(b, a).reverse());
            prop_assert_eq!(natural(a, b) == Ordering::Equal, a == b);
            prop_assert!(natural(a, b) != Ordering::Less || natural(b, c) != Ordering::Less || natural(a, c) == Ordering::Less);
        });
    }
}
