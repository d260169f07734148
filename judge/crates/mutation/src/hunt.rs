//! Hunting: from survivors to inputs that kill them.
//!
//! Responsible for putting survivors beside the solution that they come from, as submissions of one problem, and for what
//! a search among them means. Must not know how inputs are made or judged, nor how anything is rendered.
//!
//! Each survivor is compiled by itself: nothing slows it down, so that its time limit is the problem's.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{FoundInput, HuntResult, Hunted, KillingInput, MutantResult, Mutation, SearchEnd};
use judge_exec::{Environment, Session, TimedProblem};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{LanguageId, Problem, Submission, SubmissionIndex, micros};
use judge_stress::{
    CostSetting, FailureClass, Hunt, InputSources, Killer, NOT_VALIDATED, NOTHING_JUDGED, Occupied, SearchSpec, Seen,
    Step, StressError, Sweep, Swept,
};

use crate::mutation::{MutationError, file_name, toolchains_of_mutants};
use crate::workplace::{in_place_of, with_submissions};

/// The ground of a hunt: a problem with all that inputs are made of.
#[derive(Clone, Debug)]
pub struct HuntingGround {
    /// The problem with all of its test cases, at least one.
    pub problem: Problem,
    /// The sources of inputs.
    pub inputs: InputSources,
    /// The arguments of each input validator, by test case.
    pub input_args: Vec<Vec<Vec<String>>>,
}

impl HuntingGround {
    /// The languages of what makes and validates inputs.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        self.inputs.languages(&self.problem)
    }

    /// The problem with the solution and its survivors for submissions.
    fn with(&self, timed: &TimedProblem, submissions: Vec<Submission>) -> TimedProblem {
        let problem = Arc::new(with_submissions(&self.problem, submissions));
        TimedProblem { name: timed.name.clone(), time_limit: timed.time_limit, problem }
    }
}

/// The settings of a hunt.
#[derive(Clone, Copy, Debug)]
pub struct HuntSettings {
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of inputs, at most.
    pub inputs: Option<NonZero<u64>>,
    /// The time for each survivor; all of them share the inputs that it makes.
    pub time: Option<Duration>,
    /// The time for making each input small.
    pub shrink: Duration,
}

/// Looks for inputs that kill the survivors of a solution. `session` must see the package, and be opened with the
/// languages of the [ground](HuntingGround::languages). A hunt that is cancelled comes to what was found by then.
///
/// # Errors
/// Faults of the host, and programs of the package that cannot be used.
pub fn hunt(
    ground: &HuntingGround,
    (timed, solution): (&TimedProblem, &Submission),
    mutation: &Mutation,
    (session, environment): (&Session, &Environment),
    settings: &HuntSettings,
    on_progress: &mut dyn FnMut(Step<'_>),
) -> Result<Hunted, MutationError> {
    let survivors: Vec<&MutantResult> = mutation.survivors().collect();
    let interrupted = HuntResult { seed: settings.seed, end: SearchEnd::Interrupted, ..HuntResult::default() };
    let mut hunted = Hunted { problem: ground.problem.name.clone(), result: interrupted, ..Hunted::default() };
    let directory = LockedDirectory::temporary(TemporaryPurpose::Mutants).map_err(MutationError::Workplace)?;
    let submissions = submissions(solution, &survivors, directory.path()).map_err(MutationError::Workplace)?;
    let toolchains = toolchains_of_mutants(&environment.toolchains, solution).ok_or(MutationError::NoCompiler)?;
    let environment = Environment { toolchains, ..environment.clone() };
    let spec = SearchSpec {
        problem: ground.with(timed, submissions),
        reference: SubmissionIndex(0),
        subjects: BTreeSet::from([SubmissionIndex(0)]),
        inputs: &ground.inputs,
        input_args: ground.input_args.clone(),
        // Inputs that are counted are the same on every host.
        costs: if settings.inputs.is_some() { CostSetting::Equal } else { CostSetting::Measured },
    };
    let mut hunt = match Hunt::open(spec, session, &environment) {
        // What fails because it was cancelled is nobody's fault.
        Err(_) if environment.cancel.is_cancelled() => return Ok(hunted),
        opened => opened?,
    };
    if !hunt.has_inputs() {
        hunted.result.end = SearchEnd::Inputs;
        hunted.result.warnings.push(StressError::NoInputs.to_string());
        return Ok(hunted);
    }
    let numbers: Vec<SubmissionIndex> = SubmissionIndex::first(survivors.len()).map(SubmissionIndex::next).collect();
    let made = hunt.ready_all(&numbers)?;
    if environment.cancel.is_cancelled() {
        return Ok(hunted);
    }
    let run = HuntRun { ground, survivors: &survivors, settings, validates: hunt.validates() };
    let mut targets = Vec::new();
    for (number, ready) in numbers.into_iter().zip(made) {
        match ready {
            Ok(()) => targets.push(number),
            Err(why) => hunted.not_ready.push((run.id(number), why.to_string())),
        }
    }
    run.search(&hunt, targets, &mut hunted, on_progress)?;
    Ok(hunted)
}

/// The solution, and behind it the survivors, whose sources are written into a directory.
fn submissions(solution: &Submission, survivors: &[&MutantResult], directory: &Path) -> io::Result<Vec<Submission>> {
    let file = file_name(solution);
    let mut submissions = vec![Submission { expectations: Vec::new(), ..solution.clone() }];
    for mutant in survivors {
        let id = format!("mutant_{}", mutant.id);
        let path = directory.join(&id).join(&file);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, mutant.source.as_deref().unwrap_or_default())?;
        submissions.push(in_place_of(solution, id, path));
    }
    Ok(submissions)
}

/// The run of a hunt. Submission 0 is the solution, and the survivors have the numbers behind it.
struct HuntRun<'a> {
    ground: &'a HuntingGround,
    survivors: &'a [&'a MutantResult],
    settings: &'a HuntSettings,
    /// True when inputs are validated.
    validates: bool,
}

impl HuntRun<'_> {
    /// The name of the mutant with this number.
    fn id(&self, submission: SubmissionIndex) -> String {
        let mutant = submission.0.checked_sub(1).and_then(|index| self.survivors.get(index));
        mutant.map(|mutant| mutant.id.clone()).unwrap_or_default()
    }

    /// Searches and makes small.
    fn search(
        &self,
        hunt: &Hunt<'_>,
        targets: Vec<SubmissionIndex>,
        hunted: &mut Hunted,
        on_progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), MutationError> {
        let HuntSettings { seed, inputs, time, shrink } = *self.settings;
        let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
        let time = time.map(|each| each.saturating_mul(count));
        let sweep = Sweep { targets, seed, inputs, time };
        let on_step = &mut |tally: &_, elapsed| on_progress(Step::looking(tally, elapsed, time, inputs));
        let swept = hunt.sweep(&sweep, on_step)?;
        on_progress(Step::Minimizing);
        hunted.found = hunt.killers(&swept.findings, shrink)?.iter().map(|killer| self.found(killer)).collect();
        hunted.result = HuntResult { costs: hunt.differing_costs(), ..self.result(&swept, &hunted.found) };
        hunted.is_searched = true;
        hunted.is_judge_error = swept.findings.iter().any(|finding| finding.seen.iter().any(Seen::is_judge_error));
        Ok(())
    }

    /// The facts of an input, which is called after the first mutant that it kills.
    fn found(&self, killer: &Killer) -> FoundInput {
        let findings = (&killer.first, Some(&killer.small));
        let id = |submission| self.id(submission);
        let found = self.ground.inputs.found(&self.ground.problem, findings, self.validates, &id);
        let first = killer.killed().next().map(id).unwrap_or_default();
        FoundInput { name: format!("mutant-{first}"), ..found }
    }

    /// Its part of the document.
    fn result(&self, swept: &Swept, found: &[FoundInput]) -> HuntResult {
        let is_over = swept.end != SearchEnd::Interrupted && swept.tally.judged > 0;
        let alive = swept.alive.iter().filter(|_| is_over).map(|number| self.id(*number));
        HuntResult {
            seed: self.settings.seed,
            costs: None,
            next: swept.next,
            end: swept.end,
            tally: swept.tally.clone(),
            elapsed_us: micros(swept.elapsed),
            found: found.iter().map(KillingInput::from).collect(),
            likely_equivalent: alive.collect(),
            warnings: self.warnings(swept),
        }
    }

    fn warnings(&self, swept: &Swept) -> Vec<String> {
        let mut warnings = Vec::new();
        let origin = |origin| self.ground.inputs.describe(origin, &self.ground.problem);
        if !self.validates {
            warnings.push(NOT_VALIDATED.to_owned());
        }
        if let Some((finding, tried)) = &swept.unusable {
            let class = FailureClass::of(tried);
            warnings.push(format!("the solution gets {class} on some inputs, such as {}", origin(&finding.origin)));
        }
        for finding in &swept.findings {
            for seen in finding.seen.iter().filter(|seen| seen.is_judge_error()) {
                let (mutant, made_by) = (self.id(seen.submission), origin(&finding.origin));
                warnings.push(format!(
                    "the output validator failed on the output of the mutant `{mutant}` for input {} ({made_by}): it must \
                    reject whatever is not right, and not crash",
                    finding.number
                ));
            }
        }
        if swept.tally.judged == 0 && swept.end != SearchEnd::Interrupted {
            warnings.push(NOTHING_JUDGED.to_owned());
        }
        warnings
    }
}

/// Writes the inputs that were found, and their answers, into a directory of the problem's in this one, and notes their
/// files; nothing that is there is written over. `shown` gives a path as people are told it.
///
/// # Errors
/// What cannot be written.
pub fn save(hunted: &mut Hunted, into: &Path, shown: &dyn Fn(&Path) -> String) -> Result<(), MutationError> {
    let into = into.join(&hunted.problem);
    for found in &mut hunted.found {
        let name = found.name.clone();
        judge_stress::save(found, &into, &name, Occupied::Rename, shown)?;
    }
    hunted.result.found = hunted.found.iter().map(KillingInput::from).collect();
    Ok(())
}
