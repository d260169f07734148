//! Calibration: measures the submissions on each test case, precisely enough to choose test cases.
//!
//! Responsible for repeating runs with times near a selection bound, so that a single disturbed run
//! does not decide. Must not choose test cases, nor depend on the budget.

use judge_exec::{ExecError, PreparedSubmission, Worker};
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};

use crate::selection::ABOVE_START;
use crate::subject::Subject;

/// Times within this factor of the selection bounds are measured again.
const NEAR: f64 = 1.5;
/// The number of further runs of a submission on such a test case. The shortest time of all counts,
/// since other programs can only add to it.
const RUNS: usize = 2;
/// The maximum number of such test cases per submission; larger inputs come first.
const MAX_TEST_CASES: usize = 30;

/// CPU times in seconds, by submission and test case.
#[derive(Debug)]
pub(crate) struct Times(Vec<Vec<f64>>);

impl Times {
    /// Returns the time of a submission on a test case; 0 if it was not run.
    pub(crate) fn time(&self, submission: SubmissionIndex, test_case: TestCaseIndex) -> f64 {
        self.0[submission.0][test_case.0]
    }

    /// Returns the times of the first runs, measured again if they are near the bounds. `starts`
    /// are the start-up times of the submissions, in seconds. Returns `None` when it was cancelled.
    pub(crate) fn measure(
        subject: &Subject<'_>,
        starts: &[f64],
        prepared_submissions: &[Option<PreparedSubmission>],
        worker: &mut Worker<'_>,
    ) -> Result<Option<Self>, ExecError> {
        let of_submission = |submission| {
            subject
                .test_cases()
                .map(|test_case| subject.first_time(submission, test_case))
                .collect()
        };
        let mut times: Vec<Vec<f64>> = subject.submissions().map(of_submission).collect();
        for (submission, prepared) in subject.submissions().zip(prepared_submissions) {
            let Some(prepared) = prepared else { continue };
            let times = &mut times[submission.0];
            let mut near: Vec<TestCaseIndex> = subject
                .test_cases()
                .filter(|case| {
                    subject.is_right(submission, *case)
                        && is_near(times[case.0] / starts[submission.0])
                })
                .collect();
            near.sort_by_key(|case| (std::cmp::Reverse(subject.input_bytes[case.0]), *case));
            for test_case in near.into_iter().take(MAX_TEST_CASES) {
                for _ in 0..RUNS {
                    let Some(measured) = worker.measure(prepared, test_case)? else {
                        return Ok(None);
                    };
                    // A run that was not accepted may have ended early.
                    if measured.verdict == Verdict::Accepted {
                        let time = &mut times[test_case.0];
                        *time = time.min(measured.outcome.usage.cpu_time.as_secs_f64());
                    }
                }
            }
        }
        Ok(Some(Self(times)))
    }
}

/// Returns true for a time, as a multiple of the start-up time, that is so near the bounds that a
/// small change might choose other test cases.
fn is_near(above_start: f64) -> bool {
    let [low, high] = ABOVE_START;
    (low / NEAR..high * NEAR).contains(&above_start)
}
