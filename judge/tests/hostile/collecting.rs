//! Copies what a program leaves, and refuses anything but plain files.
//!
//! Responsible for the names of the copied files. Must not know cases.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use judge_sandbox::{CopyLimits, copy_tree};

use crate::programs::SECRET;

/// Copies the files of a program like the judge copies a compiler's output. Returns their names, or
/// the reason why they cannot be copied.
pub(crate) fn collect(work: &OwnedFd, destination: &Path) -> Result<Vec<String>, String> {
    let limits = CopyLimits {
        bytes: 64 << 20,
        entries: 4096,
        depth: 32,
    };
    copy_tree(work, Path::new("."), destination, limits).map_err(|error| error.to_string())?;
    let mut names = Vec::new();
    for entry in fs::read_dir(destination)
        .map_err(|error| error.to_string())?
        .flatten()
    {
        let metadata = entry
            .path()
            .symlink_metadata()
            .map_err(|error| error.to_string())?;
        if metadata.is_symlink() || (!metadata.is_file() && !metadata.is_dir()) {
            return Err(format!(
                "{:?} was collected although it is not a file",
                entry.path()
            ));
        }
        if metadata.permissions().mode() & 0o7022 != 0 {
            return Err(format!(
                "{:?} was collected with mode {:o}",
                entry.path(),
                metadata.permissions().mode()
            ));
        }
        let small = metadata.is_file() && metadata.len() < 1 << 16;
        if small && fs::read(entry.path()).is_ok_and(|bytes| bytes.starts_with(SECRET.as_bytes())) {
            return Err(format!("{SECRET} was collected as {:?}", entry.path()));
        }
        if metadata.is_file() {
            names.push(escape(entry.file_name().as_bytes()));
        }
    }
    names.sort();
    Ok(names)
}

/// Escapes bytes that are not text as `\xNN`.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}
