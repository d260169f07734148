//! Synthetic data, which is not part of the package: junk, damaged inputs, changed answers and
//! unprompted outputs.
//!
//! Pure. Must not know which programs read it.

pub(super) mod changes;
pub(super) mod damage;
pub(super) mod junk;
pub(super) mod permutations;
pub(super) mod unprompted;
pub(super) mod words;
