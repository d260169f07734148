//! The formats that problems are imported from.
//!
//! A format is one file of this folder with its [`ImportFormat`], its `mod` line and its row in
//! [`TABLE`]. The command line, help, errors and detection use this table.

mod cms;
mod companion;
mod dmoj;
mod domjudge;
mod fps;
mod hydro;
mod library_checker;
mod plain;
mod polygon;
mod sinol;
mod syzoj;
mod tps;
mod uoj;

use std::fmt;
use std::str::FromStr;

use judge_model::{UnknownName, find_by_name};

use crate::import::draft::Draft;
use crate::import::signs::Sign;
use crate::import::source::Source;
use crate::{IsStopped, Result};

/// All formats, in the order in which they are tried.
static TABLE: [ImportFormat; 13] = [
    polygon::FORMAT,
    hydro::FORMAT,
    dmoj::FORMAT,
    syzoj::FORMAT,
    uoj::FORMAT,
    fps::FORMAT,
    library_checker::FORMAT,
    tps::FORMAT,
    cms::FORMAT,
    sinol::FORMAT,
    domjudge::FORMAT,
    companion::FORMAT,
    plain::FORMAT,
];

/// A format: its name, its sign, and its conversion to a package.
pub(crate) struct ImportFormat {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The files by which it is recognised, for messages.
    pub(crate) known_by: &'static str,
    /// Returns the sign that a source is in this format, if there is one.
    pub(crate) sign: fn(&Source) -> Option<Sign>,
    /// Adds files from other places: from an archive in the source, or from outside of it.
    pub(crate) prepare: fn(&mut Source, IsStopped<'_>) -> Result<()>,
    /// Converts the source to a package.
    pub(crate) convert: fn(&Source, &mut Draft) -> Result<()>,
    /// True for plain inputs and outputs, which problems of every format contain.
    pub(crate) is_bare: bool,
    /// True if a problem is a single file, so that a directory with such a file is not a problem.
    pub(crate) is_one_file: bool,
    /// True if a file `problem.yaml` may be part of the format, and does not make the source a
    /// package.
    pub(crate) has_problem_yaml: bool,
}

impl ImportFormat {
    /// Creates a format whose files are all in one directory, with its own sign.
    pub(crate) const fn new(
        name: &'static str,
        known_by: &'static str,
        sign: fn(&Source) -> Option<Sign>,
        convert: fn(&Source, &mut Draft) -> Result<()>,
    ) -> Self {
        let prepare = |_: &mut Source, _: IsStopped<'_>| Ok(());
        Self {
            name,
            known_by,
            sign,
            prepare,
            convert,
            is_bare: false,
            is_one_file: false,
            has_problem_yaml: false,
        }
    }
}

/// A format that problems are imported from.
#[derive(Clone, Copy)]
pub struct Format(pub(crate) &'static ImportFormat);

impl Format {
    /// All formats, in the order in which they are tried.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(Self)
    }

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find_by_name("format", Self::all(), Self::name, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_documented() {
        let page = include_str!("../../../../../docs/guides/import.md");
        for format in Format::all() {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
            assert!(
                page.contains(&format!("\n| `{}`", format.name())),
                "{format:?} is not in the guide"
            );
        }
        assert!(
            "kattis"
                .parse::<Format>()
                .unwrap_err()
                .to_string()
                .contains("`polygon`, `hydro`, `dmoj`")
        );
    }
}
