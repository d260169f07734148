//! Mutation testing of one problem, from a solution to a document.
//!
//! Responsible for reading the solution, for its mutants or a sample of them, and for opening the
//! session that runs them.

use std::collections::BTreeSet;
use std::io;
use std::sync::Mutex;
use std::time::Instant;

use judge_event::{Mutation, Progress};
use judge_exec::{Environment, Random, Session, TimedProblem};
use judge_model::{Submission, micros};

use crate::document::document;
use crate::equivalents::Equivalent;
use crate::error::MutationError;
use crate::mutants::{MutantIndex, Unreadable};
use crate::run::run;
use crate::solution::{file_name, read, toolchains_of_mutants, without_compiler};
use crate::sources::Sources;
use crate::store::{MutantStore, key_of, store_file};
use crate::subject::{Settings, Subject};

/// Creates mutants of a solution, and runs them on the test cases of the problem. Returns `None`
/// when it was cancelled.
///
/// The time limit of the problem must be known. `equivalents` are arguments about mutants of this
/// solution.
///
/// # Errors
/// Faults of the host, and a solution or package that is unsuitable.
pub fn mutate(
    timed: &TimedProblem,
    solution: &Submission,
    equivalents: &[Equivalent],
    environment: &Environment,
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress) -> io::Result<()>,
) -> Result<Option<Mutation>, MutationError> {
    let started = Instant::now();
    let invalid = |reason: String| MutationError::Solution {
        solution: solution.id.clone(),
        reason,
    };
    let found = solution
        .language
        .as_ref()
        .and_then(|id| environment.toolchains.get(id)?.ok());
    let language = found
        .ok_or_else(|| without_compiler(solution))?
        .language
        .family;
    let language = language
        .ok_or_else(|| invalid("expected a solution in Rust, C++, C, Java or Python".to_owned()))?;
    // A solution that cannot be read or parsed is refused before anything is compiled.
    let (path, source) = read(solution, language)?;
    let mutants = crate::mutants::mutants(&source, language)
        .map_err(|error: Unreadable| invalid(error.to_string()))?;
    let chosen = match settings.max_mutants {
        Some(max) if max < mutants.len() => draw(mutants.len(), max, settings.seed),
        _ => MutantIndex::first(mutants.len()).collect(),
    };
    let (toolchains, toolchain) = toolchains_of_mutants(&environment.toolchains, solution)
        .ok_or_else(|| without_compiler(solution))?;
    // `--apart` serves to check the results of combined programs, so the two must not share stored
    // results.
    let way = if settings.apart { "apart" } else { "together" };
    let versions = [environment.judge_version.as_str(), way];
    let time_limit_us = micros(timed.time_limit);
    let store_path = store_file(
        &environment.cache_dir,
        &timed.problem,
        time_limit_us,
        &source,
        &toolchain,
        versions,
    )
    .map_err(|source| MutationError::File { path, source })?;
    let key = |case| {
        key_of(case).map_err(|source| MutationError::File {
            path: case.input.clone(),
            source,
        })
    };
    let keys = timed
        .problem
        .test_cases
        .iter()
        .map(key)
        .collect::<Result<Vec<_>, _>>()?;
    // All workers share one store. It is locked for short accesses, never during a run.
    let store = Mutex::new(MutantStore::open(&store_path));
    let sources = Sources::new(mutants.len(), language, file_name(solution))
        .map_err(MutationError::Sources)?;
    let environment = Environment {
        toolchains,
        ..environment.clone()
    };
    let session =
        Session::open(sources.problems(timed, solution), &environment, false)?.with_many_programs();
    let subject = Subject {
        session: &session,
        sources: &sources,
        store: &store,
        timed,
        environment: &environment,
        solution: &solution.id,
        source: &source,
        mutants: &mutants,
        equivalents,
        chosen: &chosen,
        keys: &keys,
        settings,
    };
    let outcome = run(&subject, progress);
    // The store is saved even after an interruption, so that no run has to be repeated.
    let saved = subject.store().save(&store_path);
    saved.map_err(|source| MutationError::File {
        path: store_path.clone(),
        source,
    })?;
    Ok(outcome?.map(|outcome| document(&subject, solution, &outcome, started.elapsed())))
}

/// The indices of a random sample of this size, with equal probabilities.
pub(crate) fn draw(total: usize, size: usize, seed: u64) -> BTreeSet<MutantIndex> {
    let mut numbers: Vec<usize> = (0..total).collect();
    let mut random = Random::new(seed);
    let size = size.min(total);
    // A Fisher–Yates shuffle that stops once the sample is complete.
    for place in 0..size {
        let left = (total - place) as u64;
        numbers.swap(
            place,
            place + usize::try_from(random.draw() % left).unwrap_or(0),
        );
    }
    numbers[..size].iter().copied().map(MutantIndex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_depend_on_the_seed_and_have_no_duplicates() {
        assert_eq!(draw(100, 7, 1), draw(100, 7, 1));
        assert_ne!(draw(100, 7, 1), draw(100, 7, 2));
        assert_eq!(draw(100, 7, 1).len(), 7);
        assert_eq!(draw(5, 7, 1).len(), 5);
        assert!(draw(0, 7, 1).is_empty());
        let drawn: BTreeSet<MutantIndex> = (0..200).flat_map(|seed| draw(10, 1, seed)).collect();
        assert_eq!(drawn.len(), 10);
    }
}
