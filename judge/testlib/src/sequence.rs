//! Random sequences: numbers, permutations, partitions, strings.
//!
//! Responsible for what each of them promises. Must not draw numbers in any other way than through
//! [`Random`].

// Programs with the library in them are compiled in older editions too, in which the prelude has it
// not.
use std::convert::TryFrom;
use std::ops::RangeInclusive;

use super::number::Integer;
use super::random::Random;

/// Draws so many integers of a range, each as likely as any other.
///
/// # Panics
/// When the range is empty.
#[track_caller]
pub fn integers<T: Integer>(random: &mut Random, count: usize, range: RangeInclusive<T>) -> Vec<T> {
    (0..count).map(|_| random.int(range.clone())).collect()
}

/// Draws so many integers of a range, none twice, in random order.
///
/// # Panics
/// When the range has not that many.
#[track_caller]
pub fn distinct_integers<T: Integer>(
    random: &mut Random,
    count: usize,
    range: RangeInclusive<T>,
) -> Vec<T> {
    random.distinct(count, range)
}

/// The numbers from `first` on, so many of them, in random order.
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

/// A sum as so many parts of at least `least` each, every such list as likely as any other.
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
pub fn partition(random: &mut Random, sum: u64, parts: usize, least: u64) -> Vec<u64> {
    if parts == 0 && sum == 0 {
        return Vec::new();
    }
    let free = u64::try_from(parts)
        .ok()
        .and_then(|parts| sum.checked_sub(parts.checked_mul(least)?));
    let Some(free) = free.filter(|_| parts > 0) else {
        panic!(
            "{} is not the sum of {} parts of at least {}",
            sum, parts, least
        );
    };
    // Stars and bars: parts - 1 of free + parts - 1 places are bars, and the stars between them are
    // the parts.
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
        stars + least
    });
    ends.collect()
}

/// A string of so many characters, each as likely as any other of the alphabet.
///
/// # Panics
/// When the alphabet is empty.
#[track_caller]
pub fn string(random: &mut Random, length: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..length).map(|_| *random.pick(&alphabet)).collect()
}

/// Draws so many strings, none twice, their lengths in this range.
///
/// # Panics
/// When it takes too long to find so many: there are not enough, or hardly so.
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
        "there are hardly {} strings of {:?} characters from `{}`",
        count,
        length,
        alphabet
    );
    found
}

/// A sequence of so many pairs of brackets, all balanced, each such sequence as likely as any
/// other.
///
/// ```
/// use testlib::{generate::balanced_brackets, Random};
/// assert_eq!(balanced_brackets(&mut Random::new(1), 1, ['(', ')']), "()");
/// ```
pub fn balanced_brackets(random: &mut Random, pairs: usize, [open, close]: [char; 2]) -> String {
    // The cycle lemma: of all rotations of `pairs` ups and one more down, exactly one stays up to
    // its last step.
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
