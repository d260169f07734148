//! Samples with conversations: recording them, and replaying those that are there.
//!
//! Must not know where they are shown.

pub(crate) mod recording;
pub(crate) mod replay;
