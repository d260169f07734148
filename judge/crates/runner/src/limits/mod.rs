//! The time limits of a run: those that are inferred from runs, and how far beyond a limit runs go
//! on.
//!
//! Must not know how a program is compiled or run, nor when.

pub(crate) mod margins;
pub(crate) mod time_limit;
