//! Mutants that the compiler makes the same program of as of the solution; in Python, the same bytecode.
//!
//! Responsible for which survivors are compared. What is the same program does the same; two different ones may as well.
//! Must not know what is argued by people.

use std::collections::BTreeSet;

use crate::judging::{Context, MutantOutcome, MutantWorker};
use crate::mutants::MutantIndex;
use crate::mutation::MutationError;
use crate::trying::Subject;

/// The survivors that are the same program as the solution. `None` when it was cancelled.
pub(crate) fn same_programs(
    subject: &Subject<'_>,
    context: &Context<'_>,
    trials: &[(MutantIndex, MutantOutcome)],
    mut hear: impl FnMut(usize, usize) -> Result<(), MutationError>,
) -> Result<Option<BTreeSet<MutantIndex>>, MutationError> {
    let is_argued =
        |mutant: MutantIndex| subject.equivalents.iter().any(|argued| argued.mutant == subject.mutants[mutant].id);
    let open = |(mutant, outcome): &&(MutantIndex, MutantOutcome)| outcome.has_survived() && !is_argued(*mutant);
    let survivors: Vec<MutantIndex> = trials.iter().filter(open).map(|(mutant, _)| *mutant).collect();
    if survivors.is_empty() {
        return Ok(Some(BTreeSet::new()));
    }
    let mut same = BTreeSet::new();
    let mut done = 0;
    let begin = |core| MutantWorker::new(context, core);
    let work = |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| worker.is_the_solution(*mutant);
    let end = subject.environment.crew().for_each_result(&survivors, begin, work, |index, is_same| {
        done += 1;
        same.extend(is_same.then_some(survivors[index]));
        hear(done, survivors.len())
    })?;
    Ok(end.map(|()| same))
}
