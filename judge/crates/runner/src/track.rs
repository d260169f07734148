//! Tracks: running submissions again and again on one core, to compare what they use.
//!
//! Responsible for one judged run at a time, by the same way as in a run: every kind of problem works, and each lap has a
//! verdict. Must not know in which order laps are run, nor what follows from their times.

use std::sync::Arc;

use judge_model::{Usage, Verdict};
use judge_sandbox::{CancelToken, Capture, Sandbox};

use crate::counting::{Counter, Uncounted, counted};
use crate::judging::{Judgement, TestRun};
use crate::program::Runnable;
use crate::workbench::Workbench;
use crate::worker::Shared;
use crate::{Plan, RunSettings, RunnerError, Toolchains, share};

/// Where laps are run: a plan whose time limits are known, and what it takes to carry out parts of it.
pub struct Course {
    pub(crate) shared: Shared,
    pub(crate) cancel: CancelToken,
}

/// A place on one core. Its slots are opened when they are first needed.
pub struct Track<'a> {
    pub(crate) course: &'a Course,
    pub(crate) bench: Workbench<'a>,
    pub(crate) capture: Capture,
}

/// A submission that is ready to run.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub(crate) submission: usize,
    pub(crate) program: Arc<Runnable>,
    pub(crate) judgement: Arc<Judgement>,
}

/// Why a submission cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NotReady {
    why: String,
    /// Everything that the compiler wrote; empty when it was not the compiler who refused.
    pub compiler_said: Vec<u8>,
}

impl NotReady {
    fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), compiler_said: Vec::new() }
    }
}

/// One judged run of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lap {
    /// The verdict.
    pub verdict: Verdict,
    /// What the submission used; with several passes, the most of any.
    pub usage: Usage,
    /// Tells outputs apart; none in an interactive problem, or where the plan does not ask for it.
    pub output_hash: Option<String>,
}

impl Course {
    /// Makes a plan ready. Its time limits must be known ([`PlannedProblem::time_limit`](crate::PlannedProblem)), and the
    /// toolchains be those that its languages need. `cancel` ends everything early.
    ///
    /// # Errors
    /// When the cache cannot be used.
    pub fn open(
        plan: Plan,
        toolchains: &Toolchains,
        sandbox: &Arc<dyn Sandbox>,
        settings: &RunSettings,
        cancel: CancelToken,
    ) -> Result<Self, RunnerError> {
        Ok(Self { shared: share(plan, toolchains, sandbox, settings)?, cancel })
    }

    /// Whether it was ended early.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// A place on a core; `None` leaves it to the scheduler.
    #[must_use]
    pub fn track(&self, core: Option<usize>) -> Track<'_> {
        Track { course: self, bench: Workbench::new(&self.shared, core).running_copies(), capture: Capture::default() }
    }
}

impl Track<'_> {
    /// Makes a submission ready: compiles it, and what judges its output. Both are indices, of the plan's problem and of
    /// the submission in it. The inner error says in words why it cannot be run.
    ///
    /// # Errors
    /// Faults of the host.
    pub fn ready(&mut self, problem: usize, submission: usize) -> Result<Result<Entrant, NotReady>, RunnerError> {
        let shared = &self.course.shared;
        let place = shared.places.iter().position(|place| place.problem == problem && place.index == submission);
        let planned = &shared.plan.problems[problem].problem;
        let (Some(place), Some(entered)) = (place, planned.submissions.get(submission)) else {
            return Ok(Err(NotReady::because("there is no such submission")));
        };
        let has_tools = entered.language.as_ref().is_some_and(|language| shared.tools.of(language).is_some());
        if !has_tools && !planned.submit_answer {
            return Ok(Err(NotReady::because("this host has no tools for its language")));
        }
        let compiled = self.bench.compile(place, self.course.cancel.clone())?;
        let program = match compiled.result {
            Ok(program) => program,
            Err(failure) => {
                let said = || compiled.message.head.to_text().trim_end().to_owned();
                let why = format!("it does not compile: {}", failure.reason.unwrap_or_else(said));
                return Ok(Err(NotReady { why, compiler_said: failure.said }));
            }
        };
        let judgement = self.bench.prepare(problem, &self.course.cancel)?;
        Ok(judgement.map(|judgement| Entrant { submission: place, program, judgement }).map_err(NotReady::because))
    }

    /// Runs and judges a submission on a test case, given by its index in the problem; `None` when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission does is one.
    pub fn lap(&mut self, entrant: &Entrant, test_case: usize) -> Result<Option<Lap>, RunnerError> {
        let Entrant { submission, program, judgement } = entrant;
        let run = self.bench.test_run(*submission, test_case, (program, judgement), true)?;
        let judged = self.bench.judge(&run, &mut self.capture, self.course.cancel.clone())?;
        Ok(judged.map(|judged| Lap {
            verdict: judged.verdict,
            usage: judged.outcome.usage,
            output_hash: judged.output_hash,
        }))
    }

    /// Counts the instructions that a submission executes on a test case, given by its index in the problem; `None` when
    /// it was cancelled. The inner error says in words why there is no count. Callgrind counts only programs that are run
    /// once and talk with nobody; with several passes, the hardware's count is the most of any.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission does is one.
    pub fn count(
        &mut self,
        entrant: &Entrant,
        test_case: usize,
        counter: &Counter,
    ) -> Result<Option<Result<u64, Uncounted>>, RunnerError> {
        let Entrant { submission, program, judgement } = entrant;
        let run = self.bench.test_run(*submission, test_case, (program, judgement), true)?;
        let cancel = self.course.cancel.clone();
        match counter {
            Counter::Callgrind(callgrind) => self.bench.count(&run, callgrind, &mut self.capture, cancel),
            Counter::Hardware => {
                let run = TestRun { count_instructions: true, ..run };
                let judged = self.bench.judge(&run, &mut self.capture, cancel)?;
                Ok(judged.map(|judged| counted(judged.verdict, &judged.outcome)))
            }
        }
    }

    /// What the submission wrote to standard error in the last lap; with several passes, in the last of them.
    #[must_use]
    pub fn stderr(&self) -> &[u8] {
        &self.capture.stderr
    }
}
