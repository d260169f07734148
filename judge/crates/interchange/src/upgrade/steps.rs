//! The steps of an upgrade, and its report.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use judge_event::{Confidence, Direction, Interchange};

use crate::remarks::Remarks;

/// The steps that convert a package to 2025-09.
#[derive(Clone, Debug, Default)]
pub struct Upgrade {
    /// Files and directories to rename, in this order: old and new paths in the package.
    pub moves: Vec<(PathBuf, PathBuf)>,
    /// Files to write: paths in the package and texts.
    pub texts: BTreeMap<PathBuf, String>,
    /// Files to remove, since their contents go into others.
    pub removals: BTreeSet<PathBuf>,
    /// True for a draft of 2025-09, in which little has to change.
    pub(super) is_draft: bool,
    /// True for a package that is already in 2025-09.
    pub(super) is_current: bool,
    pub(super) remarks: Remarks,
}

/// The version that packages are upgraded to.
pub(super) const CURRENT: &str = "2025-09";

impl Upgrade {
    /// True if the package contains something that 2025-09 cannot express.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.remarks.is_refused()
    }

    /// True if nothing has to change, because the package is already in 2025-09.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_current
    }

    /// Returns the document of this upgrade. `shown` is the path of the package for display.
    #[must_use]
    pub fn document(&self, problem: &str, shown: &str, written: bool) -> Interchange {
        let written_files = self.texts.keys().chain(self.moves.iter().map(|(_, to)| to));
        let files: BTreeSet<String> = written_files
            .map(|path| path.display().to_string())
            .collect();
        Interchange {
            schema: Interchange::SCHEMA,
            direction: Direction::Upgrade,
            format: match (self.is_current, self.is_draft) {
                (true, _) => CURRENT,
                (false, true) => "draft",
                (false, false) => "legacy",
            }
            .to_owned(),
            evidence: String::new(),
            confidence: Confidence::Certain,
            could_be: Vec::new(),
            problem: problem.to_owned(),
            source: shown.to_owned(),
            target: shown.to_owned(),
            written,
            files: files.into_iter().collect(),
            remarks: self.remarks.clone().into_best_first(),
        }
    }
}
