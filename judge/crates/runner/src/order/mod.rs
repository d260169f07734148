//! Events in package order, which does not depend on the order of execution.
//!
//! Must not know how or when programs are compiled and run.

pub(crate) mod answers;
pub(crate) mod events;
pub(crate) mod excerpts;
pub(crate) mod obstacle;
pub(crate) mod sequencer;
pub(crate) mod submission_sequencer;
