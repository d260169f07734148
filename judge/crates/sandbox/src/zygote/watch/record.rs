//! The record through which the processes of a run report to their zygote.
//!
//! Responsible for values that one side writes while the other one reads them. Must not allocate,
//! panic or use thread-local storage, nor decide anything: init and program share the zygote's
//! memory (see [`crate::kernel`]).

use std::os::fd::OwnedFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::time::ClockId;

use crate::protocol::step::Step;
use crate::{clock, kernel};

/// The time on a clock in nanoseconds.
fn now(clock: ClockId) -> u64 {
    clock::nanos(clock::read(clock))
}

/// The record of a run's processes, in memory that they share with the zygote.
#[derive(Default)]
pub(crate) struct Record {
    failed_step: AtomicU32,
    failed_errno: AtomicI32,
    started: AtomicU64,
    ended: AtomicU64,
    /// CPU time that the program's process used before it became the program.
    setup_cpu: AtomicU64,
    tree_cpu: AtomicU64,
    largest_memory: AtomicU64,
    init_pid: AtomicI32,
    program_pid: AtomicI32,
    /// True once all processes that the program left behind have been killed.
    swept: AtomicBool,
    /// True once all of those have been reaped.
    reaped: AtomicBool,
    status: AtomicI32,
    /// The number of the process of a warm program's last run, in its own namespace.
    run_pid: AtomicI32,
    has_ended: AtomicBool,
    program: OnceLock<OwnedFd>,
    work: OnceLock<OwnedFd>,
    /// True once a warm program will execute no other run.
    is_over: AtomicBool,
    /// The device of the file system for work files.
    work_device: OnceLock<u64>,
}

impl Record {
    pub(crate) fn fail(&self, step: Step, errno: Errno) {
        // The step is stored last, with release: a reader that sees it sees the error number.
        self.failed_errno
            .store(errno.raw_os_error(), Ordering::Relaxed);
        self.failed_step.store(step as u32, Ordering::Release);
    }

    /// The step at which the run stopped before the program ran, and the error number.
    pub(crate) fn failure(&self) -> Option<(u32, i32)> {
        let step = self.failed_step.load(Ordering::Acquire);
        (step != 0).then(|| (step, self.failed_errno.load(Ordering::Relaxed)))
    }

    /// The program's wait status, once it has ended before its init.
    pub(crate) fn status(&self) -> Option<i32> {
        self.has_ended
            .load(Ordering::Acquire)
            .then(|| self.status.load(Ordering::Relaxed))
    }

    /// Begins another run of a warm program.
    pub(crate) fn begin_again(&self) {
        // First, because `status` reads this flag, and must not see the end of the run
        // before.
        self.has_ended.store(false, Ordering::Release);
        self.ended.store(0, Ordering::Relaxed);
        self.setup_cpu.store(0, Ordering::Relaxed);
        self.set_started();
    }

    /// The number of the process of a warm program's last run, in its own namespace.
    pub(crate) fn run_pid(&self) -> i32 {
        self.run_pid.load(Ordering::Acquire)
    }

    pub(crate) fn set_run_pid(&self, pid: i32) {
        self.run_pid.store(pid, Ordering::Release);
    }

    /// True once a program that was or would become warm has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub(crate) fn set_over(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// The time when the program ended, on the monotonic clock.
    pub(crate) fn ended(&self) -> Option<Duration> {
        let ended = self.ended.load(Ordering::Relaxed);
        (ended != 0).then(|| Duration::from_nanos(ended))
    }

    pub(crate) fn wall_time(&self) -> Option<Duration> {
        self.status()?;
        let ended = self.ended.load(Ordering::Relaxed);
        Some(Duration::from_nanos(
            ended.saturating_sub(self.started.load(Ordering::Relaxed)),
        ))
    }

    /// The time since the program was started; `None` before the start.
    pub(crate) fn running_for(&self) -> Option<Duration> {
        let started = self.started.load(Ordering::Relaxed);
        (started != 0)
            .then(|| Duration::from_nanos(now(ClockId::Monotonic).saturating_sub(started)))
    }

    pub(crate) fn setup_cpu(&self) -> Duration {
        Duration::from_nanos(self.setup_cpu.load(Ordering::Relaxed))
    }

    /// CPU time of all descendants that were waited for, and the largest resident set among them.
    pub(crate) fn reaped(&self) -> (Duration, u64) {
        let cpu = Duration::from_nanos(self.tree_cpu.load(Ordering::Relaxed));
        (cpu, self.largest_memory.load(Ordering::Relaxed))
    }

    /// The program's process, once it is the program.
    pub(crate) fn program(&self) -> Option<&OwnedFd> {
        self.program.get()
    }

    /// The number of the run's init.
    pub(crate) fn init_pid(&self) -> i32 {
        self.init_pid.load(Ordering::Acquire)
    }

    /// The number of the program's process; 0 before it has its own process group. Without a pid
    /// namespace, the number is set before the program runs. A program that forks immediately could
    /// fill the host before init runs again, and a group with an unknown number could not be
    /// killed.
    pub(crate) fn program_pid(&self) -> i32 {
        self.program_pid.load(Ordering::Acquire)
    }

    /// True once no process of the run can be alive, even if its init was killed.
    pub(crate) fn is_swept(&self) -> bool {
        self.swept.load(Ordering::Acquire)
    }

    pub(crate) fn set_swept(&self) {
        self.swept.store(true, Ordering::Release);
    }

    /// True once init has reaped everything of the run.
    pub(crate) fn is_reaped(&self) -> bool {
        self.reaped.load(Ordering::Acquire)
    }

    pub(crate) fn set_ended(&self) {
        self.ended.store(now(ClockId::Monotonic), Ordering::Relaxed);
    }

    pub(crate) fn set_status(&self, status: i32) {
        // The flag is stored after the status, with release: a reader that sees the flag with
        // acquire sees the status, too.
        self.status.store(status, Ordering::Relaxed);
        self.has_ended.store(true, Ordering::Release);
    }

    /// Records the usage of all reaped descendants of the calling process.
    pub(crate) fn set_reaped(&self) {
        let (cpu, memory) = kernel::reaped_usage();
        self.tree_cpu
            .store(cpu.as_nanos() as u64, Ordering::Relaxed);
        self.largest_memory.store(memory, Ordering::Relaxed);
        self.reaped.store(true, Ordering::Release);
    }

    /// The directory of the work files, if it is to be kept.
    pub(crate) fn work(&self) -> Option<&OwnedFd> {
        self.work.get()
    }

    /// The device number of the run's own file system, if it has one.
    pub(crate) fn work_device(&self) -> Option<u64> {
        self.work_device.get().copied()
    }

    pub(crate) fn set_work_device(&self, device: u64) {
        let _ = self.work_device.set(device);
    }

    pub(crate) fn set_init_pid(&self, pid: i32) {
        self.init_pid.store(pid, Ordering::Release);
    }

    pub(crate) fn set_started(&self) {
        self.started
            .store(now(ClockId::Monotonic), Ordering::Relaxed);
    }

    pub(crate) fn set_program_pid(&self, pid: i32) {
        self.program_pid.store(pid, Ordering::Release);
    }

    pub(crate) fn set_program(&self, pid: i32, pidfd: OwnedFd) {
        self.set_program_pid(pid);
        let _ = self.program.set(pidfd);
    }

    /// Records the CPU time that the calling process used before it becomes the program.
    pub(crate) fn set_setup_cpu(&self) {
        self.setup_cpu
            .store(now(ClockId::ProcessCPUTime), Ordering::Relaxed);
    }

    pub(crate) fn set_work(&self, work: OwnedFd) {
        let _ = self.work.set(work);
    }
}
