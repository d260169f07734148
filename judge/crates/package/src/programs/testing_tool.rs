//! Testing tools: programs in `attachments/` with which contestants try a solution of an
//! interactive problem.
//!
//! Responsible for finding them and the inputs with which they are checked. Must not know how they
//! are run.
//!
//! The package format does not describe them. Kattis and BAPCtools name the file
//! `attachments/testing_tool.EXT` and call it as `testing_tool -f INPUT COMMAND...`; additional
//! inputs for it are in `data/testing_tool_test/`.

use std::fs;
use std::path::{Path, PathBuf};

use judge_model::{Language, Program, TestCase};

use crate::disk::tree::Folder;
use crate::programs::program_at;

/// The directory in `data/` with inputs that only testing tools use.
pub(crate) const TESTING_TOOL_TEST: &str = "testing_tool_test";

/// The testing tools of a package, with the inputs with which they are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestingTools {
    /// The programs, in order of name.
    pub programs: Vec<Program>,
    /// The inputs: those of samples as contestants load them, then those of `testing_tool_test`,
    /// each with its name.
    pub inputs: Vec<(String, PathBuf)>,
}

/// Finds the testing tools of a package. `own` are the inputs that only they use.
pub(crate) fn testing_tools(
    package: &Path,
    cases: &[TestCase],
    own: Vec<(String, PathBuf)>,
    languages: &[Language],
) -> TestingTools {
    let samples = cases.iter().filter(|case| case.is_sample());
    let samples = samples.map(|case| (case.id.clone(), as_loaded(&case.input)));
    TestingTools {
        programs: programs(package, languages),
        inputs: samples.chain(own).collect(),
    }
}

fn programs(package: &Path, languages: &[Language]) -> Vec<Program> {
    let entries = fs::read_dir(package.join("attachments"))
        .into_iter()
        .flatten()
        .flatten();
    let is_tool = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "testing_tool");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_tool).collect();
    files.sort();
    // Loading refuses links that leave the package only in the parts that are read for judging, not
    // in attachments.
    let Ok(root) = package.canonicalize() else {
        return Vec::new();
    };
    let is_own = |path: &&PathBuf| {
        path.is_file()
            && path
                .canonicalize()
                .is_ok_and(|path| path.starts_with(&root))
    };
    // A text file with this name is an attachment like any other.
    files
        .iter()
        .filter(is_own)
        .filter_map(|path| program_at(path, languages).ok())
        .collect()
}

/// The file that contestants download for an input.
///
/// Source: 2025-09, "Sample data": `.in.download` has priority over `.in.statement`, and both over
/// `.in`.
fn as_loaded(input: &Path) -> PathBuf {
    let shown = ["in.download", "in.statement"].map(|extension| input.with_extension(extension));
    shown
        .into_iter()
        .find(|path| path.is_file())
        .unwrap_or_else(|| input.to_owned())
}

/// Returns the inputs that only testing tools use, with their names below `data/`.
pub(crate) fn own_inputs(data: &Folder) -> Vec<(String, PathBuf)> {
    fn add(folder: &Folder, id: &str, inputs: &mut Vec<(String, PathBuf)>) {
        let named = folder
            .files
            .iter()
            .filter_map(|(name, path)| Some((name.strip_suffix(".in")?, path)));
        inputs.extend(named.map(|(name, path)| (format!("{id}/{name}"), path.clone())));
        folder
            .folders
            .iter()
            .for_each(|(name, folder)| add(folder, &format!("{id}/{name}"), inputs));
    }
    let mut inputs = Vec::new();
    if let Some(own) = data.folders.get(TESTING_TOOL_TEST) {
        add(own, TESTING_TOOL_TEST, &mut inputs);
    }
    inputs
}
