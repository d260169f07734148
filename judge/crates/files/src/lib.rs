//! Files: safe reading, atomic writing, and temporary directories. Files of packages and
//! submissions are opened without waiting, read within bounds, and never outside of their
//! directory. Files that the judge writes appear atomically, and only in the intended directory.
//! Temporary directories are removed with the process.
//!
//! Responsible for applying the rules of a directory whenever a file is opened, for replacing
//! files, for changing packages atomically, and for removing temporary files. Must not know the
//! purpose of the files.

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
pub use places::{Rule, is_forbidden_link, is_in_package, real_path, set_rule, without_parents};
pub use replacement::{Replacement, ReplacementOptions, replace};
pub use transaction::{ChangeError, Transaction, Withstands, is_changing, recover};
