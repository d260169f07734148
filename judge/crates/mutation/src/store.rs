//! The store of earlier results, keyed by content: after a change, only results that depend on it
//! are computed again.
//!
//! Responsible for the file of a solution, and for the content that its name and its keys cover.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use judge_exec::{Toolchain, regular_file};
use judge_files::{ReplacementOptions, replace};
use judge_model::{OutputValidator, Problem, TestCase, Verdict};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of the format. It is increased when stored results must no longer be used.
const VERSION: &str = "10";
/// The maximum size of the file, in bytes. A larger one is damaged.
const MAX_STORE_BYTES: u64 = 256 << 20;
/// The maximum size of a file of test data, in bytes. A larger one is refused.
const MAX_DATA_BYTES: u64 = 1000 << 20;

/// The stored results of one solution, with the same text, compiler, limits and output validator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MutantStore {
    /// Mutants that cannot be in the choosing program.
    pub(crate) not_together: BTreeSet<String>,
    /// Mutants that cannot be in the recording program.
    pub(crate) not_recorded: BTreeSet<String>,
    /// Mutants that the compiler rejects.
    pub(crate) rejected: BTreeSet<String>,
    /// True for a mutant that is the same program as the solution, and false for one that differs.
    /// Mutants that were not compared are missing.
    pub(crate) same_programs: BTreeMap<String, bool>,
    /// The behaviour of the original, by test case.
    pub(crate) originals: BTreeMap<String, Original>,
    /// Verdicts by mutant and test case.
    pub(crate) verdicts: BTreeMap<String, BTreeMap<String, Verdict>>,
}

/// The behaviour of the original on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Original {
    /// A digit for each mutant: 0 if its place was not reached, 1 if it was reached with no value
    /// that makes a difference, 2 if it was reached with such a value, and
    /// [`NOT_WATCHED`](Self::NOT_WATCHED) if it was in no sample. `None` if nothing was recorded.
    pub(crate) seen: Option<String>,
    /// True when the choosing program is accepted.
    pub(crate) together: bool,
    /// The CPU time in the choosing program, or in the recording one, in microseconds; 0 if it is
    /// unknown.
    pub(crate) took_us: u64,
}

impl Original {
    pub(crate) const NOT_WATCHED: char = '-';

    /// Returns true when all mutants that are recorded now were recorded then, or none could be.
    pub(crate) fn has_watched(&self, is_recorded: &[bool]) -> bool {
        let is_watched =
            |(digit, is_recorded): (char, &bool)| !is_recorded || digit != Self::NOT_WATCHED;
        self.seen
            .as_ref()
            .is_none_or(|seen| seen.chars().zip(is_recorded).all(is_watched))
    }
}

impl MutantStore {
    /// Reads the file. Returns an empty store when the file is missing or damaged.
    pub(crate) fn open(file: &Path) -> Self {
        regular_file::read_own(file, MAX_STORE_BYTES)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Writes the file atomically.
    pub(crate) fn save(&self, file: &Path) -> io::Result<()> {
        let directory = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(directory)?;
        // The file is replaced atomically: another process with the same solution reads either the
        // old or the new one.
        let text = serde_json::to_vec(self).map_err(io::Error::from)?;
        replace(
            file,
            &text,
            ReplacementOptions {
                mode: 0o600,
                ..ReplacementOptions::default()
            },
        )
    }

    /// Returns true when a mutant was compiled before.
    pub(crate) fn has_compiled(&self, mutant: &str) -> bool {
        self.same_programs.contains_key(mutant) || self.verdicts.contains_key(mutant)
    }

    pub(crate) fn verdict(&self, mutant: &str, test_case: &str) -> Option<Verdict> {
        self.verdicts.get(mutant)?.get(test_case).copied()
    }

    pub(crate) fn add(&mut self, mutant: &str, test_case: &str, verdict: Verdict) {
        self.verdicts
            .entry(mutant.to_owned())
            .or_default()
            .insert(test_case.to_owned(), verdict);
    }
}

/// The path of the file of a solution. Its name covers everything that verdicts depend on, except
/// the test case.
pub(crate) fn store_file(
    cache: &Path,
    problem: &Problem,
    time_limit_us: u64,
    source: &str,
    toolchain: &Toolchain,
    versions: [&str; 2],
) -> io::Result<PathBuf> {
    let mut key = Key::default();
    let language = &toolchain.language;
    let arguments = language.compile.iter().chain(&language.static_flags);
    let tools = toolchain.tools.iter().map(|tool| tool.version.as_str());
    [VERSION, source]
        .into_iter()
        .chain(versions)
        .chain(arguments.map(String::as_str))
        .chain(tools)
        .for_each(|part| key.part(part.as_bytes()));
    let kind = (
        problem.format,
        problem.interactive,
        problem.passes,
        problem.allow_file_writing,
        &problem.named_files,
    );
    key.part(format!("{:?} {kind:?} {time_limit_us}", problem.limits).as_bytes());
    if let OutputValidator::Custom(validators) = &problem.output_validator {
        for validator in validators {
            key.files(&validator.path)?;
        }
    }
    for included in &problem.included {
        key.files(&included.directory)?;
    }
    Ok(cache.join("mutants").join(format!("{}.json", key.finish())))
}

/// The key of a test case: a digest of everything in it that a verdict depends on.
pub(crate) fn key_of(test_case: &TestCase) -> io::Result<String> {
    let mut key = Key::default();
    key.part(&regular_file::read(&test_case.input, MAX_DATA_BYTES)?);
    key.part(&regular_file::read(&test_case.answer, MAX_DATA_BYTES)?);
    key.part(format!("{:?} {:?}", test_case.args, test_case.output_validator_args).as_bytes());
    if let Some(files) = &test_case.files {
        key.files(files)?;
    }
    Ok(key.finish())
}

/// A digest of parts, each preceded by its length.
#[derive(Default)]
struct Key(Sha256);

impl Key {
    fn part(&mut self, bytes: &[u8]) {
        // With the length in front, `ab` and `c` differ from `a` and `bc`.
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a file, or every file below a directory.
    fn files(&mut self, path: &Path) -> io::Result<()> {
        if !path.is_dir() {
            self.part(path.file_name().unwrap_or_default().as_encoded_bytes());
            self.part(&regular_file::read(path, MAX_DATA_BYTES)?);
            return Ok(());
        }
        let mut entries = fs::read_dir(path)?
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<Vec<_>>>()?;
        // The order of a directory depends on the file system.
        entries.sort();
        entries.iter().try_for_each(|entry| self.files(entry))
    }

    fn finish(self) -> String {
        self.0
            .finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use judge_model::OutputValidatorArgs;

    use super::*;

    #[test]
    fn stored_verdicts_are_read_and_damage_is_ignored() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a/b.json");
        assert_eq!(MutantStore::open(&file), MutantStore::default());
        let mut store = MutantStore::default();
        store.add("m", "t", Verdict::WrongAnswer);
        store.originals.insert(
            "t".into(),
            Original {
                seen: Some("20".into()),
                together: true,
                took_us: 1,
            },
        );
        store.save(&file).unwrap();
        assert_eq!(MutantStore::open(&file), store);
        assert_eq!(
            MutantStore::open(&file).verdict("m", "t"),
            Some(Verdict::WrongAnswer)
        );
        assert_eq!(MutantStore::open(&file).verdict("m", "u"), None);
        fs::write(&file, "{").unwrap();
        assert_eq!(MutantStore::open(&file), MutantStore::default());
    }

    #[test]
    fn test_case_keys_cover_the_content() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let case = |input: &str, answer: &str, args: &[&str]| {
            let input = write(&format!("{input}.in"), input);
            let answer = write(&format!("{answer}.ans"), answer);
            let all = args.iter().map(|arg| (*arg).to_owned()).collect();
            let output_validator_args = OutputValidatorArgs {
                all,
                ..OutputValidatorArgs::default()
            };
            key_of(&TestCase {
                input,
                answer,
                output_validator_args,
                ..TestCase::default()
            })
            .unwrap()
        };
        assert_eq!(case("a", "b", &[]), case("a", "b", &[]));
        assert_ne!(case("a", "b", &[]), case("c", "b", &[]));
        assert_ne!(case("a", "b", &[]), case("a", "c", &[]));
        assert_ne!(case("a", "b", &[]), case("a", "b", &["x"]));
    }
}
