//! Adding one test case to a package.
//!
//! Responsible for the way from a wish to the package with the test case, and for what is known about it: [`Adding`] finds a
//! candidate, makes its data, has it assessed and writes it. Must not know command lines.

mod adding;
mod assessment;
mod candidate;
mod new_test_case;

pub use adding::{AddEnd, Adding};
pub use assessment::Judge;
pub use candidate::AddError;
pub(crate) use new_test_case::is_spooled;
pub use new_test_case::{CaseSource, GivenFile, NewTestCase, free_ids};
