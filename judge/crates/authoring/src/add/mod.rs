//! Adding one test case to a package.
//!
//! Responsible for the way from a wish to what is known about the test case: the [`Candidate`] is the package with it, and
//! its [`Assessment`] says what it is worth. Must not know command lines.

mod assessment;
mod candidate;

pub use assessment::Assessment;
pub use candidate::{AddError, Candidate, check_group, name_case, named_submissions};
