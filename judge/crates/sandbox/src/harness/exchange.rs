//! The exchange between the harness and a zygote during one run, and its result.
//!
//! Responsible for handing over streams, passing orders on while the program runs, and deciding
//! which side ended the run first. Must not know how a zygote executes a run, nor what an outcome
//! means.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use judge_model::{Limit, Outcome, Termination, Usage};

use crate::harness::zygote_process::{Helper, silent, timeout};
use crate::levels::scratch::Scratch;
use crate::proc::state::ProcessState;
use crate::protocol::messages::{Ending, Report, kind};
use crate::protocol::step::Step;
use crate::shortage::{self, CountersBefore};
use crate::streams::duplex::Observation;
use crate::streams::pipe::{Direction, pipe};
use crate::streams::pump::{Event, Pump, Stream};
use crate::streams::stdin::Source;
use crate::{Capture, Duplex, Execution, Finished, Layout, RunLimits, SandboxError};

/// The maximum silence of a zygote: the time after the end of its wall time within which a run must
/// be reported.
const MAX_SILENCE: Duration = timeout(15);

/// One run's exchange with the zygote.
pub(crate) struct RunExchange {
    pub(crate) helper: Helper,
    pub(crate) number: u64,
}

/// The result of a run as both sides saw it.
pub(crate) struct ExchangeResult {
    pub(crate) report: Report,
    pub(crate) work: Option<OwnedFd>,
    totals: [u64; 2],
    exceeded: bool,
    cancelled: bool,
}

impl RunExchange {
    /// Sends the order with the program's ends of the streams, and keeps the harness's ends only.
    fn send<'c>(
        &self,
        source: Source,
        limits: &RunLimits,
        capture: &'c mut Capture,
    ) -> Result<[Stream<'c>; 2], SandboxError> {
        let (stderr, stderr_end) = pipe(Direction::FromProgram)?;
        let stderr = Stream::new(stderr, &mut capture.stderr, limits.stderr_bytes);
        // Both ends are dropped here: if this process held them, it would not notice when the
        // program closes them.
        if let Source::Duplex([stdin, stdout]) = source {
            self.helper
                .send_with(&[stdin.as_fd(), stdout.as_fd(), stderr_end.as_fd()])?;
            return Ok([Stream::elsewhere(&mut capture.stdout), stderr]);
        }
        let (stdout, stdout_end) = pipe(Direction::FromProgram)?;
        let mut descriptors: Vec<BorrowedFd<'_>> = Vec::with_capacity(3);
        if let Source::Descriptor(stdin) = &source {
            descriptors.push(stdin.as_fd());
        }
        descriptors.extend([stdout_end.as_fd(), stderr_end.as_fd()]);
        self.helper.send_with(&descriptors)?;
        Ok([
            Stream::new(stdout, &mut capture.stdout, limits.stdout_bytes),
            stderr,
        ])
    }

    pub(crate) fn run(
        &mut self,
        source: Source,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<ExchangeResult, SandboxError> {
        let limits = &execution.limits;
        let line = execution.stdin.line();
        let mut pump = Pump {
            streams: self.send(source, limits, capture)?,
            line,
        };
        let (mut step, mut timeout) = ("to execute a run", silence_timeout(limits));
        let (mut deadline, mut cancelled) = (Instant::now().checked_add(timeout), false);
        let (report, work) = loop {
            // Once it is set it stays readable, and polling it again would spin.
            let cancel = Some(&execution.cancel).filter(|_| !cancelled);
            let event = pump.next(self.helper.channel()?, cancel, deadline);
            match event.map_err(SandboxError::host("wait for the run"))? {
                Event::Answer => match self.receive(line)? {
                    Some(report) => break report,
                    None => deadline = Instant::now().checked_add(timeout),
                },
                Event::Requested => self.send_order(kind::OBSERVE),
                Event::Silence => return Err(silent(step, timeout)),
                event => {
                    cancelled |= event == Event::Cancelled;
                    self.send_order(kind::KILL);
                    (step, timeout) = ("to end a run", MAX_SILENCE);
                    deadline = Instant::now().checked_add(timeout);
                }
            }
        };
        // The zygote reports only after everything is dead, so all output is in the pipes by now.
        pump.finish();
        let totals = pump.streams.each_ref().map(|stream| stream.total);
        Ok(ExchangeResult {
            report,
            work,
            totals,
            exceeded: pump.is_exceeded(),
            cancelled,
        })
    }

    fn send_order(&mut self, kind: u32) {
        let number = self.number;
        self.helper.writer().start(kind).u64(number);
        // If it cannot be sent, the zygote has ended, which the next receive reports.
        let _ = self.helper.send_with(&[]);
    }

    /// Receives a message of the zygote: its report, or the state of the program, or a sign that it
    /// is still removing files of the run before. Only a report is returned.
    fn receive(
        &mut self,
        line: Option<&Duplex>,
    ) -> Result<Option<(Report, Option<OwnedFd>)>, SandboxError> {
        let number = self.number;
        let (found, mut reader, descriptors) = self.helper.receive()?;
        if found == kind::BUSY {
            return Ok(None);
        }
        if found == kind::STATE {
            if let (Ok(state), Ok(cpu_ns), Ok(waited_ns), Some(line)) =
                (reader.u32(), reader.u64(), reader.u64(), line)
            {
                line.answer(&Observation {
                    state: ProcessState::from_message(state),
                    cpu_ns,
                    waited_ns,
                });
            }
            return Ok(None);
        }
        match (found, Report::read(&mut reader)) {
            (kind::FINISHED, Ok(report)) if report.number == number => {
                Ok(Some((report, descriptors.pop())))
            }
            _ => Err(SandboxError::helper("an unexpected answer")),
        }
    }
}

/// The maximum silence of a helper during a run: the maximum elapsed time of the run, and some time
/// for the helper itself.
fn silence_timeout(limits: &RunLimits) -> Duration {
    RunLimits::max_elapsed(limits.wall_time).saturating_add(MAX_SILENCE)
}

impl ExchangeResult {
    /// Returns the run for its caller.
    pub(crate) fn finished(
        self,
        execution: &Execution,
        layout: &Layout,
    ) -> Result<Finished, SandboxError> {
        Ok(Finished {
            outcome: self.outcome(execution, layout)?,
            work: self.work,
            ended: self.report.ended,
        })
    }

    /// Checks that neither memory nor a disk of the host was too small for the run.
    pub(crate) fn check_shortage(
        &self,
        execution: &Execution,
        before: Option<&CountersBefore>,
        scratch: Option<&Scratch>,
    ) -> Result<(), SandboxError> {
        let report = &self.report;
        let has_ended = matches!(
            report.ending,
            Ending::Exited(_) | Ending::Signaled(_) | Ending::NotStarted(..)
        );
        if report.is_host_out_of_memory {
            return Err(SandboxError::OutOfMemory {
                used_bytes: report.memory_bytes,
                limit_bytes: execution.limits.memory_bytes,
            });
        }
        if let Some(before) = before.filter(|_| has_ended) {
            let is_killed = report.ending == Ending::Signaled(libc::SIGKILL);
            before.check(execution, is_killed, report.memory_bytes)?;
        }
        match scratch {
            Some(scratch) if has_ended => shortage::check_space_after(execution, scratch.path()),
            _ => Ok(()),
        }
    }

    /// Reports a program whose own file cannot be executed as a shell does: with a message and an
    /// exit code.
    pub(crate) fn report_unexecutable_as_exit(
        &mut self,
        execution: &Execution,
        layout: &Layout,
        capture: &mut Capture,
    ) {
        let Ending::NotStarted(step, errno) = self.report.ending else {
            return;
        };
        let error = io::Error::from_raw_os_error(errno);
        if Step::from_number(step) == Some(Step::Program)
            && let Some(code) = execution.code_of_unexecutable(layout, &error)
        {
            capture.report_unexecutable(&execution.program, &error);
            self.report.ending = Ending::Exited(code);
        }
    }

    /// The outcome of the run, which depends on what ended it first. The zygote knows that. The
    /// harness only adds the reason for its own orders, and streams that exceeded their limits
    /// before the program ended normally.
    pub(crate) fn outcome(
        &self,
        execution: &Execution,
        layout: &Layout,
    ) -> Result<Outcome, SandboxError> {
        let killed = |limit| Termination::Killed { limit };
        let own = match (self.exceeded, self.cancelled) {
            (true, _) => Some(killed(Limit::Output)),
            (_, true) => Some(Termination::Cancelled),
            _ => None,
        };
        // An end that the zygote caused comes first: it knows what ended the program. A limit of
        // the harness that was exceeded at the same moment is the reason only if the program seems
        // to have ended on its own.
        let termination = match self.report.ending {
            Ending::CpuTime => killed(Limit::CpuTime),
            Ending::WallTime => killed(Limit::WallTime),
            Ending::Memory => killed(Limit::Memory),
            Ending::Exited(code) => own.unwrap_or(Termination::Exited { code }),
            Ending::Signaled(signal) => own.unwrap_or(Termination::Signaled { signal }),
            Ending::Ordered => own.unwrap_or(Termination::Cancelled),
            // If the memory limit was too low even to start it, the limit is the reason.
            Ending::NotStarted(..) if self.report.memory_kills > 0 => killed(Limit::Memory),
            Ending::NotStarted(step, errno) => {
                return Err(not_started(step, errno, execution, layout));
            }
            Ending::Warmed | Ending::Cold => {
                return Err(SandboxError::helper("an answer about a warm program"));
            }
        };
        let usage = Usage {
            cpu_time: self.report.cpu_time,
            wall_time: self.report.wall_time,
            memory_bytes: self.report.memory_bytes,
            stdout_bytes: self.totals[0],
            stderr_bytes: self.totals[1],
            memory_kills: self.report.memory_kills,
        };
        Ok(Outcome { termination, usage })
    }
}

fn not_started(step: u32, errno: i32, execution: &Execution, layout: &Layout) -> SandboxError {
    let source = io::Error::from_raw_os_error(errno);
    match Step::from_number(step) {
        Some(Step::Program) => execution.program_error(layout, source),
        Some(step) => SandboxError::Host {
            action: format!("{} inside the sandbox", step.describe()),
            source,
        },
        None => SandboxError::helper(format!("it failed at the unknown step {step}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_timeout_covers_waiting_for_a_processor() {
        let mut limits = RunLimits {
            cpu_time: Duration::from_secs(1),
            wall_time: Duration::ZERO,
            memory_bytes: 1,
            stdout_bytes: 1,
            stderr_bytes: 1,
            processes: 1,
        };
        for seconds in [0, 1, 60, u64::MAX] {
            limits.wall_time = Duration::from_secs(seconds);
            assert!(
                silence_timeout(&limits) >= RunLimits::max_elapsed(limits.wall_time),
                "{seconds}"
            );
        }
        limits.wall_time = Duration::from_secs(4);
        assert!(silence_timeout(&limits) > RunLimits::max_elapsed(limits.wall_time));
    }
}
