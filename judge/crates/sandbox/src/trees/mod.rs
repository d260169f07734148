//! Directory trees that a program may have filled: taking files out of them, and removing them.
//!
//! A program chooses every name and kind of what it leaves, so nothing is resolved by path.

pub(crate) mod copy;
pub(crate) mod remove;
