//! Validating inputs and writing answers.
//!
//! Responsible for what validators and solutions are asked about the data, and for what their answers mean for it. Must
//! not know how they are run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use judge_exec::{
    ExecError, Fault, Generation, OutputQuestion, ReadyInputValidator, ReadyOutputValidators, ReadyProgram, Refusal,
    Start, ValidatorDecision, Worker,
};
use judge_model::{Limits, OutputValidator, OutputValidatorArgs};
use judge_package::{InputValidatorArgs, LoadedPackage, MAX_DATA_BYTES, PackageError, read_within};

use crate::AuthoringError;
use crate::agreement::{Others, disagreement};
use crate::generators::matching::Pattern;
use crate::generators::plan::{Answers, PlannedCase};
use crate::make::{Data, Notice};
use crate::parallel::Workers;
use crate::project::{Project, Solution};
use crate::samples::Sample;
use crate::validation::validate;

/// A test case of the package as it would be.
#[derive(Clone, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) id: &'a str,
    pub(crate) planned: Option<&'a PlannedCase>,
    pub(crate) input: &'a Path,
    /// The answer file, where there has to be one.
    answer: Option<&'a Path>,
    pub(crate) args: &'a [String],
    pub(crate) output_validator_args: &'a OutputValidatorArgs,
    pub(crate) input_validator_args: Option<&'a InputValidatorArgs>,
    pub(crate) files: Option<&'a Path>,
    pub(crate) must_be_rejected: bool,
    /// A solution writes its answer.
    lacks_answer: bool,
    /// The sample, if it is shown to people as the conversation of a solution and the output validator.
    sample: Option<&'a Sample>,
}

impl Case<'_> {
    /// True when the output validators accept an output by this answer.
    pub(crate) fn accepts(
        &self,
        outputs: &ReadyOutputValidators,
        answer: &Path,
        output: &[u8],
        limits: &Limits,
        worker: &mut Worker<'_>,
    ) -> Result<bool, ExecError> {
        let question = OutputQuestion { limits, input: self.input, answer, args: self.output_validator_args, output };
        Ok(worker.ask_output(outputs, &question)?.decision == ValidatorDecision::Accepted)
    }
}

/// The programs that are asked about the data.
pub(crate) struct Jurors {
    inputs: Vec<(String, ReadyInputValidator)>,
    /// The output validators, only where the answer has to be a right output.
    pub(crate) outputs: Option<ReadyOutputValidators>,
    /// The other accepted solutions, only where there are answers that were not written by hand.
    pub(crate) others: Others,
    /// The programs that talk, only where there are samples to record.
    talkers: Option<ReadyOutputValidators>,
    /// The solutions with their names, by path; the default one has the empty path.
    solutions: BTreeMap<String, (String, ReadyProgram)>,
}

/// The completion of a test case: its fault, if any, and what an author should know.
#[derive(Debug, Default)]
struct Completed {
    fault: Option<String>,
    /// The fault is that of the input.
    is_rejected: bool,
    notices: Vec<String>,
    /// Its `.interaction` was made.
    recorded: bool,
}

impl Project {
    /// True when an answer is a right output. Where it is not, it may be empty (dialect).
    pub(crate) fn answers_are_outputs(&self) -> bool {
        !self.problem.interactive && self.problem.passes == 1
    }

    /// Validates the inputs, and writes the answers that are missing. `None` when it was interrupted.
    pub(crate) fn complete(
        &self,
        loaded: &LoadedPackage,
        without_answer: &[String],
        workers: Workers<'_>,
        data: &mut Data,
    ) -> Result<Option<()>, AuthoringError> {
        let samples = self.samples_to_record(loaded, data);
        let cases = self.cases(loaded, without_answer, &samples, data);
        let Some(jurors) = self.jurors(&cases, workers, data)? else { return Ok(None) };
        let limits = &self.problem.limits;
        // The answers of links are there once those that they lead to have been written.
        let (links, own): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| case.input.is_symlink());
        let mut all = Vec::new();
        for cases in [own, links] {
            let work = |worker: &mut Worker<'_>, case: &Case<'_>| {
                let completed = complete(case, &jurors, limits, worker)?;
                let rejected =
                    if completed.is_rejected { self.rejected_input(case, workers.session)? } else { String::new() };
                Ok((completed, rejected))
            };
            let name = |case: &Case<'_>| format!("{}: validators and answer", case.id);
            let Some(completed) = workers.each(&cases, name, work)? else { return Ok(None) };
            all.extend(cases.into_iter().zip(completed));
        }
        for (case, (completed, rejected)) in all {
            if let Some(planned) = case.planned.filter(|_| completed.recorded) {
                data.origins.insert(format!("{}.interaction", case.id), planned.origin());
            }
            let notice = |message| Notice { id: case.id.to_owned(), message, code: None };
            data.notices.extend(completed.notices.into_iter().map(notice));
            if let Some(why) = completed.fault {
                match case.planned {
                    Some(planned) => data.add_fault(self, planned, &why, rejected),
                    None => {
                        let message = format!("`{}`: {why}{rejected}", case.id);
                        data.faults.push(PackageError::invalid(&self.file, None, message));
                    }
                }
            }
        }
        Ok(Some(()))
    }

    fn cases<'a>(
        &'a self,
        loaded: &'a LoadedPackage,
        without_answer: &[String],
        samples: &'a [Sample],
        data: &Data,
    ) -> Vec<Case<'a>> {
        let planned: BTreeMap<&str, &PlannedCase> =
            self.plan.cases.iter().map(|case| (case.id.as_str(), case)).collect();
        let is_made = |id: &str| data.origins.contains_key(&format!("{id}.in"));
        let of_problem = loaded.problem.test_cases.iter().map(|case| Case {
            id: &case.id,
            planned: planned.get(case.id.as_str()).copied(),
            input: &case.input,
            answer: Some(&case.answer),
            args: &case.args,
            output_validator_args: &case.output_validator_args,
            input_validator_args: loaded.input_validator_args.get(&case.id),
            files: case.files.as_deref(),
            must_be_rejected: false,
            lacks_answer: without_answer.contains(&case.id),
            sample: samples.iter().find(|sample| sample.test_case.id == case.id),
        });
        let extra = &loaded.extra_cases;
        let others = extra.valid_output.iter().chain(&extra.invalid_output).chain(&extra.invalid_input);
        let others = others.map(|case| Case {
            id: &case.id,
            planned: planned.get(case.id.as_str()).copied(),
            input: &case.input,
            answer: None,
            args: &case.args,
            output_validator_args: &case.output_validator_args,
            input_validator_args: Some(&case.input_validator_args),
            files: case.files.as_deref(),
            must_be_rejected: case.id.starts_with("invalid_input/"),
            lacks_answer: false,
            sample: None,
        });
        of_problem.chain(others).filter(|case| is_made(case.id)).collect()
    }

    /// Prepares the programs that are needed. One that cannot be prepared is a fault, and is not asked.
    fn jurors(
        &self,
        cases: &[Case<'_>],
        workers: Workers<'_>,
        data: &mut Data,
    ) -> Result<Option<Jurors>, AuthoringError> {
        let problem = &self.problem;
        let mut worker = workers.session.worker(None);
        let mut jurors =
            Jurors { inputs: Vec::new(), outputs: None, others: Vec::new(), talkers: None, solutions: BTreeMap::new() };
        let mut fault = |path: &Path, why: String| data.faults.push(PackageError::invalid(path, None, why));
        for program in &problem.input_validators {
            match worker.input_validator(problem, program) {
                Ok(ready) => jurors.inputs.push((program.name.clone(), ready)),
                Err(refused) => fault(&program.path, refused.refusal()?.to_string()),
            }
        }
        // The default one accepts every answer as an output; it is asked only where two answers are compared.
        let programs = match &problem.output_validator {
            OutputValidator::Custom(programs) => Some(programs.as_slice()),
            OutputValidator::Default => {
                let is_compared = |case: &PlannedCase| case.former_answer.is_some() || case.lacks_answer;
                self.plan.cases.iter().any(is_compared).then_some(&[][..])
            }
        };
        let has_samples = cases.iter().any(|case| case.sample.is_some());
        if let Some(programs) = programs.filter(|_| self.answers_are_outputs() || has_samples) {
            match worker.output_validators(problem) {
                Ok(ready) if has_samples => jurors.talkers = Some(ready),
                Ok(ready) => jurors.outputs = Some(ready),
                Err(refused) => {
                    let path = programs.first().map_or(&problem.directory, |program| &program.path);
                    fault(path, refused.refusal()?.to_string());
                }
            }
        }
        for case in cases.iter().filter(|case| case.lacks_answer || case.sample.is_some()) {
            let path = case.planned.and_then(solution_path).unwrap_or_default();
            if jurors.solutions.contains_key(path) {
                continue;
            }
            let ready = Fault::apart(self.solution_at(path, &mut worker))?;
            if workers.session.is_cancelled() {
                return Ok(None);
            }
            match ready {
                Ok(ready) => drop(jurors.solutions.insert(path.to_owned(), ready)),
                Err(why) => {
                    let message = format!("the solution that writes answers cannot be run: {why}");
                    data.faults.push(PackageError::invalid(&self.file, None, message));
                    break;
                }
            }
        }
        let is_lacking = |case: &&PlannedCase| case.lacks_answer;
        let mut lacking = cases.iter().filter_map(|case| case.planned).filter(is_lacking).peekable();
        if lacking.peek().is_some() {
            // The first one writes answers unless rules name another: then it is asked like all the others.
            let is_first_asked = lacking.any(|case| solution_path(case).is_some());
            for submission in self.accepted.iter().skip(usize::from(!is_first_asked)) {
                if let Ok(ready) = Fault::apart(worker.solution(problem, submission))? {
                    jurors.others.push((submission.id.clone(), ready));
                }
            }
        }
        Ok(Some(jurors))
    }

    /// The solution at a path, with its name; the default one for none.
    fn solution_at(&self, path: &str, worker: &mut Worker<'_>) -> Result<(String, ReadyProgram), Fault> {
        let problem = &self.problem;
        match self.solutions.get(path) {
            Some(Solution::Program(program)) => {
                worker.maker(problem, program, "solution").map(|ready| (path.to_owned(), ready))
            }
            Some(Solution::Submission(submission)) => {
                worker.solution(problem, submission).map(|ready| (submission.id.clone(), ready))
            }
            None => self.default_solution(worker),
        }
    }

    /// The first accepted submission that can be run here.
    fn default_solution(&self, worker: &mut Worker<'_>) -> Result<(String, ReadyProgram), Fault> {
        let why = "no submission is accepted and no `solution` key";
        let mut last = Refusal::Package(why.to_owned());
        for submission in &self.accepted {
            match worker.solution(&self.problem, submission) {
                Ok(ready) => return Ok((submission.id.clone(), ready)),
                Err(fault) => last = fault.refusal()?,
            }
        }
        Err(last.into())
    }
}

impl Jurors {
    /// The program that writes a test case's answer; `None` when it cannot be run, which is a fault already.
    fn solution_of(&self, case: &Case<'_>) -> Option<&(String, ReadyProgram)> {
        self.solutions.get(case.planned.and_then(solution_path).unwrap_or_default())
    }
}

/// The key of a test case's solution; nothing for the default one.
fn solution_path(case: &PlannedCase) -> Option<&str> {
    match &case.answers {
        Answers::Program(path) => Some(path),
        Answers::Default | Answers::Nothing => None,
    }
}

fn complete(
    case: &Case<'_>,
    jurors: &Jurors,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<Completed, ExecError> {
    let mut completed = Completed { fault: validate(case, &jurors.inputs, worker)?, ..Completed::default() };
    completed.is_rejected = completed.fault.is_some();
    if completed.is_rejected {
        return Ok(completed);
    }
    if case.lacks_answer
        && let Some(answer) = case.answer
    {
        completed.fault = write_answer(case, answer, jurors, worker)?;
        if completed.fault.is_none() {
            keep_former_answer(case, answer, jurors, limits, worker)?;
        }
        if completed.fault.is_none() && case.planned.is_some_and(|planned| planned.lacks_answer) {
            completed.fault = disagreement(case, answer, jurors, limits, worker)?;
        }
    }
    if completed.fault.is_none()
        && let (Some(outputs), Some(answer)) = (&jurors.outputs, case.answer)
    {
        let output = read(answer)?;
        let args = case.output_validator_args;
        let question = OutputQuestion { limits, input: case.input, answer, args, output: &output };
        let reply = worker.ask_output(outputs, &question)?;
        let said = String::from_utf8_lossy(&reply.judge_message.0).trim().to_owned();
        completed.fault = match reply.decision {
            ValidatorDecision::Accepted | ValidatorDecision::Cancelled => None,
            ValidatorDecision::Rejected => Some(format!("the output validator rejects the answer: {said}")),
            ValidatorDecision::JudgeError { reason } => Some(format!("{reason}: {said}")),
        };
    }
    if let (None, Some(sample)) = (&completed.fault, case.sample)
        && let (Some(validators), Some((_, solution))) = (&jurors.talkers, jurors.solution_of(case))
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
    jurors: &Jurors,
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let Some((name, solution)) = jurors.solution_of(case) else { return Ok(None) };
    let input = read(case.input)?;
    let making = Generation { program: solution, args: case.args, input: &input, leaves: None, time: None };
    let made = match worker.made_before(&making) {
        Some(made) => made,
        None => match worker.try_warm(Start::Warm, |worker| worker.make(&making), Result::is_ok) {
            Ok(made) => {
                worker.keep(&making, &made)?;
                made
            }
            Err(fault) => {
                return Ok(Some(format!("the solution `{name}`, which writes the answer, {}", fault.refusal()?)));
            }
        },
    };
    fs::write(answer, &made.stdout).map_err(ExecError::io("write", answer))?;
    Ok(None)
}

/// Keeps the answer that a test case has already, where the new one is as good by the output validator.
fn keep_former_answer(
    case: &Case<'_>,
    answer: &Path,
    jurors: &Jurors,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<(), ExecError> {
    let former = case.planned.and_then(|planned| planned.former_answer.as_deref());
    let Some((former, outputs)) = former.zip(jurors.outputs.as_ref()) else { return Ok(()) };
    let output = read(answer)?;
    if case.accepts(outputs, former, &output, limits, worker)? {
        fs::write(answer, read(former)?).map_err(ExecError::io("write", answer))?;
    }
    Ok(())
}

fn check_patterns(case: &Case<'_>, planned: &PlannedCase, completed: &mut Completed) -> Result<(), ExecError> {
    for (extension, text) in &planned.rule.patterns {
        let file = if extension == "ans" { case.answer } else { Some(case.input) };
        let Some(file) = file else { continue };
        match Pattern::new(text) {
            Err(why) => completed.notices.push(format!("the pattern `{text}` cannot be looked for: {why}")),
            Ok(pattern) if !pattern.matches(&read(file)?) => {
                completed.notices.push(format!("`.{extension}` has nothing that matches `{text}`"));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ExecError> {
    read_within(path, MAX_DATA_BYTES).map_err(ExecError::io("read", path))
}
