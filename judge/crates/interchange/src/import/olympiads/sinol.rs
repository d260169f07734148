//! Packages of SIO2, as sinol-make has them.
//!
//! Responsible for their files. Must not know how groups are made of subtasks.
//!
//! Source: sio2project/sinol-make, docs and `src/sinol_make/helpers/package_util.py`.

use std::collections::BTreeMap;
use std::path::Path;

use judge_event::{Fate, Part};
use judge_package::yaml::Value;

use super::expectations::Expected;
use super::graders::put_graders;
use crate::InterchangeError;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::parts::{Content, Expectation};
use crate::import::limits::{limit, positive, widen};
use crate::import::programs::{compare, put_judge, put_validator};
use crate::import::settings::{entries, get, items, number, points, read, text};
use crate::import::source::Source;
use crate::import::subtasks::{Origin, Subtask, Test, Tests, put};

pub(in crate::import) const FILE: &str = "config.yml";
/// The group of the samples.
const SAMPLES: &str = "0";

pub(in crate::import) fn convert(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let config = read(source, FILE)?;
    draft.see(FILE);
    let task = text(get(&config, "sinol_task_id")).unwrap_or_else(|| source.stem());
    draft.name.clone_from(&task);
    for (key, language) in [("title", "en"), ("title_pl", "pl"), ("title_en", "en")] {
        if let Some(title) = text(get(&config, key)) {
            draft.metadata.names.insert(language.to_owned(), title);
        }
    }
    limits(&config, draft);
    let contest = text(get(&config, "sinol_contest_type")).unwrap_or_else(|| "default".to_owned());
    draft.metadata.scoring = contest != "icpc";
    if contest == "oi" {
        let text = "points that fall from half of the time limit on: packages give all or none";
        draft.say_at(Fate::Lost, Part::Limits, text, FILE);
    }
    if get(&config, "extra_compilation_args").is_some() {
        draft.say_at(Fate::Lost, Part::Graders, "`extra_compilation_args`: a package has one for all", FILE);
    }
    let listed = ["extra_compilation_files", "extra_execution_files"].map(|key| get(&config, key));
    let graders: Vec<String> = listed.iter().flat_map(|of| names(*of)).map(|name| format!("prog/{name}")).collect();
    let graders: Vec<String> = graders.into_iter().filter(|file| source.has(file)).collect();
    put_graders(&graders, draft);
    let of_task = |ending: &str| program(source, &format!("prog/{task}{ending}"));
    let checker = of_task("chk");
    solutions(source, &config, &task, draft);
    let interactor = of_task("soc");
    draft.metadata.interactive = interactor.is_some();
    let tests = tests(source, &config, &task, draft);
    put(source, tests, draft)?;
    match (checker, interactor) {
        (_, Some(interactor)) => put_interactor(source, &config, &interactor, draft)?,
        (Some(checker), None) => put_judge(source, &checker, Protocol::Sinol, draft)?,
        (None, None) => compare("the comparison of outputs", &["case_sensitive"], Fate::Changed, draft),
    }
    if let Some(validator) = of_task("inwer") {
        put_validator(source, &validator, draft)?;
    }
    if let Some(generator) = of_task("ingen") {
        draft.see(&generator);
        let text = "it makes all inputs at once, which generators of packages do not: the inputs alone were taken";
        draft.say_at(Fate::Lost, Part::Generators, format!("`{generator}`: {text}"), &generator);
    }
    statements(source, &task, draft);
    Ok(())
}

/// The limits; those of groups, test cases (`time_limits`, `memory_limits`) and languages (`override_limits`) too.
fn limits(config: &Value, draft: &mut Draft) {
    let seconds = |written: &str| positive(written).map(|limit| limit / 1e3);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded just before")]
    let mebibytes =
        |written: &str| positive(written).filter(|size| *size < 1e9).map(|size| (size / 1024.0).ceil() as u64);
    draft.metadata.time_limit = limit(text(get(config, "time_limit")), "time_limit", seconds, draft);
    draft.metadata.memory = limit(text(get(config, "memory_limit")), "memory_limit", mebibytes, draft);
    let [times, memories, languages] =
        ["time_limits", "memory_limits", "override_limits"].map(|key| entries(get(config, key)));
    widen(
        times.iter().filter_map(|(_, of)| Some(seconds(&text(Some(of))?))),
        memories.iter().filter_map(|(_, of)| Some(mebibytes(&text(Some(of))?))),
        "limits of groups and test cases",
        draft,
    );
    widen(
        languages.iter().filter_map(|(_, of)| Some(seconds(&text(get(of, "time_limit"))?))),
        languages.iter().filter_map(|(_, of)| Some(mebibytes(&text(get(of, "memory_limit"))?))),
        "limits of languages",
        draft,
    );
}

/// The interactor, which speaks with one submission; it is told its number, 0.
fn put_interactor(
    source: &Source,
    config: &Value,
    interactor: &str,
    draft: &mut Draft,
) -> Result<(), InterchangeError> {
    let processes = number(get(config, "num_processes")).unwrap_or(1.0);
    if (processes - 1.0).abs() > f64::EPSILON {
        let text = format!("`{interactor}` speaks with {processes} processes at once: nothing can be judged");
        draft.say_at(Fate::Lost, Part::Interactor, text, interactor);
        draft.see(interactor);
        return Ok(());
    }
    draft.args = vec!["0".to_owned()];
    put_judge(source, interactor, Protocol::SinolInteractor, draft)
}

fn statements(source: &Source, task: &str, draft: &mut Draft) {
    for (page, language) in [("zad.pdf", "pl"), ("zad-en.pdf", "en")] {
        let page = format!("doc/{task}{page}");
        if source.has(&page) {
            draft.say(Fate::Carried, Part::Statement, format!("`{page}`"));
            draft.put(format!("statement/problem.{language}.pdf"), Content::Copy(page.into()));
        }
    }
}

/// The names in a list, or in the lists of a mapping by languages.
fn names(of: Option<&Value>) -> Vec<String> {
    match of {
        Some(Value::Map(_)) => entries(of).into_iter().flat_map(|(_, of)| names(Some(of))).collect(),
        of => items(of).iter().filter_map(|name| text(Some(name))).collect(),
    }
}

/// A program by its path without an ending.
fn program(source: &Source, stem: &str) -> Option<String> {
    ["cpp", "cc", "c", "py"].map(|ending| format!("{stem}.{ending}")).into_iter().find(|file| source.has(file))
}

/// The number of the group of a test, by its name: `abc12b` is of group 12, `abc1ocen` of group 0.
fn group_of(name: &str, task: &str) -> Option<u32> {
    let rest = name.strip_prefix(task)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, letters) = rest.split_at(digits);
    let number = number.parse().ok()?;
    if letters == "ocen" { Some(0) } else { letters.chars().all(|c| c.is_ascii_lowercase()).then_some(number) }
}

fn tests(source: &Source, config: &Value, task: &str, draft: &mut Draft) -> Tests {
    let mut groups: BTreeMap<u32, Vec<Test>> = BTreeMap::new();
    for file in source.files_below("in").filter_map(|file| file.to_str()) {
        let Some(name) = file.strip_prefix("in/").and_then(|name| name.strip_suffix(".in")) else { continue };
        let Some(group) = group_of(name, task) else { continue };
        let answer = Some(format!("out/{name}.out")).filter(|answer| source.has(answer));
        let mut test = Test::of_files(file, answer);
        // Interactors have no answers to compare with.
        if draft.metadata.interactive && test.answer.is_none() {
            test.answer = Some(Origin::Empty);
        }
        groups.entry(group).or_default().push(test);
    }
    if groups.is_empty() {
        let text = "there are no inputs in `in/`: let the package's own tool make them first (`sinol-make gen`)";
        draft.say(Fate::Lost, Part::Tests, text);
    }
    let is_scoring = draft.metadata.scoring;
    let scores: BTreeMap<String, f64> =
        entries(get(config, "scores")).into_iter().filter_map(|(group, of)| Some((group, points(Some(of))?))).collect();
    let mut tests = Tests { sample_name: SAMPLES.to_owned(), is_scoring, ..Tests::default() };
    tests.samples = groups.remove(&0).unwrap_or_default();
    let count: usize = groups.values().map(Vec::len).sum();
    let place: BTreeMap<u32, usize> = groups.keys().enumerate().map(|(index, group)| (*group, index)).collect();
    let dependencies = entries(get(config, "subtask_dependencies"));
    for (group, of) in groups {
        #[expect(clippy::cast_precision_loss, reason = "counts of test cases are far below 2^53")]
        let even = (100.0 * of.len() as f64 / count.max(1) as f64).floor();
        let points = if scores.is_empty() { even } else { scores.get(&group.to_string()).copied().unwrap_or(0.0) };
        let needed =
            dependencies.iter().filter(|(name, _)| *name == group.to_string()).flat_map(|(_, of)| items(Some(of)));
        let index = |of: &Value| place.get(&text(Some(of))?.parse().ok()?).copied();
        let requires = needed.filter_map(index).collect();
        tests.subtasks.push(Subtask { name: group.to_string(), points, requires, tests: of, ..Subtask::default() });
    }
    tests
}

/// What a status of `sinol_expected_scores` means on a group.
fn expected(status: &str, is_whole: bool) -> Expected {
    match status {
        "OK" if is_whole => Expected::Accepted,
        "WA" => Expected::WRONG,
        "TL" => Expected::SLOW,
        "ML" | "RE" => Expected::CRASHES,
        _ => Expected::Anything,
    }
}

fn solutions(source: &Source, config: &Value, task: &str, draft: &mut Draft) {
    let scores = entries(get(config, "scores"));
    let most = |group: &str| scores.iter().find(|(of, _)| of == group).and_then(|(_, points)| number(Some(points)));
    let listed = entries(get(config, "sinol_expected_scores"));
    for (name, of) in &listed {
        let file = format!("prog/{name}");
        if !source.has(&file) {
            draft.say(Fate::Lost, Part::Solutions, format!("`{file}` is not there"));
            continue;
        }
        let listed_groups = entries(get(of, "expected"));
        let of_group = |(group, of): &(String, &Value)| {
            let status = text(get(of, "status")).unwrap_or_default();
            let is_whole = most(group).is_none() || number(get(of, "points")) == most(group);
            (group.clone(), expected(&status, is_whole))
        };
        let groups: BTreeMap<String, Expected> = listed_groups.iter().map(of_group).collect();
        let is_right = groups.values().all(|of| *of == Expected::Accepted);
        let points: BTreeMap<&String, f64> = { listed_groups.iter() }
            .filter_map(|(group, of)| Some((group, number(get(of, "points"))?)))
            // The samples are worth nothing in a package.
            .filter(|(group, _)| draft.metadata.scoring && *group != SAMPLES)
            .collect();
        let is_main = name.rsplit_once('.').is_some_and(|(stem, _)| stem == task);
        let mut rule = Expectation {
            model_solution: is_right && is_main && draft.main_solution().is_none(),
            ..Expectation::default()
        };
        if !is_right {
            let rule_on = |(group, of): (&String, &Expected)| {
                let score = points.get(group).copied();
                let rule = Expectation { score, ..of.rule().unwrap_or_default() };
                (rule != Expectation::default()).then(|| (group.clone(), rule))
            };
            rule.on_groups = groups.iter().filter_map(rule_on).collect();
        }
        let id = draft.put_submission(if is_right { "accepted" } else { "mixed" }, Path::new(&file), rule);
        draft.say_at(Fate::Carried, Part::Solutions, format!("`{id}`, by `sinol_expected_scores`"), &file);
    }
    if listed.is_empty()
        && let Some(main) = program(source, &format!("prog/{task}"))
    {
        let rule = Expectation { model_solution: true, ..Expectation::default() };
        let id = draft.put_submission("accepted", Path::new(&main), rule);
        draft.say_at(Fate::Changed, Part::Solutions, format!("`{id}`: the model solution, taken for right"), &main);
    }
}

#[cfg(test)]
mod tests_of_sinol {
    use super::*;

    #[test]
    fn groups_are_numbers_in_names() {
        assert_eq!((group_of("abc12b", "abc"), group_of("abc0", "abc")), (Some(12), Some(0)));
        assert_eq!(
            (group_of("abc1ocen", "abc"), group_of("abcx", "abc"), group_of("x1a", "abc")),
            (Some(0), None, None)
        );
    }
}
