//! Statements: their files, texts and images.
//!
//! Responsible for finding and reading them. Must not interpret or typeset them.
//!
//! Source: package format, "Problem Statements".

mod images;

use std::fs;
use std::path::{Path, PathBuf};

use judge_model::{FormatVersion, Problem};

pub use images::{StatementImage, pictures_next_to};

use crate::code;
use crate::disk::bounded::read_in_package;
use crate::error::Finding;
use crate::metadata::fill_in::fill_in;
use crate::metadata::is_natural_language;

/// The directories with statements: of 2025-09, and of legacy and drafts.
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// The directory with descriptions of the solution, in 2025-09.
const SOLUTIONS: &str = "solution";

/// The maximum size of a statement that is a PDF, in bytes.
const MAX_PDF: u64 = 64 << 20;

/// The maximum size of a text, in bytes. Real statements are shorter.
const MAX_TEXT: u64 = 4 << 20;

/// The text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementText {
    /// The file.
    pub path: PathBuf,
    /// The text in it.
    pub text: String,
}

/// The kind of file of a statement, in order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatementKind {
    /// Markdown.
    Markdown,
    /// LaTeX.
    Tex,
    /// A document that is shown unchanged.
    Pdf,
}

/// A statement in one language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatementFile {
    /// The language, such as `en` or `pt-BR`.
    pub language: String,
    /// The kind of file that it is.
    pub kind: StatementKind,
    /// The file, absolute.
    pub path: PathBuf,
}

/// The statements of a package (its directory) in Markdown or TeX, in order of their names. A file
/// that cannot be read is left out: other checks report it.
#[must_use]
pub fn statement_texts(package: &Path) -> Vec<StatementText> {
    let mut texts = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(package.join(folder)).into_iter().flatten();
        texts.extend(entries.flatten().filter_map(|entry| {
            let path = entry.path();
            let name = entry.file_name().into_string().ok()?;
            if !name.starts_with("problem.") || !(name.ends_with(".md") || name.ends_with(".tex")) {
                return None;
            }
            let bytes = read_in_package(package, &path, MAX_TEXT).ok()?;
            Some(StatementText {
                path,
                text: String::from_utf8(bytes).ok()?,
            })
        }));
    }
    texts.sort_by(|one, other| one.path.cmp(&other.path));
    texts
}

/// The statements of a problem, by language; within a language, Markdown comes before TeX, and TeX
/// before PDF.
#[must_use]
pub fn statement_files(problem: &Problem) -> Vec<StatementFile> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        // Drafts of 2025-09 name statements like legacy.
        let is_old = problem.format != FormatVersion::V2025_09 || folder == FOLDERS[1];
        files.extend(files_in(&problem.directory.join(folder), "problem", is_old));
    }
    files.sort();
    files
}

/// The descriptions of a problem's solution, in the order of [`statement_files`] (2025-09,
/// "Solution Description").
#[must_use]
pub fn solution_files(problem: &Problem) -> Vec<StatementFile> {
    let directory = problem.directory.join(SOLUTIONS);
    let mut files: Vec<StatementFile> = files_in(&directory, "solution", false).collect();
    files.sort();
    files
}

/// The files in a directory whose names consist of this start, a language and an extension.
fn files_in(directory: &Path, start: &str, legacy: bool) -> impl Iterator<Item = StatementFile> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let name = entry.file_name().into_string().ok()?;
        Some(StatementFile {
            language: language_in(&name, start, legacy)?,
            kind: kind_of(&name)?,
            path: entry.path(),
        })
    })
}

fn kind_of(name: &str) -> Option<StatementKind> {
    Some(match name.rsplit_once('.')?.1 {
        "md" => StatementKind::Markdown,
        "tex" => StatementKind::Tex,
        _ => StatementKind::Pdf,
    })
}

/// The statements in a language, or in every language for `all`; without a language, in English, or
/// else in the first language. Only the preferred statement of each language is returned.
#[must_use]
pub fn preferred_statements<'f>(
    files: &'f [StatementFile],
    language: Option<&str>,
) -> Vec<&'f StatementFile> {
    let has = |requested: &str| files.iter().any(|file| file.language == requested);
    let one = match language {
        Some("all") => None,
        Some(language) => Some(language),
        None if has("en") => Some("en"),
        None => files.first().map(|file| file.language.as_str()),
    };
    let mut found: Vec<&StatementFile> = Vec::new();
    for file in files
        .iter()
        .filter(|file| one.is_none_or(|one| one == file.language))
    {
        // Files are sorted by language and then by kind, so that the first of a language is
        // the preferred one.
        if !found.iter().any(|other| other.language == file.language) {
            found.push(file);
        }
    }
    found
}

impl StatementFile {
    /// The text of a statement that has one, with constants replaced in Markdown (2025-09,
    /// "Constants"; TeX has a command for them).
    ///
    /// # Errors
    /// When it cannot be read, is not UTF-8, is larger than 4 MiB, or lies outside of the package.
    pub fn text(&self, problem: &Problem) -> Result<String, Finding> {
        let invalid = |message: String| Finding::invalid(&self.path, None, message);
        let bytes = read_in_package(&problem.directory, &self.path, MAX_TEXT).map_err(|error| {
            invalid(format!("cannot be read: {error}")).coded(code::LAYOUT_BROKEN)
        })?;
        let text = String::from_utf8(bytes).map_err(|error| self.no_utf8(error.as_bytes()))?;
        Ok(match self.kind {
            StatementKind::Markdown => {
                let filled = fill_in(
                    &text,
                    &problem.constants,
                    usize::try_from(MAX_TEXT).unwrap_or(usize::MAX),
                );
                filled.ok_or_else(|| {
                    invalid("is larger than 4 MiB with its constants filled in".to_owned())
                })?
            }
            StatementKind::Tex | StatementKind::Pdf => text,
        })
    }

    /// The error of a text in another encoding, with its line.
    fn no_utf8(&self, bytes: &[u8]) -> Finding {
        let valid = bytes
            .utf8_chunks()
            .next()
            .map_or(0, |chunk| chunk.valid().len());
        let line = 1 + bytes[..valid].iter().filter(|byte| **byte == b'\n').count();
        let byte = bytes.get(valid).copied().unwrap_or_default();
        // Byte order marks of UTF-16, of either order.
        let hint = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it looks like UTF-16; save it as UTF-8",
            _ => "save it as UTF-8; to convert Latin-1, for example, use `iconv -f latin1 -t utf8`",
        };
        let message = format!("expected text in UTF-8, found the byte `0x{byte:02x}`");
        Finding::new(code::LAYOUT_BROKEN, &self.path, message)
            .at(u32::try_from(line).ok())
            .hint(Some(hint.to_owned()))
    }

    /// The bytes of a statement that is a PDF.
    ///
    /// # Errors
    /// When it cannot be read, is larger than 64 MiB, or lies outside of the package.
    pub fn pdf(&self, problem: &Problem) -> Result<Vec<u8>, Finding> {
        read_in_package(&problem.directory, &self.path, MAX_PDF).map_err(|error| {
            Finding::new(
                code::LAYOUT_BROKEN,
                &self.path,
                format!("cannot be read: {error}"),
            )
        })
    }
}

/// The language of a statement by its file name; `None` for other files. In legacy the language may
/// be left out.
pub fn language_of(name: &str, legacy: bool) -> Option<String> {
    language_in(name, "problem", legacy)
}

/// The language in a name such as `problem.en.md`.
fn language_in(name: &str, start: &str, legacy: bool) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let allowed = matches!(extension, "tex" | "pdf" | "md");
    match stem.strip_prefix(start)?.strip_prefix('.') {
        None if stem == start && legacy && allowed => Some("en".to_owned()),
        Some(language) if allowed && is_natural_language(language) => Some(language.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "statements_tests.rs"]
mod tests;
