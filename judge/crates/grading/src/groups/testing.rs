//! Problems with groups, and judging them with scripted results, for tests.

use std::path::PathBuf;
use std::sync::Arc;

use judge_model::{
    Aggregation, FormatVersion, Grading, GroupSettings, LegacyGrading, LegacyGroup, Objective,
    Problem, ScoreSettings, TestCase, TestGroup, Verdict,
};

use crate::{Extent, GroupTree, ScoreFiles, Step, Walk, WalkResult};

/// The scripted result of a test case: its id, its verdict, and the contents of `score.txt` and
/// `score_multiplier.txt` that the validator writes.
pub(crate) type Scripted<'a> = (&'a str, Verdict, Option<&'a str>, Option<&'a str>);

pub(crate) fn problem(
    grading: Grading,
    groups: Vec<(&str, GroupSettings)>,
    tests: &[&str],
) -> Problem {
    let format = if grading == Grading::Scores {
        FormatVersion::V2025_09
    } else {
        FormatVersion::Legacy
    };
    let group = |(id, settings): (&str, GroupSettings)| TestGroup {
        id: id.to_owned(),
        directory: PathBuf::from(id),
        settings,
    };
    Problem {
        grading,
        test_groups: groups.into_iter().map(group).collect(),
        test_cases: tests
            .iter()
            .map(|id| TestCase {
                id: (*id).to_owned(),
                ..TestCase::default()
            })
            .collect(),
        ..Problem::new("p", PathBuf::from("p"), format)
    }
}

/// Returns a scoring problem of 2025-09, with a plain `sample`.
pub(crate) fn scoring(groups: Vec<(&str, ScoreSettings)>, tests: &[&str]) -> Problem {
    let sample = std::iter::once(("sample", GroupSettings::Plain));
    let groups = sample
        .chain(
            groups
                .into_iter()
                .map(|(id, settings)| (id, GroupSettings::Scores(settings))),
        )
        .collect();
    problem(Grading::Scores, groups, tests)
}

pub(crate) fn worth(max_score: Option<u64>, aggregation: Aggregation) -> ScoreSettings {
    ScoreSettings {
        max_score,
        aggregation,
        require_pass: Vec::new(),
        static_validation: None,
    }
}

/// Returns a legacy problem.
pub(crate) fn legacy(groups: Vec<(&str, LegacyGroup)>, tests: &[&str]) -> Problem {
    let grading = LegacyGrading {
        scoring: true,
        objective: Objective::Max,
        validator_scores: true,
        grader: None,
    };
    let groups = groups
        .into_iter()
        .map(|(id, settings)| (id, GroupSettings::Legacy(settings)))
        .collect();
    problem(Grading::Legacy(grading), groups, tests)
}

pub(crate) fn legacy_group(goes_on: bool, flags: &str) -> LegacyGroup {
    let grader_flags = flags.split_whitespace().map(str::to_owned).collect();
    LegacyGroup {
        goes_on,
        grader_flags,
        ..LegacyGroup::default()
    }
}

/// The record of a walk: the test cases that were steps (in parentheses if they do not count), and
/// the result.
pub(crate) struct Walked {
    pub(crate) steps: Vec<String>,
    pub(crate) faults: Vec<String>,
    pub(crate) requests: Vec<String>,
    pub(crate) result: WalkResult,
}

/// Walks through a problem. Test cases without an entry in the script are accepted. Graders answer
/// with `grader`, and the static validator accepts.
pub(crate) fn walk(
    problem: &Problem,
    script: &[Scripted<'_>],
    extent: Extent,
    grader: &str,
) -> Walked {
    let mut walk = Walk::new(Arc::new(GroupTree::new(problem, true)));
    let (mut steps, mut faults, mut requests) = (Vec::new(), Vec::new(), Vec::new());
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    loop {
        match walk.next(extent) {
            Step::Judge { test_case, counts } => {
                let id = &problem.test_cases[test_case].id;
                let entry = script.iter().find(|entry| entry.0 == id);
                let (_, verdict, score, multiplier) =
                    entry
                        .copied()
                        .unwrap_or(("", Verdict::Accepted, None, None));
                steps.push(if counts {
                    id.clone()
                } else {
                    format!("({id})")
                });
                let files = ScoreFiles {
                    score: bytes(score),
                    multiplier: bytes(multiplier),
                };
                faults.extend(walk.add_result(verdict, &files).fault);
            }
            Step::Skip { .. } => {}
            Step::Validate { group } => {
                let id = format!("{}/static", problem.test_groups[group].id);
                let entry = script.iter().find(|entry| entry.0 == id);
                let (_, verdict, score, multiplier) =
                    entry
                        .copied()
                        .unwrap_or(("", Verdict::Accepted, None, None));
                let files = ScoreFiles {
                    score: bytes(score),
                    multiplier: bytes(multiplier),
                };
                faults.extend(walk.validated(verdict, &files).fault);
                steps.push(id);
            }
            Step::Grade {
                group,
                flags,
                input,
            } => {
                let id = group.map_or("", |group| &problem.test_groups[group].id);
                requests.push(format!("{id} {flags:?}: {input}"));
                walk.graded(Ok(grader.as_bytes()));
            }
            Step::Finished => break,
        }
    }
    Walked {
        steps,
        faults,
        requests,
        result: walk.result().unwrap(),
    }
}

/// Renders the groups, abbreviated: `secret/1 AC 40/40`, `secret/2 - 0/60`.
pub(crate) fn rendered(result: &WalkResult) -> Vec<String> {
    let line = |group: &crate::GroupResult| {
        let verdict = group.verdict.map_or("-", Verdict::code);
        let score = group
            .score
            .map(|score| format!(" {score}"))
            .unwrap_or_default();
        let max = group
            .max_score
            .map(|max| format!("/{max}"))
            .unwrap_or_default();
        format!("{} {verdict}{score}{max}", group.group)
    };
    result.groups.iter().map(line).collect()
}
