//! Statements: which there are, their texts and their images.
//!
//! Responsible for finding and reading them. Must not know what they say, nor typeset anything.
//!
//! Source: package format, "Problem Statements".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use judge_model::{FormatVersion, Problem};

use crate::code;
use crate::disk::within::read_in_package;
use crate::error::PackageError;
use crate::metadata::fill_in::fill_in;

/// The directories that hold statements: of 2025-09, and of legacy with the drafts.
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// The most bytes of a text. Nobody reads a longer one.
const MOST_TEXT: u64 = 4 << 20;

/// A larger image makes a page that takes long to open.
const MOST_IMAGE: u64 = 16 << 20;

/// The text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementText {
    /// The file.
    pub path: PathBuf,
    /// The text that it holds.
    pub text: String,
}

/// The kind of file that a statement is written in, in the order in which one is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatementKind {
    /// Markdown.
    Markdown,
    /// LaTeX.
    Tex,
    /// A document that is shown as it is.
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

/// An image of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementImage {
    /// Its media type, by its name.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The statements of a package (its directory) in Markdown or TeX, in order of their names. A file that cannot be
/// read is left out: other checks report it.
#[must_use]
pub fn statement_texts(package: &Path) -> Vec<StatementText> {
    let mut texts = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(package.join(folder)) else { continue };
        texts.extend(entries.flatten().filter_map(|entry| {
            let path = entry.path();
            let name = entry.file_name().into_string().ok()?;
            let is_statement = name.starts_with("problem.") && (name.ends_with(".md") || name.ends_with(".tex"));
            let bytes = is_statement.then(|| read_in_package(package, &path, MOST_TEXT).ok()).flatten()?;
            Some(StatementText { path, text: String::from_utf8(bytes).ok()? })
        }));
    }
    texts.sort_by(|one, other| one.path.cmp(&other.path));
    texts
}

/// The statements of a problem, by language; of one language Markdown goes before TeX, and that before PDF.
#[must_use]
pub fn statement_files(problem: &Problem) -> Vec<StatementFile> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(problem.directory.join(folder)) else { continue };
        // Drafts of 2025-09 name statements as legacy does.
        let is_old = problem.format != FormatVersion::V2025_09 || folder == FOLDERS[1];
        files.extend(entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let language = language_of(&name, is_old)?;
            let kind = match name.rsplit_once('.')?.1 {
                "md" => StatementKind::Markdown,
                "tex" => StatementKind::Tex,
                _ => StatementKind::Pdf,
            };
            Some(StatementFile { language, kind, path: entry.path() })
        }));
    }
    files.sort();
    files
}

/// The statements in a language, or in every language for `all`; without one those in English, or else in the first
/// language. Of one language it is the one to be preferred.
#[must_use]
pub fn preferred_statements<'f>(files: &'f [StatementFile], language: Option<&str>) -> Vec<&'f StatementFile> {
    let has = |wanted: &str| files.iter().any(|file| file.language == wanted);
    let one = match language {
        Some("all") => None,
        Some(language) => Some(language),
        None if has("en") => Some("en"),
        None => files.first().map(|file| file.language.as_str()),
    };
    let mut found: Vec<&StatementFile> = Vec::new();
    for file in files.iter().filter(|file| one.is_none_or(|one| one == file.language)) {
        if !found.iter().any(|other| other.language == file.language) {
            found.push(file);
        }
    }
    found
}

impl StatementFile {
    /// The text of a statement that has one, with constants in place in Markdown (2025-09, "Constants"; TeX has a
    /// command for them).
    ///
    /// # Errors
    /// When it cannot be read, is not UTF-8, is larger than 4 MiB, or lies outside of the package.
    pub fn text(&self, problem: &Problem) -> Result<String, PackageError> {
        let invalid = |message: String| PackageError::invalid(&self.path, None, message);
        let bytes = read_in_package(&problem.directory, &self.path, MOST_TEXT)
            .map_err(|error| invalid(format!("cannot be read: {error}")).coded(code::LAYOUT_BROKEN))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| invalid("expected text in UTF-8".to_owned()).coded(code::LAYOUT_BROKEN))?;
        Ok(match self.kind {
            StatementKind::Markdown => fill_in(&text, &problem.constants),
            StatementKind::Tex | StatementKind::Pdf => text,
        })
    }

    /// The image at an address that the statement gives: the name of a file, relative to the statement.
    ///
    /// # Errors
    /// When there is no such image, when it is of a format that the package format does not know, is larger than 16
    /// MiB, or lies outside of the package.
    pub fn image(&self, problem: &Problem, address: &str) -> Result<StatementImage, PackageError> {
        let refused = |why: &dyn std::fmt::Display| {
            let message = format!("shows the image `{address}`, which {why}");
            PackageError::invalid(&self.path, None, message).coded(code::IMAGE_MISSING)
        };
        if address.contains(':') || address.starts_with("//") {
            return Err(refused(&"is not a file of the package"));
        }
        let mut name = unescaped(address).ok_or_else(|| refused(&"is no name of a file"))?;
        let folder = self.path.parent().unwrap_or(&problem.directory);
        // LaTeX finds images without their extensions.
        if self.kind == StatementKind::Tex && !folder.join(&name).is_file() {
            let with = |extension: &&str| folder.join(format!("{name}.{extension}")).is_file();
            if let Some(extension) = ["png", "jpg", "jpeg", "svg"].into_iter().find(with) {
                name = format!("{name}.{extension}");
            }
        }
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let media_type = match extension.to_ascii_lowercase().as_str() {
            "png" => "image/png",
            "jpg" | "jpeg" => "image/jpeg",
            "svg" => "image/svg+xml",
            _ => return Err(refused(&"has none of the formats `.png`, `.jpg`, `.jpeg` and `.svg`")),
        };
        let bytes = read_in_package(&problem.directory, &folder.join(name), MOST_IMAGE);
        bytes.map(|bytes| StatementImage { media_type, bytes }).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused(&"is not there"),
            _ => refused(&format!("cannot be shown: {error}")),
        })
    }
}

/// An address without its `%20` and the like; `None` for what is no UTF-8 then.
fn unescaped(address: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|name| !name.contains('\0'))
}

/// The language of a statement by its file name; `None` for other files. In legacy the language may be left out.
pub fn language_of(name: &str, legacy: bool) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let allowed = matches!(extension, "tex" | "pdf" | "md");
    match stem.strip_prefix("problem")?.strip_prefix('.') {
        None if stem == "problem" && legacy && allowed => Some("en".to_owned()),
        Some(language) if allowed && is_language(language) => Some(language.to_owned()),
        _ => None,
    }
}

/// Source: 2025-09: a code of two or three letters, with a region in capitals where needed.
fn is_language(code: &str) -> bool {
    let (language, region) = code.split_once('-').map_or((code, None), |(language, region)| (language, Some(region)));
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.is_none_or(|region| region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    fn problem(tree: &Tree) -> Problem {
        Problem::new("p", tree.root().to_owned(), FormatVersion::V2025_09)
    }

    #[test]
    fn languages_are_told_by_names() {
        for (name, legacy, expected) in [
            ("problem.en.md", false, Some("en")),
            ("problem.pt-BR.tex", false, Some("pt-BR")),
            ("problem.md", false, None),
            ("problem.tex", true, Some("en")),
            ("problem.english.md", false, None),
            ("solution.en.md", false, None),
            ("problem.en.txt", false, None),
        ] {
            assert_eq!(language_of(name, legacy).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn statements_are_in_order_of_language_and_preference() {
        let tree = Tree::with(&[
            ("statement/problem.sv.tex", ""),
            ("statement/problem.sv.md", ""),
            ("statement/problem.en.pdf", ""),
            ("statement/problem.md", ""),
            ("statement/bones.svg", ""),
        ]);
        let found = statement_files(&problem(&tree)).into_iter().map(|file| (file.language, file.kind));
        let expected = [("en", StatementKind::Pdf), ("sv", StatementKind::Markdown), ("sv", StatementKind::Tex)];
        assert_eq!(found.collect::<Vec<_>>(), expected.map(|(language, kind)| (language.to_owned(), kind)));
    }

    #[test]
    fn constants_are_put_in_place_in_markdown_alone() {
        let tree = Tree::with(&[("statement/problem.en.md", "{{n}}"), ("statement/problem.en.tex", "{{n}}")]);
        let constant = judge_model::Constant { name: "n".into(), value: "5".into() };
        let problem = Problem { constants: vec![constant], ..problem(&tree) };
        let texts: Vec<_> = statement_files(&problem).iter().map(|file| file.text(&problem).unwrap()).collect();
        assert_eq!(texts, ["5", "{{n}}"]);
    }

    #[test]
    fn images_come_from_the_package_and_from_nowhere_else() {
        let tree = Tree::with(&[
            ("p/statement/problem.en.md", ""),
            ("p/statement/a b.png", "image"),
            ("p/attachments/c.SVG", "<svg/>"),
            ("p/statement/d.txt", ""),
            ("secret.png", "secret"),
        ]);
        #[cfg(unix)]
        std::os::unix::fs::symlink(tree.path("secret.png"), tree.path("p/statement/link.png")).unwrap();
        let problem = Problem::new("p", tree.path("p"), FormatVersion::V2025_09);
        let statement = &statement_files(&problem)[0];
        let image = |address: &str| statement.image(&problem, address);
        assert_eq!(image("a%20b.png").unwrap(), StatementImage { media_type: "image/png", bytes: b"image".to_vec() });
        assert_eq!(image("../attachments/c.SVG").unwrap().media_type, "image/svg+xml");
        for (address, part) in [
            ("missing.png", "is not there"),
            ("d.txt", "none of the formats"),
            ("../../secret.png", "outside of the package"),
            ("link.png", "outside of the package"),
            ("https://example.org/x.png", "not a file of the package"),
            ("data:image/png;base64,AAAA", "not a file of the package"),
            ("%00.png", "no name of a file"),
        ] {
            let error = image(address).unwrap_err().to_string();
            assert!(error.contains(part), "{address}: {error}");
        }
        let absolute = tree.path("secret.png").display().to_string();
        assert!(image(&absolute).is_err());
    }

    #[test]
    fn latex_finds_images_without_their_extensions() {
        let tree = Tree::with(&[("statement/problem.en.tex", ""), ("statement/road.jpg", "image")]);
        let problem = problem(&tree);
        let statement = &statement_files(&problem)[0];
        assert_eq!(statement.image(&problem, "road").unwrap().media_type, "image/jpeg");
        assert!(statement.image(&problem, "other").is_err());
    }

    fn file(language: &str, kind: StatementKind) -> StatementFile {
        StatementFile { language: language.to_owned(), kind, path: PathBuf::from(language) }
    }

    #[test]
    fn one_statement_of_each_language_that_is_wanted() {
        use StatementKind::{Markdown, Tex};
        let files = [file("de", Tex), file("en", Markdown), file("en", Tex), file("sv", Tex)];
        let chosen_of = |files: &[StatementFile], language: Option<&str>| {
            preferred_statements(files, language)
                .iter()
                .map(|file| (file.language.clone(), file.kind))
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen_of(&files, None), [("en".to_owned(), Markdown)]);
        assert_eq!(chosen_of(&files[..1], None), [("de".to_owned(), Tex)]);
        assert_eq!(chosen_of(&files, Some("sv")), [("sv".to_owned(), Tex)]);
        assert_eq!(chosen_of(&files, Some("all")).len(), 3);
        assert!(chosen_of(&files, Some("fr")).is_empty());
    }
}
