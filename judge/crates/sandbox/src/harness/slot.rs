//! Slots on the harness's side: converting an execution to an order.
//!
//! Responsible for checking executions and opening their input. Must not know how a zygote executes
//! a run, nor the messages during the run.
//!
//! The life of a slot: opening it starts a zygote, which sets up the slot once (namespaces or
//! Landlock, the files in view, a control group) and then executes one run after the other, each
//! with its own working directory and processes. A zygote that ends unexpectedly is replaced, and
//! its unfinished run is repeated, once. A conversation is not repeated, because its messages
//! cannot be withdrawn. Dropping the slot closes the socket, and the zygote then ends together with
//! everything below it. Any end of the harness has the same effect.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use judge_model::{Isolation, Outcome, Termination, Usage};

use crate::clock::now;
use crate::group::Place;
use crate::harness::exchange::{ExchangeResult, RunExchange};
use crate::harness::paths::{bytes_without_nul, check_target, write_list};
use crate::harness::zygote_process::{Helper, Identity};
use crate::levels::scratch::Scratch;
use crate::protocol::channel::MAX_MESSAGE_BYTES;
use crate::protocol::messages::{self, Stdin, kind};
use crate::protocol::wire::Writer;
use crate::shortage::{self, CountersBefore};
use crate::streams::stdin::{Source, source};
use crate::{
    Capture, Execution, Finished, Layout, NotWarm, SandboxError, Slot, SlotSpec, levels::ceilings,
};

/// The number of runs of this process that were repeated because their helper had ended.
static REPLACED: AtomicU32 = AtomicU32::new(0);

/// Returns how many runs of this process were repeated, because the sandbox's helper process had
/// ended during the first. Their outcomes are valid, but something on the host kills processes.
#[must_use]
pub fn replaced_helpers() -> u32 {
    REPLACED.load(Ordering::Relaxed)
}

/// The part of the host that all slots share.
pub(crate) struct Host {
    pub(crate) program: PathBuf,
    pub(crate) identity: Identity,
    pub(crate) place: Option<Place>,
    pub(crate) isolation: Isolation,
}

/// A slot whose runs are executed by a zygote.
pub(crate) struct LinuxSlot {
    pub(super) host: Arc<Host>,
    pub(super) spec: SlotSpec,
    /// The slot's directory where it has no mount namespace.
    scratch: Option<Scratch>,
    /// `None` after a fault: the next run starts a new one.
    pub(super) helper: Option<Helper>,
    runs: u64,
    /// The execution with which the current warm program was started.
    pub(super) warm: Option<Execution>,
    /// True if the next warm run is of another program than the one before.
    pub(super) is_other_program: bool,
}

/// The orders that are executed like a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Run,
    /// All of a run except for the program itself.
    Rehearse,
    /// All of a run up to `main`.
    Warm,
    /// One run of a warm program.
    RunWarm,
}

impl LinuxSlot {
    pub(crate) fn open(host: Arc<Host>, spec: SlotSpec) -> Result<Self, SandboxError> {
        // Before a helper is started: at the limit of processes, starting it would fail with an
        // error that does not name the limit.
        ceilings::check_host()?;
        let scratch = match host.identity {
            Identity::Root | Identity::UserNamespace => None,
            Identity::RootOfContainer => Some(Scratch::new(true)?),
            Identity::Caller => Some(Scratch::new(false)?),
        };
        let mut slot = Self {
            host,
            spec,
            scratch,
            helper: None,
            runs: 0,
            warm: None,
            is_other_program: false,
        };
        // Started now and not with the first run, so that a host that refuses the level does so
        // when the slot is opened.
        slot.helper = Some(slot.start()?);
        Ok(slot)
    }

    fn start(&mut self) -> Result<Helper, SandboxError> {
        let host = &self.host;
        Helper::start(
            &host.program,
            host.identity,
            host.place.as_ref(),
            self.scratch.as_mut(),
            &self.spec,
        )
    }

    /// True if `/proc` exists for a program of the slot. It always does without a mount namespace,
    /// and Landlock does not prevent reading links there.
    pub(super) fn sees_proc(&self, execution: &Execution) -> bool {
        self.scratch.is_some() || execution.proc_mounted
    }

    fn layout_of(scratch: Option<&Scratch>) -> &Layout {
        scratch.map_or(Layout::fixed(), Scratch::layout)
    }

    /// Writes an order.
    fn write(
        &self,
        writer: &mut Writer,
        order: Order,
        source: &Source,
        execution: &Execution,
    ) -> Result<(), SandboxError> {
        ceilings::check(execution)?;
        if let Some(scratch) = &self.scratch {
            shortage::check_space(execution, scratch.path())?;
        }
        if order == Order::RunWarm {
            let is_other = self.is_other_program;
            messages::write_warm_run_head(writer, self.runs, &execution.limits, is_other);
        } else {
            let kind = if order == Order::Warm {
                kind::WARM
            } else {
                kind::RUN
            };
            let rehearsal = order == Order::Rehearse;
            messages::write_run_head(writer, kind, self.runs, execution, rehearsal);
        }
        let stdin = match source {
            Source::Empty => Stdin::Empty,
            Source::Descriptor(_) | Source::Duplex(_) => Stdin::Descriptor,
            Source::Depot(depot, path) => Stdin::Depot(*depot, path),
        };
        messages::write_stdin(writer, stdin);
        if order == Order::RunWarm {
            write_list(writer, &execution.args)?;
        } else {
            self.write_place(writer, execution)?;
        }
        // A longer message would not fit into the socket's buffer, and a message of SOCK_SEQPACKET
        // is never split.
        if writer.bytes().len() > MAX_MESSAGE_BYTES {
            return Err(SandboxError::invalid(format!(
                "expected arguments and environment of at most {} KiB together",
                MAX_MESSAGE_BYTES / 1024
            )));
        }
        Ok(())
    }

    /// Writes the program, its arguments and environment, and the files that it finds.
    fn write_place(&self, writer: &mut Writer, execution: &Execution) -> Result<(), SandboxError> {
        let layout = Self::layout_of(self.scratch.as_ref());
        if !execution.program.is_absolute() {
            let shown = execution.program.display();
            return Err(SandboxError::invalid(format!(
                "expected an absolute path for the program, found `{shown}`"
            )));
        }
        writer.string(bytes_without_nul(
            layout.place(&execution.program).as_os_str(),
        )?);
        let cwd = execution
            .cwd
            .as_deref()
            .map(|cwd| check_target(cwd).map(|()| layout.place(cwd)))
            .transpose()?;
        writer.string(bytes_without_nul(cwd.unwrap_or_default().as_os_str())?);
        write_list(writer, &execution.args)?;
        write_list(writer, &execution.env)?;
        writer.u32(execution.binds.len() as u32);
        for bind in &execution.binds {
            check_target(&bind.target)?;
            let (depot, below) = self.spec.demand_in_depot(&bind.source)?;
            writer
                .u32(depot)
                .string(below.to_bytes())
                .string(bytes_without_nul(bind.target.as_os_str())?);
        }
        writer.u32(execution.work_files.len() as u32);
        for directory in &execution.work_files {
            let (depot, below) = self.spec.demand_in_depot(directory)?;
            writer.u32(depot).string(below.to_bytes());
        }
        Ok(())
    }

    /// Executes a run. If the helper ended meanwhile, because the host ran out of memory or the
    /// helper was killed, a new one repeats the run, once.
    pub(crate) fn execute(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
        order: Order,
    ) -> Result<Finished, SandboxError> {
        self.warm = None;
        let mut once = || {
            let source = source(&self.spec, &execution.stdin, self.sees_proc(execution))?;
            self.exchange(source, execution, capture, order)
        };
        match once() {
            // The messages of a conversation cannot be withdrawn.
            Err(SandboxError::HelperEnded { .. })
                if execution.stdin.line().is_none() && !execution.cancel.is_cancelled() =>
            {
                let again = once()?.finished(execution, Self::layout_of(self.scratch.as_ref()));
                if again.is_ok() {
                    REPLACED.fetch_add(1, Ordering::Relaxed);
                }
                again
            }
            result => result?.finished(execution, Self::layout_of(self.scratch.as_ref())),
        }
    }

    /// Sends an order and returns its result.
    pub(super) fn exchange(
        &mut self,
        source: Source,
        execution: &Execution,
        capture: &mut Capture,
        order: Order,
    ) -> Result<ExchangeResult, SandboxError> {
        let mut helper = match self.helper.take() {
            Some(helper) => helper,
            None => self.start()?,
        };
        self.runs += 1;
        if self.runs > 1 {
            // The first run has the group that the helper was started with.
            helper.renew_group(self.host.place.as_ref())?;
        }
        // An invalid execution is the caller's fault: nothing was sent, so the helper can be kept.
        if let Err(error) = self.write(helper.writer(), order, &source, execution) {
            self.helper = Some(helper);
            return Err(error);
        }
        let before = self.host.place.is_none().then(CountersBefore::read);
        let mut exchange = RunExchange {
            helper,
            number: self.runs,
        };
        let mut finished = exchange
            .run(source, execution, capture)
            .map_err(|error| match &self.scratch {
                Some(scratch) => shortage::explained(error, scratch.path()),
                None => error,
            })?;
        finished.report_unexecutable_as_exit(
            execution,
            Self::layout_of(self.scratch.as_ref()),
            capture,
        );
        // Kept only after a complete exchange: a helper that failed in between may send stale
        // messages.
        self.helper = Some(exchange.helper);
        finished.check_shortage(execution, before.as_ref(), self.scratch.as_ref())?;
        Ok(finished)
    }
}

/// A run that was cancelled before it began.
fn cancelled() -> Finished {
    let outcome = Outcome {
        termination: Termination::Cancelled,
        usage: Usage::default(),
    };
    Finished {
        outcome,
        work: None,
        ended: now(),
    }
}

impl Slot for LinuxSlot {
    fn layout(&self) -> &Layout {
        Self::layout_of(self.scratch.as_ref())
    }

    fn run(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, SandboxError> {
        capture.clear();
        if execution.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        self.execute(execution, capture, Order::Run)
    }

    fn warm(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        self.warm_up(execution)
    }

    fn run_warm(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, NotWarm> {
        capture.clear();
        if execution.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        self.run_again(execution, capture)
    }

    fn expect_other_program(&mut self) {
        self.is_other_program = true;
    }
}
