//! Slots of the level `none`.
//!
//! Responsible for limits that need no help of the kernel's namespaces.
//!
//! Without its own root, a run cannot have binds, so each slot has a directory. It contains links
//! to the bound files and copies of the bound directories, by their names ([`Layout`]).

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use judge_model::{Guarantee, Isolation, IsolationLevel, Limit, Outcome, Termination, Usage};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::clock::{is_readable_within, nanos, now};
use crate::execution::{TimeLeft, WaitsFor};
use crate::levels::scratch::Scratch;
use crate::open::directory_handle;
use crate::proc::state::{self, ProcessState};
use crate::proc::tree::{self, Members};
use crate::proc::waiting;
use crate::protocol::LAUNCHER_NAME;
use crate::shortage::{self, CountersBefore};
use crate::streams::duplex::Observation;
use crate::streams::pipe::{Direction, pipe};
use crate::streams::pump::{Event, Pump, Stream};
use crate::streams::stdin::{Source, source};
use crate::trees::copy::merge_tree;
use crate::{
    Bind, Capture, Execution, Finished, Layout, SandboxError, Slot, SlotSpec, Work, kernel,
    levels::ceilings,
};

/// The timeout for the end of a killed program. The kernel takes longer only if the program is
/// stuck inside the kernel, possibly forever.
const MAX_KILL_TIME: Duration = Duration::from_secs(20);

/// The pause between two checks of a launcher.
const LAUNCHING: Duration = Duration::from_millis(1);

/// The minimum pause between two checks of the CPU time.
const MIN_PAUSE: Duration = Duration::from_millis(1);

/// The isolation of this level: everything is a gap.
pub(crate) fn isolation() -> Isolation {
    Isolation {
        level: IsolationLevel::None,
        cgroup_version: None,
        gaps: Guarantee::ALL.to_vec(),
    }
}

/// A place for unconfined runs.
pub(crate) struct UnconfinedSlot {
    program: PathBuf,
    /// Until the next run, its working directory is that of the last run.
    scratch: Scratch,
}

impl UnconfinedSlot {
    pub(crate) fn open(program: PathBuf) -> Result<Self, SandboxError> {
        ceilings::check_host()?;
        Ok(Self {
            program,
            scratch: Scratch::new(false)?,
        })
    }

    /// The link whose target is the number of the error that prevented the launcher from becoming
    /// the program. The launcher creates it.
    fn fault(&self) -> PathBuf {
        self.scratch.path().join("fault")
    }

    /// The link whose target is the number of the process that becomes the program.
    fn started(&self) -> PathBuf {
        self.scratch.path().join("started")
    }

    /// The process that becomes the program: a sibling of the launcher, or the launcher itself if
    /// such a fork is impossible.
    fn process(&self, launcher: &mut Child) -> Result<Pid, SandboxError> {
        let pid = Pid::from_child(launcher);
        let pidfd = process_descriptor(pid)?;
        loop {
            let has_ended = is_readable_within(&pidfd, LAUNCHING);
            let started = fs::read_link(self.started()).ok();
            let started = started.and_then(|number| Pid::from_raw(number.to_str()?.parse().ok()?));
            match started {
                Some(started) => {
                    if started != pid {
                        launcher
                            .wait()
                            .map_err(SandboxError::host("wait for a launcher"))?;
                    }
                    return Ok(started);
                }
                None if has_ended => {
                    return Err(SandboxError::helper(
                        "the launcher ended before the program began".to_owned(),
                    ));
                }
                None => {}
            }
        }
    }

    /// Returns the exit code and the error of a program that could not be executed because of its
    /// own file.
    fn unexecutable(
        &self,
        execution: &Execution,
    ) -> Result<Option<(i32, io::Error)>, SandboxError> {
        let Ok(errno) = fs::read_link(self.fault()) else {
            return Ok(None);
        };
        let errno = errno
            .to_str()
            .and_then(|errno| errno.parse().ok())
            .unwrap_or(0);
        let source = io::Error::from_raw_os_error(errno);
        match execution.code_of_unexecutable(self.scratch.layout(), &source) {
            Some(code) => Ok(Some((code, source))),
            None => Err(execution.program_error(self.scratch.layout(), source)),
        }
    }

    /// Creates the directories of the run, and links to the bound files.
    fn populate(&mut self, execution: &Execution) -> Result<(), SandboxError> {
        // Cleared here and not after the run before: the caller may still read that run's working
        // directory.
        self.scratch.clear()?;
        let Layout {
            work, tmp, judge, ..
        } = self.scratch.layout();
        for directory in [work, tmp, judge] {
            fs::create_dir(directory).map_err(SandboxError::host(format!(
                "create `{}`",
                directory.display()
            )))?;
        }
        for Bind { source, target } in &execution.binds {
            let place = self.scratch.layout().place(target);
            let failed = || SandboxError::host(format!("link `{}`", place.display()));
            place
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .map_err(failed())?;
            // A directory is made of copies, a file is a link: a program may write next to its own
            // files, and bound files are read only.
            let made = if source.is_dir() {
                super::own_copy::make(source, &place)
            } else {
                symlink(source, &place)
            };
            made.map_err(failed())?;
        }
        Ok(())
    }

    fn command(&self, execution: &Execution) -> Result<Command, SandboxError> {
        let limits = &execution.limits;
        let file_bytes = match execution.work {
            Work::Writable { bytes, .. } => bytes,
            Work::ReadOnly => 0,
        };
        let cwd = execution
            .cwd
            .as_ref()
            .map(|cwd| self.scratch.layout().place(cwd));
        let cwd = cwd.unwrap_or_else(|| self.scratch.layout().work.clone());
        let mut command = Command::new(&self.program);
        command
            .arg0(LAUNCHER_NAME)
            .args(
                [
                    limits.memory_bytes,
                    file_bytes,
                    ceilings::cpu_seconds(limits.cpu_time),
                ]
                .map(|limit| limit.to_string()),
            )
            .arg(self.started())
            .arg(self.fault())
            .arg(self.scratch.layout().place(&execution.program))
            .args(&execution.args)
            .env_clear()
            .current_dir(&cwd)
            .process_group(0);
        for variable in &execution.env {
            let bytes = variable.as_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == b'=') {
                command.env(
                    OsStr::from_bytes(&bytes[..at]),
                    OsStr::from_bytes(&bytes[at + 1..]),
                );
            }
        }
        match source(&SlotSpec::default(), &execution.stdin, true)? {
            Source::Descriptor(file) => command.stdin(file),
            Source::Duplex([stdin, stdout]) => command.stdin(stdin).stdout(stdout),
            Source::Empty | Source::Depot(..) => command.stdin(Stdio::null()),
        };
        Ok(command)
    }
}

impl Slot for UnconfinedSlot {
    fn layout(&self) -> &Layout {
        self.scratch.layout()
    }

    fn run(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, SandboxError> {
        capture.clear();
        ceilings::check(execution)?;
        shortage::check_space(execution, self.scratch.path())?;
        self.populate(execution)?;
        for directory in &execution.work_files {
            let source = open_directory(directory)?;
            merge_tree(source.as_fd(), Path::new("."), &self.scratch.layout().work).map_err(
                |error| {
                    SandboxError::helper(format!(
                        "cannot copy files into the working directory: {error}"
                    ))
                },
            )?;
        }
        let mut command = self.command(execution)?;
        let limits = &execution.limits;
        let line = execution.stdin.line();
        let (stderr, stderr_end) = pipe(Direction::FromProgram)?;
        let stdout = if line.is_some() {
            Stream::elsewhere(&mut capture.stdout)
        } else {
            let (stdout, stdout_end) = pipe(Direction::FromProgram)?;
            command.stdout(stdout_end);
            Stream::new(stdout, &mut capture.stdout, limits.stdout_bytes)
        };
        let stderr = Stream::new(stderr, &mut capture.stderr, limits.stderr_bytes);
        let before = CountersBefore::read();
        let begun = Instant::now();
        let child = command.stderr(stderr_end).spawn();
        // The command holds the write ends.
        drop(command);
        let mut launcher = child.map_err(SandboxError::host("start a launcher"))?;
        let group = Pid::from_child(&launcher);
        let pid = self.process(&mut launcher)?;
        let pidfd = process_descriptor(pid)?;
        let mut pump = Pump {
            streams: [stdout, stderr],
            line,
        };
        // The result is only evaluated after reaping: even after an error, the processes must be
        // dead before the slot is used again.
        let killed = watch(&mut pump, &pidfd, pid, execution, begun);
        let ended = now();
        let (status, cpu_time, memory_bytes) = reap(pid, group, &pidfd)?;
        let wall_time = begun.elapsed();
        let killed = killed?;
        pump.finish();
        let unexecutable = self.unexecutable(execution)?;
        let exceeded = pump.is_exceeded().then_some(Termination::Killed {
            limit: Limit::Output,
        });
        let own = if let Some((code, _)) = &unexecutable {
            Termination::Exited { code: *code }
        } else if libc::WIFSIGNALED(status) {
            Termination::Signaled {
                signal: libc::WTERMSIG(status),
            }
        } else {
            Termination::Exited {
                code: libc::WEXITSTATUS(status),
            }
        };
        if killed.is_none() && exceeded.is_none() {
            let is_killed = own
                == Termination::Signaled {
                    signal: libc::SIGKILL,
                };
            before.check(execution, is_killed, memory_bytes)?;
            shortage::check_space_after(execution, self.scratch.path())?;
        }
        let [stdout_bytes, stderr_bytes] = pump.streams.each_ref().map(|stream| stream.total);
        let usage = Usage {
            cpu_time,
            wall_time,
            memory_bytes,
            stdout_bytes,
            stderr_bytes,
            memory_kills: 0,
        };
        let work = execution
            .keep_work
            .then(|| open_directory(&self.scratch.layout().work))
            .transpose()?;
        drop(pump);
        if let Some((_, error)) = unexecutable {
            capture.report_unexecutable(&execution.program, &error);
        }
        Ok(Finished {
            outcome: Outcome {
                termination: killed.or(exceeded).unwrap_or(own),
                usage,
            },
            work,
            ended,
        })
    }
}

/// Kills the rest of a run, and waits for its main process. Returns the wait status, the CPU time
/// and the memory.
fn reap(pid: Pid, group: Pid, pidfd: &OwnedFd) -> Result<(i32, Duration, u64), SandboxError> {
    // All other members of the program's group are killed too, before its number can be given to
    // another process.
    let _ = kill_process_group(group, Signal::KILL);
    if !is_readable_within(pidfd, MAX_KILL_TIME) {
        return Err(SandboxError::helper(format!(
            "the program cannot be killed within {} s",
            MAX_KILL_TIME.as_secs()
        )));
    }
    kernel::wait_counted(pid.as_raw_nonzero().get())
        .map_err(SandboxError::host("wait for the program"))
}

fn process_descriptor(pid: Pid) -> Result<OwnedFd, SandboxError> {
    pidfd_open(pid, PidfdFlags::empty())
        .map_err(SandboxError::host("open a descriptor of the process"))
}

fn open_directory(path: &Path) -> Result<OwnedFd, SandboxError> {
    directory_handle(path).map_err(SandboxError::host(format!("open `{}`", path.display())))
}

/// Waits for the end of the main process. Returns the reason if it was killed.
fn watch(
    pump: &mut Pump<'_>,
    pidfd: &OwnedFd,
    pid: Pid,
    execution: &Execution,
    begun: Instant,
) -> Result<Option<Termination>, SandboxError> {
    let limits = &execution.limits;
    loop {
        // The clock of the main process alone. Children count once they are reaped (wait4), so a
        // limit over the tree is not enforced here; that is one of the gaps of this level.
        let used = kernel::process_cpu_time(pid.as_raw_nonzero().get()).unwrap_or_default();
        let elapsed = begun.elapsed();
        let killed = |limit| Ok(Some(Termination::Killed { limit }));
        if used >= limits.cpu_time {
            return killed(Limit::CpuTime);
        }
        let waited = if elapsed >= limits.wall_time {
            kept_waiting(pid.as_raw_nonzero().get())
        } else {
            Duration::ZERO
        };
        let left = TimeLeft::new(limits.wall_time, elapsed, waited, || {
            waits_for(pid.as_raw_nonzero().get())
        });
        if left == TimeLeft::None {
            return killed(Limit::WallTime);
        }
        let processors =
            u32::try_from(std::thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1);
        let pause = left
            .pause()
            .min((limits.cpu_time - used) / processors)
            .max(MIN_PAUSE);
        let deadline = Instant::now().checked_add(pause);
        match pump
            .next(pidfd, Some(&execution.cancel), deadline)
            .map_err(SandboxError::host("wait for the run"))?
        {
            Event::Answer => return Ok(None),
            Event::Exceeded => return killed(Limit::Output),
            Event::Cancelled => return Ok(Some(Termination::Cancelled)),
            Event::Requested => {
                if let Some(line) = pump.line {
                    let pid = pid.as_raw_nonzero().get();
                    let (cpu_ns, waited_ns) = (nanos(used), nanos(kept_waiting(pid)));
                    line.answer(&Observation {
                        state: state_of(pid),
                        cpu_ns,
                        waited_ns,
                    });
                }
            }
            Event::Silence => {}
        }
    }
}

/// A process with its descendants, and `/proc`; `None` if that cannot be opened.
fn family(pid: i32) -> Option<(OwnedFd, Vec<(i32, String)>)> {
    let proc = directory_handle("/proc").ok()?;
    let living = tree::living(proc.as_fd(), pid, Members::Descendants(None));
    Some((proc, living))
}

/// Returns the state of a process and its descendants.
fn state_of(pid: i32) -> ProcessState {
    family(pid).map_or(ProcessState::Unknown, |(proc, living)| {
        state::observe(proc.as_fd(), &living)
    })
}

/// Returns what a process and its descendants wait for.
fn waits_for(pid: i32) -> WaitsFor {
    family(pid).map_or(WaitsFor::Itself, |(proc, living)| {
        let processes: Vec<i32> = living.into_iter().map(|(pid, _)| pid).collect();
        waiting::processes_wait_for(proc.as_fd(), &processes)
    })
}

/// The time for which a process and its descendants were kept waiting for a processor.
fn kept_waiting(pid: i32) -> Duration {
    family(pid).map_or(Duration::ZERO, |(proc, living)| {
        waiting::waited_by_processes(proc.as_fd(), living.into_iter().map(|(pid, _)| pid))
    })
}
