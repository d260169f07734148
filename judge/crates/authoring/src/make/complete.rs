//! Completing test cases: validating inputs and producing answers.
//!
//! Responsible for choosing the programs of the package that run on each test case, and for
//! interpreting their results. Must not know how they are run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use judge_exec::{
    ExecError, Fault, Generation, ReadyInputValidator, ReadyOutputValidators, ReadyProgram,
    Refusal, Session, Start, ValidatorDecision, Worker,
};
use judge_model::{Limits, OutputValidator};
use judge_package::{Finding, LoadedPackage, MAX_DATA_BYTES, read_within};

use crate::error::AuthoringError;
use crate::generators::matching::Pattern;
use crate::generators::plan::{Answers, PlannedCase};
use crate::make::case::{Case, cases, message_of, rejected_input, validate, with_message};
use crate::make::data::StagedData;
use crate::make::samples::samples_to_record;
use crate::notice::Notice;
use crate::project::{Project, Solution};
use crate::resources::Resources;

/// The programs of the package that validate inputs and write answers.
#[derive(Default)]
struct PackagePrograms {
    inputs: Vec<(String, ReadyInputValidator)>,
    /// The output validators, if answers are outputs that can be checked.
    outputs: Option<ReadyOutputValidators>,
    /// The accepted solutions except the one that writes answers, by id. Empty unless missing
    /// answers are written.
    others: Vec<(String, ReadyProgram)>,
    /// The output validators as interactors, if there are samples to record.
    sample_interactors: Option<ReadyOutputValidators>,
    /// The solutions with their names, by path. The default one has an empty path.
    solutions: BTreeMap<String, (String, ReadyProgram)>,
}

/// The completion of a test case.
#[derive(Debug, Default)]
struct Completion {
    fault: Option<String>,
    /// True when the input is at fault.
    is_rejected: bool,
    notices: Vec<String>,
    /// True when the `.interaction` was written.
    recorded: bool,
}

/// Validates the inputs, and writes the missing answers. Returns false when it was interrupted.
pub(crate) fn complete(
    project: &Project,
    loaded: &LoadedPackage,
    without_answer: &[String],
    resources: Resources<'_>,
    data: &mut StagedData,
) -> Result<bool, AuthoringError> {
    let samples = samples_to_record(project, loaded, data);
    let cases = cases(project, loaded, without_answer, &samples, data);
    let Some(programs) = prepare(project, &cases, resources.session, data)? else {
        return Ok(false);
    };
    let limits = &project.problem.limits;
    // The answer of a link exists only after the original's has been written. Each list runs in
    // parallel, so the originals are in a separate list.
    let (links, originals): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| case.input.is_symlink());
    let mut all = Vec::new();
    for cases in [originals, links] {
        let work = |worker: &mut Worker<'_>, case: &Case<'_>| {
            let completed = complete_case(case, &programs, limits, worker)?;
            let details = match completed.is_rejected {
                true => rejected_input(project, case, resources.session)?,
                false => String::new(),
            };
            Ok((completed, details))
        };
        let name = |case: &Case<'_>| format!("{}: validators and answer", case.id);
        let Some(completed) = resources.each(&cases, name, work)? else {
            return Ok(false);
        };
        all.extend(cases.into_iter().zip(completed));
    }
    for (case, (completed, details)) in all {
        if let Some(planned) = case.planned.filter(|_| completed.recorded) {
            data.origins
                .insert(format!("{}.interaction", case.id), planned.origin());
        }
        let notice = |message| Notice::new(case.id, message, None);
        data.notices
            .extend(completed.notices.into_iter().map(notice));
        match (completed.fault, case.planned) {
            (None, _) => {}
            (Some(why), Some(planned)) => data.add_fault(project, planned, &why, &details),
            // A test case that was written by hand has no rule, so the fault has no position.
            (Some(why), None) => {
                let message = format!("`{}`: {why}{details}", case.id);
                data.faults
                    .push(Finding::invalid(&project.file, None, message));
            }
        }
    }
    Ok(true)
}

/// Prepares the programs that are needed. A program that cannot be prepared is a fault, and is
/// left out.
fn prepare(
    project: &Project,
    cases: &[Case<'_>],
    session: &Session,
    data: &mut StagedData,
) -> Result<Option<PackagePrograms>, AuthoringError> {
    let problem = &project.problem;
    let mut worker = session.worker(None);
    let mut programs = PackagePrograms::default();
    let mut fault = |path: &Path, why: String| data.faults.push(Finding::invalid(path, None, why));
    for program in &problem.input_validators {
        match worker.input_validator(problem, program) {
            Ok(ready) => programs.inputs.push((program.name.clone(), ready)),
            Err(refused) => fault(&program.path, refused.refusal()?.to_string()),
        }
    }
    // The default validator accepts every answer as an output, so it is needed only to compare two
    // answers.
    let validators = match &problem.output_validator {
        OutputValidator::Custom(validators) => Some(validators.as_slice()),
        OutputValidator::Default => {
            let is_compared =
                |case: &PlannedCase| case.former_answer.is_some() || case.needs_answer;
            let are_compared = project.plan.cases.iter().any(is_compared);
            are_compared.then_some(&[][..])
        }
    };
    let has_samples = cases.iter().any(|case| case.sample.is_some());
    if let Some(validators) = validators.filter(|_| project.answers_are_outputs() || has_samples) {
        match worker.output_validators(problem) {
            // Samples are only recorded for interactive and multi-pass problems. Their answers are
            // not outputs, so only one of the two is ever needed.
            Ok(ready) if has_samples => programs.sample_interactors = Some(ready),
            Ok(ready) => programs.outputs = Some(ready),
            Err(refused) => {
                let path = validators
                    .first()
                    .map_or(&problem.directory, |program| &program.path);
                fault(path, refused.refusal()?.to_string());
            }
        }
    }
    let is_solved = |case: &&Case<'_>| case.needs_answer || case.sample.is_some();
    for case in cases.iter().filter(is_solved) {
        // Most cases share the default solution, so each path is prepared once.
        let path = case.planned.and_then(solution_path).unwrap_or_default();
        if programs.solutions.contains_key(path) {
            continue;
        }
        let ready = Fault::apart(solution_at(project, path, &mut worker))?;
        if session.is_cancelled() {
            return Ok(None);
        }
        match ready {
            Ok(ready) => drop(programs.solutions.insert(path.to_owned(), ready)),
            Err(why) => {
                let message = format!("the solution that writes answers cannot be run: {why}");
                data.faults
                    .push(Finding::invalid(&project.file, None, message));
                break;
            }
        }
    }
    let planned = cases.iter().filter_map(|case| case.planned);
    let needing_answer: Vec<&PlannedCase> = planned.filter(|case| case.needs_answer).collect();
    if !needing_answer.is_empty() {
        // The first solution writes the answers unless rules name another. Then it is compared like
        // all others.
        let is_first_compared = needing_answer
            .iter()
            .any(|case| solution_path(case).is_some());
        let first = usize::from(!is_first_compared);
        for submission in project.accepted.iter().skip(first) {
            if let Ok(ready) = Fault::apart(worker.solution(problem, submission))? {
                // A solution that cannot run here, such as one whose compiler is missing,
                // cannot disagree.
                programs.others.push((submission.id.clone(), ready));
            }
        }
    }
    Ok(Some(programs))
}

/// The solution at a path, or the default one, with its name.
fn solution_at(
    project: &Project,
    path: &str,
    worker: &mut Worker<'_>,
) -> Result<(String, ReadyProgram), Fault> {
    let problem = &project.problem;
    match project.solutions.get(path) {
        Some(Solution::Program(program)) => worker
            .maker(problem, program, "solution")
            .map(|ready| (path.to_owned(), ready)),
        Some(Solution::Submission(submission)) => worker
            .solution(problem, submission)
            .map(|ready| (submission.id.clone(), ready)),
        None => default_solution(project, worker),
    }
}

/// The first accepted submission that can be run here.
fn default_solution(
    project: &Project,
    worker: &mut Worker<'_>,
) -> Result<(String, ReadyProgram), Fault> {
    let why = "no accepted submission and no `solution` key";
    let mut last = Refusal::Package(why.to_owned());
    for submission in &project.accepted {
        match worker.solution(&project.problem, submission) {
            Ok(ready) => return Ok((submission.id.clone(), ready)),
            // A solution that cannot run here is skipped, and the next accepted one produces
            // the answers. Without any, the last reason is reported.
            Err(fault) => last = fault.refusal()?,
        }
    }
    Err(last.into())
}

impl PackagePrograms {
    /// The solution for a test case. `None` when it cannot be run, which has been reported.
    fn solution_of(&self, case: &Case<'_>) -> Option<&(String, ReadyProgram)> {
        self.solutions
            .get(case.planned.and_then(solution_path).unwrap_or_default())
    }
}

/// The path of a test case's solution. `None` for the default one.
fn solution_path(case: &PlannedCase) -> Option<&str> {
    match &case.answers {
        Answers::Program(path) => Some(path),
        Answers::Default | Answers::Nothing => None,
    }
}

/// Completes one test case: validates the input, writes and checks the answer, and records the
/// sample.
fn complete_case(
    case: &Case<'_>,
    programs: &PackagePrograms,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<Completion, ExecError> {
    let mut completed = Completion {
        fault: validate(case, &programs.inputs, worker)?,
        ..Completion::default()
    };
    completed.is_rejected = completed.fault.is_some();
    // The behaviour of a solution on an invalid input is undefined, so it does not run.
    if completed.is_rejected {
        return Ok(completed);
    }
    if case.needs_answer
        && let Some(answer) = case.answer
    {
        completed.fault = write_answer(case, answer, programs, worker)?;
        if completed.fault.is_none() {
            keep_former_answer(case, answer, programs, limits, worker)?;
        }
        // This is done after the former answer was restored, so that the solutions are compared
        // with the answer that is kept.
        if completed.fault.is_none() && case.planned.is_some_and(|planned| planned.needs_answer) {
            completed.fault = disagreement(case, answer, programs, limits, worker)?;
        }
    }
    if completed.fault.is_none()
        && let (Some(outputs), Some(answer)) = (&programs.outputs, case.answer)
    {
        let reply = case.judge(outputs, answer, &read(answer)?, limits, worker)?;
        let message = message_of(&reply);
        completed.fault = match reply.decision {
            ValidatorDecision::Accepted | ValidatorDecision::Cancelled => None,
            ValidatorDecision::Rejected => Some(with_message(
                "the output validator rejects the answer",
                &message,
            )),
            ValidatorDecision::JudgeError { reason } => Some(with_message(&reason, &message)),
        };
    }
    if let (None, Some(sample)) = (&completed.fault, case.sample)
        && let (Some(validators), Some((_, solution))) =
            (&programs.sample_interactors, programs.solution_of(case))
    {
        completed.fault = sample.record(solution, validators, worker)?;
        completed.recorded = completed.fault.is_none();
    }
    if let Some(planned) = case.planned {
        check_patterns(case, planned, &mut completed)?;
    }
    Ok(completed)
}

fn write_answer(
    case: &Case<'_>,
    answer: &Path,
    programs: &PackagePrograms,
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let Some((name, solution)) = programs.solution_of(case) else {
        return Ok(None);
    };
    let input = read(case.input)?;
    let generation = Generation {
        program: solution,
        args: case.args,
        input: &input,
        leaves: None,
        time: None,
    };
    // The answer may be cached from an earlier command with the same solution and input.
    let data = match worker.cached_data(&generation) {
        Some(data) => data,
        None => {
            let make = |worker: &mut Worker<'_>| worker.make(&generation);
            match Fault::apart(worker.try_warm(Start::Warm, make, Result::is_ok))? {
                Ok(data) => {
                    worker.keep(&generation, &data)?;
                    data
                }
                Err(why) => {
                    let who = format!("the solution `{name}`, which writes the answer,");
                    return Ok(Some(format!("{who} {why}")));
                }
            }
        }
    };
    fs::write(answer, &data.stdout).map_err(ExecError::io("write", answer))?;
    Ok(None)
}

/// Keeps the existing answer of a test case if the output validator accepts the new one as an
/// output for it.
fn keep_former_answer(
    case: &Case<'_>,
    answer: &Path,
    programs: &PackagePrograms,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<(), ExecError> {
    let former = case
        .planned
        .and_then(|planned| planned.former_answer.as_deref());
    let Some((former, outputs)) = former.zip(programs.outputs.as_ref()) else {
        return Ok(());
    };
    let output = read(answer)?;
    // When several answers are correct, the existing one is kept: otherwise each new solution would
    // change the data.
    if case.accepts(outputs, former, &output, limits, worker)? {
        fs::write(answer, read(former)?).map_err(ExecError::io("write", answer))?;
    }
    Ok(())
}

fn check_patterns(
    case: &Case<'_>,
    planned: &PlannedCase,
    completed: &mut Completion,
) -> Result<(), ExecError> {
    for (extension, text) in &planned.rule.patterns {
        let file = match extension.as_str() {
            "ans" => case.answer,
            _ => Some(case.input),
        };
        let Some(file) = file else { continue };
        completed.notices.extend(match Pattern::new(text) {
            Err(why) => Some(format!("the pattern `{text}` cannot be searched: {why}")),
            Ok(pattern) if pattern.matches(&read(file)?) => None,
            Ok(_) => Some(format!("`.{extension}` does not match `{text}`")),
        });
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, ExecError> {
    read_within(path, MAX_DATA_BYTES).map_err(ExecError::io("read", path))
}

/// The message about the first other accepted solution whose output disagrees with the answer.
fn disagreement(
    case: &Case<'_>,
    answer: &Path,
    programs: &PackagePrograms,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let Some(outputs) = programs.outputs.as_ref() else {
        return Ok(None);
    };
    let input = read(case.input)?;
    // An answer from a single solution may be wrong. All accepted solutions must agree before it is
    // put in place.
    for (id, program) in &programs.others {
        let generation = Generation {
            program,
            args: case.args,
            input: &input,
            leaves: None,
            time: None,
        };
        let output = match Fault::apart(worker.make(&generation))? {
            Ok(generated) => generated.stdout,
            Err(why) => return Ok(Some(format!("no answer was written: `{id}` {why}"))),
        };
        if !case.accepts(outputs, answer, &output, limits, worker)? {
            return Ok(Some(format!(
                "no answer was written: `{id}` disagrees with the solution that writes answers"
            )));
        }
    }
    Ok(None)
}
