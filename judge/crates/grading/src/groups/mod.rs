//! Groups of test cases: their tree, the walk over it, and what they come to.
//!
//! Must not know how a test case was run.

pub(crate) mod full_score;
pub(crate) mod legacy_grader;
pub(crate) mod result;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tree;
pub(crate) mod walk;
