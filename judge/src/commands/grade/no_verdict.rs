//! The reasons why a request has no verdict.
//!
//! Responsible for who has to act: the author of the request or of the package, or the operator of
//! this host. Must not know what failed.

use judge_event::{ErrorKind, GradeError};

use crate::failure::Failure;

/// The reason why a request has no verdict.
#[derive(Debug)]
pub(super) enum NoVerdict {
    /// The author of the request or of the package has to act, or this host lacks a compiler. The
    /// result contains the reason.
    Error(GradeError),
    /// This host failed: no result, and everything ends.
    Host(Failure),
}

/// The maximum size of the message of an error, in bytes. That of a directory may name every file
/// in it.
const MAX_MESSAGE_BYTES: usize = 4096;

/// An error of a request, whose message may have any length.
pub(super) fn error(kind: ErrorKind, mut message: String) -> GradeError {
    const CUT: &str = " …";
    if message.len() > MAX_MESSAGE_BYTES {
        message.truncate(message.floor_char_boundary(MAX_MESSAGE_BYTES - CUT.len()));
        message.push_str(CUT);
    }
    GradeError { kind, message }
}

impl NoVerdict {
    pub(super) fn of_request(message: String) -> Self {
        Self::Error(error(ErrorKind::Request, message))
    }

    pub(super) fn of_package(message: String) -> Self {
        Self::Error(error(ErrorKind::Package, message))
    }

    /// This host lacks something that only this request needs.
    pub(super) fn of_host(message: String) -> Self {
        Self::Error(error(ErrorKind::Host, message))
    }
}

impl From<String> for NoVerdict {
    fn from(message: String) -> Self {
        Self::of_request(message)
    }
}

impl From<Failure> for NoVerdict {
    fn from(failure: Failure) -> Self {
        Self::Host(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_between_characters() {
        let message = format!("a{}", "é".repeat(MAX_MESSAGE_BYTES));
        let cut = error(ErrorKind::Request, message).message;
        assert!(cut.ends_with("é …") && cut.len() <= MAX_MESSAGE_BYTES);
        assert_eq!(error(ErrorKind::Host, "short".to_owned()).message, "short");
    }
}
