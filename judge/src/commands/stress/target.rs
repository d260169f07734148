//! The target and the sources of inputs of a search, as words of the command line mean them for a package.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_authoring::Project;
use judge_model::{LanguageId, Problem};
use judge_package::{LoadedPackage, program_named, shell_words};
use judge_runner::Plan;
use judge_stress::{InputSources, KnownCall, Target, TargetRequest, with_constants};

use crate::args::{InputSource, StressArgs};
use crate::commands::judging::submission_args::{entered, load_package, paths_of};
use crate::commands::judging::submit::named;
use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::config::Config;
use crate::failure::Failure;

/// A package with the target of a search in it.
pub(super) struct PackageTarget {
    /// The package; its submissions are those of the target.
    pub(super) loaded: LoadedPackage,
    pub(super) target: Target,
    /// The rules for its data, if it has any.
    pub(super) project: Option<Project>,
    pub(super) inputs: InputSources,
    /// The problem with all of its own submissions, from which a time limit is inferred.
    whole: Arc<Problem>,
}

impl PackageTarget {
    pub(super) fn read(config: &Config, args: &StressArgs) -> Result<Self, Failure> {
        let (mut loaded, entrants) = match (args.submissions.as_slice(), &args.problem.name) {
            ([], problem) => (load_package(config, &named(config, problem.as_deref().unwrap_or("."))?)?, Vec::new()),
            (words, problem) => entered(config, problem.as_deref(), words)?,
        };
        let whole = Arc::new(loaded.problem.clone());
        let rules = Project::open(&whole.directory, &config.workspace);
        let request = TargetRequest {
            predicate: args.find.as_deref(),
            reference: args.reference.as_deref(),
            answers_by: rules.as_ref().ok().and_then(|rules| rules.as_ref()?.answers_by()).map(|of| of.id.as_str()),
        };
        let paths = |word: &str| paths_of(config, &whole, &entrants, word).map_err(|failure| failure.to_string());
        let target =
            Target::choose(Problem::clone(&whole), entrants.clone(), request, &paths).map_err(Failure::Usage)?;
        loaded.problem = target.problem.clone();
        let project = rules.map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs(config, args, project.as_ref(), &target.problem)?;
        Ok(Self { loaded, target, project, inputs, whole })
    }

    /// A plan of the problem with its submissions, of which nothing is expected.
    pub(super) fn plan(&self, config: &Config, settings: JudgingSettings) -> Plan {
        let mut loaded = self.loaded.clone();
        for submission in &mut loaded.problem.submissions {
            submission.expectations.clear();
        }
        PlanBuilder::plan_of_replaced(config, settings, loaded, Arc::clone(&self.whole))
    }

    /// The languages of the submissions that take part, of generators and of input validators.
    pub(super) fn languages(&self, plan: &Plan) -> BTreeSet<LanguageId> {
        let needed = self.target.needed();
        let problems = plan.problems.iter().map(|planned| planned.with_submissions(|index| needed.contains(&index)));
        let plan = Plan { problems: problems.collect(), ..Plan::default() };
        plan.languages().into_iter().chain(self.inputs.languages(&self.target.problem)).collect()
    }
}

/// The sources of inputs by the command line.
fn inputs(
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
        add_call(&mut inputs, text, project, problem, config).map_err(usage)?;
    }
    Ok(inputs)
}

/// All sources of inputs of a package. Shared with the hunt of `judge mutate`.
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

/// Adds a call of `--args`.
fn add_call(
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
    let directory = problem.directory.join("generators");
    let program = program_named(&directory, name, &config.workspace.languages)
        .ok_or_else(|| format!("there is no generator `{name}` in `generators/`"))?
        .map_err(|errors| errors.to_string())?;
    inputs.add_template(name, &program, words)
}

/// The directories that programs of a package may see.
pub(crate) fn directories(package: &Path, project: Option<&Project>) -> Vec<PathBuf> {
    std::iter::once(package.to_owned()).chain(project.iter().flat_map(|project| project.directories())).collect()
}
