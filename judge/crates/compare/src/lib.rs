//! Comparing submissions: their answers first, then their times.
//!
//! Responsible for comparing the answers in a run of several submissions, for timing them in
//! rounds, and for the conclusions. Must not know packages, command lines, or rendering.
//!
//! `statistics`, `selection` and `unlike` are pure. `measure` runs submissions on a worker of
//! judge-exec, so that every submission that can be judged can be timed.
//!
//! # Example
//!
//! ```
//! use judge_compare::Gate;
//!
//! assert!("time<=1.05 mem<=1.1".parse::<Gate>().is_ok());
//! let error = "speed<=1".parse::<Gate>().unwrap_err().to_string();
//! assert!(error.ends_with("found `speed<=1`"), "{error}");
//! ```

mod answers;
mod comparison;
mod measure;
mod ratios;
mod selection;
mod settings;
mod statistics;
mod subject;
mod unlike;

pub use comparison::compare;
pub use settings::{CompareError, Settings};
pub use statistics::gate::{Gate, InvalidGate};
