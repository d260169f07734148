//! Files: those that packages and submissions bring are opened without waiting, read within bounds, and never from outside;
//! those that the judge writes take their places whole.
//!
//! Responsible for opening them, at whatever time after they were decided about, and for replacing them. Must not know what
//! they are for.

mod places;
pub mod regular_file;
mod replacement;

pub use places::{Rule, is_exchanged, real_path, set_rule};
pub use replacement::{Replacement, ReplacementOptions, replace};
