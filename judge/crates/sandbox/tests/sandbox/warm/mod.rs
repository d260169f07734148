//! Warm programs: their runs equal ordinary runs, and can harm only the program itself.

pub(crate) mod hostile;
pub(crate) mod languages;
pub(crate) mod shared;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use judge_model::{Limit, Termination};
use judge_sandbox::{
    Capture, Execution, Finished, Input, LINK_FLAGS, NotWarm, SHIM, Sandbox as _, Slot, SlotSpec,
    WarmRefused, WarmStart, Work,
};

use crate::bench::{Bench, Case, ONLY_FULL_IS_WARM, eventually, groups_by, marker, processes_with};

pub(crate) const CASES: &[(&str, Case)] = &[
    (ONLY_FULL_IS_WARM, level),
    ("warm_runs_end_like_ordinary_runs", endings),
    ("warm_runs_have_separate_arguments_and_input", arguments),
    ("warm_runs_are_all_alike", repetition),
    ("warm_runs_start_at_main", state),
    ("warm_runs_are_limited_separately", limits),
    ("warm_output_is_limited_separately", output),
    ("warm_memory_is_measured_separately", memory),
    ("warm_programs_end_after_leaving_files", files),
    ("warm_programs_end_after_leaving_processes", strays),
    ("warm_programs_reap_their_children", children),
    ("warm_runs_refuse_other_differences", other_executions),
    ("warm_runs_can_be_cancelled", cancel),
    ("warm_programs_leave_nothing", no_leftovers),
    ("warm_programs_die_with_the_harness", harness_killed),
];

/// Compiles the programs that the cases need.
pub(crate) fn compile(directory: &Path) -> Result<(), String> {
    let depot = directory.join("depot/warm");
    std::fs::create_dir_all(&depot).map_err(|error| error.to_string())?;
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text)
            .map(|()| path)
            .map_err(|error| error.to_string())
    };
    let shim = write("shim.c", SHIM)?;
    let before_main = write("before_main.c", include_str!("../before_main.c"))?;
    for (name, source) in [
        ("warm", directory.join("probe.c")),
        ("before_main", before_main),
    ] {
        cc("cc", &["-w"], &depot.join(name), &[&source, &shim])?;
    }
    std::fs::copy(directory.join("depot/program/probe"), depot.join("probe"))
        .map_err(|error| error.to_string())?;
    Ok(())
}

pub(crate) fn cc(
    compiler: &str,
    flags: &[&str],
    output: &Path,
    sources: &[&Path],
) -> Result<(), String> {
    let done = Command::new(compiler)
        .args(["-O1", "-static", "-pthread"])
        .args(flags)
        .args(LINK_FLAGS)
        .arg("-o")
        .arg(output)
        .args(sources)
        .output();
    match done {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => Err(format!(
            "`{compiler}` failed: {}",
            String::from_utf8_lossy(&done.stderr)
        )),
        Err(error) => Err(format!("cannot run `{compiler}`: {error}")),
    }
}

/// A slot with a program that is warm or is to be warmed.
pub(crate) struct Warm {
    pub(crate) slot: Box<dyn Slot>,
    pub(crate) execution: Execution,
}

/// A run of the warm program.
pub(crate) struct RunResult {
    pub(crate) finished: Finished,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl RunResult {
    pub(crate) fn termination(&self) -> Termination {
        self.finished.outcome.termination
    }

    #[track_caller]
    pub(crate) fn exited(self) -> Self {
        assert_eq!(
            self.termination(),
            Termination::Exited { code: 0 },
            "{} {}",
            self.stdout,
            self.stderr
        );
        self
    }
}

impl Warm {
    pub(crate) fn new(bench: &Bench, program: &str) -> Self {
        let spec = SlotSpec {
            depots: vec![bench.depot.clone()],
            ..SlotSpec::default()
        };
        let mut execution = bench.execution(&[]);
        execution.program = format!("/program/{program}").into();
        execution.binds[0].source = bench.depot.join("warm");
        execution.warm = Some(WarmStart::Shim);
        Self {
            slot: bench.sandbox.slot(&spec).unwrap(),
            execution,
        }
    }

    pub(crate) fn start(&mut self) -> Result<(), WarmRefused> {
        match self.slot.warm(&self.execution) {
            Ok(()) => Ok(()),
            Err(NotWarm::Refused(reason)) => Err(reason),
            Err(NotWarm::Fault(error)) => panic!("{error}"),
        }
    }

    #[track_caller]
    pub(crate) fn started(bench: &Bench, program: &str) -> Self {
        let mut warm = Self::new(bench, program);
        assert_eq!(warm.start(), Ok(()));
        warm
    }

    /// A run with these arguments after the program's name.
    pub(crate) fn try_run(
        &mut self,
        args: &[&str],
        change: impl FnOnce(&mut Execution),
    ) -> Result<RunResult, WarmRefused> {
        let mut execution = self.execution.clone();
        execution.args = std::iter::once("probe")
            .chain(args.iter().copied())
            .map(Into::into)
            .collect();
        change(&mut execution);
        let mut capture = Capture::default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match self.slot.run_warm(&execution, &mut capture) {
            Ok(finished) => Ok(RunResult {
                finished,
                stdout: text(&capture.stdout),
                stderr: text(&capture.stderr),
            }),
            Err(NotWarm::Refused(reason)) => Err(reason),
            Err(NotWarm::Fault(error)) => panic!("{error}"),
        }
    }

    #[track_caller]
    pub(crate) fn run(&mut self, args: &[&str]) -> RunResult {
        self.try_run(args, |_| ()).unwrap()
    }

    #[track_caller]
    pub(crate) fn refused(&mut self, args: &[&str]) -> WarmRefused {
        self.try_run(args, |_| ()).err().expect("it is run warm")
    }

    #[track_caller]
    pub(crate) fn again(&mut self) {
        assert_eq!(self.start(), Ok(()));
    }
}

fn level(bench: &mut Bench) {
    let mut warm = Warm::new(bench, "warm");
    if !bench.is_full() {
        assert_eq!(warm.start(), Err(WarmRefused::Level));
    }
    assert_eq!(warm.refused(&["exit", "0"]), WarmRefused::NotWarm);
}

fn endings(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    for code in [0, 1, 42, 127, 255] {
        assert_eq!(
            warm.run(&["exit", &code.to_string()]).termination(),
            Termination::Exited { code }
        );
    }
    for signal in [1, 2, 3, 6, 8, 9, 11, 13, 14, 15, 24, 25, 34, 64] {
        let ran = warm.run(&["signal", &signal.to_string()]);
        assert_eq!(ran.termination(), Termination::Signaled { signal });
        assert_eq!(ran.finished.outcome.usage.memory_kills, 0);
    }
    assert_eq!(
        warm.run(&["abort"]).termination(),
        Termination::Signaled { signal: 6 }
    );
    assert_eq!(
        warm.run(&["segv"]).termination(),
        Termination::Signaled { signal: 11 }
    );
    // The same program, started as usual.
    let mut execution = warm.execution.clone();
    execution.args = ["probe", "print", "3"].map(Into::into).into();
    assert_eq!(bench.execute(&execution).exited().stdout, "xxx");
}

fn arguments(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "before_main");
    assert_eq!(
        warm.run(&["args", "", "a b", ""]).exited().stdout,
        "[probe][args][][a b][]"
    );
    assert_eq!(warm.run(&["args"]).exited().stdout, "[probe][args]");
    let long = "x".repeat(100_000);
    assert_eq!(
        warm.run(&["args", &long]).exited().stdout.len(),
        long.len() + "[probe][args][]".len()
    );
    assert_eq!(warm.run(&["control"]).exited().stdout, "0\n");
    let mut warm = Warm::started(bench, "warm");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "from a file").unwrap();
    for (input, expected) in [
        (Input::Bytes(b"first".as_slice().into()), "first"),
        (Input::Empty, ""),
        (Input::File(file.path().to_owned()), "from a file"),
        (Input::Bytes(b"last".as_slice().into()), "last"),
    ] {
        assert_eq!(
            warm.try_run(&["cat"], |execution| execution.stdin = input)
                .unwrap()
                .exited()
                .stdout,
            expected
        );
    }
}

fn repetition(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    let mut without_memory = 0;
    for run in 0..1000 {
        let input = format!("{run}\n");
        let ran = warm.try_run(&["cat"], |execution| {
            execution.stdin = Input::Bytes(input.as_bytes().into());
        });
        let ran = ran
            .unwrap_or_else(|reason| panic!("run {run}: {reason}"))
            .exited();
        assert_eq!(ran.stdout, input);
        let usage = ran.finished.outcome.usage;
        assert!(
            usage.cpu_time < Duration::from_millis(100) && usage.memory_bytes < 8 << 20,
            "run {run}: {usage:?}"
        );
        assert!(usage.cpu_time > Duration::ZERO, "run {run}: {usage:?}");
        // The kernel charges memory to a control group 64 pages at a time for each processor: what
        // is left of them when the peak is set back is enough for a run as short as this one, now
        // and then.
        without_memory += usize::from(usage.memory_bytes == 0);
    }
    assert!(
        without_memory < 20,
        "{without_memory} of 1000 runs took no memory"
    );
}

fn state(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "before_main");
    // The second number is in memory that the program shared before `main`, so it may change from
    // run to run.
    for run in 1..5 {
        assert_eq!(warm.run(&["count"]).exited().stdout, format!("1 {run}\n"));
    }
    warm.execution.env.push("MODE=buffer".into());
    warm.again();
    for _ in 0..3 {
        assert_eq!(warm.run(&["args"]).exited().stdout, "early [probe][args]");
    }
}

fn limits(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    let milli = Duration::from_millis;
    // Each run has the full limit, however many runs there were before.
    for _ in 0..5 {
        let patient =
            |execution: &mut Execution| execution.limits.wall_time = Duration::from_secs(20);
        let ran = warm.try_run(&["burn", "150"], patient).unwrap().exited();
        let used = ran.finished.outcome.usage.cpu_time;
        assert!(used >= milli(145) && used < milli(400), "{used:?}");
    }
    for (args, limit) in [
        (["burn", "1000"].as_slice(), Limit::CpuTime),
        (&["burners", "1000"], Limit::CpuTime),
        (&["sleep"], Limit::WallTime),
        (&["eat", "1000"], Limit::Memory),
    ] {
        let begun = Instant::now();
        let ran = warm.try_run(args, |execution| {
            // Memory that is touched for the first time may take a host long.
            if limit == Limit::Memory {
                execution.limits.cpu_time = Duration::from_secs(5);
                execution.limits.wall_time = Duration::from_secs(30);
            }
            if limit == Limit::WallTime {
                execution.limits.wall_time = Duration::from_secs(1);
            }
        });
        let ran = ran.unwrap();
        assert_eq!(ran.termination(), Termination::Killed { limit }, "{args:?}");
        assert!(begun.elapsed() < Duration::from_secs(40), "{args:?}");
        if warm.try_run(&["exit", "0"], |_| ()).is_err() {
            warm.again();
        }
        warm.run(&["exit", "0"]).exited();
    }
    // Limits are those of the run, not of the start.
    let ran = warm
        .try_run(&["burn", "1000"], |execution| {
            execution.limits.cpu_time = milli(50);
        })
        .unwrap();
    assert_eq!(
        ran.termination(),
        Termination::Killed {
            limit: Limit::CpuTime
        }
    );
    assert!(ran.finished.outcome.usage.cpu_time < milli(400));
    assert_eq!(warm.refused(&["exit", "0"]), WarmRefused::NotWarm);
    warm.again();
    for processes in [5, 1, 16] {
        for command in ["count", "zombies"] {
            let ran = warm
                .try_run(&[command], |execution| {
                    execution.limits.processes = processes;
                })
                .unwrap();
            assert_eq!(ran.exited().stdout, format!("{processes}\n"));
            // Zombies that their parent did not wait for are left when it ends.
            if warm.try_run(&["exit", "0"], |_| ()).is_err() {
                warm.again();
            }
        }
    }
    assert!(
        warm.try_run(&["bomb"], |_| ())
            .is_ok_and(|ran| !ran.finished.outcome.is_clean_exit())
    );
}

fn output(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    let ran = warm.run(&["print", "1000000"]).exited();
    assert_eq!(ran.stdout.len(), 1_000_000);
    for _ in 0..3 {
        assert_eq!(
            warm.run(&["print", "1048576"]).exited().stdout.len(),
            1 << 20
        );
    }
    let ran = warm.run(&["print", "1048577"]);
    assert_eq!(
        ran.termination(),
        Termination::Killed {
            limit: Limit::Output
        }
    );
    warm.again();
    assert_eq!(
        warm.run(&["flood", "2"]).termination(),
        Termination::Killed {
            limit: Limit::Output
        }
    );
    warm.again();
    assert_eq!(warm.run(&["print", "2"]).exited().stdout, "xx");
}

fn memory(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    let mut large = Warm::new(bench, "before_main");
    large.execution.env.push("MODE=memory".into());
    large.again();
    for _ in 0..3 {
        let used = large
            .run(&["args"])
            .exited()
            .finished
            .outcome
            .usage
            .memory_bytes;
        assert!(
            (20 << 20..28 << 20).contains(&used),
            "the waiting process counts for the run too: {used}"
        );
    }
    let mut used = |mib: &str| warm.run(&["eat", mib]).finished.outcome.usage.memory_bytes;
    for _ in 0..3 {
        let (small, large) = (used("1"), used("40"));
        assert!(small < 8 << 20, "{small}");
        assert!((40 << 20..50 << 20).contains(&large), "{large}");
    }
}

fn files(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "before_main");
    // Files that are removed again do not count.
    warm.run(&["temporary"]).exited();
    assert_eq!(warm.run(&["files"]).exited().stdout, "0\n");
    warm.run(&["file"]).exited();
    assert_eq!(warm.refused(&["files"]), WarmRefused::NotWarm);
    warm.again();
    assert_eq!(warm.run(&["files"]).exited().stdout, "0\n");
    // They are only seen after a run that keeps them.
    let kept = warm.try_run(&["file"], |execution| execution.keep_work = true);
    assert_eq!(kept.err(), Some(WarmRefused::FilesWritten));
    warm.again();
    warm.try_run(&["files"], |execution| execution.keep_work = true)
        .unwrap()
        .exited();
    warm.execution.work = Work::ReadOnly;
    warm.again();
    assert_eq!(
        warm.run(&["file"]).termination(),
        Termination::Exited { code: 1 }
    );
    assert_eq!(warm.run(&["files"]).exited().stdout, "0\n");
}

fn strays(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "before_main");
    for _ in 0..5 {
        assert_eq!(warm.run(&["stray"]).exited().stdout, "ok");
        assert_eq!(warm.refused(&["args"]), WarmRefused::NotWarm);
        warm.again();
        std::thread::sleep(Duration::from_millis(40));
        assert_eq!(warm.run(&["args"]).exited().stdout, "[probe][args]");
    }
}

fn children(bench: &mut Bench) {
    let mut warm = Warm::new(bench, "before_main");
    warm.execution.limits.wall_time = Duration::from_secs(20);
    warm.again();
    for _ in 0..5 {
        assert_eq!(
            warm.run(&["reaps"]).termination(),
            Termination::Exited { code: 5 }
        );
        assert_eq!(
            warm.run(&["orphans"]).termination(),
            Termination::Exited { code: 4 }
        );
        assert_eq!(
            warm.run(&["kills_group"]).termination(),
            Termination::Exited { code: 0 }
        );
    }
}

fn other_executions(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    let changes: [fn(&mut Execution); 6] = [
        |execution| execution.env.push("A=B".into()),
        |execution| execution.work = Work::ReadOnly,
        |execution| execution.binds.clear(),
        |execution| execution.limits.memory_bytes += 1,
        |execution| execution.warm = None,
        |execution| execution.args.clear(),
    ];
    for change in changes {
        assert_eq!(
            warm.try_run(&["exit", "0"], change).err(),
            Some(WarmRefused::Execution)
        );
    }
    warm.run(&["exit", "0"]).exited();
    let execution = Execution {
        warm: None,
        ..warm.execution.clone()
    };
    assert!(matches!(
        warm.slot.warm(&execution),
        Err(NotWarm::Refused(WarmRefused::Execution))
    ));
}

fn cancel(bench: &mut Bench) {
    let mut warm = Warm::started(bench, "warm");
    warm.execution.limits.wall_time = Duration::from_secs(60);
    let token = warm.execution.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    let begun = Instant::now();
    assert_eq!(warm.run(&["sleep"]).termination(), Termination::Cancelled);
    canceller.join().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(40));
    assert_eq!(warm.run(&["sleep"]).termination(), Termination::Cancelled);
}

fn no_leftovers(bench: &mut Bench) {
    let mark = |mark: &str| vec!["probe".into(), mark.into()];
    let (first, other) = (marker("warm-to-be-dropped"), marker("warm-and-other"));
    let mut warm = Warm::new(bench, "warm");
    warm.execution.args = mark(&first);
    warm.again();
    warm.run(&["exit", "0"]).exited();
    assert!(!processes_with(&first).is_empty());
    // An ordinary run ends the warm program, and so do another program and the end of the slot.
    let (execution, mut capture) = (bench.execution(&["print", "2"]), Capture::default());
    assert!(
        warm.slot
            .run(&execution, &mut capture)
            .unwrap()
            .outcome
            .is_clean_exit()
    );
    assert_eq!(processes_with(&first), [0; 0]);
    assert_eq!(warm.refused(&["exit", "0"]), WarmRefused::NotWarm);
    warm.again();
    warm.execution.args = mark(&other);
    warm.again();
    assert_eq!(processes_with(&first), [0; 0]);
    assert!(!processes_with(&other).is_empty());
    drop(warm);
    assert!(eventually(|| processes_with(&other).is_empty()));
}

/// Keeps a program with this marker warm forever, to be killed.
pub(crate) fn be_victim(bench: &Bench, marker: &str) -> ! {
    let mut warm = Warm::new(bench, "warm");
    warm.execution.args = vec!["probe".into(), marker.into()];
    warm.again();
    warm.run(&["exit", "0"]).exited();
    loop {
        std::thread::park();
    }
}

fn harness_killed(bench: &mut Bench) {
    let marker = marker("warm-of-a-victim");
    let mut victim = Command::new("/proc/self/exe")
        .args(["warm-victim", bench.level.name()])
        .arg(bench.depot.parent().unwrap())
        .arg(&marker)
        .spawn()
        .unwrap();
    // The victim has the marker in its own arguments, and so has each child until it executes
    // another program.
    let waits = || processes_with(&marker).len() > 1 && !groups_by(victim.id()).is_empty();
    assert!(eventually(waits), "the victim's program waits");
    std::thread::sleep(Duration::from_millis(200));
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(
        eventually(|| processes_with(&marker).is_empty()),
        "{:?}",
        processes_with(&marker)
    );
    // Another judge may sweep the groups, too.
    let swept = || {
        (judge_sandbox::sweep(), groups_by(victim.id()))
            .1
            .is_empty()
    };
    assert!(eventually(swept), "{:?}", groups_by(victim.id()));
}
