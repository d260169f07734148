//! The solutions of a task of sinol and their expectations.
//!
//! Responsible for the expected scores in the configuration and for the names of files. Must not
//! know the test cases.

use std::collections::BTreeMap;
use std::path::Path;

use judge_event::Part;
use judge_package::yaml::Value;

use crate::import::draft::Draft;
use crate::import::draft::parts::Expectation;
use crate::import::expectations::Expected;
use crate::import::settings::{entries, get, number, text};
use crate::import::source::Source;

/// The group of the samples.
pub(super) const SAMPLES: &str = "0";
/// The file extensions of programs.
pub(super) const ENDINGS: [&str; 8] = ["cpp", "cc", "c", "py", "rs", "pas", "java", "sh"];

/// Returns the expectation of a status in `sinol_expected_scores` on a group.
fn expected(status: &str, is_whole: bool) -> Expected {
    match status {
        "OK" if is_whole => Expected::Accepted,
        "WA" => Expected::WRONG,
        "TL" => Expected::SLOW,
        "ML" | "RE" => Expected::CRASHES,
        _ => Expected::Anything,
    }
}

pub(super) fn put_solutions(source: &Source, config: &Value, task: &str, draft: &mut Draft) {
    let scores = entries(get(config, "scores"));
    let max_points = |group: &str| {
        scores
            .iter()
            .find(|(name, _)| name == group)
            .and_then(|(_, points)| number(Some(points)))
    };
    let listed = entries(get(config, "sinol_expected_scores"));
    for (name, solution) in &listed {
        let file = format!("prog/{name}");
        if !source.has(&file) {
            draft.lost(Part::Solutions, format!("`{file}` is missing"));
            continue;
        }
        let listed_groups = entries(get(solution, "expected"));
        let of_group = |(group, entry): &(String, &Value)| {
            let status = text(get(entry, "status")).unwrap_or_default();
            // An expected `OK` with fewer points than the group has is a partial score, which
            // packages cannot express.
            let is_whole =
                max_points(group).is_none() || number(get(entry, "points")) == max_points(group);
            (group.clone(), expected(&status, is_whole))
        };
        let groups: BTreeMap<String, Expected> = listed_groups.iter().map(of_group).collect();
        let is_right = groups
            .values()
            .all(|expected| *expected == Expected::Accepted);
        let points: BTreeMap<&String, f64> = { listed_groups.iter() }
            .filter_map(|(group, entry)| Some((group, number(get(entry, "points"))?)))
            // Samples have no points in a package.
            .filter(|(group, _)| draft.metadata.scoring && *group != SAMPLES)
            .collect();
        let is_main = name.rsplit_once('.').is_some_and(|(stem, _)| stem == task);
        let is_model = is_right && is_main && draft.main_solution().is_none();
        let mut rule = Expectation::model_solution(is_model);
        if !is_right {
            let rule_on = |(group, expected): (&String, &Expected)| {
                let score = points.get(group).copied();
                let rule = Expectation {
                    score,
                    ..expected.rule().unwrap_or_default()
                };
                (rule != Expectation::default()).then(|| (group.clone(), rule))
            };
            rule.on_groups = groups.iter().filter_map(rule_on).collect();
        }
        let lost = groups
            .keys()
            .filter(|group| !is_right && !rule.on_groups.contains_key(*group));
        let lost: Vec<String> = lost.map(|group| format!("group `{group}`")).collect();
        let id = draft.put_stated_submission(&file, is_right, rule, "`sinol_expected_scores`");
        if !lost.is_empty() {
            draft.report_lost_expectation(
                &id,
                &format!("status and points on {}", lost.join(", ")),
                &file,
            );
        }
    }
    for file in source.names_below("prog") {
        let name = file["prog/".len()..].to_owned();
        // A listed expectation is more precise than the one in the name of a file, and was used
        // above.
        if let Some(kind) = kind_of(&name, task)
            .filter(|_| !listed.iter().any(|(listed_name, _)| *listed_name == name))
        {
            put_by_name(
                &file,
                kind,
                &name[..name.rfind('.').unwrap_or(0)] == task,
                draft,
            );
        }
    }
}

/// The kind of a solution, which its name contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolutionKind {
    Normal,
    Slow,
    Incorrect,
}

/// Returns the kind of a solution: `abc.cpp` and `abc2.cpp` are correct, `abcs1.cpp` is too slow,
/// `abcb1_idea.cpp` is wrong. Returns `None` for other files. Source: oioioi,
/// `_get_model_solutions_sources`.
fn kind_of(name: &str, task: &str) -> Option<SolutionKind> {
    let (stem, ending) = name.strip_prefix(task)?.rsplit_once('.')?;
    if !ENDINGS.contains(&ending) || ending == "sh" {
        return None;
    }
    let without_digits = |text: &str| {
        text.trim_start_matches(|c: char| c.is_ascii_digit())
            .to_owned()
    };
    let rest = without_digits(stem);
    let (kind, rest) = match rest.chars().next() {
        Some('s') => (SolutionKind::Slow, without_digits(&rest[1..])),
        Some('b') => (SolutionKind::Incorrect, without_digits(&rest[1..])),
        _ => (SolutionKind::Normal, rest),
    };
    (rest.is_empty() || rest.starts_with('_')).then_some(kind)
}

/// Puts a solution whose expectation is only in its name.
fn put_by_name(file: &str, kind: SolutionKind, is_main: bool, draft: &mut Draft) {
    let (directory, what) = match kind {
        SolutionKind::Normal => ("accepted", "correct"),
        SolutionKind::Slow => ("time_limit_exceeded", "too slow"),
        SolutionKind::Incorrect => ("wrong_answer", "wrong"),
    };
    let rule = Expectation::model_solution(is_main && draft.main_solution().is_none());
    let id = draft.put_submission(directory, Path::new(file), rule);
    draft.changed_at(Part::Solutions, file, format!("`{id}`: {what} by its name"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_solutions_are_read_from_names() {
        let kinds = [
            "abc.cpp",
            "abc2_idea.py",
            "abcs12.pas",
            "abcb.c",
            "abc1b2_x.cpp",
        ]
        .map(|name| kind_of(name, "abc"));
        let expected = [
            SolutionKind::Normal,
            SolutionKind::Normal,
            SolutionKind::Slow,
            SolutionKind::Incorrect,
            SolutionKind::Incorrect,
        ];
        assert_eq!(kinds, expected.map(Some));
        for name in [
            "abcingen.cpp",
            "abcchk.cpp",
            "abcsoc.cpp",
            "abc.e",
            "xyz.cpp",
            "abclib.h",
            "abcsx.cpp",
        ] {
            assert_eq!(kind_of(name, "abc"), None, "{name}");
        }
    }
}
