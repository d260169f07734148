//! Workers: the slots of one thread, with a different reach for each kind of program.
//!
//! Responsible for opening slots when they are first needed: compilers see sources, submissions see
//! programs, the package's own programs see its data. Must not make decisions.
//!
//! The life of a worker: it begins with no slots. The first program of a kind opens the slot for
//! that kind, and all later ones run in it, one after the other, so that a program costs only its
//! start. The slot is chosen only by a program's permitted reach, since the reach of a slot is
//! fixed when it is opened. The slot replaces a helper process that ends unexpectedly. The worker
//! ends with its thread, and its slots with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_model::{IsolationLevel, Limit, Outcome, Problem, Program, Termination};
use judge_sandbox::{CancelToken, Capture, Slot, SlotSpec};

use crate::ExecError;
use crate::build::compile::{Compiler, Trust};
use crate::build::lazy_slot::LazySlot;
use crate::build::prepare::make_ready;
use crate::build::program::Runnable;
use crate::fault::Fault;
use crate::interpreters::InterpreterUse;
use crate::jury::output_validator::OutputValidation;
use crate::session::Session;
use crate::warm_slot::{Start, Starts, WarmSlot};

/// The slots of one thread, opened when they are first needed.
pub struct Worker<'a> {
    pub(super) session: &'a Session,
    pub(super) core: Option<usize>,
    pub(super) cancel: CancelToken,
    pub(super) capture: Capture,
    compilers: Option<Box<dyn Slot>>,
    submissions: Option<Box<dyn Slot>>,
    /// The slot for submissions that the package lets start other processes, and for generators.
    assisted: Option<Box<dyn Slot>>,
    validators: Option<Box<dyn Slot>>,
    /// True if copies of programs are run too, which are in the staging directory of the cache.
    runs_copies: bool,
    /// The way of starting programs; `None` for a worker without warm runs.
    starts: Option<Starts>,
    /// True where submissions are compiled for warm runs.
    searches: bool,
    /// The submission that was judged last, where submissions may be run warm.
    pub(super) warm_submission: Option<WarmSubmission>,
}

/// The submission that a worker judged last, and how it may be run.
pub(super) struct WarmSubmission {
    /// The digest of its program.
    pub(super) digest: String,
    /// True if it gets only ordinary runs.
    pub(super) is_excluded: bool,
    /// The number of warm runs that were not accepted.
    pub(super) failures: u32,
}

/// The reach of a slot: the programs that it is for.
#[derive(Clone, Copy)]
enum Reach {
    /// Compilers may be given files from the staging directory.
    Sources,
    /// Submissions and generators may be given programs of the cache.
    Programs,
    /// Submissions may be given programs of the cache and copies of programs.
    Copies,
    /// The package's own programs may be given its data, too.
    Package,
}

/// Opens a slot unless it is open.
fn open<'s>(
    slot: &'s mut Option<Box<dyn Slot>>,
    session: &Session,
    core: Option<usize>,
    reach: Reach,
    single_process: bool,
    starts: Option<&Starts>,
) -> Result<&'s mut dyn Slot, ExecError> {
    // Taken out and put back: after an error while a slot is opened, the place is empty, and the
    // next program tries again.
    let opened = match slot.take() {
        Some(opened) => opened,
        None => {
            // A directory must be in reach of a slot before a run can bind its files, and the reach
            // cannot grow later: a helper enters its namespaces once.
            let (programs, staging) = (session.cache.programs(), session.cache.staging());
            let mut depots: Vec<PathBuf> = match reach {
                Reach::Sources => vec![staging],
                Reach::Programs => vec![programs],
                Reach::Copies | Reach::Package => vec![programs, staging],
            }
            .into_iter()
            .map(Path::to_owned)
            .collect();
            // Submissions must never see these: they hold the answers.
            if let Reach::Package = reach {
                depots.extend(session.packages());
            }
            let spec = SlotSpec {
                view: session.mounts.clone(),
                depots,
                core,
                single_process,
                ..SlotSpec::default()
            };
            let slot = session.sandbox.slot(&spec)?;
            match starts {
                Some(starts) => {
                    let interpreters = session.interpreters.as_ref().map(|interpreters| {
                        InterpreterUse::new(Arc::clone(interpreters), Arc::clone(&session.cache))
                    });
                    let (sandbox, starts) = (Arc::clone(&session.sandbox), starts.clone());
                    Box::new(WarmSlot::new(slot, sandbox, spec, starts, interpreters))
                }
                None => slot,
            }
        }
    };
    Ok(slot.insert(opened).as_mut())
}

/// A slot of a worker for compilers, or for the package's own programs.
pub(super) struct OwnSlot<'s> {
    slot: &'s mut Option<Box<dyn Slot>>,
    session: &'s Session,
    core: Option<usize>,
    reach: Reach,
    starts: Option<&'s Starts>,
}

impl LazySlot for OwnSlot<'_> {
    fn open(&mut self) -> Result<&mut dyn Slot, ExecError> {
        open(
            self.slot,
            self.session,
            self.core,
            self.reach,
            false,
            self.starts,
        )
    }
}

/// The slots for judging a submission, and the buffers for its output.
pub(super) struct JudgingSlots<'s> {
    pub(super) submissions: &'s mut dyn Slot,
    pub(super) validators: OwnSlot<'s>,
    pub(super) capture: &'s mut Capture,
}

impl Session {
    /// Creates a worker for one thread, on a core; `None` leaves it to the scheduler. Its slots are
    /// opened when they are first needed.
    #[must_use]
    pub fn worker(&self, core: Option<usize>) -> Worker<'_> {
        let worker = Worker::new(self, core, false);
        if self.interpreters.is_some() {
            worker.with_warm_programs()
        } else {
            worker
        }
    }

    /// Creates a worker for measuring, where copies of programs are run too
    /// ([`PatchedProgram`](crate::PatchedProgram)).
    #[must_use]
    pub fn measuring_worker(&self, core: Option<usize>) -> Worker<'_> {
        Worker::new(self, core, true)
    }
}

impl<'a> Worker<'a> {
    /// Creates a worker on a core; `None` leaves it to the scheduler.
    #[must_use]
    pub(super) fn new(session: &'a Session, core: Option<usize>, runs_copies: bool) -> Self {
        Self {
            session,
            core,
            cancel: session.cancel.clone(),
            capture: Capture::default(),
            compilers: None,
            submissions: None,
            assisted: None,
            validators: None,
            runs_copies,
            starts: None,
            searches: false,
            warm_submission: None,
        }
    }

    /// Makes it a worker that can run programs of the package warm, if the isolation level supports
    /// that.
    #[must_use]
    pub fn with_warm_programs(self) -> Self {
        let full = self.session.sandbox.isolation().level == IsolationLevel::Full;
        Self {
            starts: full.then(Starts::default),
            ..self
        }
    }

    /// Makes it a worker for a search: submissions are compiled for warm runs, too.
    #[must_use]
    pub fn for_search(self) -> Self {
        Self {
            searches: true,
            ..self.with_warm_programs()
        }
    }

    /// Sets how programs are started from now on. The result of a warm run must not be reported
    /// before an ordinary run has repeated it.
    pub fn start(&self, start: Start) {
        if let Some(starts) = &self.starts {
            starts.set(start);
        }
    }

    /// Returns the time of a program of the package that has `ordinary` in an ordinary run. A long
    /// warm run does not pay off, and is repeated in any case if it is killed at this limit.
    pub(super) fn time_of_making(&self, ordinary: Duration) -> Duration {
        // A warm run starts after all slow steps, so ten seconds are plenty. A program that uses
        // them up would hold up a search for a minute.
        const WARM: Duration = Duration::from_secs(10);
        let is_warm = self
            .starts
            .as_ref()
            .is_some_and(|starts| starts.get() != Start::Ordinary);
        if is_warm {
            ordinary.min(WARM)
        } else {
            ordinary
        }
    }

    /// True when an ordinary run was stopped at the shorter time limit of warm runs: it has to be
    /// repeated with the limit `ordinary`.
    pub(super) fn was_cut_short(
        &self,
        outcome: &Outcome,
        time: Duration,
        ordinary: Duration,
    ) -> bool {
        let is_over = matches!(
            outcome.termination,
            Termination::Killed {
                limit: Limit::CpuTime | Limit::WallTime
            }
        );
        time < ordinary && is_over && !self.starts.as_ref().is_some_and(Starts::was_warm)
    }

    /// Runs programs warm. If a run was warm and `is_well` refuses the result, runs them again as
    /// ordinary programs.
    pub fn try_warm<T>(
        &mut self,
        start: Start,
        mut run: impl FnMut(&mut Self) -> T,
        is_well: impl FnOnce(&T) -> bool,
    ) -> T {
        // Only a result that may be reported is repeated. A search makes thousands of runs without
        // a finding, which are not repeated.
        let (found, was_warm) = self.starting(start, &mut run);
        if was_warm && !is_well(&found) {
            run(self)
        } else {
            found
        }
    }

    /// Runs programs that are started in this way. The flag is true when one was warm.
    pub fn starting<T>(&mut self, start: Start, run: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        self.start(start);
        let found = run(self);
        let was_warm = self.starts.as_ref().is_some_and(Starts::was_warm);
        // Set back to ordinary immediately: the next caller on this worker may judge, and no
        // verdict comes from a warm run.
        self.start(Start::Ordinary);
        (found, was_warm)
    }

    /// The time that the start of the last program would have taken, which ran in a shared
    /// interpreter.
    pub(super) fn saved_start(&self) -> Duration {
        self.starts.as_ref().map(Starts::saved).unwrap_or_default()
    }

    /// Sets the token that ends all runs from now on.
    pub fn set_cancel(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    /// Standard error of the submission that ran last; with several passes, of the last of them.
    #[must_use]
    pub fn stderr(&self) -> &[u8] {
        &self.capture.stderr
    }

    /// The time of compilers does not count; they may use any processor.
    fn compiler(&mut self, trust: Trust, shim: bool) -> Compiler<'_> {
        let session = self.session;
        let slot = OwnSlot {
            slot: &mut self.compilers,
            session,
            core: None,
            reach: Reach::Sources,
            starts: self.starts.as_ref(),
        };
        Compiler {
            cache: &session.cache,
            slot: Box::new(slot),
            cancel: self.cancel.clone(),
            trust,
            shim,
            headers: &session.headers,
            planned: &session.planned,
            starts: self
                .starts
                .as_ref()
                .filter(|_| session.interpreters.is_some()),
        }
    }

    /// The compiler of submissions: only searches run them warm.
    pub(super) fn submission_compiler(&mut self, trust: Trust) -> Compiler<'_> {
        self.compiler(trust, self.searches)
    }

    /// Prepares a program of the package. `role` names its kind.
    pub(super) fn ready(
        &mut self,
        program: &Program,
        role: &str,
        problem: &Problem,
        trust: Trust,
    ) -> Result<Arc<Runnable>, Fault> {
        let tools = &self.session.tools;
        let mut compiler = self.compiler(trust, false);
        make_ready(&mut compiler, tools, program, role, problem)
    }

    /// Prepares a program that can be run warm: a generator or an input validator. All workers
    /// share the program.
    pub(super) fn ready_warm(
        &mut self,
        program: &Program,
        role: &str,
        problem: &Problem,
    ) -> Result<Arc<Runnable>, Fault> {
        let tools = &self.session.tools;
        let mut compiler = self.compiler(Trust::Content, true);
        make_ready(&mut compiler, tools, program, role, problem)
    }

    /// The slots for judging a program. A file that was added to it may start the submission.
    pub(super) fn judging_slots(
        &mut self,
        program: &Runnable,
    ) -> Result<JudgingSlots<'_>, ExecError> {
        let Self {
            session,
            core,
            capture,
            submissions,
            assisted,
            validators,
            runs_copies,
            starts,
            ..
        } = self;
        // A program whose files may start others needs a slot that allows it. All others get the
        // slot that enforces a single process.
        let (own, single_process) = if program.at_hand {
            (assisted, false)
        } else {
            (submissions, true)
        };
        let reach = if *runs_copies {
            Reach::Copies
        } else {
            Reach::Programs
        };
        let submissions = open(own, session, *core, reach, single_process, starts.as_ref())?;
        // Both sides of an interaction run at the same time. On one core, each message would cost a
        // switch between them, which would count in the wall time of the submission.
        let core = core.filter(|_| {
            !session
                .problems
                .iter()
                .any(|timed| timed.problem.interactive)
        });
        let validators = OwnSlot {
            slot: validators,
            session,
            core,
            reach: Reach::Package,
            starts: None,
        };
        Ok(JudgingSlots {
            submissions,
            validators,
            capture,
        })
    }

    /// Returns the slot of generators and of solutions that write answers, which can reach nothing
    /// of the package.
    pub(super) fn generators(&mut self) -> Result<(&mut dyn Slot, &mut Capture), ExecError> {
        // Not the slot of submissions: a generator may be a script that starts other programs.
        let slot = open(
            &mut self.assisted,
            self.session,
            self.core,
            Reach::Programs,
            false,
            self.starts.as_ref(),
        )?;
        Ok((slot, &mut self.capture))
    }

    /// The slot of the package's own programs.
    pub(super) fn validators(&mut self) -> Result<&mut dyn Slot, ExecError> {
        open(
            &mut self.validators,
            self.session,
            self.core,
            Reach::Package,
            false,
            self.starts.as_ref(),
        )
    }

    /// Output validation in the slot of the package's own programs.
    pub(super) fn output_validation(
        &mut self,
        strict_text: bool,
    ) -> Result<OutputValidation<'_>, ExecError> {
        let (session, cancel) = (self.session, self.cancel.clone());
        Ok(OutputValidation {
            slot: self.validators()?,
            cache: &session.cache,
            cancel,
            strict_text,
        })
    }

    /// The slots of a solution that communicates with an output validator.
    pub(super) fn generator_and_validator(&mut self) -> Result<JudgingSlots<'_>, ExecError> {
        let submissions = open(
            &mut self.assisted,
            self.session,
            self.core,
            Reach::Programs,
            false,
            None,
        )?;
        let validators = OwnSlot {
            slot: &mut self.validators,
            session: self.session,
            core: self.core,
            reach: Reach::Package,
            starts: None,
        };
        Ok(JudgingSlots {
            submissions,
            validators,
            capture: &mut self.capture,
        })
    }

    /// The files of a test case for the working directory, copied into the cache.
    pub(super) fn copied(&self, files: Option<&Path>) -> Result<Option<PathBuf>, ExecError> {
        let Session {
            test_files, cache, ..
        } = self.session;
        files
            .map(|files| test_files.copy_of(files, cache))
            .transpose()
    }
}
