//! The links and unreadable files of a directory tree, found before any of its files is read.
//!
//! Responsible for walking, and for checking the permissions of every file that may be read later.
//! Must not open files, or know what they mean.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, FileType, Mode, OFlags, RawDir, accessat, openat, statat};
use rustix::io::Errno;

use crate::disk::sizes::MAX_DATA_BYTES;
use crate::error::{Finding, Findings};

/// The maximum number of unreadable files that are reported.
const MAX_FINDINGS: usize = 20;
/// The maximum depth of directories. No package is deeper, and a loop of mounts has no end.
const MAX_DEPTH: usize = 64;
/// The size of the buffer for names in one call, in bytes, as in readdir(3).
const BUFFER: usize = 32 << 10;
const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

/// A link, and its target when all links are followed.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) path: PathBuf,
    pub(crate) target: PathBuf,
}

/// The entries of a directory tree that require further checks.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// The links, in order of their paths. Links are not followed. Names with a leading dot are not
    /// part of a package, and are ignored below its top. Other checks report links that lead
    /// nowhere.
    pub(crate) links: Vec<Link>,
    /// Files that this user may not read, in order of their paths.
    unreadable: Vec<(PathBuf, Errno)>,
    /// True if a file in `data` is too large for programs, or may be: the target of a link is
    /// unknown here.
    pub(crate) data_may_be_large: bool,
}

/// The part of the tree that a directory belongs to.
#[derive(Clone, Copy)]
struct TreePart {
    depth: usize,
    /// True if its files have to be readable.
    counts: bool,
    /// True for test data.
    is_data: bool,
}

/// A walk through a directory tree.
struct EntryWalk<'w> {
    /// The names at its top whose files have to be readable; `None` means all.
    parts: Option<&'w [&'w str]>,
    /// True if the permissions and sizes of files are checked.
    checks_files: bool,
    entries: Entries,
}

impl Entries {
    /// Walks through a directory. Files have to be readable if their name at its top is in `parts`.
    /// Unreadable directories are reported by the code that reads them, and root may read
    /// everything.
    pub(crate) fn below(directory: &Path, parts: Option<&[&str]>) -> Self {
        Self::walked(directory, parts, !rustix::process::geteuid().is_root())
    }

    /// The links below a directory.
    pub(crate) fn links_below(directory: &Path) -> Vec<Link> {
        Self::walked(directory, None, false).links
    }

    fn walked(directory: &Path, parts: Option<&[&str]>, checks_files: bool) -> Self {
        let mut walk = EntryWalk {
            parts,
            checks_files,
            entries: Self::default(),
        };
        let top = TreePart {
            depth: 0,
            counts: true,
            is_data: false,
        };
        if let Ok(opened) = openat(CWD, directory, DIRECTORY, Mode::empty()) {
            walk.directory(&opened, directory, top);
        }
        let mut entries = walk.entries;
        entries
            .links
            .sort_by(|one, other| one.path.cmp(&other.path));
        entries
            .unreadable
            .sort_by(|(one, _), (other, _)| one.cmp(other));
        entries
    }

    /// Reports the files that cannot be read.
    pub(crate) fn report_unreadable(&self, findings: &mut Findings) {
        for (path, cause) in self.unreadable.iter().take(MAX_FINDINGS) {
            findings.error(Finding::unreadable(path, &(*cause).into()));
        }
    }
}

impl EntryWalk<'_> {
    fn directory(&mut self, opened: &OwnedFd, path: &Path, part: TreePart) {
        let mut buffer = Vec::with_capacity(BUFFER);
        let mut inner: Vec<(OsString, TreePart)> = Vec::new();
        let mut listing = RawDir::new(opened, buffer.spare_capacity_mut());
        while let Some(Ok(entry)) = listing.next() {
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let is_hidden = name.as_bytes().starts_with(b".");
            let is_top = part.depth == 0;
            let counts = part.counts && !is_hidden && (!is_top || self.is_part(name));
            let is_data = part.is_data || is_top && name == "data";
            match kind(opened, name, entry.file_type()) {
                FileType::Directory if part.depth < MAX_DEPTH && !is_hidden => {
                    let depth = part.depth + 1;
                    let part = TreePart {
                        depth,
                        counts,
                        is_data,
                    };
                    inner.push((name.to_owned(), part));
                }
                FileType::Symlink if is_top || !is_hidden => {
                    // The size of the target is unknown until it is followed, so the slower check
                    // decides.
                    self.entries.data_may_be_large |= is_data;
                    let path = path.join(name);
                    self.entries.links.extend(
                        fs::canonicalize(&path)
                            .ok()
                            .map(|target| Link { path, target }),
                    );
                }
                FileType::RegularFile if counts => self.file(opened, name, path, is_data),
                _ => {}
            }
        }
        for (name, part) in inner {
            // If a link has replaced the directory meanwhile, it is not followed.
            if let Ok(opened) = openat(opened, &name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty()) {
                self.directory(&opened, &path.join(name), part);
            }
        }
    }

    fn file(&mut self, place: &OwnedFd, name: &OsStr, above: &Path, is_data: bool) {
        if self.checks_files
            && let Err(cause) = accessat(place, name, Access::READ_OK, AtFlags::empty())
        {
            self.entries.unreadable.push((above.join(name), cause));
        }
        if is_data {
            let is_small = |found: rustix::fs::Stat| {
                u64::try_from(found.st_size).is_ok_and(|size| size <= MAX_DATA_BYTES)
            };
            self.entries.data_may_be_large |=
                !statat(place, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(is_small);
        }
    }

    fn is_part(&self, name: &OsStr) -> bool {
        self.parts
            .is_none_or(|parts| name.to_str().is_some_and(|name| parts.contains(&name)))
    }
}

/// The kind of an entry. On file systems that do not list it, this takes a system call.
fn kind(place: &OwnedFd, name: &OsStr, listed: FileType) -> FileType {
    if listed != FileType::Unknown {
        return listed;
    }
    statat(place, name, AtFlags::SYMLINK_NOFOLLOW).map_or(FileType::Unknown, |found| {
        FileType::from_raw_mode(found.st_mode)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn links_are_found_at_any_depth_and_hidden_names_only_at_the_top() {
        let tree = Tree::with(&[("a/b/file", ""), (".git/file", ""), ("a/.hidden/file", "")]);
        for link in [
            "top",
            ".hidden",
            "a/b/deep",
            "a/.ignored",
            ".git/ignored",
            "a/.hidden/ignored",
        ] {
            symlink("/etc", tree.path(link)).unwrap();
        }
        symlink("nowhere", tree.path("a/dangling")).unwrap();
        let links = Entries::links_below(tree.root());
        let found: Vec<_> = links
            .iter()
            .map(|link| link.path.strip_prefix(tree.root()).unwrap())
            .collect();
        assert_eq!(
            found,
            [
                Path::new(".hidden"),
                Path::new("a/b/deep"),
                Path::new("top")
            ]
        );
        assert!(links.iter().all(|link| link.target == Path::new("/etc")));
        assert!(Entries::links_below(&tree.path("nothing")).is_empty());
    }

    #[test]
    fn only_sizes_of_test_data_are_checked() {
        let tree = Tree::with(&[("data/secret/group/1.in", ""), ("generators/huge", "")]);
        let resize = |path: &str, size: u64| {
            fs::File::create(tree.path(path))
                .unwrap()
                .set_len(size)
                .unwrap();
        };
        let may_be_large =
            || Entries::below(tree.root(), Some(&["data", "generators"])).data_may_be_large;
        resize("generators/huge", MAX_DATA_BYTES + 1);
        resize("data/secret/group/1.in", MAX_DATA_BYTES);
        assert!(!may_be_large());
        resize("data/secret/group/1.in", MAX_DATA_BYTES + 1);
        assert!(may_be_large());
        resize("data/secret/group/1.in", 0);
        symlink("../../generators", tree.path("data/secret/more")).unwrap();
        assert!(may_be_large(), "what a link leads to is not in here");
    }
}
