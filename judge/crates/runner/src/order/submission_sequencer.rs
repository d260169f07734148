//! The sequencer of one submission: emits its test cases in order, while their results are
//! available.
//!
//! Responsible for the walk through a submission's test cases and groups. Must not know the other
//! submissions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use judge_event::{Event, NearLimit, Slowest, TestCaseFinished};
use judge_exec::{Compiled, GroupQuestion, TestResult};
use judge_grading::{Extent, GroupTree, Step, TestCaseVerdict, Walk, is_settled};
use judge_model::{Submission, SubmissionPlace, TestCaseIndex, Verdict};

use crate::limits::margins::TimeMargins;
use crate::order::answers::OtherOutput;
use crate::order::events::test_case_finished;
use crate::plan::PlannedProblem;
use crate::shared::GroupAnswer;

/// The maximum number of test cases of a submission with pictures. More of them would make a page
/// large without being useful.
const MAX_PICTURED: u32 = 3;

/// An action that the sequencer requests after results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// These test cases of this submission are not needed.
    LeaveOut {
        submission: SubmissionPlace,
        test_cases: Range<TestCaseIndex>,
    },
    /// A program of the package must be run; no event is emitted before its answer.
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
    /// True when skipping it is a fault of its package.
    pub(crate) is_fault: bool,
}

/// The reports about a submission that have not been emitted.
#[derive(Debug, Default)]
pub(crate) struct PendingSubmission {
    pub(crate) skip: Option<Skip>,
    pub(crate) compiled: Option<Compiled>,
    pub(crate) results: BTreeMap<TestCaseIndex, TestResult>,
    /// The answer to the last [`Action::Ask`].
    pub(crate) answer: Option<GroupAnswer>,
    /// The first runs of test cases that were run again, alone.
    pub(crate) first_runs: BTreeMap<TestCaseIndex, NearLimit>,
}

/// The progress of a submission: its emitted results.
#[derive(Debug)]
pub(crate) struct SubmissionProgress {
    pub(crate) walk: Walk,
    /// The number of test cases that were run.
    pub(crate) run: u64,
    /// The verdicts that count.
    pub(crate) results: Vec<TestCaseVerdict>,
    /// True once no remaining test case can change whether an expectation is met.
    pub(crate) settled: bool,
    /// True when a test case was left out only because judging stops early.
    pub(crate) in_haste: bool,
    /// True while the answer to an [`Action::Ask`] is awaited.
    pub(crate) requested: bool,
    /// The faults of programs of the package that are not in an event of a test case.
    pub(crate) faults: Vec<String>,
    pub(crate) times: TimeMargins,
    pub(crate) slowest: Option<Slowest>,
    pub(crate) memory_bytes: u64,
    /// The number of test cases with pictures.
    pub(crate) pictured: u32,
    /// The evidence of its results about the type of the problem.
    pub(crate) type_evidence: TypeEvidence,
    /// The first output that differs from its answer.
    pub(crate) first_other_output: Option<OtherOutput>,
}

/// Evidence that a problem without `type: interactive` has an interactive output validator: it
/// writes to standard output, and no output is accepted. Many validators write remarks there, so
/// acceptance is evidence against it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TypeEvidence {
    pub(crate) validator_spoke: bool,
    pub(crate) accepted: bool,
    /// True when a submission violated an expectation.
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
            requested: false,
            faults: Vec::new(),
            times: TimeMargins::default(),
            slowest: None,
            memory_bytes: 0,
            pictured: 0,
            type_evidence: TypeEvidence::default(),
            first_other_output: None,
        }
    }
}

/// The conditions under which test cases of a submission are skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    /// Stops as soon as no result can change its score or whether it meets its expectations.
    pub(crate) fail_fast: bool,
    /// Stops once it was too slow.
    pub(crate) when_slow: bool,
}

impl Stopping {
    /// The extent of the walk. A settled submission only needs test cases that may change its score
    /// or verdict.
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
    /// Emits test cases in order, while their results are available; true when there are no
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
                    // Test cases are emitted in package order. A later result that is already
                    // available waits for this one.
                    let Some(result) = pending.results.remove(&test_case) else {
                        return false;
                    };
                    let first_run = pending.first_runs.remove(&test_case);
                    events.push(
                        self.test_case_finished(progress, test_case, counts, result, first_run),
                    );
                    // A rejection is required: an expectation of AC alone is not settled by any
                    // other result, and a submission with only permitted verdicts so far may still
                    // get one that is not permitted.
                    let rejected = |result: &TestCaseVerdict| {
                        result.verdict.is_some_and(|it| it != Verdict::Accepted)
                    };
                    progress.settled = progress.settled
                        || self.stopping.when_slow && Self::was_too_slow(progress)
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
                        // A test case that the format leaves out is listed without a verdict, so
                        // that a rule that requires acceptance everywhere can report it. One that
                        // is skipped because judging stops early is no evidence about the
                        // submission.
                        progress.results.push(TestCaseVerdict {
                            test_case: id,
                            ..TestCaseVerdict::default()
                        });
                    }
                    self.leave_out(test_case, actions);
                }
                Step::Validate { group } => {
                    let Some(GroupAnswer::Validated(answer)) = pending.answer.take() else {
                        return self.ask(progress, GroupQuestion::Validate { group }, actions);
                    };
                    progress.requested = false;
                    let counted = progress.walk.validated(answer.verdict, &answer.files);
                    progress.faults.extend(answer.reason.or(counted.fault));
                }
                Step::Grade { flags, input, .. } => {
                    let Some(GroupAnswer::Graded(answer)) = pending.answer.take() else {
                        return self.ask(progress, GroupQuestion::Grade { flags, input }, actions);
                    };
                    progress.requested = false;
                    // The grader's output decides the score of its group, which the parent
                    // group needs before its own grader is run.
                    progress
                        .walk
                        .graded(answer.as_deref().map_err(ToString::to_string));
                }
                Step::Finished => return true,
            }
        }
    }

    /// True when the last result was too slow.
    fn was_too_slow(progress: &SubmissionProgress) -> bool {
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

    /// Requests an answer of a program of the package, once. No event can be emitted before the
    /// answer.
    fn ask(
        &self,
        progress: &mut SubmissionProgress,
        question: GroupQuestion,
        actions: &mut Vec<Action>,
    ) -> bool {
        if !std::mem::replace(&mut progress.requested, true) {
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
        let rejected_hash = result.rejected_hash.take();
        let finished = TestCaseFinished {
            after_stop: !counts,
            ..test_case_finished(
                self.planned,
                self.submission,
                test_case,
                result,
                first_run,
                counted,
            )
        };
        if counts {
            progress.times.add(&finished);
            if progress.first_other_output.is_none() {
                let (test_case, verdict) = (&finished.test_case, finished.verdict);
                progress.first_other_output = OtherOutput::new(test_case, verdict, rejected_hash);
            }
        }
        if progress
            .slowest
            .as_ref()
            .is_none_or(|slowest| slowest.cpu_time_us < finished.cpu_time_us)
        {
            progress.slowest = Some(Slowest {
                test_case: finished.test_case.clone(),
                cpu_time_us: finished.cpu_time_us,
            });
        }
        progress.memory_bytes = progress.memory_bytes.max(finished.memory_bytes);
        progress.run += 1;
        // Expectations do not count a test case after the stop: with `fail_fast` it would have been
        // left out, and the violations must not depend on that option.
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
