//! Detects the format of a source.
//!
//! Responsible for the confidence of the detection and for other possible formats. Must not convert
//! anything or know the signs of a format.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use judge_event::Confidence;

use crate::import::formats::Format;
use crate::import::signs::{Sign, has_parts_of_a_problem, unsupported};
use crate::import::source::Source;
use crate::{InterchangeError, Result};

/// A format that was recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectedFormat {
    /// The format.
    pub format: Format,
    /// The confidence of the detection.
    pub confidence: Confidence,
    /// The sign by which it was recognised. Empty if the user named the format.
    pub evidence: String,
    /// Other formats that the source could be in.
    pub could_be: Vec<Format>,
}

/// Detects the format of a source: the one with the most certain sign.
///
/// # Errors
/// If it is in no known format, or contains several problems.
pub(crate) fn detect(source: &Source) -> Result<DetectedFormat> {
    let unknown = |hint: String| {
        Err(InterchangeError::Unknown {
            path: source.named().to_owned(),
            hint,
        })
    };
    let mut found: Vec<(Format, Sign)> = Format::all()
        .filter_map(|format| Some((format, (format.0.sign)(source)?)))
        .collect();
    // Equally certain formats are kept in the order in which they are tried.
    found.sort_by_key(|(_, sign)| Reverse(sign.confidence));
    // Formats with their own `problem.yaml`, such as Hydro's, have further signs.
    if source.has("problem.yaml") && !found.iter().any(|(format, _)| format.0.has_problem_yaml) {
        return unknown(
            "its `problem.yaml` shows that it is already a problem package: use it directly"
                .to_owned(),
        );
    }
    let is_guess = found
        .first()
        .is_none_or(|(_, sign)| sign.confidence == Confidence::Guess);
    if let Some((file, format)) = unsupported(source).filter(|_| is_guess) {
        return unknown(format!(
            "`{file}` is a sign of {format}, which cannot be imported yet"
        ));
    }
    if is_guess {
        check_single(source)?;
    }
    let mut found = found.into_iter();
    let Some((format, sign)) = found.next() else {
        let known: Vec<String> = Format::all()
            .map(|format| format!("{} ({})", format.0.known_by, format.name()))
            .collect();
        return unknown(format!(
            "expected the files of a format: {}",
            known.join(", ")
        ));
    };
    let Sign {
        mut confidence,
        evidence,
    } = sign;
    let is_other =
        |(format, _): &(Format, Sign)| !format.0.is_bare || confidence < Confidence::Certain;
    let could_be: Vec<(Format, Sign)> = found.filter(is_other).collect();
    // Two certain signs contradict each other, so neither is certain.
    let is_certain = |(_, sign): &(Format, Sign)| sign.confidence == Confidence::Certain;
    if could_be.iter().any(is_certain) {
        confidence = confidence.min(Confidence::Likely);
    }
    let could_be = could_be.into_iter().map(|(format, _)| format).collect();
    Ok(DetectedFormat {
        format,
        confidence,
        evidence,
        could_be,
    })
}

/// The maximum depth at which problems are searched: archives of several contests have a directory
/// for each.
const MAX_PROBLEM_DEPTH: usize = 3;

/// Refuses a source with several problems: as one package, their test cases would be judged
/// together.
///
/// # Errors
/// If at least two of its directories are problems.
pub(crate) fn check_single(source: &Source) -> Result<()> {
    let mut problems = Vec::new();
    find_problems(source, Path::new(""), MAX_PROBLEM_DEPTH, &mut problems);
    let [first, _, ..] = &problems[..] else {
        return Ok(());
    };
    let hint = match source.is_archive() {
        true => "unpack it, and import each problem separately".to_owned(),
        false => format!(
            "import each problem separately: `judge import {}`",
            source.shown(first).display()
        ),
    };
    Err(InterchangeError::Several {
        path: source.named().to_owned(),
        problems,
        hint,
    })
}

/// Collects the directories below `at` that are problems, without searching inside of these.
fn find_problems(source: &Source, at: &Path, depth: usize, problems: &mut Vec<PathBuf>) {
    for directory in source.directories() {
        let inner = source.within(&directory);
        let place = at.join(&directory);
        if is_problem(&inner) {
            problems.push(place);
        } else if depth > 1 {
            find_problems(&inner, &place, depth - 1, problems);
        }
    }
}

/// True for a directory that is a package, has a certain sign of a format, or contains test cases
/// and other parts of a problem.
fn is_problem(source: &Source) -> bool {
    let is_certain = |format: Format| {
        (format.0.sign)(source).is_some_and(|sign| sign.confidence == Confidence::Certain)
    };
    let has_sign = Format::all()
        .filter(|format| !format.0.is_one_file)
        .any(is_certain);
    source.has("problem.yaml") || has_sign || has_parts_of_a_problem(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Tree;

    #[test]
    fn several_problems_in_a_directory_are_rejected() {
        let pair =
            |directory: &str| ["in", "ans"].map(|ending| (format!("{directory}/1.{ending}"), ""));
        let error = |files: &[(String, &str)]| {
            let files: Vec<(&str, &str)> = files
                .iter()
                .map(|(path, text)| (path.as_str(), *text))
                .collect();
            detected(&files).map(|_| ()).unwrap_err()
        };
        let contest = [
            "a/data/sample",
            "a/data/secret",
            "day2/b/data/sample",
            "day2/b/data/secret",
        ]
        .map(pair)
        .concat();
        let text = error(&contest);
        assert!(
            text.contains("2 problems: `a`, `day2/b`") && text.contains("judge import"),
            "{text}"
        );
        // With programs, packages, and other formats.
        let solved = |name: &str| {
            [
                pair(&format!("{name}/tests")).to_vec(),
                vec![(format!("{name}/solutions/x.py"), "")],
            ]
        };
        assert!(
            error(&[solved("a"), solved("b")].concat().concat()).contains("2 problems: `a`, `b`")
        );
        let packages = ["a/problem.yaml", "b/problem.yaml"].map(|file| (file.to_owned(), ""));
        assert!(error(&packages).contains("2 problems: `a`, `b`"));
        let other = ["a/problem.xml", "b/problem.xml"].map(|file| (file.to_owned(), "<problem/>"));
        assert!(error(&other).contains("2 problems: `a`, `b`"));
        // Groups of test cases are not problems.
        let groups = [
            "tests/sample",
            "tests/secret",
            "tests/group1",
            "extra/group2",
        ]
        .map(pair)
        .concat();
        let groups: Vec<(&str, &str)> = groups
            .iter()
            .map(|(path, text)| (path.as_str(), *text))
            .collect();
        assert_eq!(detected(&groups).unwrap().format.name(), "plain");
    }

    fn detected(files: &[(&str, &str)]) -> Result<DetectedFormat, String> {
        let tree = Tree::with(files);
        detect(&Source::open(&tree.path(""), &|| false).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn formats_are_recognised_by_files() {
        assert_eq!(
            detected(&[("a/problem.xml", ""), ("a/tests/01", "")])
                .unwrap()
                .format
                .name(),
            "polygon"
        );
        let plain = detected(&[("1.in", ""), ("1.out", ""), ("2.in", ""), ("2.out", "")]).unwrap();
        assert_eq!(
            (
                plain.format.name(),
                plain.confidence,
                plain.evidence.as_str()
            ),
            ("plain", Confidence::Guess, "2 inputs with an output")
        );
        assert_eq!(
            detected(&[("a.json", "{}")]).unwrap().format.name(),
            "companion"
        );
        assert!(
            detected(&[("problem.yaml", ""), ("1.in", "")])
                .unwrap_err()
                .contains("already a problem package")
        );
        assert_eq!(
            detected(&[("init.yml", ""), ("1.in", "")])
                .unwrap()
                .format
                .name(),
            "dmoj"
        );
        assert_eq!(
            detected(&[("problem.yaml", "pid: P1000\n"), ("testdata/1.in", "")])
                .unwrap()
                .format
                .name(),
            "hydro"
        );
        assert!(
            detected(&[("problem.rbx.yml", ""), ("1.in", "")])
                .unwrap_err()
                .contains("rbx")
        );
        let austrian = "extends: ../base.yaml\nlong_name: Twice\ntime_limit: 1s\nchecker: !cppcompile c.cpp\nsubtasks:\n- points: 5\n";
        assert!(
            detected(&[("task.yaml", austrian), ("1.in", ""), ("1.out", "")])
                .unwrap_err()
                .contains("Austrian")
        );
        let italian = "name: x\ntime_limit: 1\nsubtasks: 3\n";
        assert_eq!(
            detected(&[("task.yaml", italian)]).unwrap().format.name(),
            "cms"
        );
        assert!(
            detected(&[("README", "")])
                .unwrap_err()
                .contains("no known format")
        );
    }

    #[test]
    fn specific_signs_give_more_confidence() {
        let detection = |files: &[(&str, &str)]| {
            let found = detected(files).unwrap();
            (
                found.format.name(),
                found.confidence,
                found
                    .could_be
                    .iter()
                    .map(|format| format.name())
                    .collect::<Vec<_>>(),
            )
        };
        let pair = [("1.in", ""), ("1.out", "")];
        let with_pair = |file: (&'static str, &'static str)| [&[file][..], &pair].concat();
        assert_eq!(
            detection(&with_pair(("init.yml", "test_cases: []"))),
            ("dmoj", Confidence::Certain, vec![])
        );
        // Any tool may have a file of this name.
        assert_eq!(
            detection(&with_pair(("init.yml", "x: 1"))),
            ("dmoj", Confidence::Likely, vec!["plain"])
        );
        let both = [
            ("init.yml", "archive: x.zip"),
            ("problem.conf", "n_tests 3\n"),
            ("task.yaml", "x: 1"),
        ];
        assert_eq!(
            detection(&both),
            ("dmoj", Confidence::Likely, vec!["uoj", "cms"])
        );
        let more_certain = [("init.yml", "x: 1"), ("problem.conf", "n_tests 3\n")];
        assert_eq!(
            detection(&more_certain),
            ("uoj", Confidence::Certain, vec!["dmoj"])
        );
        assert_eq!(
            detection(&[("problem.xml", "<problem/>")]).1,
            Confidence::Certain
        );
    }
}
