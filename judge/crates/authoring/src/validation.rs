//! Validating inputs, and showing those that were rejected.
//!
//! Responsible for what the replies of input validators mean for an input, and for where its author finds it. Must not know
//! how validators are run.

use std::io::Read as _;
use std::path::Path;

use judge_exec::{
    Data, ExecError, INPUT_VALIDATORS_END, InputQuestion, InputReply, InputValidatorDecision, ReadyInputValidator,
    Session, Start, Worker,
};
use judge_package::{InputValidatorArgs, MAX_DATA_BYTES, open_within};

use crate::add::is_spooled;
use crate::complete::Case;
use crate::project::Project;

impl Project {
    /// Names the file of an input that was not what it must be, with its first lines. One that somebody wrote is where it
    /// was; any other is kept.
    pub(crate) fn rejected_input(&self, case: &Case<'_>, session: &Session) -> Result<String, ExecError> {
        let given = case.planned.and_then(|planned| planned.given.get("in")).filter(|path| !is_spooled(path));
        let kept = match given {
            Some(path) => Ok(Some(path.clone())),
            None => session.keep_rejected(self.directory(), &format!("{} {}", self.problem.name, case.id), case.input),
        };
        // To keep it is a courtesy: the finding is told in any case.
        let input = match kept {
            Ok(Some(path)) => format!("the input, `{}`,", path.display()),
            Ok(None) => "the input, too large to be kept,".to_owned(),
            Err(why) => format!("the input, which could not be kept ({why}),"),
        };
        Ok(format!("\n  {input} begins:{}", first_lines(case.input)?))
    }
}

/// The first lines of a file, each on a line of its own, and cut where they are long.
fn first_lines(path: &Path) -> Result<String, ExecError> {
    const LINES: usize = 3;
    const COLUMNS: usize = 72;
    let failed = || ExecError::io("read", path);
    let mut beginning = Vec::new();
    let file = open_within(path, MAX_DATA_BYTES).map_err(failed())?;
    file.take(4 * (LINES * COLUMNS) as u64).read_to_end(&mut beginning).map_err(failed())?;
    if beginning.is_empty() {
        return Ok(" nothing, it is empty".to_owned());
    }
    let text = String::from_utf8_lossy(&beginning);
    let cut = |line: &str| match line.char_indices().nth(COLUMNS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    };
    Ok(text.lines().take(LINES).map(|line| format!("\n    {}", cut(line))).collect())
}

/// Asks the input validators about the input of a test case; `None` when it is as it must be.
pub(crate) fn validate(
    case: &Case<'_>,
    validators: &[(String, ReadyInputValidator)],
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let mut rejected = false;
    for (name, validator) in validators {
        let args = InputValidatorArgs::command_line(case.input_validator_args, name, case.args);
        let question = InputQuestion { input: Data::File(case.input), args: &args, files: case.files, bounds: false };
        let is_well = |reply: &Result<InputReply, ExecError>| match reply.as_ref().map(|reply| &reply.decision) {
            Ok(InputValidatorDecision::Accepted) => true,
            Ok(InputValidatorDecision::Rejected { .. }) => case.must_be_rejected,
            _ => false,
        };
        let reply = worker.try_warm(Start::Warm, |worker| worker.ask_input(validator, &question), is_well)?;
        let said = format!("{}{}", reply.said.head.to_text(), reply.said.tail.to_text()).trim().to_owned();
        match reply.decision {
            InputValidatorDecision::Rejected { .. } if case.must_be_rejected => rejected = true,
            InputValidatorDecision::Rejected { how, is_as_agreed } => {
                let said = match (is_as_agreed, said.is_empty()) {
                    (true, false) => said,
                    (true, true) => how,
                    (false, _) => format!("it {how}; {INPUT_VALIDATORS_END}\n{said}").trim_end().to_owned(),
                };
                return Ok(Some(format!("the input validator `{name}` rejects the input: {said}")));
            }
            InputValidatorDecision::JudgeError { reason } => {
                return Ok(Some(format!("the input validator `{name}` {reason}: {said}")));
            }
            _ => {}
        }
    }
    let accepted = case.must_be_rejected && !rejected && !validators.is_empty();
    Ok(accepted.then(|| "no input validator rejects this input".to_owned()))
}
