//! Copying files out of a finished run's working directory.
//!
//! Responsible for copying and reading the untrusted files of a program. Must not know their
//! meaning.
//!
//! A program chooses the names and types of its files: a symbolic link to a file of the host, a
//! named pipe on which open(2) blocks, or directories nested beyond the maximum length of a path.
//! So paths are not resolved: each name is opened relative to its directory's descriptor, links are
//! refused, and only regular files are read.

use std::ffi::{CStr, OsStr, OsString};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Dir, FileType, Mode, Stat};
use rustix::io::Errno;

use crate::open::open_untrusted;

/// Bounds on what is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLimits {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Files and directories.
    pub entries: u64,
    /// Levels of directories below the one that is copied.
    pub depth: u32,
}

impl CopyLimits {
    /// For files that the harness itself has prepared.
    pub(crate) const OF_HARNESS: Self = Self {
        bytes: u64::MAX,
        entries: u64::MAX,
        depth: 64,
    };
}

/// The amount of data that was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyTotals {
    /// Regular files.
    pub files: u64,
    /// Directories, the topmost included.
    pub directories: u64,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Skipped links, pipes, sockets, devices, and unreadable files.
    pub skipped: u64,
}

/// The reason why files of a run could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    /// Nothing has that name, or it is a link or another special file.
    #[error("expected a regular file or a directory `{}` in the working directory: {source}", name.display())]
    Missing {
        /// The requested name.
        name: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// A bound was exceeded.
    #[error("expected at most {limit} {unit} in `{}`, found more", name.display())]
    TooLarge {
        /// The requested name.
        name: PathBuf,
        /// The bound.
        limit: u64,
        /// The unit of the bound.
        unit: &'static str,
    },
    /// The host refused to store a copy.
    #[error("cannot write `{}`: {source}", path.display())]
    Destination {
        /// The path on the host.
        path: PathBuf,
        /// The host's answer.
        source: io::Error,
    },
}

struct Harvest<'a> {
    name: &'a Path,
    limits: CopyLimits,
    /// True if directories may be there already, and files be replaced.
    merged: bool,
    copied: CopyTotals,
}

/// Copies a file or a directory with all that is below it out of a finished run's working directory
/// ([`Finished::work`](crate::Finished::work)). `destination` must not exist yet. Files get the
/// mode 0644, or 0755 if their owner could execute them.
///
/// # Errors
/// When the file or directory does not exist, when a bound is exceeded (files copied before that
/// are kept), or when the destination cannot be written.
pub fn copy_tree(
    work: &OwnedFd,
    name: &Path,
    destination: &Path,
    limits: CopyLimits,
) -> Result<CopyTotals, HarvestError> {
    copy(work.as_fd(), name, destination, limits, false)
}

/// Copies the contents of a directory into one that need not be empty: files of the same name are
/// replaced. There are no bounds, because the harness itself has prepared the files.
pub(crate) fn merge_tree(
    depot: BorrowedFd<'_>,
    name: &Path,
    destination: &Path,
) -> Result<CopyTotals, HarvestError> {
    copy(depot, name, destination, CopyLimits::OF_HARNESS, true)
}

fn copy(
    from: BorrowedFd<'_>,
    name: &Path,
    destination: &Path,
    limits: CopyLimits,
    merged: bool,
) -> Result<CopyTotals, HarvestError> {
    let mut harvest = Harvest {
        name,
        limits,
        merged,
        copied: CopyTotals::default(),
    };
    let (fd, stat) =
        open_untrusted(from, name.as_os_str().as_bytes()).map_err(|errno| missing(name, errno))?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => harvest.file(fd, &stat, destination)?,
        FileType::Directory => harvest.directory(&fd, destination, 0)?,
        _ => return Err(missing(name, Errno::INVAL)),
    }
    Ok(harvest.copied)
}

fn missing(name: impl Into<PathBuf>, source: impl Into<io::Error>) -> HarvestError {
    HarvestError::Missing {
        name: name.into(),
        source: source.into(),
    }
}

fn too_large(name: impl Into<PathBuf>, limit: u64, unit: &'static str) -> HarvestError {
    HarvestError::TooLarge {
        name: name.into(),
        limit,
        unit,
    }
}

/// Reads a file from a finished run's working directory.
///
/// # Errors
/// When there is no such regular file, or when it is larger than `max`.
pub fn read_file(work: &OwnedFd, name: &Path, max: u64) -> Result<Vec<u8>, HarvestError> {
    let (fd, stat) = open_untrusted(work.as_fd(), name.as_os_str().as_bytes())
        .map_err(|errno| missing(name, errno))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(missing(name, Errno::INVAL));
    }
    let mut bytes = Vec::new();
    let read = File::from(fd)
        .take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| missing(name, error))?;
    if read as u64 > max {
        return Err(too_large(name, max, "bytes"));
    }
    Ok(bytes)
}

/// Returns the names at the top of a finished run's working directory, in no particular order and
/// of any kind.
///
/// # Errors
/// When the directory cannot be read, or has more names than `max`.
pub fn names_in(work: &OwnedFd, max: u64) -> Result<Vec<OsString>, HarvestError> {
    let missing = |errno: Errno| missing(".", errno);
    let (fd, _) = open_untrusted(work.as_fd(), b".").map_err(missing)?;
    let mut names = Vec::new();
    for entry in Dir::read_from(fd).map_err(missing)? {
        let entry = entry.map_err(missing)?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        if names.len() as u64 >= max {
            return Err(too_large(".", max, "files"));
        }
        names.push(OsStr::from_bytes(name.to_bytes()).to_owned());
    }
    Ok(names)
}

/// True if the files of a finished run's working directory have reached this many bytes, one of
/// them or all together. A program that may not write more is not always killed: it may ignore
/// SIGXFSZ, and get EFBIG or ENOSPC.
#[must_use]
pub fn is_full(work: &OwnedFd, bytes: u64) -> bool {
    const DEPTH: usize = 16;
    sizes_below(work.as_fd(), DEPTH, 0, bytes).is_none()
}

/// The sum of the sizes below a directory, in whole pages and from `sum` on; `None` once there are
/// so many bytes.
fn sizes_below(directory: BorrowedFd<'_>, deeper: usize, mut sum: u64, bytes: u64) -> Option<u64> {
    const PAGE: u64 = 4096;
    let Ok(entries) = open_untrusted(directory, b".").and_then(|(fd, _)| Dir::read_from(fd)) else {
        return Some(sum);
    };
    // Whole pages, as the file system counts them.
    for entry in entries
        .flatten()
        .filter(|entry| ![c".", c".."].contains(&entry.file_name()))
    {
        let Ok((fd, stat)) = open_untrusted(directory, entry.file_name().to_bytes()) else {
            continue;
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                sum = sum.saturating_add(stat.st_size.unsigned_abs().next_multiple_of(PAGE));
                if sum >= bytes {
                    return None;
                }
            }
            FileType::Directory if deeper > 0 => {
                sum = sizes_below(fd.as_fd(), deeper - 1, sum, bytes)?;
            }
            _ => {}
        }
    }
    Some(sum)
}

impl Harvest<'_> {
    fn count_entry(&self) -> Result<(), HarvestError> {
        if self.copied.files + self.copied.directories + self.copied.skipped >= self.limits.entries
        {
            return Err(too_large(
                self.name,
                self.limits.entries,
                "files and directories",
            ));
        }
        Ok(())
    }

    fn file(
        &mut self,
        source: OwnedFd,
        stat: &Stat,
        destination: &Path,
    ) -> Result<(), HarvestError> {
        self.count_entry()?;
        let failed = |source| HarvestError::Destination {
            path: destination.to_owned(),
            source,
        };
        let mode = if stat.st_mode & 0o100 == 0 {
            0o644
        } else {
            0o755
        };
        if self.merged {
            match std::fs::remove_file(destination) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        // Always a new file, and never through a link: the destination is the harness's, but
        // names in it come from the program.
        let mut target = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .custom_flags(libc::O_NOFOLLOW)
            .open(destination)
            .map_err(failed)?;
        let room = self.limits.bytes - self.copied.bytes;
        // The size in `stat` is a claim of the moment; the copy is bounded by what is actually
        // read.
        let copied = io::copy(
            &mut File::from(source).take(room.saturating_add(1)),
            &mut target,
        )
        .map_err(failed)?;
        if copied > room {
            return Err(too_large(self.name, self.limits.bytes, "bytes"));
        }
        // The umask of this process may have taken bits away.
        target
            .flush()
            .and_then(|()| target.set_permissions(std::fs::Permissions::from_mode(mode)))
            .map_err(failed)?;
        self.copied.bytes += copied;
        self.copied.files += 1;
        Ok(())
    }

    fn directory(
        &mut self,
        source: &OwnedFd,
        destination: &Path,
        depth: u32,
    ) -> Result<(), HarvestError> {
        self.count_entry()?;
        if depth > self.limits.depth {
            return Err(too_large(
                self.name,
                self.limits.depth.into(),
                "levels of directories",
            ));
        }
        let failed = |source: io::Error| HarvestError::Destination {
            path: destination.to_owned(),
            source,
        };
        match DirBuilder::new().mode(0o755).create(destination) {
            Err(error) if self.merged && error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(failed)?,
        }
        rustix::fs::chmodat(
            CWD,
            destination,
            Mode::from_raw_mode(0o755),
            rustix::fs::AtFlags::empty(),
        )
        .map_err(|errno| failed(errno.into()))?;
        self.copied.directories += 1;
        // A directory that cannot be listed is left out like everything else that cannot be read.
        let Ok(entries) = Dir::read_from(source) else {
            self.copied.skipped += 1;
            return Ok(());
        };
        for entry in entries {
            let Ok(entry) = entry else { break };
            let name: &CStr = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            let destination = destination.join(OsStr::from_bytes(name.to_bytes()));
            let opened = open_untrusted(source.as_fd(), name.to_bytes()).map(|(fd, stat)| {
                let kind = FileType::from_raw_mode(stat.st_mode);
                (fd, stat, kind)
            });
            match opened {
                Ok((fd, stat, FileType::RegularFile)) => self.file(fd, &stat, &destination)?,
                Ok((fd, _, FileType::Directory)) => self.directory(&fd, &destination, depth + 1)?,
                _ => {
                    self.count_entry()?;
                    self.copied.skipped += 1;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    use crate::open::directory_handle;

    #[test]
    fn directories_are_full_by_one_file_or_by_the_sum() {
        let directory = tempfile::tempdir().unwrap();
        let work = OwnedFd::from(File::open(directory.path()).unwrap());
        assert!(!is_full(&work, 8192));
        std::fs::create_dir(directory.path().join("below")).unwrap();
        File::create(directory.path().join("below/one"))
            .unwrap()
            .set_len(4000)
            .unwrap();
        symlink("/proc/self/exe", directory.path().join("link")).unwrap();
        assert!(!is_full(&work, 8192));
        std::fs::write(directory.path().join("two"), "2").unwrap();
        assert!(is_full(&work, 8192) && !is_full(&work, 8193));
    }

    const LIMITS: CopyLimits = CopyLimits {
        bytes: 1000,
        entries: 20,
        depth: 3,
    };

    fn fixture() -> (tempfile::TempDir, OwnedFd) {
        let directory = tempfile::tempdir().unwrap();
        let work = directory.path().join("work");
        std::fs::create_dir_all(work.join("out/deep")).unwrap();
        std::fs::write(work.join("out/plain"), b"12345").unwrap();
        std::fs::write(work.join("out/deep/tool"), b"#!").unwrap();
        std::fs::set_permissions(
            work.join("out/deep/tool"),
            std::fs::Permissions::from_mode(0o4711),
        )
        .unwrap();
        std::fs::write(directory.path().join("secret"), b"secret").unwrap();
        symlink("../secret", work.join("link")).unwrap();
        symlink("/etc/passwd", work.join("out/link")).unwrap();
        symlink("..", work.join("up")).unwrap();
        rustix::fs::mknodat(
            CWD,
            work.join("out/pipe"),
            FileType::Fifo,
            Mode::from_raw_mode(0o644),
            0,
        )
        .unwrap();
        let work = directory_handle(&work).unwrap();
        (directory, work)
    }

    #[test]
    fn only_files_and_directories_are_copied() {
        let (directory, work) = fixture();
        let destination = directory.path().join("copy");
        let copied = copy_tree(&work, Path::new("out"), &destination, LIMITS).unwrap();
        assert_eq!(
            copied,
            CopyTotals {
                files: 2,
                directories: 2,
                bytes: 7,
                skipped: 2
            }
        );
        let mode = |name: &str| {
            destination
                .join(name)
                .symlink_metadata()
                .unwrap()
                .permissions()
                .mode()
                & 0o7777
        };
        assert_eq!(
            (mode("plain"), mode("deep/tool"), mode("deep")),
            (0o644, 0o755, 0o755)
        );
        assert!(destination.join("link").symlink_metadata().is_err());
        // It never writes over anything.
        assert!(copy_tree(&work, Path::new("out"), &destination, LIMITS).is_err());
        assert_eq!(
            read_file(&work, Path::new("out/plain"), 5).unwrap(),
            b"12345"
        );
    }

    #[test]
    fn only_top_level_names_are_returned() {
        let (_directory, work) = fixture();
        let mut names = names_in(&work, 3).unwrap();
        names.sort();
        assert_eq!(names, ["link", "out", "up"]);
        assert!(matches!(
            names_in(&work, 2),
            Err(HarvestError::TooLarge { .. })
        ));
    }

    #[test]
    fn merging_replaces_only_files_of_the_same_name() {
        let (directory, work) = fixture();
        let destination = directory.path().join("into");
        std::fs::create_dir_all(destination.join("deep")).unwrap();
        std::fs::write(destination.join("plain"), b"a longer text").unwrap();
        std::fs::write(destination.join("deep/other"), b"").unwrap();
        merge_tree(work.as_fd(), Path::new("out"), &destination).unwrap();
        assert_eq!(std::fs::read(destination.join("plain")).unwrap(), b"12345");
        assert!(destination.join("deep/other").exists() && destination.join("deep/tool").exists());
        // A file in the place of a directory is an error and is not replaced.
        std::fs::remove_dir_all(destination.join("deep")).unwrap();
        std::fs::write(destination.join("deep"), b"").unwrap();
        assert!(merge_tree(work.as_fd(), Path::new("out"), &destination).is_err());
    }

    #[test]
    fn copies_do_not_follow_links_out() {
        let (directory, work) = fixture();
        let destination = directory.path().join("copy");
        for name in [
            "link",
            "up/secret",
            "../secret",
            "/etc/passwd",
            "out/link",
            "out/pipe",
            "none",
            "up",
        ] {
            assert!(
                copy_tree(&work, Path::new(name), &destination, LIMITS).is_err(),
                "copy {name}"
            );
            assert!(
                read_file(&work, Path::new(name), 100).is_err(),
                "read {name}"
            );
        }
    }

    #[test]
    fn bounds_are_enforced() {
        let (directory, work) = fixture();
        let copy = |limits, name: &str| {
            copy_tree(
                &work,
                Path::new("out"),
                &directory.path().join(name),
                limits,
            )
        };
        assert!(matches!(
            copy(CopyLimits { bytes: 6, ..LIMITS }, "a"),
            Err(HarvestError::TooLarge { .. })
        ));
        assert!(matches!(
            copy(
                CopyLimits {
                    entries: 5,
                    ..LIMITS
                },
                "b"
            ),
            Err(HarvestError::TooLarge { .. })
        ));
        assert!(matches!(
            copy(CopyLimits { depth: 0, ..LIMITS }, "c"),
            Err(HarvestError::TooLarge { .. })
        ));
        assert!(
            copy(
                CopyLimits {
                    bytes: 7,
                    entries: 6,
                    depth: 1
                },
                "d"
            )
            .is_ok()
        );
        assert!(matches!(
            read_file(&work, Path::new("out/plain"), 4),
            Err(HarvestError::TooLarge { .. })
        ));
    }
}
