//! Faults of the host and of the sandbox itself.
//!
//! Responsible for one message per fault. Must not hold anything that a sandboxed program did: that
//! is an outcome.

use std::io;
use std::path::PathBuf;

use judge_model::{Isolation, IsolationLevel};

/// An attempt at an isolation level that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The level.
    pub level: IsolationLevel,
    /// The way in which the level was tried, such as `as root with control groups v1`.
    pub way: String,
    /// The reason why it is unavailable.
    pub reason: String,
}

/// A fault of the host or of the sandbox, never of a sandboxed program.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// No requested isolation level is available on this host.
    #[error("{}", unavailable(*demand, attempts))]
    Unavailable {
        /// The level that was requested by name.
        demand: Option<IsolationLevel>,
        /// All attempts, in their order.
        attempts: Vec<Attempt>,
    },
    /// The isolation differs from the one that this host provided before under the same
    /// circumstances.
    #[error(
        "this host provides {} now; expected {}, as before under the same circumstances\nhint: run again; the cached value was removed",
        described(found),
        described(expected)
    )]
    IsolationChanged {
        /// The isolation that this host provided before, and that was reported.
        expected: Box<Isolation>,
        /// The isolation that this host provides now.
        found: Box<Isolation>,
    },
    /// The host refused something that the sandbox needs.
    #[error("cannot {action}: {source}")]
    Host {
        /// The action that failed, to be read after "cannot".
        action: String,
        /// The host's answer.
        source: io::Error,
    },
    /// A limit of this process is below what programs need.
    #[error("this process may {} {found} {}{what}; programs need {}\nhint: raise the limit with `ulimit -{option}`",
        if *option == "u" { "start" } else { "have" }, if *option == "u" { "more " } else { "" },
        if *needed == u64::MAX { "it unlimited".to_owned() } else { needed.to_string() })]
    Ceiling {
        /// The things that are limited.
        what: &'static str,
        /// The number that the limit allows.
        found: u64,
        /// The number that programs need; `u64::MAX` where they must not be limited.
        needed: u64,
        /// The option of the shell's `ulimit`.
        option: &'static str,
    },
    /// The control group of this process permits fewer processes than programs need.
    #[error(
        "the control group of this process permits {found} more processes; programs need {needed}\n\
         hint: raise the limit: `--pids-limit` of a container, `TasksMax` of a service of systemd"
    )]
    GroupCeiling {
        /// The number of further processes that the group permits.
        found: u64,
        /// The number that programs need.
        needed: u64,
    },
    /// The kernel killed a program within its memory limit, for lack of memory of the host or of a
    /// container.
    #[error(
        "too little memory on this host: the kernel killed a program that used {} MiB of its {} MiB\n\
         hint: permit more (in a container: `--memory`), or run fewer programs at a time (`--jobs`)",
        used_bytes >> 20, limit_bytes >> 20
    )]
    OutOfMemory {
        /// The memory that the run used.
        used_bytes: u64,
        /// The memory limit of the run.
        limit_bytes: u64,
    },
    /// The control group of this process refused a process to a program within its limits.
    #[error(
        "too few processes are permitted: the control group of this process refused one to a program\n\
         hint: raise the limit (`--pids-limit` of a container, `TasksMax` of a service of systemd), or run fewer programs at a time (`--jobs`)"
    )]
    OutOfProcesses,
    /// The disk on which programs write files is full.
    #[error(
        "too little space is left in `{}`, where programs write files: they need 64 MiB, or their own limit if it is lower\n\
         hint: free some, or set `TMPDIR` to a directory on another disk",
        directory.display()
    )]
    DiskFull {
        /// The directory for temporary files.
        directory: PathBuf,
    },
    /// The requested execution is invalid.
    #[error("invalid execution: {reason}")]
    InvalidExecution {
        /// The reason: what was expected and what was found.
        reason: String,
    },
    /// The program could not be started.
    #[error(
        "cannot start `{}`: {source}; expected an executable file at this path inside the sandbox, whose interpreter or loader is visible too",
        program.display()
    )]
    Program {
        /// Its path inside the sandbox.
        program: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The file system of the program forbids to execute files.
    #[error(
        "cannot execute programs below `{}`: it is mounted with the option `noexec`\n\
         hint: mount it with `exec` (in a container: `--tmpfs /tmp:exec`), or set `JUDGE_CACHE_DIR` and `TMPDIR` to directories elsewhere",
        mount.display()
    )]
    NoExecution {
        /// The directory at which the file system is mounted.
        mount: PathBuf,
    },
    /// The helper process of a slot ended, and so did its replacement. The slot starts a new one
    /// with its next run.
    #[error("the sandbox's helper process ended: {detail}")]
    HelperEnded {
        /// The known details.
        detail: String,
    },
    /// The helper process of a slot failed. The slot starts a new one with its next run.
    #[error("the sandbox's helper process failed: {detail}")]
    Helper {
        /// The known details.
        detail: String,
    },
}

impl SandboxError {
    /// Returns a function for `map_err` that turns the host's refusal into an error. `action` is
    /// the refused action, to be read after "cannot".
    pub(crate) fn host<E: Into<io::Error>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        move |source| Self::Host {
            action: action.into(),
            source: source.into(),
        }
    }

    pub(crate) fn helper(detail: impl Into<String>) -> Self {
        Self::Helper {
            detail: detail.into(),
        }
    }

    pub(crate) fn helper_ended(detail: impl Into<String>) -> Self {
        Self::HelperEnded {
            detail: detail.into(),
        }
    }

    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        Self::InvalidExecution {
            reason: reason.into(),
        }
    }
}

fn described(isolation: &Isolation) -> String {
    let version = isolation
        .cgroup_version
        .map(|version| format!(", cgroup v{version}"))
        .unwrap_or_default();
    let gaps: Vec<&str> = isolation.gaps.iter().map(|gap| gap.name()).collect();
    let gaps = if gaps.is_empty() {
        String::new()
    } else {
        format!(", without {}", gaps.join(", "))
    };
    format!("the isolation `{}`{version}{gaps}", isolation.level)
}

fn unavailable(demand: Option<IsolationLevel>, attempts: &[Attempt]) -> String {
    let mut text = match demand {
        Some(level) => format!("the isolation level `{level}` is unavailable on this host"),
        None => {
            "this host supports no isolation level that is safe for untrusted programs".to_owned()
        }
    };
    for Attempt { level, way, reason } in attempts {
        text.push_str(&format!("\n  `{level}` {way}: {reason}"));
    }
    text.push_str(match demand {
        Some(IsolationLevel::Landlock) => {
            "\nhint: `landlock` is for ordinary users, on Linux 5.13 or newer with Landlock"
        }
        Some(IsolationLevel::User) => "\nhint: `user` is for root",
        _ => "\nhint: `judge doctor` shows the commands and settings that enable a level",
    });
    if demand.is_none() {
        text.push_str("; `--isolation none` runs trusted programs without isolation");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attempt_is_reported() {
        let attempt = Attempt {
            level: IsolationLevel::Full,
            way: "as root".to_owned(),
            reason: "no control groups".to_owned(),
        };
        let error = SandboxError::Unavailable {
            demand: Some(IsolationLevel::Full),
            attempts: vec![attempt],
        };
        let text = error.to_string();
        assert!(
            text.starts_with("the isolation level `full` is unavailable"),
            "{text}"
        );
        assert!(text.contains("`full` as root: no control groups"), "{text}");
    }
}
