//! Kills processes of the judge while a program runs.
//!
//! Responsible for the stage `harness`. Must not know the other stages.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use judge_model::{IsolationLevel, Termination};
use judge_sandbox::{Capture, Sandbox as _, Slot, SlotSpec};
use rustix::process::{Pid, Signal, kill_process};

use crate::bench::{self, Bench};
use crate::case::{self, Case, Killed};
use crate::host::{descendants, eventually, processes_with};

/// The number of processes of a program that must be running before a process is killed.
const MIN_PROCESSES: usize = 4;

/// Runs a case of the stage `harness`; `Err` describes the failure.
pub(crate) fn run(case: &Case, kills: Killed, bench: &Bench<'_>) -> Result<(), String> {
    let marker = format!("hostile-{}-{}", std::process::id(), case.name);
    match kills {
        Killed::Harness => harness(case, bench, &marker)?,
        Killed::Zygote => zygote(case, bench, &marker)?,
        Killed::Run => kill_run(case, bench, &marker)?,
    }
    if eventually(|| processes_with(&marker).is_empty()) {
        Ok(())
    } else {
        Err(format!("{:?} still run", processes_with(&marker)))
    }
}

fn kill_run(case: &Case, bench: &Bench<'_>, marker: &str) -> Result<(), String> {
    let (mut slot, mut execution) = bench.alone(case, marker)?;
    execution.limits.wall_time = Duration::from_secs(20);
    let (cancel, name) = (execution.cancel.clone(), marker.to_owned());
    let canceller = thread::spawn(move || {
        let seen = eventually(|| processes_with(&name).len() >= MIN_PROCESSES);
        cancel.cancel();
        seen
    });
    let result = slot.run(&execution, &mut Capture::default());
    let seen = canceller.join().unwrap_or(false);
    match result {
        Ok(finished) if seen && finished.outcome.termination == Termination::Cancelled => Ok(()),
        other => Err(format!("seen: {seen}, {other:?}")),
    }
}

fn zygote(case: &Case, bench: &Bench<'_>, marker: &str) -> Result<(), String> {
    let before: BTreeSet<i32> = descendants().into_keys().collect();
    let (mut slot, mut execution) = bench.alone(case, marker)?;
    execution.limits.wall_time = Duration::from_secs(20);
    // The slot's outer and inner process; the inner one came last.
    let new = descendants()
        .into_keys()
        .filter(|pid| !before.contains(pid))
        .max();
    let (cancel, name) = (execution.cancel.clone(), marker.to_owned());
    let killer = thread::spawn(move || {
        let seen = eventually(|| processes_with(&name).len() >= MIN_PROCESSES);
        let first: BTreeSet<i32> = processes_with(&name).into_iter().collect();
        let killed = new
            .and_then(Pid::from_raw)
            .map(|pid| kill_process(pid, Signal::KILL));
        // The same run begins again with another zygote.
        let again = || {
            processes_with(&name)
                .into_iter()
                .filter(|pid| !first.contains(pid))
                .count()
                >= MIN_PROCESSES
        };
        let restarted = eventually(again);
        cancel.cancel();
        seen && killed == Some(Ok(())) && restarted
    });
    let replaced = judge_sandbox::replaced_helpers();
    let result = slot.run(&execution, &mut Capture::default());
    let killed = killer.join().unwrap_or(false);
    let ended = result
        .as_ref()
        .is_ok_and(|finished| finished.outcome.termination == Termination::Cancelled);
    if !killed || !ended || judge_sandbox::replaced_helpers() != replaced + 1 {
        return Err(format!("killed and begun again: {killed}, {result:?}"));
    }
    // The slot works as before.
    execution.cancel = judge_sandbox::CancelToken::new().map_err(|error| error.to_string())?;
    execution.limits.wall_time = Duration::from_millis(200);
    match slot.run(&execution, &mut Capture::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("the next run: {error}")),
    }
}

fn harness(case: &Case, bench: &Bench<'_>, marker: &str) -> Result<(), String> {
    let mut victim = Command::new("/proc/self/exe")
        .args(["victim", bench.level.name(), &case.name])
        .arg(&bench.programs.built)
        .arg(marker)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    // The victim has the marker on its own command line.
    let seen = eventually(|| processes_with(marker).len() > MIN_PROCESSES);
    let killed = victim.kill().and_then(|()| victim.wait());
    if !seen || killed.is_err() {
        return Err(format!(
            "the program was seen: {seen}, the victim: {killed:?}"
        ));
    }
    if !eventually(|| processes_with(marker).is_empty()) {
        return Err(format!("{:?} outlived the harness", processes_with(marker)));
    }
    // Empty control groups are all that can be left; the next judge removes them.
    if bench.level == IsolationLevel::Full && !eventually(|| judge_sandbox::sweep() == 0) {
        return Err("control groups cannot be swept".to_owned());
    }
    Ok(())
}

/// Runs a long-running program, to be killed. `args`: level, case, depot, marker.
pub(crate) fn run_victim(args: &[String]) -> Result<(), String> {
    let [level, name, built, marker] = args else {
        return Err("four arguments are expected".to_owned());
    };
    let level = level
        .parse()
        .map_err(|error: judge_model::UnknownName| error.to_string())?;
    let case = case::load()?
        .into_iter()
        .find(|case| case.name == *name)
        .ok_or("an unknown case")?;
    let sandbox = bench::open(level).map_err(|error| error.to_string())?;
    let spec = SlotSpec {
        depots: vec![built.into()],
        ..SlotSpec::default()
    };
    let mut slot: Box<dyn Slot> = sandbox.slot(&spec).map_err(|error| error.to_string())?;
    let mut execution =
        bench::execution_with(&Path::new(built).join(name), &case, marker, slot.layout())?;
    execution.limits.wall_time = Duration::from_secs(20);
    slot.run(&execution, &mut Capture::default())
        .map(drop)
        .map_err(|error| error.to_string())
}
