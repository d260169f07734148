//! A request for a new test case: its source, its group, and the submissions that it must reject.
//!
//! Responsible for the given files, which may be as large as any test data and so are not read into
//! memory. Must not know the package.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use judge_files::{LockedDirectory, TemporaryPurpose, regular_file};
use judge_model::Problem;
use judge_package::{MAX_DATA_BYTES, open_within};

use crate::add::error::{AddError, request_error};

/// A test case to add to a package.
#[derive(Clone, Copy, Debug)]
pub struct NewTestCase<'a> {
    /// The origin of its data.
    pub source: CaseSource<'a>,
    /// The group: `sample`, `secret`, or a group in one of them.
    pub group: &'a str,
    /// The name in the group. The default is the name of the file or the generator.
    pub name: Option<&'a str>,
    /// The ids of the submissions that it must reject.
    pub required: &'a [String],
    /// True when nothing is written.
    pub dry_run: bool,
}

impl<'a> NewTestCase<'a> {
    /// Creates a request for a test case with an input that was found and this id. An id without a
    /// group belongs to secret data.
    #[must_use]
    pub fn found(input: &'a [u8], id: &'a str) -> Self {
        let (group, name) = group_and_name(id);
        Self {
            source: CaseSource::Bytes(input),
            group,
            name: Some(name),
            required: &[],
            dry_run: false,
        }
    }
}

/// The group and the name of a test case.
fn group_and_name(id: &str) -> (&str, &str) {
    id.rsplit_once('/').unwrap_or(("secret", id))
}

/// Unused ids of test cases of a problem: a prefix with the numbers `-01`, `-02` and so on.
pub fn free_ids(problem: &Problem, prefix: &str) -> impl Iterator<Item = String> {
    let (group, name) = group_and_name(prefix);
    let ids = (1..).map(move |number| format!("{group}/{name}-{number:02}"));
    ids.filter(|id| problem.test_cases.iter().all(|case| case.id != *id))
}

/// The origin of a test case.
#[derive(Clone, Copy, Debug)]
pub enum CaseSource<'a> {
    /// An input, and an answer if there is one.
    Files {
        /// The input.
        input: GivenFile<'a>,
        /// The answer.
        answer: Option<GivenFile<'a>>,
    },
    /// An input.
    Bytes(&'a [u8]),
    /// A command of a generator.
    Command(&'a str),
}

impl CaseSource<'_> {
    /// The name of the file or the generator.
    pub(crate) fn suggested_name(&self) -> String {
        let path = match self {
            Self::Files {
                input: GivenFile::Named { typed, .. },
                ..
            } => Some(*typed),
            Self::Command(command) => command.split_whitespace().next().map(Path::new),
            Self::Files { .. } | Self::Bytes(_) => None,
        };
        path.and_then(Path::file_stem)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }
}

/// A file that is given by name or as a stream. It is only read once the test case has a name.
#[derive(Clone, Copy, Debug)]
pub enum GivenFile<'a> {
    /// A file, or a named pipe.
    Named {
        /// The path as it was typed.
        typed: &'a Path,
        /// The directory that the path is relative to.
        within: &'a Path,
    },
    /// A stream without a name, such as standard input.
    Stream(fn() -> Box<dyn Read>),
}

impl GivenFile<'_> {
    /// Returns the path of the file. If the file cannot be opened again, its content is copied into
    /// the directory `spool`, with this extension, up to the maximum size of test data.
    fn keep(&self, spool: &Path, extension: &str) -> Result<PathBuf, AddError> {
        let spool = spool.join(extension);
        let (typed, kept) = match self {
            Self::Stream(open) => (Path::new("-"), copy(&mut open(), &spool)),
            Self::Named { typed, within } => (*typed, within_bounds(within.join(typed), &spool)),
        };
        kept.map_err(|error| request_error(format!("cannot read `{}`: {error}", typed.display())))
    }
}

fn within_bounds(path: PathBuf, spool: &Path) -> io::Result<PathBuf> {
    if std::fs::metadata(&path)?.is_file() {
        return open_within(&path, MAX_DATA_BYTES).map(|_| path);
    }
    copy(&mut regular_file::open_typed(&path)?, spool)
}

fn copy(stream: &mut dyn Read, spool: &Path) -> io::Result<PathBuf> {
    io::copy(
        &mut stream.take(MAX_DATA_BYTES + 1),
        &mut File::create(spool)?,
    )?;
    open_within(spool, MAX_DATA_BYTES)?;
    Ok(spool.to_owned())
}

/// The files of a test case by their extensions, and the temporary directory with copies of those
/// that cannot be opened again.
pub(crate) fn given_files(
    input: GivenFile<'_>,
    answer: Option<GivenFile<'_>>,
) -> Result<(BTreeMap<String, PathBuf>, LockedDirectory), AddError> {
    let spool = LockedDirectory::temporary(TemporaryPurpose::Add)
        .map_err(|error| request_error(format!("cannot create a temporary directory: {error}")))?;
    let mut files = BTreeMap::from([("in".to_owned(), input.keep(spool.path(), "in")?)]);
    if let Some(answer) = answer {
        files.insert("ans".to_owned(), answer.keep(spool.path(), "ans")?);
    }
    Ok((files, spool))
}

#[cfg(test)]
mod tests {
    use judge_model::{FormatVersion, TestCase};

    use super::*;

    fn read(files: &BTreeMap<String, PathBuf>, extension: &str) -> String {
        std::fs::read_to_string(&files[extension]).unwrap()
    }

    #[test]
    fn files_are_used_in_place_and_streams_are_copied() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("mine.txt"), "1 2\n").unwrap();
        let input = GivenFile::Named {
            typed: Path::new("mine.txt"),
            within: directory.path(),
        };
        let answer = GivenFile::Stream(|| Box::new(&b"3\n"[..]));
        let (files, spool) = given_files(input, Some(answer)).unwrap();
        assert_eq!(
            (read(&files, "in"), read(&files, "ans")),
            ("1 2\n".to_owned(), "3\n".to_owned())
        );
        assert!(
            files["in"].starts_with(directory.path()) && files["ans"].starts_with(spool.path())
        );
    }

    #[test]
    fn missing_files_are_reported_as_typed() {
        let directory = tempfile::tempdir().unwrap();
        let input = GivenFile::Named {
            typed: Path::new("none.in"),
            within: directory.path(),
        };
        let error = given_files(input, None).unwrap_err().to_string();
        assert!(error.starts_with("cannot read `none.in`: "), "{error}");
    }

    #[test]
    fn suggested_names_come_from_files_and_generators() {
        let named = |typed| GivenFile::Named {
            typed: Path::new(typed),
            within: Path::new("/w"),
        };
        let suggested = |input| {
            CaseSource::Files {
                input,
                answer: None,
            }
            .suggested_name()
        };
        assert_eq!(suggested(named("deep/killer.in")), "killer");
        assert_eq!(suggested(GivenFile::Stream(|| Box::new(io::empty()))), "");
        assert_eq!(
            CaseSource::Command("random.py --n 5 {seed:3}").suggested_name(),
            "random"
        );
        assert_eq!(CaseSource::Bytes(b"1\n").suggested_name(), "");
    }

    #[test]
    fn free_ids_belong_to_secret_data_by_default() {
        let named = |id: &str| TestCase {
            id: id.to_owned(),
            ..TestCase::default()
        };
        let mut problem = Problem::new("p", "/p".into(), FormatVersion::V2025_09);
        problem.test_cases = ["secret/kill-01", "secret/deep/kill-02"].map(named).into();
        let two = |prefix| free_ids(&problem, prefix).take(2).collect::<Vec<_>>();
        assert_eq!(two("kill"), ["secret/kill-02", "secret/kill-03"]);
        assert_eq!(
            two("secret/deep/kill"),
            ["secret/deep/kill-01", "secret/deep/kill-03"]
        );
        let found = NewTestCase::found(b"1\n", "sample/one");
        assert_eq!((found.group, found.name), ("sample", Some("one")));
        assert_eq!(NewTestCase::found(b"1\n", "one").group, "secret");
    }
}
