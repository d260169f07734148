//! `--since`: the changes between two revisions of a Git repository, or since one.
//!
//! Responsible for querying Git, and for the packages that changes affect. Must not know what a
//! command does with them.
//!
//! Git prints names only, separated by NUL, so that no name needs quoting. Nothing of the
//! repository's configuration runs a program ([`git`]).

mod git;
pub(crate) mod staged;

use std::path::{Path, PathBuf};

use judge_package::{Selection, Workspace};

use crate::commands::since::git::{Git, path_of};
use crate::failure::Failure;

/// Everything that changed.
#[derive(Debug)]
pub(crate) struct Changes {
    /// The absolute paths of files and directories, including removed ones.
    paths: Vec<PathBuf>,
}

/// The two ends of a comparison.
#[derive(Debug, PartialEq, Eq)]
struct Range<'a> {
    from: &'a str,
    /// `None` for the present files, including untracked ones.
    to: Option<&'a str>,
    /// True when the first end is the merge base of the two.
    parted: bool,
}

/// Reads `A`, `A..B` and `A...B`; in the last, a missing `B` stands for the present files.
fn read(range: &str) -> Result<Range<'_>, Failure> {
    let (from, to, parted) = match (range.split_once("..."), range.split_once("..")) {
        (Some((from, to)), _) => (from, to, true),
        (None, Some((from, to))) => (from, to, false),
        (None, None) => (range, "", false),
    };
    // No name of a revision begins with a dot (git-check-ref-format), so a fourth dot is invalid.
    let is_wrong =
        |name: &str| name.starts_with(['-', '.']) || name.contains("..") || name.contains('\0');
    if from.is_empty() || is_wrong(from) || is_wrong(to) {
        return Err(Failure::Usage(format!(
            "--since: `{range}` is not a revision; expected one such as `HEAD~1`, or two such as `main..HEAD`"
        )));
    }
    Ok(Range {
        from,
        to: Some(to).filter(|to| !to.is_empty()),
        parted,
    })
}

impl Changes {
    /// Finds everything that changed in the repository around a workspace.
    pub(crate) fn since(workspace: &Workspace, range: &str) -> Result<Self, Failure> {
        let Range { from, to, parted } = read(range)?;
        let directory = &workspace.root;
        let outside = |why: String| outside_of_git(directory, &why);
        let top = Git::at(directory)
            .and_then(|git| git.ask(&["rev-parse", "--show-toplevel"]))
            .map_err(outside)?;
        let top = path_of(&top);
        let git = Git::at(&top).map_err(outside)?;
        // Only commits have a common ancestor. The comparison itself works on trees, such as
        // `git write-tree` makes.
        let kind = if parted { "commit" } else { "tree" };
        let mut first = object(&git, from, kind)?;
        let last = to.map(|to| object(&git, to, kind)).transpose()?;
        if parted {
            // `A...` compares with the present files, but only commits have a common ancestor: HEAD
            // stands for the files.
            let other = last
                .clone()
                .map_or_else(|| object(&git, "HEAD", kind), Ok)?;
            first = text(&git.ask(&["merge-base", &first, &other]).map_err(|why| {
                Failure::Usage(format!("--since: `{range}` has no merge base: {why}"))
            })?);
        }
        let paths = match &last {
            Some(last) => git.between(&first, last),
            None => git.since(&first),
        };
        let failed = |why| Failure::Usage(format!("--since: Git cannot compare `{range}`: {why}"));
        Ok(Self::below(&top, paths.map_err(failed)?))
    }

    /// Changes by their paths below the top of a repository.
    fn below(top: &Path, paths: Vec<PathBuf>) -> Self {
        Self {
            paths: paths.into_iter().map(|path| top.join(path)).collect(),
        }
    }

    /// Keeps the affected packages: those with a changed file or solution, or every package of the
    /// workspace when its `judge.yaml` changed. Returns the number of packages that are left out.
    pub(crate) fn narrow(&self, selection: &mut Selection, workspace: &Workspace) -> usize {
        let before = selection.packages.len();
        // Git prints paths without links.
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if workspace
            .file
            .as_deref()
            .is_some_and(|file| self.touches(&real(file)))
        {
            // `judge.yaml` decides about languages, limits and directories, so its change affects
            // every package.
            return 0;
        }
        selection.packages.retain(|package| {
            let origin = workspace.known_as(&package.directory);
            let name = if origin.is_dir() {
                origin.file_name()
            } else {
                origin.file_stem()
            };
            // The directory may have been removed.
            let solutions = name.map(|name| real(&workspace.solutions).join(name));
            self.touches(&real(&origin))
                || solutions.is_some_and(|solutions| self.touches(&solutions))
        });
        before - selection.packages.len()
    }

    /// True when something at or below a path changed. A submodule is named by its directory.
    fn touches(&self, path: &Path) -> bool {
        self.paths
            .iter()
            .any(|changed| changed.starts_with(path) || path.starts_with(changed))
    }
}

/// The commit or the tree that a revision names.
fn object(git: &Git, revision: &str, kind: &str) -> Result<String, Failure> {
    let name = format!("{revision}^{{{kind}}}");
    let found = git.ask(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &name,
    ]);
    found.map(|found| text(&found)).map_err(|_| {
        let hint = "in CI, fetch it first: a shallow clone knows few revisions";
        Failure::Usage(format!(
            "--since: `{revision}` names no {kind} here\nhint: {hint}"
        ))
    })
}

/// The failure for a directory that is in no usable repository.
fn outside_of_git(directory: &Path, why: &str) -> Failure {
    let directory = directory.display();
    // In the words of Git, with its advice.
    if why.contains("dubious ownership") {
        let hint =
            format!("if you trust it: git config --global --add safe.directory '{directory}'");
        let why = why.lines().next().unwrap_or_default().to_owned();
        return Failure::Usage(format!(
            "--since: the repository is another user's: {why}\nhint: {hint}"
        ));
    }
    let hint = "--since compares what Git knows; run without it to judge everything";
    Failure::Usage(format!(
        "--since: `{directory}` is not in a Git repository: {why}\nhint: {hint}"
    ))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_git_writes_them() {
        let range = |from, to, parted| Range { from, to, parted };
        assert_eq!(read("HEAD~1").unwrap(), range("HEAD~1", None, false));
        assert_eq!(read("a..b").unwrap(), range("a", Some("b"), false));
        assert_eq!(read("main...").unwrap(), range("main", None, true));
        assert_eq!(
            read("main...HEAD").unwrap(),
            range("main", Some("HEAD"), true)
        );
        for wrong in [
            "",
            "..b",
            "--output=x",
            "a..--output=x",
            "a..b..c",
            "a....b",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn changes_below_a_path_and_in_a_submodule_around_it_touch_it() {
        let changes = Changes {
            paths: vec!["/r/problems/a/data/1.in".into(), "/r/other".into()],
        };
        for (path, touched) in [
            ("/r/problems/a", true),
            ("/r/problems/a/data/1.in", true),
            ("/r/problems/ab", false),
            ("/r/other/p", true),
            ("/r/problems/b", false),
        ] {
            assert_eq!(changes.touches(Path::new(path)), touched, "{path}");
        }
    }
}
