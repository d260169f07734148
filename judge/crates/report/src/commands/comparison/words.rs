//! A comparison in sentences: answers, ratios, gates, and the method of measuring.
//!
//! Responsible for the words and for the decimals of ratios. Must not know the layout.

use judge_event::comparison::{
    Candidate, CandidateIndex, Class, Comparison, Conclusion, Estimate, GateDecision, GateResult,
    Quantity, REFERENCE, Ratio, TimedOn,
};
use judge_model::Verdict;

use crate::text::numbers::plural;

/// The maximum number of test cases that a sentence lists.
const NAMES: usize = 4;

/// The adjectives for less and more of a quantity.
#[derive(Clone, Copy)]
struct Adjectives {
    less: &'static str,
    more: &'static str,
}

const SPEED: Adjectives = Adjectives {
    less: "faster",
    more: "slower",
};
const SIZE: Adjectives = Adjectives {
    less: "less",
    more: "more",
};

/// Returns the relation between the answers of a candidate and the reference, in one sentence.
pub(crate) fn answers(comparison: &Comparison, index: CandidateIndex) -> String {
    let candidate = &comparison.candidates[index.0];
    let (reference_submission, submission) = (
        &comparison.submissions[REFERENCE.0],
        &comparison.submissions[index.submission().0],
    );
    if let Some(broken) = [submission, reference_submission]
        .into_iter()
        .find(|submission| submission.verdict == Verdict::CompileError)
    {
        return format!("{} does not compile", broken.label);
    }
    let (reference, label) = (&reference_submission.label, &candidate.label);
    let number = |class: Class| {
        candidate
            .classes
            .iter()
            .filter(|other| **other == class)
            .count()
    };
    let parts = [
        (
            Class::OnlyReference,
            format!("only {reference} is right on"),
        ),
        (Class::OnlyCandidate, format!("only {label} is right on")),
        (Class::Unsteady, "not right every time on".to_owned()),
        (Class::BothWrong, "both wrong on".to_owned()),
        (
            Class::DifferentOutputs,
            "different outputs, both right, on".to_owned(),
        ),
        (
            Class::NotDeterministic,
            "right, but not the same every time, on".to_owned(),
        ),
        (Class::NotRun, "not run on".to_owned()),
    ];
    let parts = parts
        .into_iter()
        .map(|(class, text)| (number(class), text))
        .filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, text)| format!("{text} {number}"))
        .collect();
    let total = plural(candidate.classes.len() as u64, "test case");
    let differences = match candidate
        .classes
        .iter()
        .filter(|class| class.is_difference())
        .count()
    {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    let head = format!("{label} differs from {reference} on {differences} of {total}");
    if parts.is_empty() {
        head
    } else {
        format!("{head}: {}", parts.join(", "))
    }
}

/// Describes a class; `None` if both are right with the same output.
pub(crate) fn class(class: Class) -> Option<&'static str> {
    match class {
        Class::BothRight => None,
        Class::OnlyReference => Some("only the reference is right"),
        Class::OnlyCandidate => Some("only the candidate is right"),
        Class::BothWrong => Some("both are wrong"),
        Class::DifferentOutputs => Some("different outputs, both right"),
        Class::NotDeterministic => Some("right, not the same every time"),
        Class::Unsteady => Some("not right every time"),
        Class::NotRun => Some("not run"),
    }
}

/// Returns the measures of a candidate, each with its name and description.
pub(crate) fn measures(
    comparison: &Comparison,
    candidate: &Candidate,
) -> Vec<(&'static str, String)> {
    let ratio = |ratio: &Option<Ratio>, words: Adjectives| {
        ratio.as_ref().map(|measured| {
            conclusion(
                &measured.estimate,
                measured.conclusion,
                comparison.method.margin,
                words,
            )
        })
    };
    let untimed = match candidate.conclusion {
        Some(Conclusion::Undecided { .. }) => {
            "undecided: the budget is too small for these test cases"
        }
        _ => "not compared: no test case on which both are right",
    };
    let hidden = candidate
        .cpu_time
        .as_ref()
        .map(|_| "not measured: barely more memory than an empty program");
    let all = [
        (
            "CPU time",
            ratio(&candidate.cpu_time, SPEED).or_else(|| Some(untimed.to_owned())),
        ),
        ("elapsed", ratio(&candidate.wall_time, SPEED)),
        (
            "memory",
            ratio(&candidate.memory, SIZE).or_else(|| hidden.map(str::to_owned)),
        ),
    ];
    all.into_iter()
        .filter_map(|(name, words)| Some((name, words?)))
        .collect()
}

/// Returns an estimate in words: `1.38× faster [1.31, 1.44]`, `same within 2 %`, `undecided, about
/// 40 more rounds`.
fn conclusion(
    estimate: &Estimate,
    conclusion: Conclusion,
    margin: f64,
    words: Adjectives,
) -> String {
    match conclusion {
        Conclusion::Same => format!("same within {} %", percent(margin)),
        Conclusion::Less => {
            let turned = Estimate {
                ratio: 1.0 / estimate.ratio,
                interval: estimate.interval.map(|[low, high]| [1.0 / high, 1.0 / low]),
                ..*estimate
            };
            format!("{} {} {}", times(&turned), words.less, interval(&turned))
        }
        Conclusion::More => format!("{} {} {}", times(estimate), words.more, interval(estimate)),
        Conclusion::Undecided { more_rounds } => {
            let bounds = if estimate.interval.is_some() {
                format!(" {}", interval(estimate))
            } else {
                String::new()
            };
            match more_rounds {
                Some(more) => format!(
                    "undecided{bounds}, about {}",
                    plural(more as u64, "more round")
                ),
                None => format!(
                    "undecided{bounds} after {}",
                    plural(estimate.rounds as u64, "round")
                ),
            }
        }
    }
}

/// Returns the decision about a gate, in one sentence.
pub(crate) fn gate(comparison: &Comparison, gate: &GateResult) -> String {
    let (label, quantity, max) = (&gate.label, gate.quantity, gate.max);
    let candidate = comparison
        .candidates
        .iter()
        .find(|candidate| candidate.label == *label);
    let estimate = candidate
        .and_then(|candidate| candidate.ratio(quantity))
        .map(|ratio| &ratio.estimate);
    let why = match estimate {
        Some(estimate) => format!("{} {}", times(estimate), interval(estimate)),
        None if quantity == Quantity::Memory
            && candidate.is_some_and(|candidate| candidate.cpu_time.is_some()) =>
        {
            "not measured".to_owned()
        }
        None if candidate.is_some_and(|candidate| candidate.conclusion.is_some()) => {
            "not timed often enough".to_owned()
        }
        None => "nothing was timed".to_owned(),
    };
    let decision = match gate.decision {
        GateDecision::Held => "held",
        GateDecision::NotHeld => "not held",
        GateDecision::Undecided => "undecided, which counts as not held",
    };
    format!(
        "gate {}<={max} for {label}: {decision}: {why}",
        quantity.name()
    )
}

/// Notes on the method of measuring.
pub(crate) fn notes(comparison: &Comparison) -> Vec<String> {
    let method = &comparison.method;
    let rounds: usize = comparison
        .test_cases
        .iter()
        .map(|case| case.rounds.len())
        .sum();
    let rounds = format!(
        "{} in {:.1} s, one program at a time; 95 % intervals",
        plural(rounds as u64, "round"),
        method.spent_us as f64 / 1e6,
    );
    timed_on(comparison)
        .into_iter()
        .chain([rounds])
        .chain(host_effects(comparison))
        .chain([starts(comparison)])
        .collect()
}

/// Returns a note on the candidates with intervals that allow for other work on the host.
fn host_effects(comparison: &Comparison) -> Option<String> {
    let effect = |candidate: &Candidate| {
        candidate
            .cpu_time
            .as_ref()
            .and_then(|ratio| ratio.estimate.host_effect)
    };
    let mut by_share: Vec<(f64, Vec<&str>)> = Vec::new();
    for (label, share) in comparison
        .candidates
        .iter()
        .filter_map(|candidate| Some((candidate.label.as_str(), effect(candidate)?)))
    {
        match by_share.iter_mut().find(|(known, _)| *known == share) {
            Some((_, labels)) => labels.push(label),
            None => by_share.push((share, vec![label])),
        }
    }
    let is_only = comparison.candidates.len() == 1;
    let allowed = |(share, labels): &(f64, Vec<&str>)| {
        let them = if is_only {
            String::new()
        } else {
            format!(" of {}", labels.join(", "))
        };
        format!("{them} allow for {} %", percent(*share))
    };
    let allowed: Vec<String> = by_share.iter().map(allowed).collect();
    let why = "because load from other programs slows down different languages, and much larger programs, by different amounts";
    (!allowed.is_empty()).then(|| format!("intervals{} {why}", allowed.join(", and those")))
}

/// Returns the test cases on which each candidate was timed; once for all candidates if they are
/// the same.
fn timed_on(comparison: &Comparison) -> Vec<String> {
    let total = plural(comparison.test_cases.len() as u64, "test case");
    let sentence = |timed_on: &TimedOn| {
        let why = match timed_on.start_up_dominates {
            true => "the largest".to_owned(),
            false => format!(
                "on which both take at least {:.1} times their start-up time",
                timed_on.above_start_up
            ),
        };
        let others = match timed_on.left_out {
            0 => String::new(),
            others => format!(
                "; {} left out",
                plural(others as u64, "further such test case")
            ),
        };
        format!(
            "timed on {} of {total}, {why}: {}{others}",
            timed_on.test_cases.len(),
            listed(&timed_on.test_cases)
        )
    };
    let timed: Vec<&Candidate> = comparison
        .candidates
        .iter()
        .filter(|candidate| !candidate.timed_on.test_cases.is_empty())
        .collect();
    match timed.as_slice() {
        [] => Vec::new(),
        [first, rest @ ..]
            if rest
                .iter()
                .all(|candidate| candidate.timed_on == first.timed_on) =>
        {
            vec![sentence(&first.timed_on)]
        }
        all => all
            .iter()
            .map(|candidate| format!("{} {}", candidate.label, sentence(&candidate.timed_on)))
            .collect(),
    }
}

/// Returns the time that starting a program takes in each language.
fn starts(comparison: &Comparison) -> String {
    let mut languages: Vec<String> = Vec::new();
    for submission in &comparison.submissions {
        let Some(language) = &submission.language else {
            continue;
        };
        let start = match submission.start_up_us {
            Some(time) => format!("{language} {:.1} ms", time as f64 / 1e3),
            None => format!("{language} not measured"),
        };
        if !languages.contains(&start) {
            languages.push(start);
        }
    }
    format!("CPU time of an empty program: {}", languages.join(", "))
}

/// Returns the first names, with the number of the others.
fn listed(names: &[String]) -> String {
    match names {
        few if few.len() <= NAMES + 1 => few.join(", "),
        many => format!(
            "{} and {} more",
            many[..NAMES].join(", "),
            many.len() - NAMES
        ),
    }
}

/// Returns the ratio in the format of a table: `0.72×`.
pub(crate) fn times(estimate: &Estimate) -> String {
    format!("{}×", number(estimate.ratio, decimals(estimate)))
}

/// Returns the interval in the format of a table: `[0.70, 0.74]`.
pub(crate) fn interval(estimate: &Estimate) -> String {
    let decimals = decimals(estimate);
    let ends = estimate
        .interval
        .map(|ends| ends.map(|end| number(end, decimals)));
    ends.map_or_else(|| "–".to_owned(), |[low, high]| format!("[{low}, {high}]"))
}

/// Returns the ratio on one test case, with at least two digits.
pub(crate) fn case_ratio(ratio: f64) -> String {
    format!("{}×", number(ratio, 2))
}

/// Returns a number with this many decimals, or with more if fewer than two of its digits would be
/// visible.
fn number(value: f64, decimals: usize) -> String {
    // Ratios of times are far above 1e-12. A smaller one is not realistic and need not be printed
    // exactly.
    let first = -value.clamp(1e-12, 1.0).log10().floor();
    format!(
        "{value:.*}",
        decimals.max(if value < 0.1 { first as usize + 1 } else { 0 })
    )
}

/// Returns the number of decimals that show the width of the interval: two, or three for a narrow
/// one; fewer for large ratios.
fn decimals(estimate: &Estimate) -> usize {
    let narrow = estimate.half_width().is_some_and(|width| width < 0.02);
    match estimate.ratio {
        ratio if ratio >= 100.0 => 0,
        ratio if ratio >= 10.0 => 1,
        _ if narrow => 3,
        _ => 2,
    }
}

/// Returns a share as a percentage without needless decimals: `2`, `0.75`.
fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(ratio: f64, interval: Option<[f64; 2]>) -> Estimate {
        Estimate {
            ratio,
            interval,
            rounds: 10,
            test_cases: 2,
            ..Estimate::default()
        }
    }

    #[test]
    fn conclusions_are_described() {
        let words =
            |ratio, interval, outcome| conclusion(&estimate(ratio, interval), outcome, 0.02, SPEED);
        let faster = words(1.0 / 1.38, Some([1.0 / 1.44, 1.0 / 1.31]), Conclusion::Less);
        assert_eq!(faster, "1.38× faster [1.31, 1.44]");
        assert_eq!(
            words(14.1, Some([13.6, 14.5]), Conclusion::More),
            "14.1× slower [13.6, 14.5]"
        );
        assert_eq!(
            words(1.031, Some([1.024, 1.038]), Conclusion::More),
            "1.031× slower [1.024, 1.038]"
        );
        assert_eq!(
            words(1.004, Some([0.995, 1.012]), Conclusion::Same),
            "same within 2 %"
        );
        let undecided = |more_rounds| Conclusion::Undecided { more_rounds };
        assert_eq!(
            words(1.01, None, undecided(None)),
            "undecided after 10 rounds"
        );
        let wide = Some([0.95, 1.05]);
        assert_eq!(
            words(1.0, wide, undecided(Some(240))),
            "undecided [0.95, 1.05], about 240 more rounds"
        );
        assert_eq!(
            words(1.0, wide, undecided(Some(1))),
            "undecided [0.95, 1.05], about 1 more round"
        );
        assert_eq!(
            words(1.0, Some([0.9, 1.11]), undecided(None)),
            "undecided [0.90, 1.11] after 10 rounds"
        );
    }

    #[test]
    fn small_ratios_keep_two_digits() {
        let words = |ratio: f64, ends| {
            let estimate = estimate(ratio, Some(ends));
            format!("{} {}", times(&estimate), interval(&estimate))
        };
        assert_eq!(words(0.0034, [0.0031, 0.0037]), "0.0034× [0.0031, 0.0037]");
        assert_eq!(words(0.05, [0.00042, 0.9]), "0.050× [0.00042, 0.90]");
        assert_eq!(words(0.72, [0.70, 0.74]), "0.72× [0.70, 0.74]");
        assert_eq!(
            words(0.0, [0.0, f64::INFINITY]),
            "0.0000000000000× [0.0000000000000, inf]"
        );
        assert_eq!(words(123.4, [99.1, 150.2]), "123× [99, 150]");
        assert_eq!(
            [0.0034, 0.72, 17.6].map(case_ratio),
            ["0.0034×", "0.72×", "17.60×"]
        );
    }

    #[test]
    fn shares_omit_trailing_zeros() {
        assert_eq!(
            [percent(0.02), percent(0.0075), percent(0.1)],
            ["2", "0.75", "10"]
        );
    }
}
