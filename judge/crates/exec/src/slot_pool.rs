//! Slot pools: slots that stay open from one session to the next.
//!
//! Responsible for reusing a slot in the next session that requests the same specification, and for
//! a bound on unused slots. Must not know what runs in a slot.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use judge_model::Isolation;
use judge_sandbox::{
    Capture, Execution, Finished, Layout, NotWarm, Sandbox, SandboxError, Slot, SlotSpec,
};

use crate::lock;

/// A sandbox whose slots are used again: dropping one leaves it open for the next request with the
/// same specification.
pub struct SlotPool {
    sandbox: Arc<dyn Sandbox>,
    idle: Arc<IdleSlots>,
}

/// The idle slots, with the last used one at the end.
struct IdleSlots {
    slots: Mutex<VecDeque<(SlotSpec, Box<dyn Slot>)>>,
    max: usize,
}

impl SlotPool {
    /// Creates a pool that keeps at most this many unused slots open.
    #[must_use]
    pub fn new(sandbox: Arc<dyn Sandbox>, max_idle: usize) -> Self {
        Self {
            sandbox,
            idle: Arc::new(IdleSlots {
                slots: Mutex::default(),
                max: max_idle,
            }),
        }
    }
}

impl Sandbox for SlotPool {
    fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    fn slot(&self, spec: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
        let mut idle = lock(&self.idle.slots);
        // The last used one is taken: its data is most likely still in the caches of the processor.
        let found = idle
            .iter()
            .rposition(|(idle_spec, _)| idle_spec == spec)
            .and_then(|index| idle.remove(index));
        // Opening a slot takes much longer than the search, and other sessions need the lock
        // meanwhile.
        drop(idle);
        let slot = match found {
            Some((_, slot)) => slot,
            None => self.sandbox.slot(spec)?,
        };
        let (spec, idle) = (spec.clone(), Arc::clone(&self.idle));
        Ok(Box::new(PooledSlot {
            slot: Some(slot),
            spec,
            idle,
            is_unusable: false,
        }))
    }
}

/// A slot that goes back to its pool when it is dropped.
struct PooledSlot {
    /// `None` only while it is dropped.
    slot: Option<Box<dyn Slot>>,
    spec: SlotSpec,
    idle: Arc<IdleSlots>,
    /// True for a slot that must not be used again: after a fault of the host or the sandbox, or
    /// with a warm program in it.
    is_unusable: bool,
}

impl PooledSlot {
    fn open(&mut self) -> &mut dyn Slot {
        self.slot
            .as_mut()
            .expect("only `drop` takes it out")
            .as_mut()
    }
}

impl Slot for PooledSlot {
    fn layout(&self) -> &Layout {
        self.slot
            .as_ref()
            .expect("only `drop` takes it out")
            .layout()
    }

    fn run(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, SandboxError> {
        let result = self.open().run(execution, capture);
        self.is_unusable |= result.is_err();
        result
    }

    fn warm(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        // Set before the call and never reset: even after a refusal, parts of the program may be
        // left in the slot.
        self.is_unusable = true;
        self.open().warm(execution)
    }

    fn run_warm(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, NotWarm> {
        self.open().run_warm(execution, capture)
    }

    fn expect_other_program(&mut self) {
        self.open().expect_other_program();
    }
}

impl Drop for PooledSlot {
    fn drop(&mut self) {
        let Some(slot) = self.slot.take().filter(|_| !self.is_unusable) else {
            return;
        };
        let mut idle = lock(&self.idle.slots);
        idle.push_back((self.spec.clone(), slot));
        let surplus = if idle.len() > self.idle.max {
            idle.pop_front()
        } else {
            None
        };
        // Closing a slot ends processes, so it is done without the lock.
        drop(idle);
        drop(surplus);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use judge_fixtures::FakeSandbox;
    use judge_sandbox::{CancelToken, RunLimits};

    use super::*;

    /// Counts the slots that were opened.
    struct Counting(FakeSandbox, Mutex<usize>);

    impl Sandbox for Counting {
        fn isolation(&self) -> &Isolation {
            self.0.isolation()
        }

        fn slot(&self, spec: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
            *self.1.lock().unwrap() += 1;
            self.0.slot(spec)
        }
    }

    #[test]
    fn slots_with_equal_specifications_are_reused() {
        let sandbox = Arc::new(Counting(FakeSandbox::default(), Mutex::default()));
        let opened = || *sandbox.1.lock().unwrap();
        let pool = SlotPool::new(Arc::clone(&sandbox) as Arc<dyn Sandbox>, 2);
        assert_eq!(pool.isolation().level, sandbox.isolation().level);
        let spec = |core| SlotSpec {
            core: Some(core),
            ..SlotSpec::default()
        };
        drop(pool.slot(&spec(1)).unwrap());
        let again = pool.slot(&spec(1)).unwrap();
        assert_eq!(opened(), 1);
        let second = pool.slot(&spec(1)).unwrap();
        assert_eq!(opened(), 2, "a slot in use is not shared");
        drop((again, second));
        drop(pool.slot(&spec(2)).unwrap());
        assert_eq!(
            (opened(), lock(&pool.idle.slots).len()),
            (3, 2),
            "the oldest one is closed"
        );
        let mut warm = pool.slot(&spec(2)).unwrap();
        let limits = RunLimits {
            cpu_time: Duration::from_secs(1),
            wall_time: Duration::from_secs(1),
            memory_bytes: 1 << 20,
            stdout_bytes: 1,
            stderr_bytes: 1,
            processes: 1,
        };
        let _ = warm.warm(&Execution::new(
            Vec::new(),
            limits,
            CancelToken::new().unwrap(),
        ));
        drop(warm);
        assert_eq!(
            (opened(), lock(&pool.idle.slots).len()),
            (3, 1),
            "one with a warm program is closed"
        );
    }
}
