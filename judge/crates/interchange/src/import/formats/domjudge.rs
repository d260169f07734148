//! Old packages of DOMjudge, which have a `domjudge-problem.ini` and no `problem.yaml`.
//!
//! Responsible for their files. Packages with a `problem.yaml` are judged as they are.
//!
//! Source: DOMjudge, `ImportProblemService.php` and `SubmissionService.php`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part};
use judge_model::Verdict::{self, Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};

use super::ImportFormat;
use super::fps::to_markdown;
use crate::InterchangeError;
use crate::import::draft::Draft;
use crate::import::draft::parts::{Content, Expectation};
use crate::import::limits::{limit, positive};
use crate::import::programs::{PLACE, base_name};
use crate::import::signs::by_file;
use crate::import::source::Source;
use crate::import::subtasks::{Test, Tests, by_names, put};

const FILE: &str = "domjudge-problem.ini";

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "domjudge",
    "`domjudge-problem.ini` without a `problem.yaml`",
    |source| (source.has(FILE) && !source.has("problem.yaml")).then(|| by_file(FILE, true)),
    convert,
);

/// The time limit of a problem that states none, in seconds.
const DEFAULT_LIMIT: f64 = 10.0;
/// Keys that decide nothing about verdicts.
const IDLE: [&str; 8] =
    ["name", "timelimit", "externalid", "allow_submit", "allow_judge", "points", "color", "short-name"];

fn convert(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let settings = source.text(FILE)?;
    draft.see(FILE);
    draft.name = source.stem();
    let entries: Vec<(&str, &str)> = settings.lines().filter_map(|line| line.split_once('=')).collect();
    let entries = entries.into_iter().map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])));
    let settings: BTreeMap<&str, &str> = entries.filter(|(key, _)| !key.starts_with(';')).collect();
    let value = |key: &str| settings.get(key).map(|value| (*value).to_owned()).filter(|value| !value.is_empty());
    if let Some(name) = value("name") {
        draft.metadata.names.insert("en".to_owned(), name);
    }
    let stated = value("timelimit").or(source.text(".timelimit").ok().map(|text| text.trim().to_owned()));
    draft.see(".timelimit");
    if stated.is_none() {
        draft.say(Fate::Changed, Part::Limits, format!("{DEFAULT_LIMIT} s, which DOMjudge takes without a time limit"));
    }
    let has_limit = stated.is_some();
    draft.metadata.time_limit = limit(stated, "timelimit", positive, draft).or((!has_limit).then_some(DEFAULT_LIMIT));
    for key in settings.keys().filter(|key| !IDLE.contains(key)) {
        let part = if key.starts_with("special_") { Part::Checker } else { Part::Metadata };
        let text = format!("`{key}`: what it names lies in the database of DOMjudge");
        draft.say_at(Fate::Lost, part, text, FILE);
    }
    let mut tests = Tests::each(cases(source, "secret"), false);
    tests.samples = cases(source, "sample");
    if tests.subtasks.is_empty() && tests.samples.is_empty() {
        tests = Tests::each(by_names(source, "")?, false);
    }
    put_submissions(source, draft)?;
    put(source, tests, draft)?;
    put_validator(source, draft);
    put_statement(source, draft)?;
    let attachments: Vec<String> = names_below(source, "attachments");
    attachments.iter().for_each(|file| draft.put_attachment(file));
    Ok(())
}

fn names_below(source: &Source, directory: &str) -> Vec<String> {
    source.files_below(directory).filter_map(|file| file.to_str().map(str::to_owned)).collect()
}

/// The test cases below a directory of the data, in the order of their names.
fn cases(source: &Source, directory: &str) -> Vec<Test> {
    let inputs = names_below(source, &format!("data/{directory}"));
    let answer = |input: &String| Some(format!("{}.ans", input.strip_suffix(".in")?)).filter(|file| source.has(file));
    let tests = inputs.iter().filter_map(|input| Some(Test::from_files(input, Some(answer(input)?))));
    tests.collect()
}

/// The output validator, which DOMjudge takes whatever else is said.
fn put_validator(source: &Source, draft: &mut Draft) {
    let files: Vec<String> =
        ["output_validators", "output_validator"].iter().flat_map(|directory| names_below(source, directory)).collect();
    for file in &files {
        draft.put(format!("{PLACE}/{}", base_name(file)), Content::Copy(file.into()));
        draft.say_at(
            Fate::Carried,
            Part::Checker,
            format!("`{file}`, which speaks as validators of packages do"),
            file,
        );
    }
}

fn put_statement(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let places = ["problem_statement/", ""].into_iter();
    let mut names = places.flat_map(|place| ["pdf", "html", "txt"].map(|ending| format!("{place}problem.{ending}")));
    let Some(file) = names.find(|file| source.has(file)) else {
        draft.say(Fate::Lost, Part::Statement, "the package has no statement");
        return Ok(());
    };
    draft.see(&file);
    if file.ends_with(".pdf") {
        draft.put("statement/problem.en.pdf", Content::Copy(file.clone().into()));
        draft.say(Fate::Carried, Part::Statement, format!("`{file}`"));
        return Ok(());
    }
    let text = source.text_if_readable(&file)?.unwrap_or_default();
    let page = if file.ends_with(".html") { to_markdown(&text) } else { Some(text.clone()) };
    draft.put("statement/problem.en.md", Content::from(page.unwrap_or(text)));
    draft.say(Fate::Changed, Part::Statement, format!("`{file}`, as Markdown"));
    Ok(())
}

/// Puts the submissions, files or directories of files, into the package.
fn put_submissions(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let mut entries: BTreeMap<(String, String), Vec<PathBuf>> = BTreeMap::new();
    for file in source.files_below("submissions") {
        let mut names = file.iter().skip(1).map(|name| name.to_string_lossy().into_owned());
        if let (Some(directory), Some(name)) = (names.next(), names.next()) {
            entries.entry((directory, name)).or_default().push(file.to_owned());
        }
    }
    for ((directory, name), files) in entries {
        let mut results = None;
        for file in &files {
            results = results.or(annotated(&source.text_to_look_at(file)?));
        }
        // The directory goes before what is written in a file, save where it is not of a result.
        let own = verdicts(&directory);
        let verdicts = own.or(results).unwrap_or_default();
        let Some((directory, rule)) = rule(&verdicts) else {
            files.iter().for_each(|file| draft.see(file));
            let text = format!("`{directory}/{name}`: packages have no such expectation");
            draft.say_at(Fate::Lost, Part::Solutions, text, &files[0].to_string_lossy());
            continue;
        };
        let is_file = files.len() == 1 && files[0].iter().count() == 3;
        let of_files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let id = match is_file {
            true => draft.put_submission(directory, of_files[0], rule),
            false => draft.put_submission_directory(directory, &name, &of_files, rule),
        };
        draft.say_at(Fate::Carried, Part::Solutions, format!("`{id}`"), &files[0].to_string_lossy());
    }
    Ok(())
}

/// The results that a comment in a file expects.
fn annotated(text: &str) -> Option<Vec<Verdict>> {
    let (_, rest) = text.split_once("@EXPECTED_RESULTS@:")?;
    let results = rest.lines().next().unwrap_or_default().split(',');
    Some(results.filter_map(|result| verdicts(result.trim())).flatten().collect())
}

/// The verdicts that a word of DOMjudge stands for; `None` for another word.
fn verdicts(word: &str) -> Option<Vec<Verdict>> {
    let verdict = match word.to_ascii_uppercase().replace('_', "-").as_str() {
        "ACCEPTED" | "CORRECT" => Accepted,
        "WRONG-ANSWER" | "NO-OUTPUT" | "PRESENTATION-ERROR" => WrongAnswer,
        "TIME-LIMIT-EXCEEDED" | "TIMELIMIT" => TimeLimitExceeded,
        "RUN-TIME-ERROR" | "RUN-ERROR" | "OUTPUT-LIMIT" | "MEMORY-LIMIT" => RunTimeError,
        _ => return None,
    };
    Some(vec![verdict])
}

/// The directory and the rule for a submission that ends with one of these verdicts; `None` without verdicts.
fn rule(verdicts: &[Verdict]) -> Option<(&'static str, Expectation)> {
    let directory = match verdicts {
        [] => return None,
        [Accepted] => "accepted",
        [WrongAnswer] => "wrong_answer",
        [TimeLimitExceeded] => "time_limit_exceeded",
        [RunTimeError] => "run_time_error",
        several => {
            let is_accepted = several.contains(&Accepted);
            let mut permitted = several.to_vec();
            permitted.insert(0, Accepted);
            permitted.sort();
            permitted.dedup();
            let required = if is_accepted { Vec::new() } else { several.to_vec() };
            return Some(("mixed", Expectation { permitted, required, ..Expectation::default() }));
        }
    };
    Some((directory, Expectation::default()))
}
