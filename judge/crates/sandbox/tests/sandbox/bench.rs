//! The bench that the cases share: a sandbox, a slot, and a program that follows its arguments.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use judge_model::{IsolationLevel, Termination};
use judge_sandbox::{
    Bind, CancelToken, Capture, Execution, Finished, Input, LinuxSandbox, RunLimits, Sandbox,
    SandboxError, Slot, SlotSpec, Work,
};

/// One test.
pub(crate) type Case = fn(&mut Bench);

/// A sandbox at one level with a slot that all cases use in turn, as in a harness.
pub(crate) struct Bench {
    pub(crate) level: IsolationLevel,
    pub(crate) sandbox: LinuxSandbox,
    pub(crate) slot: Box<dyn Slot>,
    /// The slot's depot, on the host.
    pub(crate) depot: PathBuf,
}

/// A finished run and what it wrote.
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

pub(crate) fn compile(directory: &Path) -> Result<(), String> {
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o755))
        .map_err(|error| error.to_string())?;
    let depot = directory.join("depot/program");
    std::fs::create_dir_all(&depot).map_err(|error| error.to_string())?;
    compile_one(
        &directory.join("probe.c"),
        include_str!("probe.c"),
        &depot.join("probe"),
    )?;
    compile_one(
        &directory.join("container.c"),
        include_str!("container.c"),
        &directory.join("container"),
    )
}

fn compile_one(source: &Path, text: &str, program: &Path) -> Result<(), String> {
    std::fs::write(source, text).map_err(|error| error.to_string())?;
    let output = Command::new("cc")
        .args(["-O1", "-w", "-static", "-pthread", "-o"])
        .arg(program)
        .arg(source)
        .output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "the C compiler failed: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
        Err(error) => Err(format!("cannot run the C compiler `cc`: {error}")),
    }
}

/// The cases that pass without any isolation.
const WITHOUT_ISOLATION: [&str; 16] = [
    "unexecutable_programs_end_as_in_a_shell",
    "work_files_are_in_the_working_directory",
    "given_files_belong_to_a_program_that_may_write",
    "exit_codes",
    "every_signal_is_reported_by_its_number",
    "self_kills_are_not_limits",
    "signals_start_at_their_defaults",
    "missing_program_is_a_fault_and_the_slot_lives",
    "closing_all_streams_is_harmless",
    "cancel_ends_a_run_and_later_ones",
    "input_arrives",
    "streams_can_be_opened_by_path_and_have_no_names",
    "cpu_time_of_one_thread",
    "wall_time_of_a_sleeper",
    "stdout_is_limited",
    "output_at_the_limit_is_accepted",
];

const NUMBERS: Option<&str> = Some("without a pid namespace, numbers are the host's");
const PATHS: Option<&str> =
    Some("without a mount namespace, paths are the host's and their existence shows");
const VIEW: Option<&str> =
    Some("without a mount namespace, nothing can be shown under another path");
const DISK: Option<&str> =
    Some("without a separate file system, only the size of each file is limited");
const SHARED_COUNT: Option<&str> = Some("the kernel counts all processes of a user together");

/// The cases that cannot pass without namespaces, as `(case, reason at user, reason at landlock)`.
const GAPS: &[(&str, Option<&str>, Option<&str>)] = &[
    ("program_is_always_pid_2", NUMBERS, NUMBERS),
    ("host_files_are_invisible", PATHS, PATHS),
    ("the_root_holds_only_expected_entries", PATHS, PATHS),
    ("the_system_is_read_only", PATHS, PATHS),
    ("etc_shows_no_host_accounts", PATHS, PATHS),
    ("proc_shows_only_the_run", PATHS, PATHS),
    ("proc_is_mounted_only_on_request", PATHS, PATHS),
    ("binds_are_visible_and_read_only", PATHS, PATHS),
    ("binds_end_with_their_run", PATHS, PATHS),
    ("leftovers_are_removed", PATHS, PATHS),
    ("views_are_mounted_for_all_runs", VIEW, VIEW),
    ("errors_about_missing_views_name_them", VIEW, VIEW),
    ("work_files_do_not_count_against_the_limit", DISK, DISK),
    ("files_are_limited_in_number", DISK, DISK),
    ("files_are_limited_in_size", DISK, DISK),
    ("processes_and_threads_are_counted", None, SHARED_COUNT),
    (
        "there_are_no_privileges",
        None,
        Some("programs keep their caller's user, which may be root, without capabilities"),
    ),
    (
        "work_files_can_be_read",
        None,
        Some("with the caller's user no program may change the mode of any file"),
    ),
];

/// The case for levels without warm programs.
pub(crate) const ONLY_FULL_IS_WARM: &str = "warm_programs_need_the_level_full";

impl Bench {
    pub(crate) fn open(level: IsolationLevel, directory: &Path) -> Result<Self, SandboxError> {
        let sandbox = LinuxSandbox::open(Some(level))?;
        let depot = directory.join("depot");
        let slot = sandbox.slot(&SlotSpec {
            depots: vec![depot.clone()],
            ..SlotSpec::default()
        })?;
        Ok(Self {
            level,
            sandbox,
            slot,
            depot,
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.level == IsolationLevel::Full
    }

    /// Returns the reason why the level does not guarantee what a case checks; `None` if it does.
    /// `none` guarantees next to nothing.
    pub(crate) fn gap(&self, case: &str) -> Option<&'static str> {
        if self.level != IsolationLevel::Full
            && case.starts_with("warm_")
            && case != ONLY_FULL_IS_WARM
        {
            return Some("no counter covers a single run of a warm program");
        }
        let found = GAPS.iter().find(|(name, ..)| *name == case);
        match self.level {
            IsolationLevel::Full | IsolationLevel::Namespaces => None,
            IsolationLevel::User => found.and_then(|(_, user, _)| *user),
            IsolationLevel::Landlock => found.and_then(|(_, _, landlock)| *landlock),
            IsolationLevel::None if case.starts_with("talk_") => None,
            IsolationLevel::None if WITHOUT_ISOLATION.contains(&case) => None,
            IsolationLevel::None => Some("nothing is isolated"),
        }
    }

    pub(crate) fn execution(&self, args: &[&str]) -> Execution {
        let mut all: Vec<OsString> = vec!["probe".into()];
        all.extend(args.iter().map(OsString::from));
        Execution {
            program: "/program/probe".into(),
            args: all,
            env: vec!["PATH=/usr/bin:/bin".into()],
            stdin: Input::Empty,
            limits: RunLimits {
                cpu_time: Duration::from_millis(300),
                // Far away: a virtual machine may be stopped for seconds.
                wall_time: Duration::from_secs(30),
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
                source: self.depot.join("program"),
                target: "/program".into(),
            }],
            proc_mounted: false,
            keep_work: false,
            warm: None,
            cancel: CancelToken::new().unwrap(),
        }
    }

    /// Runs an execution; a fault of the sandbox is a failed test.
    #[track_caller]
    pub(crate) fn execute(&mut self, execution: &Execution) -> RunResult {
        let mut capture = Capture::default();
        let finished = self.slot.run(execution, &mut capture).unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        RunResult {
            finished,
            stdout: text(&capture.stdout),
            stderr: text(&capture.stderr),
        }
    }

    #[track_caller]
    pub(crate) fn run(&mut self, args: &[&str]) -> RunResult {
        self.execute(&self.execution(args))
    }

    /// Runs with changes to the execution.
    #[track_caller]
    pub(crate) fn run_with(
        &mut self,
        args: &[&str],
        change: impl FnOnce(&mut Execution),
    ) -> RunResult {
        let mut execution = self.execution(args);
        change(&mut execution);
        self.execute(&execution)
    }
}

/// Returns a word by which the programs of this process can be recognised: the same tests may run
/// elsewhere on the host.
pub(crate) fn marker(word: &str) -> String {
    format!("{word}-{}", std::process::id())
}

/// Makes this process, a victim, end with the process that started it, so that a failing case
/// leaves no victim.
pub(crate) fn die_with_parent() {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
}

/// The control groups that a process has made for its slots.
pub(crate) fn groups_by(pid: u32) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![(PathBuf::from("/sys/fs/cgroup"), 0)]);
    while let Some((directory, depth)) = left.pop() {
        for entry in std::fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("judge-") && name.contains(&format!("-{pid}-")) {
                found.push(entry.path());
            } else if depth < 6 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push((entry.path(), depth + 1));
            }
        }
    }
    found
}

/// The numbers of processes of this host whose command line has `marker` in it.
pub(crate) fn processes_with(marker: &str) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.windows(marker.len())
                .any(|window| window == marker.as_bytes())
        })
        .collect()
}

/// Waits until a condition is true, for at most half a minute: on a busy machine, even short
/// actions take seconds.
pub(crate) fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        match condition() {
            true => return true,
            false if Instant::now() > end => return false,
            false => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}
