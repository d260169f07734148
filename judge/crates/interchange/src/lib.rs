//! Converts problems of other formats to packages, and packages to the formats of other judges.
//!
//! Responsible for the meaning of other formats, for the part that a package can express, and for
//! reporting everything that is carried over, changed or lost. Must not run anything: the commands
//! check whether a converted problem gives the same verdicts.

mod error;
mod examples;
#[cfg(test)]
mod fixture;
pub mod import;
pub mod pack;
mod remarks;
mod scratch;
pub mod upgrade;

pub use error::InterchangeError;
pub(crate) use error::Result;
pub use examples::{Examples, ExamplesError};

/// A check between the steps of longer work: returns true if the work must stop because of a
/// signal.
pub type IsStopped<'a> = &'a dyn Fn() -> bool;
