//! The steps of an upgrade, and the report of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use judge_event::{Confidence, Direction, Fate, Interchange, Part, Remark};

/// The steps that bring a package into 2025-09.
#[derive(Clone, Debug, Default)]
pub struct Upgrade {
    /// Files and directories that get another name, from and to, below the package; in this order.
    pub moves: Vec<(PathBuf, PathBuf)>,
    /// Files that are written, below the package, with their texts.
    pub texts: BTreeMap<PathBuf, String>,
    /// Files that are taken into others, and removed.
    pub removals: BTreeSet<PathBuf>,
    /// True for a draft of 2025-09, of which little has to change.
    pub(super) is_draft: bool,
    /// True for a package that is in 2025-09 already.
    pub(super) is_current: bool,
    pub(super) remarks: Vec<Remark>,
}

/// The version that packages are brought to.
pub(super) const CURRENT: &str = "2025-09";

impl Upgrade {
    /// True when something in the package cannot be said in 2025-09.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.remarks
            .iter()
            .any(|remark| remark.fate == Fate::Refused)
    }

    /// True when nothing has to change, as the package is in 2025-09 already.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_current
    }

    /// The document of this upgrade; `shown` is the package as it is shown.
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
            remarks: self.remarks.clone(),
        }
    }

    pub(super) fn say(&mut self, fate: Fate, part: Part, place: &str, text: impl Into<String>) {
        self.remarks.push(Remark {
            place: place.to_owned(),
            ..Remark::new(fate, part, text)
        });
    }
}
