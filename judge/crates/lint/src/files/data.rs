//! Test data: duplicates, misleading order, excessive size, missing parts.
//!
//! Responsible for findings that need no validator. Must not know how outputs are checked.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use judge_model::{OutputValidator, Problem, TestCase, natural};
use judge_package::{
    Finding, GENERATORS_FILE, InputValidatorArgs, LoadedPackage, code, read_generators,
};

use super::bytes::{Contents, same};
use super::entries::Kind;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    check_interactions(subject, findings);
    check_images(subject, findings);
    check_generators(subject, findings);
    let Some(loaded) = subject.loaded else { return };
    let problem = &loaded.problem;
    check_samples(subject, problem, findings);
    check_shown_inputs(subject, problem, findings);
    check_same_inputs(subject, loaded, findings);
    check_sizes(subject, problem, findings);
    check_order(subject, problem, findings);
    check_arguments(loaded, findings);
}

/// Checks only the rules. `judge generate` reports missing generators.
fn check_generators(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Err(errors) = read_generators(subject.directory) else {
        return;
    };
    let file = subject.directory.join(GENERATORS_FILE);
    // Loading reports links that leave the package.
    findings.extend(
        errors
            .into_iter()
            .filter(|error| error.file == file)
            .map(|error| Finding {
                column: error.column,
                ..Finding::new(code::GENERATORS_BROKEN, &file, error.message)
                    .at(error.line)
                    .hint(error.hint)
            }),
    );
}

fn check_samples(subject: &Subject<'_>, problem: &Problem, findings: &mut Vec<Finding>) {
    let shown = subject
        .children("data/sample")
        .any(|entry| entry.extension() == "interaction");
    if !shown && !problem.test_cases.iter().any(TestCase::is_sample) {
        let place = subject.directory.join("data/sample");
        findings.push(Finding::new(
            code::NO_SAMPLES,
            &place,
            "expected at least one sample, found none",
        ));
    }
}

/// Source: 2025-09, "Sample Data": the statement shows the log of an interaction, or else a file
/// for the statement, or else the input.
fn check_shown_inputs(subject: &Subject<'_>, problem: &Problem, findings: &mut Vec<Finding>) {
    for case in problem
        .test_cases
        .iter()
        .filter(|case| problem.interactive && case.is_sample())
    {
        let is_replaced = |extension: &str| case.input.with_extension(extension).exists();
        let is_empty = subject
            .contents_at(&case.input)
            .is_some_and(|(_, contents)| contents.size == 0);
        if !is_empty && !["interaction", "in.statement"].into_iter().any(is_replaced) {
            let message = "the statement shows this input, although only the output validator reads it: add an `.interaction` file \
                next to it";
            findings.push(Finding::new(
                code::INTERACTOR_INPUT_SHOWN,
                &case.input,
                message,
            ));
        }
    }
}

/// The settings that a submission and the input validators receive besides the input: the case's
/// arguments, its files and the validators' arguments.
type ArgumentSet<'a> = (
    &'a [String],
    Option<&'a Path>,
    Option<&'a InputValidatorArgs>,
);

fn given<'a>(loaded: &'a LoadedPackage, case: &'a TestCase) -> ArgumentSet<'a> {
    (
        &case.args,
        case.files.as_deref(),
        loaded.input_validator_args.get(&case.id),
    )
}

fn check_same_inputs(subject: &Subject<'_>, loaded: &LoadedPackage, findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(u64, u64), Vec<&TestCase>> = BTreeMap::new();
    for case in &loaded.problem.test_cases {
        let Some((_, contents)) = subject.contents_at(&case.input) else {
            continue;
        };
        let alike = seen.entry((contents.size, contents.hash)).or_default();
        // The verdict also depends on the output validator's arguments.
        let settings = |case: &TestCase| {
            (
                case.args.clone(),
                case.files.clone(),
                case.output_validator_args.clone(),
            )
        };
        let twin = alike
            .iter()
            .find(|other| settings(other) == settings(case) && same(&other.input, &case.input));
        if let Some(twin) = twin {
            // The same input with a different answer is a contradiction, so the message says so.
            let answers = [twin, case].map(|case| {
                subject
                    .contents_at(&case.answer)
                    .map(|(_, contents)| contents.hash)
            });
            let but = if answers[0] == answers[1] {
                ""
            } else {
                ", but a different answer"
            };
            let message = format!("`{}` has the same input as `{}`{but}", case.id, twin.id);
            findings.push(Finding::new(code::INPUT_TWICE, &case.input, message));
        } else {
            alike.push(case);
        }
    }
    for invalid in &loaded.extra_cases.invalid_input {
        let Some((_, contents)) = subject.contents_at(&invalid.input) else {
            continue;
        };
        let validator_args = Some(&invalid.input_validator_args)
            .filter(|args| **args != InputValidatorArgs::default());
        let expected: ArgumentSet<'_> = (&invalid.args, None, validator_args);
        let alike = seen
            .get(&(contents.size, contents.hash))
            .into_iter()
            .flatten();
        let mut alike = alike
            .filter(|case| given(loaded, case) == expected && same(&case.input, &invalid.input));
        if let Some(twin) = alike.next() {
            let message = format!("`{}` has the same input as `{}`", invalid.id, twin.id);
            findings.push(Finding::new(
                code::INVALID_INPUT_IS_VALID,
                &invalid.input,
                message,
            ));
        }
    }
}

fn check_sizes(subject: &Subject<'_>, problem: &Problem, findings: &mut Vec<Finding>) {
    // A submission that writes the answer of the package must not exceed the output limit.
    let limit = problem.limits.output_bytes;
    let empty = |contents: Option<(&str, &Contents)>| {
        contents.is_some_and(|(_, contents)| contents.size == 0)
    };
    // Answers of interactive and multi-pass problems are not outputs and may have any size. With an
    // output validator, answers may be empty.
    let answers_are_outputs = !problem.interactive && problem.passes == 1;
    for case in &problem.test_cases {
        let answer = subject.contents_at(&case.answer);
        if empty(subject.contents_at(&case.input)) && !problem.interactive && case.args.is_empty() {
            findings.push(Finding::new(code::INPUT_EMPTY, &case.input, "is empty"));
        }
        if empty(answer) && problem.output_validator == OutputValidator::Default {
            findings.push(Finding::new(code::ANSWER_EMPTY, &case.answer, "is empty"));
        }
        let size = answer.map_or(0, |(_, contents)| contents.size);
        if !answers_are_outputs || size <= limit / 2 {
            continue;
        }
        let code = if size > limit {
            code::ANSWER_OVER_OUTPUT_LIMIT
        } else {
            code::ANSWER_NEAR_OUTPUT_LIMIT
        };
        let message = format!("has {size} bytes; the output limit is {limit} bytes");
        findings.push(Finding::new(code, &case.answer, message));
    }
}

/// Finds directories in which the order of names differs from the order of the numbers in them;
/// each directory once.
fn check_order(subject: &Subject<'_>, problem: &Problem, findings: &mut Vec<Finding>) {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut reported: Vec<&str> = Vec::new();
    for case in &problem.test_cases {
        for (end, _) in case
            .id
            .match_indices('/')
            .skip(1)
            .chain([(case.id.len(), "")])
        {
            let id = &case.id[..end];
            let Some((folder, name)) = id.rsplit_once('/') else {
                continue;
            };
            // Test cases are in the order in which judges run them: by the bytes of their names.
            let before = last.insert(folder, name);
            let Some(before) = before.filter(|before| natural(before, name) == Ordering::Greater)
            else {
                continue;
            };
            if !reported.contains(&folder) {
                reported.push(folder);
                let message = format!("`{before}` comes before `{name}`");
                let place = subject.directory.join("data").join(folder);
                findings.push(Finding::new(code::ORDER_NOT_NATURAL, &place, message));
            }
        }
    }
}

fn check_arguments(loaded: &LoadedPackage, findings: &mut Vec<Finding>) {
    let validators = &loaded.problem.input_validators;
    let mut reported: Vec<&str> = Vec::new();
    for (id, args) in &loaded.input_validator_args {
        let InputValidatorArgs::ByName(args) = args else {
            continue;
        };
        for name in args.keys() {
            // Arguments are keyed by the name of a validator, with or without its extension
            // (2025-09, "Input Validators").
            let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
            let known = validators
                .iter()
                .any(|validator| validator.name == *name || stem(&validator.name) == *name);
            if !known && !reported.contains(&name.as_str()) {
                reported.push(name);
                let message = format!(
                    "`{id}` has arguments for an input validator `{name}`, which does not exist"
                );
                let place = loaded.problem.directory.join("input_validators");
                findings.push(Finding::new(code::ARGUMENTS_UNUSED, &place, message));
            }
        }
    }
}

/// Source: 2025-09 and legacy, "Interactive Problems", the form of `.interaction` files.
fn check_interactions(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(problem) = subject.problem() else {
        return;
    };
    for entry in subject
        .children("data/sample")
        .filter(|entry| entry.extension() == "interaction")
    {
        if !problem.interactive && problem.passes == 1 {
            let has_passes = subject
                .read_text(&entry.path)
                .lines()
                .any(|line| line == "---");
            let kind = if has_passes {
                "multi-pass"
            } else {
                "interactive"
            };
            let message = format!(
                "shows an interaction, but the problem is neither interactive nor multi-pass: delete it, or add `{kind}` \
                 to `type` in problem.yaml"
            );
            findings.push(Finding::new(
                code::INTERACTION_UNEXPECTED,
                &entry.path,
                message,
            ));
            continue;
        }
        let text = subject.read_text(&entry.path);
        for (number, line) in (1..).zip(text.lines()) {
            let directed = line.starts_with('<') || line.starts_with('>');
            if !(directed || (problem.passes > 1 && line == "---")) {
                let message = "expected a line that begins with `<` or `>`";
                findings.push(
                    Finding::new(code::INTERACTION_MALFORMED, &entry.path, message)
                        .at(Some(number)),
                );
                break;
            }
        }
    }
}

fn check_images(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let mut last: Option<(&str, &str)> = None;
    for entry in subject
        .entries
        .iter()
        .filter(|entry| entry.is_in("data") && entry.kind != Kind::Folder)
    {
        if !matches!(entry.extension(), "png" | "jpg" | "jpeg" | "svg")
            || entry.parent().contains(".files")
        {
            continue;
        }
        let Some((base, _)) = entry.id.rsplit_once('.') else {
            continue;
        };
        // Entries are sorted, so that images of one test case follow each other.
        if let Some((_, first)) = last.filter(|(same, _)| *same == base) {
            let message = format!("`{first}` is an image of the same test case");
            findings.push(Finding::new(code::SEVERAL_IMAGES, &entry.path, message));
        }
        last = Some((base, entry.name()));
    }
}
