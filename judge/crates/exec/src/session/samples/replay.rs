//! Replaying: compares the behaviour of output validators with the conversation of a sample
//! (`.interaction`).
//!
//! Responsible for sending a validator the submission's lines of the file, pass by pass, and for
//! comparing its answers. Must not know what a difference means for a package.
//!
//! Source: 2025-09 and legacy, "Interactive Problems" and "Multi-pass".

use judge_grading::ValidatorDecision;
use judge_sandbox::Capture;

use crate::ExecError;
use crate::build::program::Runnable;
use crate::fault::Fault;
use crate::jury::next_pass::NextPass;
use crate::jury::output_validator::OutputValidation;
use crate::jury::reply::{Question, Reply};
use crate::jury::validator_requests::{OutputQuestion, OutputReply};
use crate::regular_file;
use crate::session::questions::{MAX_DATA_BYTES, ReadyOutputValidators, reply_to_question};
use crate::session::worker::Worker;

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayResult {
    /// The first difference between the sample and the validator's behaviour, in words.
    pub difference: Option<String>,
    /// The inputs of the further passes that it requested.
    pub next_inputs: Vec<Vec<u8>>,
}

/// One pass of an `.interaction` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SamplePass {
    /// The lines that the submission receives: those with `<`.
    pub given: Vec<u8>,
    /// The lines that it writes: those with `>`.
    pub written: Vec<u8>,
}

impl SamplePass {
    /// Returns the passes of an `.interaction` file; `None` when a line has no direction.
    #[must_use]
    pub fn all(text: &[u8]) -> Option<Vec<Self>> {
        let mut passes = vec![Self::default()];
        for line in text
            .strip_suffix(b"\n")
            .unwrap_or(text)
            .split(|byte| *byte == b'\n')
        {
            let pass = passes.last_mut()?;
            match line.split_first() {
                _ if line == b"---" => passes.push(Self::default()),
                Some((b'<', line)) => pass.given.extend([line, b"\n"].concat()),
                Some((b'>', line)) => pass.written.extend([line, b"\n"].concat()),
                _ => return None,
            }
        }
        Some(passes)
    }
}

impl Worker<'_> {
    /// Sends the first output validator of a package the submission's lines of a sample, and
    /// compares its behaviour with the sample. `question` is about the test case; its output does
    /// not matter. `talks` is true for an interactive problem.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn replay(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
        passes: &[SamplePass],
        talks: bool,
    ) -> Result<ReplayResult, ExecError> {
        let mut replayed = ReplayResult::default();
        let Some([validator, ..]) = validators.programs() else {
            return Ok(replayed);
        };
        let (input, first) = (question.input, question.in_first_pass(validators.scoring));
        let mut validating = self.output_validation(false)?;
        let mut earlier: Option<NextPass> = None;
        for (number, recorded) in (1..).zip(passes) {
            let question = Question {
                output: &recorded.written,
                earlier: earlier.as_ref(),
                ..first
            };
            // All lines of the submission are sent together. A validator that answers line by line
            // gives the same answers, since it does not know when a line was written.
            let (reply, mut output) = match Fault::apart(
                validating
                    .ask_for_output(validator, &question)
                    .map_err(Fault::from),
            )? {
                Ok(answered) => answered,
                Err(refusal) => {
                    replayed.difference = Some(refusal.to_string());
                    return Ok(replayed);
                }
            };
            // In a multi-pass problem there is no conversation: the submission receives the input
            // of the pass.
            if !talks {
                let path = earlier
                    .as_ref()
                    .map_or_else(|| input.to_owned(), NextPass::input);
                output = regular_file::read(&path, MAX_DATA_BYTES)
                    .map_err(ExecError::io("read", &path))?;
            }
            let place = if passes.len() > 1 {
                format!("pass {number}: ")
            } else {
                String::new()
            };
            if let Some(why) = difference(&output, recorded, &reply) {
                replayed.difference = Some(format!("{place}{why}"));
                return Ok(replayed);
            }
            earlier = reply.next_pass;
            if let Some(input) = earlier.as_ref().map(NextPass::input) {
                replayed.next_inputs.push(
                    regular_file::read(&input, MAX_DATA_BYTES)
                        .map_err(ExecError::io("read", &input))?,
                );
            }
            // Checked in both directions: a validator that ends early and one that continues for
            // longer both contradict the sample.
            let goes_on = number < passes.len();
            if earlier.is_some() != goes_on {
                let what = if goes_on {
                    "requests no further pass"
                } else {
                    "requests a further pass"
                };
                replayed.difference = Some(format!("{place}the output validator {what}"));
                return Ok(replayed);
            }
        }
        Ok(replayed)
    }

    /// Sends the first output validator of a package the complete output of a submission, and then
    /// closes the stream, like a fast submission that does not wait for answers. The validator's
    /// output is discarded.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn speak_to(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
    ) -> Result<OutputReply, ExecError> {
        let cancelled = || OutputReply::decided(ValidatorDecision::Cancelled);
        let Some([validator, ..]) = validators.programs() else {
            return Ok(cancelled());
        };
        let mut validating = self.output_validation(true)?;
        let limits = question.limits;
        let question = question.in_first_pass(validators.scoring);
        let reply = validating
            .ask_for_output(validator, &question)
            .and_then(|(reply, _)| reply_to_question(reply, limits));
        Fault::answer(reply, OutputReply::judge_error)
    }
}

/// Describes the difference between the file and the conversation. The file does not show how the
/// last line ends.
fn difference(output: &[u8], recorded: &SamplePass, reply: &Reply) -> Option<String> {
    let lines = |text: &[u8]| {
        if text.is_empty() {
            return Vec::new();
        }
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|byte| *byte == b'\n')
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect::<Vec<_>>()
    };
    let (output, recorded) = (lines(output), lines(&recorded.given));
    let length = output.len().max(recorded.len());
    // Lines instead of bytes are compared, because the file does not show the end of the last line.
    let differs = (0..length).find(|index| output.get(*index) != recorded.get(*index));
    if let Some(index) = differs {
        let quoted = |line: Option<&String>| {
            line.map_or_else(|| "nothing".to_owned(), |line| format!("`{line}`"))
        };
        let (recorded, output) = (quoted(recorded.get(index)), quoted(output.get(index)));
        return Some(format!(
            "line {} of the submission's input: the file has {recorded}, the validator sends {output}",
            index + 1
        ));
    }
    let message = reply.judge_message.to_text();
    let message = message
        .lines()
        .next()
        .map(|line| format!(": {line}"))
        .unwrap_or_default();
    match &reply.decision {
        ValidatorDecision::Accepted | ValidatorDecision::Cancelled => None,
        ValidatorDecision::Rejected => Some(format!("the output validator rejects it{message}")),
        ValidatorDecision::JudgeError { reason } => Some(format!("{reason}{message}")),
    }
}

impl OutputValidation<'_> {
    /// Runs a validator, and also returns its standard output: the text that it would send to a
    /// submission with this output.
    fn ask_for_output(
        &mut self,
        validator: &Runnable,
        question: &Question<'_>,
    ) -> Result<(Reply, Vec<u8>), ExecError> {
        let (execution, _files) = self.talking_execution(validator, question)?;
        let mut capture = Capture::default();
        let mut finished = self.slot.run(&execution, &mut capture)?;
        finished.outcome.usage.stdout_bytes = 0;
        let reply = self.reply(validator, question, &finished, &capture.stderr)?;
        Ok((reply, capture.stdout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_read_from_their_text() {
        let pass = |given: &str, written: &str| SamplePass {
            given: given.into(),
            written: written.into(),
        };
        assert_eq!(
            SamplePass::all(b"<1\n>a b\n<\n").unwrap(),
            [pass("1\n\n", "a b\n")]
        );
        assert_eq!(
            SamplePass::all(b"<1\n---\n>x\n---\n<2").unwrap(),
            [pass("1\n", ""), pass("", "x\n"), pass("2\n", "")]
        );
        assert_eq!(SamplePass::all(b"<1\n1\n"), None);
        assert_eq!(SamplePass::all(b"<1\n\n>2\n"), None);
    }
}
