//! Watching a run until it is dead.
//!
//! Responsible for enforcing time limits (and memory where no control group does), and for killing.
//! Must not know how a run is prepared or reported.
//!
//! There are no ticks. A run uses up its CPU time fastest by computing on every processor that it
//! may use, so the next check is due when that could have happened at the earliest.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, pidfd_send_signal};

use crate::clock::{nanos, timespec};
use crate::execution::{TimeLeft, WaitsFor};
use crate::kernel::{self, SupervisedChild};
use crate::proc::state::{self, ProcessState};
use crate::proc::tree::{self, CpuHistory, ExactMemory, Members, Sample};
use crate::proc::waiting::{kept_waiting, waits_for};
use crate::protocol::channel::Channel;
use crate::protocol::messages::{Ending, RunBounds, kind};
use crate::protocol::wire::{Reader, Writer};
use crate::zygote::group::{Baseline, Group};
use crate::zygote::locks::{self, LockableFiles, Locks};
use crate::zygote::watch::record::Record;

/// The minimum pause between two checks: it bounds both the overshoot and the cost of checking.
const MIN_PAUSE: Duration = Duration::from_millis(1);
/// The assumed speed at which a processor fills memory, in bytes per second, where only the zygote
/// limits memory.
const FILL_SPEED: u64 = 4_000_000_000;
/// The minimum and maximum pause between two checks of memory.
const MEMORY_PAUSE: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(40));
/// The excess over the memory limit at which one process is killed without an exact count: the
/// limit divided by the first number, but at least the second number of bytes for each processor.
/// The kernel adds a processor's pages to those of a process in batches
/// (`percpu_counter_add_batch`).
const UNCERTAIN: (u64, u64) = (16, 1 << 20);
/// The inverse of a short time, 0.1 s. If a program could fill the uncertain range within that
/// time, it is checked again soon instead of being counted exactly.
const UNCERTAIN_FILLS_PER_SECOND: u64 = 10;
/// The memory limit divided by this number is the amount that a program may fill between two checks
/// at its current rate.
const FILL_DIVISOR: u64 = 64;
/// The pause after an exact count of memory, as a multiple of the time that the count took.
const EXACT_SHARE: u32 = 10;
/// The grace time in which a killed program's init has to reap it before it is killed too.
const GRACE: Duration = Duration::from_millis(20);
/// The grace time where init's death would not end all other processes.
const LONG_GRACE: Duration = Duration::from_secs(2);

/// The watch over a run: its limits, and everything that is needed to observe and kill it.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub(crate) bounds: RunBounds,
    /// The number of processors that the run can use at the same time.
    pub(crate) processors: u32,
    pub(crate) group: Option<(&'a Group, Baseline)>,
    /// `/proc` of the zygote, for measuring without a group.
    pub(crate) proc: Option<BorrowedFd<'a>>,
    pub(crate) members: Members,
    /// The user of this slot's programs, if it is not the zygote's: root of a container may inspect
    /// them only as that user.
    pub(crate) owner: Option<u32>,
    /// The maximum number of processes; a run with more is killed.
    pub(crate) max_processes: u64,
    pub(crate) channel: &'a Channel,
    /// Readable when all processes of the run except its init are dead and counted.
    pub(crate) all_dead: BorrowedFd<'a>,
    pub(crate) record: &'a Record,
    /// The locks of the slot, which decide about the locks of the run.
    pub(crate) locks: Option<&'a Locks>,
    /// The files that the run may lock.
    pub(crate) lockable: LockableFiles<'a>,
    /// Readable when a program that is to be warm waits at `main`.
    pub(crate) ready: Option<BorrowedFd<'a>>,
    /// The process that waits at `main` during a run; its waiting is not caused by the host.
    pub(crate) waits: Option<i32>,
}

/// The result of watching a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WatchResult {
    /// The reason why the run was killed, if it was.
    pub(crate) killed: Option<Ending>,
    /// The maximum CPU time and memory that were measured; zero if not checked.
    pub(crate) cpu: Duration,
    pub(crate) memory: u64,
}

/// The harness has ended.
pub(crate) struct HarnessGone;

impl Watch<'_> {
    /// Returns when all of the run is dead, except perhaps for its exiting init; or when a program
    /// that is to be warm waits at `main` or has ended a run.
    pub(crate) fn watch(&self, run: &SupervisedChild) -> Result<WatchResult, HarnessGone> {
        let begun = Instant::now();
        // The maximum values of all checks are kept: later checks do not see the CPU time and
        // memory of a process that ended without being waited for.
        let mut result = WatchResult::default();
        // Nothing can be used up yet.
        let mut pause = self.next_check(self.bounds.wall_time, Some(Duration::ZERO), 0, 0);
        let mut last_check = (begun, 0);
        let mut next_exact = begun;
        let mut history = CpuHistory::default();
        loop {
            match self.pause(run, pause)? {
                WatchEvent::Dead => return Ok(result),
                WatchEvent::Ordered => {
                    result.killed = Some(Ending::Ordered);
                    return self.kill(run).map(|()| result);
                }
                WatchEvent::Due => {}
            }
            // Measured from init's own time of the start; before that, setting up the run counts.
            let elapsed = self.record.running_for().unwrap_or_else(|| begun.elapsed());
            let (cpu, sample) = self.used(run, &mut history);
            let filling = speed(last_check, (Instant::now(), sample.upper_bound));
            last_check = (Instant::now(), sample.upper_bound);
            let memory = self.memory(run, sample, filling, result.memory, &mut next_exact);
            // It only matters here, and costs reading a file of every thread.
            let waited = if elapsed >= self.bounds.wall_time {
                self.kept_waiting(run)
            } else {
                Duration::ZERO
            };
            // Time that the run spent waiting for a processor is not its own, so the limit is
            // extended by it, up to a bound.
            let left = TimeLeft::new(self.bounds.wall_time, elapsed, waited, || {
                self.waits_for(run)
            });
            result.cpu = result.cpu.max(cpu.unwrap_or_default());
            result.memory = result.memory.max(memory.unwrap_or_default());
            result.killed = if cpu.is_some_and(|cpu| cpu >= self.bounds.cpu_time) {
                Some(Ending::CpuTime)
            } else if memory.is_some_and(|memory| memory > self.bounds.memory_bytes) {
                Some(Ending::Memory)
            } else if left == TimeLeft::None {
                Some(Ending::WallTime)
            } else if sample.processes > self.max_processes {
                // This happens only where the kernel does not enforce the limit, as for root
                // without a user for each slot.
                Some(Ending::Signaled(libc::SIGKILL))
            } else {
                None
            };
            if result.killed.is_some() {
                return self.kill(run).map(|()| result);
            }
            pause = self.next_check(
                left.pause(),
                cpu,
                sample.upper_bound.min(self.bounds.memory_bytes),
                filling,
            );
        }
    }

    /// The CPU time of the run so far, if it can be measured, and a sample of its processes if no
    /// group limits them.
    fn used(&self, run: &SupervisedChild, history: &mut CpuHistory) -> (Option<Duration>, Sample) {
        if let Some((group, baseline)) = &self.group {
            let cpu = group.cpu_since(baseline);
            return (
                Some(cpu.saturating_sub(self.record.setup_cpu())),
                Sample::default(),
            );
        }
        // Without `/proc`, CPU time cannot be measured here, and the kernel's own limit holds
        // (RLIMIT_CPU).
        let Some(proc) = self.proc else {
            return (None, Sample::default());
        };
        let sample = tree::sample(proc, run.pid, self.members, history);
        (Some(sample.cpu), sample)
    }

    /// The memory of the run, if it is more than the `peak` so far. The fast sum of private memory
    /// counts pages that forks share more than once, and omits shared mappings, so no process is
    /// killed for it, and it is not reported. The exact count is slow, so it is taken only if it
    /// may matter by the upper bound. It takes a small share of the time (`next`) unless private
    /// memory alone may exceed the limit.
    fn memory(
        &self,
        run: &SupervisedChild,
        sample: Sample,
        filling: u64,
        peak: u64,
        next: &mut Instant,
    ) -> Option<u64> {
        // While its pages are counted (up to 0.1 s on a busy host), a program keeps allocating. If
        // it could fill the uncertain range in that time, it is not counted: the next check, which
        // is due soon, decides.
        let (part, bytes) = UNCERTAIN;
        let uncertain = (self.bounds.memory_bytes / part).max(bytes * u64::from(self.processors));
        if sample.lower_bound > self.bounds.memory_bytes.saturating_add(uncertain) {
            return Some(sample.lower_bound);
        }
        if sample.lower_bound > self.bounds.memory_bytes
            && filling / UNCERTAIN_FILLS_PER_SECOND > uncertain
        {
            return None;
        }
        let is_sum = sample.upper_bound > sample.largest;
        if sample.upper_bound <= peak || !(is_sum || sample.memory > self.bounds.memory_bytes) {
            return Some(sample.memory);
        }
        let begun = Instant::now();
        if sample.memory <= self.bounds.memory_bytes && begun < *next {
            return None;
        }
        let memory = match self.exact_memory(run) {
            ExactMemory::Counted(memory) => memory,
            ExactMemory::Refused(memory) => memory.max(sample.memory),
            // It is no longer known what they shared. The memory of the largest one is a certain
            // lower bound.
            ExactMemory::Ended => sample.largest,
        };
        let now = Instant::now();
        *next = now + (now - begun) * EXACT_SHARE;
        Some(memory)
    }

    fn exact_memory(&self, run: &SupervisedChild) -> ExactMemory {
        let Some(proc) = self.proc else {
            return ExactMemory::Refused(0);
        };
        let exact = || tree::exact_memory(proc, run.pid, self.members);
        match (exact(), self.owner) {
            (ExactMemory::Refused(_), Some(owner)) => kernel::with_files_of(owner, exact),
            (memory, _) => memory,
        }
    }

    fn kept_waiting(&self, run: &SupervisedChild) -> Duration {
        self.proc
            .map(|proc| kept_waiting(proc, run.pid, self.waits, self.members))
            .unwrap_or_default()
    }

    fn waits_for(&self, run: &SupervisedChild) -> WaitsFor {
        self.proc.map_or(WaitsFor::Itself, |proc| {
            waits_for(proc, run.pid, self.waits, self.members)
        })
    }

    /// The pause before the next check. `filling` is in bytes per second since the last one.
    fn next_check(
        &self,
        left: Duration,
        cpu: Option<Duration>,
        memory: u64,
        filling: u64,
    ) -> Duration {
        let mut pause = left;
        if let Some(cpu) = cpu {
            pause = pause.min(self.bounds.cpu_time.saturating_sub(cpu) / self.processors.max(1));
        }
        if self.group.is_none() && self.proc.is_some() {
            // The next check of memory is due when a program could have filled the rest at full
            // speed. A program that allocates near its limit is checked more often.
            let room = self.bounds.memory_bytes.saturating_sub(memory);
            let time = |bytes: u64, speed: u64| {
                Duration::from_micros(bytes.saturating_mul(1_000_000) / speed.max(1))
            };
            let (min, max) = MEMORY_PAUSE;
            let at_full_speed = time(room, FILL_SPEED * u64::from(self.processors)).clamp(min, max);
            pause = pause.min(at_full_speed).min(time(
                room.max(self.bounds.memory_bytes / FILL_DIVISOR),
                filling,
            ));
        }
        pause.max(MIN_PAUSE)
    }

    /// Kills the run. Kills the program first: its init then kills the rest, and can still count
    /// the usage of all processes.
    ///
    /// `cgroup.kill` would not help. It misses a process whose main thread has ended while others
    /// continue, and a group in which it was ever used kills every process that is later born into
    /// it from a group in which it was not used (the kernel compares the counts of the wrong group
    /// in `cgroup_css_set_fork`; both seen on Linux 6.18).
    fn kill(&self, run: &SupervisedChild) -> Result<(), HarnessGone> {
        self.kill_members();
        if let Some(program) = self.record.program() {
            let _ = pidfd_send_signal(program, Signal::KILL);
            let grace = if self.is_in_namespace() {
                GRACE
            } else {
                LONG_GRACE
            };
            let deadline = Instant::now() + grace;
            while let left = deadline.saturating_duration_since(Instant::now())
                && !left.is_zero()
            {
                if matches!(self.pause(run, left)?, WatchEvent::Dead) {
                    return Ok(());
                }
            }
        }
        // Init's death is the death of its pid namespace (pid_namespaces(7)). The grace time is
        // over: the program's final usage is lost, and the last measured usage counts.
        let _ = pidfd_send_signal(&run.pidfd, Signal::KILL);
        // This wait has no bound. A process that is stuck inside the kernel keeps the zygote here,
        // and the harness abandons the zygote after a timeout.
        while !matches!(self.pause(run, Duration::MAX)?, WatchEvent::Dead) {}
        Ok(())
    }

    /// True if the end of init ends all other processes.
    fn is_in_namespace(&self) -> bool {
        matches!(self.members, Members::Namespace(_))
    }

    /// Kills the program's process group, if it contains the whole run. The group's number belongs
    /// to the program until the program has been reaped, which comes last.
    fn kill_members(&self) {
        if !self.is_in_namespace() && !self.record.is_swept() {
            kernel::kill_group(self.record.program_pid());
        }
    }

    /// Kills the run after the end of the harness.
    pub(crate) fn abandon(&self, run: &SupervisedChild) {
        self.kill_members();
        if let Some(program) = self.record.program() {
            let _ = pidfd_send_signal(program, Signal::KILL);
            let timeout = timespec(LONG_GRACE);
            let mut polled = [run.pidfd.as_fd(), self.all_dead]
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
            let _ = poll(&mut polled, Some(&timeout));
        }
        let _ = pidfd_send_signal(&run.pidfd, Signal::KILL);
    }

    fn pause(&self, run: &SupervisedChild, pause: Duration) -> Result<WatchEvent, HarnessGone> {
        let deadline = Instant::now() + pause.min(Duration::from_secs(1 << 30));
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let has_waiting = self.locks.is_some_and(Locks::has_waiting);
            let next = if has_waiting {
                left.min(locks::RETRY_INTERVAL)
            } else {
                left
            };
            let timeout = timespec(next);
            // `PollFd` accepts no negative number, which poll(2) would ignore. Missing descriptors
            // are therefore replaced by one that is polled anyway.
            let listener = self.locks.map_or(self.all_dead, AsFd::as_fd);
            let ready = self.ready.unwrap_or(self.all_dead);
            let mut polled = [
                run.pidfd.as_fd(),
                self.all_dead,
                self.channel.as_fd(),
                listener,
                ready,
            ]
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
            let found = poll(&mut polled, Some(&timeout));
            // Tried after every wake-up: other events may come so often that the pause never ends
            // on its own.
            if let (Some(locks), true) = (self.locks, has_waiting) {
                locks.retry();
            }
            match found {
                Ok(0) if left <= next => return Ok(WatchEvent::Due),
                Ok(0) | Err(_) => continue,
                Ok(_) => {}
            }
            // Checked before orders: a dead run needs no order, and its report must not wait for
            // one.
            if !(polled[0].revents() | polled[1].revents() | polled[4].revents()).is_empty() {
                return Ok(WatchEvent::Dead);
            }
            if !polled[2].revents().is_empty() {
                match self.order()? {
                    Some(kind::KILL) => return Ok(WatchEvent::Ordered),
                    Some(kind::OBSERVE) => self.send_state(run)?,
                    _ => {}
                }
            }
            if let (Some(locks), false) = (self.locks, polled[3].revents().is_empty()) {
                locks.answer_next(&self.lockable, self.proc);
                // Requests for locks must not postpone the check, however many there are.
                if Instant::now() >= deadline {
                    return Ok(WatchEvent::Due);
                }
            }
        }
    }

    /// Reports the state of the run to the harness.
    fn send_state(&self, run: &SupervisedChild) -> Result<(), HarnessGone> {
        let state = self.proc.map_or(ProcessState::Unknown, |proc| {
            let processes = tree::living(proc, run.pid, self.members);
            let programs: Vec<_> = processes
                .into_iter()
                .filter(|(pid, _)| *pid != run.pid)
                .collect();
            match (state::observe(proc, &programs), self.owner) {
                (ProcessState::Unknown, Some(owner)) => {
                    kernel::with_files_of(owner, || state::observe(proc, &programs))
                }
                (state, _) => state,
            }
        });
        let cpu_ns = self
            .used(run, &mut CpuHistory::default())
            .0
            .map_or(0, nanos);
        let waited_ns = nanos(self.kept_waiting(run));
        let mut writer = Writer::default();
        let answer = writer
            .start(kind::STATE)
            .u32(state as u32)
            .u64(cpu_ns)
            .u64(waited_ns)
            .bytes();
        self.channel.send(answer, &[]).map_err(|_| HarnessGone)
    }

    /// The kind of an order about this run.
    fn order(&self) -> Result<Option<u32>, HarnessGone> {
        // Orders about a run are rare and short, so no buffer is kept between calls.
        let (mut buffer, mut descriptors) = (Vec::new(), Vec::new());
        let Ok(Some(length)) = self.channel.receive(&mut buffer, &mut descriptors) else {
            return Err(HarnessGone);
        };
        // An order may be for a run that ended before it arrived.
        let Ok((kind, mut reader)) = Reader::new(&buffer[..length]) else {
            return Ok(None);
        };
        Ok(Some(kind).filter(|_| reader.u64().ok() == Some(self.bounds.number)))
    }
}

/// Bytes per second between two checks.
fn speed(before: (Instant, u64), now: (Instant, u64)) -> u64 {
    let micros = now.0.duration_since(before.0).as_micros().max(1);
    let bytes = u128::from(now.1.saturating_sub(before.1));
    u64::try_from(bytes * 1_000_000 / micros).unwrap_or(u64::MAX)
}

enum WatchEvent {
    /// All of the run is dead.
    Dead,
    /// The harness orders the run to be killed.
    Ordered,
    /// A check is due.
    Due,
}
