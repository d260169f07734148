//! Telling the test cases of one submission, in order, as far as their results are known.
//!
//! Responsible for the walk through a submission's test cases and groups. Must not know the other submissions.

use std::collections::{BTreeMap, VecDeque};

use judge_event::{Event, NearLimit, Slowest};
use judge_grading::{Step, TestResult, is_settled};
use judge_model::{Submission, Verdict};

use crate::announcements::test_case_finished;
use crate::asking::{GroupQuestion, Validated};
use crate::compile::Compiled;
use crate::judged::Judged;
use crate::plan::PlannedProblem;
use crate::telling::Wish;
use crate::told::Told;

/// A result with what was seen before it was confirmed.
#[derive(Clone, Debug)]
pub(crate) struct Confirmed {
    pub(crate) judged: Judged,
    pub(crate) near_limit: Option<NearLimit>,
}

/// What is known about one submission.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) skip: Option<String>,
    pub(crate) compiled: Option<Compiled>,
    pub(crate) results: BTreeMap<usize, Confirmed>,
    /// What the static validator answered to [`Wish::Ask`], in order.
    pub(crate) validated: VecDeque<Validated>,
    /// What the grader wrote, in order; or why it failed, in words to be read after "the grader".
    pub(crate) graded: VecDeque<Result<Vec<u8>, String>>,
    pub(crate) unconfirmed: BTreeMap<usize, NearLimit>,
}

/// Tells the test cases of a submission.
pub(crate) struct CaseTeller<'a> {
    pub(crate) planned: &'a PlannedProblem,
    pub(crate) submission: &'a Submission,
    /// Its index among all submissions.
    pub(crate) index: usize,
    pub(crate) fail_fast: bool,
}

impl CaseTeller<'_> {
    /// Tells test cases in order, as far as their results are known; true when there are no more.
    pub(crate) fn advance(
        &self,
        told: &mut Told,
        known: &mut Known,
        events: &mut Vec<Event>,
        wishes: &mut Vec<Wish>,
    ) -> bool {
        loop {
            match told.walk.next(self.fail_fast && told.settled) {
                Step::Judge { test_case } => {
                    let Some(result) = known.results.remove(&test_case) else { return false };
                    events.push(self.tell(told, test_case, result));
                    let rejected = |result: &TestResult| result.verdict.is_some_and(|it| it != Verdict::Accepted);
                    told.settled = told.settled
                        || (told.results.iter().any(rejected)
                            && !told.times.is_open()
                            && is_settled(&self.submission.expectations, &told.results));
                }
                Step::Skip { test_case, in_haste } => {
                    told.in_haste |= in_haste;
                    if !in_haste {
                        let id = self.planned.problem.test_cases[test_case].id.clone();
                        told.results.push(TestResult { test_case: id, ..TestResult::default() });
                    }
                    self.leave_out(test_case, wishes);
                }
                Step::Validate { group } => {
                    let Some(Validated { verdict, files, reason }) = known.validated.pop_front() else {
                        return self.ask(told, GroupQuestion::Validate { group }, wishes);
                    };
                    told.asked = false;
                    let counted = told.walk.validated(verdict, &files);
                    told.faults.extend(reason.or(counted.fault));
                }
                Step::Grade { flags, input, .. } => {
                    let Some(answer) = known.graded.pop_front() else {
                        return self.ask(told, GroupQuestion::Grade { flags, input }, wishes);
                    };
                    told.asked = false;
                    told.walk.graded(answer.as_deref().map_err(Clone::clone));
                }
                Step::Finished => return true,
            }
        }
    }

    fn leave_out(&self, test_case: usize, wishes: &mut Vec<Wish>) {
        match wishes.last_mut() {
            Some(Wish::LeaveOut { submission, test_cases })
                if *submission == self.index && test_cases.end == test_case =>
            {
                test_cases.end = test_case + 1;
            }
            _ => wishes.push(Wish::LeaveOut { submission: self.index, test_cases: test_case..test_case + 1 }),
        }
    }

    /// Wants a program of the package asked, once. Nothing more can be told before it has answered.
    fn ask(&self, told: &mut Told, question: GroupQuestion, wishes: &mut Vec<Wish>) -> bool {
        if !std::mem::replace(&mut told.asked, true) {
            wishes.push(Wish::Ask { submission: self.index, question });
        }
        false
    }

    fn tell(&self, told: &mut Told, test_case: usize, Confirmed { judged, near_limit }: Confirmed) -> Event {
        let counted = told.walk.judged(judged.verdict, &judged.score_files);
        let finished = test_case_finished(self.planned, self.submission, test_case, (judged, counted, near_limit));
        told.times.add(&finished);
        if told.slowest.as_ref().is_none_or(|slowest| slowest.cpu_time_us < finished.cpu_time_us) {
            let (test_case, cpu_time_us) = (finished.test_case.clone(), finished.cpu_time_us);
            told.slowest = Some(Slowest { test_case, cpu_time_us });
        }
        told.memory_bytes = told.memory_bytes.max(finished.memory_bytes);
        told.results.push(TestResult {
            test_case: finished.test_case.clone(),
            verdict: Some(finished.verdict),
            message: finished.judge_message.0.clone(),
        });
        Event::TestCaseFinished(finished)
    }
}
