//! The bench that the cases share: a sandbox, a slot, a program that follows its arguments, and the
//! amount of work.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use judge_model::{IsolationLevel, Outcome};
use judge_sandbox::{
    Bind, CancelToken, Capture, Execution, Input, LinuxSandbox, RunLimits, Sandbox, Slot, SlotSpec,
    Work,
};

/// One test; returns its findings for the terminal.
pub(crate) type Case = fn(&mut Bench) -> String;

/// The name of a case's program, where it need not be distinguished from others.
const PROGRAM: &str = "program";

/// A sandbox with a slot, and all that is needed to use it.
pub(crate) struct Bench {
    pub(crate) level: IsolationLevel,
    /// True to do everything that can be done.
    pub(crate) full: bool,
    pub(crate) seed: u64,
    /// On the host; `bin` and `depot/program` are in it.
    pub(crate) directory: PathBuf,
    slot: Box<dyn Slot>,
    capture: Capture,
}

/// The specification of a slot whose programs are in `directory`.
pub(crate) fn slot_spec(directory: &Path) -> SlotSpec {
    SlotSpec {
        depots: vec![directory.join("depot")],
        ..SlotSpec::default()
    }
}

/// An execution with limits that are far away. `name` is the program's file name.
pub(crate) fn execution(directory: &Path, name: &str, args: &[&str]) -> Execution {
    let mut all: Vec<OsString> = vec![name.into()];
    all.extend(args.iter().map(OsString::from));
    Execution {
        program: Path::new("/program").join(name),
        args: all,
        env: Vec::new(),
        stdin: Input::Empty,
        limits: RunLimits {
            cpu_time: Duration::from_secs(60),
            wall_time: Duration::from_secs(300),
            memory_bytes: 64 << 20,
            stdout_bytes: 1 << 20,
            stderr_bytes: 1 << 16,
            processes: 16,
        },
        work: Work::Writable {
            bytes: 16 << 20,
            files: 100,
        },
        cwd: None,
        work_files: Vec::new(),
        binds: vec![Bind {
            source: directory.join("depot/program"),
            target: "/program".into(),
        }],
        proc_mounted: false,
        keep_work: false,
        warm: None,
        cancel: CancelToken::new().unwrap(),
    }
}

fn compile(directory: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o755)).map_err(text)?;
    let depot = directory.join("depot/program");
    std::fs::create_dir_all(&depot).map_err(text)?;
    let source = directory.join("program.c");
    std::fs::write(&source, include_str!("program.c")).map_err(text)?;
    let compiler = Command::new("cc")
        .args(["-O1", "-w", "-static", "-pthread", "-o"])
        .arg(depot.join(PROGRAM))
        .arg(&source)
        .output()
        .map_err(|error| format!("cannot run the C compiler `cc`: {error}"))?;
    if !compiler.status.success() {
        return Err(format!(
            "the C compiler failed: {}",
            String::from_utf8_lossy(&compiler.stderr)
        ));
    }
    Ok(())
}

impl Bench {
    pub(crate) fn open(demand: Option<IsolationLevel>, directory: &Path) -> Result<Self, String> {
        compile(directory)?;
        let sandbox = LinuxSandbox::open(demand).map_err(|error| error.to_string())?;
        let slot = sandbox
            .slot(&slot_spec(directory))
            .map_err(|error| error.to_string())?;
        let by_the_clock = std::time::UNIX_EPOCH
            .elapsed()
            .map_or(1, |since| since.as_secs());
        let seed = std::env::var("JUDGE_STRESS_SEED")
            .ok()
            .map(|text| text.parse().unwrap())
            .unwrap_or(by_the_clock);
        Ok(Self {
            level: sandbox.isolation().level,
            full: std::env::var_os("JUDGE_STRESS").is_some_and(|value| value == "full"),
            seed,
            directory: directory.to_owned(),
            slot,
            capture: Capture::default(),
        })
    }

    /// The count of repetitions.
    pub(crate) fn count(&self, reduced: usize, full: usize) -> usize {
        if self.full { full } else { reduced }
    }

    /// The percentile on which a claim about time is based. Few runs on a host that other programs
    /// share show no more than their median; a flaw of the sandbox shows in every run.
    pub(crate) fn decisive_percentile(&self, full: usize) -> usize {
        if self.full { full } else { 50 }
    }

    /// The program on the host.
    pub(crate) fn program(&self) -> PathBuf {
        self.directory.join("depot/program").join(PROGRAM)
    }

    pub(crate) fn execution(&self, args: &[&str]) -> Execution {
        execution(&self.directory, PROGRAM, args)
    }

    /// Runs an execution; a fault of the sandbox is a failed test.
    #[track_caller]
    pub(crate) fn run(&mut self, execution: &Execution) -> Outcome {
        self.slot.run(execution, &mut self.capture).unwrap().outcome
    }

    /// The standard output of the last run.
    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.capture.stdout).unwrap()
    }
}

/// Processes of the host that use all of its processors. They end when this is dropped, and with
/// this process.
pub(crate) struct Load(Vec<Child>);

impl Load {
    pub(crate) fn start(bench: &Bench, count: usize) -> Self {
        Self(
            (0..count)
                .map(|_| Command::new(bench.program()).arg("load").spawn().unwrap())
                .collect(),
        )
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A value of a sorted list such that `percent` of all are at most as large (nearest rank).
pub(crate) fn percentile<T: Copy>(sorted: &[T], percent: usize) -> T {
    sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

/// Formats a time in milliseconds for the terminal.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}
