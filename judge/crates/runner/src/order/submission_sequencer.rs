//! The sequencer of one submission: emits its test cases in order, as far as their results have
//! come in.
//!
//! Responsible for the walk through a submission's test cases and groups. Must not know the other
//! submissions.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use judge_event::{Event, NearLimit, Slowest, TestCaseFinished};
use judge_exec::{Compiled, GroupQuestion, Refusal, TestResult, Validated};
use judge_grading::{Extent, GroupTree, Step, TestCaseVerdict, Walk, is_settled};
use judge_model::{Submission, SubmissionPlace, TestCaseIndex, Verdict};

use crate::limits::margins::TimeMargins;
use crate::order::events::test_case_finished;
use crate::plan::{Plan, PlannedProblem};

/// The test cases of a submission whose pictures are emitted. A page of many more would be large,
/// and nobody looks at them.
const MAX_PICTURED: u32 = 3;

/// An action that the sequencer asks for after results have come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// These test cases of this submission are not needed.
    LeaveOut {
        submission: SubmissionPlace,
        test_cases: Range<TestCaseIndex>,
    },
    /// A program of the package is to be asked; no event comes before it has answered.
    Ask {
        submission: SubmissionPlace,
        question: GroupQuestion,
    },
    /// All results of this submission have been emitted.
    Close { submission: SubmissionPlace },
}

/// A submission that is skipped.
#[derive(Clone, Debug)]
pub(crate) struct Skip {
    pub(crate) reason: String,
    /// True when it is a fault of its package that it cannot be judged.
    pub(crate) is_fault: bool,
}

/// The reports about a submission that have not been emitted.
#[derive(Debug, Default)]
pub(crate) struct PendingSubmission {
    pub(crate) skip: Option<Skip>,
    pub(crate) compiled: Option<Compiled>,
    pub(crate) results: BTreeMap<TestCaseIndex, TestResult>,
    /// The answers of the static validator to [`Action::Ask`], in order.
    pub(crate) validated: VecDeque<Validated>,
    /// The outputs of the grader, in order; or why it failed, in words to be read after "the
    /// grader".
    pub(crate) graded: VecDeque<Result<Vec<u8>, Refusal>>,
    /// The first runs of test cases that were run again, alone.
    pub(crate) first_runs: BTreeMap<TestCaseIndex, NearLimit>,
}

/// The progress of a submission: its results that have been emitted.
#[derive(Debug)]
pub(crate) struct SubmissionProgress {
    pub(crate) walk: Walk,
    /// The number of test cases that were run.
    pub(crate) run: u64,
    /// The verdicts as they count.
    pub(crate) results: Vec<TestCaseVerdict>,
    /// True once no remaining test case can change anything that is expected.
    pub(crate) settled: bool,
    /// True when a test case was left out only because judging stops early.
    pub(crate) in_haste: bool,
    /// True while the answer to an [`Action::Ask`] is awaited.
    pub(crate) asked: bool,
    /// The faults of programs of the package that no event of a test case has.
    pub(crate) faults: Vec<String>,
    pub(crate) times: TimeMargins,
    pub(crate) slowest: Option<Slowest>,
    pub(crate) memory_bytes: u64,
    /// The number of test cases with pictures.
    pub(crate) pictured: u32,
    /// The evidence of its results about the type of the problem.
    pub(crate) type_evidence: TypeEvidence,
}

/// Results that show a problem without `type: interactive` whose output validator begins a
/// conversation: it writes to standard output, and no output is accepted. Many validators write
/// remarks there, so acceptance is evidence against it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TypeEvidence {
    pub(crate) validator_spoke: bool,
    pub(crate) accepted: bool,
    /// True when a submission did not do as expected.
    pub(crate) violated: bool,
}

impl TypeEvidence {
    pub(crate) fn add(&mut self, other: Self) {
        self.validator_spoke |= other.validator_spoke;
        self.accepted |= other.accepted;
        self.violated |= other.violated;
    }

    pub(crate) fn suggests_interactive(self) -> bool {
        self.validator_spoke && self.violated && !self.accepted
    }
}

impl SubmissionProgress {
    pub(crate) fn new(tree: Option<&Arc<GroupTree>>) -> Self {
        let tree = tree.map_or_else(|| Arc::new(GroupTree::default()), Arc::clone);
        Self {
            walk: Walk::new(tree),
            run: 0,
            results: Vec::new(),
            settled: false,
            in_haste: false,
            asked: false,
            faults: Vec::new(),
            times: TimeMargins::default(),
            slowest: None,
            memory_bytes: 0,
            pictured: 0,
            type_evidence: TypeEvidence::default(),
        }
    }
}

/// When the test cases of a submission are left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    /// As soon as no result can change whether it meets its expectations, nor its score.
    pub(crate) fail_fast: bool,
    /// Once it was too slow.
    pub(crate) when_slow: bool,
}

impl Stopping {
    pub(crate) fn of_plan(plan: &Plan) -> Self {
        Self {
            fail_fast: plan.fail_fast,
            when_slow: plan.impatient,
        }
    }

    /// The extent of the walk. A settled submission only needs what may still change its score or
    /// verdict.
    pub(crate) fn extent(self, is_settled: bool) -> Extent {
        match (self.fail_fast || self.when_slow, is_settled) {
            (true, true) => Extent::Hurried,
            _ if self.fail_fast => Extent::Counting,
            _ => Extent::Every,
        }
    }
}

/// The sequencer of the test cases of a submission.
pub(crate) struct SubmissionSequencer<'a> {
    pub(crate) planned: &'a PlannedProblem,
    pub(crate) submission: &'a Submission,
    /// Its place in the plan.
    pub(crate) place: SubmissionPlace,
    pub(crate) stopping: Stopping,
}

impl SubmissionSequencer<'_> {
    /// Emits test cases in order, as far as their results have come in; true when there are no
    /// more.
    pub(crate) fn advance(
        &self,
        progress: &mut SubmissionProgress,
        pending: &mut PendingSubmission,
        events: &mut Vec<Event>,
        actions: &mut Vec<Action>,
    ) -> bool {
        loop {
            match progress.walk.next(self.stopping.extent(progress.settled)) {
                Step::Judge { test_case, counts } => {
                    // Test cases leave in package order. A later result that is here already
                    // waits until this one has come.
                    let Some(result) = pending.results.remove(&test_case) else {
                        return false;
                    };
                    let first_run = pending.first_runs.remove(&test_case);
                    events.push(
                        self.test_case_finished(progress, test_case, counts, result, first_run),
                    );
                    // Something must have been rejected: an expectation of AC alone is settled by
                    // none, and a submission whose every verdict is permitted so far may still get
                    // one that is not.
                    let rejected = |result: &TestCaseVerdict| {
                        result.verdict.is_some_and(|it| it != Verdict::Accepted)
                    };
                    progress.settled = progress.settled
                        || self.stopping.when_slow && Self::was_slow(progress)
                        || self.stopping.fail_fast
                            && progress.results.iter().any(rejected)
                            && !progress.times.is_open()
                            && is_settled(&self.submission.expectations, &progress.results);
                }
                Step::Skip {
                    test_case,
                    in_haste,
                } => {
                    progress.in_haste |= in_haste;
                    if !in_haste {
                        let id = self.planned.problem.test_cases[test_case].id.clone();
                        // A test case that the format leaves out is listed without a verdict,
                        // so that a rule which demands acceptance everywhere can report it.
                        // One that is left out in haste says nothing about the submission.
                        progress.results.push(TestCaseVerdict {
                            test_case: id,
                            ..TestCaseVerdict::default()
                        });
                    }
                    self.leave_out(test_case, actions);
                }
                Step::Validate { group } => {
                    let Some(Validated {
                        verdict,
                        files,
                        reason,
                    }) = pending.validated.pop_front()
                    else {
                        return self.ask(progress, GroupQuestion::Validate { group }, actions);
                    };
                    progress.asked = false;
                    let counted = progress.walk.validated(verdict, &files);
                    progress.faults.extend(reason.or(counted.fault));
                }
                Step::Grade { flags, input, .. } => {
                    let Some(answer) = pending.graded.pop_front() else {
                        return self.ask(progress, GroupQuestion::Grade { flags, input }, actions);
                    };
                    progress.asked = false;
                    // The grader's output decides the score of its group, which the parent
                    // group needs before its own grader is asked.
                    progress
                        .walk
                        .graded(answer.as_deref().map_err(ToString::to_string));
                }
                Step::Finished => return true,
            }
        }
    }

    /// True when the last result was too slow.
    fn was_slow(progress: &SubmissionProgress) -> bool {
        progress
            .results
            .last()
            .is_some_and(|result| result.verdict == Some(Verdict::TimeLimitExceeded))
    }

    fn leave_out(&self, test_case: TestCaseIndex, actions: &mut Vec<Action>) {
        // Neighbours become one range: the schedule takes its lock once for each action.
        match actions.last_mut() {
            Some(Action::LeaveOut {
                submission,
                test_cases,
            }) if *submission == self.place && test_cases.end == test_case => {
                test_cases.end = test_case.next();
            }
            _ => actions.push(Action::LeaveOut {
                submission: self.place,
                test_cases: test_case..test_case.next(),
            }),
        }
    }

    /// Requests an answer of a program of the package, once. Nothing more can be emitted before it
    /// comes.
    fn ask(
        &self,
        progress: &mut SubmissionProgress,
        question: GroupQuestion,
        actions: &mut Vec<Action>,
    ) -> bool {
        if !std::mem::replace(&mut progress.asked, true) {
            actions.push(Action::Ask {
                submission: self.place,
                question,
            });
        }
        false
    }

    fn test_case_finished(
        &self,
        progress: &mut SubmissionProgress,
        test_case: TestCaseIndex,
        counts: bool,
        mut result: TestResult,
        first_run: Option<NearLimit>,
    ) -> Event {
        let counted = progress
            .walk
            .add_result(result.verdict, &result.score_files);
        progress.type_evidence.add(TypeEvidence {
            validator_spoke: result.validator_spoke,
            accepted: counted.verdict == Verdict::Accepted,
            violated: false,
        });
        if !result.pictures.is_empty() || !result.picture_remarks.is_empty() {
            // Counted in package order and not as results arrive, so that two reports of the
            // same run show the same pictures.
            progress.pictured += 1;
            if progress.pictured > MAX_PICTURED {
                result.pictures.clear();
                result.picture_remarks.clear();
            }
        }
        let finished = test_case_finished(
            self.planned,
            self.submission,
            test_case,
            result,
            first_run,
            counted,
        );
        let finished = TestCaseFinished {
            after_stop: !counts,
            ..finished
        };
        if counts {
            progress.times.add(&finished);
        }
        if progress
            .slowest
            .as_ref()
            .is_none_or(|slowest| slowest.cpu_time_us < finished.cpu_time_us)
        {
            let (test_case, cpu_time_us) = (finished.test_case.clone(), finished.cpu_time_us);
            progress.slowest = Some(Slowest {
                test_case,
                cpu_time_us,
            });
        }
        progress.memory_bytes = progress.memory_bytes.max(finished.memory_bytes);
        progress.run += 1;
        // Expectations do not count a test case behind the stop: with `fail_fast` it would have
        // been left out, and the violations must not depend on that option.
        let verdict = Some(finished.verdict).filter(|_| counts);
        let message = if counts {
            finished.judge_message.0.clone()
        } else {
            Vec::new()
        };
        progress.results.push(TestCaseVerdict {
            test_case: finished.test_case.clone(),
            verdict,
            message,
        });
        Event::TestCaseFinished(finished)
    }
}
