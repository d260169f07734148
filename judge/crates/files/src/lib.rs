//! Files: those that packages and submissions bring are opened without waiting, read within bounds, and never from outside;
//! those that the judge writes take their places whole, and directories that it needs for a while go with it.
//!
//! Responsible for opening them, at whatever time after they were decided about, for replacing them, and for leaving nothing.
//! Must not know what they are for.

mod locked_directory;
mod places;
pub mod regular_file;
mod replacement;

pub use locked_directory::LockedDirectory;
pub use places::{Rule, is_exchanged, real_path, set_rule};
pub use replacement::{Replacement, ReplacementOptions, replace};
