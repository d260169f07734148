//! The filter of system calls.
//!
//! Must not know what a program is for.

pub(crate) mod arguments;
mod calls;
mod instructions;
pub(crate) mod program;
mod tree;

#[cfg(test)]
mod arguments_tests;
#[cfg(test)]
mod program_tests;
