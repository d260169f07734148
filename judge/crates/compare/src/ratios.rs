//! Ratios: the results of the rounds of one candidate.
//!
//! Responsible for the kinds of ratios, and for the values from which each is computed. Must not
//! know statistics, nor run anything.

use judge_event::comparison::{
    Candidate, CandidateIndex, Class, Conclusion, Ratio, Rounds, TimedOn,
};
use judge_exec::Random;
use judge_model::SubmissionIndex;

use crate::measure::timing::{Measure, Timed, cpu_time, memory, missing, rounds, wall_time};
use crate::settings::Settings;
use crate::statistics::conclusion::conclude;
use crate::statistics::estimate::{estimate, widened};
use crate::statistics::placement::placement_effect;
use crate::statistics::steps::step_effect;
use crate::subject::Subject;

/// The number of resamples of the reported estimates.
const RESAMPLES: usize = 2_000;

/// Peaks up to this multiple of the hidden memory may be hidden too, since it varies from run to
/// run.
const HIDDEN: f64 = 1.1;

/// The input of resampling rounds.
pub(crate) struct Resampling<'a> {
    pub(crate) settings: &'a Settings,
    /// The start-up times of the reference and the candidate in microseconds; `None` if unknown.
    pub(crate) starts: [Option<&'a [f64]>; 2],
    /// The share by which other work on the host may change ratios of times.
    pub(crate) host_effect: f64,
    /// The memory in bytes up to which peaks are meaningless, if there is such a bound.
    pub(crate) hidden_memory: Option<u64>,
    pub(crate) random: &'a mut Random,
}

/// Returns the candidate with its ratios on its chosen test cases.
pub(crate) fn candidate(
    index: CandidateIndex,
    timed_on: TimedOn,
    classes: Vec<Class>,
    subject: &Subject<'_>,
    timed: &[Timed],
    resampling: Resampling<'_>,
) -> Candidate {
    let Resampling {
        settings,
        starts,
        host_effect,
        hidden_memory,
        random,
    } = resampling;
    let positive = |share: f64| (share > 0.0).then_some(share);
    let cpu_rounds = rounds(timed, index, cpu_time);
    let compared = timed.iter().filter(|case| case.compares(index));
    let cases = compared.zip(&cpu_rounds).map(|(case, rounds)| Rounds {
        test_case: subject.problem().test_cases[case.test_case].id.clone(),
        rounds: rounds.len(),
    });
    let made_of: Vec<Rounds> = cases.collect();
    let mut ratio = |measure: Measure, is_time: bool| {
        let rounds = rounds(timed, index, measure);
        let mut estimate = estimate(&rounds, RESAMPLES, random)?;
        if is_time {
            estimate.host_effect = positive(host_effect);
            estimate.placement_effect = positive(placement_effect(&rounds, starts).exp_m1());
        } else {
            estimate.step_effect = positive(step_effect(&rounds).exp_m1());
        }
        let estimate = widened(estimate);
        // Without an interval a ratio is a guess, so it is not reported.
        estimate.interval?;
        let conclusion = conclude(&estimate, settings.margin, settings.precision);
        Some(Ratio {
            estimate,
            conclusion,
            made_of: made_of.clone(),
        })
    };
    let is_hidden = hidden_memory.is_some_and(|bytes| {
        let rounds = rounds(timed, index, memory);
        let mut peaks = rounds.iter().flatten().flatten();
        peaks.any(|peak| *peak <= bytes as f64 * HIDDEN)
    });
    let cpu_time = ratio(cpu_time, true);
    let wall_time = ratio(wall_time, true);
    let memory = if is_hidden {
        None
    } else {
        ratio(memory, false)
    };
    let conclusion = match (&cpu_time, missing(&cpu_rounds)) {
        (Some(ratio), _) => Some(ratio.conclusion),
        (None, 0) => None,
        (None, missing) => Some(Conclusion::Undecided {
            more_rounds: Some(missing),
        }),
    };
    Candidate {
        label: label(index.submission()),
        timed_on,
        conclusion,
        cpu_time,
        wall_time,
        memory,
        classes,
    }
}

/// Returns the label of a submission: `A`, `B`, …, `Z`, and then numbers.
pub(crate) fn label(SubmissionIndex(index): SubmissionIndex) -> String {
    let letter = ('A'..='Z').nth(index);
    letter.map_or_else(|| (index + 1).to_string(), String::from)
}
