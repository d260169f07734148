//! Groups and scores: settings that are valid, but contradict the scores that the test data can
//! award.
//!
//! Responsible for legacy groups, and for tolerances. Loading reports settings that cannot be read
//! at all. Must not award anything.

use std::collections::BTreeMap;
use std::path::Path;

use judge_model::{
    Grading, GroupSettings, LegacyGrading, LegacyGroup, Objective, OutputValidator, Problem,
    ScoreRange, TestGroup,
};
use judge_package::yaml::Value;
use judge_package::{Code, Finding, GENERATORS_FILE, code, head};

use super::entries::Entry;
use super::findings::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(problem) = subject.problem() else {
        return;
    };
    if subject.is_legacy() {
        check_shown(subject, problem, findings);
    }
    if let Grading::Legacy(grading) = &problem.grading
        && grading.scoring
    {
        check_ranges(problem, grading, findings);
    }
    check_tolerances(problem, findings);
    check_undeclared(subject, problem, findings);
}

/// Source: 2025-09, "Test Data Groups": a directory in `secret` is a group only if it has a
/// `test_group.yaml`.
fn check_undeclared(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    const SECRET: &str = "data/secret";
    const FILE: &str = "test_group.yaml";
    let is_below = |id: &str| id.starts_with("secret/") && id.matches('/').count() > 1;
    let has_directories = problem.test_cases.iter().any(|case| is_below(&case.id));
    let has_groups = (problem.test_groups.iter()).any(|group| group.id.starts_with("secret/"));
    let is_misplaced =
        |entry: &Entry| entry.name() == FILE && entry.is_in(SECRET) && entry.parent() != SECRET;
    if problem.grading != Grading::Scores
        || !has_directories
        || has_groups
        || subject.entries.iter().any(is_misplaced)
    {
        return;
    }
    let message = "directories of `data/secret` have no `test_group.yaml`, so they are no groups: each test case counts on its own";
    let generators = subject.read_text(&subject.directory.join(GENERATORS_FILE));
    let hint = generators
        .contains(FILE)
        .then(|| "`judge generate` writes those that generators.yaml states".to_owned());
    let finding = Finding::new(
        code::GROUPS_UNDECLARED,
        &subject.directory.join(SECRET),
        message,
    );
    findings.push(finding.hint(hint));
}

/// Source: legacy, "Problem Metadata", `grading`; problemtools, which expects the key.
fn check_shown(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    let scoring = matches!(&problem.grading, Grading::Legacy(grading) if grading.scoring);
    let shown = subject.key("grading.show_test_data_groups");
    let has_groups = problem
        .test_groups
        .iter()
        .any(|group| group.id.starts_with("secret/"));
    if scoring && has_groups && shown.is_none() {
        let message = "`grading.show_test_data_groups` is not given";
        findings.add_at_key(subject, code::GROUP_VISIBILITY_UNSET, None, message);
    }
    if scoring {
        return;
    }
    if let Some(node) =
        shown.filter(|node| matches!(node.value(), Value::Bool(true) | Value::Text(_)))
    {
        let message = "`grading.show_test_data_groups` belongs to scoring problems";
        findings.add_at_key(subject, code::GROUPS_WITHOUT_SCORES, Some(&node), message);
    }
    if let Some(node) = subject.key("grading.on_reject")
        && *node.value() == Value::Text("grade".to_owned())
    {
        let message = "`grading.on_reject: grade` belongs to scoring problems";
        findings.add_at_key(subject, code::GROUPS_WITHOUT_SCORES, Some(&node), message);
    }
}

fn settings(group: &TestGroup) -> Option<&LegacyGroup> {
    match &group.settings {
        GroupSettings::Legacy(settings) => Some(settings),
        _ => None,
    }
}

fn check_ranges(problem: &Problem, grading: &LegacyGrading, findings: &mut Findings) {
    let mut known: BTreeMap<&str, Option<(f64, f64)>> = BTreeMap::new();
    let mut groups: Vec<&TestGroup> = problem.test_groups.iter().collect();
    // The innermost groups come first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.id.split_terminator('/').count()));
    for group in groups {
        let Some(settings) = settings(group) else {
            continue;
        };
        let possible = possible(problem, grading, group, settings, &known);
        known.insert(&group.id, possible);
        // Settings without a file of their own are inherited.
        let file = group.directory.join("testdata.yaml");
        let is_stated_here = file.is_file();
        let place = if is_stated_here {
            &file
        } else {
            &group.directory
        };
        if is_stated_here && settings.reject_score.0 != 0.0 {
            let message = format!("`reject_score` is {}", settings.reject_score);
            findings.add(code::REJECT_SCORE_NOT_ZERO, place, message);
        }
        if let Some((code, message)) =
            range_fault(group, settings, grading.objective, possible, is_stated_here)
        {
            findings.add(code, place, message);
        }
    }
}

/// The scores that a group can have; `None` when its own programs decide.
fn possible(
    problem: &Problem,
    grading: &LegacyGrading,
    group: &TestGroup,
    settings: &LegacyGroup,
    known: &BTreeMap<&str, Option<(f64, f64)>>,
) -> Option<(f64, f64)> {
    if settings.custom || grading.validator_scores {
        return None;
    }
    // Only the direct members of the group: deeper ones contribute through their own groups.
    let is_in =
        |id: &str| id.rsplit_once('/').map_or("", |(above, _)| above) == group.id && id != group.id;
    let (accept, reject) = (settings.accept_score.0, settings.reject_score.0);
    let of_cases = problem
        .test_cases
        .iter()
        .filter(|case| is_in(&case.id))
        .map(|_| (accept.min(reject), accept.max(reject)));
    let mut parts: Vec<(f64, f64)> = of_cases.collect();
    let flag = |name: &str| settings.grader_flags.iter().any(|flag| flag == name);
    for inner in problem.test_groups.iter().filter(|inner| is_in(&inner.id)) {
        if flag("ignore_sample") && inner.id == "sample" {
            continue;
        }
        parts.push((*known.get(inner.id.as_str())?)?);
    }
    if parts.is_empty() {
        return None;
    }
    let fold = |bound: fn(&(f64, f64)) -> f64| {
        let values = parts.iter().map(bound);
        match settings
            .grader_flags
            .iter()
            .rev()
            .find(|flag| matches!(flag.as_str(), "sum" | "avg" | "min" | "max"))
        {
            Some(mode) if mode == "avg" => values.sum::<f64>() / parts.len() as f64,
            Some(mode) if mode == "min" => values.fold(f64::INFINITY, f64::min),
            Some(mode) if mode == "max" => values.fold(f64::NEG_INFINITY, f64::max),
            // Legacy, "Default Grader": without a mode, scores are added up.
            _ => values.sum(),
        }
    };
    Some((fold(|part| part.0), fold(|part| part.1)))
}

/// Source: problemtools, which compares the stated range with the scores that the default grader
/// can reach.
fn range_fault(
    group: &TestGroup,
    settings: &LegacyGroup,
    objective: Objective,
    possible: Option<(f64, f64)>,
    is_stated_here: bool,
) -> Option<(Code, String)> {
    const NOISE: f64 = 1e-6;
    let ScoreRange { min, max } = settings.range;
    let stated = format!("{min} to {max}");
    // The bound on the better side is the full score.
    let best_is_open = match objective {
        Objective::Max => max.0 == f64::INFINITY,
        Objective::Min => min.0 == f64::NEG_INFINITY,
    };
    let Some((lowest, highest)) = possible else {
        let open = group.id.is_empty() && best_is_open;
        let message = "`range` is missing, so full scores cannot be checked".to_owned();
        return open.then_some((code::RANGE_IMPLAUSIBLE, message));
    };
    if settings.range == ScoreRange::ALL || !is_stated_here {
        return None;
    }
    let scores = format!("the scores in it reach {lowest} to {highest}");
    let (code, and, fault) = if highest < min.0 - NOISE || lowest > max.0 + NOISE {
        (
            code::RANGE_EXCEEDED,
            "but",
            "every submission ends outside of it",
        )
    } else if highest > max.0 + NOISE {
        (
            code::RANGE_EXCEEDED,
            "and",
            "good submissions end outside of it",
        )
    // A range that begins at 0 is natural even where every submission scores something.
    } else if min.0 < lowest.min(0.0) - NOISE || max.0 > highest + NOISE {
        (
            code::RANGE_IMPLAUSIBLE,
            "and",
            "it is wider than what can be reached",
        )
    } else {
        return None;
    };
    Some((
        code,
        format!("`range` is {stated}, {and} {scores}: {fault}"),
    ))
}

/// The maximum number of bytes that are read from an answer.
const MAX_ANSWER: u64 = 64 << 10;

/// Source: 2025-09, "Default Output Validator Specification": a tolerance holds for every token
/// that is a number.
fn check_tolerances(problem: &Problem, findings: &mut Findings) {
    if problem.output_validator != OutputValidator::Default {
        return;
    }
    for case in &problem.test_cases {
        let mut args = case.output_validator_args.for_validator(0);
        if let Some(tolerance) = args.find(|arg| arg.contains("tolerance"))
            && let Some((integer, float)) = mixed(&case.answer)
        {
            let message = format!("`{integer}` is compared with `{tolerance}`, as `{float}` is");
            findings.add(code::TOLERANCE_OF_INTEGERS, &case.answer, message);
            // One test case is enough to show the fault.
            return;
        }
    }
}

/// An integer and a float from a file that contains both.
fn mixed(file: &Path) -> Option<(String, String)> {
    let bytes = head(file, MAX_ANSWER).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let is_integer = |token: &&str| token.parse::<i64>().is_ok();
    let is_float = |token: &&str| {
        token.contains('.')
            && token.bytes().any(|byte| byte.is_ascii_digit())
            && token.parse::<f64>().is_ok()
    };
    let mut tokens = text.split_ascii_whitespace();
    let integer = tokens.clone().find(is_integer)?.to_owned();
    Some((integer, tokens.find(is_float)?.to_owned()))
}
