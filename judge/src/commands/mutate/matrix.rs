//! Mutants for `judge run --matrix`.
//!
//! Responsible for the reasons why problems have none. Must not know how mutants are made or run.

use std::collections::BTreeMap;

use judge_event::Mutation;
use judge_mutation::{MutationError, Settings};
use judge_runner::Plan;

use crate::commands::judging::inferring::require_time_limit;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::solution::{Solution, infer, languages, without_solution};
use crate::config::Config;
use crate::failure::Failure;

/// The results of mutants.
#[derive(Default)]
pub(crate) struct MatrixMutants {
    /// The results by the names of problems.
    pub(crate) mutations: BTreeMap<String, Mutation>,
    /// The reasons why problems have no mutants.
    pub(crate) missing: Vec<String>,
}

/// Runs every mutant of the first accepted solution of each problem on every test case. `None` when
/// it was interrupted.
pub(crate) fn run_mutants(
    config: &Config,
    settings: JudgingSettings,
    plan: &Plan,
) -> Result<Option<MatrixMutants>, Failure> {
    let (mut results, mut solutions) = (MatrixMutants::default(), Vec::new());
    for planned in &plan.problems {
        match Solution::choose(config, false, false, planned) {
            Ok(found) if !found.is_empty() => solutions.extend(found),
            Ok(_) => results.missing.push(format!(
                "{} in the selection",
                without_solution(&[&planned.name])
            )),
            Err(Failure::Usage(why)) => results.missing.push(why),
            Err(other) => return Err(other),
        }
    }
    if solutions.is_empty() {
        return Ok(Some(results));
    }
    let context = RunContext::open(config, settings, &languages(&solutions))?;
    if infer(config, &mut solutions, &context)?.is_some() {
        return Ok(None);
    }
    let _interrupts = context.listen()?;
    for solution in &solutions {
        let name = &solution.planned.name;
        if require_time_limit(&solution.planned).is_err() {
            // The matrix itself reports the reason.
            results
                .missing
                .push(format!("`{name}` has no time limit: no mutants are judged"));
            continue;
        }
        match solution.mutate(
            config,
            &Settings {
                full: true,
                apart: false,
                max_mutants: None,
                seed: 0,
            },
            &context,
        ) {
            Ok(Some(mutation)) => drop(results.mutations.insert(name.clone(), mutation)),
            Ok(None) => return Ok(None),
            // The matrix itself reports the verdict.
            Err(Failure::Mutation(
                MutationError::NotAccepted { .. } | MutationError::NotReady(_),
            )) => {
                let why = format!(
                    "`{}` is not accepted and is not mutated",
                    solution.submission.id
                );
                results.missing.push(format!("`{name}`: {why}"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Some(results))
}
