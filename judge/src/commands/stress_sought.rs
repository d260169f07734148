//! What `judge stress` is to look for: the submissions, the finder, the reference, and what inputs are made of.
//!
//! Responsible for what the words of the command line mean for a package. Must not run anything.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use judge_authoring::Project;
use judge_model::{Problem, Program, Submission, TestCase, Verdict};
use judge_package::{InputValidatorArgs, LoadedPackage, program_at, shell_words};
use judge_strengthening::{Call, Finder, Origin, Template, learn, read_template};

use crate::args::{InputSource, StressArgs};
use crate::commands::entrants::{entered, load_package, with_names_of_their_own};
use crate::commands::submit::named;
use crate::config::Config;
use crate::failure::Failure;

/// What is looked for in a package.
pub(crate) struct Sought {
    /// The package; its submissions are the [candidates](Self::is_of_package).
    pub(crate) loaded: LoadedPackage,
    /// How many of the submissions were named on the command line; they come first.
    pub(crate) entrants: usize,
    pub(crate) finder: Finder,
    /// The finder as it was typed, or in words.
    pub(crate) told: String,
    pub(crate) reference: usize,
    /// The problem with all of its own submissions, which a time limit that it leaves open comes from.
    pub(crate) whole: Arc<Problem>,
    /// Submissions of the package by their index among the candidates.
    of_package: BTreeSet<usize>,
}

/// What inputs are made of.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) generators: Vec<Program>,
    /// Their names, as commands have them.
    pub(crate) names: Vec<String>,
    pub(crate) templates: Vec<Template>,
    pub(crate) change_test_cases: bool,
}

impl Sought {
    pub(crate) fn read(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        let (mut loaded, entrants) = match (args.submissions.as_slice(), &args.problem) {
            ([], Some(problem)) => (load_package(config, &named(config, problem)?)?, Vec::new()),
            ([], None) => (load_package(config, &named(config, ".")?)?, Vec::new()),
            (words, problem) => entered(config, problem.as_deref(), words)?,
        };
        if loaded.problem.submit_answer {
            let why =
                "the submissions of this problem are answers, not programs: there is nothing to run on other inputs";
            return Err(Failure::Usage(why.to_owned()));
        }
        let whole = Arc::new(loaded.problem.clone());
        let own = std::mem::take(&mut loaded.problem.submissions);
        let is_own = |submission: &Submission| own.iter().any(|of| of.path == submission.path);
        let accepted: BTreeSet<&str> = own.iter().filter(|of| must_be_accepted(of)).map(|of| of.id.as_str()).collect();
        let mut of_package: BTreeSet<usize> =
            entrants.iter().enumerate().filter(|(_, of)| is_own(of)).map(|(index, _)| index).collect();
        let entrants = with_names_of_their_own(entrants);
        let count = entrants.len();
        let mut candidates = entrants;
        for submission in &own {
            if !candidates.iter().any(|known| known.path == submission.path) {
                of_package.insert(candidates.len());
                candidates.push(submission.clone());
            }
        }
        let mut find = |name: &str| find(&candidates, name);
        let finder = match &args.find {
            Some(text) => {
                Finder::read(text, &mut find).map_err(|why| Failure::Usage(format!("in the finder: {why}")))?
            }
            None if count == 1 => Finder::fails(0),
            None => Finder::disagree(&(0..count).collect::<Vec<_>>())
                .ok_or_else(|| Failure::Usage("expected at least one submission, or a finder (`--find`)".to_owned()))?,
        };
        let reference = match &args.reference {
            Some(name) => find(name).map_err(Failure::Usage)?,
            None => reference(config, &loaded.problem, &candidates, &accepted, count)?,
        };
        let told = args.find.clone().unwrap_or_else(|| match candidates.as_slice() {
            [only, ..] if count == 1 => format!("an input that `{}` fails", only.id),
            _ => "an input on which verdicts differ".to_owned(),
        });
        loaded.problem.submissions = candidates;
        with_a_test_case(&mut loaded);
        Ok(Self { loaded, entrants: count, finder, told, reference, whole, of_package })
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.loaded.problem
    }

    /// The submissions that must be ready.
    pub(crate) fn needed(&self) -> BTreeSet<usize> {
        let mut needed = self.finder.submissions();
        needed.insert(self.reference);
        needed
    }

    /// Whether a submission lies in the package.
    pub(crate) fn is_of_package(&self, submission: usize) -> bool {
        self.of_package.contains(&submission)
    }

    pub(crate) fn id(&self, submission: usize) -> &str {
        self.problem().submissions.get(submission).map_or("", |submission| &submission.id)
    }
}

/// Adds a test case where there is none: what no test case is like is like this one.
pub(crate) fn with_a_test_case(loaded: &mut LoadedPackage) {
    if loaded.problem.test_cases.is_empty() {
        loaded.problem.test_cases.push(TestCase { id: "secret/none".to_owned(), ..TestCase::default() });
    }
}

/// The arguments of each input validator, by test case.
pub(crate) fn input_args(loaded: &LoadedPackage) -> Vec<Vec<Vec<String>>> {
    let problem = &loaded.problem;
    let of_case = |case: &TestCase| {
        let own = loaded.input_validator_args.get(&case.id);
        let validators = problem.input_validators.iter();
        validators.map(|program| InputValidatorArgs::command_line(own, &program.name, &case.args)).collect()
    };
    problem.test_cases.iter().map(of_case).collect()
}

/// Whether only AC may come of it.
fn must_be_accepted(submission: &Submission) -> bool {
    submission.expectations.iter().any(|rule| rule.scope.is_none() && rule.permitted == [Verdict::Accepted])
}

/// The submission that a name means: its id, the name of its file, or that without its extension.
fn find(candidates: &[Submission], name: &str) -> Result<usize, String> {
    let all = || candidates.iter().enumerate();
    if let Some((index, _)) = all().find(|(_, of)| of.id == name) {
        return Ok(index);
    }
    let file = |of: &Submission| of.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = |of: &Submission| of.path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let named = |is: &dyn Fn(&Submission) -> bool| -> Vec<usize> {
        all().filter(|(_, of)| is(of)).map(|(index, _)| index).collect()
    };
    let by_file = named(&|of| file(of).as_deref() == Some(name));
    let found = if by_file.is_empty() { named(&|of| stem(of).as_deref() == Some(name)) } else { by_file };
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(format!(
            "there is no submission `{name}`\nhint: name it as `judge list` does, such as `wrong_answer/x.rs`"
        )),
        several => {
            let ids: Vec<String> = several.iter().map(|index| format!("`{}`", candidates[*index].id)).collect();
            Err(format!("`{name}` names several submissions: {}", ids.join(", ")))
        }
    }
}

/// Who answers: the solution of `generators.yaml`, or else the first accepted one; neither is looked at itself, unless
/// there is no other and several are compared.
fn reference(
    config: &Config,
    problem: &Problem,
    candidates: &[Submission],
    accepted: &BTreeSet<&str>,
    entrants: usize,
) -> Result<usize, Failure> {
    let runs = |index: &usize| candidates[*index].language.is_some();
    let others: Vec<usize> = (entrants..candidates.len()).filter(runs).collect();
    let of_rules = Project::open(&problem.directory, &config.workspace).ok().flatten();
    let of_rules = of_rules.as_ref().and_then(|project| project.answers_by());
    let preferred = of_rules.and_then(|answers| others.iter().find(|index| candidates[**index].id == answers.id));
    let first = others.iter().find(|index| accepted.contains(candidates[**index].id.as_str()));
    match preferred.or(first) {
        Some(index) => Ok(*index),
        None if entrants > 1 => Ok(0),
        None => Err(Failure::Usage(format!(
            "expected another accepted submission of `{}`, which would write the answers\n\
             hint: name one with --reference",
            problem.name
        ))),
    }
}

impl Inputs {
    /// What inputs of a package are made of.
    pub(crate) fn of(
        args: &StressArgs,
        project: Option<&Project>,
        sought: &Sought,
        config: &Config,
    ) -> Result<Self, Failure> {
        let mut inputs = Self { change_test_cases: args.source != InputSource::Generators, ..Self::default() };
        let problem = sought.problem();
        if !args.calls.is_empty() {
            for text in &args.calls {
                inputs.add_typed(text, project, problem, config)?;
            }
        } else if let Some(project) = project
            && args.source != InputSource::TestCases
        {
            inputs.add_calls(project, problem);
        }
        Ok(inputs)
    }

    /// Everything that a package has to make inputs of.
    pub(crate) fn of_package(project: Option<&Project>, problem: &Problem) -> Self {
        let mut inputs = Self { change_test_cases: true, ..Self::default() };
        if let Some(project) = project {
            inputs.add_calls(project, problem);
        }
        inputs
    }

    fn add_calls(&mut self, project: &Project, problem: &Problem) {
        let mut calls = Vec::new();
        for call in project.calls() {
            let generator = self.generator(call.name, call.program);
            let like = problem.test_cases.iter().position(|case| case.id == call.test_case).unwrap_or(0);
            calls.push(Call { generator, args: call.args, like });
        }
        self.templates = learn(&calls);
    }

    fn generator(&mut self, name: &str, program: &Program) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.generators.push(program.clone());
            self.names.len() - 1
        })
    }

    fn add_typed(
        &mut self,
        text: &str,
        project: Option<&Project>,
        problem: &Problem,
        config: &Config,
    ) -> Result<(), Failure> {
        let usage = |why: String| Failure::Usage(format!("`--args {text}`: {why}"));
        let filled = with_constants(text, problem).map_err(usage)?;
        let Some(mut words) = shell_words(&filled).filter(|words| !words.is_empty()) else {
            return Err(usage("expected a generator and its arguments".to_owned()));
        };
        let name = words.remove(0);
        let program = match project.and_then(|project| project.generator(&name)) {
            Some(program) => program.clone(),
            None => generator_at(&problem.directory, &name, config).map_err(usage)?,
        };
        let generator = self.generator(&name, &program);
        self.templates.push(read_template(generator, &words, 0).map_err(usage)?);
        Ok(())
    }

    /// What made an input.
    pub(crate) fn told(&self, origin: &Origin, problem: &Problem) -> String {
        match origin {
            Origin::Call { generator, args, .. } => self.command(*generator, args),
            Origin::Changed { test_case } => {
                let case = problem.test_cases.get(*test_case);
                format!("test case {}, changed", case.map_or("?", |case| &case.id))
            }
        }
    }

    /// A call as it is written in `generators.yaml`.
    pub(crate) fn command(&self, generator: usize, args: &[String]) -> String {
        let quote = |word: &String| {
            let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_=.,:/+".contains(c));
            if plain { word.clone() } else { format!("'{word}'") }
        };
        let name = self.names.get(generator).cloned().unwrap_or_default();
        std::iter::once(name).chain(args.iter().map(quote)).collect::<Vec<_>>().join(" ")
    }
}

/// A program in `generators/`, with or without its extension.
fn generator_at(package: &Path, name: &str, config: &Config) -> Result<Program, String> {
    let directory = package.join("generators");
    let is_plain = !name.is_empty() && !name.contains('/') && !name.starts_with('.');
    let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: &std::path::PathBuf| {
        let is = |part: Option<&std::ffi::OsStr>| part.is_some_and(|part| part == name);
        is(path.file_name()) || is(path.file_stem())
    };
    let mut found: Vec<_> = entries.filter(|path| is_plain && named(path)).collect();
    found.sort();
    match found.first() {
        Some(path) => program_at(path, &config.workspace.languages).map_err(|errors| errors.to_string()),
        None => Err(format!("there is no generator `{name}` in `generators/`")),
    }
}

/// The text with `<name>` and `{{name}}` replaced by the package's constants.
fn with_constants(text: &str, problem: &Problem) -> Result<String, String> {
    let mut filled = text.to_owned();
    for constant in &problem.constants {
        for form in [format!("<{}>", constant.name), format!("{{{{{}}}}}", constant.name)] {
            filled = filled.replace(&form, &constant.value);
        }
    }
    match filled.split_once('<').and_then(|(_, rest)| rest.split_once('>')) {
        Some((name, _)) => Err(format!("there is no constant `{name}` in problem.yaml")),
        None => Ok(filled),
    }
}
