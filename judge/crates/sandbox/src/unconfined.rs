//! The level `none`: trusted programs, started and limited but not kept apart.
//!
//! Responsible for limits that need no help of the kernel's namespaces. Must not be mistaken for a sandbox: a program
//! sees and can do whatever its user can.
//!
//! There is no root of its own to bind anything in, so paths below a bind's target are replaced by the bind's source
//! where they stand at the beginning of the program's path or of an argument.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use judge_model::{Guarantee, Instructions, Isolation, IsolationLevel, Limit, NotCounted, Outcome, Termination, Usage};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, kill_process_group, pidfd_open, setrlimit,
};

use crate::harvest::merge_tree;
use crate::pump::{Event, Pump, Stream};
use crate::sight::{self, Sight};
use crate::slot::{Source, now, source};
use crate::zygote::tree::{self, Members};
use crate::{Bind, Capture, Execution, Finished, Input, SandboxError, Slot, SlotSpec, Work, kernel};

/// What the launcher is called as: this very program, which limits itself and then becomes the program to run.
pub(crate) const NAME: &str = "judge-launcher";

/// The shortest pause between two looks at the CPU time.
const SHORTEST: Duration = Duration::from_millis(1);

/// What this level is: everything is a gap.
pub(crate) fn isolation() -> Isolation {
    Isolation { level: IsolationLevel::None, cgroup_version: None, gaps: Guarantee::ALL.to_vec() }
}

/// A place for unconfined runs.
pub(crate) struct UnconfinedSlot {
    program: PathBuf,
    /// The files of the last run, if they were to be kept: until the next run, or the end of the slot.
    kept: Option<Scratch>,
}

/// A directory for one run's files, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, SandboxError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("judge-none-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let scratch = Self(std::env::temp_dir().join(name));
        let made = fs::DirBuilder::new().mode(0o700).create(&scratch.0).and_then(|()| fs::create_dir(scratch.work()));
        made.map_err(SandboxError::host(format!("create `{}`", scratch.0.display())))?;
        Ok(scratch)
    }

    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    /// Where the launcher writes the number of the error that kept it from becoming the program.
    fn fault(&self) -> PathBuf {
        self.0.join("fault")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A path with its beginning replaced as the binds say.
fn translate(text: &OsStr, binds: &[Bind]) -> OsString {
    let path = Path::new(text);
    let replaced = binds.iter().find_map(|bind| {
        let below = path.strip_prefix(&bind.target).ok()?;
        Some(if below.as_os_str().is_empty() { bind.source.clone() } else { bind.source.join(below) })
    });
    let Some(mut replaced) = replaced.map(PathBuf::into_os_string) else { return text.to_owned() };
    // Paths are compared without it, but a program may put the name of a file behind it.
    if text.as_bytes().ends_with(b"/") {
        replaced.push("/");
    }
    replaced
}

impl UnconfinedSlot {
    pub(crate) fn open(program: PathBuf) -> Self {
        Self { program, kept: None }
    }

    fn command(&self, execution: &Execution, scratch: &Scratch) -> Result<Command, SandboxError> {
        let limits = &execution.limits;
        let file_bytes = match execution.work {
            Work::Writable { bytes, .. } => bytes,
            Work::ReadOnly => 0,
        };
        let mut binds = execution.binds.clone();
        // What `Work` calls the working directory; compilers and validators are told it by its name.
        binds.push(Bind { source: scratch.work(), target: PathBuf::from("/box/work") });
        let cwd = execution.cwd.as_ref().map(|cwd| PathBuf::from(translate(cwd.as_os_str(), &binds)));
        let cwd = cwd.unwrap_or_else(|| scratch.work());
        let mut command = Command::new(&self.program);
        command
            .arg0(NAME)
            .args([limits.memory_bytes, file_bytes, limits.cpu_time.as_secs() + 3].map(|limit| limit.to_string()))
            .arg(scratch.fault())
            .arg(translate(execution.program.as_os_str(), &binds))
            .args(execution.args.iter().map(|arg| translate(arg, &binds)))
            .env_clear()
            .current_dir(&cwd)
            .process_group(0);
        for variable in &execution.env {
            let bytes = variable.as_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == b'=') {
                command.env(OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + 1..]));
            }
        }
        match source(&SlotSpec::default(), &execution.stdin)? {
            Source::Descriptor(file) => command.stdin(file),
            Source::Line([stdin, stdout]) => command.stdin(stdin).stdout(stdout),
            Source::Empty | Source::Depot(..) => command.stdin(Stdio::null()),
        };
        Ok(command)
    }
}

impl Slot for UnconfinedSlot {
    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, SandboxError> {
        capture.stdout.clear();
        capture.stderr.clear();
        self.kept = None;
        let scratch = Scratch::new()?;
        for directory in &execution.work_files {
            let source = open_directory(directory)?;
            merge_tree(source.as_fd(), Path::new("."), &scratch.work()).map_err(|error| {
                SandboxError::helper(format!("cannot copy files into the working directory: {error}"))
            })?;
        }
        let mut command = self.command(execution, &scratch)?;
        let pipe =
            || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(SandboxError::host("create a pipe"));
        let limits = &execution.limits;
        let line = if let Input::Line(line) = &execution.stdin { Some(line) } else { None };
        let (stderr, stderr_end) = pipe()?;
        let stdout = if line.is_some() {
            Stream::elsewhere(&mut capture.stdout)
        } else {
            let (stdout, stdout_end) = pipe()?;
            command.stdout(stdout_end);
            Stream::new(stdout, &mut capture.stdout, limits.stdout_bytes)
        };
        let stderr = Stream::new(stderr, &mut capture.stderr, limits.stderr_bytes);
        let begun = Instant::now();
        let child = command.stderr(stderr_end).spawn();
        // The command holds the write ends.
        drop(command);
        let child = child.map_err(SandboxError::host("start a launcher"))?;
        let pid = Pid::from_child(&child);
        let pidfd =
            pidfd_open(pid, PidfdFlags::empty()).map_err(SandboxError::host("open a descriptor of the process"))?;
        let mut pump = Pump { streams: [stdout, stderr], line };
        let killed = watch(&mut pump, &pidfd, pid, execution, begun);
        let ended = now();
        // Whatever else is in the program's group goes too, before its number can be given to somebody else.
        let _ = kill_process_group(pid, Signal::KILL);
        let reaping = kernel::wait_counted(pid.as_raw_nonzero().get());
        let (status, cpu_time, memory_bytes) = reaping.map_err(SandboxError::host("wait for the program"))?;
        let wall_time = begun.elapsed();
        let killed = killed?;
        pump.finish();
        if let Ok(errno) = fs::read_to_string(scratch.fault()) {
            let source = io::Error::from_raw_os_error(errno.parse().unwrap_or(0));
            return Err(SandboxError::Program { program: execution.program.clone(), source });
        }
        let exceeded = pump.is_exceeded().then_some(Termination::Killed { limit: Limit::Output });
        let own = if libc::WIFSIGNALED(status) {
            Termination::Signaled { signal: libc::WTERMSIG(status) }
        } else {
            Termination::Exited { code: libc::WEXITSTATUS(status) }
        };
        let [stdout_bytes, stderr_bytes] = pump.streams.each_ref().map(|stream| stream.total);
        let instructions = if execution.count_instructions {
            Instructions::NotCounted(NotCounted::Level)
        } else {
            Instructions::NotWanted
        };
        let usage =
            Usage { cpu_time, wall_time, memory_bytes, stdout_bytes, stderr_bytes, memory_kills: 0, instructions };
        let work = execution.keep_work.then(|| open_directory(&scratch.work())).transpose()?;
        self.kept = work.is_some().then_some(scratch);
        Ok(Finished { outcome: Outcome { termination: killed.or(exceeded).unwrap_or(own), usage }, work, ended })
    }
}

fn open_directory(path: &Path) -> Result<OwnedFd, SandboxError> {
    open(path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(SandboxError::host(format!("open `{}`", path.display())))
}

/// Waits for the end of the main process, and says why it was killed if it was.
fn watch(
    pump: &mut Pump<'_>,
    pidfd: &OwnedFd,
    pid: Pid,
    execution: &Execution,
    begun: Instant,
) -> Result<Option<Termination>, SandboxError> {
    let limits = &execution.limits;
    loop {
        let used = kernel::process_cpu_time(pid.as_raw_nonzero().get()).unwrap_or_default();
        let elapsed = begun.elapsed();
        let killed = |limit| Ok(Some(Termination::Killed { limit }));
        if used >= limits.cpu_time {
            return killed(Limit::CpuTime);
        }
        if elapsed >= limits.wall_time {
            return killed(Limit::WallTime);
        }
        let processors = u32::try_from(std::thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1);
        let pause = (limits.wall_time - elapsed).min((limits.cpu_time - used) / processors).max(SHORTEST);
        let deadline = Instant::now().checked_add(pause);
        match pump.next(pidfd, Some(&execution.cancel), deadline).map_err(SandboxError::host("wait for the run"))? {
            Event::Answer => return Ok(None),
            Event::Exceeded => return killed(Limit::Output),
            Event::Cancelled => return Ok(Some(Termination::Cancelled)),
            Event::Asked => {
                if let Some(line) = pump.line {
                    line.answer(seen(pid.as_raw_nonzero().get()), u64::try_from(used.as_nanos()).unwrap_or(u64::MAX));
                }
            }
            Event::Silence => {}
        }
    }
}

/// What a process and its descendants are doing.
fn seen(pid: i32) -> Sight {
    let Ok(proc) = open("/proc", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) else {
        return Sight::Unknown;
    };
    sight::look(proc.as_fd(), &tree::living(proc.as_fd(), pid, Members::Descendants))
}

/// Becomes the program that the arguments name. Returns only if it cannot.
pub(crate) fn launch() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let mut number = || args.next().and_then(|text| text.to_str()?.parse().ok()).unwrap_or(u64::MAX);
    let limits =
        [(Resource::Core, 1), (Resource::Stack, number()), (Resource::Fsize, number()), (Resource::Cpu, number())];
    let (Some(fault), Some(program)) = (args.next(), args.next()) else { return ExitCode::FAILURE };
    kernel::reset_signals();
    let _ = kernel::close_from(3);
    for (resource, limit) in limits {
        let limit = limit.min(getrlimit(resource).maximum.unwrap_or(u64::MAX));
        let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    }
    let mut command = Command::new(&program);
    command.arg0(args.next().unwrap_or_else(|| program.clone())).args(args);
    let error = command.exec();
    let _ = setrlimit(Resource::Fsize, Rlimit { current: getrlimit(Resource::Fsize).maximum, maximum: None });
    let _ = fs::write(fault, error.raw_os_error().unwrap_or(0).to_string());
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_targets_are_replaced() {
        let binds = [
            Bind { source: "/host/bin".into(), target: "/program".into() },
            Bind { source: "/host/1.in".into(), target: "/judge/input".into() },
        ];
        let translated = |text: &str| translate(OsStr::new(text), &binds).into_string().unwrap();
        assert_eq!(translated("/program/a.out"), "/host/bin/a.out");
        assert_eq!(translated("/judge/input"), "/host/1.in");
        assert_eq!(translated("/program/"), "/host/bin/");
        for same in ["/programs", "-x", "", "/judge/inputs", "a/program"] {
            assert_eq!(translated(same), same);
        }
    }
}
