//! A hunt: a problem with everything ready to look for inputs.
//!
//! Responsible for making ready what a search needs: generators, validators, submissions, and test cases that may be
//! changed. Must not know how inputs are shared out, nor how one is judged.

use std::collections::BTreeMap;
use std::sync::Arc;

use judge_model::{OutputValidator, Problem, Program};
use judge_runner::{Course, Entrant, Jury, Plan, RunSettings, RunnerError, Toolchains};
use judge_sandbox::{CancelToken, Sandbox};

use crate::source::{Base, Source};
use crate::stand::{Programs, Stand};
use crate::template::Template;

/// Test cases above this size are not changed: it takes long, and what comes of it is seldom of use.
const LARGEST_BASE: u64 = 64 << 10;

/// Why a hunt could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StrengtheningError {
    /// A fault of the host.
    #[error(transparent)]
    Runner(#[from] RunnerError),
    /// A fault of the package, in words.
    #[error("{0}")]
    Package(String),
}

/// The index of a submission, with its program, or why it cannot be run.
type Readied = (usize, Result<Entrant, String>);

/// What a hunt is carried out with.
pub struct Means<'a> {
    /// Opened with the languages of the generators and input validators, and with the package's directory.
    pub jury: &'a Jury,
    /// With the languages of the plan.
    pub toolchains: &'a Toolchains,
    /// Where everything runs.
    pub sandbox: &'a Arc<dyn Sandbox>,
    /// Jobs, cores, and the cache.
    pub run: &'a RunSettings,
    /// Ends everything early. The jury's too.
    pub cancel: &'a CancelToken,
}

/// What a hunt is about.
pub struct Ground {
    /// One problem, whose time limit is known, with every submission that takes part. It has a test case at least: an
    /// input that no test case is like is like the first.
    pub plan: Plan,
    /// The index of the submission that answers.
    pub reference: usize,
    /// The programs that calls are of.
    pub generators: Vec<Program>,
    /// What their calls look like.
    pub templates: Vec<Template>,
    /// Whether test cases are changed too.
    pub change_test_cases: bool,
    /// The arguments of each input validator, by test case; nothing for none.
    pub input_args: Vec<Vec<Vec<String>>>,
}

/// A problem with everything ready to look for inputs. Any number of searches may follow each other.
pub struct Hunt<'a> {
    pub(crate) jury: &'a Jury,
    pub(crate) course: Course,
    pub(crate) problem: Arc<Problem>,
    pub(crate) programs: Programs,
    pub(crate) source: Source,
    pub(crate) jobs: usize,
    cores: Vec<usize>,
    pub(crate) cancel: CancelToken,
}

impl<'a> Hunt<'a> {
    /// Makes everything ready but the submissions that are looked at.
    ///
    /// # Errors
    /// Faults of the host, and programs of the package that cannot be made ready.
    pub fn open(ground: Ground, means: &Means<'a>) -> Result<Self, StrengtheningError> {
        let Ground { plan, reference, generators, templates, change_test_cases, input_args } = ground;
        let problem = Arc::clone(&plan.problems[0].problem);
        let mut desk = means.jury.desk();
        let package = StrengtheningError::Package;
        let mut ready = Vec::with_capacity(generators.len());
        for generator in &generators {
            ready.push(desk.maker(&problem, generator, "generator")?.map_err(package)?);
        }
        let mut validators = Vec::new();
        for program in &problem.input_validators {
            validators.push((program.name.clone(), desk.input_validator(&problem, program)?.map_err(package)?));
        }
        // What nobody validates had better not be changed.
        let bases = if change_test_cases && !validators.is_empty() { bases(&problem)? } else { Vec::new() };
        let course = Course::open(plan, means.toolchains, means.sandbox, means.run, means.cancel.clone())?;
        let programs = Programs {
            generators: ready,
            validators,
            input_args,
            entrants: BTreeMap::new(),
            reference,
            answers: !problem.interactive && problem.passes == 1,
            own_validator: matches!(problem.output_validator, OutputValidator::Custom(_)),
        };
        let mut hunt = Self {
            jury: means.jury,
            course,
            problem,
            programs,
            source: Source { templates, bases },
            jobs: means.run.jobs.max(1),
            cores: means.run.cores.clone(),
            cancel: means.cancel.clone(),
        };
        if let Err(why) = hunt.ready(reference)? {
            return Err(StrengtheningError::Package(format!("the reference cannot be run: {why}")));
        }
        Ok(hunt)
    }

    /// Makes a submission of the plan ready, by its index; the inner error says why it cannot be run. Submissions that a
    /// finder is about must be ready.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn ready(&mut self, submission: usize) -> Result<Result<(), String>, StrengtheningError> {
        if self.programs.entrants.contains_key(&submission) {
            return Ok(Ok(()));
        }
        let readied = self.course.trial(0, None)?.ready(submission)?;
        Ok(readied.map(|entrant| drop(self.programs.entrants.insert(submission, entrant))))
    }

    /// Makes several submissions of the plan ready, on every core.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn ready_all(&mut self, submissions: &[usize]) -> Result<Vec<Result<(), String>>, StrengtheningError> {
        let (course, jobs) = (&self.course, self.jobs);
        let work = |job: usize| -> Result<Vec<Readied>, RunnerError> {
            let mut trial = course.trial(0, self.cores.get(job).copied())?;
            let own = submissions.iter().skip(job).step_by(jobs);
            own.map(|submission| Ok((*submission, trial.ready(*submission)?))).collect()
        };
        let work = &work;
        let made: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|job| scope.spawn(move || work(job))).collect();
            workers.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
        });
        let mut refused = BTreeMap::new();
        for of_job in made {
            for (submission, readied) in of_job.map_err(|_| RunnerError::WorkerLost)?? {
                match readied {
                    Ok(entrant) => drop(self.programs.entrants.insert(submission, entrant)),
                    Err(why) => drop(refused.insert(submission, why)),
                }
            }
        }
        Ok(submissions.iter().map(|submission| refused.get(submission).cloned().map_or(Ok(()), Err)).collect())
    }

    /// Takes a program that was made ready elsewhere, of the same problem, and gives the index that finders call it by.
    pub fn enter(&mut self, entrant: Entrant) -> usize {
        let last = self.programs.entrants.keys().last().copied().unwrap_or(0);
        let index = last.max(self.problem.submissions.len()) + 1;
        self.programs.entrants.insert(index, entrant);
        index
    }

    /// Whether there is anything to make inputs of.
    #[must_use]
    pub fn has_inputs(&self) -> bool {
        !self.source.is_empty()
    }

    /// Whether inputs are validated.
    #[must_use]
    pub fn validates(&self) -> bool {
        !self.programs.validators.is_empty()
    }

    /// How many templates there are, and how many test cases that may be changed.
    #[must_use]
    pub fn sources(&self) -> (usize, usize) {
        (self.source.templates.len(), self.source.bases.len())
    }

    pub(crate) fn stand(&self, job: usize) -> Result<Stand<'_>, StrengtheningError> {
        let core = self.cores.get(job).copied();
        Ok(Stand { programs: &self.programs, desk: self.jury.desk(), trial: self.course.trial(0, core)? })
    }
}

/// Test cases that may be changed, the smallest first.
fn bases(problem: &Problem) -> Result<Vec<Base>, StrengtheningError> {
    let mut bases = Vec::new();
    for (test_case, case) in problem.test_cases.iter().enumerate() {
        // There is none where a problem has no test case at all.
        let size = std::fs::metadata(&case.input).map_or(u64::MAX, |metadata| metadata.len());
        if case.files.is_some() || size > LARGEST_BASE {
            continue;
        }
        let input = std::fs::read(&case.input).map_err(|source| RunnerError::Io {
            action: "read",
            path: case.input.clone(),
            source,
        })?;
        bases.push(Base { test_case, input });
    }
    bases.sort_by_key(|base| (base.input.len(), base.test_case));
    Ok(bases)
}
