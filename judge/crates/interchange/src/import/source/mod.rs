//! The source of an import: an untrusted directory or archive.
//!
//! Responsible for listing and reading its files within bounds, and no files outside of it. Must
//! not know any format.

mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileType};
use std::io::{BufReader, Read as _};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use judge_files::LockedDirectory;
use judge_package::{
    BoundedFile, MAX_DATA_BYTES, UnpackError, archive_stem, is_archive, open_within, read_within,
    unpack_archive,
};
use sha2::{Digest, Sha256};

use crate::scratch::scratch;
use crate::{InterchangeError, IsStopped, Result};

/// The maximum number of files and directories in a source: inputs and answers of 20,000 test
/// cases, and half as many others.
const MAX_ENTRIES: usize = 60_000;
/// The maximum number of nested directories.
const MAX_DEPTH: usize = 32;

/// A directory or an archive that a problem is imported from.
#[derive(Debug, Default)]
pub struct Source {
    /// The path of the source as given by the user.
    named: PathBuf,
    /// The directory with the files.
    root: PathBuf,
    /// The number of directories that were entered because each contained everything else.
    depth: usize,
    /// Its files, relative to the root.
    files: BTreeSet<PathBuf>,
    /// Entries that are neither files nor directories, relative to the root, with a description.
    others: BTreeMap<PathBuf, &'static str>,
    /// The paths of files from an archive in the source.
    inner: BTreeMap<PathBuf, PathBuf>,
    /// Temporary directories of unpacked archives, which are removed on drop.
    unpacked: Vec<LockedDirectory>,
}

impl Source {
    /// Opens a directory, an archive (`.zip`, `.tar.gz`, `.tgz`), or a single file that contains a
    /// problem.
    ///
    /// # Errors
    /// If it cannot be read, is too large for a problem, or if the work is stopped.
    pub fn open(path: &Path, is_stopped: IsStopped<'_>) -> Result<Self> {
        let unreadable = InterchangeError::unreadable(path);
        let metadata = fs::metadata(path).map_err(&unreadable)?;
        let named = path.to_owned();
        if metadata.is_dir() {
            let root = path.canonicalize().map_err(&unreadable)?;
            return Self::from_directory(named, root, None);
        }
        if !metadata.is_file() {
            let why = format!(
                "expected a directory, an archive or a file, found {}",
                in_words(metadata.file_type())
            );
            return Err(InterchangeError::Unsound { path: named, why });
        }
        if is_archive(path) {
            let unpacked = scratch()?;
            let root = unpacked.path().canonicalize().map_err(&unreadable)?;
            unpack(path, &root, is_stopped)?;
            return Self::from_directory(named, root, Some(unpacked));
        }
        let root = path.canonicalize().map_err(&unreadable)?;
        // A single file is the whole source; other files in its directory are ignored.
        let name = PathBuf::from(root.file_name().unwrap_or_default());
        let root = root.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Self {
            named,
            root,
            files: BTreeSet::from([name]),
            ..Self::default()
        })
    }

    fn from_directory(
        named: PathBuf,
        root: PathBuf,
        unpacked: Option<LockedDirectory>,
    ) -> Result<Self> {
        let mut source = Self::from_tree(named, root, unpacked)?;
        source.enter_only_directory();
        Ok(source)
    }

    /// Lists a directory with everything in it, without entering an only directory.
    fn from_tree(named: PathBuf, root: PathBuf, unpacked: Option<LockedDirectory>) -> Result<Self> {
        let mut source = Self {
            named,
            root,
            unpacked: unpacked.into_iter().collect(),
            ..Self::default()
        };
        let mut seen = 0;
        source.collect(&source.root.clone(), 0, &mut seen)?;
        Ok(source)
    }

    fn collect(&mut self, directory: &Path, depth: usize, seen: &mut usize) -> Result<()> {
        let unreadable = InterchangeError::unreadable(directory);
        let unsound = |path: &Path, why: String| InterchangeError::Unsound {
            path: path.to_owned(),
            why,
        };
        if depth > MAX_DEPTH {
            let why = format!("expected at most {MAX_DEPTH} nested directories");
            return Err(unsound(directory, why));
        }
        for entry in fs::read_dir(directory).map_err(&unreadable)? {
            let entry = entry.map_err(&unreadable)?;
            *seen += 1;
            // Counted before the entry is examined, including ignored ones, so that the bound
            // limits the time for any directory.
            if *seen > MAX_ENTRIES {
                let why =
                    format!("expected at most {MAX_ENTRIES} files and directories, found more");
                return Err(unsound(&self.named, why));
            }
            let (path, name) = (entry.path(), entry.file_name());

            if name.to_str().is_some_and(is_leftover) {
                continue;
            }
            // This is the kind of the entry itself: links are not entered, since they could form a
            // cycle.
            let kind = entry.file_type().map_err(&unreadable)?;
            if kind.is_dir() {
                self.collect(&path, depth + 1, seen)?;
                continue;
            }
            let Ok(within) = path.strip_prefix(&self.root).map(Path::to_owned) else {
                continue;
            };
            // Some tools use links for tests that are in several groups.
            match path.canonicalize() {
                // Contests keep logos and libraries next to their problems. Links to such files are
                // not followed.
                Ok(real) if !real.starts_with(&self.root) => {
                    self.others
                        .insert(within, "a link that leads out of the problem (`cp -RL` creates a copy without links)");
                }
                Ok(real) if real.is_file() => {
                    self.files.insert(within);
                }
                Ok(real) if real.is_dir() => {
                    self.others.insert(within, "a link to a directory");
                }
                Err(_) if kind.is_symlink() => {
                    self.others.insert(within, "a dangling link");
                }
                Err(cause) => return Err(InterchangeError::unreadable(&path)(cause)),
                Ok(real) => {
                    let kind = fs::symlink_metadata(&real)
                        .map_err(InterchangeError::unreadable(&path))?
                        .file_type();
                    self.others.insert(within, in_words(kind));
                }
            }
        }
        Ok(())
    }

    /// Enters the directory that contains everything else, which many archives have.
    fn enter_only_directory(&mut self) {
        while let Some(first) = self.files.first().and_then(|file| file.components().next()) {
            let first = PathBuf::from(first.as_os_str());
            let is_only = self
                .files
                .iter()
                .all(|file| file.starts_with(&first) && *file != first);
            // A directory of tests does not contain a problem, and Hydro's may be the whole source.
            if first == Path::new("testdata") {
                return;
            }
            // A directory that contains only directories is entered too, unless there is only a
            // single file below it: then it is unclear where the problem begins.
            let has_files = self.files.iter().any(|file| file.components().count() == 2);
            if !is_only || !has_files && self.files.len() < 2 {
                return;
            }
            // From now on this directory is the root: formats name their files relative to it.
            self.root.push(&first);
            self.depth += 1;
            let relative = |path: &Path| path.strip_prefix(&first).map(Path::to_owned).ok();
            self.files = self
                .files
                .iter()
                .filter_map(|file| relative(file))
                .collect();
            // An entry outside of the entered directory is still reported, by its relative path.
            let from_root =
                |path: &Path| relative(path).unwrap_or_else(|| Path::new("..").join(path));
            self.others = self
                .others
                .iter()
                .map(|(path, what)| (from_root(path), *what))
                .collect();
        }
    }

    /// The path of the source as given by the user.
    #[must_use]
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// True if it was unpacked from an archive.
    pub(crate) fn is_archive(&self) -> bool {
        !self.unpacked.is_empty() && !self.named.is_dir()
    }

    /// The directory with its files.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a name for the problem: the name of the directory or archive.
    #[must_use]
    pub fn stem(&self) -> String {
        let name = self.named.canonicalize();
        let name = name.unwrap_or_else(|_| self.named.clone());
        if name.is_dir() {
            let name = name.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        } else {
            archive_stem(&name)
        }
    }

    /// Returns the name of the problem's directory, which is in an archive or the source itself.
    /// Some formats use it as the name of the problem.
    pub(crate) fn directory_name(&self) -> String {
        let is_entered = self.depth > 0;
        let name = self
            .root
            .file_name()
            .filter(|_| is_entered)
            .map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.stem())
    }

    /// Returns a hexadecimal digest of the names and contents of all files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn digest(&self) -> Result<String> {
        let mut sum = Sha256::new();
        let mut buffer = vec![0; 64 << 10];
        for file in &self.files {
            let mut reader = self.reader(file)?;
            // The length comes first, so that different lists of names never give the same bytes.
            sum.update((file.as_os_str().len() as u64).to_le_bytes());
            sum.update(file.as_os_str().as_encoded_bytes());
            // Each file is hashed separately, since its size is known only at its end.
            let mut content = Sha256::new();
            loop {
                match reader
                    .read(&mut buffer)
                    .map_err(InterchangeError::unreadable(&self.path(file)))?
                {
                    0 => break,
                    read => content.update(&buffer[..read]),
                }
            }
            sum.update(content.finalize());
        }
        Ok(sum
            .finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect())
    }

    /// True if the source contains this file.
    pub(crate) fn has(&self, file: impl AsRef<Path>) -> bool {
        self.files.contains(file.as_ref())
    }

    /// Its files, relative to the root, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The names of the directories at the root.
    pub(crate) fn directories(&self) -> Vec<PathBuf> {
        let first = |file: &Path| {
            let mut components = file.components();
            let first = PathBuf::from(components.next()?.as_os_str());
            components.next().map(|_| first)
        };
        let mut directories: Vec<PathBuf> = self.files().filter_map(first).collect();
        directories.dedup();
        directories
    }

    /// Returns one of its directories as a separate source. The outer source keeps the unpacked
    /// files.
    pub(crate) fn within(&self, directory: &Path) -> Self {
        let relative = |path: &Path| path.strip_prefix(directory).map(Path::to_owned).ok();
        // Files are sorted, so those of a directory are consecutive.
        let inner_files = self
            .files
            .range(directory.to_owned()..)
            .take_while(|file| file.starts_with(directory));
        Self {
            named: self.named.join(directory),
            root: self.root.join(directory),
            files: inner_files.filter_map(|file| relative(file)).collect(),
            ..Self::default()
        }
    }

    /// The files below a directory, relative to the root, in order.
    pub(crate) fn files_below(&self, directory: impl AsRef<Path>) -> impl Iterator<Item = &Path> {
        let directory = directory.as_ref().to_owned();
        self.files()
            .filter(move |file| file.starts_with(&directory) && *file != directory)
    }

    /// The files below a directory whose names are UTF-8. Others are reported as unused.
    pub(crate) fn names_below(&self, directory: &str) -> Vec<String> {
        self.files_below(directory)
            .filter_map(|file| file.to_str().map(str::to_owned))
            .collect()
    }

    /// The path of a file on disk.
    pub(crate) fn path(&self, file: impl AsRef<Path>) -> PathBuf {
        self.inner
            .get(file.as_ref())
            .cloned()
            .unwrap_or_else(|| self.root.join(file))
    }

    /// Entries that are neither files nor directories, with a description.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        self.others
            .iter()
            .map(|(path, what)| (path.as_path(), *what))
    }

    /// Returns the path of a file for display, which starts with the path given by the user.
    pub(crate) fn shown(&self, file: impl AsRef<Path>) -> PathBuf {
        let is_all = self.named.is_file() && !is_archive(&self.named);
        if is_all {
            self.named.clone()
        } else {
            self.named.join(file)
        }
    }

    /// Adds the files of an archive in the source. Existing files are not replaced.
    ///
    /// # Errors
    /// If the archive is missing or invalid.
    pub(crate) fn unpack(&mut self, archive: &str, is_stopped: IsStopped<'_>) -> Result<()> {
        let file = self.checked_path(Path::new(archive))?;
        let directory = scratch()?;
        let root = directory
            .path()
            .canonicalize()
            .map_err(InterchangeError::unreadable(&file))?;
        unpack(&file, &root, is_stopped).map_err(|error| match error {
            InterchangeError::Archive(mut error) => {
                error.file = self.shown(archive);
                InterchangeError::Archive(error)
            }
            error => error,
        })?;
        let inner = Self::from_tree(self.shown(archive), root, Some(directory))?;
        for name in inner.files {
            if self.files.insert(name.clone()) {
                self.inner.insert(name.clone(), inner.root.join(&name));
            }
        }
        self.others.extend(inner.others);
        self.unpacked.extend(inner.unpacked);
        Ok(())
    }

    /// Adds the headers of a directory outside of the source, which the problems of a format share,
    /// as if they were in the source. Does nothing for archives, or if the directory does not
    /// exist.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub(crate) fn add_headers(&mut self, shared: &str) -> Result<()> {
        let directory = self.root.join(shared);
        if !self.unpacked.is_empty() || !directory.is_dir() {
            return Ok(());
        }
        let unreadable = InterchangeError::unreadable(&directory);
        for entry in fs::read_dir(&directory).map_err(&unreadable)? {
            let entry = entry.map_err(&unreadable)?;
            let name = PathBuf::from(entry.file_name());
            // Only headers are taken from outside of the source.
            let is_header = name.extension().is_some_and(|extension| extension == "h");
            if is_header
                && entry.file_type().is_ok_and(|kind| kind.is_file())
                && self.files.insert(name.clone())
            {
                self.inner.insert(name, entry.path());
            }
        }
        Ok(())
    }

    /// Returns the path on disk of a file in the source. Names are untrusted: one may be
    /// `../../other`.
    ///
    /// # Errors
    /// If the source contains no such file.
    fn checked_path(&self, file: &Path) -> Result<PathBuf> {
        if self.has(file) {
            return Ok(self.path(file));
        }
        let why = format!("expected `{}` in the source, found none", file.display());
        Err(InterchangeError::Unsound {
            path: self.named.clone(),
            why,
        })
    }

    /// Opens a file that may be large.
    ///
    /// # Errors
    /// If it is not in the source, cannot be opened, or is larger than test data may be.
    pub(crate) fn reader(&self, file: impl AsRef<Path>) -> Result<BufReader<BoundedFile>> {
        let path = self.checked_path(file.as_ref())?;
        let opened =
            open_within(&path, MAX_DATA_BYTES).map_err(InterchangeError::unreadable(&path))?;
        Ok(BufReader::with_capacity(64 << 10, opened))
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If it is not in the source, cannot be read, or is larger than test data may be.
    pub(crate) fn bytes(&self, file: impl AsRef<Path>) -> Result<Vec<u8>> {
        let path = self.checked_path(file.as_ref())?;
        read_within(&path, MAX_DATA_BYTES).map_err(InterchangeError::unreadable(&path))
    }
}

/// True for the name of a file or directory that an operating system or Git adds.
///
/// On other file systems and in archives, macOS stores additional attributes of `1.in` in `._1.in`
/// (`AppleDouble`).
fn is_leftover(name: &str) -> bool {
    name.starts_with("._") || matches!(name, "__MACOSX" | ".DS_Store" | ".git")
}

/// Describes an entry that is neither a file nor a directory.
fn in_words(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

/// Unpacks an archive into an empty directory.
fn unpack(archive: &Path, into: &Path, is_stopped: IsStopped<'_>) -> Result<()> {
    let unpacked = unpack_archive(archive, into, MAX_ENTRIES, is_stopped);
    // An interrupt makes the unpacking fail, although the archive is valid.
    if is_stopped() {
        return Err(InterchangeError::Stopped);
    }
    unpacked.map_err(|error| match error {
        UnpackError::Unsound(error) => InterchangeError::Archive(error),
        UnpackError::Unwritable { path, cause } => InterchangeError::Unwritable { path, cause },
        other => InterchangeError::Unsound {
            path: archive.to_owned(),
            why: other.to_string(),
        },
    })
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
