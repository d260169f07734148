//! Telling the test cases of one submission, in order, as far as their results are known.
//!
//! Responsible for the walk through a submission's test cases and groups. Must not know the other submissions.

use std::collections::{BTreeMap, VecDeque};

use judge_event::{Event, NearLimit, Slowest, TestCaseFinished};
use judge_exec::{Compiled, GroupQuestion, Refusal, TestResult, Validated};
use judge_grading::{Extent, Step, TestCaseVerdict, is_settled};
use judge_model::{Submission, SubmissionPlace, TestCaseIndex, Verdict};

use crate::order::events::test_case_finished;
use crate::order::sequencer::Action;
use crate::order::submission_progress::SubmissionProgress;
use crate::plan::PlannedProblem;

/// A result with what was seen before it was confirmed.
#[derive(Clone, Debug)]
pub(crate) struct Confirmed {
    pub(crate) judged: TestResult,
    pub(crate) near_limit: Option<NearLimit>,
}

/// A submission that is not judged.
#[derive(Clone, Debug)]
pub(crate) struct Skip {
    pub(crate) reason: String,
    /// True when it is a fault of its package that it cannot be judged.
    pub(crate) is_fault: bool,
}

/// The known facts about one submission.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) skip: Option<Skip>,
    pub(crate) compiled: Option<Compiled>,
    pub(crate) results: BTreeMap<TestCaseIndex, Confirmed>,
    /// The answers of the static validator to [`Action::Ask`], in order.
    pub(crate) validated: VecDeque<Validated>,
    /// The outputs of the grader, in order; or why it failed, in words to be read after "the grader".
    pub(crate) graded: VecDeque<Result<Vec<u8>, Refusal>>,
    pub(crate) unconfirmed: BTreeMap<TestCaseIndex, NearLimit>,
}

/// Tells the test cases of a submission.
pub(crate) struct SubmissionSequencer<'a> {
    pub(crate) planned: &'a PlannedProblem,
    pub(crate) submission: &'a Submission,
    /// Its place in the plan.
    pub(crate) place: SubmissionPlace,
    pub(crate) fail_fast: bool,
}

impl SubmissionSequencer<'_> {
    /// Tells test cases in order, as far as their results are known; true when there are no more.
    pub(crate) fn advance(
        &self,
        told: &mut SubmissionProgress,
        known: &mut Known,
        events: &mut Vec<Event>,
        actions: &mut Vec<Action>,
    ) -> bool {
        loop {
            let extent = match (self.fail_fast, told.settled) {
                (false, _) => Extent::Every,
                (true, false) => Extent::Counting,
                (true, true) => Extent::Hurried,
            };
            match told.walk.next(extent) {
                Step::Judge { test_case, counts } => {
                    let Some(result) = known.results.remove(&test_case) else { return false };
                    events.push(self.tell(told, test_case, counts, result));
                    let rejected = |result: &TestCaseVerdict| result.verdict.is_some_and(|it| it != Verdict::Accepted);
                    told.settled = told.settled
                        || (told.results.iter().any(rejected)
                            && !told.times.is_open()
                            && is_settled(&self.submission.expectations, &told.results));
                }
                Step::Skip { test_case, in_haste } => {
                    told.in_haste |= in_haste;
                    if !in_haste {
                        let id = self.planned.problem.test_cases[test_case].id.clone();
                        told.results.push(TestCaseVerdict { test_case: id, ..TestCaseVerdict::default() });
                    }
                    self.leave_out(test_case, actions);
                }
                Step::Validate { group } => {
                    let Some(Validated { verdict, files, reason }) = known.validated.pop_front() else {
                        return self.ask(told, GroupQuestion::Validate { group }, actions);
                    };
                    told.asked = false;
                    let counted = told.walk.validated(verdict, &files);
                    told.faults.extend(reason.or(counted.fault));
                }
                Step::Grade { flags, input, .. } => {
                    let Some(answer) = known.graded.pop_front() else {
                        return self.ask(told, GroupQuestion::Grade { flags, input }, actions);
                    };
                    told.asked = false;
                    told.walk.graded(answer.as_deref().map_err(ToString::to_string));
                }
                Step::Finished => return true,
            }
        }
    }

    fn leave_out(&self, test_case: TestCaseIndex, actions: &mut Vec<Action>) {
        match actions.last_mut() {
            Some(Action::LeaveOut { submission, test_cases })
                if *submission == self.place && test_cases.end == test_case =>
            {
                test_cases.end = test_case.next();
            }
            _ => actions.push(Action::LeaveOut { submission: self.place, test_cases: test_case..test_case.next() }),
        }
    }

    /// Wants a program of the package asked, once. Nothing more can be emitted before it has answered.
    fn ask(&self, told: &mut SubmissionProgress, question: GroupQuestion, actions: &mut Vec<Action>) -> bool {
        if !std::mem::replace(&mut told.asked, true) {
            actions.push(Action::Ask { submission: self.place, question });
        }
        false
    }

    fn tell(&self, told: &mut SubmissionProgress, test_case: TestCaseIndex, counts: bool, result: Confirmed) -> Event {
        let counted = told.walk.judged(result.judged.verdict, &result.judged.score_files);
        let finished = test_case_finished(self.planned, self.submission, test_case, result, counted);
        let finished = TestCaseFinished { after_stop: !counts, ..finished };
        if counts {
            told.times.add(&finished);
        }
        if told.slowest.as_ref().is_none_or(|slowest| slowest.cpu_time_us < finished.cpu_time_us) {
            let (test_case, cpu_time_us) = (finished.test_case.clone(), finished.cpu_time_us);
            told.slowest = Some(Slowest { test_case, cpu_time_us });
        }
        told.memory_bytes = told.memory_bytes.max(finished.memory_bytes);
        told.run += 1;
        let of_run = || TestCaseVerdict {
            verdict: Some(finished.verdict),
            message: finished.judge_message.0.clone(),
            ..TestCaseVerdict::default()
        };
        // For what is expected of the submission, one after the stop is as good as left out.
        let result = if counts { of_run() } else { TestCaseVerdict::default() };
        told.results.push(TestCaseVerdict { test_case: finished.test_case.clone(), ..result });
        Event::TestCaseFinished(finished)
    }
}
