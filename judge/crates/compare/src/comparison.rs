//! A comparison, from a finished run to a document.
//!
//! Responsible for the order of the steps: answers, start-up, choice of test cases, rounds, reruns,
//! and estimates. Must not know statistics.

use std::io;
use std::time::{Duration, Instant};

use judge_event::comparison::{
    Candidate, CandidateIndex, CaseRatio, Compared, ComparedCase, Comparison, Estimate, FirstRun,
    REFERENCE, SCHEMA_VERSION, TimedOn, TimingHost, TimingMethod,
};
use judge_event::{Progress, RunState};
use judge_exec::{
    Environment, ExecError, Fault, PreparedSubmission, Random, Session, TimedProblem, Worker,
};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{
    IsolationLevel, ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex, Verdict, micros,
};

use crate::measure::calibration::Times;
use crate::measure::host_load::Ticks;
use crate::measure::reruns::classes;
use crate::measure::starting::{self, Start};
use crate::measure::stopping::{is_clear, max_noise};
use crate::measure::timing::{Outputs, StopConditions, Timed, cpu_time, rounds, run_rounds};
use crate::ratios::{self, Resampling};
use crate::selection::{Choice, Selection, round_cost, select};
use crate::settings::{CompareError, Settings};
use crate::statistics::estimate::{MIN_ROUNDS, RoundPairs, half_width_of_rounds, log_ratio};
use crate::statistics::placement::placement_effect;
use crate::subject::Subject;
use crate::unlike::{DISTURBING, Kind, Unlike};

/// The seed of the resampling, so that the same times give the same intervals.
const SEED: u64 = 1;
/// The time of starting a program if it was not measured, in microseconds.
const DEFAULT_START: u64 = 1_000;

/// The maximum budget that is advised, in seconds. Beyond it, only another host or input is
/// advised.
const MAX_ADVISED_BUDGET: f64 = 600.0;

/// Compares the submissions of a completed run. The problem must have at least two submissions, and
/// the run must have the hashes of their outputs. Returns `None` when it was cancelled, or when the
/// run has no such problem.
///
/// # Errors
/// Faults of the host. A failure of a submission is not an error.
#[expect(
    clippy::too_many_lines,
    reason = "the steps of a comparison, in their order"
)]
pub fn compare(
    problem: &TimedProblem,
    state: &RunState,
    environment: &Environment,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Comparison>, CompareError> {
    let Some(subject) = Subject::new(problem, state)? else {
        return Ok(None);
    };
    let directory =
        LockedDirectory::temporary(TemporaryPurpose::Measuring).map_err(CompareError::Starting)?;
    let languages: Vec<_> = subject
        .languages()
        .iter()
        .filter_map(|id| environment.toolchains.get(id)?.ok())
        .collect();
    let minimal =
        starting::problem(directory.path(), &languages).map_err(CompareError::Starting)?;
    let session = Session::open(
        vec![subject.with_time_limit(), minimal.clone()],
        environment,
        true,
    )?;
    let mut worker = session.measuring_worker(settings.core);
    emit_step(progress, "measuring start-up times")?;
    let Some(starts) = starting::measure(&minimal, ProblemIndex(1), &mut worker)? else {
        return Ok(None);
    };
    let prepared_submissions = prepared(&subject, &mut worker)?;
    emit_step(progress, "choosing the test cases to time")?;
    let mut random = Random::new(SEED);
    let shortest: Vec<f64> = subject
        .submissions()
        .map(|submission| shortest_start(&subject, submission, &starts))
        .collect();
    let Some(times) = Times::measure(&subject, &shortest, &prepared_submissions, &mut worker)?
    else {
        return Ok(None);
    };
    let selections: Vec<Selection> = subject
        .candidates()
        .map(|candidate| selection(&subject, candidate, &times, &shortest))
        .collect();
    let mut timed = timed_cases(&subject, &selections);
    let effect =
        |candidate, rounds: &[RoundPairs]| min_effect(&subject, candidate, &starts, rounds);
    // A gate may be anywhere in a wide interval, so its comparison gets the whole budget.
    let is_exact = settings.gate.is_some();
    let enough = StopConditions {
        budget: settings.budget,
        precision: settings.precision,
        is_exact,
        effect: &effect,
    };
    let Some(spent) = time(
        &subject,
        &mut timed,
        &prepared_submissions,
        &mut worker,
        enough,
        &mut random,
        progress,
    )?
    else {
        return Ok(None);
    };
    emit_step(progress, "rerunning differences")?;
    let Some(classes) = classes(&subject, &timed, &prepared_submissions, &mut worker)? else {
        return Ok(None);
    };
    let method = TimingMethod {
        budget_us: micros(settings.budget),
        spent_us: micros(spent.elapsed),
        others_busy: spent.others_busy,
        precision: settings.precision,
        margin: settings.margin,
        budget_needed_us: budget_needed(&timed, &subject, spent.elapsed),
    };
    let of_candidates = subject
        .candidates()
        .zip(classes.into_iter().zip(&selections));
    let isolation = environment.sandbox.isolation().level;
    let candidates = of_candidates.map(|(index, (classes, selection))| {
        let resampling = Resampling {
            settings,
            starts: start_times(&subject, index, &starts),
            host_effect: host_effect(&subject, index, &starts, spent.others_busy),
            hidden_memory: hidden_memory(isolation, &starts),
            random: &mut random,
        };
        let timed_on = named(&subject, selection);
        ratios::candidate(index, timed_on, classes, &subject, &timed, resampling)
    });
    let candidates: Vec<Candidate> = candidates.collect();
    let gates = settings.gate.iter();
    Ok(Some(Comparison {
        comparison_schema: SCHEMA_VERSION,
        judge_version: environment.judge_version.clone(),
        problem: subject.timed.name.clone(),
        host: TimingHost {
            processor: settings.processor.clone(),
            architecture: std::env::consts::ARCH.to_owned(),
            isolation,
        },
        time_limit_us: subject.time_limit_us,
        warnings: warnings(&method, &candidates),
        method,
        gates: gates.flat_map(|gate| gate.decide(&candidates)).collect(),
        candidates,
        submissions: subject
            .submissions()
            .map(|index| compared(&subject, index, &starts))
            .collect(),
        test_cases: subject
            .test_cases()
            .map(|index| case(&subject, index, &timed))
            .collect(),
    }))
}

/// Returns the warnings about the reliability of the numbers.
fn warnings(method: &TimingMethod, candidates: &[Candidate]) -> Vec<String> {
    let short = method.budget_needed_us.map(|needed| {
        format!(
            "the budget of {} s is too small for {MIN_ROUNDS} rounds on each test case; use `--budget {}`",
            method.budget_us as f64 / 1e6,
            (needed as f64 * 1.1 / 1e6).ceil()
        )
    });
    let is_start = |candidate: &Candidate| {
        candidate.timed_on.start_up_dominates && !candidate.timed_on.test_cases.is_empty()
    };
    let dominates = candidates.iter().any(is_start).then(|| {
        "start-up dominates: on no test case do both programs run several times longer than their start-up; use a larger input".to_owned()
    });
    let times = candidates
        .iter()
        .filter_map(|candidate| candidate.cpu_time.as_ref());
    let estimates: Vec<&Estimate> = times.map(|ratio| &ratio.estimate).collect();
    let is_disturbed = estimates.iter().any(|time| time.host_effect.is_some());
    let others = method
        .others_busy
        .filter(|others| *others >= DISTURBING && is_disturbed);
    let disturbed = others.map(|others| {
        format!(
            "other programs kept at least {others:.1} processors busy: the ratio of programs in different languages, or with very \
             different use of memory, may differ on a quiet machine"
        )
    });
    let noise = noise(method, &estimates);
    short
        .into_iter()
        .chain(dominates)
        .chain(noise)
        .chain(disturbed)
        .collect()
}

/// Warns that rounds differ too much for a useful interval, with advice.
fn noise(method: &TimingMethod, estimates: &[&Estimate]) -> Option<String> {
    let half = estimates
        .iter()
        .filter(|estimate| !is_clear(estimate, method.precision))
        .filter_map(|estimate| half_width_of_rounds(estimate))
        .filter(|half| half.is_finite())
        .max_by(f64::total_cmp)?;
    let max = max_noise(method.precision, 0.0);
    // The half-width is inversely proportional to the root of the number of rounds.
    let needed = (method.spent_us as f64 / 1e6 * (half / max).powi(2)).ceil();
    let budget = if needed <= MAX_ADVISED_BUDGET {
        format!("`--budget {needed}`, ")
    } else {
        String::new()
    };
    (half > max).then(|| {
        format!(
            "times vary from round to round, so the ratio is accurate only to {:.0} %; {budget}a larger input or a quieter machine \
             makes it more precise",
            half.exp_m1() * 100.0
        )
    })
}

/// Returns the prepared submissions; `None` for one that cannot be run.
fn prepared(
    subject: &Subject<'_>,
    worker: &mut Worker<'_>,
) -> Result<Vec<Option<PreparedSubmission>>, ExecError> {
    let place = |submission| SubmissionPlace {
        problem: ProblemIndex(0),
        submission,
    };
    let prepared =
        |submission| Ok(Fault::apart(worker.prepare_submission(place(submission)))?.ok());
    subject.submissions().map(prepared).collect()
}

/// Reports a step without a count.
fn emit_step(
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
    what: &str,
) -> Result<(), ExecError> {
    progress(&Progress {
        running: vec![what.to_owned()],
        ..Progress::default()
    })
    .map_err(ExecError::Observer)
}

/// Returns the memory up to which the peaks of two programs cannot be distinguished, in bytes.
/// Without a control group, the peak of a program includes the memory of starting it, which is
/// measured with a program that does nothing.
fn hidden_memory(level: IsolationLevel, starts: &[Start]) -> Option<u64> {
    starts
        .iter()
        .map(|start| start.memory)
        .min()
        .filter(|_| level != IsolationLevel::Full)
}

/// Returns the share by which other work on the host may change the ratio of a candidate.
/// `others_busy` is the number of processors that other programs kept busy.
fn host_effect(
    subject: &Subject<'_>,
    candidate: CandidateIndex,
    starts: &[Start],
    others_busy: Option<f64>,
) -> f64 {
    let both = [REFERENCE, candidate.submission()];
    let unlike = Unlike::between(both.map(|submission| kind(subject, submission, starts)));
    unlike.map_or(0.0, |unlike| unlike.host_effect(others_busy))
}

/// Returns the start-up times of the reference and a candidate.
fn start_times<'s>(
    subject: &Subject<'_>,
    candidate: CandidateIndex,
    starts: &'s [Start],
) -> [Option<&'s [f64]>; 2] {
    let both = [REFERENCE, candidate.submission()];
    both.map(|submission| start_of(subject, submission, starts).map(|start| start.times.as_slice()))
}

/// Returns the logarithm of the minimum factor by which the interval of a candidate's CPU time is
/// widened, in addition to the noise of rounds.
fn min_effect(
    subject: &Subject<'_>,
    candidate: CandidateIndex,
    starts: &[Start],
    rounds: &[RoundPairs],
) -> f64 {
    let host = host_effect(subject, candidate, starts, None).ln_1p();
    host.hypot(placement_effect(
        rounds,
        start_times(subject, candidate, starts),
    ))
}

/// The time that the rounds took.
struct Spent {
    elapsed: Duration,
    /// The number of processors that other programs kept busy, if the host reports it.
    others_busy: Option<f64>,
}

/// Runs the rounds. Returns `None` when it was cancelled.
fn time(
    subject: &Subject<'_>,
    timed: &mut [Timed],
    prepared_submissions: &[Option<PreparedSubmission>],
    worker: &mut Worker<'_>,
    enough: StopConditions<'_>,
    random: &mut Random,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Spent>, ExecError> {
    let (started, before) = (Instant::now(), Ticks::now());
    let mut on_round = |test_case: TestCaseIndex, rounds: usize, precision: Option<f64>| {
        let accuracy = precision
            .map(|half| format!(", accurate to {:.1} %", half * 100.0))
            .unwrap_or_default();
        let running = vec![format!(
            "round {} on {}{accuracy}",
            rounds + 1,
            subject.problem().test_cases[test_case].id
        )];
        // The expected number of rounds within the budget at this pace.
        let share = started.elapsed().as_secs_f64() / enough.budget.as_secs_f64();
        let total = (rounds as f64 / share.max(1e-6)).max(rounds as f64 + 1.0) as u64;
        progress(&Progress {
            done: rounds as u64,
            total,
            running,
            ..Progress::default()
        })
        .map_err(ExecError::Observer)
    };
    let finished = run_rounds(
        timed,
        prepared_submissions,
        worker,
        enough,
        random,
        &mut on_round,
    )?;
    let others_busy = Ticks::now()
        .zip(before)
        .and_then(|(now, before)| now.others_since(before));
    Ok(finished.map(|()| Spent {
        elapsed: started.elapsed(),
        others_busy,
    }))
}

fn start_of<'s>(
    subject: &Subject<'_>,
    submission: SubmissionIndex,
    starts: &'s [Start],
) -> Option<&'s Start> {
    let language = subject.problem().submissions[submission]
        .language
        .as_ref()?;
    starts.iter().find(|start| start.language == *language)
}

/// Returns the shortest start-up time of a submission, in seconds.
fn shortest_start(subject: &Subject<'_>, submission: SubmissionIndex, starts: &[Start]) -> f64 {
    start_of(subject, submission, starts).map_or(DEFAULT_START as f64 / 1e6, Start::shortest)
}

/// Returns the properties of a submission that determine how other work on the host affects it.
fn kind<'s>(subject: &'s Subject<'_>, submission: SubmissionIndex, starts: &[Start]) -> Kind<'s> {
    let (language, peak) = subject.language_and_peak(submission);
    Kind {
        language,
        peak,
        at_start: start_of(subject, submission, starts).map_or(0, |start| start.memory),
    }
}

/// Selects the test cases on which a candidate is timed.
fn selection(
    subject: &Subject<'_>,
    candidate: CandidateIndex,
    times: &Times,
    starts: &[f64],
) -> Selection {
    let both = [REFERENCE, candidate.submission()];
    let both_right = |case: &TestCaseIndex| {
        both.iter()
            .all(|submission| subject.is_right(*submission, *case))
    };
    let names: Vec<&str> = subject.test_case_names().collect();
    let choice = |test_case: TestCaseIndex| Choice {
        test_case,
        name: names[test_case.0],
        input_bytes: subject.input_bytes[test_case.0],
        times: both.map(|submission| times.time(submission, test_case)),
    };
    let choices: Vec<Choice<'_>> = subject
        .test_cases()
        .filter(both_right)
        .map(choice)
        .collect();
    select(&choices, both.map(|submission| starts[submission.0]))
}

fn named(subject: &Subject<'_>, selection: &Selection) -> TimedOn {
    let name = |case: &TestCaseIndex| subject.problem().test_cases[*case].id.clone();
    TimedOn {
        test_cases: selection.test_cases.iter().map(name).collect(),
        above_start_up: selection.above_start,
        left_out: selection.left_out,
        start_up_dominates: selection.start_up_dominates,
    }
}

/// Returns the test cases of all candidates, the slowest on the reference first.
fn timed_cases(subject: &Subject<'_>, selections: &[Selection]) -> Vec<Timed> {
    let submissions = subject.submissions.len();
    let mut test_cases: Vec<TestCaseIndex> = selections
        .iter()
        .flat_map(|selection| selection.test_cases.iter().copied())
        .collect();
    // Several candidates often choose the same test case. It is timed once, with all of them in
    // each round.
    test_cases.sort_unstable();
    test_cases.dedup();
    let takes_part = |test_case: TestCaseIndex| {
        let of_candidates = selections.iter().map(|selection| &selection.test_cases);
        let of_candidates = of_candidates.map(|test_cases| test_cases.contains(&test_case));
        [true].into_iter().chain(of_candidates).collect()
    };
    let case = |test_case: TestCaseIndex| Timed {
        test_case,
        reference: subject.first_time(REFERENCE, test_case),
        takes_part: takes_part(test_case),
        rounds: Vec::new(),
        failed: vec![0; submissions],
        outputs: vec![Outputs::default(); submissions],
    };
    let mut cases: Vec<Timed> = test_cases.into_iter().map(case).collect();
    cases.sort_by(|one, other| other.reference.total_cmp(&one.reference));
    cases
}

/// Returns the budget in microseconds that the minimum number of rounds would have needed, at the
/// pace of the completed rounds: a busy host slows down all of them. `None` if the budget was
/// sufficient.
fn budget_needed(timed: &[Timed], subject: &Subject<'_>, spent: Duration) -> Option<u64> {
    let cost = |case: &Timed| {
        let participants = subject
            .submissions()
            .filter(|index| case.takes_part(*index));
        round_cost(participants.map(|index| subject.first_time(index, case.test_case)))
    };
    let is_open = |case: &&Timed| {
        subject
            .candidates()
            .any(|candidate| case.compares(candidate))
    };
    let missing = |case: &Timed| MIN_ROUNDS.saturating_sub(case.rounds.len()) as f64 * cost(case);
    let missing: f64 = timed.iter().filter(is_open).map(missing).sum();
    let done: f64 = timed
        .iter()
        .map(|case| case.rounds.len() as f64 * cost(case))
        .sum();
    let pace = if done > 0.0 {
        (spent.as_secs_f64() / done).max(1.0)
    } else {
        1.0
    };
    (missing > 0.0).then(|| micros(spent + Duration::from_secs_f64((missing * pace).min(1e6))))
}

fn compared(subject: &Subject<'_>, index: SubmissionIndex, starts: &[Start]) -> Compared {
    let state = &subject.submissions[index.0];
    let finished = state.finished.as_ref();
    Compared {
        label: ratios::label(index),
        submission: state.started.submission.clone(),
        path: state.started.path.clone(),
        language: subject.problem().submissions[index].language.clone(),
        verdict: finished.map_or(Verdict::CompileError, |finished| finished.verdict),
        accepted: subject
            .test_cases()
            .filter(|case| subject.is_right(index, *case))
            .count(),
        slowest_us: finished
            .and_then(|finished| finished.slowest.as_ref())
            .map(|slowest| slowest.cpu_time_us),
        memory_bytes: finished.map_or(0, |finished| finished.memory_bytes),
        start_up_us: start_of(subject, index, starts).map(Start::middle),
    }
}

/// Returns the ratio of a candidate on one test case, if it was timed on it.
fn case_ratio(timed: &Timed, candidate: CandidateIndex) -> Option<CaseRatio> {
    let rounds = rounds(std::slice::from_ref(timed), candidate, cpu_time);
    Some(CaseRatio {
        ratio: log_ratio(&rounds)?.exp(),
        rounds: rounds.iter().map(Vec::len).sum(),
    })
}

fn case(subject: &Subject<'_>, index: TestCaseIndex, timed: &[Timed]) -> ComparedCase {
    let first_run = |submission: SubmissionIndex| {
        let first = subject.first(submission, index)?;
        Some(FirstRun {
            verdict: first.verdict,
            cpu_time_us: first.cpu_time_us,
            memory_bytes: first.memory_bytes,
            output_hash: first.output_hash.clone(),
        })
    };
    let timed = timed.iter().find(|timed| timed.test_case == index);
    ComparedCase {
        test_case: subject.problem().test_cases[index].id.clone(),
        input_bytes: subject.input_bytes[index.0],
        first_runs: subject.submissions().map(first_run).collect(),
        ratios: timed
            .map(|timed| {
                subject
                    .candidates()
                    .map(|candidate| case_ratio(timed, candidate))
                    .collect()
            })
            .unwrap_or_default(),
        rounds: timed.map(|timed| timed.rounds.clone()).unwrap_or_default(),
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
