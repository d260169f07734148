//! The agreement of accepted solutions about an answer that one of them has written.
//!
//! Responsible for which solutions are asked. Must not know how answers are compared.

use std::path::Path;

use judge_exec::{ExecError, Generation, ReadyProgram, Worker};
use judge_model::Limits;

use crate::complete::{Case, Jurors, read};

/// The accepted solutions beside the one that writes answers, by id.
pub(crate) type Others = Vec<(String, ReadyProgram)>;

/// Asks every other accepted solution; the fault of the first whose output is not as good as the answer.
pub(crate) fn disagreement(
    case: &Case<'_>,
    answer: &Path,
    jurors: &Jurors,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let Some(outputs) = jurors.outputs.as_ref() else { return Ok(None) };
    let input = read(case.input)?;
    for (id, program) in &jurors.others {
        let making = Generation { program, args: case.args, input: &input, leaves: None, time: None };
        let output = match worker.make(&making) {
            Ok(made) => made.stdout,
            Err(fault) => return Ok(Some(format!("no answer is made: `{id}` {}", fault.refusal()?))),
        };
        if !case.accepts(outputs, answer, &output, limits, worker)? {
            return Ok(Some(format!("no answer is made: `{id}` gives another one than the solution that writes it")));
        }
    }
    Ok(None)
}
