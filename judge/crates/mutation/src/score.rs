//! The score of test data: the mutants that it kills, of those that count.
//!
//! Pure. Must not know how mutants are made or judged.

use judge_event::{GroupScore, MutantResult, MutantStatus, Mutation, Score, Totals};

/// Counts what the mutants have come to. `groups` are the names, in order.
pub(crate) fn count(mutation: &mut Mutation, groups: &[String]) {
    let mutants = &mutation.mutants;
    let counts = |mutant: &&MutantResult| matches!(mutant.status, MutantStatus::Killed | MutantStatus::Survived);
    let number = |status: MutantStatus| mutants.iter().filter(|mutant| mutant.status == status).count() as u64;
    let of = mutants.iter().filter(counts).count() as u64;
    mutation.score = Score {
        totals: Totals { killed: number(MutantStatus::Killed), of },
        survived: number(MutantStatus::Survived),
        equivalent: number(MutantStatus::Equivalent),
        same_program: mutants.iter().filter(|mutant| mutant.same_program).count() as u64,
        does_not_compile: number(MutantStatus::DoesNotCompile),
    };
    let score = |group: &String| {
        let killed_by_it = |mutant: &&MutantResult| mutant.kills.iter().any(|kill| group_of(&kill.test_case) == group);
        let killed = mutants.iter().filter(counts).filter(killed_by_it).count() as u64;
        let test_cases = mutation.test_cases.iter().filter(|id| group_of(id) == group).count() as u64;
        GroupScore { group: group.clone(), test_cases, totals: Totals { killed, of } }
    };
    mutation.groups = groups.iter().map(score).collect();
}

/// The group that a test case lies in.
pub(crate) fn group_of(test_case: &str) -> &str {
    test_case.rsplit_once('/').map_or("", |(group, _)| group)
}

#[cfg(test)]
mod tests {
    use judge_event::Kill;
    use judge_model::Verdict;

    use super::*;

    fn mutant(id: &str, status: MutantStatus, kills: &[&str]) -> MutantResult {
        let kill = |id: &&str| Kill { test_case: (*id).to_owned(), verdict: Verdict::WrongAnswer };
        MutantResult {
            id: id.into(),
            operator: "comparison".into(),
            function: "f".into(),
            line: 1,
            was: "<".into(),
            becomes: "<=".into(),
            status,
            kills: kills.iter().map(kill).collect(),
            reached: None,
            reason: None,
            same_program: false,
            source: None,
        }
    }

    #[test]
    fn what_does_not_compile_or_is_equivalent_does_not_count() {
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
        count(&mut mutation, &["sample".into(), "secret".into()]);
        assert_eq!(mutation.score.totals, Totals { killed: 2, of: 3 });
        let groups: Vec<_> = mutation.groups.iter().map(|group| (group.totals.killed, group.test_cases)).collect();
        assert_eq!(groups, [(1, 1), (2, 2)]);
        assert_eq!(mutation.survivors().count(), 1);
    }
}
