//! The contest of a workspace: the cover of its booklet, and the order of its problems.
//!
//! Responsible for reading the key `contest` of `judge.yaml`. Must not know the problems.

use crate::error::Findings;
use crate::yaml::Node;
use crate::yaml::fields::Fields;

/// The keys of `contest`.
pub(crate) const KEYS: [&str; 4] = ["title", "subtitle", "date", "problems"];

/// The key `contest` of `judge.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestSettings {
    /// The name of the contest.
    pub title: Option<String>,
    /// Lines below the name.
    pub subtitle: Vec<String>,
    /// The date, as printed.
    pub date: Option<String>,
    /// The names of its problems, in order; empty: all problems of the workspace, by name.
    pub problems: Vec<String>,
}

impl ContestSettings {
    /// Reads the key. Its faults are errors of the workspace.
    pub(crate) fn read(node: &Node<'_>, findings: &mut Findings) -> Self {
        let Some(fields) = Fields::open(node, &KEYS, findings) else {
            return Self::default();
        };
        let mut texts = |name: &str| {
            fields
                .read(name, Node::text_or_texts, findings)
                .unwrap_or_default()
        };
        let (subtitle, problems) = (texts("subtitle"), texts("problems"));
        Self {
            title: fields.text("title", findings),
            subtitle,
            date: fields.text("date", findings),
            problems,
        }
    }
}
