//! Problems of other formats that are named where packages are: imported into the cache, and used from there.
//!
//! Responsible for which words mean one, for where it lies, and for its test data being there. Must not know what any
//! format says.

use std::fs::{self, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use judge_authoring::{GenerateSettings, Project};
use judge_event::Fate;
use judge_interchange::InterchangeError;
use judge_interchange::import::{Imported, Source};
use judge_package::{PackageErrors, holds_package, is_archive, is_package};

use super::import::failure;
use crate::commands::authoring::progress::watched;
use crate::commands::authoring::session::AuthoringSession;
use crate::commands::judging::JudgingSettings;
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::reporters::note;

/// The time without use after which an imported package is removed from the cache.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The words with packages in place of archives that hold problems of other formats; `None` when none of them is one.
///
/// # Errors
/// When one is sure to be a problem of another format, and cannot be imported.
pub(crate) fn with_foreign_archives(config: &Config, what: &[String]) -> Result<Option<Vec<String>>, Failure> {
    in_place_of(config, what, |path| is_archive(path) && path.is_file() && !holds_package(path))
}

/// The words with packages in place of directories that are problems of other formats; `None` when none of them is one.
///
/// # Errors
/// When one is sure to be a problem of another format, and cannot be imported.
pub(crate) fn with_foreign_directories(config: &Config, what: &[String]) -> Result<Option<Vec<String>>, Failure> {
    in_place_of(config, what, |path| path.is_dir() && !is_package(path))
}

fn in_place_of(
    config: &Config,
    what: &[String],
    may_be: impl Fn(&Path) -> bool,
) -> Result<Option<Vec<String>>, Failure> {
    let mut words = what.to_vec();
    let mut found = false;
    for word in &mut words {
        let path = config.directory.join(&*word);
        if may_be(&path)
            && let Some(package) = imported(config, &path, word)?
        {
            *word = package.display().to_string();
            found = true;
        }
    }
    Ok(found.then_some(words))
}

/// The package in the cache that a problem of another format becomes; `None` for what is none.
fn imported(config: &Config, path: &Path, word: &str) -> Result<Option<PathBuf>, Failure> {
    let Ok(source) = Source::open(path) else { return Ok(None) };
    let digest = source.digest().map_err(failure)?;
    let imported = match Imported::read(source, None, None) {
        Ok(imported) => imported,
        Err(InterchangeError::Unknown { .. }) => return Ok(None),
        Err(error) => return Err(failure(error)),
    };
    // A folder of inputs and outputs has nothing that could be judged.
    if !imported.is_sure() {
        return Ok(None);
    }
    let all = host::cache_dir().join("imported");
    let place = all.join(digest);
    let package = place.join(imported.name());
    tell(&imported, word, &package);
    if !is_package(&package) {
        make(config, &imported, &all, &place)?;
    }
    // The time at which it was last used is that of its directory.
    let _ = File::open(&place).and_then(|directory| directory.set_modified(SystemTime::now()));
    forget(&all);
    Ok(Some(package))
}

fn tell(imported: &Imported, word: &str, package: &Path) {
    let document = imported.document(&package.display().to_string(), true);
    let count = |fate: Fate| document.remarks.iter().filter(|remark| remark.fate == fate).count();
    note(&format!(
        "`{word}` is a problem in the format `{}`: judged as the package that it becomes ({} changed, {} lost: `judge import --dry-run \
         {word}` says what)",
        document.format,
        count(Fate::Changed),
        count(Fate::Lost),
    ));
}

/// Makes a package with all of its data, and puts it into the cache as a whole.
fn make(config: &Config, imported: &Imported, all: &Path, place: &Path) -> Result<(), Failure> {
    let unwritable = |cause| failure(InterchangeError::Unwritable { path: place.to_owned(), cause });
    // Test data of a coming contest is nobody else's business.
    fs::DirBuilder::new().recursive(true).mode(0o700).create(all).map_err(unwritable)?;
    let staged = tempfile::Builder::new().prefix(".new-").tempdir_in(all).map_err(unwritable)?;
    let package = staged.path().join(imported.name());
    imported.write(&package).map_err(failure)?;
    if imported.lacks_data() && imported.has_generators() {
        generate(config, &package)?;
    }
    let staged = staged.keep();
    fs::rename(&staged, place).or_else(|cause| {
        let _ = fs::remove_dir_all(&staged);
        // Another process was faster.
        if place.is_dir() { Ok(()) } else { Err(unwritable(cause)) }
    })
}

/// Makes the test data of a package that nobody has changed.
fn generate(config: &Config, package: &Path) -> Result<(), Failure> {
    let at_fault = |errors: PackageErrors| Failure::package(&errors, package);
    let Some(project) = Project::open(package, &config.workspace).map_err(at_fault)? else { return Ok(()) };
    let session = AuthoringSession::open(config, JudgingSettings::default(), &[&project], false)?;
    let generated = watched(config, project.name(), |on_progress| {
        project.generate(session.observed_resources(on_progress), &|_| true, GenerateSettings::default())
    })?;
    let Some(generated) = generated else { return Err(Failure::Interrupted) };
    PackageErrors::check(generated.faults).map_err(at_fault)
}

/// Removes the packages that were not used for long, and what was left by processes that were killed.
fn forget(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|used| used.elapsed().is_ok_and(|unused| unused > FORGOTTEN_AFTER)) {
            // What cannot be removed now is tried again another time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
