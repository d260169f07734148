//! Search workers: each thread of a search has one to create inputs, validate them, and run
//! submissions on them.
//!
//! Responsible for the order of these runs, so that programs run only when their results are
//! needed. Must not choose inputs, nor decide what is reported.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use judge_event::Picture;
use judge_exec::{
    AdhocInput, Data, Fault, Generation, INPUT_VALIDATOR_CODES, InputQuestion,
    InputValidatorDecision, PreparedSubmission, ReadyInputValidator, ReadyProgram, Start,
    TestResult, Worker,
};
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};
use judge_sandbox::CancelToken;

use crate::error::StressError;
use crate::failure_class::FailureClass;
use crate::inputs::template::GeneratorIndex;
use crate::predicate::{Predicate, Witness};

/// The prefix of the names of files that a generator may write instead of standard output.
const FILE_PREFIX: &str = "testcase.";
/// The maximum CPU time of a probe. A call that takes longer belongs to the most expensive class.
const MAX_PROBE: Duration = Duration::from_millis(500);
/// The minimum time of a call after it has started.
const MIN_CALL_TIME: Duration = Duration::from_millis(500);

/// Prepared programs, shared by all workers.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) generators: Vec<ReadyProgram>,
    /// The input validators with their names.
    pub(crate) validators: Vec<(String, ReadyInputValidator)>,
    /// The arguments of each input validator, by test case.
    pub(crate) input_args: Vec<Vec<Vec<String>>>,
    /// The submissions that take part.
    pub(crate) prepared_submissions: BTreeMap<SubmissionIndex, PreparedSubmission>,
    pub(crate) reference: SubmissionIndex,
    /// True when answers are outputs of the reference: in problems with one pass that are not
    /// interactive.
    pub(crate) answers: bool,
    /// True when the problem has its own output validator, which may reject the reference.
    pub(crate) own_validator: bool,
}

/// The worker of one thread.
pub(crate) struct SearchWorker<'a> {
    pub(crate) programs: &'a Programs,
    /// Runs generators and input validators.
    pub(crate) data_worker: Worker<'a>,
    /// Runs submissions on the current input.
    pub(crate) adhoc: AdhocInput<'a>,
    /// The maximum time of a generator's call, and the deadline of the search.
    pub(crate) limit: Option<(Duration, Instant)>,
    /// Ends all runs.
    pub(crate) cancel: CancelToken,
}

/// The result of a submission on an input.
#[derive(Clone, Debug, PartialEq)]
pub struct InputResult {
    /// The index of the submission.
    pub submission: SubmissionIndex,
    /// The class of the failure, or AC.
    pub class: FailureClass,
    /// The complete result.
    pub result: TestResult,
}

impl InputResult {
    pub(crate) fn new(submission: SubmissionIndex, result: TestResult) -> Self {
        Self {
            submission,
            class: FailureClass::from(&result),
            result,
        }
    }

    /// Returns true when the output validator failed on the output.
    #[must_use]
    pub fn is_judge_error(&self) -> bool {
        self.class.verdict == Verdict::JudgeError
    }
}

/// The outcome of examining an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Examination {
    /// An input validator rejects it, for this reason.
    Invalid(String),
    /// The reference does not get AC on it.
    Unusable(Box<TestResult>),
    /// The output validator fails on an output.
    JudgeError(Box<TestResult>),
    /// The predicate does not hold.
    Nothing,
    /// The predicate holds. Contains the results of its submissions.
    Found(Vec<InputResult>),
    /// The examination was cancelled.
    Cancelled,
    /// It was cancelled while the reference was running.
    Unanswered,
}

impl Examination {
    /// An input on which this result makes it impossible to judge others.
    fn rejected(result: TestResult) -> Self {
        let is_judge_error = result.verdict == Verdict::JudgeError;
        let result = Box::new(result);
        if is_judge_error {
            Self::JudgeError(result)
        } else {
            Self::Unusable(result)
        }
    }
}

/// The reason why a result is missing.
enum NoResult {
    Cancelled,
    Failed(StressError),
}

impl<E: Into<StressError>> From<E> for NoResult {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Returns `None` for a result that was cancelled.
fn unless_cancelled<T>(result: Result<T, NoResult>) -> Result<Option<T>, StressError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(NoResult::Cancelled) => Ok(None),
        Err(NoResult::Failed(error)) => Err(error),
    }
}

/// The results of submissions on one input. Each submission runs once, when the predicate needs it.
struct InputResults<'s, 'a> {
    worker: &'s mut SearchWorker<'a>,
    /// The results, each with the hash of the words of the output.
    results: BTreeMap<SubmissionIndex, (TestResult, u64)>,
}

impl InputResults<'_, '_> {
    fn get(&mut self, submission: SubmissionIndex) -> Result<&(TestResult, u64), NoResult> {
        if !self.results.contains_key(&submission) {
            let prepared = &self.worker.programs.prepared_submissions[&submission];
            let result = self
                .worker
                .adhoc
                .run(prepared)?
                .ok_or(NoResult::Cancelled)?;
            // The next run overwrites the output, so its hash is computed now. It costs little
            // compared with the run.
            let words = hash_of_words(self.worker.adhoc.last_output());
            self.results.insert(submission, (result, words));
        }
        Ok(&self.results[&submission])
    }
}

impl Witness for InputResults<'_, '_> {
    type Error = NoResult;

    fn verdict(&mut self, submission: SubmissionIndex) -> Result<Verdict, NoResult> {
        self.get(submission).map(|(result, _)| result.verdict)
    }

    fn output(&mut self, submission: SubmissionIndex) -> Result<u64, NoResult> {
        self.get(submission).map(|(_, words)| *words)
    }
}

fn hash_of_words(output: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    output
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

impl SearchWorker<'_> {
    /// Runs a generator. Returns the reason in words when it fails, as it does for invalid
    /// arguments.
    pub(crate) fn generate(
        &mut self,
        generator: GeneratorIndex,
        args: &[String],
    ) -> Result<Result<Vec<u8>, String>, StressError> {
        let program = &self.programs.generators[generator.0];
        let generation = Generation {
            program,
            args,
            input: &[],
            leaves: None,
            time: self.call_time_limit(),
        };
        match Fault::apart(self.data_worker.make(&generation))? {
            Ok(made) if !made.stdout.is_empty() => return Ok(Ok(made.stdout)),
            Ok(_) => {}
            Err(refusal) => return Ok(Err(refusal.to_string())),
        }
        // Collecting files makes a run slower, and few generators write any, so the first run does
        // not collect them.
        let with_files = self.data_worker.make(&Generation {
            leaves: Some(FILE_PREFIX),
            ..generation
        });
        Ok(match Fault::apart(with_files)? {
            Ok(made) => made
                .files
                .get("testcase.in")
                .cloned()
                .ok_or_else(|| "wrote nothing".to_owned()),
            Err(refusal) => Err(refusal.to_string()),
        })
    }

    /// Returns the median CPU time of some calls of a generator, or `None` for the most expensive
    /// kind, which is not timed further.
    pub(crate) fn cost(
        &mut self,
        generator: GeneratorIndex,
        calls: &[Vec<String>],
    ) -> Result<Option<Duration>, StressError> {
        let program = &self.programs.generators[generator.0];
        let mut times = Vec::new();
        for args in calls {
            let generation = Generation {
                program,
                args,
                input: &[],
                leaves: None,
                time: Some(MAX_PROBE),
            };
            times.push(self.data_worker.time_of(&generation)?);
        }
        // With the median, a single disturbed call does not determine the class.
        times.sort_unstable();
        Ok(times
            .get(times.len() / 2)
            .copied()
            .filter(|time| *time < MAX_PROBE))
    }

    /// The maximum time of a call: its share of the search, but not much beyond the deadline.
    fn call_time_limit(&self) -> Option<Duration> {
        let left = |deadline: Instant| {
            deadline
                .saturating_duration_since(Instant::now())
                .max(MIN_CALL_TIME)
        };
        self.limit.map(|(max, deadline)| max.min(left(deadline)))
    }

    /// Runs the input validators on an input. Returns the reason if one does not accept it, and
    /// `None` when it was cancelled.
    fn validate(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
    ) -> Result<Option<Result<(), String>>, StressError> {
        for (index, (name, validator)) in self.programs.validators.iter().enumerate() {
            let args = self
                .programs
                .input_args
                .get(settings_case.0)
                .and_then(|args| args.get(index));
            let args = args.map(Vec::as_slice).unwrap_or_default();
            let question = InputQuestion {
                input: Data::Bytes(input),
                args,
                files: None,
                bounds: false,
            };
            match self.data_worker.ask_input(validator, &question)?.decision {
                InputValidatorDecision::Accepted => {}
                InputValidatorDecision::Rejected { how, is_as_agreed } => {
                    let rule = if is_as_agreed {
                        String::new()
                    } else {
                        format!("; {INPUT_VALIDATOR_CODES}")
                    };
                    return Ok(Some(Err(format!(
                        "is invalid: the input validator `{name}` {how}{rule}"
                    ))));
                }
                InputValidatorDecision::JudgeError { reason } => {
                    return Err(StressError::Package(format!(
                        "the input validator `{name}` {reason}"
                    )));
                }
                InputValidatorDecision::Cancelled => return Ok(None),
            }
        }
        Ok(Some(Ok(())))
    }

    /// Sets the token that ends all runs from now on.
    pub(crate) fn set_cancel(&mut self, cancel: &CancelToken) {
        self.data_worker.set_cancel(cancel.clone());
        self.adhoc.set_cancel(cancel.clone());
        self.cancel = cancel.clone();
    }

    /// Sets how programs are started from now on. Only results of ordinary starts are reported.
    pub(crate) fn start(&self, start: Start) {
        self.data_worker.start(start);
        self.adhoc.start(start);
    }

    /// Validates an input, runs the reference on it, and evaluates the predicate.
    pub(crate) fn examine(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
        predicate: &Predicate,
    ) -> Result<Examination, StressError> {
        match self.validate(input, settings_case)? {
            None => Ok(Examination::Cancelled),
            Some(Err(why)) => Ok(Examination::Invalid(why)),
            Some(Ok(())) => {
                let examination =
                    unless_cancelled(self.examine_valid(input, settings_case, predicate))?;
                Ok(examination.unwrap_or(Examination::Cancelled))
            }
        }
    }

    fn examine_valid(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
        predicate: &Predicate,
    ) -> Result<Examination, NoResult> {
        // The reference runs before the others: without its answer no output can be checked.
        match self.answer(input, settings_case) {
            Ok(Ok(_)) => {}
            Ok(Err(result)) => return Ok(Examination::rejected(result)),
            Err(NoResult::Cancelled) => return Ok(Examination::Unanswered),
            Err(failed) => return Err(failed),
        }
        let mut results = InputResults {
            worker: self,
            results: BTreeMap::new(),
        };
        if !predicate.holds(&mut results)? {
            // An output validator that fails gives every submission the same verdict, which says
            // nothing about them.
            let mut results = results.results.into_values().map(|(result, _)| result);
            let failed = results.find(|result| result.verdict == Verdict::JudgeError);
            return Ok(failed.map_or(Examination::Nothing, Examination::rejected));
        }
        let reference = results.worker.programs.reference;
        // The reference is right when its output is accepted with itself as the answer. The default
        // validator always accepts in this case, so only other validators run.
        if results.worker.programs.own_validator {
            let (result, _) = results.get(reference)?;
            if result.verdict != Verdict::Accepted {
                return Ok(Examination::rejected(result.clone()));
            }
        }
        // The reference may have run only for this check. A finding has only the results of the
        // predicate.
        let about = predicate.submissions();
        let found = results
            .results
            .into_iter()
            .filter(|(submission, _)| about.contains(submission));
        Ok(Examination::Found(
            found
                .map(|(submission, (result, _))| InputResult::new(submission, result))
                .collect(),
        ))
    }

    /// Sets the current input and runs the reference on it. Returns the answer, if answers are
    /// outputs, or the result of the reference if that is not AC.
    fn answer(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
    ) -> Result<Result<Option<Vec<u8>>, TestResult>, NoResult> {
        self.adhoc.take(input, settings_case)?;
        if !self.programs.answers {
            return Ok(Ok(None));
        }
        let reference = &self.programs.prepared_submissions[&self.programs.reference];
        let (result, output) = self.adhoc.output(reference)?.ok_or(NoResult::Cancelled)?;
        if result.verdict != Verdict::Accepted {
            return Ok(Err(result));
        }
        self.adhoc.answer(&output)?;
        Ok(Ok(Some(output)))
    }

    /// Returns the answer of the reference to an input, or `None` when answers are not outputs or
    /// the reference gave no answer.
    pub(crate) fn answer_of(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
    ) -> Result<Option<Vec<u8>>, StressError> {
        let answer = unless_cancelled(self.answer(input, settings_case))?;
        Ok(answer.and_then(Result::ok).flatten())
    }

    /// Returns the pictures of a submission's output for an input. Empty when the reference does
    /// not answer the input this time, or when it was cancelled.
    pub(crate) fn pictures(
        &mut self,
        input: &[u8],
        settings_case: TestCaseIndex,
        submission: SubmissionIndex,
    ) -> Result<Vec<Picture>, StressError> {
        let Some(Ok(_)) = unless_cancelled(self.answer(input, settings_case))? else {
            return Ok(Vec::new());
        };
        let result = self
            .adhoc
            .illustrated(&self.programs.prepared_submissions[&submission])?;
        Ok(result.map(|result| result.pictures).unwrap_or_default())
    }
}
