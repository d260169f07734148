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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::sync::Mutex;
    use std::time::Duration;

    use judge_model::{Isolation, IsolationLevel, Outcome, Termination, Usage};
    use judge_sandbox::{CancelToken, RunLimits, WarmStart};

    use super::*;

    /// What was asked of the slots, in order: `run`, `warm` or `run warm`.
    type Asked = Arc<Mutex<Vec<&'static str>>>;

    /// Slots in which a program is warm for so many runs after each start.
    struct Fake {
        asked: Asked,
        isolation: Isolation,
        lasts: u32,
    }

    struct FakeSlot {
        asked: Asked,
        lasts: u32,
        left: u32,
    }

    impl Sandbox for Fake {
        fn isolation(&self) -> &Isolation {
            &self.isolation
        }

        fn slot(&self, _: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
            Ok(Box::new(FakeSlot { asked: Arc::clone(&self.asked), lasts: self.lasts, left: 0 }))
        }
    }

    fn finished() -> Finished {
        let outcome = Outcome { termination: Termination::Exited { code: 0 }, usage: Usage::default() };
        Finished { outcome, work: None, ended: Duration::ZERO }
    }

    impl Slot for FakeSlot {
        fn run(&mut self, _: &Execution, _: &mut Capture) -> Result<Finished, SandboxError> {
            self.asked.lock().unwrap().push("run");
            Ok(finished())
        }

        fn warm(&mut self, _: &Execution) -> Result<(), NotWarm> {
            self.asked.lock().unwrap().push("warm");
            self.left = self.lasts;
            if self.lasts == 0 { Err(NotWarm::Refused(WarmRefused::Processes)) } else { Ok(()) }
        }

        fn run_warm(&mut self, _: &Execution, _: &mut Capture) -> Result<Finished, NotWarm> {
            self.left = self.left.checked_sub(1).ok_or(NotWarm::Refused(WarmRefused::NotWarm))?;
            self.asked.lock().unwrap().push("run warm");
            Ok(finished())
        }
    }

    /// What comes of so many runs of a program.
    fn asked(lasts: u32, searching: bool, runs: usize, change: fn(&mut Execution)) -> Vec<&'static str> {
        let asked = Asked::default();
        let isolation = Isolation { level: IsolationLevel::Full, cgroup_version: None, gaps: Vec::new() };
        let sandbox = Arc::new(Fake { asked: Arc::clone(&asked), isolation, lasts });
        let (spec, searching) = (SlotSpec::default(), Arc::new(AtomicBool::new(searching)));
        let mut slot = WarmSlot::new(sandbox.slot(&spec).unwrap(), sandbox, spec, searching);
        let second = Duration::from_secs(1);
        let limits = RunLimits {
            cpu_time: second,
            wall_time: second,
            memory_bytes: 1,
            stdout_bytes: 1,
            stderr_bytes: 1,
            processes: 1,
        };
        let args = vec![OsString::from("/program/main")];
        let new = Execution::new(args, limits, CancelToken::new().unwrap());
        let mut execution = Execution { warm: Some(WarmStart::Shim), ..new };
        change(&mut execution);
        for _ in 0..runs {
            slot.run(&execution, &mut Capture::default()).unwrap();
        }
        let asked = asked.lock().unwrap().clone();
        asked
    }

    fn count(asked: &[&str], what: &str) -> usize {
        asked.iter().filter(|found| **found == what).count()
    }

    #[test]
    fn a_program_is_started_once_and_anew_once_in_a_while() {
        assert_eq!(asked(u32::MAX, true, 3, |_| ()), ["warm", "run warm", "run warm", "run warm"]);
        let many = asked(u32::MAX, true, 1100, |_| ());
        assert_eq!((count(&many, "warm"), count(&many, "run warm"), count(&many, "run")), (3, 1100, 0));
        // One that ends now and then is worth it.
        let some = asked(10, true, 100, |_| ());
        assert_eq!((count(&some, "warm"), count(&some, "run warm"), count(&some, "run")), (10, 100, 0));
    }

    #[test]
    fn whatever_cannot_be_warm_starts_as_usual() {
        assert_eq!(asked(0, true, 3, |_| ()), ["warm", "run", "run", "run"]);
        // After some starts that were hardly of use.
        let seldom = asked(1, true, 20, |_| ());
        assert_eq!((count(&seldom, "warm"), count(&seldom, "run warm"), count(&seldom, "run")), (4, 4, 16));
        assert_eq!(asked(9, false, 2, |_| ()), ["run", "run"], "nothing is searched for");
        let changes: [fn(&mut Execution); 3] = [
            |execution| execution.warm = None,
            |execution| execution.work_files.push("/x".into()),
            |execution| execution.count_instructions = true,
        ];
        for change in changes {
            assert_eq!(asked(9, true, 1, change), ["run"]);
        }
    }
}
