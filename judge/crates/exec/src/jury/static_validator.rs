//! Static validation: running the package's static validator on the files of a submission.
//!
//! Responsible for the files and arguments of the static validator. Must not know the group for
//! which it runs or the consequences of its reply.
//!
//! Source: 2025-09, "Static Validator" and "Working directory".

use std::ffi::OsString;
use std::fs;

use judge_model::Limits;
use judge_sandbox::{CancelToken, Capture, Execution, Slot};

use crate::ExecError;
use crate::build::program::{Runnable, bind};
use crate::build::sources::{SourceTree, read_directory};
use crate::jury::limits::{feedback_argument, feedback_directory, run_limits};
use crate::jury::reply::Reply;
use crate::store::programs::{ProgramCache, Stage, make_directory};

/// The name by which the submission's files are bound.
const SUBMISSION: &str = "/judge/submission";

/// A submission, as a static validator sees it.
pub(crate) struct ExaminedSubmission<'a> {
    /// Its own files and the included ones.
    pub(crate) sources: &'a SourceTree,
    /// The program that was compiled from it.
    pub(crate) program: &'a Runnable,
    /// The arguments that the group has for the validator.
    pub(crate) args: &'a [String],
}

/// Runs `static_validator language entry_point feedback_dir/ [args]` in a directory with the
/// submission's files.
pub(crate) fn ask_static_validator(
    validator: &Runnable,
    submission: &ExaminedSubmission<'_>,
    limits: &Limits,
    slot: &mut dyn Slot,
    cache: &ProgramCache,
    cancel: &CancelToken,
) -> Result<Reply, ExecError> {
    let files = submission.stage(cache)?;
    let layout = slot.layout();
    let mut args = vec![
        submission.program.toolchain.language.id.0.as_str().into(),
        submission.entry_point(),
    ];
    args.push(feedback_argument(layout));
    args.extend(submission.args.iter().map(OsString::from));
    let mut execution = validator.execution(args, run_limits(limits), layout, cancel.clone())?;
    execution
        .binds
        .push(bind(&files.path.join("files"), SUBMISSION));
    let execution = Execution {
        work: feedback_directory(limits),
        cwd: Some(SUBMISSION.into()),
        keep_work: true,
        ..execution
    };
    let mut capture = Capture::default();
    let finished = slot.run(&execution, &mut capture)?;
    let stderr = validator.shown(&capture.stderr, slot.layout());
    Reply::new("static validator", limits, &finished, &stderr, cache)
}

impl ExaminedSubmission<'_> {
    /// The entry point, as the validator gets it: the class in languages that start one, else the
    /// file.
    fn entry_point(&self) -> OsString {
        let (entry, language) = (&self.program.entry, &self.program.toolchain.language);
        let starts_class = language.run.iter().any(|part| part.contains("{class}"));
        if starts_class {
            entry.class.as_str().into()
        } else {
            entry.main.clone().into_os_string()
        }
    }

    /// Lays out its files, including the compiled ones.
    fn stage(&self, cache: &ProgramCache) -> Result<Stage, ExecError> {
        let stage = cache.stage()?;
        let root = stage.path.join("files");
        make_directory(&root, 0o755)?;
        for file in read_directory(&self.program.files)?
            .iter()
            .chain(&self.sources.files)
        {
            // Files of the compiled program come first. Of two files with one name, the validator
            // sees the compiled one.
            if fs::symlink_metadata(root.join(&file.name)).is_err() {
                file.write(&root)?;
            }
        }
        Ok(stage)
    }
}
