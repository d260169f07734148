//! Rejected inputs, stored for the author of the package.
//!
//! Responsible for their names and for their number. Must not know why they were rejected.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use judge_files::ReplacementOptions;
use sha2::{Digest, Sha256};

use crate::ExecError;
use crate::regular_file;
use crate::store::checksum::hex;
use crate::store::staging::{make_group, remove_tree};
use crate::store::trimming::trim_flat;

/// The name of the directory in the cache.
const DIRECTORY: &str = "rejected";
/// The largest size of a stored input, in bytes. Users would not read larger ones.
const MAX_INPUT_BYTES: u64 = 16 << 20;
/// The maximum size of all stored inputs, in bytes.
const MAX_TOTAL_BYTES: u64 = 64 << 20;
/// The maximum number of stored inputs. One more removes all of them.
const MAX_FILES: usize = 256;

/// Stores an input of a package under this name and replaces an earlier one. `None` for an input
/// that is too large.
pub(crate) fn keep(
    cache: &Path,
    package: &Path,
    name: &str,
    input: &Path,
) -> Result<Option<PathBuf>, ExecError> {
    let bytes = match regular_file::read(input, MAX_INPUT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Ok(None),
        Err(error) => return Err(ExecError::io("read", input)(error)),
    };
    let directory = cache.join(DIRECTORY);
    let is_full = fs::read_dir(&directory).is_ok_and(|entries| entries.count() >= MAX_FILES);
    let path = directory.join(file_name(package, name));
    // All are removed together: the user works with the names that the latest run printed, and does
    // not need the inputs of older runs.
    if is_full && !path.exists() {
        remove_tree(&directory).map_err(ExecError::io("remove", &directory))?;
    }
    make_group(&directory, 0o700)?;
    let options = ReplacementOptions {
        mode: 0o600,
        ..ReplacementOptions::default()
    };
    judge_files::replace(&path, &bytes, options).map_err(ExecError::io("write", &path))?;
    trim_flat(&directory, MAX_TOTAL_BYTES);
    Ok(Some(path))
}

/// The file name of an input. It needs no quotes in a shell and is different for each package and
/// each name.
fn file_name(package: &Path, name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "._".contains(c) {
            c
        } else {
            '-'
        }
    };
    let shown: String = name.chars().map(plain).take(200).collect();
    // The digest is short: it only has to distinguish names whose plain forms are equal.
    let digest = Sha256::new()
        .chain_update(package.as_os_str().as_bytes())
        .chain_update([0])
        .chain_update(name);
    let digest = hex(&digest.finalize()[..4]);
    format!("{}-{digest}.in", shown.trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_kept_by_name_unless_they_are_large() {
        let directory = tempfile::tempdir().unwrap();
        let (cache, input) = (directory.path(), directory.path().join("x"));
        fs::write(&input, "1 2\n").unwrap();
        let keep =
            |package: &str, name: &str| keep(cache, Path::new(package), name, &input).unwrap();
        let kept = keep("/a/sum", "sum secret/1 \u{1b}ü").unwrap();
        let name = kept.file_name().and_then(|name| name.to_str()).unwrap();
        assert!(
            name.starts_with("sum-secret-1----") && name.ends_with(".in"),
            "{name}"
        );
        assert_eq!(fs::read(&kept).unwrap(), b"1 2\n");
        fs::write(&input, "3\n").unwrap();
        assert_eq!(keep("/a/sum", "sum secret/1 \u{1b}ü").as_ref(), Some(&kept));
        assert_eq!(fs::read(&kept).unwrap(), b"3\n");
        // Another package of that name, or a similar name, has a different file.
        assert_ne!(keep("/b/sum", "sum secret/1 \u{1b}ü").as_ref(), Some(&kept));
        assert_ne!(keep("/a/sum", "sum secret/1 --").as_ref(), Some(&kept));
        fs::File::create(&input)
            .unwrap()
            .set_len(MAX_INPUT_BYTES + 1)
            .unwrap();
        assert_eq!(keep("/a/sum", "y"), None);
    }

    #[test]
    fn the_number_of_inputs_is_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let input = directory.path().join("x");
        fs::write(&input, "1\n").unwrap();
        for number in 0..MAX_FILES + 2 {
            keep(
                directory.path(),
                Path::new("/a"),
                &number.to_string(),
                &input,
            )
            .unwrap();
        }
        assert_eq!(
            fs::read_dir(directory.path().join(DIRECTORY))
                .unwrap()
                .count(),
            2
        );
    }
}
