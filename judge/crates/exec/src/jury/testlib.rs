//! Checkers and interactors that were written for testlib, and not adapted to the package format.
//!
//! Responsible for the arguments and files of such a program and for reading its report. Must not
//! know how one is recognized or what its exit codes and its report mean.
//!
//! Source: testlib's own documentation: `checker input output answer report -appes` and `interactor
//! input output answer report -appes`, the output of an interactor being a file that it writes.
//! With `-appes` the report is XML; without it, the points of an output and other details that are
//! not in the exit code are unknown.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use judge_event::Bytes;
use judge_grading::{ScoreFiles, ValidatorDecision, classify_testlib, testlib_report};
use judge_sandbox::{Execution, Finished, Input, Layout, read_file};

use crate::ExecError;
use crate::build::program::{Runnable, bind};
use crate::jury::reply::{MAX_MESSAGE_BYTES, Question, Reply};
use crate::store::programs::write_shared;

const INPUT: &str = "/judge/input";
const OUTPUT: &str = "/judge/output";
const ANSWER: &str = "/judge/answer";
/// The report's name in the working directory.
const REPORT: &str = "testlib-report.xml";
/// The file that an interactor writes for a checker that would follow it. It is not read here.
const FOR_CHECKER: &str = "testlib-output";

/// Turns a validator's run into that of a checker, with the output in a file in `directory` instead
/// of standard input.
pub(crate) fn checker_execution(
    mut execution: Execution,
    checker: &Runnable,
    question: &Question<'_>,
    directory: &Path,
    layout: &Layout,
) -> Result<Execution, ExecError> {
    let path = directory.join("output");
    write_shared(&path, question.output, 0o644)?;
    execution.args = command(checker, question, &layout.place(Path::new(OUTPUT)), layout)?;
    // A checker of testlib reads the output from a file, and nothing from standard input.
    execution.stdin = Input::Empty;
    execution.binds.push(bind(&path, OUTPUT));
    Ok(execution)
}

/// Returns the command of an interactor, which communicates on standard input and output like any
/// validator.
pub(crate) fn interactor_command(
    interactor: &Runnable,
    question: &Question<'_>,
    layout: &Layout,
) -> Result<Vec<OsString>, ExecError> {
    command(interactor, question, &layout.work.join(FOR_CHECKER), layout)
}

/// Returns the command of a checker or an interactor. It gets no arguments of the package, because
/// testlib would take them for names of files.
fn command(
    program: &Runnable,
    question: &Question<'_>,
    output: &Path,
    layout: &Layout,
) -> Result<Vec<OsString>, ExecError> {
    let mut args = program.command(question.limits.validation_memory_bytes, layout)?;
    let place = |name: &str| layout.place(Path::new(name));
    let files = [
        place(INPUT),
        output.to_owned(),
        place(ANSWER),
        layout.work.join(REPORT),
    ];
    args.extend(files.map(PathBuf::into_os_string));
    args.push("-appes".into());
    Ok(args)
}

/// Returns the reply of a program that uses testlib: from its report, or without one from its exit
/// code and standard error. `reply` is the reply that any validator could have left; `finished`
/// must have its working directory still.
pub(crate) fn reply_of(
    reply: Reply,
    finished: &Finished,
    stderr: &[u8],
    question: &Question<'_>,
) -> Reply {
    let max_bytes = question.limits.validation_output_bytes;
    let report = finished
        .work
        .as_ref()
        .and_then(|work| read_file(work, Path::new(REPORT), max_bytes).ok());
    // The report decides where there is one: an exit code of testlib does not carry points.
    let (decision, points) = classify_testlib(
        &finished.outcome,
        &question.test_limits(),
        report.as_deref(),
    );
    let decision = match (decision, points) {
        (ValidatorDecision::JudgeError { reason }, _) => ValidatorDecision::JudgeError {
            reason: format!("the output validator {reason}"),
        },
        (_, Some(points)) if !question.scoring => ValidatorDecision::JudgeError {
            reason: format!(
                "the output validator gave {points} points, but the problem has no scores; expected it to accept or to \
                 reject"
            ),
        },
        (other, _) => other,
    };
    let reported = report
        .and_then(|report| testlib_report(&report).ok())
        .map(|report| report.message);
    let mut message = reported.unwrap_or_else(|| stderr.to_vec());
    message.truncate(MAX_MESSAGE_BYTES);
    // Written in the form of `score.txt`, so that scores of both kinds of validators are read
    // by one function.
    let score = points.map(|points| points.0.to_string().into_bytes());
    let score_files = ScoreFiles {
        score: score.or(reply.score_files.score),
        ..reply.score_files
    };
    Reply {
        decision,
        judge_message: Bytes(message),
        score_files,
        ..reply
    }
}
