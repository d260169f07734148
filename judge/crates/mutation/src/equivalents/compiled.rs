//! Mutants that the compiler makes the same program of as of the solution; in Python, the same bytecode.
//!
//! Responsible for which survivors are compared. What is the same program does the same; two different ones may as well.
//! Must not know what is argued by people.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use crate::equivalents::functions::Functions;
use crate::judging::{Context, MutantOutcome, MutantWorker};
use crate::mutants::MutantIndex;
use crate::mutation::MutationError;
use crate::trying::Subject;

/// The number of mutants whose functions are compared in one text. With more, one that the compiler refuses keeps more others
/// from being compared so, and it puts functions into others less willingly.
const AT_ONCE: usize = 12;

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
    let (mut same, mut done) = (BTreeSet::new(), 0);
    let begin = |core| MutantWorker::new(context, core);
    let functions = Functions::of(subject.source, context.workplace.language);
    let is_open = |mutant: MutantIndex| is_open(subject, mutant);
    let (by_functions, mut whole): (Vec<MutantIndex>, Vec<MutantIndex>) =
        survivors.iter().partition(|mutant| is_open(**mutant) && functions.can_copy(&subject.mutants[**mutant]));
    let texts: Vec<(usize, &[MutantIndex])> = by_functions.chunks(AT_ONCE).enumerate().collect();
    let work = |worker: &mut MutantWorker<'_>, (number, mutants): &(usize, &[MutantIndex])| {
        worker.compare_functions(&functions, *number, mutants)
    };
    let end = subject.environment.crew().for_each_result(&texts, begin, work, |_, found| {
        for (mutant, is_same) in found {
            whole.extend(is_same.is_none().then_some(mutant));
            done += usize::from(is_same.is_some());
            same.extend(is_same.unwrap_or(false).then_some(mutant));
        }
        hear(done, survivors.len())
    })?;
    if end.is_none() {
        return Ok(None);
    }
    let work = |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| worker.is_the_solution(*mutant);
    let end = subject.environment.crew().for_each_result(&whole, begin, work, |index, is_same| {
        done += 1;
        same.extend(is_same.then_some(whole[index]));
        hear(done, survivors.len())
    })?;
    Ok(end.map(|()| same))
}

/// True when it is not known from before whether a mutant is the same.
fn is_open(subject: &Subject<'_>, mutant: MutantIndex) -> bool {
    let memory = subject.memory.lock().unwrap_or_else(PoisonError::into_inner);
    !memory.same_programs.contains_key(&subject.mutants[mutant].id)
}
