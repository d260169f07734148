//! Directory trees of a package, as the format sees them.
//!
//! Responsible for listing: which names count, links, loops. Must not know what the files mean.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::code;
use crate::disk::names;
use crate::error::{Finding, Findings};

/// The maximum number of nested directories. More are a mistake, or a loop of mounts.
const MAX_DEPTH: usize = 32;

/// The maximum number of entries of a tree. No package has more; a link probably leads to an
/// unrelated directory.
const MAX_ENTRIES: usize = 200_000;

/// The maximum number of directories of a tree that are reached through a link. With two links in
/// each of 30 directories, 2^30 paths lead to the last one. Packages whose groups share test cases
/// have a few hundred.
const MAX_LINKED: usize = 1_000;

/// The state of a walk through a directory.
struct Walk {
    /// The directories above.
    above: Vec<PathBuf>,
    /// The number of entries that may still be read.
    left: usize,
    /// The number of links to directories that may still be followed.
    links_left: usize,
}

/// A directory: its files and directories with valid names, by name.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// The directory, absolute.
    pub(crate) path: PathBuf,
    /// Its files; links to files are files.
    pub(crate) files: BTreeMap<String, PathBuf>,
    /// Its directories; links to directories are directories.
    pub(crate) folders: BTreeMap<String, Folder>,
    /// The entries with invalid names, which are ignored.
    pub(crate) ignored: Vec<PathBuf>,
}

impl Folder {
    /// Reads the tree below a directory; `None` if it does not exist. Unreadable entries, dangling
    /// links and loops of links are errors.
    pub(crate) fn read(path: &Path, findings: &mut Findings) -> Option<Self> {
        let mut walk = Walk {
            above: Vec::new(),
            left: MAX_ENTRIES,
            links_left: MAX_LINKED,
        };
        is_readable_directory(path, findings).then(|| read_folder(path, &mut walk, findings))
    }

    /// Reads the entries of a directory without those of its directories.
    pub(crate) fn read_flat(path: &Path, findings: &mut Findings) -> Option<Self> {
        is_readable_directory(path, findings).then(|| {
            let mut folder = Self {
                path: path.to_owned(),
                ..Self::default()
            };
            for_each_entry(path, &mut folder, findings, |folder, name, path, _| {
                let inner = Self {
                    path,
                    ..Self::default()
                };
                folder.folders.insert(name, inner);
            });
            folder
        })
    }

    /// The paths of its files, followed by those of its directories.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let folders = self.folders.values().map(|folder| &folder.path);
        self.files.values().chain(folders)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }
}

/// Returns the finding about an entry with an invalid name.
#[must_use]
pub fn invalid_name(path: &Path) -> Finding {
    let hint =
        "names have letters, digits, `_`, `.` and `-`, and start with a letter, a digit or `_`";
    Finding::new(code::NAME_IGNORED, path, "ignored: its name is not allowed")
        .hint(Some(hint.to_owned()))
}

/// The hint for a missing file or directory, if there is one whose name differs only in letter
/// case.
pub(crate) fn in_other_case(missing: &Path, is_of_kind: fn(&Path) -> bool) -> Option<String> {
    // Something with the right name is in the way of renaming.
    if missing.symlink_metadata().is_ok() {
        return None;
    }
    let name = missing.file_name()?.to_str()?;
    let is_meant = |found: &String| found.eq_ignore_ascii_case(name);
    let entries = std::fs::read_dir(missing.parent()?).ok()?.flatten();
    let found = entries
        .filter(|entry| is_of_kind(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(is_meant)
        .min()?;
    Some(format!("rename `{found}` to `{name}`"))
}

/// True if the path is a directory that can be read. A link to one above it, such as `/`, is an
/// error.
fn is_readable_directory(path: &Path, findings: &mut Findings) -> bool {
    // Most entries are plain files, and resolving a path takes a system call.
    let Ok(found) = path.symlink_metadata() else {
        return false;
    };
    if !found.is_symlink() {
        return found.is_dir();
    }
    let upwards = leads_upwards(path, &[]);
    if upwards {
        let message = "the link leads to a directory above it";
        findings.error_at(code::TREE_UNSOUND, path, message);
    }
    path.is_dir() && !upwards
}

fn read_folder(path: &Path, walk: &mut Walk, findings: &mut Findings) -> Folder {
    let mut folder = Folder {
        path: path.to_owned(),
        ..Folder::default()
    };
    if walk.above.len() >= MAX_DEPTH {
        let message = format!("expected at most {MAX_DEPTH} nested directories");
        findings.error_at(code::TREE_UNSOUND, path, message);
        return folder;
    }
    walk.above.push(path.to_owned());
    let mut seen = 0;
    for_each_entry(
        path,
        &mut folder,
        findings,
        |folder, name, path, findings| {
            if path.is_symlink() {
                if walk.links_left == 0 {
                    return;
                }
                if leads_upwards(&path, &walk.above) {
                    let message = "the link leads to a directory above it";
                    findings.error_at(code::TREE_UNSOUND, &path, message);
                    return;
                }
                walk.links_left -= 1;
                if walk.links_left == 0 {
                    let message =
                        format!("expected at most {MAX_LINKED} links to directories in here");
                    let top = walk.above.first().map_or(path.as_path(), PathBuf::as_path);
                    findings.error_at(code::TREE_UNSOUND, top, message);
                    return;
                }
            }
            // Deeper entries have been counted by the time the directory is left.
            let inner = if walk.left == 0 {
                Folder::default()
            } else {
                read_folder(&path, walk, findings)
            };
            seen += 1;
            folder.folders.insert(name, inner);
        },
    );
    let count = seen + folder.files.len() + folder.ignored.len();
    if walk.left > 0 && count >= walk.left {
        let message = format!("expected at most {MAX_ENTRIES} files and directories in here");
        let top = walk.above.first().map_or(path, PathBuf::as_path);
        let hint = Some("is there a link to a large directory in it?".to_owned());
        findings.error(Finding::new(code::TREE_UNSOUND, top, message).hint(hint));
    }
    walk.left = walk.left.saturating_sub(count);
    walk.above.pop();
    folder
}

/// True if a link leads to one of these directories, or to one that contains it.
fn leads_upwards(link: &Path, above: &[PathBuf]) -> bool {
    let Ok(real) = std::fs::canonicalize(link) else {
        return false;
    };
    let contains =
        |path: &Path| std::fs::canonicalize(path).is_ok_and(|path| path.starts_with(&real));
    link.parent().is_some_and(contains)
        || above
            .iter()
            .any(|above| std::fs::canonicalize(above).is_ok_and(|above| above == real))
}

/// Sorts the entries of a directory into files, directories (for which `enter` is called) and
/// ignored names.
fn for_each_entry(
    path: &Path,
    folder: &mut Folder,
    findings: &mut Findings,
    mut enter: impl FnMut(&mut Folder, String, PathBuf, &mut Findings),
) {
    let entries = match std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(cause) => return findings.error(Finding::unreadable(path, &cause)),
    };
    let mut entries: Vec<_> = entries
        .into_iter()
        .map(|entry| (entry.path(), entry))
        .collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, entry) in entries {
        let Some(name) = entry
            .file_name()
            .to_str()
            .filter(|name| names::counts(name))
            .map(str::to_owned)
        else {
            folder.ignored.push(path);
            continue;
        };
        let kind = entry.file_type().and_then(|kind| {
            // Only links take a second system call.
            if kind.is_symlink() {
                std::fs::metadata(&path).map(|target| target.file_type())
            } else {
                Ok(kind)
            }
        });
        match kind {
            Ok(kind) if kind.is_dir() => enter(folder, name, path, findings),
            Ok(kind) if kind.is_file() => {
                folder.files.insert(name, path);
            }
            Ok(_) => {
                findings.error_at(code::TREE_UNSOUND, &path, "expected a file or a directory");
            }
            Err(cause) if path.is_symlink() => {
                let message = format!("the link leads nowhere: {cause}");
                findings.error_at(code::LINK_DANGLING, &path, message);
            }
            Err(cause) => findings.error(Finding::unreadable(&path, &cause)),
        }
    }
}
