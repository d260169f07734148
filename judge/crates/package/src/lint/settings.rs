//! What a workspace says about checking: its profile, and what it does not want to hear again, and why.
//!
//! Responsible for reading the key `check` of `judge.yaml`, and for which silencing applies to a finding. Must not know
//! how findings are made.

use std::path::Path;

use globset::GlobMatcher;

use super::finding::Finding;
use super::profile::Profile;
use crate::code::Code;
use crate::error::Findings;
use crate::fields::Fields;
use crate::filter::glob;
use crate::suggest::did_you_mean;
use crate::yaml::Node;

/// The key `check` of `judge.yaml`.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// What the packages are meant for, if it is said.
    pub profile: Option<Profile>,
    /// What is known and meant.
    pub silencings: Vec<Silencing>,
}

/// One finding, or many of a kind, that somebody has looked at and found to be meant.
#[derive(Clone, Debug)]
pub struct Silencing {
    /// The kind of finding.
    pub code: Code,
    /// The one problem concerned; `None`: all of them.
    pub problem: Option<String>,
    /// Why it is meant. Never empty.
    pub reason: String,
    /// The line of `judge.yaml` on which it stands.
    pub line: Option<u32>,
    /// The files concerned, below the package; `None`: all of them.
    files: Option<GlobMatcher>,
}

impl Silencing {
    /// Whether it silences a finding about this package. What keeps a package from being judged is never silent.
    #[must_use]
    pub fn applies(&self, problem: &str, package: &Path, finding: &Finding) -> bool {
        let below = finding.file.strip_prefix(package).unwrap_or(&finding.file);
        !finding.keeps_from_loading
            && self.code == finding.code
            && self.problem.as_deref().is_none_or(|of| of == problem)
            && self.files.as_ref().is_none_or(|files| files.is_match(below))
    }
}

impl CheckSettings {
    /// Reads the key. What is wrong with it is an error of the workspace.
    pub(crate) fn read(node: &Node<'_>, findings: &mut Findings) -> Self {
        let mut settings = Self::default();
        let Some(fields) = Fields::open(node, &["profile", "ignore"], findings) else { return settings };
        if let Some(node) = fields.get("profile")
            && let Some(name) = node.text(findings)
        {
            match name.parse() {
                Ok(profile) => settings.profile = Some(profile),
                Err(error) => findings.error(node.invalid(error)),
            }
        }
        if let Some(node) = fields.get("ignore") {
            match node.items() {
                Some(items) => {
                    settings.silencings = items.iter().filter_map(|node| silencing(node, findings)).collect();
                }
                None => findings.error(node.expected("a list of `{code: …, reason: …}`")),
            }
        }
        settings
    }
}

fn silencing(node: &Node<'_>, findings: &mut Findings) -> Option<Silencing> {
    let fields = Fields::open(node, &["code", "problem", "file", "reason"], findings)?;
    let id = fields.require("code", findings)?.text(findings)?;
    let Some(code) = Code::find(&id) else {
        let known: Vec<&str> = Code::all().into_iter().map(Code::id).collect();
        findings.error(node.invalid(format_args!("there is no code `{id}`")).hint(did_you_mean(&id, known)));
        return None;
    };
    let reason = fields.require("reason", findings)?.text(findings)?;
    if reason.trim().is_empty() {
        findings.error(node.invalid("expected a reason, found an empty text"));
    }
    let files = match fields.text("file", findings).map(|text| glob(&text)) {
        Some(Ok(files)) => Some(files),
        Some(Err(cause)) => {
            findings.error(node.invalid(format_args!("`file` is no valid pattern: {cause}")));
            None
        }
        None => None,
    };
    let line = node.position().map(|position| position.line);
    Some(Silencing { code, problem: fields.text("problem", findings), reason, line, files })
}
