//! Test data: duplicates, misleading order, excessive size, missing parts.
//!
//! Responsible for findings that need no validator. Must not know how outputs are checked.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use judge_model::{OutputValidator, Problem, TestCase, natural};
use judge_package::{
    Finding, GENERATORS_FILE, InputValidatorArgs, LoadedPackage, code, read_generators,
};

use super::bytes::{Contents, same};
use super::entries::{Entry, Kind};
use super::findings::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
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
fn check_generators(subject: &Subject<'_>, findings: &mut Findings) {
    let Err(errors) = read_generators(subject.directory) else {
        return;
    };
    let file = subject.directory.join(GENERATORS_FILE);
    // Loading reports links that leave the package.
    for error in errors.into_iter().filter(|error| error.file == file) {
        findings.push(Finding {
            line: error.line,
            column: error.column,
            hint: error.hint,
            ..Finding::new(code::GENERATORS_BROKEN, &file, error.message)
        });
    }
}

fn check_samples(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    let shown = subject
        .children("data/sample")
        .any(|entry| entry.extension() == "interaction");
    if !shown && !problem.test_cases.iter().any(TestCase::is_sample) {
        let place = subject.directory.join("data/sample");
        findings.add(
            code::NO_SAMPLES,
            &place,
            "expected at least one sample, found none",
        );
    }
}

/// Source: 2025-09, "Sample Data": the statement shows the log of an interaction, or else a file
/// for the statement, or else the input.
fn check_shown_inputs(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    let samples = problem.test_cases.iter().filter(|case| case.is_sample());
    for case in samples.filter(|_| problem.interactive) {
        let is_replaced = |extension: &str| case.input.with_extension(extension).exists();
        let is_empty = subject
            .contents_at(&case.input)
            .is_some_and(|contents| contents.size == 0);
        if !is_empty && !["interaction", "in.statement"].into_iter().any(is_replaced) {
            let message = "the statement shows this input, although only the output validator reads it: add an `.interaction` file \
                next to it";
            findings.add(code::INTERACTOR_INPUT_SHOWN, &case.input, message);
        }
    }
}

fn check_same_inputs(subject: &Subject<'_>, loaded: &LoadedPackage, findings: &mut Findings) {
    let mut seen: BTreeMap<(u64, u64), Vec<&TestCase>> = BTreeMap::new();
    for case in &loaded.problem.test_cases {
        let Some(contents) = subject.contents_at(&case.input) else {
            continue;
        };
        let alike = seen.entry((contents.size, contents.hash)).or_default();
        let has_same_settings = |other: &TestCase| {
            other.args == case.args
                && other.files == case.files
                // The verdict also depends on the output validator's arguments.
                && other.output_validator_args == case.output_validator_args
        };
        let twin = alike
            .iter()
            .find(|other| has_same_settings(other) && same(&other.input, &case.input));
        if let Some(twin) = twin {
            // The same input with a different answer is a contradiction, so the message says so.
            let hash = |case: &TestCase| Some(subject.contents_at(&case.answer)?.hash);
            let but = if hash(twin) == hash(case) {
                ""
            } else {
                ", but a different answer"
            };
            let message = format!("`{}` has the same input as `{}`{but}", case.id, twin.id);
            findings.add(code::INPUT_TWICE, &case.input, message);
        } else {
            alike.push(case);
        }
    }
    for invalid in &loaded.extra_cases.invalid_input {
        let Some(contents) = subject.contents_at(&invalid.input) else {
            continue;
        };
        let validator_args = Some(&invalid.input_validator_args)
            .filter(|args| **args != InputValidatorArgs::default());
        // A submission and the input validators receive these settings besides the input.
        let has_same_settings = |case: &TestCase| {
            case.args == invalid.args
                && case.files.is_none()
                && loaded.input_validator_args.get(&case.id) == validator_args
        };
        let alike = seen.get(&(contents.size, contents.hash));
        let mut alike = alike.into_iter().flatten();
        let twin = alike.find(|case| has_same_settings(case) && same(&case.input, &invalid.input));
        if let Some(twin) = twin {
            let message = format!("`{}` has the same input as `{}`", invalid.id, twin.id);
            findings.add(code::INVALID_INPUT_IS_VALID, &invalid.input, message);
        }
    }
}

fn check_sizes(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
    // A submission that writes the answer of the package must not exceed the output limit.
    let limit = problem.limits.output_bytes;
    let empty = |contents: Option<&Contents>| contents.is_some_and(|contents| contents.size == 0);
    // Answers of interactive and multi-pass problems are not outputs and may have any size. With an
    // output validator, answers may be empty.
    let answers_are_outputs = !problem.interactive && problem.passes == 1;
    for case in &problem.test_cases {
        let answer = subject.contents_at(&case.answer);
        if empty(subject.contents_at(&case.input)) && !problem.interactive && case.args.is_empty() {
            findings.add(code::INPUT_EMPTY, &case.input, "is empty");
        }
        if empty(answer) && problem.output_validator == OutputValidator::Default {
            findings.add(code::ANSWER_EMPTY, &case.answer, "is empty");
        }
        let size = answer.map_or(0, |contents| contents.size);
        if !answers_are_outputs || size <= limit / 2 {
            continue;
        }
        let code = if size > limit {
            code::ANSWER_OVER_OUTPUT_LIMIT
        } else {
            code::ANSWER_NEAR_OUTPUT_LIMIT
        };
        let message = format!("has {size} bytes; the output limit is {limit} bytes");
        findings.add(code, &case.answer, message);
    }
}

/// Finds directories in which the order of names differs from the order of the numbers in them;
/// each directory once.
fn check_order(subject: &Subject<'_>, problem: &Problem, findings: &mut Findings) {
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
                findings.add(code::ORDER_NOT_NATURAL, &place, message);
            }
        }
    }
}

fn check_arguments(loaded: &LoadedPackage, findings: &mut Findings) {
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
                findings.add(code::ARGUMENTS_UNUSED, &place, message);
            }
        }
    }
}

/// Source: 2025-09 and legacy, "Interactive Problems", the form of `.interaction` files.
fn check_interactions(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(problem) = subject.problem() else {
        return;
    };
    for entry in subject
        .children("data/sample")
        .filter(|entry| entry.extension() == "interaction")
    {
        let text = subject.read_text(&entry.path);
        if !problem.interactive && problem.passes == 1 {
            let has_passes = text.lines().any(|line| line == "---");
            let kind = if has_passes {
                "multi-pass"
            } else {
                "interactive"
            };
            let message = format!(
                "shows an interaction, but the problem is neither interactive nor multi-pass: delete it, or add `{kind}` \
                 to `type` in problem.yaml"
            );
            findings.add(code::INTERACTION_UNEXPECTED, &entry.path, message);
            continue;
        }
        let is_well_formed =
            |line: &str| line.starts_with(['<', '>']) || (problem.passes > 1 && line == "---");
        let mut lines = (1..).zip(text.lines());
        if let Some((number, _)) = lines.find(|(_, line)| !is_well_formed(line)) {
            let message = "expected a line that begins with `<` or `>`";
            findings.add_at(
                Some(number),
                code::INTERACTION_MALFORMED,
                &entry.path,
                message,
            );
        }
    }
}

fn check_images(subject: &Subject<'_>, findings: &mut Findings) {
    let is_image = |entry: &&Entry| {
        entry.is_in("data")
            && entry.kind != Kind::Folder
            && matches!(entry.extension(), "png" | "jpg" | "jpeg" | "svg")
            && !entry.parent().contains(".files")
    };
    let mut last: Option<(&str, &str)> = None;
    for entry in subject.entries.iter().filter(is_image) {
        let Some((base, _)) = entry.id.rsplit_once('.') else {
            continue;
        };
        // Entries are sorted, so that images of one test case follow each other.
        if let Some((_, first)) = last.filter(|(same, _)| *same == base) {
            let message = format!("`{first}` is an image of the same test case");
            findings.add(code::SEVERAL_IMAGES, &entry.path, message);
        }
        last = Some((base, entry.name()));
    }
}
