//! Doubts: which results are worth a second run, alone on the machine.
//!
//! Responsible for separating what the machine may have decided from what the submission did. Must not know how runs
//! are shared out. [Why](../../../../docs/background/decisions/0003-near-the-limit-is-confirmed-alone.md).

use std::time::Duration;

use judge_exec::TestResult;
use judge_model::{Submission, Verdict};

/// The attempt: which run of a submission on a test case it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The first, beside others.
    First,
    /// The second, alone: the first one took about as long as the time limit, and had this verdict.
    NearLimit(Verdict),
    /// The second, alone: the first one may have waited for the machine.
    Waited,
    /// The second, alone: the first one took too long, and nobody expected that.
    Unexpected,
}

impl Attempt {
    pub(crate) fn is_alone(self) -> bool {
        self != Self::First
    }

    /// Why a first result is worth a second run; `None` when it stands.
    pub(crate) fn after(
        judged: &TestResult,
        time_limit: Duration,
        submission: &Submission,
        test_case: &str,
    ) -> Option<Self> {
        if judged.is_near(time_limit) {
            Some(Self::NearLimit(judged.verdict))
        } else if judged.wants_confirmation(time_limit) {
            Some(Self::Waited)
        } else if judged.outcome.usage.cpu_time > time_limit && !may_be_too_slow(submission, test_case) {
            Some(Self::Unexpected)
        } else {
            None
        }
    }
}

/// True when the expectations permit that the submission is too slow on this test case. A submission without
/// expectations is never assumed to be slow.
fn may_be_too_slow(submission: &Submission, test_case: &str) -> bool {
    let mut rules = submission.expectations.iter().filter(|rule| rule.covers(test_case)).peekable();
    rules.peek().is_some() && rules.all(|rule| rule.permitted.contains(&Verdict::TimeLimitExceeded))
}
