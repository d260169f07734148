//! The score of test data: the share of mutants that it kills, of those that count.
//!
//! Pure.

use judge_event::{GroupScore, MutantResult, MutantStatus, Mutation, Score, ScoreInterval, Totals};
use judge_model::TestCaseIndex;

/// Counts the statuses of the mutants, of all and by test group.
pub(crate) fn count(mutation: &mut Mutation) {
    let mutants = &mutation.mutants;
    let counts = |mutant: &&MutantResult| {
        matches!(mutant.status, MutantStatus::Killed | MutantStatus::Survived)
    };
    let number = |status: MutantStatus| {
        mutants
            .iter()
            .filter(|mutant| mutant.status == status)
            .count() as u64
    };
    // Equivalent mutants and those that do not compile are not evidence about test data, so they do
    // not count.
    let counted = mutants.iter().filter(counts).count() as u64;
    mutation.score = Score {
        totals: Totals {
            killed: number(MutantStatus::Killed),
            of: counted,
        },
        survived: number(MutantStatus::Survived),
        equivalent: number(MutantStatus::Equivalent),
        same_program: mutants.iter().filter(|mutant| mutant.same_program).count() as u64,
        does_not_compile: number(MutantStatus::DoesNotCompile),
        interval: interval(
            number(MutantStatus::Killed),
            counted,
            mutants.len() as u64,
            mutation.method.possible,
        ),
    };
    let score = |(group, test_cases): (String, Vec<TestCaseIndex>)| {
        let killed_by_it = |mutant: &&MutantResult| {
            mutant
                .kills
                .iter()
                .any(|kill| group_of(&kill.test_case) == group)
        };
        let killed = mutants.iter().filter(counts).filter(killed_by_it).count() as u64;
        GroupScore {
            group,
            test_cases: test_cases.len() as u64,
            totals: Totals {
                killed,
                of: counted,
            },
        }
    };
    let groups = groups(mutation.test_cases.iter().map(String::as_str));
    mutation.groups = groups.into_iter().map(score).collect();
}

/// The number of standard deviations that contains 95 % of a normal distribution.
const DEVIATIONS: f64 = 1.96;

/// The bounds of the score of all mutants when only a sample was tried: Wilson's interval, which is
/// narrower for a larger sample. `None` when all were tried.
fn interval(killed: u64, counted: u64, tried: u64, possible: u64) -> Option<ScoreInterval> {
    if tried >= possible || counted == 0 {
        return None;
    }
    let (number, share) = (counted as f64, killed as f64 / counted as f64);
    // The same share of the others is likely to count.
    let all = number * possible as f64 / tried as f64;
    // The correction for a finite population: when nearly all mutants were tried, the result barely
    // depends on chance.
    let z = DEVIATIONS * ((all - number) / (all - 1.0)).max(0.0).sqrt();
    let width = 1.0 + z * z / number;
    let middle = (share + z * z / (2.0 * number)) / width;
    let half =
        z / width * (share * (1.0 - share) / number + z * z / (4.0 * number * number)).sqrt();
    Some(ScoreInterval {
        low: 100.0 * (middle - half).max(0.0),
        high: 100.0 * (middle + half).min(1.0),
    })
}

/// The groups in order, each with the indices of its test cases.
pub(crate) fn groups<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<(String, Vec<TestCaseIndex>)> {
    let mut groups: Vec<(String, Vec<TestCaseIndex>)> = Vec::new();
    for (index, id) in ids.enumerate() {
        let (index, group) = (TestCaseIndex(index), group_of(id));
        match groups.iter_mut().find(|(name, _)| name == group) {
            Some((_, cases)) => cases.push(index),
            None => groups.push((group.to_owned(), vec![index])),
        }
    }
    groups
}

/// The group of a test case.
fn group_of(test_case: &str) -> &str {
    test_case.rsplit_once('/').map_or("", |(group, _)| group)
}

#[cfg(test)]
mod tests {
    use judge_event::Kill;
    use judge_model::Verdict;

    use super::*;

    fn mutant(id: &str, status: MutantStatus, kills: &[&str]) -> MutantResult {
        let kill = |id: &&str| Kill {
            test_case: (*id).to_owned(),
            verdict: Verdict::WrongAnswer,
        };
        MutantResult {
            id: id.into(),
            status,
            kills: kills.iter().map(kill).collect(),
            ..MutantResult::default()
        }
    }

    #[test]
    fn samples_have_wilson_intervals() {
        assert_eq!(interval(9, 10, 10, 10), None);
        assert_eq!(interval(0, 0, 5, 10), None);
        // With very many mutants: Wilson's interval, as printed in tables.
        let far = interval(90, 100, 100, 1_000_000).unwrap();
        assert!(
            (far.low - 82.56).abs() < 0.05 && (far.high - 94.48).abs() < 0.05,
            "{far:?}"
        );
        // A sample of half of all mutants has a narrower interval.
        let near = interval(90, 100, 100, 200).unwrap();
        assert!(
            near.low > far.low && near.high < far.high && near.low < 90.0 && near.high > 90.0,
            "{near:?}"
        );
        let whole = interval(10, 10, 10, 100).unwrap();
        assert!(
            (whole.high - 100.0).abs() < 1e-9 && whole.low > 60.0,
            "{whole:?}"
        );
    }

    #[test]
    fn only_killed_mutants_and_survivors_count() {
        let mut mutation = Mutation {
            test_cases: vec!["sample/1".into(), "secret/1".into(), "secret/2".into()],
            mutants: vec![
                mutant("1", MutantStatus::Killed, &["sample/1", "secret/1"]),
                mutant("2", MutantStatus::Killed, &["secret/2"]),
                mutant("3", MutantStatus::Survived, &[]),
                mutant("4", MutantStatus::Equivalent, &[]),
                mutant("5", MutantStatus::DoesNotCompile, &[]),
            ],
            ..Mutation::default()
        };
        count(&mut mutation);
        assert_eq!(mutation.score.totals, Totals { killed: 2, of: 3 });
        let groups: Vec<_> = mutation
            .groups
            .iter()
            .map(|group| (group.totals.killed, group.test_cases))
            .collect();
        assert_eq!(groups, [(1, 1), (2, 2)]);
        assert_eq!(mutation.survivors().count(), 1);
    }
}
