//! The error of examples that cannot be read.

use std::path::{Path, PathBuf};

/// An error while reading examples.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExamplesError {
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// No input has an output.
    #[error(
        "{} has no input with an output\nhint: expected names such as `1.in` and `1.out` (or `.ans`, `.expected`), \
         `in1.txt` and `out1.txt`, `in/1` and `out/1`",
        place(.0)
    )]
    None(PathBuf),
    /// A directory contains no input.
    #[error("{} has no input\nhint: expected a file, or a directory with files such as `1.in`, `in1.txt` or `input_1`", place(.0))]
    NoInput(PathBuf),
    /// Two files could be the same part of an example.
    #[error(
        "`{one}` and `{other}` are both the {part} of example `{name}`\nhint: remove one of them"
    )]
    Ambiguous {
        /// The first file.
        one: String,
        /// The second.
        other: String,
        /// The part of the example that both would be.
        part: &'static str,
        /// The example.
        name: String,
    },
    /// A file has an unknown or invalid form.
    #[error("`{}`: {why}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// A description of the error.
        why: String,
    },
}

/// Returns a path for a message, with the words "the directory" if it is one: the name of a
/// directory may look like that of an input.
fn place(path: &Path) -> String {
    let kind = if path.is_dir() { "the directory " } else { "" };
    format!("{kind}`{}`", path.display())
}
