//! Random sequences: numbers, permutations, partitions, strings.
//!
//! Responsible for the properties of each of them. Must draw numbers only through [`Random`].

// Programs that contain the library are compiled in older editions too, in which this trait is not
// in the prelude.
use std::convert::TryFrom;
use std::ops::RangeInclusive;

use super::number::Integer;
use super::random::Random;

/// Draws `count` integers of a range, all equally likely.
///
/// # Panics
/// When the range is empty.
#[track_caller]
pub fn integers<T: Integer>(random: &mut Random, count: usize, range: RangeInclusive<T>) -> Vec<T> {
    (0..count).map(|_| random.int(range.clone())).collect()
}

/// Draws `count` different integers of a range, in random order.
///
/// # Panics
/// When the range has fewer integers.
#[track_caller]
pub fn distinct_integers<T: Integer>(
    random: &mut Random,
    count: usize,
    range: RangeInclusive<T>,
) -> Vec<T> {
    random.distinct(count, range)
}

/// Returns `count` consecutive numbers from `first` on, in random order.
///
/// ```
/// use testlib::{generate::permutation, Random};
/// let mut order = permutation(&mut Random::new(1), 5, 1);
/// order.sort();
/// assert_eq!(order, [1, 2, 3, 4, 5]);
/// ```
pub fn permutation(random: &mut Random, count: usize, first: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (first..first + count).collect();
    random.shuffle(&mut order);
    order
}

/// Divides a sum into `parts` numbers of at least `min`, with all such lists equally likely.
///
/// ```
/// use testlib::{generate::partition, Random};
/// let parts = partition(&mut Random::new(1), 100, 7, 3);
/// assert_eq!((parts.len(), parts.iter().sum::<u64>()), (7, 100));
/// assert!(parts.iter().all(|part| *part >= 3));
/// ```
///
/// # Panics
/// When the sum is too small, or there is a sum but no part.
#[track_caller]
pub fn partition(random: &mut Random, sum: u64, parts: usize, min: u64) -> Vec<u64> {
    if parts == 0 && sum == 0 {
        return Vec::new();
    }
    let free = u64::try_from(parts)
        .ok()
        .and_then(|parts| sum.checked_sub(parts.checked_mul(min)?));
    let Some(free) = free.filter(|_| parts > 0) else {
        panic!(
            "{} is not the sum of {} parts of at least {}",
            sum, parts, min
        );
    };
    // Stars and bars: parts - 1 of free + parts - 1 places are bars, and the parts are the numbers
    // of stars between them.
    let places = u128::from(free) + parts as u128 - 1;
    let places = i128::try_from(places).expect("two numbers of 64 bits");
    let mut bars = if places == 0 {
        Vec::new()
    } else {
        random.distinct(parts - 1, 0..=places - 1)
    };
    bars.sort_unstable();
    let mut from = 0;
    let ends = bars.into_iter().chain([places]).map(|end| {
        let stars = u64::try_from(end - from).expect("at most the sum");
        from = end + 1;
        stars + min
    });
    ends.collect()
}

/// Draws a string of `length` characters, with all characters of the alphabet equally likely.
///
/// # Panics
/// When the alphabet is empty.
#[track_caller]
pub fn string(random: &mut Random, length: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..length).map(|_| *random.pick(&alphabet)).collect()
}

/// Draws `count` different strings with lengths in this range.
///
/// # Panics
/// When it takes too long to find enough strings, because there are too few or barely enough.
#[track_caller]
pub fn strings(
    random: &mut Random,
    count: usize,
    length: RangeInclusive<usize>,
    alphabet: &str,
) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut found = Vec::with_capacity(count);
    for _ in 0..20 * count + 1000 {
        if found.len() == count {
            break;
        }
        let length = random.int(length.clone());
        let new = string(random, length, alphabet);
        if seen.insert(new.clone()) {
            found.push(new);
        }
    }
    assert!(
        found.len() == count,
        "cannot find {} different strings of {:?} characters from `{}`",
        count,
        length,
        alphabet
    );
    found
}

/// Draws a balanced sequence of this many pairs of brackets, with all sequences equally likely.
///
/// ```
/// use testlib::{generate::balanced_brackets, Random};
/// assert_eq!(balanced_brackets(&mut Random::new(1), 1, ['(', ')']), "()");
/// ```
pub fn balanced_brackets(random: &mut Random, pairs: usize, [open, close]: [char; 2]) -> String {
    // The cycle lemma: of all rotations of `pairs` steps up and one more down, exactly one stays
    // non-negative until its last step.
    let mut steps: Vec<bool> = (0..=2 * pairs).map(|index| index < pairs).collect();
    random.shuffle(&mut steps);
    let (mut height, mut lowest, mut start) = (0_i64, 0, 0);
    for (index, up) in steps.iter().enumerate() {
        height += if *up { 1 } else { -1 };
        if height < lowest {
            (lowest, start) = (height, index + 1);
        }
    }
    steps.rotate_left(start);
    steps[..2 * pairs]
        .iter()
        .map(|up| if *up { open } else { close })
        .collect()
}
