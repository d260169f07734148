//! From a comparison to what people are told of it.
//!
//! Responsible for the sentences. Must not lay anything out, nor compute ratios.

use judge_compare::{
    Bound, COUNT, Candidate, Class, Compared, Comparison, Conclusion, Estimate, Gate, Held, InstructionCounter,
    InstructionRatio, Quantity, SIZE, SPEED, Words, conclude, in_words, interval, percent, smallest_first, times,
};
use judge_event::{RunState, SubmissionState, TestCaseFinished};
use judge_model::{Limits, Verdict};
use judge_report::{CandidateReport, ComparedRow, ComparisonReport, ScatterPoint};
use judge_runner::Plan;

use crate::args::InstructionSource;

/// By how little two counts of instructions differ when they are called the same.
const SAME_COUNT: f64 = 0.005;

/// The report of a comparison, with the gate that it is held against, and the count of instructions that was asked for.
pub(crate) fn of(
    comparison: &Comparison,
    plan: &Plan,
    state: &RunState,
    (gate, asked): (Option<&Gate>, Option<InstructionSource>),
) -> ComparisonReport {
    let states = state.problems.first().map(|problem| problem.submissions.as_slice()).unwrap_or_default();
    let candidates = comparison.candidates.iter().enumerate();
    ComparisonReport {
        problem: comparison.problem.clone(),
        time_limit_us: comparison.time_limit_us,
        limits: plan.problems.first().map_or_else(Limits::default, |planned| planned.problem.limits.clone()),
        rows: (0..comparison.submissions.len()).map(|index| row(comparison, index)).collect(),
        candidates: candidates.map(|(index, of)| candidate(comparison, of, index + 1, states)).collect(),
        points: points(comparison),
        gates: gate.map(|gate| gates(gate, comparison)).unwrap_or_default(),
        notes: notes(comparison, asked),
        warnings: warnings(comparison, asked),
    }
}

/// Whether every candidate holds every bound.
pub(crate) fn is_held(gate: &Gate, comparison: &Comparison) -> bool {
    let bounds = gate.0.iter().flat_map(|bound| comparison.candidates.iter().map(move |of| bound.held_by(of)));
    bounds.into_iter().all(|held| held == Held::Yes)
}

fn row(comparison: &Comparison, index: usize) -> ComparedRow {
    let of = &comparison.submissions[index];
    let candidate = index.checked_sub(1).map(|index| &comparison.candidates[index]);
    let cpu_time = candidate.and_then(|candidate| candidate.cpu_time.as_ref());
    let none = || "–".to_owned();
    ComparedRow {
        label: of.label.clone(),
        submission: of.submission.clone(),
        verdict: of.verdict,
        accepted: of.accepted,
        test_cases: comparison.test_cases.len(),
        slowest_us: of.slowest_us,
        ratio: if index == 0 { "1.00".to_owned() } else { cpu_time.map_or_else(none, times) },
        better: match candidate.and_then(|candidate| candidate.conclusion) {
            Some(Conclusion::Less) => Some(true),
            Some(Conclusion::More) => Some(false),
            _ => None,
        },
        interval: cpu_time.map_or_else(none, interval),
        estimate: cpu_time.map(|estimate| (estimate.ratio, estimate.interval)),
        memory_bytes: of.memory_bytes,
        instructions: comparison.method.instructions.map(|_| match candidate {
            None => "1.00".to_owned(),
            Some(candidate) => {
                candidate.instructions.as_ref().map_or_else(none, |counted| times(&as_estimate(counted)))
            }
        }),
        growth: of.growth.map_or_else(none, |power| format!("n^{:.2}", power.max(0.0))),
    }
}

fn candidate(
    comparison: &Comparison,
    candidate: &Candidate,
    index: usize,
    states: &[SubmissionState],
) -> CandidateReport {
    let of = &comparison.submissions[index];
    let compiled = states.get(index).and_then(|state| state.compiled.as_ref()).filter(|compiled| !compiled.success);
    let agrees = !candidate.classes.iter().any(|class| class.is_difference()) && of.verdict != Verdict::CompileError;
    let say = |estimate: &Option<Estimate>, words: Words| {
        let method = &comparison.method;
        let conclusion = |estimate: &Estimate| conclude(estimate, method.margin, method.precision);
        estimate.as_ref().map(|estimate| in_words(estimate, conclusion(estimate), method.margin, words))
    };
    let mut measures = Vec::new();
    match say(&candidate.cpu_time, SPEED) {
        Some(words) => measures.push(("CPU time".to_owned(), words)),
        None => measures.push(("CPU time".to_owned(), "not compared: no test case on which both are right".to_owned())),
    }
    measures.extend(say(&candidate.wall_time, SPEED).map(|words| ("elapsed".to_owned(), words)));
    measures.extend(say(&candidate.memory, SIZE).map(|words| ("memory".to_owned(), words)));
    measures.extend(candidate.instructions.map(|counted| ("instructions".to_owned(), instructions(&counted))));
    measures.extend(say(&candidate.since_baseline, SPEED).map(|words| ("since baseline".to_owned(), words)));
    CandidateReport {
        label: candidate.label.clone(),
        agrees,
        answers: answers(comparison, candidate, of),
        first: first_difference(comparison, candidate, index, states),
        compiled: compiled.cloned().map(Box::new),
        measures,
    }
}

fn as_estimate(counted: &InstructionRatio) -> Estimate {
    let InstructionRatio { ratio, interval, rounds, test_cases, .. } = *counted;
    Estimate { ratio, interval, rounds, test_cases }
}

/// What the counts say. One that was taken once has no interval, and is taken for what it is.
fn instructions(counted: &InstructionRatio) -> String {
    let cases = if counted.test_cases == 1 { "test case" } else { "test cases" };
    let of = format!("on {} {cases}", counted.test_cases);
    let estimate = as_estimate(counted);
    if estimate.interval.is_some() {
        return match conclude(&estimate, SAME_COUNT, SAME_COUNT) {
            Conclusion::Undecided { .. } => format!("undecided {} {of}", interval(&estimate)),
            conclusion => format!("{} {of}", in_words(&estimate, conclusion, SAME_COUNT, COUNT)),
        };
    }
    match counted.ratio {
        same if (same - 1.0).abs() < SAME_COUNT => format!("the same {of}"),
        fewer if fewer < 1.0 => format!("{:.2}× fewer {of}", 1.0 / fewer),
        more => format!("{more:.2}× more {of}"),
    }
}

/// How the answers of a candidate and the reference relate, in one sentence.
fn answers(comparison: &Comparison, candidate: &Candidate, of: &Compared) -> String {
    let (reference, label) = (&comparison.submissions[0].label, &candidate.label);
    if of.verdict == Verdict::CompileError {
        return format!("{label} does not compile");
    }
    let count = |class: Class| candidate.classes.iter().filter(|of| **of == class).count();
    let total = candidate.classes.len();
    let differences = candidate.classes.iter().filter(|class| class.is_difference()).count();
    let mut parts = Vec::new();
    let mut add = |class: Class, text: &dyn Fn(usize) -> String| {
        let number = count(class);
        if number > 0 {
            parts.push(text(number));
        }
    };
    add(Class::OnlyReference, &|n| format!("only {reference} is right on {n}"));
    add(Class::OnlyCandidate, &|n| format!("only {label} is right on {n}"));
    add(Class::Unsteady, &|n| format!("not right every time on {n}"));
    add(Class::BothWrong, &|n| format!("both wrong on {n}"));
    add(Class::DifferentOutputs, &|n| format!("different outputs, both right, on {n}"));
    add(Class::NotDeterministic, &|n| format!("right, but not the same every time, on {n}"));
    add(Class::NotRun, &|n| format!("not run on {n}"));
    let cases = if total == 1 { "test case" } else { "test cases" };
    let head = match differences {
        0 => format!("{label} differs from {reference} on none of {total} {cases}"),
        some => format!("{label} differs from {reference} on {some} of {total} {cases}"),
    };
    if parts.is_empty() { head } else { format!("{head}: {}", parts.join(", ")) }
}

/// The result that is not right on the smallest test case on which only one of the two is.
fn first_difference(
    comparison: &Comparison,
    candidate: &Candidate,
    index: usize,
    states: &[SubmissionState],
) -> Option<(String, Box<TestCaseFinished>)> {
    let smallest = smallest_first(comparison).into_iter();
    let mut wrong = smallest.filter_map(|case| {
        let who = match candidate.classes[case] {
            Class::OnlyReference => index,
            Class::OnlyCandidate => 0,
            _ => return None,
        };
        let name = &comparison.test_cases[case].test_case;
        let finished = states.get(who)?.test_cases.iter().find(|finished| finished.test_case == *name)?;
        Some((comparison.submissions[who].label.clone(), Box::new(finished.clone())))
    });
    wrong.next()
}

/// Times of the test cases on which both are right, by the runs that compared answers.
fn points(comparison: &Comparison) -> Vec<ScatterPoint> {
    let right = |run: &judge_compare::FirstRun| run.verdict == Verdict::Accepted;
    let mut points = Vec::new();
    for case in &comparison.test_cases {
        let Some(reference) = case.first_runs.first().and_then(Option::as_ref).filter(|run| right(run)) else {
            continue;
        };
        for (run, of) in case.first_runs.iter().zip(&comparison.submissions).skip(1) {
            if let Some(run) = run.as_ref().filter(|run| right(run)) {
                points.push(ScatterPoint {
                    reference_us: reference.cpu_time_us,
                    candidate_us: run.cpu_time_us,
                    mark: of.label.chars().next().unwrap_or('?'),
                });
            }
        }
    }
    points
}

fn gates(gate: &Gate, comparison: &Comparison) -> Vec<(bool, String)> {
    let sentence = |bound: &Bound, candidate: &Candidate| {
        let seen = match bound.estimate_of(candidate) {
            Some(estimate) => format!("{} {}", times(estimate), interval(estimate)),
            None if bound.quantity == Quantity::Baseline => "there is no baseline to hold it against".to_owned(),
            None => "nothing was timed".to_owned(),
        };
        let held = bound.held_by(candidate);
        let decision = match held {
            Held::Yes => "held",
            Held::No => "not held",
            Held::Undecided => "undecided, so not held",
        };
        let text =
            format!("gate {}<={} for {}: {decision}: {seen}", bound.quantity.name(), bound.most, candidate.label);
        (held == Held::Yes, text)
    };
    let all = gate.0.iter().flat_map(|bound| comparison.candidates.iter().map(move |of| sentence(bound, of)));
    all.collect()
}

fn notes(comparison: &Comparison, asked: Option<InstructionSource>) -> Vec<String> {
    let method = &comparison.method;
    let timed: Vec<usize> =
        comparison.test_cases.iter().map(|case| case.rounds.len()).filter(|rounds| *rounds > 0).collect();
    let spent = method.spent_us as f64 / 1e6;
    let plural = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
    let rounds = format!(
        "timed on {} of {}: {} in {spent:.1} s, one program at a time; 95 % intervals; seed {}",
        timed.len(),
        plural(comparison.test_cases.len(), "test case"),
        plural(timed.iter().sum(), "round"),
        method.seed
    );
    let counted = counted(comparison).or_else(|| uncounted(comparison).filter(|_| asked.is_none()));
    let mut languages: Vec<String> = Vec::new();
    for of in &comparison.submissions {
        let Some(language) = &of.language else { continue };
        let start = of.start_up_us.map_or_else(
            || format!("{language} not measured"),
            |time| format!("{language} {:.1} ms", time as f64 / 1e3),
        );
        if !languages.contains(&start) {
            languages.push(start);
        }
    }
    let start = format!("CPU time of a program that does nothing: {}", languages.join(", "));
    [rounds].into_iter().chain(counted).chain([start]).collect()
}

/// What counted instructions, how often, and how much the counts of one program differed.
fn counted(comparison: &Comparison) -> Option<String> {
    let counted = comparison.test_cases.iter().filter(|case| !case.instructions.is_empty()).count();
    let on = format!("on {counted} of {} test cases", comparison.test_cases.len());
    let times = comparison.test_cases.iter().flat_map(|case| &case.instruction_counts).map(Vec::len).max();
    let of_candidates = comparison.candidates.iter().filter_map(|of| of.instructions.as_ref());
    let spread = of_candidates.filter_map(|counted| counted.spread).max_by(f64::total_cmp);
    let spread = spread.map(|spread| format!("; counts of one program differ by {}", at_most(spread)));
    let spread = spread.unwrap_or_default();
    Some(match comparison.method.instructions? {
        InstructionCounter::Callgrind => format!("instructions counted by callgrind, once, {on}"),
        _ => format!("instructions counted by the processor, {} times, {on}{spread}", times.unwrap_or(0)),
    })
}

/// A bound of a share that may be very small: the next power of ten.
fn at_most(share: f64) -> String {
    match share {
        large if large >= 0.001 => format!("{} % at most", percent(large)),
        small if small >= 0.0001 => "less than 0.1 %".to_owned(),
        small if small >= 0.00001 => "less than 0.01 %".to_owned(),
        _ => "less than 0.001 %".to_owned(),
    }
}

/// Why instructions were not counted, or not everywhere.
fn uncounted(comparison: &Comparison) -> Option<String> {
    let why = comparison.method.not_counted.as_ref()?;
    let everywhere = if comparison.method.instructions.is_some() { " everywhere" } else { "" };
    Some(format!("instructions were not counted{everywhere}: {why}"))
}

fn warnings(comparison: &Comparison, asked: Option<InstructionSource>) -> Vec<String> {
    let hint = "; `--instructions=callgrind` has valgrind count them";
    let helps = asked == Some(InstructionSource::Hardware) && comparison.method.instructions.is_none();
    let hint = if helps { hint } else { "" };
    let why = uncounted(comparison).filter(|_| asked.is_some()).map(|why| format!("{why}{hint}"));
    let mut warnings: Vec<String> = why.into_iter().collect();
    if comparison.method.start_up_dominates {
        let text = "no test case takes the reference 5 times as long as starting a program: the ratios are mostly of \
            starting";
        warnings.push(text.to_owned());
    }
    warnings
}
