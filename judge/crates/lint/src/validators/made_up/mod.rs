//! Made-up data, which is not part of the package: junk, damaged inputs, changed answers and
//! speeches.
//!
//! Pure. Must not know which programs read it.

pub(super) mod changes;
pub(super) mod damage;
pub(super) mod junk;
pub(super) mod permutations;
pub(super) mod speeches;
pub(super) mod words;
