//! The outlook: the expected number of test runs that a run executes.
//!
//! Responsible for the estimate. A submission that is expected to fail stops at a test case that is
//! not known in advance, so its test cases are weighted with the share that such submissions have
//! needed so far. Must not know how long a run takes.

use std::collections::BTreeMap;

use judge_model::{SubmissionPlace, TestCaseIndex};

/// The initial counts for such submissions: test cases executed, and test cases executed or left
/// out.
const PRIOR: (f64, f64) = (1.0, 5.0);

#[derive(Debug, Default)]
pub(crate) struct Outlook {
    open: BTreeMap<SubmissionPlace, OpenSubmission>,
    executed: u64,
    /// The number of pending test cases of submissions that do not stop early. Stored, because
    /// progress needs it after each test run.
    pending: u64,
    /// The number of pending test cases of submissions that may stop early.
    pending_of_stopping: u64,
    /// The number of executed test cases of submissions that may stop early. `left_out` is the
    /// number of their other finished ones, which were left out.
    of_stopping: u64,
    left_out: u64,
}

#[derive(Debug)]
struct OpenSubmission {
    is_pending: Vec<bool>,
    may_stop: bool,
}

impl Outlook {
    /// Adds a submission with this number of test cases to run.
    pub(crate) fn add(&mut self, place: SubmissionPlace, tests: usize, may_stop: bool) {
        // A submission that is added again has all its test cases to run again.
        self.remove(place);
        self.open.insert(
            place,
            OpenSubmission {
                is_pending: vec![true; tests],
                may_stop,
            },
        );
        *self.pending_mut(may_stop) += tests as u64;
    }

    /// Removes a submission that runs no further test case.
    pub(crate) fn remove(&mut self, place: SubmissionPlace) {
        if let Some(open) = self.open.remove(&place) {
            let pending = open.is_pending.iter().filter(|pending| **pending).count();
            *self.pending_mut(open.may_stop) -= pending as u64;
        }
    }

    fn pending_mut(&mut self, may_stop: bool) -> &mut u64 {
        if may_stop {
            &mut self.pending_of_stopping
        } else {
            &mut self.pending
        }
    }

    /// Records that a test case was executed.
    pub(crate) fn note_executed(&mut self, place: SubmissionPlace, test_case: TestCaseIndex) {
        self.executed += 1;
        if self.settle(place, test_case) {
            self.of_stopping += 1;
        }
    }

    /// Records that a test case need not be executed, because its result is cached.
    pub(crate) fn note_known(&mut self, place: SubmissionPlace, test_case: TestCaseIndex) {
        self.settle(place, test_case);
    }

    /// Records that a test case is not needed.
    pub(crate) fn note_left_out(&mut self, place: SubmissionPlace, test_case: TestCaseIndex) {
        if self.settle(place, test_case) {
            self.left_out += 1;
        }
    }

    /// Settles a test case. True if it was pending and its submission may stop early.
    fn settle(&mut self, place: SubmissionPlace, test_case: TestCaseIndex) -> bool {
        let Some(open) = self.open.get_mut(&place) else {
            return false;
        };
        let may_stop = open.may_stop;
        match open.is_pending.get_mut(test_case.0) {
            Some(is_pending) if *is_pending => *is_pending = false,
            _ => return false,
        }
        *self.pending_mut(may_stop) -= 1;
        may_stop
    }

    /// The number of test runs that were executed, and the expected number at the end.
    #[expect(clippy::cast_precision_loss, reason = "no run has 2^53 test runs")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count"
    )]
    pub(crate) fn counts(&self) -> (u64, u64) {
        let seen = (self.of_stopping + self.left_out) as f64;
        let share = (self.of_stopping as f64 + PRIOR.0) / (seen + PRIOR.1);
        let of_stopping = (self.pending_of_stopping as f64 * share).ceil() as u64;
        (self.executed, self.executed + self.pending + of_stopping)
    }
}

#[cfg(test)]
mod tests {
    use judge_model::{ProblemIndex, SubmissionIndex};

    use super::*;

    fn place(submission: usize) -> SubmissionPlace {
        SubmissionPlace {
            problem: ProblemIndex(0),
            submission: SubmissionIndex(submission),
        }
    }

    #[test]
    fn stopping_submissions_count_by_the_observed_share() {
        let mut outlook = Outlook::default();
        (0..10).for_each(|submission| outlook.add(place(submission), 100, submission > 0));
        assert_eq!(outlook.counts(), (0, 100 + 180));
        // Each stops after ten test cases.
        for submission in 1..=8 {
            TestCaseIndex::first(10)
                .for_each(|case| outlook.note_executed(place(submission), case));
            TestCaseIndex::first(100)
                .for_each(|case| outlook.note_left_out(place(submission), case));
        }
        let (executed, expected) = outlook.counts();
        assert_eq!(executed, 80);
        assert!(
            (190..=192).contains(&expected),
            "{expected}: 80, 100 and a tenth of 100"
        );
        TestCaseIndex::first(99).for_each(|case| outlook.note_known(place(0), case));
        outlook.remove(place(9));
        assert_eq!(outlook.counts(), (80, 81));
    }
}
