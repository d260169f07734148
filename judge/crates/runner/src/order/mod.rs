//! Events in package order, which does not depend on the order of execution.
//!
//! Must not know how a program is compiled or run, nor when.

pub(crate) mod events;
pub(crate) mod excerpts;
pub(crate) mod sequencer;
pub(crate) mod submission_sequencer;
