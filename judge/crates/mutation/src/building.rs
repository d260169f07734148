//! Building the programs that hold many mutants: again without those that the compiler complains about.
//!
//! Must not run anything.

use std::collections::BTreeSet;
use std::io;

use crate::mutants::{ChoiceKind, Mutant, MutantIndex, Purpose, blamed, combined};
use judge_exec::{PreparedSubmission, Worker};

use crate::diagnostics::complaints;
use crate::mutation::MutationError;
use crate::workplace::{Program, Workplace};

/// Tries before what is left is compiled apart. The compiler works in steps, and says only what the first one that
/// fails has found.
const TRIES: usize = 20;

/// True for a mutant that is chosen with the block around it.
fn is_block(mutant: &Mutant) -> bool {
    mutant.choice.as_ref().is_some_and(|choice| choice.kind == ChoiceKind::Block)
}

/// Builds the program with as many of the wanted mutants as possible; those that cannot be in it are added to `left_out`.
/// `None` when there is no such program.
pub(crate) fn build(
    worker: &mut Worker<'_>,
    workplace: &Workplace,
    source: &str,
    mutants: &[Mutant],
    wanted: &BTreeSet<MutantIndex>,
    purpose: Purpose,
    left_out: &mut BTreeSet<MutantIndex>,
) -> Result<Option<PreparedSubmission>, MutationError> {
    let program = Program::Combined(purpose);
    let with_choice = |index: &MutantIndex| mutants[*index].choice.is_some();
    let can_choose: BTreeSet<MutantIndex> = wanted.iter().copied().filter(with_choice).collect();
    for _ in 0..TRIES {
        let chosen: BTreeSet<MutantIndex> = can_choose.difference(left_out).copied().collect();
        if chosen.is_empty() {
            return Ok(None);
        }
        let combined = combined(source, workplace.language, mutants, &chosen, purpose)
            .map_err(|error| MutationError::Workplace(io::Error::other(error)))?;
        workplace.write(program, &combined.text).map_err(MutationError::Workplace)?;
        let place = workplace.place(program);
        let refusal = match worker.prepare_submission(place) {
            Ok(prepared) => return Ok(Some(prepared)),
            Err(fault) => fault.refusal()?,
        };
        let found = blamed(
            &combined,
            &complaints(refusal.compiler_said(), workplace.file_name(), workplace.language, &combined.text),
        );
        // Where nothing stands that the compiler complains about, it is the more daring choices that are given up first.
        let blocks = || chosen.iter().copied().filter(|index| is_block(&mutants[*index])).collect();
        let found = if found.is_empty() { blocks() } else { found };
        if found.is_empty() {
            break;
        }
        left_out.extend(found);
    }
    left_out.extend(can_choose);
    Ok(None)
}
