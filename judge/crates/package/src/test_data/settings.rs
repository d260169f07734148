//! What is set for test cases: `test_group.yaml`, `X.yaml`, `testdata.yaml`.
//!
//! Responsible for the keys and for what is inherited. Must not know where the files lie.
//!
//! Inheritance: in legacy every key comes from the nearest directory upwards that gives it. 2025-09 says that a test
//! case inherits from its group, and leaves open whether a group inherits from `secret/test_group.yaml`; here arguments
//! and `full_feedback` do (the nearest definition holds), the keys of scoring do not.

use std::collections::BTreeMap;
use std::path::Path;

use super::collect::Rules;
use crate::error::{Findings, PackageError};
use crate::fields::Fields;
use crate::suggest::did_you_mean;
use crate::yaml::{Document, Node, Value};

/// Arguments for input validators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValidatorArgs {
    /// The same for each of them.
    All(Vec<String>),
    /// By name; the others get none.
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
    pub fn of(&self, validator: &str) -> &[String] {
        match self {
            Self::All(args) => args,
            Self::ByName(by_name) => by_name.get(validator).map(Vec::as_slice).unwrap_or_default(),
        }
    }
}

/// What is set for a test case, or handed down to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) args: Vec<String>,
    pub(super) input_validator_args: InputValidatorArgs,
    pub(super) output_validator_args: Vec<String>,
}

/// Which keys a file may have.
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
const SHARED: [&str; 6] = [
    "args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];
const ONLY_TEST_CASE: [&str; 2] = ["hint", "description"];
const STATIC: [&str; 2] = ["static_validation_score", "static_validator_args"];
/// Keys that only scoring problems have, and not in `sample`.
const SCORING: [&str; 3] = ["max_score", "score_aggregation", "require_pass"];

impl Settings {
    /// These settings with those of a file in their place.
    pub(super) fn read_over(
        mut self,
        file: &Path,
        kind: SettingsFile,
        rules: Rules<'_>,
        findings: &mut Findings,
    ) -> Self {
        match Document::read(file) {
            Ok(document) if kind == SettingsFile::Legacy => self.read_legacy(&document.root(), rules, findings),
            Ok(document) => self.read_current(&document.root(), kind, rules, findings),
            Err(error) => findings.error(error),
        }
        self
    }

    fn read_current(&mut self, node: &Node<'_>, kind: SettingsFile, rules: Rules<'_>, findings: &mut Findings) {
        let own: Vec<&str> = match kind {
            SettingsFile::TestCase => ONLY_TEST_CASE.to_vec(),
            SettingsFile::SampleGroup => STATIC.to_vec(),
            SettingsFile::Group | SettingsFile::Legacy => [&STATIC[..], &SCORING[..]].concat(),
        };
        let known = [&SHARED[..], &own[..]].concat();
        let Some(fields) = Fields::open(node, &known, findings) else { return };
        self.read_args(&fields, findings);
        for key in ["input_visualizer_args", "output_visualizer_args", "static_validator_args"] {
            fields.texts(key, findings);
        }
        fields.boolean("full_feedback", findings);
        for key in ONLY_TEST_CASE {
            fields.text(key, findings);
        }
        check_scoring(&fields, rules, findings);
    }

    fn read_args(&mut self, fields: &Fields<'_>, findings: &mut Findings) {
        if let Some(args) = fields.texts("args", findings) {
            self.args = args;
        }
        if let Some(args) = fields.texts("output_validator_args", findings) {
            self.output_validator_args = args;
        }
        let Some(node) = fields.get("input_validator_args") else { return };
        if matches!(node.value(), Value::List(_)) {
            if let Some(args) = node.texts(findings) {
                self.input_validator_args = InputValidatorArgs::All(args);
            }
        } else if let Some(by_name) = Fields::open_any(node, findings) {
            let each = by_name.iter().map(|(name, node)| node.texts(findings).map(|args| (name.to_owned(), args)));
            if let Some(by_name) = each.collect() {
                self.input_validator_args = InputValidatorArgs::ByName(by_name);
            }
        }
    }

    /// Source: legacy, "Test Data Groups". Keys that nothing knows are common in archives, and are warnings.
    fn read_legacy(&mut self, node: &Node<'_>, rules: Rules<'_>, findings: &mut Findings) {
        const KEYS: [&str; 8] = [
            "on_reject",
            "grading",
            "grader_flags",
            "input_validator_flags",
            "output_validator_flags",
            "accept_score",
            "reject_score",
            "range",
        ];
        let Some(fields) = Fields::open_any(node, findings) else { return };
        let draft = !rules.metadata.dialect.is_legacy();
        for entry in node.entries().unwrap_or_default() {
            let name = entry.name.as_str();
            let known = KEYS.contains(&name) || (draft && SHARED.contains(&name));
            if !known {
                let message = format!("unknown key `{name}` is ignored");
                findings.warn_with(node.file(), entry.key.position(), message, did_you_mean(name, KEYS));
            }
        }
        if draft {
            self.read_args(&fields, findings);
        }
        if let Some(node) = fields.get("input_validator_flags")
            && let Some(flags) = read_flags(node, findings)
        {
            self.input_validator_args = flags;
        }
        if let Some(node) = fields.get("output_validator_flags")
            && let Some(flags) = read_flags(node, findings)
        {
            self.output_validator_args = flags.of(rules.output_validator.unwrap_or("default")).to_vec();
        }
        check_legacy_grading(&fields, findings);
    }

    /// Source: 2023-07-draft, "Input": arguments in a file of one line. Drafts do not say how to quote, so a line for
    /// which it matters is refused.
    pub(super) fn read_draft_args(&mut self, file: &Path, findings: &mut Findings) {
        match std::fs::read_to_string(file) {
            Ok(text) if text.contains(['"', '\'', '\\']) => {
                findings.error(PackageError::unsupported(
                    file,
                    Some(crate::error::Position { line: 1, column: 1 }),
                    "quoted arguments",
                ));
            }
            Ok(text) => self.args = text.split_whitespace().map(str::to_owned).collect(),
            Err(cause) => findings.error(PackageError::unreadable(file, &cause)),
        }
    }
}

fn read_flags(node: &Node<'_>, findings: &mut Findings) -> Option<InputValidatorArgs> {
    let split = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    match node.value() {
        Value::Map(_) => {
            let by_name = Fields::open_any(node, findings)?;
            let each =
                by_name.iter().map(|(name, node)| node.text(findings).map(|text| (name.to_owned(), split(text))));
            each.collect::<Option<_>>().map(InputValidatorArgs::ByName)
        }
        // A single number needs no quotes to be understood.
        Value::Integer(number) => Some(InputValidatorArgs::All(vec![number.to_string()])),
        _ => node.text(findings).map(|text| InputValidatorArgs::All(split(text))),
    }
}

/// Keys that only matter in scoring problems, which are not judged yet, and static validation.
fn check_scoring(fields: &Fields<'_>, rules: Rules<'_>, findings: &mut Findings) {
    for key in SCORING {
        if let Some(node) = fields.get(key).filter(|_| !rules.metadata.types.scoring) {
            findings.error(node.invalid("only problems of type `scoring` have it"));
        }
    }
    if let Some(node) = fields.get("max_score") {
        match node.value() {
            Value::Text(text) if text == "unbounded" => {}
            Value::Integer(0..) => {}
            _ => findings.error(node.expected("an integer of at least 0, or `unbounded`")),
        }
    }
    if let Some(node) = fields.get("score_aggregation") {
        node.one_of(&["pass-fail", "sum", "min"], findings);
    }
    if let Some(node) = fields.get("require_pass") {
        node.text_or_texts(findings);
    }
    if let Some(node) = fields.get("static_validation_score") {
        findings.error(node.unsupported("static validation"));
    }
}

/// Grading in a legacy package: whatever keeps a submission from being accepted exactly when all test cases are.
fn check_legacy_grading(fields: &Fields<'_>, findings: &mut Findings) {
    if let Some(node) = fields.get("on_reject") {
        node.one_of(&["break", "continue", "first_error", "worst_error", "grade"], findings);
    }
    if let Some(node) = fields.get("grading")
        && node.one_of(&["default", "custom"], findings) == Some("custom")
    {
        findings.error(node.unsupported("custom graders"));
    }
    let Some(node) = fields.get("grader_flags") else { return };
    let Some(flags) = node.text(findings) else { return };
    for flag in flags.split_whitespace() {
        match flag {
            // They say which of several failures names the verdict, and how scores add up.
            "worst_error" | "first_error" | "sum" | "avg" | "min" | "max" => {}
            "always_accept" | "no_errors" | "ignore_sample" | "accept_if_any_accepted" => {
                findings.error(node.unsupported(format!("the grader flag `{flag}`")));
            }
            other => {
                findings.warn(node.file(), node.position(), format!("unknown grader flag `{other}` is ignored"));
            }
        }
    }
}
