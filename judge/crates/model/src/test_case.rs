//! Test cases: input, answer and arguments.
//!
//! Must not read the files that it names.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments for the output validators of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputValidatorArgs {
    /// Arguments for every output validator, the default one or the package's own.
    pub all: Vec<String>,
    /// Further arguments for one of several output validators, by its position among those of the
    /// problem (legacy, "Test Data Groups", `output_validator_flags` with a name).
    pub own: BTreeMap<usize, Vec<String>>,
}

impl OutputValidatorArgs {
    /// Returns the arguments for the output validator at this position among those of the problem.
    pub fn for_validator(&self, position: usize) -> impl Iterator<Item = &String> {
        self.all
            .iter()
            .chain(self.own.get(&position).into_iter().flatten())
    }
}

/// One test case of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// Its name below `data/`, without extension, such as `secret/group1/03-max`: unique in the
    /// package.
    pub id: String,
    /// The input file, absolute.
    pub input: PathBuf,
    /// The answer file, absolute.
    pub answer: PathBuf,
    /// Command-line arguments for the submission.
    pub args: Vec<String>,
    /// Arguments for the output validators, the default one or the package's own.
    pub output_validator_args: OutputValidatorArgs,
    /// Arguments for the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments for the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// A directory whose contents are put into the submission's working directory (`.files`),
    /// absolute.
    pub files: Option<PathBuf>,
    /// An output that the output validator must accept (`.out`), absolute.
    pub output: Option<PathBuf>,
    /// The origin of its input, as recorded in the package's lock file, such as `generate random.py
    /// --n 5`; `None` if it is unknown or was not looked up.
    pub origin: Option<String>,
}

impl TestCase {
    /// True if it is one of the samples that contestants see.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.id.starts_with("sample/")
    }
}

/// Compares two names in natural order: `w2` before `w10`. Names that differ only in leading zeros
/// are not equal.
#[must_use]
pub fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
        };
        let order = if first.is_ascii_digit() && second.is_ascii_digit() {
            let ([number, other_number], rests) = split([left, right]);
            [left, right] = rests;
            number
                .len()
                .cmp(&other_number.len())
                .then_with(|| number.cmp(other_number))
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

/// Splits both texts into the number at the front, without leading zeros, and the rest.
fn split(texts: [&str; 2]) -> ([&str; 2], [&str; 2]) {
    let parts = texts.map(|text| {
        text.split_at(
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len()),
        )
    });
    (
        parts.map(|(number, _)| number.trim_start_matches('0')),
        parts.map(|(_, rest)| rest),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_in_names_are_ordered_by_value() {
        let mut names = [
            "w10",
            "w1",
            "b",
            "w2",
            "secret/02-a",
            "secret/1",
            "w",
            "secret/10",
        ];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(
            names,
            [
                "b",
                "secret/1",
                "secret/02-a",
                "secret/10",
                "w",
                "w1",
                "w2",
                "w10"
            ]
        );
    }

    #[test]
    fn natural_order_is_total() {
        proptest!(|(names in prop::collection::vec("[a01-9/é]{0,5}", 3))| {
            let [a, b, c] = [&names[0], &names[1], &names[2]];
            prop_assert_eq!(natural(a, b), natural(b, a).reverse());
            prop_assert_eq!(natural(a, b) == Ordering::Equal, a == b);
            prop_assert!(natural(a, b) != Ordering::Less || natural(b, c) != Ordering::Less || natural(a, c) == Ordering::Less);
        });
    }
}
