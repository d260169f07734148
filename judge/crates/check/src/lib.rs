//! Checking a package by running its validators: on its own data, on junk, and on damaged copies of its inputs.
//!
//! Responsible for what validators are asked, and for what their answers show about the package. Must not run anything
//! itself (the runner does), nor read packages, nor decide how much a finding weighs.

mod arithmetic;
mod ask;
mod bounds;
mod claims;
mod damage;
mod findings;
mod junk;
mod questions;
mod tally;

use std::collections::BTreeSet;
use std::path::PathBuf;

use judge_model::{LanguageId, OutputValidator, Problem, Program};
use judge_package::{Finding, LoadedPackage, code};
use judge_runner::{Desk, Jury, ReadyInputValidator, ReadyOutputValidators, RunnerError, Toolchains};
use judge_sandbox::CancelToken;

pub use tally::{DirectoryTally, Tally};

/// The seed of junk unless another one is asked for: fixed, so that a check that passed passes again.
pub const SEED: u64 = 1;

/// What running the validators has come to.
#[derive(Clone, Debug, Default)]
pub struct Inspected {
    /// What was found, in the order in which it was asked.
    pub findings: Vec<Finding>,
    /// How often a validator was run.
    pub runs: u64,
}

/// The languages whose tools a problem's validators need.
#[must_use]
pub fn languages(problem: &Problem) -> BTreeSet<LanguageId> {
    // What scripts may count on (2025-09, "Programs").
    const OF_SCRIPTS: [&str; 3] = ["python3", "c", "cpp"];
    let outputs: &[Program] = match &problem.output_validator {
        OutputValidator::Default => &[],
        OutputValidator::Custom(programs) => programs,
    };
    let of = |program: &Program| match program.scripts {
        Some(_) => OF_SCRIPTS.map(|id| LanguageId(id.to_owned())).to_vec(),
        None => vec![program.language.clone()],
    };
    problem.input_validators.iter().chain(outputs).flat_map(of).collect()
}

/// The validators that could be made ready.
struct Ready {
    inputs: Vec<(String, ReadyInputValidator)>,
    outputs: Option<ReadyOutputValidators>,
}

impl Ready {
    fn input_names(&self) -> Vec<&str> {
        self.inputs.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// Runs the validators of a package, `jobs` of them at a time. `toolchains` are those that the jury was opened with.
///
/// `cancel` is the jury's token; once it is set, nothing is known, and `None` comes back. `progress` hears how many of the
/// questions are answered, and how many there are.
///
/// # Errors
/// Faults of the host. Whatever a validator does is a finding.
pub fn inspect(
    loaded: &LoadedPackage,
    jury: &Jury,
    toolchains: &Toolchains,
    jobs: usize,
    seed: u64,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Option<Inspected>, RunnerError> {
    let mut inspected = Inspected::default();
    let ready = make_ready(&loaded.problem, &mut jury.desk(), toolchains, &mut inspected.findings)?;
    let junk = junk::outputs(seed);
    let shown = questions::shown(loaded);
    let mut questions = Vec::new();
    let names = ready.input_names();
    if !names.is_empty() {
        questions.extend(questions::about_inputs(loaded, &names));
        questions.extend(questions::about_damaged_inputs(loaded, &names, seed));
    }
    if ready.outputs.is_some() {
        questions.extend(questions::about_outputs(loaded));
        questions.extend(questions::about_junk_outputs(loaded, &junk));
        questions.extend(questions::about_interactions(loaded, &shown));
    }
    let asking = Asking { jury, ready: &ready, jobs, cancel };
    let Some(replies) = asking.ask(loaded, &questions, progress, &mut inspected)? else { return Ok(None) };
    inspected.findings.extend(findings::of_bounds(loaded, &questions, &replies));
    inspected.findings.extend(bounds::findings(&loaded.problem, &bounds::gather(&questions, &replies)));
    Ok(Some(inspected))
}

/// What questions are asked with.
struct Asking<'a> {
    jury: &'a Jury,
    ready: &'a Ready,
    jobs: usize,
    cancel: &'a CancelToken,
}

impl Asking<'_> {
    /// Asks, and notes what the replies show. `None` when it was cancelled.
    fn ask(
        &self,
        loaded: &LoadedPackage,
        questions: &[questions::Question<'_>],
        progress: &mut dyn FnMut(u64, u64),
        inspected: &mut Inspected,
    ) -> Result<Option<Vec<ask::Reply>>, RunnerError> {
        let Self { jury, ready, jobs, cancel } = *self;
        let total = questions.len() as u64;
        let mut done = |count: usize| progress(count as u64, total);
        done(0);
        let replies = ask::ask_all(questions, ready, jury, &loaded.problem.limits, jobs, cancel, &mut done)?;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        inspected.runs = replies.iter().map(ask::Reply::runs).sum();
        inspected.findings.extend(findings::of(loaded, questions, &replies));
        Ok(Some(replies))
    }
}

/// Runs the validators of a package on its own data alone, and counts what they say directory by directory. Otherwise
/// as [`inspect`].
///
/// # Errors
/// Faults of the host. Whatever a validator does is a finding.
pub fn validate(
    loaded: &LoadedPackage,
    jury: &Jury,
    toolchains: &Toolchains,
    jobs: usize,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Option<(Inspected, Vec<DirectoryTally>)>, RunnerError> {
    let mut inspected = Inspected::default();
    let ready = make_ready(&loaded.problem, &mut jury.desk(), toolchains, &mut inspected.findings)?;
    let mut questions = Vec::new();
    let names = ready.input_names();
    if !names.is_empty() {
        questions.extend(questions::about_inputs(loaded, &names));
    }
    if ready.outputs.is_some() {
        questions.extend(questions::about_outputs(loaded));
    }
    let asking = Asking { jury, ready: &ready, jobs, cancel };
    let Some(replies) = asking.ask(loaded, &questions, progress, &mut inspected)? else { return Ok(None) };
    Ok(Some((inspected, tally::of(loaded, &questions, &replies))))
}

/// Compiles everything first: a validator that does not compile is told once.
fn make_ready(
    problem: &Problem,
    desk: &mut Desk<'_>,
    toolchains: &Toolchains,
    findings: &mut Vec<Finding>,
) -> Result<Ready, RunnerError> {
    let mut inputs = Vec::new();
    for program in &problem.input_validators {
        if let Some(reason) = missing_tools(program, toolchains) {
            findings.push(Finding::new(code::INPUT_VALIDATOR_NOT_RUN, &program.path, reason));
            continue;
        }
        match desk.input_validator(problem, program)? {
            Ok(ready) => inputs.push((program.name.clone(), ready)),
            Err(why) => findings.push(Finding::new(code::INPUT_VALIDATOR_BROKEN, &program.path, why)),
        }
    }
    let own: &[Program] = match &problem.output_validator {
        OutputValidator::Default => &[],
        OutputValidator::Custom(programs) => programs,
    };
    let place = |own: &[Program]| own.first().map_or_else(|| problem.directory.clone(), |program| program.path.clone());
    let lacking: Vec<(PathBuf, String)> =
        own.iter().filter_map(|program| Some((program.path.clone(), missing_tools(program, toolchains)?))).collect();
    let outputs = if lacking.is_empty() {
        match desk.output_validators(problem)? {
            Ok(ready) => Some(ready),
            Err(why) => {
                findings.push(Finding::new(code::OUTPUT_VALIDATOR_BROKEN, &place(own), why));
                None
            }
        }
    } else {
        let told = lacking.into_iter();
        findings.extend(told.map(|(path, why)| Finding::new(code::OUTPUT_VALIDATOR_NOT_RUN, &path, why)));
        None
    };
    Ok(Ready { inputs, outputs })
}

/// Why a program cannot be made ready here; `None` when it can, or when it brings scripts, which tell themselves.
fn missing_tools(program: &Program, toolchains: &Toolchains) -> Option<String> {
    if program.scripts.is_some() {
        return None;
    }
    let mut of_language = toolchains.iter().filter(|(language, _)| **language == program.language);
    let problem = of_language.find_map(|(_, toolchain)| toolchain.err());
    problem.map(|why| format!("cannot be run here: {why}"))
}
