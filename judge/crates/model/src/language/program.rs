//! Programs of packages.
//!
//! Responsible for naming their files. Must not know how a program is built or run.

use std::path::PathBuf;

use super::{LanguageId, SCRIPT_LANGUAGES};

/// A program that belongs to a package: a validator or a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of its file or directory.
    pub name: String,
    /// The file or directory itself, absolute.
    pub path: PathBuf,
    /// Its source files, relative to the directory (for a single file: its name), in order.
    pub sources: Vec<PathBuf>,
    /// The language in which it is written. Meaningless for a program made of scripts.
    pub language: LanguageId,
    /// The class that holds the entry point (`{class}`), for a language whose templates use it.
    pub entry_class: Option<String>,
    /// The scripts of a directory that is built or run by its own scripts, regardless of its other
    /// files.
    pub scripts: Option<Scripts>,
}

impl Program {
    /// The languages whose tools the program needs. Scripts may use those that the format promises
    /// them (2025-09, "Programs").
    #[must_use]
    pub fn languages(&self) -> Vec<LanguageId> {
        match self.scripts {
            Some(_) => SCRIPT_LANGUAGES
                .map(|id| LanguageId(id.to_owned()))
                .to_vec(),
            None => vec![self.language.clone()],
        }
    }
}

/// The scripts that a program's directory has (2025-09 and legacy, "Programs"). Without `run`,
/// `build` has to create it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scripts {
    /// True if there is an executable `build`, to be run once in a copy of the directory.
    pub build: bool,
    /// True if there is an executable `run`.
    pub run: bool,
}
