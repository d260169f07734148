//! Comparing submissions: the same answers first, then which is faster and by how much.
//!
//! Responsible for what a run of several submissions says about their answers, for timing them in rounds, and for what
//! the rounds show. Must not know packages, command lines, or how any of it is rendered.
//!
//! `statistics`, `selection` and `unlike` are pure; `measure` runs, on a worker of judge-exec, so that whatever can be judged can be
//! timed.
//!
//! # Example
//!
//! ```
//! use judge_compare::{Conclusion, Estimate, conclude, interval, times};
//!
//! // A submission that takes between 70 and 74 % of the reference's time.
//! let estimate = Estimate { ratio: 0.72, interval: Some([0.70, 0.74]), rounds: 40, test_cases: 5, host_effect: None, placement_effect: None, step_effect: None };
//! assert_eq!(conclude(&estimate, 0.02, 0.0075), Conclusion::Less);
//! assert_eq!((times(&estimate).as_str(), interval(&estimate).as_str()), ("0.72×", "[0.70, 0.74]"));
//! ```

mod answers;
mod document;
mod measure;
mod ratios;
mod selection;
mod sentences;
mod settings;
mod statistics;
mod subject;
mod unlike;

mod comparison;

pub use answers::Class;
pub use comparison::compare;
pub use document::{
    Candidate, CandidateIndex, Compared, ComparedCase, Comparison, FirstRun, Host, InvalidComparison, Method,
    REFERENCE, Ratio, Rounds, SCHEMA_VERSION, Sample, TimedOn,
};
pub use settings::{CompareError, Settings};
pub use statistics::conclusion::{Conclusion, SIZE, SPEED, Words, conclude, in_words, interval, percent, times};
pub use statistics::estimate::Estimate;
pub use statistics::gate::{Bound, Gate, Held, InvalidGate, Quantity};
pub use statistics::growth::Growth;
