//! `judge try`: runs a program on any input, in the sandbox.
//!
//! Responsible for the meaning of the command line: the problem, the program and the input.

mod by_hand;
mod examples;
mod single;

use std::path::{Path, PathBuf};

use judge_files::regular_file;
use judge_interchange::Examples;
use judge_model::{Problem, TestCase};
use judge_package::{MAX_DATA_BYTES, load_despite_data, select_for_problem};

use crate::args::TryArgs;
use crate::commands::judging::JudgingSettings;
use crate::commands::judging::submit::{
    guess, note_main_file, outside_program, package_named, resolve,
};
use crate::commands::loose::read_input;
use crate::commands::selection::{keep_selected_cases, load_package, load_problem};
use crate::commands::trial::single::SingleInput;
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::messages::note;

/// Runs the program that the command line names, or connects the user with an interactor.
pub(crate) fn run(config: &Config, args: &TryArgs) -> Result<ExitCode, Failure> {
    let settings = JudgingSettings {
        time_limit: args.time_limit.seconds,
        isolation: args.isolation.level,
        ..JudgingSettings::default()
    };
    if args.by_hand {
        args.output_check.expect_no_package()?;
    }
    let Some(file) = &args.file else {
        let package = package_named(config, args.problem.name.as_deref().unwrap_or("."))?;
        let input = match args.input.as_str() {
            "-" => None,
            word => Some(test_case(config, Some(&package), word)?.template),
        };
        let loaded = if input.is_some() {
            load_problem(config, &package)
        } else {
            without_data(config, &package)
        };
        return by_hand::talk(config, settings, loaded?, input);
    };
    let file = resolve(config, file)?;
    let submission = outside_program(config, &file)?;
    note_main_file(config, &submission);
    let package = args
        .problem
        .name
        .as_deref()
        .map(|problem| package_named(config, problem))
        .transpose()?;
    let path = config.directory.join(&args.input);
    // Examples take precedence over a test case of the package: the content decides, not the name.
    if args.input != "-" && Examples::are_at(&path) {
        // Messages contain paths as they were typed.
        let typed = |text: String| text.replace(&*path.to_string_lossy(), &args.input);
        let examples =
            Examples::read(&path).map_err(|error| Failure::Usage(typed(error.to_string())))?;
        let package = package
            .map(|package| without_data(config, &package))
            .transpose()?;
        let is_record = Examples::is_record(&path);
        let check = &args.output_check;
        return examples::judge_all(
            config,
            settings,
            (&examples, check),
            is_record,
            package,
            submission,
        );
    }
    if !args.output_check.is_default() {
        let why = "`--checker` and `--float-tolerance` compare outputs with answers, and this input has none";
        let hint = "name a directory of examples with --input: `1.in` and `1.out`";
        return Err(Failure::Usage(format!("{why}\nhint: {hint}")));
    }
    // A pipe works like a file: `--input <(generator)`.
    let is_input = args.input == "-" || path.exists();
    if is_input
        && path
            .extension()
            .is_some_and(|extension| extension == "json")
    {
        note(&format!(
            "`{}` is not a Competitive Companion file with `tests`: it is used as the input itself",
            args.input
        ));
    }
    let package = match package {
        // A word that is not a file is a test case of some problem.
        None if !is_input => Some(guess(config, &file).map_err(|_| {
            Failure::Usage(format!(
                "no such file: `{}`\nhint: to use a test case, name its problem with -p PROBLEM",
                args.input
            ))
        })?),
        package => package,
    };
    let mut input = if is_input {
        typed_input(config, &args.input)?
    } else {
        test_case(config, package.as_deref(), &args.input)?
    };
    // For an input that is not a test case, only the limits of the package are needed, and its data
    // may be missing or broken.
    let load = if is_input { without_data } else { load_problem };
    let problem = (package.as_ref())
        .map(|package| load(config, package))
        .transpose()?;
    let is_interactive = problem.as_ref().is_some_and(|problem| problem.interactive);
    input.asks_validators = is_input
        && is_interactive
        && package.is_some_and(|package| passes_no_arguments(config, &package));
    single::run(config, settings, problem, submission, &input)
}

/// A package whose test data is not used, and may be missing.
fn without_data(config: &Config, package: &Path) -> Result<Problem, Failure> {
    load_despite_data(package, &config.workspace)
        .map(|loaded| loaded.problem)
        .map_err(|errors| Failure::package(&errors, &config.workspace.root))
}

/// True when a package passes no arguments to its input validators. Otherwise, the arguments for an
/// input that is not a test case are unknown.
fn passes_no_arguments(config: &Config, package: &Path) -> bool {
    load_package(config, package).is_ok_and(|loaded| {
        let args = loaded.input_args();
        !args.is_empty() && args.iter().flatten().all(Vec::is_empty)
    })
}

/// An input of the command line that is not a test case.
fn typed_input(config: &Config, word: &str) -> Result<SingleInput, Failure> {
    let template = TestCase {
        id: word.to_owned(),
        ..TestCase::default()
    };
    Ok(SingleInput {
        bytes: read_input(config, word)?,
        answer: Vec::new(),
        template,
        asks_validators: false,
    })
}

/// The one test case of a package that a word names.
fn test_case(config: &Config, package: Option<&Path>, word: &str) -> Result<SingleInput, Failure> {
    let package = package.unwrap_or(&config.directory);
    let selection = select_for_problem(&config.workspace, package, word, &config.directory)
        .map_err(|error| match error.into() {
            Failure::NothingSelected(text) => {
                Failure::NothingSelected(format!("no such file: `{word}`; {text}"))
            }
            other => other,
        })?;
    let mut problem = load_problem(config, package)?;
    keep_selected_cases(&selection, &mut problem)?;
    let [case] = problem.test_cases.as_slice() else {
        return Err(Failure::Usage(format!(
            "`{word}` names {} test cases; expected one",
            problem.test_cases.len()
        )));
    };
    let read = |path: &PathBuf| {
        regular_file::read(path, MAX_DATA_BYTES).map_err(|error| {
            Failure::Package(format!("cannot read `{}`: {error}", config.shown(path)))
        })
    };
    Ok(SingleInput {
        bytes: read(&case.input)?,
        answer: read(&case.answer)?,
        template: case.clone(),
        asks_validators: false,
    })
}
