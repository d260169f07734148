//! Ratios: what the rounds say of one candidate.
//!
//! Responsible for which ratios there are, and for what each of them is made of. Must not know statistics, nor run
//! anything.

use judge_exec::Random;

use crate::answers::Class;
use crate::comparison::label;
use crate::document::{Candidate, CandidateIndex, Ratio, Rounds, TimedOn};
use crate::measure::timing::{Measure, Timed, cpu_time, memory, missing, rounds, wall_time};
use crate::settings::Settings;
use crate::statistics::conclusion::{Conclusion, conclude};
use crate::statistics::estimate::{Starts, Summary, estimate};
use crate::statistics::placement::placement_effect;
use crate::statistics::steps::step_effect;
use crate::subject::Subject;

/// Resamples of the estimates that are reported.
const RESAMPLES: usize = 2_000;

/// All that drawing rounds again needs.
pub(crate) struct Resampling<'a> {
    pub(crate) settings: &'a Settings,
    /// The times of starting of the reference and the candidate in microseconds; none where they are not known.
    pub(crate) starts: [Option<&'a [f64]>; 2],
    /// The share by which other work on the host may move ratios of times.
    pub(crate) host_effect: f64,
    pub(crate) random: &'a mut Random,
}

/// The candidate with its ratios, on the test cases that were chosen for it.
pub(crate) fn candidate(
    index: CandidateIndex,
    timed_on: TimedOn,
    classes: Vec<Class>,
    subject: &Subject<'_>,
    timed: &[Timed],
    resampling: Resampling<'_>,
) -> Candidate {
    let Resampling { settings, starts: both_starts, host_effect, random } = resampling;
    let [reference, candidate] = both_starts;
    let starts = reference.zip(candidate).filter(|_| settings.subtract_start_up).map(|(one, other)| [one, other]);
    let lacking = missing(&rounds(timed, index, cpu_time));
    let made_of = || {
        let takes_part = timed.iter().filter(|case| case.compares(index));
        let counts = takes_part.zip(rounds(timed, index, cpu_time));
        let name = |case: &Timed| subject.problem().test_cases[case.test_case].id.clone();
        counts.map(|(case, of)| Rounds { test_case: name(case), rounds: of.len() }).collect()
    };
    let mut of = |measure: Measure, summary: Summary, starts: Option<Starts<'_>>, is_time: bool| {
        let rounds = rounds(timed, index, measure);
        let placement = if is_time { placement_effect(&rounds, summary, starts, both_starts) } else { 0.0 };
        let estimate = estimate(&rounds, summary, starts, RESAMPLES, random)?;
        let estimate = match is_time {
            true => estimate.allowing_for(host_effect, placement.exp_m1()),
            false => estimate.allowing_for_steps(step_effect(&rounds).exp_m1()),
        };
        estimate.interval.is_some().then(|| Ratio { estimate, made_of: made_of() })
    };
    let mean = of(cpu_time, Summary::Mean, starts, true);
    let conclusion = match &mean {
        Some(ratio) => Some(conclude(&ratio.estimate, settings.margin, settings.precision)),
        None if lacking > 0 => Some(Conclusion::Undecided { more_rounds: Some(lacking) }),
        None => None,
    };
    Candidate {
        label: label(index.submission()),
        timed_on,
        cpu_time: mean,
        conclusion,
        total: of(cpu_time, Summary::Total, starts, true),
        slowest: of(cpu_time, Summary::Largest, starts, true),
        wall_time: of(wall_time, Summary::Mean, None, true),
        memory: of(memory, Summary::Mean, None, false),
        since_baseline: None,
        classes,
    }
}
