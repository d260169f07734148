//! Sizes: bounds on the files of a package.
//!
//! Responsible for the bounds, and for finding files that exceed them before anything is run. Must
//! not know what the files mean.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::code;
use crate::disk::bounded::expected_at_most;
use crate::error::Findings;

/// The maximum size of a file of test data, in bytes. No judging system accepts a larger one.
pub const MAX_DATA_BYTES: u64 = 1000 << 20;
/// The maximum total size of the files that are copied for a program, in bytes.
const MAX_COPIED_BYTES: u64 = 256 << 20;

/// Reports a file of test data that is too large for programs.
pub(crate) fn check_file(file: &Path, findings: &mut Findings) {
    // A file that cannot be examined is reported by the code that opens it.
    let size = fs::metadata(file).map_or(0, |metadata| metadata.len());
    if size > MAX_DATA_BYTES {
        let message = expected_at_most(MAX_DATA_BYTES, size);
        findings.error_at(code::FILE_HUGE, file, message);
    }
}

/// Reports a directory whose files are too large in total to be copied for programs. Links are
/// followed, as when the files are read.
pub(crate) fn check_directory(directory: &Path, findings: &mut Findings) {
    let counts =
        |entry: &walkdir::DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    let entries = WalkDir::new(directory)
        .min_depth(1)
        .follow_links(true)
        .into_iter()
        .filter_entry(counts)
        .flatten();
    let sizes = entries
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| entry.metadata().ok());
    let size = sizes.fold(0_u64, |sum, metadata| sum.saturating_add(metadata.len()));
    if size > MAX_COPIED_BYTES {
        let message = format!(
            "its files are too large in total: {}",
            expected_at_most(MAX_COPIED_BYTES, size)
        );
        findings.error_at(code::FILE_HUGE, directory, message);
    }
}
