//! The files of a package as they are on disk, before the format gives them a meaning.
//!
//! Responsible for one walk over the package. Must not open files or know their purpose.

use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use judge_package::names;

/// The kind of an entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    /// A file, with its size in bytes.
    File(u64),
    /// A link, with its unresolved target. The target is not read.
    Link(PathBuf),
    /// A pipe, a socket or a device.
    Other,
}

/// An entry of a directory of the package.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The absolute path.
    pub(super) path: PathBuf,
    /// The path below the package, with `/` between names.
    pub(super) id: String,
    pub(super) kind: Kind,
}

impl Entry {
    pub(super) fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn extension(&self) -> &str {
        names::extension(self.name()).unwrap_or_default()
    }

    /// The directory that contains the entry, below the package; empty for the package itself.
    pub(super) fn parent(&self) -> &str {
        self.id.rsplit_once('/').map_or("", |(parent, _)| parent)
    }

    pub(super) fn is_in(&self, folder: &str) -> bool {
        self.id
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns true when every name in the path counts.
    pub(super) fn counts(&self) -> bool {
        self.id.split('/').all(names::counts)
    }
}

/// Everything in the package, in order of path. Links are not followed; directories whose names
/// start with a dot are listed without their content. Unreadable entries are left out: loading
/// reports them.
pub(super) fn walk(package: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    walk_into(package, "", &mut entries);
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    entries
}

fn walk_into(directory: &Path, below: &str, entries: &mut Vec<Entry>) {
    let Ok(found) = fs::read_dir(directory) else {
        return;
    };
    for entry in found.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let id = if below.is_empty() {
            name.clone()
        } else {
            format!("{below}/{name}")
        };
        let path = entry.path();
        // The kind of the entry itself: links are not followed.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let kind = kind_of(&path, kind);
        // A path longer than any file system allows only results from a loop of mounts.
        if kind == Kind::Folder && !name.starts_with('.') && id.len() < 4096 {
            walk_into(&path, &id, entries);
        }
        entries.push(Entry { path, id, kind });
    }
}

fn kind_of(path: &Path, kind: FileType) -> Kind {
    if kind.is_dir() {
        Kind::Folder
    } else if kind.is_symlink() {
        Kind::Link(fs::read_link(path).unwrap_or_default())
    } else if kind.is_file() {
        Kind::File(fs::metadata(path).map_or(0, |metadata| metadata.len()))
    } else {
        Kind::Other
    }
}
