//! The requests to validators about data, and their replies.
//!
//! Must not know how validators are run.

use std::path::Path;

use judge_checktestdata::Reach;
use judge_event::{Bytes, Excerpt};
use judge_grading::{InputValidatorDecision, ValidatorDecision};
use judge_model::{Limits, OutputValidatorArgs};

use crate::build::bounds::Bound;
use crate::jury::reply::Question;

/// Data that a validator reads.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// A file.
    File(&'a Path),
    /// Bytes in memory.
    Bytes(&'a [u8]),
}

/// A question to an input validator. It never sees an answer.
#[derive(Clone, Copy, Debug)]
pub struct InputQuestion<'a> {
    /// The input.
    pub input: Data<'a>,
    /// The validator's arguments for this input.
    pub args: &'a [String],
    /// The directory with the test case's files (`.files`), if it has any.
    pub files: Option<&'a Path>,
    /// True when a validator that knows the question is to report the bounds that the input
    /// reaches.
    pub bounds: bool,
}

/// The reply of an input validator.
#[derive(Clone, Debug, PartialEq)]
pub struct InputReply {
    /// The decision that follows from its end.
    pub decision: InputValidatorDecision,
    /// The bounds that were reached, if it knows that question and accepted.
    pub bounds: Vec<Bound>,
    /// The end of its output: of standard error, or else of standard output.
    pub output: Excerpt,
    /// The extent to which an accepted input reaches into the ranges of a checktestdata program;
    /// unknown for other programs.
    pub reached: Vec<Reach>,
    /// True when it was killed for its time, or used more time than allowed.
    pub timed_out: bool,
}

impl InputReply {
    /// Creates a reply with this decision and nothing else.
    pub(crate) fn decided(decision: InputValidatorDecision) -> Self {
        Self {
            decision,
            bounds: Vec::new(),
            output: Excerpt::default(),
            reached: Vec::new(),
            timed_out: false,
        }
    }
}

/// A question to output validators.
#[derive(Clone, Copy, Debug)]
pub struct OutputQuestion<'a> {
    /// The problem's limits, of which those of validators apply.
    pub limits: &'a Limits,
    /// The input file.
    pub input: &'a Path,
    /// The answer file.
    pub answer: &'a Path,
    /// The validators' arguments for this test case.
    pub args: &'a OutputValidatorArgs,
    /// The output to check.
    pub output: &'a [u8],
}

impl<'a> OutputQuestion<'a> {
    /// Creates the request to the output validators of a problem, about one pass.
    pub(crate) fn in_first_pass(&self, scoring: bool) -> Question<'a> {
        Question {
            limits: self.limits,
            input: self.input,
            answer: self.answer,
            position: 0,
            args: self.args,
            output: self.output,
            earlier: None,
            scoring,
            keep_feedback: false,
        }
    }
}

/// The joint reply of all output validators.
#[derive(Clone, Debug)]
pub struct OutputReply {
    /// The decision by their exit codes: any judge error makes a judge error, any rejection
    /// rejects.
    pub decision: ValidatorDecision,
    /// The beginning of `judgemessage.txt`.
    pub judge_message: Bytes,
    /// The beginning of `score.txt`.
    pub score: Option<Vec<u8>>,
    /// The end of standard error.
    pub stderr: Excerpt,
    /// The input of a further pass, if it requests one.
    pub next_input: Option<Vec<u8>>,
    /// True when one wrote to standard output, as an interactor does.
    pub spoke: bool,
    /// True when one was killed for its time, or used more time than allowed.
    pub timed_out: bool,
}

impl OutputReply {
    /// Creates a judge error with its reason.
    pub(crate) fn judge_error(reason: String) -> Self {
        Self::decided(ValidatorDecision::JudgeError { reason })
    }

    /// Creates a reply with this decision and nothing else.
    #[must_use]
    pub fn decided(decision: ValidatorDecision) -> Self {
        Self {
            decision,
            judge_message: Bytes::default(),
            score: None,
            stderr: Excerpt::default(),
            next_input: None,
            spoke: false,
            timed_out: false,
        }
    }
}
