//! The launcher of the level `none`: this program, which limits itself and then becomes the
//! program to run.
//!
//! Responsible for limits that the program cannot raise again. Must not know what it starts.

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::process::ExitCode;

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::kernel::{self, Fork, Strings};
use crate::levels::ceilings;

/// Becomes the program that the arguments name. Returns only if it cannot.
pub(crate) fn launch() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let mut number = || {
        args.next()
            .and_then(|text| text.to_str()?.parse().ok())
            .unwrap_or(u64::MAX)
    };
    let limits = [
        (Resource::Core, 1),
        (Resource::Stack, number()),
        (Resource::Fsize, number()),
        (Resource::Cpu, number()),
    ];
    let (Some(started), Some(fault), Some(program)) = (args.next(), args.next(), args.next())
    else {
        return ExitCode::FAILURE;
    };
    // The largest resident set of a process includes those of all programs that it was before: of
    // this one, and of the judge whose memory it began with. A forked process begins with only the
    // memory that this program has written, so the fork becomes the program.
    match kernel::fork_sibling() {
        Ok(Fork::Child) => {}
        Ok(Fork::Parent(pid)) => {
            let written = symlink(pid.to_string(), started);
            return if written.is_ok() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            };
        }
        // Without such a fork, this process becomes the program.
        Err(_) if symlink(std::process::id().to_string(), started).is_ok() => {}
        Err(_) => return ExitCode::FAILURE,
    }
    // Ignored signals survive execve: Rust's runtime ignores SIGPIPE, and a program must not
    // inherit that.
    kernel::reset_signals();
    let _ = kernel::close_from(3);
    let own = [
        (Resource::Nofile, ceilings::DESCRIPTORS),
        (Resource::Memlock, ceilings::LOCKED),
        (Resource::As, u64::MAX),
        (Resource::Data, u64::MAX),
    ];
    let limits = limits.into_iter().chain(own);
    for (resource, limit) in limits {
        // A hard limit can always be lowered, and never raised without privilege.
        let limit = limit.min(getrlimit(resource).maximum.unwrap_or(u64::MAX));
        let _ = setrlimit(resource, ceilings::fixed(limit));
        // Even if no file may be written, run-times still try to, and continue after an error.
        if matches!(resource, Resource::Fsize) && limit == 0 {
            kernel::ignore_signal(libc::SIGXFSZ, true);
        }
    }
    // execvp(3) is not used: it passes a file that is not a program to a shell.
    let strings = |values: Vec<OsString>| {
        let values: Vec<CString> = values
            .into_iter()
            .filter_map(|text| CString::new(text.into_vec()).ok())
            .collect();
        let mut strings = Strings::default();
        strings.replace(values.iter().map(CString::as_c_str));
        strings
    };
    let environment = std::env::vars_os()
        .map(|(name, value)| [name, "=".into(), value].into_iter().collect())
        .collect();
    let args = strings(args.collect());
    let Ok(program) = CString::new(program.into_vec()) else {
        return ExitCode::FAILURE;
    };
    let error = kernel::exec(&program, &args, &strings(environment));
    // A link instead of a file, because file contents could not be written if no file may be
    // written.
    let _ = symlink(error.raw_os_error().to_string(), fault);
    ExitCode::FAILURE
}
