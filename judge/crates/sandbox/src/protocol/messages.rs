//! The messages between the harness and its zygotes.
//!
//! Responsible for their fields and the order of these. Must not know how a run is prepared or
//! executed.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use crate::clock::nanos;
use crate::numbered::numbered;
use crate::protocol::wire::{Malformed, Reader, Writer};
use crate::{Execution, RunLimits, SlotSpec, WarmRefused, Work};

/// The kinds of messages.
pub(crate) mod kind {
    pub(crate) const SETUP: u32 = 1;
    pub(crate) const GROUP: u32 = 2;
    pub(crate) const RUN: u32 = 3;
    pub(crate) const KILL: u32 = 4;
    pub(crate) const READY: u32 = 5;
    pub(crate) const FINISHED: u32 = 6;
    pub(crate) const FAULT: u32 = 7;
    pub(crate) const OBSERVE: u32 = 8;
    pub(crate) const STATE: u32 = 9;
    /// The zygote is still removing what a run has left.
    pub(crate) const BUSY: u32 = 10;
    /// Like a run, but the program is stopped at `main`, to be run from there repeatedly.
    pub(crate) const WARM: u32 = 11;
    /// One run of the program that is warm.
    pub(crate) const RUN_WARM: u32 = 12;

    /// The name of a kind in the log.
    pub(crate) fn name(kind: u32) -> &'static str {
        const NAMES: [&str; 12] = [
            "setup", "group", "run", "kill", "ready", "finished", "fault", "observe", "state",
            "busy", "warm", "run warm",
        ];
        (kind as usize)
            .checked_sub(1)
            .and_then(|index| NAMES.get(index))
            .copied()
            .unwrap_or("unknown")
    }
}

numbered! {
    /// The mechanism that isolates the programs of a slot.
    pub(crate) enum Confinement {
        /// Their own namespaces.
        Namespaces = 1,
        /// Their own user, and Landlock.
        OwnUser,
        /// Landlock.
        SameUser,
    }
}

/// The setup of a slot, which a zygote performs once.
pub(crate) struct Setup<'a> {
    pub(crate) head: SetupHead,
    /// The directory of a slot without a mount namespace.
    pub(crate) scratch: &'a CStr,
    /// Host path and path inside.
    pub(crate) view: Vec<(&'a CStr, &'a CStr)>,
    /// Host paths.
    pub(crate) depots: Vec<&'a CStr>,
}

/// The fixed fields of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetupHead {
    pub(crate) confinement: Confinement,
    /// The user that programs run as; `None` to keep the caller's.
    pub(crate) uid: Option<u32>,
    /// True if a control group namespace hides the names of the groups above.
    pub(crate) hide_groups: bool,
    /// The processor to which the slot is pinned.
    pub(crate) core: Option<usize>,
    /// True if programs start no other processes.
    pub(crate) single_process: bool,
    /// True if programs may use local sockets.
    pub(crate) local_sockets: bool,
}

const NONE: u32 = u32::MAX;

fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

impl<'a> Setup<'a> {
    /// Writes a setup. The paths must not contain a NUL.
    pub(crate) fn write(writer: &mut Writer, head: &SetupHead, scratch: &Path, spec: &SlotSpec) {
        let core = head
            .core
            .and_then(|core| u32::try_from(core).ok())
            .unwrap_or(NONE);
        writer
            .start(kind::SETUP)
            .u32(head.confinement as u32)
            .u32(head.uid.unwrap_or(NONE))
            .u32(head.hide_groups.into());
        writer
            .u32(core)
            .u32(head.single_process.into())
            .u32(head.local_sockets.into())
            .string(bytes_of(scratch));
        writer.u32(spec.view.len() as u32);
        for mount in &spec.view {
            writer
                .string(bytes_of(&mount.source))
                .string(bytes_of(&mount.target));
        }
        writer.u32(spec.depots.len() as u32);
        for depot in &spec.depots {
            writer.string(bytes_of(depot));
        }
    }

    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let optional = |value| (value != NONE).then_some(value);
        let confinement = Confinement::from_number(reader.u32()?).ok_or(Malformed)?;
        Ok(Self {
            head: SetupHead {
                confinement,
                uid: optional(reader.u32()?),
                hide_groups: reader.u32()? != 0,
                core: optional(reader.u32()?).map(|core| core as usize),
                single_process: reader.u32()? != 0,
                local_sockets: reader.u32()? != 0,
            },
            scratch: reader.string()?,
            view: reader.list(|reader| Ok((reader.string()?, reader.string()?)))?,
            depots: reader.list(Reader::string)?,
        })
    }
}

numbered! {
    /// The role of a file descriptor of a control group. v1 and v2 differ in names and units.
    pub(crate) enum Role {
        /// The directory of the v2 group that programs are born into.
        BornInto = 1,
        /// v2 `cpu.stat`.
        CpuStat,
        /// v1 `cpuacct.usage`.
        CpuAccount,
        /// `memory.max` or v1 `memory.limit_in_bytes`.
        MemoryLimit,
        /// v1 `memory.memsw.limit_in_bytes`.
        MemoryAndSwapLimit,
        /// `memory.current` or v1 `memory.usage_in_bytes`.
        MemoryUsage,
        /// `memory.peak` or v1 `memory.max_usage_in_bytes`, which are reset when they are written
        /// to.
        MemoryPeak,
        /// `memory.events` or v1 `memory.oom_control`, both with a line `oom_kill N`.
        MemoryEvents,
        /// `pids.max`.
        ProcessLimit,
        /// v1 `tasks`: the program's process moves there before it becomes the program.
        Join,
        /// v1 `memory.force_empty` or v2 `memory.reclaim`: makes the group give back its cache.
        MemoryReclaim,
        /// v1 `memory.kmem.usage_in_bytes` or v2 `memory.stat`: the memory of the kernel for the
        /// group.
        KernelMemory,
        /// `pids.current`.
        ProcessCount,
    }
}

/// Writes a message that hands over a control group; the descriptors travel in the same order as
/// the roles.
pub(crate) fn write_group(writer: &mut Writer, files: &[(Role, OwnedFd)]) {
    writer.start(kind::GROUP).u32(files.len() as u32);
    for (role, _) in files {
        writer.u32(*role as u32);
    }
}

/// The roles of a control group's descriptors.
pub(crate) fn read_group(reader: &mut Reader<'_>) -> Result<Vec<Role>, Malformed> {
    reader.list(|reader| Role::from_number(reader.u32()?).ok_or(Malformed))
}

/// The source of a program's standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stdin<'a> {
    Empty,
    /// The first descriptor of the message.
    Descriptor,
    /// A file of a depot, by the depot's number and the path below it. It is opened on a read-only
    /// mount, so that not even its owner can change it through the descriptor.
    Depot(u32, &'a CStr),
}

impl<'a> Stdin<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        match reader.u32()? {
            0 => Ok(Self::Empty),
            1 => Ok(Self::Descriptor),
            2 => Ok(Self::Depot(reader.u32()?, reader.string()?)),
            _ => Err(Malformed),
        }
    }
}

/// A part of a depot that a run sees: the depot's number, the path below it (empty for all of it),
/// the path inside.
pub(crate) type BoundPart<'a> = (u32, &'a CStr, &'a CStr);

/// A part of a depot that is copied for a run: the depot's number and the path below it.
pub(crate) type CopiedPart<'a> = (u32, &'a CStr);

/// The number and the limits of a run, with which every order for one begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunBounds {
    /// The number that distinguishes messages about this run from stale ones.
    pub(crate) number: u64,
    pub(crate) cpu_time: Duration,
    pub(crate) wall_time: Duration,
    pub(crate) memory_bytes: u64,
    pub(crate) processes: u32,
}

impl RunBounds {
    /// Starts an order of this kind.
    fn write(writer: &mut Writer, order: u32, number: u64, limits: &RunLimits) {
        writer
            .start(order)
            .u64(number)
            .u64(nanos(limits.cpu_time))
            .u64(nanos(limits.wall_time))
            .u64(limits.memory_bytes)
            .u32(limits.processes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            number: reader.u64()?,
            cpu_time: Duration::from_nanos(reader.u64()?),
            wall_time: Duration::from_nanos(reader.u64()?),
            memory_bytes: reader.u64()?,
            processes: reader.u32()?,
        })
    }
}

/// The order for a run.
pub(crate) struct Run<'a> {
    pub(crate) bounds: RunBounds,
    /// Size and number of files.
    pub(crate) work: Option<(u64, u64)>,
    pub(crate) proc_mounted: bool,
    pub(crate) keep_work: bool,
    /// True for a rehearsal: every step except the last is done, so that no program is started.
    pub(crate) rehearsal: bool,
    pub(crate) stdin: Stdin<'a>,
    pub(crate) program: &'a CStr,
    /// The directory in which it starts; empty for the working directory.
    pub(crate) cwd: &'a CStr,
    pub(crate) args: Vec<&'a CStr>,
    pub(crate) env: Vec<&'a CStr>,
    pub(crate) binds: Vec<BoundPart<'a>>,
    /// Directories whose contents are put into the working directory.
    pub(crate) work_files: Vec<CopiedPart<'a>>,
}

const PROC: u32 = 1;
const KEEP: u32 = 2;
const REHEARSAL: u32 = 4;
const WRITABLE: u32 = 8;

impl<'a> Run<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        let bounds = RunBounds::read(reader)?;
        let (flags, bytes, files) = (reader.u32()?, reader.u64()?, reader.u64()?);
        Ok(Self {
            bounds,
            work: (flags & WRITABLE != 0).then_some((bytes, files)),
            proc_mounted: flags & PROC != 0,
            keep_work: flags & KEEP != 0,
            rehearsal: flags & REHEARSAL != 0,
            stdin: Stdin::read(reader)?,
            program: reader.string()?,
            cwd: reader.string()?,
            args: reader.list(Reader::string)?,
            env: reader.list(Reader::string)?,
            binds: reader.list(|reader| Ok((reader.u32()?, reader.string()?, reader.string()?)))?,
            work_files: reader.list(|reader| Ok((reader.u32()?, reader.string()?)))?,
        })
    }
}

/// The order for a run of a warm program; everything else is as when the program was started.
pub(crate) struct WarmRun<'a> {
    pub(crate) bounds: RunBounds,
    /// True if the runs before were of another program, which must not be able to pass data to this
    /// one.
    pub(crate) is_other_program: bool,
    pub(crate) stdin: Stdin<'a>,
    pub(crate) args: Vec<&'a CStr>,
}

impl<'a> WarmRun<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(Self {
            bounds: RunBounds::read(reader)?,
            is_other_program: reader.u32()? != 0,
            stdin: Stdin::read(reader)?,
            args: reader.list(Reader::string)?,
        })
    }
}

/// Starts an order for a run of a warm program ([`kind::RUN_WARM`]), with the fields in front of
/// its strings.
pub(crate) fn write_warm_run_head(
    writer: &mut Writer,
    number: u64,
    limits: &RunLimits,
    is_other_program: bool,
) {
    RunBounds::write(writer, kind::RUN_WARM, number, limits);
    writer.u32(u32::from(is_other_program));
}

/// Starts an order for a run, [`kind::RUN`] or [`kind::WARM`], with the fields in front of its
/// strings.
pub(crate) fn write_run_head(
    writer: &mut Writer,
    order: u32,
    number: u64,
    execution: &Execution,
    rehearsal: bool,
) {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let (writable, bytes, files) = match execution.work {
        Work::ReadOnly => (0, 0, 0),
        Work::Writable { bytes, files } => (WRITABLE, bytes, files),
    };
    let flags = writable | flag(execution.proc_mounted, PROC) | flag(execution.keep_work, KEEP);
    RunBounds::write(writer, order, number, &execution.limits);
    writer
        .u32(flags | flag(rehearsal, REHEARSAL))
        .u64(bytes)
        .u64(files);
}

pub(crate) fn write_stdin(writer: &mut Writer, stdin: Stdin<'_>) {
    match stdin {
        Stdin::Empty => writer.u32(0),
        Stdin::Descriptor => writer.u32(1),
        Stdin::Depot(depot, path) => writer.u32(2).u32(depot).string(path.to_bytes()),
    };
}

/// The ending of a run, as the zygote knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    Signaled(i32),
    CpuTime,
    WallTime,
    Memory,
    /// Killed by order of the harness, which knows the reason.
    Ordered,
    /// The program never ran: the step and the error number.
    NotStarted(u32, i32),
    /// The program has come as far as `main` and waits there for runs.
    Warmed,
    /// The result of the run is unknown, because the program was not warm or stopped being warm.
    Cold,
}

/// A zygote's report on a finished run. The directory of the work files travels along when it was
/// kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) number: u64,
    pub(crate) ending: Ending,
    pub(crate) cpu_time: Duration,
    pub(crate) wall_time: Duration,
    /// The time when the program ended, on the monotonic clock.
    pub(crate) ended: Duration,
    pub(crate) memory_bytes: u64,
    pub(crate) memory_kills: u32,
    /// True if the kernel killed processes although the run's own memory limit was not reached.
    pub(crate) is_host_out_of_memory: bool,
    /// The reason why a program is not warm, although it was or should have become warm.
    pub(crate) cold: Option<WarmRefused>,
}

impl Report {
    pub(crate) fn write(&self, writer: &mut Writer) {
        let (code, first, second) = match self.ending {
            Ending::Exited(code) => (0, 0, code),
            Ending::Signaled(signal) => (1, 0, signal),
            Ending::CpuTime => (2, 0, 0),
            Ending::WallTime => (3, 0, 0),
            Ending::Memory => (4, 0, 0),
            Ending::Ordered => (5, 0, 0),
            Ending::NotStarted(step, errno) => (6, step, errno),
            Ending::Warmed => (7, 0, 0),
            Ending::Cold => (8, 0, 0),
        };
        writer
            .start(kind::FINISHED)
            .u64(self.number)
            .u32(code)
            .u32(first)
            .u32(second.cast_unsigned());
        writer
            .u64(nanos(self.cpu_time))
            .u64(nanos(self.wall_time))
            .u64(nanos(self.ended));
        writer
            .u64(self.memory_bytes)
            .u32(self.memory_kills)
            .u32(self.is_host_out_of_memory.into())
            .u32(self.cold.map_or(0, |reason| reason as u32));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let number = reader.u64()?;
        let (code, first, second) = (reader.u32()?, reader.u32()?, reader.u32()?.cast_signed());
        let ending = match code {
            0 => Ending::Exited(second),
            1 => Ending::Signaled(second),
            2 => Ending::CpuTime,
            3 => Ending::WallTime,
            4 => Ending::Memory,
            5 => Ending::Ordered,
            6 => Ending::NotStarted(first, second),
            7 => Ending::Warmed,
            8 => Ending::Cold,
            _ => return Err(Malformed),
        };
        Ok(Self {
            number,
            ending,
            cpu_time: Duration::from_nanos(reader.u64()?),
            wall_time: Duration::from_nanos(reader.u64()?),
            ended: Duration::from_nanos(reader.u64()?),
            memory_bytes: reader.u64()?,
            memory_kills: reader.u32()?,
            is_host_out_of_memory: reader.u32()? != 0,
            cold: match reader.u32()? {
                0 => None,
                code => Some(WarmRefused::from_number(code).ok_or(Malformed)?),
            },
        })
    }
}

/// Descriptors to be sent, borrowed from their owners.
pub(crate) fn borrowed(files: &[(Role, OwnedFd)]) -> Vec<BorrowedFd<'_>> {
    use std::os::fd::AsFd;
    files.iter().map(|(_, fd)| fd.as_fd()).collect()
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
