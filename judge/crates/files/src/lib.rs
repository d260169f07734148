//! Files that packages and submissions bring: opened without waiting, read within bounds, and never from outside.
//!
//! Responsible for opening them, at whatever time after they were decided about. Must not know what they are for.

mod places;
pub mod regular_file;

pub use places::{Rule, real_path, set_rule};
