//! Examples of other judges: inputs with their outputs that are no package.
//!
//! Responsible for what Competitive Companion sends, and what records of conversations say. Must not know what is done with
//! examples.

pub(crate) mod companion;
pub(crate) mod pairing;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{NamedFiles, TestCase};

use judge_package::{names, unpack_archive};

use crate::examples::companion::Companion;
use crate::examples::pairing::{Pair, Pairs, pairs};

/// The size of a file of examples, of which a browser makes one.
const MAX_INPUT_BYTES: u64 = 256 << 20;

/// The number of files among which examples are looked for.
const MAX_FILES: usize = 10_000;

/// The least MiB in which a program can start, as in `problem.yaml`.
const MIN_MEMORY: f64 = 4.0;

/// Inputs with their outputs, and what is known about the problem.
#[derive(Debug, Default)]
pub struct Examples {
    /// The name of the problem.
    pub name: String,
    /// The examples as test cases, in their natural order.
    pub test_cases: Vec<TestCase>,
    /// Inputs without an output, by their file names.
    pub unanswered: Vec<String>,
    /// The time limit, if one is known.
    pub time_limit: Option<Duration>,
    /// The memory limit in bytes, if one is known.
    pub memory_bytes: Option<u64>,
    /// Limits that are missing or cannot be, in sentences.
    pub remarks: Vec<String>,
    /// The files in place of standard input and output.
    pub named_files: NamedFiles,
    /// The directory of files that were made of texts.
    _directory: Option<LockedDirectory>,
}

/// An error that keeps examples from being read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExamplesError {
    /// A file or directory that cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Files of which none belong together.
    #[error(
        "`{}` has no input with an output\nhint: expected names such as `1.in` and `1.out` (or `.ans`, `.expected`), \
         `in1.txt` and `out1.txt`, `in/1` and `out/1`",
        .0.display()
    )]
    None(PathBuf),
    /// A directory without any input.
    #[error("`{}` has no input\nhint: expected names such as `1.in`, `in1.txt` or `input_1`", .0.display())]
    NoInput(PathBuf),
    /// Two files that could both be the same part of an example.
    #[error("`{one}` and `{other}` are both the {part} of example `{name}`\nhint: remove one of them")]
    Ambiguous {
        /// The first file.
        one: String,
        /// The second.
        other: String,
        /// The part of the example that both would be.
        part: &'static str,
        /// The example.
        name: String,
    },
    /// A file that is not in a form that is known.
    #[error("`{}`: {why}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The fault, in words.
        why: String,
    },
}

/// An input in a directory, and its answer where one lies beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleInput {
    /// The part that the names of both share.
    pub id: String,
    /// The input.
    pub input: PathBuf,
    /// The answer.
    pub answer: Option<PathBuf>,
}

impl ExampleInput {
    /// The inputs in a directory: those with an answer, then the others.
    ///
    /// # Errors
    /// When the directory has no input, or several files could be the same one.
    pub fn read(directory: &Path) -> Result<Vec<Self>, ExamplesError> {
        let Pairs { pairs, unanswered, .. } = files_of(directory)?;
        let with = pairs.into_iter().map(|pair| (pair.key, pair.input, Some(pair.output)));
        let without = unanswered.into_iter().map(|(key, input)| (key, input, None));
        let inputs = with.chain(without).map(|(id, input, answer)| Self {
            id,
            input: directory.join(input),
            answer: answer.map(|answer| directory.join(answer)),
        });
        Some(inputs.collect())
            .filter(|inputs: &Vec<_>| !inputs.is_empty())
            .ok_or_else(|| ExamplesError::NoInput(directory.to_owned()))
    }
}

impl Examples {
    /// Finds the examples at a path: a directory or an archive (`.zip`) of inputs and outputs, a file of Competitive Companion
    /// (`.json`, or `.prob` as Competitive Programming Helper keeps it) or a record of a conversation (`.interaction`), which is held against as if all were said at once.
    ///
    /// # Errors
    /// When there are no examples, or several files could be the same part of one.
    pub fn read(path: &Path) -> Result<Self, ExamplesError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => Self::from_directory(path),
            Some("zip") => Self::from_archive(path),
            Some("json" | "prob") => Self::from_companion(path),
            _ => Self::from_record(path),
        }
    }

    /// True for a path at which [`Self::read`] looks for examples; any other file is an input.
    #[must_use]
    pub fn are_at(path: &Path) -> bool {
        let has_extension = |all: &[&str]| {
            path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| all.contains(&extension))
        };
        path.is_dir()
            || Self::is_record(path)
            || path.is_file() && has_extension(&["zip"])
            || has_extension(&["json", "prob"]) && is_companion(path)
    }

    /// True for a record of a conversation.
    #[must_use]
    pub fn is_record(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "interaction")
    }

    /// True when the examples are files of the user's; false for those made of texts, which end with this.
    #[must_use]
    pub fn are_kept(&self) -> bool {
        self._directory.is_none()
    }

    /// Unpacks an archive, as a judge hands out its samples.
    fn from_archive(path: &Path) -> Result<Self, ExamplesError> {
        let unwritable = |source| ExamplesError::Unreadable { path: path.to_owned(), source };
        let directory = LockedDirectory::temporary(TemporaryPurpose::Examples).map_err(unwritable)?;
        let form = |why: String| ExamplesError::Form { path: path.to_owned(), why };
        unpack_archive(path, directory.path(), MAX_FILES, &|| false).map_err(|error| form(error.to_string()))?;
        let found = Self::from_directory(directory.path()).map_err(|error| match error {
            ExamplesError::None(_) => ExamplesError::None(path.to_owned()),
            error => error,
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, _directory: Some(directory), ..found })
    }

    fn from_directory(directory: &Path) -> Result<Self, ExamplesError> {
        let Pairs { pairs: found, unanswered, .. } = files_of(directory)?;
        let unanswered = unanswered.into_iter().map(|(_, input)| input).collect();
        if found.is_empty() {
            return Err(ExamplesError::None(directory.to_owned()));
        }
        let case = |pair: Pair| TestCase {
            id: pair.key,
            input: directory.join(pair.input),
            answer: directory.join(pair.output),
            ..TestCase::default()
        };
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let test_cases = found.into_iter().map(case).collect();
        Ok(Self { name, test_cases, unanswered, ..Self::default() })
    }

    fn from_companion(path: &Path) -> Result<Self, ExamplesError> {
        let form = |why: String| ExamplesError::Form { path: path.to_owned(), why };
        let text = read(path)?;
        let of: Companion = serde_json::from_slice(without_mark(&text))
            .map_err(|error| form(format!("expected what Competitive Companion sends: {error}")))?;
        if of.interactive {
            return Err(form("the problem is interactive: there is no interactor to talk with".to_owned()));
        }
        let named_files = of.named_files();
        for name in [&named_files.input, &named_files.output].into_iter().flatten() {
            if !names::counts(name) {
                return Err(form(format!("`{name}` cannot be the name of a file that programs read or write here")));
            }
        }
        let patterns = [of.input.pattern(), of.output.pattern()];
        let texts = of.tests.into_iter().map(|test| (test.input.into_bytes(), test.output.into_bytes())).collect();
        let mut remarks: Vec<String> = patterns
            .into_iter()
            .flatten()
            .map(|pattern| format!("files whose names match `{pattern}` are not made: programs read standard input"))
            .collect();
        let mut stated = |name: &str, least: f64, number: Option<f64>| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let why = match number {
                Some(number) if number >= least && number < 1e9 => return Some(number),
                Some(number) => {
                    format!("`{file}`: `{name}` is {number}, which is not a valid limit: the default is used")
                }
                None => format!("`{file}`: `{name}` is missing: the default limit is used"),
            };
            remarks.push(why);
            None
        };
        let examples = Self::from_texts(of.name, path, texts)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is positive and below 2^53")]
        let memory_bytes =
            stated("memoryLimit", MIN_MEMORY, of.memory_limit).map(|mib| (mib * f64::from(1 << 20)) as u64);
        let time_limit =
            stated("timeLimit", 1.0, of.time_limit).map(|milliseconds| Duration::from_secs_f64(milliseconds / 1e3));
        Ok(Self { time_limit, memory_bytes, remarks, named_files, ..examples })
    }

    /// The passes of a record: what the interactor said is the input, what the submission said the output.
    fn from_record(path: &Path) -> Result<Self, ExamplesError> {
        let mut passes: Vec<(Vec<u8>, Vec<u8>)> = vec![Default::default()];
        for (number, line) in (1..).zip(read(path)?.split_inclusive(|byte| *byte == b'\n')) {
            let Some(last) = passes.last_mut() else { break };
            // Files of Windows end their lines otherwise.
            let without = line.strip_suffix(b"\r\n").map(|line| [line, b"\n"].concat());
            let line = without.as_deref().unwrap_or(line);
            match line {
                [b'<', said @ ..] => last.0.extend(said),
                [b'>', said @ ..] => last.1.extend(said),
                line if line.starts_with(b"---") => passes.push(Default::default()),
                line if line.trim_ascii().is_empty() => {}
                _ => {
                    let why = format!("line {number}: expected `<`, `>` or `---` at its beginning");
                    return Err(ExamplesError::Form { path: path.to_owned(), why });
                }
            }
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_empty = passes.iter().all(|(input, output)| input.is_empty() && output.is_empty());
        Self::from_texts(name, path, if is_empty { Vec::new() } else { passes })
    }

    fn from_texts(name: String, path: &Path, texts: Vec<(Vec<u8>, Vec<u8>)>) -> Result<Self, ExamplesError> {
        if texts.is_empty() {
            let why = "it has no examples".to_owned();
            return Err(ExamplesError::Form { path: path.to_owned(), why });
        }
        let unwritable = |source| ExamplesError::Unreadable { path: path.to_owned(), source };
        let directory = LockedDirectory::temporary(TemporaryPurpose::Examples).map_err(unwritable)?;
        let mut test_cases = Vec::new();
        for (number, (input, output)) in (1..).zip(texts) {
            let place = |extension| directory.path().join(format!("{number}.{extension}"));
            let case =
                TestCase { id: number.to_string(), input: place("in"), answer: place("out"), ..TestCase::default() };
            fs::write(&case.input, input).and_then(|()| fs::write(&case.answer, output)).map_err(unwritable)?;
            test_cases.push(case);
        }
        Ok(Self { name, test_cases, _directory: Some(directory), ..Self::default() })
    }
}

/// The files of a directory that belong together: those in it, or else also those in the directories in it.
fn files_of(directory: &Path) -> Result<Pairs, ExamplesError> {
    let (mut names, directories) = names_in(directory, "")?;
    let found = pairs(&names)?;
    if !found.pairs.is_empty() {
        return Ok(found);
    }
    for below in directories {
        names.extend(names_in(directory, &below)?.0);
        if names.len() > MAX_FILES {
            let why = format!("expected at most {MAX_FILES} files");
            return Err(ExamplesError::Form { path: directory.to_owned(), why });
        }
    }
    pairs(&names)
}

/// The files and the directories in a directory below another one, as paths below that.
fn names_in(directory: &Path, below: &str) -> Result<(Vec<String>, Vec<String>), ExamplesError> {
    let place = directory.join(below);
    let unreadable = |source| ExamplesError::Unreadable { path: place.clone(), source };
    let (mut names, mut directories) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&place).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let name = entry.file_name().to_str().map(str::to_owned).filter(|name| !name.starts_with('.'));
        // A folder from elsewhere must not show a program what its reader may see.
        if kind.is_symlink() && name.is_some() && entry.path().is_file() {
            let why = "expected a file, found a link\nhint: put the file in its place".to_owned();
            return Err(ExamplesError::Form { path: entry.path(), why });
        }
        let name = name.map(|name| if below.is_empty() { name } else { format!("{below}/{name}") });
        directories.extend(name.clone().filter(|_| kind.is_dir()));
        names.extend(name.filter(|_| kind.is_file()));
    }
    Ok((names, directories))
}

/// A text without the mark of UTF-8 that editors of Windows put before it.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

fn read(path: &Path) -> Result<Vec<u8>, ExamplesError> {
    let unreadable = |source| ExamplesError::Unreadable { path: path.to_owned(), source };
    judge_package::read_within(path, MAX_INPUT_BYTES).map_err(unreadable)
}

/// True when a file of JSON has examples, and is no input itself.
fn is_companion(path: &Path) -> bool {
    let value = read(path).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(without_mark(&text)).ok());
    value.is_some_and(|value| value.get("tests").is_some_and(serde_json::Value::is_array))
}

#[cfg(test)]
mod tests;
