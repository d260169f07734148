//! The formats that problems are imported from.
//!
//! A format is one file of this folder with its [`ImportFormat`], its `mod` line and its row in
//! [`TABLE`]. Command line, help, errors and detection take everything from there.

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

use crate::import::draft::Draft;
use crate::import::signs::Sign;
use crate::import::source::Source;
use crate::{InterchangeError, IsStopped};

/// Every format, in the order in which they are looked for.
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

/// A format: its name, the sign that it is recognised by, and the way from it to a package.
pub(crate) struct ImportFormat {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The files that it is recognised by, for people.
    pub(crate) known_by: &'static str,
    /// The sign that a source is in this format, if there is one.
    pub(crate) sign: fn(&Source) -> Option<Sign>,
    /// Adds files that lie elsewhere: in an archive of the source, or beside it.
    pub(crate) prepare: fn(&mut Source, IsStopped<'_>) -> Result<(), InterchangeError>,
    /// Makes a package of the source.
    pub(crate) convert: fn(&Source, &mut Draft) -> Result<(), InterchangeError>,
    /// True for mere inputs and outputs, which lie in problems of every format.
    pub(crate) is_bare: bool,
    /// True for a problem that is one file, so that a directory with such a file is not a problem.
    pub(crate) is_one_file: bool,
    /// True when a file `problem.yaml` is part of the format, and not a package.
    pub(crate) has_problem_yaml: bool,
}

impl ImportFormat {
    /// A format whose files all lie in a directory, with a sign of its own.
    pub(crate) const fn new(
        name: &'static str,
        known_by: &'static str,
        sign: fn(&Source) -> Option<Sign>,
        convert: fn(&Source, &mut Draft) -> Result<(), InterchangeError>,
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
    /// Every format, in the order in which they are looked for.
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

/// A name that no format has.
#[derive(Debug, thiserror::Error)]
#[error("unknown format `{0}`; expected one of {names}", names = Format::all().map(Format::name).collect::<Vec<_>>().join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::all()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written_and_each_is_documented() {
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
                .contains("polygon, hydro, dmoj")
        );
    }
}
