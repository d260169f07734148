//! Programs of the host that are started outside the sandbox, with all rights of the harness's
//! user.
//!
//! Responsible for keeping files of packages, of submissions and of the current directory from
//! influencing them. Must not know what they are run for. `judge/docs/background/sandbox.md` has
//! the table of all of them.
//!
//! Version managers and compilers look for settings in the current directory and above it
//! (`rust-toolchain.toml`, `.tool-versions`, `.python-version`, `go.mod`), and in variables. So
//! they are started in the root directory, where only root can put a file, and get no variables but
//! those that name the user's own installations.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, prlimit};

use crate::levels::ceilings::fixed;

mod only_program;

/// The directory that these programs start in.
const DIRECTORY: &str = "/";

/// The variables that these programs get, if they are set.
const VARIABLES: [&str; 27] = [
    "HOME",
    "USER",
    "LOGNAME",
    // Git trusts a repository of the user who called sudo(8).
    "SUDO_UID",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    LIBRARIES,
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "CARGO_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "CONDA_PREFIX",
    "JAVA_HOME",
    "SDKMAN_DIR",
    "JENV_ROOT",
    "JENV_VERSION",
    "NVM_DIR",
    "NODENV_ROOT",
    "NODENV_VERSION",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "VOLTA_HOME",
    "GOROOT",
    "GHCUP_INSTALL_BASE_PREFIX",
];

/// The directories in which the dynamic loader looks for libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// Prefixes of further variables: some version managers have one for each tool.
const FAMILIES: [&str; 2] = ["ASDF_", "MISE_"];

/// The variables with a fixed value.
const FIXED: [(&str, &str); 4] = [
    // The output of programs is compared with earlier output, and is shown to users elsewhere.
    ("LC_ALL", "C.UTF-8"),
    // Requesting a version must not download anything.
    ("RUSTUP_AUTO_INSTALL", "0"),
    ("GOTOOLCHAIN", "local"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
];

/// A program of the host, to be started outside the sandbox without anything to read.
///
/// # Panics
/// When its path is not absolute: it would be looked for in the current directory, or in the
/// directories of `PATH`.
#[must_use]
pub fn host_program(program: &Path) -> Command {
    assert!(
        program.is_absolute(),
        "programs outside the sandbox have absolute paths"
    );
    let mut command = Command::new(program);
    command
        .current_dir(DIRECTORY)
        .env_clear()
        .envs(host_environment())
        .stdin(Stdio::null());
    command
}

/// The bounds of a program's output and resources.
#[derive(Clone, Copy, Debug)]
pub struct AnswerBounds {
    /// The maximum time for which the program may run.
    pub time: Duration,
    /// The maximum output on each stream, in bytes.
    pub bytes: u64,
    /// The maximum private memory of the program, in bytes (`RLIMIT_DATA`).
    pub memory_bytes: Option<u64>,
    /// True if the program may start others. Not enforced for scripts, and without Landlock in the
    /// kernel.
    pub starts_programs: bool,
}

impl Default for AnswerBounds {
    /// Ten times the time that the slowest compiler takes to print its version on a busy host.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(60),
            bytes: 1 << 20,
            memory_bytes: None,
            starts_programs: true,
        }
    }
}

/// The interval between checks whether a program that has closed its streams has ended.
const POLL: Duration = Duration::from_millis(1);

/// Runs a program of [`host_program`] with this standard input, and reads what it writes.
///
/// # Errors
/// When it cannot be started, takes longer (`TimedOut`), or writes more (`FileTooLarge`). It is
/// killed then.
pub fn host_answer(
    mut command: Command,
    input: Vec<u8>,
    bounds: AnswerBounds,
) -> io::Result<Output> {
    let deadline = Instant::now() + bounds.time;
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = if bounds.starts_programs {
        command.spawn()?
    } else {
        only_program::spawn(command)?
    };
    if let (Some(bytes), Some(pid)) = (bounds.memory_bytes, Pid::from_raw(child.id().cast_signed()))
    {
        // It may have ended already.
        let _ = prlimit(Some(pid), Resource::Data, fixed(bytes));
    }
    // The deadline holds for all of it: a program may close its streams and live on, or end while a
    // child of its own keeps them open.
    let collect = || {
        // The threads are not joined: a process that the program has started may keep a stream open
        // forever.
        if let Some(mut stdin) = child.stdin.take() {
            // The program may answer before it has read everything. A program that refuses the rest
            // reports why.
            Builder::new().spawn(move || stdin.write_all(&input))?;
        }
        let (sender, receiver) = mpsc::channel();
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|stream| Box::new(stream) as _),
            child.stderr.take().map(|stream| Box::new(stream) as _),
        ];
        for (number, stream) in streams.into_iter().flatten().enumerate() {
            let sender = sender.clone();
            Builder::new().spawn(move || {
                let mut bytes = Vec::new();
                let read = stream
                    .take(bounds.bytes.saturating_add(1))
                    .read_to_end(&mut bytes);
                sender.send((number, read.map(|_| bytes)))
            })?;
        }
        let mut outputs = [Vec::new(), Vec::new()];
        for _ in 0..outputs.len() {
            let left = deadline.saturating_duration_since(Instant::now());
            let (number, bytes) = receiver.recv_timeout(left).map_err(|_| too_slow(bounds))?;
            outputs[number] = bytes?;
            if outputs[number].len() as u64 > bounds.bytes {
                let text = format!("it wrote more than {} bytes", bounds.bytes);
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
            }
        }
        loop {
            if let Some(status) = child.try_wait()? {
                let [stdout, stderr] = outputs;
                return Ok(Output {
                    status,
                    stdout,
                    stderr,
                });
            }
            if Instant::now() >= deadline {
                return Err(too_slow(bounds));
            }
            thread::sleep(POLL);
        }
    };
    collect().inspect_err(|_| {
        // The error that counts is the first one.
        let _ = child.kill().and_then(|()| child.wait());
    })
}

fn too_slow(bounds: AnswerBounds) -> io::Error {
    let text = format!("it did not end within {} s", bounds.time.as_secs());
    io::Error::new(io::ErrorKind::TimedOut, text)
}

/// The environment of programs outside the sandbox.
#[must_use]
pub fn host_environment() -> BTreeMap<OsString, OsString> {
    // An allowlist: variables such as `GIT_DIR`, `PYTHONPATH` or `RUSTC_WRAPPER` decide which code
    // a tool runs.
    let is_passed = |name: &OsStr| {
        let is_of_family = |family: &&str| name.as_encoded_bytes().starts_with(family.as_bytes());
        VARIABLES.iter().any(|passed| name == *passed) || FAMILIES.iter().any(is_of_family)
    };
    let mut environment: BTreeMap<OsString, OsString> = std::env::vars_os()
        .filter(|(name, _)| is_passed(name))
        .collect();
    if let Some(path) = std::env::var_os("PATH").and_then(|path| absolute_directories(&path)) {
        environment.insert("PATH".into(), path);
    }
    // The dynamic loader, too, takes an empty entry for the current directory (ld.so(8)).
    if let Some(libraries) = environment
        .remove(OsStr::new(LIBRARIES))
        .and_then(|value| absolute_directories(&value))
    {
        environment.insert(LIBRARIES.into(), libraries);
    }
    environment.extend(FIXED.map(|(name, value)| (name.into(), value.into())));
    environment
}

/// The programs of a name in `PATH`, in its order.
pub fn programs_in_path(name: &str, path: &OsStr) -> Vec<PathBuf> {
    directories_of(path)
        .map(|directory| directory.join(name))
        .filter(|program| program.is_file())
        .collect()
}

/// The directories of a `PATH` that are the same wherever a command is started. An empty entry is
/// the current directory, and so is one through `/proc/self`.
fn directories_of(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute() && !directory.starts_with("/proc"))
}

/// Removes all other directories from such a variable; `None` if none are left.
fn absolute_directories(value: &OsStr) -> Option<OsString> {
    let directories: Vec<PathBuf> = directories_of(value).collect();
    if directories.is_empty() {
        None
    } else {
        std::env::join_paths(directories).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn programs_start_in_the_root_directory_with_few_variables() {
        let output = host_program(Path::new("/bin/sh"))
            .args(["-c", "pwd; env; cat"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("/"));
        // The shell sets these itself.
        for name in lines
            .filter_map(|line| line.split_once('='))
            .map(|(name, _)| name)
        {
            let is_known = VARIABLES.contains(&name)
                || FAMILIES.iter().any(|family| name.starts_with(family))
                || FIXED.iter().any(|(fixed, _)| *fixed == name)
                || ["PATH", "PWD", "OLDPWD", "SHLVL", "_"].contains(&name);
            assert!(is_known, "{name}");
        }
    }

    #[test]
    fn time_and_output_are_bounded() {
        let ask = |script: &str, input: &[u8], time: Duration| {
            let mut command = host_program(Path::new("/bin/sh"));
            command.args(["-c", script]);
            host_answer(
                command,
                input.to_owned(),
                AnswerBounds {
                    time,
                    bytes: 1000,
                    memory_bytes: Some(256 << 20),
                    ..AnswerBounds::default()
                },
            )
        };
        let long = Duration::from_secs(60);
        let output = ask("cat; echo wrong >&2; exit 3", b"text", long).unwrap();
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (&b"text"[..], &b"wrong\n"[..])
        );
        assert_eq!(output.status.code(), Some(3));
        // More than a pipe holds is not read.
        assert!(ask("true", &[0; 1 << 20], long).unwrap().status.success());
        for script in ["head -c 2000 /dev/zero", "head -c 2000 /dev/zero >&2"] {
            assert_eq!(
                ask(script, b"", long).unwrap_err().kind(),
                io::ErrorKind::FileTooLarge,
                "{script}"
            );
        }
        // The program reads more into its memory than it may have.
        let greedy = "sleep 0.2; text=$(head -c 600000000 /dev/zero | tr '\\0' x); echo ${#text}";
        assert!(
            !ask(greedy, b"", long).is_ok_and(|output| output.stdout.starts_with(b"600000000"))
        );
        let short = Duration::from_millis(300);
        let begun = Instant::now();
        // The second one closes its streams, the third leaves them to another process.
        for script in [
            "exec sleep 90",
            "exec sleep 90 >&- 2>&-",
            "sleep 90 & exit 0",
        ] {
            let error = ask(script, b"", short).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{script}");
        }
        assert!(
            begun.elapsed() < Duration::from_secs(40),
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    #[should_panic(expected = "absolute")]
    fn relative_paths_are_refused() {
        let _ = host_program(Path::new("sh"));
    }

    #[test]
    fn relative_directories_are_removed_from_the_path() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("tool");
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let here = std::env::current_dir().unwrap();
        let below_proc =
            Path::new("/proc/self/root").join(directory.path().strip_prefix("/").unwrap());
        let path = [
            Path::new(""),
            Path::new("."),
            &below_proc,
            directory.path(),
            Path::new("bin"),
            &here,
        ];
        let path = std::env::join_paths(path).unwrap();
        assert_eq!(programs_in_path("tool", &path), [program]);
        assert_eq!(
            directories_of(&path).collect::<Vec<_>>(),
            [directory.path().to_owned(), here]
        );
    }

    #[test]
    fn libraries_are_not_searched_in_the_current_directory() {
        for (variable, passed) in [
            (":/opt/lib", Some("/opt/lib")),
            ("lib:.", None),
            ("/a:/proc/self/cwd:/b", Some("/a:/b")),
        ] {
            let passed = passed.map(OsString::from);
            assert_eq!(
                absolute_directories(OsStr::new(variable)),
                passed,
                "{variable}"
            );
        }
    }
}
