//! Ad-hoc inputs: running submissions on inputs that are not test cases of the package.
//!
//! Responsible for treating an ad-hoc input like a test case, for all types of problems: a
//! reference solution writes its answer, and then submissions are judged on it as in a run. Must
//! not know the origin of inputs or the purpose of a search.

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::{Bytes, Excerpt};
use judge_grading::Confirmation;
use judge_model::{
    Problem, ProblemIndex, SubmissionIndex, SubmissionPlace, TestCaseIndex, Verdict,
};
use judge_sandbox::CancelToken;

use crate::ExecError;
use crate::build::sources::shown_by_author;
use crate::fault::Fault;
use crate::jury::visualizer::Pictures;
use crate::session::Session;
use crate::session::submissions::PreparedSubmission;
use crate::session::worker::Worker;
use crate::store::programs::Stage;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::TestRun;
use crate::warm_slot::Start;

/// Runs the submissions of a problem on ad-hoc inputs, one after the other, on one core.
pub struct AdhocInput<'a> {
    worker: Worker<'a>,
    /// The index of the problem in the session.
    index: ProblemIndex,
    /// The problem, in which every test case is the ad-hoc one.
    problem: Arc<Problem>,
    /// The files of the ad-hoc test case.
    input: PathBuf,
    answer: PathBuf,
    /// The test case whose arguments and files are used.
    template: TestCaseIndex,
    // Removes the files.
    _stage: Stage,
}

/// A run of a submission with everything that it wrote.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its outcome, with the conversation in an interactive problem.
    pub result: TestResult,
    /// Standard output; nothing in an interactive problem.
    pub stdout: Vec<u8>,
    /// Standard error, with the paths that its author knows.
    pub stderr: Vec<u8>,
}

impl Session {
    /// Prepares for ad-hoc inputs of a problem of the session; `None` leaves the core to
    /// the scheduler.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn adhoc_input(
        &self,
        problem: ProblemIndex,
        core: Option<usize>,
    ) -> Result<AdhocInput<'_>, ExecError> {
        let stage = self.cache.stage()?;
        // The files are in the staging directory, which the slots of a measuring worker can reach.
        // After a kill, the next process sweeps it.
        let (input, answer) = (stage.path.join("input"), stage.path.join("answer"));
        let mut made_up = Problem::clone(self.problem(problem));
        for case in &mut made_up.test_cases {
            // Every test case becomes the ad-hoc one, so that any of them can provide the arguments
            // and files.
            case.input.clone_from(&input);
            case.answer.clone_from(&answer);
        }
        Ok(AdhocInput {
            worker: self.measuring_worker(core),
            index: problem,
            problem: Arc::new(made_up),
            input,
            answer,
            template: TestCaseIndex(0),
            _stage: stage,
        })
    }
}

impl AdhocInput<'_> {
    /// Uses it for a search. See [`Worker::for_search`].
    #[must_use]
    pub fn for_search(self) -> Self {
        Self {
            worker: self.worker.for_search(),
            ..self
        }
    }

    /// Sets how submissions are started from now on. See [`Worker::start`].
    pub fn start(&self, start: Start) {
        self.worker.start(start);
    }

    /// Sets the token that ends all runs from now on.
    pub fn set_cancel(&mut self, cancel: CancelToken) {
        self.worker.set_cancel(cancel);
    }

    /// Prepares a submission. See [`Worker::prepare_submission`].
    ///
    /// # Errors
    /// When it cannot be run, through a fault of the submission, the package or the host.
    pub fn prepare_submission(
        &mut self,
        submission: SubmissionIndex,
    ) -> Result<PreparedSubmission, Fault> {
        self.worker.prepare_submission(SubmissionPlace {
            problem: self.index,
            submission,
        })
    }

    /// Takes the next input. Arguments and files are those of the test case `template`; the answer
    /// is empty until it is [set](Self::answer).
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn take(&mut self, input: &[u8], template: TestCaseIndex) -> Result<(), ExecError> {
        self.template = template;
        self.write(&self.input, input)?;
        self.write(&self.answer, &[])
    }

    /// Sets the answer.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn answer(&mut self, answer: &[u8]) -> Result<(), ExecError> {
        self.write(&self.answer, answer)
    }

    /// Writes always into a new file. After an overwrite, some file systems write the file to the
    /// disk immediately and wait for that the next time (`auto_da_alloc` of ext4(5)), which takes
    /// longer than all runs on a small input.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ExecError> {
        let failed = ExecError::io("write", path);
        let written = match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => File::create_new(path).and_then(|mut file| {
                file.write_all(bytes)?;
                // Programs run under other users' ids.
                file.set_permissions(Permissions::from_mode(0o644))
            }),
        };
        written.map_err(failed)
    }

    /// Runs a submission for its output without judging it. AC means that it ended within the
    /// limits. With any other verdict there is no output. `None` when it was cancelled.
    ///
    /// Only for problems with one pass that are not interactive: in others, an output alone is not
    /// an answer.
    ///
    /// # Errors
    /// Faults of the host only; a submission cannot cause one.
    pub fn output(
        &mut self,
        prepared: &PreparedSubmission,
    ) -> Result<Option<(TestResult, Vec<u8>)>, ExecError> {
        // The output is not checked, because it becomes the answer.
        let result = self.run(&prepared.unjudged())?;
        Ok(result.map(|result| {
            let output = std::mem::take(&mut self.worker.capture.stdout);
            let output = if result.verdict == Verdict::Accepted {
                output
            } else {
                Vec::new()
            };
            (result, output)
        }))
    }

    /// Runs a submission and returns everything that can be observed; `None` when it was cancelled.
    /// In an interactive problem it is judged; in others AC means that it ended within the limits.
    ///
    /// # Errors
    /// As for [`Worker::confirmed`].
    pub fn trial(&mut self, prepared: &PreparedSubmission) -> Result<Option<Trial>, ExecError> {
        let prepared = match self.problem.interactive {
            true => prepared.clone(),
            false => prepared.unjudged(),
        };
        let run = TestRun {
            transcript: true,
            ..self.test_run(&prepared)?
        };
        let confirmation = Confirmation::for_verdict(run.time_limit, &[], "");
        let result = self.worker.confirmed(prepared.place, run, confirmation)?;
        let stdout = self.last_output().to_vec();
        let stderr = Excerpt {
            head: Bytes(self.worker.stderr().to_vec()),
            ..Excerpt::default()
        };
        let submission = &self.problem.submissions[prepared.place.submission.0];
        let stderr = shown_by_author(stderr, submission, &self.problem).head.0;
        Ok(result.map(|result| Trial {
            result,
            stdout,
            stderr,
        }))
    }

    /// Runs and judges a submission; `None` when it was cancelled.
    ///
    /// # Errors
    /// As for [`Worker::confirmed`].
    pub fn run(&mut self, prepared: &PreparedSubmission) -> Result<Option<TestResult>, ExecError> {
        let run = self.test_run(prepared)?;
        let confirmation = Confirmation::for_search(run.time_limit);
        self.worker.confirmed(prepared.place, run, confirmation)
    }

    /// Runs and judges a submission with the pictures that the package's visualizers draw of it;
    /// `None` when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host only; neither a submission nor a program of the package can cause one.
    pub fn illustrated(
        &mut self,
        prepared: &PreparedSubmission,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = TestRun {
            pictures: Pictures::Always,
            ..self.test_run(prepared)?
        };
        // Not confirmed, because only the pictures are used.
        let (_, result) = self.worker.judge(prepared.place, run)?;
        Ok(result)
    }

    /// The run of a submission on the input.
    fn test_run(&self, prepared: &PreparedSubmission) -> Result<TestRun, ExecError> {
        // Everything except the problem comes from the test case `template`: its arguments, its
        // files and the limits.
        let run = self.worker.measured_run(prepared, self.template)?;
        Ok(TestRun {
            problem: Arc::clone(&self.problem),
            ..run
        })
    }

    /// Standard output of the last [run](Self::run); nothing in an interactive problem.
    #[must_use]
    pub fn last_output(&self) -> &[u8] {
        if self.problem.interactive {
            &[]
        } else {
            &self.worker.capture.stdout
        }
    }
}
