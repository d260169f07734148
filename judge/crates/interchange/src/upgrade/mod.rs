//! Upgrades a package from the legacy format or a draft to 2025-09.
//!
//! Responsible for deciding which files change, and for reporting what 2025-09 cannot express. Must
//! not judge anything: the command checks that verdicts do not change. Only [`Upgrade::apply`]
//! changes files.
//!
//! Source: both specifications of the problem package format.

mod apply;
mod groups;
mod metadata;
mod steps;
mod submissions;
mod trial;

use std::fs;
use std::path::Path;

use judge_event::{Fate, Part};
use judge_model::{FormatVersion, OutputValidator};
use judge_package::yaml::Document;
use judge_package::{LoadedPackage, METADATA_FILE};

use self::steps::CURRENT;
pub use self::steps::Upgrade;
use crate::{InterchangeError, Result};

impl Upgrade {
    /// Determines the changes to a package. A package that is already in 2025-09 needs none.
    ///
    /// # Errors
    /// If a file of it cannot be read.
    pub fn from_package(loaded: &LoadedPackage) -> Result<Self> {
        let problem = &loaded.problem;
        let document = Document::read(&problem.directory.join(METADATA_FILE))?;
        let mut upgrade = Self {
            is_draft: problem.format == FormatVersion::V2025_09,
            ..Self::default()
        };
        if upgrade.is_draft && metadata::version(&document).as_deref() == Some(CURRENT) {
            upgrade.is_current = true;
            upgrade.remarks.add(
                Fate::Carried,
                Part::Metadata,
                METADATA_FILE,
                "is already of format 2025-09",
            );
            return Ok(upgrade);
        }
        metadata::upgrade(loaded, &document, &mut upgrade)?;
        groups::upgrade(loaded, &document, &mut upgrade);
        submissions::upgrade(loaded, &mut upgrade);
        upgrade.move_directories(loaded)?;
        Ok(upgrade)
    }

    fn move_directories(&mut self, loaded: &LoadedPackage) -> Result<()> {
        let problem = &loaded.problem;
        let has = |name: &str| problem.directory.join(name).is_dir();
        if has("input_format_validators") && !has("input_validators") {
            self.moves
                .push(("input_format_validators".into(), "input_validators".into()));
        }
        if has("problem_statement") && !has("statement") {
            self.moves
                .push(("problem_statement".into(), "statement".into()));
            let names = fs::read_dir(problem.directory.join("problem_statement"));
            let names = names.map_err(InterchangeError::unwritable(&problem.directory))?;
            for name in names
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok())
            {
                // In the legacy format, a statement without a language is in English; 2025-09
                // requires a language.
                if let Some(extension) = ["tex", "md", "pdf"]
                    .into_iter()
                    .find(|extension| name == format!("problem.{extension}"))
                {
                    let directory = Path::new("statement");
                    self.moves.push((
                        directory.join(&name),
                        directory.join(format!("problem.en.{extension}")),
                    ));
                }
            }
        }
        if let OutputValidator::Custom(programs) = &problem.output_validator {
            match &programs[..] {
                [program] => {
                    let Ok(from) = program.path.strip_prefix(&problem.directory) else {
                        return Ok(());
                    };
                    let is_in_place = from.starts_with("output_validator");
                    if !is_in_place && program.path.is_dir() {
                        self.moves
                            .push((from.to_owned(), "output_validator".into()));
                    } else if !is_in_place {
                        let name = program.path.file_name().unwrap_or_default();
                        self.moves
                            .push((from.to_owned(), Path::new("output_validator").join(name)));
                    }
                }
                several => {
                    let text = format!(
                        "has {} programs, all of which must accept; 2025-09 allows one",
                        several.len()
                    );
                    self.remarks
                        .refused(Part::Checker, "output_validators", text);
                }
            }
        }
        if has("graders") {
            self.remarks.refused(
                Part::Groups,
                "graders",
                "is a custom grader, which 2025-09 does not support",
            );
        }
        let known = METADATA_FILE;
        self.remarks
            .changed(Part::Metadata, known, "is of format 2025-09");
        Ok(())
    }
}
