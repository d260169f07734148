//! Comparing mutants with the solution, by what the compiler makes of them.
//!
//! Responsible for what is compiled for that: copies of functions where these are enough, else the whole program. Must not
//! know which mutants are to be compared.

use std::sync::PoisonError;

use judge_exec::Fault;

use crate::equivalents::assembly::{Assembly, Comparison};
use crate::equivalents::copies;
use crate::equivalents::functions::Functions;
use crate::judging::MutantWorker;
use crate::language::MutantLanguage;
use crate::mutants::MutantIndex;
use crate::mutation::MutationError;
use crate::workplace::Program;

/// A mutant, and whether its function is that of the solution, where that can be told.
pub(crate) type Compared = (MutantIndex, Option<bool>);

impl MutantWorker<'_> {
    /// Compares the functions of mutants with those of the solution. The text with the copies has a number of its own. `None`
    /// when it was cancelled.
    pub(crate) fn compare_functions(
        &mut self,
        functions: &Functions<'_>,
        number: usize,
        mutants: &[MutantIndex],
    ) -> Result<Option<Vec<Compared>>, MutationError> {
        let (context, program) = (self.context, Program::Assembly(number));
        let copies = functions.copies(context.mutants, mutants);
        context.workplace.write(program, &copies.text).map_err(MutationError::Workplace)?;
        let ready = Fault::apart(self.worker.prepare_submission(context.workplace.place(program)))?;
        if context.session.is_cancelled() {
            return Ok(None);
        }
        // What the compiler refuses is compared otherwise.
        let bytes = ready.ok().and_then(|ready| ready.file(copies::FILE, copies::MOST_BYTES).ok());
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let assembly = Assembly::read(&text);
        let mut found = Vec::new();
        for (mutant, of_mutant, of_solution) in &copies.pairs {
            let is_same = match assembly.compare(of_mutant, of_solution) {
                Comparison::Same => Some(true),
                Comparison::Different => Some(false),
                Comparison::Unknown => None,
            };
            if let Some(is_same) = is_same {
                let id = context.mutants[*mutant].id.clone();
                self.memory(|memory| memory.same_programs.insert(id, is_same));
            }
            found.push((*mutant, is_same));
        }
        Ok(Some(found))
    }

    /// True when the compiler makes the same program of the mutant as of the solution. `None` when it was cancelled.
    pub(crate) fn is_the_solution(&mut self, mutant: MutantIndex) -> Result<Option<bool>, MutationError> {
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
