//! Old packages of DOMjudge, with a `domjudge-problem.ini` but no `problem.yaml`.
//!
//! Responsible for their files. Packages with a `problem.yaml` are judged directly.
//!
//! Source: DOMjudge, `ImportProblemService.php` and `SubmissionService.php`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part};
use judge_model::Verdict::{
    self, Accepted, CompileError, MemoryLimitExceeded, OutputLimitExceeded, RunTimeError,
    TimeLimitExceeded, WrongAnswer,
};
use judge_package::{is_score_tagged, tagged_results, verdicts_of_word};

use super::ImportFormat;
use super::fps::to_markdown;
use crate::Result;
use crate::import::draft::Draft;
use crate::import::draft::parts::Expectation;
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
/// Keys without effect on verdicts.
const IDLE: [&str; 8] = [
    "name",
    "timelimit",
    "externalid",
    "allow_submit",
    "allow_judge",
    "points",
    "color",
    "short-name",
];

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let settings = source.text(FILE)?;
    draft.mark_used(FILE);
    draft.name = source.stem();
    let entries: Vec<(&str, &str)> = settings
        .lines()
        .filter_map(|line| line.split_once('='))
        .collect();
    let entries = entries
        .into_iter()
        .map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])));
    let settings: BTreeMap<&str, &str> = entries.filter(|(key, _)| !key.starts_with(';')).collect();
    let value = |key: &str| {
        settings
            .get(key)
            .map(|value| (*value).to_owned())
            .filter(|value| !value.is_empty())
    };
    draft.set_title(value("name"));
    // ImportProblemService.php: `.timelimit` counts if the description has no limit.
    let stated = value("timelimit").or(source
        .text(".timelimit")
        .ok()
        .map(|text| text.trim().to_owned()));
    draft.mark_used(".timelimit");
    if stated.is_none() {
        draft.changed(
            Part::Limits,
            format!("{DEFAULT_LIMIT} s, DOMjudge's default without a time limit"),
        );
    }
    let has_limit = stated.is_some();
    draft.metadata.time_limit =
        limit(stated, "timelimit", positive, draft).or((!has_limit).then_some(DEFAULT_LIMIT));
    for key in settings.keys().filter(|key| !IDLE.contains(key)) {
        let part = if key.starts_with("special_") {
            Part::Checker
        } else {
            Part::Metadata
        };
        let text = format!("`{key}`: refers to the database of DOMjudge");
        draft.lost_at(part, FILE, text);
    }
    let mut tests = Tests::without_subtasks(cases(source, "secret"), false);
    tests.samples = cases(source, "sample");
    // Without `data/`, test cases are found by the names of files at the root.
    if tests.subtasks.is_empty() && tests.samples.is_empty() {
        tests = Tests::without_subtasks(by_names(source, "")?, false);
    }
    put_submissions(source, draft)?;
    put(source, tests, draft)?;
    put_validator(source, draft);
    put_statement(source, draft)?;
    for file in source.names_below("attachments") {
        draft.put_attachment(&file);
    }
    Ok(())
}

/// Returns the test cases below a directory of the data, in the order of their names.
fn cases(source: &Source, directory: &str) -> Vec<Test> {
    let inputs = source.names_below(&format!("data/{directory}"));
    let answer = |input: &String| {
        Some(format!("{}.ans", input.strip_suffix(".in")?)).filter(|file| source.has(file))
    };
    let tests = inputs
        .iter()
        .filter_map(|input| Some(Test::from_files(input, Some(answer(input)?))));
    tests.collect()
}

/// Puts the output validator, which DOMjudge uses regardless of other settings.
fn put_validator(source: &Source, draft: &mut Draft) {
    let files: Vec<String> = ["output_validators", "output_validator"]
        .iter()
        .flat_map(|directory| source.names_below(directory))
        .collect();
    for file in &files {
        draft.copy(format!("{PLACE}/{}", base_name(file)), file);
        draft.carried_at(
            Part::Checker,
            file,
            format!("`{file}`, with the protocol of packages"),
        );
    }
}

fn put_statement(source: &Source, draft: &mut Draft) -> Result<()> {
    let places = ["problem_statement/", ""].into_iter();
    let mut names = places
        .flat_map(|place| ["pdf", "html", "txt"].map(|ending| format!("{place}problem.{ending}")));
    let Some(file) = names.find(|file| source.has(file)) else {
        draft.lost(Part::Statement, "the package has no statement");
        return Ok(());
    };
    draft.mark_used(&file);
    if file.ends_with(".pdf") {
        draft.copy("statement/problem.en.pdf", &file);
        draft.carried(Part::Statement, format!("`{file}`"));
        return Ok(());
    }
    let text = source.text_if_readable(&file)?.unwrap_or_default();
    let page = if file.ends_with(".html") {
        to_markdown(&text)
    } else {
        Some(text.clone())
    };
    draft.put("statement/problem.en.md", page.unwrap_or(text));
    draft.changed(Part::Statement, format!("`{file}`, converted to Markdown"));
    Ok(())
}

/// Puts the submissions, files or directories of files, into the package.
fn put_submissions(source: &Source, draft: &mut Draft) -> Result<()> {
    let mut entries: BTreeMap<(String, String), Vec<PathBuf>> = BTreeMap::new();
    for file in source.files_below("submissions") {
        let mut names = file
            .iter()
            .skip(1)
            .map(|name| name.to_string_lossy().into_owned());
        if let (Some(directory), Some(name)) = (names.next(), names.next()) {
            entries
                .entry((directory, name))
                .or_default()
                .push(file.to_owned());
        }
    }
    for ((directory, name), files) in entries {
        let texts = files
            .iter()
            .map(|file| source.text_to_search(file))
            .collect::<Result<Vec<_>, _>>()?;
        let by_directory = verdicts_of_word(&directory).map(in_packages);
        let by_tag = tagged_results(texts.iter().map(String::as_str));
        let is_tagged = by_tag.is_some();
        let may_not_compile = by_tag
            .as_ref()
            .is_some_and(|verdicts| verdicts.contains(&CompileError));
        let by_tag = by_tag.map(in_packages);
        // ImportProblemService.php restricts a tag to the result of the directory, if the tag
        // contains it. Otherwise the tag counts, and DOMjudge reports the contradiction.
        let (verdicts, is_contradiction) = match (by_directory, by_tag) {
            (Some(by_directory), Some(by_tag)) => {
                match by_directory.iter().any(|verdict| by_tag.contains(verdict)) {
                    true => (by_directory, false),
                    false => (by_tag, true),
                }
            }
            (by_directory, by_tag) => (by_tag.or(by_directory).unwrap_or_default(), false),
        };
        let Some((target, rule)) = rule(&verdicts) else {
            draft.mark_all_used(&files);
            let text = format!("`{directory}/{name}`: packages cannot express this expectation");
            draft.lost_at(Part::Solutions, &files[0].to_string_lossy(), text);
            continue;
        };
        let is_file = files.len() == 1 && files[0].iter().count() == 3;
        let of_files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let id = match is_file {
            true => draft.put_submission(target, of_files[0], rule),
            false => draft.put_submission_directory(target, &name, &of_files, rule),
        };
        let (fate, text) = match is_contradiction {
            true => (
                Fate::Changed,
                format!("`{id}`: its tag counts, which contradicts the directory `{directory}`"),
            ),
            false => (Fate::Carried, format!("`{id}`")),
        };
        let file = files[0].to_string_lossy();
        draft.report_at(fate, Part::Solutions, &file, text);
        let has = |tag: &str| texts.iter().any(|text| text.contains(tag));
        let lost = [
            (
                "an unknown result",
                !is_tagged && has("@EXPECTED_RESULTS@:"),
            ),
            ("a compile error", may_not_compile),
            (
                "`@EXPECTED_SCORE@`",
                is_score_tagged(texts.iter().map(String::as_str)),
            ),
        ];
        for (what, _) in lost.iter().filter(|(_, is_lost)| *is_lost) {
            draft.report_lost_expectation(&id, what, &file);
        }
    }
    Ok(())
}

/// Returns the equivalent verdicts in packages. Source: 2025-09, "Submissions Directory": programs
/// that exceed the memory or output limit count as RTE, and compile errors cannot be expected.
fn in_packages(verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let in_package = |verdict| match verdict {
        MemoryLimitExceeded | OutputLimitExceeded => Some(RunTimeError),
        CompileError => None,
        other => Some(other),
    };
    let mut verdicts: Vec<Verdict> = verdicts.into_iter().filter_map(in_package).collect();
    verdicts.sort();
    verdicts.dedup();
    verdicts
}

/// Returns the directory and the rule for a submission with one of these verdicts, which are sorted
/// and unique, or `None` without verdicts.
fn rule(verdicts: &[Verdict]) -> Option<(&'static str, Expectation)> {
    let directory = match verdicts {
        [] => return None,
        [Accepted] => "accepted",
        [WrongAnswer] => "wrong_answer",
        [TimeLimitExceeded] => "time_limit_exceeded",
        [RunTimeError] => "run_time_error",
        several => {
            let rule = if several.contains(&Accepted) {
                Expectation::verdicts(several, &[])
            } else {
                // Single test cases may be solved even if the submission as a whole has to fail.
                Expectation::verdicts(&[&[Accepted], several].concat(), several)
            };
            return Some(("mixed", rule));
        }
    };
    Some((directory, Expectation::default()))
}

#[cfg(test)]
mod tests_of_domjudge {
    use super::*;
    use crate::fixture::Tree;
    use crate::import::draft::parts::Content;

    #[test]
    fn tags_override_contradicting_directories() {
        let tree = Tree::with(&[
            (FILE, ""),
            (
                "submissions/accepted/slow.py",
                "# @EXPECTED_RESULTS@: TIMELIMIT\n",
            ),
            (
                "submissions/wrong_answer/both.py",
                "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n",
            ),
            (
                "submissions/accepted/closed.py",
                "/* @EXPECTED_RESULTS@: MEMORY-LIMIT */\n",
            ),
            (
                "submissions/accepted/unknown.py",
                "# @EXPECTED_RESULTS@: SLOW\n",
            ),
            (
                "submissions/mixed/twice.py",
                "# @EXPECTED_RESULTS@: RUN-ERROR, WRONG-ANSWER, MEMORY-LIMIT\n",
            ),
            ("submissions/run_time_error/crash.py", ""),
            ("submissions/compiler_error/x.py", ""),
            ("submissions/accepted/score.py", "# @EXPECTED_SCORE@: 50\n"),
            (
                "submissions/mixed/early.py",
                "# @EXPECTED_RESULTS@: COMPILER-ERROR, WRONG-ANSWER\n",
            ),
        ]);
        let source = Source::open(&tree.path(""), &|| false).unwrap();
        let mut draft = Draft::default();
        put_submissions(&source, &mut draft).unwrap();
        let (files, remarks) = draft.finish("here");
        let mut texts: Vec<&str> = remarks
            .iter()
            .filter(|remark| remark.part == Part::Solutions)
            .map(|remark| remark.text.as_str())
            .collect();
        texts.sort_unstable();
        assert_eq!(
            texts,
            [
                "`accepted/score.py`",
                "`accepted/unknown.py`",
                "`compiler_error/x.py`: packages cannot express this expectation",
                "`mixed/twice.py`",
                "`run_time_error/closed.py`: its tag counts, which contradicts the directory `accepted`",
                "`run_time_error/crash.py`",
                "`time_limit_exceeded/slow.py`: its tag counts, which contradicts the directory `accepted`",
                "`wrong_answer/both.py`",
                "`wrong_answer/early.py`",
                "the expectation of `accepted/score.py`: `@EXPECTED_SCORE@`, which packages cannot express",
                "the expectation of `accepted/unknown.py`: an unknown result, which packages cannot express",
                "the expectation of `wrong_answer/early.py`: a compile error, which packages cannot express",
            ]
        );
        let Content::Bytes(rules) = &files[Path::new("submissions/submissions.yaml")] else {
            panic!()
        };
        let rules = String::from_utf8_lossy(rules);
        assert_eq!(
            rules,
            "mixed/twice.py:\n  permitted:\n  - AC\n  - WA\n  - RTE\n  required:\n  - WA\n  - RTE\n",
            "each verdict once"
        );
    }
}
