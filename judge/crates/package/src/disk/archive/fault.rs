//! Faults of archives, and of the host while it unpacks them.

use std::io;
use std::path::{Path, PathBuf};

use crate::code;
use crate::error::Finding;

/// An error of unpacking an archive: a fault of the archive, or of the host.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// The archive is unsound.
    #[error(transparent)]
    Unsound(#[from] Finding),
    /// The host cannot store its contents, for example because a disk is full.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
}

/// A fault found while an archive is unpacked.
pub(super) enum Fault {
    OfArchive(String),
    OfHost(PathBuf, io::Error),
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self::OfArchive(message)
    }
}

impl Fault {
    /// Returns a function from an error of writing to a fault. Names that exist already, or that no
    /// file can have, are faults of the archive.
    pub(super) fn writing(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| match cause.kind() {
            io::ErrorKind::AlreadyExists
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename => Self::OfArchive(cause.to_string()),
            _ => Self::OfHost(path.clone(), cause),
        }
    }

    /// Returns the fault with the name of its entry before the message.
    pub(super) fn about(self, name: &str) -> Self {
        match self {
            Self::OfArchive(message) => Self::OfArchive(format!("{name}: {message}")),
            of_host => of_host,
        }
    }

    pub(super) fn in_archive(self, archive: &Path) -> UnpackError {
        match self {
            Self::OfArchive(message) => UnpackError::Unsound(unsound(archive, message)),
            Self::OfHost(path, cause) => UnpackError::Unwritable { path, cause },
        }
    }
}

pub(super) fn unsound(file: &Path, message: String) -> Finding {
    Finding::new(code::ARCHIVE_UNSOUND, file, message)
}
