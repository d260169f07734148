//! Evidence against answer files: all solutions of a problem give the same other output.
//!
//! Responsible for comparing the first differences of the submissions that must be accepted. Must
//! not know when events are due.

use judge_event::{Difference, TestCaseFinished};
use judge_model::{DifferenceKind, Submission, Verdict};

use crate::plan::PlannedProblem;

/// An output that the answer file does not accept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OtherOutput {
    test_case: String,
    difference: Difference,
    bytes: u64,
}

impl OtherOutput {
    /// The output of a test case that was compared with the answer and differs.
    pub(crate) fn new(test: &TestCaseFinished) -> Option<Self> {
        // With an output validator, the answer file does not decide.
        let difference = test.difference.as_ref().filter(|difference| {
            test.verdict == Verdict::WrongAnswer && difference.kind != DifferenceKind::Line
        })?;
        Some(Self {
            test_case: test.test_case.clone(),
            difference: difference.clone(),
            bytes: test.stdout_bytes,
        })
    }
}

/// The first differences of the solutions of one problem so far.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvidence {
    solutions: usize,
    /// The output that all of them gave; `None` once one of them gave another.
    common: Option<OtherOutput>,
}

impl AnswerEvidence {
    /// Adds a submission that must be accepted and has run, with its first other output.
    pub(crate) fn add(&mut self, first: Option<OtherOutput>) {
        let agrees = self.solutions == 0 || self.common == first;
        self.solutions += 1;
        self.common = first.filter(|_| agrees);
    }

    /// The remark about the answer file, when several solutions agree against it.
    pub(crate) fn remark(&self, planned: &PlannedProblem) -> Option<String> {
        let (solutions, problem) = (self.solutions, &planned.name);
        let test_case = &self.common.as_ref().filter(|_| solutions > 1)?.test_case;
        Some(format!(
            "all {solutions} accepted solutions give the same output on `{test_case}`, so the answer file may be wrong: \
             `judge generate --review {problem}/{test_case}` replaces it with their output"
        ))
    }
}

/// True for a submission that is expected to be accepted on every test case.
pub(crate) fn is_solution(submission: &Submission) -> bool {
    let expectations = &submission.expectations;
    !expectations.is_empty()
        && expectations
            .iter()
            .all(|rule| rule.permitted == [Verdict::Accepted])
}
