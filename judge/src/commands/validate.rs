//! `judge validate`: the data of packages, given to their validators, and nothing else.
//!
//! Responsible for selecting and loading. Must not know what validators are asked, nor how it is told.

use std::time::Instant;

use judge_event::{
    CheckFinished, CheckStarted, DataValidated, End, Event, HostFault, PackageChecked, SCHEMA_VERSION, ValidatorAnswers,
};
use judge_model::{Problem, TestCase};
use judge_package::{Checked, Filter, Finding, LoadedPackage, SelectedPackage, load};

use crate::args::{ValidateArgs, WeighingArgs};
use crate::commands::check::{Scales, Telling, Validators};
use crate::commands::judging::name_of;
use crate::commands::run::{select_failure, select_packages};
use crate::config::Config;
use crate::exit_code::{self, ExitCode};
use crate::failure::Failure;
use crate::host;
use crate::telling::{Reporters, Wanted};

/// Whatever validators say that they should not is an error.
const WEIGHING: WeighingArgs = WeighingArgs { profile: None, strict: true };

pub(crate) fn carry_out(config: &Config, args: &ValidateArgs) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let selection = select_packages(config, &args.what)?;
    let (jobs, _) = config.jobs_or(args.jobs);
    let loaded: Vec<Checked> = selection.packages.iter().map(|package| loaded(config, package)).collect();
    let problems: Vec<Problem> =
        loaded.iter().filter_map(|checked| checked.loaded.as_ref().map(with_all_cases)).collect();
    selection.check(&problems).map_err(|error| select_failure(&error))?;
    // A word with a pattern may name parts that only some of the packages have.
    let (packages, loaded): (Vec<&SelectedPackage>, Vec<Checked>) =
        selection.packages.iter().zip(loaded).filter(|(package, checked)| is_wanted(package, checked)).unzip();
    let running = Validators::open(config, args.isolation, &loaded)?;
    // The reports that judge.yaml names are of all that is said about packages, and not of a part of it.
    let wanted = Wanted { configured: false, ..Wanted::new(args.json.as_deref(), &args.telling) };
    let mut reporters = Reporters::open(config, wanted)?;
    let mut telling = Telling { config, scales: Scales::new(config, &WEIGHING), reporters: &mut reporters };
    telling.tell(&Event::CheckStarted(CheckStarted {
        schema: SCHEMA_VERSION,
        judge_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: Some(host::now()),
        host: Some(Box::new(host::description())),
        profile: telling.scales.profile_name(),
        packages: packages.len() as u64,
        isolation: running.as_ref().map(|running| running.isolation().clone()),
        seed: None,
    }))?;
    let mut end = End::Completed;
    for (package, checked) in packages.into_iter().zip(loaded) {
        end = validate(&mut telling, running.as_ref(), package, checked, jobs)?;
        if end != End::Completed {
            break;
        }
    }
    let wall_time_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    telling.tell(&Event::CheckFinished(CheckFinished { end, wall_time_us }))?;
    Ok(exit_code::of(&reporters.finish()?))
}

/// What is wanted of a package, or what keeps it from being loaded.
fn loaded(config: &Config, package: &SelectedPackage) -> Checked {
    match load(&package.directory, &config.workspace) {
        Ok(loaded) => Checked { loaded: Some(loaded), findings: Vec::new(), uuid: None },
        Err(errors) => {
            let findings = errors.into_iter().map(Finding::from).collect();
            Checked { loaded: None, findings, uuid: None }
        }
    }
}

fn is_wanted(package: &SelectedPackage, checked: &Checked) -> bool {
    let filter = &package.filter;
    let cases = checked.loaded.as_ref().map(|loaded| with_all_cases(loaded).test_cases);
    cases.is_none_or(|cases| filter.is_everything() || cases.iter().any(|case| filter.matches_test_case(&case.id)))
}

/// The problem with the cases that are there for its validators, which can be named here too.
fn with_all_cases(loaded: &LoadedPackage) -> Problem {
    let extra = &loaded.extra_cases;
    let extra = extra.valid_output.iter().chain(&extra.invalid_output).chain(&extra.invalid_input);
    let mut problem = loaded.problem.clone();
    problem.test_cases.extend(extra.map(|case| TestCase { id: case.id.clone(), ..TestCase::default() }));
    problem
}

/// Leaves out the test cases that are not wanted.
fn keep(loaded: &mut LoadedPackage, filter: &Filter) {
    loaded.problem.test_cases.retain(|case| filter.matches_test_case(&case.id));
    let extra = &mut loaded.extra_cases;
    for cases in [&mut extra.valid_output, &mut extra.invalid_output, &mut extra.invalid_input] {
        cases.retain(|case| filter.matches_test_case(&case.id));
    }
}

/// Validates one package, and tells it.
fn validate(
    telling: &mut Telling<'_>,
    running: Option<&Validators>,
    package: &SelectedPackage,
    checked: Checked,
    jobs: usize,
) -> Result<End, Failure> {
    let directory = &package.directory;
    let problem = name_of(directory);
    let (mut findings, mut validator_runs) = (checked.findings, 0);
    let loads = checked.loaded.is_some();
    if let (Some(running), Some(mut loaded)) = (running, checked.loaded) {
        keep(&mut loaded, &package.filter);
        match running.validate(&loaded, jobs, telling.reporters) {
            Ok(None) => return Ok(End::Interrupted),
            Ok(Some((inspected, tallies))) => {
                for tally in tallies {
                    telling.tell(&Event::DataValidated(DataValidated {
                        problem: problem.clone(),
                        directory: tally.directory,
                        inputs: tally.inputs.map(answers),
                        outputs: tally.outputs.map(answers),
                    }))?;
                }
                validator_runs = inspected.runs;
                findings.extend(inspected.findings);
            }
            Err(error) => {
                let (submission, test_case, message) = (None, None, error.to_string());
                let problem = Some(problem);
                telling.tell(&Event::HostFault(HostFault { problem, submission, test_case, message }))?;
                return Ok(End::Aborted);
            }
        }
    }
    telling.findings(directory, &findings)?;
    let path = telling.config.told(directory);
    telling.tell(&Event::PackageChecked(PackageChecked { problem, path, loads, validator_runs }))?;
    Ok(End::Completed)
}

fn answers(tally: judge_check::Tally) -> ValidatorAnswers {
    ValidatorAnswers { must_accept: tally.must_accept, right: tally.right, wrong: tally.wrong }
}
