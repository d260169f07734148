//! Tests of reading the packages in `testdata/packages`, compared with `reading.yaml` there, line
//! by line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_model::{Grading, GroupSettings, OutputValidator, Problem, Program};

use crate::disk::discovery::{Reach, discover};
use crate::yaml::{Document, Value};
use crate::{Workspace, load};

fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../testdata/packages")
        .canonicalize()
        .unwrap()
}

/// Describes a package as it was read.
fn description(package: &Path) -> String {
    let mut text = String::new();
    match load(package, &Workspace::find(package).unwrap()) {
        Ok(loaded) => {
            write_problem(&mut text, &loaded.problem);
            for case in loaded.extra_cases.iter() {
                writeln!(text, "extra case {}", case.id).unwrap();
            }
            // Expectations of submissions have separate tests.
            for warning in loaded
                .warnings
                .iter()
                .filter(|warning| !warning.file.starts_with(package.join("submissions")))
            {
                writeln!(text, "warning: {}", warning.display_relative_to(package)).unwrap();
            }
        }
        Err(errors) => {
            for error in &errors {
                writeln!(text, "error: {}", error.display_relative_to(package)).unwrap();
            }
        }
    }
    text
}

fn write_problem(text: &mut String, problem: &Problem) {
    let time = problem
        .limits
        .time_limit
        .map_or("none".to_owned(), |time| format!("{} ms", time.as_millis()));
    writeln!(
        text,
        "{:?} `{}`, time limit {time}",
        problem.format, problem.title
    )
    .unwrap();
    let grading = match &problem.grading {
        Grading::PassFail => "pass-fail".to_owned(),
        Grading::Scores => "scores".to_owned(),
        Grading::Legacy(legacy) => {
            let grader = legacy.grader.as_ref().map(|grader| grader.name.as_str());
            format!(
                "legacy, scoring {}, {:?}, grader {grader:?}",
                legacy.scoring, legacy.objective
            )
        }
    };
    writeln!(text, "grading {grading}").unwrap();
    for (what, is_so) in [
        ("interactive".to_owned(), problem.interactive),
        (
            format!("at most {} passes", problem.passes),
            problem.passes > 1,
        ),
        ("submissions are answers".to_owned(), problem.submit_answer),
    ] {
        if is_so {
            writeln!(text, "{what}").unwrap();
        }
    }
    for constant in &problem.constants {
        writeln!(text, "constant {} = {}", constant.name, constant.value).unwrap();
    }
    if let OutputValidator::Custom(programs) = &problem.output_validator {
        programs
            .iter()
            .for_each(|program| write_program(text, "output validator", program));
    }
    problem
        .static_validator
        .iter()
        .for_each(|program| write_program(text, "static validator", program));
    problem
        .input_validators
        .iter()
        .for_each(|program| write_program(text, "input validator", program));
    write_data(text, problem);
    for submission in &problem.submissions {
        writeln!(text, "submission {}", submission.id).unwrap();
    }
}

fn write_program(text: &mut String, what: &str, program: &Program) {
    let scripts = if program.scripts.is_some() {
        ", scripts"
    } else {
        ""
    };
    writeln!(
        text,
        "{what} {} ({}{scripts})",
        program.name, program.language
    )
    .unwrap();
}

fn write_data(text: &mut String, problem: &Problem) {
    for group in &problem.test_groups {
        let settings = match &group.settings {
            GroupSettings::Plain => String::new(),
            GroupSettings::Scores(scores) => {
                let max = scores
                    .max_score
                    .map_or("unbounded".to_owned(), |max| max.to_string());
                let mut warning_lines = format!(": {:?} of {max}", scores.aggregation);
                if !scores.require_pass.is_empty() {
                    write!(warning_lines, ", after {:?}", scores.require_pass).unwrap();
                }
                if let Some(validation) = &scores.static_validation {
                    write!(
                        warning_lines,
                        ", static {:?} {:?}",
                        validation.max_score, validation.args
                    )
                    .unwrap();
                }
                warning_lines
            }
            GroupSettings::Legacy(legacy) => format!(
                ": {}, {} {:?}, {} or {} in {} to {}",
                if legacy.goes_on { "goes on" } else { "stops" },
                if legacy.custom { "custom" } else { "default" },
                legacy.grader_flags,
                legacy.accept_score,
                legacy.reject_score,
                legacy.range.min,
                legacy.range.max,
            ),
        };
        writeln!(text, "group `{}`{settings}", group.id).unwrap();
    }
    for case in &problem.test_cases {
        let mut warning_lines = String::new();
        for (what, args) in [
            ("args", &case.args),
            ("validator", &case.output_validator_args.all),
        ] {
            if !args.is_empty() {
                write!(warning_lines, ", {what} {args:?}").unwrap();
            }
        }
        if case.files.is_some() {
            warning_lines.push_str(", files");
        }
        if case.output.is_some() {
            warning_lines.push_str(", output");
        }
        writeln!(text, "case {}{warning_lines}", case.id).unwrap();
    }
}

#[test]
fn packages_are_read_as_listed() {
    let root = packages();
    let document = Document::read(&root.join("reading.yaml")).unwrap();
    let expected = document.root().entries().unwrap();
    let mut found = String::new();
    for package in discover(&root, Reach::Named).unwrap().packages {
        let id = package
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let Some(entry) = expected.iter().find(|entry| entry.name == id) else {
            assert!(
                !id.contains("read"),
                "`{id}` is missing in reading.yaml:\n{}",
                description(&package)
            );
            continue;
        };
        let Value::Text(text) = entry.value.value() else {
            panic!("{id}: expected a string")
        };
        let description = description(&package);
        if description != *text {
            write!(found, "`{id}`: expected\n{text}\nfound\n{description}\n").unwrap();
        }
    }
    assert!(found.is_empty(), "{found}");
    for entry in &expected {
        assert!(
            root.join(&entry.name).join("problem.yaml").is_file(),
            "no package `{}`",
            entry.name
        );
    }
}

#[test]
fn tests_named_on_the_conformance_page_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/reference/format.md")).unwrap();
    let sources: String = ["src", "../lint/src"]
        .into_iter()
        .flat_map(|directory| walkdir::WalkDir::new(root.join(directory)))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let mut named = 0;
    for line in page
        .lines()
        .filter(|line| line.starts_with("| ") && line.ends_with("` |"))
    {
        let last = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for test in last.split(", ") {
            let name = test.trim_matches('`');
            // Either a test of this crate or of the one that checks packages, or a file of
            // tests of the command.
            let there = if name.ends_with(".rs") {
                root.join("../../..").join(name).is_file()
            } else {
                sources.contains(&format!("fn {name}()"))
            };
            assert!(there, "no test `{name}`");
            named += 1;
        }
    }
    assert!(named > 60, "only {named} tests are named");
}
