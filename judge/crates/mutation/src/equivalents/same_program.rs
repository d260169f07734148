//! Survivors that the compiler makes the same program of as of the solution.
//!
//! Responsible for comparing compiled programs, byte by byte. Two different programs may do the same as well. Must not know
//! what people argue about mutants.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use judge_exec::Fault;

use crate::judging::{Context, MutantOutcome, MutantWorker};
use crate::language::MutantLanguage;
use crate::mutants::MutantIndex;
use crate::mutation::MutationError;
use crate::trying::Subject;
use crate::workplace::Program;

/// The survivors that are the same program as the solution. `None` when it was cancelled.
pub(crate) fn same_programs(
    subject: &Subject<'_>,
    context: &Context<'_>,
    trials: &[(MutantIndex, MutantOutcome)],
    mut on_progress: impl FnMut(usize, usize) -> Result<(), MutationError>,
) -> Result<Option<BTreeSet<MutantIndex>>, MutationError> {
    let is_argued =
        |mutant: MutantIndex| subject.equivalents.iter().any(|argued| argued.mutant == subject.mutants[mutant].id);
    let is_open = |(mutant, outcome): &&(MutantIndex, MutantOutcome)| outcome.has_survived() && !is_argued(*mutant);
    let survivors: Vec<MutantIndex> = trials.iter().filter(is_open).map(|(mutant, _)| *mutant).collect();
    let (mut same, mut done) = (BTreeSet::new(), 0);
    let begin = |core| MutantWorker::new(context, core);
    let work = |worker: &mut MutantWorker<'_>, mutant: &MutantIndex| worker.is_the_solution(*mutant);
    let end = subject.environment.crew().for_each_result(&survivors, begin, work, |index, is_same| {
        done += 1;
        same.extend(is_same.then_some(survivors[index]));
        on_progress(done, survivors.len())
    })?;
    Ok(end.map(|()| same))
}

impl MutantWorker<'_> {
    /// True when the compiler makes the same program of the mutant as of the solution. `None` when it was cancelled.
    fn is_the_solution(&mut self, mutant: MutantIndex) -> Result<Option<bool>, MutationError> {
        let id = &self.context.mutants[mutant].id;
        if let Some(known) = self.memory(|memory| memory.same_programs.get(id).copied()) {
            return Ok(Some(known));
        }
        let is_same = match self.context.workplace.language {
            MutantLanguage::Python => self.has_bytecode_of_solution(mutant)?,
            _ => self.compiles_to_solution(mutant)?,
        };
        let Some(is_same) = is_same else { return Ok(None) };
        self.memory(|memory| {
            if !memory.refused.contains(id) {
                memory.same_programs.insert(id.clone(), is_same);
            }
        });
        Ok(Some(is_same))
    }

    fn compiles_to_solution(&mut self, mutant: MutantIndex) -> Result<Option<bool>, MutationError> {
        let Some(prepared) = self.alone(mutant, &mut None)? else { return Ok(None) };
        let Some(prepared) = prepared else {
            // It was never run alone, and in the program of many it was something else.
            let id = self.context.mutants[mutant].id.clone();
            self.memory(|memory| memory.refused.insert(id));
            return Ok(Some(false));
        };
        Ok(Some(prepared.is_same_program(&self.prepared_solution()?)))
    }

    /// Compares without the solution as it is run: the sources differ.
    fn has_bytecode_of_solution(&mut self, mutant: MutantIndex) -> Result<Option<bool>, MutationError> {
        let context = self.context;
        let mut both = Vec::new();
        for (of, text) in [(Some(mutant), context.mutants[mutant].apply(context.source)), (None, context.source.into())]
        {
            let program = Program::Bytecode(of);
            // One file of the solution for all workers: none may read what another one is writing.
            let _alone = context.original.lock().unwrap_or_else(PoisonError::into_inner);
            context.workplace.write(program, &text).map_err(MutationError::Workplace)?;
            both.extend(Fault::apart(self.worker.prepare_submission(context.workplace.place(program)))?.ok());
            if context.session.is_cancelled() {
                return Ok(None);
            }
        }
        Ok(Some(matches!(&both[..], [one, other] if one.is_same_program(other))))
    }
}
