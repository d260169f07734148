//! The kinds of signs by which formats are recognised: files, keys in them, matching names.
//!
//! Also responsible for signs of formats that cannot be imported. The signs of each format are in
//! its own file.

use std::path::Path;

use judge_event::Confidence;
use judge_package::yaml::Value;

use crate::Result;
use crate::examples::pairing::pairs;
use crate::import::draft::naming::counted;
use crate::import::settings::get;
use crate::import::source::Source;

/// A sign of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) confidence: Confidence,
    /// A description of the sign.
    pub(crate) evidence: String,
}

/// Files of known formats that cannot be imported yet, with the names of the formats.
const UNSUPPORTED: [(&str, &str); 3] = [
    ("contest.xml", "a contest of Polygon"),
    ("task.toml", "task-maker's newer format"),
    ("problem.rbx.yml", "rbx"),
];

/// Returns the sign of a format that cannot be imported, with the name of the format.
pub(crate) fn unsupported(source: &Source) -> Option<(&'static str, &'static str)> {
    let austrian = (
        AUSTRIAN_FILE,
        "the format of the Austrian olympiad (`cmsAOI`)",
    );
    UNSUPPORTED
        .into_iter()
        .find(|(file, _)| source.has(file))
        .or_else(|| is_austrian(source).then_some(austrian))
}

const AUSTRIAN_FILE: &str = "task.yaml";
/// Keys that every `task.yaml` of the Austrian olympiad has, and none of CMS's `italy_yaml`.
///
/// Source: austrian-olympiad-informatics/cms-aoi-import, README ("YAML Schema").
const AUSTRIAN_KEYS: [&str; 3] = ["long_name", "statements", "subtasks"];

/// True for a task of the Austrian olympiad, whose `task.yaml` is not the one of CMS. Its tags,
/// such as `!cppcompile`, are not supported by the YAML reader, so keys are searched in its lines.
/// One key may be in a file that it extends.
pub(crate) fn is_austrian(source: &Source) -> bool {
    let text = source.text_to_search(AUSTRIAN_FILE).unwrap_or_default();
    let has = |key: &&str| {
        text.lines().any(|line| {
            line.strip_prefix(*key)
                .is_some_and(|rest| rest.starts_with(':'))
        })
    };
    AUSTRIAN_KEYS.iter().filter(|key| has(key)).count() >= 2
}

/// Returns the sign of a file. Unless it is certain, other tools may use such a file too.
pub(crate) fn by_file(file: &str, is_certain: bool) -> Sign {
    let confidence = if is_certain {
        Confidence::Certain
    } else {
        Confidence::Likely
    };
    Sign {
        confidence,
        evidence: format!("`{file}`"),
    }
}

/// Returns the sign of a file, which is certain if it has one of these keys. A file that cannot be
/// read is a sign too, so that the reader of the format reports the error.
pub(crate) fn by_keys(
    source: &Source,
    file: &str,
    read: fn(&Source, &str) -> Result<Value>,
    keys: &[&str],
) -> Option<Sign> {
    let has_one =
        || read(source, file).is_ok_and(|found| keys.iter().any(|key| get(&found, key).is_some()));
    source.has(file).then(|| by_file(file, has_one()))
}

/// True if a file contains one of these words.
pub(crate) fn contains(source: &Source, file: &str, words: &[&str]) -> bool {
    let text = source.text_to_search(file).unwrap_or_default();
    words.iter().any(|word| text.contains(word))
}

/// Returns the file of a source that has only one.
pub(crate) fn only_file(source: &Source) -> Option<&str> {
    let mut files = source.files();
    let only = files.next()?;
    files.next().is_none().then(|| only.to_str()).flatten()
}

/// True for a directory that contains test cases and other parts of a problem: separate samples,
/// programs, a statement.
pub(crate) fn has_parts_of_a_problem(source: &Source) -> bool {
    const PARTS: [&str; 12] = [
        "solutions",
        "solution",
        "submissions",
        "statement",
        "statements",
        "problem_statement",
        "input_validators",
        "output_validators",
        "validators",
        "checker",
        "generators",
        "gen",
    ];
    let directories = source.directories();
    let has = |name: &str| {
        directories
            .iter()
            .any(|directory| directory == Path::new(name))
    };
    let is_divided = ["", "data", "tests"].into_iter().any(|parent| {
        let has_files = |name: &str| {
            source
                .files_below(Path::new(parent).join(name))
                .next()
                .is_some()
        };
        (has_files("sample") || has_files("samples")) && has_files("secret")
    });
    (is_divided || PARTS.into_iter().any(has)) && by_names(source).is_some()
}

/// Returns the sign of files with matching names, which is never certain.
pub(crate) fn by_names(source: &Source) -> Option<Sign> {
    let names = source.names_below("");
    // The reader of the format reports why files cannot be paired.
    let (found, unanswered) =
        pairs(&names).map_or((1, 0), |found| (found.pairs.len(), found.unanswered.len()));

    let evidence = match (found, unanswered) {
        (0, 0) => return None,
        (0, _) => format!("{} without output", counted(unanswered, "input")),
        _ => format!("{} with an output", counted(found, "input")),
    };
    Some(Sign {
        confidence: Confidence::Guess,
        evidence,
    })
}
