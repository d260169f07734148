//! Confined directories: the one place that changes files in a directory that somebody else may
//! have made.
//!
//! Responsible for changing nothing outside of the directory, whatever links are in it or are
//! put there meanwhile. Must not know what is written.
//!
//! A path that was checked before it is used can be another one when it is used. So there is no
//! check apart from the use: each call resolves the directory above a file beneath the
//! descriptor of the root, without any link (openat2(2)), and then acts on one name in the
//! directory that it got (the `…at` calls), which never follow a link that has this name.

use std::ffi::{OsStr, OsString};
use std::fmt;
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
    /// True for a kernel without openat2(2), which Linux has since 5.6.
    walks: bool,
}

/// The error of a path that leads through a link.
#[derive(Debug)]
struct ThroughLink {
    link: PathBuf,
}

impl fmt::Display for ThroughLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is a link, and nothing is written through links in a package",
            self.link.display()
        )
    }
}

impl std::error::Error for ThroughLink {}

/// The error of a path that leads through this link.
pub(crate) fn through_link(link: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        ThroughLink {
            link: link.to_owned(),
        },
    )
}

impl ConfinedDirectory {
    /// Opens a directory. The path to it may have links: who names a directory decides which
    /// one it is.
    ///
    /// # Errors
    /// When it is no directory, or cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = File::from(openat(CWD, path, flags, Mode::empty())?);
        Ok(Self {
            root,
            path: path.to_owned(),
            walks: false,
        })
    }

    /// Opens what files in a directory are confined to: the package that it is in, or else the
    /// directory itself. It is created where it is missing. Returns its path there, too.
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

    /// Opens what a file is confined to: the package that it is in, or else the directory that
    /// it is in. Returns its path there, too.
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

    /// The path that the directory was opened by.
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

    /// Creates a directory and those above it, as far as they are missing.
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
        self.directory(path).map(drop)
    }

    /// Creates a file that is not there, with permissions before the process's umask.
    ///
    /// # Errors
    /// Those of open(2) with `O_EXCL`, and a link on the way.
    pub fn create_new(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (parent, name) = self.parent(path)?;
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(parent, name, flags, Mode::from_raw_mode(mode))?.into())
    }

    /// Writes a file as a whole. One that is there is replaced, and so is a link, whose target
    /// stays as it is.
    ///
    /// # Errors
    /// When it cannot be written; then the old file is as it was, and nothing is beside it.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (mut file, unfinished) = self.create_beside(path)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| self.rename(&unfinished, path));
        written.inspect_err(|_| {
            // The error that counts is the first one.
            let _ = self.remove_file(&unfinished);
        })
    }

    /// A new file beside another one, with its path.
    fn create_beside(&self, path: &Path) -> io::Result<(File, PathBuf)> {
        // Process numbers repeat in containers that share a volume, so the name of another
        // process may be taken. `create_new` uses O_EXCL: two processes never write the same
        // file.
        for number in 0..u32::MAX {
            let mut name = OsString::from(".");
            name.push(path.file_name().unwrap_or_default());
            name.push(format!(".{}-{number}", std::process::id()));
            let beside = path.with_file_name(name);
            match self.create_new(&beside, 0o666) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return Ok((created?, beside)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Brings the names in the directory above a file to the disk, on file systems that can.
    pub(crate) fn sync_names(&self, path: &Path) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // `parent` returns a descriptor with O_PATH, which fsync(2) refuses. Opening `.` in it
        // gives a readable descriptor of the same directory, whatever its path leads to now.
        let opened = self
            .parent(path)
            .and_then(|(parent, _)| Ok(openat(parent, ".", flags, Mode::empty())?));
        // Some file systems cannot sync a directory. The file itself is complete on the disk,
        // so an error here must not fail the command.
        let _ = opened.and_then(|directory| File::from(directory).sync_all());
    }

    /// Creates a symbolic link that is not there.
    ///
    /// # Errors
    /// Those of symlink(2), and a link on the way.
    pub fn symlink(&self, target: &Path, path: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(path)?;
        Ok(symlinkat(target, parent, name)?)
    }

    /// Gives a file a second name. A symbolic link gets one itself, not its target.
    ///
    /// # Errors
    /// Those of link(2), and a link on the way.
    pub fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        Ok(linkat(from, old, to, new, AtFlags::empty())?)
    }

    /// Gives a file or directory another name. A file that has this name is replaced.
    ///
    /// # Errors
    /// Those of rename(2), and a link on the way.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        Ok(renameat(from, old, to, new)?)
    }

    /// Gives a file or directory a name that nothing has.
    ///
    /// # Errors
    /// Those of [`Self::rename`], and `AlreadyExists`.
    pub fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        match renameat_with(&from, old, &to, new, RenameFlags::NOREPLACE) {
            // A file system without the flag. Between this check and the rename another process
            // can create the name: this is the best that such a file system permits.
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

    /// The kind of what has a path; a link is one, whatever it leads to. `None` when nothing
    /// has it.
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
            // The kernel reports ENOTDIR if a file stands where the path needs a directory.
            // Nothing has the path in that case either.
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

    /// The directory above a path, and the name that it has there.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<(OwnedFd, &'p OsStr)> {
        // A path that is empty or ends in `..` has no name of its own to act on.
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
            // RESOLVE_NO_SYMLINKS, EXDEV from RESOLVE_BENEATH, and ENOTDIR from O_DIRECTORY
            // with O_NOFOLLOW in `walk`. ENOTDIR also stands for a file in the place of a
            // directory.
            Err(Errno::LOOP | Errno::NOTDIR | Errno::XDEV) => match self.first_link(path) {
                Some(link) => Err(through_link(&link)),
                None => Err(Errno::NOTDIR.into()),
            },
            opened => Ok(opened?),
        }
    }

    /// Opens a directory below the root, one name after the other. Each is resolved in a
    /// directory that was opened, so that nothing that is exchanged meanwhile leads out.
    fn walk(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
        let mut directory = openat(&self.root, ".", DIRECTORY, Mode::empty())?;
        for name in path.components() {
            directory = openat(&directory, name.as_os_str(), DIRECTORY, Mode::empty())?;
        }
        Ok(directory)
    }

    /// The first link on the way to a directory; for the message only.
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
pub(crate) mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A directory to be changed, with and without openat2(2), and one outside of it.
    fn places() -> (tempfile::TempDir, [ConfinedDirectory; 2]) {
        let around = tempfile::tempdir().unwrap();
        fs::create_dir_all(around.path().join("root/sub")).unwrap();
        fs::create_dir_all(around.path().join("outside/sub")).unwrap();
        fs::write(around.path().join("outside/file"), "precious").unwrap();
        let open = |walks| ConfinedDirectory {
            walks,
            ..ConfinedDirectory::open(&around.path().join("root")).unwrap()
        };
        let both = [open(false), open(true)];
        (around, both)
    }

    /// Every file and directory below a place: its path, content, and permissions.
    pub(crate) fn everything(place: &Path) -> Vec<(PathBuf, Option<Vec<u8>>, u32)> {
        let mut found = Vec::new();
        let mut directories = vec![place.to_owned()];
        while let Some(directory) = directories.pop() {
            for path in fs::read_dir(directory)
                .unwrap()
                .map(|entry| entry.unwrap().path())
            {
                let metadata = fs::symlink_metadata(&path).unwrap();
                if metadata.is_dir() {
                    directories.push(path.clone());
                }
                let content = if metadata.is_symlink() {
                    Some(
                        fs::read_link(&path)
                            .unwrap()
                            .into_os_string()
                            .into_encoded_bytes(),
                    )
                } else {
                    fs::read(&path).ok()
                };
                found.push((
                    path.strip_prefix(place).unwrap().to_owned(),
                    content,
                    metadata.permissions().mode(),
                ));
            }
        }
        found.sort();
        found
    }

    /// All that can be done below a directory.
    type Deed = fn(&ConfinedDirectory, &Path) -> io::Result<()>;
    const DEEDS: [(&str, Deed); 14] = [
        ("create a directory", |root, place| {
            root.create_directory(&place.join("new"))
        }),
        ("create directories", |root, place| {
            root.create_directories(&place.join("new/er"))
        }),
        ("create directories that are there", |root, place| {
            root.create_directories(&place.join("sub"))
        }),
        ("create a file", |root, place| {
            root.create_new(&place.join("new"), 0o666).map(drop)
        }),
        ("write a file", |root, place| {
            root.write(&place.join("file"), b"planted")
        }),
        ("make a link", |root, place| {
            root.symlink(Path::new("x"), &place.join("new"))
        }),
        ("give a file from there a second name", |root, place| {
            root.hard_link(&place.join("file"), Path::new("got"))
        }),
        ("give a file a second name there", |root, place| {
            root.hard_link(Path::new("own"), &place.join("new"))
        }),
        ("move there", |root, place| {
            root.rename(Path::new("own"), &place.join("file"))
        }),
        ("move from there", |root, place| {
            root.rename(&place.join("file"), Path::new("got"))
        }),
        ("move to a new name", |root, place| {
            root.rename_new(Path::new("own"), &place.join("new"))
        }),
        ("remove a file", |root, place| {
            root.remove_file(&place.join("file"))
        }),
        ("remove a directory", |root, place| {
            root.remove_directory(&place.join("sub"))
        }),
        ("list", |root, place| root.names(place).map(drop)),
    ];

    #[test]
    fn a_link_leads_to_no_change_outside() {
        for (what, deed) in DEEDS {
            for (number, depth) in [(0, "link"), (0, "link/sub"), (1, "link"), (1, "link/sub")] {
                for is_absolute in [false, true] {
                    let (around, roots) = places();
                    let root = &roots[number];
                    let outside = around.path().join("outside");
                    let target = if is_absolute {
                        &outside
                    } else {
                        Path::new("../outside")
                    };
                    symlink(target, around.path().join("root/link")).unwrap();
                    fs::write(around.path().join("root/own"), "own").unwrap();
                    let before = everything(around.path());
                    let error = deed(root, Path::new(depth)).unwrap_err();
                    assert!(
                        error.to_string().starts_with("`link` is a link"),
                        "{what}: {error}"
                    );
                    assert_eq!(everything(around.path()), before, "{what}");
                }
            }
            // Nor by any other path.
            let (around, roots) = places();
            fs::write(around.path().join("root/own"), "own").unwrap();
            let before = everything(around.path());
            let absolute = around.path().join("outside");
            for path in [
                Path::new("../outside"),
                &absolute,
                Path::new("sub/../../outside"),
            ] {
                for root in &roots {
                    assert_eq!(
                        deed(root, path).unwrap_err().kind(),
                        io::ErrorKind::InvalidInput,
                        "{what}"
                    );
                    assert_eq!(everything(around.path()), before, "{what}");
                }
            }
        }
    }

    /// What cannot be seen by looking first: the directory is a directory, and a link when it
    /// is used.
    #[test]
    fn links_that_come_and_go_lead_to_no_change_outside() {
        use std::sync::atomic::{AtomicBool, Ordering};

        let (around, roots) = places();
        let [directory, link, place] =
            ["directory", "link", "place"].map(|name| around.path().join("root").join(name));
        fs::create_dir(&directory).unwrap();
        symlink("../outside", &link).unwrap();
        fs::rename(&directory, &place).unwrap();
        let before = everything(&around.path().join("outside"));
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    // The two names change places, in one step.
                    renameat_with(CWD, &link, CWD, &place, RenameFlags::EXCHANGE).unwrap();
                }
            });
            let (mut written, mut refused) = (0, 0);
            for round in 0..20_000 {
                let root = &roots[round % 2];
                let path = Path::new("place").join("file");
                let done = [root.write(&path, b"planted"), root.remove_file(&path)];
                match done.iter().all(Result::is_ok) {
                    true => written += 1,
                    false => refused += 1,
                }
                if written > 50 && refused > 50 {
                    break;
                }
            }
            is_done.store(true, Ordering::Relaxed);
            assert!(
                written > 0 && refused > 0,
                "{written} were written, {refused} refused: nothing was exchanged"
            );
        });
        assert_eq!(everything(&around.path().join("outside")), before);
    }

    #[test]
    fn a_link_in_the_place_of_a_file_is_replaced_and_its_target_stays() {
        for number in 0..2 {
            let (around, roots) = places();
            symlink("../outside/file", around.path().join("root/sub/link")).unwrap();
            roots[number].write(Path::new("sub/link"), b"new").unwrap();
            assert_eq!(
                fs::read(around.path().join("root/sub/link")).unwrap(),
                b"new"
            );
            assert_eq!(
                fs::read(around.path().join("outside/file")).unwrap(),
                b"precious"
            );
            assert_eq!(
                roots[number].names(Path::new("sub")).unwrap(),
                ["link"],
                "nothing is beside it"
            );
            assert!(
                roots[number]
                    .create_new(Path::new("sub/link"), 0o666)
                    .is_err()
            );
        }
    }

    #[test]
    fn output_in_a_package_stays_in_it_and_output_elsewhere_follows_the_path_of_the_user() {
        let (around, _) = places();
        let [package, outside] = ["root", "outside"].map(|name| around.path().join(name));
        symlink("../outside", package.join("link")).unwrap();
        symlink("outside", around.path().join("link")).unwrap();
        crate::set_rule(&package, std::sync::Arc::new(|_: &Path, _: &Path| true));
        let before = everything(&outside);
        for typed in ["link", "link/new", "sub/../link", "../root/link"] {
            let refused = [
                ConfinedDirectory::for_output(&package.join(typed)).map(drop),
                crate::replace(
                    &package.join(typed).join("file"),
                    b"",
                    crate::ReplacementOptions::default(),
                ),
            ];
            for error in refused.map(Result::unwrap_err) {
                assert!(
                    error.to_string().starts_with("`link` is a link"),
                    "{typed}: {error}"
                );
            }
        }
        assert_eq!(everything(&outside), before);
        // A package that nobody has loaded, by its own name, by another one, and by the name
        // of a directory in it.
        let unloaded = around.path().join("unloaded");
        fs::create_dir_all(unloaded.join("sub")).unwrap();
        fs::write(unloaded.join("problem.yaml"), "").unwrap();
        symlink("../outside", unloaded.join("link")).unwrap();
        symlink("../../outside", unloaded.join("sub/link")).unwrap();
        symlink("unloaded", around.path().join("alias")).unwrap();
        symlink("alias/sub", around.path().join("below")).unwrap();
        for typed in [
            "unloaded/link/new",
            "alias/link",
            "alias/sub/link",
            "below/link/new",
        ] {
            let typed = around.path().join(typed);
            let error = ConfinedDirectory::for_output(&typed).unwrap_err();
            assert!(
                error.to_string().starts_with("`"),
                "{}: {error}",
                typed.display()
            );
            let error = crate::replace(
                &typed.join("file"),
                b"",
                crate::ReplacementOptions::default(),
            )
            .unwrap_err();
            assert!(
                error.to_string().contains("link` is a link"),
                "{}: {error}",
                typed.display()
            );
            assert!(crate::is_in_package(&typed).unwrap());
        }
        assert_eq!(everything(&outside), before);
        assert!(!crate::is_in_package(&around.path().join("link/file")).unwrap());
        assert!(!crate::is_in_package(&unloaded).unwrap());
        let (root, below) = ConfinedDirectory::for_output(&package.join("sub/../new/er")).unwrap();
        assert_eq!(
            (root.path(), below.as_path()),
            (package.as_path(), Path::new("new/er"))
        );
        root.write(&below.join("file"), b"1").unwrap();
        assert_eq!(fs::read(package.join("new/er/file")).unwrap(), b"1");
        // Who names a link outside of any package means its target.
        let (root, below) = ConfinedDirectory::for_output(&around.path().join("link/new")).unwrap();
        root.write(&below.join("file"), b"1").unwrap();
        crate::replace(
            &around.path().join("link/file"),
            b"2",
            crate::ReplacementOptions::default(),
        )
        .unwrap();
        assert_eq!(fs::read(outside.join("new/file")).unwrap(), b"1");
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"2");
    }

    #[test]
    fn a_file_in_the_place_of_a_directory_is_named() {
        let (around, roots) = places();
        fs::write(around.path().join("root/file"), "").unwrap();
        for root in &roots {
            let error = root.write(Path::new("file/x"), b"").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
            assert_eq!(root.kind(Path::new("file/x")).unwrap(), None);
            assert_eq!(
                root.kind(Path::new("sub")).unwrap(),
                Some(FileType::Directory)
            );
        }
    }
}
