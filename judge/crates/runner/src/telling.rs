//! Telling: from results, which come in any order, to events in package order.
//!
//! Responsible for the order of the stream and for where judging a submission stops. Must not know how anything is run.

use std::collections::BTreeMap;
use std::time::Duration;

use judge_event::{
    CompileFinished, Event, NearLimit, PackageFault, ProblemStarted, Slowest, SubmissionFinished, SubmissionSkipped,
    SubmissionStarted, TestCaseFinished,
};
use judge_grading::{aggregate, check, check_compile_error, is_settled};
use judge_model::{Submission, Verdict};

use crate::compile::{Compiled, micros};
use crate::judging::Judged;
use crate::plan::{Plan, PlannedProblem};
use crate::worker::Place;

/// A result with what was seen before it was confirmed.
#[derive(Clone, Debug)]
struct Confirmed {
    judged: Judged,
    near_limit: Option<NearLimit>,
}

/// What is known about one submission.
#[derive(Debug, Default)]
struct Known {
    skip: Option<String>,
    compiled: Option<Compiled>,
    results: BTreeMap<usize, Confirmed>,
    unconfirmed: BTreeMap<usize, NearLimit>,
}

/// What the teller wants done after results have come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Test cases of this submission from `end` on are not needed.
    Cut { submission: usize, end: usize },
    /// All results of this submission are told.
    Close { submission: usize },
}

/// Where telling stands.
pub(crate) struct Teller {
    places: Vec<Place>,
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
    verdicts: Vec<(String, Verdict)>,
    slowest: Option<Slowest>,
    memory_bytes: u64,
}

impl Teller {
    pub(crate) fn new(places: Vec<Place>, fail_fast: bool) -> Self {
        let known = places.iter().map(|_| Known::default()).collect();
        Self {
            places,
            known,
            preparation_faults: BTreeMap::new(),
            fail_fast,
            problems_told: 0,
            current: 0,
            started: false,
            compile_told: false,
            verdicts: Vec::new(),
            slowest: None,
            memory_bytes: 0,
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

    /// Takes a result. The wish says from where on no more test runs are needed, as far as this one can tell.
    pub(crate) fn judged(&mut self, plan: &Plan, submission: usize, test_case: usize, judged: Judged) -> Option<Wish> {
        let verdict = judged.verdict;
        let known = &mut self.known[submission];
        let near_limit = known.unconfirmed.remove(&test_case);
        known.results.insert(test_case, Confirmed { judged, near_limit });
        let (_, of) = self.look_up(plan, submission);
        // Whatever comes before: together with this result, nothing that is expected is open.
        let enough = self.stops_after(of, &[(String::new(), verdict)]);
        enough.then_some(Wish::Cut { submission, end: test_case + 1 })
    }

    fn stops_after(&self, submission: &Submission, results: &[(String, Verdict)]) -> bool {
        let failed = results.iter().any(|(_, verdict)| *verdict != Verdict::Accepted);
        self.fail_fast && failed && is_settled(&submission.expectations, results)
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
                events.push(submission_started(&plan.problems[problem], index));
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
        self.verdicts.clear();
        self.slowest = None;
        self.memory_bytes = 0;
    }

    /// Tells the start of every problem up to `problem`; some have no submissions.
    fn tell_problems(&mut self, plan: &Plan, problem: usize, events: &mut Vec<Event>) {
        while self.problems_told <= problem && self.problems_told < plan.problems.len() {
            let planned = &plan.problems[self.problems_told];
            events.push(problem_started(planned));
            events.extend(planned.warnings.iter().cloned().map(Event::PackageWarning));
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
        let total = planned.problem.test_cases.len();
        while self.verdicts.len() < total && !self.stops_after(submission, &self.verdicts) {
            let Some(result) = self.known[self.current].results.remove(&self.verdicts.len()) else { return false };
            self.tell_test_case(planned, submission, result, events);
        }
        let end = self.verdicts.len();
        wishes.push(Wish::Cut { submission: self.current, end });
        events.push(Event::SubmissionFinished(self.finished(planned, submission)));
        true
    }

    fn tell_test_case(
        &mut self,
        planned: &PlannedProblem,
        submission: &Submission,
        Confirmed { judged, near_limit }: Confirmed,
        events: &mut Vec<Event>,
    ) {
        let test_case = planned.problem.test_cases[self.verdicts.len()].id.clone();
        let usage = &judged.outcome.usage;
        let cpu_time_us = micros(usage.cpu_time);
        if self.slowest.as_ref().is_none_or(|slowest| slowest.cpu_time_us < cpu_time_us) {
            self.slowest = Some(Slowest { test_case: test_case.clone(), cpu_time_us });
        }
        self.memory_bytes = self.memory_bytes.max(usage.memory_bytes);
        self.verdicts.push((test_case.clone(), judged.verdict));
        events.push(Event::TestCaseFinished(TestCaseFinished {
            problem: planned.name.clone(),
            submission: submission.id.clone(),
            test_case,
            verdict: judged.verdict,
            cpu_time_us,
            wall_time_us: micros(usage.wall_time),
            memory_bytes: usage.memory_bytes,
            stdout_bytes: usage.stdout_bytes,
            stderr_bytes: usage.stderr_bytes,
            termination: judged.outcome.termination,
            near_limit,
            difference: judged.difference,
            judge_message: judged.judge_message,
            stderr: judged.stderr,
            reason: judged.reason,
            score: None,
            passes: (judged.passes > 1).then_some(judged.passes),
            interaction: judged.interaction,
            team_message: judge_event::Bytes::default(),
        }));
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
        // What is required may lie in test cases that were not selected.
        let complete = self.verdicts.len() == planned.test_cases_total;
        let violations = check(&submission.expectations, &self.verdicts, complete);
        let (verdict, deciding) = aggregate(&self.verdicts).unwrap_or((Verdict::Accepted, 0));
        let deciding = (verdict != Verdict::Accepted).then(|| self.verdicts[deciding].0.clone());
        SubmissionFinished {
            verdict,
            deciding_test_case: deciding,
            as_expected: violations.is_empty(),
            violations: violations.iter().map(ToString::to_string).collect(),
            ..self.summary(planned, submission)
        }
    }

    fn summary(&self, planned: &PlannedProblem, submission: &Submission) -> SubmissionFinished {
        SubmissionFinished {
            problem: planned.name.clone(),
            submission: submission.id.clone(),
            verdict: Verdict::Accepted,
            deciding_test_case: None,
            slowest: self.slowest.clone(),
            memory_bytes: self.memory_bytes,
            test_cases_run: self.verdicts.len() as u64,
            test_cases_total: planned.problem.test_cases.len() as u64,
            as_expected: true,
            violations: Vec::new(),
            score: None,
            groups: Vec::new(),
        }
    }
}

fn package_fault(planned: &PlannedProblem, message: String) -> Event {
    let (problem, file) = (planned.name.clone(), planned.path.clone());
    Event::PackageFault(PackageFault { problem, file, line: None, message, hint: None })
}

fn problem_started(planned: &PlannedProblem) -> Event {
    let problem = &planned.problem;
    Event::ProblemStarted(ProblemStarted {
        problem: planned.name.clone(),
        title: problem.title.clone(),
        path: planned.path.clone(),
        time_limit_us: micros(planned.time_limit.max(Duration::from_micros(1))),
        limits: problem.limits.clone(),
        test_cases: problem.test_cases.iter().map(|test_case| test_case.id.clone()).collect(),
        test_cases_total: planned.test_cases_total as u64,
        submissions: problem.submissions.iter().map(|submission| submission.id.clone()).collect(),
    })
}

fn submission_started(planned: &PlannedProblem, index: usize) -> Event {
    let submission = &planned.problem.submissions[index];
    Event::SubmissionStarted(SubmissionStarted {
        problem: planned.name.clone(),
        submission: submission.id.clone(),
        path: planned.submission_paths.get(index).cloned().unwrap_or_default(),
        language: submission.language.clone(),
        expectations: submission.expectations.clone(),
    })
}

fn compile_finished(planned: &PlannedProblem, submission: &Submission, compiled: &Compiled) -> Event {
    let (success, toolchain, reason) = match &compiled.result {
        Ok(program) => (true, Some(program.toolchain.describe()), None),
        Err(failure) => (false, None, failure.reason.clone()),
    };
    Event::CompileFinished(CompileFinished {
        problem: planned.name.clone(),
        submission: submission.id.clone(),
        success,
        cached: compiled.cached,
        cpu_time_us: micros(compiled.cpu_time),
        toolchain,
        reason,
        message: compiled.message.clone(),
    })
}
