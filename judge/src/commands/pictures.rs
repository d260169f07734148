//! Pictures of visualizers as files.
//!
//! Responsible for their names. Must not know the content.

use std::path::{Path, PathBuf};

use judge_event::Picture;
use judge_files::ConfinedDirectory;

use crate::config::Config;
use crate::failure::Failure;
use crate::whole_file::WholeFile;

/// Creates the directory for pictures that was typed.
pub(super) fn make_directory(config: &Config, typed: &Path) -> Result<PathBuf, Failure> {
    let directory = config.directory.join(typed);
    ConfinedDirectory::for_output(&directory)
        .map_err(|source| Failure::write(format!("`{}`", config.shown(&directory)), source))?;
    Ok(directory)
}

/// Writes a picture under the name of its test case. Returns the path as it is printed.
pub(super) fn keep_picture(
    config: &Config,
    directory: &Path,
    test_case: &str,
    picture: &Picture,
) -> Result<String, Failure> {
    let path = directory.join(format!("{}.{}", test_case.replace('/', "-"), picture.name));
    WholeFile::create(&path)?.keep_with(&picture.bytes.0)?;
    Ok(config.shown(&path))
}
