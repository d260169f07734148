//! The target of `judge stress`: the package, the submissions that were named, and what inputs are made of.
//!
//! Responsible for what the words of the command line mean for a package. Must not run anything.

use std::path::Path;
use std::sync::Arc;

use judge_authoring::Project;
use judge_model::{Problem, Program, TestCase};
use judge_package::{InputValidatorArgs, LoadedPackage, program_at, shell_words};
use judge_stress::{Call, InputSources, Target, Wish, with_constants};

use crate::args::{InputSource, StressArgs};
use crate::commands::judging::submission_args::{entered, load_package, with_names_of_their_own};
use crate::commands::judging::submit::named;
use crate::config::Config;
use crate::failure::Failure;

/// A package with what is looked for in it.
pub(crate) struct PackageTarget {
    /// The package; its submissions are the candidates.
    pub(crate) loaded: LoadedPackage,
    pub(crate) target: Target,
    /// The problem with all of its own submissions, which a time limit that it leaves open comes from.
    pub(crate) whole: Arc<Problem>,
}

impl PackageTarget {
    pub(crate) fn read(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        let (mut loaded, entrants) = match (args.submissions.as_slice(), &args.problem) {
            ([], problem) => (load_package(config, &named(config, problem.as_deref().unwrap_or("."))?)?, Vec::new()),
            (words, problem) => entered(config, problem.as_deref(), words)?,
        };
        let whole = Arc::new(loaded.problem.clone());
        let rules = Project::open(&whole.directory, &config.workspace).ok().flatten();
        let wish = Wish {
            finder: args.find.as_deref(),
            reference: args.reference.as_deref(),
            answers_by: rules.as_ref().and_then(Project::answers_by).map(|of| of.id.as_str()),
        };
        let problem = Problem::clone(&whole);
        let target = Target::choose(problem, with_names_of_their_own(entrants), wish).map_err(Failure::Usage)?;
        loaded.problem = target.problem.clone();
        Ok(Self { loaded, target, whole })
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

/// What inputs of a package are made of.
pub(crate) fn inputs_of(
    config: &Config,
    args: &StressArgs,
    project: Option<&Project>,
    problem: &Problem,
) -> Result<InputSources, Failure> {
    let change_test_cases = args.source != InputSource::Generators;
    let mut inputs = InputSources { change_test_cases, ..InputSources::default() };
    for text in &args.calls {
        let usage = |why: String| Failure::Usage(format!("`--args {text}`: {why}"));
        add_typed(&mut inputs, text, project, problem, config).map_err(usage)?;
    }
    if args.calls.is_empty() && args.source != InputSource::TestCases {
        add_calls(&mut inputs, project, problem);
    }
    Ok(inputs)
}

/// Everything that a package has to make inputs of.
pub(crate) fn inputs_of_package(project: Option<&Project>, problem: &Problem) -> InputSources {
    let mut inputs = InputSources { change_test_cases: true, ..InputSources::default() };
    add_calls(&mut inputs, project, problem);
    inputs
}

/// Learns from the calls of `generators.yaml`.
fn add_calls(inputs: &mut InputSources, project: Option<&Project>, problem: &Problem) {
    let calls = project.map(Project::calls).into_iter().flatten().map(|call| Call {
        generator: inputs.generator(call.name, call.program),
        args: call.args,
        like: problem.test_cases.iter().position(|case| case.id == call.test_case).unwrap_or(0),
    });
    let calls: Vec<Call> = calls.collect();
    inputs.learn(&calls);
}

/// Adds a call that was typed.
fn add_typed(
    inputs: &mut InputSources,
    text: &str,
    project: Option<&Project>,
    problem: &Problem,
    config: &Config,
) -> Result<(), String> {
    let filled = with_constants(text, problem)?;
    let words = shell_words(&filled).unwrap_or_default();
    let Some((name, words)) = words.split_first() else {
        return Err("expected a generator and its arguments".to_owned());
    };
    match project.and_then(|project| project.generator(name)) {
        Some(program) => inputs.add_template(name, program, words),
        None => inputs.add_template(name, &generator_at(&problem.directory, name, config)?, words),
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
