//! Archives: a package as one file, `.kpp` or `.zip`, or a problem of another format, also
//! `.tar.gz` or `.tgz`.
//!
//! Responsible for unpacking them without trusting them: nothing is written outside the given
//! directory, and nothing grows without bounds. Must not know what a package contains, except the
//! file that marks it.
//!
//! Source: 2025-09, "General Requirements": a zip archive of the package's directory, named
//! like it.

mod fault;
mod tar;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use judge_files::regular_file;
use zip::ZipArchive;
use zip::read::ZipFile;

use crate::disk::discovery::{HYDRO_CONFIG, MARKER, is_package};
use crate::disk::names::is_tar;
use crate::error::Finding;
use fault::{Fault, unsound};
use tar::{Kind, OTHER_KIND, TarReader};

pub use fault::UnpackError;

/// Bounds on the contents of an archive. Real packages contain far less.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The maximum total size of all files, in bytes.
    pub(crate) bytes: u64,
    /// The maximum ratio of that size to the size of the archive; checked only above
    /// `always_allowed_bytes`.
    pub(crate) ratio: u64,
    /// The total size of contents that every archive may have, regardless of its own size, in
    /// bytes.
    pub(crate) always_allowed_bytes: u64,
    /// The maximum number of files, directories and links.
    pub(crate) entries: usize,
    /// The maximum number of nested directories.
    pub(crate) depth: usize,
}

/// The bounds for packages.
pub(crate) const BOUNDS: Bounds =
    // Deflate compresses by a factor of at most about 1000, so only a ratio well below that is an
    // effective bound. Test data that repeat one number come close to it, so archives with small
    // contents are exempt.
    Bounds {
        bytes: 8 << 30,
        ratio: 200,
        always_allowed_bytes: 512 << 20,
        entries: 100_000,
        depth: 32,
    };

impl Bounds {
    /// Returns the maximum size of the contents of an archive of this size, in bytes.
    fn max_contents(&self, archive_bytes: u64) -> u64 {
        self.bytes.min(
            self.always_allowed_bytes
                .max(archive_bytes.saturating_mul(self.ratio)),
        )
    }
}

/// Unpacks an archive into an empty directory, and returns the directory of the package: that
/// directory itself, or the only package directly in it.
///
/// # Errors
/// The first fault of the archive or of the host, such as a full disk. A part of the archive may be
/// unpacked then.
pub(crate) fn unpack(file: &Path, into: &Path, bounds: &Bounds) -> Result<PathBuf, UnpackError> {
    unpack_files(file, into, bounds, &|| false)?;
    Ok(package_in(into).map_err(|message| unsound(file, message))?)
}

/// Unpacks an archive of any kind of files into an empty directory, within the bounds of packages,
/// and of `max_entries` files, directories and links. `is_stopped` is polled, and ends the work.
///
/// # Errors
/// The first fault of the archive or of the host, such as a full disk, or that it was stopped. A
/// part of the archive may be unpacked then.
pub fn unpack_archive(
    file: &Path,
    into: &Path,
    max_entries: usize,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    unpack_files(
        file,
        into,
        &Bounds {
            entries: max_entries.min(BOUNDS.entries),
            ..BOUNDS
        },
        is_stopped,
    )
}

/// True if a file is an archive with a package in it: the file that marks a package is at its top,
/// or in a directory there. Nothing is unpacked.
#[must_use]
pub fn holds_package(file: &Path) -> bool {
    let Ok(names) = regular_file::open(file).and_then(|opened| names_in(file, opened)) else {
        return false;
    };
    let is_at_top = |name: &str, marker: &str| {
        // `tar` names entries `./x` when it packs the current directory.
        let name = name.strip_prefix("./").unwrap_or(name);
        name == marker || name.split_once('/').is_some_and(|(_, name)| name == marker)
    };
    // A problem of Hydro has a `problem.yaml` as well, with other keys. The second file
    // distinguishes the two formats.
    names.iter().any(|name| is_at_top(name, MARKER))
        && !names.iter().any(|name| is_at_top(name, HYDRO_CONFIG))
}

/// The names of the entries of an archive, within the bounds of packages.
fn names_in(file: &Path, opened: File) -> io::Result<Vec<String>> {
    if !is_tar(file) {
        let archive = ZipArchive::new(BufReader::new(opened))?;
        return Ok(archive
            .file_names()
            .flatten()
            .map(Cow::into_owned)
            .collect());
    }
    // A zip archive lists its names at its end. The names of a tar archive are between the
    // contents, so all of it is decompressed, within the same bounds as for unpacking.
    let left = BOUNDS.max_contents(opened.metadata()?.len());
    let mut archive = tar_reader(opened, left, &|| false);
    let mut names = Vec::new();
    while let Some(entry) = archive.next_entry()? {
        if names.len() == BOUNDS.entries {
            return Err(io::Error::other(too_many(&BOUNDS)));
        }
        names.push(String::from_utf8_lossy(&entry.name).into_owned());
        io::copy(&mut archive, &mut io::sink())?;
    }
    Ok(names)
}

/// Creates a reader of the entries of an archive that `tar` and `gzip` have packed. All
/// decompressed bytes are charged, headers included: these can be as large as the files.
fn tar_reader(
    opened: File,
    left: u64,
    is_stopped: &dyn Fn() -> bool,
) -> TarReader<ChargedReader<'_, MultiGzDecoder<BufReader<File>>>> {
    TarReader::new(ChargedReader {
        inner: MultiGzDecoder::new(BufReader::new(opened)),
        left,
        is_stopped,
    })
}

fn unpack_files(
    file: &Path,
    into: &Path,
    bounds: &Bounds,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(), UnpackError> {
    let opened = regular_file::open(file).map_err(|cause| Finding::unreadable(file, &cause))?;
    let size = opened
        .metadata()
        .map_err(|cause| Finding::unreadable(file, &cause))?
        .len();
    let left = bounds.max_contents(size);
    let mut unpacking = Unpacking {
        into,
        bounds,
        is_stopped,
        seen: BTreeMap::new(),
        links: Vec::new(),
    };
    let unpacked = if is_tar(file) {
        unpacking.unpack_tar(opened, left)
    } else {
        unpacking.unpack_zip(file, opened, left)
    };
    // Links are created after all files, so no entry can be written through a link of an earlier
    // entry.
    unpacked
        .and_then(|()| make_links(into, &unpacking.links))
        .map_err(|fault| fault.in_archive(file))
}

/// The state of unpacking an archive into a directory.
struct Unpacking<'a> {
    into: &'a Path,
    bounds: &'a Bounds,
    is_stopped: &'a dyn Fn() -> bool,
    /// The paths unpacked so far; true for directories.
    seen: BTreeMap<PathBuf, bool>,
    /// The links. They are created last, so that nothing is ever written through one.
    links: Vec<(String, PathBuf, String)>,
}

impl Unpacking<'_> {
    /// Unpacks a zip archive with contents of at most `left` bytes.
    fn unpack_zip(&mut self, file: &Path, opened: File, mut left: u64) -> Result<(), Fault> {
        let mut archive = ZipArchive::new(BufReader::new(opened)).map_err(|cause| {
            format!(
                "cannot be read as a zip archive; it has another format or is truncated: {cause}"
            )
        })?;
        check_count(&archive, file, self.bounds)?;
        // An archive that states too large a size need not be unpacked. The stated size is
        // untrusted, so the bytes are also counted while they are unpacked.
        if archive
            .decompressed_size()
            .is_some_and(|stated| stated > u128::from(left))
        {
            return Err(TOO_LARGE.to_owned().into());
        }
        for index in 0..archive.len() {
            let entry = archive
                .by_index(index)
                .map_err(|cause| format!("entry {index}: {cause}"))?;
            // The library decodes a name as code page 437 unless the archive states that it is
            // UTF-8, which some tools that write UTF-8 omit.
            let (name, kind) = (entry.name_raw().to_vec(), kind_of(&entry));
            let mut contents = ChargedReader {
                inner: entry,
                left,
                is_stopped: self.is_stopped,
            };
            self.put(&name, kind, &mut contents)?;
            left = contents.left;
        }
        Ok(())
    }

    /// Unpacks a tar archive with contents of at most `left` bytes.
    fn unpack_tar(&mut self, opened: File, left: u64) -> Result<(), Fault> {
        let broken = |cause: io::Error| match cause.kind() {
            // Exceeded bounds and interrupts have their own messages.
            io::ErrorKind::Other => cause.to_string(),
            _ => format!("cannot be read as a tar archive that gzip has packed: {cause}"),
        };
        let mut archive = tar_reader(opened, left, self.is_stopped);
        let mut count = 0;
        while let Some(entry) = archive.next_entry().map_err(broken)? {
            count += 1;
            if count > self.bounds.entries {
                return Err(too_many(self.bounds).into());
            }
            match entry.kind {
                Ok(Kind::Link) => self.put(&entry.name, entry.kind, &mut &entry.target[..])?,
                kind => self.put(&entry.name, kind, &mut archive)?,
            }
        }
        // The checksum of gzip follows the last byte, so that a damaged archive is only found
        // at its very end.
        Ok(archive.drain().map_err(broken)?)
    }

    /// Unpacks an entry to the path that its name in the archive gives.
    fn put(
        &mut self,
        raw_name: &[u8],
        kind: Result<Kind, String>,
        contents: &mut dyn Read,
    ) -> Result<(), Fault> {
        let name = format!("`{}`", String::from_utf8_lossy(raw_name).escape_debug());
        self.put_named(&name, raw_name, kind, contents)
            .map_err(|fault| fault.about(&name))
    }

    fn put_named(
        &mut self,
        name: &str,
        raw_name: &[u8],
        kind: Result<Kind, String>,
        contents: &mut dyn Read,
    ) -> Result<(), Fault> {
        // The contents of an ignored entry are read as well: they count against the bounds, and the
        // next entry of a tar archive follows them.
        let Some(path) = entry_path(raw_name, self.bounds.depth)? else {
            io::copy(contents, &mut io::sink()).map_err(|cause| cause.to_string())?;
            return Ok(());
        };
        let kind = kind?;
        // Claimed before anything is written: tools disagree about which of two entries with
        // the same path counts.
        claim(&mut self.seen, &path, kind == Kind::Directory)?;
        let target = self.into.join(&path);
        match kind {
            Kind::Directory => fs::create_dir_all(&target).map_err(Fault::writing(&target))?,
            Kind::Link => self
                .links
                .push((name.to_owned(), path, read_link(contents)?)),
            Kind::File { executable } => write_file(contents, &target, executable)?,
        }
        Ok(())
    }
}

fn too_many(bounds: &Bounds) -> String {
    format!(
        "expected at most {} files and directories, found more",
        bounds.entries
    )
}

/// Counts the entries as the archive lists them. The reader merges entries of the same name, so an
/// archive could choose which one is shown.
fn check_count(
    archive: &ZipArchive<BufReader<File>>,
    file: &Path,
    bounds: &Bounds,
) -> Result<(), String> {
    let listed = listed_entries(file, archive.central_directory_start())
        .map_err(|cause| cause.to_string())?;
    if listed > bounds.entries {
        return Err(too_many(bounds));
    }
    if listed != archive.len() {
        return Err("has several entries of the same name".to_owned());
    }
    Ok(())
}

/// Source: PKWARE, "APPNOTE.TXT", 4.3.12: the records of the central directory follow each other,
/// 46 bytes and three fields whose lengths are at 28, 30 and 32.
fn listed_entries(file: &Path, start: u64) -> io::Result<usize> {
    let mut reader = BufReader::new(regular_file::open(file)?);
    reader.seek(SeekFrom::Start(start))?;
    let mut count = 0;
    let mut record = [0u8; 46];
    // Each record begins with this signature. The record of the end of the directory has
    // another one.
    while reader.read_exact(&mut record).is_ok() && record[..4] == *b"PK\x01\x02" {
        let field = |at: usize| i64::from(u16::from_le_bytes([record[at], record[at + 1]]));
        reader.seek_relative(field(28) + field(30) + field(32))?;
        count += 1;
    }
    Ok(count)
}

/// The path of an entry, relative and without `.` and `..`; `None` for entries that some tools add.
fn entry_path(raw: &[u8], depth: usize) -> Result<Option<PathBuf>, String> {
    let name = std::str::from_utf8(raw).map_err(|_| "expected a name in UTF-8".to_owned())?;
    // Tools on Windows write backslashes. On Linux, `a\b` would be one odd name instead of a
    // file in a directory.
    if name.contains(['\\', '\0']) {
        return Err("expected a name without backslashes, with `/` between directories".to_owned());
    }
    // The second condition matches a drive of Windows, such as `C:`.
    if name.starts_with('/') || name.as_bytes().get(1) == Some(&b':') {
        return Err("expected a relative path, found an absolute one".to_owned());
    }
    let mut path = PathBuf::new();
    let mut count = 0;
    for part in name.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            return Err("expected a path inside the package, found one with `..`".to_owned());
        }
        // NAME_MAX of Linux.
        if part.len() > 255 {
            return Err("expected names of at most 255 bytes".to_owned());
        }
        path.push(part);
        count += 1;
    }
    if count > depth {
        return Err(format!("expected at most {depth} nested directories"));
    }
    // Finder puts its own files into archives.
    let added = path
        .components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("__MACOSX" | ".DS_Store")));
    Ok((count > 0 && !added).then_some(path))
}

fn kind_of<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> Result<Kind, String> {
    const TYPE: u32 = 0o170_000;
    if entry.encrypted() {
        return Err("is encrypted".to_owned());
    }
    let mode = entry.unix_mode().unwrap_or(0);
    match mode & TYPE {
        _ if entry.is_dir() => Ok(Kind::Directory),
        // 0 means that the archive states no type: not every tool stores modes of Unix, and
        // some store the permissions alone.
        0 | 0o100_000 => Ok(Kind::File {
            executable: mode & 0o111 != 0,
        }),
        0o040_000 => Ok(Kind::Directory),
        0o120_000 => Ok(Kind::Link),
        _ => Err(OTHER_KIND.to_owned()),
    }
}

/// Claims a path, which must be unused. The paths above it must be directories.
fn claim(
    seen: &mut BTreeMap<PathBuf, bool>,
    path: &Path,
    is_directory: bool,
) -> Result<(), String> {
    for above in path
        .ancestors()
        .skip(1)
        .filter(|above| !above.as_os_str().is_empty())
    {
        // Many archives list no directories at all, so a path above an entry counts as a
        // directory from then on, and no later entry can make a file of it.
        if !seen.entry(above.to_owned()).or_insert(true).to_owned() {
            return Err(format!(
                "lies in `{}`, which is not a directory",
                above.display()
            ));
        }
    }
    match seen.insert(path.to_owned(), is_directory) {
        None => Ok(()),
        // A directory may be listed after what is in it.
        Some(true) if is_directory => Ok(()),
        Some(_) => Err("exists twice".to_owned()),
    }
}

const TOO_LARGE: &str =
    "the archive grows too large: no package needs that much space, or compresses that well";

/// A reader of an untrusted archive. It fails after too many bytes, or when it is stopped.
struct ChargedReader<'s, R> {
    inner: R,
    /// The number of bytes that it may still return.
    left: u64,
    is_stopped: &'s dyn Fn() -> bool,
}

impl<R: Read> Read for ChargedReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Callers that retry would ignore an error of the kind `Interrupted`.
        if (self.is_stopped)() {
            return Err(io::Error::other("unpacking was stopped"));
        }
        let count = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::other(TOO_LARGE))?;
        Ok(count)
    }
}

/// Unpacks a file.
fn write_file(entry: &mut dyn Read, target: &Path, executable: bool) -> Result<(), Fault> {
    let writing = Fault::writing(target);
    if let Some(directory) = target.parent() {
        fs::create_dir_all(directory).map_err(&writing)?;
    }
    let mut file = File::create_new(target).map_err(&writing)?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        // Not `io::copy`: its error does not say whether reading or writing failed, and only
        // one of them is a fault of the archive.
        let count = entry.read(&mut buffer).map_err(|cause| cause.to_string())?;
        if count == 0 {
            break;
        }
        file.write_all(&buffer[..count]).map_err(&writing)?;
    }
    if executable {
        file.set_permissions(Permissions::from_mode(0o755))
            .map_err(writing)
    } else {
        Ok(())
    }
}

/// Reads the target of a link, unresolved.
fn read_link(entry: &mut dyn Read) -> Result<String, String> {
    let mut target = String::new();
    // One byte more than the bound (PATH_MAX), so that a longer target is refused instead of
    // cut.
    entry
        .take(4097)
        .read_to_string(&mut target)
        .map_err(|cause| cause.to_string())?;
    if target.is_empty()
        || target.len() > 4096
        || target.starts_with('/')
        || target.contains(['\\', '\0'])
    {
        return Err("expected a link to a relative path".to_owned());
    }
    Ok(target)
}

/// Creates the links, and then checks where they lead: links lead through each other, so only the
/// file system can resolve them.
fn make_links(root: &Path, links: &[(String, PathBuf, String)]) -> Result<(), Fault> {
    for (name, path, target) in links {
        let link = root.join(path);
        let made = link
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| symlink(target, &link));
        made.map_err(Fault::writing(&link))
            .map_err(|fault| fault.about(name))?;
    }
    // The path of the directory may contain a link, so both sides of the comparison are resolved.
    let real_root = root.canonicalize().map_err(|cause| cause.to_string())?;
    for (name, path, target) in links {
        let real = root.join(path).canonicalize();
        match real {
            Ok(real) if real.starts_with(&real_root) => {}
            Ok(_) => {
                return Err(
                    format!("{name}: the link leads out of the package: `{target}`").into(),
                );
            }
            Err(cause) => {
                return Err(format!("{name}: the link leads nowhere: `{target}`: {cause}").into());
            }
        }
    }
    Ok(())
}

/// The package in a directory: itself, or the only one in it.
fn package_in(directory: &Path) -> Result<PathBuf, String> {
    if is_package(directory) {
        return Ok(directory.to_owned());
    }
    let entries = fs::read_dir(directory).map_err(|cause| cause.to_string())?;
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut packages: Vec<PathBuf> = paths.filter(|path| is_package(path)).collect();
    match (packages.pop(), packages.len()) {
        (Some(only), 0) => Ok(only),
        (None, _) => Err("expected a problem package, found no `problem.yaml` in it".to_owned()),
        (_, more) => Err(format!("expected one problem package, found {}", more + 1)),
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
