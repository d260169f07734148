//! The outcome of a search: what was looked for, and what was found.
//!
//! Responsible for the order of looking and making small, for what a finding proves, and for warnings. Must not hold
//! other words for people.

use std::num::NonZero;
use std::time::Duration;

use judge_event::{Behaviour, Bytes, FoundInput, InputSize, InputTally, SearchResult, SlowestInput, Smallness};
use judge_model::{Problem, SubmissionIndex, Verdict, micros};

use crate::{
    FailureClass, Finding, Hunt, InputSources, MinimizedFinding, Origin, Search, Searched, Seen, StressError, Target,
};

/// The warning about a package that cannot say which inputs are valid.
pub const NOT_VALIDATED: &str =
    "the package has no input validator that runs: inputs are not validated, test cases are not changed";
/// The warning about a search in which nothing was judged.
pub const NOTHING_JUDGED: &str = "not one input could be judged";

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// It tries the test cases of the package.
    TestCases,
    /// It looks for inputs.
    Looking {
        /// The counts so far.
        tally: &'a InputTally,
        /// The elapsed time.
        elapsed: Duration,
        /// The share of the time or of the inputs that is over, whichever is more, where there is a limit.
        spent: f64,
    },
    /// It makes small what it has found.
    Minimizing,
}

impl<'a> Step<'a> {
    /// Looking for inputs, within these limits.
    #[must_use]
    pub fn looking(
        tally: &'a InputTally,
        elapsed: Duration,
        time: Option<Duration>,
        inputs: Option<NonZero<u64>>,
    ) -> Self {
        let of_time = time.map(|time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9));
        let of_inputs = inputs.map(|inputs| tally.inputs as f64 / inputs.get() as f64);
        let spent = of_time.into_iter().chain(of_inputs).reduce(f64::max).unwrap_or(0.0);
        Self::Looking { tally, elapsed, spent }
    }
}

impl Hunt<'_> {
    /// Makes the submissions ready that a target needs.
    ///
    /// # Errors
    /// Faults of the host; a submission that cannot be run; and a problem without anything to make inputs of.
    pub fn ready_for(&mut self, target: &Target) -> Result<(), StressError> {
        for submission in target.needed() {
            if let Err(fault) = self.ready(submission) {
                let why = fault.refusal()?;
                return Err(StressError::NotReady { submission: target.id(submission).to_owned(), why });
            }
        }
        if self.has_inputs() { Ok(()) } else { Err(StressError::NoInputs) }
    }

    /// Searches for what a target wants, and makes what was found small, each within this time; no time leaves it as it
    /// was found. `on_progress` gets the progress several times a second.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn look(
        &self,
        target: &Target,
        inputs: &InputSources,
        search: &Search<'_>,
        shrink: Duration,
        on_progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<SearchResult, StressError> {
        on_progress(Step::TestCases);
        let rejected_by = self.rejected_already(target)?;
        let mut searched = self.search(search, &mut |tally, elapsed| {
            on_progress(Step::looking(tally, elapsed, search.time, search.inputs));
        })?;
        on_progress(Step::Minimizing);
        let mut small =
            if shrink.is_zero() { Vec::new() } else { self.minimize(&searched.findings, search.finder, shrink)? };
        match small.is_empty() {
            true => self.illustrate(searched.findings.iter_mut())?,
            false => self.illustrate(small.iter_mut().map(|small| &mut small.finding))?,
        }
        let outcome =
            SearchOutcome { target, inputs, search, searched: &searched, small: &small, validates: self.validates() };
        Ok(SearchResult { rejected_by, costs: self.differing_costs(), ..outcome.result() })
    }

    /// Has the visualizers of the package draw findings, with what each submission writes that is not accepted; where all
    /// are, with what each of them writes.
    fn illustrate<'f>(&self, findings: impl Iterator<Item = &'f mut Finding>) -> Result<(), StressError> {
        if self.problem.input_visualizer.is_none() && self.problem.output_visualizer.is_none() {
            return Ok(());
        }
        let mut search_worker = self.search_worker(None)?;
        for finding in findings {
            let is_accepted = |seen: &Seen| seen.class.verdict == Verdict::Accepted;
            let all_are = finding.seen.iter().all(is_accepted);
            for seen in finding.seen.iter_mut().filter(|seen| all_are || !is_accepted(seen)) {
                seen.tried.pictures = search_worker.pictures(&finding.input, finding.like, seen.submission)?;
            }
        }
        Ok(())
    }
}

/// All that is known after a search.
struct SearchOutcome<'a> {
    target: &'a Target,
    inputs: &'a InputSources,
    search: &'a Search<'a>,
    searched: &'a Searched,
    /// The findings made small: as many as there are findings, or none.
    small: &'a [MinimizedFinding],
    /// True when inputs are validated.
    validates: bool,
}

impl SearchOutcome<'_> {
    fn result(&self) -> SearchResult {
        let Self { target, search, searched, .. } = self;
        let findings = searched.findings.iter().enumerate();
        SearchResult {
            schema: SearchResult::SCHEMA,
            problem: target.problem.name.clone(),
            finder: target.words.clone(),
            reference: target.id(target.reference).to_owned(),
            submissions: SubmissionIndex::first(target.entrants).map(|index| target.id(index).to_owned()).collect(),
            seed: search.seed,
            costs: None,
            from: search.from,
            next: searched.next,
            end: searched.end,
            elapsed_us: micros(searched.elapsed),
            tally: searched.tally.clone(),
            found: findings.map(|(index, first)| self.found(first, self.small.get(index))).collect(),
            slowest: searched.slowest.as_ref().map(|slowest| self.slowest(slowest)),
            rejected_by: Vec::new(),
            warnings: self.warnings(),
            is_judge_error: self.is_judge_error(),
        }
    }

    fn found(&self, first: &Finding, small: Option<&MinimizedFinding>) -> FoundInput {
        let id = |submission: SubmissionIndex| self.target.id(submission).to_owned();
        let found = self.inputs.found(&self.target.problem, (first, small), self.validates, &id);
        let best = small.map_or(first, |small| &small.finding);
        let required = self.must_be_killed(&best.seen);
        FoundInput { name: format!("stress-{}", first.number), required, ..found }
    }

    fn slowest(&self, finding: &Finding) -> SlowestInput {
        let seen = finding.seen.first();
        SlowestInput {
            number: finding.number,
            made_by: self.origin(&finding.origin),
            cpu_time_us: seen.map_or(0, |seen| micros(seen.tried.outcome.usage.cpu_time)),
            size: InputSize::measure(&finding.input),
            submission: self.target.id(seen.map_or(SubmissionIndex(0), |seen| seen.submission)).to_owned(),
        }
    }

    /// The submissions of the package that an input must be rejected for.
    fn must_be_killed(&self, seen: &[Seen]) -> Vec<String> {
        let failed = seen.iter().filter(|seen| seen.class.verdict != Verdict::Accepted);
        let failed = failed.map(|seen| seen.submission);
        let of_package =
            failed.filter(|submission| *submission != self.target.reference && self.target.is_of_package(*submission));
        of_package.map(|submission| self.target.id(submission).to_owned()).collect()
    }

    fn origin(&self, origin: &Origin) -> String {
        self.inputs.describe(origin, &self.target.problem)
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.validates {
            warnings.push(NOT_VALIDATED.to_owned());
        }
        if let Some((finding, tried)) = &self.searched.unusable {
            let reference = self.target.id(self.target.reference);
            warnings.push(format!(
                "`{reference}`, which writes the answers, gets {} on some inputs, such as {}",
                FailureClass::of(tried),
                self.origin(&finding.origin)
            ));
        }
        if self.searched.tally.judged == 0 {
            warnings.push(NOTHING_JUDGED.to_owned());
        }
        warnings
    }

    /// True when the output validator failed on the output of a submission for any input that was found.
    fn is_judge_error(&self) -> bool {
        let small = self.small.iter().map(|found| &found.finding);
        small.chain(&self.searched.findings).flat_map(|found| &found.seen).any(Seen::is_judge_error)
    }
}

impl InputSources {
    /// The facts of a finding, as it was found and as small as it was made; `id` gives the names of submissions.
    #[must_use]
    pub fn found(
        &self,
        problem: &Problem,
        (first, small): (&Finding, Option<&MinimizedFinding>),
        validates: bool,
        id: &dyn Fn(SubmissionIndex) -> String,
    ) -> FoundInput {
        let best = small.map_or(first, |small| &small.finding);
        let call = small.and_then(|small| small.call.as_ref());
        let behaviour = |seen: &Seen| Behaviour {
            submission: id(seen.submission),
            verdict: seen.class.verdict,
            how: seen.class.how.clone(),
            difference: seen.tried.difference.clone(),
            judge_message: seen.tried.judge_message.clone(),
            reason: seen.tried.reason.clone(),
        };
        let drawn =
            best.seen.iter().flat_map(|seen| seen.tried.pictures.iter().map(|of| (id(seen.submission), of.clone())));
        FoundInput {
            number: first.number,
            made_by: self.describe(&first.origin, problem),
            seen: best.seen.iter().map(behaviour).collect(),
            found: InputSize::measure(&first.input),
            call: call.map(|call| self.describe(&call.origin, problem)),
            call_size: call.map(|call| InputSize::measure(&call.input)).unwrap_or_default(),
            input: Bytes(best.input.clone()),
            answer: small.and_then(|small| small.answer.clone()).map(Bytes),
            smallness: match small {
                None => Smallness::AsFound,
                Some(small) if small.is_minimal => Smallness::Minimal,
                Some(_) if !validates => Smallness::NotValidated,
                Some(_) => Smallness::TimeOver,
            },
            tried: small.map_or(0, |small| small.tried),
            drawn: drawn.collect(),
            is_generated: matches!(first.origin, Origin::Call { .. }),
            ..FoundInput::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_the_larger_share_of_time_and_inputs() {
        let tally = InputTally { inputs: 4, ..InputTally::default() };
        let spent = |time: Option<u64>, inputs| {
            let (time, inputs) = (time.map(Duration::from_secs), NonZero::new(inputs));
            let Step::Looking { spent, .. } = Step::looking(&tally, Duration::from_secs(5), time, inputs) else {
                return -1.0;
            };
            spent
        };
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        is(spent(None, 0), 0.0);
        is(spent(Some(10), 0), 0.5);
        is(spent(Some(10), 5), 0.8);
        is(spent(Some(5), 8), 1.0);
    }
}
