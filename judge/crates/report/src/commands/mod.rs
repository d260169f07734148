//! The reports of single commands: each one renders its own document as text.
//!
//! Must not know how documents are made, or how a line is escaped or cut.

pub(crate) mod acceptance;
pub(crate) mod addition;
pub(crate) mod answer_change;
pub(crate) mod comparison;
pub(crate) mod doctor;
pub(crate) mod generation;
pub(crate) mod interchange;
pub(crate) mod listing;
pub(crate) mod matrix;
pub(crate) mod mutation;
pub(crate) mod new_problem;
pub(crate) mod search;
pub(crate) mod trial;
pub(crate) mod work_bar;
