//! The time limits of a run: how they are inferred from measured runs, and how far beyond its limit
//! a run may go.
//!
//! Must not know how or when programs are compiled and run.

pub(crate) mod margins;
pub(crate) mod measured;
pub(crate) mod time_limit;
