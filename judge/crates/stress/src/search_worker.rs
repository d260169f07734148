//! A search worker: one thread's place to make an input, to validate it, and to try submissions on it.
//!
//! Responsible for the order of these and for asking no program in vain. Must not choose inputs, nor judge what is
//! worth reporting.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use judge_event::Picture;
use judge_exec::{
    AdhocInput, Data, Fault, Generation, InputQuestion, InputValidatorDecision, PreparedSubmission,
    ReadyInputValidator, ReadyProgram, Start, TestResult, Worker,
};
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};

use crate::failure_class::FailureClass;
use crate::finder::{Finder, Witness};
use crate::hunting::StressError;
use crate::inputs::template::GeneratorIndex;

/// The beginning of the names of the files that a generator leaves instead of writing to standard output.
const FILES: &str = "testcase.";
/// Calls that take longer are of the dearest kind in any case.
const LONGEST_PROBE: Duration = Duration::from_millis(500);
/// A call that was begun gets this much time, at least.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Programs that are ready, shared by all workers.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) generators: Vec<ReadyProgram>,
    /// With their names.
    pub(crate) validators: Vec<(String, ReadyInputValidator)>,
    /// The arguments of each input validator, by test case.
    pub(crate) input_args: Vec<Vec<Vec<String>>>,
    /// By index. Those that take no part are not in it.
    pub(crate) prepared_submissions: BTreeMap<SubmissionIndex, PreparedSubmission>,
    pub(crate) reference: SubmissionIndex,
    /// True when answers are outputs of the reference: in problems with one pass that are not interactive.
    pub(crate) answers: bool,
    /// True when the problem has an output validator of its own, which may find the reference wrong.
    pub(crate) own_validator: bool,
}

/// One thread's place.
pub(crate) struct SearchWorker<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) worker: Worker<'a>,
    pub(crate) trial: AdhocInput<'a>,
    /// The time of a generator's call, at most, and when the search is over.
    pub(crate) limit: Option<(Duration, Instant)>,
}

/// The behaviour of a submission that was seen on an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The submission's index.
    pub submission: SubmissionIndex,
    /// The class of its failure, or AC.
    pub class: FailureClass,
    /// All that is known of it.
    pub tried: TestResult,
}

impl Seen {
    /// Tells whether the output validator failed on the output.
    #[must_use]
    pub fn is_judge_error(&self) -> bool {
        self.class.verdict == Verdict::JudgeError
    }
}

/// The result of examining an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Examined {
    /// An input validator rejects it.
    Invalid,
    /// The reference does not get AC on it.
    Unusable(Box<TestResult>),
    /// The finder does not hold.
    Nothing,
    /// It holds; with what was seen, by submission.
    Found(Vec<Seen>),
    /// It was cancelled.
    Cancelled,
}

/// Why no more is known.
enum Missing {
    Cancelled,
    Failed(StressError),
}

impl<E: Into<StressError>> From<E> for Missing {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The memory of the results of submissions on one input.
struct Memory<'s, 'a> {
    search_worker: &'s mut SearchWorker<'a>,
    seen: BTreeMap<SubmissionIndex, (TestResult, u64)>,
}

impl Memory<'_, '_> {
    fn ask(&mut self, submission: SubmissionIndex) -> Result<&(TestResult, u64), Missing> {
        if !self.seen.contains_key(&submission) {
            let prepared = &self.search_worker.programs.prepared_submissions[&submission];
            let tried = self.search_worker.trial.run(prepared)?.ok_or(Missing::Cancelled)?;
            let words = hash_of_words(self.search_worker.trial.last_output());
            self.seen.insert(submission, (tried, words));
        }
        Ok(&self.seen[&submission])
    }
}

impl Witness for Memory<'_, '_> {
    type Error = Missing;

    fn verdict(&mut self, submission: SubmissionIndex) -> Result<Verdict, Missing> {
        self.ask(submission).map(|(tried, _)| tried.verdict)
    }

    fn output(&mut self, submission: SubmissionIndex) -> Result<u64, Missing> {
        self.ask(submission).map(|(_, words)| *words)
    }
}

fn hash_of_words(output: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    output.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

impl SearchWorker<'_> {
    /// Runs a generator; the inner `None` when it fails, as it does for arguments that make no sense.
    pub(crate) fn generate(
        &mut self,
        generator: GeneratorIndex,
        args: &[String],
    ) -> Result<Option<Vec<u8>>, StressError> {
        let program = &self.programs.generators[generator.0];
        let making = Generation { program, args, input: &[], leaves: None, time: self.time_of_call() };
        let Ok(made) = Fault::apart(self.worker.make(&making))? else { return Ok(None) };
        if !made.stdout.is_empty() {
            return Ok(Some(made.stdout));
        }
        let with_files = self.worker.make(&Generation { leaves: Some(FILES), ..making });
        let Ok(made) = Fault::apart(with_files)? else { return Ok(None) };
        Ok(made.files.get("testcase.in").cloned())
    }

    /// The CPU time of a generator's call: the median of these; `None` when it takes too long for knowing more exactly.
    pub(crate) fn cost(
        &mut self,
        generator: GeneratorIndex,
        calls: &[Vec<String>],
    ) -> Result<Option<Duration>, StressError> {
        let program = &self.programs.generators[generator.0];
        let mut times = Vec::new();
        for args in calls {
            let making = Generation { program, args, input: &[], leaves: None, time: Some(LONGEST_PROBE) };
            times.push(self.worker.time_of(&making)?);
        }
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied().filter(|time| *time < LONGEST_PROBE))
    }

    /// The time that a call may take: it has a share of that of the search, and a search that is over waits for none.
    fn time_of_call(&self) -> Option<Duration> {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now()).max(LEAST_TIME);
        self.limit.map(|(most, deadline)| most.min(left(deadline)))
    }

    /// True when an input is valid: all input validators accept it. `None` when it was cancelled.
    pub(crate) fn is_valid(&mut self, input: &[u8], like: TestCaseIndex) -> Result<Option<bool>, StressError> {
        for (index, (name, validator)) in self.programs.validators.iter().enumerate() {
            let args = self.programs.input_args.get(like.0).and_then(|args| args.get(index));
            let args = args.map(Vec::as_slice).unwrap_or_default();
            let question = InputQuestion { input: Data::Bytes(input), args, files: None, bounds: false };
            match self.worker.ask_input(validator, &question)?.decision {
                InputValidatorDecision::Accepted => {}
                InputValidatorDecision::Rejected { .. } => return Ok(Some(false)),
                InputValidatorDecision::JudgeError { reason } => {
                    return Err(StressError::Package(format!("the input validator `{name}` {reason}")));
                }
                InputValidatorDecision::Cancelled => return Ok(None),
            }
        }
        Ok(Some(true))
    }

    /// Sets how programs are started from now on. Only what comes of ordinary runs is told.
    pub(crate) fn start(&self, start: Start) {
        self.worker.start(start);
        self.trial.start(start);
    }

    /// Validates an input, has it answered, and asks the finder.
    pub(crate) fn examine(
        &mut self,
        input: &[u8],
        like: TestCaseIndex,
        finder: &Finder,
    ) -> Result<Examined, StressError> {
        match self.is_valid(input, like)? {
            None => return Ok(Examined::Cancelled),
            Some(false) => return Ok(Examined::Invalid),
            Some(true) => {}
        }
        match self.judge(input, like, finder) {
            Ok(examined) => Ok(examined),
            Err(Missing::Cancelled) => Ok(Examined::Cancelled),
            Err(Missing::Failed(error)) => Err(error),
        }
    }

    /// The same for an input that is known to be valid.
    fn judge(&mut self, input: &[u8], like: TestCaseIndex, finder: &Finder) -> Result<Examined, Missing> {
        if let Some(tried) = self.answer(input, like)? {
            return Ok(Examined::Unusable(Box::new(tried)));
        }
        let mut memory = Memory { search_worker: self, seen: BTreeMap::new() };
        if !finder.holds(&mut memory)? {
            return Ok(Examined::Nothing);
        }
        let reference = memory.search_worker.programs.reference;
        // An output is right when it is accepted with itself as the answer; the default validator accepts any such.
        if memory.search_worker.programs.own_validator {
            let (tried, _) = memory.ask(reference)?;
            if tried.verdict != Verdict::Accepted {
                return Ok(Examined::Unusable(Box::new(tried.clone())));
            }
        }
        let about = finder.submissions();
        let seen = memory.seen.into_iter().filter(|(submission, _)| about.contains(submission));
        let seen = seen.map(|(submission, (tried, _))| Seen { submission, class: FailureClass::of(&tried), tried });
        Ok(Examined::Found(seen.collect()))
    }

    /// Takes an input and has the reference answer it. What it did, if it does not answer.
    fn answer(&mut self, input: &[u8], like: TestCaseIndex) -> Result<Option<TestResult>, Missing> {
        self.trial.take(input, like)?;
        if !self.programs.answers {
            return Ok(None);
        }
        let reference = &self.programs.prepared_submissions[&self.programs.reference];
        let (tried, output) = self.trial.output(reference)?.ok_or(Missing::Cancelled)?;
        if tried.verdict != Verdict::Accepted {
            return Ok(Some(tried));
        }
        self.trial.answer(&output)?;
        Ok(None)
    }

    /// The pictures of what a submission writes for an input; none when the reference does not answer the input any more,
    /// or when it was cancelled.
    pub(crate) fn pictures(
        &mut self,
        input: &[u8],
        like: TestCaseIndex,
        submission: SubmissionIndex,
    ) -> Result<Vec<Picture>, StressError> {
        match self.answer(input, like) {
            Ok(None) => {}
            Ok(Some(_)) | Err(Missing::Cancelled) => return Ok(Vec::new()),
            Err(Missing::Failed(error)) => return Err(error),
        }
        let judged = self.trial.illustrated(&self.programs.prepared_submissions[&submission])?;
        Ok(judged.map(|judged| judged.pictures).unwrap_or_default())
    }

    /// The answer of the reference to an input; `None` where answers are no outputs, or when it does not answer.
    pub(crate) fn answer_of(&mut self, input: &[u8], like: TestCaseIndex) -> Result<Option<Vec<u8>>, StressError> {
        if !self.programs.answers {
            return Ok(None);
        }
        self.trial.take(input, like)?;
        let reference = &self.programs.prepared_submissions[&self.programs.reference];
        let answered = self.trial.output(reference)?;
        Ok(answered.filter(|(tried, _)| tried.verdict == Verdict::Accepted).map(|(_, output)| output))
    }
}
