//! Tasks of TPS, the preparation system of the IOI.
//!
//! Responsible for its files. Must not know how subtasks become groups.
//!
//! Source: ioi/tps, docs and scripts (`gen_data_parser.py`, `invoke.py`, `verify.py`).

mod test_sets;

use std::collections::BTreeMap;

use judge_event::Part;
use judge_model::Verdict;
use judge_package::names;
use judge_package::yaml::Value;

use self::test_sets::{COMMANDS, commands};
use super::ImportFormat;
use crate::Result;
use crate::import::adapter::{Adapter, Program, Protocol, put_diff};
use crate::import::draft::Draft;
use crate::import::draft::naming::listed;
use crate::import::draft::parts::{Expectation, InputArgs};
use crate::import::expectations::Expected;
use crate::import::limits::{limit_at, positive, positive_integer};
use crate::import::programs::{
    PLACE, base_name, headers, is_native, put_graders, put_judge, put_program, put_validator,
    stem_of,
};
use crate::import::rules::GeneratorFiles;
use crate::import::settings::{
    entries, get, items, list_unknown, number, points, read_json, text, texts,
};
use crate::import::signs::by_file;
use crate::import::source::Source;
use crate::import::subtasks::{Subtask, Tests, put};

const FILE: &str = "subtasks.json";
const DESCRIPTION: &str = "problem.json";

pub(super) const FORMAT: ImportFormat = ImportFormat::new(
    "tps",
    "`subtasks.json`",
    |source| {
        source
            .has(FILE)
            .then(|| by_file(FILE, source.has(DESCRIPTION)))
    },
    convert,
);

/// Keys of the description that are read or have no effect on verdicts.
const KNOWN: &str = "name code title type time_limit memory_limit description tps_web_url has_* cpp_enabled java_enabled \
     pascal_enabled python_enabled grader_name num_processes";
/// Keys of the subtasks.
const KNOWN_OF_SUBTASKS: &str = "subtasks global_validators subtask_sensitive_validators";

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let description = read_json(source, DESCRIPTION)?;
    let subtasks = read_json(source, FILE)?;
    draft.mark_all_used([DESCRIPTION, FILE, COMMANDS]);
    list_unknown(&description, KNOWN, DESCRIPTION, draft);
    list_unknown(&subtasks, KNOWN_OF_SUBTASKS, FILE, draft);
    draft.name = text(get(&description, "name")).unwrap_or_else(|| source.stem());
    draft.set_title(text(get(&description, "title")));
    draft.metadata.time_limit = limit_at(&description, "time_limit", positive, draft);
    draft.metadata.memory = limit_at(&description, "memory_limit", positive_integer, draft);
    // Tasks of the IOI always have subtasks with points.
    draft.metadata.scoring = true;
    let kind = text(get(&description, "type")).unwrap_or_else(|| "Batch".to_owned());
    match kind.as_str() {
        "Batch" => {}
        "OutputOnly" => draft.metadata.submit_answer = true,
        other => {
            let text = format!(
                "the type `{other}`: the protocol of its manager is not supported, so the problem cannot be judged"
            );
            draft.lost_at(Part::Interactor, DESCRIPTION, text);
        }
    }

    // Source for the defaults: scripts/internal/problem_data.sh.
    let has = |key: &str, default: bool| match get(&description, key) {
        Some(Value::Bool(has)) => *has,
        _ => default,
    };
    if has("has_grader", !kind.starts_with("Output")) {
        put_graders(&source.names_below("grader"), draft);
    }
    solutions(source, draft)?;
    let generators = generators(source, draft)?;
    let tests = tests(source, &subtasks, generators, draft)?;
    put(source, tests, draft)?;
    if has("has_checker", !kind.starts_with("Communicat")) {
        put_judge(source, "checker/checker.cpp", Protocol::Comparator, draft)?;
    } else {
        put_diff(PLACE, draft);
        draft.changed(
            Part::Checker,
            format!("no checker: `{PLACE}/run` compares with `diff -b`, like TPS"),
        );
    }
    put_validators(source, &subtasks, draft)?;
    statement(source, draft);
    for (directory, part, why) in [
        ("public", Part::Attachments, "attachments are single files"),
        ("scripts", Part::Files, ""),
        (
            "editorial",
            Part::Statement,
            "an editorial of several files",
        ),
    ] {
        let files = source.names_below(directory);
        draft.mark_all_used(&files);
        if !files.is_empty() && !why.is_empty() {
            draft.lost(
                part,
                format!("`{directory}/`, {} files: {why}", files.len()),
            );
        }
    }
    Ok(())
}

/// Files whose lines are added before and after every input.
const AROUND: [&str; 2] = ["gen/input.header", "gen/input.footer"];

/// Returns the ones that exist in a source.
fn surrounding_files(source: &Source) -> [Option<String>; 2] {
    AROUND.map(|file| source.has(file).then(|| file.to_owned()))
}

/// Puts the generators into the package, and returns the files of each by the name that commands
/// use.
fn generators(source: &Source, draft: &mut Draft) -> Result<GeneratorFiles> {
    let mut found = BTreeMap::new();
    let surrounding_files: Vec<String> = surrounding_files(source).into_iter().flatten().collect();
    let is_program = |file: &String| {
        let name = &file["gen/".len()..];
        let extension = names::extension(name);
        !name.contains('/') && matches!(extension, Some("cpp" | "cc" | "py" | "sh"))
    };
    for path in source.names_below("gen").into_iter().filter(is_program) {
        let (name, stem) = (base_name(&path), stem_of(&path));
        if !surrounding_files.is_empty()
            && let Some(program) = Program::from_file(&name)
        {
            let place = format!("generators/{stem}");
            put_program(source, &path, &place, Part::Generators, draft)?;
            surrounding_files.iter().for_each(|file| {
                draft.copy(format!("{place}/{}", base_name(file)), file);
            });
            // Packages cannot add lines to the output of a generator, so a script prints them. The
            // generator, the lines and the script get a separate directory.
            Adapter::Single {
                program,
                protocol: Protocol::SurroundedGenerator,
                is_scoring: false,
            }
            .put(&place, draft);
            continue;
        }
        put_program(source, &path, "generators", Part::Generators, draft)?;
        let mut files = vec![name];
        if is_native(&path) {
            files.extend(headers(source, &path).into_keys());
        }
        found.insert(stem, files);
    }
    draft.mark_used("gen/Makefile");
    Ok(found)
}

fn tests(
    source: &Source,
    subtasks: &Value,
    generators: GeneratorFiles,
    draft: &mut Draft,
) -> Result<Tests> {
    let mut sets = commands(source, draft)?;
    let mut tests = Tests {
        is_scoring: true,
        generators,
        surrounding_files: surrounding_files(source),
        ..Tests::default()
    };
    let surrounding_files: Vec<String> =
        tests.surrounding_files.iter().flatten().cloned().collect();
    if let Some(first) = surrounding_files.first() {
        draft.mark_all_used(&surrounding_files);
        let text = format!(
            "the lines of {} are added to every input; generators get scripts `run` for this",
            listed(&surrounding_files)
        );
        draft.changed_at(Part::Tests, first, text);
    }
    let mut ordered = entries(get(subtasks, "subtasks"));
    ordered.sort_by(|one, other| {
        let index = |subtask: &Value| number(get(subtask, "index")).unwrap_or(f64::MAX);
        // The order of keys in JSON has no meaning. The index determines the order, and subtasks
        // without one come last.
        index(one.1).total_cmp(&index(other.1))
    });
    let mut validators = DataValidator::from_subtasks(subtasks);
    validators.retain(|validator| source.has(&validator.file));
    for (name, subtask) in ordered {
        let input_validator_args = args_on(&name, &validators);
        let points = points(get(subtask, "score")).unwrap_or(0.0);
        let set_tests = sets.tests.remove(&name).unwrap_or_default();
        // By convention, the first subtask contains the samples and has no points.
        if points == 0.0 && tests.samples.is_empty() && tests.subtasks.is_empty() {
            (tests.sample_name, tests.samples, tests.sample_args) =
                (name, set_tests, input_validator_args);
            continue;
        }
        tests.subtasks.push(Subtask {
            name,
            points,
            tests: set_tests,
            input_validator_args,
            ..Subtask::default()
        });
    }
    // A set that is not a subtask counts through the sets that include it. The contest never runs
    // the tests of any other one.
    for (name, set) in sets.tests {
        if !set.is_empty() && !sets.included.contains(&name) {
            draft.lost_at(
                Part::Tests,
                COMMANDS,
                format!(
                    "set `{name}` belongs to no subtask; its tests are not imported ({})",
                    set.len()
                ),
            );
        }
    }
    Ok(tests)
}

/// An input validator for all data.
struct DataValidator {
    file: String,
    /// Its arguments, in which `{subtask}` is replaced by the name of the input's subtask.
    args: Vec<String>,
}

impl DataValidator {
    /// Returns the validators that check each input once, and those that check it once for each of
    /// its subtasks.
    fn from_subtasks(subtasks: &Value) -> Vec<Self> {
        let commands = ["global_validators", "subtask_sensitive_validators"]
            .into_iter()
            .flat_map(|key| items(get(subtasks, key)));
        let read = |command: &Value| {
            let command = text(Some(command))?;
            let mut words = command.split_whitespace();
            let file = format!("validator/{}", words.next()?);
            Some(Self {
                file,
                args: words.map(str::to_owned).collect(),
            })
        };
        commands.filter_map(read).collect()
    }
}

/// Returns the arguments of the validators for the inputs of a subtask. In a package, each subtask
/// has its own inputs.
fn args_on(subtask: &str, validators: &[DataValidator]) -> InputArgs {
    let mut named = BTreeMap::new();
    for DataValidator { file, args } in validators {
        let args = args
            .iter()
            .map(|arg| arg.replace("{subtask}", subtask))
            .collect();
        named.entry(stem_of(file)).or_insert(args);
    }
    InputArgs::Named(named)
}

fn put_validators(source: &Source, subtasks: &Value, draft: &mut Draft) -> Result<()> {
    let mut by_name: BTreeMap<String, DataValidator> = BTreeMap::new();
    for validator in DataValidator::from_subtasks(subtasks) {
        let DataValidator { file, args } = &validator;
        // Arguments are assigned by the name of a program, so names of validators must be unique.
        let text = match by_name.get(&stem_of(file)) {
            None => {
                put_validator(source, file, draft)?;
                by_name.insert(stem_of(file), validator);
                continue;
            }
            Some(first) if first.file == *file && first.args == *args => continue,
            Some(first) if first.file == *file => {
                format!("`{file}` again, with different arguments")
            }
            Some(first) => format!(
                "`{file}` has the same name as `{}`, so only the latter is imported",
                first.file
            ),
        };
        draft.mark_used(file);
        draft.lost_at(Part::Validators, file, text);
    }
    // One remark names each validator with all of its subtasks.
    let mut subtasks_of: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (subtask, entry) in entries(get(subtasks, "subtasks")) {
        for command in texts(get(entry, "validators")) {
            // Arguments follow the name.
            let name = command.split_whitespace().next().unwrap_or_default();
            subtasks_of
                .entry(format!("validator/{name}"))
                .or_default()
                .push(subtask.clone());
        }
    }
    let of_subtasks =
        |(file, names): (&String, &Vec<String>)| format!("`{file}` of {}", listed(names));
    let files: Vec<String> = subtasks_of.iter().map(of_subtasks).collect();
    draft.mark_all_used(subtasks_of.keys());
    if let Some(first) = subtasks_of.keys().next() {
        let text = format!(
            "validators of single subtasks, since validators of packages check all data: {}",
            files.join("; ")
        );
        draft.lost_at(Part::Validators, first, text);
    }
    draft.mark_used("validator/Makefile");
    draft.mark_used("checker/Makefile");
    Ok(())
}

/// Returns the expectation of a verdict in `solutions.json` on a subtask. Source: ioi/tps,
/// scripts/verify.py.
fn expected(verdict: &str) -> Expected {
    match verdict {
        "model_solution" | "correct" => Expected::Accepted,
        "incorrect" => Expected::WRONG,
        "time_limit" => Expected::SLOW,
        "memory_limit" | "runtime_error" => Expected::CRASHES,
        "time_limit_and_runtime_error" => Expected::SLOW_OR_CRASHES,
        "failed" => Expected::REJECTED,
        _ => Expected::Anything,
    }
}

fn solutions(source: &Source, draft: &mut Draft) -> Result<()> {
    const LISTED: &str = "solutions.json";
    if !source.has(LISTED) {
        draft.lost(Part::Solutions, format!("`{LISTED}` is missing"));
        return Ok(());
    }
    let (listed, subtasks) = (read_json(source, LISTED)?, read_json(source, FILE)?);
    draft.mark_used(LISTED);
    let names: Vec<String> = entries(get(&subtasks, "subtasks"))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    for (name, solution) in entries(Some(&listed)) {
        let file = format!("solution/{name}");
        if !source.has(&file) {
            draft.lost(Part::Solutions, format!("`{file}` is missing"));
            continue;
        }
        let verdict = text(get(solution, "verdict")).unwrap_or_default();
        let exceptions: BTreeMap<String, String> = entries(get(solution, "except"))
            .into_iter()
            .filter_map(|(name, verdict)| Some((name, text(Some(verdict))?)))
            .collect();
        let model_solution = verdict == "model_solution";
        let is_right = expected(&verdict) == Expected::Accepted && exceptions.is_empty();
        let rule = if is_right {
            Expectation::default()
        } else {
            rule(&verdict, &exceptions, &names)
        };
        let rule = Expectation {
            model_solution,
            ..rule
        };
        let origin = format!("its verdict `{verdict}`");
        let id = draft.put_stated_submission(&file, is_right, rule, &origin);
        let of_whole = std::iter::once((&verdict, String::new()));
        let of_subtasks = exceptions
            .iter()
            .map(|(name, verdict)| (verdict, format!(" on `{name}`")));
        for (verdict, place) in of_whole
            .chain(of_subtasks)
            .filter(|(verdict, _)| expected(verdict) == Expected::Anything)
        {
            draft.report_lost_expectation(&id, &format!("`{verdict}`{place}"), &file);
        }
    }
    Ok(())
}

/// Returns the expectations of a solution that is not correct on every subtask.
///
/// `invoke.py` compares every subtask that `except` does not name with the overall verdict. The web
/// interface, for which `solutions.json` is documented, ignores solved subtasks, and requires the
/// verdict at least once and no other verdict (ioi-2017/tps-web, `SolutionRun.validate_solution`).
/// Solutions are tagged for the web interface: nearly all wrong ones solve some unnamed subtask, if
/// only the samples.
fn rule(verdict: &str, exceptions: &BTreeMap<String, String>, subtasks: &[String]) -> Expectation {
    let whole = expected(verdict);
    let unnamed = || {
        subtasks
            .iter()
            .filter(|name| !exceptions.contains_key(*name))
    };
    let mut on_groups: BTreeMap<String, Expectation> = exceptions
        .iter()
        .filter_map(|(name, verdict)| Some((name.clone(), expected(verdict).rule()?)))
        .collect();
    // A rejection is required once overall. Any other verdict applies to each subtask without an
    // exception.
    let Expected::One(required) = whole else {
        on_groups.extend(unnamed().filter_map(|name| Some((name.clone(), whole.rule()?))));
        return Expectation {
            on_groups,
            ..Expectation::default()
        };
    };
    let permitted: Vec<Verdict> = [&[Verdict::Accepted], required].concat();
    let is_beyond = |expected: Expected| match expected {
        Expected::Accepted => false,
        Expected::One(verdicts) => verdicts.iter().any(|verdict| !permitted.contains(verdict)),
        Expected::Anything => true,
    };
    if exceptions
        .values()
        .any(|verdict| is_beyond(expected(verdict)))
    {
        // An exception permits its verdict only on its subtask.
        let of_unnamed = Expectation::verdicts(&permitted, &[]);
        on_groups.extend(unnamed().map(|name| (name.clone(), of_unnamed.clone())));
        return Expectation {
            on_groups,
            ..Expectation::verdicts(&[], required)
        };
    }
    // With `failed`, every verdict is permitted, which an empty list expresses.
    let permitted = if whole == Expected::REJECTED {
        &[][..]
    } else {
        &permitted
    };
    Expectation {
        on_groups,
        ..Expectation::verdicts(permitted, required)
    }
}

fn statement(source: &Source, draft: &mut Draft) {
    for file in source.files_below("statement") {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let target = match name.as_str() {
            "index.md" => "problem.en.md".to_owned(),
            _ if name.ends_with(".pdf") => "problem.en.pdf".to_owned(),
            _ if name.ends_with(".html") || name.ends_with(".json") => {
                draft.mark_used(file);
                continue;
            }
            _ => base_name(&name),
        };
        draft.copy(format!("statement/{target}"), file);
        if target.starts_with("problem.") {
            draft.carried(
                Part::Statement,
                format!("`{name}`, including the samples in its text"),
            );
        }
    }
}

#[cfg(test)]
#[path = "tps_tests.rs"]
mod tests_of_tps;
