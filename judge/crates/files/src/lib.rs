//! Files: those that packages and submissions bring are opened without waiting, read within bounds,
//! and never from outside; those that the judge writes take their places whole, and nowhere but in
//! the directory that they were meant for; directories that it needs for a while go with it.
//!
//! Responsible for opening files, at whatever time after they were decided about, for replacing
//! them, for changing a package as a whole or not at all, and for leaving nothing. Must not know
//! the purpose of the files.

mod bounded_lines;
mod confined;
mod journal;
mod locked_directory;
mod own_directory;
mod places;
pub mod regular_file;
mod replacement;
mod transaction;

pub use bounded_lines::BoundedLines;
pub use confined::ConfinedDirectory;
pub use journal::set_journal_directory;
pub use locked_directory::{LockedDirectory, TemporaryPurpose};
pub use own_directory::{make_own_directory, make_own_store, set_mode};
pub use places::{Rule, is_exchanged, is_in_package, real_path, set_rule, without_parents};
pub use replacement::{Replacement, ReplacementOptions, replace};
pub use transaction::{ChangeError, Transaction, Withstands, is_changing, recover};
