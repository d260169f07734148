//! Hunts: searches for inputs that kill survivors.
//!
//! Responsible for the problem whose submissions are the solution and the survivors, and for the
//! meaning of a search among them. Must not know how inputs are created or run, or how anything is
//! rendered.
//!
//! Each survivor is compiled separately, and therefore runs at full speed. Its time limit is the
//! problem's.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_event::{
    FoundInput, HuntResult, Hunted, KillingInput, MutantResult, Mutation, SearchEnd,
};
use judge_exec::{Environment, Session, TimedProblem};
use judge_files::{LockedDirectory, TemporaryPurpose};
use judge_model::{LanguageId, Problem, Submission, SubmissionIndex, micros};
use judge_stress::{
    CostSetting, InputResult, InputSources, Killer, Occupied, SearchOutcome, SearchSession,
    SearchSpec, Step, StressError, Sweep, SweepOutcome,
};

use crate::error::MutationError;
use crate::solution::{file_name, toolchains_of_mutants, without_compiler};
use crate::sources::{in_place_of, with_submissions};

/// The problem of a hunt, with the sources of inputs.
#[derive(Clone, Debug)]
pub struct HuntProblem {
    /// The problem with all of its test cases, at least one.
    pub problem: Problem,
    /// The sources of inputs.
    pub inputs: InputSources,
    /// The arguments of each input validator, by test case.
    pub input_args: Vec<Vec<Vec<String>>>,
}

impl HuntProblem {
    /// The languages of generators and input validators.
    #[must_use]
    pub fn languages(&self) -> BTreeSet<LanguageId> {
        self.inputs.languages(&self.problem)
    }

    /// The problem with the solution and its survivors as submissions.
    fn with(&self, timed: &TimedProblem, submissions: Vec<Submission>) -> TimedProblem {
        let problem = Arc::new(with_submissions(&self.problem, submissions));
        TimedProblem {
            name: timed.name.clone(),
            time_limit: timed.time_limit,
            problem,
        }
    }
}

/// The settings of a hunt.
#[derive(Clone, Copy, Debug)]
pub struct HuntSettings {
    /// The seed of all inputs.
    pub seed: u64,
    /// The maximum number of inputs.
    pub inputs: Option<NonZero<u64>>,
    /// The time for each survivor. Every input is tried on all survivors.
    pub time: Option<Duration>,
    /// The maximum time to shrink each input found; zero for no shrinking.
    pub shrink: Duration,
}

/// Searches for inputs that kill the survivors of a solution. `session` must have access to the
/// package, and be opened with the [languages](HuntProblem::languages) of the problem. A hunt that
/// is cancelled returns the findings so far.
///
/// # Errors
/// Faults of the host, and programs of the package that cannot be used.
pub fn hunt(
    hunt_problem: &HuntProblem,
    (timed, solution): (&TimedProblem, &Submission),
    mutation: &Mutation,
    (session, environment): (&Session, &Environment),
    settings: &HuntSettings,
    on_progress: &mut dyn FnMut(Step<'_>),
) -> Result<Hunted, MutationError> {
    let survivors: Vec<&MutantResult> = mutation.survivors().collect();
    // A hunt that is cancelled before the search returns this result unchanged.
    let interrupted = HuntResult {
        seed: settings.seed,
        end: SearchEnd::Interrupted,
        ..HuntResult::default()
    };
    let mut hunted = Hunted {
        problem: hunt_problem.problem.name.clone(),
        result: interrupted,
        ..Hunted::default()
    };
    let directory =
        LockedDirectory::temporary(TemporaryPurpose::Mutants).map_err(MutationError::Sources)?;
    let submissions =
        submissions(solution, &survivors, directory.path()).map_err(MutationError::Sources)?;
    let (toolchains, _) = toolchains_of_mutants(&environment.toolchains, solution)
        .ok_or_else(|| without_compiler(solution))?;
    let environment = Environment {
        toolchains,
        ..environment.clone()
    };
    let spec = SearchSpec {
        problem: hunt_problem.with(timed, submissions),
        reference: SubmissionIndex(0),
        subjects: BTreeSet::from([SubmissionIndex(0)]),
        inputs: &hunt_problem.inputs,
        input_args: hunt_problem.input_args.clone(),
        // With a maximum number of inputs, the inputs must be the same on every host, and must not
        // depend on measured times.
        costs: if settings.inputs.is_some() {
            CostSetting::Equal
        } else {
            CostSetting::Measured
        },
    };
    let mut session = match SearchSession::open(spec, session, &environment) {
        // A failure after a cancellation is not reported.
        Err(_) if environment.cancel.is_cancelled() => return Ok(hunted),
        opened => opened?,
    };
    if !session.has_inputs() {
        hunted.result.end = SearchEnd::Inputs;
        hunted
            .result
            .warnings
            .push(StressError::NoInputs.to_string());
        return Ok(hunted);
    }
    let numbers: Vec<SubmissionIndex> = SubmissionIndex::first(survivors.len())
        .map(SubmissionIndex::next)
        .collect();
    let prepared = session.prepare_all(&numbers)?;
    if environment.cancel.is_cancelled() {
        return Ok(hunted);
    }
    let run = HuntRun {
        hunt_problem,
        survivors: &survivors,
        settings,
        session: &session,
    };
    let mut targets = Vec::new();
    for (number, prepared) in numbers.into_iter().zip(prepared) {
        match prepared {
            Ok(()) => targets.push(number),
            Err(why) => hunted.not_ready.push((run.id(number), why.to_string())),
        }
    }
    run.search(targets, &mut hunted, on_progress)?;
    Ok(hunted)
}

/// The solution, followed by the survivors, whose sources are written into a directory.
fn submissions(
    solution: &Submission,
    survivors: &[&MutantResult],
    directory: &Path,
) -> io::Result<Vec<Submission>> {
    let file = file_name(solution);
    let mut submissions = vec![Submission {
        expectations: Vec::new(),
        ..solution.clone()
    }];
    for mutant in survivors {
        let id = format!("mutant_{}", mutant.id);
        let path = directory.join(&id).join(&file);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, mutant.source.as_deref().unwrap_or_default())?;
        submissions.push(in_place_of(solution, id, path));
    }
    Ok(submissions)
}

/// A running hunt. Submission 0 is the solution; the survivors follow.
struct HuntRun<'a> {
    hunt_problem: &'a HuntProblem,
    survivors: &'a [&'a MutantResult],
    settings: &'a HuntSettings,
    session: &'a SearchSession<'a>,
}

impl HuntRun<'_> {
    /// The id of the mutant with this index.
    fn id(&self, submission: SubmissionIndex) -> String {
        let mutant = submission
            .0
            .checked_sub(1)
            .and_then(|index| self.survivors.get(index));
        mutant.map(|mutant| mutant.id.clone()).unwrap_or_default()
    }

    /// Searches and minimizes.
    fn search(
        &self,
        targets: Vec<SubmissionIndex>,
        hunted: &mut Hunted,
        on_progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), MutationError> {
        let HuntSettings {
            seed,
            inputs,
            time,
            shrink,
        } = *self.settings;
        let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
        let time = time.map(|each| each.saturating_mul(count));
        let sweep = Sweep {
            targets,
            seed,
            inputs,
            time,
        };
        let on_step =
            &mut |tally: &_, elapsed| on_progress(Step::searching(tally, elapsed, time, inputs));
        let outcome = self.session.sweep(&sweep, on_step)?;
        let findings = &outcome.search.findings;
        on_progress(Step::Minimizing);
        hunted.found = self
            .session
            .killers(findings, shrink)?
            .iter()
            .map(|killer| self.found(killer))
            .collect();
        hunted.result = self.result(&outcome, &hunted.found);
        hunted.is_searched = true;
        hunted.is_judge_error = findings
            .iter()
            .flat_map(|finding| &finding.results)
            .any(InputResult::is_judge_error);
        Ok(())
    }

    /// The document of an input. It has the name of the first mutant that the input kills.
    fn found(&self, killer: &Killer) -> FoundInput {
        let findings = (&killer.first, Some(&killer.small));
        let id = |submission| self.id(submission);
        let found = self.hunt_problem.inputs.found(
            &self.hunt_problem.problem,
            findings,
            self.session.validates(),
            &id,
        );
        let first = killer.killed().next().map(id).unwrap_or_default();
        FoundInput {
            name: format!("mutant-{first}"),
            ..found
        }
    }

    fn result(&self, outcome: &SweepOutcome, found: &[FoundInput]) -> HuntResult {
        let SweepOutcome { search, survivors } = outcome;
        // A search that examined nothing gives no evidence that survivors are equivalent.
        let is_over = search.end != SearchEnd::Interrupted && search.tally.judged_inputs > 0;
        HuntResult {
            seed: self.settings.seed,
            costs: self.session.differing_costs(),
            next: search.next,
            end: search.end,
            tally: search.tally.clone(),
            elapsed_us: micros(search.elapsed),
            found: found.iter().map(KillingInput::from).collect(),
            likely_equivalent: survivors
                .iter()
                .filter(|_| is_over)
                .map(|number| self.id(*number))
                .collect(),
            warnings: self.warnings(search),
        }
    }

    fn warnings(&self, search: &SearchOutcome) -> Vec<String> {
        let HuntProblem {
            problem, inputs, ..
        } = self.hunt_problem;
        let validates = self.session.validates();
        let mut warnings = inputs.warnings(problem, search, validates, "the solution");
        // A survivor that an invalid input kills may be equivalent.
        if !validates && !inputs.change_test_cases {
            warnings.insert(
                0,
                "the package has no input validator that runs: inputs are not validated".to_owned(),
            );
        }
        for finding in &search.findings {
            for result in finding
                .results
                .iter()
                .filter(|result| result.is_judge_error())
            {
                let (mutant, made_by) = (
                    self.id(result.submission),
                    inputs.describe(&finding.origin, problem),
                );
                warnings.push(format!(
                    "the output validator failed on the output of the mutant `{mutant}` for input {} ({made_by}): it must \
                    reject every wrong output and never crash",
                    finding.number
                ));
            }
        }
        warnings
    }
}

/// Writes the found inputs and their answers into the subdirectory of the problem, and records the
/// paths of the files in `hunted`. No file is overwritten. `shown` returns a path as it is printed.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn save(
    hunted: &mut Hunted,
    into: &Path,
    shown: &dyn Fn(&Path) -> String,
) -> Result<(), MutationError> {
    let into = into.join(&hunted.problem);
    for found in &mut hunted.found {
        let name = found.name.clone();
        judge_stress::save(found, &into, &name, Occupied::Rename, shown)?;
    }
    hunted.result.found = hunted.found.iter().map(KillingInput::from).collect();
    Ok(())
}
