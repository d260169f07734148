//! The event sequencer: takes results in any order, and emits events in package order.
//!
//! Responsible for the order of the stream and for the point where judging a submission stops. Must
//! not know how programs are run.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use judge_event::{Event, NearLimit, SubmissionFinished, SubmissionSkipped};
use judge_exec::{Compiled, Refusal, TestResult, source_remark};
use judge_grading::{
    GroupTree, Results, TestCaseVerdict, check, check_compile_error, full_score_remark, is_settled,
    must_be_accepted,
};
use judge_model::{
    FormatVersion, Grading, Problem, ProblemIndex, Submission, SubmissionPlace, TestCaseIndex,
    Verdict, micros,
};

use crate::limits::margins::TimeMargins;
use crate::order::answers::AnswerEvidence;
use crate::order::events::{
    compile_finished, group_finished, must_not_be_skipped, no_time_limit, package_fault,
    problem_started, submission_started,
};
use crate::order::submission_sequencer::{
    Action, PendingSubmission, Skip, Stopping, SubmissionProgress, SubmissionSequencer,
    TypeEvidence,
};
use crate::plan::PlannedProblem;
use crate::shared::GroupAnswer;
use crate::work::Work;

/// The sequencer of the events of some problems of a run, in their order.
pub(crate) struct EventSequencer {
    /// The submissions with events to be emitted, in order. The first one is current.
    left: VecDeque<SubmissionPlace>,
    /// The groups of each problem.
    trees: BTreeMap<ProblemIndex, Arc<GroupTree>>,
    pending: BTreeMap<SubmissionPlace, PendingSubmission>,
    /// The reasons why problems cannot be judged; `None` once the reason has been emitted.
    preparation_faults: BTreeMap<ProblemIndex, Option<String>>,
    stopping: Stopping,
    /// True when events contain excerpts of inputs and sources.
    excerpts: bool,
    /// The problems whose start has not been emitted.
    problems: Range<ProblemIndex>,
    started: bool,
    compile_emitted: bool,
    progress: SubmissionProgress,
    /// The evidence of the results so far about the type of each problem.
    type_evidence: BTreeMap<ProblemIndex, TypeEvidence>,
    /// The evidence of the solutions so far against the answers of each problem.
    answer_evidence: BTreeMap<ProblemIndex, AnswerEvidence>,
}

const TYPE_MAY_BE_INTERACTIVE: &str = "the output validator writes to standard output, which no submission reads, and has \
    accepted nothing so far; if it talks with submissions, set the `type` in problem.yaml to `interactive` (legacy: \
    `validation: custom interactive`)";

impl EventSequencer {
    /// A sequencer of these problems, with or without excerpts of inputs and sources. Measuring
    /// entries have no groups, so that groups cannot skip test cases.
    pub(crate) fn new(
        work: &Work,
        problems: Range<ProblemIndex>,
        stopping: Stopping,
        excerpts: bool,
    ) -> Self {
        let tree = |index: ProblemIndex| {
            let PlannedProblem {
                problem,
                test_cases_total,
                ..
            } = work.problem(index);
            let whole = problem.test_cases.len() == *test_cases_total;
            if work.measures_for(index).is_some() {
                // Every measured run counts, so no group may leave one out.
                let alone = Problem {
                    grading: Grading::PassFail,
                    ..Problem::clone(problem)
                };
                return Arc::new(GroupTree::new(&alone, whole));
            }
            Arc::new(GroupTree::new(problem, whole))
        };
        let trees: BTreeMap<_, _> = ProblemIndex::each(problems.clone())
            .map(|problem| (problem, tree(problem)))
            .collect();
        let left: VecDeque<_> = work.submissions_in(problems.clone()).collect();
        let progress = SubmissionProgress::new(left.front().map(|place| &trees[&place.problem]));
        Self {
            left,
            pending: BTreeMap::new(),
            trees,
            preparation_faults: BTreeMap::new(),
            stopping,
            excerpts,
            problems,
            started: false,
            compile_emitted: false,
            progress,
            type_evidence: BTreeMap::new(),
            answer_evidence: BTreeMap::new(),
        }
    }

    /// True when the sequencer is done: every event has been emitted.
    pub(crate) fn is_done(&self) -> bool {
        self.left.is_empty() && self.problems.is_empty()
    }

    /// True when all events of the problems before this one have been emitted.
    pub(crate) fn is_beyond(&self, problem: ProblemIndex) -> bool {
        self.left
            .front()
            .is_none_or(|place| place.problem >= problem)
    }

    fn pending(&mut self, submission: SubmissionPlace) -> &mut PendingSubmission {
        self.pending.entry(submission).or_default()
    }

    pub(crate) fn skip(&mut self, submission: SubmissionPlace, skip: Skip) {
        self.pending(submission).skip = Some(skip);
    }

    pub(crate) fn is_skipped(&self, submission: SubmissionPlace) -> bool {
        self.pending
            .get(&submission)
            .is_some_and(|pending| pending.skip.is_some())
    }

    pub(crate) fn preparation_failed(&mut self, problem: ProblemIndex, why: &Refusal) {
        self.preparation_faults
            .insert(problem, Some(why.to_string()));
    }

    pub(crate) fn add_compiled(&mut self, submission: SubmissionPlace, compiled: Compiled) {
        self.pending(submission).compiled = Some(compiled);
    }

    /// Records a result that is to be confirmed. If there are several, the event has the first.
    pub(crate) fn add_unconfirmed(
        &mut self,
        place: SubmissionPlace,
        test_case: TestCaseIndex,
        result: &TestResult,
    ) {
        let first_run = NearLimit {
            first_cpu_time_us: micros(result.outcome.usage.cpu_time),
            first_verdict: result.verdict,
        };
        self.pending(place)
            .first_runs
            .entry(test_case)
            .or_insert(first_run);
    }

    /// Takes a final result. The action names the test cases that are not needed after it,
    /// according to this result alone.
    pub(crate) fn add_result(
        &mut self,
        work: &Work,
        submission: SubmissionPlace,
        test_case: TestCaseIndex,
        result: TestResult,
    ) -> Option<Action> {
        let verdict = result.verdict;
        // A rule about scores may still turn a result with scores into a judge error, which only
        // the walk determines.
        let is_final = result.score_files.is_empty();
        self.pending(submission).results.insert(test_case, result);
        if !is_final {
            return None;
        }
        let (planned, planned_submission) = work.submission(submission);
        // Results come in any order, so earlier ones may still be missing. If this result alone
        // settles every expectation, earlier ones cannot change that, and later test cases can be
        // cancelled immediately.
        let alone = TestCaseVerdict {
            test_case: planned.problem.test_cases[test_case].id.clone(),
            verdict: Some(verdict),
            message: Vec::new(),
        };
        let is_settled = self.stopping.when_slow && verdict == Verdict::TimeLimitExceeded
            || self.stopping.fail_fast
                && !TimeMargins::new(planned, planned_submission).may_be_open()
                && is_settled(&planned_submission.expectations, &[alone]);
        let extent = self.stopping.extent(is_settled);
        let test_cases =
            self.trees[&submission.problem].not_judged_after(test_case, verdict, extent);
        (!test_cases.is_empty()).then_some(Action::LeaveOut {
            submission,
            test_cases,
        })
    }

    pub(crate) fn add_answer(&mut self, submission: SubmissionPlace, answer: GroupAnswer) {
        self.pending(submission).answer = Some(answer);
    }

    /// True when these results decide all events of a submission: a walk with only these results is
    /// complete.
    pub(crate) fn is_covered(
        &self,
        work: &Work,
        place: SubmissionPlace,
        results: BTreeMap<TestCaseIndex, TestResult>,
    ) -> bool {
        if results.is_empty() {
            return false;
        }
        let (planned, submission) = work.submission(place);
        let times = TimeMargins::new(planned, submission);
        let tree = &self.trees[&place.problem];
        // A trial on copies: the walk consumes results and counts verdicts, and the real one needs
        // both unchanged.
        let mut progress = SubmissionProgress {
            times,
            ..SubmissionProgress::new(Some(tree))
        };
        let mut pending = PendingSubmission {
            results,
            ..PendingSubmission::default()
        };
        let sequencer = SubmissionSequencer {
            planned,
            submission,
            place,
            stopping: self.stopping,
        };
        // Events and actions are dropped. If a validator or grader must be run, `advance`
        // waits for the answer and returns false, as it should here.
        sequencer.advance(
            &mut progress,
            &mut pending,
            &mut Vec::new(),
            &mut Vec::new(),
        )
    }

    /// Emits all events that can be emitted now. Returns the actions that the results require.
    pub(crate) fn emit_ready(&mut self, work: &Work, events: &mut Vec<Event>) -> Vec<Action> {
        let mut actions = Vec::new();
        // One submission after another, up to the first one with missing results: its test cases
        // have to be emitted before any event of the next one.
        while let Some(place) = self.left.front().copied() {
            if !self.emit_problems(work, place.problem.next(), events) {
                return actions;
            }
            if !self.started {
                self.started = true;
                let (planned, submission) = work.submission(place);
                self.progress.times = TimeMargins::new(planned, submission);
                events.push(submission_started(planned, place.submission, self.excerpts));
            }
            if !self.emit_submission(work, place, events, &mut actions) {
                return actions;
            }
            actions.push(Action::Close { submission: place });
            // Results with their excerpts are large, and there may be many submissions. The reason
            // for skipping is not removed: it is needed when the problem is prepared later.
            let pending = self.pending(place);
            *pending = PendingSubmission {
                skip: pending.skip.take(),
                ..PendingSubmission::default()
            };
            self.next_submission();
        }
        self.emit_problems(work, self.problems.end, events);
        actions
    }

    fn next_submission(&mut self) {
        self.left.pop_front();
        self.started = false;
        self.compile_emitted = false;
        self.progress =
            SubmissionProgress::new(self.left.front().map(|place| &self.trees[&place.problem]));
    }

    /// Emits the start of every problem before `end`, also of those without submissions. False when
    /// the time limit of one of them is not known yet.
    fn emit_problems(&mut self, work: &Work, end: ProblemIndex, events: &mut Vec<Event>) -> bool {
        while self.problems.start < end {
            if work.is_open(self.problems.start) {
                return false;
            }
            let planned = work.problem(self.problems.start);
            events.push(problem_started(planned, self.excerpts));
            events.extend(planned.warnings.iter().cloned().map(Event::PackageWarning));
            events.extend(no_time_limit(planned));
            self.problems.start = self.problems.start.next();
        }
        true
    }

    /// Emits the available results of the current submission; true when that is everything.
    fn emit_submission(
        &mut self,
        work: &Work,
        place: SubmissionPlace,
        events: &mut Vec<Event>,
        actions: &mut Vec<Action>,
    ) -> bool {
        let (planned, submission) = work.submission(place);
        // The order of the checks below is the order of the events: the fault of a package, a
        // skipped submission, the compilation, and then its test cases.
        let pending = self.pending.entry(place).or_default();
        let fault = self.preparation_faults.get_mut(&place.problem);
        // A package at fault is reported once, before the first of its submissions that is skipped
        // because of it.
        let at_fault = || Skip {
            reason: "the package is at fault".to_owned(),
            is_fault: false,
        };
        let skip = pending
            .skip
            .clone()
            .or_else(|| fault.is_some().then(at_fault));
        events.extend(
            fault
                .and_then(Option::take)
                .map(|message| package_fault(planned, &message)),
        );
        if let Some(Skip { reason, is_fault }) = skip {
            events
                .extend(is_fault.then(|| must_not_be_skipped(planned, place.submission, &reason)));
            events.push(Event::SubmissionSkipped(SubmissionSkipped {
                problem: planned.name.clone(),
                submission: submission.id.clone(),
                reason,
            }));
            return true;
        }
        // Test cases have no results before compilation, so nothing else of the submission can be
        // emitted either.
        let Some(compiled) = &pending.compiled else {
            return false;
        };
        if !self.compile_emitted {
            events.push(compile_finished(planned, submission, compiled));
            self.compile_emitted = true;
        }
        if compiled.result.is_err() {
            events.push(Event::SubmissionFinished(
                self.compile_error(planned, submission),
            ));
            return true;
        }
        let sequencer = SubmissionSequencer {
            planned,
            submission,
            place,
            stopping: self.stopping,
        };
        if !sequencer.advance(&mut self.progress, pending, events, actions) {
            return false;
        }
        let tree = &self.trees[&place.problem];
        let finished = self.finished(planned, submission, tree);
        let mut finished = self.with_remark_on_type(place.problem, finished);
        if must_be_accepted(&submission.expectations) {
            let first = self.progress.first_other_output.take();
            let evidence = self.answer_evidence.entry(place.problem).or_default();
            finished.remarks.extend(evidence.add(first, planned));
        }
        events.push(Event::SubmissionFinished(finished));
        true
    }

    /// Adds a remark, once for each problem, when the results so far suggest that its type should
    /// be `interactive`.
    fn with_remark_on_type(
        &mut self,
        problem: ProblemIndex,
        mut finished: SubmissionFinished,
    ) -> SubmissionFinished {
        let evidence = self.type_evidence.entry(problem).or_default();
        let was_suggested = evidence.suggests_interactive();
        // The evidence covers all submissions of the problem: an accepted one proves that the type
        // is right, but a remark that was already emitted stays.
        evidence.add(TypeEvidence {
            violated: !finished.as_expected,
            ..self.progress.type_evidence
        });
        if evidence.suggests_interactive() && !was_suggested {
            finished.remarks.push(TYPE_MAY_BE_INTERACTIVE.to_owned());
        }
        finished
    }

    fn compile_error(
        &self,
        planned: &PlannedProblem,
        submission: &Submission,
    ) -> SubmissionFinished {
        let mut violations: Vec<String> = submission.misplaced.iter().cloned().collect();
        violations.extend(check_compile_error(&submission.expectations));
        SubmissionFinished {
            verdict: Verdict::CompileError,
            as_expected: violations.is_empty(),
            remarks: remark_on_sources(planned, submission, &violations, false).collect(),
            violations,
            ..self.summary(planned, submission)
        }
    }

    fn finished(
        &self,
        planned: &PlannedProblem,
        submission: &Submission,
        tree: &GroupTree,
    ) -> SubmissionFinished {
        let result = self
            .progress
            .walk
            .result()
            .expect("a submission is finished when its walk is");
        let complete = tree.is_whole() && !self.progress.in_haste;
        // Expectations are compared with results only after all test cases, because a required
        // verdict may come from the last one.
        let violations = check(
            &submission.expectations,
            &Results {
                test_cases: &self.progress.results,
                // A required verdict may occur on a test case that was not selected, so its absence
                // would prove nothing.
                complete,
                whole: Some(result.verdict),
                scoring: tree.scores(),
                score: result.score,
                groups: &result.groups,
            },
        );
        let of_groups = result
            .groups
            .iter()
            .filter_map(|group| Some((&group.group, group.fault.as_ref()?)));
        let of_groups = of_groups.map(|(group, fault)| match group.as_str() {
            "" => format!("judge error: {fault}"),
            group => format!("judge error in `{group}`: {fault}"),
        });
        // Judge errors come first among the violations. They are the package's fault, and the other
        // violations may be consequences.
        let faults = self
            .progress
            .faults
            .iter()
            .map(|fault| format!("judge error: {fault}"))
            .chain(of_groups);
        let misplaced = submission.misplaced.iter().cloned();
        let missing = self.progress.times.missing(complete, result.verdict);
        let violations: Vec<String> = faults
            .chain(misplaced)
            .chain(violations)
            .chain(missing.violations)
            .collect();
        let max_score = tree.best_score().filter(|_| tree.scores());
        // In legacy packages, the directories `accepted` and `partially_accepted` state
        // whether a submission gets the full score.
        let legacy = planned.problem.format != FormatVersion::V2025_09;
        let directory = submission
            .id
            .split('/')
            .next()
            .filter(|_| legacy)
            .unwrap_or_default();
        let of_score = full_score_remark(directory, result.verdict, result.score, max_score);
        let groups = result
            .groups
            .iter()
            .filter(|group| tree.reports_groups() && !group.group.is_empty());
        let of_sources = match result.verdict {
            Verdict::WrongAnswer | Verdict::RunTimeError => {
                remark_on_sources(planned, submission, &violations, true)
            }
            _ => None.into_iter(),
        };
        SubmissionFinished {
            verdict: result.verdict,
            deciding_test_case: result
                .deciding
                .map(|test_case| planned.problem.test_cases[test_case].id.clone()),
            as_expected: violations.is_empty(),
            violations,
            remarks: (missing.remarks.into_iter().chain(of_score))
                .chain(of_sources)
                .collect(),
            score: result.score,
            max_score,
            groups: groups.map(group_finished).collect(),
            ..self.summary(planned, submission)
        }
    }

    fn summary(&self, planned: &PlannedProblem, submission: &Submission) -> SubmissionFinished {
        SubmissionFinished {
            problem: planned.name.clone(),
            submission: submission.id.clone(),
            verdict: Verdict::Accepted,
            deciding_test_case: None,
            slowest: self.progress.slowest.clone(),
            memory_bytes: self.progress.memory_bytes,
            test_cases_run: self.progress.run,
            test_cases_total: planned.problem.test_cases.len() as u64,
            as_expected: true,
            violations: Vec::new(),
            remarks: Vec::new(),
            score: None,
            max_score: None,
            groups: Vec::new(),
        }
    }
}

/// The likely cause of a failure that is not expected.
fn remark_on_sources(
    planned: &PlannedProblem,
    submission: &Submission,
    violations: &[String],
    has_run: bool,
) -> std::option::IntoIter<String> {
    let is_expected = violations.is_empty() && !submission.expectations.is_empty();
    let remark = (!is_expected).then(|| source_remark(submission, &planned.problem, has_run));
    remark.flatten().into_iter()
}
