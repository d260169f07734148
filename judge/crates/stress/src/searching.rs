//! Searching: many inputs, each made and looked at by one thread of a crew.
//!
//! Responsible for what is found not hanging on the number of threads, and for when to stop. Must not know how an input
//! is drawn or judged.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_event::{InputTally, SearchEnd};
use judge_exec::{Start, TestResult};
use judge_model::{SubmissionIndex, TestCaseIndex};

use crate::failure_class::FailureClass;
use crate::hunting::{Hunt, StressError};
use crate::inputs::source::Recipe;
use crate::inputs::template::{Template, TemplateIndex};
use crate::search::{Finding, Origin, Search, Searched, is_same};
use crate::search_worker::{Examined, SearchWorker, Seen};

/// The number of inputs that are remembered, so that repeated ones are recognized.
const REMEMBERED: usize = 4_000_000;
const TICK: Duration = Duration::from_millis(100);
/// A generator's call that takes longer than this share of the search is refused, within these bounds.
const SHARE_OF_CALL: u32 = 16;
const LEAST_TIME_OF_CALLS: Duration = Duration::from_secs(1);
const MOST_TIME_OF_CALLS: Duration = Duration::from_secs(10);

/// The state that the threads of a search share.
struct Shared {
    next: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tally: InputTally,
    templates: BTreeSet<TemplateIndex>,
    /// By the hash of the input: the smallest number that it came with.
    known: HashMap<u64, u64>,
    findings: Vec<Finding>,
    unusable: Option<(Finding, TestResult)>,
    slowest: Option<(Duration, Finding)>,
    was_cancelled: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hunt<'_> {
    /// Looks for inputs. `on_progress` gets the progress several times a second.
    ///
    /// With a number of inputs and no time, what is found hangs on the seed alone.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn search(
        &self,
        search: &Search<'_>,
        on_progress: &mut dyn FnMut(&InputTally, Duration),
    ) -> Result<Searched, StressError> {
        let started = Instant::now();
        let state = State { tally: self.tally(), ..State::default() };
        let shared = Shared { next: AtomicU64::new(search.from), state: Mutex::new(state) };
        let deadline = search.time.map(|time| started + time);
        let limit = search
            .time
            .zip(deadline)
            .map(|(time, deadline)| ((time / SHARE_OF_CALL).clamp(LEAST_TIME_OF_CALLS, MOST_TIME_OF_CALLS), deadline));
        self.crew.until(
            |core| Ok(SearchWorker { limit, ..self.search_worker(core)? }),
            |search_worker| self.next(search_worker, search, deadline, &shared),
            TICK,
            || {
                let tally = shared.state().tally();
                on_progress(&tally, started.elapsed());
            },
        )?;
        let next = shared.next.into_inner();
        let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(state.conclude(search, next, self.crew.threads() as u64, started.elapsed()))
    }

    /// Makes the next input and looks at it. False when there is no next one, or none is needed any more.
    fn next(
        &self,
        search_worker: &mut SearchWorker<'_>,
        search: &Search<'_>,
        deadline: Option<Instant>,
        shared: &Shared,
    ) -> Result<bool, StressError> {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok(false);
        }
        let end = search.inputs.map(|inputs| search.from.saturating_add(inputs.get()));
        let number = shared.next.fetch_add(1, Ordering::AcqRel);
        if end.is_some_and(|end| number >= end) {
            shared.next.fetch_min(end.unwrap_or(number), Ordering::AcqRel);
            return Ok(false);
        }
        if !self.one(search_worker, search, number, shared)? {
            shared.state().was_cancelled = true;
            return Ok(false);
        }
        Ok(shared.state().findings.len() < search.findings)
    }

    /// Makes one input and looks at it. False when it was cancelled.
    fn one(
        &self,
        search_worker: &mut SearchWorker<'_>,
        search: &Search<'_>,
        number: u64,
        shared: &Shared,
    ) -> Result<bool, StressError> {
        shared.state().tally.inputs += 1;
        search_worker.start(Start::Warm);
        let made = self.make(search_worker, search.seed, number)?;
        let Some((origin, input, like)) = made else {
            shared.state().tally.refused += 1;
            return Ok(!self.cancel.is_cancelled());
        };
        if shared.state().is_known(&input, number) {
            return Ok(true);
        }
        let examined = search_worker.examine(&input, like, search.finder);
        // From here on all runs are ordinary ones. A failure that they do not have was an accident of the host, or of a
        // program that was warm.
        search_worker.start(Start::Ordinary);
        let examined = match examined {
            Ok(Examined::Found(seen)) => match search_worker.examine(&input, like, search.finder)? {
                Examined::Found(again) if is_same(&seen, &again) => Examined::Found(again),
                Examined::Cancelled => return Ok(false),
                _ => Examined::Nothing,
            },
            Ok(Examined::Unusable(_)) | Err(_) => search_worker.examine(&input, like, search.finder)?,
            Ok(other) => other,
        };
        let mut finding = Finding { number, origin, input, like, seen: Vec::new() };
        if let (Examined::Nothing | Examined::Found(_), Some(submission)) = (&examined, search.slowest) {
            self.time(search_worker, submission, &finding, shared)?;
        }
        let mut state = shared.state();
        if let (Origin::Call { template, .. }, false) = (&finding.origin, examined == Examined::Invalid) {
            state.templates.insert(*template);
        }
        match examined {
            Examined::Cancelled => return Ok(false),
            Examined::Invalid => state.tally.invalid += 1,
            Examined::Unusable(tried) => {
                state.tally.unusable += 1;
                state.unusable.get_or_insert((finding, *tried));
            }
            Examined::Nothing => state.tally.judged += 1,
            Examined::Found(seen) => {
                state.tally.judged += 1;
                finding.seen = seen;
                state.keep(finding);
            }
        }
        Ok(true)
    }

    /// Makes an input, with its origin and the test case that it is like; `None` when the generator fails.
    fn make(
        &self,
        search_worker: &mut SearchWorker<'_>,
        seed: u64,
        number: u64,
    ) -> Result<Option<(Origin, Vec<u8>, TestCaseIndex)>, StressError> {
        Ok(match self.source.recipe(seed, number) {
            None => None,
            Some(Recipe::Changed { base, input }) => {
                let test_case = self.source.bases[base].test_case;
                Some((Origin::Changed { test_case }, input, test_case))
            }
            Some(Recipe::Call { template, args }) => {
                let Template { generator, like, .. } = self.source.templates[template.0];
                let input = search_worker.generate(generator, &args)?;
                input.map(|input| (Origin::Call { generator, args, template }, input, like))
            }
        })
    }

    /// Keeps an input that a submission is slower on than on all before. It is run again: the smaller time counts.
    fn time(
        &self,
        search_worker: &mut SearchWorker<'_>,
        submission: SubmissionIndex,
        finding: &Finding,
        shared: &Shared,
    ) -> Result<(), StressError> {
        let prepared = &self.programs.prepared_submissions[&submission];
        let mut least: Option<(Duration, TestResult)> = None;
        for _ in 0..2 {
            let Some(tried) = search_worker.trial.run(prepared)? else { return Ok(()) };
            let time = tried.outcome.usage.cpu_time;
            if shared.state().slowest.as_ref().is_some_and(|(slowest, _)| *slowest >= time) {
                return Ok(());
            }
            if least.as_ref().is_none_or(|(least, _)| time < *least) {
                least = Some((time, tried));
            }
        }
        let Some((time, tried)) = least else { return Ok(()) };
        let mut state = shared.state();
        if state.slowest.as_ref().is_none_or(|(slowest, _)| *slowest < time) {
            let seen = Seen { submission, class: FailureClass::of(&tried), tried };
            state.slowest = Some((time, Finding { seen: vec![seen], ..finding.clone() }));
        }
        Ok(())
    }
}

impl State {
    fn tally(&self) -> InputTally {
        InputTally {
            kinds_reached: self.templates.len() as u64,
            findings: self.findings.len() as u64,
            ..self.tally.clone()
        }
    }

    /// True when an input is known: it came before. The order hangs on the threads, so the smallest number is
    /// remembered.
    fn is_known(&mut self, input: &[u8], number: u64) -> bool {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(first) = self.known.get_mut(&hash) {
            *first = number.min(*first);
            self.tally.repeated += 1;
            return true;
        }
        if self.known.len() < REMEMBERED {
            self.known.insert(hash, number);
        }
        false
    }

    /// Keeps a finding unless there is one of its class with a smaller number.
    fn keep(&mut self, finding: Finding) {
        match self.findings.iter_mut().find(|known| known.is_like(&finding.seen)) {
            Some(known) if known.number <= finding.number => {}
            Some(known) => *known = finding,
            None => self.findings.push(finding),
        }
    }

    fn conclude(mut self, search: &Search<'_>, next: u64, jobs: u64, elapsed: Duration) -> Searched {
        let tally = self.tally();
        self.findings.sort_by_key(|finding| finding.number);
        let enough = self.findings.len() >= search.findings;
        self.findings.truncate(search.findings);
        let last = self.findings.last().map(|finding| finding.number);
        let all_tried = search.inputs.is_some_and(|inputs| next >= search.from.saturating_add(inputs.get()));
        let end = match (enough, self.was_cancelled, all_tried) {
            (true, ..) => SearchEnd::Found,
            (_, true, _) => SearchEnd::Interrupted,
            (_, _, true) => SearchEnd::Inputs,
            _ => SearchEnd::Time,
        };
        let next = match (end, last) {
            // Inputs behind the last finding may have been left out.
            (SearchEnd::Found, Some(last)) => last + 1,
            // So may those that were begun.
            (SearchEnd::Interrupted, _) => next.saturating_sub(jobs).max(search.from),
            _ => next,
        };
        Searched {
            next,
            findings: self.findings,
            end,
            tally,
            elapsed,
            unusable: self.unusable,
            slowest: self.slowest.map(|(_, finding)| finding),
        }
    }
}
