//! Data that nobody wrote for the package: junk, damaged inputs, changed answers and speeches.
//!
//! Pure. Must not know who reads any of it.

pub(super) mod changes;
pub(super) mod damage;
pub(super) mod junk;
pub(super) mod permutations;
pub(super) mod speeches;
pub(super) mod words;
