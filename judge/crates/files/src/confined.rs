//! Confined directories: all changes to files in untrusted directories go through them.
//!
//! Responsible for changing nothing outside of the directory, even if it contains links or another
//! process creates some meanwhile. Must not know what is written.
//!
//! A path can change between a check and its use, so there is no separate check. Each call resolves
//! the directory above a file beneath the descriptor of the root, without any link (openat2(2)). It
//! then acts on one name in that directory with the `…at` calls, which never follow a link of this
//! name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, ResolveFlags, Stat, linkat, mkdirat,
    openat, openat2, readlinkat, renameat, renameat_with, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use crate::places::{find_confinement, without_parents};

const DIRECTORY: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
const BENEATH: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS);

/// A directory below which files are changed. All paths are relative to it and consist of names
/// only.
#[derive(Debug)]
pub struct ConfinedDirectory {
    root: File,
    path: PathBuf,
    /// True on a kernel without openat2(2), which requires Linux 5.6.
    walks: bool,
}

/// The error of a path that leads through this link.
pub(crate) fn through_link(link: &Path) -> io::Error {
    let text = format!(
        "`{}` is a link, and nothing is written through links in a package",
        link.display()
    );
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

impl ConfinedDirectory {
    /// Opens a directory. The path to it may contain links: the user who names a directory decides
    /// which one it is.
    ///
    /// # Errors
    /// If it is not a directory, or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = File::from(openat(CWD, path, flags, Mode::empty())?);
        Ok(Self {
            root,
            path: path.to_owned(),
            walks: false,
        })
    }

    /// Opens the directory to which output in `directory` is confined: the package that contains
    /// it, or else the directory itself, which is created if it is missing. Also returns the path
    /// of `directory` relative to it.
    ///
    /// # Errors
    /// The errors of [`Self::open`]; and when it cannot be created.
    pub fn for_output(directory: &Path) -> io::Result<(Self, PathBuf)> {
        let directory = without_parents(directory)?;
        match find_confinement(&directory) {
            Some(place) => {
                let (root, below) = (Self::open(&place)?, below(&place, &directory));
                root.create_directories(&below)?;
                Ok((root, below))
            }
            None => {
                std::fs::create_dir_all(&directory)?;
                Ok((Self::open(&directory)?, PathBuf::new()))
            }
        }
    }

    /// Opens the directory to which a file is confined: the package that contains it, or else its
    /// own directory. Also returns the path of the file relative to it.
    ///
    /// # Errors
    /// The errors of [`Self::open`].
    pub fn for_file(file: &Path) -> io::Result<(Self, PathBuf)> {
        let file = without_parents(file)?;
        let (Some(parent), Some(name)) = (file.parent(), file.file_name()) else {
            return Err(Errno::ISDIR.into());
        };
        match find_confinement(parent) {
            Some(place) => Ok((Self::open(&place)?, below(&place, &file))),
            // Outside of a package, the user names the directory, and links on the way to it
            // are followed.
            None => Ok((Self::open(parent)?, name.into())),
        }
    }

    /// The path with which the directory was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self) -> &File {
        &self.root
    }

    /// Creates a directory.
    ///
    /// # Errors
    /// Those of mkdir(2), and a link on the way.
    pub fn create_directory(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(path)?;
        Ok(mkdirat(parent, name, Mode::from_raw_mode(0o777))?)
    }

    /// Creates a directory and its missing parents.
    ///
    /// # Errors
    /// Those of mkdir(2), a link on the way, and a file in the place of a directory.
    pub fn create_directories(&self, path: &Path) -> io::Result<()> {
        let mut below = PathBuf::new();
        for name in path.components() {
            below.push(name);
            match self.create_directory(&below) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                other => other?,
            }
        }
        // mkdir(2) also fails with EEXIST for a file or a link of that name. Only opening it as a
        // directory detects that.
        self.directory(path).map(drop)
    }

    /// Creates a new file. `mode` is subject to the process's umask.
    ///
    /// # Errors
    /// Those of open(2) with `O_EXCL`, and a link on the way.
    pub fn create_new(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (parent, name) = self.parent(path)?;
        // With O_EXCL an existing name is an error, even if it is a link without a target
        // (open(2)).
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(parent, name, flags, Mode::from_raw_mode(mode))?.into())
    }

    /// Writes a whole file. An existing file or link is replaced; the target of the link is
    /// unchanged.
    ///
    /// # Errors
    /// When it cannot be written. Then the old file is unchanged, and no temporary file is left.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (mut file, unfinished) = self.create_sibling(path)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| self.rename(&unfinished, path));
        written.inspect_err(|_| {
            // The first error is the one to report.
            let _ = self.remove_file(&unfinished);
        })
    }

    /// Creates a new file in the directory of another one. Also returns its path.
    fn create_sibling(&self, path: &Path) -> io::Result<(File, PathBuf)> {
        // Process numbers repeat in containers that share a volume, so the name of another
        // process may be taken. `create_new` uses O_EXCL: two processes never write the same
        // file.
        for number in 0..u32::MAX {
            let mut name = OsString::from(".");
            name.push(path.file_name().unwrap_or_default());
            name.push(format!(".{}-{number}", std::process::id()));
            let sibling = path.with_file_name(name);
            match self.create_new(&sibling, 0o666) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return Ok((created?, sibling)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Syncs the names in the directory above a file to the disk, on file systems that support it.
    pub(crate) fn sync_names(&self, path: &Path) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // `parent` returns a descriptor with O_PATH, which fsync(2) refuses. Opening `.` in it
        // gives a readable descriptor of the same directory, even if its path leads elsewhere by
        // now.
        let opened = self
            .parent(path)
            .and_then(|(parent, _)| Ok(openat(parent, ".", flags, Mode::empty())?));
        // Some file systems cannot sync a directory. The file itself is complete on the disk,
        // so an error here must not fail the command.
        let _ = opened.and_then(|directory| File::from(directory).sync_all());
    }

    /// Creates a new symbolic link.
    ///
    /// # Errors
    /// Those of symlink(2), and a link on the way.
    pub fn symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(path)?;
        Ok(symlinkat(target, parent, name)?)
    }

    /// Creates a hard link to a file. If `from` is a symbolic link, the new name is one for the
    /// link itself, not for its target.
    ///
    /// # Errors
    /// Those of link(2), and a link on the way.
    pub fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        Ok(linkat(from, old, to, new, AtFlags::empty())?)
    }

    /// Renames a file or directory. A file that has the new name is replaced.
    ///
    /// # Errors
    /// Those of rename(2), and a link on the way.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        Ok(renameat(from, old, to, new)?)
    }

    /// Renames a file or directory to an unused name.
    ///
    /// # Errors
    /// Those of [`Self::rename`], and `AlreadyExists`.
    pub fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        match renameat_with(&from, old, &to, new, RenameFlags::NOREPLACE) {
            // The file system does not support the flag. Another process can create the name
            // between this check and the rename, which cannot be avoided on such a file system.
            Err(Errno::INVAL | Errno::NOSYS) => match statat(&to, new, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => Ok(renameat(from, old, to, new)?),
                Err(error) => Err(error.into()),
                Ok(_) => Err(Errno::EXIST.into()),
            },
            renamed => Ok(renamed?),
        }
    }

    /// Removes a file, or a link itself.
    ///
    /// # Errors
    /// Those of unlink(2), and a link on the way.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(path)?;
        Ok(unlinkat(parent, name, AtFlags::empty())?)
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// Those of rmdir(2), and a link on the way.
    pub fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(path)?;
        Ok(unlinkat(parent, name, AtFlags::REMOVEDIR)?)
    }

    /// Returns the kind of the entry at a path, without following a link; `None` if it does not
    /// exist.
    ///
    /// # Errors
    /// Those of stat(2), and a link on the way.
    pub fn kind(&self, path: &Path) -> io::Result<Option<FileType>> {
        Ok(self
            .stat(path)?
            .map(|stat| FileType::from_raw_mode(stat.st_mode)))
    }

    pub(crate) fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let found = self.parent(path).and_then(|(parent, name)| {
            statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).map_err(Into::into)
        });
        match found {
            Ok(stat) => Ok(Some(stat)),
            // The kernel reports ENOTDIR if a file is in the place of a directory. There is no
            // entry at the path in that case either.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The names in a directory.
    ///
    /// # Errors
    /// When it cannot be read, and a link on the way.
    pub fn names(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let directory = self.directory(path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // A descriptor with O_PATH cannot be read, so the directory is opened once more through it.
        let entries = Dir::new(openat(directory, ".", flags, Mode::empty())?)?;
        let mut names = Vec::new();
        for entry in entries {
            let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Opens the directory above a path. Also returns the name of the path in it.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<(OwnedFd, &'p OsStr)> {
        // A path that is empty or ends in `..` has no name to act on.
        let Some(Component::Normal(name)) = path.components().next_back() else {
            return Err(Errno::INVAL.into());
        };
        Ok((
            self.directory(path.parent().unwrap_or(Path::new("")))?,
            name,
        ))
    }

    /// Opens a directory below the root.
    fn directory(&self, path: &Path) -> io::Result<OwnedFd> {
        if !path
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(Errno::INVAL.into());
        }
        // openat2(2) refuses an empty path with ENOENT.
        let shown = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let opened = match openat2(&self.root, shown, DIRECTORY, Mode::empty(), BENEATH) {
            _ if self.walks => self.walk(path),
            // The kernel is older than the call, or a filter of system calls, such as that of
            // an old container runtime, refuses it.
            Err(Errno::NOSYS | Errno::PERM) => self.walk(path),
            opened => opened,
        };
        match opened {
            // The kernel does not say which part of the path is a link. ELOOP comes from
            // RESOLVE_NO_SYMLINKS, EXDEV from RESOLVE_BENEATH, and ENOTDIR from O_DIRECTORY with
            // O_NOFOLLOW in `walk`. ENOTDIR also means that a file is in the place of a directory.
            Err(Errno::LOOP | Errno::NOTDIR | Errno::XDEV) => match self.first_link(path) {
                Some(link) => Err(through_link(&link)),
                None => Err(Errno::NOTDIR.into()),
            },
            opened => Ok(opened?),
        }
    }

    /// Opens a directory below the root, one name after the other. Each name is resolved in an open
    /// directory, so a link that another process puts there meanwhile does not lead out.
    fn walk(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
        let mut directory = openat(&self.root, ".", DIRECTORY, Mode::empty())?;
        for name in path.components() {
            directory = openat(&directory, name.as_os_str(), DIRECTORY, Mode::empty())?;
        }
        Ok(directory)
    }

    /// Finds the first link on the path to a directory, for the message only.
    fn first_link(&self, path: &Path) -> Option<PathBuf> {
        let mut directory = openat(&self.root, ".", DIRECTORY, Mode::empty()).ok()?;
        let mut link = PathBuf::new();
        for name in path.components() {
            link.push(name);
            if readlinkat(&directory, name.as_os_str(), Vec::new()).is_ok() {
                return Some(link);
            }
            directory = openat(&directory, name.as_os_str(), DIRECTORY, Mode::empty()).ok()?;
        }
        None
    }
}

fn below(place: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(place).unwrap_or(path).to_owned()
}

#[cfg(test)]
#[path = "confined_tests.rs"]
pub(crate) mod tests;
