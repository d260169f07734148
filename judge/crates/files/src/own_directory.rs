//! Directories and modes that belong to this user.
//!
//! Responsible for refusing a directory that another user of the host controls, and for
//! changing modes without following links. Must not know what the directories are for.

use std::fs::{DirBuilder, DirEntry, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt as _, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

/// Creates a directory that only this user can use, with its parents. An existing directory must
/// not be a link, must belong to this user, and must not be writable by others. This applies to
/// root too: the owner could replace anything in it at any time, and root would write and remove
/// files somewhere else.
///
/// # Errors
/// When the directory cannot be made, or is not under the control of this user
/// (`PermissionDenied`).
pub fn make_own_directory(path: &Path) -> io::Result<()> {
    // With a slash at its end, a path leads through a link in spite of O_NOFOLLOW.
    let path: PathBuf = path.components().collect();
    let directory = match open_unfollowed(&path) {
        // Another process may have made the directory between the two calls, so it is opened
        // and checked like one that was there before.
        Err(Errno::NOENT) => {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)?;
            open_unfollowed(&path)?
        }
        opened => opened?,
    };
    let stat = fstat(&directory)?;
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => {}
        FileType::Symlink => return refused("it is a symbolic link".to_owned()),
        _ => return Err(io::ErrorKind::NotADirectory.into()),
    }
    if stat.st_uid != geteuid().as_raw() {
        return refused(format!("it belongs to another user (uid {})", stat.st_uid));
    }
    // With write permission on a directory, a user can rename and remove every file in it, also
    // those of others.
    if stat.st_mode & 0o022 != 0 {
        return refused(format!(
            "other users can write to it (mode {:04o}); run `chmod go-w` on it",
            stat.st_mode & 0o7777
        ));
    }
    Ok(())
}

/// The file that marks a directory as a cache (<https://bford.info/cachedir/>), and its first line.
const TAG: &str = "CACHEDIR.TAG";
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";

/// Creates a directory like [`make_own_directory`] for files that are kept between runs, in nested
/// directories. A new or empty one gets a `CACHEDIR.TAG`.
///
/// A repository can contain such a directory, with links that lead anywhere. Therefore symbolic
/// links in it and in its directories are removed before anything is written or removed there;
/// their targets are unchanged. A directory without the tag may have been named by mistake: nothing
/// is removed from it, and links are an error.
///
/// # Errors
/// Those of [`make_own_directory`], a directory in it that belongs to another user
/// (`PermissionDenied`), and links in a directory without the tag (`InvalidInput`).
pub fn make_own_store(path: &Path) -> io::Result<()> {
    make_own_directory(path)?;
    let mut entries = path.read_dir()?.peekable();
    // An existing directory with files gets no tag, even if all of them look like a cache: the tag
    // permits later runs to remove links.
    if entries.peek().is_none() {
        // An error is ignored: if nothing can be written, nothing is stored either.
        let tag = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path.join(TAG));
        let text = format!("{SIGNATURE}\n# This directory is a cache of `judge`.\n");
        let _ = tag.and_then(|mut tag| tag.write_all(text.as_bytes()));
        return Ok(());
    }
    // A link in the place of the tag is not followed: its target says nothing about this directory.
    let is_tagged = crate::regular_file::read_own(&path.join(TAG), 4096)
        .is_ok_and(|text| text.starts_with(SIGNATURE.as_bytes()));
    let links = if is_tagged {
        Links::Removed
    } else {
        Links::Refused
    };
    for entry in entries {
        check_entry(&entry?, links, 2)?;
    }
    Ok(())
}

/// The treatment of symbolic links in a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Removed,
    Refused,
}

/// Checks an entry of a directory, and those below it down to a depth, for symbolic links and for
/// directories of other users.
fn check_entry(entry: &DirEntry, links: Links, depth: usize) -> io::Result<()> {
    let kind = entry.file_type()?;
    if kind.is_symlink() {
        if links == Links::Removed {
            return std::fs::remove_file(entry.path());
        }
        let link = entry.path();
        let text = format!(
            "`{}` is a symbolic link, and the directory has no `{TAG}`, so it is not a cache",
            link.display()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    // Another process may have removed it.
    let Ok(found) = entry.metadata() else {
        return Ok(());
    };
    if !found.is_dir() {
        return Ok(());
    }
    if found.uid() != geteuid().as_raw() {
        let text = format!(
            "`{}` belongs to another user (uid {})",
            entry.path().display(),
            found.uid()
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    // An unreadable directory is damaged, and is created again when it is needed.
    if let (true, Ok(below)) = (depth > 1, entry.path().read_dir()) {
        for entry in below {
            check_entry(&entry?, links, depth - 1)?;
        }
    }
    Ok(())
}

/// Sets the mode of a regular file or a directory, never that of a link's target.
///
/// # Errors
/// When the path is neither, the file has other hard links, or the mode cannot be changed.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let file = open_unfollowed(path)?;
    let stat = fstat(&file)?;
    // Like a symbolic link, a hard link can lead to a file of another user.
    let is_ours = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => true,
        FileType::RegularFile => stat.st_nlink <= 1,
        _ => false,
    };
    if !is_ours {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "expected a directory, or a file without other hard links",
        ));
    }
    // Changing the mode needs ownership, even if it stays the same. A directory of another user
    // that has the right mode already must not be an error.
    if stat.st_mode & 0o7777 == mode {
        return Ok(());
    }
    // fchmod(2) refuses such a descriptor, and a file that its owner may not read cannot be opened
    // in another way. The kernel resolves this name to the file that was opened, even if another
    // one is in its place by now.
    std::fs::set_permissions(
        format!("/proc/self/fd/{}", file.as_raw_fd()),
        Permissions::from_mode(mode),
    )
}

fn open_unfollowed(path: &Path) -> Result<OwnedFd, Errno> {
    // With O_PATH, O_NOFOLLOW opens the link itself instead of failing, so callers see what
    // kind of file it is. No permission on the file is needed.
    openat(
        CWD,
        path,
        OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, chown, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_directory_is_closed_to_others_and_an_open_one_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("a/b");
        make_own_directory(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
        // A directory that others can only read was made so by its owner, and stays so.
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        make_own_directory(&path).unwrap();
        assert_eq!(mode(&path), 0o755);
        for open in [0o775, 0o777, 0o1777, 0o702] {
            fs::set_permissions(&path, Permissions::from_mode(open)).unwrap();
            let error = make_own_directory(&path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{open:o}");
            assert!(error.to_string().contains("can write to it"), "{error}");
        }
    }

    #[test]
    fn links_and_files_are_refused_as_own_directories() {
        let parent = tempfile::tempdir().unwrap();
        let (real, link, file) = (
            parent.path().join("real"),
            parent.path().join("link"),
            parent.path().join("file"),
        );
        fs::create_dir(&real).unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o700)).unwrap();
        symlink(&real, &link).unwrap();
        fs::write(&file, "").unwrap();
        make_own_directory(&real).unwrap();
        for path in [link.clone(), link.join("")] {
            assert!(
                make_own_directory(&path)
                    .unwrap_err()
                    .to_string()
                    .contains("link"),
                "{}",
                path.display()
            );
        }
        assert!(make_own_directory(&file).is_err());
        assert!(make_own_directory(&file.join("below")).is_err());
    }

    #[test]
    fn directories_of_other_users_are_refused_even_by_root() {
        if !geteuid().is_root() {
            eprintln!("not tested: only root can give a directory away");
            return;
        }
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("volume");
        make_own_directory(&path.join("below")).unwrap();
        chown(path.join("below"), Some(65534), None).unwrap();
        make_own_directory(&path).unwrap();
        assert!(
            make_own_store(&path)
                .unwrap_err()
                .to_string()
                .contains("below` belongs to another user (uid 65534)")
        );
        chown(&path, Some(65534), None).unwrap();
        for make in [make_own_directory, make_own_store] {
            let error = make(&path).unwrap_err();
            assert_eq!(error.to_string(), "it belongs to another user (uid 65534)");
        }
        assert_eq!(fs::metadata(&path).unwrap().uid(), 65534);
    }

    #[test]
    fn links_in_a_store_are_removed_and_their_targets_are_kept() {
        let around = tempfile::tempdir().unwrap();
        let (store, outside) = (around.path().join("store"), around.path().join("outside"));
        for directory in [
            store.join("records"),
            store.join("programs/ab/key"),
            outside.join("below"),
        ] {
            fs::create_dir_all(directory).unwrap();
        }
        fs::set_permissions(&store, Permissions::from_mode(0o700)).unwrap();
        fs::write(store.join(TAG), SIGNATURE).unwrap();
        fs::write(outside.join("file"), "precious").unwrap();
        for link in ["host", "records/aa", "programs/cd", "programs/lock"] {
            symlink(&outside, store.join(link)).unwrap();
        }
        // A stored program may contain links, which are never followed.
        symlink("x", store.join("programs/ab/key/link")).unwrap();
        make_own_store(&store).unwrap();
        for link in ["host", "records/aa", "programs/cd", "programs/lock"] {
            assert!(store.join(link).symlink_metadata().is_err(), "{link}");
        }
        assert!(store.join("programs/ab/key/link").is_symlink());
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"precious");
        assert!(outside.join("below").is_dir());
    }

    #[test]
    fn links_in_a_directory_without_the_tag_are_kept() {
        let around = tempfile::tempdir().unwrap();
        let (home, new) = (around.path().join("home"), around.path().join("new"));
        fs::create_dir_all(home.join(".config")).unwrap();
        fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
        for link in ["dotfile", ".config/editor"] {
            symlink("/etc/hostname", home.join(link)).unwrap();
            let error = make_own_store(&home).unwrap_err().to_string();
            assert!(
                error.contains("is a symbolic link, and the directory has no `CACHEDIR.TAG`"),
                "{error}"
            );
            assert!(home.join(link).is_symlink());
            fs::remove_file(home.join(link)).unwrap();
        }
        // An older store without the tag, and without links, stays usable. A new one has the tag
        // from the start.
        make_own_store(&home).unwrap();
        assert!(!home.join(TAG).exists());
        make_own_store(&new).unwrap();
        symlink("/etc/hostname", new.join("link")).unwrap();
        make_own_store(&new).unwrap();
        assert!(!new.join("link").is_symlink());
    }

    #[test]
    fn a_mode_is_never_changed_through_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("private"), "").unwrap();
        fs::set_permissions(at("private"), Permissions::from_mode(0o600)).unwrap();
        symlink(at("private"), at("symbolic")).unwrap();
        assert!(set_mode(&at("symbolic"), 0o755).is_err());
        fs::hard_link(at("private"), at("hard")).unwrap();
        assert!(set_mode(&at("hard"), 0o755).is_err());
        assert_eq!(mode(&at("private")), 0o600);
        fs::remove_file(at("hard")).unwrap();
        // Also if the owner may not read it.
        set_mode(&at("private"), 0).unwrap();
        set_mode(&at("private"), 0o644).unwrap();
        assert_eq!(mode(&at("private")), 0o644);
        set_mode(directory.path(), 0o711).unwrap();
        assert_eq!(mode(directory.path()), 0o711);
    }
}
