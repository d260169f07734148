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

impl NoVerdict {
    pub(super) fn of_request(message: String) -> Self {
        let kind = ErrorKind::Request;
        Self::Error(GradeError { kind, message })
    }

    pub(super) fn of_package(message: String) -> Self {
        let kind = ErrorKind::Package;
        Self::Error(GradeError { kind, message })
    }

    /// This host lacks something that only this request needs.
    pub(super) fn of_host(message: String) -> Self {
        let kind = ErrorKind::Host;
        Self::Error(GradeError { kind, message })
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
