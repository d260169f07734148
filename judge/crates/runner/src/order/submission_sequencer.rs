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
use crate::order::submission_progress::{SubmissionProgress, TypeEvidence};
use crate::plan::PlannedProblem;

/// The test cases of a submission of which pictures are told. A page of many more would be large, and nobody looks at them.
const MOST_PICTURED: u32 = 3;

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

/// The sequencer of the test cases of a submission.
pub(crate) struct SubmissionSequencer<'a> {
    pub(crate) planned: &'a PlannedProblem,
    pub(crate) submission: &'a Submission,
    /// Its place in the plan.
    pub(crate) place: SubmissionPlace,
    pub(crate) fail_fast: bool,
}

impl SubmissionSequencer<'_> {
    /// Emits test cases in order, as far as their results are known; true when there are no more.
    pub(crate) fn advance(
        &self,
        progress: &mut SubmissionProgress,
        known: &mut Known,
        events: &mut Vec<Event>,
        actions: &mut Vec<Action>,
    ) -> bool {
        loop {
            let extent = match (self.fail_fast, progress.settled) {
                (false, _) => Extent::Every,
                (true, false) => Extent::Counting,
                (true, true) => Extent::Hurried,
            };
            match progress.walk.next(extent) {
                Step::Judge { test_case, counts } => {
                    let Some(result) = known.results.remove(&test_case) else { return false };
                    events.push(self.test_case_finished(progress, test_case, counts, result));
                    let rejected = |result: &TestCaseVerdict| result.verdict.is_some_and(|it| it != Verdict::Accepted);
                    progress.settled = progress.settled
                        || (progress.results.iter().any(rejected)
                            && !progress.times.is_open()
                            && is_settled(&self.submission.expectations, &progress.results));
                }
                Step::Skip { test_case, in_haste } => {
                    progress.in_haste |= in_haste;
                    if !in_haste {
                        let id = self.planned.problem.test_cases[test_case].id.clone();
                        progress.results.push(TestCaseVerdict { test_case: id, ..TestCaseVerdict::default() });
                    }
                    self.leave_out(test_case, actions);
                }
                Step::Validate { group } => {
                    let Some(Validated { verdict, files, reason }) = known.validated.pop_front() else {
                        return self.ask_grader(progress, GroupQuestion::Validate { group }, actions);
                    };
                    progress.asked = false;
                    let counted = progress.walk.validated(verdict, &files);
                    progress.faults.extend(reason.or(counted.fault));
                }
                Step::Grade { flags, input, .. } => {
                    let Some(answer) = known.graded.pop_front() else {
                        return self.ask_grader(progress, GroupQuestion::Grade { flags, input }, actions);
                    };
                    progress.asked = false;
                    progress.walk.graded(answer.as_deref().map_err(ToString::to_string));
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
    fn ask_grader(
        &self,
        progress: &mut SubmissionProgress,
        question: GroupQuestion,
        actions: &mut Vec<Action>,
    ) -> bool {
        if !std::mem::replace(&mut progress.asked, true) {
            actions.push(Action::Ask { submission: self.place, question });
        }
        false
    }

    fn test_case_finished(
        &self,
        progress: &mut SubmissionProgress,
        test_case: TestCaseIndex,
        counts: bool,
        result: Confirmed,
    ) -> Event {
        let counted = progress.walk.judged(result.judged.verdict, &result.judged.score_files);
        let mut result = result;
        let TestResult { validator_spoke, .. } = &result.judged;
        progress.type_evidence.add(TypeEvidence {
            validator_spoke: *validator_spoke,
            accepted: counted.verdict == Verdict::Accepted,
            violated: false,
        });
        if !result.judged.pictures.is_empty() || !result.judged.remarks_on_pictures.is_empty() {
            progress.pictured += 1;
            if progress.pictured > MOST_PICTURED {
                result.judged.pictures.clear();
                result.judged.remarks_on_pictures.clear();
            }
        }
        let finished = test_case_finished(self.planned, self.submission, test_case, result, counted);
        let finished = TestCaseFinished { after_stop: !counts, ..finished };
        if counts {
            progress.times.add(&finished);
        }
        if progress.slowest.as_ref().is_none_or(|slowest| slowest.cpu_time_us < finished.cpu_time_us) {
            let (test_case, cpu_time_us) = (finished.test_case.clone(), finished.cpu_time_us);
            progress.slowest = Some(Slowest { test_case, cpu_time_us });
        }
        progress.memory_bytes = progress.memory_bytes.max(finished.memory_bytes);
        progress.run += 1;
        let of_run = || TestCaseVerdict {
            verdict: Some(finished.verdict),
            message: finished.judge_message.0.clone(),
            ..TestCaseVerdict::default()
        };
        // For what is expected of the submission, one after the stop is as good as left out.
        let result = if counts { of_run() } else { TestCaseVerdict::default() };
        progress.results.push(TestCaseVerdict { test_case: finished.test_case.clone(), ..result });
        Event::TestCaseFinished(finished)
    }
}
