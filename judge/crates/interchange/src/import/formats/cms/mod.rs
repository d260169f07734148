//! Tasks of CMS in its format `italy_yaml`, and of task-maker.
//!
//! Responsible for their files. Must not know how subtasks become groups.
//!
//! Source: cms-dev/cms, docs ("External contest formats") and cmscontrib/loaders/italy_yaml.py;
//! task-maker-rust, `ioi` format.

mod listing;
mod pattern;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_event::{Fate, Part};
use judge_model::natural;
use judge_package::names::is_header;
use judge_package::yaml::Value;

use super::ImportFormat;
use crate::Result;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::naming::listed;
use crate::import::draft::parts::{Expectation, InputArgs};
use crate::import::expectations::Expected;
use crate::import::limits::{limit, positive, positive_integer};
use crate::import::programs::{
    base_name, compare, headers, is_native, put_adapted, put_graders, put_judge, put_program,
};
use crate::import::rules::GeneratorFiles;
use crate::import::settings::{self, get, items, list_unknown, read, text};
use crate::import::signs::{Sign, by_keys, is_austrian};
use crate::import::source::Source;
use crate::import::subtasks::{Kind, Subtask, Test, Tests, put};
use listing::{Listing, in_folders};

const FILE: &str = "task.yaml";
/// The names of the description. If task-maker overwrites it, the original gets the second name.
const FILES: [&str; 2] = [FILE, OF_TASK_MAKER];
/// The original description of task-maker. Solutions use standard input and output unless it names
/// files.
const OF_TASK_MAKER: &str = "task.yaml.orig";

pub(super) const FORMAT: ImportFormat = ImportFormat::new("cms", "`task.yaml`", sign, convert);

fn sign(source: &Source) -> Option<Sign> {
    let keys = [
        "time_limit",
        "timeout",
        "memory_limit",
        "memlimit",
        "output_only",
        "n_input",
        "score_type",
        "infile",
    ];
    let file = FILES
        .into_iter()
        .find(|file| source.has(file) && !is_austrian(source))?;
    by_keys(source, file, read, &keys)
}

/// Keys that are read, reported with the manager, or without effect on verdicts.
const KNOWN: &str = "name nome_breve title nome primary_language time_limit timeout memory_limit memlimit output_only infile \
     outfile score_type score_type_parameters n_input score_precision score_mode feedback_level \
     public_testcases risultati difficulty syllabuslevel num_processes user_io interactive_concurrent \
     controller_* token_* min_* max_*";

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let file = FILES
        .into_iter()
        .find(|file| source.has(file))
        .unwrap_or(FILE);
    let task = read(source, file)?;
    let word = |keys: &[&str]| keys.iter().find_map(|key| text(get(&task, key)));
    draft.mark_all_used(FILES);
    draft.mark_all_used(listing::FILES);
    list_unknown(&task, KNOWN, file, draft);
    draft.name = word(&["name", "nome_breve"]).unwrap_or_else(|| source.stem());
    let language = word(&["primary_language"])
        .filter(|code| code.len() == 2)
        .unwrap_or_else(|| "en".to_owned());
    if let Some(title) = word(&["title", "nome"]) {
        draft.metadata.names.insert(language.clone(), title);
    }
    let (time, memory) = (
        word(&["time_limit", "timeout"]),
        word(&["memory_limit", "memlimit"]),
    );
    draft.metadata.time_limit = limit(time, "time_limit", positive, draft);
    draft.metadata.memory = limit(memory, "memory_limit", positive_integer, draft);
    draft.metadata.submit_answer = matches!(get(&task, "output_only"), Some(Value::Bool(true)));
    draft.metadata.scoring = true;
    // Submitted answers neither read nor write files.
    let has_files = !draft.metadata.submit_answer;
    // CMS, "Italian import format": the files have these names by default, and an empty name means
    // standard input or output.
    for (key, default) in [("infile", "input.txt"), ("outfile", "output.txt")]
        .into_iter()
        .filter(|_| has_files)
    {
        let default = if file == OF_TASK_MAKER { "" } else { default };
        let name = word(&[key]).unwrap_or_else(|| default.to_owned());
        if !name.is_empty() {
            draft.name_file(key == "infile", name);
        }
    }
    let mut listing = Listing::read(source)?;
    if listing.subtasks.is_empty() {
        listing.subtasks = without_listing(source, &task, draft);
    } else if word(&["score_type"]).is_some_and(|score_type| score_type.eq_ignore_ascii_case("sum"))
    {
        for subtask in &mut listing.subtasks {
            subtask.kind = Kind::Sum;
        }
    }
    put_solutions(source, &listing.subtasks, draft)?;
    put_validator(source, &mut listing, draft)?;
    let generators = put_generators(source, &listing, draft)?;
    let tests = Tests {
        is_scoring: true,
        subtasks: listing.subtasks,
        generators,
        ..Tests::default()
    };
    put(source, tests, draft)?;
    let checker =
        first(source, &["check/checker", "cor/correttore"]).filter(|file| is_source(file));
    match checker {
        Some(checker) => put_judge(source, &checker, Protocol::Comparator, draft)?,
        None => compare("white-diff", &["case_sensitive"], Fate::Changed, draft),
    }
    if let Some(manager) = first(source, &["check/manager", "check/controller"]) {
        let text = "the manager: its protocol is not supported, so the problem cannot be judged";
        draft.lost_at(Part::Interactor, &manager, text);
    }
    statement(source, &language, draft);
    Ok(())
}

/// Returns the first file with one of these names and any extension.
fn first(source: &Source, names: &[&str]) -> Option<String> {
    let files: Vec<&str> = source.files().filter_map(Path::to_str).collect();
    let has_stem = |file: &str, name: &str| {
        is_source(file) && file.rsplit_once('.').is_some_and(|(stem, _)| stem == name)
    };
    let with_stem = |name: &&str| files.iter().find(|file| has_stem(file, name));
    let found = names.iter().find_map(with_stem);
    let found = found.or_else(|| files.iter().find(|file| names.contains(file)));
    found.map(|file| (*file).to_owned())
}

fn is_source(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, extension)| {
        matches!(
            extension,
            "cpp" | "cc" | "c" | "py" | "sh" | "rs" | "pas" | "java"
        )
    })
}

/// Puts Python files that programs in their directory may import. Returns their names.
fn put_modules(source: &Source, listing: &Listing, place: &str, draft: &mut Draft) -> Vec<String> {
    let validators = listing.validators.values().map(|validator| &validator.file);
    let programs: BTreeSet<&str> = listing
        .generators
        .values()
        .chain(validators)
        .map(String::as_str)
        .collect();
    let is_module = |file: &String| {
        file.ends_with(".py") && file.matches('/').count() == 1 && !programs.contains(&**file)
    };
    let mut files = source.names_below("gen");
    files.retain(is_module);
    for file in &files {
        draft.copy(format!("{place}/{}", base_name(file)), file);
    }
    files.iter().map(|file| base_name(file)).collect()
}

/// Returns the test cases in the directories, with equal parts of 100 points, or in the groups of
/// `score_type_parameters`.
fn without_listing(source: &Source, task: &Value, draft: &mut Draft) -> Vec<Subtask> {
    // CMS numbers test cases from 0 without gaps.
    let exists = |number: &usize| source.has(format!("input/input{number}.txt"));
    let all: Vec<Test> = (0..)
        .take_while(exists)
        .map(|number| in_folders(source, number, Test::from_files("", None)))
        .collect();
    let mut subtasks = Vec::new();
    let kind = text(get(task, "score_type")).unwrap_or_else(|| "Sum".to_owned());
    let groups: Option<Vec<(f64, usize)>> = items(get(task, "score_type_parameters"))
        .iter()
        .map(|group| {
            let [points, count] = items(Some(group)) else {
                return None;
            };
            Some((
                settings::points(Some(points))?,
                text(Some(count))?.parse().ok()?,
            ))
        })
        .collect();
    match (kind.as_str(), groups.filter(|groups| !groups.is_empty())) {
        ("GroupMin" | "GroupMul", Some(groups)) => {
            let mut rest = all.into_iter();
            for (points, count) in groups {
                let part = rest.by_ref().take(count).collect();
                subtasks.push(Subtask {
                    points,
                    tests: part,
                    ..Subtask::default()
                });
            }
        }
        (kind, _) => {
            if kind != "Sum" {
                let text = format!(
                    "`score_type: {kind}` with these parameters: the points are distributed among all test cases"
                );
                draft.changed_at(Part::Groups, FILE, text);
            }
            subtasks.push(Subtask {
                points: 100.0,
                kind: Kind::Sum,
                tests: all,
                ..Subtask::default()
            });
        }
    }
    subtasks
}

/// Puts the generators into the package. Returns their files by the names that commands use.
fn put_generators(source: &Source, listing: &Listing, draft: &mut Draft) -> Result<GeneratorFiles> {
    let mut files_of = BTreeMap::new();
    for (name, generator) in &listing.generators {
        put_program(source, generator, "generators", Part::Generators, draft)?;
        let mut files = vec![base_name(generator)];
        if is_native(generator) {
            files.extend(headers(source, generator).into_keys());
        } else if generator.ends_with(".py") {
            files.extend(put_modules(source, listing, "generators", draft));
        }
        files_of.insert(name.clone(), files);
    }
    if listing.constraints > 0 {
        let text = format!(
            "{} constraints on generator arguments, which only task-maker checks",
            listing.constraints
        );
        draft.lost(Part::Generators, text);
    }
    Ok(files_of)
}

/// Puts the validator of all subtasks, with its arguments for each of them. Several validators are
/// reported as lost.
fn put_validator(source: &Source, listing: &mut Listing, draft: &mut Draft) -> Result<()> {
    let used: BTreeSet<&String> = listing.validator_of.iter().flatten().collect();
    let names: Vec<String> = match used.is_empty() {
        true => listing.validators.keys().cloned().collect(),
        false => used.into_iter().cloned().collect(),
    };
    let [name] = &names[..] else {
        let files: Vec<String> = listing
            .validators
            .values()
            .map(|validator| validator.file.clone())
            .collect();
        draft.mark_all_used(&files);
        if !files.is_empty() {
            let text = format!(
                "validators of single subtasks, since validators of packages check all data: {}",
                listed(&files)
            );
            draft.lost_at(Part::Validators, &files[0], text);
        }
        return Ok(());
    };
    let Some(validator) = listing.validators.get(name).cloned() else {
        draft.lost(
            Part::Validators,
            format!("the validator `{name}` is missing"),
        );
        return Ok(());
    };
    // task-maker starts a validator with the input and the number of the subtask.
    let usual = ["$INPUT", "$ST_NUM"].map(str::to_owned);
    let args = if validator.args.is_empty() {
        &usual[..]
    } else {
        &validator.args
    };
    let [input, rest @ ..] = args else {
        return Ok(());
    };
    let is_known = |arg: &String| matches!(arg.trim_start_matches('$'), "ST_NUM" | "ST_NAME");
    if input.trim_start_matches('$') != "INPUT" || !rest.iter().all(is_known) {
        draft.mark_used(&validator.file);
        let text = format!(
            "`{}`, which gets the arguments {}",
            validator.file,
            listed(args)
        );
        draft.lost_at(Part::Validators, &validator.file, text);
        return Ok(());
    }
    for (subtask, number) in listing.subtasks.iter_mut().zip(listing.first_number..) {
        let value = |arg: &String| match arg.trim_start_matches('$') {
            "ST_NUM" => number.to_string(),
            _ => subtask.name.clone(),
        };
        subtask.input_validator_args = InputArgs::ForAll(rest.iter().map(value).collect());
    }
    let place = "input_validators/validator";
    put_adapted(
        source,
        &validator.file,
        place,
        Protocol::FileValidator,
        Part::Validators,
        draft,
    )?;
    if validator.file.ends_with(".py") {
        put_modules(source, listing, place, draft);
    }
    Ok(())
}

/// The comments of task-maker with their meanings, such as `@check-accepted: small`.
const CHECKS: [(&str, Expected); 6] = [
    ("@check-accepted", Expected::Accepted),
    ("@check-wrong-answer", Expected::WRONG),
    ("@check-time-limit-exceeded", Expected::SLOW),
    ("@check-memory-limit-exceeded", Expected::CRASHES),
    ("@check-runtime-error", Expected::CRASHES),
    ("@check-zero", Expected::REJECTED),
];

fn put_solutions(source: &Source, subtasks: &[Subtask], draft: &mut Draft) -> Result<()> {
    let mut files = source.names_below("sol");
    files.retain(|file| file.matches('/').count() == 1 && !file.starts_with("sol/."));
    files.sort_by(|one, other| natural(one, other));
    // Other files, such as examples, are not programs.
    files.retain(|file| is_source(file) || is_header(file));
    let is_grader = |file: &String| {
        ["sol/grader.", "sol/stub."]
            .iter()
            .any(|prefix| file.starts_with(prefix))
            || is_header(file)
    };
    let (graders, solutions): (Vec<String>, Vec<String>) = files.into_iter().partition(is_grader);
    put_graders(&graders, draft);
    for file in solutions {
        let text = source.text_to_search(&file)?;
        let (checks, lost) = checks(&text, subtasks);
        let is_main = ["sol/solution.", "sol/soluzione."]
            .iter()
            .any(|prefix| file.starts_with(prefix));
        let of_all: BTreeSet<bool> = checks
            .values()
            .map(|expected| *expected == Expected::Accepted)
            .collect();
        // A solution is accepted if it must solve every subtask.
        let is_right =
            is_main || checks.len() == subtasks.len() && of_all == BTreeSet::from([true]);
        let mut rule = Expectation::model_solution(is_main && draft.main_solution().is_none());
        if !is_right {
            rule.on_groups = checks
                .iter()
                .filter_map(|(name, expected)| Some((name.clone(), expected.rule()?)))
                .collect();
        }
        let id = draft.put_submission(
            if is_right { "accepted" } else { "mixed" },
            Path::new(&file),
            rule,
        );
        let (fate, text) = match (is_main, checks.is_empty()) {
            (true, _) => (Fate::Carried, format!("`{id}`, the solution of the task")),
            (false, false) => (Fate::Carried, format!("`{id}`, by its `@check` comments")),
            (false, true) => (
                Fate::Changed,
                format!("`{id}`: its expectation is unknown, so any verdict is permitted"),
            ),
        };
        draft.report_at(fate, Part::Solutions, &file, text);
        for check in lost {
            draft.report_lost_expectation(&id, &format!("`{check}`"), &file);
        }
    }
    Ok(())
}

/// Returns the expectations in the comments of a solution by the names of subtasks, and the
/// comments that a package cannot express: their word is unknown or has no equivalent, or they name
/// no subtask.
fn checks(text: &str, subtasks: &[Subtask]) -> (BTreeMap<String, Expected>, Vec<String>) {
    let (mut found, mut lost) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let Some((check, patterns)) = line
            .find("@check-")
            .and_then(|at| line[at..].split_once(':'))
        else {
            continue;
        };
        let expected = CHECKS
            .iter()
            .find(|(word, _)| *word == check)
            .map_or(Expected::Anything, |(_, expected)| *expected);
        let patterns: Vec<&str> = patterns.split_whitespace().collect();
        let names = || {
            subtasks
                .iter()
                .map(|subtask| &subtask.name)
                .filter(|name| !name.is_empty())
        };
        let fits_none = |pattern: &&str| !names().any(|name| pattern::fits(pattern, name));
        // A comment may be closed after the patterns.
        let without_subtask = patterns
            .iter()
            .find(|pattern| **pattern != "*/" && fits_none(pattern));
        if expected == Expected::Anything || without_subtask.is_some() {
            lost.push(format!("{check}: {}", patterns.join(" ")));
        }
        let named =
            names().filter(|name| patterns.iter().any(|pattern| pattern::fits(pattern, name)));
        found.extend(named.map(|name| (name.clone(), expected)));
    }
    (found, lost)
}

fn statement(source: &Source, language: &str, draft: &mut Draft) {
    let is_page = |file: &&Path| file.extension().is_some_and(|extension| extension == "pdf");
    let pages: Vec<PathBuf> = ["statement", "testo"]
        .iter()
        .flat_map(|directory| source.files_below(directory))
        .filter(is_page)
        .map(Path::to_owned)
        .collect();
    if let Some(page) = pages.first() {
        draft.copy(format!("statement/problem.{language}.pdf"), page);
        draft.carried(Part::Statement, format!("`{}`", page.display()));
    }
    let attachments: Vec<PathBuf> = source.files_below("att").map(Path::to_owned).collect();
    for attachment in attachments {
        let name = base_name(&attachment.to_string_lossy());
        draft.copy(format!("attachments/{name}"), attachment);
        draft.carried(Part::Attachments, format!("`{name}`"));
    }
}

#[cfg(test)]
mod tests_of_cms {
    use super::*;

    #[test]
    fn comments_set_expectations_on_named_subtasks() {
        let named = |name: &str| Subtask {
            name: name.to_owned(),
            ..Subtask::default()
        };
        let subtasks = [named("st-0"), named("st-1"), Subtask::default()];
        let text = "// @check-accepted: st-0\n# @check-wrong-answer: *1\n/* @check-zero: st-1 st-7 */\n\
                    // @check-partial-score: st-0\n";
        let (found, lost) = checks(
            "// @check-accepted: st-0\n# @check-wrong-answer: *1\n",
            &subtasks,
        );
        assert_eq!(
            found,
            BTreeMap::from([
                ("st-0".to_owned(), Expected::Accepted),
                ("st-1".to_owned(), Expected::WRONG)
            ])
        );
        assert!(lost.is_empty());
        let (found, lost) = checks(text, &subtasks);
        assert_eq!(
            lost,
            ["@check-zero: st-1 st-7 */", "@check-partial-score: st-0"]
        );
        assert_eq!(found["st-0"], Expected::Anything);
    }
}
