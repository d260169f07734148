//! The standard streams of a run on the harness's side.
//!
//! Must not know who executes the run.

pub(crate) mod duplex;
pub(crate) mod pipe;
pub(crate) mod pump;
pub(crate) mod stdin;
