//! Interpreters of Python that wait for programs, and run one after the other.
//!
//! Responsible for keeping them from one session to the next, for the directory in which each finds
//! its current program, and for the measured cost of a start. Must not know which results count.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_files::regular_file;
use judge_sandbox::{
    Bind, Capture, Execution, Finished, NotWarm, Sandbox, Slot, SlotSpec, WarmStart,
};

use crate::ExecError;
use crate::build::command::PROGRAM;
use crate::build::program::Runnable;
use crate::lock;
use crate::store::programs::{KeyBuilder, ProgramCache, Stage, write_shared};

/// The number of runs after which an interpreter is started again, so that not all programs share
/// the properties that are fixed at one start, such as the order of a set.
const MAX_RUNS: u32 = 200;
/// The size of the largest program that is copied for an interpreter, in bytes.
const MAX_PROGRAM_BYTES: u64 = 256 << 10;
/// The number of measurements of a start whose median counts: one alone may have been disturbed.
const MEASUREMENTS: usize = 3;
/// The number of sets of imports whose starts are remembered.
const MAX_STARTS: usize = 4096;

/// Waiting interpreters, and what their starts cost.
#[derive(Debug)]
pub struct Interpreters {
    max_idle: usize,
    /// The last used one is at the end.
    idle: Mutex<Vec<Interpreter>>,
    starts: Mutex<HashMap<String, Vec<Duration>>>,
}

impl Interpreters {
    /// Creates a pool without interpreters, which keeps at most this many unused ones.
    #[must_use]
    pub fn new(max_idle: usize) -> Self {
        Self {
            max_idle,
            idle: Mutex::default(),
            starts: Mutex::default(),
        }
    }

    /// The time that a start of a program with this key takes; `None` until it has been measured.
    pub(crate) fn start(&self, key: &str) -> Option<Duration> {
        let starts = lock(&self.starts);
        let measured = starts
            .get(key)
            .filter(|measured| measured.len() >= MEASUREMENTS)?;
        Some(measured[MEASUREMENTS / 2])
    }

    /// Adds a measurement of a start.
    pub(crate) fn add_start(&self, key: &str, start: Duration) {
        let mut starts = lock(&self.starts);
        // Only programs of an adversary have so many sets of imports; all are measured again then.
        if starts.len() >= MAX_STARTS {
            starts.clear();
        }
        let measured = starts.entry(key.to_owned()).or_default();
        if measured.len() < MEASUREMENTS {
            let place = measured.partition_point(|other| *other < start);
            measured.insert(place, start);
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
        // Ends processes, for which nobody else should wait.
        drop(idle);
        drop(surplus);
    }
}

/// The key of the start of a program: programs with the same one spend the same time on it. `None`
/// for programs that an interpreter cannot be given.
pub(crate) fn start_key(program: &Runnable) -> Option<String> {
    let (_, text) = only_file(&program.files).ok()??;
    // A start consists of starting the interpreter and of imports. Each kind of import contains the
    // word, and so does `__import__`.
    let mut lines: Vec<&[u8]> = text
        .split(|byte| *byte == b'\n')
        .filter(|line| memchr::memmem::find(line, b"import").is_some())
        .map(<[u8]>::trim_ascii)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let mut key = KeyBuilder::default();
    key.part(program.toolchain.language.id.0.as_bytes());
    key.part(&lines.join(&b'\n'));
    Some(key.finish().name().to_owned())
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

/// An interpreter in a slot of its own.
struct Interpreter {
    spec: SlotSpec,
    slot: Box<dyn Slot>,
    /// The execution with which it is started, which shows programs `desk` as their directory.
    execution: Execution,
    /// The directory that holds the file of the current program.
    desk: Stage,
    /// The directory of the current program in the cache.
    program: Option<PathBuf>,
    /// The number of runs since its start; `None` while it is not running.
    since_start: Option<u32>,
}

impl std::fmt::Debug for Interpreter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Interpreter")
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

impl Interpreter {
    fn open(
        sandbox: &dyn Sandbox,
        spec: &SlotSpec,
        execution: &Execution,
        cache: &ProgramCache,
    ) -> Result<Self, ExecError> {
        let desk = cache.stage()?;
        let mut own = spec.clone();
        if own.in_depot(&desk.path).is_none() {
            own.depots.push(cache.staging().to_owned());
        }
        Ok(Self {
            spec: spec.clone(),
            slot: sandbox.slot(&own)?,
            execution: Execution {
                binds: vec![Bind {
                    source: desk.path.clone(),
                    target: PROGRAM.into(),
                }],
                ..execution.clone()
            },
            desk,
            program: None,
            since_start: None,
        })
    }

    /// True if it can run such executions: only the program, its arguments and streams and the
    /// limits of time and output may differ.
    fn fits(&self, spec: &SlotSpec, execution: &Execution) -> bool {
        let own = &self.execution;
        let interpreter = |execution: &Execution| {
            let script = execution.warm.and_then(WarmStart::script).unwrap_or(0);
            execution.args[..script.min(execution.args.len())].to_vec()
        };
        self.spec == *spec
            && own.program == execution.program
            && own.env == execution.env
            && own.work == execution.work
            && own.keep_work == execution.keep_work
            && own.cwd == execution.cwd
            && own.proc_mounted == execution.proc_mounted
            && own.warm == execution.warm
            && own.limits.memory_bytes == execution.limits.memory_bytes
            && interpreter(own) == interpreter(execution)
    }

    /// Puts the file of a program where the next runs find it; false if it has other files.
    fn show(&mut self, program: &Path) -> Result<bool, ExecError> {
        if self.program.as_deref() == Some(program) {
            return Ok(true);
        }
        self.program = None;
        let Some((name, text)) = only_file(program)? else {
            return Ok(false);
        };
        let desk = &self.desk.path;
        for entry in fs::read_dir(desk).map_err(ExecError::io("read", desk))? {
            let path = entry.map_err(ExecError::io("read", desk))?.path();
            fs::remove_file(&path).map_err(ExecError::io("remove", &path))?;
        }
        write_shared(&desk.join(name), &text, 0o644)?;
        self.program = Some(program.to_owned());
        self.slot.expect_other_program();
        Ok(true)
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
        self.slot.warm(&self.execution)?;
        let finished = self.slot.run_warm(execution, capture)?;
        self.since_start = Some(1);
        Ok(finished)
    }
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

    /// Runs a program in an interpreter; `None` if it has to be started as usual. A fault of the
    /// host is one of the reasons: an ordinary start meets it too, and reports it.
    pub(crate) fn run(
        &mut self,
        sandbox: &dyn Sandbox,
        spec: &SlotSpec,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Option<Finished> {
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
        let open = || Interpreter::open(sandbox, spec, execution, &self.cache).ok();
        let mut interpreter = fitting.or_else(open)?;
        match interpreter.show(&bind.source) {
            Ok(true) => {}
            Ok(false) => {
                self.current = Some(interpreter);
                return None;
            }
            Err(error) => {
                tracing::debug!(target: "sandbox", %error, "no program for an interpreter");
                return None;
            }
        }
        let run = Execution {
            binds: interpreter.execution.binds.clone(),
            ..execution.clone()
        };
        match interpreter.run(&run, capture) {
            Ok(finished) => {
                self.current = Some(interpreter);
                Some(finished)
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
    fn the_median_of_three_measurements_counts() {
        let interpreters = Interpreters::new(1);
        for (start, known) in [(30, None), (90, None), (20, Some(30)), (1, Some(30))] {
            interpreters.add_start("key", Duration::from_millis(start));
            let expected = known.map(Duration::from_millis);
            assert_eq!(interpreters.start("key"), expected);
        }
        assert_eq!(interpreters.start("other"), None);
    }

    #[test]
    fn starts_depend_on_imports() {
        let key = |text: &str| {
            let directory = tempfile::tempdir().unwrap();
            fs::write(directory.path().join("main.py"), text).unwrap();
            start_key(&Runnable {
                files: directory.path().to_owned(),
                ..Runnable::default()
            })
        };
        let two = key("import os\nimport math\nprint(1)\n");
        assert_eq!(key("  import math\nprint(2)\nimport os"), two);
        assert_ne!(key("import os\nprint(1)\n"), two);
        assert_ne!(key("import os\nm = __import__('math')\n"), two);
        assert_eq!(key(&" ".repeat(MAX_PROGRAM_BYTES as usize + 1)), None);
    }

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
