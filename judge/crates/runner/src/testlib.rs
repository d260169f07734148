//! Checkers that were written for testlib, and not adapted to the package format.
//!
//! Responsible for what such a checker is given and for reading what it says. Must not know how one is recognised, nor
//! what its exit codes mean.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use judge_event::Bytes;
use judge_grading::{TestLimits, ValidatorDecision, classify_testlib};
use judge_model::Outcome;
use judge_sandbox::{Bind, Execution, Input, Layout};

use crate::RunnerError;
use crate::program::Runnable;
use crate::validating::{MESSAGE, Question, Reply};

const OUTPUT: &str = "/judge/output";

/// Makes of a validator's run that of a checker: `checker input output answer`, with the output in a file in `directory`
/// instead of standard input. It gets no arguments of the package: testlib would take them for the names of files.
pub(crate) fn checker_execution(
    mut execution: Execution,
    checker: &Runnable,
    question: &Question<'_>,
    directory: &Path,
    layout: &Layout,
) -> Result<Execution, RunnerError> {
    let path = directory.join("output");
    fs::write(&path, question.output).map_err(RunnerError::io("write", &path))?;
    let mode = Permissions::from_mode(0o644);
    fs::set_permissions(&path, mode).map_err(RunnerError::io("set the mode of", &path))?;
    let mut args = checker.command(question.limits.validation_memory_bytes, layout)?;
    let place = |name: &str| -> OsString { layout.place(Path::new(name)).into() };
    args.extend(["/judge/input", OUTPUT, "/judge/answer"].map(place));
    execution.args = args;
    execution.stdin = Input::Empty;
    execution.binds.push(Bind { source: path, target: PathBuf::from(OUTPUT) });
    Ok(execution)
}

/// What such a checker said: its message goes to standard error.
pub(crate) fn checker_reply(reply: Reply, outcome: &Outcome, limits: &TestLimits, stderr: &[u8]) -> Reply {
    let decision = match classify_testlib(outcome, limits, None).0 {
        ValidatorDecision::JudgeError { reason } => {
            ValidatorDecision::JudgeError { reason: format!("the output validator {reason}") }
        }
        other => other,
    };
    Reply { decision, judge_message: Bytes(stderr[..stderr.len().min(MESSAGE)].to_vec()), ..reply }
}
