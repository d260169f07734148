//! Links: the targets that the links of a package or a submission may have.
//!
//! Responsible for deciding, by the resolved target of a link, if it may be followed. Must not open
//! files, or know what they mean.
//!
//! A link is followed with the permissions of the user who runs the judge. Programs see its target
//! and reports name it, so it must belong to the package. Links of submissions must not lead to
//! answers or other hidden files. All links are checked before any file is read.
//!
//! Source: package format, "General Requirements": symbolic links may point at files of the
//! package only.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_files::{Rule, set_rule};

use crate::code;
use crate::disk::entries::{Entries, Link};
use crate::error::{Finding, Findings};

/// The parts of a package that the judge reads. Links elsewhere are never followed; `judge check`
/// reports them.
pub(crate) const READ: [&str; 15] = [
    "problem.yaml",
    "domjudge-problem.ini",
    ".timelimit",
    "data",
    "submissions",
    "include",
    "generators",
    "input_validators",
    "input_format_validators",
    "static_validator",
    "output_validator",
    "output_validators",
    "graders",
    "statement",
    "problem_statement",
];

/// The maximum number of forbidden links that are reported.
const MAX_FINDINGS: usize = 100;

/// The reason why a link must not be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refusal {
    /// It leaves the named place: the package, the solutions or the submission.
    Outside(&'static str),
    /// It leads to a name with a leading dot, which is not part of a package.
    Hidden,
    /// It leads to a directory that contains this link, which leaves the package.
    LeavesThrough(PathBuf),
    /// It is part of a submission, and leads to neither a submission nor an included file.
    NotForSubmissions,
    /// Secret data must not be shown to contestants.
    Secret,
    /// An answer must not be given to programs on a test case.
    Answer,
}

impl Refusal {
    fn finding(self, link: &Path, target: &Path) -> Finding {
        let leads_to = target.display();
        let code = match self {
            Self::Outside(_) | Self::Hidden | Self::LeavesThrough(_) => code::LINK_OUTSIDE,
            Self::NotForSubmissions | Self::Secret | Self::Answer => code::LINK_TO_SECRET,
        };
        let way = match self {
            Self::Outside(place) => format!("out of {place}, to `{leads_to}`"),
            Self::Hidden => format!("to `{leads_to}`, which is not part of the package"),
            Self::LeavesThrough(next) => {
                let next = next.display();
                format!("to `{leads_to}`, in which `{next}` leads out again")
            }
            Self::NotForSubmissions => {
                format!("to `{leads_to}`, which is neither a submission nor an included file")
            }
            Self::Secret => format!("to `{leads_to}`, which contestants must not see"),
            Self::Answer => format!("to `{leads_to}`, which may show an answer to submissions"),
        };
        let message = format!("the link leads {way}");
        let hint = "replace the link with the file".to_owned();
        Finding::new(code, link, message).hint(Some(hint))
    }
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn has_hidden_name(below: &Path) -> bool {
    below
        .components()
        .any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// The directories of a package and its parts when all links are followed.
struct Package {
    directory: PathBuf,
    /// The package itself, and the original that it replaces.
    roots: Vec<PathBuf>,
    data: Vec<PathBuf>,
    /// The directories to which links of submissions may lead.
    shared: Vec<PathBuf>,
    /// The directories that are shown to contestants anyway.
    shown: Vec<PathBuf>,
}

impl Package {
    /// Creates the directories of a package that contains these links.
    fn new(directory: &Path, original: Option<&Path>, links: &[Link]) -> Self {
        let root = real(directory);
        let resolved = |name: &str| {
            let path = directory.join(name);
            // Resolving a path takes a system call for each directory on the way. A path below
            // no link of the package needs none.
            if links.iter().any(|link| path.starts_with(&link.path)) {
                real(&path)
            } else {
                root.join(name)
            }
        };
        let part = |names: &[&str]| -> Vec<PathBuf> {
            let other = original
                .into_iter()
                .flat_map(|place| names.iter().map(|name| real(&place.join(name))));
            names
                .iter()
                .map(|name| resolved(name))
                .chain(other)
                .collect()
        };
        Self {
            directory: directory.to_owned(),
            roots: std::iter::once(root.clone())
                .chain(original.map(real))
                .collect(),
            data: part(&["data"]),
            shared: part(&["submissions", "include"]),
            shown: part(&["statement", "problem_statement", "data/sample"]),
        }
    }

    /// The path of a file relative to the package.
    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.directory).unwrap_or(path)
    }

    fn is_within(target: &Path, places: &[PathBuf]) -> bool {
        places.iter().any(|place| target.starts_with(place))
    }

    /// True if a path is in the test data, or contains them.
    fn concerns_data(&self, target: &Path) -> bool {
        self.data
            .iter()
            .any(|data| target.starts_with(data) || data.starts_with(target))
    }

    /// Returns the reason why a link at the path `below` in the package must not be followed.
    fn refusal_for(&self, below: &Path, target: &Path) -> Option<Refusal> {
        // A copy of a package may link into the original package, so both roots count as inside.
        let root = self
            .roots
            .iter()
            .find_map(|root| target.strip_prefix(root).ok());
        let Some(inside) = root else {
            return Some(Refusal::Outside("the package"));
        };
        if has_hidden_name(inside) {
            return Some(Refusal::Hidden);
        }
        let mut names = below
            .components()
            .filter_map(|component| component.as_os_str().to_str());
        let top = names.next().unwrap_or_default();
        let is_whole = names.next().is_none();
        match top {
            // The directory as a whole may be a link to another place in the package.
            "submissions" | "include" if is_whole => self
                .concerns_data(target)
                .then_some(Refusal::NotForSubmissions),
            "submissions" => (self.concerns_data(target) || !Self::is_within(target, &self.shared))
                .then_some(Refusal::NotForSubmissions),
            // Links may include any single file of the package. A directory is copied next to
            // submissions as a whole, so all of its files must be meant for them.
            "include" => (self.concerns_data(target)
                || (target.is_dir() && !Self::is_within(target, &self.shared)))
            .then_some(Refusal::NotForSubmissions),
            // Test data, including answers, may share files by links. Only files that submissions
            // see must not be answers.
            "data" => shows_answer(below, inside, target).then_some(Refusal::Answer),
            "statement" | "problem_statement" => {
                // An image may be elsewhere in the package, except in the test data; a directory
                // could expose other files.
                let is_shown = Self::is_within(target, &self.shown);
                (!is_shown && !is_whole && (self.concerns_data(target) || target.is_dir()))
                    .then_some(Refusal::Secret)
            }
            _ => None,
        }
    }

    /// Returns the rule for links that are found when files are opened later; the same as for
    /// existing links.
    fn rule(self: Arc<Self>) -> Rule {
        Arc::new(move |path, target| {
            let below = self.below(path);
            // Links in other parts may lead anywhere in the package.
            if is_read(below) {
                self.refusal_for(below, target).is_none()
            } else {
                Self::is_within(target, &self.roots)
            }
        })
    }

    fn check(&self, links: &[Link], findings: &mut ForbiddenLinks<'_>) {
        let (read, other): (Vec<&Link>, Vec<&Link>) = links
            .iter()
            .partition(|link| is_read(self.below(&link.path)));
        // A link in a part that is never read may lead anywhere, unless a link in a part that is
        // read makes it reachable.
        let leaving: Vec<PathBuf> = other
            .into_iter()
            .filter(|link| !Self::is_within(&link.target, &self.roots))
            .filter_map(|link| Some(real(link.path.parent()?).join(link.path.file_name()?)))
            .collect();
        for link in read {
            let below = self.below(&link.path);
            let leaving_link = || {
                let next = leaving.iter().find(|next| next.starts_with(&link.target));
                next.map(|next| Refusal::LeavesThrough(next.clone()))
            };
            if let Some(refusal) = self.refusal_for(below, &link.target).or_else(leaving_link) {
                findings.add(refusal, link);
            }
        }
    }
}

/// True for a path in a part of a package that is read.
fn is_read(below: &Path) -> bool {
    let top = below.components().next();
    top.and_then(|top| top.as_os_str().to_str())
        .is_some_and(|top| READ.contains(&top))
}

/// True if a link in the test data would expose an answer to a submission, as an input or in its
/// working directory. `below` is the path of the link and `inside` that of its target, both
/// relative to the package.
fn shows_answer(below: &Path, inside: &Path, target: &Path) -> bool {
    let has_extension = |path: &Path, expected: &str| {
        path.extension()
            .is_some_and(|extension| extension == expected)
    };
    let is_among_files = |path: &Path| path.ancestors().any(|above| has_extension(above, "files"));
    if is_among_files(inside) {
        return false;
    }
    // Answers are recognised by their extension (2025-09, "Test Data"); a directory in `.files` may
    // contain some.
    let is_answer = has_extension(inside, "ans");
    if is_among_files(below) {
        is_answer || target.is_dir()
    } else {
        has_extension(below, "in") && is_answer
    }
}

/// Reports the first forbidden links, and counts the others.
struct ForbiddenLinks<'f> {
    findings: &'f mut Findings,
    place: PathBuf,
    count: usize,
}

impl<'f> ForbiddenLinks<'f> {
    fn new(place: &Path, findings: &'f mut Findings) -> Self {
        Self {
            findings,
            place: place.to_owned(),
            count: 0,
        }
    }

    fn add(&mut self, refusal: Refusal, link: &Link) {
        self.count += 1;
        if self.count <= MAX_FINDINGS {
            self.findings
                .error(refusal.finding(&link.path, &link.target));
        }
    }

    /// Returns true if all links may be followed.
    fn finish(self) -> bool {
        if let Some(more) = self
            .count
            .checked_sub(MAX_FINDINGS)
            .filter(|more| *more > 0)
        {
            let message =
                format!("{more} more links lead outside, or to files that must stay hidden");
            self.findings
                .error_at(code::LINK_OUTSIDE, &self.place, message);
        }
        self.count == 0
    }
}

/// Checks all links of a package. If it replaces the package `original`, links may lead there too.
/// Returns true if all of them may be followed; the others are errors.
pub(crate) fn check_package(
    directory: &Path,
    original: Option<&Path>,
    links: &[Link],
    findings: &mut Findings,
) -> bool {
    let package = Arc::new(Package::new(directory, original, links));
    // The rule remains in force: a link that is replaced between this check and the use of a file
    // is checked again when the file is opened.
    set_rule(directory, Arc::clone(&package).rule());
    let mut forbidden = ForbiddenLinks::new(directory, findings);
    package.check(links, &mut forbidden);
    forbidden.finish()
}

/// Checks all links in the directory of a problem's solutions in a workspace, and the directory
/// itself, which must not lead out of the directory of all solutions.
pub(crate) fn check_solutions(directory: &Path, links: &[Link], findings: &mut Findings) -> bool {
    let mut forbidden = ForbiddenLinks::new(directory, findings);
    let above = directory
        .parent()
        .filter(|_| directory.is_symlink())
        .map(real);
    match above.map(|above| (above, real(directory))) {
        Some((above, target)) if !target.starts_with(&above) => {
            let path = directory.to_owned();
            forbidden.add(Refusal::Outside("the solutions"), &Link { path, target });
        }
        _ => {
            let place = "the solutions of the problem";
            check_containment(directory, links, place, &mut forbidden);
        }
    }
    forbidden.finish()
}

/// Checks all links in a submission from outside.
pub(crate) fn check_submission(path: &Path, findings: &mut Findings) -> bool {
    let mut forbidden = ForbiddenLinks::new(path, findings);
    let links = Entries::links_below(path);
    check_containment(path, &links, "the submission", &mut forbidden);
    forbidden.finish()
}

fn check_containment(
    directory: &Path,
    links: &[Link],
    place: &'static str,
    forbidden: &mut ForbiddenLinks<'_>,
) {
    let root = real(directory);
    let refusal_for = move |target: &Path| match target.strip_prefix(&root) {
        Err(_) => Some(Refusal::Outside(place)),
        Ok(inside) => has_hidden_name(inside).then_some(Refusal::Hidden),
    };
    for link in links {
        if let Some(refusal) = refusal_for(&link.target) {
            forbidden.add(refusal, link);
        }
    }
    set_rule(
        directory,
        Arc::new(move |_, target| refusal_for(target).is_none()),
    );
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
