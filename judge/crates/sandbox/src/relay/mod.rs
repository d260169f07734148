//! Conversations of two programs: the bytes between them, and the state of each.
//!
//! Must not know what is said, nor what an end means.

pub(crate) mod conversation;
pub(crate) mod converse;
mod peer;
mod pipe;
mod transfer;
