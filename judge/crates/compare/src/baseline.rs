//! Baselines: the change of ratios since an earlier comparison.
//!
//! Responsible for when two comparisons answer the same question. Pure. Must not read files.

use judge_event::comparison::{Candidate, Comparison, Estimate, Ratio, TimedOn, TimingHost};

use crate::statistics::conclusion::conclude;

/// Compares the ratio of each candidate with what it was. A candidate is identified by its submission's name; when each
/// comparison has only one, it is that. The error says why nothing can be compared.
///
/// # Errors
/// When the earlier comparison is of another problem or another class of hosts, or was timed on other test cases.
pub(crate) fn compare_with(comparison: &mut Comparison, earlier: &Comparison) -> Result<(), String> {
    if earlier.problem != comparison.problem {
        return Err(format!("it compares submissions of `{}`, not of `{}`", earlier.problem, comparison.problem));
    }
    // Ratios cancel the speed of a machine but not its kind: another processor has other
    // caches, and another level other overheads.
    if earlier.host != comparison.host {
        let text =
            |host: &TimingHost| format!("{}, {}, isolation {}", host.processor, host.architecture, host.isolation);
        let (then, now) = (text(&earlier.host), text(&comparison.host));
        return Err(format!("it was measured on another host: {then}; here: {now}"));
    }
    let names: Vec<&str> = comparison.submissions.iter().skip(1).map(|of| of.submission.as_str()).collect();
    let mut changes = Vec::new();
    for (candidate, name) in comparison.candidates.iter().zip(&names) {
        let Some(then) = candidate_named(earlier, name, names.len()) else {
            changes.push(None);
            continue;
        };
        // The mean is over the chosen test cases: over others, it is the answer to another
        // question.
        if then.timed_on.test_cases != candidate.timed_on.test_cases {
            let list = |of: &TimedOn| of.test_cases.join(", ");
            let (then, now) = (list(&then.timed_on), list(&candidate.timed_on));
            return Err(format!("`{name}` was timed on other test cases: {then}; here: {now}"));
        }
        let both = candidate.cpu_time.as_ref().zip(then.cpu_time.as_ref());
        changes.push(both.map(|(now, then)| change(&now.estimate, &then.estimate)));
    }
    let (margin, precision) = (comparison.method.margin, comparison.method.precision);
    for (candidate, change) in comparison.candidates.iter_mut().zip(changes) {
        candidate.since_baseline = change.map(|estimate| Ratio {
            conclusion: conclude(&estimate, margin, precision),
            estimate,
            made_of: Vec::new(),
        });
    }
    Ok(())
}

/// The candidate with a submission's name, or the only one if there is also only one to look for (`total`).
pub(crate) fn candidate_named<'c>(comparison: &'c Comparison, name: &str, total: usize) -> Option<&'c Candidate> {
    let by_name = comparison.submissions.iter().skip(1).position(|of| of.submission == name);
    let index = by_name.or((total == 1 && comparison.candidates.len() == 1).then_some(0))?;
    comparison.candidates.get(index)
}

/// The ratio of two ratios that were measured independently: the widths add up as squares, each side of the interval
/// with the opposite one of the earlier.
fn change(now: &Estimate, then: &Estimate) -> Estimate {
    let log_ratio = (now.ratio / then.ratio).ln();
    let interval = now.interval.zip(then.interval).map(|([low, high], [old_low, old_high])| {
        let below = (now.ratio / low).ln().hypot((old_high / then.ratio).ln());
        let above = (high / now.ratio).ln().hypot((then.ratio / old_low).ln());
        [(log_ratio - below).exp(), (log_ratio + above).exp()]
    });
    let both = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one.hypot(other));
    Estimate {
        ratio: log_ratio.exp(),
        interval,
        rounds: now.rounds.min(then.rounds),
        test_cases: now.test_cases.min(then.test_cases),
        host_effect: both(now.host_effect, then.host_effect),
        placement_effect: both(now.placement_effect, then.placement_effect),
        step_effect: both(now.step_effect, then.step_effect),
    }
}

#[cfg(test)]
mod tests {
    use judge_event::comparison::{Compared, Conclusion, SCHEMA_VERSION, TimingMethod};
    use judge_model::{IsolationLevel, Verdict};

    use super::*;

    fn comparison(ratio: f64) -> Comparison {
        let submission = |label: &str, submission: &str| Compared {
            label: label.into(),
            submission: submission.into(),
            path: submission.into(),
            language: None,
            verdict: Verdict::Accepted,
            accepted: 1,
            slowest_us: None,
            memory_bytes: 1,
            start_up_us: None,
        };
        let interval = Some([ratio / 1.03, ratio * 1.03]);
        let estimate = Estimate { ratio, interval, rounds: 20, test_cases: 4, ..Estimate::default() };
        let timed_on = TimedOn {
            test_cases: vec!["secret/1".into()],
            above_start_up: 5.7,
            left_out: 2,
            start_up_dominates: false,
        };
        Comparison {
            comparison_schema: SCHEMA_VERSION,
            judge_version: "0".into(),
            problem: "p".into(),
            host: TimingHost { processor: "x".into(), architecture: "x86_64".into(), isolation: IsolationLevel::Full },
            time_limit_us: 1_000_000,
            method: TimingMethod {
                seed: 1,
                budget_us: 2,
                spent_us: 3,
                others_busy: None,
                precision: 0.01,
                margin: 0.02,
                budget_needed_us: None,
            },
            submissions: vec![submission("A", "a.c"), submission("B", "b.c")],
            candidates: vec![Candidate {
                label: "B".into(),
                timed_on,
                cpu_time: Some(Ratio { estimate, conclusion: Conclusion::More, made_of: Vec::new() }),
                conclusion: None,
                wall_time: None,
                memory: None,
                since_baseline: None,
                classes: Vec::new(),
            }],
            gates: Vec::new(),
            warnings: Vec::new(),
            test_cases: Vec::new(),
        }
    }

    #[test]
    fn a_change_is_the_ratio_of_the_ratios_with_both_uncertainties() {
        let (mut now, then) = (comparison(1.5), comparison(1.2));
        compare_with(&mut now, &then).unwrap();
        let change = now.candidates[0].since_baseline.as_ref().unwrap();
        assert!((change.estimate.ratio - 1.25).abs() < 1e-9 && change.conclusion == Conclusion::More);
        let half = change.estimate.half_width().unwrap();
        assert!((half - 1.03f64.ln() * 2f64.sqrt()).abs() < 1e-9, "{half}");
    }

    #[test]
    fn other_hosts_and_problems_are_not_compared() {
        let (mut now, mut then) = (comparison(1.5), comparison(1.2));
        then.host.processor = "y".into();
        let why = compare_with(&mut now, &then).unwrap_err();
        assert!(why.contains("another host: y, x86_64, isolation full; here: x"));
        then.problem = "q".into();
        assert!(compare_with(&mut now, &then).unwrap_err().contains("`q`, not of `p`"));
        assert_eq!(now.candidates[0].since_baseline, None);
    }

    #[test]
    fn only_the_same_test_cases_are_compared() {
        let (mut now, mut then) = (comparison(1.5), comparison(1.2));
        then.candidates[0].timed_on.test_cases.push("secret/2".into());
        let why = compare_with(&mut now, &then).unwrap_err();
        assert_eq!(why, "`b.c` was timed on other test cases: secret/1, secret/2; here: secret/1");
        assert_eq!(now.candidates[0].since_baseline, None);
    }

    #[test]
    fn a_candidate_is_identified_by_its_name_or_is_the_only_one() {
        let (mut now, mut then) = (comparison(1.5), comparison(1.2));
        then.submissions[1].submission = "older.c".into();
        compare_with(&mut now, &then).unwrap();
        assert!(now.candidates[0].since_baseline.is_some());
        // Among several only the name identifies one.
        then.submissions.push(Compared { submission: "c.c".into(), ..then.submissions[1].clone() });
        then.candidates.push(then.candidates[0].clone());
        compare_with(&mut now, &then).unwrap();
        assert_eq!(now.candidates[0].since_baseline, None);
    }
}
