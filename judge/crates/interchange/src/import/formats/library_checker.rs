//! Problems of Library Checker.
//!
//! Responsible for `info.toml` and the files next to it. Must not know how the data of a package is
//! generated.
//!
//! Source: yosupo06/library-checker-problems, docs, generate.py and problem.py.

use std::fmt::Write as _;
use std::path::Path;

use judge_event::Part;
use judge_model::Verdict;
use judge_package::yaml::Value;

use super::ImportFormat;
use crate::import::adapter::Protocol;
use crate::import::draft::Draft;
use crate::import::draft::parts::{Content, Expectation};
use crate::import::limits::{limit_at, positive};
use crate::import::programs::{PLACE, base_name, headers, put_judge, put_program, put_validator};
use crate::import::settings::{self, entries, get, items, read_toml, text};
use crate::import::signs::by_keys;
use crate::import::source::Source;
use crate::import::subtasks::{Test, Tests, put};
use crate::{InterchangeError, Result};

const FILE: &str = "info.toml";
pub(super) const FORMAT: ImportFormat = ImportFormat {
    prepare: |source, _| source.add_headers(SHARED),
    ..ImportFormat::new(
        "library-checker",
        "`info.toml`",
        |source| by_keys(source, FILE, read_toml, &["tests"]),
        convert,
    )
};

/// The directory of shared headers, relative to a problem.
const SHARED: &str = "../../common";
/// The header with the constants of the problem, which programs include from the parent directory.
const PARAMETERS: &str = "params.h";
/// The memory limit of all problems, in MiB.
const MEMORY: u64 = 1024;
/// The output limit in MiB. Library Checker has none, and some answers exceed the default of
/// packages.
const OUTPUT: u64 = 256;
/// The maximum number of test cases of one listed file.
const MAX_TESTS: u32 = 10_000;

fn convert(source: &Source, draft: &mut Draft) -> Result<()> {
    let info = read_toml(source, FILE)?;
    draft.mark_all_used([FILE, "hash.json"]);
    draft.name = source.stem();
    draft.set_title(text(get(&info, "title")));
    draft.metadata.time_limit = limit_at(&info, "timelimit", positive, draft);
    draft.metadata.memory = Some(MEMORY);
    draft.metadata.output = Some(OUTPUT);
    draft.changed(
        Part::Limits,
        format!("unlimited output: limited to {OUTPUT} MiB"),
    );
    draft.metadata.source = text(get(&info, "forum"));
    let parameters = parameters(&info);
    for (key, place) in [
        ("checker", PLACE),
        ("verifier", "input_validators/verifier"),
    ] {
        let file = text(get(&info, key)).unwrap_or_else(|| format!("{key}.cpp"));
        if !source.has(&file) {
            continue;
        }
        if key == "checker" {
            put_judge(source, &file, Protocol::TestlibChecker, draft)?;
        } else {
            put_validator(source, &file, draft)?;
        }
        put_with_local_includes(source, &file, place, draft)?;
        draft.put(format!("{place}/{PARAMETERS}"), parameters.clone());
    }
    // Solutions include it too, from this directory.
    draft.put(format!("include/cpp/{PARAMETERS}"), parameters.clone());
    solutions(source, &info, draft)?;
    let tests = tests(source, &info, &parameters, draft)?;
    put(source, tests, draft)?;
    statement(source, &info, draft)
}

/// Returns the text of `params.h`. Source: generate.py, `generate_params_h`.
fn parameters(info: &Value) -> String {
    let mut header = "#pragma once\n".to_owned();
    for (name, value) in entries(get(info, "params")) {
        let value = match value {
            Value::Integer(number) => format!("(long long){number}"),
            Value::Text(text) => format!("{text:?}"),
            other => text(Some(other)).unwrap_or_default(),
        };
        let _ = writeln!(header, "#define {name} {value}");
    }
    header
}

/// Replaces a program and its headers with versions that include files from their own directory.
fn put_with_local_includes(
    source: &Source,
    file: &str,
    place: &str,
    draft: &mut Draft,
) -> Result<()> {
    let all = headers(source, file)
        .into_iter()
        .chain([(base_name(file), file)]);
    for (name, file) in all {
        draft.put(
            format!("{place}/{name}"),
            with_local_includes(&source.bytes(file)?),
        );
    }
    Ok(())
}

/// Rewrites a program to include files from its own directory instead of others. Works on bytes,
/// since the encoding is unknown.
fn with_local_includes(program: &[u8]) -> Content {
    let line = |line: &[u8]| {
        let start = line.trim_ascii_start();
        // Programs include `../params.h` and `../common.h`, but here all headers are in their own
        // directory.
        let is_around = start.starts_with(b"#include \"../") || start.starts_with(b"#include \"./");
        match line
            .iter()
            .rposition(|byte| *byte == b'/')
            .filter(|_| is_around)
        {
            Some(slash) => [b"#include \"", &line[slash + 1..]].concat(),
            None => line.to_owned(),
        }
    };
    Content::Bytes(
        program
            .split_inclusive(|byte| *byte == b'\n')
            .flat_map(line)
            .collect(),
    )
}

/// Returns the number of tests of one listed file, or 0 if it is not stated.
fn number_of_tests(name: &str, number: Option<String>) -> Result<u32> {
    let Some(number) = number else { return Ok(0) };
    let count = number.parse().ok().filter(|count| *count <= MAX_TESTS);
    count.ok_or_else(|| {
        let expected = format!("a whole number of at most {MAX_TESTS}");
        let why = format!("expected `number` of `{name}` to be {expected}, found `{number}`");
        InterchangeError::malformed(FILE, why)
    })
}

fn tests(source: &Source, info: &Value, parameters: &str, draft: &mut Draft) -> Result<Tests> {
    let mut tests = Tests::default();
    for listed in items(get(info, "tests")) {
        let name = text(get(listed, "name")).unwrap_or_default();
        let count = number_of_tests(&name, text(get(listed, "number")))?;
        let stem = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem)
            .to_owned();
        if name.ends_with(".in") {
            let listed_tests =
                (0..count).map(|index| Test::from_files(format!("gen/{stem}_{index:02}.in"), None));
            // Library Checker shows the tests of `example.in` in the statement.
            if stem == "example" {
                tests.samples.extend(listed_tests);
            } else {
                tests
                    .subtasks
                    .extend(Tests::without_subtasks(listed_tests.collect(), false).subtasks);
            }
            continue;
        }
        let file = format!("gen/{name}");
        if !source.has(&file) {
            draft.lost(Part::Generators, format!("`{file}` is missing"));
            continue;
        }
        put_program(source, &file, "generators", Part::Generators, draft)?;
        put_with_local_includes(source, &file, "generators", draft)?;
        let more = headers(source, &file)
            .into_keys()
            .chain([PARAMETERS.to_owned()]);
        tests.generators.insert(
            stem.clone(),
            std::iter::once(base_name(&file)).chain(more).collect(),
        );
        let made = (0..count).map(|index| Test::from_command(format!("{stem} {index}")));
        tests
            .subtasks
            .extend(Tests::without_subtasks(made.collect(), false).subtasks);
    }
    draft.put(format!("generators/{PARAMETERS}"), parameters.to_owned());
    Ok(tests)
}

fn solutions(source: &Source, info: &Value, draft: &mut Draft) -> Result<()> {
    const MAIN: &str = "sol/correct.cpp";
    // Headers from other directories go to `include/`.
    for (name, header) in headers(source, "sol/") {
        draft.copy(format!("include/cpp/{name}"), header);
    }
    let put_solution =
        |file: &str, directory: &str, rule: Expectation, draft: &mut Draft| -> Result<String> {
            let id = draft.put_submission(directory, Path::new(file), rule);
            draft.put(
                format!("submissions/{id}"),
                with_local_includes(&source.bytes(file)?),
            );
            draft.carried_at(Part::Solutions, file, format!("`{id}`"));
            Ok(id)
        };
    if source.has(MAIN) {
        put_solution(MAIN, "accepted", Expectation::model_solution(true), draft)?;
    }
    for solution in items(get(info, "solutions")) {
        let file = format!("sol/{}", text(get(solution, "name")).unwrap_or_default());
        let is = |key: &str| matches!(get(solution, key), Some(Value::Bool(true)));
        if !source.has(&file) || is("function") {
            draft.mark_used(&file);
            let why = if is("function") {
                "is compiled with its own grader"
            } else {
                "is missing"
            };
            draft.lost_at(Part::Solutions, &file, format!("`{file}` {why}"));
            continue;
        }
        let may = |verdict: Verdict| Expectation {
            use_for_time_limit: Some(false),
            ..Expectation::verdicts(&[Verdict::Accepted, verdict], &[])
        };
        let expected = text(get(solution, "expect"));
        let (directory, rule) = match expected.as_deref() {
            Some("WA") => ("wrong_answer", Expectation::default()),
            Some("TLE") => ("time_limit_exceeded", Expectation::default()),
            Some("RE") => ("run_time_error", Expectation::default()),
            Some(other) if other != "AC" => ("mixed", Expectation::default()),
            // Source: problem.py, `judge`: a wrong solution must fail some test in any way,
            // regardless of the other keys.
            _ if is("wrong") => ("rejected", Expectation::default()),
            _ if is("allow_tle") => ("mixed", may(Verdict::TimeLimitExceeded)),
            _ if is("allow_re") => ("mixed", may(Verdict::RunTimeError)),
            _ => ("accepted", Expectation::default()),
        };
        let is_lost = directory == "mixed" && rule == Expectation::default();
        let id = put_solution(&file, directory, rule, draft)?;
        if let Some(expected) = expected.filter(|_| is_lost) {
            draft.report_lost_expectation(&id, &format!("`{expected}`"), &file);
        }
    }
    draft.mark_all_used(source.files_below("grader"));
    Ok(())
}

/// Converts `task.md` to a statement in each of its languages, and replaces its placeholders.
fn statement(source: &Source, info: &Value, draft: &mut Draft) -> Result<()> {
    const PAGE: &str = "task.md";
    if !source.has(PAGE) {
        draft.lost(Part::Statement, format!("`{PAGE}` is missing"));
        return Ok(());
    }
    draft.mark_used(PAGE);
    let Some(text) = source.text_if_readable(PAGE)? else {
        draft.lost_at(Part::Statement, PAGE, format!("`{PAGE}` is not in UTF-8"));
        return Ok(());
    };
    let languages: Vec<&str> = ["en", "ja"]
        .into_iter()
        .filter(|language| text.contains(&format!("@{{lang.{language}}}")))
        .collect();
    let languages = if languages.is_empty() {
        vec!["en"]
    } else {
        languages
    };
    for language in languages {
        draft.put(
            format!("statement/problem.{language}.md"),
            page(&text, language, info),
        );
        draft.carried(Part::Statement, format!("the statement in `{language}`"));
    }
    Ok(())
}

/// Returns the page in one language, without samples, which judges show automatically.
fn page(text: &str, language: &str, info: &Value) -> String {
    const WORDS: [(&str, &str); 5] = [
        ("## @{keyword.statement}", ""),
        ("@{keyword.constraints}", "Constraints"),
        ("@{keyword.input}", "Input"),
        ("@{keyword.output}", "Output"),
        ("## @{keyword.sample}", ""),
    ];
    let mut shown = true;
    let mut page = String::new();
    for line in text.lines() {
        if let Some(tag) = line.trim().strip_prefix("@{lang.") {
            shown = tag.trim_end_matches('}') == language || tag.starts_with("end");
        } else if shown && !line.trim().starts_with("@{example.") {
            page.push_str(line);
            page.push('\n');
        }
    }
    for (placeholder, word) in WORDS {
        page = page.replace(placeholder, word);
    }
    for (name, value) in entries(get(info, "params")) {
        page = page.replace(
            &format!("@{{param.{name}}}"),
            &settings::text(Some(value)).unwrap_or_default(),
        );
    }
    page.trim().to_owned() + "\n"
}

#[cfg(test)]
mod tests_of_library_checker {
    use super::*;

    #[test]
    fn too_many_tests_are_rejected() {
        assert_eq!(number_of_tests("a.in", None).unwrap(), 0);
        assert_eq!(
            number_of_tests("a.in", Some("10000".to_owned())).unwrap(),
            10_000
        );
        for wrong in ["10001", "1000000000000", "-1", "many"] {
            let error = number_of_tests("a.in", Some(wrong.to_owned()))
                .unwrap_err()
                .to_string();
            assert!(
                error.contains("info.toml") && error.contains(&format!("found `{wrong}`")),
                "{error}"
            );
        }
    }

    #[test]
    fn pages_contain_one_language_and_filled_in_parameters() {
        let text = "## @{keyword.statement}\n@{lang.en}\nAdd.\n@{lang.ja}\n足す\n@{lang.end}\n## @{keyword.input}\n$A \\leq @{param.N}$\n@{example.example_00}\n";
        let info = Value::Map(vec![(
            Value::Text("params".to_owned()),
            Value::Map(vec![(Value::Text("N".to_owned()), Value::Integer(5))]),
        )]);
        assert_eq!(page(text, "en", &info), "Add.\n## Input\n$A \\leq 5$\n");
        assert!(page(text, "ja", &info).starts_with("足す"));
        assert_eq!(parameters(&info), "#pragma once\n#define N (long long)5\n");
    }
}
