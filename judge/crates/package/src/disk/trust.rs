//! Trust: whose `judge.yaml` may say what is run outside of the sandbox.
//!
//! Responsible for deciding by who owns the file, and who may write it. Must not know what the file
//! says.
//!
//! The file names compilers that are asked for their versions, the isolation, and the places of
//! reports. So one that somebody else put above the current directory must not be believed, as Git
//! does not believe such a repository (git-config(1), `safe.directory`).

use std::path::{Path, PathBuf};

use crate::disk::discovery::is_package;

/// Directories whose `judge.yaml` is trusted regardless of its owner, separated by `:`; `*` is
/// every directory.
const VARIABLE: &str = "JUDGE_SAFE_DIRECTORY";

/// The trust in a `judge.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Full trust: it is ours, or the system's.
    Full,
    /// It belongs to the owner of the directory that the command was started in: it may say where
    /// things are, and nothing that acts outside of the sandbox. With the user's number.
    Place(u32),
    /// Everybody may write it.
    Writable,
    /// It lies in a package.
    InPackage,
    /// It is this other user's.
    Not(u32),
}

/// Users whose files are trusted, and directories that are always trusted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trusted {
    users: Vec<u32>,
    directories: Vec<PathBuf>,
    everything: bool,
}

impl Trusted {
    /// The user of this process, the one behind `sudo`, and root.
    pub(crate) fn of_process() -> Self {
        let mut users = vec![0, user_id()];
        // A user of sudo works in their own directories.
        let behind = std::env::var("SUDO_UID")
            .ok()
            .and_then(|text| text.parse::<u32>().ok());
        users.extend(behind.filter(|_| user_id() == 0));
        let named = std::env::var_os(VARIABLE).unwrap_or_default();
        let directories: Vec<PathBuf> = std::env::split_paths(&named).collect();
        Self {
            users,
            everything: directories.iter().any(|path| path.as_os_str() == "*"),
            directories,
        }
    }

    /// Decides about a `judge.yaml`, for a command that was started in a directory.
    pub(crate) fn of_file(&self, file: &Path, start: &Path) -> Trust {
        let root = file.parent().unwrap_or(file);
        if root.ancestors().any(is_package) {
            return Trust::InPackage;
        }
        if self.everything || self.directories.iter().any(|directory| directory == root) {
            return Trust::Full;
        }
        // One that is gone again is nobody's.
        let Some(owners) = owners(file) else {
            return Trust::Not(u32::MAX);
        };
        // The owner says nothing about the content of a file that everybody may write.
        if owners.everybody_writes {
            return Trust::Writable;
        }
        // The owner of a link decides where it leads, so that it counts beside the owner of
        // the file.
        match owners.users.iter().find(|user| !self.users.contains(user)) {
            None => Trust::Full,
            Some(other) if owner(start) == Some(*other) => Trust::Place(*other),
            Some(other) => Trust::Not(*other),
        }
    }
}

struct Owners {
    /// Of the file, and of the link by which it is found.
    users: Vec<u32>,
    everybody_writes: bool,
}

#[cfg(unix)]
fn owners(file: &Path) -> Option<Owners> {
    use std::os::unix::fs::MetadataExt;
    let (link, found) = (
        std::fs::symlink_metadata(file).ok()?,
        std::fs::metadata(file).ok()?,
    );
    let everybody_writes = found.mode() & 0o002 != 0;
    Some(Owners {
        users: vec![found.uid(), link.uid()],
        everybody_writes,
    })
}

#[cfg(unix)]
fn owner(path: &Path) -> Option<u32> {
    std::fs::metadata(path)
        .ok()
        .map(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata))
}

#[cfg(unix)]
fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn owners(_: &Path) -> Option<Owners> {
    Some(Owners {
        users: Vec::new(),
        everybody_writes: false,
    })
}

#[cfg(not(unix))]
fn owner(_: &Path) -> Option<u32> {
    None
}

#[cfg(not(unix))]
fn user_id() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;
    use crate::fixture::Tree;

    fn trusting(users: &[u32]) -> Trusted {
        Trusted {
            users: users.to_vec(),
            ..Trusted::default()
        }
    }

    #[test]
    fn a_file_is_believed_by_who_owns_it_and_who_may_write_it() {
        let tree = Tree::with(&[("judge.yaml", ""), ("inner/x", "")]);
        let (file, start) = (tree.path("judge.yaml"), tree.path("inner"));
        let own = std::fs::metadata(&file).unwrap().uid();
        assert_eq!(trusting(&[own]).of_file(&file, &start), Trust::Full);
        // Owned by another user: that of the directory where the command was started, and
        // elsewhere.
        assert_eq!(
            trusting(&[own + 1]).of_file(&file, &start),
            Trust::Place(own)
        );
        let elsewhere = if own == 0 { None } else { Some(Path::new("/")) };
        if let Some(elsewhere) = elsewhere {
            assert_eq!(
                trusting(&[own + 1]).of_file(&file, elsewhere),
                Trust::Not(own)
            );
        }
        let named = Trusted {
            directories: vec![tree.root().to_owned()],
            ..trusting(&[own + 1])
        };
        assert_eq!(named.of_file(&file, &start), Trust::Full);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(trusting(&[own]).of_file(&file, &start), Trust::Writable);
    }

    #[test]
    fn a_package_is_never_believed() {
        let tree = Tree::with(&[
            ("p/problem.yaml", ""),
            ("p/judge.yaml", ""),
            ("p/data/judge.yaml", ""),
        ]);
        let own = std::fs::metadata(tree.root()).unwrap().uid();
        for file in ["p/judge.yaml", "p/data/judge.yaml"] {
            assert_eq!(
                trusting(&[own]).of_file(&tree.path(file), tree.root()),
                Trust::InPackage,
                "{file}"
            );
        }
    }

    #[test]
    fn a_link_counts_by_itself_and_by_its_end() {
        let tree = Tree::with(&[("mine.yaml", "")]);
        symlink("/etc/passwd", tree.path("judge.yaml")).unwrap();
        let root_only = trusting(&[0]).of_file(&tree.path("judge.yaml"), tree.root());
        let own = std::fs::metadata(tree.root()).unwrap().uid();
        assert_eq!(
            root_only,
            if own == 0 {
                Trust::Full
            } else {
                Trust::Place(own)
            }
        );
        assert_eq!(
            trusting(&[0, own]).of_file(&tree.path("judge.yaml"), tree.root()),
            Trust::Full
        );
    }
}
