//! The package of a hunt: what it has for looking for inputs that kill survivors.
//!
//! Responsible for where inputs come from and where what was found is kept. Must not know how inputs are made or judged.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use judge_authoring::{NewTestCase, Project, free_ids};
use judge_event::{Hunted, Mutation};
use judge_model::LanguageId;
use judge_mutation::{HuntSettings, HuntingGround, hunt, save};
use judge_runner::PlannedProblem;
use judge_stress::add_placeholder;

use crate::args::MutateArgs;
use crate::commands::authoring::addition::add;
use crate::commands::document::DocumentOutput;
use crate::commands::judging::submission_args::load_package;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::solution::Solution;
use crate::commands::stress::inputs::{directories, inputs_of_package};
use crate::commands::stress::progress::{search_bar, show};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// The time of a hunt for each survivor when no option gives one.
const TIME: Duration = Duration::from_secs(10);

/// The package in which survivors are hunted, ready for it.
pub(crate) struct HuntPackage {
    hunting: HuntingGround,
    /// The directories that programs of the package may see.
    directories: Vec<PathBuf>,
    // Its working directory is among these.
    _project: Option<Project>,
}

impl HuntPackage {
    pub(crate) fn new(config: &Config, planned: &PlannedProblem) -> Result<Self, Failure> {
        let package = &planned.problem.directory;
        let mut loaded = load_package(config, package)?;
        add_placeholder(&mut loaded.problem);
        let project = Project::open(package, &config.workspace)
            .map_err(|errors| Failure::package(&errors, &config.workspace.root))?;
        let inputs = inputs_of_package(project.as_ref(), &loaded.problem);
        let directories = directories(&loaded.problem.directory, project.as_ref());
        let hunting = HuntingGround { inputs, input_args: loaded.input_args(), problem: loaded.problem };
        Ok(Self { hunting, directories, _project: project })
    }

    /// The languages of what makes and validates inputs.
    pub(crate) fn languages(&self) -> BTreeSet<LanguageId> {
        self.hunting.languages()
    }

    /// Looks for inputs that kill the survivors of a solution, and keeps them.
    pub(crate) fn hunt(
        &self,
        config: &Config,
        args: &MutateArgs,
        solution: &Solution,
        mutation: &Mutation,
        context: &RunContext,
    ) -> Result<Hunted, Failure> {
        let settings = HuntSettings {
            seed: args.seed,
            inputs: args.inputs,
            time: args.hunt.flatten().or_else(|| args.inputs.is_none().then_some(TIME)),
            shrink: args.shrink,
        };
        let session = context.session_of(&self.directories)?;
        let subject = (&solution.planned.timed(), &solution.submission);
        let (mut bar, with) = (search_bar(config), (&session, &context.environment));
        let hunted = hunt(&self.hunting, subject, mutation, with, &settings, &mut |step| show(&mut bar, step));
        bar.clear();
        let mut hunted = hunted?;
        save(&mut hunted, &config.directory.join(&args.save), &|path| config.shown(path))?;
        Ok(hunted)
    }
}

/// Adds every input that was found as a test case.
pub(crate) fn add_all(
    config: &Config,
    args: &MutateArgs,
    solution: &Solution,
    name: &str,
    hunted: &Hunted,
) -> Result<ExitCode, Failure> {
    let problem = &solution.planned.problem;
    let settings =
        JudgingSettings { jobs: args.jobs.number, isolation: args.isolation.level, ..JudgingSettings::default() };
    for (found, id) in hunted.found.iter().zip(free_ids(problem, name)) {
        let new = NewTestCase::found(&found.input.0, &id);
        match add(config, &problem.directory, &new, settings, DocumentOutput::default())? {
            ExitCode::AsExpected => {}
            other => return Ok(other),
        }
    }
    Ok(ExitCode::AsExpected)
}
