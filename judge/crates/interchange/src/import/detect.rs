//! The format of a source.
//!
//! Responsible for which of them it is, how sure that is, and what else it could be. Must not convert anything, nor know what a
//! format is recognised by.

use std::cmp::Reverse;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use judge_event::Confidence;

use crate::InterchangeError;
use crate::import::signs::{Sign, has_parts_of_a_problem, is_austrian, sign};
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
#[error("unknown format `{0}`; expected one of {names}", names = Format::ALL.map(Format::name).join(", "))]
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
    /// How sure that is.
    pub confidence: Confidence,
    /// What it was recognised by; empty when it was named.
    pub evidence: String,
    /// Other formats that the source could be in.
    pub could_be: Vec<Format>,
}

/// Files that formats have which are known and not imported yet, with the names of the formats.
const NOT_YET: [(&str, &str); 3] =
    [("contest.xml", "a contest of Polygon"), ("task.toml", "task-maker's newer format"), ("problem.rbx.yml", "rbx")];

/// Finds out the format of a source: the one with the surest sign.
///
/// # Errors
/// When it is in none that is known.
pub(crate) fn detect(source: &Source) -> Result<Detected, InterchangeError> {
    let unknown = |hint: String| Err(InterchangeError::Unknown { path: source.named().to_owned(), hint });
    let mut found: Vec<(Format, Sign)> =
        Format::ALL.into_iter().filter_map(|format| Some((format, sign(source, format)?))).collect();
    // Those that are as sure stay in the order in which formats are looked for.
    found.sort_by_key(|(_, sign)| Reverse(sign.confidence));
    let is_of_hydro = found.iter().any(|(format, _)| *format == Format::Hydro);
    if source.has("problem.yaml") && !is_of_hydro && !matches!(found.first(), Some((Format::Polygon, _))) {
        return unknown("it is a problem package already, by its `problem.yaml`: use it as it is".to_owned());
    }
    let is_guess = found.first().is_none_or(|(_, sign)| sign.confidence == Confidence::Guess);
    let not_yet = NOT_YET.iter().find(|(file, _)| source.has(file)).copied();
    let austrian = ("task.yaml", "the format of the Austrian olympiad (`cmsAOI`)");
    if let Some((file, format)) = not_yet.or_else(|| is_austrian(source).then_some(austrian)).filter(|_| is_guess) {
        return unknown(format!("`{file}` is a sign of {format}, which is not imported yet"));
    }
    if is_guess {
        check_single(source)?;
    }
    let mut found = found.into_iter();
    let Some((format, Sign { confidence, evidence })) = found.next() else {
        let hint = "expected the files of another judge, such as `problem.xml`, `init.yml` or `task.yaml`, a file of Competitive \
                    Companion, or inputs and outputs such as `1.in` and `1.out`";
        return unknown(hint.to_owned());
    };
    // Inputs and outputs lie in the problems of every judge.
    let is_other = |of: &(Format, Sign)| of.0 != Format::Plain || confidence < Confidence::Certain;
    let could_be: Vec<(Format, Sign)> = found.filter(is_other).collect();
    let has_equal = could_be.iter().any(|(_, sign)| sign.confidence == Confidence::Certain);
    let confidence = if has_equal { confidence.min(Confidence::Likely) } else { confidence };
    let could_be = could_be.into_iter().map(|(format, _)| format).collect();
    Ok(Detected { format, confidence, evidence, could_be })
}

/// The deepest directory in which a problem is looked for: archives of several contests have one level for each.
const MAX_PROBLEM_DEPTH: usize = 3;

/// Refuses a source that is several problems: as one package, their test cases would be judged together.
///
/// # Errors
/// When at least two of its directories are problems by themselves.
pub(crate) fn check_single(source: &Source) -> Result<(), InterchangeError> {
    let mut problems = Vec::new();
    find_problems(source, Path::new(""), MAX_PROBLEM_DEPTH, &mut problems);
    let [first, _, ..] = &problems[..] else { return Ok(()) };
    let hint = match source.is_archive() {
        true => "unpack it, and import each by itself".to_owned(),
        false => format!("import each by itself: `judge import {}`", source.shown(first).display()),
    };
    Err(InterchangeError::Several { path: source.named().to_owned(), problems, hint })
}

/// Collects the directories below `at` that are problems by themselves, without looking into those.
fn find_problems(source: &Source, at: &Path, depth: usize, problems: &mut Vec<PathBuf>) {
    for directory in source.directories() {
        let within = source.within(&directory);
        let place = at.join(&directory);
        if is_problem(&within) {
            problems.push(place);
        } else if depth > 1 {
            find_problems(&within, &place, depth - 1, problems);
        }
    }
}

/// True for a directory that is a package, has a sign of a format, or has test cases beside other parts of a problem.
fn is_problem(source: &Source) -> bool {
    let is_sure = |format| sign(source, format).is_some_and(|sign| sign.confidence == Confidence::Certain);
    let has_sign = Format::ALL.into_iter().filter(|format| *format != Format::Companion).any(is_sure);
    source.has("problem.yaml") || has_sign || has_parts_of_a_problem(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn a_directory_of_several_problems_is_an_error_that_names_them() {
        let pair = |directory: &str| ["in", "ans"].map(|ending| (format!("{directory}/1.{ending}"), ""));
        let error = |files: &[(String, &str)]| {
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
            of(&files).map(|_| ()).unwrap_err()
        };
        let contest = ["a/data/sample", "a/data/secret", "day2/b/data/sample", "day2/b/data/secret"].map(pair).concat();
        let text = error(&contest);
        assert!(text.contains("2 problems: `a`, `day2/b`") && text.contains("judge import"), "{text}");
        // With programs, packages, and other formats.
        let solved =
            |name: &str| [pair(&format!("{name}/tests")).to_vec(), vec![(format!("{name}/solutions/x.py"), "")]];
        assert!(error(&[solved("a"), solved("b")].concat().concat()).contains("2 problems: `a`, `b`"));
        let packages = ["a/problem.yaml", "b/problem.yaml"].map(|file| (file.to_owned(), ""));
        assert!(error(&packages).contains("2 problems: `a`, `b`"));
        let other = ["a/problem.xml", "b/problem.xml"].map(|file| (file.to_owned(), "<problem/>"));
        assert!(error(&other).contains("2 problems: `a`, `b`"));
        // Groups of test cases are no problems.
        let groups = ["tests/sample", "tests/secret", "tests/group1", "extra/group2"].map(pair).concat();
        let groups: Vec<(&str, &str)> = groups.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(of(&groups).unwrap().format, Format::Plain);
    }

    fn of(files: &[(&str, &str)]) -> Result<Detected, String> {
        let tree = Tree::with(files);
        detect(&Source::open(&tree.path(""), &|| false).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn formats_are_known_by_their_files() {
        assert_eq!(of(&[("a/problem.xml", ""), ("a/tests/01", "")]).unwrap().format, Format::Polygon);
        let plain = of(&[("1.in", ""), ("1.out", ""), ("2.in", ""), ("2.out", "")]).unwrap();
        assert_eq!(
            (plain.format, plain.confidence, plain.evidence.as_str()),
            (Format::Plain, Confidence::Guess, "2 inputs with an output")
        );
        assert_eq!(of(&[("a.json", "{}")]).unwrap().format, Format::Companion);
        assert!(of(&[("problem.yaml", ""), ("1.in", "")]).unwrap_err().contains("package already"));
        assert_eq!(of(&[("init.yml", ""), ("1.in", "")]).unwrap().format, Format::Dmoj);
        assert_eq!(of(&[("problem.yaml", "pid: P1000\n"), ("testdata/1.in", "")]).unwrap().format, Format::Hydro);
        assert!(of(&[("problem.rbx.yml", ""), ("1.in", "")]).unwrap_err().contains("rbx"));
        let austrian = "extends: ../base.yaml\nlong_name: Twice\ntime_limit: 1s\nchecker: !cppcompile c.cpp\nsubtasks:\n- points: 5\n";
        assert!(of(&[("task.yaml", austrian), ("1.in", ""), ("1.out", "")]).unwrap_err().contains("Austrian"));
        let italian = "name: x\ntime_limit: 1\nsubtasks: 3\n";
        assert_eq!(of(&[("task.yaml", italian)]).unwrap().format, Format::Cms);
        assert!(of(&[("README", "")]).unwrap_err().contains("no format that is known"));
    }

    #[test]
    fn a_format_is_as_sure_as_its_files_are_its_own() {
        let sure = |files: &[(&str, &str)]| {
            let found = of(files).unwrap();
            (found.format, found.confidence, found.could_be)
        };
        let pair = [("1.in", ""), ("1.out", "")];
        let with = |file: (&'static str, &'static str)| [&[file][..], &pair].concat();
        assert_eq!(sure(&with(("init.yml", "test_cases: []"))), (Format::Dmoj, Confidence::Certain, vec![]));
        // Any tool may have a file of this name.
        assert_eq!(sure(&with(("init.yml", "x: 1"))), (Format::Dmoj, Confidence::Likely, vec![Format::Plain]));
        let both = [("init.yml", "archive: x.zip"), ("problem.conf", "n_tests 3\n"), ("task.yaml", "x: 1")];
        assert_eq!(sure(&both), (Format::Dmoj, Confidence::Likely, vec![Format::Uoj, Format::Cms]));
        let surer = [("init.yml", "x: 1"), ("problem.conf", "n_tests 3\n")];
        assert_eq!(sure(&surer), (Format::Uoj, Confidence::Certain, vec![Format::Dmoj]));
        assert_eq!(sure(&[("problem.xml", "<problem/>")]).1, Confidence::Certain);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
        }
        assert!("kattis".parse::<Format>().unwrap_err().to_string().contains("polygon, hydro, dmoj"));
    }
}
