//! The error of a skeleton that cannot be written.

use std::io;
use std::path::PathBuf;

/// An error that prevents a skeleton from being written.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The name breaks the format's rule (2025-09, "General Requirements").
    #[error("`{0}` cannot be the name of a problem; expected only lower-case letters and digits")]
    Name(String),
    /// The title or the author is empty, or longer than a line.
    #[error("expected a title or an author of one line, found {0:?}")]
    Text(String),
    /// The template directory cannot be read, or is not a package.
    #[error("cannot read the template `{}`: {cause}", path.display())]
    Source {
        /// The directory, or the file in it.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The template needs `testlib.h`.
    #[error("no `testlib.h` was found for the programs of the package")]
    TestlibMissing,
    /// A file or directory exists already.
    #[error("`{}` exists already; nothing was written", _0.display())]
    Exists(PathBuf),
    /// A file could not be written. The files written before it were removed.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}
