//! Conversations of two programs: bytes between them, and what each is doing.
//!
//! Must not know what is said, nor what an end means.

pub(crate) mod conversation;
pub(crate) mod converse;
mod peer;
mod pipe;
mod transfer;
