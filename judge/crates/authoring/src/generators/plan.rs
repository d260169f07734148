//! The plan: every test case of `generators.yaml`, with its name.
//!
//! Pure. Responsible for numbers, names, seeds and inherited settings. Must not read, run or write
//! anything.
//!
//! Source: BAPCtools, doc/generators.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_model::Constant;
use judge_package::{
    Finding, GeneratedCase, GeneratedDirectory, GeneratedEntry, GeneratedRule, GeneratorSettings,
    Generators, PackageErrors, Position,
};

use crate::files::lock::HAND_WRITTEN;
use crate::generators::command::Command;

/// The plan for a package's `data/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DataPlan {
    /// The test cases, in the order of their numbers.
    pub(crate) cases: Vec<PlannedCase>,
    /// The texts of `test_group.yaml`, by directory below `data/`.
    pub(crate) test_groups: BTreeMap<String, String>,
    /// The included test cases: the id, and the id of the original.
    pub(crate) included: Vec<(String, String)>,
}

/// A test case to be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlannedCase {
    /// The path below `data/`, without extension.
    pub(crate) id: String,
    /// The line of the rule, counted from 1.
    pub(crate) line: Option<u32>,
    /// The rule that creates the test case.
    pub(crate) rule: GeneratedCase,
    /// The call of the generator.
    pub(crate) command: Option<Command>,
    /// The number of seeds that are tried.
    pub(crate) retries: u32,
    /// The program that writes the answer, if any.
    pub(crate) answers: Answers,
    /// The earlier copy that equals this one: then the files are links.
    pub(crate) same_as: Option<String>,
    /// The given files of a test case that is written by hand, by extension without the dot.
    pub(crate) given: BTreeMap<String, PathBuf>,
    /// The current answer. It is kept when a new one is equally good.
    pub(crate) former_answer: Option<PathBuf>,
    /// True when the answer is missing in the package. All accepted solutions must agree on it.
    pub(crate) needs_answer: bool,
}

/// The program that writes the answer of a test case without a given one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answers {
    /// An accepted submission.
    #[default]
    Default,
    /// A program, by its path from the package's root.
    Program(String),
    /// Nothing.
    Nothing,
}

impl PlannedCase {
    /// The first part of the path.
    pub(crate) fn root(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The origin, in a few words.
    pub(crate) fn origin(&self) -> String {
        if !self.given.is_empty() {
            return HAND_WRITTEN.to_owned();
        }
        match (&self.same_as, &self.command, &self.rule.copy) {
            (Some(first), _, _) => format!("same as {first}"),
            (None, Some(command), _) => format!("generate {}", command.to_text()),
            (None, None, Some(path)) => format!("copy {path}"),
            (None, None, None) => "text".to_owned(),
        }
    }
}

/// The settings that a directory passes to its content.
#[derive(Clone, Debug)]
struct Inherited {
    answers: Answers,
    salt: String,
    retries: u32,
}

impl Inherited {
    fn with(&self, settings: &GeneratorSettings) -> Self {
        Self {
            answers: match &settings.solution {
                None => self.answers.clone(),
                Some(None) => Answers::Nothing,
                Some(Some(path)) => Answers::Program(path.trim_start_matches('/').to_owned()),
            },
            salt: settings
                .random_salt
                .clone()
                .unwrap_or_else(|| self.salt.clone()),
            retries: settings.retries.unwrap_or(self.retries),
        }
    }
}

impl DataPlan {
    /// The program that would write the answer of a test case with this id: the one for a test case
    /// in the same directory, or else for the first test case.
    pub(crate) fn answers_at(&self, id: &str) -> Answers {
        let directory = |id: &str| Some(id.rsplit_once('/')?.0.to_owned());
        let beside = self
            .cases
            .iter()
            .find(|case| directory(&case.id) == directory(id));
        let counts = |case: &&PlannedCase| ["sample", "secret"].contains(&case.root());
        let any = beside.or_else(|| self.cases.iter().find(counts));
        any.map_or(Answers::Default, |case| case.answers.clone())
    }

    /// The test cases that are links: copies and included ones, each with the id of its original.
    pub(crate) fn links(&self) -> impl Iterator<Item = (&String, &String)> {
        let copies = self
            .cases
            .iter()
            .filter_map(|case| Some((&case.id, case.same_as.as_ref()?)));
        copies.chain(self.included.iter().map(|(id, original)| (id, original)))
    }
}

impl PlannedCase {
    /// Creates a test case that is written by hand.
    pub(crate) fn by_hand(id: String, given: BTreeMap<String, PathBuf>, answers: Answers) -> Self {
        Self {
            id,
            given,
            answers,
            ..Self::default()
        }
    }
}

/// Plans the test cases of `generators.yaml`.
///
/// # Errors
/// Names that collide, unknown includes, and invalid commands.
pub(crate) fn plan(
    generators: &Generators,
    constants: &[Constant],
) -> Result<DataPlan, PackageErrors> {
    let numbered = count_numbered(&generators.root);
    let mut planner = Planner {
        file: &generators.file,
        constants,
        plan: DataPlan::default(),
        ids: BTreeSet::new(),
        by_key: BTreeMap::new(),
        next_number: 1,
        width: numbered.to_string().len(),
        errors: Vec::new(),
    };
    let top = Inherited {
        answers: Answers::Default,
        salt: String::new(),
        retries: 1,
    };
    planner.directory("", &generators.root, &top);
    PackageErrors::check(planner.errors)?;
    Ok(planner.plan)
}

/// Counts the test cases with numbered names. Numbers continue through the whole file.
fn count_numbered(directory: &GeneratedDirectory) -> usize {
    let cases_in = |entry: &GeneratedEntry| match &entry.rule {
        GeneratedRule::Directory(inner) => count_numbered(inner),
        GeneratedRule::Case(case) if directory.numbered => case.count.as_ref().map_or(1, Vec::len),
        GeneratedRule::Case(_) => 0,
    };
    directory.entries.iter().map(cases_in).sum()
}

struct Planner<'a> {
    file: &'a Path,
    constants: &'a [Constant],
    plan: DataPlan,
    /// The ids in use, including those of included test cases.
    ids: BTreeSet<String>,
    /// The ids of test cases, by the keys of their rules and of the directories around them; `None`
    /// for a key that occurs twice.
    by_key: BTreeMap<String, Option<Vec<String>>>,
    next_number: usize,
    width: usize,
    errors: Vec<Finding>,
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
}

fn numbered_name(number: usize, width: usize, key: &str) -> String {
    if key.is_empty() {
        format!("{number:0width$}")
    } else {
        format!("{number:0width$}-{key}")
    }
}

impl Planner<'_> {
    fn error(&mut self, line: Option<u32>, message: String) {
        let position = line.map(|line| Position { line, column: 1 });
        self.errors
            .push(Finding::invalid(self.file, position, message));
    }

    /// Plans a directory, and returns the ids of all test cases in it.
    fn directory(
        &mut self,
        path: &str,
        directory: &GeneratedDirectory,
        above: &Inherited,
    ) -> Vec<String> {
        let inherited = above.with(&directory.settings);
        if let Some(Some(text)) = &directory.test_group_yaml {
            self.plan.test_groups.insert(path.to_owned(), text.clone());
        }
        // Only earlier rules can be included, so that nothing includes itself.
        let included = self.included(directory);
        let is_directory =
            |entry: &&GeneratedEntry| matches!(entry.rule, GeneratedRule::Directory(_));
        let directories = directory.entries.iter().filter(is_directory).count();
        let width = directories.to_string().len();
        let mut next_directory = 1;
        let mut ids = Vec::new();
        for entry in &directory.entries {
            let inside = match &entry.rule {
                GeneratedRule::Directory(inner) => {
                    let mut name = entry.key.clone();
                    if directory.numbered {
                        name = numbered_name(next_directory, width, &entry.key);
                        next_directory += 1;
                    }
                    self.directory(&join(path, &name), inner, &inherited)
                }
                GeneratedRule::Case(case) => {
                    self.case(path, directory.numbered, entry, case, &inherited)
                }
            };
            // A key that occurs twice is ambiguous for `include`.
            self.by_key
                .entry(entry.key.clone())
                .and_modify(|known| *known = None)
                .or_insert(Some(inside.clone()));
            ids.extend(inside);
        }
        for (target, line) in included {
            let name = target.rsplit('/').next().unwrap_or_default();
            let id = join(path, name);
            // Two keys may include the same test case, one directly and one through its directory.
            if self.plan.included.contains(&(id.clone(), target.clone())) {
                continue;
            }
            if !self.ids.insert(id.clone()) {
                let message = format!("`{target}` cannot be included: `{id}` already exists");
                self.error(line, message);
                continue;
            }
            self.plan.included.push((id, target.clone()));
            ids.push(target);
        }
        ids
    }

    fn included(&mut self, directory: &GeneratedDirectory) -> Vec<(String, Option<u32>)> {
        let mut included = Vec::new();
        for (key, line) in &directory.include {
            match self.by_key.get(key) {
                Some(Some(ids)) => included.extend(ids.iter().map(|id| (id.clone(), *line))),
                Some(None) => {
                    let why =
                        format!("`{key}` is the key of several rules, so it cannot be included");
                    self.error(*line, why);
                }
                None => {
                    let expected = "the key of an earlier test case or directory";
                    self.error(*line, format!("expected {expected}, found `{key}`"));
                }
            }
        }
        included
    }

    /// Plans the copies of a test case, and returns their ids.
    fn case(
        &mut self,
        path: &str,
        numbered: bool,
        entry: &GeneratedEntry,
        case: &GeneratedCase,
        above: &Inherited,
    ) -> Vec<String> {
        let numbers: Vec<Option<i64>> = match &case.count {
            Some(numbers) => numbers.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let padding = case.count.as_deref().map_or(0, padding);
        let inherited = above.with(&case.settings);
        let mut ids: Vec<String> = Vec::new();
        for number in numbers {
            let mut name = entry.key.clone();
            if numbered {
                name = numbered_name(self.next_number, self.width, &entry.key);
                self.next_number += 1;
            }
            if let Some(number) = number {
                name = format!("{name}-{number:0padding$}");
            }
            let id = join(path, &name);
            let command = case
                .generate
                .as_ref()
                .map(|text| Command::read(text, self.constants, number, &inherited.salt));
            let command = match command.transpose() {
                Ok(command) => command,
                Err(message) => {
                    self.error(entry.line, message);
                    // The other copies have the same command, and would report the same error.
                    return ids;
                }
            };
            let varies = command
                .as_ref()
                .is_some_and(|command| command.seed.is_some())
                || case
                    .generate
                    .as_ref()
                    .is_some_and(|text| text.contains("{count}"));
            // Copies of a command that contains neither a seed nor `{count}` are equal. They become
            // links, and the generator runs once.
            let same_as = ids.first().filter(|_| !varies).cloned();
            if !self.ids.insert(id.clone()) {
                self.error(entry.line, format!("`{id}` already exists"));
            }
            let planned = PlannedCase {
                id: id.clone(),
                line: entry.line,
                rule: case.clone(),
                command,
                retries: inherited.retries,
                answers: inherited.answers.clone(),
                same_as,
                ..PlannedCase::default()
            };
            self.check(&planned);
            self.plan.cases.push(planned);
            ids.push(id);
        }
        ids
    }

    fn check(&mut self, case: &PlannedCase) {
        const SAMPLE_EXTENSIONS: [&str; 4] = [
            "in.statement",
            "ans.statement",
            "in.download",
            "ans.download",
        ];
        let texts = case.rule.texts.keys().chain(case.rule.links.keys());
        let mut of_samples = texts.filter(|key| SAMPLE_EXTENSIONS.contains(&key.as_str()));
        if let Some(key) = of_samples.next().filter(|_| case.root() != "sample") {
            let message = format!("`{}`: only samples may have `{key}`", case.id);
            self.error(case.line, message);
        }
    }
}

/// The width to which numbers are padded, including the sign; 0 unless they are consecutive.
fn padding(numbers: &[i64]) -> usize {
    let (Some(min), Some(max)) = (numbers.iter().min(), numbers.iter().max()) else {
        return 0;
    };
    let consecutive = i128::from(*max) - i128::from(*min) == numbers.len() as i128 - 1;
    if consecutive {
        numbers
            .iter()
            .map(|number| number.to_string().len())
            .max()
            .unwrap_or(0)
    } else {
        0
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
