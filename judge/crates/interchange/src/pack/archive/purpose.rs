//! The purpose of an archive, which is stored in its comment.
//!
//! Responsible for distinguishing archives for different judges. Must not know the contents of
//! archives.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use judge_files::regular_file;

use crate::pack::Target;
use crate::{InterchangeError, Result};

/// The purpose of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Purpose {
    /// The samples of problems, for contestants.
    #[default]
    Samples,
    /// A problem, for a judge.
    Judge(Target),
}

/// The beginning of the comment in archives of `judge pack`. Options and `END` follow.
const BEGIN: &str = "written by `judge pack";
const END: &str = "`";
/// The number of bytes at the end of an archive that contain the whole comment.
const MAX_BYTES: u64 = 64;

impl Purpose {
    /// Returns the options of `judge pack` for this purpose.
    fn options(self) -> String {
        match self {
            Self::Samples => " --samples".to_owned(),
            Self::Judge(target) => format!(" --for {target}"),
        }
    }

    /// Returns the comment of an archive with this purpose.
    pub(super) fn comment(self) -> String {
        format!("{BEGIN}{}{END}", self.options())
    }

    /// Checks that a file was written by `judge pack` for the same purpose.
    ///
    /// # Errors
    /// If it was not.
    pub(super) fn check(self, file: &Path) -> Result<()> {
        match options_of(file) {
            None => Err(InterchangeError::NotPacked(file.to_owned())),
            // Archives of earlier versions do not state their purpose.
            Some(options) if options.is_empty() || options == self.options() => Ok(()),
            Some(options) => Err(InterchangeError::PackedForOther {
                path: file.to_owned(),
                options: options.trim().to_owned(),
            }),
        }
    }
}

/// Returns the options with which an archive was packed, or `None` if it was not written by `judge
/// pack`.
fn options_of(file: &Path) -> Option<String> {
    let end = || -> io::Result<Vec<u8>> {
        let mut file = regular_file::open(file)?;
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(
            file.metadata()?.len().saturating_sub(MAX_BYTES),
        ))?;
        file.take(MAX_BYTES).read_to_end(&mut end)?;
        Ok(end)
    };
    let end = end().ok()?;
    let begin = end
        .windows(BEGIN.len())
        .rposition(|part| part == BEGIN.as_bytes())?;
    let options = std::str::from_utf8(&end[begin + BEGIN.len()..])
        .ok()?
        .strip_suffix(END)?;
    Some(options.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn comments_identify_the_purpose_of_archives() {
        let comments = [Purpose::Samples]
            .into_iter()
            .chain(Target::all().map(Purpose::Judge))
            .map(Purpose::comment);
        assert!(
            comments
                .clone()
                .all(|comment| comment.len() as u64 <= MAX_BYTES)
        );
        for (number, comment) in comments.enumerate() {
            let tree = Tree::with(&[]);
            tree.write("a.zip", [&[0xff; 100], comment.as_bytes()].concat());
            for (other, purpose) in [Purpose::Samples]
                .into_iter()
                .chain(Target::all().map(Purpose::Judge))
                .enumerate()
            {
                assert_eq!(
                    purpose.check(&tree.path("a.zip")).is_ok(),
                    number == other,
                    "{comment} {purpose:?}"
                );
            }
        }
        let check = |text: &str| {
            let tree = Tree::with(&[("a.zip", text)]);
            Purpose::Judge("kattis".parse().unwrap())
                .check(&tree.path("a.zip"))
                .map_err(|error| error.to_string())
        };
        check("written by `judge pack`").unwrap();
        assert!(
            check("written by `judge pack --for hydro`")
                .unwrap_err()
                .contains("was packed with `--for hydro`")
        );
        for other in [
            "",
            "zip",
            "written by `judge pack",
            "written by `judge pack`, and changed",
            "written by `judge`",
        ] {
            assert!(
                check(other)
                    .unwrap_err()
                    .contains("was not written by this command"),
                "{other}"
            );
        }
    }
}
