//! Telling: from results, which come in any order, to events in package order.
//!
//! Responsible for the order of the stream and for where judging a submission stops. Must not know how anything is run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use judge_event::{Event, NearLimit, SubmissionFinished, SubmissionSkipped};
use judge_grading::{GroupTree, Results, TestResult, check, check_compile_error, full_score_remark, is_settled};
use judge_model::{FormatVersion, Submission, Verdict};

use crate::announcements::{
    compile_finished, group_finished, no_time_limit, package_fault, problem_started, submission_started,
};
use crate::asking::{GroupQuestion, Validated};
use crate::case_teller::{CaseTeller, Confirmed, Known};
use crate::compile::{Compiled, micros};
use crate::held_times::HeldTimes;
use crate::judged::Judged;
use crate::plan::{Plan, PlannedProblem};
use crate::told::Told;
use crate::worker::Place;

/// What the teller wants done after results have come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// These test cases of this submission are not needed.
    LeaveOut { submission: usize, test_cases: Range<usize> },
    /// A program of the package is to be asked; nothing more is told before it has answered.
    Ask { submission: usize, question: GroupQuestion },
    /// All results of this submission are told.
    Close { submission: usize },
}

/// Where telling stands.
pub(crate) struct Teller {
    places: Vec<Place>,
    /// The groups of each problem.
    trees: Vec<Arc<GroupTree>>,
    known: Vec<Known>,
    /// Why a problem cannot be judged; `None` once it has been told.
    preparation_faults: BTreeMap<usize, Option<String>>,
    fail_fast: bool,
    /// Problems whose start has been told.
    problems_told: usize,
    /// The submission that is told now.
    current: usize,
    started: bool,
    compile_told: bool,
    told: Told,
}

impl Teller {
    pub(crate) fn new(plan: &Plan, places: Vec<Place>, fail_fast: bool) -> Self {
        let known = places.iter().map(|_| Known::default()).collect();
        let tree = |planned: &PlannedProblem| {
            Arc::new(GroupTree::new(&planned.problem, planned.problem.test_cases.len() == planned.test_cases_total))
        };
        let trees: Vec<_> = plan.problems.iter().map(tree).collect();
        let told = Told::nothing(places.first().map(|place| &trees[place.problem]));
        Self {
            places,
            trees,
            known,
            preparation_faults: BTreeMap::new(),
            fail_fast,
            problems_told: 0,
            current: 0,
            started: false,
            compile_told: false,
            told,
        }
    }

    /// Whether everything has been told.
    pub(crate) fn is_done(&self) -> bool {
        self.current == self.places.len()
    }

    pub(crate) fn skip(&mut self, submission: usize, reason: String) {
        self.known[submission].skip = Some(reason);
    }

    pub(crate) fn is_skipped(&self, submission: usize) -> bool {
        self.known[submission].skip.is_some()
    }

    pub(crate) fn preparation_failed(&mut self, problem: usize, why: String) {
        self.preparation_faults.insert(problem, Some(why));
    }

    pub(crate) fn compiled(&mut self, submission: usize, compiled: Compiled) {
        self.known[submission].compiled = Some(compiled);
    }

    /// Remembers a result that is to be confirmed.
    pub(crate) fn unconfirmed(&mut self, submission: usize, test_case: usize, judged: &Judged) {
        let first_cpu_time_us = micros(judged.outcome.usage.cpu_time);
        let near_limit = NearLimit { first_cpu_time_us, first_verdict: judged.verdict };
        self.known[submission].unconfirmed.insert(test_case, near_limit);
    }

    /// Takes a result. The wish says which test cases are not needed after it, as far as this one can tell.
    pub(crate) fn judged(&mut self, plan: &Plan, submission: usize, test_case: usize, judged: Judged) -> Option<Wish> {
        let verdict = judged.verdict;
        let known = &mut self.known[submission];
        let near_limit = known.unconfirmed.remove(&test_case);
        known.results.insert(test_case, Confirmed { judged, near_limit });
        let (planned, of) = self.look_up(plan, submission);
        // Whatever comes before: together with this result, nothing that is expected is open.
        let id = planned.problem.test_cases[test_case].id.clone();
        let alone = TestResult { test_case: id, verdict: Some(verdict), message: Vec::new() };
        let hurried =
            self.fail_fast && !HeldTimes::of(planned, of).may_be_open() && is_settled(&of.expectations, &[alone]);
        let test_cases = self.trees[self.places[submission].problem].not_judged_after(test_case, verdict, hurried);
        (!test_cases.is_empty()).then_some(Wish::LeaveOut { submission, test_cases })
    }

    pub(crate) fn validated(&mut self, submission: usize, validated: Validated) {
        self.known[submission].validated.push_back(validated);
    }

    pub(crate) fn graded(&mut self, submission: usize, answer: Result<Vec<u8>, String>) {
        self.known[submission].graded.push_back(answer);
    }

    /// Whether all that is told of a submission follows from these results, by index of the test case.
    pub(crate) fn is_covered(&self, plan: &Plan, submission: usize, results: &BTreeMap<usize, Judged>) -> bool {
        if results.is_empty() {
            return false;
        }
        let (planned, of) = self.look_up(plan, submission);
        let tree = &self.trees[self.places[submission].problem];
        let mut told = Told { times: HeldTimes::of(planned, of), ..Told::nothing(Some(tree)) };
        let result =
            |(index, judged): (&usize, &Judged)| (*index, Confirmed { judged: judged.clone(), near_limit: None });
        let mut known = Known { results: results.iter().map(result).collect(), ..Known::default() };
        let course = CaseTeller { planned, submission: of, index: submission, fail_fast: self.fail_fast };
        course.advance(&mut told, &mut known, &mut Vec::new(), &mut Vec::new())
    }

    fn look_up<'p>(&self, plan: &'p Plan, submission: usize) -> (&'p PlannedProblem, &'p Submission) {
        let Place { problem, index } = self.places[submission];
        let planned = &plan.problems[problem];
        (planned, &planned.problem.submissions[index])
    }

    /// Tells everything that can be told now. Returns what the results make possible.
    pub(crate) fn tell(&mut self, plan: &Plan, events: &mut Vec<Event>) -> Vec<Wish> {
        let mut wishes = Vec::new();
        while !self.is_done() {
            let Place { problem, index } = self.places[self.current];
            self.tell_problems(plan, problem, events);
            if !self.started {
                self.started = true;
                let planned = &plan.problems[problem];
                self.told.times = HeldTimes::of(planned, &planned.problem.submissions[index]);
                events.push(submission_started(planned, index));
            }
            if !self.tell_submission(plan, events, &mut wishes) {
                return wishes;
            }
            wishes.push(Wish::Close { submission: self.current });
            let skip = self.known[self.current].skip.take();
            self.known[self.current] = Known { skip, ..Known::default() };
            self.next_submission();
        }
        self.tell_problems(plan, plan.problems.len().wrapping_sub(1), events);
        wishes
    }

    fn next_submission(&mut self) {
        self.current += 1;
        self.started = false;
        self.compile_told = false;
        self.told = Told::nothing(self.places.get(self.current).map(|place| &self.trees[place.problem]));
    }

    /// Tells the start of every problem up to `problem`; some have no submissions.
    fn tell_problems(&mut self, plan: &Plan, problem: usize, events: &mut Vec<Event>) {
        while self.problems_told <= problem && self.problems_told < plan.problems.len() {
            let planned = &plan.problems[self.problems_told];
            events.push(problem_started(planned));
            events.extend(planned.warnings.iter().cloned().map(Event::PackageWarning));
            events.extend(no_time_limit(planned));
            self.problems_told += 1;
        }
    }

    /// Tells what is known of the current submission; true when that is everything.
    fn tell_submission(&mut self, plan: &Plan, events: &mut Vec<Event>, wishes: &mut Vec<Wish>) -> bool {
        let (planned, submission) = self.look_up(plan, self.current);
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
        let course = CaseTeller { planned, submission, index: current, fail_fast };
        if !course.advance(&mut self.told, &mut self.known[current], events, wishes) {
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
                // What is required may lie in test cases that were not selected.
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
            test_cases_run: self.told.run(),
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
