//! A slot that runs programs warm while its owner allows that.
//!
//! Responsible for keeping programs warm, each in its own slot, and for starting all other programs
//! as usual. Must not know the purpose of the runs, nor how interpreters are shared.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_sandbox::{
    Capture, Execution, Finished, Input, Layout, NotWarm, Sandbox, SandboxError, Slot, SlotSpec,
    WarmRefused,
};

use crate::interpreters::InterpreterUse;
use crate::lock;

/// The maximum number of programs that are kept warm at a time: each has a slot, with a helper
/// process and a control group.
const MAX_WARM: usize = 6;
/// The number of ordinary runs of a program before it is warmed. Warming takes longer than a run,
/// and there may be no further run.
const ORDINARY_FIRST: u32 = 2;
/// The minimum number of runs for each start for which warming pays off. A program with fewer is
/// started as usual after `MAX_TRIAL_STARTS` starts.
const MIN_RUNS_PER_START: u32 = 4;
const MAX_TRIAL_STARTS: u32 = 4;

/// The way in which programs are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The program is started for each run.
    #[default]
    Ordinary,
    /// The run comes from a warm process, where the program and the isolation level support it.
    Warm,
    /// A program in Python runs in an interpreter that other programs have used and will use.
    SharedInterpreter,
    /// Like `Warm`, but never from the process of [`Warm`](Self::Warm) runs, and from a new one
    /// every few runs. Properties that are fixed at the start (addresses, the order of a set in
    /// Python) differ between the two processes, so equal results show that they do not matter.
    OtherWarm,
}

impl Start {
    /// The number of runs after which a program is started again, so that not all runs share the
    /// properties that are fixed at one start.
    fn renewed_after(self) -> u32 {
        match self {
            Self::OtherWarm => 16,
            Self::Ordinary | Self::Warm | Self::SharedInterpreter => 500,
        }
    }
}

/// The current way in which a worker starts programs, shared with its slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts(Arc<Mutex<CurrentStart>>);

#[derive(Debug, Default)]
struct CurrentStart {
    start: Start,
    /// True if a run since it was set was a warm one.
    was_warm: bool,
    /// The CPU time that the start of the last such run would have taken; zero if unknown.
    saved: Duration,
}

impl Starts {
    /// Sets it for all runs from now on.
    pub(crate) fn set(&self, start: Start) {
        *lock(&self.0) = CurrentStart {
            start,
            ..CurrentStart::default()
        };
    }

    pub(crate) fn get(&self) -> Start {
        lock(&self.0).start
    }

    /// True if a run since then was a warm one.
    pub(crate) fn was_warm(&self) -> bool {
        lock(&self.0).was_warm
    }

    /// The CPU time that the start of the last run in a shared interpreter would have taken.
    pub(crate) fn saved(&self) -> Duration {
        lock(&self.0).saved
    }

    fn note_warm_run(&self, saved: Duration) {
        let mut current = lock(&self.0);
        current.was_warm = true;
        current.saved = saved;
    }
}

/// A program that was run warm, or could not be run warm.
struct WarmProgram {
    /// The execution with which it was warmed, and the kind of runs.
    execution: Execution,
    start: Start,
    /// Its slot; `None` while other programs have all slots.
    slot: Option<Box<dyn Slot>>,
    is_abandoned: bool,
    /// The number of requested runs.
    requests: u32,
    starts: u32,
    runs: u32,
    /// The number of runs since the last start; `None` before that, and after another program has
    /// used its slot.
    since_start: Option<u32>,
    /// The number of its last run among those of all programs.
    last: u64,
}

impl WarmProgram {
    /// True for an execution of the same program at the same place.
    fn is_of(&self, execution: &Execution, start: Start) -> bool {
        // Standard input, arguments and the other limits may differ: each warm run is given
        // its own. All that is compared here was fixed when the program was started.
        let own = &self.execution;
        own.program == execution.program
            && own.binds == execution.binds
            && own.env == execution.env
            && own.work == execution.work
            && own.cwd == execution.cwd
            && own.limits.memory_bytes == execution.limits.memory_bytes
            && self.start == start
    }

    /// Runs it; `None` if it has to be started as usual. A fault of the host is one of the reasons:
    /// an ordinary start meets it too, and reports it.
    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Option<Finished> {
        // A program that was just warmed is not warmed a third time.
        for _ in 0..2 {
            let slot = self.slot.as_mut()?;
            // Taken out first: after a failed run there may be no warm process any more, and the
            // number must not outlive it.
            if let Some(runs) = self
                .since_start
                .take()
                .filter(|runs| *runs < self.start.renewed_after())
            {
                match slot.run_warm(execution, capture) {
                    Ok(finished) => {
                        self.since_start = Some(runs + 1);
                        self.runs += 1;
                        return Some(finished);
                    }
                    Err(reason) => {
                        tracing::debug!(target: "sandbox", program = ?execution.program, %reason, runs = self.runs, "cold");
                    }
                }
            }
            // Counted before it is tried: `warm` compares the starts with the runs to decide
            // whether another start is worth it.
            self.starts += 1;
            if let Err(reason) = self.warm(execution) {
                tracing::debug!(target: "sandbox", program = ?execution.program, %reason, "not warmed");
                self.is_abandoned = true;
                return None;
            }
            self.since_start = Some(0);
        }
        None
    }

    fn warm(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        // A program that must be restarted frequently, for example because its memory grows, is
        // slower warm than cold.
        let worth =
            self.starts <= MAX_TRIAL_STARTS || self.runs >= self.starts * MIN_RUNS_PER_START;
        match self.slot.as_mut().filter(|_| worth) {
            Some(slot) => slot.warm(execution),
            None => Err(NotWarm::Refused(WarmRefused::NotWarm)),
        }
    }
}

/// A slot for ordinary runs, with additional slots for warm programs.
pub(crate) struct WarmSlot {
    ordinary: Box<dyn Slot>,
    sandbox: Arc<dyn Sandbox>,
    spec: SlotSpec,
    starts: Starts,
    kept: Vec<WarmProgram>,
    /// The shared interpreters, where programs may run in them.
    interpreters: Option<InterpreterUse>,
    runs: u64,
}

impl WarmSlot {
    pub(crate) fn new(
        ordinary: Box<dyn Slot>,
        sandbox: Arc<dyn Sandbox>,
        spec: SlotSpec,
        starts: Starts,
        interpreters: Option<InterpreterUse>,
    ) -> Self {
        Self {
            ordinary,
            sandbox,
            spec,
            starts,
            kept: Vec::new(),
            interpreters,
            runs: 0,
        }
    }

    /// Runs a program other than by an ordinary start; `None` if it has to be started as usual.
    fn run_otherwise(&mut self, execution: &Execution, capture: &mut Capture) -> Option<Finished> {
        let start = self.starts.get();
        let (finished, saved) = match start {
            _ if !can_be_warm(execution) => None,
            Start::Ordinary => None,
            Start::SharedInterpreter => {
                let interpreters = self.interpreters.as_mut()?;
                interpreters.run(&*self.sandbox, &self.spec, execution, capture)
            }
            Start::Warm | Start::OtherWarm => self
                .run_warm(execution, start, capture)
                .map(|finished| (finished, Duration::ZERO)),
        }?;
        self.starts.note_warm_run(saved);
        Some(finished)
    }

    /// Runs a program warm; `None` if it has to be started as usual.
    fn run_warm(
        &mut self,
        execution: &Execution,
        start: Start,
        capture: &mut Capture,
    ) -> Option<Finished> {
        let known = self
            .kept
            .iter()
            .position(|kept| kept.is_of(execution, start));
        let index = known.unwrap_or_else(|| {
            self.kept.push(WarmProgram {
                execution: execution.clone(),
                start,
                slot: None,
                is_abandoned: false,
                requests: 0,
                starts: 0,
                runs: 0,
                since_start: None,
                last: 0,
            });
            self.kept.len() - 1
        });
        self.kept[index].requests += 1;
        // Warming costs several ordinary runs. A program that is run twice, such as a generator of
        // two test cases, would only become slower.
        if self.kept[index].is_abandoned || self.kept[index].requests <= ORDINARY_FIRST {
            return None;
        }
        // Another program may have taken the slot since the last run.
        if self.kept[index].slot.is_none() {
            self.kept[index].slot = self.free_slot();
        }
        self.runs += 1;
        let kept = &mut self.kept[index];
        kept.last = self.runs;
        let finished = kept.run(execution, capture);
        // Its slot is closed: an unused helper process would only take memory.
        if kept.is_abandoned {
            kept.slot = None;
        }
        finished
    }

    /// Returns a slot for another program: a new one, or that of the least recently run program.
    fn free_slot(&mut self) -> Option<Box<dyn Slot>> {
        let mut owners: Vec<&mut WarmProgram> = self
            .kept
            .iter_mut()
            .filter(|kept| kept.slot.is_some())
            .collect();
        if owners.len() < MAX_WARM {
            return self.sandbox.slot(&self.spec).ok();
        }
        // The least recently used one loses its slot, and is warmed again when it is run next.
        owners.sort_by_key(|kept| kept.last);
        let owner = owners.into_iter().next()?;
        owner.since_start = None;
        owner.slot.take()
    }
}

/// True for an execution that can be warm.
fn can_be_warm(execution: &Execution) -> bool {
    let alone = !matches!(execution.stdin, Input::Duplex(_)) && execution.work_files.is_empty();
    execution.warm.is_some() && alone
}

impl Slot for WarmSlot {
    fn layout(&self) -> &Layout {
        self.ordinary.layout()
    }

    fn run(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
    ) -> Result<Finished, SandboxError> {
        if let Some(finished) = self.run_otherwise(execution, capture) {
            return Ok(finished);
        }
        // An ordinary run, also after a failed warm attempt.
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

    /// The requests to the slots, in order: `run`, `warm` or `run warm`.
    type Requests = Arc<Mutex<Vec<&'static str>>>;

    /// Slots in which a program is warm for this many runs after each start.
    struct Fake {
        requests: Requests,
        isolation: Isolation,
        lasts: u32,
    }

    struct FakeSlot {
        requests: Requests,
        lasts: u32,
        left: u32,
    }

    impl Sandbox for Fake {
        fn isolation(&self) -> &Isolation {
            &self.isolation
        }

        fn slot(&self, _: &SlotSpec) -> Result<Box<dyn Slot>, SandboxError> {
            Ok(Box::new(FakeSlot {
                requests: Arc::clone(&self.requests),
                lasts: self.lasts,
                left: 0,
            }))
        }
    }

    fn finished() -> Finished {
        let outcome = Outcome {
            termination: Termination::Exited { code: 0 },
            usage: Usage::default(),
        };
        Finished {
            outcome,
            work: None,
            ended: Duration::ZERO,
        }
    }

    impl Slot for FakeSlot {
        fn run(&mut self, _: &Execution, _: &mut Capture) -> Result<Finished, SandboxError> {
            self.requests.lock().unwrap().push("run");
            Ok(finished())
        }

        fn warm(&mut self, _: &Execution) -> Result<(), NotWarm> {
            self.requests.lock().unwrap().push("warm");
            self.left = self.lasts;
            if self.lasts == 0 {
                Err(NotWarm::Refused(WarmRefused::Processes))
            } else {
                Ok(())
            }
        }

        fn run_warm(&mut self, _: &Execution, _: &mut Capture) -> Result<Finished, NotWarm> {
            self.left = self
                .left
                .checked_sub(1)
                .ok_or(NotWarm::Refused(WarmRefused::NotWarm))?;
            self.requests.lock().unwrap().push("run warm");
            Ok(finished())
        }
    }

    fn slot(lasts: u32) -> (Requests, WarmSlot, Starts) {
        let requests = Requests::default();
        let isolation = Isolation {
            level: IsolationLevel::Full,
            cgroup_version: None,
            gaps: Vec::new(),
        };
        let sandbox = Arc::new(Fake {
            requests: Arc::clone(&requests),
            isolation,
            lasts,
        });
        let (spec, starts) = (SlotSpec::default(), Starts::default());
        let slot = WarmSlot::new(
            sandbox.slot(&spec).unwrap(),
            sandbox,
            spec,
            starts.clone(),
            None,
        );
        (requests, slot, starts)
    }

    /// Returns the requests that this number of runs of a program leads to.
    fn requests_of(
        lasts: u32,
        start: Start,
        runs: usize,
        change: fn(&mut Execution),
    ) -> Vec<&'static str> {
        let (requests, mut slot, starts) = slot(lasts);
        starts.set(start);
        let mut execution = execution();
        change(&mut execution);
        for _ in 0..runs {
            slot.run(&execution, &mut Capture::default()).unwrap();
        }
        let requests = requests.lock().unwrap();
        assert_eq!(starts.was_warm(), requests.contains(&"run warm"));
        requests.clone()
    }

    fn execution() -> Execution {
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
        Execution {
            warm: Some(WarmStart::Shim),
            ..new
        }
    }

    fn count(requests: &[&str], what: &str) -> usize {
        requests.iter().filter(|found| **found == what).count()
    }

    #[test]
    fn programs_are_started_once_and_restarted_at_intervals() {
        assert_eq!(
            requests_of(u32::MAX, Start::Warm, 4, |_| ()),
            ["run", "run", "warm", "run warm", "run warm"]
        );
        let many = requests_of(u32::MAX, Start::Warm, 1102, |_| ());
        assert_eq!(
            (
                count(&many, "warm"),
                count(&many, "run warm"),
                count(&many, "run")
            ),
            (3, 1100, 2)
        );
        // Warming pays off even for a program that ends occasionally.
        let some = requests_of(10, Start::Warm, 102, |_| ());
        assert_eq!(
            (
                count(&some, "warm"),
                count(&some, "run warm"),
                count(&some, "run")
            ),
            (10, 100, 2)
        );
    }

    #[test]
    fn programs_without_warm_start_start_as_usual() {
        assert_eq!(
            requests_of(0, Start::Warm, 4, |_| ()),
            ["run", "run", "warm", "run", "run"]
        );
        // Abandoned after some starts with few runs.
        let rarely = requests_of(1, Start::Warm, 22, |_| ());
        assert_eq!(
            (
                count(&rarely, "warm"),
                count(&rarely, "run warm"),
                count(&rarely, "run")
            ),
            (4, 4, 18)
        );
        assert_eq!(requests_of(9, Start::Ordinary, 4, |_| ()), ["run"; 4]);
        let changes: [fn(&mut Execution); 2] = [
            |execution| execution.warm = None,
            |execution| execution.work_files.push("/x".into()),
        ];
        for change in changes {
            assert_eq!(requests_of(9, Start::Warm, 4, change), ["run"; 4]);
        }
    }

    #[test]
    fn other_warm_runs_use_a_separate_often_restarted_process() {
        let other = requests_of(u32::MAX, Start::OtherWarm, 42, |_| ());
        assert_eq!((count(&other, "warm"), count(&other, "run warm")), (3, 40));
        let (requests, mut slot, starts) = slot(u32::MAX);
        for run in 0..8 {
            starts.set(if run % 2 == 0 {
                Start::Warm
            } else {
                Start::OtherWarm
            });
            slot.run(&execution(), &mut Capture::default()).unwrap();
        }
        let expected = [
            "run", "run", "run", "run", "warm", "run warm", "warm", "run warm", "run warm",
            "run warm",
        ];
        assert_eq!(*requests.lock().unwrap(), expected);
    }

    #[test]
    fn many_programs_share_the_slots() {
        let (requests, mut slot, starts) = slot(u32::MAX);
        starts.set(Start::Warm);
        let mut run = |program: usize| {
            let execution = Execution {
                cwd: Some(format!("/{program}").into()),
                ..execution()
            };
            (0..10).for_each(|_| drop(slot.run(&execution, &mut Capture::default()).unwrap()));
        };
        let starts = || count(&requests.lock().unwrap(), "warm");
        (0..2 * MAX_WARM).for_each(&mut run);
        assert_eq!(starts(), 2 * MAX_WARM);
        // The first one has lost its slot, the last one has it still.
        run(0);
        assert_eq!(starts(), 2 * MAX_WARM + 1);
        run(2 * MAX_WARM - 1);
        assert_eq!(starts(), 2 * MAX_WARM + 1);
        assert_eq!(count(&requests.lock().unwrap(), "run"), 4 * MAX_WARM);
    }
}
