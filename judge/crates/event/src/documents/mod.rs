//! Documents of single commands: facts that one crate determines and another one renders. They are
//! not events.
//!
//! Must not know how facts are determined or rendered.

pub(crate) mod addition;
pub mod comparison;
pub(crate) mod doctor;
pub(crate) mod grading;
pub(crate) mod interchange;
pub(crate) mod listing;
pub(crate) mod mutation;
pub(crate) mod search;
