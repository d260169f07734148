//! Telling: from results, which come in any order, to events in package order.
//!
//! Responsible for the order of the stream and for where judging a submission stops. Must not know how anything is run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use judge_event::{Event, NearLimit, SubmissionFinished, SubmissionSkipped};
use judge_exec::{Compiled, GroupQuestion, Refusal, SubmissionPlace, TestResult, Validated, micros};
use judge_grading::{
    Extent, GroupTree, Results, TestCaseVerdict, check, check_compile_error, full_score_remark, is_settled,
};
use judge_model::{FormatVersion, Grading, Problem, Submission, Verdict};

use crate::limits::margins::TimeMargins;
use crate::order::events::{
    compile_finished, group_finished, no_time_limit, package_fault, problem_started, submission_started,
};
use crate::order::submission_progress::SubmissionProgress;
use crate::order::submission_sequencer::{Confirmed, Known, SubmissionSequencer};
use crate::plan::PlannedProblem;
use crate::work::Work;

/// An action that the sequencer asks for after results have come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// These test cases of this submission are not needed.
    LeaveOut { submission: usize, test_cases: Range<usize> },
    /// A program of the package is to be asked; no event comes before it has answered.
    Ask { submission: usize, question: GroupQuestion },
    /// All results of this submission have been emitted.
    Close { submission: usize },
}

/// The sequencer of the events of some problems of a run, in their order.
pub(crate) struct EventSequencer {
    places: Vec<SubmissionPlace>,
    /// The problems, by index.
    problems: Range<usize>,
    /// The end of the range of their submissions.
    end: usize,
    /// The groups of each problem.
    trees: Vec<Arc<GroupTree>>,
    known: Vec<Known>,
    /// The reason why a problem cannot be judged; `None` once it has been emitted.
    preparation_faults: BTreeMap<usize, Option<String>>,
    fail_fast: bool,
    /// The first problem whose start has not been emitted.
    next_problem: usize,
    /// The submission whose events are emitted now.
    current: usize,
    started: bool,
    compile_told: bool,
    told: SubmissionProgress,
}

impl EventSequencer {
    /// Of these problems. What is measured has no groups, so that none leaves out a test case.
    pub(crate) fn new(work: &Work, problems: Range<usize>, places: &[SubmissionPlace], fail_fast: bool) -> Self {
        let tree = |index: usize| {
            let PlannedProblem { problem, test_cases_total, .. } = work.problem(index);
            let whole = problem.test_cases.len() == *test_cases_total;
            if work.measures_for(index).is_some() {
                let alone = Problem { grading: Grading::PassFail, ..Problem::clone(problem) };
                return Arc::new(GroupTree::new(&alone, whole));
            }
            Arc::new(GroupTree::new(problem, whole))
        };
        let trees: Vec<_> = (0..work.measuring().end).map(tree).collect();
        let before = |end: usize| places.partition_point(|place| place.problem < end);
        let (current, end) = (before(problems.start), before(problems.end));
        let told = SubmissionProgress::nothing(places.get(current).map(|place| &trees[place.problem]));
        Self {
            places: places.to_vec(),
            next_problem: problems.start,
            problems,
            end,
            trees,
            known: places.iter().map(|_| Known::default()).collect(),
            preparation_faults: BTreeMap::new(),
            fail_fast,
            current,
            started: false,
            compile_told: false,
            told,
        }
    }

    /// True when the sequencer is done: every event has been emitted.
    pub(crate) fn is_done(&self) -> bool {
        self.current == self.end && self.next_problem == self.problems.end
    }

    /// True when the sequencer is beyond the problems before this one: all their events have been emitted.
    pub(crate) fn is_beyond(&self, problem: usize) -> bool {
        self.current == self.end || self.places[self.current].problem >= problem
    }

    pub(crate) fn skip(&mut self, submission: usize, reason: String) {
        self.known[submission].skip = Some(reason);
    }

    pub(crate) fn is_skipped(&self, submission: usize) -> bool {
        self.known[submission].skip.is_some()
    }

    pub(crate) fn preparation_failed(&mut self, problem: usize, why: &Refusal) {
        self.preparation_faults.insert(problem, Some(why.to_string()));
    }

    pub(crate) fn compiled(&mut self, submission: usize, compiled: Compiled) {
        self.known[submission].compiled = Some(compiled);
    }

    /// Remembers a result that is to be confirmed.
    pub(crate) fn unconfirmed(&mut self, submission: usize, test_case: usize, judged: &TestResult) {
        let first_cpu_time_us = micros(judged.outcome.usage.cpu_time);
        let near_limit = NearLimit { first_cpu_time_us, first_verdict: judged.verdict };
        self.known[submission].unconfirmed.insert(test_case, near_limit);
    }

    /// Takes a result. The action says which test cases are not needed after it, as far as this one can tell.
    pub(crate) fn judged(
        &mut self,
        work: &Work,
        submission: usize,
        test_case: usize,
        judged: TestResult,
    ) -> Option<Action> {
        let verdict = judged.verdict;
        let known = &mut self.known[submission];
        let near_limit = known.unconfirmed.remove(&test_case);
        known.results.insert(test_case, Confirmed { judged, near_limit });
        let (planned, of) = self.look_up(work, submission);
        // Whatever comes before: together with this result, nothing that is expected is open.
        let id = planned.problem.test_cases[test_case].id.clone();
        let alone = TestCaseVerdict { test_case: id, verdict: Some(verdict), message: Vec::new() };
        let hurried =
            self.fail_fast && !TimeMargins::of(planned, of).may_be_open() && is_settled(&of.expectations, &[alone]);
        let extent = match (self.fail_fast, hurried) {
            (false, _) => Extent::Every,
            (true, false) => Extent::Counting,
            (true, true) => Extent::Hurried,
        };
        let test_cases = self.trees[self.places[submission].problem].not_judged_after(test_case, verdict, extent);
        (!test_cases.is_empty()).then_some(Action::LeaveOut { submission, test_cases })
    }

    pub(crate) fn validated(&mut self, submission: usize, validated: Validated) {
        self.known[submission].validated.push_back(validated);
    }

    pub(crate) fn graded(&mut self, submission: usize, answer: Result<Vec<u8>, Refusal>) {
        self.known[submission].graded.push_back(answer);
    }

    /// True when all events of a submission are covered by these results, by index of the test case.
    pub(crate) fn is_covered(&self, work: &Work, submission: usize, results: &BTreeMap<usize, TestResult>) -> bool {
        if results.is_empty() {
            return false;
        }
        let (planned, of) = self.look_up(work, submission);
        let tree = &self.trees[self.places[submission].problem];
        let mut told =
            SubmissionProgress { times: TimeMargins::of(planned, of), ..SubmissionProgress::nothing(Some(tree)) };
        let result =
            |(index, judged): (&usize, &TestResult)| (*index, Confirmed { judged: judged.clone(), near_limit: None });
        let mut known = Known { results: results.iter().map(result).collect(), ..Known::default() };
        let course = SubmissionSequencer { planned, submission: of, index: submission, fail_fast: self.fail_fast };
        course.advance(&mut told, &mut known, &mut Vec::new(), &mut Vec::new())
    }

    fn look_up<'p>(&self, work: &'p Work, submission: usize) -> (&'p PlannedProblem, &'p Submission) {
        let SubmissionPlace { problem, index } = self.places[submission];
        let planned = work.problem(problem);
        (planned, &planned.problem.submissions[index])
    }

    /// Emits all events that can be emitted now. Returns what the results make possible.
    pub(crate) fn tell(&mut self, work: &Work, events: &mut Vec<Event>) -> Vec<Action> {
        let mut actions = Vec::new();
        while self.current < self.end {
            let SubmissionPlace { problem, index } = self.places[self.current];
            if !self.tell_problems(work, problem + 1, events) {
                return actions;
            }
            if !self.started {
                self.started = true;
                let planned = work.problem(problem);
                self.told.times = TimeMargins::of(planned, &planned.problem.submissions[index]);
                events.push(submission_started(planned, index));
            }
            if !self.tell_submission(work, events, &mut actions) {
                return actions;
            }
            actions.push(Action::Close { submission: self.current });
            let skip = self.known[self.current].skip.take();
            self.known[self.current] = Known { skip, ..Known::default() };
            self.next_submission();
        }
        self.tell_problems(work, self.problems.end, events);
        actions
    }

    fn next_submission(&mut self) {
        self.current += 1;
        self.started = false;
        self.compile_told = false;
        self.told = SubmissionProgress::nothing(self.places.get(self.current).map(|place| &self.trees[place.problem]));
    }

    /// Tells the start of every problem before `end`; some have no submissions. False when the time limit of one of
    /// them is not known yet.
    fn tell_problems(&mut self, work: &Work, end: usize, events: &mut Vec<Event>) -> bool {
        while self.next_problem < end {
            if work.is_open(self.next_problem) {
                return false;
            }
            let planned = work.problem(self.next_problem);
            events.push(problem_started(planned));
            events.extend(planned.warnings.iter().cloned().map(Event::PackageWarning));
            events.extend(no_time_limit(planned));
            self.next_problem += 1;
        }
        true
    }

    /// Tells what is known of the current submission; true when that is everything.
    fn tell_submission(&mut self, work: &Work, events: &mut Vec<Event>, actions: &mut Vec<Action>) -> bool {
        let (planned, submission) = self.look_up(work, self.current);
        let known = &self.known[self.current];
        let fault = self.preparation_faults.get_mut(&self.places[self.current].problem);
        let skip = known.skip.clone().or_else(|| fault.is_some().then(|| "the package is at fault".to_owned()));
        events.extend(fault.and_then(Option::take).map(|message| package_fault(planned, message)));
        if let Some(reason) = skip {
            let (problem, submission) = (planned.name.clone(), submission.id.clone());
            events.push(Event::SubmissionSkipped(SubmissionSkipped { problem, submission, reason }));
            return true;
        }
        let Some(compiled) = &known.compiled else { return false };
        if !self.compile_told {
            events.push(compile_finished(planned, submission, compiled));
            self.compile_told = true;
        }
        if compiled.result.is_err() {
            events.push(Event::SubmissionFinished(self.did_not_compile(planned, submission)));
            return true;
        }
        let (current, fail_fast) = (self.current, self.fail_fast);
        let course = SubmissionSequencer { planned, submission, index: current, fail_fast };
        if !course.advance(&mut self.told, &mut self.known[current], events, actions) {
            return false;
        }
        events.push(Event::SubmissionFinished(self.finished(planned, submission)));
        true
    }

    fn did_not_compile(&self, planned: &PlannedProblem, submission: &Submission) -> SubmissionFinished {
        let violations = check_compile_error(&submission.expectations);
        SubmissionFinished {
            verdict: Verdict::CompileError,
            as_expected: violations.is_empty(),
            violations: violations.iter().map(ToString::to_string).collect(),
            ..self.summary(planned, submission)
        }
    }

    fn finished(&self, planned: &PlannedProblem, submission: &Submission) -> SubmissionFinished {
        let tree = &self.trees[self.places[self.current].problem];
        let result = self.told.walk.result().expect("a submission is finished when its walk is");
        let violations = check(
            &submission.expectations,
            &Results {
                test_cases: &self.told.results,
                // A required verdict may lie in test cases that were not selected.
                complete: tree.is_whole() && !self.told.in_haste,
                whole: Some(result.verdict),
                scoring: tree.scores(),
                score: result.score,
                groups: &result.groups,
            },
        );
        let of_groups = result.groups.iter().filter_map(|group| Some((&group.group, group.fault.as_ref()?)));
        let of_groups = of_groups.map(|(group, fault)| match group.as_str() {
            "" => format!("judge error: {fault}"),
            group => format!("judge error in `{group}`: {fault}"),
        });
        let faults = self.told.faults.iter().map(|fault| format!("judge error: {fault}")).chain(of_groups);
        let seen_all = tree.is_whole() && !self.told.in_haste;
        let missing = self.told.times.missing(seen_all, result.verdict);
        let violations: Vec<String> =
            faults.chain(violations.iter().map(ToString::to_string)).chain(missing.violations).collect();
        let max_score = tree.best_score().filter(|_| tree.scores());
        let legacy = planned.problem.format != FormatVersion::V2025_09;
        let directory = submission.id.split('/').next().filter(|_| legacy).unwrap_or_default();
        let of_score = full_score_remark(directory, result.verdict, result.score, max_score);
        let groups = result.groups.iter().filter(|group| tree.tells_groups() && !group.group.is_empty());
        SubmissionFinished {
            verdict: result.verdict,
            deciding_test_case: result.deciding.map(|test_case| planned.problem.test_cases[test_case].id.clone()),
            as_expected: violations.is_empty(),
            violations,
            remarks: missing.remarks.into_iter().chain(of_score).collect(),
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
            slowest: self.told.slowest.clone(),
            memory_bytes: self.told.memory_bytes,
            test_cases_run: self.told.run,
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
