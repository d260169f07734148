//! One comparison, from a finished run to a document.
//!
//! Responsible for the order of its steps: answers, start-up, rounds, second looks, estimates. Must not know
//! statistics.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use judge_event::{Progress, RunState, SubmissionState, TestCaseFinished};
use judge_exec::{Counter, Environment, ExecError, Fault, PreparedSubmission, Session, TimedProblem, Worker};
use judge_model::{LanguageId, Problem, Verdict};

use crate::answers::{Class, by_size, classify};
use crate::conclusion::conclude;
use crate::document::{
    Candidate, Compared, ComparedCase, Comparison, FirstRun, Host, InstructionCounter, Method, SCHEMA_VERSION,
};
use crate::estimate::{Estimate, estimate};
use crate::growth::{Point, exponent};
use crate::instructions::{self, Counted, Counts};
use crate::round_robin::affordable;
use crate::settings::{CompareError, Counting, Settings};
use crate::starting;
use crate::timing::{Enough, Measure, Outputs, Timed, cpu_time, log_ratios, memory, run_rounds, wall_time};
use judge_exec::Random;

/// A test case counts when the reference takes this many times as long on it as a program that does nothing.
const ABOVE_START: f64 = 5.0;
/// The time of starting a program where it is unknown because it was not measured, in microseconds.
const START_UNKNOWN: u64 = 1_000;
/// The overhead of one run beside the program itself, in seconds: only for planning.
const OVERHEAD: f64 = 0.003;
/// Resamples of the estimates that are reported.
const RESAMPLES: usize = 2_000;
/// Test cases with different outputs that are looked at once more, the smallest first.
const SECOND_LOOKS: usize = 20;

/// The subject of a comparison: the plan of the finished run (one problem, the reference first) and its results.
struct Subject<'a> {
    timed: &'a TimedProblem,
    submissions: &'a [SubmissionState],
    time_limit_us: u64,
    input_bytes: Vec<u64>,
}

impl<'a> Subject<'a> {
    /// `None` when plan and run are not of the same submissions.
    fn new(timed: &'a TimedProblem, state: &'a RunState) -> Result<Option<Self>, CompareError> {
        let Some(of_problem) = state.problems.first() else {
            return Ok(None);
        };
        if of_problem.submissions.len() != timed.problem.submissions.len() {
            return Ok(None);
        }
        let input_bytes = timed.problem.test_cases.iter().map(|case| {
            fs::metadata(&case.input)
                .map(|metadata| metadata.len())
                .map_err(|source| CompareError::Input { test_case: case.id.clone(), source })
        });
        Ok(Some(Self {
            timed,
            submissions: &of_problem.submissions,
            time_limit_us: of_problem.started.time_limit_us,
            input_bytes: input_bytes.collect::<Result<_, _>>()?,
        }))
    }

    fn problem(&self) -> &Problem {
        &self.timed.problem
    }

    /// The first run of a submission on a test case.
    fn first(&self, submission: usize, test_case: usize) -> Option<&TestCaseFinished> {
        let id = &self.problem().test_cases[test_case].id;
        self.submissions[submission].test_cases.iter().find(|finished| finished.test_case == *id)
    }

    fn is_right(&self, submission: usize, test_case: usize) -> bool {
        self.first(submission, test_case).is_some_and(|finished| finished.verdict == Verdict::Accepted)
    }
}

/// Compares the submissions of a run that was completed. The problem has at least two submissions, and the run
/// told their outputs apart. `None` when it was cancelled, or when the run has no such problem.
///
/// # Errors
/// Faults of the host; nothing that a submission does is one.
pub fn compare(
    problem: &TimedProblem,
    state: &RunState,
    environment: &Environment<'_>,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Comparison>, CompareError> {
    let Some(subject) = Subject::new(problem, state)? else { return Ok(None) };
    let directory = tempfile::tempdir().map_err(CompareError::Starting)?;
    let nothing = starting::problem(directory.path(), &languages(&subject)).map_err(CompareError::Starting)?;
    let session = Session::open(vec![with_time_limit(&subject), nothing.clone()], environment, true)?;
    let mut worker = session.measuring_worker(settings.core);
    let Some(start_up) = starting::measure(&nothing, 1, &mut worker)? else { return Ok(None) };
    let mut prepared_submissions = Vec::new();
    for index in 0..subject.submissions.len() {
        prepared_submissions.push(Fault::apart(worker.prepare_submission(0, index))?.ok());
    }
    let mut random = Random::new(settings.seed);
    let (mut timed, start_up_dominates) = to_be_timed(&subject, &start_up, settings.budget);
    let Some(spent) = time(&subject, &mut timed, &prepared_submissions, &mut worker, settings, &mut random, progress)?
    else {
        return Ok(None);
    };
    let Some(classes) = classes(&subject, &timed, &prepared_submissions, &mut worker)? else { return Ok(None) };
    let Some((counted, not_counted)) = counted(&subject, &timed, &prepared_submissions, &mut worker, settings)? else {
        return Ok(None);
    };
    let method = Method {
        seed: settings.seed,
        budget_us: micros(settings.budget),
        spent_us: micros(spent),
        precision: settings.precision,
        margin: settings.margin,
        start_up_dominates,
        instructions: settings.counting.as_ref().filter(|_| !counted.is_empty()).map(source),
        not_counted,
    };
    let host = Host {
        processor: settings.processor.clone(),
        architecture: std::env::consts::ARCH.to_owned(),
        isolation: environment.sandbox.isolation().level,
    };
    let candidates = (classes.into_iter().enumerate()).map(|(index, classes)| {
        let of_rounds = candidate(index + 1, classes, &timed, settings, &mut random);
        Candidate { instructions: instructions::ratio(&counted, index + 1, &mut random), ..of_rounds }
    });
    let candidates: Vec<Candidate> = candidates.collect();
    Ok(Some(Comparison {
        comparison_schema: SCHEMA_VERSION,
        judge_version: environment.judge_version.to_owned(),
        problem: subject.timed.name.clone(),
        host,
        time_limit_us: subject.time_limit_us,
        method,
        candidates,
        submissions: (0..subject.submissions.len()).map(|index| compared(&subject, index, &start_up)).collect(),
        test_cases: (0..subject.input_bytes.len()).map(|index| case(&subject, index, &timed, &counted)).collect(),
    }))
}

/// Runs the rounds. How much time passed meanwhile; `None` when it was cancelled.
fn time(
    subject: &Subject<'_>,
    timed: &mut [Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
    settings: &Settings,
    random: &mut Random,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Duration>, ExecError> {
    let started = Instant::now();
    let enough = Enough { budget: settings.budget, precision: settings.precision };
    let mut told = |test_case: usize, rounds: usize, precision: Option<f64>| {
        let sure = precision.map(|half| format!(", known to {:.1} %", half * 100.0)).unwrap_or_default();
        let running = vec![format!("round {} on {}{sure}", rounds + 1, subject.problem().test_cases[test_case].id)];
        // As many rounds as the budget has room for at this pace.
        let share = started.elapsed().as_secs_f64() / settings.budget.as_secs_f64();
        let total = (rounds as f64 / share.max(1e-6)).max(rounds as f64 + 1.0) as u64;
        progress(&Progress { done: rounds as u64, total, running, ..Progress::default() }).map_err(ExecError::Observer)
    };
    let finished = run_rounds(timed, prepared_submissions, worker, enough, random, &mut told)?;
    Ok(finished.map(|()| started.elapsed()))
}

/// The languages of the submissions, each once.
fn languages(subject: &Subject<'_>) -> Vec<LanguageId> {
    let mut languages: Vec<_> = subject.problem().submissions.iter().filter_map(|of| of.language.clone()).collect();
    languages.sort();
    languages.dedup();
    languages
}

/// The problem with the time limit that was in force, which may have been inferred.
fn with_time_limit(subject: &Subject<'_>) -> TimedProblem {
    TimedProblem { time_limit: Duration::from_micros(subject.time_limit_us), ..subject.timed.clone() }
}

fn start_of(language: Option<&LanguageId>, start_up: &[(LanguageId, u64)]) -> Option<u64> {
    start_up.iter().find(|(of, _)| Some(of) == language).map(|(_, time)| *time)
}

/// The test cases to be timed, the slowest on the reference first, and whether starting dominates on all of them.
fn to_be_timed(subject: &Subject<'_>, start_up: &[(LanguageId, u64)], budget: Duration) -> (Vec<Timed>, bool) {
    let submissions = subject.submissions.len();
    let language = subject.problem().submissions[0].language.as_ref();
    let floor = start_of(language, start_up).unwrap_or(START_UNKNOWN) as f64 * ABOVE_START / 1e6;
    let seconds = |submission: usize, test_case: usize| {
        subject.first(submission, test_case).map_or(0.0, |first| first.cpu_time_us as f64 / 1e6)
    };
    let case = |test_case: usize| {
        let right = |submission: usize| subject.is_right(submission, test_case);
        let takes_part: Vec<bool> = (0..submissions).map(right).collect();
        (takes_part[0] && takes_part[1..].contains(&true)).then(|| Timed {
            test_case,
            reference: seconds(0, test_case),
            takes_part,
            rounds: Vec::new(),
            failed: vec![0; submissions],
            outputs: vec![Outputs::default(); submissions],
        })
    };
    let mut cases: Vec<Timed> = (0..subject.problem().test_cases.len()).filter_map(case).collect();
    cases.sort_by(|one, other| other.reference.total_cmp(&one.reference));
    let above = cases.iter().filter(|case| case.reference >= floor).count();
    let dominates = above == 0 && !cases.is_empty();
    cases.truncate(above.max(1));
    let round = |case: &Timed| -> f64 {
        let there = (0..submissions).filter(|index| case.takes_part[*index]);
        there.map(|index| 2.0 * (seconds(index, case.test_case) + OVERHEAD)).sum()
    };
    let rounds: Vec<f64> = cases.iter().map(round).collect();
    let chosen = affordable(&rounds, budget.as_secs_f64());
    (chosen.into_iter().map(|index| cases[index].clone()).collect(), dominates)
}

/// The class of each test case for each candidate. Different outputs that were seen only once are looked at again: two
/// programs that each write the same every time differ, one that does not is not deterministic.
fn classes(
    subject: &Subject<'_>,
    timed: &[Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
) -> Result<Option<Vec<Vec<Class>>>, ExecError> {
    let cases = subject.problem().test_cases.len();
    let mut all: Vec<Vec<Class>> = (1..subject.submissions.len())
        .map(|candidate| {
            (0..cases).map(|case| classify(subject.first(0, case), subject.first(candidate, case))).collect()
        })
        .collect();
    let sizes: Vec<_> = subject.input_bytes.iter().copied().zip(ids(subject)).collect();
    let mut looks = 0;
    for test_case in by_size(&sizes) {
        let is_timed = timed.iter().find(|timed| timed.test_case == test_case);
        let doubtful = all.iter().any(|classes| classes[test_case] == Class::DifferentOutputs);
        let mut seen = Vec::new();
        for (index, prepared) in prepared_submissions.iter().enumerate() {
            let first = subject.first(index, test_case);
            let mut outputs = is_timed.map(|timed| timed.outputs[index].clone()).unwrap_or_default();
            let mut failed = is_timed.is_some_and(|timed| timed.failed[index] > 0);
            if let (Some(prepared), true, None, true) = (prepared, doubtful, is_timed, looks < SECOND_LOOKS) {
                let Some(measurement) = worker.measure(prepared, test_case)? else { return Ok(None) };
                outputs.hear(measurement.output_hash.as_ref());
                failed = measurement.verdict != Verdict::Accepted && subject.is_right(index, test_case);
            }
            if subject.is_right(index, test_case) {
                outputs.hear(first.and_then(|first| first.output_hash.as_ref()));
            }
            seen.push((failed, outputs.differ));
        }
        looks += usize::from(doubtful && is_timed.is_none());
        for (index, classes) in all.iter_mut().enumerate() {
            let (reference, candidate) = (seen[0], seen[index + 1]);
            let both_right = matches!(classes[test_case], Class::BothRight | Class::DifferentOutputs);
            if both_right && (reference.0 || candidate.0) {
                classes[test_case] = Class::Unsteady;
            } else if both_right && (reference.1 || candidate.1) {
                classes[test_case] = Class::NotDeterministic;
            }
        }
    }
    Ok(Some(all))
}

fn ids<'a>(subject: &'a Subject<'_>) -> impl Iterator<Item = &'a str> {
    subject.timed.problem.test_cases.iter().map(|case| case.id.as_str())
}

fn candidate(
    index: usize,
    classes: Vec<Class>,
    timed: &[Timed],
    settings: &Settings,
    random: &mut Random,
) -> Candidate {
    let mut of =
        |measure: Measure| -> Option<Estimate> { estimate(&log_ratios(timed, index, measure), RESAMPLES, random) };
    let cpu_time = of(cpu_time);
    Candidate {
        label: label(index),
        conclusion: cpu_time.as_ref().map(|estimate| conclude(estimate, settings.margin, settings.precision)),
        cpu_time,
        wall_time: of(wall_time),
        memory: of(memory),
        instructions: None,
        since_baseline: None,
        classes,
    }
}

/// `A`, `B`, …, `Z`, and after that numbers.
fn label(index: usize) -> String {
    let letter = u8::try_from(index).ok().and_then(|index| b'A'.checked_add(index)).filter(u8::is_ascii_uppercase);
    letter.map_or_else(|| (index + 1).to_string(), |letter| char::from(letter).to_string())
}

fn compared(subject: &Subject<'_>, index: usize, start_up: &[(LanguageId, u64)]) -> Compared {
    let state = &subject.submissions[index];
    let language = subject.problem().submissions[index].language.clone();
    let start_up_us = start_of(language.as_ref(), start_up);
    let finished = state.finished.as_ref();
    let floor = start_up_us.unwrap_or(START_UNKNOWN) as f64;
    let points: Vec<Point> = (0..subject.input_bytes.len())
        .filter(|case| subject.is_right(index, *case))
        .filter_map(|case| {
            let time = subject.first(index, case)?.cpu_time_us as f64;
            (time >= 2.0 * floor).then(|| Point { input_bytes: subject.input_bytes[case], time: time - floor })
        })
        .collect();
    Compared {
        label: label(index),
        submission: state.started.submission.clone(),
        path: state.started.path.clone(),
        language,
        verdict: finished.map_or(Verdict::CompileError, |finished| finished.verdict),
        accepted: (0..subject.input_bytes.len()).filter(|case| subject.is_right(index, *case)).count(),
        slowest_us: finished.and_then(|finished| finished.slowest.as_ref()).map(|slowest| slowest.cpu_time_us),
        memory_bytes: finished.map_or(0, |finished| finished.memory_bytes),
        start_up_us,
        growth: exponent(&points),
    }
}

fn source(counting: &Counting) -> InstructionCounter {
    match counting.counter {
        Counter::Hardware => InstructionCounter::Hardware,
        Counter::Callgrind(_) => InstructionCounter::Callgrind,
    }
}

/// The instructions on test cases on which all submissions are right, as far as there is time for them: on those that
/// were timed, where all that costs little. `None` when it was cancelled.
fn counted(
    subject: &Subject<'_>,
    timed: &[Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
    settings: &Settings,
) -> Result<Option<Counts>, ExecError> {
    let Some(Counting { counter, budget }) = &settings.counting else { return Ok(Some((Vec::new(), None))) };
    let submissions = 0..subject.submissions.len();
    let all_right = |case: &usize| submissions.clone().all(|index| subject.is_right(index, *case));
    let seconds =
        |index: usize, case: usize| subject.first(index, case).map_or(0, |first| first.cpu_time_us) as f64 / 1e6;
    let cost = |case: usize| (case, submissions.clone().map(|index| seconds(index, case)).sum());
    let of_all: Vec<usize> = (0..subject.input_bytes.len()).filter(all_right).collect();
    let of_timed: Vec<usize> = timed.iter().map(|case| case.test_case).filter(all_right).collect();
    let hardware = *counter == Counter::Hardware;
    let candidates = if hardware && !of_timed.is_empty() { of_timed } else { of_all };
    let costs: Vec<(usize, f64)> = candidates.into_iter().map(cost).collect();
    let chosen = instructions::chosen(&costs, counter, *budget);
    instructions::count(&chosen, prepared_submissions, counter, worker, *budget)
}

fn case(subject: &Subject<'_>, index: usize, timed: &[Timed], counted: &[Counted]) -> ComparedCase {
    let first_run = |submission: usize| {
        let first = subject.first(submission, index)?;
        Some(FirstRun {
            verdict: first.verdict,
            cpu_time_us: first.cpu_time_us,
            memory_bytes: first.memory_bytes,
            output_hash: first.output_hash.clone(),
        })
    };
    let counts = counted.iter().find(|counted| counted.test_case == index).map(|of| of.counts.clone());
    let counts = counts.unwrap_or_default();
    ComparedCase {
        test_case: subject.problem().test_cases[index].id.clone(),
        input_bytes: subject.input_bytes[index],
        first_runs: (0..subject.submissions.len()).map(first_run).collect(),
        rounds: timed.iter().find(|timed| timed.test_case == index).map(|of| of.rounds.clone()).unwrap_or_default(),
        instructions: counts.iter().map(|counts| instructions::median(counts)).collect(),
        instruction_counts: counts,
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
