//! `judge mutate --hunt`: searches for inputs that kill survivors.
//!
//! Responsible for the sources of inputs, and for the files of findings. Must not know how inputs
//! are made or examined.

use std::time::Duration;

use judge_authoring::{NewTestCase, free_ids};
use judge_event::{Hunted, Mutation};
use judge_mutation::{HuntSettings, hunt, save};

use crate::args::MutateArgs;
use crate::commands::authoring::add::add;
use crate::commands::document::DocumentOutput;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::solution::{HuntPackage, Solution};
use crate::commands::stress::{search_bar, show_step};
use crate::config::Config;
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// The default time of a hunt for each survivor.
const TIME: Duration = Duration::from_secs(10);

/// Searches for inputs that kill the survivors of a solution, and writes them to files.
pub(super) fn hunt_survivors(
    package: &HuntPackage,
    config: &Config,
    args: &MutateArgs,
    solution: &Solution,
    mutation: &Mutation,
    context: &RunContext,
) -> Result<Hunted, Failure> {
    let settings = HuntSettings {
        seed: args.seed,
        inputs: args.inputs,
        time: args
            .hunt
            .flatten()
            .or_else(|| args.inputs.is_none().then_some(TIME)),
    };
    let session = context.session_of(&package.directories)?;
    let subject = (&solution.planned.timed(), &solution.submission);
    let (mut bar, with) = (search_bar(config), (&session, &context.environment));
    let hunted = hunt(
        &package.problem,
        subject,
        mutation,
        with,
        &settings,
        &mut |step| show_step(&mut bar, step),
    );
    bar.clear();
    let mut hunted = hunted?;
    save(&mut hunted, &config.directory.join(&args.save), &|path| {
        config.shown(path)
    })?;
    Ok(hunted)
}

/// Adds every input that was found as a test case.
pub(super) fn add_all(
    config: &Config,
    args: &MutateArgs,
    solution: &Solution,
    name: &str,
    hunted: &Hunted,
) -> Result<ExitCode, Failure> {
    let problem = &solution.planned.problem;
    let settings = JudgingSettings {
        jobs: args.jobs.number,
        isolation: args.isolation.level,
        ..JudgingSettings::default()
    };
    for (found, id) in hunted.found.iter().zip(free_ids(problem, name)) {
        let new = NewTestCase::found(&found.input.0, &id);
        match add(
            config,
            &problem.directory,
            &new,
            settings,
            DocumentOutput::default(),
        )? {
            ExitCode::AsExpected => {}
            other => return Ok(other),
        }
    }
    Ok(ExitCode::AsExpected)
}
