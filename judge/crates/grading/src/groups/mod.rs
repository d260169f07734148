//! Groups of test cases: their tree, the walk through it, and their results.
//!
//! Must not know how test cases are run.

pub(crate) mod full_score;
pub(crate) mod legacy_grader;
pub(crate) mod result;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tree;
pub(crate) mod walk;
