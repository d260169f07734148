//! The signs by which formats are recognised.
//!
//! Responsible for the files of each, and for what must be in them so that nothing else is meant. Must not convert anything,
//! nor weigh one format against another.

use std::path::Path;

use judge_event::Confidence;
use judge_package::yaml::Value;

use crate::InterchangeError;
use crate::examples::pairing::pairs;
use crate::import::detect::Format;
use crate::import::judges::{
    DMOJ_FILE, LIBRARY_CHECKER_FILE, SYZOJ_FILE, UOJ_FILE, hydro_file_of_data, is_fps, is_hydro,
};
use crate::import::olympiads::{CMS_FILES, SINOL_FILE, TPS_DESCRIPTION, TPS_FILE};
use crate::import::settings::{get, read, read_json, read_toml};
use crate::import::source::Source;

/// A sign of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) confidence: Confidence,
    /// The sign in words.
    pub(crate) evidence: String,
}

/// The sign that a source is in a format, if there is one.
pub(crate) fn sign(source: &Source, format: Format) -> Option<Sign> {
    match format {
        Format::Polygon => ["problem.xml", "problem.xml.polygon"]
            .into_iter()
            .find(|file| source.has(file))
            .map(|file| by_file(file, contains(source, file, &["<problem"]))),
        Format::Hydro if is_hydro(source) => Some(match source.has("testdata/config.yaml") {
            true => by_file("testdata/config.yaml", true),
            false => by_file("problem.yaml", false),
        }),
        Format::Hydro => hydro_file_of_data(source).map(|file| by_file(file, true)),
        Format::Dmoj => {
            let keys =
                ["test_cases", "archive", "checker", "interactive", "custom_judge", "signature_grader", "generator"];
            by_keys(source, DMOJ_FILE, read, &keys)
        }
        Format::Syzoj => by_keys(source, SYZOJ_FILE, read, &["subtasks", "inputFile", "outputFile", "specialJudge"]),
        Format::Uoj => {
            source.has(UOJ_FILE).then(|| by_file(UOJ_FILE, contains(source, UOJ_FILE, &["n_tests", "use_builtin_"])))
        }
        Format::LibraryChecker => by_keys(source, LIBRARY_CHECKER_FILE, read_toml, &["tests"]),
        Format::Tps => source.has(TPS_FILE).then(|| by_file(TPS_FILE, source.has(TPS_DESCRIPTION))),
        Format::Cms if is_austrian(source) => None,
        Format::Cms => {
            let keys =
                ["time_limit", "timeout", "memory_limit", "memlimit", "output_only", "n_input", "score_type", "infile"];
            CMS_FILES.into_iter().find(|file| source.has(file)).and_then(|file| by_keys(source, file, read, &keys))
        }
        Format::Sinol => {
            let has_programs = source.files_below("prog").next().is_some();
            let keys = ["sinol_task_id", "sinol_expected_scores", "sinol_contest_type", "scores"];
            has_programs.then(|| by_keys(source, SINOL_FILE, read, &keys)).flatten()
        }
        Format::Fps => only_file(source).filter(|file| is_fps(source, file)).map(|file| by_file(file, true)),
        Format::Companion => {
            let is_json = |file: &&str| Path::new(file).extension().is_some_and(|of| of == "json");
            only_file(source).filter(is_json).map(|file| {
                let found = read_json(source, file).ok();
                by_file(file, found.is_some_and(|of| get(&of, "tests").is_some() && get(&of, "name").is_some()))
            })
        }
        Format::Plain => by_names(source),
    }
}

/// Keys that every `task.yaml` of the Austrian olympiad has, and none of CMS's `italy_yaml`.
///
/// Source: austrian-olympiad-informatics/cms-aoi-import, README ("YAML Schema").
const AUSTRIAN_KEYS: [&str; 3] = ["long_name", "statements", "subtasks"];

/// True for a task of the Austrian olympiad, whose `task.yaml` is not CMS's. Its tags, such as `!cppcompile`, are no YAML that is
/// read here, so keys are looked for in its lines. One key may be in a file that it extends.
pub(crate) fn is_austrian(source: &Source) -> bool {
    let file = CMS_FILES[0];
    let text = if source.has(file) { source.text_to_look_at(file).unwrap_or_default() } else { String::new() };
    let has = |key: &&str| text.lines().any(|line| line.strip_prefix(*key).is_some_and(|rest| rest.starts_with(':')));
    AUSTRIAN_KEYS.iter().filter(|key| has(key)).count() >= 2
}

fn by_file(file: &str, is_certain: bool) -> Sign {
    let confidence = if is_certain { Confidence::Certain } else { Confidence::Likely };
    Sign { confidence, evidence: format!("`{file}`") }
}

/// A file that is certain to be meant when it has one of some keys. One that cannot be read is for the reader of the format.
fn by_keys(
    source: &Source,
    file: &str,
    read: fn(&Source, &str) -> Result<Value, InterchangeError>,
    keys: &[&str],
) -> Option<Sign> {
    let has_one = || read(source, file).is_ok_and(|found| keys.iter().any(|key| get(&found, key).is_some()));
    source.has(file).then(|| by_file(file, has_one()))
}

fn contains(source: &Source, file: &str, words: &[&str]) -> bool {
    let text = source.text_to_look_at(file).unwrap_or_default();
    words.iter().any(|word| text.contains(word))
}

/// The file of a source that has no other.
fn only_file(source: &Source) -> Option<&str> {
    let mut files = source.files();
    let only = files.next()?;
    files.next().is_none().then(|| only.to_str()).flatten()
}

/// True for a directory that has test cases of its own beside other parts of a problem: samples apart from secret ones,
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
    let has = |name: &str| directories.iter().any(|directory| directory == Path::new(name));
    let is_divided = ["", "data", "tests"].into_iter().any(|at| {
        let below = |name: &str| source.files_below(Path::new(at).join(name)).next().is_some();
        (below("sample") || below("samples")) && below("secret")
    });
    (is_divided || PARTS.into_iter().any(has)) && by_names(source).is_some()
}

/// Files whose names belong together: of them nobody can be sure.
fn by_names(source: &Source) -> Option<Sign> {
    let names: Vec<String> = source.files().filter_map(|file| file.to_str().map(str::to_owned)).collect();
    // Whatever keeps pairs from being made is told by the reader of the format.
    let (found, unanswered) = pairs(&names).map_or((1, 0), |found| (found.pairs.len(), found.unanswered.len()));
    let inputs = |count: usize| if count == 1 { "input" } else { "inputs" };
    let evidence = match (found, unanswered) {
        (0, 0) => return None,
        (0, _) => format!("{unanswered} {} without output", inputs(unanswered)),
        _ => format!("{found} {} with an output", inputs(found)),
    };
    Some(Sign { confidence: Confidence::Guess, evidence })
}
