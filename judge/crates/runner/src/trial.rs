//! Trials: running submissions on inputs that are no test cases of the package.
//!
//! Responsible for giving a made-up input the same way as a test case: its answer comes from a reference solution, and
//! then every submission is judged on it as in a run, whatever kind of problem it is. Must not know where inputs come
//! from, nor what is looked for in them.

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_event::{Bytes, Difference, Interaction};
use judge_model::{Outcome, Problem, Verdict};

use crate::cache::Stage;
use crate::judged::Judged;
use crate::judging::{Judgement, KILL_AT};
use crate::load;
use crate::track::{Entrant, Track};
use crate::{Course, RunnerError};

/// How many times the usual the limit of elapsed time is in a second run, as in one that runs alone.
const PATIENCE: u32 = 4;

/// A place on one core where submissions are tried on one made-up input after the other.
pub struct Trial<'a> {
    track: Track<'a>,
    /// The index of the problem in the plan.
    index: usize,
    /// The problem, all of whose test cases are the made-up one.
    problem: Arc<Problem>,
    /// The files of the made-up test case.
    input: PathBuf,
    answer: PathBuf,
    /// The test case that it is like.
    like: usize,
    // Removes the files.
    _stage: Stage,
}

/// What came of a submission on a made-up input.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The verdict.
    pub verdict: Verdict,
    /// How the run ended, and what it used; with several passes, the most of any.
    pub outcome: Outcome,
    /// Where the output differs from the answer first, if it was compared.
    pub difference: Option<Difference>,
    /// What the package's output validator said to the jury.
    pub judge_message: Bytes,
    /// Why nothing is known of the submission, with a judge error.
    pub reason: Option<String>,
    /// What was said in an interactive problem, when that did not end well.
    pub interaction: Option<Box<Interaction>>,
}

impl From<Judged> for Tried {
    fn from(judged: Judged) -> Self {
        let Judged { verdict, outcome, difference, judge_message, reason, interaction, .. } = judged;
        Self { verdict, outcome, difference, judge_message, reason, interaction }
    }
}

impl Course {
    /// A place for trials on a problem of the plan, given by its index; `None` leaves the core to the scheduler.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub fn trial(&self, problem: usize, core: Option<usize>) -> Result<Trial<'_>, RunnerError> {
        let shared = &self.shared;
        let stage = shared.cache.stage()?;
        let (input, answer) = (stage.path.join("input"), stage.path.join("answer"));
        let mut made_up = Problem::clone(&shared.plan.problems[problem].problem);
        for case in &mut made_up.test_cases {
            case.input.clone_from(&input);
            case.answer.clone_from(&answer);
        }
        Ok(Trial {
            track: self.track(core),
            index: problem,
            problem: Arc::new(made_up),
            input,
            answer,
            like: 0,
            _stage: stage,
        })
    }
}

impl Trial<'_> {
    /// Makes a submission ready, given by its index in the problem. See [`Track::ready`].
    ///
    /// # Errors
    /// Faults of the host.
    pub fn ready(&mut self, submission: usize) -> Result<Result<Entrant, String>, RunnerError> {
        Ok(self.track.ready(self.index, submission)?.map_err(|why| why.to_string()))
    }

    /// Takes the next input. Arguments and files are those of the test case with this index; the answer is empty until
    /// there is [another](Self::answer).
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn take(&mut self, input: &[u8], like: usize) -> Result<(), RunnerError> {
        self.like = like;
        self.write(&self.input, input)?;
        self.write(&self.answer, &[])
    }

    /// Sets the answer.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn answer(&mut self, answer: &[u8]) -> Result<(), RunnerError> {
        self.write(&self.answer, answer)
    }

    /// Always into a new file. To overwrite one has some file systems write it to the disk at once, and the next time wait
    /// for that (`auto_da_alloc` of ext4(5)), which takes longer than all runs on a small input.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), RunnerError> {
        let failed = RunnerError::io("write", path);
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

    /// Runs a submission for its output, which nobody judges: AC means that it came to its end within the limits. With
    /// any other verdict there is no output. `None` when it was cancelled.
    ///
    /// Only for problems with one pass that are not interactive: elsewhere an output alone is no answer.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission does is one.
    pub fn output(&mut self, entrant: &Entrant) -> Result<Option<(Tried, Vec<u8>)>, RunnerError> {
        let tried = self.run_with(entrant, &Arc::new(Judgement::Unjudged))?;
        Ok(tried.map(|tried| {
            let output = std::mem::take(&mut self.track.capture.stdout);
            let output = if tried.verdict == Verdict::Accepted { output } else { Vec::new() };
            (tried, output)
        }))
    }

    /// Runs and judges a submission; `None` when it was cancelled. A verdict near the time limit, or after a long wait on
    /// a busy machine, is that of a second run with more patience.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission does is one.
    pub fn run(&mut self, entrant: &Entrant) -> Result<Option<Tried>, RunnerError> {
        self.run_with(entrant, &entrant.judgement)
    }

    fn run_with(&mut self, entrant: &Entrant, judgement: &Arc<Judgement>) -> Result<Option<Tried>, RunnerError> {
        let Track { course, bench, capture } = &mut self.track;
        let mut run = bench.test_run(entrant.submission, self.like, (&entrant.program, judgement), false)?;
        run.problem = Arc::clone(&self.problem);
        // What comes after the limit tells nothing here.
        run.kill_at = KILL_AT;
        let time_limit = run.time_limit;
        let mut judged = bench.judge(&run, capture, course.cancel.clone())?;
        if judged.as_ref().is_some_and(|judged| judged.wants_confirmation(time_limit, load::is_too_high)) {
            run.patience = PATIENCE;
            judged = bench.judge(&run, capture, course.cancel.clone())?;
        }
        Ok(judged.map(Tried::from))
    }

    /// What the last [run](Self::run) wrote to standard output; nothing in an interactive problem.
    #[must_use]
    pub fn last_output(&self) -> &[u8] {
        if self.problem.interactive { &[] } else { &self.track.capture.stdout }
    }
}
