//! A hunt: a problem with everything ready to look for inputs.
//!
//! Responsible for making ready what a search needs: generators, validators, submissions, and test cases that may be
//! changed. Must not know how inputs are shared out, nor how one is judged.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_event::InputTally;
use judge_exec::{
    AdhocInput, Crew, Environment, ExecError, Fault, PreparedSubmission, Random, Refusal, Session, TimedProblem,
    regular_file,
};
use judge_model::{OutputValidator, Problem, ProblemIndex, SubmissionIndex, TestCaseIndex};
use judge_sandbox::CancelToken;

use crate::inputs::costs::{CostSetting, Costs};
use crate::inputs::literals::literals;
use crate::inputs::source::{Base, Source};
use crate::search_worker::{Programs, SearchWorker};
use crate::target::InputSources;

/// Test cases above this size are not changed: it takes long, and what comes of it is seldom of use.
const LARGEST_BASE: u64 = 64 << 10;

/// The calls that are timed of each kind, to know what it costs.
const PROBES: u64 = 3;

/// Why a hunt could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StressError {
    /// A fault of the host.
    #[error(transparent)]
    Runner(#[from] ExecError),
    /// A program of the package or a submission cannot be run.
    #[error(transparent)]
    Refused(Refusal),
    /// The submission that answers cannot be run.
    #[error("the reference cannot be run: {0}")]
    Reference(Refusal),
    /// A program of the package failed, in words.
    #[error("{0}")]
    Package(String),
    /// A submission that takes part cannot be run.
    #[error("`{submission}` cannot be run: {why}")]
    NotReady {
        /// The submission.
        submission: String,
        /// Why.
        why: Refusal,
    },
    /// The costs are those of other kinds of calls.
    #[error("expected costs of {kinds} kinds of calls, found {given}")]
    Costs {
        /// The number of costs.
        given: usize,
        /// The number of kinds.
        kinds: usize,
    },
    /// There is nothing to make inputs of.
    #[error("there is nothing to make inputs of: no call of a generator, and no test case with an input validator")]
    NoInputs,
    /// A file that a finding should be written to holds something else.
    #[error("`{}` is there already, with something else in it", .0.display())]
    Occupied(PathBuf),
    /// A finding could not be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl From<Fault> for StressError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => Self::Refused(refusal),
            Fault::Host(error) => Self::Runner(error),
        }
    }
}

/// The specification of a search: the problem, and the ways to make inputs.
pub struct SearchSpec<'i> {
    /// The problem, with every submission that takes part. It has a test case at least: an input that no test case is
    /// like is like the first.
    pub problem: TimedProblem,
    /// The index of the submission that answers.
    pub reference: SubmissionIndex,
    /// The submissions that the search is about: inputs are made of the words and numbers of their sources too.
    pub subjects: BTreeSet<SubmissionIndex>,
    /// The sources that inputs are made of.
    pub inputs: &'i InputSources,
    /// The arguments of each input validator, by test case; nothing for none.
    pub input_args: Vec<Vec<Vec<String>>>,
    /// The costs of the kinds of calls.
    pub costs: CostSetting,
}

/// A problem with everything ready to look for inputs. Any number of searches may follow each other.
pub struct Hunt<'a> {
    /// For generators and input validators.
    pub(crate) data_session: &'a Session,
    /// For submissions.
    pub(crate) session: Session,
    pub(crate) problem: Arc<Problem>,
    pub(crate) time_limit: Duration,
    pub(crate) programs: Programs,
    pub(crate) source: Source,
    pub(crate) crew: Crew,
    pub(crate) cancel: CancelToken,
}

impl<'a> Hunt<'a> {
    /// Makes everything ready but the submissions that are looked at. `data_session` must be opened with the
    /// languages of the generators and input validators, and with the package's directory.
    ///
    /// # Errors
    /// Faults of the host, and programs of the package that cannot be made ready.
    pub fn open(
        spec: SearchSpec<'_>,
        data_session: &'a Session,
        environment: &Environment,
    ) -> Result<Self, StressError> {
        let SearchSpec { problem: timed, reference, subjects, inputs, input_args, costs } = spec;
        let (problem, time_limit) = (Arc::clone(&timed.problem), timed.time_limit);
        let mut worker = data_session.worker(None).for_search();
        let mut ready = Vec::with_capacity(inputs.generators.len());
        for generator in &inputs.generators {
            ready.push(worker.maker(&problem, generator, "generator")?);
        }
        let mut validators = Vec::new();
        for program in &problem.input_validators {
            validators.push((program.name.clone(), worker.input_validator(&problem, program)?));
        }
        // Test cases are changed only where inputs are validated.
        let bases = if inputs.change_test_cases && !validators.is_empty() { bases(&problem)? } else { Vec::new() };
        let literals = if bases.is_empty() { Vec::new() } else { source_literals(&problem, &subjects)? };
        let session = Session::open(vec![timed], environment, false)?;
        let programs = Programs {
            generators: ready,
            validators,
            input_args,
            prepared_submissions: BTreeMap::new(),
            reference,
            answers: !problem.interactive && problem.passes == 1,
            own_validator: matches!(problem.output_validator, OutputValidator::Custom(_)),
        };
        let mut hunt = Self {
            data_session,
            session,
            problem,
            time_limit,
            programs,
            source: Source { templates: inputs.templates.clone(), costs: Costs::default(), bases, literals },
            crew: environment.crew(),
            cancel: environment.cancel.clone(),
        };
        hunt.ready(reference)
            .map_err(|fault| fault.refusal().map_or_else(StressError::Runner, StressError::Reference))?;
        hunt.source.costs = hunt.costs(costs)?;
        Ok(hunt)
    }

    /// The costs of the kinds of calls, as they were set.
    fn costs(&self, setting: CostSetting) -> Result<Costs, StressError> {
        let templates = &self.source.templates;
        match setting {
            CostSetting::Given(given) if given.kinds() != templates.len() => {
                Err(StressError::Costs { given: given.kinds(), kinds: templates.len() })
            }
            CostSetting::Given(given) => Ok(given),
            CostSetting::Measured if templates.len() > 1 => {
                let begin = |core| self.search_worker(core);
                let times = self.crew.each(templates, begin, |search_worker, template| {
                    let draw = |number| template.draw(&mut Random::for_number(0, number), number);
                    let calls: Vec<Vec<String>> = (0..PROBES).map(draw).collect();
                    search_worker.cost(template.generator, &calls).map(Some)
                })?;
                Ok(times.map_or_else(|| Costs::equal(templates.len()), |times| Costs::of(&times)))
            }
            CostSetting::Measured | CostSetting::Equal => Ok(Costs::equal(templates.len())),
        }
    }

    /// The costs of the kinds of calls, when they differ.
    #[must_use]
    pub fn differing_costs(&self) -> Option<String> {
        Some(self.source.costs.to_string()).filter(|_| self.source.costs.differ())
    }

    /// Makes a submission of the plan ready, by its index. Submissions that a finder is about must be ready.
    ///
    /// # Errors
    /// When it cannot be run, for a fault of its own, of the package or of the host.
    pub fn ready(&mut self, submission: SubmissionIndex) -> Result<(), Fault> {
        if !self.programs.prepared_submissions.contains_key(&submission) {
            let prepared =
                self.session.adhoc_input(ProblemIndex(0), None)?.for_search().prepare_submission(submission)?;
            self.programs.prepared_submissions.insert(submission, prepared);
        }
        Ok(())
    }

    /// Makes several submissions of the plan ready, on every core.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn ready_all(&mut self, submissions: &[SubmissionIndex]) -> Result<Vec<Result<(), Refusal>>, StressError> {
        let begin = |core| self.session.adhoc_input(ProblemIndex(0), core).map(AdhocInput::for_search);
        let prepared = self.crew.each(submissions, begin, |adhoc: &mut AdhocInput<'_>, submission| {
            let prepared = adhoc.prepare_submission(*submission);
            Fault::apart(prepared).map(Some)
        })?;
        let keep = |(submission, prepared): (&SubmissionIndex, Result<PreparedSubmission, Refusal>)| {
            prepared.map(|prepared| drop(self.programs.prepared_submissions.insert(*submission, prepared)))
        };
        Ok(submissions.iter().zip(prepared.unwrap_or_default()).map(keep).collect())
    }

    /// Takes a program that was made ready elsewhere, of the same problem, and gives the index that finders call it by.
    pub fn enter(&mut self, prepared: PreparedSubmission) -> SubmissionIndex {
        let last = self.programs.prepared_submissions.keys().last().copied().unwrap_or_default();
        let index = last.max(SubmissionIndex(self.problem.submissions.len())).next();
        self.programs.prepared_submissions.insert(index, prepared);
        index
    }

    /// True when there is anything to make inputs of.
    #[must_use]
    pub fn has_inputs(&self) -> bool {
        !self.source.is_empty()
    }

    /// True when it validates inputs.
    #[must_use]
    pub fn validates(&self) -> bool {
        !self.programs.validators.is_empty()
    }

    /// A tally of no input yet: the number of the sources of inputs.
    #[must_use]
    pub fn tally(&self) -> InputTally {
        let (kinds, bases) = (self.source.templates.len() as u64, self.source.bases.len() as u64);
        InputTally { kinds, bases, ..InputTally::default() }
    }

    pub(crate) fn search_worker(&self, core: Option<usize>) -> Result<SearchWorker<'_>, StressError> {
        Ok(SearchWorker {
            programs: &self.programs,
            worker: self.data_session.worker(None).for_search(),
            trial: self.session.adhoc_input(ProblemIndex(0), core)?.for_search(),
            limit: None,
        })
    }
}

/// The size of the largest source in which words are looked for, in bytes.
const MAX_SOURCE_BYTES: u64 = 256 << 20;

fn read(path: &Path) -> Result<Vec<u8>, StressError> {
    Ok(regular_file::read(path, MAX_SOURCE_BYTES).map_err(ExecError::io("read", path))?)
}

/// The words and numbers in the sources of these submissions and of the input validators.
fn source_literals(problem: &Problem, subjects: &BTreeSet<SubmissionIndex>) -> Result<Vec<Vec<u8>>, StressError> {
    let of = |path: &Path, sources: &[PathBuf]| -> Vec<PathBuf> {
        if path.is_dir() { sources.iter().map(|source| path.join(source)).collect() } else { vec![path.to_owned()] }
    };
    let submissions = subjects.iter().filter_map(|index| problem.submissions.get(index.0));
    let submissions = submissions.flat_map(|submission| of(&submission.path, &submission.sources));
    let validators = problem.input_validators.iter().flat_map(|program| of(&program.path, &program.sources));
    let sources = submissions.chain(validators).map(|path| read(&path)).collect::<Result<Vec<_>, _>>()?;
    Ok(literals(sources.iter().map(Vec::as_slice)))
}

/// Test cases that may be changed, the smallest first.
fn bases(problem: &Problem) -> Result<Vec<Base>, StressError> {
    let mut bases = Vec::new();
    for (test_case, case) in TestCaseIndex::enumerate(&problem.test_cases) {
        // There is none where a problem has no test case at all.
        let size = std::fs::metadata(&case.input).map_or(u64::MAX, |metadata| metadata.len());
        if case.files.is_some() || size > LARGEST_BASE {
            continue;
        }
        bases.push(Base { test_case, input: read(&case.input)? });
    }
    bases.sort_by_key(|base| (base.input.len(), base.test_case));
    Ok(bases)
}
