//! What a search is given, and what comes of it.
//!
//! Pure data. Must not know how it is carried out.

use std::num::NonZero;
use std::time::Duration;

use judge_runner::Tried;

use crate::finder::Finder;
use crate::stand::Seen;

/// What is looked for, and for how long.
#[derive(Clone, Debug)]
pub struct Search<'f> {
    /// What an input must do.
    pub finder: &'f Finder,
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of the first input.
    pub from: u64,
    /// How many inputs, at most.
    pub inputs: Option<NonZero<u64>>,
    /// How long, at most.
    pub time: Option<Duration>,
    /// How many findings of different classes are enough.
    pub findings: usize,
    /// Whose slowest input is kept, if that is asked for.
    pub slowest: Option<usize>,
}

impl<'f> Search<'f> {
    /// Looks for one finding, from the first input on.
    #[must_use]
    pub fn within(time: Duration, finder: &'f Finder, seed: u64) -> Self {
        Self { finder, seed, from: 0, inputs: None, time: Some(time), findings: 1, slowest: None }
    }
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A generator made it: its index, and the arguments.
    Call {
        /// Among the generators.
        generator: usize,
        /// With the seed filled in.
        args: Vec<String>,
        /// Among the templates.
        template: usize,
    },
    /// A test case was changed: its index.
    Changed {
        /// Among the problem's test cases.
        test_case: usize,
    },
}

/// An input for which the finder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The number of the input, under the seed of the search.
    pub number: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// The input.
    pub input: Vec<u8>,
    /// The index of the test case whose arguments it has.
    pub like: usize,
    /// What the submissions did that the finder asked, by submission.
    pub seen: Vec<Seen>,
}

impl Finding {
    /// Whether two findings are of the same class: every submission does the same.
    #[must_use]
    pub fn is_like(&self, seen: &[Seen]) -> bool {
        is_same(&self.seen, seen)
    }
}

/// What inputs came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Inputs that were begun.
    pub inputs: u64,
    /// Calls that failed: arguments that make no sense to the generator.
    pub failed: u64,
    /// Inputs that came before.
    pub repeated: u64,
    /// Inputs that the input validators reject.
    pub invalid: u64,
    /// Inputs that the reference does not answer in time, or not rightly.
    pub unusable: u64,
    /// Inputs that submissions were judged on.
    pub judged: u64,
    /// Templates of which a valid input came.
    pub templates: usize,
    /// Findings of different classes.
    pub findings: usize,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// There are enough findings.
    Found,
    /// All inputs were tried.
    Inputs,
    /// The time is over.
    Time,
    /// It was interrupted.
    Interrupted,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The findings, of different classes, by number.
    pub findings: Vec<Finding>,
    /// Why it ended.
    pub end: SearchEnd,
    /// What the inputs came to.
    pub tally: Tally,
    /// The first input that was not tried: where the next search goes on.
    pub next: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// An input that the reference does not answer, if there was one, and what it did.
    pub unusable: Option<(Finding, Tried)>,
    /// The slowest input of the submission that was asked for.
    pub slowest: Option<Finding>,
}

/// Whether every submission did the same.
pub(crate) fn is_same(one: &[Seen], other: &[Seen]) -> bool {
    let same = |(one, other): (&Seen, &Seen)| one.submission == other.submission && one.class == other.class;
    one.len() == other.len() && one.iter().zip(other).all(same)
}
