//! Adding one test case to a package.
//!
//! [`Adding`] finds a candidate, creates its data, assesses it and writes it. Must not know command
//! lines.

mod adding;
mod assessment;
mod candidate;
mod error;
mod new_test_case;

pub use adding::{AddStatus, Adding};
pub use assessment::Judge;
pub use error::AddError;
pub use new_test_case::{CaseSource, GivenFile, NewTestCase, free_ids};
