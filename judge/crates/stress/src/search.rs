//! Searches: inputs in the order of their numbers, distributed to threads, until a predicate holds
//! or a limit is reached.
//!
//! Responsible for stopping, and for findings that depend only on the seed and the number of
//! inputs, but not on the number of threads. Must not know how an input is created or examined.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_event::{InputTally, SearchEnd};
use judge_exec::{ExecError, Start, TestResult};
use judge_model::{SubmissionIndex, TestCaseIndex, Verdict};
use judge_sandbox::CancelToken;

use crate::error::StressError;
use crate::input_sources::Origin;
use crate::inputs::shrinking::hash_of;
use crate::inputs::source::Recipe;
use crate::inputs::template::{GeneratorIndex, Template, TemplateIndex};
use crate::predicate::Predicate;
use crate::session::SearchSession;
use crate::worker::{Examination, InputResult, SearchWorker};

/// The maximum number of inputs whose hashes are stored to recognize repeated ones.
const MAX_STORED_HASHES: usize = 4_000_000;
/// The interval of progress reports.
const TICK: Duration = Duration::from_millis(100);
/// The time after the deadline in which inputs that were begun are finished. A program that runs
/// into its own limit would take much longer.
const OVERTIME: Duration = Duration::from_secs(1);
/// The divisor of the search time that bounds a generator's call, within the following bounds.
const SHARE_OF_CALL: u32 = 16;
const MIN_CALL_TIME: Duration = Duration::from_secs(1);
const MAX_CALL_TIME: Duration = Duration::from_secs(10);

/// A search: its predicate, and its limits.
#[derive(Clone, Debug)]
pub struct Search<'f> {
    /// The predicate that must hold for an input.
    pub predicate: &'f Predicate,
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of the first input.
    pub from: u64,
    /// The maximum number of inputs.
    pub inputs: Option<NonZero<u64>>,
    /// The maximum time.
    pub time: Option<Duration>,
    /// The submission for which the slowest input is reported.
    pub slowest: Option<SubmissionIndex>,
}

impl<'f> Search<'f> {
    /// The number after the last input.
    fn end(&self) -> Option<u64> {
        let inputs = self.inputs?;
        Some(self.from.saturating_add(inputs.get()))
    }

    /// Creates a search for one finding, from the first input on.
    #[must_use]
    pub fn within(time: Duration, predicate: &'f Predicate, seed: u64) -> Self {
        Self {
            predicate,
            seed,
            from: 0,
            inputs: None,
            time: Some(time),
            slowest: None,
        }
    }
}

/// An input for which the predicate holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The number of the input under the seed of the search.
    pub number: u64,
    /// The origin of the input.
    pub origin: Origin,
    /// The input.
    pub input: Vec<u8>,
    /// The index of the test case that provides the arguments.
    pub settings_case: TestCaseIndex,
    /// The results of the predicate's submissions, by submission.
    pub results: Vec<InputResult>,
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// The findings. A search has at most one, the first by number.
    pub findings: Vec<Finding>,
    /// The reason why the search ended.
    pub end: SearchEnd,
    /// The tally of the inputs.
    pub tally: InputTally,
    /// The number of the first input that was not examined, where the next search continues.
    pub next: u64,
    /// The elapsed time.
    pub elapsed: Duration,
    /// An input that the reference does not answer, with its result, if there was one.
    pub unusable: Option<(Finding, TestResult)>,
    /// An input with an output on which the output validator fails, with the result, if there was
    /// one.
    pub judge_error: Option<(Finding, TestResult)>,
    /// The number of inputs that the reference was still running on at the end of the time.
    pub unanswered: u64,
    /// A call that its generator refused or an input that a validator rejected, with the reason, if
    /// there was one.
    pub refused: Option<(Origin, String)>,
    /// The first input of each generator.
    pub(crate) samples: Vec<Sample>,
    /// The slowest input of the submission in [`Search::slowest`].
    pub slowest: Option<Finding>,
}

/// A call of a generator, and the input that it created.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) number: u64,
    pub(crate) generator: GeneratorIndex,
    pub(crate) args: Vec<String>,
    pub(crate) input: Vec<u8>,
}

/// An attempt to create an input.
struct CreatedInput {
    origin: Origin,
    /// The test case that provides the arguments.
    settings_case: TestCaseIndex,
    /// The input, or the reason why the generator failed.
    input: Result<Vec<u8>, String>,
}

/// Returns true when both contain the same submissions with the same classes.
pub(crate) fn is_same(one: &[InputResult], other: &[InputResult]) -> bool {
    let same = |(one, other): (&InputResult, &InputResult)| {
        one.submission == other.submission && one.class == other.class
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// The state that the threads of a search share.
struct Shared {
    next: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tally: InputTally,
    /// The templates with a call that created a valid input.
    templates: BTreeSet<TemplateIndex>,
    /// The hashes of the inputs so far.
    hashes: HashSet<u64>,
    finding: Option<Finding>,
    unusable: Option<(Finding, TestResult)>,
    judge_error: Option<(Finding, TestResult)>,
    /// The refused call or rejected input with the smallest number, and the reason.
    refused: Option<(u64, Origin, String)>,
    samples: BTreeMap<GeneratorIndex, Sample>,
    slowest: Option<(Duration, Finding)>,
    was_cancelled: bool,
    /// True when an input that was begun was left out at the end of the time.
    was_overdue: bool,
    /// The number of these on which the reference was running.
    unanswered: u64,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchSession<'_> {
    /// Searches for an input that meets the predicate. `on_progress` receives the progress several
    /// times a second.
    ///
    /// With a maximum number of inputs and no maximum time, the findings depend only on the seed.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn search(
        &self,
        search: &Search<'_>,
        on_progress: &mut dyn FnMut(&InputTally, Duration),
    ) -> Result<SearchOutcome, StressError> {
        let started = Instant::now();
        let state = State {
            tally: self.tally(),
            ..State::default()
        };
        let shared = Shared {
            next: AtomicU64::new(search.from),
            state: Mutex::new(state),
        };
        let deadline = search.time.map(|time| started + time);
        let max_call = search
            .time
            .map(|time| (time / SHARE_OF_CALL).clamp(MIN_CALL_TIME, MAX_CALL_TIME));
        let cancel = CancelToken::new().map_err(ExecError::from)?;
        self.crew.until(
            |core| {
                let mut worker = SearchWorker {
                    limit: max_call.zip(deadline),
                    ..self.worker(core)?
                };
                worker.set_cancel(&cancel);
                Ok(worker)
            },
            |worker| self.next(worker, search, deadline, &shared),
            TICK,
            || {
                let is_overdue = deadline.is_some_and(|end| Instant::now() >= end + OVERTIME);
                if is_overdue || self.cancel.is_cancelled() {
                    cancel.cancel();
                }
                let tally = shared.state().tally();
                on_progress(&tally, started.elapsed());
            },
        )?;
        let next = shared.next.into_inner();
        let state = shared
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(state.conclude(search, next, self.crew.threads() as u64, started.elapsed()))
    }

    /// Creates and examines the next input. Returns false when all inputs are used up or no more
    /// are needed.
    fn next(
        &self,
        worker: &mut SearchWorker<'_>,
        search: &Search<'_>,
        deadline: Option<Instant>,
        shared: &Shared,
    ) -> Result<bool, StressError> {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok(false);
        }
        let number = shared.next.fetch_add(1, Ordering::AcqRel);
        if let Some(end) = search.end().filter(|end| number >= *end) {
            // Every thread takes one number too many before it stops. The number is returned, since
            // the next search continues there.
            shared.next.fetch_min(end, Ordering::AcqRel);
            return Ok(false);
        }
        if !self.examine_number(worker, search, number, shared)? {
            let mut state = shared.state();
            if self.cancel.is_cancelled() || deadline.is_none() {
                state.was_cancelled = true;
            } else {
                state.was_overdue = true;
            }
            return Ok(false);
        }
        Ok(shared.state().finding.is_none())
    }

    /// Creates and examines one input. Returns false when it was cancelled.
    fn examine_number(
        &self,
        worker: &mut SearchWorker<'_>,
        search: &Search<'_>,
        number: u64,
        shared: &Shared,
    ) -> Result<bool, StressError> {
        shared.state().tally.inputs += 1;
        worker.start(Start::Warm);
        let Some(CreatedInput {
            origin,
            settings_case,
            input,
        }) = self.make(worker, search.seed, number)?
        else {
            return Ok(false);
        };
        let input = match input {
            Ok(input) => input,
            Err(_) if worker.cancel.is_cancelled() => return Ok(false),
            Err(why) => {
                let mut state = shared.state();
                state.tally.refused += 1;
                state.add_refused(number, origin, why);
                return Ok(true);
            }
        };
        shared.state().add_sample(number, &origin, &input);
        // Small arguments are often repeated. Programs run only on new inputs.
        if shared.state().is_repeated(&input) {
            return Ok(true);
        }
        let examination = worker.examine(&input, settings_case, search.predicate);
        // From here on, programs are started ordinarily. A failure that they do not confirm was
        // caused by the host or by a warm start.
        worker.start(Start::Ordinary);
        let examination = match examination {
            Ok(Examination::Found(first)) => {
                match worker.examine(&input, settings_case, search.predicate)? {
                    Examination::Found(second) if is_same(&first, &second) => {
                        Examination::Found(second)
                    }
                    Examination::Cancelled | Examination::Unanswered => return Ok(false),
                    _ => Examination::Nothing,
                }
            }
            // A program that is too slow in a warm run is not faster in an ordinary one.
            Ok(Examination::Unusable(result)) if result.verdict == Verdict::TimeLimitExceeded => {
                Examination::Unusable(result)
            }
            // A fault of the package is also reported only after an ordinary run.
            Ok(Examination::Unusable(_) | Examination::JudgeError(_)) | Err(_) => {
                worker.examine(&input, settings_case, search.predicate)?
            }
            Ok(other) => other,
        };
        let finding = Finding {
            number,
            origin,
            input,
            settings_case,
            results: Vec::new(),
        };
        if let (Examination::Nothing | Examination::Found(_), Some(submission)) =
            (&examination, search.slowest)
        {
            self.time(worker, submission, &finding, shared)?;
        }
        Ok(shared.state().record(finding, examination))
    }

    /// Creates an input. Returns `None` only without any source.
    fn make(
        &self,
        worker: &mut SearchWorker<'_>,
        seed: u64,
        number: u64,
    ) -> Result<Option<CreatedInput>, StressError> {
        Ok(match self.source.recipe(seed, number) {
            None => None,
            Some(Recipe::Changed { base, input }) => {
                let test_case = self.source.bases[base].test_case;
                Some(CreatedInput {
                    origin: Origin::Changed { test_case },
                    settings_case: test_case,
                    input: Ok(input),
                })
            }
            Some(Recipe::Call { template, args }) => {
                let Template {
                    generator,
                    settings_case,
                    ..
                } = self.source.templates[template.0];
                let input = worker.generate(generator, &args)?;
                Some(CreatedInput {
                    origin: Origin::Call {
                        generator,
                        args,
                        template,
                    },
                    settings_case,
                    input,
                })
            }
        })
    }

    /// Stores an input on which a submission is slower than on all inputs before. The submission
    /// runs twice, and the smaller time counts.
    fn time(
        &self,
        worker: &mut SearchWorker<'_>,
        submission: SubmissionIndex,
        finding: &Finding,
        shared: &Shared,
    ) -> Result<(), StressError> {
        let prepared = &self.programs.prepared_submissions[&submission];
        let mut fastest: Option<(Duration, TestResult)> = None;
        for _ in 0..2 {
            // No lock is held while a program runs: the slowest input so far may change
            // meanwhile, and is compared again below.
            let Some(result) = worker.adhoc.run(prepared)? else {
                return Ok(());
            };
            let time = result.outcome.usage.cpu_time;
            // The second run is not needed when the first is already fast.
            if !shared.state().is_slowest(time) {
                return Ok(());
            }
            if fastest.as_ref().is_none_or(|(fastest, _)| time < *fastest) {
                fastest = Some((time, result));
            }
        }
        let Some((time, result)) = fastest else {
            return Ok(());
        };
        let mut state = shared.state();
        if state.is_slowest(time) {
            let slowest = Finding {
                results: vec![InputResult::new(submission, result)],
                ..finding.clone()
            };
            state.slowest = Some((time, slowest));
        }
        Ok(())
    }
}

impl State {
    fn tally(&self) -> InputTally {
        InputTally {
            kinds_reached: self.templates.len() as u64,
            findings: u64::from(self.finding.is_some()),
            ..self.tally.clone()
        }
    }

    /// Returns true for a longer time than on all inputs so far.
    fn is_slowest(&self, time: Duration) -> bool {
        let slowest = self.slowest.as_ref();
        slowest.is_none_or(|(slowest, _)| *slowest < time)
    }

    /// Returns true when an input occurred before.
    fn is_repeated(&mut self, input: &[u8]) -> bool {
        let hash = hash_of(input);
        if self.hashes.contains(&hash) {
            self.tally.repeated += 1;
            return true;
        }
        // A search of hours must not fill the memory. Beyond this number, repeated inputs are
        // examined again.
        if self.hashes.len() < MAX_STORED_HASHES {
            self.hashes.insert(hash);
        }
        false
    }

    /// Counts an input by the result of examining it. Returns false when it was cancelled.
    fn record(&mut self, mut finding: Finding, examination: Examination) -> bool {
        // A kind of calls is covered when one of its inputs was valid, regardless of the
        // submissions.
        if let (Origin::Call { template, .. }, false) = (
            &finding.origin,
            matches!(examination, Examination::Invalid(_)),
        ) {
            self.templates.insert(*template);
        }
        match examination {
            Examination::Cancelled => return false,
            Examination::Unanswered => {
                self.unanswered += 1;
                return false;
            }
            Examination::Invalid(why) => {
                self.tally.invalid += 1;
                self.add_refused(finding.number, finding.origin, why);
            }
            Examination::Unusable(result) => {
                self.tally.unusable += 1;
                self.unusable.get_or_insert((finding, *result));
            }
            Examination::JudgeError(result) => {
                self.judge_error.get_or_insert((finding, *result));
            }
            Examination::Nothing => self.tally.judged_inputs += 1,
            Examination::Found(results) => {
                self.tally.judged_inputs += 1;
                finding.results = results;
                self.add(finding);
            }
        }
        true
    }

    /// Adds a finding. Threads finish out of order, so the one with the smallest number is kept.
    fn add(&mut self, finding: Finding) {
        if self
            .finding
            .as_ref()
            .is_none_or(|other| finding.number < other.number)
        {
            self.finding = Some(finding);
        }
    }

    fn add_refused(&mut self, number: u64, origin: Origin, why: String) {
        if self
            .refused
            .as_ref()
            .is_none_or(|(other, ..)| number < *other)
        {
            self.refused = Some((number, origin, why));
        }
    }

    fn add_sample(&mut self, number: u64, origin: &Origin, input: &[u8]) {
        let Origin::Call {
            generator, args, ..
        } = origin
        else {
            return;
        };
        if self
            .samples
            .get(generator)
            .is_none_or(|other| number < other.number)
        {
            let sample = Sample {
                number,
                generator: *generator,
                args: args.clone(),
                input: input.to_vec(),
            };
            self.samples.insert(*generator, sample);
        }
    }

    fn conclude(
        self,
        search: &Search<'_>,
        next: u64,
        jobs: u64,
        elapsed: Duration,
    ) -> SearchOutcome {
        let mut tally = self.tally();
        // Next to inputs with results, these were only cut off at the end.
        if tally.judged_inputs == 0 && !self.was_cancelled {
            tally.unusable += self.unanswered;
        }
        // Threads take numbers in order and finish them, so every input before a finding was
        // examined.
        let found = self.finding.as_ref().map(|finding| finding.number);
        let all_examined = search.end().is_some_and(|end| next >= end);
        let end = match (found, self.was_cancelled, all_examined) {
            (Some(_), ..) => SearchEnd::Found,
            (_, true, _) => SearchEnd::Interrupted,
            (_, _, true) if !self.was_overdue => SearchEnd::Inputs,
            _ => SearchEnd::Time,
        };
        let next = match (end, found) {
            // Inputs after a finding may have been left out.
            (SearchEnd::Found, Some(found)) => found + 1,
            // Inputs that were started may have been left out.
            (SearchEnd::Interrupted, _) => next.saturating_sub(jobs).max(search.from),
            (SearchEnd::Time, _) if self.was_overdue => next.saturating_sub(jobs).max(search.from),
            _ => next,
        };
        SearchOutcome {
            next,
            findings: self.finding.into_iter().collect(),
            end,
            tally,
            elapsed,
            unusable: self.unusable,
            judge_error: self.judge_error,
            unanswered: self.unanswered,
            refused: self.refused.map(|(_, origin, why)| (origin, why)),
            samples: self.samples.into_values().collect(),
            slowest: self.slowest.map(|(_, finding)| finding),
        }
    }
}
