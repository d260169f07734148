//! Scores of 2025-09: the keys of `test_group.yaml`, and the rules among groups.
//!
//! Source: 2025-09, "Test Data Groups", "Static Validation Test Cases" and "Scoring Problems".
//! Rules that could only end in a judge error are errors here, before any submission runs. Must not
//! award anything, which belongs to `grading`.

use std::path::{Path, PathBuf};

use judge_model::{
    Aggregation, GroupSettings, LegacyGroup, ScoreSettings, StaticValidation, TestGroup,
};

use crate::code::{self, Code};
use crate::error::{Finding, Findings, Position};
use crate::metadata::Metadata;
use crate::yaml::fields::Fields;
use crate::yaml::{Node, Value};

/// A value and its place in a file.
#[derive(Clone, Debug)]
struct PlacedValue<T> {
    value: T,
    key: String,
    file: PathBuf,
    position: Option<Position>,
}

impl<T> PlacedValue<T> {
    fn new(value: T, node: &Node<'_>) -> Self {
        let (file, position) = (node.file().to_owned(), node.position());
        Self {
            value,
            key: node.key_path().to_owned(),
            file,
            position,
        }
    }

    fn error(&self, code: Code, message: &str) -> Finding {
        Finding::new(code, &self.file, format!("`{}`: {message}", self.key))
            .at_position(self.position)
    }
}

/// The keys of a `test_group.yaml` that are about scores and static validation: none of them is
/// inherited.
#[derive(Clone, Debug, Default)]
pub(super) struct ScoreKeys {
    /// The inner `None`: unbounded.
    max_score: Option<PlacedValue<Option<u64>>>,
    aggregation: Option<PlacedValue<Aggregation>>,
    require_pass: Vec<PlacedValue<String>>,
    /// The inner `None`: `pass-fail`.
    static_score: Option<PlacedValue<Option<u64>>>,
    static_args: Option<PlacedValue<Vec<String>>>,
}

impl ScoreKeys {
    pub(super) fn read(fields: &Fields<'_>, findings: &mut Findings) -> Self {
        let max_score = fields
            .get("max_score")
            .and_then(|node| read_score(node, "unbounded", findings));
        let static_score = fields
            .get("static_validation_score")
            .and_then(|node| read_score(node, "pass-fail", findings));
        let aggregation = fields.get("score_aggregation").and_then(|node| {
            let aggregation = match node.one_of(&["pass-fail", "sum", "min"], findings)? {
                "sum" => Aggregation::Sum,
                "min" => Aggregation::Min,
                _ => Aggregation::PassFail,
            };
            Some(PlacedValue::new(aggregation, node))
        });
        let require_pass = fields.get("require_pass").map_or_else(Vec::new, |node| {
            let nodes = node.each();
            nodes
                .iter()
                .filter_map(|node| node.text(findings).map(|name| PlacedValue::new(name, node)))
                .collect()
        });
        let static_args = fields.get("static_validator_args").and_then(|node| {
            node.texts(findings)
                .map(|args| PlacedValue::new(args, node))
        });
        Self {
            max_score,
            aggregation,
            require_pass,
            static_score,
            static_args,
        }
    }
}

/// Reads a non-negative integer, or the word in the parameter `none`, which means `None`.
fn read_score(
    node: &Node<'_>,
    none: &str,
    findings: &mut Findings,
) -> Option<PlacedValue<Option<u64>>> {
    let score = match node.value() {
        Value::Text(text) if text == none => Some(None),
        Value::Integer(score) => u64::try_from(*score).ok().map(Some),
        _ => None,
    };
    let error = || node.expected(&format!("an integer of at least 0, or `{none}`"));
    score
        .map(|score| PlacedValue::new(score, node))
        .or_else(|| findings.fail(error()))
}

/// A group found in the data.
#[derive(Debug)]
pub(super) struct FoundGroup {
    pub(super) id: String,
    pub(super) directory: PathBuf,
    /// The file with its settings.
    pub(super) file: Option<PathBuf>,
    pub(super) keys: ScoreKeys,
    pub(super) legacy: LegacyGroup,
    /// The number of test cases in it, at any depth.
    pub(super) cases: usize,
}

impl FoundGroup {
    /// Its file, or else its directory.
    fn place(&self) -> &Path {
        self.file.as_ref().unwrap_or(&self.directory)
    }
}

/// A group with its settings.
#[derive(Clone, Copy)]
struct ResolvedGroup<'a> {
    group: &'a FoundGroup,
    settings: &'a ScoreSettings,
}

/// Determines the settings of each group, and checks the rules among them.
pub(super) fn resolve_settings(
    groups: Vec<FoundGroup>,
    metadata: &Metadata,
    has_static_validator: bool,
    findings: &mut Findings,
) -> Vec<TestGroup> {
    let scoring = metadata.types.scoring;
    let resolved: Vec<ScoreSettings> = groups
        .iter()
        .map(|group| settings(group, scoring, has_static_validator, findings))
        .collect();
    if scoring {
        let all: Vec<ResolvedGroup<'_>> = groups
            .iter()
            .zip(&resolved)
            .map(|(group, settings)| ResolvedGroup { group, settings })
            .collect();
        if let Some(secret) = all.iter().find(|group| group.group.id == "secret") {
            check_scores(*secret, &all, findings);
        }
        for group in &all {
            check_requirements(*group, &all, findings);
            check_static_share(*group, findings);
        }
    }
    // A group without scores and without static validation runs like any list of test cases.
    // `sample` never has a score.
    let plain = |group: &FoundGroup, settings: &ScoreSettings| {
        settings.static_validation.is_none() && (!scoring || group.id == "sample")
    };
    groups
        .into_iter()
        .zip(resolved)
        .map(|(group, settings)| {
            let plain = plain(&group, &settings);
            let settings = if plain {
                GroupSettings::Plain
            } else {
                GroupSettings::Scores(settings)
            };
            TestGroup {
                id: group.id,
                directory: group.directory,
                settings,
            }
        })
        .collect()
}

/// The settings of a group, with the defaults for keys that are not given.
fn settings(
    group: &FoundGroup,
    scoring: bool,
    has_static_validator: bool,
    findings: &mut Findings,
) -> ScoreSettings {
    let keys = &group.keys;
    let is_secret = group.id == "secret";
    let in_scoring = scoring && group.id != "sample";
    // 2025-09, "Test Data Groups": by default, `secret` adds up its groups, and each group is
    // all or nothing.
    let default = if is_secret && scoring {
        Aggregation::Sum
    } else {
        Aggregation::PassFail
    };
    let aggregation = keys
        .aggregation
        .as_ref()
        .filter(|_| in_scoring)
        .map_or(default, |placed| placed.value);
    let max_score = match &keys.max_score {
        // `None` in the key means `unbounded`, and must not be replaced by the default.
        Some(placed) if in_scoring => placed.value,
        // The only maximum with a default: without it, the groups could not be checked against the
        // total.
        _ if is_secret && scoring => Some(100),
        _ => None,
    };
    if let (Some(args), None) = (&keys.static_args, &keys.static_score) {
        let message = "is given without `static_validation_score`, so nothing is validated";
        findings.error(args.error(code::STATIC_VALIDATION_UNSOUND, message));
    }
    let static_validation = keys.static_score.as_ref().map(|score| {
        let pass_fail = aggregation == Aggregation::PassFail;
        if !has_static_validator {
            let hint = "put it into `static_validator/`".to_owned();
            let message = "the package has no static validator";
            let error = score.error(code::STATIC_VALIDATION_UNSOUND, message);
            findings.error(error.hint(Some(hint)));
        } else if score.value.is_some() && pass_fail {
            let message = "expected `pass-fail`: nothing in this group has a score of its own";
            findings.error(score.error(code::STATIC_VALIDATION_UNSOUND, message));
        } else if score.value.is_none() && !pass_fail {
            let message = "expected an integer: `pass-fail` needs `score_aggregation: pass-fail`";
            findings.error(score.error(code::STATIC_VALIDATION_UNSOUND, message));
        }
        let args = keys
            .static_args
            .as_ref()
            .map(|args| args.value.clone())
            .unwrap_or_default();
        StaticValidation {
            max_score: score.value,
            args,
        }
    });
    if group.cases == 0
        && scoring
        && group.id != "sample"
        && static_validation.is_none()
        && !is_secret
    {
        let message = format!(
            "expected at least one test case in the group `{}`, found none",
            group.id
        );
        findings.error_at(code::GROUP_EMPTY, &group.directory, message);
    }
    let require_pass = keys
        .require_pass
        .iter()
        .filter(|_| in_scoring)
        .map(|name| name.value.clone())
        .collect();
    ScoreSettings {
        max_score,
        aggregation,
        require_pass,
        static_validation,
    }
}

/// An error about a group: at the key if it is given, else at its file or directory.
fn about<T>(group: &FoundGroup, key: Option<&PlacedValue<T>>, message: &str) -> Finding {
    match key {
        Some(placed) => placed.error(code::SCORES_CONTRADICT, message),
        None => Finding::new(code::SCORES_CONTRADICT, group.place(), message),
    }
}

/// Checks that the maxima and the aggregation of `secret` and its groups fit together.
fn check_scores(resolved: ResolvedGroup<'_>, all: &[ResolvedGroup<'_>], findings: &mut Findings) {
    let (secret, settings) = (resolved.group, resolved.settings);
    let groups: Vec<ResolvedGroup<'_>> = all
        .iter()
        .filter(|group| group.group.id.starts_with("secret/"))
        .copied()
        .collect();
    let pass_fail = settings.aggregation == Aggregation::PassFail;
    if pass_fail && settings.max_score.is_none() {
        let message = "`pass-fail` aggregation needs a `max_score` that is not `unbounded`";
        findings.error(about(secret, secret.keys.max_score.as_ref(), message));
    }
    // The sum is compared only if every group has a valid maximum. Otherwise one missing key
    // would be reported twice.
    let errors = findings.error_count();
    for resolved in &groups {
        let (group, group_settings) = (resolved.group, resolved.settings);
        // If `secret` is accepted or rejected as a whole, partial scores of a group are useless.
        if pass_fail && group_settings.aggregation != Aggregation::PassFail {
            let message = "expected `pass-fail`, because `secret` has it";
            findings.error(about(group, group.keys.aggregation.as_ref(), message));
        }
        if group_settings.max_score.is_some() {
            continue;
        }
        let because = match settings.max_score {
            Some(max) => format!("that of `secret` is {max}"),
            None if group_settings.aggregation == Aggregation::PassFail => {
                "its aggregation is `pass-fail`".to_owned()
            }
            None => continue,
        };
        let message = format!(
            "the group `{}` needs a `max_score`, because {because}",
            group.id
        );
        findings.error(about(group, group.keys.max_score.as_ref(), &message));
    }
    if errors == findings.error_count() && !groups.is_empty() {
        check_sum(resolved, &groups, findings);
    }
}

/// Checks that the full score is possible, and does not exceed the maximum.
fn check_sum(
    ResolvedGroup { group, settings }: ResolvedGroup<'_>,
    groups: &[ResolvedGroup<'_>],
    findings: &mut Findings,
) {
    let Some(max) = settings.max_score else {
        return;
    };
    let maxima = groups.iter().filter_map(|group| group.settings.max_score);
    let static_max = settings
        .static_validation
        .as_ref()
        .and_then(|validation| validation.max_score);
    let (reached, how) = match settings.aggregation {
        Aggregation::PassFail => return,
        // Saturating, because the maxima come from the package: a sum that wraps around would
        // look small.
        Aggregation::Sum => (
            maxima.chain(static_max).fold(0u64, u64::saturating_add),
            "add up to",
        ),
        Aggregation::Min => (maxima.chain(static_max).min().unwrap_or(0), "are at least"),
    };
    // More than the maximum would end in a judge error, and is refused. Less only means that
    // no submission can reach it.
    let message =
        format!("the maximum scores of the groups {how} {reached}, but that of `secret` is {max}");
    if reached > max {
        let hint = format!("set `max_score: {reached}` in `data/secret/test_group.yaml`");
        let error = about(group, group.keys.max_score.as_ref(), &message);
        findings.error(error.hint(Some(hint)));
    } else if reached < max {
        let key = group.keys.max_score.as_ref();
        let message = format!("{message}: no submission can reach it");
        findings.warn(
            Finding::new(code::SCORES_CONTRADICT, group.place(), message)
                .at_position(key.and_then(|placed| placed.position)),
        );
    }
}

/// Source: 2025-09, "Group Dependencies".
fn check_requirements(
    ResolvedGroup { group, settings }: ResolvedGroup<'_>,
    all: &[ResolvedGroup<'_>],
    findings: &mut Findings,
) {
    for name in group
        .keys
        .require_pass
        .iter()
        .filter(|_| group.id != "sample")
    {
        let target = all.iter().find(|other| other.group.id == name.value);
        let id = &name.value;
        let is_of = |names: &str| names == id || names.strip_prefix("secret/") == Some(id);
        let Some(target) = target else {
            // Authors leave out `secret/`, which is part of the id.
            let near = all
                .iter()
                .map(|other| other.group.id.as_str())
                .find(|other| is_of(other));
            let hint = near.map(|near| format!("a group is named by its path: `{near}`"));
            let message = format!("unknown group `{id}`");
            let error = name.error(code::REQUIREMENT_IMPOSSIBLE, &message);
            findings.error(error.hint(hint));
            continue;
        };
        let fault = if target.group.id == "secret" {
            Some("`secret` cannot be required by its own groups".to_owned())
        } else if group.id == "secret" && target.group.id != "sample" {
            Some("`secret` can only require `sample`".to_owned())
        // Groups run in the order of their names, so only earlier ones have a result in time.
        } else if target.group.id >= group.id {
            Some(format!("`{id}` does not come before `{}`", group.id))
        } else if target.settings.aggregation != Aggregation::PassFail {
            Some(format!(
                "`{id}` can only be required with `score_aggregation: pass-fail`"
            ))
        } else {
            None
        };
        if let Some(fault) = fault {
            findings.error(name.error(code::REQUIREMENT_IMPOSSIBLE, &fault));
        }
    }
    debug_assert!(
        group.id != "sample" || settings.require_pass.is_empty(),
        "sample requires nothing"
    );
}

/// Checks that the maximum score of the static validation does not exceed that of its group.
fn check_static_share(
    ResolvedGroup { group, settings }: ResolvedGroup<'_>,
    findings: &mut Findings,
) {
    let static_max = settings
        .static_validation
        .as_ref()
        .and_then(|validation| validation.max_score);
    if let (Some(static_max), Some(max), Some(key)) =
        (static_max, settings.max_score, &group.keys.static_score)
        && static_max > max
    {
        let message =
            format!("expected at most the `max_score` of its group, {max}, found {static_max}");
        findings.error(key.error(code::STATIC_VALIDATION_UNSOUND, &message));
    }
}
