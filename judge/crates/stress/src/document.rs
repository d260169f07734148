//! A run of `judge stress` and its document: existing test cases, search, minimizing, pictures.
//!
//! Responsible for the order of these steps, for the meaning of a finding, and for warnings. Must
//! not know how the document is rendered.

use std::num::NonZero;
use std::time::{Duration, Instant};

use judge_event::{
    Behaviour, Bytes, FoundInput, InputSize, InputTally, SearchEnd, SearchResult, SlowestInput,
    Smallness,
};
use judge_exec::TestResult;
use judge_model::{Problem, SubmissionIndex, Verdict, micros};

use crate::error::StressError;
use crate::failure_class::FailureClass;
use crate::input_sources::InputSources;
use crate::input_sources::Origin;
use crate::inputs::template::GeneratorIndex;
use crate::minimize::MinimizedFinding;
use crate::search::{Finding, Sample, Search, SearchOutcome};
use crate::session::SearchSession;
use crate::target::Target;
use crate::worker::{InputResult, SearchWorker};

/// The minimum number of inputs for a warning that all of them are equal.
const MIN_REPEATED: u64 = 20;
/// The maximum time for a generator to create an input again.
const MAX_AGAIN: Duration = Duration::from_secs(10);
/// The hint for a reference that is too slow on every input.
const SLOW_HINT: &str =
    "hint: make smaller inputs; a shorter `--time-limit` leaves time for more of them";

/// The progress of a search.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The test cases of the package are being tried.
    TestCases,
    /// Inputs are being searched.
    Searching {
        /// The counts so far.
        tally: &'a InputTally,
        /// The elapsed time.
        elapsed: Duration,
        /// The larger of the used shares of time and inputs, for the limits that exist.
        spent: f64,
    },
    /// Findings are being minimized.
    Minimizing,
}

impl<'a> Step<'a> {
    /// Creates the step of a search within these limits.
    #[must_use]
    pub fn searching(
        tally: &'a InputTally,
        elapsed: Duration,
        time: Option<Duration>,
        inputs: Option<NonZero<u64>>,
    ) -> Self {
        let of_time = time.map(|time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9));
        let of_inputs = inputs.map(|inputs| tally.inputs as f64 / inputs.get() as f64);
        let spent = of_time
            .into_iter()
            .chain(of_inputs)
            .reduce(f64::max)
            .unwrap_or(0.0);
        Self::Searching {
            tally,
            elapsed,
            spent,
        }
    }
}

impl SearchSession<'_> {
    /// Prepares the submissions of a target.
    ///
    /// # Errors
    /// Faults of the host, a submission that cannot be run, and a problem without any source of
    /// inputs.
    pub fn prepare_target(&mut self, target: &Target) -> Result<(), StressError> {
        for submission in target.needed() {
            if let Err(fault) = self.prepare(submission) {
                let why = fault.refusal()?;
                return Err(StressError::NotReady {
                    submission: target.id(submission).to_owned(),
                    why,
                });
            }
        }
        if self.has_inputs() {
            Ok(())
        } else {
            Err(StressError::NoInputs)
        }
    }

    /// Searches for an input that meets the predicate of a target, and minimizes the findings, each
    /// within the time `shrink`, or not at all if that is zero. `on_progress` receives the progress
    /// several times a second.
    ///
    /// # Errors
    /// Faults of the host, and of the package's validators.
    pub fn run(
        &self,
        target: &Target,
        inputs: &InputSources,
        search: &Search<'_>,
        shrink: Duration,
        on_progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<SearchResult, StressError> {
        on_progress(Step::TestCases);
        let rejected_by = self.existing_rejections(target)?;
        let mut outcome = self.search(search, &mut |tally, elapsed| {
            on_progress(Step::searching(tally, elapsed, search.time, search.inputs));
        })?;
        on_progress(Step::Minimizing);
        let mut small = if shrink.is_zero() {
            Vec::new()
        } else {
            self.minimize(&outcome.findings, search.predicate, shrink)?
        };
        match small.is_empty() {
            true => self.draw_pictures(outcome.findings.iter_mut())?,
            false => self.draw_pictures(small.iter_mut().map(|small| &mut small.finding))?,
        }
        // The results on the original inputs count as well: a judge error must be reported even if
        // the smallest input no longer shows it.
        let all = small
            .iter()
            .map(|small| &small.finding)
            .chain(&outcome.findings);
        let is_judge_error = all
            .flat_map(|finding| &finding.results)
            .any(InputResult::is_judge_error)
            || outcome.judge_error.is_some();
        let found = outcome.findings.iter().enumerate().map(|(index, first)| {
            let small = small.get(index);
            let id = |submission: SubmissionIndex| target.id(submission).to_owned();
            let found = inputs.found(&target.problem, (first, small), self.validates(), &id);
            let required = target.must_be_rejected(small.map_or(first, |small| &small.finding));
            FoundInput {
                name: format!("stress-{}", first.number),
                required,
                ..found
            }
        });
        let reference = target.id(target.reference);
        let writer = format!("`{reference}`, which writes the answers,");
        let mut warnings = inputs.warnings(&target.problem, &outcome, self.validates(), &writer);
        warnings.extend(self.unstable_generators(&outcome, inputs)?);
        Ok(SearchResult {
            schema: SearchResult::SCHEMA,
            problem: target.problem.name.clone(),
            finder: target.words.clone(),
            reference: reference.to_owned(),
            submissions: SubmissionIndex::first(target.entrants)
                .map(|index| target.id(index).to_owned())
                .collect(),
            seed: search.seed,
            costs: self.differing_costs(),
            from: search.from,
            next: outcome.next,
            end: outcome.end,
            elapsed_us: micros(outcome.elapsed),
            tally: outcome.tally.clone(),
            found: found.collect(),
            slowest: outcome
                .slowest
                .as_ref()
                .map(|slowest| slowest_input(slowest, target, inputs)),
            rejected_by,
            warnings,
            in_package: target.in_package,
            is_judge_error,
        })
    }

    /// Runs the visualizers of the package on findings, with the outputs that are not accepted, or
    /// with all outputs if all are accepted.
    fn draw_pictures<'f>(
        &self,
        findings: impl Iterator<Item = &'f mut Finding>,
    ) -> Result<(), StressError> {
        if self.problem.input_visualizer.is_none() && self.problem.output_visualizer.is_none() {
            return Ok(());
        }
        let mut worker = self.worker(None)?;
        for finding in findings {
            let is_accepted = |result: &InputResult| result.class.verdict == Verdict::Accepted;
            let all_are = finding.results.iter().all(is_accepted);
            for result in finding
                .results
                .iter_mut()
                .filter(|result| all_are || !is_accepted(result))
            {
                result.result.pictures =
                    worker.pictures(&finding.input, finding.settings_case, result.submission)?;
            }
        }
        Ok(())
    }
}

fn slowest_input(finding: &Finding, target: &Target, inputs: &InputSources) -> SlowestInput {
    let result = finding.results.first();
    SlowestInput {
        number: finding.number,
        made_by: inputs.describe(&finding.origin, &target.problem),
        cpu_time_us: result.map_or(0, |result| micros(result.result.outcome.usage.cpu_time)),
        size: InputSize::measure(&finding.input),
        submission: target
            .id(result.map_or(SubmissionIndex(0), |result| result.submission))
            .to_owned(),
    }
}

impl InputSources {
    fn is_of_package(&self, generator: GeneratorIndex) -> bool {
        self.names
            .get(generator.0)
            .is_some_and(|name| !self.outside.contains(name))
    }

    /// The document of a finding, before and after minimizing. `id` returns the id of a submission.
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
        let behaviour = |InputResult {
                             submission,
                             class,
                             result,
                         }: &InputResult| Behaviour {
            submission: id(*submission),
            verdict: class.verdict,
            how: class.how.clone(),
            difference: result.difference.clone(),
            judge_message: result.judge_message.clone(),
            reason: result.reason.clone(),
        };
        let drawn = best.results.iter().flat_map(
            |InputResult {
                 submission, result, ..
             }| {
                result
                    .pictures
                    .iter()
                    .map(|picture| (id(*submission), picture.clone()))
            },
        );
        FoundInput {
            number: first.number,
            made_by: self.describe(&first.origin, problem),
            seen: best.results.iter().map(behaviour).collect(),
            found: InputSize::measure(&first.input),
            call: call.map(|call| self.describe(&call.origin, problem)),
            call_size: call
                .map(|call| InputSize::measure(&call.input))
                .unwrap_or_default(),
            input: Bytes(best.input.clone()),
            answer: small.and_then(|small| small.answer.clone()).map(Bytes),
            smallness: match small {
                None => Smallness::AsFound,
                Some(small) if small.is_minimal => Smallness::Minimal,
                // Without an input validator the input itself is not shrunk, so more time would not
                // help.
                Some(_) if !validates => Smallness::NotValidated,
                Some(_) => Smallness::TimeOver,
            },
            tried: small.map_or(0, |small| small.tried),
            drawn: drawn.collect(),
            is_generated: matches!(&first.origin, Origin::Call { generator, .. } if self.is_of_package(*generator)),
            ..FoundInput::default()
        }
    }

    /// The warnings about a search, which limit the reliability of its outcome. `writer` names the
    /// submission that writes the answers.
    #[must_use]
    pub fn warnings(
        &self,
        problem: &Problem,
        outcome: &SearchOutcome,
        validates: bool,
        writer: &str,
    ) -> Vec<String> {
        let mut warnings = Vec::new();
        // Without test cases to change, every input comes directly from a generator.
        if !validates && self.change_test_cases {
            let why = "the package has no input validator that runs";
            warnings.push(format!(
                "{why}: inputs are not validated, test cases are not changed"
            ));
        }
        if let Some((finding, result)) = &outcome.judge_error {
            let inputs = if outcome.tally.judged_inputs > 0 {
                "some inputs"
            } else {
                "every valid input"
            };
            let made_by = self.describe(&finding.origin, problem);
            let reason = result.reason.as_deref().unwrap_or_default();
            warnings.push(format!(
                "judge error on {inputs}, such as {made_by}: {reason}"
            ));
        }
        if let Some((finding, result)) = &outcome.unusable {
            let made_by = self.describe(&finding.origin, problem);
            warnings.push(unusable(writer, result, &outcome.tally, &made_by));
        } else if outcome.tally.judged_inputs == 0
            && outcome.unanswered > 0
            && outcome.end == SearchEnd::Time
        {
            warnings.push(format!(
                "{writer} had answered no input when the time was over; {SLOW_HINT}"
            ));
        }
        if outcome.tally.judged_inputs == 0 && outcome.end != SearchEnd::Interrupted {
            warnings.push("none of the inputs could be judged".to_owned());
            if let Some((origin, why)) = &outcome.refused {
                warnings.push(format!("`{}` {why}", self.describe(origin, problem)));
            }
        }
        let tally = &outcome.tally;
        if tally.inputs - tally.repeated == 1 && tally.repeated >= MIN_REPEATED {
            warnings.push(format!(
                "all {} inputs are equal: a generator must derive its random numbers from the seed, an argument",
                tally.inputs
            ));
        }
        warnings
    }
}

/// The warning about a reference that has this result on an input.
fn unusable(writer: &str, result: &TestResult, tally: &InputTally, made_by: &str) -> String {
    let class = FailureClass::from(result);
    if tally.judged_inputs > 0 {
        return format!("{writer} gets {class} on some inputs, such as {made_by}");
    }
    let warning = format!("{writer} gets {class} on every valid input, such as {made_by}");
    let excerpt = &result.stderr;
    let stderr = format!("{}{}", excerpt.head.to_text(), excerpt.tail.to_text());
    match stderr.trim_end().lines().last() {
        _ if result.verdict == Verdict::TimeLimitExceeded => format!("{warning}; {SLOW_HINT}"),
        Some(line) => format!("{warning}: {}", line.trim()),
        None => warning,
    }
}

impl SearchSession<'_> {
    /// Warnings about generators that create different inputs from the same arguments.
    fn unstable_generators(
        &self,
        outcome: &SearchOutcome,
        inputs: &InputSources,
    ) -> Result<Vec<String>, StressError> {
        if outcome.samples.is_empty() {
            return Ok(Vec::new());
        }
        let mut worker = SearchWorker {
            limit: Some((MAX_AGAIN, Instant::now() + MAX_AGAIN)),
            ..self.worker(None)?
        };
        let mut warnings = Vec::new();
        for Sample {
            generator,
            args,
            input,
            ..
        } in &outcome.samples
        {
            if worker
                .generate(*generator, args)?
                .is_ok_and(|again| again != *input)
            {
                let call = inputs.command(*generator, args);
                warnings.push(format!(
                    "`{call}` produced two different inputs: a generator must derive its random numbers from the seed, an \
                     argument, so that inputs can be reproduced"
                ));
            }
        }
        Ok(warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_larger_share_of_time_and_inputs() {
        let tally = InputTally {
            inputs: 4,
            ..InputTally::default()
        };
        let spent = |time: Option<u64>, inputs| {
            let (time, inputs) = (time.map(Duration::from_secs), NonZero::new(inputs));
            let Step::Searching { spent, .. } =
                Step::searching(&tally, Duration::from_secs(5), time, inputs)
            else {
                return -1.0;
            };
            spent
        };
        let is = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-9, "{found} for {expected}");
        };
        is(spent(None, 0), 0.0);
        is(spent(Some(10), 0), 0.5);
        is(spent(Some(10), 5), 0.8);
        is(spent(Some(5), 8), 1.0);
    }
}
