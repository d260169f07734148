//! Mutants for `judge run --matrix`: those that the test cases of a plan kill.
//!
//! Responsible for which problems have no mutants, and why. Must not know how mutants are made or judged, nor what follows.

use std::collections::BTreeMap;

use judge_event::Mutation;
use judge_mutation::{MutationError, Settings};
use judge_runner::Plan;

use crate::commands::judging::inferring::require_time_limit;
use crate::commands::judging::{JudgingSettings, RunContext};
use crate::commands::mutate::solution::Solution;
use crate::commands::mutate::solutions::{languages, take_time_limits};
use crate::config::Config;
use crate::failure::Failure;

/// The mutants that were tried: those of each problem by its name.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) mutations: BTreeMap<String, Mutation>,
    /// Problems that nothing is known of, with the reason.
    pub(crate) unknown: Vec<String>,
}

/// Tries every mutant of the problems' first accepted solutions on every test case. `None` when it was
/// interrupted.
pub(crate) fn try_all(config: &Config, settings: JudgingSettings, plan: &Plan) -> Result<Option<Tried>, Failure> {
    let (mut tried_all, mut solutions) = (Tried::default(), Vec::new());
    for planned in &plan.problems {
        match Solution::of(config, false, false, planned) {
            Ok(found) if !found.is_empty() => solutions.extend(found),
            Ok(_) => {
                let why = format!(
                    "`{}` has no accepted solution in Rust, C++, C, Java or Python among what was named",
                    planned.name
                );
                tried_all.unknown.push(why);
            }
            Err(Failure::Usage(why)) => tried_all.unknown.push(why),
            Err(other) => return Err(other),
        }
    }
    if solutions.is_empty() {
        return Ok(Some(tried_all));
    }
    let context = RunContext::open(config, settings, &languages(&solutions))?;
    if take_time_limits(config, &mut solutions, &context)?.is_some() {
        return Ok(None);
    }
    let _interrupts = context.listen()?;
    for solution in &solutions {
        let name = &solution.planned.name;
        if require_time_limit(&solution.planned).is_err() {
            // The matrix itself says why.
            tried_all.unknown.push(format!("`{name}` has no time limit: no mutants are judged"));
            continue;
        }
        match solution.mutate(config, &Settings { full: true, apart: false, most: None, seed: 0 }, &context) {
            Ok(Some(mutation)) => drop(tried_all.mutations.insert(name.clone(), mutation)),
            Ok(None) => return Ok(None),
            // The matrix itself says what is wrong with a submission.
            Err(Failure::Mutation(MutationError::NotAccepted { .. } | MutationError::NotReady(_))) => {
                let why = format!("`{}` is not accepted and is not mutated", solution.submission.id);
                tried_all.unknown.push(format!("`{name}`: {why}"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Some(tried_all))
}
