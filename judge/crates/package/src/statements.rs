//! The texts of statements.
//!
//! Responsible for finding and reading them. Must not know what they say.
//!
//! Source: package format, "Problem Statements".

use std::fs;
use std::path::{Path, PathBuf};

/// The text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementText {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// The statements of a package (its directory) in Markdown or TeX, in order of their names. What cannot be read is told by
/// others, and left out.
#[must_use]
pub fn statement_texts(package: &Path) -> Vec<StatementText> {
    let mut texts = Vec::new();
    for folder in ["statement", "problem_statement"] {
        let Ok(entries) = fs::read_dir(package.join(folder)) else { continue };
        texts.extend(entries.flatten().filter_map(|entry| {
            let path = entry.path();
            let name = entry.file_name().into_string().ok()?;
            let is_statement = name.starts_with("problem.") && (name.ends_with(".md") || name.ends_with(".tex"));
            let text = fs::read_to_string(&path).ok().filter(|_| is_statement)?;
            Some(StatementText { path, text })
        }));
    }
    texts.sort_by(|one, other| one.path.cmp(&other.path));
    texts
}
