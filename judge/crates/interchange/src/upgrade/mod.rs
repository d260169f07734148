//! Upgrading: a package of the legacy format, or of a draft, in 2025-09.
//!
//! Responsible for which files change, and for what cannot be said in 2025-09. Must not judge anything: that verdicts stay
//! is for its command to show. Files are changed only by [`Upgrade::apply`].
//!
//! Source: both specifications of the problem package format.

mod apply;
mod groups;
mod metadata;
mod submissions;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use judge_event::{Confidence, Direction, Fate, Interchange, Part, Remark};
use judge_model::{FormatVersion, OutputValidator};
use judge_package::yaml::Document;
use judge_package::{LoadedPackage, METADATA_FILE};

use crate::InterchangeError;

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
    is_draft: bool,
    /// True for a package that is in 2025-09 already.
    is_current: bool,
    remarks: Vec<Remark>,
}

/// The version that packages are brought to.
const CURRENT: &str = "2025-09";

impl Upgrade {
    /// Finds out what has to change in a package; nothing in one that is in 2025-09 already.
    ///
    /// # Errors
    /// When a file of it cannot be read.
    pub fn from_package(loaded: &LoadedPackage) -> Result<Self, InterchangeError> {
        let problem = &loaded.problem;
        let document = Document::read(&problem.directory.join(METADATA_FILE))?;
        let mut upgrade = Self { is_draft: problem.format == FormatVersion::V2025_09, ..Self::default() };
        if upgrade.is_draft && metadata::version(&document).as_deref() == Some(CURRENT) {
            upgrade.is_current = true;
            upgrade.say(Fate::Carried, Part::Metadata, METADATA_FILE, "is of format 2025-09 already");
            return Ok(upgrade);
        }
        metadata::upgrade(loaded, &document, &mut upgrade)?;
        groups::upgrade(loaded, &document, &mut upgrade);
        submissions::upgrade(loaded, &mut upgrade);
        upgrade.move_directories(loaded)?;
        upgrade.remarks.sort_by_key(|remark| (remark.part, remark.fate));
        Ok(upgrade)
    }

    /// True when something in the package cannot be said in 2025-09.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.remarks.iter().any(|remark| remark.fate == Fate::Refused)
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
        let files: BTreeSet<String> = written_files.map(|path| path.display().to_string()).collect();
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

    fn say(&mut self, fate: Fate, part: Part, place: &str, text: impl Into<String>) {
        self.remarks.push(Remark { place: place.to_owned(), ..Remark::new(fate, part, text) });
    }

    fn move_directories(&mut self, loaded: &LoadedPackage) -> Result<(), InterchangeError> {
        let problem = &loaded.problem;
        let has = |name: &str| problem.directory.join(name).is_dir();
        if has("input_format_validators") && !has("input_validators") {
            self.moves.push(("input_format_validators".into(), "input_validators".into()));
        }
        if has("problem_statement") && !has("statement") {
            self.moves.push(("problem_statement".into(), "statement".into()));
            let names = fs::read_dir(problem.directory.join("problem_statement"));
            let names = names.map_err(InterchangeError::unwritable(&problem.directory))?;
            for name in names.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
                // A statement without a language is in English in the legacy format; here a
                // language is a must.
                if let Some(extension) = ["tex", "md", "pdf"].into_iter().find(|of| name == format!("problem.{of}")) {
                    let directory = Path::new("statement");
                    self.moves.push((directory.join(&name), directory.join(format!("problem.en.{extension}"))));
                }
            }
        }
        if let OutputValidator::Custom(programs) = &problem.output_validator {
            match &programs[..] {
                [program] => {
                    let Ok(from) = program.path.strip_prefix(&problem.directory) else { return Ok(()) };
                    let is_there = from.starts_with("output_validator");
                    if !is_there && program.path.is_dir() {
                        self.moves.push((from.to_owned(), "output_validator".into()));
                    } else if !is_there {
                        let name = program.path.file_name().unwrap_or_default();
                        self.moves.push((from.to_owned(), Path::new("output_validator").join(name)));
                    }
                }
                several => {
                    let text = format!("has {} programs, all of which must accept; 2025-09 has one", several.len());
                    self.say(Fate::Refused, Part::Checker, "output_validators", text);
                }
            }
        }
        if has("graders") {
            self.say(Fate::Refused, Part::Groups, "graders", "has a grader of its own, which 2025-09 does not know");
        }
        let known = METADATA_FILE;
        self.say(Fate::Changed, Part::Metadata, known, "is of format 2025-09");
        Ok(())
    }
}
