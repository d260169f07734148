//! Packages of SIO2, for oioioi's `sinolpack` or sinol-make.
//!
//! Responsible for their files. Must not know how subtasks become groups.
//!
//! Source: sio2project/oioioi, `sinolpack/package.py`; sio2project/sinol-make,
//! `helpers/package_util.py`; SIO2, "Preparing Task Packages".

mod solutions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judge_event::{Confidence, Fate, Part};
use judge_model::natural;
use judge_package::names::is_header;
use judge_package::yaml::Value;

use self::solutions::{ENDINGS, SAMPLES, put_solutions};
use super::ImportFormat;
use crate::Result;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::naming::listed;
use crate::import::limits::{limit_at, positive, share, widen};
use crate::import::programs::{compare, put_graders, put_judge, put_validator};
use crate::import::settings::{
    entries, get, items, list_unknown, number, points, read, text, texts,
};
use crate::import::signs::{Sign, by_keys};
use crate::import::source::Source;
use crate::import::subtasks::{Origin, Subtask, Test, Tests, put};

const FILE: &str = "config.yml";
/// The default limits of a test case, in milliseconds and KiB. Source: oioioi,
/// `sinolpack/package.py`.
const DEFAULT_TIME: &str = "10000";
const DEFAULT_MEMORY: &str = "66000";

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "sinol",
    "`config.yml` or `in/` and `out/`, with `prog/`",
    sign,
    convert,
);

fn sign(source: &Source) -> Option<Sign> {
    let has = |directory: &str| source.files_below(directory).next().is_some();
    let has_inputs = source
        .files_below("in")
        .any(|file| file.extension().is_some_and(|extension| extension == "in"));
    // Directories `in` and `out` are common in many formats, but only SIO2 has programs in `prog`.
    if !has("prog") {
        return None;
    }
    if has_inputs && (has("out") || source.has(FILE)) {
        let evidence = "inputs in `in/` and programs in `prog/`".to_owned();
        return Some(Sign {
            confidence: Confidence::Certain,
            evidence,
        });
    }
    by_keys(
        source,
        FILE,
        read,
        &[
            "sinol_task_id",
            "sinol_expected_scores",
            "sinol_contest_type",
            "scores",
        ],
    )
}

/// Keys that are read or have no effect on verdicts.
const KNOWN: &str = "title* sinol_task_id sinol_contest_type sinol_expected_scores sinol_static_tests sinol_undocumented_* \
     sinol_total_score sinol_latex_compiler time_limit* memory_limit* override_limits scores subtask_dependencies \
     extra_compilation_files extra_compilation_args extra_execution_files num_processes no_outgen \
     keep_tests_with_no_group";

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    // A package without a description has default values.
    let config = if source.has(FILE) {
        read(source, FILE)?
    } else {
        Value::Null
    };
    draft.mark_used(FILE);
    list_unknown(&config, KNOWN, FILE, draft);
    let task = task_id(source, &config);
    draft.name.clone_from(&task);
    put_titles(source, &config, draft);
    let contest = text(get(&config, "sinol_contest_type")).unwrap_or_else(|| "default".to_owned());
    // Every other kind of contest gives points for groups.
    draft.metadata.scoring = contest != "icpc";
    if contest == "oi" {
        let text = "points that decrease from half of the time limit on: packages give all or none";
        draft.lost_at(Part::Limits, FILE, text);
    }
    put_included(source, &config, draft);
    let of_task = |ending: &str| program(source, &format!("prog/{task}{ending}"));
    let (checker, interactor) = (of_task("chk"), of_task("soc"));
    put_solutions(source, &config, &task, draft);
    draft.metadata.interactive = interactor.is_some();
    let files = TestFile::all(source, &task);
    limits(source, &config, &task, &files, draft);
    let tests = tests(source, &config, files, draft);
    put(source, tests, draft)?;
    match (checker, interactor) {
        // The interactor determines the verdict, so a checker is not used.
        (_, Some(interactor)) => put_interactor(source, &config, &interactor, draft)?,
        (Some(checker), None) => put_judge(source, &checker, Protocol::Sinol, draft)?,
        (None, None) => compare(
            "the comparison of outputs",
            &["case_sensitive"],
            Fate::Changed,
            draft,
        ),
    }
    if let Some(validator) = of_task("inwer") {
        put_validator(source, &validator, draft)?;
    }
    if let Some(generator) = of_task("ingen") {
        draft.mark_used(&generator);
        let text = "it creates all inputs in one run, which packages do not support: only the inputs were imported";
        draft.lost_at(
            Part::Generators,
            &generator,
            format!("`{generator}`: {text}"),
        );
    }
    statements(source, &task, draft);
    for file in source.names_below("attachments") {
        draft.put_attachment(&file);
    }
    Ok(())
}

/// Returns the common prefix of all files of a task: the id in its description, or the name of its
/// directory. If no input has this prefix, it is the common prefix of the inputs.
fn task_id(source: &Source, config: &Value) -> String {
    let stated = text(get(config, "sinol_task_id")).unwrap_or_else(|| source.directory_name());
    let inputs = || {
        source
            .files_below("in")
            .filter_map(|file| file.to_str()?.strip_prefix("in/")?.strip_suffix(".in"))
    };
    let beginning = |name: &str| {
        name.split(|c: char| c.is_ascii_digit())
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let beginnings: BTreeSet<String> = inputs()
        .map(beginning)
        .filter(|beginning| !beginning.is_empty())
        .collect();
    match beginnings.first() {
        // The directory may have been renamed. The names of the inputs contain the original id.
        Some(only) if beginnings.len() == 1 && !inputs().any(|name| name.starts_with(&stated)) => {
            only.clone()
        }
        _ => stated,
    }
}

fn put_titles(source: &Source, config: &Value, draft: &mut Draft) {
    // A statement without a language in its name is in Polish.
    let default = if source.has(format!("doc/{}zad.pdf", draft.name)) {
        "pl"
    } else {
        "en"
    };
    for (key, title) in entries(Some(config)) {
        let language = if key == "title" {
            Some(default)
        } else {
            key.strip_prefix("title_")
        };
        if let (Some(language), Some(title)) =
            (language.filter(|code| code.len() == 2), text(Some(title)))
        {
            draft.metadata.names.insert(language.to_owned(), title);
        }
    }
}

/// Puts the files that are compiled or run with submissions into the package.
fn put_included(source: &Source, config: &Value, draft: &mut Draft) {
    let listed_files =
        ["extra_compilation_files", "extra_execution_files"].map(|key| get(config, key));
    let mut files: BTreeSet<String> = listed_files
        .iter()
        .flat_map(|value| names(*value))
        .collect();
    let args: BTreeSet<String> = names(get(config, "extra_compilation_args"))
        .into_iter()
        .collect();
    let (sources, flags): (Vec<_>, Vec<_>) = args
        .into_iter()
        .partition(|arg| source.has(format!("prog/{arg}")));
    files.extend(sources);
    // Solutions are compiled in the directory of all headers.
    let headers = source
        .files_below("prog")
        .filter_map(|file| file.to_str()?.strip_prefix("prog/"));
    files.extend(
        headers
            .filter(|name| is_header(name) && !name.contains('/'))
            .map(str::to_owned),
    );
    let (files, missing): (Vec<_>, Vec<_>) = files
        .into_iter()
        .map(|name| format!("prog/{name}"))
        .partition(|file| source.has(file));
    put_graders(&files, draft);
    if !missing.is_empty() {
        draft.lost_at(
            Part::Graders,
            FILE,
            format!("missing files: {}", listed(&missing)),
        );
    }
    if !flags.is_empty() {
        let text = format!(
            "compiler options: {}; `judge.yaml` can set some for a workspace",
            listed(&flags)
        );
        draft.lost_at(Part::Graders, FILE, text);
    }
}

/// An input and the information in its name.
struct TestFile {
    file: String,
    /// The part of the name after the task, such as `2b`.
    id: String,
    group: u32,
    is_sample: bool,
}

impl TestFile {
    /// Returns the inputs of a task in natural order. Other files are reported as unused.
    fn all(source: &Source, task: &str) -> Vec<Self> {
        let read = |file: &Path| {
            let file = file.to_str()?;
            let id = file
                .strip_prefix("in/")?
                .strip_suffix(".in")?
                .strip_prefix(task)?;
            let (group, suffix) = split_id(id)?;
            // Group 0 contains the samples. `ocen` in a name marks further example tests, which
            // have no points either.
            let is_sample = group == 0 || suffix.contains("ocen");
            Some(Self {
                file: file.to_owned(),
                id: id.to_owned(),
                group,
                is_sample,
            })
        };
        let mut files: Vec<Self> = source.files_below("in").filter_map(read).collect();
        files.sort_by(|one, other| natural(&one.id, &other.id));
        files
    }
}

/// Splits an id into the number of the group and the rest: `12b3` is in group 12.
fn split_id(id: &str) -> Option<(u32, &str)> {
    // Source: `sinolpack`: a name consists of the task, the number of the group, and letters for
    // the test in it.
    let digits = id.find(|c: char| !c.is_ascii_digit()).unwrap_or(id.len());
    let (number, suffix) = id.split_at(digits);
    let is_suffix = suffix
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_suffix)?, suffix))
}

/// Reads the limits, including those of groups, test cases and languages, and SIO2's defaults.
fn limits(source: &Source, config: &Value, task: &str, files: &[TestFile], draft: &mut Draft) {
    let seconds = |written: &str| positive(written).map(|limit| limit / 1e3);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is bounded just before"
    )]
    let mebibytes = |written: &str| {
        positive(written)
            .filter(|size| *size < 1e9)
            .map(|size| (size / 1024.0).ceil() as u64)
    };
    draft.metadata.time_limit = limit_at(config, "time_limit", seconds, draft);
    draft.metadata.memory = limit_at(config, "memory_limit", mebibytes, draft);
    let listed = |key: &str| entries(get(config, key));
    let has_default = |key: &str| {
        let listed = listed(key);
        let has = |name: &str| listed.iter().any(|(listed_name, _)| listed_name == name);
        files
            .iter()
            .any(|file| !has(&file.id) && !has(&file.group.to_string()))
    };
    if get(config, "time_limit").is_none() && has_default("time_limits") {
        draft.metadata.time_limit = seconds(DEFAULT_TIME);
        draft.changed(
            Part::Limits,
            "10 s for test cases without a time limit, SIO2's default",
        );
    }
    if get(config, "memory_limit").is_none() && has_default("memory_limits") {
        let stated = statement_memory(source, task);
        draft.metadata.memory = mebibytes(&stated.unwrap_or_else(|| DEFAULT_MEMORY.to_owned()));
        let memory = draft.metadata.memory.unwrap_or_default();
        let text = format!(
            "{memory} MiB for test cases without a memory limit, from the statement or SIO2's default"
        );
        draft.changed(Part::Limits, text);
    }
    // A package has one limit for all test cases and languages, so the largest one is taken:
    // solutions that are accepted in SIO2 must not fail here.
    let languages = listed("override_limits");
    let values = |pairs: &[(String, &Value)]| {
        pairs
            .iter()
            .filter_map(|(_, value)| text(Some(value)))
            .collect::<Vec<_>>()
    };
    let of_languages = |one: &str, several: &str| {
        let whole = languages
            .iter()
            .filter_map(|(_, settings)| text(get(settings, one)));
        let parts = languages
            .iter()
            .flat_map(|(_, settings)| values(&entries(get(settings, several))));
        whole.chain(parts).collect::<Vec<_>>()
    };
    for (times, memories, what) in [
        (
            values(&listed("time_limits")),
            values(&listed("memory_limits")),
            "limits of groups and test cases",
        ),
        (
            of_languages("time_limit", "time_limits"),
            of_languages("memory_limit", "memory_limits"),
            "limits of languages",
        ),
    ] {
        widen(
            times.iter().map(|value| seconds(value)),
            memories.iter().map(|value| mebibytes(value)),
            what,
            draft,
        );
    }
}

/// Returns the memory limit in the statement, in KiB. Source: oioioi,
/// `_detect_statement_memory_limit`.
fn statement_memory(source: &Source, task: &str) -> Option<String> {
    let statement = source.text_to_search(format!("doc/{task}zad.tex")).ok()?;
    // A `%` begins a comment in TeX.
    let of_line = |line: &str| {
        line.split('%')
            .next()?
            .split_once("\\RAM{")?
            .1
            .split_once('}')?
            .0
            .parse::<u64>()
            .ok()
    };
    let size = statement
        .lines()
        .find_map(of_line)
        .filter(|size| *size < 1 << 20)?;
    // SIO2 writes 66,000 for 64 MiB.
    Some(((size + size.div_ceil(32)) * 1000).to_string())
}

/// Puts the interactor, which communicates with one submission. The submission gets the number 0 as
/// its argument.
fn put_interactor(
    source: &Source,
    config: &Value,
    interactor: &str,
    draft: &mut Draft,
) -> Result<()> {
    let processes = number(get(config, "num_processes")).unwrap_or(1.0);
    if (processes - 1.0).abs() > f64::EPSILON {
        let text = format!(
            "`{interactor}` communicates with {processes} processes: the problem cannot be judged"
        );
        draft.lost_at(Part::Interactor, interactor, text);
        draft.mark_used(interactor);
        return Ok(());
    }
    draft.args = vec!["0".to_owned()];
    put_judge(source, interactor, Protocol::SinolInteractor, draft)
}

fn statements(source: &Source, task: &str, draft: &mut Draft) {
    let mut has_one = false;
    for page in source.names_below("doc") {
        let of_task = page.strip_prefix("doc/").and_then(|name| {
            name.strip_prefix(task)?
                .strip_prefix("zad")?
                .strip_suffix(".pdf")
        });
        let language = match of_task {
            Some("") => Some("pl"),
            other => other
                .and_then(|suffix| suffix.strip_prefix('-'))
                .filter(|code| code.len() == 2),
        };
        if let Some(language) = language.map(str::to_owned) {
            draft.carried(Part::Statement, format!("`{page}`"));
            draft.copy(format!("statement/problem.{language}.pdf"), page);
            has_one = true;
        }
    }
    if !has_one {
        draft.lost(
            Part::Statement,
            format!("the package has no statement in PDF (`doc/{task}zad.pdf`)"),
        );
    }
}

/// Returns the names in a list, or in the lists of a mapping from languages.
fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Map(_)) => entries(value)
            .into_iter()
            .flat_map(|(_, value)| names(Some(value)))
            .collect(),
        value => texts(value),
    }
}

/// Finds a program by its path without extension.
fn program(source: &Source, stem: &str) -> Option<String> {
    ENDINGS
        .map(|ending| format!("{stem}.{ending}"))
        .into_iter()
        .find(|file| source.has(file))
}

fn tests(source: &Source, config: &Value, files: Vec<TestFile>, draft: &mut Draft) -> Tests {
    let is_scoring = draft.metadata.scoring;
    let mut tests = Tests {
        sample_name: SAMPLES.to_owned(),
        is_scoring,
        ..Tests::default()
    };
    let mut groups: BTreeMap<u32, Vec<Test>> = BTreeMap::new();
    if files.is_empty() {
        let text = "no inputs in `in/`: generate them first (`sinol-make gen`)";
        draft.lost(Part::Tests, text);
    }
    for TestFile {
        file,
        group,
        is_sample,
        ..
    } in files
    {
        let answer = format!("out/{}.out", &file["in/".len()..file.len() - ".in".len()]);
        let mut test = Test::from_files(file, Some(answer).filter(|answer| source.has(answer)));
        // Interactors do not compare with answers.
        if draft.metadata.interactive && test.answer.is_none() {
            test.answer = Some(Origin::Empty);
        }
        let group = if is_sample {
            &mut tests.samples
        } else {
            groups.entry(group).or_default()
        };
        group.push(test);
    }
    let scores = entries(get(config, "scores"));
    let of_group = |group: &u32| scores.iter().find(|(name, _)| *name == group.to_string());
    // Without scores, points are distributed equally, and the last groups may get one more.
    let mut worth: Vec<Option<f64>> = vec![None; groups.len()];
    if !scores.is_empty() {
        worth = groups
            .keys()
            .map(|group| {
                Some(
                    of_group(group)
                        .and_then(|(_, value)| points(Some(value)))
                        .unwrap_or(0.0),
                )
            })
            .collect();
    }
    // oioioi, `sinolpack/package.py`: a task has 100 points.
    share(100.0, worth.iter_mut());
    let place: BTreeMap<u32, usize> = groups
        .keys()
        .enumerate()
        .map(|(index, group)| (*group, index))
        .collect();
    let dependencies = entries(get(config, "subtask_dependencies"));
    for ((group, group_tests), points) in groups.into_iter().zip(worth) {
        let needed = dependencies
            .iter()
            .filter(|(name, _)| *name == group.to_string())
            .flat_map(|(_, value)| items(Some(value)));
        let index = |value: &Value| place.get(&text(Some(value))?.parse().ok()?).copied();
        let requires = needed.filter_map(index).collect();
        let points = points.unwrap_or(0.0);
        tests.subtasks.push(Subtask {
            name: group.to_string(),
            points,
            requires,
            tests: group_tests,
            ..Subtask::default()
        });
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_from_names() {
        assert_eq!(
            (split_id("12b"), split_id("0"), split_id("2a1")),
            (Some((12, "b")), Some((0, "")), Some((2, "a1")))
        );
        assert_eq!(
            (split_id("1ocen"), split_id("x"), split_id("1A")),
            (Some((1, "ocen")), None, None)
        );
    }
}
