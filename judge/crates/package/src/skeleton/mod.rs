//! Skeletons of packages: what a new problem begins with.
//!
//! Responsible for a plan of files, and for writing all of it or nothing. Must not choose where a package goes, nor ask
//! anybody. The templates are packages that are sound as they stand; they lie in `templates/`.

mod files;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk::names::is_short_name;

/// The kind of problem that is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonKind {
    /// One right output for each input.
    PassFail,
    /// Numbers that may be off by a little.
    Float,
    /// The submission talks with an interactor.
    Interactive,
    /// The submission is run twice.
    MultiPass,
    /// Groups of test cases that are worth points.
    Scoring,
}

impl SkeletonKind {
    /// Every kind, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::PassFail, Self::Float, Self::Interactive, Self::MultiPass, Self::Scoring];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PassFail => "pass-fail",
            Self::Float => "float",
            Self::Interactive => "interactive",
            Self::MultiPass => "multi-pass",
            Self::Scoring => "scoring",
        }
    }
}

/// An error that keeps a skeleton from being written.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The name breaks the format's rule (2025-09, "General Requirements").
    #[error("`{0}` cannot be the name of a problem; expected lower-case letters and digits alone")]
    Name(String),
    /// A file or directory is in the way.
    #[error("`{}` exists already; nothing was written", _0.display())]
    Exists(PathBuf),
    /// A file could not be written. The files that were written before it were removed again.
    #[error("cannot write `{}`: {cause}", path.display())]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

/// The files of a package that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    package: PathBuf,
    submissions: PathBuf,
    files: Vec<(PathBuf, String)>,
}

/// Plans a package of format 2025-09: a directory with the name of the problem in `directory`, and its submissions in
/// the directory `submissions`. The uuid is the caller's to make.
///
/// # Errors
/// When the name is none for a problem.
pub fn skeleton(
    kind: SkeletonKind,
    name: &str,
    directory: &Path,
    submissions: &Path,
    uuid: &str,
) -> Result<Skeleton, SkeletonError> {
    if !is_short_name(name) {
        return Err(SkeletonError::Name(name.to_owned()));
    }
    let package = directory.join(name);
    let title = name[..1].to_uppercase() + &name[1..];
    let fill_in = |text: &str| text.replace("@NAME@", name).replace("@TITLE@", &title).replace("@UUID@", uuid);
    let place = |path: &str| match path.strip_prefix("submissions/") {
        Some(below) => submissions.join(below),
        None => package.join(path),
    };
    let files = files::of(kind).into_iter().map(|(path, text)| (place(path), fill_in(text)));
    let files = files.collect();
    Ok(Skeleton { package, submissions: submissions.to_owned(), files })
}

impl Skeleton {
    /// Each file with its text, by its path.
    #[must_use]
    pub fn files(&self) -> &[(PathBuf, String)] {
        &self.files
    }

    /// Writes everything, into directories that do not exist yet.
    ///
    /// # Errors
    /// When one of the directories exists, or a file cannot be written. Then nothing of it is left.
    pub fn write(&self) -> Result<(), SkeletonError> {
        let directories = [&self.package, &self.submissions];
        if let Some(taken) = directories.into_iter().find(|directory| directory.symlink_metadata().is_ok()) {
            return Err(SkeletonError::Exists(taken.clone()));
        }
        let mut made = Vec::new();
        let written = self.write_files(&mut made);
        if written.is_err() {
            // All of it is ours: the directories did not exist before.
            made.iter().rev().for_each(|path| drop(fs::remove_file(path).or_else(|_| fs::remove_dir(path))));
        }
        written
    }

    /// Writes the files, and notes each file and directory that it made.
    fn write_files(&self, made: &mut Vec<PathBuf>) -> Result<(), SkeletonError> {
        for (path, text) in &self.files {
            let failed = |cause| SkeletonError::Unwritable { path: path.clone(), cause };
            let missing = path.ancestors().skip(1).take_while(|directory| !directory.exists());
            let missing: Vec<&Path> = missing.collect();
            for directory in missing.into_iter().rev() {
                fs::create_dir(directory).map_err(failed)?;
                made.push(directory.to_owned());
            }
            let mut file = fs::File::create_new(path).map_err(failed)?;
            made.push(path.clone());
            file.write_all(text.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "skeleton_tests.rs"]
mod tests;
