//! Grading in `testdata.yaml`: the keys, and their comparison with "every test case must be
//! accepted".
//!
//! Source: legacy, "Test Data Groups" and "Graders". Must not award anything, which belongs to
//! `grading`.

use judge_model::{Grading, GroupSettings, LegacyGrading, LegacyGroup, Program, TestGroup};

use super::rules::Rules;
use crate::code;
use crate::error::Findings;
use crate::metadata::grading::{read_on_reject, read_range, read_score};
use crate::metadata::{Metadata, OldGradingKeys, words};
use crate::suggest::did_you_mean;
use crate::yaml::Node;
use crate::yaml::fields::Fields;

/// Flags of the default grader. `no_errors` is an old name of `worst_error`.
const FLAGS: [&str; 10] = [
    "worst_error",
    "first_error",
    "always_accept",
    "no_errors",
    "sum",
    "avg",
    "min",
    "max",
    "ignore_sample",
    "accept_if_any_accepted",
];

/// The only flag that is not inherited: it belongs in `data`.
const IGNORE_SAMPLE: &str = "ignore_sample";

/// Returns the reason why `ignore_sample` has no effect in the group `id`.
///
/// Source: legacy, "Default Grader": only at the top, and with `on_reject: continue`.
pub(super) fn unused_ignore_sample_reason(group: &LegacyGroup, id: &str) -> Option<&'static str> {
    if group.custom || !group.grader_flags.iter().any(|flag| flag == IGNORE_SAMPLE) {
        None
    } else if !id.is_empty() {
        Some("`ignore_sample` is ignored: it belongs in `data/testdata.yaml`")
    } else if !group.goes_on {
        Some("`ignore_sample` needs `on_reject: continue`: a rejected sample ends the judging here")
    } else {
        None
    }
}

/// Returns the settings that the subdirectories of a directory inherit.
pub(super) fn inherited_settings(group: &LegacyGroup) -> LegacyGroup {
    let mut group = group.clone();
    // The flag concerns `sample`, which only `data` contains.
    group.grader_flags.retain(|flag| flag != IGNORE_SAMPLE);
    group
}

/// Reads the keys, which override inherited settings.
pub(super) fn read(
    group: &mut LegacyGroup,
    fields: &Fields<'_>,
    rules: Rules<'_>,
    findings: &mut Findings,
) {
    fields.read_into("on_reject", read_on_reject, &mut group.goes_on, findings);
    if let Some(node) = fields.get("grading")
        && let Some(grading) = node.one_of(&["default", "custom"], findings)
    {
        group.custom = grading == "custom";
        check_grader(group.custom, node, rules, findings);
    }
    if let Some(node) = fields.get("grader_flags")
        && let Some(flags) = node.number_or_text().or_else(|| node.text(findings))
    {
        group.grader_flags = words(&flags);
        if !group.custom {
            check_flags(group, node, findings);
        }
    }
    for key in ["accept_score", "reject_score", "range"] {
        if let Some(node) = fields.get(key).filter(|_| !rules.metadata.types.scoring) {
            let message = format!("`{key}` is ignored: the problem is not of type `scoring`");
            findings.warn(node.finding(code::SCORE_KEY_WITHOUT_SCORES, message));
        }
    }
    for (key, into) in [
        ("accept_score", &mut group.accept_score),
        ("reject_score", &mut group.reject_score),
    ] {
        fields.read_into(key, read_score, into, findings);
    }
    fields.read_into("range", read_range, &mut group.range, findings);
    apply(&rules.metadata.old_grading_keys, group);
}

/// Applies the keys of `problem.yaml` that are for all groups. They have priority over the group's
/// keys, as in other tools.
pub(super) fn apply(keys: &OldGradingKeys, group: &mut LegacyGroup) {
    group.goes_on = keys.goes_on.unwrap_or(group.goes_on);
    group.accept_score = keys.accept_score.unwrap_or(group.accept_score);
    group.reject_score = keys.reject_score.unwrap_or(group.reject_score);
    group.range = keys.range.unwrap_or(group.range);
}

fn check_grader(custom: bool, node: &Node<'_>, rules: Rules<'_>, findings: &mut Findings) {
    if custom && rules.grader.is_none() {
        let hint = "put it into `graders/`, or set `grading: default`".to_owned();
        let message = "expected the package's grader in `graders/`, found none";
        let error = node.error(code::GRADER_MISSING, message);
        findings.error(error.hint(Some(hint)));
    } else if custom && !rules.metadata.types.scoring {
        let message = "only scoring problems may have a grader; it is run anyway";
        findings.warn(node.finding(code::GRADER_WITHOUT_SCORES, message));
    }
}

fn check_flags(group: &LegacyGroup, node: &Node<'_>, findings: &mut Findings) {
    for flag in group
        .grader_flags
        .iter()
        .filter(|flag| !FLAGS.contains(&flag.as_str()))
    {
        let message = format!("unknown grader flag `{flag}` is ignored");
        findings.warn(
            node.finding(code::GRADER_FLAG_UNKNOWN, message)
                .hint(did_you_mean(flag, FLAGS)),
        );
    }
}

/// Returns the group without flags that have no effect: those that the default grader does not
/// support, and `ignore_sample` outside of `data`.
pub(super) fn without_unused_flags(group: &LegacyGroup, id: &str) -> LegacyGroup {
    let mut group = if id.is_empty() {
        group.clone()
    } else {
        inherited_settings(group)
    };
    if !group.custom {
        group
            .grader_flags
            .retain(|flag| FLAGS.contains(&flag.as_str()));
    }
    group
}

/// The grading of a package with these groups. Groups that are equivalent to pass-fail become
/// plain.
pub(super) fn grading(
    metadata: &Metadata,
    grader: Option<Program>,
    groups: &mut [TestGroup],
) -> Grading {
    let is_pass_fail = |group: &TestGroup| match &group.settings {
        GroupSettings::Legacy(settings) => is_pass_fail(settings),
        _ => true,
    };
    if !metadata.types.scoring && groups.iter().all(is_pass_fail) {
        // A package without scores whose groups are equivalent to pass-fail needs no grader, and
        // its test cases run in one sequence.
        groups
            .iter_mut()
            .for_each(|group| group.settings = GroupSettings::Plain);
        return Grading::PassFail;
    }
    Grading::Legacy(LegacyGrading {
        scoring: metadata.types.scoring,
        objective: metadata.objective,
        validator_scores: metadata.validator_scores,
        grader,
    })
}

/// True if the verdict of the group is always that of its first rejected test case.
fn is_pass_fail(group: &LegacyGroup) -> bool {
    const OTHERS: [&str; 3] = ["always_accept", IGNORE_SAMPLE, "accept_if_any_accepted"];
    const MODES: [&str; 3] = ["worst_error", "no_errors", "first_error"];
    // If there are several modes, the last one counts, as for a repeated option.
    let mode = group
        .grader_flags
        .iter()
        .rev()
        .find(|flag| MODES.contains(&flag.as_str()));
    let names_the_first = !group.goes_on || mode.is_some_and(|mode| mode == "first_error");
    !group.custom
        && names_the_first
        && !group
            .grader_flags
            .iter()
            .any(|flag| OTHERS.contains(&flag.as_str()))
}
