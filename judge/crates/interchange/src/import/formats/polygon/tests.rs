//! Test cases of Polygon: files, and the commands that generate them.
//!
//! Responsible for the data of the package and for its `generators.yaml`. Must not know the points
//! of groups.

use std::collections::BTreeMap;

use judge_event::{Fate, Part};
use judge_package::yaml::to_text;
use judge_package::{names, shell_words};

use crate::Result;
use crate::import::data::TestFiles;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, listed, numbered, plural};
use crate::import::draft::parts::{Content, InputArgs};
use crate::import::formats::polygon::description::{
    Description, PolygonTest, Testset, Trial, numbered_file,
};
use crate::import::formats::polygon::groups::{Places, places};
use crate::import::formats::polygon::programs::{
    MAIN, generators, mentions_groups, put_file_generator,
};
use crate::import::rules::{DataRules, GeneratorFiles, Rule, Rules};
use crate::import::source::Source;

/// Returns the set of tests for judging submissions. Other sets are parts of it.
pub(crate) fn main_testset(description: &Description) -> Option<&Testset> {
    let sets = &description.testsets;
    sets.iter()
        .find(|set| set.name == "tests")
        .or_else(|| sets.first())
}

/// The tests that have been collected.
#[derive(Default)]
struct CollectedTests {
    files: TestFiles,
    rules: Rules,
    generated: usize,
    /// Tests whose command is not imported.
    copied: Vec<String>,
    /// Tests with neither data nor a command.
    missing: Vec<String>,
    without_answer: usize,
}

/// Puts the tests and their generators into the package.
pub(crate) fn convert(source: &Source, description: &Description, draft: &mut Draft) -> Result<()> {
    let Some(testset) = main_testset(description) else {
        draft.lost(Part::Tests, "the description has no set of tests");
        return Ok(());
    };
    let sets = description.testsets.iter();
    for other in sets.filter(|other| other.name != testset.name) {
        let text = format!(
            "the set of tests `{}`: packages have one set, and `{}` was imported",
            other.name, testset.name
        );
        draft.lost(Part::Tests, text);
    }
    let mut places = places(testset, draft);
    // Validators that do not use the group get no arguments, since they might refuse them.
    if mentions_groups(source, description)? {
        add_arguments(testset, &mut places);
    }
    let programs = generators(source, description, draft)?;
    let mut collected = CollectedTests::default();
    for (index, test) in testset.tests.iter().enumerate() {
        let name = numbered(index + 1, testset.tests.len());
        let position = Position {
            testset,
            index,
            test,
            name: &name,
        };
        put_test(
            source,
            description,
            &position,
            &places,
            &programs,
            &mut collected,
            draft,
        )?;
    }
    report_generators(&programs, &collected, draft);
    let converts_line_ends = collected.files.has_cr_lf();
    collected.files.report(draft);
    report_data(
        testset.tests.len(),
        collected.generated,
        &collected.missing,
        draft,
    );
    // Interactive problems of Polygon need no answers: the interactor judges without them.
    let has_missing_answers = collected.without_answer > 0 && description.interactor.is_none();
    if has_missing_answers {
        report_missing_answers(collected.without_answer, draft);
    }
    draft.place_groups(&places.of_group, 1.0);
    for (directory, group) in &places.groups {
        draft.put_group(directory, group.clone());
    }
    // If nothing has to be generated, `generators.yaml` is not needed.
    if collected.generated > 0 || has_missing_answers && draft.main_solution().is_some() {
        write_rules(description, programs, collected.rules, draft);
    }
    put_trials(source, description, converts_line_ends, draft)
}

/// Reports the numbers of tests and of those with a command, and the tests without data.
fn report_data(count: usize, generated: usize, missing: &[String], draft: &mut Draft) {
    let (tests, have) = (counted(count, "test"), plural(generated, "has", "have"));
    let text = format!("{tests}, of which {generated} {have} a generator command");
    draft.carried(Part::Tests, text);
    if !missing.is_empty() {
        let text = format!(
            "neither data in the package nor a supported command for {}",
            listed(missing)
        );
        draft.lost(Part::Tests, text);
    }
}

/// Reports the tests without an answer.
fn report_missing_answers(count: usize, draft: &mut Draft) {
    let have = plural(count, "test has", "tests have");
    let (fate, how) = match draft.main_solution() {
        Some(_) => (
            Fate::Changed,
            "`judge generate` creates them with the main solution".to_owned(),
        ),
        None => (
            Fate::Lost,
            format!("no solution has the tag `{MAIN}` to generate them"),
        ),
    };
    draft.report(
        fate,
        Part::Answers,
        format!("{count} {have} no answer in the package: {how}"),
    );
}

/// Reports the generators, and the tests whose commands packages do not support.
fn report_generators(programs: &GeneratorFiles, collected: &CollectedTests, draft: &mut Draft) {
    if !programs.is_empty() {
        let names = listed(&programs.keys().cloned().collect::<Vec<_>>());
        let usage = if collected.generated > 0 {
            "called by `generators/generators.yaml`"
        } else {
            "which no test uses"
        };
        draft.carried(Part::Generators, format!("{names}, {usage}"));
    }
    if !collected.copied.is_empty() {
        let text = format!(
            "the commands of {}, which write several files or use an unknown generator: their inputs are copied",
            listed(&collected.copied)
        );
        draft.changed(Part::Generators, text);
    }
}

/// Passes the name of the group to validators, as Polygon does.
fn add_arguments(testset: &Testset, places: &mut Places) {
    let arguments = |group: &str| {
        InputArgs::ForAll(
            ["--testset", &testset.name, "--group", group]
                .map(str::to_owned)
                .to_vec(),
        )
    };
    for (group, directories) in places.of_group.clone() {
        for directory in directories {
            places
                .groups
                .entry(directory)
                .or_default()
                .input_validator_args = arguments(&group);
        }
    }
    if let Some(sample) = testset
        .tests
        .iter()
        .find(|test| test.is_sample && !test.group.is_empty())
    {
        places
            .groups
            .entry("sample".to_owned())
            .or_default()
            .input_validator_args = arguments(&sample.group);
    }
}

/// A test with its position in the package of Polygon.
struct Position<'a> {
    testset: &'a Testset,
    index: usize,
    test: &'a PolygonTest,
    name: &'a str,
}

/// Returns the command of `generators.yaml` that generates a test, or `None` if packages do not
/// support its command.
fn command(
    source: &Source,
    description: &Description,
    test: &PolygonTest,
    programs: &GeneratorFiles,
    draft: &mut Draft,
) -> Result<Option<String>> {
    let command = test.command.trim();
    // Polygon runs commands in a shell, so quotes and backslashes have their special meaning.
    let program = shell_words(command).and_then(|words| words.into_iter().next());
    let program = program.filter(|program| programs.contains_key(program));
    // Braces have a special meaning in `generators.yaml`: seeds and names.
    let Some(program) = program.filter(|_| !command.contains(['{', '}'])) else {
        return Ok(None);
    };
    if test.from_file.is_empty() {
        return Ok(Some(command.to_owned()));
    }
    // The name becomes an argument of a script, and must not contain special characters of a shell.
    if !names::counts(&test.from_file) {
        return Ok(None);
    }
    let arguments = command
        .strip_prefix(program.as_str())
        .map(str::trim_start)
        .filter(|rest| *rest != command);
    let Some(arguments) = arguments else {
        return Ok(None);
    };
    let own = put_file_generator(source, description, &program, draft)?;
    Ok(own.map(|own| {
        format!("{own} {} {arguments}", test.from_file)
            .trim_end()
            .to_owned()
    }))
}

fn put_test(
    source: &Source,
    description: &Description,
    position: &Position<'_>,
    places: &Places,
    programs: &GeneratorFiles,
    collected: &mut CollectedTests,
    draft: &mut Draft,
) -> Result<()> {
    let file =
        |pattern: &str| numbered_file(pattern, position.index + 1).filter(|file| source.has(file));
    let mut content = |pattern: &str| {
        let file = file(pattern);
        file.map(|file| collected.files.content(source, &file))
            .transpose()
    };
    let input = content(&position.testset.input)?;
    let answer = content(&position.testset.answer)?;
    let command = match input {
        // The existing file is reliable, while the names of generated files may be arbitrary.
        Some(_) if !position.test.from_file.is_empty() => None,
        _ => command(source, description, position.test, programs, draft)?,
    };
    let is_generated = command.is_some();
    if input.is_none() && !is_generated {
        collected.missing.push(position.name.to_owned());
        return Ok(());
    }
    // Standard packages of Polygon do not contain generated tests; full ones do.
    draft.has_missing_inputs |= input.is_none();
    collected.generated += usize::from(is_generated);
    collected.copied.extend(
        (!is_generated && !position.test.command.is_empty()).then(|| position.name.to_owned()),
    );
    collected.without_answer += usize::from(answer.is_none());
    let rule = match command {
        Some(command) => Rule::Command(command),
        None => Rule::Copy {
            copy: format!("manual/{}", position.name),
        },
    };
    let sample = position.test.is_sample.then(|| "sample".to_owned());
    let secret = places.directories[position.index].clone();
    let mut first: Option<String> = None;
    for directory in sample.into_iter().chain(secret) {
        collected.rules.add(&directory, position.name, rule.clone());
        let place = format!("{directory}/{}", position.name);
        if let Some(input) = &input {
            let linked = |extension: &str, content: &Content| match &first {
                // A test that is a sample and in a group is a single file with a link to it.
                Some(first) => {
                    let up = "../".repeat(directory.split('/').count());
                    Content::Link(format!("{up}{first}.{extension}").into())
                }
                None => content.clone(),
            };
            draft.put_test(
                &place,
                linked("in", input),
                answer.as_ref().map(|answer| linked("ans", answer)),
            );
        }
        if !position.test.description.is_empty() {
            let description = BTreeMap::from([("description", &position.test.description)]);
            draft.put(format!("data/{place}.yaml"), to_text(&description));
        }
        first.get_or_insert(place);
    }
    // The rules copy this test, so its files are also needed in the directory of `generators.yaml`.
    if let (Some(input), false) = (input, is_generated) {
        Rules::copied(position.name, input, answer, draft);
    }
    Ok(())
}

/// Writes `generators.yaml` and the manual tests.
fn write_rules(
    description: &Description,
    programs: GeneratorFiles,
    rules: Rules,
    draft: &mut Draft,
) {
    let is_answered = description.interactor.is_none();
    let solution = draft
        .main_solution()
        .filter(|_| is_answered)
        .map(|id| format!("/submissions/{id}"));
    if is_answered && solution.is_none() {
        let text = format!("no solution has the tag `{MAIN}` to generate answers");
        draft.lost(Part::Answers, text);
    }
    draft.put_rules(DataRules {
        rules,
        programs,
        solution,
    });
}

/// Puts the tests of validators and checkers into the directories that packages have for them.
/// Their line endings are converted only if those of the tests are.
fn put_trials(
    source: &Source,
    description: &Description,
    converts_line_ends: bool,
    draft: &mut Draft,
) -> Result<()> {
    let mut files = converts_line_ends.then(TestFiles::default);
    let mut content = |file: String| match &mut files {
        Some(files) => files.content(source, &file),
        None => Ok(Content::Copy(file.into())),
    };
    if let Some(trial) = &description.validator_tests {
        let count = trial.verdicts.len();
        for (index, verdict) in trial.verdicts.iter().enumerate() {
            let Some(file) = numbered_file(&trial.input, index + 1).filter(|file| source.has(file))
            else {
                continue;
            };
            draft.mark_used(&file);
            // Valid inputs are not needed, since every test case is one.
            if verdict == "invalid" {
                let place = format!("data/invalid_input/{}.in", numbered(index + 1, count));
                draft.put(place, content(file)?);
            }
        }
    }
    if let Some(trial) = description
        .checker
        .as_ref()
        .and_then(|checker| checker.tests.as_ref())
    {
        put_checker_trials(
            source,
            trial,
            description.interactor.is_some(),
            &mut content,
            draft,
        )?;
    }
    files.into_iter().for_each(|files| files.report(draft));
    Ok(())
}

fn put_checker_trials(
    source: &Source,
    trial: &Trial,
    is_interactive: bool,
    content: &mut impl FnMut(String) -> Result<Content>,
    draft: &mut Draft,
) -> Result<()> {
    let count = trial.verdicts.len();
    let mut left_out = 0;
    for (index, verdict) in trial.verdicts.iter().enumerate() {
        let file =
            |pattern: &str| numbered_file(pattern, index + 1).filter(|file| source.has(file));
        let (Some(input), Some(output)) = (file(&trial.input), file(&trial.output)) else {
            continue;
        };
        let answer = file(&trial.answer);
        draft.mark_all_used([&input, &output].into_iter().chain(&answer));
        let directory = match verdict.as_str() {
            // The output validator checks `valid_output` and `invalid_output`. In an interactive
            // problem, it would wait for a submission.
            _ if is_interactive => None,
            "ok" => Some("valid_output"),
            "wrong-answer" | "presentation-error" => Some("invalid_output"),
            _ => None,
        };
        let Some(directory) = directory else {
            left_out += 1;
            continue;
        };
        let place = format!("data/{directory}/{}", numbered(index + 1, count));
        draft.put(format!("{place}.in"), content(input)?);
        draft.put(format!("{place}.out"), content(output)?);
        if let Some(answer) = answer {
            draft.put(format!("{place}.ans"), content(answer)?);
        }
    }
    if left_out > 0 {
        let text = format!(
            "{left_out} tests of the checker: packages have only tests that it accepts or rejects"
        );
        draft.lost(Part::Checker, text);
    }
    Ok(())
}
