//! Examples of other judges: inputs with their outputs, without a package.
//!
//! Responsible for reading examples from directories, archives, files of Competitive Companion and
//! recorded interactions. Must not know what examples are used for.

pub(crate) mod companion;
mod error;
pub(crate) mod pairing;

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{NamedFiles, TestCase};
use judge_package::{UnpackError, archive_stem, is_archive, names, unpack_archive};
use walkdir::{DirEntry, WalkDir};

use crate::examples::companion::Companion;
pub use crate::examples::error::ExamplesError;
use crate::examples::pairing::{Pair, pairs};

/// The maximum size of a file with examples, in bytes.
const MAX_INPUT_BYTES: u64 = 256 << 20;

/// The maximum number of files and directories that are searched for examples.
const MAX_ENTRIES: usize = 10_000;

/// The maximum number of directories between the given one and an example: `samples/a/in/1`.
const MAX_DEPTH: usize = 3;

/// The minimum memory limit with which a program can start, in MiB, as in `problem.yaml`.
const MIN_MEMORY: f64 = 4.0;

/// Inputs with their outputs, and metadata of the problem.
#[derive(Debug, Default)]
pub struct Examples {
    /// The name of the problem.
    pub name: String,
    /// The examples as test cases, in their natural order.
    pub test_cases: Vec<TestCase>,
    /// Inputs without an output, as test cases without an answer.
    pub unanswered: Vec<TestCase>,
    /// The time limit, if one is known.
    pub time_limit: Option<Duration>,
    /// The memory limit in bytes, if one is known.
    pub memory_bytes: Option<u64>,
    /// Remarks about missing or invalid limits, each a sentence.
    pub remarks: Vec<String>,
    /// The files that replace standard input and output.
    pub named_files: NamedFiles,
    /// The temporary directory of unpacked or generated files.
    _directory: Option<LockedDirectory>,
}

impl Examples {
    /// Reads the examples at a path: a directory or an archive of inputs and outputs, a file of
    /// Competitive Companion (`.json`, or `.prob` of Competitive Programming Helper), or a recorded
    /// interaction (`.interaction`), whose lines are compared as if each side had written
    /// everything at once.
    ///
    /// # Errors
    /// If no input has an output, or several files could be the same part of an example.
    pub fn read(path: &Path) -> Result<Self, ExamplesError> {
        let examples = Self::find(path)?;
        if examples.test_cases.is_empty() {
            Err(ExamplesError::None(path.to_owned()))
        } else {
            Ok(examples)
        }
    }

    /// Reads the inputs at a path, with or without outputs, from the same sources as
    /// [`Self::read`].
    ///
    /// # Errors
    /// If no input is found, or several files could be the same part of an example.
    pub fn read_inputs(path: &Path) -> Result<Self, ExamplesError> {
        let examples = Self::find(path)?;
        let is_empty = examples.test_cases.is_empty() && examples.unanswered.is_empty();
        if is_empty {
            Err(ExamplesError::NoInput(path.to_owned()))
        } else {
            Ok(examples)
        }
    }

    fn find(path: &Path) -> Result<Self, ExamplesError> {
        match path {
            _ if path.is_dir() => Self::from_directory(path),
            _ if is_archive(path) => Self::from_archive(path),
            _ if Self::is_record(path) => Self::from_record(path),
            _ => Self::from_companion(path),
        }
    }

    /// True if [`Self::read`] can read examples at a path. Any other file is an input itself.
    #[must_use]
    pub fn are_at(path: &Path) -> bool {
        path.is_dir()
            || Self::is_record(path)
            || path.is_file() && is_archive(path)
            || ["json", "prob"]
                .iter()
                .any(|extension| has_extension(path, extension))
                && is_companion(path)
    }

    /// True for a recorded interaction.
    #[must_use]
    pub fn is_record(path: &Path) -> bool {
        has_extension(path, "interaction")
    }

    /// True if the examples are the user's own files. False for temporary files, which are removed
    /// with this value.
    #[must_use]
    pub fn are_kept(&self) -> bool {
        self._directory.is_none()
    }

    /// Reads an archive, such as the samples that a judge offers for download.
    fn from_archive(path: &Path) -> Result<Self, ExamplesError> {
        let unwritable = |source| ExamplesError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let directory =
            LockedDirectory::temporary(TemporaryPurpose::Examples).map_err(unwritable)?;
        unpack_archive(path, directory.path(), MAX_ENTRIES, &|| false).map_err(
            |error| match error {
                UnpackError::Unsound(finding) => ExamplesError::Form {
                    path: path.to_owned(),
                    why: finding.message,
                },
                error => ExamplesError::Form {
                    path: path.to_owned(),
                    why: error.to_string(),
                },
            },
        )?;
        let found = Self::from_directory(directory.path())?;
        Ok(Self {
            name: archive_stem(path),
            _directory: Some(directory),
            ..found
        })
    }

    /// Reads the examples in a directory. If it has no matching files, subdirectories are searched
    /// too.
    fn from_directory(directory: &Path) -> Result<Self, ExamplesError> {
        let mut found = pairs(&files_below(directory, 1)?)?;
        // Directories below may contain examples of other problems, so they are read only if the
        // top has no pairs.
        if found.pairs.is_empty() {
            found = pairs(&files_below(directory, MAX_DEPTH + 1)?)?;
        }
        let case = |id, input: String, answer: Option<String>| TestCase {
            id,
            input: directory.join(input),
            answer: answer
                .map(|answer| directory.join(answer))
                .unwrap_or_default(),
            ..TestCase::default()
        };
        let test_cases = found
            .pairs
            .into_iter()
            .map(|Pair { key, input, output }| case(key, input, Some(output)));
        let unanswered = found
            .unanswered
            .into_iter()
            .map(|(key, input)| case(key, input, None))
            .collect();
        let name = directory
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(Self {
            name,
            test_cases: test_cases.collect(),
            unanswered,
            ..Self::default()
        })
    }

    fn from_companion(path: &Path) -> Result<Self, ExamplesError> {
        let form = |why: String| ExamplesError::Form {
            path: path.to_owned(),
            why,
        };
        let text = read(path)?;
        let problem = Companion::parse(&text).map_err(form)?;
        if problem.interactive {
            return Err(form(
                "the problem is interactive, but has no interactor".to_owned(),
            ));
        }
        let named_files = problem.named_files();
        for name in [&named_files.input, &named_files.output]
            .into_iter()
            .flatten()
        {
            if !names::counts(name) {
                return Err(form(format!(
                    "`{name}` is not a valid name for an input or output file"
                )));
            }
        }
        let patterns = [problem.input.pattern(), problem.output.pattern()];
        let texts = problem
            .tests
            .into_iter()
            .map(|test| (test.input.into_bytes(), test.output.into_bytes()))
            .collect();
        let mut remarks: Vec<String> = patterns
            .into_iter()
            .flatten()
            .map(|pattern| {
                format!(
                    "files whose names match `{pattern}` are not created: programs read standard input"
                )
            })
            .collect();
        let mut stated = |name: &str, min: f64, number: Option<f64>| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let why = match number {
                Some(number) if number >= min && number < 1e9 => return Some(number),
                Some(number) => {
                    format!(
                        "`{file}`: `{name}` is {number}, which is not a valid limit: the default is used"
                    )
                }
                None => format!("`{file}`: `{name}` is missing: the default limit is used"),
            };
            remarks.push(why);
            None
        };
        let examples = Self::from_texts(problem.name, path, texts)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is positive and below 2^53"
        )]
        let memory_bytes = stated("memoryLimit", MIN_MEMORY, problem.memory_limit)
            .map(|mib| (mib * f64::from(1 << 20)) as u64);
        let time_limit = stated("timeLimit", 1.0, problem.time_limit)
            .map(|milliseconds| Duration::from_secs_f64(milliseconds / 1e3));
        Ok(Self {
            time_limit,
            memory_bytes,
            remarks,
            named_files,
            ..examples
        })
    }

    /// Reads a recorded interaction. In each pass, the lines of the interactor are the input and
    /// those of the submission the output.
    fn from_record(path: &Path) -> Result<Self, ExamplesError> {
        let mut passes: Vec<(Vec<u8>, Vec<u8>)> = vec![Default::default()];
        for (number, line) in (1..).zip(read(path)?.split_inclusive(|byte| *byte == b'\n')) {
            let Some(last) = passes.last_mut() else { break };
            // Files from Windows have CR LF at the ends of lines.
            let without = line
                .strip_suffix(b"\r\n")
                .map(|line| [line, b"\n"].concat());
            let line = without.as_deref().unwrap_or(line);
            match line {
                [b'<', written @ ..] => last.0.extend(written),
                [b'>', written @ ..] => last.1.extend(written),
                line if line.starts_with(b"---") => passes.push(Default::default()),
                line if line.trim_ascii().is_empty() => {}
                _ => {
                    let why = format!("line {number}: expected `<`, `>` or `---` at its beginning");
                    return Err(ExamplesError::Form {
                        path: path.to_owned(),
                        why,
                    });
                }
            }
        }
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_empty = passes
            .iter()
            .all(|(input, output)| input.is_empty() && output.is_empty());
        Self::from_texts(name, path, if is_empty { Vec::new() } else { passes })
    }

    fn from_texts(
        name: String,
        path: &Path,
        texts: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<Self, ExamplesError> {
        if texts.is_empty() {
            let why = "it contains no examples".to_owned();
            return Err(ExamplesError::Form {
                path: path.to_owned(),
                why,
            });
        }
        let unwritable = |source| ExamplesError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let directory =
            LockedDirectory::temporary(TemporaryPurpose::Examples).map_err(unwritable)?;
        let mut test_cases = Vec::new();
        for (number, (input, output)) in (1..).zip(texts) {
            let place = |extension| directory.path().join(format!("{number}.{extension}"));
            let case = TestCase {
                id: number.to_string(),
                input: place("in"),
                answer: place("out"),
                ..TestCase::default()
            };
            fs::write(&case.input, input)
                .and_then(|()| fs::write(&case.answer, output))
                .map_err(unwritable)?;
            test_cases.push(case);
        }
        Ok(Self {
            name,
            test_cases,
            _directory: Some(directory),
            ..Self::default()
        })
    }
}

/// Returns the relative paths of the files below a directory, up to a depth (1 for the directory
/// itself), without hidden ones.
fn files_below(directory: &Path, max_depth: usize) -> Result<Vec<String>, ExamplesError> {
    let form = |path: &Path, why: &str| ExamplesError::Form {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let is_visible = |entry: &DirEntry| {
        entry.depth() == 0 || entry.file_name().as_bytes().first() != Some(&b'.')
    };
    let walk = WalkDir::new(directory)
        .max_depth(max_depth)
        .follow_root_links(true)
        .into_iter();
    let mut names = Vec::new();
    for (count, entry) in walk.filter_entry(is_visible).enumerate() {
        // The walk reads entries one at a time, so this bounds the work even for huge directories.
        if count > MAX_ENTRIES {
            return Err(form(
                directory,
                &format!("expected at most {MAX_ENTRIES} files and directories in it"),
            ));
        }
        let entry = entry.map_err(|error| ExamplesError::Unreadable {
            path: error.path().unwrap_or(directory).to_owned(),
            source: error.into(),
        })?;
        // An untrusted directory must not give a program access to other files of the user.
        if entry.path_is_symlink() && entry.depth() > 0 && entry.path().is_file() {
            return Err(form(
                entry.path(),
                "expected a file, found a link\nhint: replace it with the file",
            ));
        }
        // AtCoder and others call a directory of inputs `in`, without an extension.
        if entry.file_type().is_dir()
            && entry.depth() > 0
            && ["in", "inp"]
                .iter()
                .any(|extension| has_extension(entry.path(), extension))
        {
            return Err(form(
                entry.path(),
                "expected a file, found a directory\nhint: remove or rename it",
            ));
        }
        let name = entry
            .path()
            .strip_prefix(directory)
            .ok()
            .and_then(Path::to_str);
        names.extend(
            name.filter(|_| entry.file_type().is_file())
                .map(str::to_owned),
        );
    }
    Ok(names)
}

fn has_extension(path: &Path, expected: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}

fn read(path: &Path) -> Result<Vec<u8>, ExamplesError> {
    let unreadable = |source| ExamplesError::Unreadable {
        path: path.to_owned(),
        source,
    };
    judge_package::read_within(path, MAX_INPUT_BYTES).map_err(unreadable)
}

/// True if a JSON file contains examples. Otherwise it is an input itself.
fn is_companion(path: &Path) -> bool {
    let value = read(path)
        .ok()
        .and_then(|text| companion::parse_json::<serde_json::Value>(&text).ok());
    value.is_some_and(|value| value.get("tests").is_some_and(serde_json::Value::is_array))
}

#[cfg(test)]
mod tests;
