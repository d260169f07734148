//! A program of the host that cannot start any other.
//!
//! Responsible for refusing the execution of every file but the program and its dynamic loader.
//! Must not know the program.
//!
//! A ruleset of Landlock holds for the thread that takes it on, and for the processes which that
//! thread starts. So one thread is bound to it, starts the program, and ends; nothing else in this
//! process is bound.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::kernel;

/// `LANDLOCK_ACCESS_FS_EXECUTE` (linux/landlock.h).
const FS_EXECUTE: u64 = 1;

/// Starts a program that can start no other. A script, and any program on a kernel without
/// Landlock, is not restricted.
///
/// # Errors
/// When the program cannot be started, or the kernel has Landlock and refuses to use it.
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    std::thread::scope(|scope| {
        let starter = std::thread::Builder::new().spawn_scoped(scope, move || {
            restrict(command.get_program().as_ref())?;
            command.spawn()
        })?;
        starter
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that starts it has panicked")))
    })
}

/// Restricts the calling thread, and what it starts, to executing `program` and its dynamic loader.
/// Has no effect for a script, whose interpreter could execute other programs anyway, and on
/// kernels without Landlock.
fn restrict(program: &Path) -> io::Result<()> {
    let file = File::open(program)?;
    // The kernel opens the loader as part of execve, and Landlock checks that as a separate
    // execution.
    let Some(loader) = dynamic_loader(&file)? else {
        return Ok(());
    };
    if kernel::landlock_version() == 0 {
        return Ok(());
    }
    let ruleset = kernel::landlock_ruleset(&[FS_EXECUTE])?;
    kernel::landlock_allow(ruleset.as_fd(), file.as_fd(), FS_EXECUTE)?;
    if let Some(loader) = loader {
        kernel::landlock_allow(ruleset.as_fd(), File::open(loader)?.as_fd(), FS_EXECUTE)?;
    }
    // Without CAP_SYS_ADMIN, landlock_restrict_self(2) demands it.
    rustix::thread::set_no_new_privs(true)?;
    Ok(kernel::landlock_restrict(ruleset.as_fd())?)
}

/// The dynamic loader that an ELF file of this machine names; `Some(None)` if it names none, `None`
/// for other files. elf(5): `e_phoff`, `e_phentsize` and `e_phnum` of the header, `p_type`,
/// `p_offset` and `p_filesz` of segments.
fn dynamic_loader(file: &File) -> io::Result<Option<Option<PathBuf>>> {
    const PT_INTERP: u32 = 3;
    const CLASS_64_BITS: u8 = 2;
    let mut header = Vec::new();
    file.take(64).read_to_end(&mut header)?;
    if header.len() < 64 || !header.starts_with(b"\x7fELF") || header[4] != CLASS_64_BITS {
        return Ok(None);
    }
    let half = |at: usize| u64::from(u16::from_ne_bytes([header[at], header[at + 1]]));
    let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
    let (table, size, count) = (word(&header[32..40]), half(54), half(56));
    for number in 0..count {
        let mut segment = [0; 56];
        file.read_exact_at(&mut segment, table.saturating_add(number * size))?;
        if segment[..4] == PT_INTERP.to_ne_bytes() {
            let mut path = vec![0; word(&segment[32..40]).min(4096) as usize];
            file.read_exact_at(&mut path, word(&segment[8..16]))?;
            let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
            return Ok(Some(Some(OsStr::from_bytes(path).into())));
        }
    }
    Ok(Some(None))
}

#[cfg(test)]
mod tests {
    use super::super::{AnswerBounds, host_answer, host_program};
    use super::*;

    #[test]
    fn the_dynamic_loader_is_read_from_the_program() {
        let shell = File::open("/bin/sh").unwrap();
        let loader = dynamic_loader(&shell)
            .unwrap()
            .expect("a shell is an ELF file")
            .expect("with a loader");
        assert!(
            loader.is_absolute() && loader.is_file(),
            "{}",
            loader.display()
        );
        let mut script = tempfile::tempfile().unwrap();
        io::Write::write_all(&mut script, b"#!/bin/sh\nexit 0\n").unwrap();
        assert_eq!(dynamic_loader(&script).unwrap(), None);
    }

    #[test]
    fn other_programs_are_started_only_if_allowed() {
        let ask = |starts_programs| {
            let mut command = host_program(Path::new("/bin/sh"));
            command.args(["-c", "echo first; /bin/cat /dev/null && echo second"]);
            let output = host_answer(
                command,
                Vec::new(),
                AnswerBounds {
                    starts_programs,
                    ..AnswerBounds::default()
                },
            );
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        assert_eq!(ask(true), "first\nsecond\n");
        if !crate::has_landlock() {
            println!("SKIPPED: this kernel has no Landlock");
            return;
        }
        assert_eq!(ask(false), "first\n");
        // Only that program was bound.
        assert_eq!(ask(true), "first\nsecond\n");
    }
}
