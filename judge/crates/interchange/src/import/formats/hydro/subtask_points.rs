//! The points of subtasks of Hydro and of their test cases.
//!
//! Responsible for groups that give the same points. Must not know the notation of a configuration.
//!
//! Source: hydro-dev/Hydro, packages/common/subtask.ts (`normalizeSubtasks`) and
//! packages/hydrojudge/src/flow.ts: a subtask of the type `sum` gives the points of its test cases,
//! regardless of its own points; one of the type `min` gives the minimum of its own points and
//! theirs.

use judge_event::{Fate, Part};

use crate::import::draft::Draft;
use crate::import::limits::share;
use crate::import::subtasks::{Kind, Subtask, Test};

/// A subtask with its stated points.
#[derive(Clone, Debug, Default)]
pub(super) struct StatedSubtask {
    /// The type, which determines how the points of its test cases are combined.
    pub(super) kind: String,
    pub(super) points: f64,
    /// Indices of the subtasks that must be solved first.
    pub(super) requires: Vec<usize>,
    pub(super) tests: Vec<Test>,
}

/// Converts subtasks to groups that give the same points. If the test cases of a subtask have
/// different points, each becomes a group.
pub(super) fn in_groups(subtasks: Vec<StatedSubtask>, draft: &mut Draft) -> Vec<Subtask> {
    let requires: Vec<Vec<usize>> = subtasks
        .iter()
        .map(|subtask| subtask.requires.clone())
        .collect();
    let mut groups: Vec<Subtask> = Vec::new();
    // The subtask of each group.
    let mut subtask_indices = Vec::new();
    for (index, subtask) in subtasks.into_iter().enumerate() {
        let parts = groups_of(subtask, index + 1, draft);
        subtask_indices.extend(parts.iter().map(|_| index));
        groups.extend(parts);
    }
    for (group, subtask) in groups.iter_mut().zip(&subtask_indices) {
        let is_required = |other: &usize| requires[*subtask].contains(&subtask_indices[*other]);
        group.requires = (0..subtask_indices.len()).filter(is_required).collect();
    }
    groups
}

/// Returns the groups of a subtask, without requirements.
fn groups_of(mut subtask: StatedSubtask, number: usize, draft: &mut Draft) -> Vec<Subtask> {
    let mut report = |fate: Fate, text: String| {
        draft.report(fate, Part::Groups, format!("subtask {number} {text}"));
    };
    let whole = |points: f64, kind: Kind, tests: Vec<Test>| Subtask {
        points,
        kind,
        tests,
        ..Subtask::default()
    };
    match subtask.kind.as_str() {
        "sum" => {}
        "max" => {
            report(Fate::Lost, "takes the maximum of its test cases".to_owned());
            return vec![whole(subtask.points, Kind::Sum, subtask.tests)];
        }
        _ => {
            let min = subtask
                .tests
                .iter()
                .filter_map(|test| test.points)
                .fold(subtask.points, f64::min);
            if min < subtask.points {
                report(
                    Fate::Changed,
                    format!("is worth {min} points, the minimum of its test cases"),
                );
            }
            return vec![whole(min, Kind::Whole, subtask.tests)];
        }
    }
    share(
        subtask.points,
        subtask.tests.iter_mut().map(|test| &mut test.points),
    );
    let all: Vec<f64> = subtask
        .tests
        .iter()
        .filter_map(|test| test.points)
        .collect();
    let points = if all.is_empty() {
        subtask.points
    } else {
        all.iter().sum()
    };
    if (points - subtask.points).abs() > 1e-6 {
        report(
            Fate::Changed,
            format!("is worth {points} points, the sum of its test cases"),
        );
    }
    if all.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9) {
        return vec![whole(points, Kind::Sum, subtask.tests)];
    }
    report(
        Fate::Changed,
        "has test cases with different points: each becomes a group".to_owned(),
    );
    let alone = |(test, place): (Test, u32)| {
        let points = test.points.unwrap_or(0.0);
        Subtask {
            name: format!("{number}_{place}"),
            ..whole(points, Kind::Sum, vec![test])
        }
    };
    subtask.tests.into_iter().zip(1..).map(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subtask(
        kind: &str,
        points: f64,
        requires: &[usize],
        tests: &[Option<f64>],
    ) -> StatedSubtask {
        let test = |points: &Option<f64>| Test {
            points: *points,
            ..Test::from_files("1.in", None)
        };
        StatedSubtask {
            kind: kind.to_owned(),
            points,
            requires: requires.to_vec(),
            tests: tests.iter().map(test).collect(),
        }
    }

    fn shared(whole: f64, all: &[Option<f64>]) -> Vec<f64> {
        let mut all = all.to_vec();
        share(whole, all.iter_mut());
        all.into_iter().flatten().collect()
    }

    #[test]
    fn remaining_points_are_distributed_in_integers() {
        assert_eq!(shared(100.0, &[None, None, None]), [33.0, 33.0, 34.0]);
        assert_eq!(shared(100.0, &[Some(31.0), None, None]), [31.0, 34.0, 35.0]);
        assert_eq!(shared(10.0, &[Some(20.0), None]), [20.0, 0.0]);
        assert_eq!(shared(100.0, &[Some(1.0)]), [1.0]);
        assert_eq!(shared(100.0, &[]), [0.0; 0]);
    }

    #[test]
    fn test_cases_with_different_points_become_groups() {
        let mut draft = Draft::default();
        let groups = in_groups(
            vec![
                subtask("sum", 30.0, &[], &[Some(5.0), None, Some(10.0)]),
                subtask("sum", 20.0, &[0], &[None, None]),
                subtask("min", 50.0, &[1], &[None, Some(40.0)]),
                subtask("sum", 10.0, &[], &[Some(4.0), Some(4.0)]),
            ],
            &mut draft,
        );
        let summary = |group: &Subtask| {
            (
                group.name.clone(),
                group.points,
                group.kind,
                group.requires.clone(),
                group.tests.len(),
            )
        };
        let group = |name: &str, points, kind, requires: &[usize], tests| {
            (name.to_owned(), points, kind, requires.to_vec(), tests)
        };
        assert_eq!(
            groups.iter().map(summary).collect::<Vec<_>>(),
            [
                group("1_1", 5.0, Kind::Sum, &[], 1),
                group("1_2", 15.0, Kind::Sum, &[], 1),
                group("1_3", 10.0, Kind::Sum, &[], 1),
                group("", 20.0, Kind::Sum, &[0, 1, 2], 2),
                group("", 40.0, Kind::Whole, &[3], 2),
                group("", 8.0, Kind::Sum, &[], 2),
            ]
        );
        let texts: Vec<String> = draft
            .finish("here")
            .1
            .into_iter()
            .map(|remark| remark.text)
            .collect();
        for words in [
            "subtask 1 has test cases",
            "subtask 3 is worth 40 points",
            "subtask 4 is worth 8 points",
        ] {
            assert!(
                texts.iter().any(|text| text.starts_with(words)),
                "{words}: {texts:?}"
            );
        }
        assert!(
            !texts.iter().any(|text| text.starts_with("subtask 2")),
            "{texts:?}"
        );
    }
}
