//! The parts of the suite: a process for each level and user. Some run at the same time, because
//! most cases wait.
//!
//! Responsible for starting them, each with programs and a directory for temporary files of its
//! own, and for their output. Must not know any case.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use judge_model::IsolationLevel;

/// The variable by which this program knows that it was started by `container.c`.
const CONTAINED: &str = "STARTED_AS_IN_A_CONTAINER";

/// The number of parts that run at the same time. They use less than half a processor each.
const MAX_PARALLEL: usize = 5;

/// The first of the unused users. A kernel counts the processes of a user together, so each part
/// has its own.
const FIRST_USER: u32 = 1000;

pub(crate) fn is_contained() -> bool {
    std::env::var_os(CONTAINED).is_some()
}

/// The user of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    /// The user who started the tests.
    Same,
    /// Root with the privileges that it has in a container.
    Contained,
    /// An ordinary user.
    Ordinary(u32),
}

/// The cases of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    All,
    /// Those that start a new process for each run.
    Cold,
    /// Those of warm programs.
    Warm,
}

impl Selection {
    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }

    /// The selection with this name.
    pub(crate) fn named(name: &str) -> Self {
        [Self::All, Self::Cold, Self::Warm]
            .into_iter()
            .find(|selection| selection.name() == name)
            .unwrap()
    }
}

#[derive(Clone, Copy)]
struct Part {
    user: User,
    level: IsolationLevel,
    selection: Selection,
}

impl Part {
    fn name(&self) -> String {
        let user = match self.user {
            User::Same => format!("user {}", rustix::process::geteuid().as_raw()),
            User::Contained => "user 0, as in a container".to_owned(),
            User::Ordinary(user) => format!("user {user}"),
        };
        let cases = match self.selection {
            Selection::All => String::new(),
            selection => format!(", {} cases", selection.name()),
        };
        format!("level `{}` as {user}{cases}", self.level)
    }
}

/// All parts, the longest first.
fn parts() -> VecDeque<Part> {
    let with = |user: User| {
        IsolationLevel::ALL.into_iter().flat_map(move |level| {
            // Only this level has warm programs, and with them twice as many seconds of cases.
            let selections: &[Selection] = match level {
                IsolationLevel::Full => &[Selection::Cold, Selection::Warm],
                _ => &[Selection::All],
            };
            selections.iter().map(move |selection| Part {
                user,
                level,
                selection: *selection,
            })
        })
    };
    if !rustix::process::geteuid().is_root() {
        return with(User::Same).collect();
    }
    let ordinary = (FIRST_USER..).zip(IsolationLevel::ALL);
    let ordinary = ordinary.map(|(user, level)| Part {
        user: User::Ordinary(user),
        level,
        selection: Selection::All,
    });
    let mut parts: VecDeque<Part> = with(User::Same).chain(ordinary).collect();
    // In a container that may load no filter, root has these privileges already.
    if may_administrate() {
        parts.extend(with(User::Contained));
    } else {
        println!("SKIPPED: levels as user 0, as in a container: this is one");
    }
    parts
}

/// True with `CAP_SYS_ADMIN` (capabilities(7)), the bit 21.
fn may_administrate() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let effective = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .unwrap();
    u64::from_str_radix(effective.trim(), 16).unwrap() >> 21 & 1 == 1
}

/// Runs the cases with this filter; returns the names of the parts that failed. `directory` has the
/// compiled programs.
pub(crate) fn run(directory: &Path, filter: &str) -> Vec<String> {
    // Other users may be unable to see build directories. Copied before there are threads: a
    // program that is open for writing, in a child of another thread too, cannot be started.
    let own_program = tempfile::tempdir().unwrap();
    std::fs::set_permissions(own_program.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let tests = own_program.path().join("tests");
    std::fs::copy("/proc/self/exe", &tests).unwrap();
    let (parts, failed) = (Mutex::new(parts()), Mutex::new(Vec::new()));
    let next = || {
        parts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    };
    std::thread::scope(|scope| {
        for _ in 0..MAX_PARALLEL {
            scope.spawn(|| {
                while let Some(part) = next() {
                    let (is_good, output) = run_part(part, &tests, directory, filter);
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Under the lock, so that the output of a part stays together.
                    println!("{}\n{output}", part.name());
                    if !is_good {
                        failed.push(part.name());
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a part to its end; returns true if it succeeded, and its output.
fn run_part(part: Part, tests: &Path, directory: &Path, filter: &str) -> (bool, String) {
    let own = tempfile::tempdir().unwrap();
    let own = own.path();
    let copied = Command::new("cp")
        .arg("-r")
        .arg(directory.join("."))
        .arg(own)
        .status();
    assert!(copied.unwrap().success(), "the programs can be copied");
    let temporary = own.join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    for path in [own, &temporary] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = match part.user {
        User::Same => Command::new(tests),
        User::Contained => {
            let mut command = Command::new(own.join("container"));
            command.arg(tests).env(CONTAINED, "1");
            command
        }
        User::Ordinary(user) => {
            // Cases put files next to the programs.
            let given = Command::new("chown")
                .arg("-R")
                .arg(format!("{user}:{user}"))
                .arg(own)
                .status();
            assert!(
                given.unwrap().success(),
                "the programs can be given to another user"
            );
            let mut command = Command::new("setpriv");
            command
                .arg(format!("--reuid={user}"))
                .arg(format!("--regid={user}"))
                .args(["--clear-groups", "--"]);
            command.arg(tests).env("HOME", "/").current_dir("/");
            command
        }
    };
    command
        .args(["part", part.level.name(), part.selection.name()])
        .arg(own)
        .arg(filter)
        .env("TMPDIR", &temporary)
        .stdin(Stdio::null());
    // A file and not a pipe: a process that a failed case left would keep a pipe open.
    let log = File::create(own.join("log")).unwrap();
    let status = command
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .status();
    match status {
        Ok(status) => (
            status.success(),
            String::from_utf8_lossy(&std::fs::read(own.join("log")).unwrap()).into_owned(),
        ),
        Err(error) if matches!(part.user, User::Ordinary(_)) => {
            (true, format!("SKIPPED: `setpriv`: {error}\n"))
        }
        Err(error) => (false, format!("FAILED: {error}\n")),
    }
}
