//! Trust: decides which `judge.yaml` files may name programs that run outside the sandbox.
//!
//! Responsible for deciding by the owner and the permissions of the file. Must not know its
//! content.
//!
//! The file names compilers, which are run to print their versions, the isolation, and the files of
//! reports. Therefore a file that another user has put above the current directory must not be
//! trusted, as Git does not trust such a repository (git-config(1), `safe.directory`).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::disk::discovery::is_package;

/// Directories whose `judge.yaml` is trusted regardless of its owner, separated by `:`; `*` is
/// every directory.
const VARIABLE: &str = "JUDGE_SAFE_DIRECTORY";

/// The trust in a `judge.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Full trust: the file belongs to this user, or to root.
    Full,
    /// The file belongs to the owner of the directory in which the command was started, with this
    /// uid. It may set paths, but no keys with effects outside the sandbox.
    Place(u32),
    /// Every user may write to the file.
    Writable,
    /// The file is in a package.
    InPackage,
    /// The file belongs to another user, with this uid.
    OtherUser(u32),
}

/// Users whose files are trusted, and directories that are always trusted.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrustPolicy {
    users: Vec<u32>,
    directories: Vec<PathBuf>,
    everything: bool,
}

impl TrustPolicy {
    /// Trusts the user of this process, the user who called `sudo`, and root.
    pub(crate) fn for_process() -> Self {
        let user = geteuid();
        let mut users = vec![0, user.as_raw()];
        // A user who calls sudo works in their own directories.
        let sudo_user = std::env::var("SUDO_UID")
            .ok()
            .and_then(|text| text.parse::<u32>().ok());
        users.extend(sudo_user.filter(|_| user.is_root()));
        let named = std::env::var_os(VARIABLE).unwrap_or_default();
        let directories: Vec<PathBuf> = std::env::split_paths(&named).collect();
        Self {
            users,
            everything: directories.iter().any(|path| path.as_os_str() == "*"),
            directories,
        }
    }

    /// Returns the trust in a `judge.yaml`, for a command that was started in the directory
    /// `start`.
    pub(crate) fn trust_in(&self, file: &Path, start: &Path) -> Trust {
        let root = file.parent().unwrap_or(file);
        if root.ancestors().any(is_package) {
            return Trust::InPackage;
        }
        if self.everything || self.directories.iter().any(|directory| directory == root) {
            return Trust::Full;
        }
        // A file that was removed meanwhile is not trusted.
        let (Ok(link), Ok(found)) = (file.symlink_metadata(), file.metadata()) else {
            return Trust::OtherUser(u32::MAX);
        };
        // If every user may write to a file, its owner is irrelevant.
        if found.mode() & 0o002 != 0 {
            return Trust::Writable;
        }
        let started_by = |user| start.metadata().is_ok_and(|start| start.uid() == user);
        // The owner of a link decides where it leads, so both owners must be trusted.
        let mut owners = [found.uid(), link.uid()].into_iter();
        match owners.find(|user| !self.users.contains(user)) {
            None => Trust::Full,
            Some(other) if started_by(other) => Trust::Place(other),
            Some(other) => Trust::OtherUser(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::fixture::Tree;

    fn trusting(users: &[u32]) -> TrustPolicy {
        TrustPolicy {
            users: users.to_vec(),
            ..TrustPolicy::default()
        }
    }

    #[test]
    fn trust_depends_on_owner_and_permissions() {
        let tree = Tree::with(&[("judge.yaml", ""), ("inner/x", "")]);
        let (file, start) = (tree.path("judge.yaml"), tree.path("inner"));
        let own = std::fs::metadata(&file).unwrap().uid();
        assert_eq!(trusting(&[own]).trust_in(&file, &start), Trust::Full);
        // Owned by another user: the owner of the directory where the command was started, and not.
        assert_eq!(
            trusting(&[own + 1]).trust_in(&file, &start),
            Trust::Place(own)
        );
        let elsewhere = if own == 0 { None } else { Some(Path::new("/")) };
        if let Some(elsewhere) = elsewhere {
            assert_eq!(
                trusting(&[own + 1]).trust_in(&file, elsewhere),
                Trust::OtherUser(own)
            );
        }
        let named = TrustPolicy {
            directories: vec![tree.root().to_owned()],
            ..trusting(&[own + 1])
        };
        assert_eq!(named.trust_in(&file, &start), Trust::Full);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(trusting(&[own]).trust_in(&file, &start), Trust::Writable);
    }

    #[test]
    fn files_in_packages_are_never_trusted() {
        let tree = Tree::with(&[
            ("p/problem.yaml", ""),
            ("p/judge.yaml", ""),
            ("p/data/judge.yaml", ""),
        ]);
        let own = std::fs::metadata(tree.root()).unwrap().uid();
        for file in ["p/judge.yaml", "p/data/judge.yaml"] {
            assert_eq!(
                trusting(&[own]).trust_in(&tree.path(file), tree.root()),
                Trust::InPackage,
                "{file}"
            );
        }
    }

    #[test]
    fn links_are_trusted_by_owner_and_target_owner() {
        let tree = Tree::with(&[("mine.yaml", "")]);
        symlink("/etc/passwd", tree.path("judge.yaml")).unwrap();
        let root_only = trusting(&[0]).trust_in(&tree.path("judge.yaml"), tree.root());
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
            trusting(&[0, own]).trust_in(&tree.path("judge.yaml"), tree.root()),
            Trust::Full
        );
    }
}
