//! Test cases in subtasks with points, as in the formats of most other judges.
//!
//! Responsible for converting them to groups and data. Must not know their notation in a format.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_event::Part;
use judge_model::natural;

use crate::examples::pairing::{Pairs, pairs};
use crate::import::data::TestFiles;
use crate::import::draft::Draft;
use crate::import::draft::naming::{counted, listed, numbered, plural, safe_name};
use crate::import::draft::parts::{Aggregation, Content, Group, InputArgs};
use crate::import::limits::{bounded, integer_factor, scaled};
use crate::import::rules::{DataRules, GeneratorFiles, Rule, Rules};
use crate::import::source::Source;
use crate::{InterchangeError, Result};

/// The rule that determines the points of a subtask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All points or none.
    #[default]
    Whole,
    /// The sum of the points of its test cases.
    Sum,
}

/// The origin of an input or an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// A file of the source.
    File(String),
    /// A command that generates it: a generator of the package and its arguments.
    Command(String),
    /// The file is empty.
    Empty,
}

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Test {
    pub(crate) input: Origin,
    /// The origin of the answer. `None` if a solution has to generate it.
    pub(crate) answer: Option<Origin>,
    /// Its own points, if any.
    pub(crate) points: Option<f64>,
}

impl Test {
    /// Creates a test case from its files.
    pub(crate) fn from_files(input: impl Into<String>, answer: Option<String>) -> Self {
        Self {
            input: Origin::File(input.into()),
            answer: answer.map(Origin::File),
            points: None,
        }
    }

    /// Creates a test case that a command generates.
    pub(crate) fn from_command(command: impl Into<String>) -> Self {
        Self {
            input: Origin::Command(command.into()),
            answer: None,
            points: None,
        }
    }
}

/// Test cases that share points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Subtask {
    /// The name that expectations and dependencies of the source use; may be empty.
    pub(crate) name: String,
    pub(crate) points: f64,
    pub(crate) kind: Kind,
    /// Indices of the subtasks that must be solved first.
    pub(crate) requires: Vec<usize>,
    /// The arguments of input validators for its test cases.
    pub(crate) input_validator_args: InputArgs,
    pub(crate) tests: Vec<Test>,
}

/// The test cases of a problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tests {
    /// The name of the samples as a subtask of the source; may be empty.
    pub(crate) sample_name: String,
    pub(crate) samples: Vec<Test>,
    /// The arguments of input validators for the samples.
    pub(crate) sample_args: InputArgs,
    /// In order. Without subtasks, each test case is a subtask.
    pub(crate) subtasks: Vec<Subtask>,
    /// True if the problem has points.
    pub(crate) is_scoring: bool,
    /// The files of each generator, by the names that commands use.
    pub(crate) generators: GeneratorFiles,
    /// Files whose contents are added before and after each input that is a file.
    pub(crate) surrounding_files: [Option<String>; 2],
}

impl Tests {
    /// Creates test cases without subtasks.
    pub(crate) fn without_subtasks(tests: Vec<Test>, is_scoring: bool) -> Self {
        let alone = |test: Test| Subtask {
            points: test.points.unwrap_or(0.0),
            tests: vec![test],
            ..Subtask::default()
        };
        Self {
            subtasks: tests.into_iter().map(alone).collect(),
            is_scoring,
            ..Self::default()
        }
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Vec<Test>> {
        self.subtasks
            .iter_mut()
            .map(|subtask| &mut subtask.tests)
            .chain(std::iter::once(&mut self.samples))
    }
}

/// Finds test cases by matching file names, as judges do without a list of test cases.
pub(crate) fn by_names(source: &Source, directory: &str) -> Result<Vec<Test>> {
    let prefix = if directory.is_empty() {
        String::new()
    } else {
        format!("{directory}/")
    };
    let names: Vec<String> = source
        .files()
        .filter_map(|file| file.to_str()?.strip_prefix(prefix.as_str()))
        .filter(|name| !name.ends_with(".yaml") && !name.ends_with(".yml"))
        .map(str::to_owned)
        .collect();
    let found = paired(source, &names)?;
    let path = |name: &str| format!("{prefix}{name}");
    let answered = found.pairs.iter().map(|pair| {
        (
            &pair.key,
            Test::from_files(path(&pair.input), Some(path(&pair.output))),
        )
    });
    let unanswered = found
        .unanswered
        .iter()
        .map(|(key, input)| (key, Test::from_files(path(input), None)));
    let mut tests: Vec<(&String, Test)> = answered.chain(unanswered).collect();
    tests.sort_by(|one, other| natural(one.0, other.0));
    Ok(tests.into_iter().map(|(_, test)| test).collect())
}

/// Pairs inputs with their outputs by their names.
///
/// # Errors
/// If two files could be the same part of a test case.
pub(crate) fn paired(source: &Source, names: &[String]) -> Result<Pairs> {
    let place = || source.named().display().to_string();
    pairs(names).map_err(|error| InterchangeError::malformed(place(), error.to_string()))
}

/// Puts test cases into the package, in groups if points require them.
pub(crate) fn put(source: &Source, mut tests: Tests, draft: &mut Draft) -> Result<()> {
    let mut missing = Vec::new();
    tests
        .all_mut()
        .for_each(|list| list.retain(|test| input_exists(source, test, &mut missing)));
    if !missing.is_empty() {
        let are = plural(missing.len(), "is", "are");
        draft.lost(Part::Tests, format!("{} {are} missing", listed(&missing)));
    }
    // Points are bounded before they are multiplied and added up.
    bound_points(&mut tests, draft);
    // A group can only require groups before it (2025-09, "Group Dependencies").
    sort_by_dependency(&mut tests.subtasks);
    let has_solution = draft.main_solution().is_some();
    let answer_exists =
        |answer: &Origin| !matches!(answer, Origin::File(file) if !source.has(file));
    let needs_answer = |test: &Test| !test.answer.as_ref().is_some_and(answer_exists);
    let is_generated = tests
        .all_mut()
        .flatten()
        .any(|test| matches!(test.input, Origin::Command(_)) || has_solution && needs_answer(test));
    let is_answered = is_generated && has_solution;
    let mut data = Data {
        source,
        is_answered,
        surrounding_files: tests.surrounding_files.clone(),
        files: TestFiles::default(),
        rules: Rules::default(),
        unanswered: Vec::new(),
    };
    data.put("sample", &tests.samples, draft)?;
    let mut groups = BTreeMap::new();
    let mut directories = BTreeMap::from([(tests.sample_name.clone(), vec!["sample".to_owned()])]);
    let mut factor = 1.0;
    if tests.is_scoring {
        draft.metadata.scoring = true;
        let subtasks = tests.subtasks.iter();
        let points: Vec<f64> = subtasks.map(|subtask| subtask.points).collect();
        factor = integer_factor(&points, draft);
        put_groups(
            &tests.subtasks,
            factor,
            &mut data,
            (&mut groups, &mut directories),
            draft,
        )?;
    } else {
        data.put("secret", &all_tests(&tests.subtasks), draft)?;
        let names = tests
            .subtasks
            .iter()
            .map(|subtask| (subtask.name.clone(), vec!["secret".to_owned()]));
        directories.extend(names);
    }
    let Data {
        files,
        rules,
        unanswered,
        ..
    } = data;
    files.report(draft);
    report_tests(
        tests.all_mut().map(|list| list.len()).sum(),
        &unanswered,
        draft,
    );
    // The directories of the groups that expectations name are known only now.
    draft.place_groups(&directories, factor);
    if !tests.sample_args.is_empty() {
        let group = Group {
            input_validator_args: std::mem::take(&mut tests.sample_args),
            ..Group::default()
        };
        groups.insert("sample".to_owned(), group);
    }
    for (directory, group) in groups {
        draft.put_group(&directory, group);
    }
    if is_generated {
        let is_answered = !draft.metadata.interactive;
        let solution = draft.main_solution().filter(|_| is_answered);
        let solution = solution.map(|id| format!("/submissions/{id}"));
        draft.put_rules(DataRules {
            rules,
            programs: tests.generators,
            solution,
        });
        draft.changed(
            Part::Answers,
            "`judge generate` creates the data, and the main solution the answers",
        );
    }
    Ok(())
}

/// Reports the number of test cases, and those without an answer.
fn report_tests(count: usize, unanswered: &[String], draft: &mut Draft) {
    if let Some(first) = unanswered.first() {
        let have = plural(unanswered.len(), "has", "have");
        let text = format!(
            "{} {have} no answer until a solution generates it",
            listed(unanswered)
        );
        draft.lost_at(Part::Answers, first, text);
    }
    draft.carried(Part::Tests, counted(count, "test case"));
}

/// Returns the test cases of all subtasks.
fn all_tests(subtasks: &[Subtask]) -> Vec<Test> {
    let tests = subtasks.iter().map(|subtask| &subtask.tests[..]);
    tests.collect::<Vec<_>>().concat()
}

/// Bounds the points of subtasks.
fn bound_points(tests: &mut Tests, draft: &mut Draft) {
    let numbered = tests.subtasks.iter_mut().zip(1..);
    let of_subtasks = numbered.map(|(subtask, number)| {
        let name = if subtask.name.is_empty() {
            format!("subtask {number}")
        } else {
            subtask.name.clone()
        };
        (name, &mut subtask.points)
    });
    bounded(of_subtasks, draft);
}

/// True if the input of a test exists or will be generated. Missing inputs are added to `missing`.
fn input_exists(source: &Source, test: &Test, missing: &mut Vec<String>) -> bool {
    match &test.input {
        Origin::File(file) if !source.has(file) => {
            missing.push(file.clone());
            false
        }
        _ => true,
    }
}

/// Moves subtasks after those that they depend on, and otherwise keeps their order. Subtasks that
/// depend on each other are not moved.
fn sort_by_dependency(subtasks: &mut Vec<Subtask>) {
    let mut order: Vec<usize> = Vec::with_capacity(subtasks.len());
    let mut is_placed = vec![false; subtasks.len()];
    while order.len() < subtasks.len() {
        let is_unplaced = |index: &usize| !is_placed[*index];
        let is_next = |index: &usize| {
            let requires = &subtasks[*index].requires;
            requires
                .iter()
                .all(|required| *required >= subtasks.len() || is_placed[*required])
        };
        let mut unplaced = (0..subtasks.len()).filter(is_unplaced);
        // A cycle has no first subtask. The first remaining one is taken, so that the loop ends.
        let Some(next) = unplaced.clone().find(is_next).or_else(|| unplaced.next()) else {
            break;
        };
        is_placed[next] = true;
        order.push(next);
    }
    let mut places: Vec<usize> = (0..subtasks.len()).collect();
    for (place, index) in order.iter().enumerate() {
        places[*index] = place;
    }
    let place = |index: usize| places.get(index).copied().unwrap_or(index);
    // Requirements are indices, which are mapped to the new places.
    let sorted = order.iter().map(|index| {
        let mut subtask = subtasks[*index].clone();
        for required in &mut subtask.requires {
            *required = place(*required);
        }
        subtask
    });
    *subtasks = sorted.collect();
}

/// The data that is put into the package.
struct Data<'s> {
    source: &'s Source,
    /// True if a solution will generate missing answers.
    is_answered: bool,
    surrounding_files: [Option<String>; 2],
    files: TestFiles,
    rules: Rules,
    /// Inputs that get no answer.
    unanswered: Vec<String>,
}

impl Data<'_> {
    fn content(&mut self, origin: &Origin) -> Result<Option<Content>> {
        match origin {
            Origin::File(file) => self.files.content(self.source, file).map(Some),
            Origin::Empty => Ok(Some(Content::from(String::new()))),
            Origin::Command(_) => Ok(None),
        }
    }

    /// Adds the files before and after an input.
    fn surrounded(&self, input: Content) -> Result<Content> {
        let [before, after] = self
            .surrounding_files
            .each_ref()
            .map(|file| file.as_ref().map(PathBuf::from));
        let is_alone = before.is_none() && after.is_none();
        let Some(file) = input.copied().filter(|_| !is_alone) else {
            return Ok(input);
        };
        let mut bytes = Vec::new();
        for file in before
            .iter()
            .map(PathBuf::as_path)
            .chain([file])
            .chain(after.as_deref())
        {
            bytes.extend(self.source.bytes(file)?);
        }
        // Line ends are converted as in a file that is copied without others.
        let is_kept = |at: usize| bytes[at] != b'\r' || bytes.get(at + 1) != Some(&b'\n');
        Ok(Content::Bytes(
            (0..bytes.len())
                .filter(|at| is_kept(*at))
                .map(|at| bytes[at])
                .collect(),
        ))
    }

    fn put(&mut self, directory: &str, tests: &[Test], draft: &mut Draft) -> Result<()> {
        for (index, test) in tests.iter().enumerate() {
            let name = numbered(index + 1, tests.len());
            let answer_exists =
                |origin: &&Origin| !matches!(origin, Origin::File(file) if !self.source.has(file));
            let answer = test.answer.as_ref().filter(answer_exists);
            let answer = answer
                .map(|answer| self.content(answer))
                .transpose()?
                .flatten();
            let Some(input) = self.content(&test.input)? else {
                // A command generates the input later, and then the answer.
                draft.has_missing_inputs = true;
                if let Origin::Command(command) = &test.input {
                    self.rules
                        .add(directory, &name, Rule::Command(command.clone()));
                }
                continue;
            };
            if let Origin::File(file) = &test.input {
                draft.mark_used(file);
            }
            let input = self.surrounded(input)?;
            if let (None, Origin::File(file), false) = (&answer, &test.input, self.is_answered) {
                self.unanswered.push(file.clone());
            }
            let kept = format!("{}-{name}", directory.replace('/', "-"));
            let rule = Rules::copied(&kept, input.clone(), answer.clone(), draft);
            self.rules.add(directory, &name, rule);
            draft.put_test(&format!("{directory}/{name}"), input, answer);
        }
        Ok(())
    }
}

/// Groups by their directories below `data`, and the directories of subtasks by their names.
type GroupTables<'p> = (
    &'p mut BTreeMap<String, Group>,
    &'p mut BTreeMap<String, Vec<String>>,
);

fn put_groups(
    subtasks: &[Subtask],
    factor: f64,
    data: &mut Data<'_>,
    (groups, directories): GroupTables<'_>,
    draft: &mut Draft,
) -> Result<()> {
    let whole = |points: f64| scaled(points, factor);
    let is_alone = |subtask: &Subtask| {
        subtask.tests.len() == 1 && subtask.requires.is_empty() && subtask.name.is_empty()
    };
    let alone = subtasks
        .iter()
        .all(|subtask| is_alone(subtask) && subtask.input_validator_args.is_empty());
    let is_even = subtasks
        .windows(2)
        .all(|pair| whole(pair[0].points) == whole(pair[1].points));
    // Test cases with equal points need no groups: `secret` adds them up.
    if alone && is_even {
        let total = subtasks.iter().map(|subtask| whole(subtask.points)).sum();
        let group = Group {
            score_aggregation: Some(Aggregation::Sum),
            ..Group::with_points(total)
        };
        groups.insert("secret".to_owned(), group);
        return data.put("secret", &all_tests(subtasks), draft);
    }
    let mut total = 0;
    let is_empty = |(_, subtask): &(usize, &Subtask)| subtask.tests.is_empty();
    let empty: Vec<String> = subtasks
        .iter()
        .enumerate()
        .filter(is_empty)
        .map(|(index, _)| (index + 1).to_string())
        .collect();
    if !empty.is_empty() {
        let what = plural(empty.len(), "subtask", "subtasks");
        let have = plural(empty.len(), "has", "have");
        draft.lost(
            Part::Groups,
            format!("{what} {} {have} no test cases", listed(&empty)),
        );
    }
    for (index, subtask) in subtasks.iter().enumerate().filter(|entry| !is_empty(entry)) {
        let directory = directory(index, subtasks);
        let require_pass = required(index, subtasks, draft);
        let max_score = whole(subtask.points);
        total += max_score;
        let group = Group {
            score_aggregation: Some(aggregation(index, subtasks)),
            require_pass,
            input_validator_args: subtask.input_validator_args.clone(),
            ..Group::with_points(max_score)
        };
        groups.insert(directory.clone(), group);
        directories
            .entry(subtask.name.clone())
            .or_default()
            .push(directory.clone());
        data.put(&directory, &subtask.tests, draft)?;
    }
    groups.insert("secret".to_owned(), Group::with_points(total));
    let count = counted(subtasks.len(), "group");
    draft.carried(Part::Groups, format!("{count}, {total} points in all"));
    Ok(())
}

/// Returns the directory of a subtask: its number, and its name unless that is a number.
fn directory(index: usize, subtasks: &[Subtask]) -> String {
    let number = numbered(index + 1, subtasks.len());
    let name = &subtasks[index].name;
    let is_said = name.is_empty() || name.parse::<u64>().is_ok();
    if is_said {
        format!("secret/{number}")
    } else {
        format!("secret/{number}_{}", safe_name(name))
    }
}

/// Returns the score aggregation of a subtask's group.
fn aggregation(index: usize, subtasks: &[Subtask]) -> Aggregation {
    match subtasks[index].kind {
        Kind::Sum if subtasks[index].tests.len() > 1 => Aggregation::Sum,
        Kind::Sum | Kind::Whole => Aggregation::PassFail,
    }
}

/// Returns the groups that a subtask requires. Only groups that are all or nothing can require or
/// be required (2025-09, "Test Groups", `require_pass`).
fn required(index: usize, subtasks: &[Subtask], draft: &mut Draft) -> Vec<String> {
    let mut require_pass = Vec::new();
    for &required in &subtasks[index].requires {
        let is_whole = |other: usize| {
            other < subtasks.len() && aggregation(other, subtasks) == Aggregation::PassFail
        };
        if required < index
            && is_whole(required)
            && aggregation(index, subtasks) != Aggregation::Sum
        {
            require_pass.push(directory(required, subtasks));
        } else {
            let text = format!(
                "subtask {} requires subtask {}: only groups that are all or nothing can require or be required",
                index + 1,
                required + 1
            );
            draft.lost(Part::Groups, text);
        }
    }
    require_pass
}
