//! The listings of test cases in CMS and task-maker: `gen/GEN`, and task-maker's `gen/cases.gen`,
//! which takes precedence.
//!
//! Responsible for their lines. Must not know how subtasks are converted.
//!
//! Source: task-maker-rust, `ioi/format/italian_yaml` (its documentation, `GEN.pest` and
//! `cases.gen.pest`).

use std::collections::BTreeMap;

use super::{first, pattern};
use crate::import::draft::naming::safe_name;
use crate::import::source::Source;
use crate::import::subtasks::{Kind, Origin, Subtask, Test};
use crate::{InterchangeError, Result};

const GEN: &str = "gen/GEN";
const CASES: &str = "gen/cases.gen";
/// Both listings.
pub(super) const FILES: [&str; 2] = [GEN, CASES];
/// The name of the default generator and validator, and of the only ones of `gen/GEN`.
const DEFAULT: &str = "default";

/// A validator: its file and its arguments, in which names of variables begin with `$`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Validator {
    pub(super) file: String,
    pub(super) args: Vec<String>,
}

/// The test cases of a task, and the programs that generate and check them.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) subtasks: Vec<Subtask>,
    /// The name of the validator of each subtask.
    pub(super) validator_of: Vec<Option<String>>,
    /// The number that task-maker gives the first subtask.
    pub(super) first_number: usize,
    /// The files of generators, by the names that commands use.
    pub(super) generators: BTreeMap<String, String>,
    pub(super) validators: BTreeMap<String, Validator>,
    /// The number of constraints on the arguments of generators.
    pub(super) constraints: usize,
    /// For each subtask, the patterns of the names of its dependencies.
    dependencies: Vec<Vec<String>>,
    tests: usize,
}

impl Listing {
    /// Reads the listing of a source. Without a listing, the result has no subtasks.
    ///
    /// # Errors
    /// If a line of `gen/cases.gen` is invalid for task-maker.
    pub(super) fn read(source: &Source) -> Result<Self> {
        let mut listing = Self::default();
        match FILES.into_iter().rev().find(|file| source.has(file)) {
            Some(CASES) => listing.read_cases(source)?,
            Some(file) => listing.read_gen(source, &source.text(file)?),
            None => listing.add_default_programs(source),
        }
        let names: Vec<String> = listing
            .subtasks
            .iter()
            .map(|subtask| subtask.name.clone())
            .collect();
        for (index, patterns) in listing.dependencies.iter().enumerate() {
            let is_needed = |(at, name): &(usize, &String)| {
                *at != index
                    && patterns
                        .iter()
                        .any(|dependency| pattern::fits(dependency, name))
            };
            listing.subtasks[index].requires = names
                .iter()
                .enumerate()
                .filter(is_needed)
                .map(|(at, _)| at)
                .collect();
        }
        Ok(listing)
    }

    fn begin(&mut self, points: f64, name: String, validator: Option<String>) {
        self.subtasks.push(Subtask {
            points,
            name,
            ..Subtask::default()
        });
        self.dependencies.push(Vec::new());
        self.validator_of.push(validator);
    }

    /// Adds a test case to the last subtask. Files in the directories `input` and `output` take
    /// precedence over the listing.
    fn add(&mut self, source: &Source, test: Test) {
        let test = in_folders(source, self.tests, test);
        // Test cases are numbered across all subtasks, like the files in `input` and `output`.
        self.tests += 1;
        if let Some(subtask) = self.subtasks.last_mut() {
            subtask.tests.push(test);
        }
    }

    /// Adds the programs that are found by their names.
    fn add_default_programs(&mut self, source: &Source) {
        self.first_number = 1;
        let generator = first(source, &["gen/generator", "gen/generatore"]);
        self.generators
            .extend(generator.map(|file| (DEFAULT.to_owned(), file)));
        let validator = first(source, &["gen/validator", "gen/valida", "gen/val"]);
        let args = Vec::new();
        let validator = validator.map(|file| Validator { file, args });
        self.validators
            .extend(validator.map(|validator| (DEFAULT.to_owned(), validator)));
    }

    fn default_validator(&self) -> Option<String> {
        self.validators.keys().next().cloned()
    }

    fn read_gen(&mut self, source: &Source, text: &str) {
        self.add_default_programs(source);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let after = |word: &str| {
                line.strip_prefix('#')
                    .map(str::trim_start)?
                    .strip_prefix(word)
                    .map(|rest| rest.trim().to_owned())
            };
            if let Some(points) = after("ST:") {
                let points = points
                    .split_whitespace()
                    .next()
                    .map_or(0.0, |points| points.parse().unwrap_or(f64::NAN));
                self.begin(points, String::new(), self.default_validator());
            } else if let (Some(name), Some(subtask)) = (after("STNAME:"), self.subtasks.last_mut())
            {
                subtask.name = name;
            } else if let (Some(names), Some(dependencies)) =
                (after("STDEP:"), self.dependencies.last_mut())
            {
                dependencies.extend(names.split_whitespace().map(str::to_owned));
            } else {
                let test = match after("COPY:") {
                    Some(file) => Test::from_files(file, None),
                    None if line.starts_with('#') => continue,
                    None => Test::from_command(format!(
                        "{DEFAULT} {}",
                        line.split(" #").next().unwrap_or_default().trim()
                    )),
                };
                // A list without subtasks gives points for each test case, 100 in all, and not only
                // for solving all of them.
                if self.subtasks.is_empty() {
                    self.begin(100.0, String::new(), self.default_validator());
                    self.subtasks[0].kind = Kind::Sum;
                }
                self.add(source, test);
            }
        }
    }

    fn read_cases(&mut self, source: &Source) -> Result<()> {
        let (mut generator, mut current) = (None, None);
        let mut validator = None;
        for (line, number) in source.text(CASES)?.lines().zip(1..) {
            let malformed =
                |why: String| InterchangeError::malformed(format!("{CASES}:{number}"), why);
            // A comment extends to the end of the line, also after a command.
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let command = line.strip_prefix(':').map(str::trim_start);
            let (word, rest) = match command {
                Some(command) => command
                    .split_once(char::is_whitespace)
                    .unwrap_or((command, "")),
                None => ("", line),
            };
            let rest = rest.trim();
            let words: Vec<&str> = rest.split_whitespace().collect();
            if self.subtasks.is_empty() && matches!(word, "" | "RUN" | "COPY" | "STDEP") {
                return Err(malformed(
                    "expected `: SUBTASK POINTS` before any test case".to_owned(),
                ));
            }
            match (word, &words[..]) {
                ("GEN" | "VAL", [name, file, ..]) if !source.has(file) => {
                    return Err(malformed(format!(
                        "expected the file of `{name}`, found no `{file}`"
                    )));
                }
                ("GEN", [name, file, ..]) => {
                    self.generators.insert(safe_name(name), (*file).to_owned());
                    choose(&mut generator, name);
                }
                ("VAL", [name, file, args @ ..]) => {
                    let found = Validator {
                        file: (*file).to_owned(),
                        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                    };
                    self.validators.insert((*name).to_owned(), found);
                    choose(&mut validator, name);
                }
                ("GEN", [name]) => current = Some((*name).to_owned()),
                ("VAL", [name]) => {
                    if let Some(entry) = self.validator_of.last_mut() {
                        *entry = Some((*name).to_owned());
                    }
                }
                ("CONSTRAINT", _) => self.constraints += 1,
                ("SUBTASK", [points, name @ ..]) => {
                    // Each subtask begins with the default generator, regardless of the previous
                    // subtask.
                    current.clone_from(&generator);
                    self.begin(
                        points.parse().unwrap_or(f64::NAN),
                        name.concat(),
                        validator.clone(),
                    );
                }
                ("STDEP", names) => {
                    if let Some(entry) = self.dependencies.last_mut() {
                        entry.extend(names.iter().map(|name| (*name).to_owned()));
                    }
                }
                ("COPY", [_, ..]) => self.add(source, Test::from_files(rest, None)),
                ("RUN", [name, ..]) => {
                    let test = self
                        .generated(name, rest[name.len()..].trim())
                        .map_err(malformed)?;
                    self.add(source, test);
                }
                ("", _) => {
                    let test = self
                        .generated(current.as_deref().unwrap_or(DEFAULT), rest)
                        .map_err(malformed)?;
                    self.add(source, test);
                }
                _ => {
                    return Err(malformed(format!(
                        "expected a command of task-maker, found `{word}`"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the test case of a generator command.
    fn generated(&self, generator: &str, args: &str) -> Result<Test, String> {
        let name = safe_name(generator);
        if !self.generators.contains_key(&name) {
            return Err(format!(
                "expected the name of a generator, found `{generator}`"
            ));
        }
        Ok(Test::from_command(format!("{name} {args}")))
    }
}

/// Selects the default: the first one, or the one with the name `default`.
fn choose(used: &mut Option<String>, name: &str) {
    if used.is_none() || name == DEFAULT {
        *used = Some(name.to_owned());
    }
}

/// Returns a test case with the existing files in the directories `input` and `output`, if any.
pub(super) fn in_folders(source: &Source, number: usize, otherwise: Test) -> Test {
    let (input, output) = (
        format!("input/input{number}.txt"),
        format!("output/output{number}.txt"),
    );
    let answer = source.has(&output).then_some(Origin::File(output));
    let input = match source.has(&input) {
        true => Origin::File(input),
        false => otherwise.input,
    };
    Test {
        input,
        answer,
        points: None,
    }
}
