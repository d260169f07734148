//! Test data of online judges: DMOJ, Hydro, SYZOJ and UOJ.
//!
//! Responsible for what they have in common: test cases in subtasks that are worth points, a checker, an interactor. Must not
//! know how any of them writes it down.

mod dmoj;
mod hydro;
mod programs;
mod settings;
mod syzoj;
mod uoj;

use judge_event::{Fate, Part};

use crate::InterchangeError;
use crate::examples::pairing::{natural, pairs};
use crate::import::data::TestFiles;
use crate::import::draft::{Aggregation, Draft, Group, numbered};
use crate::import::source::Source;

pub(super) use dmoj::{archive, convert as convert_dmoj};
pub(super) use hydro::{convert as convert_hydro, is_hydro};
pub(super) use syzoj::convert as convert_syzoj;
pub(super) use uoj::convert as convert_uoj;

/// How a subtask makes its points of those of its test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// All of them, or none.
    Whole,
    /// The sum of what each test case is worth.
    Sum,
}

/// A test case by its files in the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Test {
    pub(super) input: String,
    pub(super) answer: Option<String>,
    /// Its own points, where it has some.
    pub(super) points: Option<f64>,
}

/// Test cases that are worth points together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subtask {
    pub(super) points: f64,
    pub(super) kind: Kind,
    /// Indices of the subtasks that must be solved before.
    pub(super) requires: Vec<usize>,
    pub(super) tests: Vec<Test>,
}

/// The test cases of a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tests {
    pub(super) samples: Vec<Test>,
    /// In order; each test case by itself where there are no subtasks.
    pub(super) subtasks: Vec<Subtask>,
    /// True when points decide, and not only acceptance.
    pub(super) is_scoring: bool,
}

impl Tests {
    /// Test cases without subtasks, which share 100 points where they are worth any.
    pub(super) fn each(tests: Vec<Test>, is_scoring: bool) -> Self {
        let alone = |test: Test| Subtask {
            points: test.points.unwrap_or(0.0),
            kind: Kind::Whole,
            requires: Vec::new(),
            tests: vec![test],
        };
        Self { samples: Vec::new(), subtasks: tests.into_iter().map(alone).collect(), is_scoring }
    }
}

/// The test cases of files whose names belong together, as all of these judges find them when nothing says which they are.
pub(super) fn by_names(source: &Source, below: &str) -> Result<Vec<Test>, InterchangeError> {
    let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
    let names: Vec<String> = source
        .files()
        .filter_map(|file| file.to_str()?.strip_prefix(prefix.as_str()))
        .filter(|name| !name.ends_with(".yaml") && !name.ends_with(".yml"))
        .map(str::to_owned)
        .collect();
    let found = pairs(&names).map_err(|error| InterchangeError::Malformed {
        place: source.named().display().to_string(),
        why: error.to_string(),
    })?;
    let of = |name: &str| format!("{prefix}{name}");
    let mut tests: Vec<(String, Test)> = Vec::new();
    for pair in &found.pairs {
        let test = Test { input: of(&pair.input), answer: Some(of(&pair.output)), points: None };
        tests.push((pair.key.clone(), test));
    }
    for (key, input) in &found.unanswered {
        tests.push((key.clone(), Test { input: of(input), answer: None, points: None }));
    }
    tests.sort_by(|one, other| natural(&one.0, &other.0));
    Ok(tests.into_iter().map(|(_, test)| test).collect())
}

/// Puts test cases into the package, in groups where points need them.
pub(super) fn put(source: &Source, mut tests: Tests, draft: &mut Draft) -> Result<(), InterchangeError> {
    tests.subtasks.iter_mut().for_each(|subtask| subtask.tests.retain(|test| is_there(source, test, draft)));
    tests.samples.retain(|test| is_there(source, test, draft));
    let mut files = TestFiles::default();
    put_tests(source, "sample", &tests.samples, &mut files, draft)?;
    if tests.is_scoring {
        draft.metadata.scoring = true;
        put_groups(source, &tests.subtasks, &mut files, draft)?;
    } else {
        let all: Vec<Test> = tests.subtasks.iter().flat_map(|subtask| subtask.tests.clone()).collect();
        put_tests(source, "secret", &all, &mut files, draft)?;
    }
    files.tell(draft);
    let count = draft.inputs();
    draft.say(Fate::Carried, Part::Tests, format!("{count} test {}", if count == 1 { "case" } else { "cases" }));
    Ok(())
}

fn is_there(source: &Source, test: &Test, draft: &mut Draft) -> bool {
    let has = source.has(&test.input);
    if !has {
        draft.say(Fate::Lost, Part::Tests, format!("`{}` is not there", test.input));
    }
    has
}

fn put_tests(
    source: &Source,
    directory: &str,
    tests: &[Test],
    files: &mut TestFiles,
    draft: &mut Draft,
) -> Result<(), InterchangeError> {
    for (index, test) in tests.iter().enumerate() {
        let answer = test.answer.as_ref().filter(|answer| source.has(answer));
        if answer.is_none() {
            let text = format!("`{}` has no answer until a solution gives it", test.input);
            draft.say_at(Fate::Lost, Part::Answers, text, &test.input);
        }
        let answer = answer.map(|answer| files.content(source, answer)).transpose()?;
        let place = format!("{directory}/{}", numbered(index + 1, tests.len()));
        draft.put_test(&place, files.content(source, &test.input)?, answer);
    }
    Ok(())
}

fn put_groups(
    source: &Source,
    subtasks: &[Subtask],
    files: &mut TestFiles,
    draft: &mut Draft,
) -> Result<(), InterchangeError> {
    let factor = factor(subtasks, draft);
    let whole = |points: f64| scaled(points, factor);
    let alone = subtasks.iter().all(|subtask| subtask.tests.len() == 1 && subtask.requires.is_empty());
    let is_even = subtasks.windows(2).all(|pair| whole(pair[0].points) == whole(pair[1].points));
    if alone && is_even {
        let all: Vec<Test> = subtasks.iter().flat_map(|subtask| subtask.tests.clone()).collect();
        let most = subtasks.iter().map(|subtask| whole(subtask.points)).sum();
        let group = Group { max_score: Some(most), score_aggregation: Some(Aggregation::Sum), ..Group::default() };
        draft.put_group("secret", group);
        return put_tests(source, "secret", &all, files, draft);
    }
    let mut most = 0;
    for (index, subtask) in subtasks.iter().enumerate() {
        let directory = format!("secret/{}", numbered(index + 1, subtasks.len()));
        if subtask.tests.is_empty() {
            draft.say(Fate::Lost, Part::Groups, format!("subtask {} has no test cases", index + 1));
            continue;
        }
        let is_sum = subtask.kind == Kind::Sum && subtask.tests.len() > 1;
        let mut require_pass = Vec::new();
        for &required in &subtask.requires {
            let is_whole = subtasks.get(required).is_some_and(|of| of.kind == Kind::Whole || of.tests.len() == 1);
            if required < index && is_whole && !is_sum {
                require_pass.push(format!("secret/{}", numbered(required + 1, subtasks.len())));
            } else {
                let text = format!("subtask {} needs subtask {}: groups that add up cannot", index + 1, required + 1);
                draft.say(Fate::Lost, Part::Groups, text);
            }
        }
        let aggregation = if is_sum { Aggregation::Sum } else { Aggregation::PassFail };
        let max_score = whole(subtask.points);
        most += max_score;
        let of = Group {
            max_score: Some(max_score),
            score_aggregation: Some(aggregation),
            require_pass,
            ..Group::default()
        };
        draft.put_group(&directory, of);
        put_tests(source, &directory, &subtask.tests, files, draft)?;
    }
    draft.put_group("secret", Group { max_score: Some(most), ..Group::default() });
    let count = subtasks.len();
    draft.say(Fate::Carried, Part::Groups, format!("{count} groups, {most} points in all"));
    Ok(())
}

/// The number by which all points are multiplied so that they become integers, those of a sum divisible among its tests.
fn factor(subtasks: &[Subtask], draft: &mut Draft) -> f64 {
    let is_whole = |points: f64| (points - points.round()).abs() < 1e-6;
    let fits = |factor: &f64| subtasks.iter().all(|subtask| is_whole(subtask.points * factor));
    let factor = (1..=1000).map(f64::from).find(fits).unwrap_or(1000.0);
    if factor > 1.0 {
        let text = format!("points are multiplied by {factor}, since those of packages are integers");
        draft.say(Fate::Changed, Part::Groups, text);
    }
    factor
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is bounded")]
fn scaled(points: f64, factor: f64) -> u64 {
    (points * factor).round().clamp(0.0, 1e15) as u64
}
