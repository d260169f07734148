//! The subject of mutation testing: a solution with its mutants, and everything needed to run them.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_exec::{Environment, Session, TimedProblem};

use crate::equivalents::Equivalent;
use crate::mutants::{Mutant, MutantIndex};
use crate::sources::Sources;
use crate::store::MutantStore;

/// The settings of mutation testing.
#[derive(Clone, Debug)]
pub struct Settings {
    /// True for a full run: a mutant runs on every test case, even after one has killed it.
    pub full: bool,
    /// True when each mutant is compiled separately and runs on every test case.
    pub apart: bool,
    /// The maximum number of mutants. If there are more, a sample is tried.
    pub max_mutants: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
}

/// A solution with its mutants, and everything needed to run them.
pub(crate) struct Subject<'a> {
    pub(crate) session: &'a Session,
    pub(crate) sources: &'a Sources,
    pub(crate) store: &'a Mutex<MutantStore>,
    pub(crate) timed: &'a TimedProblem,
    pub(crate) environment: &'a Environment,
    /// The id of the solution.
    pub(crate) solution: &'a str,
    /// The text of the solution.
    pub(crate) source: &'a str,
    pub(crate) mutants: &'a [Mutant],
    pub(crate) equivalents: &'a [Equivalent],
    /// The mutants that run: all, or a sample.
    pub(crate) chosen: &'a BTreeSet<MutantIndex>,
    /// The keys of the test cases in the store.
    pub(crate) keys: &'a [String],
    pub(crate) settings: &'a Settings,
}

impl Subject<'_> {
    pub(crate) fn store(&self) -> MutexGuard<'_, MutantStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
