//! Test cases of the package that already reject a submission.
//!
//! Responsible for finding the first of them, independent of the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use judge_event::KnownRejection;
use judge_exec::{ExecError, Pictures, PreparedSubmission, TestRun, TimeLimit, Worker};
use judge_grading::{Confirmation, KILL_AT};
use judge_model::{ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex, Verdict};

use crate::error::StressError;
use crate::session::SearchSession;
use crate::target::Target;

impl SearchSession<'_> {
    /// Returns the first test case that rejects each of the entrants, in order. Entrants that pass
    /// all test cases are left out.
    ///
    /// # Errors
    /// Faults of the host.
    pub(crate) fn existing_rejections(
        &self,
        target: &Target,
    ) -> Result<Vec<KnownRejection>, StressError> {
        let mut rejected = Vec::new();
        for submission in SubmissionIndex::first(target.entrants) {
            if let Some(prepared) = self.programs.prepared_submissions.get(&submission)
                && let Some((test_case, verdict)) = self.first_rejection(submission, prepared)?
            {
                rejected.push(KnownRejection {
                    submission: target.id(submission).to_owned(),
                    test_case: test_case.to_owned(),
                    verdict,
                });
            }
        }
        Ok(rejected)
    }

    fn first_rejection(
        &self,
        submission: SubmissionIndex,
        prepared: &PreparedSubmission,
    ) -> Result<Option<(&str, Verdict)>, ExecError> {
        // A problem without test cases has a placeholder.
        let cases: Vec<_> = TestCaseIndex::enumerate(&self.problem.test_cases)
            .filter(|(_, case)| case.input.is_file())
            .collect();
        let first = AtomicUsize::new(usize::MAX);
        let place = SubmissionPlace {
            problem: ProblemIndex(0),
            submission,
        };
        let limit = TimeLimit {
            time_limit: self.time_limit,
            kill_at: KILL_AT,
        };
        let verdict = |worker: &mut Worker<'_>,
                       case: TestCaseIndex|
         -> Result<Option<Verdict>, ExecError> {
            let run = TestRun {
                pictures: Pictures::None,
                ..worker.test_run(prepared, case, limit)?
            };
            let confirmation =
                Confirmation::for_verdict(limit.time_limit, &[], &self.problem.test_cases[case].id);
            Ok(worker
                .confirmed(place, run, confirmation)?
                .map(|result| result.verdict))
        };
        let is_rejection = |verdict| !matches!(verdict, Verdict::Accepted | Verdict::JudgeError);
        let begin = |core| Ok(self.session.worker(core));
        let verdicts = self.crew.each(
            &cases,
            begin,
            |worker, (case, _)| -> Result<Option<Verdict>, ExecError> {
                if case.0 > first.load(Ordering::Relaxed) {
                    return Ok(Some(Verdict::Accepted));
                }
                let Some(found) = verdict(worker, *case)? else {
                    return Ok(None);
                };
                if is_rejection(found) {
                    first.fetch_min(case.0, Ordering::Relaxed);
                }
                Ok(Some(found))
            },
        )?;
        let mut results = cases.iter().zip(verdicts.unwrap_or_default());
        Ok(results
            .find(|(_, verdict)| is_rejection(*verdict))
            .map(|((_, case), verdict)| (case.id.as_str(), verdict)))
    }
}
