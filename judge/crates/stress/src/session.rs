//! The session of a search: a problem with all programs prepared.
//!
//! Responsible for preparing generators, validators and submissions, and for reading the test cases
//! to mutate. Must not know how inputs are distributed to threads, nor how one is examined.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_event::InputTally;
use judge_exec::{
    AdhocInput, Crew, Environment, ExecError, Fault, Random, Refusal, Session, TimedProblem,
    regular_file,
};
use judge_model::{OutputValidator, Problem, ProblemIndex, SubmissionIndex, TestCaseIndex};
use judge_sandbox::CancelToken;

use crate::error::StressError;
use crate::input_sources::InputSources;
use crate::inputs::costs::{CostSetting, Costs};
use crate::inputs::literals::literals;
use crate::inputs::source::{Base, Source};
use crate::worker::{Programs, SearchWorker};

/// The maximum size of a test case that is mutated, in bytes. Larger ones take long and rarely lead
/// to a finding.
const MAX_BASE_BYTES: u64 = 64 << 10;
/// The maximum size of a source that is searched for words, in bytes.
const MAX_SOURCE_BYTES: u64 = 256 << 20;
/// The number of calls of each kind that are timed to find its cost class.
const PROBES: u64 = 3;

/// The specification of a search: the problem, and the sources of inputs.
pub struct SearchSpec<'i> {
    /// The problem with every submission that takes part and at least one test case: inputs that
    /// belong to no test case get the arguments of the first one.
    pub problem: TimedProblem,
    /// The index of the submission that writes the answers.
    pub reference: SubmissionIndex,
    /// The submissions under examination. The words and numbers in their sources become parts of
    /// inputs.
    pub subjects: BTreeSet<SubmissionIndex>,
    /// The sources of inputs.
    pub inputs: &'i InputSources,
    /// The arguments of each input validator, by test case; may be empty.
    pub input_args: Vec<Vec<Vec<String>>>,
    /// The costs of the kinds of calls.
    pub costs: CostSetting,
}

/// A problem that is prepared for any number of searches.
pub struct SearchSession<'a> {
    /// Runs generators and input validators.
    data_session: &'a Session,
    /// Runs submissions.
    pub(crate) session: Session,
    pub(crate) problem: Arc<Problem>,
    pub(crate) time_limit: Duration,
    pub(crate) programs: Programs,
    pub(crate) source: Source,
    pub(crate) crew: Crew,
    pub(crate) cancel: CancelToken,
}

impl<'a> SearchSession<'a> {
    /// Prepares everything except the submissions that are examined. `data_session` must be opened
    /// with the languages of the generators and input validators, and with the package's directory.
    ///
    /// # Errors
    /// Faults of the host, and programs of the package that cannot be prepared.
    pub fn open(
        spec: SearchSpec<'_>,
        data_session: &'a Session,
        environment: &Environment,
    ) -> Result<Self, StressError> {
        let SearchSpec {
            problem: timed,
            reference,
            subjects,
            inputs,
            input_args,
            costs,
        } = spec;
        let (problem, time_limit) = (Arc::clone(&timed.problem), timed.time_limit);
        let mut worker = data_session.worker(None).for_search();
        let mut generators = Vec::with_capacity(inputs.generators.len());
        for generator in &inputs.generators {
            generators.push(worker.maker(&problem, generator, "generator")?);
        }
        let mut validators = Vec::new();
        for program in &problem.input_validators {
            validators.push((
                program.name.clone(),
                worker.input_validator(&problem, program)?,
            ));
        }
        // Without a validator, most mutated test cases would be invalid without being detected.
        let bases = if inputs.change_test_cases && !validators.is_empty() {
            bases(&problem)?
        } else {
            Vec::new()
        };
        let literals = if bases.is_empty() {
            Vec::new()
        } else {
            source_literals(&problem, &subjects)?
        };
        let programs = Programs {
            generators,
            validators,
            input_args,
            prepared_submissions: BTreeMap::new(),
            reference,
            answers: !problem.interactive && problem.passes == 1,
            own_validator: matches!(problem.output_validator, OutputValidator::Custom(_)),
        };
        let mut session = Self {
            data_session,
            session: Session::open(vec![timed], environment, false)?,
            problem,
            time_limit,
            programs,
            source: Source {
                templates: inputs.templates.clone(),
                costs: Costs::default(),
                bases,
                literals,
            },
            crew: environment.crew(),
            cancel: environment.cancel.clone(),
        };
        session.prepare(reference).map_err(|fault| {
            fault
                .refusal()
                .map_or_else(StressError::Runner, StressError::Reference)
        })?;
        session.source.costs = session.costs(costs)?;
        Ok(session)
    }

    /// Returns the given costs of the kinds of calls, or measures them.
    fn costs(&self, setting: CostSetting) -> Result<Costs, StressError> {
        let templates = &self.source.templates;
        match setting {
            CostSetting::Given(given) if given.kinds() != templates.len() => {
                Err(StressError::Costs {
                    given: given.kinds(),
                    kinds: templates.len(),
                })
            }
            CostSetting::Given(given) => Ok(given),
            CostSetting::Measured if templates.len() > 1 => {
                let times = self.each(templates, |worker, template| {
                    let draw = |number| template.draw(&mut Random::for_number(0, number), number);
                    let calls: Vec<Vec<String>> = (0..PROBES).map(draw).collect();
                    worker.cost(template.generator, &calls)
                })?;
                Ok(times.map_or_else(
                    || Costs::equal(templates.len()),
                    |times| Costs::from_times(&times),
                ))
            }
            CostSetting::Measured | CostSetting::Equal => Ok(Costs::equal(templates.len())),
        }
    }

    /// The costs of the kinds of calls, if they differ.
    #[must_use]
    pub fn differing_costs(&self) -> Option<String> {
        Some(self.source.costs.to_string()).filter(|_| self.source.costs.differ())
    }

    /// Prepares a submission. Submissions in a predicate must be prepared.
    ///
    /// # Errors
    /// When it cannot be run because of a fault of the submission, the package or the host.
    pub fn prepare(&mut self, submission: SubmissionIndex) -> Result<(), Fault> {
        if !self.programs.prepared_submissions.contains_key(&submission) {
            let prepared = self
                .session
                .adhoc_input(ProblemIndex(0), None)?
                .for_search()
                .prepare_submission(submission)?;
            self.programs
                .prepared_submissions
                .insert(submission, prepared);
        }
        Ok(())
    }

    /// Prepares several submissions on every core. Returns the refusal of each that cannot be run.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn prepare_all(
        &mut self,
        submissions: &[SubmissionIndex],
    ) -> Result<Vec<Result<(), Refusal>>, StressError> {
        let begin = |core| {
            self.session
                .adhoc_input(ProblemIndex(0), core)
                .map(AdhocInput::for_search)
        };
        let prepared = self.crew.each(
            submissions,
            begin,
            |adhoc: &mut AdhocInput<'_>, submission| {
                let prepared = adhoc.prepare_submission(*submission);
                Fault::apart(prepared).map(Some)
            },
        )?;
        let mut results = Vec::new();
        for (submission, prepared) in submissions.iter().zip(prepared.unwrap_or_default()) {
            results.push(prepared.map(|prepared| {
                let programs = &mut self.programs.prepared_submissions;
                drop(programs.insert(*submission, prepared));
            }));
        }
        Ok(results)
    }

    /// Returns true when there is a source of inputs.
    #[must_use]
    pub fn has_inputs(&self) -> bool {
        !self.source.is_empty()
    }

    /// Returns true when inputs are validated.
    #[must_use]
    pub fn validates(&self) -> bool {
        !self.programs.validators.is_empty()
    }

    /// The tally before the first input. It contains the numbers of the sources of inputs.
    #[must_use]
    pub fn tally(&self) -> InputTally {
        InputTally {
            kinds: self.source.templates.len() as u64,
            bases: self.source.bases.len() as u64,
            ..InputTally::default()
        }
    }

    /// Runs some work for each item on every core, and returns the results in the order of the
    /// items, or `None` when it was cancelled.
    pub(crate) fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        work: impl Fn(&mut SearchWorker<'_>, &I) -> Result<T, StressError> + Sync,
    ) -> Result<Option<Vec<T>>, StressError> {
        self.crew.each(
            items,
            |core| self.worker(core),
            |worker, item| work(worker, item).map(Some),
        )
    }

    pub(crate) fn worker(&self, core: Option<usize>) -> Result<SearchWorker<'_>, StressError> {
        Ok(SearchWorker {
            programs: &self.programs,
            data_worker: self.data_session.worker(None).for_search(),
            adhoc: self
                .session
                .adhoc_input(ProblemIndex(0), core)?
                .for_search(),
            limit: None,
            cancel: self.cancel.clone(),
        })
    }
}

fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>, StressError> {
    Ok(regular_file::read(path, max_bytes).map_err(ExecError::io("read", path))?)
}

/// The words and numbers in the sources of these submissions and of the input validators.
fn source_literals(
    problem: &Problem,
    subjects: &BTreeSet<SubmissionIndex>,
) -> Result<Vec<Vec<u8>>, StressError> {
    let files = |path: &Path, sources: &[PathBuf]| -> Vec<PathBuf> {
        if path.is_dir() {
            sources.iter().map(|source| path.join(source)).collect()
        } else {
            vec![path.to_owned()]
        }
    };
    let submissions = subjects
        .iter()
        .filter_map(|index| problem.submissions.get(index.0));
    let submissions =
        submissions.flat_map(|submission| files(&submission.path, &submission.sources));
    let validators = problem
        .input_validators
        .iter()
        .flat_map(|program| files(&program.path, &program.sources));
    let sources = submissions
        .chain(validators)
        .map(|path| read(&path, MAX_SOURCE_BYTES));
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    Ok(literals(sources.iter().map(Vec::as_slice)))
}

/// The test cases to mutate, the smallest first.
fn bases(problem: &Problem) -> Result<Vec<Base>, StressError> {
    let mut bases = Vec::new();
    for (test_case, case) in TestCaseIndex::enumerate(&problem.test_cases) {
        // The placeholder in a problem without test cases has no input.
        let size = std::fs::metadata(&case.input).map_or(u64::MAX, |metadata| metadata.len());
        if case.files.is_none() && size <= MAX_BASE_BYTES {
            bases.push(Base {
                test_case,
                input: read(&case.input, MAX_SOURCE_BYTES)?,
            });
        }
    }
    bases.sort_by_key(|base| (base.input.len(), base.test_case));
    Ok(bases)
}
