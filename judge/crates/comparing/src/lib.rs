//! Comparing submissions: the same answers first, then which is faster and by how much.
//!
//! Responsible for what a run of several submissions says about their answers, for timing them in rounds, and for what
//! the rounds show. Must not know packages, command lines, or how any of it is told.
//!
//! The statistics are pure modules of their own; `timing` and `starting` are the two that run anything, on a track of
//! the runner, so that whatever can be judged can be timed.

mod answers;
mod conclusion;
mod dealing;
mod document;
mod estimate;
mod gate;
mod growth;
mod instructions;
mod random;
mod settings;
mod starting;
mod stopping;
mod timing;

mod comparing;

pub use answers::Class;
pub use comparing::compare;
pub use conclusion::{COUNT, Conclusion, SIZE, SPEED, Words, conclude, in_words, interval, percent, times};
pub use document::{
    Candidate, Compared, ComparedCase, Comparison, FirstRun, Host, InstructionCounter, InstructionRatio,
    InvalidComparison, Method, SCHEMA_VERSION, Sample,
};
pub use estimate::Estimate;
pub use gate::{Bound, Gate, Held, InvalidGate, Quantity};
pub use settings::{ComparingError, Counting, Settings};

/// Test cases in the order in which differences are looked at: the smallest input first.
#[must_use]
pub fn smallest_first(comparison: &Comparison) -> Vec<usize> {
    let of: Vec<_> = comparison.test_cases.iter().map(|case| (case.input_bytes, case.test_case.as_str())).collect();
    answers::by_size(&of)
}
