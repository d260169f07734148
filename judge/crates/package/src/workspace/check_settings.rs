//! The settings of a workspace for checking: its profile, and the findings that it silences, with
//! the reasons.
//!
//! Responsible for reading the key `check` of `judge.yaml`, and for matching silencings. Must not
//! know how findings are made.

use std::path::Path;

use globset::GlobMatcher;

use crate::code::Code;
use crate::error::Findings;
use crate::suggest::did_you_mean;
use crate::workspace::filter::glob;
use crate::workspace::profile::Profile;
use crate::yaml::Node;
use crate::yaml::fields::Fields;

/// The keys of `check`.
pub(crate) const KEYS: [&str; 2] = ["profile", "ignore"];
/// The keys of an entry of `ignore`.
pub(crate) const SILENCING: [&str; 4] = ["code", "problem", "file", "reason"];

/// The key `check` of `judge.yaml`.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// The profile, if one is stated.
    pub profile: Option<Profile>,
    /// The silencings, in the order of the file.
    pub silencings: Vec<Silencing>,
}

/// A silencing: a finding, or several of a kind, that the user has declared to be intended.
#[derive(Clone, Debug)]
pub struct Silencing {
    /// The kind of finding.
    pub code: Code,
    /// The problem concerned; `None` means all.
    pub problem: Option<String>,
    /// The reason why it is intended. Never empty.
    pub reason: String,
    /// The line of `judge.yaml` on which it is written.
    pub line: Option<u32>,
    /// The files concerned, below the package; `None` means all.
    files: Option<GlobMatcher>,
}

impl Silencing {
    /// True for a finding with this code about a file of a problem, given relative to its package.
    #[must_use]
    pub fn covers(&self, code: Code, problem: &str, file: &Path) -> bool {
        self.code == code
            && self
                .problem
                .as_deref()
                .is_none_or(|silenced| silenced == problem)
            && self.files.as_ref().is_none_or(|files| files.is_match(file))
    }
}

impl CheckSettings {
    /// Reads the key. Its faults are errors of the workspace.
    pub(crate) fn read(node: &Node<'_>, findings: &mut Findings) -> Self {
        let mut settings = Self::default();
        let Some(fields) = Fields::open(node, &KEYS, findings) else {
            return settings;
        };
        settings.profile = fields.read("profile", Node::named, findings);
        if let Some(node) = fields.get("ignore") {
            match node.items() {
                Some(items) => {
                    settings.silencings = items
                        .iter()
                        .filter_map(|node| silencing(node, findings))
                        .collect();
                }
                None => findings.error(node.expected("a list of `{code: …, reason: …}`")),
            }
        }
        settings
    }
}

fn silencing(node: &Node<'_>, findings: &mut Findings) -> Option<Silencing> {
    if node.entries().is_none() {
        return findings.fail(node.expected("`{code: …, reason: …}`"));
    }
    let fields = Fields::open(node, &SILENCING, findings)?;
    let id = fields.require("code", findings)?.text(findings)?;
    let Some(code) = Code::find(&id) else {
        let known: Vec<&str> = Code::all().into_iter().map(Code::id).collect();
        return findings.fail(
            node.invalid(format_args!("unknown code `{id}`"))
                .hint(did_you_mean(&id, known)),
        );
    };
    let reason = fields.require("reason", findings)?.text(findings)?;
    if reason.trim().is_empty() {
        findings.error(node.invalid("expected a reason, found an empty string"));
    }
    let files = match fields.text("file", findings).map(|text| glob(&text)) {
        Some(Ok(files)) => Some(files),
        Some(Err(cause)) => {
            findings.fail(node.invalid(format_args!("`file` is not a valid pattern: {cause}")))
        }
        None => None,
    };
    let line = node.position().map(|position| position.line);
    Some(Silencing {
        code,
        problem: fields.text("problem", findings),
        reason,
        line,
        files,
    })
}
