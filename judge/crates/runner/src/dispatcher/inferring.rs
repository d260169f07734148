//! Time limits that are inferred while other problems are judged already.
//!
//! Responsible for when a problem's limit is known, for letting it be judged then, and for using again what was
//! measured. Must not know what a time limit follows from.

use std::collections::BTreeMap;

use judge_exec::TestResult;
use judge_model::{ProblemIndex, Submission, SubmissionPlace, TestCaseIndex};

use super::{AT_FAULT, Dispatcher};
use crate::limits::time_limit::RunId;
use crate::order::submission_sequencer::Skip;
use crate::plan::{NotInferred, TimeLimitSource};

/// A result that needs no run.
#[derive(Clone, Debug)]
pub(super) struct KnownResult {
    pub(super) judged: TestResult,
    /// True for a settled result: an earlier run has kept it with this time limit.
    pub(super) settled: bool,
}

impl Dispatcher<'_> {
    /// Takes a result of what measures.
    pub(super) fn note_measured(&mut self, place: SubmissionPlace, test_case: TestCaseIndex, judged: &TestResult) {
        if let Some(at) = &judged.measured_at {
            let (planned, submission) = self.shared.work.submission(place);
            let id = &planned.problem.test_cases[test_case].id;
            self.measurement.add_kept(&planned.name, &submission.id, id, at);
        }
        self.measured.insert(self.run_id(place, test_case), judged.clone());
    }

    fn run_id(&self, place: SubmissionPlace, test_case: TestCaseIndex) -> RunId {
        let (planned, Submission { path, of_package, .. }) = self.shared.work.submission(place);
        RunId {
            problem: self.shared.work.measures_for(place.problem).unwrap_or(place.problem),
            submission: path.clone(),
            of_package: *of_package,
            test_case: planned.problem.test_cases[test_case].id.clone(),
        }
    }

    /// The results of a submission that need no run any more: those that an earlier run has kept with this time limit,
    /// and else those of which the time limit was inferred.
    pub(super) fn known_of(
        &mut self,
        place: SubmissionPlace,
        kept: Vec<(TestCaseIndex, TestResult)>,
    ) -> BTreeMap<TestCaseIndex, KnownResult> {
        let mut known = BTreeMap::new();
        if self.shared.work.measures_for(place.problem).is_none() && !self.measured.is_empty() {
            // One that was kept says nothing about its output.
            let needs_hash = self.shared.work.plan().output_hashes;
            let tests = self.shared.work.problem(place.problem).problem.test_cases.len();
            for test_case in TestCaseIndex::first(tests) {
                let measured = self.measured.remove(&self.run_id(place, test_case));
                let measured = measured.filter(|judged| !needs_hash || judged.output_hash.is_some());
                known.extend(measured.map(|judged| (test_case, KnownResult { judged, settled: false })));
            }
        }
        known.extend(kept.into_iter().map(|(test_case, judged)| (test_case, KnownResult { judged, settled: true })));
        known
    }

    /// Sets the time limits of problems of which all is measured, in order, and lets them be judged.
    pub(super) fn conclude(&mut self) {
        let work = &self.shared.work;
        while let Some(problem) = self.open.front().copied() {
            let is_later = |entry: &ProblemIndex| work.measures_for(*entry).is_some_and(|of| of > problem);
            let later = ProblemIndex::each(work.measuring()).find(is_later).unwrap_or(work.measuring().end);
            if !self.measuring.is_beyond(later) {
                return;
            }
            self.open.pop_front();
            let (time_limit, source) = self.measurement.conclude(work.problem(problem), self.shared.began.as_deref());
            let failed = match &source {
                TimeLimitSource::Failed(NotInferred::NoTools(why)) => Some(why.clone()),
                TimeLimitSource::Failed(_) => Some(AT_FAULT.to_owned()),
                _ => None,
            };
            work.conclude(problem, time_limit, source);
            self.release(problem, failed);
        }
    }

    /// Lets a problem be judged whose time limit is known, or skips its submissions when it has `failed`.
    fn release(&mut self, problem: ProblemIndex, failed: Option<String>) {
        let submissions = self.shared.work.submissions_of(problem);
        let sequencer = self.sequencer_of(problem);
        let waiting: Vec<SubmissionPlace> = submissions.filter(|place| !sequencer.is_skipped(*place)).collect();
        match failed {
            Some(why) => waiting
                .into_iter()
                .for_each(|submission| self.skip(submission, Skip { reason: why.clone(), is_fault: false })),
            None if waiting.is_empty() => {}
            None => self.shared.schedule.prepare(problem),
        }
    }
}
