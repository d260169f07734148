//! The filter of system calls, and the calls that it answers regardless of their arguments.
//!
//! Must not know what a program is for.

pub(crate) mod calls;
pub(crate) mod program;
