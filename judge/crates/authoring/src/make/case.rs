//! The cases of the staged package, and the validation of their inputs.
//!
//! Responsible for interpreting the replies of validators, and for showing the author where a
//! rejected input is. Must not know how validators are run.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use judge_event::Excerpt;
use judge_exec::{
    Data, ExecError, INPUT_VALIDATOR_CODES, InputQuestion, InputReply, InputValidatorDecision,
    OutputQuestion, OutputReply, ReadyInputValidator, ReadyOutputValidators, Session, Start,
    ValidatorDecision, Worker,
};
use judge_model::{Limits, OutputValidatorArgs};
use judge_package::{InputValidatorArgs, LoadedPackage, MAX_DATA_BYTES, open_within};

use crate::generators::plan::PlannedCase;
use crate::make::data::StagedData;
use crate::make::samples::Sample;
use crate::project::Project;

/// A test case of the staged package.
#[derive(Clone, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) id: &'a str,
    pub(crate) planned: Option<&'a PlannedCase>,
    pub(crate) input: &'a Path,
    /// The answer file, if one is required.
    pub(crate) answer: Option<&'a Path>,
    pub(crate) args: &'a [String],
    pub(crate) output_validator_args: &'a OutputValidatorArgs,
    pub(crate) input_validator_args: Option<&'a InputValidatorArgs>,
    pub(crate) files: Option<&'a Path>,
    pub(crate) must_be_rejected: bool,
    /// True when a solution writes the answer.
    pub(crate) needs_answer: bool,
    /// The sample, if its conversation is recorded.
    pub(crate) sample: Option<&'a Sample>,
}

impl Case<'_> {
    /// Asks the output validators about an output with this answer.
    pub(crate) fn judge(
        &self,
        outputs: &ReadyOutputValidators,
        answer: &Path,
        output: &[u8],
        limits: &Limits,
        worker: &mut Worker<'_>,
    ) -> Result<OutputReply, ExecError> {
        let question = OutputQuestion {
            limits,
            input: self.input,
            answer,
            args: self.output_validator_args,
            output,
        };
        worker.ask_output(outputs, &question)
    }

    /// Returns true when the output validators accept an output with this answer.
    pub(crate) fn accepts(
        &self,
        outputs: &ReadyOutputValidators,
        answer: &Path,
        output: &[u8],
        limits: &Limits,
        worker: &mut Worker<'_>,
    ) -> Result<bool, ExecError> {
        let reply = self.judge(outputs, answer, output, limits, worker)?;
        Ok(reply.decision == ValidatorDecision::Accepted)
    }
}

/// The message of output validators: the one for the jury, or else the end of standard error.
pub(crate) fn message_of(reply: &OutputReply) -> String {
    let message = reply.judge_message.to_text();
    match message.trim() {
        "" => text_of(&reply.stderr),
        message => message.to_owned(),
    }
}

/// Adds the message of a program, if it wrote one, to a fault.
pub(super) fn with_message(fault: &str, message: &str) -> String {
    if message.is_empty() {
        fault.to_owned()
    } else {
        format!("{fault}: {message}")
    }
}

fn text_of(stderr: &Excerpt) -> String {
    format!("{}{}", stderr.head.to_text(), stderr.tail.to_text())
        .trim()
        .to_owned()
}

/// The cases that were created: test cases, and cases of other directories.
pub(crate) fn cases<'a>(
    project: &'a Project,
    loaded: &'a LoadedPackage,
    without_answer: &[String],
    samples: &'a [Sample],
    data: &StagedData,
) -> Vec<Case<'a>> {
    let planned = project
        .plan
        .cases
        .iter()
        .map(|case| (case.id.as_str(), case));
    let planned: BTreeMap<&str, &PlannedCase> = planned.collect();
    let is_made = |id: &str| data.origins.contains_key(&format!("{id}.in"));
    let of_problem = loaded.problem.test_cases.iter().map(|case| Case {
        id: &case.id,
        planned: planned.get(case.id.as_str()).copied(),
        input: &case.input,
        answer: Some(&case.answer),
        args: &case.args,
        output_validator_args: &case.output_validator_args,
        input_validator_args: loaded.input_validator_args.get(&case.id),
        files: case.files.as_deref(),
        must_be_rejected: false,
        needs_answer: without_answer.contains(&case.id),
        sample: samples.iter().find(|sample| sample.test_case.id == case.id),
    });
    let others = loaded.extra_cases.iter().map(|case| Case {
        id: &case.id,
        planned: planned.get(case.id.as_str()).copied(),
        input: &case.input,
        answer: None,
        args: &case.args,
        output_validator_args: &case.output_validator_args,
        input_validator_args: Some(&case.input_validator_args),
        files: case.files.as_deref(),
        must_be_rejected: case.id.starts_with("invalid_input/"),
        needs_answer: false,
        sample: None,
    });
    of_problem
        .chain(others)
        .filter(|case| is_made(case.id))
        .collect()
}

/// Describes an input that was rejected, with its file and first lines. An input that was written
/// by hand is not copied; any other is stored.
pub(crate) fn rejected_input(
    project: &Project,
    case: &Case<'_>,
    session: &Session,
) -> Result<String, ExecError> {
    let given = case
        .planned
        .and_then(|planned| planned.given.get("in"))
        .filter(|path| !is_spooled(path));
    let kept = match given {
        Some(path) => Ok(Some(path.clone())),
        None => session.keep_rejected(
            project.directory(),
            &format!("{} {}", project.name(), case.id),
            case.input,
        ),
    };
    // A failure to store the input is not an error: the fault is reported anyway.
    let input = match kept {
        Ok(Some(path)) => format!("the input, `{}`,", path.display()),
        Ok(None) => "the input, too large to be stored,".to_owned(),
        Err(why) => format!("the input, which could not be stored ({why}),"),
    };
    Ok(format!("\n  {input} {}", first_lines(case.input)?))
}

/// Returns true for a temporary copy of a given input, which `add` names `in`, without an
/// extension.
fn is_spooled(path: &Path) -> bool {
    path.extension().is_none() && path.file_name().is_some_and(|name| name == "in")
}

/// The end of a sentence with the first lines of a file, each on a separate line and truncated if
/// it is long.
fn first_lines(path: &Path) -> Result<String, ExecError> {
    const LINES: usize = 3;
    const COLUMNS: usize = 72;
    let failed = || ExecError::io("read", path);
    let mut beginning = Vec::new();
    let file = open_within(path, MAX_DATA_BYTES).map_err(failed())?;
    file.take(4 * (LINES * COLUMNS) as u64)
        .read_to_end(&mut beginning)
        .map_err(failed())?;
    if beginning.is_empty() {
        return Ok("is empty".to_owned());
    }
    let text = String::from_utf8_lossy(&beginning);
    let cut = |line: &str| match line.char_indices().nth(COLUMNS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    };
    let lines: String = text
        .lines()
        .take(LINES)
        .map(|line| format!("\n    {}", cut(line)))
        .collect();
    Ok(format!("begins:{lines}"))
}

/// Runs the input validators on the input of a test case. Returns the fault of the input, if there
/// is one.
pub(crate) fn validate(
    case: &Case<'_>,
    validators: &[(String, ReadyInputValidator)],
    worker: &mut Worker<'_>,
) -> Result<Option<String>, ExecError> {
    let mut rejected = false;
    for (name, validator) in validators {
        let args = InputValidatorArgs::command_line(case.input_validator_args, name, case.args);
        let question = InputQuestion {
            input: Data::File(case.input),
            args: &args,
            files: case.files,
            bounds: false,
        };
        let is_expected = |reply: &Result<InputReply, ExecError>| match reply
            .as_ref()
            .map(|reply| &reply.decision)
        {
            Ok(InputValidatorDecision::Accepted) => true,
            Ok(InputValidatorDecision::Rejected { .. }) => case.must_be_rejected,
            _ => false,
        };
        // A warm program decides only if the reply is the expected one. Otherwise an ordinary run
        // decides.
        let reply = worker.try_warm(
            Start::Warm,
            |worker| worker.ask_input(validator, &question),
            is_expected,
        )?;
        let message = text_of(&reply.output);
        match reply.decision {
            // One validator that rejects is enough for `invalid_input`. The others run too, so that
            // a crash of one of them is reported.
            InputValidatorDecision::Rejected { .. } if case.must_be_rejected => rejected = true,
            InputValidatorDecision::Rejected { how, is_as_agreed } => {
                let message = match (is_as_agreed, message.is_empty()) {
                    (true, false) => message,
                    (true, true) => how,
                    (false, _) => format!("it {how}; {INPUT_VALIDATOR_CODES}\n{message}")
                        .trim_end()
                        .to_owned(),
                };
                return Ok(Some(format!(
                    "the input validator `{name}` rejects the input: {message}"
                )));
            }
            InputValidatorDecision::JudgeError { reason } => {
                let fault = format!("the input validator `{name}` {reason}");
                return Ok(Some(with_message(&fault, &message)));
            }
            _ => {}
        }
    }
    let accepted = case.must_be_rejected && !rejected && !validators.is_empty();
    Ok(accepted.then(|| "no input validator rejects this input".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_without_a_message_do_not_end_in_a_colon() {
        assert_eq!(with_message("it failed", "why"), "it failed: why");
        assert_eq!(with_message("it failed", ""), "it failed");
    }
}
