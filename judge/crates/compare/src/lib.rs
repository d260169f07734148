//! Comparing submissions: the same answers first, then which is faster and by how much.
//!
//! Responsible for what a run of several submissions says about their answers, for timing them in
//! rounds, and for what the rounds show. Must not know packages, command lines, or how any of it is
//! rendered.
//!
//! `statistics`, `selection` and `unlike` are pure; `measure` runs, on a worker of judge-exec, so
//! that whatever can be judged can be timed.
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
