//! Queries to Git that run no program of a repository.
//!
//! Responsible for starting Git safely, and for comparing files.
//!
//! The configuration of a repository may come with it, in an archive for example, and names
//! programs: filters of contents, hooks, monitors, helpers for transports, and others in
//! submodules. A user who judges a package has not agreed to run them.
//!
//! - only commands for scripts are used, which print no contents and start no pager;
//! - files are compared by content, without filters, unless their times show that they are
//!   unchanged;
//! - nothing is fetched, by no protocol;
//! - hooks and filters of every name that the configuration has are switched off on the command
//!   line, which overrides it;
//! - if the kernel has Landlock, it does not let Git start any program.
//!
//! The user's own configuration is read, because it says which repositories of others are safe
//! (`safe.directory`).

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use judge_sandbox::{AnswerBounds, host_answer, host_program, programs_in_path};

/// Settings that override the configuration (git-config(1)).
const SETTINGS: [&str; 9] = [
    "core.fsmonitor=false",
    // A hook of Microsoft's Git that lists the files.
    "core.virtualFilesystem=",
    "core.hooksPath=/dev/null",
    // Since Git 2.54, hooks are in the configuration too; this is the only event of the
    // commands that are used.
    "hook.post-index-change.enabled=false",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "protocol.allow=never",
    // A directory of a package can look like a repository without being called `.git`.
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// Variables that override the environment (git(1)).
const VARIABLES: [(&str, &str); 6] = [
    // Since Git 2.45; the next one applies to older ones too.
    ("GIT_NO_LAZY_FETCH", "1"),
    // Overrides the configuration of single protocols.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // Names are not patterns.
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Variables that Git gets from the caller: the user, or Git itself, which may have started
/// this command as a hook. `GIT_DIR` and `GIT_WORK_TREE` are not among them: with them, any
/// directory is the top of the repository.
const PASSED: [&str; 6] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
];
/// The prefixes of further variables.
const PASSED_FAMILIES: [&str; 3] = ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];
/// The variables that apply to one repository, and not to its submodules.
const REPOSITORY_VARIABLES: [&str; 4] = [
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
];

/// The bounds of an answer. A repository of half a million files needs them.
const BOUNDS: AnswerBounds = AnswerBounds {
    time: Duration::from_secs(120),
    bytes: 64 << 20,
    memory_bytes: Some(1 << 30),
    // The configuration may have changed since its filters and hooks were switched off.
    starts_programs: false,
};

/// The maximum depth of nested submodules. A repository that names itself as its submodule has no
/// end.
const MAX_DEPTH: usize = 16;
/// The maximum number of submodules that are examined for one query, and the maximum time. Further
/// ones count as changed.
const MAX_SUBMODULES: usize = 1000;
const MAX_TIME: Duration = Duration::from_secs(300);

/// Git in a directory.
#[derive(Debug)]
pub(crate) struct Git {
    program: PathBuf,
    directory: PathBuf,
    /// Settings for the names that the configuration has, as `name=value`.
    settings: Vec<OsString>,
    /// The number of repositories around this submodule.
    depth: usize,
    submodules: Arc<SubmoduleBudget>,
}

/// The remaining budget for examining submodules, shared by all repositories of one query.
#[derive(Debug)]
struct SubmoduleBudget {
    left: AtomicUsize,
    deadline: Instant,
}

impl SubmoduleBudget {
    fn new() -> Self {
        Self {
            left: AtomicUsize::new(MAX_SUBMODULES),
            deadline: Instant::now() + MAX_TIME,
        }
    }

    /// Takes one submodule out of the budget; false when nothing is left.
    fn take(&self) -> bool {
        let take = |left: usize| left.checked_sub(1);
        Instant::now() < self.deadline
            && self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                .is_ok()
    }
}

impl Git {
    /// Git in a directory, which need not be in a repository.
    ///
    /// # Errors
    /// The reason why Git is unavailable.
    pub(crate) fn at(directory: &Path) -> Result<Self, String> {
        Self::find(directory, 0, Arc::new(SubmoduleBudget::new()))
    }

    fn find(
        directory: &Path,
        depth: usize,
        submodules: Arc<SubmoduleBudget>,
    ) -> Result<Self, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = programs_in_path("git", &path)
            .into_iter()
            .next()
            .ok_or("`git` is not in PATH")?;
        let directory = std::path::absolute(directory)
            .map_err(|error| format!("`{}`: {error}", directory.display()))?;
        let git = Self {
            program,
            directory,
            settings: Vec::new(),
            depth,
            submodules,
        };
        // Asked first, with nothing but the fixed settings: only then are the names of filters
        // and hooks known that have to be switched off.
        let keys = git.ask(&["config", "--list", "--name-only", "-z"])?;
        Ok(Self {
            settings: switched_off(&keys)?,
            ..git
        })
    }

    /// Returns Git's output; the error is the text that it writes on standard error.
    pub(crate) fn ask(&self, args: &[&str]) -> Result<Vec<u8>, String> {
        self.ask_about(args, Vec::new())
    }

    /// Returns Git's output for this standard input.
    fn ask_about(&self, args: &[&str], input: Vec<u8>) -> Result<Vec<u8>, String> {
        let failed =
            |error: std::io::Error| format!("`{} {}`: {error}", self.program.display(), args[0]);
        let output = self.run(args, input).map_err(failed)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(if message.is_empty() {
            format!("`git {}` ended with {}", args[0], output.status)
        } else {
            message
        })
    }

    fn run(&self, args: &[&str], input: Vec<u8>) -> std::io::Result<Output> {
        let mut command = host_program(&self.program);
        let settings = SETTINGS
            .iter()
            .map(OsStr::new)
            .chain(self.settings.iter().map(OsString::as_os_str));
        // Git itself changes to the repository, after the loader has found its libraries and Git
        // knows the user's directories.
        command.arg("-C").arg(&self.directory);
        command
            .arg("--no-pager")
            .args(settings.flat_map(|setting| [OsStr::new("-c"), setting]))
            .args(args);
        let is_passed = |name: &OsStr| {
            let has_prefix = |family: &&str| name.as_bytes().starts_with(family.as_bytes());
            PASSED.iter().any(|passed| name == *passed)
                || PASSED_FAMILIES.iter().any(has_prefix)
                // In a hook, Git sets these for the repository of the commit. In a submodule
                // they would name the files of another repository.
                || (self.depth == 0 && REPOSITORY_VARIABLES.iter().any(|passed| name == *passed))
        };
        command.envs(std::env::vars_os().filter(|(name, _)| is_passed(name)));
        command.envs(VARIABLES);
        // A query about many submodules must end as well, so each call gets at most the remaining
        // time.
        let left = self
            .submodules
            .deadline
            .saturating_duration_since(Instant::now());
        host_answer(
            command,
            input,
            AnswerBounds {
                time: BOUNDS.time.min(left),
                ..BOUNDS
            },
        )
    }

    /// The files that differ between two trees, by their paths below the top of the repository.
    pub(crate) fn between(&self, from: &str, to: &str) -> Result<Vec<PathBuf>, String> {
        // Without renames, a moved file is named under both paths, and both may belong to a
        // problem.
        let names = self.ask(&[
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            from,
            to,
            "--",
        ])?;
        Ok(paths(&names))
    }

    /// The files that differ between a tree and the present files, including untracked ones. Must
    /// be called at the top of the repository. A submodule is named by its directory.
    pub(crate) fn since(&self, tree: &str) -> Result<Vec<PathBuf>, String> {
        let raw = [
            "diff-index",
            "-z",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--ignore-submodules=dirty",
            tree,
            "--",
        ];
        // Submodules are examined below, with their own configuration switched off.
        let mut changed = self.without_equal_contents(entries(&self.ask(&raw)?));
        changed.extend(paths(&self.ask(&[
            "ls-files",
            "--others",
            "--exclude-standard",
            "-z",
        ])?));
        let known = self.ask(&["ls-files", "--stage", "-z"])?;
        let submodules = known
            .split(|byte| *byte == 0)
            .filter(|line| line.starts_with(SUBMODULE.as_bytes()));
        // Mode, object and stage, and after a tab the path. In the middle of a merge, a path
        // has several stages.
        let submodules: BTreeSet<PathBuf> = submodules
            .filter_map(|line| {
                Some(OsStr::from_bytes(line.splitn(2, |byte| *byte == b'\t').nth(1)?).into())
            })
            .collect();
        for path in submodules {
            if self.directory.join(&path).join(".git").exists()
                && !self.is_submodule_unchanged(&path)
            {
                changed.push(path);
            }
        }
        Ok(changed)
    }

    /// True for a submodule whose files are those of its commit. Git itself would use the
    /// submodule's own configuration.
    fn is_submodule_unchanged(&self, path: &Path) -> bool {
        let directory = self.directory.join(path);
        let unchanged = || {
            // Git has no files behind links, which could lead back to this repository.
            let is_link = |directory: &Path| self.directory.join(directory).is_symlink();
            let is_below = path
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            if self.depth == MAX_DEPTH
                || !is_below
                || path.ancestors().any(is_link)
                || !self.submodules.take()
            {
                return None;
            }
            let git = Self::find(&directory, self.depth + 1, Arc::clone(&self.submodules)).ok()?;
            // A directory that is not a repository belongs to the one around it.
            let top = git.ask(&["rev-parse", "--show-toplevel"]).ok()?;
            (path_of(&top).canonicalize().ok()? == directory.canonicalize().ok()?).then_some(())?;
            Some(git.since("HEAD").ok()?.is_empty())
        };
        unchanged().unwrap_or(false)
    }

    /// Leaves out files of which only the times changed.
    fn without_equal_contents(&self, entries: Vec<Entry>) -> Vec<PathBuf> {
        // Git compares times first, and only `git status` would refresh its index. A checkout
        // in CI has new times everywhere.
        let (undecided, mut changed): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(Entry::is_undecided);
        let names: Vec<u8> = undecided
            .iter()
            .flat_map(|entry| [entry.path.as_os_str().as_bytes(), b"\n"].concat())
            .collect();
        // If a file has been removed since, all of them count as changed. Filters would start
        // programs that the repository names. Without them, a file with other line endings counts
        // as changed, so more is judged than necessary.
        let hashes = self
            .ask_about(&["hash-object", "--no-filters", "--stdin-paths"], names)
            .unwrap_or_default();
        let hashes: Vec<&[u8]> = hashes.split(|byte| *byte == b'\n').collect();
        let differ = undecided.into_iter().enumerate().filter(|(number, entry)| {
            hashes
                .get(*number)
                .is_none_or(|hash| *hash != entry.hash.as_bytes())
        });
        changed.extend(differ.map(|(_, entry)| entry));
        changed.into_iter().map(|entry| entry.path).collect()
    }
}

/// The mode of submodules, as Git writes it.
const SUBMODULE: &str = "160000";

/// A file that differs from a tree, as Git prints it (git-diff-index(1), "Raw output format").
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    modes: [String; 2],
    /// The object in the tree.
    hash: String,
    /// The object of the present file; zeros when Git has not read it.
    new_hash: String,
    path: PathBuf,
}

impl Entry {
    /// True for a regular file of which Git knows only that it was written since. A file whose name
    /// Git cannot read back counts as changed.
    fn is_undecided(&self) -> bool {
        let name = self.path.as_os_str().as_bytes();
        // `--stdin-paths` takes one path on each line, and reads a quoted one as an escaped
        // text.
        let is_readable = !name.starts_with(b"\"") && !name.contains(&b'\n');
        let is_regular = ["100644", "100755"].contains(&self.modes[0].as_str());
        is_readable
            && is_regular
            && self.modes[0] == self.modes[1]
            && self.new_hash.bytes().all(|byte| byte == b'0')
    }
}

fn entries(raw: &[u8]) -> Vec<Entry> {
    let mut parts = raw.split(|byte| *byte == 0);
    let mut entries = Vec::new();
    while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
        let head = String::from_utf8_lossy(head).into_owned();
        let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        // A line of another form is skipped: the last word is the kind of the change, which
        // the comparison does not need.
        if let [old, new, hash, new_hash, _] = words[..] {
            entries.push(Entry {
                modes: [old.to_owned(), new.to_owned()],
                hash: hash.to_owned(),
                new_hash: new_hash.to_owned(),
                path: OsStr::from_bytes(path).into(),
            });
        }
    }
    entries
}

/// The paths that Git has printed with `-z`.
pub(super) fn paths(names: &[u8]) -> Vec<PathBuf> {
    names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| OsStr::from_bytes(name).into())
        .collect()
}

/// The path that Git has printed on a line.
pub(crate) fn path_of(line: &[u8]) -> PathBuf {
    OsStr::from_bytes(line.strip_suffix(b"\n").unwrap_or(line)).into()
}

/// The settings that switch off the filters and hooks of a configuration with these keys.
///
/// # Errors
/// A message about a name that cannot be written on the command line.
fn switched_off(keys: &[u8]) -> Result<Vec<OsString>, String> {
    let mut settings: BTreeSet<Vec<u8>> = BTreeSet::new();
    for key in keys.split(|byte| *byte == 0) {
        // Names of filters may contain dots: the section ends at the first, the key begins
        // after the last.
        let (Some(first), Some(last)) = (
            key.iter().position(|byte| *byte == b'.'),
            key.iter().rposition(|byte| *byte == b'.'),
        ) else {
            continue;
        };
        let values: &[&str] = match &key[..first] {
            b"filter" => &["clean=", "smudge=", "process=", "required=false"],
            b"hook" => &["enabled=false"],
            _ => continue,
        };
        // The name ends at the first equals sign.
        if key.contains(&b'=') {
            let name = String::from_utf8_lossy(key);
            return Err(format!(
                "its configuration has `{name}`, which names a program and cannot be switched off"
            ));
        }
        settings.extend(
            values
                .iter()
                .map(|value| [&key[..=last], value.as_bytes()].concat()),
        );
    }
    Ok(settings.into_iter().map(OsString::from_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_and_hooks_of_every_name_are_switched_off() {
        let keys =
            b"core.bare\0filter.lfs.process\0filter.a.b.clean\0filter.lfs.clean\0hook.x.command\0filter.x\0user.name\0";
        let expected = [
            "filter.a.b.clean=",
            "filter.a.b.process=",
            "filter.a.b.required=false",
            "filter.a.b.smudge=",
            "filter.clean=",
            "filter.lfs.clean=",
            "filter.lfs.process=",
            "filter.lfs.required=false",
            "filter.lfs.smudge=",
            "filter.process=",
            "filter.required=false",
            "filter.smudge=",
            "hook.x.enabled=false",
        ];
        assert_eq!(switched_off(keys).unwrap(), expected);
        assert!(
            switched_off(b"filter.a=b.clean\0")
                .unwrap_err()
                .contains("`filter.a=b.clean`")
        );
        assert!(switched_off(b"url.a=b.insteadof\0").unwrap().is_empty());
    }

    #[test]
    fn only_regular_files_unread_by_git_are_undecided() {
        let (zero, hash) = ("0".repeat(40), "a".repeat(40));
        let raw = |modes: &str, new: &str, name: &str| format!(":{modes} {hash} {new} M\0{name}\0");
        let undecided = |raw: &str| entries(raw.as_bytes())[0].is_undecided();
        assert!(undecided(&raw("100644 100644", &zero, "a b")));
        for (modes, new, name) in [
            ("100644 100755", zero.as_str(), "a"),
            ("100644 100644", hash.as_str(), "a"),
            ("120000 120000", zero.as_str(), "a"),
            ("100644 000000", zero.as_str(), "a"),
            ("100644 100644", zero.as_str(), "\"a"),
            ("100644 100644", zero.as_str(), "a\nb"),
        ] {
            assert!(!undecided(&raw(modes, new, name)), "{modes} {name}");
        }
        assert_eq!(entries(b"").len(), 0);
    }

    #[test]
    fn filters_added_after_the_configuration_was_read_are_not_run() {
        if !judge_sandbox::has_landlock() {
            println!("SKIPPED: this kernel has no Landlock");
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let (top, index) = (directory.path(), directory.path().join(".git/index"));
        let git = |args: &[&str]| {
            let author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
            let output = std::process::Command::new("git")
                .current_dir(top)
                .args(author)
                .args(args)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        std::fs::write(top.join("file"), "text\n").unwrap();
        std::fs::write(top.join(".gitattributes"), "* filter=x\n").unwrap();
        git(&["init", "--quiet"]);
        git(&["add", "."]);
        git(&["commit", "--quiet", "--message=first"]);
        let repository = Git::at(top).unwrap();
        // An index that is not newer than a file does not show whether the file has changed, so Git
        // reads the file through its filter.
        let before = std::fs::metadata(top.join("file"))
            .unwrap()
            .modified()
            .unwrap()
            - Duration::from_secs(10);
        std::fs::File::options()
            .write(true)
            .open(&index)
            .unwrap()
            .set_modified(before)
            .unwrap();
        let marker = top.join("filter-ran");
        git(&[
            "config",
            "filter.x.clean",
            &format!("touch '{}'; cat", marker.display()),
        ]);
        let _ = repository.since("HEAD");
        assert!(!marker.exists());
    }
}
