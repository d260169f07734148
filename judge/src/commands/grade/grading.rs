//! The state that all lanes of `judge grade` share, and the ways to end them.
//!
//! Must not know how a request becomes a result.

use std::io;
use std::sync::{Arc, Mutex};

use judge_sandbox::CancelToken;

use super::duplicates::Duplicates;
use super::engine::Engine;
use super::intake::{Intake, locked};
use super::output::{Answered, Output};
use super::problems::Problems;
use super::report::Report;
use super::tally::Tally;
use crate::failure::Failure;

/// The state that all lanes share.
pub(super) struct Grading {
    pub(super) intake: Arc<Intake>,
    pub(super) output: Output,
    pub(super) answered: Answered,
    pub(super) problems: Problems,
    pub(super) duplicates: Duplicates,
    pub(super) report: Option<Report>,
    pub(super) engine: Engine,
    pub(super) tally: Mutex<Tally>,
    /// Set once running programs are no longer needed.
    pub(super) abort: CancelToken,
    /// The fault that ends everything.
    pub(super) fault: Mutex<Option<Failure>>,
}

impl Grading {
    /// Ends everything after a fault of the host. Other lanes finish their present requests.
    pub(super) fn fail(&self, failure: Failure) {
        locked(&self.fault).get_or_insert(failure);
        self.intake.stop();
    }

    /// Ends everything immediately, since the reader of the results is gone.
    pub(super) fn end_without_reader(&self, error: io::Error) {
        self.fail(Failure::write("the results", error));
        self.abort.cancel();
    }
}
