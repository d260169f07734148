//! Tasks of CMS as its `italy_yaml` has them, and of task-maker.
//!
//! Responsible for their files. Must not know how groups are made of subtasks.
//!
//! Source: cms-dev/cms, docs ("External contest formats") and cmscontrib/loaders/italy_yaml.py; task-maker-rust, `ioi` format.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part};
use judge_package::yaml::Value;

use super::expectations::Expected;
use super::graders::put_graders;
use crate::InterchangeError;
use crate::examples::pairing::natural;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::parts::{Content, Expectation};
use crate::import::limits::{limit, positive, positive_integer};
use crate::import::programs::{base_name, compare, headers, is_native, put_judge, put_program, put_speaking};
use crate::import::settings::{self, get, items, read, text};
use crate::import::source::Source;
use crate::import::subtasks::{Kind, Origin, Subtask, Test, Tests, put};

const FILE: &str = "task.yaml";
/// The description; task-maker keeps one that it overwrites under the second name.
pub(in crate::import) const FILES: [&str; 2] = [FILE, OF_TASK_MAKER];
/// The description that task-maker makes the other from: its solutions use standard input and output unless it names files.
const OF_TASK_MAKER: &str = "task.yaml.orig";
const COMMANDS: &str = "gen/GEN";
/// The name by which commands know the only generator.
const GENERATOR: &str = "generator";

pub(in crate::import) fn convert(source: &Source, draft: &mut Draft) -> Result<(), InterchangeError> {
    let file = FILES.into_iter().find(|file| source.has(file)).unwrap_or(FILE);
    let task = read(source, file)?;
    let word = |keys: &[&str]| keys.iter().find_map(|key| text(get(&task, key)));
    FILES.into_iter().chain([COMMANDS]).for_each(|file| draft.see(file));
    draft.name = word(&["name", "nome_breve"]).unwrap_or_else(|| source.stem());
    let language = word(&["primary_language"]).filter(|of| of.len() == 2).unwrap_or_else(|| "en".to_owned());
    if let Some(title) = word(&["title", "nome"]) {
        draft.metadata.names.insert(language.clone(), title);
    }
    draft.metadata.time_limit = limit(word(&["time_limit", "timeout"]), "time_limit", positive, draft);
    draft.metadata.memory = limit(word(&["memory_limit", "memlimit"]), "memory_limit", positive_integer, draft);
    draft.metadata.submit_answer = matches!(get(&task, "output_only"), Some(Value::Bool(true)));
    draft.metadata.scoring = true;
    // What is handed in as an answer neither reads nor writes a file.
    let has_files = !draft.metadata.submit_answer;
    for (key, default) in [("infile", "input.txt"), ("outfile", "output.txt")].into_iter().filter(|_| has_files) {
        let default = if file == OF_TASK_MAKER { "" } else { default };
        let name = word(&[key]).unwrap_or_else(|| default.to_owned());
        if !name.is_empty() {
            draft.name_file(key == "infile", name);
        }
    }
    let listed = subtasks_of(source, &task, draft)?;
    programs_of_solutions(source, &listed.subtasks, draft)?;
    let has_validator = first(source, &["gen/validator", "gen/valida", "gen/val"]);
    let checker = first(source, &["check/checker", "cor/correttore"]).filter(|file| is_source(file));
    let mut tests = with_generator(source, listed, draft)?;
    if has_validator.is_some() {
        // task-maker gives validators the number of the subtask, from 1 on.
        let numbered = tests.subtasks.iter_mut().zip(1..);
        numbered.for_each(|(subtask, number)| subtask.input_validator_args = vec![number.to_string()]);
    }
    put(source, tests, draft)?;
    match checker {
        Some(checker) => put_judge(source, &checker, Protocol::Comparator, draft)?,
        None => compare("white-diff", &["case_sensitive"], Fate::Changed, draft),
    }
    if let Some(validator) = has_validator {
        let place = "input_validators/validator";
        put_speaking(source, &validator, place, Protocol::FileValidator, Part::Validators, draft)?;
        if validator.ends_with(".py") {
            put_beside(source, place, draft);
        }
    }
    if let Some(manager) = first(source, &["check/manager", "check/controller"]) {
        let text = "the manager: no script here speaks as it does, so that nothing can be judged";
        draft.say_at(Fate::Lost, Part::Interactor, text, &manager);
    }
    statement(source, &language, draft);
    Ok(())
}

/// The first file with one of these names and any ending.
fn first(source: &Source, names: &[&str]) -> Option<String> {
    let stem = |file: &str| file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
    let mut files = source.files().filter_map(|file| file.to_str());
    let of =
        |name: &str| source.files().filter_map(|file| file.to_str()).find(|file| stem(file) == name && is_source(file));
    let found = names.iter().find_map(|name| of(name).map(str::to_owned));
    found.or_else(|| files.find(|file| names.contains(file)).map(str::to_owned))
}

fn is_source(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, of)| matches!(of, "cpp" | "cc" | "c" | "py" | "sh" | "rs" | "pas" | "java"))
}

/// Files in Python that a program beside them may import.
fn put_beside(source: &Source, place: &str, draft: &mut Draft) -> Vec<String> {
    let is_program = |file: &str| ["gen/gen", "gen/val"].iter().any(|of| file.starts_with(of));
    let is_beside = |file: &&str| file.ends_with(".py") && file.matches('/').count() == 1 && !is_program(file);
    let files: Vec<String> =
        source.files_below("gen").filter_map(|file| file.to_str()).filter(is_beside).map(str::to_owned).collect();
    for file in &files {
        draft.put(format!("{place}/{}", base_name(file)), Content::Copy(file.into()));
    }
    files.iter().map(|file| base_name(file)).collect()
}

/// The test cases of the listing, in subtasks; of the folders `input` and `output` where they hold them.
fn subtasks_of(source: &Source, task: &Value, draft: &mut Draft) -> Result<Tests, InterchangeError> {
    let listing = if source.has(COMMANDS) { source.text(COMMANDS)? } else { String::new() };
    let mut tests = Tests { is_scoring: true, ..Tests::default() };
    let mut needed: Vec<Vec<String>> = Vec::new();
    let mut number_of_test = 0;
    let begin = |tests: &mut Tests, points: f64| tests.subtasks.push(Subtask { points, ..Subtask::default() });
    for line in listing.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let after = |word: &str| {
            line.strip_prefix('#').map(str::trim_start)?.strip_prefix(word).map(|rest| rest.trim().to_owned())
        };
        if let Some(points) = after("ST:") {
            begin(&mut tests, points.split_whitespace().next().map_or(0.0, |of| of.parse().unwrap_or(f64::NAN)));
            needed.resize(tests.subtasks.len(), Vec::new());
        } else if let (Some(name), Some(subtask)) = (after("STNAME:"), tests.subtasks.last_mut()) {
            subtask.name = name;
        } else if let (Some(names), Some(of)) = (after("STDEP:"), needed.last_mut()) {
            of.extend(names.split_whitespace().map(str::to_owned));
        } else {
            let test = match after("COPY:") {
                Some(file) => Test::of_files(file, None),
                None if line.starts_with('#') => continue,
                None => Test::of_command(format!("{GENERATOR} {}", line.split(" #").next().unwrap_or_default().trim())),
            };
            if tests.subtasks.is_empty() {
                begin(&mut tests, 100.0);
                tests.subtasks[0].kind = Kind::Sum;
                needed.resize(1, Vec::new());
            }
            let subtask = tests.subtasks.last_mut();
            subtask
                .into_iter()
                .for_each(|subtask| subtask.tests.push(of_folders(source, number_of_test, test.clone())));
            number_of_test += 1;
        }
    }
    if tests.subtasks.is_empty() {
        tests = without_listing(source, task, draft);
    }
    let names: Vec<String> = tests.subtasks.iter().map(|subtask| subtask.name.clone()).collect();
    for (index, patterns) in needed.iter().enumerate() {
        let is_needed =
            |(at, name): &(usize, &String)| *at != index && patterns.iter().any(|pattern| fits(pattern, name));
        tests.subtasks[index].requires = names.iter().enumerate().filter(is_needed).map(|(at, _)| at).collect();
    }
    Ok(tests)
}

/// The files of a test, where they are there already.
fn of_folders(source: &Source, number: usize, otherwise: Test) -> Test {
    let (input, output) = (format!("input/input{number}.txt"), format!("output/output{number}.txt"));
    let answer = source.has(&output).then_some(Origin::File(output));
    if source.has(&input) {
        return Test { input: Origin::File(input), answer, points: None };
    }
    Test { answer, ..otherwise }
}

/// The test cases of the folders alone: equal parts of 100 points, or the groups of `score_type_parameters`.
fn without_listing(source: &Source, task: &Value, draft: &mut Draft) -> Tests {
    let is_there = |number: &usize| source.has(format!("input/input{number}.txt"));
    let all: Vec<Test> =
        (0..).take_while(is_there).map(|number| of_folders(source, number, Test::of_files("", None))).collect();
    let mut tests = Tests { is_scoring: true, ..Tests::default() };
    let kind = text(get(task, "score_type")).unwrap_or_else(|| "Sum".to_owned());
    let groups: Option<Vec<(f64, usize)>> = items(get(task, "score_type_parameters"))
        .iter()
        .map(|group| {
            let [points, count] = items(Some(group)) else { return None };
            Some((settings::points(Some(points))?, text(Some(count))?.parse().ok()?))
        })
        .collect();
    match (kind.as_str(), groups.filter(|groups| !groups.is_empty())) {
        ("GroupMin" | "GroupMul", Some(groups)) => {
            let mut rest = all.into_iter();
            for (points, count) in groups {
                let of = rest.by_ref().take(count).collect();
                tests.subtasks.push(Subtask { points, tests: of, ..Subtask::default() });
            }
        }
        (kind, _) => {
            if kind != "Sum" {
                let text =
                    format!("`score_type: {kind}` with these parameters: the points are shared by all test cases");
                draft.say_at(Fate::Changed, Part::Groups, text, FILE);
            }
            tests.subtasks.push(Subtask { points: 100.0, kind: Kind::Sum, tests: all, ..Subtask::default() });
        }
    }
    tests
}

/// The tests with the generator that their commands call.
fn with_generator(source: &Source, mut tests: Tests, draft: &mut Draft) -> Result<Tests, InterchangeError> {
    let Some(generator) = first(source, &["gen/generator", "gen/generatore"]) else { return Ok(tests) };
    put_program(source, &generator, "generators", Part::Generators, draft)?;
    let mut files = vec![base_name(&generator)];
    if is_native(&generator) {
        files.extend(headers(source, &generator).into_keys());
    } else if generator.ends_with(".py") {
        files.extend(put_beside(source, "generators", draft).into_iter().filter(|file| *file != base_name(&generator)));
    }
    tests.generators.insert(GENERATOR.to_owned(), files);
    Ok(tests)
}

/// True when a name fits a pattern with `*` and `?`. Takes as many steps as both are long together, times each other at most.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    // The last star, and how much of the name it stands for.
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == name[of] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((place, taken)) = star.as_mut() else { return false };
                *taken += 1;
                (at, of) = (*place + 1, *taken);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

/// What a comment of task-maker means, such as `@check-accepted: small`.
const CHECKS: [(&str, Expected); 7] = [
    ("@check-accepted:", Expected::Accepted),
    ("@check-partial-score:", Expected::Anything),
    ("@check-wrong-answer:", Expected::WRONG),
    ("@check-time-limit-exceeded:", Expected::SLOW),
    ("@check-memory-limit-exceeded:", Expected::CRASHES),
    ("@check-runtime-error:", Expected::CRASHES),
    ("@check-zero:", Expected::REJECTED),
];

fn programs_of_solutions(source: &Source, subtasks: &[Subtask], draft: &mut Draft) -> Result<(), InterchangeError> {
    let mut files: Vec<String> = source
        .files_below("sol")
        .filter_map(|file| file.to_str())
        .filter(|file| file.matches('/').count() == 1 && !file.starts_with("sol/."))
        .map(str::to_owned)
        .collect();
    files.sort_by(|one, other| natural(one, other));
    let is_grader =
        |file: &String| ["sol/grader.", "sol/stub."].iter().any(|of| file.starts_with(of)) || file.ends_with(".h");
    let (graders, solutions): (Vec<String>, Vec<String>) = files.into_iter().partition(is_grader);
    put_graders(&graders, draft);
    for file in solutions {
        let text = source.text_to_look_at(&file)?;
        let checks = checks(&text, subtasks);
        let is_main = ["sol/solution.", "sol/soluzione."].iter().any(|of| file.starts_with(of));
        if checks.is_empty() && !is_main {
            draft.see(&file);
            let text = format!("`{file}`: its expectation is unknown");
            draft.say_at(Fate::Lost, Part::Solutions, text, &file);
            continue;
        }
        let of_all: BTreeSet<bool> = checks.values().map(|expected| *expected == Expected::Accepted).collect();
        let is_right = is_main || checks.len() == subtasks.len() && of_all == BTreeSet::from([true]);
        let mut rule =
            Expectation { model_solution: is_main && draft.main_solution().is_none(), ..Expectation::default() };
        if !is_right {
            rule.on_groups = checks.iter().filter_map(|(name, of)| Some((name.clone(), of.rule()?))).collect();
        }
        let id = draft.put_submission(if is_right { "accepted" } else { "mixed" }, Path::new(&file), rule);
        let why = if is_main { "the solution of the task" } else { "by its `@check` comments" };
        draft.say_at(Fate::Carried, Part::Solutions, format!("`{id}`, {why}"), &file);
    }
    Ok(())
}

/// What the comments of a solution expect of the subtasks with names.
fn checks(text: &str, subtasks: &[Subtask]) -> BTreeMap<String, Expected> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some((expected, patterns)) =
            CHECKS.iter().find_map(|(word, expected)| Some((expected, line.split_once(word)?.1)))
        else {
            continue;
        };
        let patterns: Vec<&str> = patterns.split_whitespace().collect();
        let named = subtasks.iter().map(|subtask| &subtask.name).filter(|name| !name.is_empty());
        let named = named.filter(|name| patterns.iter().any(|pattern| fits(pattern, name)));
        found.extend(named.map(|name| (name.clone(), *expected)));
    }
    found
}

fn statement(source: &Source, language: &str, draft: &mut Draft) {
    let is_page = |file: &&Path| file.extension().is_some_and(|of| of == "pdf");
    let pages: Vec<PathBuf> = ["statement", "testo"]
        .iter()
        .flat_map(|of| source.files_below(of))
        .filter(is_page)
        .map(Path::to_owned)
        .collect();
    if let Some(page) = pages.first() {
        draft.put(format!("statement/problem.{language}.pdf"), Content::Copy(page.clone()));
        draft.say(Fate::Carried, Part::Statement, format!("`{}`", page.display()));
    }
    let attachments: Vec<PathBuf> = source.files_below("att").map(Path::to_owned).collect();
    for attachment in attachments {
        let name = base_name(&attachment.to_string_lossy());
        draft.put(format!("attachments/{name}"), Content::Copy(attachment));
        draft.say(Fate::Carried, Part::Attachments, format!("`{name}`"));
    }
}

#[cfg(test)]
mod tests_of_cms {
    use super::*;

    #[test]
    fn patterns_are_those_of_shells() {
        assert!(fits("*", "") && fits("st-*", "st-1") && fits("s?-1", "st-1") && fits("*1", "st-1"));
        assert!(!fits("st", "st-1") && !fits("?", "") && !fits("st-*2", "st-1"));
        assert!(
            fits("a?c*", "abc") && fits("*b*d", "abcd") && fits("é?", "éa") && !fits("*b", "abc") && !fits("", "a")
        );
        // Stars that are tried one by one would take longer than anybody waits.
        assert!(!fits(&("*a".repeat(40) + "b"), &"a".repeat(200)));
    }

    #[test]
    fn comments_say_what_is_expected_of_subtasks_with_names() {
        let named = |name: &str| Subtask { name: name.to_owned(), ..Subtask::default() };
        let subtasks = [named("st-0"), named("st-1"), Subtask::default()];
        let found = checks("// @check-accepted: st-0\n# @check-wrong-answer: *1\n", &subtasks);
        assert_eq!(
            found,
            BTreeMap::from([("st-0".to_owned(), Expected::Accepted), ("st-1".to_owned(), Expected::WRONG)])
        );
    }
}
