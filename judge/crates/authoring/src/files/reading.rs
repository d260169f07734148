//! The files below a `data/` directory, and the test case that each belongs to.
//!
//! Responsible for reading directories. Must not change them or know the origin of a file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Extensions of files of a test case, the longer ones first.
const EXTENSIONS: [&str; 15] = [
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".interaction",
    ".yaml",
    ".desc",
    ".hint",
    ".in",
    ".ans",
    ".out",
    ".png",
    ".jpg",
    ".svg",
    ".pdf",
];
/// The extension of the directory of a test case's files.
const FILES: &str = ".files";

/// The content of a file, as needed to compare two files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    /// A link to another file.
    Link {
        /// The target as it is written, relative to the link's directory.
        link: String,
    },
    /// A regular file.
    Bytes {
        /// The size in bytes.
        bytes: u64,
        /// The SHA-256 of the bytes, in hexadecimal.
        sha256: String,
    },
}

impl Content {
    #[cfg(test)]
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self::Bytes {
            bytes: bytes.len() as u64,
            sha256: hexadecimal(&Sha256::digest(bytes)),
        }
    }

    pub(crate) fn from_file(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path)?.is_symlink() {
            return Ok(Self::Link {
                link: fs::read_link(path)?.to_string_lossy().into_owned(),
            });
        }
        let mut file = judge_package::open_within(path, judge_package::MAX_DATA_BYTES)?;
        let mut hasher = Sha256::new();
        let bytes = io::copy(&mut file, &mut HashedBytes(&mut hasher))?;
        Ok(Self::Bytes {
            bytes,
            sha256: hexadecimal(&hasher.finalize()),
        })
    }
}

/// Hashes bytes as they are read, so that large files need little memory.
struct HashedBytes<'h>(&'h mut Sha256);

impl io::Write for HashedBytes<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads every file below a directory, by its path there. Names with a leading dot are not part of
/// a package (package format, "General requirements"). A missing directory has no files.
///
/// # Errors
/// Fails for the first file or directory that cannot be read.
pub(crate) fn files_below(root: &Path) -> Result<BTreeMap<String, Content>, Unreadable> {
    let mut files = BTreeMap::new();
    let unreadable = |path: PathBuf| |cause| Unreadable { path, cause };
    for path in paths_below(root, Path::new("")).map_err(unreadable(root.to_owned()))? {
        let file = root.join(&path);
        let content = Content::from_file(&file).map_err(unreadable(file))?;
        files.insert(path.to_string_lossy().into_owned(), content);
    }
    Ok(files)
}

/// A file or directory that cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) path: PathBuf,
    pub(crate) cause: io::Error,
}

fn paths_below(root: &Path, below: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let entries = match fs::read_dir(root.join(below)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(paths),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            paths.extend(paths_below(root, &path)?);
        } else {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// The test case that a file belongs to, and its extension with the dot. For a file outside of test
/// cases, the extension is empty.
pub(crate) fn case_of(path: &str) -> (&str, &str) {
    let directory = path
        .match_indices('/')
        .map(|(index, _)| index)
        .find(|index| path[..*index].ends_with(FILES));
    if let Some(index) = directory {
        return path.split_at(index - FILES.len());
    }
    let found = EXTENSIONS
        .iter()
        .find(|extension| path.ends_with(*extension));
    path.split_at(path.len() - found.map_or(0, |extension| extension.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_test_cases() {
        for (path, expected) in [
            ("sample/1.in", ("sample/1", ".in")),
            ("sample/1.in.statement", ("sample/1", ".in.statement")),
            ("secret/1.5-x.ans", ("secret/1.5-x", ".ans")),
            ("secret/1.files/a/b.in", ("secret/1", ".files/a/b.in")),
            ("secret/readme", ("secret/readme", "")),
        ] {
            assert_eq!(case_of(path), expected);
        }
    }

    #[test]
    fn links_are_not_followed_and_hidden_files_are_ignored() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("data");
        assert!(files_below(&root).unwrap().is_empty());
        fs::create_dir_all(root.join("sample/.hidden")).unwrap();
        fs::write(root.join("sample/1.in"), "abc").unwrap();
        fs::write(root.join("sample/.2.in"), "").unwrap();
        std::os::unix::fs::symlink("1.in", root.join("sample/3.in")).unwrap();
        let files = files_below(&root).unwrap();
        assert_eq!(
            files.keys().collect::<Vec<_>>(),
            ["sample/1.in", "sample/3.in"]
        );
        assert_eq!(
            files["sample/3.in"],
            Content::Link {
                link: "1.in".into()
            }
        );
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
        assert_eq!(files["sample/1.in"], Content::Bytes { bytes: 3, sha256 });
    }
}
