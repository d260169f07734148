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

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use rustix::net::{RecvFlags, recv};

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
        // The only process besides init, as the group has only one.
        let own = self.group.memory_used(&self.start);
        // Identified by its number from now on: it sleeps in a read between runs, which does not
        // count as waiting of the run.
        let waits = self.watch.proc.and_then(|proc| {
            tree::living(proc, init.pid, Members::Namespace(None))
                .into_iter()
                .map(|(pid, _)| pid)
                .find(|pid| *pid != init.pid)
        });
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
            let last = self.run(init, own, waits, &order, &mut descriptors, &mut message)?;
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
        self.left().map(|left| {
            if left == WarmRefused::Strays {
                WarmRefused::Processes
            } else {
                left
            }
        })
    }

    /// The leftovers of a run, if any.
    fn left(&self) -> Option<WarmRefused> {
        if self.group.processes() != 1 {
            return Some(WarmRefused::Strays);
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
        own: u64,
        waits: Option<i32>,
        order: &WarmRun<'_>,
        descriptors: &mut Vec<OwnedFd>,
        message: &mut Vec<u8>,
    ) -> Result<Result<Report, Last>, HarnessGone> {
        let begun = Instant::now();
        let watch_result = WatchResult::default();
        let last = |watch_result, baseline, cold| {
            Ok(Err(Last {
                number: order.bounds.number,
                watch_result,
                baseline,
                begun,
                cold,
                is_run: true,
            }))
        };
        // The waiting process is one of them.
        let prepared = self.group.prepare_again(
            order.bounds.memory_bytes,
            order.bounds.processes.saturating_add(1),
            own,
        );
        let Ok(baseline) = prepared else {
            return last(watch_result, self.start, WarmRefused::Ended);
        };
        let record = self.watch.record;
        record.begin_again();
        // An event of an earlier run is obsolete.
        let _ = rustix::io::read(self.watch.all_dead, &mut [0; 8]);
        if record.is_over() || !self.ask(order, descriptors, message) {
            return last(watch_result, baseline, WarmRefused::Ended);
        }
        let watch = Watch {
            bounds: order.bounds,
            processors: self.processors.min(order.bounds.processes),
            group: Some((self.group, baseline)),
            ready: None,
            waits,
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
        if let Some(left) = self.left() {
            return last(watch_result, baseline, left);
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
