//! The findings of the checks of files, in the order in which they are made.

use std::path::Path;

use judge_package::yaml::Node;
use judge_package::{Code, Finding};

use super::subject::Subject;

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// Adds a finding about a file or directory.
    pub(super) fn add(&mut self, code: Code, file: &Path, message: impl Into<String>) {
        self.push(Finding::new(code, file, message));
    }

    /// Adds a finding at a line of a file, counted from 1.
    pub(super) fn add_at(
        &mut self,
        line: Option<u32>,
        code: Code,
        file: &Path,
        message: impl Into<String>,
    ) {
        self.push(Finding::new(code, file, message).at(line));
    }

    /// Adds a finding at a key of `problem.yaml`, or about the whole file if the key is missing.
    pub(super) fn add_at_key(
        &mut self,
        subject: &Subject<'_>,
        code: Code,
        node: Option<&Node<'_>>,
        message: impl Into<String>,
    ) {
        let finding = Finding::new(code, &subject.marker(), message);
        self.push(finding.at_position(node.and_then(Node::position)));
    }
}
