//! Problems of other formats on the command line: imported into the cache, and used from there.
//!
//! Responsible for recognizing them, and for generating their test data. Must not know any format.

use std::path::{Path, PathBuf};

use judge_authoring::{GenerateSettings, Project};
use judge_event::Fate;
use judge_interchange::import::{ImportCache, ImportedProblem, read_if_sure};
use judge_package::{PackageErrors, holds_package, is_archive, is_package};

use crate::commands::authoring::session::{AuthoringSession, watched};
use crate::commands::judging::JudgingSettings;
use crate::config::Config;
use crate::failure::Failure;
use crate::host;
use crate::messages::note;

/// True for an archive that may be a problem in another format.
pub(crate) fn may_be_foreign_archive(path: &Path) -> bool {
    is_archive(path) && path.is_file() && !holds_package(path)
}

/// True for a directory that may be a problem in another format.
pub(crate) fn may_be_foreign_directory(path: &Path) -> bool {
    path.is_dir() && !is_package(path)
}

/// Returns the words with packages in place of problems in other formats; `None` when no word names
/// one.
///
/// # Errors
/// When a word certainly names a problem of another format that cannot be imported.
pub(crate) fn with_imported(
    config: &Config,
    what: &[String],
    may_be: fn(&Path) -> bool,
) -> Result<Option<Vec<String>>, Failure> {
    let mut words = what.to_vec();
    let mut found = false;
    for word in &mut words {
        let path = config.directory.join(&*word);
        if may_be(&path)
            && let Some(package) = import_into_cache(config, &path, word)?
        {
            *word = package.display().to_string();
            found = true;
        }
    }
    Ok(found.then_some(words))
}

/// The package in the cache that a problem of another format becomes; `None` for other files.
fn import_into_cache(config: &Config, path: &Path, word: &str) -> Result<Option<PathBuf>, Failure> {
    let Some((imported, digest)) = read_if_sure(path)? else {
        return Ok(None);
    };
    let cache = ImportCache::new(host::open_cache()?.join("imported"));
    // The place depends on the content, so the results of an earlier run with the same archive
    // are found again.
    let place = cache.place(&digest, &imported);
    report(&imported, word, &place.package);
    cache.provide(&place, &imported, |package| {
        match imported.needs_data() && imported.has_generators() {
            true => generate(config, package),
            false => Ok(()),
        }
    })?;
    Ok(Some(place.package))
}

fn report(imported: &ImportedProblem, word: &str, package: &Path) {
    let document = imported.document(&package.display().to_string(), true);
    let count = |fate: Fate| {
        document
            .remarks
            .iter()
            .filter(|remark| remark.fate == fate)
            .count()
    };
    note(&format!(
        "`{word}` is a problem in the format `{}`, judged after conversion to a package ({} changed, {} lost: `judge import --dry-run \
         {word}` lists them)",
        document.format,
        count(Fate::Changed),
        count(Fate::Lost),
    ));
}

/// Generates the test data of an imported package.
fn generate(config: &Config, package: &Path) -> Result<(), Failure> {
    let at_fault = |errors: PackageErrors| Failure::package(&errors, package);
    let Some(project) = Project::open(package, &config.workspace).map_err(at_fault)? else {
        return Ok(());
    };
    let session = AuthoringSession::open(config, JudgingSettings::default(), &[&project], false)?;
    // Into the cached package only. The source of the import is never changed.
    let generated = watched(config, project.name(), |on_progress| {
        let resources = session.observed_resources(on_progress);
        judge_authoring::generate(&project, resources, &|_| true, GenerateSettings::default())
    })?;
    let Some(generated) = generated else {
        return Err(Failure::Interrupted);
    };
    PackageErrors::check(generated.faults).map_err(at_fault)
}
