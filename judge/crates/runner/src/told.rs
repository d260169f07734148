//! What has been told of one submission.
//!
//! Responsible for the record. Must not decide what comes next.

use std::sync::Arc;

use judge_event::Slowest;
use judge_grading::{GroupTree, TestResult, Walk};

use crate::held_times::HeldTimes;

/// What has been told of the current submission.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) walk: Walk,
    pub(crate) results: Vec<TestResult>,
    /// Whether nothing that is expected is open any more.
    pub(crate) settled: bool,
    /// Whether a test case was left out only because judging stops early.
    pub(crate) in_haste: bool,
    /// Whether the answer to a [`Wish::Ask`] is awaited.
    pub(crate) asked: bool,
    /// What programs of the package did wrong where no test case tells it.
    pub(crate) faults: Vec<String>,
    pub(crate) times: HeldTimes,
    pub(crate) slowest: Option<Slowest>,
    pub(crate) memory_bytes: u64,
}

impl Told {
    pub(crate) fn nothing(tree: Option<&Arc<GroupTree>>) -> Self {
        let tree = tree.map_or_else(|| Arc::new(GroupTree::default()), Arc::clone);
        Self {
            walk: Walk::new(tree),
            results: Vec::new(),
            settled: false,
            in_haste: false,
            asked: false,
            faults: Vec::new(),
            times: HeldTimes::default(),
            slowest: None,
            memory_bytes: 0,
        }
    }

    /// How many test cases were judged.
    pub(crate) fn run(&self) -> u64 {
        self.results.iter().filter(|result| result.verdict.is_some()).count() as u64
    }
}
