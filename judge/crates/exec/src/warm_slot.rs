//! A slot that runs programs warm while a search goes on.
//!
//! Responsible for keeping programs warm, each in a slot of its own, and for starting as usual whatever cannot be. Must not
//! know what is searched for, nor what is judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use judge_sandbox::{
    Capture, Execution, Finished, Input, Layout, NotWarm, Sandbox, SandboxError, Slot, SlotSpec, WarmRefused,
};

/// The programs that are kept warm at a time: each has a slot, with a helper process and a control group.
const MOST: usize = 6;
/// The runs after which a program is started anew, so that a search does not hang on what one start has settled.
const RENEWED_AFTER: u32 = 500;
/// A program that does not run this often for each start is started as usual, after some starts.
const WORTH: u32 = 4;
const STARTS: u32 = 4;

/// A program that was run warm, or could not be.
struct Kept {
    /// What it was warmed with.
    execution: Execution,
    /// `None` once it is not worth it.
    slot: Option<Box<dyn Slot>>,
    starts: u32,
    runs: u32,
}

impl Kept {
    /// True for an execution of the same program at the same place.
    fn is_of(&self, execution: &Execution) -> bool {
        let Execution { program, binds, env, work, cwd, limits, .. } = &self.execution;
        (program, binds, env, work, cwd)
            == (&execution.program, &execution.binds, &execution.env, &execution.work, &execution.cwd)
            && limits.memory_bytes == execution.limits.memory_bytes
    }

    /// Runs it; `None` if it has to be started as usual. A fault of the host is one of those reasons: an ordinary start
    /// meets it too, and says so.
    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Option<Finished> {
        // One that was just warmed is not tried a third time.
        for _ in 0..2 {
            let slot = self.slot.as_mut()?;
            if self.starts > 0 && self.runs < self.starts.saturating_mul(RENEWED_AFTER) {
                match slot.run_warm(execution, capture) {
                    Ok(finished) => {
                        self.runs += 1;
                        return Some(finished);
                    }
                    Err(reason) => {
                        tracing::debug!(target: "sandbox", program = ?execution.program, %reason, runs = self.runs, "cold");
                    }
                }
            }
            self.starts += 1;
            if let Err(reason) = self.warm(execution) {
                tracing::debug!(target: "sandbox", program = ?execution.program, %reason, "not warmed");
                self.slot = None;
            }
        }
        None
    }

    fn warm(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        let worth = self.starts <= STARTS || self.runs >= self.starts * WORTH;
        match self.slot.as_mut().filter(|_| worth) {
            Some(slot) => slot.warm(execution),
            None => Err(NotWarm::Refused(WarmRefused::NotWarm)),
        }
    }
}

/// A slot for ordinary runs, with programs that are warm beside it.
pub(crate) struct WarmSlot {
    ordinary: Box<dyn Slot>,
    sandbox: Arc<dyn Sandbox>,
    spec: SlotSpec,
    /// True while runs may be warm.
    searching: Arc<AtomicBool>,
    kept: Vec<Kept>,
}

impl WarmSlot {
    pub(crate) fn new(
        ordinary: Box<dyn Slot>,
        sandbox: Arc<dyn Sandbox>,
        spec: SlotSpec,
        searching: Arc<AtomicBool>,
    ) -> Self {
        Self { ordinary, sandbox, spec, searching, kept: Vec::new() }
    }

    /// Runs a program warm; `None` if it has to be started as usual.
    fn run_warm(&mut self, execution: &Execution, capture: &mut Capture) -> Option<Finished> {
        let index = match self.kept.iter().position(|kept| kept.is_of(execution)) {
            Some(index) => index,
            None if self.kept.len() >= MOST => return None,
            None => {
                let slot = self.sandbox.slot(&self.spec).ok();
                self.kept.push(Kept { execution: execution.clone(), slot, starts: 0, runs: 0 });
                self.kept.len() - 1
            }
        };
        self.kept[index].run(execution, capture)
    }

    /// True for a run that may be warm.
    fn may_be_warm(&self, execution: &Execution) -> bool {
        let alone = !matches!(execution.stdin, Input::Duplex(_)) && execution.work_files.is_empty();
        self.searching.load(Ordering::Relaxed) && execution.warm.is_some() && alone && !execution.count_instructions
    }
}

impl Slot for WarmSlot {
    fn layout(&self) -> &Layout {
        self.ordinary.layout()
    }

    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, SandboxError> {
        if self.may_be_warm(execution)
            && let Some(finished) = self.run_warm(execution, capture)
        {
            return Ok(finished);
        }
        self.ordinary.run(execution, capture)
    }
}
