//! Inputs that validators of their package rejected: kept for their author to look at.
//!
//! Responsible for their names and for how many there are. Must not know why they were rejected.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use judge_files::ReplacementOptions;

use crate::ExecError;
use crate::regular_file;
use crate::store::programs::make_directory;
use crate::store::trimming::trim_flat;

/// The directory below that of the cache.
const DIRECTORY: &str = "rejected";
/// Larger inputs are not kept: nobody reads them.
const MOST_INPUT_BYTES: u64 = 16 << 20;
/// Bytes of all that are kept.
const MOST_BYTES: u64 = 64 << 20;
/// All that are kept in number; with one more, they all go.
const MOST_FILES: usize = 256;

/// Keeps an input by this name, in the place of the one that had it before; `None` for one that is too large.
pub(crate) fn keep(cache: &Path, name: &str, input: &Path) -> Result<Option<PathBuf>, ExecError> {
    let bytes = match regular_file::read(input, MOST_INPUT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Ok(None),
        Err(error) => return Err(ExecError::io("read", input)(error)),
    };
    let directory = cache.join(DIRECTORY);
    let is_full = fs::read_dir(&directory).is_ok_and(|entries| entries.count() >= MOST_FILES);
    let path = directory.join(format!("{}.in", plain(name)));
    if is_full && !path.exists() {
        fs::remove_dir_all(&directory).map_err(ExecError::io("remove", &directory))?;
    }
    make_directory(&directory, 0o755)?;
    judge_files::replace(&path, &bytes, ReplacementOptions::default()).map_err(ExecError::io("write", &path))?;
    trim_flat(&directory, MOST_BYTES);
    Ok(Some(path))
}

/// A name of a file that needs no quotes anywhere.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).take(200).collect();
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_kept_by_its_name_and_large_ones_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let (cache, input) = (directory.path(), directory.path().join("x"));
        fs::write(&input, "1 2\n").unwrap();
        let kept = keep(cache, "sum secret/1 \u{1b}ü", &input).unwrap().unwrap();
        assert_eq!(kept.file_name().unwrap(), "sum-secret-1---.in");
        assert_eq!(fs::read(&kept).unwrap(), b"1 2\n");
        fs::write(&input, "3\n").unwrap();
        assert_eq!(keep(cache, "sum secret/1 \u{1b}ü", &input).unwrap().as_ref(), Some(&kept));
        assert_eq!(fs::read(&kept).unwrap(), b"3\n");
        fs::File::create(&input).unwrap().set_len(MOST_INPUT_BYTES + 1).unwrap();
        assert_eq!(keep(cache, "y", &input).unwrap(), None);
    }

    #[test]
    fn there_are_never_many() {
        let directory = tempfile::tempdir().unwrap();
        let input = directory.path().join("x");
        fs::write(&input, "1\n").unwrap();
        for number in 0..MOST_FILES + 2 {
            keep(directory.path(), &number.to_string(), &input).unwrap();
        }
        assert_eq!(fs::read_dir(directory.path().join(DIRECTORY)).unwrap().count(), 2);
    }
}
