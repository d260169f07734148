//! The parameters of a search, and its results.
//!
//! Pure data. Must not know how it is carried out.

use std::num::NonZero;
use std::time::Duration;

use judge_event::{InputTally, SearchEnd};
use judge_exec::TestResult;
use judge_model::{SubmissionIndex, TestCaseIndex};

use crate::finder::Finder;
use crate::inputs::template::{GeneratorIndex, TemplateIndex};
use crate::search_worker::Seen;

/// A search: its finder, and its limits.
#[derive(Clone, Debug)]
pub struct Search<'f> {
    /// The finder that must hold for an input.
    pub finder: &'f Finder,
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of the first input.
    pub from: u64,
    /// The number of inputs, at most.
    pub inputs: Option<NonZero<u64>>,
    /// The time, at most.
    pub time: Option<Duration>,
    /// The number of findings of different classes that are enough.
    pub findings: usize,
    /// The submission whose slowest input is kept, if that is asked for.
    pub slowest: Option<SubmissionIndex>,
}

impl<'f> Search<'f> {
    /// Looks for one finding, from the first input on.
    #[must_use]
    pub fn within(time: Duration, finder: &'f Finder, seed: u64) -> Self {
        Self { finder, seed, from: 0, inputs: None, time: Some(time), findings: 1, slowest: None }
    }
}

/// The origin of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A generator made it: its index, and the arguments.
    Call {
        /// Among the generators.
        generator: GeneratorIndex,
        /// With the seed filled in.
        args: Vec<String>,
        /// Among the templates.
        template: TemplateIndex,
    },
    /// A test case was changed: its index.
    Changed {
        /// Among the problem's test cases.
        test_case: TestCaseIndex,
    },
}

/// An input for which the finder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The number of the input, under the seed of the search.
    pub number: u64,
    /// The origin of the input.
    pub origin: Origin,
    /// The input.
    pub input: Vec<u8>,
    /// The index of the test case whose arguments it has.
    pub like: TestCaseIndex,
    /// The behaviour of the submissions that the finder asked about, by submission.
    pub seen: Vec<Seen>,
}

impl Finding {
    /// True when the finding is like another one, of the same class: every submission does the same.
    #[must_use]
    pub fn is_like(&self, seen: &[Seen]) -> bool {
        is_same(&self.seen, seen)
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The findings, of different classes, by number.
    pub findings: Vec<Finding>,
    /// Why it ended.
    pub end: SearchEnd,
    /// The tally of the inputs.
    pub tally: InputTally,
    /// The first input that was not tried: where the next search goes on.
    pub next: u64,
    /// The elapsed time.
    pub elapsed: Duration,
    /// An input that the reference does not answer, if there was one, and what it did.
    pub unusable: Option<(Finding, TestResult)>,
    /// The slowest input of the submission that was asked for.
    pub slowest: Option<Finding>,
}

/// True when the behaviour is the same for every submission.
pub(crate) fn is_same(one: &[Seen], other: &[Seen]) -> bool {
    let same = |(one, other): (&Seen, &Seen)| one.submission == other.submission && one.class == other.class;
    one.len() == other.len() && one.iter().zip(other).all(same)
}
