//! Checking a package by running its validators: on its own data, on junk, and on damaged copies of its inputs.
//!
//! Responsible for what validators are asked, and for what their answers show about the package. Must not run anything
//! itself (a session of `exec` does), nor read packages, nor decide how much a finding weighs (see `severity`).

mod alike;
mod arithmetic;
mod ask;
mod bounds;
mod claims;
mod findings;
mod kept;
mod made_up;
mod output_findings;
mod patience;
mod questions;
mod tally;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{DataValidated, Progress};
use judge_exec::{
    ExecError, KeptInspection, ReadyInputValidator, ReadyOutputValidators, Session, StoreSettings, Toolchains, Worker,
};
use judge_model::{Grading, LanguageId, LegacyGrading, OutputValidator, Problem, Program};
use judge_package::{Code, LoadedPackage, code};
use judge_sandbox::{CancelToken, Sandbox};

use self::kept::{StoredInspection, is_lasting};
use self::made_up::junk::{self, Junk};
use self::made_up::speeches::Speech;
use self::patience::Patience;
use self::questions::{Question, Shown};
use crate::check::Extent;
use crate::finding::Finding;

/// The seed of junk: fixed, so that a check that passed passes again.
pub(crate) const SEED: u64 = 1;

/// The time of an input validator, which the format does not limit.
const INPUT_VALIDATION_TIME: Duration = Duration::from_secs(60);

/// The sandbox and the tools that validators are run with.
pub struct Validators {
    /// The sandbox.
    pub sandbox: Arc<dyn Sandbox>,
    /// The tools of the languages that validators are written in.
    pub toolchains: Toolchains,
    /// The directory of the cache.
    pub cache_dir: PathBuf,
    /// The place where inspections are kept, if they are.
    pub kept: Option<StoreSettings>,
    /// The token that ends everything early.
    pub cancel: CancelToken,
}

/// The result of running the validators of a package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inspected {
    /// The findings, in the order of the questions.
    pub(crate) findings: Vec<Finding>,
    /// The answers to the package's own data, if they are counted.
    pub(crate) data: Vec<DataValidated>,
    /// The number of runs of a validator.
    pub(crate) runs: u64,
    /// True when all of it is that of an earlier check.
    pub(crate) cached: bool,
}

/// The languages whose tools a problem's validators need.
pub(crate) fn languages_of(problem: &Problem) -> BTreeSet<LanguageId> {
    let outputs: &[Program] = match &problem.output_validator {
        OutputValidator::Default => &[],
        OutputValidator::Custom(programs) => programs,
    };
    let others = others(problem).map(|(program, ..)| program);
    problem.input_validators.iter().chain(outputs).chain(others).flat_map(Program::languages).collect()
}

/// The validators that are ready to be run.
struct Ready {
    inputs: Vec<(String, ReadyInputValidator, Patience)>,
    outputs: Option<(ReadyOutputValidators, Patience)>,
    /// True when the output validator talks with submissions.
    talks: bool,
    /// True when the bounds are wanted that valid inputs reach.
    bounds: bool,
}

impl Ready {
    fn input_names(&self) -> Vec<&str> {
        self.inputs.iter().map(|(name, ..)| name.as_str()).collect()
    }
}

impl Validators {
    /// Runs the validators of a package, `jobs` of them at a time; `None` when it was cancelled. `progress` hears what
    /// is compiled, then how many of the questions are answered, and how many there are.
    ///
    /// # Errors
    /// Faults of the host. Faults of a validator are findings.
    pub(crate) fn inspect(
        &self,
        loaded: &LoadedPackage,
        extent: Extent,
        jobs: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Inspected>, ExecError> {
        let kept = self.kept_inspection(loaded, extent);
        let found = kept.as_ref().and_then(KeptInspection::found::<StoredInspection>);
        if let Some(inspected) = found.and_then(StoredInspection::inspected) {
            return Ok(Some(inspected));
        }
        let packages = [loaded.problem.directory.clone()];
        let (sandbox, cancel) = (Arc::clone(&self.sandbox), self.cancel.clone());
        let session = Session::of_packages(&self.toolchains, sandbox, &self.cache_dir, &packages, cancel)?;
        let mut findings = Vec::new();
        let (mut worker, running) = (session.worker(None), vec![loaded.problem.name.clone()]);
        let everything = extent == Extent::Everything;
        let ready = make_ready(&loaded.problem, &mut worker, &self.toolchains, &mut findings, progress)?;
        let ready = Ready { bounds: everything, ..ready };
        let (junk, shown) = (&junk::outputs(SEED)[..], questions::shown(loaded));
        let speeches = questions::speeches_for(loaded, &shown);
        let names = ready.input_names();
        let mut questions =
            first_questions(loaded, &ready, &names, &MadeUp { junk, shown: &shown, speeches: &speeches });
        let mut answered = 0;
        let mut ask = |questions: &[Question<'_>]| {
            let total = (answered + questions.len()) as u64;
            let mut done = |count: usize| {
                let done = (answered + count) as u64;
                progress(Progress { done, total, running: running.clone(), ..Progress::default() });
            };
            done(0);
            let limits = &loaded.problem.limits;
            let replies = ask::ask_all(questions, &ready, &session, limits, jobs, &self.cancel, &mut done);
            answered += questions.len();
            replies
        };
        let mut replies = ask(&questions)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        if everything && loaded.problem.passes > 1 && !names.is_empty() {
            let next_inputs = output_findings::next_inputs(&questions, &replies);
            let further = questions::about_next_inputs(loaded, &names, next_inputs);
            replies.extend(ask(&further)?);
            questions.extend(further);
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
        }
        findings.extend(findings::of(loaded, &questions, &replies));
        let mut data = Vec::new();
        if everything {
            findings.extend(findings::of_bounds(loaded, &questions, &replies));
            findings.extend(bounds::findings(&loaded.problem, &bounds::gather(&questions, &replies)));
        } else {
            data = tally::of(loaded, &questions, &replies);
        }
        let runs = replies.iter().map(ask::Reply::runs).sum();
        let lasts = is_lasting(&findings, &replies);
        let inspected = Inspected { findings, data, runs, cached: false };
        kept.filter(|_| lasts).into_iter().for_each(|kept| kept.keep(StoredInspection::from(&inspected)));
        Ok(Some(inspected))
    }
}

/// Data that questions borrow.
struct MadeUp<'a> {
    junk: &'a [Junk],
    shown: &'a [Shown<'a>],
    speeches: &'a [Speech],
}

/// The questions that need no answers: those about the package's own data, and in a whole check about made-up data too.
fn first_questions<'a>(
    loaded: &'a LoadedPackage,
    ready: &Ready,
    names: &[&str],
    made_up: &MadeUp<'a>,
) -> Vec<Question<'a>> {
    let (everything, mut questions) = (ready.bounds, Vec::new());
    if !names.is_empty() {
        questions.extend(questions::about_inputs(loaded, names));
        if everything {
            questions.extend(questions::about_damaged_inputs(loaded, names, SEED));
        }
    }
    if ready.outputs.is_some() {
        questions.extend(questions::about_outputs(loaded));
        if everything {
            questions.extend(questions::about_junk_outputs(loaded, made_up.junk));
            questions.extend(questions::about_changed_answers(loaded));
            questions.extend(questions::about_interactions(made_up.shown));
            questions.extend(questions::about_speeches(loaded, made_up.speeches));
        }
    }
    questions
}

/// Compiles everything first: a validator that does not compile is reported once.
fn make_ready(
    problem: &Problem,
    worker: &mut Worker<'_>,
    toolchains: &Toolchains,
    findings: &mut Vec<Finding>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Ready, ExecError> {
    let mut inputs = Vec::new();
    let mut to_compile = problem.input_validators.len() as u64;
    to_compile += u64::from(matches!(problem.output_validator, OutputValidator::Custom(_)));
    let mut compiling = |compiled: usize, name: &str| {
        let running = vec![format!("{} {name}", problem.name)];
        progress(Progress { compiled: compiled as u64, to_compile, running, ..Progress::default() });
    };
    for (index, program) in problem.input_validators.iter().enumerate() {
        compiling(index, &program.name);
        if let Some(reason) = missing_tools(program, toolchains) {
            findings.push(Finding::new(code::INPUT_VALIDATOR_NOT_RUN, &program.path, reason));
            continue;
        }
        match worker.input_validator(problem, program) {
            Ok(ready) => inputs.push((program.name.clone(), ready, Patience::new(INPUT_VALIDATION_TIME))),
            Err(fault) => {
                let why = fault.refusal()?.to_string();
                findings.push(Finding::new(code::INPUT_VALIDATOR_BROKEN, &program.path, why));
            }
        }
    }
    let own: &[Program] = match &problem.output_validator {
        OutputValidator::Default => &[],
        OutputValidator::Custom(programs) => programs,
    };
    own.first().into_iter().for_each(|program| compiling(problem.input_validators.len(), &program.name));
    let place = |own: &[Program]| own.first().map_or_else(|| problem.directory.clone(), |program| program.path.clone());
    let lacking: Vec<(PathBuf, String)> =
        own.iter().filter_map(|program| Some((program.path.clone(), missing_tools(program, toolchains)?))).collect();
    let outputs = if lacking.is_empty() {
        match worker.output_validators(problem) {
            Ok(ready) => Some((ready, Patience::new(problem.limits.validation_time))),
            Err(fault) => {
                let why = fault.refusal()?.to_string();
                findings.push(Finding::new(code::OUTPUT_VALIDATOR_BROKEN, &place(own), why));
                None
            }
        }
    } else {
        let not_run = lacking.into_iter();
        findings.extend(not_run.map(|(path, why)| Finding::new(code::OUTPUT_VALIDATOR_NOT_RUN, &path, why)));
        None
    };
    for (program, role, code) in others(problem) {
        if missing_tools(program, toolchains).is_some() {
            continue;
        }
        if let Err(fault) = worker.program_compiles(problem, program, role) {
            findings.push(Finding::new(code, &program.path, fault.refusal()?.to_string()));
        }
    }
    Ok(Ready { inputs, outputs, talks: problem.interactive, bounds: false })
}

/// The programs of a package that are compiled and not asked anything, each with its role and the code of a finding about
/// it.
fn others(problem: &Problem) -> impl Iterator<Item = (&Program, &'static str, Code)> {
    let grader = match &problem.grading {
        Grading::Legacy(LegacyGrading { grader, .. }) => grader.as_ref(),
        _ => None,
    };
    let visualizers = problem.input_visualizer.iter().chain(&problem.output_visualizer);
    let visualizers = visualizers.map(|program| (program, "visualizer", code::VISUALIZER_BROKEN));
    let graders = [(grader, "grader"), (problem.static_validator.as_ref(), "static validator")];
    let graders = graders.into_iter().filter_map(|(program, role)| Some((program?, role, code::GRADER_BROKEN)));
    graders.chain(visualizers)
}

/// The tools that are missing to make a program ready here, as a reason; `None` when it can be made ready, or when it
/// brings scripts, which report it themselves.
fn missing_tools(program: &Program, toolchains: &Toolchains) -> Option<String> {
    if program.scripts.is_some() {
        return None;
    }
    let mut of_language = toolchains.iter().filter(|(language, _)| **language == program.language);
    let problem = of_language.find_map(|(_, toolchain)| toolchain.err());
    problem.map(|why| format!("cannot be run here: {why}"))
}
