//! The format of a source.
//!
//! Responsible for what formats are recognised by. Must not convert anything.

use std::fmt;
use std::str::FromStr;

use crate::InterchangeError;
use crate::examples::pairing::pairs;
use crate::import::judges::{DMOJ_FILE, LIBRARY_CHECKER_FILE, SYZOJ_FILE, UOJ_FILE, is_fps, is_hydro};
use crate::import::olympiads::{CMS_FILES, SINOL_FILE, TPS_FILE};
use crate::import::source::Source;

/// A format that problems are imported from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Codeforces Polygon, full and standard packages.
    Polygon,
    /// Inputs and outputs in folders.
    Plain,
    /// A file of Competitive Companion.
    Companion,
    /// DMOJ's `init.yml`.
    Dmoj,
    /// Hydro's `problem.yaml` and `testdata/config.yaml`.
    Hydro,
    /// SYZOJ's and LibreOJ's `data.yml`.
    Syzoj,
    /// UOJ's `problem.conf`.
    Uoj,
    /// Free Problem Set, in XML.
    Fps,
    /// Library Checker's `info.toml`.
    LibraryChecker,
    /// TPS, the preparation system of the IOI.
    Tps,
    /// CMS's `italy_yaml`, and task-maker's own.
    Cms,
    /// SIO2's packages, by sinol-make.
    Sinol,
}

impl Format {
    /// Every format, in the order in which they are looked for.
    pub const ALL: [Self; 12] = [
        Self::Polygon,
        Self::Hydro,
        Self::Dmoj,
        Self::Syzoj,
        Self::Uoj,
        Self::Fps,
        Self::LibraryChecker,
        Self::Tps,
        Self::Cms,
        Self::Sinol,
        Self::Companion,
        Self::Plain,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Polygon => "polygon",
            Self::Plain => "plain",
            Self::Companion => "companion",
            Self::Dmoj => "dmoj",
            Self::Hydro => "hydro",
            Self::Syzoj => "syzoj",
            Self::Uoj => "uoj",
            Self::Fps => "fps",
            Self::LibraryChecker => "library-checker",
            Self::Tps => "tps",
            Self::Cms => "cms",
            Self::Sinol => "sinol",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of a format.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no format that is imported; expected one of {names}", names = Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A format that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The format.
    pub format: Format,
    /// True when nothing else could be meant.
    pub sure: bool,
    /// What it was recognised by.
    pub evidence: String,
}

/// Files that formats have which are known and not imported yet, with the names of the formats.
const NOT_YET: [(&str, &str); 3] =
    [("contest.xml", "a contest of Polygon"), ("task.toml", "task-maker's newer format"), ("problem.rbx.yml", "rbx")];

/// Finds out the format of a source.
///
/// # Errors
/// When it is in none that is known.
pub(crate) fn detect(source: &Source) -> Result<Detected, InterchangeError> {
    let sure = |format, evidence: &str| Ok(Detected { format, sure: true, evidence: evidence.to_owned() });
    let unknown = |hint: String| Err(InterchangeError::Unknown { path: source.named().to_owned(), hint });
    for name in ["problem.xml", "problem.xml.polygon"] {
        if source.has(name) {
            return sure(Format::Polygon, &format!("`{name}`"));
        }
    }
    if is_hydro(source) {
        let file = if source.has("testdata/config.yaml") { "testdata/config.yaml" } else { "problem.yaml" };
        return sure(Format::Hydro, &format!("`{file}`"));
    }
    if source.has("problem.yaml") {
        return unknown("it is a problem package already, by its `problem.yaml`: use it as it is".to_owned());
    }
    let is_sinol = |name: &str| name != SINOL_FILE || source.files_below("prog").next().is_some();
    for (name, format) in [
        (DMOJ_FILE, Format::Dmoj),
        (SYZOJ_FILE, Format::Syzoj),
        (UOJ_FILE, Format::Uoj),
        (LIBRARY_CHECKER_FILE, Format::LibraryChecker),
        (TPS_FILE, Format::Tps),
        (CMS_FILES[0], Format::Cms),
        (CMS_FILES[1], Format::Cms),
        (SINOL_FILE, Format::Sinol),
    ] {
        if source.has(name) && is_sinol(name) {
            return sure(format, &format!("`{name}`"));
        }
    }
    let files: Vec<&str> = source.files().filter_map(|file| file.to_str()).collect();
    if let [only] = files[..]
        && only.ends_with(".json")
    {
        return sure(Format::Companion, &format!("`{only}`"));
    }
    if let [only] = files[..]
        && is_fps(source, only)
    {
        return sure(Format::Fps, &format!("`{only}`"));
    }
    if let Some((file, format)) = NOT_YET.iter().find(|(file, _)| source.has(file)) {
        return unknown(format!("`{file}` is a sign of {format}, which is not imported yet"));
    }
    let names: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    // Whatever keeps pairs from being made is told by the reader of the format.
    let (found, unanswered) = pairs(&names).map_or((1, 0), |found| (found.pairs.len(), found.unanswered.len()));
    if found == 0 && unanswered > 0 {
        let evidence = format!("{unanswered} {} without output", if unanswered == 1 { "input" } else { "inputs" });
        return Ok(Detected { format: Format::Plain, sure: false, evidence });
    }
    if found == 0 {
        return unknown(
            "expected a package of Polygon (`problem.xml`), a file of Competitive Companion, or inputs and outputs such as \
             `1.in` and `1.out`"
                .to_owned(),
        );
    }
    let evidence = format!("{found} {} with an output", if found == 1 { "input" } else { "inputs" });
    Ok(Detected { format: Format::Plain, sure: false, evidence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    fn of(files: &[(&str, &str)]) -> Result<Detected, String> {
        let tree = Tree::with(files);
        detect(&Source::open(&tree.path("")).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn formats_are_known_by_their_files() {
        assert_eq!(of(&[("a/problem.xml", ""), ("a/tests/01", "")]).unwrap().format, Format::Polygon);
        let plain = of(&[("1.in", ""), ("1.out", ""), ("2.in", ""), ("2.out", "")]).unwrap();
        assert_eq!(
            (plain.format, plain.sure, plain.evidence.as_str()),
            (Format::Plain, false, "2 inputs with an output")
        );
        assert_eq!(of(&[("a.json", "{}")]).unwrap().format, Format::Companion);
        assert!(of(&[("problem.yaml", ""), ("1.in", "")]).unwrap_err().contains("package already"));
        assert_eq!(of(&[("init.yml", ""), ("1.in", "")]).unwrap().format, Format::Dmoj);
        assert_eq!(of(&[("problem.yaml", "pid: P1000\n"), ("testdata/1.in", "")]).unwrap().format, Format::Hydro);
        assert!(of(&[("problem.rbx.yml", ""), ("1.in", "")]).unwrap_err().contains("rbx"));
        assert!(of(&[("README", "")]).unwrap_err().contains("no format that is known"));
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
        }
        assert!("kattis".parse::<Format>().unwrap_err().to_string().contains("polygon, hydro, dmoj"));
    }
}
