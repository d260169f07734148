//! Time limits that are inferred while other problems are judged already.
//!
//! Responsible for when a problem's limit is known, for letting it be judged then, and for using again what was
//! measured. Must not know what a time limit follows from.

use std::collections::BTreeMap;

use judge_exec::{SubmissionPlace, TestResult};
use judge_model::Submission;

use super::{AT_FAULT, Dispatcher};
use crate::limits::time_limit::RunId;
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
    pub(super) fn note_measured(&mut self, submission: usize, test_case: usize, judged: &TestResult) {
        let SubmissionPlace { problem, index } = self.shared.places[submission];
        let planned = self.shared.work.problem(problem);
        if let Some(at) = &judged.measured_at {
            let (of, id) = (&planned.problem.submissions[index].id, &planned.problem.test_cases[test_case].id);
            self.measurement.note_kept(&planned.name, of, id, at);
        }
        self.measured.insert(self.run_id(submission, test_case), judged.clone());
    }

    fn run_id(&self, submission: usize, test_case: usize) -> RunId {
        let SubmissionPlace { problem, index } = self.shared.places[submission];
        let of = &self.shared.work.problem(problem).problem;
        let Submission { path, of_package, .. } = &of.submissions[index];
        RunId {
            problem: self.shared.work.measures_for(problem).unwrap_or(problem),
            submission: path.clone(),
            of_package: *of_package,
            test_case: of.test_cases[test_case].id.clone(),
        }
    }

    /// The results of a submission that need no run any more: those that an earlier run has kept with this time limit,
    /// and else those of which the time limit was inferred.
    pub(super) fn known_of(
        &mut self,
        submission: usize,
        kept: Vec<(usize, TestResult)>,
    ) -> BTreeMap<usize, KnownResult> {
        let SubmissionPlace { problem, .. } = self.shared.places[submission];
        let mut known = BTreeMap::new();
        if self.shared.work.measures_for(problem).is_none() && !self.measured.is_empty() {
            // One that was kept says nothing about its output.
            let needs_hash = self.shared.work.plan().output_hashes;
            for test_case in 0..self.shared.work.problem(problem).problem.test_cases.len() {
                let measured = self.measured.remove(&self.run_id(submission, test_case));
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
            let is_later = |entry: &usize| work.measures_for(*entry).is_some_and(|of| of > problem);
            let later = work.measuring().find(is_later).unwrap_or(work.measuring().end);
            if !self.measuring.is_beyond(later) {
                return;
            }
            self.open.pop_front();
            let (time_limit, source) = self.measurement.conclude(work.problem(problem), self.began.as_deref());
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
    fn release(&mut self, problem: usize, failed: Option<String>) {
        let submissions = self.submissions_of(problem);
        let waiting: Vec<usize> = submissions.filter(|it| !self.sequencer_of(*it).is_skipped(*it)).collect();
        match failed {
            Some(why) => waiting.into_iter().for_each(|submission| self.skip(submission, why.clone())),
            None if waiting.is_empty() => {}
            None => self.shared.schedule.prepare(problem),
        }
    }
}
