//! Reports and documents, which get their names only when they are complete.
//!
//! Responsible for the file at a path that a user gave: it is the complete report, or the previous
//! file. Must not know the content.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use judge_files::{Replacement, ReplacementOptions, is_in_package, without_parents};
use rustix::fs::{Access, OFlags, access};

use crate::failure::Failure;

/// A file that is being written.
pub(crate) struct WholeFile {
    target: Target,
    path: PathBuf,
}

/// The destination of the text.
enum Target {
    File(Replacement),
    /// A device or a pipe, which is written directly.
    Stream(File),
}

impl WholeFile {
    /// Opens the file, so that an unwritable place is an error before anything else is done.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // As for all files that are written, `..` removes a component of the path: its target on
        // disk depends on links.
        let path = &without_parents(path).map_err(failed(path))?;
        if path.is_dir() {
            return Err(failed(path)(io::ErrorKind::IsADirectory.into()));
        }
        let target = match open_stream(path).map_err(failed(path))? {
            Some(stream) => Target::Stream(stream),
            None => {
                // Next to the target and not in a temporary directory: renaming works within one
                // file system only. The process id keeps two commands apart.
                let mut unfinished = path.as_os_str().to_owned();
                unfinished.push(format!(".partial-{}", std::process::id()));
                let unfinished = Some(PathBuf::from(unfinished));
                let options = ReplacementOptions {
                    unfinished,
                    on_disk: true,
                    ..ReplacementOptions::default()
                };
                Target::File(Replacement::begin(path, options).map_err(failed(path))?)
            }
        };
        Ok(Self {
            target,
            path: path.to_owned(),
        })
    }

    fn file(&self) -> &File {
        match &self.target {
            Target::File(replacement) => replacement.file(),
            Target::Stream(file) => file,
        }
    }

    /// Another handle on the file.
    pub(crate) fn clone_handle(&self) -> Result<File, Failure> {
        self.file().try_clone().map_err(failed(&self.path))
    }

    /// Writes the whole content, and keeps the file.
    pub(crate) fn keep_with(self, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.file()
            .write_all(content.as_ref())
            .map_err(failed(&self.path))?;
        self.keep()
    }

    /// Gives the file its name.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        match self.target {
            Target::File(replacement) => replacement.finish().map_err(failed(&self.path)),
            Target::Stream(mut file) => file.flush().map_err(failed(&self.path)),
        }
    }
}

/// Opens what cannot be replaced by a file: a stream of this process, a device in `/dev`, or a
/// named pipe outside of packages. `None` for everything else, which is replaced; also for a link
/// with any target.
fn open_stream(path: &Path) -> io::Result<Option<File>> {
    let clone = |stream: BorrowedFd<'_>| {
        stream
            .try_clone_to_owned()
            .map(|stream| Some(File::from(stream)))
    };
    // Opened by their names, streams that are files would be written from their beginnings.
    match path.to_str() {
        Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => {
            return clone(io::stdout().as_fd());
        }
        Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => {
            return clone(io::stderr().as_fd());
        }
        _ => {}
    }
    if ["/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|descriptors| path.parent() == Some(Path::new(descriptors)))
    {
        return File::options().append(true).open(path).map(Some);
    }
    let Ok(found) = path.symlink_metadata() else {
        return Ok(None);
    };
    let is_stream = |kind: std::fs::FileType| {
        kind.is_fifo() || kind.is_char_device() && path.starts_with("/dev")
    };
    if found.is_file() || found.is_symlink() {
        return Ok(None);
    }
    let not_writable = || {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is neither a regular file nor a stream",
        )
    };
    if !is_stream(found.file_type()) || is_in_package(path)? {
        return Err(not_writable());
    }
    let file = File::options()
        .write(true)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)?;
    // It may have been replaced since it was examined.
    if is_stream(file.metadata()?.file_type()) {
        Ok(Some(file))
    } else {
        Err(not_writable())
    }
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<> {
    let what = format!("`{}`", path.display());
    let directory = path.parent().map(Path::to_owned);
    move |source| {
        let missing = directory.filter(|parent| {
            source.kind() == io::ErrorKind::NotFound
                && !parent.as_os_str().is_empty()
                && !parent.exists()
        });
        let Some(directory) = missing else {
            return Failure::Write { what, source };
        };
        let shown = directory.display();
        let existing = directory.ancestors().find(|place| place.exists());
        let refused =
            existing.and_then(|place| Some((place, access(place, Access::WRITE_OK).err()?)));
        let text = match refused {
            None => format!("there is no directory `{shown}`\nhint: `mkdir -p {shown}`"),
            Some((place, error)) => {
                let (place, error) = (place.display(), io::Error::from(error));
                format!("there is no directory `{shown}`, and `{place}` cannot be written: {error}")
            }
        };
        let source = io::Error::new(source.kind(), text);
        Failure::Write { what, source }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_directory_that_cannot_be_created_is_not_recommended() {
        let place = tempfile::tempdir().unwrap();
        let message = || {
            let missing = failed(&place.path().join("none/report"))(io::ErrorKind::NotFound.into());
            missing.to_string()
        };
        assert!(message().contains("hint: `mkdir -p "), "{}", message());
        set_permissions(place.path(), Permissions::from_mode(0o500)).unwrap();
        if rustix::process::geteuid().is_root() {
            println!("SKIPPED: root can write everywhere");
            return;
        }
        let refused = message();
        assert!(
            refused.contains("cannot be written") && !refused.contains("mkdir"),
            "{refused}"
        );
    }
}
