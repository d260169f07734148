//! The sources of inputs for a search in a package. Shared by `judge stress` and the hunt of `judge mutate`.
//!
//! Responsible for which generators and test cases they are, and for calls that were typed. Must not run anything.

use std::path::{Path, PathBuf};

use judge_authoring::Project;
use judge_model::Problem;
use judge_package::{program_named, shell_words};
use judge_stress::{InputSources, KnownCall, with_constants};

use crate::args::{InputSource, StressArgs};
use crate::config::Config;
use crate::failure::Failure;

/// The sources that inputs of a package are made of.
pub(super) fn inputs_of(
    config: &Config,
    args: &StressArgs,
    project: Option<&Project>,
    problem: &Problem,
) -> Result<InputSources, Failure> {
    let mut inputs = match args.calls.is_empty() && args.source != InputSource::TestCases {
        true => inputs_of_package(project, problem),
        false => InputSources::default(),
    };
    inputs.change_test_cases = args.source != InputSource::Generators;
    for text in &args.calls {
        let usage = |why: String| Failure::Usage(format!("`--args {text}`: {why}"));
        add_typed(&mut inputs, text, project, problem, config).map_err(usage)?;
    }
    Ok(inputs)
}

/// Everything that a package has to make inputs of.
pub(crate) fn inputs_of_package(project: Option<&Project>, problem: &Problem) -> InputSources {
    let mut inputs = InputSources { change_test_cases: true, ..InputSources::default() };
    let calls = project.map(Project::calls).into_iter().flatten();
    let known = calls.map(|call| KnownCall {
        test_case: call.test_case,
        name: call.name,
        program: call.program,
        args: call.args,
    });
    inputs.learn(known, problem);
    inputs
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
    if let Some(program) = project.and_then(|project| project.generator(name)) {
        return inputs.add_template(name, program, words);
    }
    let directory: &Path = &problem.directory.join("generators");
    let program = program_named(directory, name, &config.workspace.languages)
        .ok_or_else(|| format!("there is no generator `{name}` in `generators/`"))?
        .map_err(|errors| errors.to_string())?;
    inputs.add_template(name, &program, words)
}

/// The directories that programs of a package may see.
pub(crate) fn directories(package: &Path, project: Option<&Project>) -> Vec<PathBuf> {
    std::iter::once(package.to_owned()).chain(project.iter().flat_map(|project| project.directories())).collect()
}
