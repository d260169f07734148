//! Skeletons of packages: the initial files of a new problem.
//!
//! Responsible for planning the files, and for writing all of them or none. Must not choose the
//! place of a package, or ask the user. The templates in `templates/` are valid packages
//! themselves. A user's template directory is filled in the same way.

mod error;
mod files;
mod kind;

use std::collections::btree_map::Entry;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use judge_files::ConfinedDirectory;

pub use self::error::SkeletonError;
pub use self::kind::{SkeletonKind, SkeletonLanguage};
use crate::disk::names::is_short_name;

/// The source of the files of a new package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonSource<'a> {
    /// A template of this kind, with programs in this language.
    Template(SkeletonKind, SkeletonLanguage),
    /// The files of a directory, with the same placeholders.
    Directory(&'a Path),
}

/// The properties of a new package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPackage<'a> {
    /// The source of its files.
    pub source: SkeletonSource<'a>,
    /// The text of `testlib.h`, for the directories of programs that include it, if it was found.
    pub testlib_h: Option<&'a str>,
    /// The name, also of its directory.
    pub name: &'a str,
    /// The title; by default a placeholder, which `judge check` reports.
    pub title: Option<&'a str>,
    /// The author, who also owns the rights; by default a placeholder, which `judge check` reports.
    pub author: Option<&'a str>,
    /// The licence, one of [`LICENSES`](crate::LICENSES).
    pub license: &'a str,
    /// The uuid, which the caller generates.
    pub uuid: &'a str,
}

/// The files of a package that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    package: PathBuf,
    submissions: PathBuf,
    files: Vec<NewFile>,
}

/// A file of a package that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
    is_executable: bool,
}

/// The prefix of the placeholder for the author.
pub const AUTHOR_PLACEHOLDER: &str = "the author of ";
/// The prefix of the placeholder for the title.
pub const TITLE_PLACEHOLDER: &str = "Untitled ";

/// Plans a package of format 2025-09: a directory with the name of the problem in `directory`, and
/// its submissions in the directory `submissions`.
///
/// # Errors
/// An invalid name, title or author: title and author are one line of text. A template directory
/// that cannot be read.
pub fn skeleton(
    new: &NewPackage<'_>,
    directory: &Path,
    submissions: &Path,
) -> Result<Skeleton, SkeletonError> {
    if !is_short_name(new.name) {
        return Err(SkeletonError::Name(new.name.to_owned()));
    }
    let package = directory.join(new.name);
    let or_placeholder = |text: Option<&str>, placeholder: &str| {
        text.map_or(format!("{placeholder}{}", new.name), str::to_owned)
    };
    let title = or_placeholder(new.title, TITLE_PLACEHOLDER);
    let author = or_placeholder(new.author, AUTHOR_PLACEHOLDER);
    let values = [
        ("@NAME@", new.name.to_owned()),
        ("@UUID@", new.uuid.to_owned()),
        ("@LICENSE@", new.license.to_owned()),
        ("@RIGHTS@", rights(new.license, &quoted(&author)?)),
        ("@AUTHOR@", quoted(&author)?),
        ("@TITLE@", quoted(&title)?),
        ("@TEX_TITLE@", in_latex(&title)),
    ];
    let fill_in = |bytes: Vec<u8>| match String::from_utf8(bytes) {
        Ok(text) => values
            .iter()
            .fold(text, |text, (name, value)| text.replace(name, value))
            .into_bytes(),
        // A file that is not text, such as a picture.
        Err(error) => error.into_bytes(),
    };
    let place = |path: &Path| match path.strip_prefix("submissions") {
        Ok(below) => submissions.join(below),
        Err(_) => package.join(path),
    };
    let mut files = match new.source {
        SkeletonSource::Template(kind, language) => {
            let bytes =
                |(path, text): (&Path, String)| (path.to_owned(), (text.into_bytes(), false));
            files::template_files(kind, language)
                .into_iter()
                .map(bytes)
                .collect()
        }
        SkeletonSource::Directory(source) => files::files_of(source)?,
    };
    add_testlib_h(new, &mut files)?;
    let file = |(path, (bytes, is_executable)): (PathBuf, _)| NewFile {
        path: place(&path),
        bytes: fill_in(bytes),
        is_executable,
    };
    let files = files.into_iter().map(file).collect();
    Ok(Skeleton {
        package,
        submissions: submissions.to_owned(),
        files,
    })
}

/// Adds `testlib.h` next to the programs that include it: a package must not depend on files of the
/// host.
fn add_testlib_h(new: &NewPackage<'_>, files: &mut files::Contents) -> Result<(), SkeletonError> {
    let includes = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .lines()
            .any(|line| line.trim() == "#include \"testlib.h\"")
    };
    let is_source = |path: &Path| {
        path.extension()
            .is_some_and(|extension| ["cpp", "cc"].iter().any(|known| extension == *known))
    };
    let programs = files
        .iter()
        .filter(|(path, (bytes, _))| is_source(path) && includes(bytes));
    let headers: Vec<PathBuf> = programs
        .map(|(path, _)| path.with_file_name("testlib.h"))
        .collect();
    for header in headers {
        if let Entry::Vacant(place) = files.entry(header) {
            let text = new.testlib_h.ok_or(SkeletonError::TestlibMissing)?;
            place.insert((text.as_bytes().to_vec(), false));
        }
    }
    Ok(())
}

/// Returns the line with the owner of the rights; empty for the public domain, which has no owner.
fn rights(license: &str, author: &str) -> String {
    if license == "public domain" {
        String::new()
    } else {
        format!("rights_owner: {author}\n")
    }
}

/// Returns a text in double quotes, as YAML writes it.
fn quoted(text: &str) -> Result<String, SkeletonError> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err(SkeletonError::Text(text.to_owned()));
    }
    Ok(format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"")
    ))
}

/// Returns a text as LaTeX writes it.
fn in_latex(text: &str) -> String {
    let escaped = |character| match character {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{character}"),
        _ => character.to_string(),
    };
    text.chars().map(escaped).collect()
}

impl Skeleton {
    /// The files.
    #[must_use]
    pub fn files(&self) -> &[NewFile] {
        &self.files
    }

    /// True if the title or the author is a placeholder.
    #[must_use]
    pub fn has_placeholders(&self) -> bool {
        let placeholders = [AUTHOR_PLACEHOLDER, TITLE_PLACEHOLDER];
        let settings = self
            .files
            .iter()
            .find(|file| file.path == self.package.join("problem.yaml"));
        let text = settings
            .map(|file| String::from_utf8_lossy(&file.bytes))
            .unwrap_or_default();
        placeholders
            .iter()
            .any(|placeholder| text.contains(&format!("\"{placeholder}")))
    }

    /// Writes everything, into directories that do not exist yet.
    ///
    /// # Errors
    /// When one of the directories exists, or a file cannot be written. Then no file is left.
    pub fn write(&self) -> Result<(), SkeletonError> {
        let directories = [&self.package, &self.submissions];
        // Nothing is written into existing directories, so everything that is removed after an
        // error was created here.
        if let Some(existing) = directories
            .into_iter()
            .find(|directory| directory.symlink_metadata().is_ok())
        {
            return Err(SkeletonError::Exists(existing.clone()));
        }
        let mut created = Vec::new();
        let written = self.write_files(&mut created);
        if written.is_err() {
            // All files were created here: the directories did not exist before.
            created
                .iter()
                .rev()
                .for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
        }
        written
    }

    /// Writes the files, and records each file and directory that it creates.
    fn write_files(&self, created: &mut Vec<PathBuf>) -> Result<(), SkeletonError> {
        for file in &self.files {
            let path = &file.path;
            let failed = |cause| SkeletonError::Unwritable {
                path: path.clone(),
                cause,
            };
            // The directories that are created with the file, to remove them after an error.
            let missing = path
                .ancestors()
                .skip(1)
                .take_while(|directory| !directory.exists());
            let missing: Vec<&Path> = missing.collect();
            created.extend(missing.into_iter().rev().map(Path::to_owned));
            // The new package may be inside another one, whose links must not be followed.
            let (directory, below) =
                ConfinedDirectory::for_output(path.parent().unwrap_or(Path::new("/")))
                    .map_err(failed)?;
            let name = path.file_name().unwrap_or_default();
            let mode = if file.is_executable { 0o777 } else { 0o666 };
            let mut opened = directory
                .create_new(&below.join(name), mode)
                .map_err(failed)?;
            created.push(path.clone());
            opened.write_all(&file.bytes).map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "skeleton_tests.rs"]
mod tests;
