//! Slots on the harness's side: turning an execution into an order.
//!
//! Responsible for checking executions and opening their input. Must not know how a zygote carries out a run, nor what
//! it and the harness say to each other meanwhile.
//!
//! The life of a slot: opening it starts a zygote, which furnishes the slot once (namespaces or Landlock, the files in view, a
//! control group) and then carries out one run after the other, each with a working directory and processes of its own. A
//! zygote that ends by itself is replaced, and the run that it took along is carried out again, once; a conversation is
//! not, for what was said cannot be said again. Dropping the slot closes the socket, which tells the zygote to go and to
//! take everything below it along; so does the end of the harness, however it comes.

use std::ffi::{CString, OsStr, OsString};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use judge_files::regular_file;
use judge_model::{Isolation, Outcome, Termination, Usage};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::time::{ClockId, clock_gettime};

use crate::group::Place;
use crate::harness::channel::LARGEST_MESSAGE;
use crate::harness::exchange::{Exchange, Talk};
use crate::harness::messages::{self, RunHead, Stdin, WarmRun, kind};
use crate::harness::wire::Writer;
use crate::harness::zygote_process::{Helper, Identity};
use crate::levels::scratch::Scratch;
use crate::{Capture, Execution, Finished, Input, Layout, NotWarm, SandboxError, Slot, SlotSpec, levels::ceilings};

/// The number of runs of this process that were carried out again because their helper had ended.
static REPLACED: AtomicU32 = AtomicU32::new(0);

/// Returns how many runs of this process were carried out a second time, because the sandbox's helper process had ended
/// during the first. Their outcomes are as good as others, but something on the host ends processes.
#[must_use]
pub fn replaced_helpers() -> u32 {
    REPLACED.load(Ordering::Relaxed)
}

/// The part of the host that all slots share.
pub(crate) struct Host {
    pub(crate) program: PathBuf,
    pub(crate) identity: Identity,
    pub(crate) place: Option<Place>,
    pub(crate) isolation: Isolation,
}

/// A slot whose runs are carried out by a zygote.
pub(crate) struct LinuxSlot {
    pub(super) host: Arc<Host>,
    pub(super) spec: SlotSpec,
    /// The slot's directory where it has no mount namespace.
    scratch: Option<Scratch>,
    /// `None` after a fault: the next run starts a new one.
    pub(super) helper: Option<Helper>,
    runs: u64,
    /// The execution that a program was warmed with which still is.
    pub(super) warm: Option<Execution>,
}

/// The orders that are carried out like a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Run,
    /// All of a run but the program itself.
    Rehearse,
    /// All of a run up to `main`.
    Warm,
    /// The run of a program that is warm.
    RunWarm,
}

/// The paths of a slot as bytes.
pub(crate) struct SpecStrings {
    pub(crate) view: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) depots: Vec<Vec<u8>>,
}

impl SlotSpec {
    /// The paths, checked.
    pub(crate) fn strings(&self) -> Result<SpecStrings, SandboxError> {
        let absolute = |path: &Path| {
            let lexical = path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
            if !lexical {
                let shown = path.display();
                return Err(SandboxError::invalid(format!("expected an absolute path without `..`, found `{shown}`")));
            }
            bytes_of(path.as_os_str()).map(<[u8]>::to_vec)
        };
        let view = self.view.iter().map(|mount| Ok((absolute(&mount.source)?, absolute(&mount.target)?)));
        Ok(SpecStrings {
            view: view.collect::<Result<_, SandboxError>>()?,
            depots: self.depots.iter().map(|depot| absolute(depot)).collect::<Result<_, _>>()?,
        })
    }

    fn demand_in_depot(&self, path: &Path) -> Result<(u32, CString), SandboxError> {
        self.in_depot(path).ok_or_else(|| {
            let shown = path.display();
            SandboxError::invalid(format!("expected a path below one of the slot's depots, found `{shown}`"))
        })
    }

    /// The depot that a host path lies in, and the path below it.
    fn in_depot(&self, path: &Path) -> Option<(u32, CString)> {
        let (index, below) =
            self.depots.iter().enumerate().find_map(|(index, depot)| Some((index, path.strip_prefix(depot).ok()?)))?;
        let plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        // Joined again, so that no `.` and no slash at the end is left.
        let below: PathBuf = below.components().collect();
        Some((u32::try_from(index).ok()?, CString::new(below.into_os_string().as_bytes()).ok()?)).filter(|_| plain)
    }
}

fn bytes_of(text: &OsStr) -> Result<&[u8], SandboxError> {
    let bytes = text.as_bytes();
    if bytes.contains(&0) {
        return Err(SandboxError::invalid(format!("expected no NUL byte, found one in {text:?}")));
    }
    Ok(bytes)
}

/// Standard input, ready to be handed over.
pub(crate) enum Source {
    Empty,
    Descriptor(OwnedFd),
    Depot(u32, CString),
    /// Standard input and standard output.
    Duplex([OwnedFd; 2]),
}

/// A file in memory that nobody can change any more: the program holds it open for writing too.
pub(super) fn sealed(fill: impl FnOnce(&mut std::fs::File) -> io::Result<()>) -> Result<OwnedFd, SandboxError> {
    let failed = || SandboxError::host::<io::Error>("prepare standard input");
    let file = memfd_create("stdin", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).map_err(io::Error::from);
    let mut file = std::fs::File::from(file.map_err(failed())?);
    fill(&mut file).and_then(|()| io::Seek::rewind(&mut file)).map_err(failed())?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)
        .map_err(|error| failed()(error.into()))?;
    Ok(file.into())
}

/// Opens standard input. `nameless` where a program can find out the name of a file that it has open, and what lies beside
/// it: where there is `/proc`. There every file is copied, which also makes it one that any user may open again.
pub(crate) fn source(spec: &SlotSpec, input: &Input, nameless: bool) -> Result<Source, SandboxError> {
    match input {
        Input::Empty => Ok(Source::Empty),
        Input::Bytes(bytes) if bytes.is_empty() => Ok(Source::Empty),
        Input::Bytes(bytes) => sealed(|file| file.write_all(bytes)).map(Source::Descriptor),
        Input::Duplex(line) => {
            let taken = || SandboxError::invalid("expected a line of its own for each run, found one that was used");
            line.take_ends().map(Source::Duplex).ok_or_else(taken)
        }
        Input::File(path) => {
            if let Some((depot, below)) = spec.in_depot(path).filter(|_| !nameless) {
                return Ok(Source::Depot(depot, below));
            }
            // Handed over as it is, a program that runs as the file's owner could change the file's mode through the
            // descriptor, and with /proc its contents.
            let failed = || SandboxError::host::<io::Error>(format!("open standard input `{}`", path.display()));
            let mut original = regular_file::open(path).map_err(failed())?;
            sealed(|file| io::copy(&mut original, file).map(drop)).map(Source::Descriptor)
        }
    }
}

impl LinuxSlot {
    pub(crate) fn open(host: Arc<Host>, spec: SlotSpec) -> Result<Self, SandboxError> {
        ceilings::check_processes(1)?;
        let scratch = match host.identity {
            Identity::Root | Identity::UserNamespace => None,
            Identity::RootOfContainer => Some(Scratch::new(true)?),
            Identity::Caller => Some(Scratch::new(false)?),
        };
        let mut slot = Self { host, spec, scratch, helper: None, runs: 0, warm: None };
        slot.helper = Some(slot.start()?);
        Ok(slot)
    }

    fn start(&mut self) -> Result<Helper, SandboxError> {
        let host = &self.host;
        Helper::start(&host.program, host.identity, host.place.as_ref(), self.scratch.as_mut(), &self.spec)
    }

    /// True if a program of the slot finds `/proc`: where it has no mounts of its own it always does, and links in it can
    /// be read whatever Landlock refuses.
    pub(super) fn sees_proc(&self, execution: &Execution) -> bool {
        self.scratch.is_some() || execution.proc_mounted
    }

    fn layout_of(scratch: Option<&Scratch>) -> &Layout {
        scratch.map_or(Layout::fixed(), Scratch::layout)
    }

    /// Writes an order.
    fn write(
        &self,
        writer: &mut Writer,
        order: Order,
        source: &Source,
        execution: &Execution,
    ) -> Result<(), SandboxError> {
        ceilings::check(execution)?;
        let Execution { limits, work, proc_mounted, keep_work, .. } = execution;
        let head = RunHead {
            order: if order == Order::Warm { kind::WARM } else { kind::RUN },
            number: self.runs,
            limits,
            work: *work,
            proc_mounted: *proc_mounted,
            keep_work: *keep_work,
            rehearsal: order == Order::Rehearse,
        };
        if order == Order::RunWarm {
            WarmRun::write_head(writer, self.runs, limits);
        } else {
            head.write(writer);
        }
        let stdin = match source {
            Source::Empty => Stdin::Empty,
            Source::Descriptor(_) | Source::Duplex(_) => Stdin::Descriptor,
            Source::Depot(depot, path) => Stdin::Depot(*depot, path),
        };
        messages::write_stdin(writer, stdin);
        if order == Order::RunWarm {
            write_list(writer, &execution.args)?;
        } else {
            self.write_place(writer, execution)?;
        }
        if writer.bytes().len() > LARGEST_MESSAGE {
            return Err(SandboxError::invalid(format!(
                "expected arguments and environment of at most {} KiB together",
                LARGEST_MESSAGE / 1024
            )));
        }
        Ok(())
    }

    /// Writes what a program is started with, and what it finds there.
    fn write_place(&self, writer: &mut Writer, execution: &Execution) -> Result<(), SandboxError> {
        let layout = Self::layout_of(self.scratch.as_ref());
        if !execution.program.is_absolute() {
            let shown = execution.program.display();
            return Err(SandboxError::invalid(format!("expected an absolute path for the program, found `{shown}`")));
        }
        writer.string(bytes_of(layout.place(&execution.program).as_os_str())?);
        let cwd = execution.cwd.as_deref().map(|cwd| check_target(cwd).map(|()| layout.place(cwd))).transpose()?;
        writer.string(bytes_of(cwd.unwrap_or_default().as_os_str())?);
        write_list(writer, &execution.args)?;
        write_list(writer, &execution.env)?;
        writer.u32(execution.binds.len() as u32);
        for bind in &execution.binds {
            check_target(&bind.target)?;
            let (depot, below) = self.spec.demand_in_depot(&bind.source)?;
            writer.u32(depot).string(below.to_bytes()).string(bytes_of(bind.target.as_os_str())?);
        }
        writer.u32(execution.work_files.len() as u32);
        for directory in &execution.work_files {
            let (depot, below) = self.spec.demand_in_depot(directory)?;
            writer.u32(depot).string(below.to_bytes());
        }
        Ok(())
    }

    /// Carries out a run. A helper that ended meanwhile, because the host ran out of memory or somebody killed it, is
    /// started again once, and so is the run.
    pub(crate) fn carry_out(
        &mut self,
        execution: &Execution,
        capture: &mut Capture,
        order: Order,
    ) -> Result<Finished, SandboxError> {
        self.warm = None;
        let mut once = || {
            let source = source(&self.spec, &execution.stdin, self.sees_proc(execution))?;
            self.exchange(source, execution, capture, order)
        };
        match once() {
            // What was said in a conversation cannot be said again.
            Err(SandboxError::HelperEnded { .. })
                if !matches!(execution.stdin, Input::Duplex(_)) && !execution.cancel.is_cancelled() =>
            {
                let again = once()?.finished(execution);
                if again.is_ok() {
                    REPLACED.fetch_add(1, Ordering::Relaxed);
                }
                again
            }
            result => result?.finished(execution),
        }
    }

    /// Gives an order and hears what comes of it.
    pub(super) fn exchange(
        &mut self,
        source: Source,
        execution: &Execution,
        capture: &mut Capture,
        order: Order,
    ) -> Result<Exchange, SandboxError> {
        let mut helper = match self.helper.take() {
            Some(helper) => helper,
            None => self.start()?,
        };
        self.runs += 1;
        if self.runs > 1 {
            helper.renew_group(self.host.place.as_ref())?;
        }
        if let Err(error) = self.write(helper.writer(), order, &source, execution) {
            self.helper = Some(helper);
            return Err(error);
        }
        let mut talk = Talk { helper, number: self.runs };
        let mut finished = talk.run(source, execution, capture)?;
        finished.take_unexecutable_for_ended(execution, Self::layout_of(self.scratch.as_ref()), capture);
        // Only now is it known to be in order.
        self.helper = Some(talk.helper);
        Ok(finished)
    }
}

fn write_list(writer: &mut Writer, list: &[OsString]) -> Result<(), SandboxError> {
    writer.u32(list.len() as u32);
    for text in list {
        writer.string(bytes_of(text)?);
    }
    Ok(())
}

/// Targets are below two fixed directories, which hold nothing else: so no bind can cover what the sandbox relies on.
fn check_target(target: &Path) -> Result<(), SandboxError> {
    let parts: Vec<_> = target.components().collect();
    let names: Vec<&OsStr> =
        parts.iter().filter_map(|part| if let Component::Normal(name) = part { Some(*name) } else { None }).collect();
    let fits = match names.as_slice() {
        [top] => *top == "program",
        [top, _] => *top == "program" || *top == "judge",
        _ => false,
    };
    // Written as it will be used: no `.`, no double slash.
    let plain: PathBuf = parts.iter().collect();
    if fits
        && parts.len() == names.len() + 1
        && parts[0] == Component::RootDir
        && plain.as_os_str() == target.as_os_str()
    {
        return Ok(());
    }
    let shown = target.display();
    Err(SandboxError::invalid(format!("expected `/program`, or a name below `/program` or `/judge`, found `{shown}`")))
}

/// The host's monotonic clock.
pub(crate) fn now() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A run that was cancelled before it began.
fn cancelled() -> Finished {
    let outcome = Outcome { termination: Termination::Cancelled, usage: Usage::default() };
    Finished { outcome, work: None, ended: now() }
}

impl Slot for LinuxSlot {
    fn layout(&self) -> &Layout {
        Self::layout_of(self.scratch.as_ref())
    }

    fn run(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, SandboxError> {
        capture.stdout.clear();
        capture.stderr.clear();
        if execution.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        self.carry_out(execution, capture, Order::Run)
    }

    fn warm(&mut self, execution: &Execution) -> Result<(), NotWarm> {
        self.warm_up(execution)
    }

    fn run_warm(&mut self, execution: &Execution, capture: &mut Capture) -> Result<Finished, NotWarm> {
        capture.stdout.clear();
        capture.stderr.clear();
        if execution.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        self.run_again(execution, capture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stay_in_their_two_directories() {
        for good in ["/program", "/program/a.out", "/judge/input", "/judge/a b"] {
            assert!(check_target(Path::new(good)).is_ok(), "{good}");
        }
        for bad in
            ["/", "/judge", "program", "/usr", "/judge/../usr", "/judge/a/b", "/judge//a", "/judge/a/", "/./judge/a"]
        {
            assert!(check_target(Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_plain_paths_below_depots_are_found() {
        let spec = SlotSpec { depots: vec!["/a".into(), "/b/c".into()], ..SlotSpec::default() };
        assert_eq!(spec.in_depot(Path::new("/b/c/d/e")), Some((1, c"d/e".into())));
        assert_eq!(spec.in_depot(Path::new("/b/c")), Some((1, c"".into())));
        assert_eq!(spec.in_depot(Path::new("/b/c/d/")), Some((1, c"d".into())));
        for outside in ["/b", "/ab", "/b/cc/d", "/a/../b", "a"] {
            assert_eq!(spec.in_depot(Path::new(outside)), None, "{outside}");
        }
    }
}
