//! The combined programs: one that chooses among many mutants, and one that records which of them a
//! test case reaches.
//!
//! Responsible for building them without the mutants that the compiler rejects.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use judge_exec::PreparedSubmission;

use crate::error::MutationError;
use crate::mutants::{ChoiceKind, MutantIndex, Purpose, blamed, combined};
use crate::sources::Program;
use crate::subject::Subject;

/// The maximum number of builds of a combined program. A compiler works in phases, and reports only
/// the errors of the first phase that fails.
const MAX_BUILDS: usize = 20;

/// The two combined programs.
#[derive(Default)]
pub(crate) struct Programs {
    pub(crate) choosing: CombinedProgram,
    pub(crate) recording: CombinedProgram,
    /// The time that building both programs took.
    pub(crate) took: Duration,
}

/// A combined program.
#[derive(Default)]
pub(crate) struct CombinedProgram {
    /// The compiled program; `None` if it can contain no mutant.
    pub(crate) prepared: Option<PreparedSubmission>,
    /// The mutants that it contains.
    mutants: BTreeSet<MutantIndex>,
}

impl CombinedProgram {
    pub(crate) fn contains(&self, mutant: MutantIndex) -> bool {
        self.mutants.contains(&mutant)
    }
}

impl Programs {
    pub(crate) fn build(subject: &Subject<'_>) -> Result<Self, MutationError> {
        let started = Instant::now();
        if subject.settings.apart {
            return Ok(Self::default());
        }
        // Mutants that earlier runs left out are not tried again, which saves the failing
        // builds.
        let mut not_together = subject.store().not_together.clone();
        let mut not_recorded = subject.store().not_recorded.clone();
        let choosing = CombinedProgram::build(subject, Purpose::Choosing, &mut not_together)?;
        let recording = CombinedProgram::build(subject, Purpose::Recording, &mut not_recorded)?;
        // A compiler that was stopped has not rejected any mutant.
        if !subject.session.is_cancelled() {
            let mut store = subject.store();
            (store.not_together, store.not_recorded) = (not_together, not_recorded);
        }
        Ok(Self {
            choosing,
            recording,
            took: started.elapsed(),
        })
    }
}

impl CombinedProgram {
    /// Builds a program of the chosen mutants except those with ids in `left_out`. The ids of
    /// mutants that the compiler rejects are added to `left_out`.
    fn build(
        subject: &Subject<'_>,
        purpose: Purpose,
        left_out: &mut BTreeSet<String>,
    ) -> Result<Self, MutationError> {
        let mutants = subject.mutants;
        let mut rejected: BTreeSet<MutantIndex> = MutantIndex::first(mutants.len())
            .filter(|index| left_out.contains(&mutants[*index].id))
            .collect();
        let has_choice = |index: &MutantIndex| mutants[*index].choice.is_some();
        let candidates: BTreeSet<MutantIndex> =
            subject.chosen.iter().copied().filter(has_choice).collect();
        let prepared = build_without(subject, purpose, &candidates, &mut rejected)?;
        left_out.extend(rejected.iter().map(|index| mutants[*index].id.clone()));
        let contained = prepared
            .iter()
            .flat_map(|_| candidates.difference(&rejected))
            .copied()
            .collect();
        Ok(Self {
            prepared,
            mutants: contained,
        })
    }
}

/// Builds a program of as many candidates as possible, and adds the others to `rejected`. Returns
/// `None` when no such program compiles.
fn build_without(
    subject: &Subject<'_>,
    purpose: Purpose,
    candidates: &BTreeSet<MutantIndex>,
    rejected: &mut BTreeSet<MutantIndex>,
) -> Result<Option<PreparedSubmission>, MutationError> {
    let Subject {
        sources,
        source,
        mutants,
        ..
    } = *subject;
    let mut worker = subject.session.measuring_worker(None);
    let program = Program::Combined(purpose);
    // Each build leaves out the mutants that the errors of the previous one name, until the rest
    // compiles.
    for _ in 0..MAX_BUILDS {
        let chosen: BTreeSet<MutantIndex> = candidates.difference(rejected).copied().collect();
        if chosen.is_empty() {
            return Ok(None);
        }
        let combined = combined(source, sources.language, mutants, &chosen, purpose)
            .map_err(|error| MutationError::Sources(io::Error::other(error)))?;
        sources
            .write(program, &combined.text)
            .map_err(MutationError::Sources)?;
        let refusal = match worker.prepare_submission(sources.place(program)) {
            Ok(prepared) => return Ok(Some(prepared)),
            Err(fault) => fault.refusal()?,
        };
        let mut found = blamed(
            &combined,
            refusal.compiler_output(),
            sources.file_name(),
            sources.language,
        );
        if found.is_empty() {
            // The errors name no mutant. Mutants that are chosen with a whole block are the most
            // likely cause.
            let is_block = |index: &MutantIndex| {
                mutants[*index]
                    .choice
                    .as_ref()
                    .is_some_and(|choice| choice.kind == ChoiceKind::Block)
            };
            found = chosen.into_iter().filter(is_block).collect();
        }
        if found.is_empty() {
            break;
        }
        rejected.extend(found);
    }
    // No combined program could be built. Every mutant is then compiled separately, which is slow
    // but correct.
    rejected.extend(candidates);
    Ok(None)
}
