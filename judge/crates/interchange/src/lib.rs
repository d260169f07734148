//! Problems of other formats, brought into packages; packages, brought to other judges.
//!
//! Responsible for what a foreign format says and what of it a package can say, and for reporting
//! what was carried over, changed or lost. Must not run anything: whether a converted problem
//! judges as it did is for its commands to show.

mod error;
mod examples;
#[cfg(test)]
mod fixture;
pub mod import;
pub mod pack;
mod scratch;
pub mod upgrade;

pub use error::InterchangeError;
pub use examples::{Examples, ExamplesError};

/// A question asked between the parts of longer work: true when it is to end because a signal came.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;
