//! The lock file, `generators/lock.json`: the generated files, and their origins.
//!
//! Responsible for the format of the file. Must not know the use of its content.
//!
//! The file distinguishes generated files of `data/`, which may be generated again, from all
//! others, which were written by hand. Each test case has a separate line, so that a change of one
//! test case changes one line.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::reading::{Content, case_of};

/// The path of the lock file in a package.
pub(crate) const LOCK_FILE: &str = "generators/lock.json";
/// The version of the format.
const VERSION: u32 = 1;
/// The origin of data that was written by hand.
pub(crate) const HAND_WRITTEN: &str = "hand-written";

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lock {
    /// The test cases, by path below `data/` without extension.
    pub(crate) cases: BTreeMap<String, LockedCase>,
}

/// A test case in the lock file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LockedCase {
    /// The origin: the call of a generator, `copy …`, `text`, `same as …`, or `hand-written`.
    pub(crate) from: String,
    /// The files, by extension.
    pub(crate) files: BTreeMap<String, LockedFile>,
}

/// A file of a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LockedFile {
    #[serde(flatten)]
    pub(crate) content: Content,
    /// True for a file that was written by hand, in a generated test case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) by_hand: bool,
}

#[derive(Deserialize)]
struct LockDocument {
    version: u32,
    test_cases: BTreeMap<String, LockedCase>,
}

/// The maximum size of a lock file. Each test case has a line of some hundred bytes.
const MAX_BYTES: u64 = 64 << 20;

impl Lock {
    /// Reads the file. A missing file counts as empty. The error is a message.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let expected =
            |found: String| format!("expected a lock file of version {VERSION}: {found}");
        let bytes = match judge_package::read_within(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                return Err(expected(format!(
                    "it is larger than {} MiB",
                    MAX_BYTES >> 20
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error.to_string()),
        };
        // A lock file that cannot be read is an error. If it counted as empty, every file would be
        // taken for hand-written.
        let written: LockDocument =
            serde_json::from_slice(&bytes).map_err(|error| expected(error.to_string()))?;
        if written.version != VERSION {
            return Err(expected(format!("found version {}", written.version)));
        }
        Ok(Self {
            cases: written.test_cases,
        })
    }

    /// The text of the file.
    pub(crate) fn to_text(&self) -> String {
        let line = |(id, case): (&String, &LockedCase)| {
            let id = serde_json::to_string(id).expect("a string");
            format!(
                "    {id}: {}",
                serde_json::to_string(case).expect("its keys are texts")
            )
        };
        let lines: Vec<String> = self.cases.iter().map(line).collect();
        format!(
            "{{\n  \"version\": {VERSION},\n  \"test_cases\": {{\n{}\n  }}\n}}\n",
            lines.join(",\n")
        )
    }

    /// The content of a file when it was generated; `None` for a file that was not generated.
    pub(crate) fn generated(&self, path: &str) -> Option<&Content> {
        let (id, extension) = case_of(path);
        let file = self.cases.get(id)?.files.get(extension)?;
        (!file.by_hand).then_some(&file.content)
    }

    /// Records a file.
    pub(crate) fn add(&mut self, path: &str, content: Content, origin: Option<&str>) {
        let (id, extension) = case_of(path);
        let case = self.cases.entry(id.to_owned()).or_default();
        match origin {
            Some(origin) => case.from = origin.to_owned(),
            // A file written by hand next to generated ones does not change the origin of the case.
            None if case.from.is_empty() => case.from = HAND_WRITTEN.to_owned(),
            None => {}
        }
        case.files.insert(
            extension.to_owned(),
            LockedFile {
                content,
                by_hand: origin.is_none(),
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lock_files_round_trip_with_one_line_per_test_case() {
        let mut lock = Lock::default();
        lock.add(
            "secret/1.in",
            Content::from_bytes(b"1\n"),
            Some("generate g 1"),
        );
        lock.add("secret/1.hint", Content::from_bytes(b"x"), None);
        lock.add(
            "sample/1.in",
            Content::Link {
                link: "../secret/1.in".into(),
            },
            Some("same as secret/1"),
        );
        lock.add("secret/mine.in", Content::from_bytes(b"x"), None);
        let text = lock.to_text();
        assert_eq!(
            text.lines()
                .filter(|line| line.contains("\"from\""))
                .count(),
            3
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock.json");
        assert_eq!(Lock::read(&path).unwrap(), Lock::default());
        fs::write(&path, &text).unwrap();
        let read = Lock::read(&path).unwrap();
        assert_eq!(read, lock);
        assert_eq!(read.cases["secret/1"].from, "generate g 1");
        assert_eq!(read.cases["secret/mine"].from, HAND_WRITTEN);
        assert!(
            read.generated("secret/1.hint").is_none() && read.generated("secret/1.in").is_some()
        );
        fs::write(&path, text.replace("\"version\": 1", "\"version\": 2")).unwrap();
        assert!(
            Lock::read(&path)
                .unwrap_err()
                .to_string()
                .contains("found version 2")
        );
        fs::write(&path, "{").unwrap();
        assert!(Lock::read(&path).is_err());
    }
}
