//! Interpreters of Python that wait for programs, and run one after the other.
//!
//! Responsible for keeping them from one session to the next, for the directory in which each finds
//! its current program, and for measuring what a start costs. Must not know which results count.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_files::regular_file;
use judge_sandbox::{
    Bind, Capture, Execution, Finished, Input, NotWarm, RunLimits, Sandbox, SandboxError, Slot,
    SlotSpec, WarmRefused, WarmStart,
};

use crate::ExecError;
use crate::build::command::PROGRAM;
use crate::build::program::Runnable;
use crate::lock;
use crate::store::programs::{ProgramCache, Stage, write_shared};

/// The number of runs after which an interpreter is started again, so that not all programs share
/// the properties that are fixed at one start, such as the order of a set.
const MAX_RUNS: u32 = 200;
/// The size of the largest program that is copied for an interpreter, in bytes.
const MAX_PROGRAM_BYTES: u64 = 256 << 10;
/// The maximum time of a start, whatever the limits of the programs are.
const START_TIME: Duration = Duration::from_secs(10);
/// The number of failed starts after which all programs are started as usual: this host cannot keep
/// the interpreter waiting.
const MAX_FAILED_STARTS: u32 = 8;
/// The number of measurements of a start whose median counts: one alone may have been disturbed.
const MEASUREMENTS: usize = 3;

/// Waiting interpreters.
#[derive(Debug)]
pub struct Interpreters {
    max_idle: usize,
    /// The last used one is at the end.
    idle: Mutex<Vec<Interpreter>>,
    /// The number of starts that have failed since the last successful one.
    failed_starts: AtomicU32,
}

impl Interpreters {
    /// Creates a pool without interpreters, which keeps at most this many unused ones.
    #[must_use]
    pub fn new(max_idle: usize) -> Self {
        Self {
            max_idle,
            idle: Mutex::default(),
            failed_starts: AtomicU32::new(0),
        }
    }

    /// Takes an interpreter for such executions out of the pool.
    fn take(&self, spec: &SlotSpec, execution: &Execution) -> Option<Interpreter> {
        let mut idle = lock(&self.idle);
        let found = idle
            .iter()
            .rposition(|interpreter| interpreter.fits(spec, execution))?;
        Some(idle.remove(found))
    }

    fn put_back(&self, interpreter: Interpreter) {
        let mut idle = lock(&self.idle);
        idle.push(interpreter);
        let surplus = (idle.len() > self.max_idle).then(|| idle.remove(0));
        // Dropped without the lock, because that waits for processes to end.
        drop(idle);
        drop(surplus);
    }
}

/// True for a program that an interpreter can be given.
pub(crate) fn can_wait_for(program: &Runnable) -> bool {
    only_file(&program.files).is_ok_and(|file| file.is_some())
}

/// The only file of a program, with its name; `None` if it has others, or is too large.
fn only_file(directory: &Path) -> Result<Option<(OsString, Vec<u8>)>, ExecError> {
    let mut entries = fs::read_dir(directory)
        .and_then(|entries| entries.take(2).collect::<Result<Vec<_>, _>>())
        .map_err(ExecError::io("read", directory))?;
    let Some(entry) = entries.pop().filter(|_| entries.is_empty()) else {
        return Ok(None);
    };
    let path = entry.path();
    let metadata = entry.metadata().map_err(ExecError::io("read", &path))?;
    if !metadata.is_file() || metadata.len() > MAX_PROGRAM_BYTES {
        return Ok(None);
    }
    let bytes =
        regular_file::read_own(&path, MAX_PROGRAM_BYTES).map_err(ExecError::io("read", &path))?;
    Ok(Some((entry.file_name(), bytes)))
}

/// The reason why an interpreter could not be started.
#[derive(Debug, thiserror::Error)]
enum OpenError {
    #[error(transparent)]
    Desk(#[from] ExecError),
    #[error(transparent)]
    Slot(#[from] SandboxError),
    #[error(transparent)]
    Start(#[from] NotWarm),
}

/// An interpreter in a slot of its own.
struct Interpreter {
    spec: SlotSpec,
    slot: Box<dyn Slot>,
    /// The execution with which it is started, which shows programs `desk` as their directory.
    execution: Execution,
    /// The directory that holds the file of the current program.
    desk: Stage,
    /// The name and the text of that file.
    program: Option<(OsString, Vec<u8>)>,
    /// The number of runs since its start; `None` while it is not running.
    since_start: Option<u32>,
    /// The CPU time that an ordinary run needs in addition to a copy.
    start: Duration,
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Interpreter")
            .field("execution", &self.execution)
            .finish_non_exhaustive()
    }
}

impl Interpreter {
    fn open(
        sandbox: &dyn Sandbox,
        spec: &SlotSpec,
        execution: &Execution,
        cache: &ProgramCache,
    ) -> Result<Self, OpenError> {
        let desk = cache.stage()?;
        let mut own = spec.clone();
        if own.in_depot(&desk.path).is_none() {
            own.depots.push(cache.staging().to_owned());
        }
        let mut opened = Self {
            spec: spec.clone(),
            slot: sandbox.slot(&own)?,
            execution: Execution {
                stdin: Input::Empty,
                binds: vec![Bind {
                    source: desk.path.clone(),
                    target: PROGRAM.into(),
                }],
                limits: RunLimits {
                    cpu_time: START_TIME,
                    wall_time: START_TIME,
                    ..execution.limits.clone()
                },
                ..execution.clone()
            },
            desk,
            program: None,
            since_start: None,
            start: Duration::ZERO,
        };
        opened.start = opened.measure_start()?;
        Ok(opened)
    }

    /// Measures what a start costs, by an empty program.
    fn measure_start(&mut self) -> Result<Duration, NotWarm> {
        let mut empty = self.execution.clone();
        empty.args = arguments_before_script(&empty);
        empty.args.extend(["-c".into(), OsString::new()]);
        let mut capture = Capture::default();
        // The ordinary runs come first, because each of them ends a waiting interpreter.
        let mut ordinary = Vec::new();
        for _ in 0..MEASUREMENTS {
            ordinary.push(self.slot.run(&empty, &mut capture)?);
        }
        let mut copies = Vec::new();
        for _ in 0..MEASUREMENTS {
            copies.push(self.run(&empty, &mut capture)?);
        }
        let is_clean = |finished: &Finished| finished.outcome.is_clean_exit();
        if !ordinary.iter().chain(&copies).all(is_clean) {
            return Err(NotWarm::Refused(WarmRefused::Ended));
        }
        let start = median(&ordinary).saturating_sub(median(&copies));
        tracing::debug!(target: "sandbox", ?start, "start of an interpreter measured");
        Ok(start)
    }

    /// True if it can run such executions: only the program, its arguments and streams and the
    /// limits of time and output may differ.
    fn fits(&self, spec: &SlotSpec, execution: &Execution) -> bool {
        let own = &self.execution;
        self.spec == *spec
            && own.program == execution.program
            && own.env == execution.env
            && own.work == execution.work
            && own.keep_work == execution.keep_work
            && own.cwd == execution.cwd
            && own.proc_mounted == execution.proc_mounted
            && own.warm == execution.warm
            && own.limits.memory_bytes == execution.limits.memory_bytes
            && arguments_before_script(own) == arguments_before_script(execution)
    }

    /// Puts the file of a program where the next runs find it.
    fn set_program(&mut self, program: (OsString, Vec<u8>)) -> Result<(), ExecError> {
        // Compared by content: a damaged program is compiled again and stored in the same place.
        if self.program.as_ref() == Some(&program) {
            return Ok(());
        }
        self.program = None;
        let (name, text) = &program;
        let desk = &self.desk.path;
        for entry in fs::read_dir(desk).map_err(ExecError::io("read", desk))? {
            let path = entry.map_err(ExecError::io("read", desk))?.path();
            fs::remove_file(&path).map_err(ExecError::io("remove", &path))?;
        }
        write_shared(&desk.join(name), text, 0o644)?;
        self.program = Some(program);
        self.slot.expect_other_program();
        Ok(())
    }

    /// Runs its current program.
    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, NotWarm> {
        if let Some(runs) = self.since_start.take().filter(|runs| *runs < MAX_RUNS) {
            match self.slot.run_warm(execution, capture) {
                Ok(finished) => {
                    self.since_start = Some(runs + 1);
                    return Ok(finished);
                }
                Err(reason) => {
                    tracing::debug!(target: "sandbox", %reason, runs, "interpreter ended");
                }
            }
        }
        // The token is that of the current work, which may end before the interpreter waits.
        self.slot.warm(&Execution {
            cancel: execution.cancel.clone(),
            ..self.execution.clone()
        })?;
        let finished = self.slot.run_warm(execution, capture)?;
        self.since_start = Some(1);
        Ok(finished)
    }
}

/// The arguments of an execution that are the interpreter's own.
fn arguments_before_script(execution: &Execution) -> Vec<OsString> {
    let script = execution.warm.and_then(WarmStart::script).unwrap_or(0);
    execution.args.iter().take(script).cloned().collect()
}

/// The median of the CPU times of some runs.
fn median(runs: &[Finished]) -> Duration {
    let mut times: Vec<Duration> = runs
        .iter()
        .map(|finished| finished.outcome.usage.cpu_time)
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// The use of shared interpreters by one slot of a worker.
pub(crate) struct InterpreterUse {
    pub(crate) interpreters: Arc<Interpreters>,
    pub(crate) cache: Arc<ProgramCache>,
    current: Option<Interpreter>,
}

impl InterpreterUse {
    pub(crate) fn new(interpreters: Arc<Interpreters>, cache: Arc<ProgramCache>) -> Self {
        Self {
            interpreters,
            cache,
            current: None,
        }
    }

    /// Runs a program in an interpreter, and returns the CPU time that a start would have taken in
    /// addition; `None` if it has to be started as usual. A fault of the host is one of the
    /// reasons: an ordinary start meets it too, and reports it.
    pub(crate) fn run(
        &mut self,
        sandbox: &dyn Sandbox,
        spec: &SlotSpec,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Option<(Finished, Duration)> {
        let Some(WarmStart::Python { script }) = execution.warm else {
            return None;
        };
        let [bind] = &execution.binds[..] else {
            return None;
        };
        if bind.target != Path::new(PROGRAM) {
            return None;
        }
        let execution = &Execution {
            warm: Some(WarmStart::SharedPython { script }),
            ..execution.clone()
        };
        let program = only_file(&bind.source).ok()??;
        if self.interpreters.failed_starts.load(Ordering::Relaxed) >= MAX_FAILED_STARTS {
            return None;
        }
        let current = self.current.take();
        let fitting = match current {
            Some(current) if current.fits(spec, execution) => Some(current),
            other => {
                other
                    .into_iter()
                    .for_each(|other| self.interpreters.put_back(other));
                self.interpreters.take(spec, execution)
            }
        };
        let mut interpreter = match fitting {
            Some(fitting) => fitting,
            None => match Interpreter::open(sandbox, spec, execution, &self.cache) {
                Ok(opened) => {
                    self.interpreters.failed_starts.store(0, Ordering::Relaxed);
                    opened
                }
                Err(reason) => {
                    tracing::debug!(target: "sandbox", %reason, "no interpreter can wait");
                    let failed = &self.interpreters.failed_starts;
                    failed.fetch_add(1, Ordering::Relaxed);
                    return None;
                }
            },
        };
        if let Err(error) = interpreter.set_program(program) {
            tracing::debug!(target: "sandbox", %error, "no program for an interpreter");
            return None;
        }
        let run = Execution {
            binds: interpreter.execution.binds.clone(),
            ..execution.clone()
        };
        match interpreter.run(&run, capture) {
            Ok(finished) => {
                let start = interpreter.start;
                self.current = Some(interpreter);
                Some((finished, start))
            }
            Err(reason) => {
                tracing::debug!(target: "sandbox", %reason, "not run by a waiting interpreter");
                None
            }
        }
    }
}

impl Drop for InterpreterUse {
    fn drop(&mut self) {
        if let Some(current) = self.current.take() {
            self.interpreters.put_back(current);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_of_one_file_are_shown() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str| fs::write(directory.path().join(name), name).unwrap();
        assert_eq!(only_file(directory.path()).unwrap(), None);
        write("a.py");
        let found = only_file(directory.path()).unwrap();
        assert_eq!(found, Some(("a.py".into(), b"a.py".to_vec())));
        write("b.py");
        assert_eq!(only_file(directory.path()).unwrap(), None);
        fs::remove_file(directory.path().join("a.py")).unwrap();
        fs::remove_file(directory.path().join("b.py")).unwrap();
        fs::create_dir(directory.path().join("a")).unwrap();
        assert_eq!(only_file(directory.path()).unwrap(), None);
    }
}
