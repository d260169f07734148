//! The subject of a comparison: a finished run of several submissions of one problem.
//!
//! Responsible for finding the results of a submission in it. Must not know how anything is timed.

use std::fs;
use std::time::Duration;

use judge_event::{RunState, SubmissionState, TestCaseFinished};
use judge_exec::TimedProblem;
use judge_model::{LanguageId, Problem, SubmissionIndex, TestCaseIndex, Verdict};

use crate::settings::CompareError;
use judge_event::comparison::CandidateIndex;

/// The subject of a comparison: the plan of the finished run, with one problem and the reference
/// first, and its results.
pub(crate) struct Subject<'a> {
    pub(crate) timed: &'a TimedProblem,
    /// The results, in the order of the submissions.
    pub(crate) submissions: &'a [SubmissionState],
    pub(crate) time_limit_us: u64,
    /// The sizes of the inputs, in the order of the test cases.
    pub(crate) input_bytes: Vec<u64>,
}

impl<'a> Subject<'a> {
    /// Creates the subject. Returns `None` when the plan and the run have different submissions.
    pub(crate) fn new(
        timed: &'a TimedProblem,
        state: &'a RunState,
    ) -> Result<Option<Self>, CompareError> {
        let Some(problem_state) = state.problems.first() else {
            return Ok(None);
        };
        if problem_state.submissions.len() != timed.problem.submissions.len() {
            return Ok(None);
        }
        // The sizes are read once, before anything is timed, since they order test cases in several
        // places.
        let input_bytes = timed.problem.test_cases.iter().map(|case| {
            fs::metadata(&case.input)
                .map(|metadata| metadata.len())
                .map_err(|source| CompareError::Input {
                    test_case: case.id.clone(),
                    source,
                })
        });
        Ok(Some(Self {
            timed,
            submissions: &problem_state.submissions,
            time_limit_us: problem_state.started.time_limit_us,
            input_bytes: input_bytes.collect::<Result<_, _>>()?,
        }))
    }

    /// Returns the language of a submission, and its largest peak of memory on any test case, in
    /// bytes.
    pub(crate) fn language_and_peak(
        &self,
        submission: SubmissionIndex,
    ) -> (Option<&LanguageId>, u64) {
        let finished = self.submissions[submission.0].finished.as_ref();
        let peak = finished.map_or(0, |finished| finished.memory_bytes);
        let language = &self.problem().submissions[submission].language;
        (language.as_ref(), peak)
    }

    /// Returns the submissions, the reference first.
    pub(crate) fn submissions(
        &self,
    ) -> impl DoubleEndedIterator<Item = SubmissionIndex> + Clone + use<> {
        SubmissionIndex::first(self.submissions.len())
    }

    /// Returns the submissions except the reference.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = CandidateIndex> + use<> {
        CandidateIndex::among(self.submissions.len())
    }

    /// Returns the test cases, in package order.
    pub(crate) fn test_cases(&self) -> impl Iterator<Item = TestCaseIndex> + use<> {
        TestCaseIndex::first(self.input_bytes.len())
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.timed.problem
    }

    /// Returns the first run of a submission on a test case.
    pub(crate) fn first(
        &self,
        submission: SubmissionIndex,
        test_case: TestCaseIndex,
    ) -> Option<&TestCaseFinished> {
        let id = &self.problem().test_cases[test_case].id;
        self.submissions[submission.0]
            .test_cases
            .iter()
            .find(|finished| finished.test_case == *id)
    }

    /// Returns the CPU time of that run in seconds; 0 if it was not run.
    pub(crate) fn first_time(&self, submission: SubmissionIndex, test_case: TestCaseIndex) -> f64 {
        let first = self.first(submission, test_case);
        first.map_or(0.0, |first| first.cpu_time_us as f64 / 1e6)
    }

    pub(crate) fn is_right(&self, submission: SubmissionIndex, test_case: TestCaseIndex) -> bool {
        self.first(submission, test_case)
            .is_some_and(|finished| finished.verdict == Verdict::Accepted)
    }

    /// Returns the languages of the submissions, each once.
    pub(crate) fn languages(&self) -> Vec<LanguageId> {
        let mut languages: Vec<_> = self
            .problem()
            .submissions
            .iter()
            .filter_map(|submission| submission.language.clone())
            .collect();
        languages.sort();
        languages.dedup();
        languages
    }

    /// Returns the problem with the time limit of the run, which may have been inferred.
    pub(crate) fn with_time_limit(&self) -> TimedProblem {
        TimedProblem {
            time_limit: Duration::from_micros(self.time_limit_us),
            ..self.timed.clone()
        }
    }

    /// Returns the names of the test cases, in package order.
    pub(crate) fn test_case_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.timed
            .problem
            .test_cases
            .iter()
            .map(|case| case.id.as_str())
    }
}
