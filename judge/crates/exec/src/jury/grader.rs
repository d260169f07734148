//! Requests to programs of the package about groups: the static validator and the grader.
//!
//! Responsible for the questions, and for running a grader (legacy, "Graders"). Must not know what
//! answers mean.

use judge_grading::{ScoreFiles, ValidatorDecision, classify_grader};
use judge_model::{Limits, TestGroupIndex, Verdict};
use judge_sandbox::{CancelToken, Capture, Execution, Input, Slot, Work};

use crate::ExecError;
use crate::build::program::Runnable;
use crate::fault::Fault;
use crate::jury::limits::{run_limits, test_limits};
use crate::jury::reply::Reply;

const FILES: u64 = 4096;

/// A question about a group, to a program of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupQuestion {
    /// To the static validator: its reply about the submission in this group.
    Validate {
        /// The index of the group.
        group: TestGroupIndex,
    },
    /// To the grader: the result of the group from its parts.
    Grade {
        /// The grader's arguments.
        flags: Vec<String>,
        /// The verdicts and scores of the parts, as the grader reads them.
        input: String,
    },
}

/// The answer of the static validator about a submission, in one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticValidation {
    /// Its verdict.
    pub verdict: Verdict,
    /// The scores that it wrote.
    pub files: ScoreFiles,
    /// The reason for a judge error.
    pub reason: Option<String>,
}

impl StaticValidation {
    pub(crate) fn judge_error(reason: String) -> Self {
        Self {
            verdict: Verdict::JudgeError,
            files: ScoreFiles::default(),
            reason: Some(reason),
        }
    }
}

impl From<Reply> for StaticValidation {
    fn from(reply: Reply) -> Self {
        let verdict = match reply.decision {
            ValidatorDecision::Accepted => Verdict::Accepted,
            ValidatorDecision::Rejected => Verdict::WrongAnswer,
            ValidatorDecision::JudgeError { reason } => return Self::judge_error(reason),
            // It is cancelled only when the whole run ends, and then nothing is reported.
            ValidatorDecision::Cancelled => {
                return Self::judge_error("the static validator was cancelled".to_owned());
            }
        };
        Self {
            verdict,
            files: reply.score_files,
            reason: None,
        }
    }
}

/// Runs `grader [flags] < results` and returns its output; a refusal is to be read after "the
/// grader". `None` when it was cancelled. The limits are those of validators, because the format
/// specifies none.
pub(crate) fn ask_grader(
    grader: &Runnable,
    flags: &[String],
    input: &str,
    limits: &Limits,
    slot: &mut dyn Slot,
    cancel: &CancelToken,
) -> Result<Option<Vec<u8>>, Fault> {
    let execution = Execution {
        stdin: Input::Bytes(input.as_bytes().into()),
        work: Work::Writable {
            bytes: limits.validation_output_bytes,
            files: FILES,
        },
        ..grader.execution(flags, run_limits(limits), slot.layout(), cancel.clone())?
    };
    let mut capture = Capture::default();
    let outcome = slot
        .run(&execution, &mut capture)
        .map_err(ExecError::from)?
        .outcome;
    match classify_grader(&outcome, &test_limits(&execution.limits)) {
        ValidatorDecision::Cancelled => Ok(None),
        ValidatorDecision::JudgeError { reason } => Err(Fault::of_package(reason)),
        ValidatorDecision::Accepted | ValidatorDecision::Rejected => Ok(Some(capture.stdout)),
    }
}
