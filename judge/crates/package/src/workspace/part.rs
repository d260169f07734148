//! Parts of packages: resolves words that name test cases and submissions to patterns of a filter.
//!
//! Responsible for words after the name of a problem, or inside its package. Must not load
//! packages: only names of files are read, to determine what a word can mean.

use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use crate::programs::file_name;
use crate::test_data::{PARTS, case_name};
use crate::workspace::Workspace;
use crate::workspace::filter::{Part, Pattern, glob};

/// A package with the solutions that the workspace has for it, as directories.
pub(crate) struct Inside {
    pub(crate) package: PathBuf,
    pub(crate) solutions: Option<PathBuf>,
}

impl Inside {
    pub(crate) fn new(workspace: &Workspace, package: PathBuf) -> Self {
        Self {
            solutions: workspace.solutions_of(&package),
            package,
        }
    }

    /// Returns the part that a text names without the name of the problem, if the package has files
    /// of that part.
    pub(crate) fn existing_part(
        &self,
        word: &str,
        text: &str,
    ) -> Result<Option<Part>, globset::Error> {
        let part = part_named(word, text)?;
        let is_there = match &part {
            Part::Everything => text.is_empty() || self.package.join(text).exists(),
            Part::TestCases(pattern) => self.test_cases().any(|id| pattern.matches(&id)),
            Part::Submissions(pattern) => self.submissions().any(|id| pattern.matches(&id)),
        };
        Ok(is_there.then_some(part))
    }

    /// Returns the part that a text names, if its first component is a directory that packages can
    /// have, or that this one has. The rest need not exist: loading the package reports missing
    /// parts.
    pub(crate) fn possible_part(
        &self,
        word: &str,
        text: &str,
    ) -> Result<Option<Part>, globset::Error> {
        let first = text.split('/').next().unwrap_or_default();
        let is_known = PARTS.contains(&first) || ["data", "submissions"].contains(&first) || {
            let first = glob(first)?;
            self.directories_of_submissions()
                .any(|name| first.is_match(name))
        };
        is_known.then(|| part_named(word, text)).transpose()
    }

    /// The names with which words inside the package can begin.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let files = self
            .submissions()
            .filter_map(|id| Some(id.rsplit_once('/')?.1.to_owned()));
        self.directories_of_submissions()
            .chain(files)
            .chain(PARTS.map(str::to_owned))
    }

    fn roots(&self) -> impl Iterator<Item = PathBuf> {
        [self.package.join("submissions")]
            .into_iter()
            .chain(self.solutions.clone())
    }

    fn directories_of_submissions(&self) -> impl Iterator<Item = String> {
        self.roots()
            .flat_map(|root| entries(&root))
            .filter(|path| path.is_dir())
            .map(|path| file_name(&path))
    }

    /// The ids of possible submissions: the entries of directories of submissions.
    pub(crate) fn submissions(&self) -> impl Iterator<Item = String> {
        self.roots()
            .flat_map(|root| files_below(&root, 2))
            .map(|path| path.display().to_string())
            .filter(|id| id.contains('/'))
    }

    /// The ids of the test cases whose files exist.
    pub(crate) fn test_cases(&self) -> impl Iterator<Item = String> {
        let files = files_below(&self.package.join("data"), usize::MAX);
        files.filter_map(|path| {
            let name = file_name(&path);
            let case = case_name(&name);
            (case != name).then(|| path.with_file_name(case).display().to_string())
        })
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
}

/// Everything below a directory, relative to it.
fn files_below(directory: &Path, depth: usize) -> impl Iterator<Item = PathBuf> + use<> {
    let root = directory.to_owned();
    let walk = WalkDir::new(directory)
        .follow_links(true)
        .min_depth(1)
        .max_depth(depth);
    walk.into_iter()
        .filter_map(move |entry| Some(entry.ok()?.path().strip_prefix(&root).ok()?.to_owned()))
}

/// The component of a path as text.
pub(crate) fn as_name(component: Component<'_>) -> Option<String> {
    component.as_os_str().to_str().map(str::to_owned)
}

/// The part of a package that a path inside it names.
pub(crate) fn part_at(word: &str, inside: &Path, is_directory: bool) -> Part {
    let mut names: Vec<String> = inside.components().filter_map(as_name).collect();
    match names.first().map(String::as_str) {
        Some("data") if names.len() > 1 => {
            if let Some(last) = names.last_mut().filter(|_| !is_directory) {
                *last = case_name(last).to_owned();
            }
            Part::TestCases(Pattern::exact(word, names[1..].join("/")))
        }
        Some("submissions") => submission_part(word, names.into_iter().skip(1)),
        _ => Part::Everything,
    }
}

/// The submission, or directory of submissions, with this path. A file in a submission selects the
/// submission.
pub(crate) fn submission_part(word: &str, names: impl Iterator<Item = String>) -> Part {
    let names: Vec<String> = names.take(2).collect();
    if names.is_empty() {
        Part::Everything
    } else {
        Part::Submissions(Pattern::exact(word, names.join("/")))
    }
}

/// Returns the part of a package that a glob after its name names.
pub(crate) fn part_named(word: &str, rest: &str) -> Result<Part, globset::Error> {
    let (first, below) = rest.split_once('/').unwrap_or((rest, ""));
    let test_cases = |text: &str| Pattern::glob(word, case_name(text)).map(Part::TestCases);
    let submissions = |text: &str| Pattern::of_submissions(word, text).map(Part::Submissions);
    match first {
        "" => Ok(Part::Everything),
        "data" | "submissions" if below.is_empty() => Ok(Part::Everything),
        "data" => test_cases(below),
        "submissions" => submissions(below),
        _ if PARTS.contains(&first) => test_cases(rest),
        _ => submissions(rest),
    }
}
