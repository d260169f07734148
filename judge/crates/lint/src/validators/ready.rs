//! Validators that are ready to be run.
//!
//! Responsible for compiling the programs of a package that a check runs, and for findings about
//! those that cannot be run. Must not run them.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use judge_event::Progress;
use judge_exec::{
    ExecError, Fault, ReadyInputValidator, ReadyOutputValidators, Toolchains, Worker, split_hint,
};
use judge_model::{LanguageId, OutputValidator, Problem, Program};
use judge_package::{Code, Finding, code};

use super::request_timeouts::RequestTimeouts;

/// The time limit of an input validator. The format sets none.
const INPUT_VALIDATION_TIME: Duration = Duration::from_secs(60);

/// The validators that are ready to be run.
pub(super) struct ReadyValidators {
    pub(super) inputs: Vec<(String, ReadyInputValidator, RequestTimeouts)>,
    pub(super) outputs: Option<(ReadyOutputValidators, RequestTimeouts)>,
    /// True when the output validator talks with submissions.
    pub(super) talks: bool,
    /// True when validators report the bounds that valid inputs reach.
    pub(super) bounds: bool,
}

/// The finding about a program that cannot be prepared.
pub(super) fn broken(code: Code, path: &Path, fault: Fault) -> Result<Finding, ExecError> {
    let (message, hint) = split_hint(&fault.refusal()?.to_string());
    Ok(Finding::new(code, path, message).hint(hint))
}

impl ReadyValidators {
    /// Compiles everything, so that a validator that does not compile is reported once.
    pub(super) fn compile(
        problem: &Problem,
        bounds: bool,
        worker: &mut Worker<'_>,
        toolchains: &Toolchains,
        findings: &mut Vec<Finding>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, ExecError> {
        let mut inputs = Vec::new();
        let mut to_compile = problem.input_validators.len() as u64;
        to_compile += u64::from(problem.output_validator != OutputValidator::Default);
        let mut compiling = |compiled: usize, name: &str| {
            let running = vec![format!("{} {name}", problem.name)];
            progress(Progress {
                compiled: compiled as u64,
                to_compile,
                running,
                ..Progress::default()
            });
        };
        for (index, program) in problem.input_validators.iter().enumerate() {
            compiling(index, &program.name);
            if let Some(reason) = missing_tools(program, toolchains) {
                let code = code::INPUT_VALIDATOR_NOT_RUN;
                findings.push(Finding::new(code, &program.path, reason));
                continue;
            }
            match worker.input_validator(problem, program) {
                Ok(ready) => {
                    let timeouts = RequestTimeouts::new(INPUT_VALIDATION_TIME);
                    inputs.push((program.name.clone(), ready, timeouts));
                }
                Err(fault) => {
                    findings.push(broken(code::INPUT_VALIDATOR_BROKEN, &program.path, fault)?);
                }
            }
        }
        let own = problem.output_validator.programs();
        if let Some(program) = own.first() {
            compiling(problem.input_validators.len(), &program.name);
        }
        let not_run = own.iter().filter_map(|program| {
            let reason = missing_tools(program, toolchains)?;
            let code = code::OUTPUT_VALIDATOR_NOT_RUN;
            Some(Finding::new(code, &program.path, reason))
        });
        let not_run: Vec<Finding> = not_run.collect();
        let mut outputs = None;
        if not_run.is_empty() {
            match worker.output_validators(problem) {
                Ok(ready) => {
                    let timeouts = RequestTimeouts::new(problem.limits.validation_time);
                    outputs = Some((ready, timeouts));
                }
                Err(fault) => {
                    let path = own
                        .first()
                        .map_or(&problem.directory, |program| &program.path);
                    findings.push(broken(code::OUTPUT_VALIDATOR_BROKEN, path, fault)?);
                }
            }
        }
        findings.extend(not_run);
        for (program, role, code) in others(problem) {
            if missing_tools(program, toolchains).is_some() {
                continue;
            }
            if let Err(fault) = worker.program_compiles(problem, program, role) {
                findings.push(broken(code, &program.path, fault)?);
            }
        }
        Ok(Self {
            inputs,
            outputs,
            talks: problem.interactive,
            bounds,
        })
    }

    pub(super) fn input_names(&self) -> Vec<&str> {
        self.inputs.iter().map(|(name, ..)| name.as_str()).collect()
    }
}

/// The languages whose tools a problem's validators need.
pub(super) fn languages_of(problem: &Problem) -> BTreeSet<LanguageId> {
    let outputs = problem.output_validator.programs();
    let others = others(problem).map(|(program, ..)| program);
    problem
        .input_validators
        .iter()
        .chain(outputs)
        .chain(others)
        .flat_map(Program::languages)
        .collect()
}

/// The programs of a package that are compiled but not run, each with its role and the code of a
/// finding about it.
fn others(problem: &Problem) -> impl Iterator<Item = (&Program, &'static str, Code)> {
    let visualizers = problem
        .input_visualizer
        .iter()
        .chain(&problem.output_visualizer);
    let visualizers = visualizers.map(|program| (program, "visualizer", code::VISUALIZER_BROKEN));
    let graders = [
        (problem.grading.grader(), "grader"),
        (problem.static_validator.as_ref(), "static validator"),
    ];
    let graders = graders
        .into_iter()
        .filter_map(|(program, role)| Some((program?, role, code::GRADER_BROKEN)));
    graders.chain(visualizers)
}

/// The reason why a program cannot be prepared on this host: missing tools. `None` if it can be
/// prepared, or if it has scripts, which report missing tools themselves.
pub(super) fn missing_tools(program: &Program, toolchains: &Toolchains) -> Option<String> {
    if program.scripts.is_some() {
        return None;
    }
    let mut of_language = toolchains
        .iter()
        .filter(|(language, _)| **language == program.language);
    let problem = of_language.find_map(|(_, toolchain)| toolchain.err());
    problem.map(|why| format!("cannot be run here: {why}"))
}
