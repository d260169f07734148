//! Conversations of two programs: the bytes between them, and the state of each.
//!
//! Must not know the meaning of the bytes, nor of an end.

pub(crate) mod conversation;
pub(crate) mod converse;
mod peer;
mod pipe;
mod transfer;
