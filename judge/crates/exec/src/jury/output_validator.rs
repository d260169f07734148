//! Output validation: runs the package's output validators on an output.
//!
//! Responsible for the arguments and files of an output validator. Must not know how the output was
//! made or what a decision means for a submission.
//!
//! Source: package format, "Output Validators".

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use judge_grading::ValidatorDecision;
use judge_sandbox::{CancelToken, Capture, Execution, Finished, Input, Layout, Slot};

use crate::ExecError;
use crate::build::program::{Runnable, bind};
use crate::jury::limits::{feedback_argument, feedback_directory, run_limits};
use crate::jury::next_pass::NextPass;
use crate::jury::reply::{Question, Reply};
use crate::jury::testlib;
use crate::store::programs::{ProgramCache, Readable};

/// Runs validators in a slot for the jury's programs.
pub(crate) struct OutputValidation<'a> {
    pub(crate) slot: &'a mut dyn Slot,
    pub(crate) cache: &'a ProgramCache,
    pub(crate) cancel: CancelToken,
    /// True when a validator in Python that reads text fails on bytes that are not UTF-8, as under
    /// PyPy and in most locales. CPython accepts them in the locale of the sandbox.
    pub(crate) strict_text: bool,
}

/// The maximum number of bytes that a validator may send to a submission: far more than any should.
/// They are not feedback, so `validation_output` does not limit them.
pub(crate) const MAX_SENT_BYTES: u64 = 64 << 20;

/// Makes CPython decode its standard streams as strictly as it does in most locales (the
/// `PYTHONIOENCODING` of its manual, "Environment variables").
const STRICT_TEXT: &str = "PYTHONIOENCODING=utf-8:strict";

impl OutputValidation<'_> {
    /// Asks every validator, regardless of the replies of the others (legacy, "Output Validators");
    /// `None` when it was cancelled.
    pub(crate) fn ask_all(
        mut self,
        validators: &[Arc<Runnable>],
        question: &Question<'_>,
    ) -> Result<Option<Reply>, ExecError> {
        let mut all: Option<Reply> = None;
        for (position, validator) in validators.iter().enumerate() {
            // Each validator may have its own arguments, which are chosen by its position.
            let reply = self.ask(
                validator,
                &Question {
                    position,
                    ..*question
                },
            )?;
            if reply.decision == ValidatorDecision::Cancelled {
                return Ok(None);
            }
            all = Some(match all {
                Some(before) => before.and(reply),
                None => reply,
            });
        }
        Ok(all)
    }

    /// Asks one validator: `validator input answer feedback_dir/ [args] < output`.
    pub(crate) fn ask(
        &mut self,
        validator: &Runnable,
        question: &Question<'_>,
    ) -> Result<Reply, ExecError> {
        if validator.testlib {
            return self.ask_checker(validator, question);
        }
        let (execution, _files) = self.execution(validator, question)?;
        let mut capture = Capture::default();
        let finished = self.slot.run(&execution, &mut capture)?;
        self.reply(validator, question, &finished, &capture.stderr)
    }

    /// The reply of a validator that ended with this standard error.
    pub(crate) fn reply(
        &self,
        validator: &Runnable,
        question: &Question<'_>,
        finished: &Finished,
        stderr: &[u8],
    ) -> Result<Reply, ExecError> {
        let shown = validator.shown(stderr, self.slot.layout());
        let reply = Reply::from_run(question, finished, &shown, self.cache)?;
        Ok(match validator.testlib {
            true => testlib::reply_of(reply, finished, stderr, question),
            false => reply,
        })
    }

    /// The run of a validator that talks with a submission, with copies among its files.
    pub(crate) fn talking_execution(
        &self,
        validator: &Runnable,
        question: &Question<'_>,
    ) -> Result<(Execution, [Readable; 2]), ExecError> {
        let (mut execution, files) = self.execution(validator, question)?;
        if validator.testlib {
            execution.args = testlib::interactor_command(validator, question, self.slot.layout())?;
        }
        execution.limits.stdout_bytes = MAX_SENT_BYTES;
        Ok((execution, files))
    }

    /// Asks a checker that knows only testlib's protocol.
    fn ask_checker(
        &mut self,
        checker: &Runnable,
        question: &Question<'_>,
    ) -> Result<Reply, ExecError> {
        let (execution, _files) = self.execution(checker, question)?;
        // A checker reads the output from a file. The file lives until the checker has ended,
        // and is removed with the stage.
        let output = self.cache.stage()?;
        let execution = testlib::checker_execution(
            execution,
            checker,
            question,
            &output.path,
            self.slot.layout(),
        )?;
        let mut capture = Capture::default();
        let finished = self.slot.run(&execution, &mut capture)?;
        self.reply(checker, question, &finished, &capture.stderr)
    }

    /// The run of a validator. Copies among its files are removed when the second part is dropped.
    pub(crate) fn execution(
        &self,
        validator: &Runnable,
        question: &Question<'_>,
    ) -> Result<(Execution, [Readable; 2]), ExecError> {
        // In a later pass the validator reads the input that it wrote itself, but the answer is
        // still the test case's.
        let next_input = question.earlier.map(NextPass::input);
        let input = next_input.as_deref().unwrap_or(question.input);
        // Validators run under another user's id, and archives unpack with modes that only the
        // owner can read.
        let files = [
            self.cache.readable(input)?,
            self.cache.readable(question.answer)?,
        ];
        let paths = files.each_ref().map(|file| &*file.path);
        let mut execution =
            execution(validator, question, paths, self.slot.layout(), &self.cancel)?;
        if self.strict_text {
            execution.env.push(STRICT_TEXT.into());
        }
        Ok((execution, files))
    }
}

/// The run of a validator. The files must be [`ProgramCache::readable`]; the working directory is
/// kept, for [`Reply::from_run`].
fn execution(
    validator: &Runnable,
    question: &Question<'_>,
    [input, answer]: [&Path; 2],
    layout: &Layout,
    cancel: &CancelToken,
) -> Result<Execution, ExecError> {
    let limits = question.limits;
    let mut args = ["/judge/input", "/judge/answer"]
        .map(|name| layout.place(Path::new(name)).into_os_string())
        .to_vec();
    args.push(feedback_argument(layout));
    args.extend(
        question
            .args
            .for_validator(question.position)
            .map(OsString::from),
    );
    let mut execution = validator.execution(args, run_limits(limits), layout, cancel.clone())?;
    // Bound under fixed names: the validator must see neither the id of the test case nor its
    // directory.
    execution
        .binds
        .extend([bind(input, "/judge/input"), bind(answer, "/judge/answer")]);
    Ok(Execution {
        // Passed from memory, where the output was captured: no file has to be written and removed
        // for each test case.
        stdin: Input::Bytes(question.output.into()),
        work: feedback_directory(limits),
        work_files: question
            .earlier
            .map(NextPass::feedback)
            .into_iter()
            .collect(),
        keep_work: true,
        ..execution
    })
}
