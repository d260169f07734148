//! Emptying a directory that a program has filled.
//!
//! Responsible for removing everything that a program can leave, with few descriptors and no
//! recursion, and nothing outside the directory. Must not be used while any process can change the
//! directory.
//!
//! A program may nest directories deeper than any path may be long, and close them to their owner.
//! So paths are not resolved: directories found inside are made accessible, moved to the top and
//! emptied there one by one.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, chmodat, fstat, renameat, unlinkat};
use rustix::io::Errno;

use crate::open::{is_directory, open_at};

/// Opens a directory inside another one, without following a link. A single name needs no
/// `openat2`, which filters of some container engines do not know.
fn enter(directory: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    open_at(directory, name, flags)
}

/// Removes the directory `name` of `parent` with its contents. A missing directory is not an error.
/// `on_removed` is called for each entry: with many entries and a slow disk, this takes minutes.
pub(crate) fn remove(
    parent: BorrowedFd<'_>,
    name: &CStr,
    on_removed: &mut dyn FnMut(),
) -> Result<(), Errno> {
    // The common case first: a run that wrote nothing leaves an empty directory.
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR) => return unlinkat(parent, name, AtFlags::empty()),
        Err(_) => {}
    }
    open_up(parent, name)?;
    let top = enter(parent, name)?;
    empty(top.as_fd(), on_removed)?;
    unlinkat(parent, name, AtFlags::REMOVEDIR)
}

/// Restores the owner's rights to a directory, which a program may have taken away. The name does
/// not change meanwhile, so it cannot have become a link.
fn open_up(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    let stat = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if is_directory(&stat) && stat.st_mode & 0o700 != 0o700 {
        chmodat(parent, name, Mode::from_raw_mode(0o700), AtFlags::empty())?;
    }
    Ok(())
}

/// Removes everything in a directory. Names are processed as they are read: a program may leave
/// millions of them, and collecting them would increase the zygote's memory, and with it the memory
/// reported for its next run.
pub(crate) fn empty(top: BorrowedFd<'_>, on_removed: &mut dyn FnMut()) -> Result<(), Errno> {
    // The names contain the inode's number, so that they are hard to guess. If one exists
    // nevertheless, the next one is taken.
    let mut names = Names {
        start: fstat(top)?.st_ino,
        next: 0,
    };
    for_each_name(top, on_removed, |name, on_removed| {
        // No stat before: one call in the common case, and nothing that could change in between.
        if unlinkat(top, name, AtFlags::empty()).is_ok()
            || unlinkat(top, name, AtFlags::REMOVEDIR).is_ok()
        {
            return Ok(());
        }
        // Removing a name needs rights on the directory that it is in, which a program may
        // have given up for its own directories.
        open_up(top, name)?;
        let directory = enter(top, name)?;
        // Directories in it are not entered but moved to the top, where the outer loop finds them.
        // So the number of open descriptors does not depend on the depth.
        for_each_name(directory.as_fd(), on_removed, |inner, _| {
            match unlinkat(&directory, inner, AtFlags::empty()) {
                Ok(()) => Ok(()),
                Err(_) => move_up(directory.as_fd(), inner, top, &mut names),
            }
        })?;
        drop(directory);
        unlinkat(top, name, AtFlags::REMOVEDIR)
    })
}

/// Unused names in a directory.
struct Names {
    start: u64,
    next: u64,
}

impl Names {
    fn next(&mut self) -> CString {
        self.next += 1;
        CString::new(format!(".wipe-{}-{}", self.start, self.next)).unwrap_or_default()
    }
}

/// Moves a directory to the top, where it is found later.
fn move_up(
    parent: BorrowedFd<'_>,
    name: &CStr,
    top: BorrowedFd<'_>,
    names: &mut Names,
) -> Result<(), Errno> {
    // Its parent changes, which is written into it (rename(2), EACCES).
    open_up(parent, name)?;
    loop {
        match renameat(parent, name, top, names.next()) {
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            other => return other,
        }
    }
}

/// Calls `remove`, which must remove the name, for everything in a directory, until nothing is
/// left: whether names that come and go are read in the same pass is up to the file system
/// (readdir(3p)).
fn for_each_name(
    directory: BorrowedFd<'_>,
    on_removed: &mut dyn FnMut(),
    mut remove: impl FnMut(&CStr, &mut dyn FnMut()) -> Result<(), Errno>,
) -> Result<(), Errno> {
    loop {
        let mut is_empty = true;
        for entry in Dir::read_from(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            is_empty = false;
            on_removed();
            remove(name, on_removed)?;
        }
        if is_empty {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use crate::open::directory_handle;

    #[test]
    fn only_leftovers_of_a_program_are_removed() {
        let outer = tempfile::tempdir().unwrap();
        let parent = directory_handle(outer.path()).unwrap();
        std::fs::write(outer.path().join("precious"), b"x").unwrap();
        let work = outer.path().join("work");
        std::fs::create_dir_all(work.join("a/b/c")).unwrap();
        for index in 0..50 {
            std::fs::write(work.join("a/b").join(format!("f{index}")), b"").unwrap();
        }
        std::fs::write(work.join(std::ffi::OsStr::from_bytes(b"odd\n\xff")), b"").unwrap();
        symlink(outer.path(), work.join("a/up")).unwrap();
        symlink("../precious", work.join("link")).unwrap();
        std::fs::set_permissions(work.join("a/b/c"), std::fs::Permissions::from_mode(0o000))
            .unwrap();
        std::fs::set_permissions(work.join("a/b"), std::fs::Permissions::from_mode(0o500)).unwrap();
        std::fs::set_permissions(&work, std::fs::Permissions::from_mode(0o000)).unwrap();
        let mut removed = 0;
        remove(parent.as_fd(), c"work", &mut || removed += 1).unwrap();
        assert!(!work.exists());
        assert!(removed >= 50, "{removed}");
        assert_eq!(std::fs::read(outer.path().join("precious")).unwrap(), b"x");
        remove(parent.as_fd(), c"work", &mut || {}).unwrap();
    }

    #[test]
    fn deeply_nested_directories_are_removed() {
        let outer = tempfile::tempdir().unwrap();
        let parent = directory_handle(outer.path()).unwrap();
        rustix::fs::mkdirat(&parent, "work", Mode::from_raw_mode(0o755)).unwrap();
        let mut deepest = enter(parent.as_fd(), c"work").unwrap();
        for _ in 0..6000 {
            rustix::fs::mkdirat(&deepest, "d", Mode::from_raw_mode(0o755)).unwrap();
            deepest = enter(deepest.as_fd(), c"d").unwrap();
        }
        remove(parent.as_fd(), c"work", &mut || {}).unwrap();
        assert!(!outer.path().join("work").exists());
    }
}
