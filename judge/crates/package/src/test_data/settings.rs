//! The settings of test cases: `test_group.yaml`, `X.yaml`, `testdata.yaml`.
//!
//! Responsible for the keys and for inheritance. Must not know where the files are.
//!
//! Inheritance: in legacy every key comes from the nearest directory upwards that gives it. 2025-09
//! says that a test case inherits from its group, and leaves open whether a group inherits from
//! `secret/test_group.yaml`; here arguments and `full_feedback` do (the nearest definition counts),
//! and the keys of scoring do not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_model::{LegacyGroup, OutputValidatorArgs};

use super::legacy_grading;
use super::rules::Rules;
use super::scoring::ScoreKeys;
use crate::code;
use crate::disk::bounded::head;
use crate::error::{Finding, Findings, Position};
use crate::metadata::current::instead_of;
use crate::metadata::fill_in::fill_in;
use crate::metadata::words;
use crate::suggest::quoted;
use crate::test_data::shell_words::shell_words;
use crate::yaml::fields::Fields;
use crate::yaml::{Document, Node, Value};

/// Arguments for input validators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValidatorArgs {
    /// The arguments for each of them.
    All(Vec<String>),
    /// The arguments by name; the others get none.
    ByName(BTreeMap<String, Vec<String>>),
}

impl Default for InputValidatorArgs {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

impl InputValidatorArgs {
    /// The arguments for the input validator with this name.
    #[must_use]
    pub fn for_validator(&self, validator: &str) -> &[String] {
        match self {
            Self::All(args) => args,
            Self::ByName(by_name) => by_name
                .get(validator)
                .map(Vec::as_slice)
                .unwrap_or_default(),
        }
    }

    /// All arguments of an input validator: its own, which may be given by its name with or
    /// without extension, and then those for submissions (2025-09, "Input Validators").
    #[must_use]
    pub fn command_line(own: Option<&Self>, validator: &str, args: &[String]) -> Vec<String> {
        let stem = validator.split('.').next().unwrap_or(validator);
        // The exact name has priority: two validators may differ in their extension only.
        let own = own.map_or(&[][..], |own| match own.for_validator(validator) {
            [] => own.for_validator(stem),
            found => found,
        });
        own.iter().chain(args).cloned().collect()
    }
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) position: Option<Position>,
}

impl Place {
    fn from_node(node: &Node<'_>) -> Self {
        Self {
            file: node.file().to_owned(),
            position: node.position(),
        }
    }
}

/// The settings of a test case, or those that it inherits.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) args: Vec<String>,
    pub(super) input_validator_args: InputValidatorArgs,
    pub(super) output_validator_args: OutputValidatorArgs,
    /// The position of these arguments.
    pub(super) output_validator_args_at: Option<Place>,
    pub(super) input_visualizer_args: Vec<String>,
    pub(super) output_visualizer_args: Vec<String>,
    /// The grading, which is also inherited in legacy.
    pub(super) grading: LegacyGroup,
}

/// A kind of settings file, by the keys that it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettingsFile {
    /// `testdata.yaml`.
    Legacy,
    /// `test_group.yaml` of `secret` or a group in it, or of data that test validators.
    Group,
    /// `test_group.yaml` of `sample`.
    SampleGroup,
    /// `X.yaml`.
    TestCase,
}

/// Keys of test cases and groups alike (2025-09, "Test Case Configuration").
pub(crate) const SHARED: [&str; 6] = [
    "args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];
/// The maximum number of bytes that are read from a file of arguments. The kernel accepts far fewer
/// as arguments of a program.
const MAX_ARGS_BYTES: u64 = 1 << 20;
const ONLY_TEST_CASE: [&str; 2] = ["hint", "description"];
pub(crate) const STATIC: [&str; 2] = ["static_validation_score", "static_validator_args"];
/// Keys that only scoring problems have, and not in `sample`.
pub(crate) const SCORING: [&str; 3] = ["max_score", "score_aggregation", "require_pass"];
/// Keys of `testdata.yaml` (legacy, "Test Data Groups").
pub(crate) const LEGACY: [&str; 8] = [
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
];
/// The same keys with their replacements in 2025-09.
const INSTEAD_OF_LEGACY: [(&str, &str); LEGACY.len()] = [
    (
        "on_reject",
        "`score_aggregation`, with `pass-fail` for a group in which nothing may be rejected",
    ),
    ("grading", "`score_aggregation`, and no programs that grade"),
    (
        "grader_flags",
        "`score_aggregation`: `sum`, `min` or `pass-fail`",
    ),
    ("input_validator_flags", "`input_validator_args`, a list"),
    ("output_validator_flags", "`output_validator_args`, a list"),
    (
        "accept_score",
        "`max_score` in `test_group.yaml`, the maximum score of the group",
    ),
    (
        "reject_score",
        "no replacement: rejected test cases have no score",
    ),
    (
        "range",
        "`max_score` in `test_group.yaml`, the maximum score of the group",
    ),
];

impl Settings {
    /// Returns these settings, overridden by those of a file, and the keys that are never
    /// inherited.
    pub(super) fn read_over(
        &mut self,
        file: &Path,
        kind: SettingsFile,
        rules: Rules<'_>,
        findings: &mut Findings,
    ) -> ScoreKeys {
        // Source: 2025-09, "Constants": they are replaced in this file, and in no other file of
        // the test data.
        let document = match kind {
            SettingsFile::Group | SettingsFile::SampleGroup => {
                Document::read_with(file, |text, max| {
                    fill_in(text, &rules.metadata.constants, max)
                })
            }
            _ => Document::read(file),
        };
        match document {
            Ok(document) if kind == SettingsFile::Legacy => {
                self.read_legacy(&document.root(), rules, findings);
            }
            Ok(document) => return self.read_current(&document.root(), kind, rules, findings),
            Err(error) => findings.error(error),
        }
        ScoreKeys::default()
    }

    fn read_current(
        &mut self,
        node: &Node<'_>,
        kind: SettingsFile,
        rules: Rules<'_>,
        findings: &mut Findings,
    ) -> ScoreKeys {
        // 2025-09, "Test Data Groups": `sample` is worth nothing, so it has no keys of scoring.
        let own: Vec<&str> = match kind {
            SettingsFile::TestCase => ONLY_TEST_CASE.to_vec(),
            SettingsFile::SampleGroup => STATIC.to_vec(),
            SettingsFile::Group | SettingsFile::Legacy => [&STATIC[..], &SCORING[..]].concat(),
        };
        let known = [&SHARED[..], &own[..]].concat();
        let legacy_replacement = |key: &str| instead_of(&INSTEAD_OF_LEGACY, key);
        let Some(fields) = Fields::open_hinted(node, &known, &legacy_replacement, findings) else {
            return ScoreKeys::default();
        };
        self.read_args(&fields, findings);
        // These keys control what contestants see. Judging does not use them, but a value of the
        // wrong type is still a mistake.
        fields.boolean("full_feedback", findings);
        for key in ONLY_TEST_CASE {
            fields.text(key, findings);
        }
        for key in SCORING {
            if let Some(node) = fields.get(key).filter(|_| !rules.metadata.types.scoring) {
                // These keys are known, so they are not reported as unknown. They are still a
                // mistake: they would promise scores that are never awarded.
                let message = "only problems of type `scoring` have it";
                findings.error(node.error(code::SCORE_KEY_WITHOUT_SCORES, message));
            }
        }
        ScoreKeys::read(&fields, findings)
    }

    fn read_args(&mut self, fields: &Fields<'_>, findings: &mut Findings) {
        // A key replaces the whole inherited list; lists are never joined.
        fields.read_into("args", Node::texts, &mut self.args, findings);
        if let Some(args) = fields.texts("output_validator_args", findings) {
            self.output_validator_args = OutputValidatorArgs {
                all: args,
                ..OutputValidatorArgs::default()
            };
            // The position is inherited with the arguments: a mistake is reported once, in the file
            // that sets them, and not for each test case.
            self.output_validator_args_at =
                fields.get("output_validator_args").map(Place::from_node);
        }
        for (key, args) in [
            ("input_visualizer_args", &mut self.input_visualizer_args),
            ("output_visualizer_args", &mut self.output_visualizer_args),
        ] {
            fields.read_into(key, Node::texts, args, findings);
        }
        let Some(node) = fields.get("input_validator_args") else {
            return;
        };
        if matches!(node.value(), Value::List(_)) {
            if let Some(args) = node.texts(findings) {
                self.input_validator_args = InputValidatorArgs::All(args);
            }
        } else if let Some(by_name) = Fields::open_any(node, findings) {
            let each = by_name
                .iter()
                .map(|(name, node)| node.texts(findings).map(|args| (name.to_owned(), args)));
            if let Some(by_name) = each.collect() {
                self.input_validator_args = InputValidatorArgs::ByName(by_name);
            }
        }
    }

    /// Source: legacy, "Test Data Groups". Unknown keys are common in archives, and are warnings.
    fn read_legacy(&mut self, node: &Node<'_>, rules: Rules<'_>, findings: &mut Findings) {
        let draft = !rules.metadata.dialect.is_legacy();
        let known = if draft {
            [&LEGACY[..], &SHARED[..]].concat()
        } else {
            LEGACY.to_vec()
        };
        let Some(fields) = Fields::open_legacy(node, &known, findings) else {
            return;
        };
        // Packages of drafts have a `testdata.yaml` with keys of either format.
        if draft {
            self.read_args(&fields, findings);
        }
        fields.read_into(
            "input_validator_flags",
            read_flags,
            &mut self.input_validator_args,
            findings,
        );
        if let Some(node) = fields.get("output_validator_flags")
            && let Some(flags) = read_flags(node, findings)
        {
            self.output_validator_args = output_flags(node, flags, rules, findings);
            self.output_validator_args_at = Some(Place::from_node(node));
        }
        legacy_grading::read(&mut self.grading, &fields, rules, findings);
    }

    /// Source: 2023-07-draft, "Input": arguments in a file of one line. Drafts do not specify
    /// quoting; shell quotes are supported.
    pub(super) fn read_draft_args(&mut self, file: &Path, findings: &mut Findings) {
        match head(file, MAX_ARGS_BYTES) {
            Ok(text) => match shell_words(&String::from_utf8_lossy(&text)) {
                Some(args) => self.args = args,
                None => {
                    let position = Some(Position { line: 1, column: 1 });
                    let message = "expected arguments, found a quote or `\\` without its end";
                    findings.error(
                        Finding::new(code::VALUE_UNEXPECTED, file, message).at_position(position),
                    );
                }
            },
            Err(cause) => findings.error(Finding::unreadable(file, &cause)),
        }
    }
}

/// Reads flags for every program, or for a named one. Source: legacy, "Test Data Groups": a mapping
/// of `name` and `flags`. Mappings from names to flags, as in newer formats, occur and are
/// accepted.
fn read_flags(node: &Node<'_>, findings: &mut Findings) -> Option<InputValidatorArgs> {
    let Value::Map(_) = node.value() else {
        // A single number is accepted without quotes.
        let text = node.number_or_text().or_else(|| node.text(findings))?;
        return Some(InputValidatorArgs::All(words(&text)));
    };
    let fields = Fields::open_any(node, findings)?;
    // The format defines a mapping of `name` and `flags`. Any other key is the name of a validator,
    // and so is `flags` if `name` is missing.
    let is_pair = fields.get("name").is_some()
        && fields
            .iter()
            .all(|(key, _)| matches!(key, "name" | "flags"));
    if is_pair {
        let name = fields.text("name", findings)?;
        let flags = fields
            .get("flags")
            .and_then(Node::number_or_text)
            .unwrap_or_default();
        return Some(InputValidatorArgs::ByName(BTreeMap::from([(
            name,
            words(&flags),
        )])));
    }
    let each = fields.iter().map(|(name, node)| {
        let text = node.number_or_text().or_else(|| node.text(findings));
        text.map(|text| (name.to_owned(), words(&text)))
    });
    each.collect::<Option<_>>().map(InputValidatorArgs::ByName)
}

/// Returns the arguments of a group for the output validators: for all of them, or for those that
/// the flags name. Flags for unknown names are ignored.
fn output_flags(
    node: &Node<'_>,
    flags: InputValidatorArgs,
    rules: Rules<'_>,
    findings: &mut Findings,
) -> OutputValidatorArgs {
    let mut args = OutputValidatorArgs::default();
    let by_name = match flags {
        InputValidatorArgs::All(flags) => return OutputValidatorArgs { all: flags, ..args },
        InputValidatorArgs::ByName(by_name) => by_name,
    };
    let own: Vec<&str> = rules
        .output_validators
        .iter()
        .map(|program| program.name.as_str())
        .collect();
    // A package without its own validator uses the default one.
    let known = if own.is_empty() { vec!["default"] } else { own };
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let flags_of = |known: &str| by_name.get(known).or_else(|| by_name.get(&stem(known)));
    let named = known
        .iter()
        .enumerate()
        .filter_map(|(position, known)| Some((position, flags_of(known)?.clone())));
    args.own = named.collect();
    if args.own.is_empty() {
        let expected = quoted(known.iter().copied());
        let message = format!(
            "`{}` names no output validator of this package; expected {expected}",
            node.key_path()
        );
        findings.warn(node.finding(code::OUTPUT_ARGUMENTS_UNUSED, message));
    }
    // With a single validator, the arguments apply to all, so callers need not know its name.
    if known.len() == 1 {
        args.all = std::mem::take(&mut args.own)
            .into_values()
            .flatten()
            .collect();
    }
    args
}
