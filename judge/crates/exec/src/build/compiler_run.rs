//! One run of a compiler in the sandbox.
//!
//! Responsible for the limits of compilers, and for the message when one was killed. Must not know
//! what is compiled.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_model::{Limit, Limits, SIGXFSZ, Termination, micros, signal_name};
use judge_sandbox::{
    Bind, CancelToken, Capture, CopyLimits, Execution, Finished, RunLimits, Slot, WarmStart, Work,
    copy_tree,
};
use rustix::fs::{fstat, fstatvfs, stat};
use rustix::io::Errno;

use crate::ExecError;
use crate::build::linking::{is_unable_to_link, proves_unable_to_link};
use crate::build::places::unplaced;
use crate::build::program::environment;
use crate::build::toolchain::Toolchain;
use crate::fault::Fault;
use crate::store::programs::Manifest;

/// Bytes of a compiler's output that are kept: nobody reads more, and template errors write without
/// end.
const MESSAGE_BYTES: u64 = 1 << 20;
/// Size of a compiler's working directory, beyond its memory limit.
const OUTPUT_BYTES: u64 = 512 << 20;
const OUTPUT_FILES: u64 = 16_384;
/// The message of a compiler when a disk is full (strerror(3)).
const NO_SPACE: &[u8] = b"No space left on device";
/// A disk with less free space may be too full for a large program.
const MIN_FREE_BYTES: u64 = 256 << 20;
/// Compilers run several threads, and drivers run several compilers.
const PROCESSES: u32 = 256;

/// A finished run of a compiler.
pub(super) struct CompilerRun {
    pub(super) finished: Finished,
    /// The message that it wrote, with the places of a fixed layout.
    pub(super) message: Vec<u8>,
    limits: RunLimits,
}

/// A compiler to run.
pub(super) struct CompilerCommand<'a> {
    pub(super) toolchain: &'a Toolchain,
    pub(super) command: Vec<OsString>,
    /// Directories that are copied into its working directory.
    pub(super) work_files: Vec<PathBuf>,
    /// Files that it sees where they are.
    pub(super) binds: Vec<Bind>,
    pub(super) limits: &'a Limits,
    pub(super) cancel: &'a CancelToken,
}

impl CompilerCommand<'_> {
    /// Runs it. `warm` is the way in which the slot may start it otherwise than as usual.
    pub(super) fn run(
        &self,
        slot: &mut dyn Slot,
        warm: Option<WarmStart>,
    ) -> Result<CompilerRun, ExecError> {
        let Self {
            toolchain,
            command,
            work_files,
            binds,
            ..
        } = self;
        tracing::debug!(target: "compile", ?command, ?work_files, ?binds, "compiler starts");
        let limits = run_limits(self.limits);
        let mut execution = Execution {
            env: environment(&toolchain.language, slot.layout()),
            work: Work::Writable {
                bytes: OUTPUT_BYTES,
                files: OUTPUT_FILES,
            },
            work_files: work_files.clone(),
            binds: binds.clone(),
            // A compiler finds its own libraries through /proc/self/exe ($ORIGIN in ld.so(8)).
            proc_mounted: true,
            keep_work: true,
            warm,
            ..Execution::new(command.clone(), limits.clone(), self.cancel.clone())
        };
        let mut capture = Capture::default();
        let finished = run_linking(slot, &mut execution, &mut capture, toolchain)?;
        tracing::debug!(target: "compile", outcome = ?finished.outcome, "compiler ended");
        // Most compilers write to standard error. Some write to standard output instead, and none
        // uses both for different things.
        let message = if capture.stderr.is_empty() {
            capture.stdout
        } else {
            capture.stderr
        };
        Ok(CompilerRun {
            finished,
            message: unplaced(message, slot.layout()),
            limits,
        })
    }
}

impl CompilerRun {
    /// The manifest of the program that it made, with this message of the compiler.
    pub(super) fn manifest(&self, message: String) -> Manifest {
        Manifest {
            cpu_time_us: micros(self.finished.outcome.usage.cpu_time),
            message,
        }
    }

    /// Returns a sentence if the compiler was killed instead of rejecting the program itself.
    pub(super) fn reason_of_kill(&self) -> Option<String> {
        let (outcome, limits) = (&self.finished.outcome, &self.limits);
        // A compiler driver reports a killed child as an internal error and exits normally, so the
        // kernel's count of kills decides.
        let limit = match outcome.termination {
            _ if outcome.usage.memory_kills > 0 => Limit::Memory,
            Termination::Exited { .. } | Termination::Cancelled => return None,
            Termination::Signaled { signal: SIGXFSZ } => {
                return Some(format!(
                    "the compiler wrote a file of more than {} MiB",
                    OUTPUT_BYTES >> 20
                ));
            }
            Termination::Signaled { signal } => {
                let name = signal_name(signal)
                    .map_or_else(|| format!("signal {signal}"), ToOwned::to_owned);
                return Some(format!("the compiler was killed by {name}"));
            }
            Termination::Killed { limit } => limit,
        };
        Some(match limit {
            Limit::CpuTime => format!(
                "the compiler exceeded its CPU time limit of {} s",
                limits.cpu_time.as_secs_f64()
            ),
            Limit::WallTime => format!(
                "the compiler did not finish within {} s",
                limits.wall_time.as_secs_f64()
            ),
            Limit::Memory => format!(
                "the compiler exceeded its memory limit of {} MiB",
                limits.memory_bytes >> 20
            ),
            Limit::Output => format!(
                "the compiler wrote more than {} KiB of messages",
                limits.stderr_bytes >> 10
            ),
        })
    }

    /// Returns an error if a failed compiler had no space on a disk of this host, which is not the
    /// fault of the program.
    pub(super) fn require_space(&self) -> Result<(), ExecError> {
        let directory = std::env::temp_dir();
        // A program can make a compiler print these words, so they count only if the disk is almost
        // full. A slot with a disk of its own has a bound there, which is the program's.
        let says_so = memchr::memmem::find(&self.message, NO_SPACE).is_some();
        let (true, Some(work)) = (says_so, &self.finished.work) else {
            return Ok(());
        };
        let is_of_host = fstat(work).is_ok_and(|work| {
            stat(&directory).is_ok_and(|directory| directory.st_dev == work.st_dev)
        });
        // A compiler that fails removes its files again, so the disk has some space afterwards.
        let is_full = fstatvfs(work)
            .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < MIN_FREE_BYTES);
        if !(is_of_host && is_full) {
            return Ok(());
        }
        let source = io::Error::from(Errno::NOSPC);
        Err(ExecError::io("compile in", &directory)(source))
    }

    /// Copies the compiler's output files into a new directory.
    pub(super) fn take_output(&self, into: &Path) -> Result<(), Fault> {
        let Some(work) = &self.finished.work else {
            return Ok(());
        };
        let limits = CopyLimits {
            bytes: OUTPUT_BYTES,
            entries: OUTPUT_FILES,
            depth: 32,
        };
        let copied = copy_tree(work, Path::new("."), into, limits);
        copied
            .map(drop)
            .map_err(|error| Fault::of_copying("the compiler's output cannot be used", error))
    }
}

/// Runs a compiler. If this host cannot link statically, the program is not at fault, and the
/// compiler is run again without the flags for it.
fn run_linking(
    slot: &mut dyn Slot,
    execution: &mut Execution,
    capture: &mut Capture,
    toolchain: &Toolchain,
) -> Result<Finished, ExecError> {
    let language = &toolchain.language;
    let flags = if language.compile.is_empty() {
        0
    } else {
        language.static_flags.len()
    };
    if flags > 0 && !is_unable_to_link(toolchain) {
        let finished = slot.run(execution, capture)?;
        // A failure may be the program's. The host is the reason only if an empty program also
        // fails to link statically, which is tried once for each toolchain.
        if finished.outcome.is_clean_exit() || !proves_unable_to_link(toolchain) {
            return Ok(finished);
        }
    }
    execution.args.drain(1..flags + 1);
    Ok(slot.run(execution, capture)?)
}

fn run_limits(limits: &Limits) -> RunLimits {
    RunLimits {
        cpu_time: limits.compilation_time,
        wall_time: limits.compilation_time * 2 + Duration::from_secs(1),
        memory_bytes: limits.compilation_memory_bytes,
        stdout_bytes: MESSAGE_BYTES,
        stderr_bytes: MESSAGE_BYTES,
        processes: PROCESSES,
    }
}
