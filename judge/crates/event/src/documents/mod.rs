//! Documents of single commands: no events, but facts that one crate finds out and another one
//! renders.
//!
//! Must not know how anything is found out or rendered.

pub(crate) mod addition;
pub mod comparison;
pub(crate) mod doctor;
pub(crate) mod grading;
pub(crate) mod interchange;
pub(crate) mod listing;
pub(crate) mod mutation;
pub(crate) mod search;
