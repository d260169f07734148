//! Samples with conversations: recording them, and replaying existing ones.
//!
//! Must not know where they are shown.

pub(crate) mod recording;
pub(crate) mod replay;
