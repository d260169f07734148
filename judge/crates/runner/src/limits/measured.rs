//! Results of measured runs, which are used again once the time limit is known.
//!
//! Must not know how a time limit is inferred.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_exec::TestResult;
use judge_grading::wall_limit;
use judge_model::{ProblemIndex, SubmissionPlace, TestCaseIndex};

use super::margins::TimeMargins;
use crate::work::Work;

/// The identity of the run that produced a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RunId {
    /// The problem for which it is measured.
    problem: ProblemIndex,
    /// The path of the submission, because names are not unique.
    submission: PathBuf,
    /// True when the package's constants are filled in, which makes it a different program.
    of_package: bool,
    test_case: String,
}

impl RunId {
    fn new(work: &Work, place: SubmissionPlace, test_case: TestCaseIndex) -> Self {
        let (planned, submission) = work.submission(place);
        Self {
            problem: work.measures_for(place.problem).unwrap_or(place.problem),
            submission: submission.path.clone(),
            of_package: submission.of_package,
            test_case: planned.problem.test_cases[test_case].id.clone(),
        }
    }
}

/// Results of measured runs.
#[derive(Debug, Default)]
pub(crate) struct MeasuredResults(BTreeMap<RunId, TestResult>);

impl MeasuredResults {
    pub(crate) fn insert(
        &mut self,
        work: &Work,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        result: TestResult,
    ) {
        self.0.insert(RunId::new(work, place, test_case), result);
    }

    /// Removes the results of a submission, and returns those that hold with the time limit in
    /// force. Each is used by one submission only, and results with excerpts are large.
    pub(crate) fn take_usable(
        &mut self,
        work: &Work,
        place: SubmissionPlace,
    ) -> Vec<(TestCaseIndex, TestResult)> {
        if work.measures_for(place.problem).is_some() || self.0.is_empty() {
            return Vec::new();
        }
        // The hash of an output is not cached, so a measured result from the cache cannot be
        // compared.
        let needs_hash = work.plan.output_hashes;
        let (planned, submission) = work.submission(place);
        let margins = TimeMargins::new(planned, submission);
        let usable = TestCaseIndex::enumerate(&planned.problem.test_cases).filter_map(
            |(test_case, case)| {
                // The limit in force would have killed a longer run, regardless of the reason for
                // its waiting.
                let max_wall_time = wall_limit(planned.time_limit, margins.kill_at(&case.id));
                let result = self.0.remove(&RunId::new(work, place, test_case))?;
                let is_usable = result.outcome.usage.wall_time <= max_wall_time
                    && (!needs_hash || result.output_hash.is_some());
                is_usable.then_some((test_case, result))
            },
        );
        usable.collect()
    }
}
