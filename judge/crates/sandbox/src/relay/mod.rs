//! Conversations of two programs: bytes between them, and what each is doing.
//!
//! Must not know what is said, nor what an end means.

pub(crate) mod conversation;
pub(crate) mod duplex;
pub(crate) mod peer;
pub(crate) mod pipe;
pub(crate) mod process_state;
pub(crate) mod transfer;
