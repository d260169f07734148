//! Archives: their files, and the bytes of the resulting zip file.
//!
//! Responsible for reproducible archives: the same files give the same bytes on every host, since
//! entries are sorted by name, with a fixed time and two possible modes. Must not know which judge
//! an archive is for.

mod delivery;
mod error_keeper;
mod purpose;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_files::{real_path, regular_file};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::IsStopped;

pub(super) use delivery::read_back;
pub use delivery::{Delivery, Output, check_targets};
use error_keeper::{ErrorKeeper, FirstError, ReadFor};
pub use purpose::Purpose;

/// The maximum depth of directories, which ends loops of links.
const MAX_DEPTH: usize = 32;
/// The maximum number of files. More files are considered a mistake.
const MAX_FILES: usize = 100_000;
/// The maximum size of a file without zip64, in bytes.
const SMALL: u64 = u32::MAX as u64;

/// The content of a file.
#[derive(Clone, Debug)]
enum EntryContent {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A file, which is read when the archive is written.
    File(PathBuf),
}

/// A file of an archive.
#[derive(Clone, Debug)]
struct Entry {
    content: EntryContent,
    executable: bool,
}

/// The files of an archive by their paths in it, with `/` between directories.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    purpose: Purpose,
    entries: BTreeMap<String, Entry>,
}

/// A file in a packed directory.
#[derive(Clone, Debug)]
pub(super) struct FoundFile {
    /// Its path below the directory, with `/` between directories.
    pub(super) name: String,
    /// The file.
    pub(super) path: PathBuf,
    /// True if its owner may execute it.
    pub(super) executable: bool,
}

impl Archive {
    /// Puts bytes at a path, replacing an existing entry.
    pub(super) fn put(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.put_program(path, bytes, false);
    }

    /// Puts the bytes of a program at a path.
    pub(super) fn put_program(
        &mut self,
        path: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
        executable: bool,
    ) {
        self.insert(path, EntryContent::Bytes(bytes.into()), executable);
    }

    /// Puts a file that is not executable at a path.
    pub(super) fn put_file(&mut self, path: impl Into<String>, file: &Path) {
        self.insert(path, EntryContent::File(file.to_owned()), false);
    }

    /// Puts a file of a packed directory at a path.
    pub(super) fn put_found(&mut self, path: impl Into<String>, found: &FoundFile) {
        let content = EntryContent::File(found.path.clone());
        self.insert(path, content, found.executable);
    }

    fn insert(&mut self, path: impl Into<String>, content: EntryContent, executable: bool) {
        self.entries.insert(
            path.into(),
            Entry {
                content,
                executable,
            },
        );
    }

    /// Removes a file.
    pub(super) fn remove(&mut self, path: &str) {
        self.entries.remove(path);
    }

    /// True if there is a file at a path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// The paths of its files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Moves everything into a directory.
    #[must_use]
    pub(super) fn below(self, directory: &str) -> Self {
        let entries = self
            .entries
            .into_iter()
            .map(|(path, entry)| (format!("{directory}/{path}"), entry));
        Self {
            purpose: self.purpose,
            entries: entries.collect(),
        }
    }

    /// Sets the purpose, which is stored in the comment.
    #[must_use]
    pub(super) fn with_purpose(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }

    /// Writes the zip file. Directories have their own entries before their contents, which
    /// DOMjudge requires for submissions of several files.
    ///
    /// # Errors
    /// If a file cannot be read, the archive cannot be written, or the work is stopped.
    fn write(&self, into: impl Write + Seek, is_stopped: IsStopped<'_>) -> io::Result<()> {
        let first_error = FirstError::default();
        let keeper = ErrorKeeper::new(into, is_stopped, first_error.clone());
        let written = self.write_zip(keeper, &first_error);
        first_error.take()?;
        written
    }

    fn write_zip(&self, into: impl Write + Seek, first_error: &FirstError) -> io::Result<()> {
        let mut writer = ZipWriter::new(into);
        writer
            .set_comment(self.purpose.comment())
            .map_err(io::Error::other)?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        let mut directories = BTreeSet::new();
        for (path, entry) in &self.entries {
            if first_error.has_occurred() {
                break;
            }
            for (end, _) in path.match_indices('/') {
                if directories.insert(&path[..end]) {
                    writer.add_directory(&path[..end], options.unix_permissions(0o755))?;
                }
            }
            let options = options.unix_permissions(if entry.executable { 0o755 } else { 0o644 });
            match &entry.content {
                EntryContent::Bytes(bytes) => {
                    writer.start_file(path.as_str(), options)?;
                    writer.write_all(bytes)?;
                }
                EntryContent::File(file) => {
                    let in_words = |error: io::Error| {
                        io::Error::new(error.kind(), format!("`{}`: {error}", file.display()))
                    };
                    let opened = regular_file::open(file).map_err(in_words)?;
                    let large = opened.metadata()?.len() >= SMALL;
                    writer.start_file(path.as_str(), options.large_file(large))?;
                    let mut opened = ReadFor {
                        inner: opened,
                        first_error: first_error.clone(),
                    };
                    io::copy(&mut opened, &mut writer).map_err(in_words)?;
                }
            }
        }
        writer.finish()?.flush()
    }
}

/// Returns all files below a directory, sorted by name, or none if the directory does not exist.
/// Links within the package are followed, and replaced by files in archives.
///
/// # Errors
/// If something cannot be read, is neither a file nor a directory, has a name that is not UTF-8, or
/// is a link that leads out of the package.
pub(super) fn files_below(directory: &Path) -> io::Result<Vec<FoundFile>> {
    let mut found = Vec::new();
    if directory.is_dir() {
        collect(directory, "", 0, &mut found)?;
    }
    Ok(found)
}

fn collect(
    directory: &Path,
    prefix: &str,
    depth: usize,
    found: &mut Vec<FoundFile>,
) -> io::Result<()> {
    let wrong = |path: &Path, why: &str| io::Error::other(format!("`{}` {why}", path.display()));
    if depth > MAX_DEPTH {
        let outermost = directory.ancestors().nth(MAX_DEPTH).unwrap_or(directory);
        let why = format!("has more than {MAX_DEPTH} nested directories: links may form a cycle");
        return Err(wrong(outermost, &why));
    }
    let in_words = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
    };
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect()
        })
        .map_err(|error| in_words(directory, error))?;
    entries.sort();
    for path in entries {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(wrong(&path, "has a name that is not UTF-8"));
        };
        let name = format!("{prefix}{name}");
        // Loading a package does not check all directories, but its rule for links applies to all
        // of them.
        if path.is_symlink()
            && real_path(&path).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        {
            return Err(wrong(&path, "is a link that leads out of the package"));
        }
        let metadata = fs::metadata(&path).map_err(|error| in_words(&path, error))?;
        if metadata.is_dir() {
            collect(&path, &format!("{name}/"), depth + 1, found)?;
        } else if metadata.is_file() {
            let executable = metadata.permissions().mode() & 0o100 != 0;
            found.push(FoundFile {
                name,
                path,
                executable,
            });
        } else {
            return Err(wrong(&path, "is neither a file nor a directory"));
        }
        if found.len() > MAX_FILES {
            return Err(wrong(
                directory,
                &format!("contains more than {MAX_FILES} files"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    fn bytes(archive: &Archive) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        archive.write(&mut bytes, &|| false).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn bytes_depend_only_on_names_and_contents() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("data");
        let mut archives = [Archive::default(), Archive::default()];
        for (archive, mode) in archives.iter_mut().zip([0o600, 0o644]) {
            fs::write(&file, "1\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            archive.put_file("b/1.in", &file);
            archive.put_program("a", "x", true);
        }
        let packed = bytes(&archives[0]);
        assert_eq!(packed, bytes(&archives[1]));
        let mut read = zip::ZipArchive::new(Cursor::new(packed)).unwrap();
        assert_eq!(read.comment(), Purpose::default().comment().as_bytes());
        let names: Vec<_> = read
            .file_names()
            .map(|name| name.unwrap().into_owned())
            .collect();
        assert_eq!(names, ["a", "b/", "b/1.in"]);
        let modes: Vec<_> = (0..3)
            .map(|index| read.by_index(index).unwrap().unix_mode().unwrap() & 0o777)
            .collect();
        assert_eq!(modes, [0o755, 0o755, 0o644]);
        let mut text = String::new();
        read.by_name("b/1.in")
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "1\n");
    }

    #[test]
    fn pipes_and_cycles_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).unwrap();
        std::os::unix::fs::symlink(&inner, inner.join("again")).unwrap();
        let error = files_below(&inner).unwrap_err().to_string();
        assert!(
            error.contains("cycle") || error.contains("symbolic links"),
            "{error}"
        );
        fs::remove_file(inner.join("again")).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(inner.join("socket")).unwrap();
        let error = files_below(&inner).unwrap_err().to_string();
        assert!(error.contains("neither a file nor a directory"), "{error}");
        drop(socket);
    }
}
