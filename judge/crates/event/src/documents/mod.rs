//! What single commands come to. These are no events, but facts that one crate finds out and another one shows.
//!
//! Must not know how anything is found out or shown.

pub(crate) mod addition;
pub(crate) mod mutation;
pub(crate) mod search;
