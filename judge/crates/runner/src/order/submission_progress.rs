//! The progress of one submission: the results that have been emitted.
//!
//! Responsible for the record. Must not decide what comes next.

use std::sync::Arc;

use judge_event::Slowest;
use judge_grading::{GroupTree, TestCaseVerdict, Walk};

use crate::limits::margins::TimeMargins;

/// The progress of the current submission.
#[derive(Debug)]
pub(crate) struct SubmissionProgress {
    pub(crate) walk: Walk,
    /// The number of test cases that were run.
    pub(crate) run: u64,
    /// As they count.
    pub(crate) results: Vec<TestCaseVerdict>,
    /// True once no remaining test case can change anything that is expected.
    pub(crate) settled: bool,
    /// True when a test case was left out only because judging stops early.
    pub(crate) in_haste: bool,
    /// True while the answer to an [`Action::Ask`] is awaited.
    pub(crate) asked: bool,
    /// The faults of programs of the package that no event of a test case has.
    pub(crate) faults: Vec<String>,
    pub(crate) times: TimeMargins,
    pub(crate) slowest: Option<Slowest>,
    pub(crate) memory_bytes: u64,
    /// The number of test cases of which there are pictures.
    pub(crate) pictured: u32,
    /// What its results say about the type of the problem.
    pub(crate) type_evidence: TypeEvidence,
}

/// Results that show a problem without `type: interactive` whose output validator begins a conversation: it writes to
/// standard output, and no output is accepted. Many validators write remarks there, so acceptance is evidence against it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TypeEvidence {
    pub(crate) validator_spoke: bool,
    pub(crate) accepted: bool,
    /// True when a submission did not do as expected.
    pub(crate) violated: bool,
}

impl TypeEvidence {
    pub(crate) fn add(&mut self, other: Self) {
        self.validator_spoke |= other.validator_spoke;
        self.accepted |= other.accepted;
        self.violated |= other.violated;
    }

    pub(crate) fn suggests_interactive(self) -> bool {
        self.validator_spoke && self.violated && !self.accepted
    }
}

impl SubmissionProgress {
    pub(crate) fn nothing(tree: Option<&Arc<GroupTree>>) -> Self {
        let tree = tree.map_or_else(|| Arc::new(GroupTree::default()), Arc::clone);
        Self {
            walk: Walk::new(tree),
            run: 0,
            results: Vec::new(),
            settled: false,
            in_haste: false,
            asked: false,
            faults: Vec::new(),
            times: TimeMargins::default(),
            slowest: None,
            memory_bytes: 0,
            pictured: 0,
            type_evidence: TypeEvidence::default(),
        }
    }
}
