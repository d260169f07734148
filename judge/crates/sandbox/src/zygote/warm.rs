//! The zygote's side of a warm program.
//!
//! Responsible for requesting each run, and for ensuring that it leaves nothing for the next. Must
//! not know how the program was started.
//!
//! The process that waits at `main` is the program's own, so it is untrusted. A run is requested by
//! a message with the run's streams. The process answers with the number of the child that it has
//! started for it; that child is init's, which learns from the kernel how it ended. The usage of a
//! run is what the group has used since the request. The program is kept only if the run has left
//! nothing. Otherwise all of it is killed, and then the run is reported.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use rustix::fs::AtFlags;
use rustix::net::{RecvFlags, recv};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::group::{Baseline, Group};
use super::report::{not_started, report};
use super::streams::{self, Streams, streams};
use super::watch::run::{HarnessGone, Watch, WatchResult};
use crate::WarmRefused;
use crate::kernel::SupervisedChild;
use crate::proc::tree::{self, Members};
use crate::protocol::channel::Channel;
use crate::protocol::messages::{Ending, Report, WarmRun, kind};
use crate::protocol::step::Step;
use crate::protocol::wire::{Reader, Writer};

/// The files that a working directory has when no run has written to it: itself and its two
/// directories.
const OWN_FILES: u64 = 3;

/// A program that is warm or is about to become warm.
pub(super) struct Warm<'a> {
    /// The zygote's end of its socket.
    pub(super) control: &'a Channel,
    pub(super) group: &'a Group,
    /// The state of the group before the program was started.
    pub(super) start: Baseline,
    /// Each depot, on its read-only mount.
    pub(super) depots: &'a [OwnedFd],
    pub(super) watch: Watch<'a>,
    pub(super) processors: u32,
}

/// The state of a waiting program between two runs.
struct Waiting {
    /// The memory of the process that waits at `main`.
    memory: u64,
    /// Its number in the zygote's `/proc`, if there is one.
    pid: Option<i32>,
    /// A handle of it, by which it is continued after a SIGSTOP.
    process: Option<OwnedFd>,
    /// The times at which its directories were last changed.
    changed: Option<Changed>,
    /// The number of the last run's process, in the namespace of the runs; 0 before the first run.
    last_run: i32,
    /// True if a run has started processes or threads.
    has_taken_numbers: bool,
}

/// The times of the last changes (`ctime`) of `/box/work` and `/box/tmp`, which no program can set.
/// Names and attributes cannot change without changing one of them.
type Changed = [(i64, u64); 2];

/// The last run of a program, to be reported when all of it is dead.
pub(super) struct Last {
    number: u64,
    watch_result: WatchResult,
    baseline: Baseline,
    begun: Instant,
    cold: WarmRefused,
    /// True if a run was requested, and not only the warming of the program.
    is_run: bool,
}

impl Warm<'_> {
    /// Executes runs until the program is no longer warm, or the harness sends a different order.
    /// The program must be killed then.
    pub(super) fn serve(
        &self,
        init: &SupervisedChild,
        watch_result: WatchResult,
        writer: &mut Writer,
    ) -> Result<Option<Last>, HarnessGone> {
        let begun = Instant::now();
        let last = |cold| Last {
            number: self.watch.bounds.number,
            watch_result,
            baseline: self.start,
            begun,
            cold,
            is_run: false,
        };
        if let Some(cold) = self.not_ready(watch_result) {
            return Ok(Some(last(cold)));
        }
        // Identified by its number from now on: it sleeps in a read between runs, which does not
        // count as waiting of the run.
        let pid = self.watch.proc.and_then(|proc| {
            tree::living(proc, init.pid, Members::Namespace(None))
                .into_iter()
                .map(|(pid, _)| pid)
                .find(|pid| *pid != init.pid)
        });
        let mut waiting = Waiting {
            // The only process besides init, as the group has only one.
            memory: self.group.memory_used(&self.start),
            pid,
            process: pid
                .and_then(Pid::from_raw)
                .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()),
            changed: self.changed(),
            last_run: 0,
            has_taken_numbers: false,
        };
        self.send(
            writer,
            &Report {
                ending: Ending::Warmed,
                ..not_started(self.watch.bounds.number, Step::Program, 0)
            },
        )?;
        let (mut buffer, mut descriptors, mut message) = (Vec::new(), Vec::new(), Vec::new());
        while self.next_is_run()? {
            let Ok(Some(length)) = self.watch.channel.receive(&mut buffer, &mut descriptors) else {
                return Err(HarnessGone);
            };
            let order = Reader::new(&buffer[..length])
                .and_then(|(_, mut reader)| WarmRun::read(&mut reader));
            let Ok(order) = order else { return Ok(None) };
            let last = self.run(init, &mut waiting, &order, &mut descriptors, &mut message)?;
            match last {
                Ok(report) => self.send(writer, &report)?,
                Err(last) => return Ok(Some(last)),
            }
        }
        Ok(None)
    }

    fn send(&self, writer: &mut Writer, report: &Report) -> Result<(), HarnessGone> {
        report.write(writer);
        self.watch
            .channel
            .send(writer.bytes(), &[])
            .map_err(|_| HarnessGone)
    }

    /// The reason why the program cannot be run from where it is.
    fn not_ready(&self, watch_result: WatchResult) -> Option<WarmRefused> {
        let mut message = [0; 8];
        // Without waiting: a program that has ended sends nothing.
        let ready = recv(self.control.as_fd(), &mut message, RecvFlags::DONTWAIT)
            .is_ok_and(|(length, _)| length == 4);
        if watch_result.killed.is_some()
            || self.watch.record.is_over()
            || !ready
            || message != [0; 8]
        {
            return Some(WarmRefused::Ended);
        }
        self.left(self.changed()).map(|left| {
            if left == WarmRefused::Strays {
                WarmRefused::Processes
            } else {
                left
            }
        })
    }

    /// The times at which the directories that a run may write to were last changed.
    fn changed(&self) -> Option<Changed> {
        let work = self.watch.record.work()?;
        let of = |path: &CStr| {
            let found = rustix::fs::statat(work, path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            Some((found.st_ctime, found.st_ctime_nsec))
        };
        Some([of(c".")?, of(c"../tmp")?])
    }

    /// The leftovers of a run, if any. Its directories must not have changed since `before`.
    fn left(&self, before: Option<Changed>) -> Option<WarmRefused> {
        if self.group.processes() != 1 {
            return Some(WarmRefused::Strays);
        }
        // A file that was created and removed again has changed its directory, and so has every
        // attribute by which a run could pass data to the next one.
        let changed = self.changed();
        if changed != before || changed.is_none() && self.watch.record.work().is_some() {
            return Some(WarmRefused::FilesWritten);
        }
        let is_fresh = |work: &OwnedFd| {
            rustix::fs::fstatvfs(work).is_ok_and(|found| {
                found.f_files - found.f_ffree == OWN_FILES && found.f_blocks == found.f_bfree
            })
        };
        self.watch
            .record
            .work()
            .is_some_and(|work| !is_fresh(work))
            .then_some(WarmRefused::FilesWritten)
    }

    /// Waits for an order and returns true if it is one for a run. An order about a run that is
    /// over is ignored.
    fn next_is_run(&self) -> Result<bool, HarnessGone> {
        loop {
            let mut head = [0; 8];
            match recv(self.watch.channel.as_fd(), &mut head, RecvFlags::PEEK) {
                Err(rustix::io::Errno::INTR) => continue,
                Ok((8, _)) => {}
                _ => return Err(HarnessGone),
            }
            match Reader::new(&head).map(|(kind, _)| kind) {
                Ok(kind::RUN_WARM) => return Ok(true),
                Ok(kind::KILL | kind::OBSERVE) => drop(recv(
                    self.watch.channel.as_fd(),
                    &mut head,
                    RecvFlags::empty(),
                )),
                _ => return Ok(false),
            }
        }
    }

    /// Executes one run. `Err` if it is the last one.
    fn run(
        &self,
        init: &SupervisedChild,
        waiting: &mut Waiting,
        order: &WarmRun<'_>,
        descriptors: &mut Vec<OwnedFd>,
        message: &mut Vec<u8>,
    ) -> Result<Result<Report, Last>, HarnessGone> {
        let begun = Instant::now();
        let watch_result = WatchResult::default();
        let last_run = |watch_result, baseline, cold| Last {
            number: order.bounds.number,
            watch_result,
            baseline,
            begun,
            cold,
            is_run: true,
        };
        let last = |watch_result, baseline, cold| Ok(Err(last_run(watch_result, baseline, cold)));
        // The waiting process is one of them.
        let prepared = self.group.prepare_again(
            order.bounds.memory_bytes,
            order.bounds.processes.saturating_add(1),
            waiting.memory,
        );
        let Ok(baseline) = prepared else {
            return last(watch_result, self.start, WarmRefused::Ended);
        };
        let record = self.watch.record;
        record.begin_again();
        // An event of an earlier run is obsolete.
        let _ = rustix::io::read(self.watch.all_dead, &mut [0; 8]);
        // The run before may have stopped the process that waits (SIGSTOP).
        if let Some(process) = &waiting.process {
            let _ = pidfd_send_signal(process, Signal::CONT);
        }
        if record.is_over() || !self.ask(order, descriptors, message) {
            return last(watch_result, baseline, WarmRefused::Ended);
        }
        let watch = Watch {
            bounds: order.bounds,
            processors: self.processors.min(order.bounds.processes),
            group: Some((self.group, baseline)),
            ready: None,
            waits: waiting.pid,
            ..self.watch
        };
        let watch_result = watch.watch(init)?;
        self.watch
            .locks
            .into_iter()
            .for_each(super::locks::Locks::forget);
        // The most certain check comes first: a killed run is over regardless of what it left, and
        // leftovers count only if the program still waits.
        if watch_result.killed.is_some() {
            return last(watch_result, baseline, WarmRefused::Killed);
        }
        if record.is_over() {
            return last(watch_result, baseline, WarmRefused::Ended);
        }
        if let Some(left) = self.left(waiting.changed) {
            return last(watch_result, baseline, left);
        }
        let before = std::mem::replace(&mut waiting.last_run, record.run_pid());
        // Every process or thread takes a number, so a run could pass data to the next program by
        // the number of its process.
        waiting.has_taken_numbers |= before != 0 && waiting.last_run != before + 1;
        if order.is_other_program && waiting.has_taken_numbers {
            return Ok(Err(Last {
                is_run: false,
                ..last_run(watch_result, baseline, WarmRefused::Strays)
            }));
        }
        let elapsed = begun.elapsed();
        let group = Some((self.group, baseline));
        Ok(Ok(report(
            order.bounds.number,
            record,
            &watch_result,
            group,
            elapsed,
        )))
    }

    /// Requests a run: sends its streams, and its arguments one after the other.
    fn ask(
        &self,
        order: &WarmRun<'_>,
        descriptors: &mut Vec<OwnedFd>,
        message: &mut Vec<u8>,
    ) -> bool {
        let Ok(Streams {
            stdin,
            stdout,
            stderr,
            ..
        }) = streams(order.stdin, self.depots, descriptors)
        else {
            return false;
        };
        let Some(stdin) = stdin.or_else(|| streams::null().ok()) else {
            return false;
        };
        message.clear();
        order
            .args
            .iter()
            .for_each(|arg| message.extend_from_slice(arg.to_bytes_with_nul()));
        let streams: [BorrowedFd<'_>; 3] = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        self.control.send_if_room(message, &streams).is_ok()
    }

    /// The report of the last run. All of it is dead.
    pub(super) fn report(&self, last: &Last) -> Report {
        let group = Some((self.group, last.baseline));
        let elapsed = last.begun.elapsed();
        let mut found = report(
            last.number,
            self.watch.record,
            &last.watch_result,
            group,
            elapsed,
        );
        // The result of a run that was not killed and did not end is unknown, except that it may
        // have had too little memory.
        if !last.is_run || matches!(found.ending, Ending::NotStarted(..)) {
            found.ending = Ending::Cold;
        }
        found.cold = Some(last.cold);
        found
    }
}
