//! Problems of Hydro: `problem.yaml`, statements in Markdown, and `testdata/config.yaml`.
//!
//! Responsible for their keys. Must not know how they become groups.
//!
//! Source: hydro-dev/Hydro, packages/common/types.ts and packages/hydrojudge.

mod subtask_points;

use judge_event::{Fate, Part};
use judge_package::yaml::Value;

use super::ImportFormat;
use crate::Result;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::limits::{limit_at, share, widen};
use crate::import::programs::{compare, put_judge, put_solutions};
use crate::import::settings::{get, items, mebibytes, number, points, read, seconds, text, texts};
use crate::import::signs::{Sign, by_file};
use crate::import::source::Source;
use crate::import::subtasks::{Test, Tests, by_names, put};
use subtask_points::{StatedSubtask, in_groups};

pub(super) const FORMAT: ImportFormat = ImportFormat {
    has_problem_yaml: true,
    ..ImportFormat::new(
        "hydro",
        "`testdata/config.yaml`, or `problem.yaml` with `pid`",
        sign,
        convert,
    )
};

fn sign(source: &Source) -> Option<Sign> {
    match is_hydro(source) {
        true if source.has("testdata/config.yaml") => Some(by_file("testdata/config.yaml", true)),
        true => Some(by_file("problem.yaml", false)),
        false => file_of_data(source).map(|file| by_file(file, true)),
    }
}

/// The directory of test data.
const DATA: &str = "testdata";
/// The files that describe test data.
const SETTINGS: [&str; 2] = ["config.yaml", "config.yml"];
/// The total points of a problem without stated points.
const WHOLE: f64 = 100.0;

/// True for a source that looks like a problem of Hydro.
fn is_hydro(source: &Source) -> bool {
    let of_problem = || {
        read(source, "problem.yaml")
            .is_ok_and(|problem| get(&problem, "pid").is_some() || get(&problem, "owner").is_some())
    };
    source.has("testdata/config.yaml") || source.has("problem.yaml") && of_problem()
}

/// Returns the settings file of a source that consists only of Hydro's test data, as downloaded
/// from a problem.
fn file_of_data(source: &Source) -> Option<&'static str> {
    let is_of_hydro = |file: &&str| {
        let has = |value: &Value| {
            ["checker_type", "subtasks", "cases"]
                .iter()
                .any(|key| get(value, key).is_some())
        };
        source.has(file) && read(source, file).is_ok_and(|value| has(&value))
    };
    SETTINGS.into_iter().find(is_of_hydro)
}

/// Returns the path of a file of the test data, which may be the whole source.
fn in_data(source: &Source, name: &str) -> String {
    if has_only_data(source) {
        name.to_owned()
    } else {
        format!("{DATA}/{name}")
    }
}

fn has_only_data(source: &Source) -> bool {
    source.files_below(DATA).next().is_none()
}

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    draft.name = source.stem();
    if source.has("problem.yaml") {
        let metadata = read(source, "problem.yaml")?;
        draft.mark_used("problem.yaml");
        draft.name = text(get(&metadata, "pid")).unwrap_or_else(|| source.stem());
        draft.set_title(text(get(&metadata, "title")));
        draft.metadata.keywords = texts(get(&metadata, "tag"));
    }
    statements(source, draft);
    let file = SETTINGS
        .map(|name| in_data(source, name))
        .into_iter()
        .find(|name| source.has(name));
    let settings = file
        .as_ref()
        .map(|file| read(source, file))
        .transpose()?
        .unwrap_or(Value::Null);
    draft.mark_used(file.unwrap_or_default());
    let time = limit_at(&settings, "time", |time| seconds(time, 1e-3), draft);
    // Hydro, `config.yaml`: the defaults are 1 s and 256 MiB.
    draft.metadata.time_limit = time.or(Some(1.0));
    draft.metadata.memory = limit_at(&settings, "memory", mebibytes, draft).or(Some(256));
    limits_of_parts(&settings, draft);
    let tests = tests(source, &settings, draft)?;
    put(source, tests, draft)?;
    judge(source, &settings, draft)?;
    let is_solution = |path: &&std::path::Path| path.starts_with("std");
    put_solutions(source.files().filter(is_solution), draft);
    for attachment in source.names_below("additional_file") {
        draft.put_attachment(&attachment);
    }
    // Hydro, `filename`: the files of a problem with file input and output.
    if let Some(name) = text(get(&settings, "filename")) {
        draft.name_file(true, format!("{name}.in"));
        draft.name_file(false, format!("{name}.out"));
    }
    for key in [
        "user_extra_files",
        "judge_extra_files",
        "langs",
        "time_limit_rate",
        "num_processes",
        "validator",
    ] {
        if get(&settings, key).is_some() {
            draft.lost(
                Part::Limits,
                format!("`{key}` of `config.yaml`: not supported"),
            );
        }
    }
    Ok(())
}

/// Reads limits of subtasks and test cases.
fn limits_of_parts(settings: &Value, draft: &mut Draft) {
    let subtasks = items(get(settings, "subtasks"));
    let cases = items(get(settings, "cases")).iter();
    let parts: Vec<&Value> = cases
        .chain(subtasks)
        .chain(
            subtasks
                .iter()
                .flat_map(|subtask| items(get(subtask, "cases"))),
        )
        .collect();
    let times = parts
        .iter()
        .filter_map(|part| Some(seconds(&text(get(part, "time"))?, 1e-3)));
    let memories = parts
        .iter()
        .filter_map(|part| Some(mebibytes(&text(get(part, "memory"))?)));
    widen(times, memories, "limits of subtasks and test cases", draft);
}

/// Copies statements (`problem.md`, `problem_zh.md`), including the samples in their text.
fn statements(source: &Source, draft: &mut Draft) {
    for file in source.files().filter(|file| file.components().count() == 1) {
        let Some(name) = file
            .to_str()
            .and_then(|name| name.strip_prefix("problem")?.strip_suffix(".md"))
        else {
            continue;
        };
        let language = match name.trim_start_matches('_') {
            "" => "en",
            "zh_TW" | "zh-TW" => "zh-TW",
            other if other.len() == 2 => other,
            _ => continue,
        };
        draft.copy(format!("statement/problem.{language}.md"), file);
        draft.carried(
            Part::Statement,
            format!("the statement in `{language}`, including the samples in its text"),
        );
    }
}

/// Returns the points of a subtask or test case. Without points, or with 0, it gets a share of the
/// rest.
fn stated_points(part: &Value) -> Option<f64> {
    points(get(part, "score")).filter(|points| *points != 0.0)
}

fn tests(source: &Source, settings: &Value, draft: &mut Draft) -> Result<Tests> {
    let read_case = |case: &Value| {
        let file = |key: &str| text(get(case, key)).map(|name| in_data(source, &name));
        Some(Test {
            points: stated_points(case),
            ..Test::from_files(file("input")?, file("output"))
        })
    };
    let cases: Vec<Test> = items(get(settings, "cases"))
        .iter()
        .filter_map(read_case)
        .collect();
    let subtasks = items(get(settings, "subtasks"));
    if subtasks.is_empty() {
        let directory = if has_only_data(source) { "" } else { DATA };
        let mut all = if cases.is_empty() {
            by_names(source, directory)?
        } else {
            cases
        };
        share(WHOLE, all.iter_mut().map(|test| &mut test.points));
        return Ok(Tests::without_subtasks(all, true));
    }
    // Requirements name subtasks by their ids, which are optional. A subtask without an id has its
    // position, counted from 1.
    let ids: Vec<f64> = subtasks
        .iter()
        .zip(1u32..)
        .map(|(subtask, place)| number(get(subtask, "id")).unwrap_or(place.into()))
        .collect();
    let mut points: Vec<Option<f64>> = subtasks.iter().map(stated_points).collect();
    share(WHOLE, points.iter_mut());
    let parts = subtasks.iter().zip(points).map(|(subtask, points)| {
        let required: Vec<f64> = items(get(subtask, "if"))
            .iter()
            .filter_map(|id| number(Some(id)))
            .collect();
        let requires = ids
            .iter()
            .enumerate()
            .filter(|(_, id)| required.contains(id))
            .map(|(index, _)| index)
            .collect();
        let inner = items(get(subtask, "cases"))
            .iter()
            .filter_map(read_case)
            .collect();
        let kind = text(get(subtask, "type")).unwrap_or_default();
        StatedSubtask {
            kind,
            points: points.unwrap_or(0.0),
            requires,
            tests: inner,
        }
    });
    Ok(Tests {
        is_scoring: true,
        subtasks: in_groups(parts.collect(), draft),
        ..Tests::default()
    })
}

fn judge(source: &Source, settings: &Value, draft: &mut Draft) -> Result<()> {
    let file = |key: &str| text(get(settings, key)).map(|name| in_data(source, &name));
    match text(get(settings, "type")).as_deref().unwrap_or("default") {
        "default" => {}
        "interactive" => {
            return put_judge(
                source,
                &file("interactor").unwrap_or_default(),
                Protocol::TestlibInteractor,
                draft,
            );
        }
        "submit_answer" => draft.metadata.submit_answer = true,
        other => draft.lost(
            Part::Metadata,
            format!("the type `{other}`: packages have no equivalent"),
        ),
    }
    let kind = text(get(settings, "checker_type")).unwrap_or_else(|| "default".to_owned());
    let protocol = match kind.as_str() {
        "testlib" => Some(Protocol::TestlibChecker),
        "kattis" => Some(Protocol::Package),
        "hustoj" => Some(Protocol::Hustoj),
        "qduoj" => Some(Protocol::Qduoj),
        "syzoj" => Some(Protocol::Syzoj),
        "lemon" => Some(Protocol::Lemon),
        _ => None,
    };
    match (kind.as_str(), protocol.zip(file("checker"))) {
        (_, Some((protocol, checker))) => put_judge(source, &checker, protocol, draft)?,
        ("strict", _) => {
            let arguments = ["case_sensitive", "space_change_sensitive"];
            compare(&kind, &arguments, Fate::Carried, draft);
        }
        ("default", _) => compare(&kind, &["case_sensitive"], Fate::Changed, draft),
        (other, _) => {
            let text = format!(
                "a checker of the type `{other}`: not supported, so the default comparison is used"
            );
            draft.lost(Part::Checker, text);
        }
    }
    Ok(())
}
