//! The harness's handle on a zygote.
//!
//! Responsible for starting it, waiting for its answers and ending it. Must not know runs.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use crate::clock::is_readable_within;
use crate::group::{Place, SlotGroup};
use crate::levels::scratch::Scratch;
use crate::levels::user::SlotUser;
use crate::protocol::ZYGOTE_NAME;
use crate::protocol::channel::Channel;
use crate::protocol::messages::{self, Confinement, Setup, SetupHead, kind};
use crate::protocol::wire::{Reader, Writer};
use crate::{SandboxError, SlotSpec};

/// The timeout for setting up a slot, taking over a control group, or receiving a message. A zygote
/// needs milliseconds, and more on an overloaded host.
const MAX_ANSWER_TIME: Duration = timeout(20);
/// The timeout for a zygote to exit on request.
const MAX_LEAVE_TIME: Duration = timeout(2);
/// The timeout for the end of a killed zygote. The kernel takes longer only if the zygote, or a
/// program of its pid namespace, is stuck inside the kernel, possibly forever.
const MAX_KILL_TIME: Duration = timeout(5);

/// A timeout in seconds, which unit tests need not wait for.
pub(super) const fn timeout(seconds: u64) -> Duration {
    if cfg!(test) {
        Duration::from_millis(300)
    } else {
        Duration::from_secs(seconds)
    }
}

/// The number of zygotes of this process that could not be killed.
static ABANDONED: AtomicU32 = AtomicU32::new(0);

/// The zygotes that are not reaped yet. Their numbers cannot belong to other processes, so they can
/// be signalled safely.
fn alive() -> MutexGuard<'static, Vec<Pid>> {
    static ALIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns how many helper processes of the sandbox this process could not end, although it killed
/// them: the kernel is stuck with them, or with a program that ran below them.
#[must_use]
pub fn abandoned_helpers() -> u32 {
    ABANDONED.load(Ordering::Relaxed)
}

/// Kills all helper processes of this process, which is about to end without dropping its slots. A
/// running helper exits when its socket is closed, but a stopped one would not.
pub fn kill_helpers() {
    for helper in alive().iter() {
        let _ = rustix::process::kill_process(*helper, Signal::KILL);
    }
}

/// The identity of programs: the user as which they run, and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// This process is root: each slot has its own user.
    Root,
    /// This process is not root: programs run as its user, in a user namespace.
    UserNamespace,
    /// This process is root but may not create namespaces: each slot has its own user.
    RootOfContainer,
    /// Programs run as the user of this process.
    Caller,
}

impl Identity {
    fn confinement(self) -> Confinement {
        match self {
            Self::Root | Self::UserNamespace => Confinement::Namespaces,
            Self::RootOfContainer => Confinement::OwnUser,
            Self::Caller => Confinement::SameUser,
        }
    }
}

/// A zygote that is ready for runs. Dropping it ends it and everything below it.
pub(crate) struct Helper {
    channel: Option<Channel>,
    child: Child,
    /// Reserved as long as the zygote lives.
    user: Option<SlotUser>,
    group: Option<SlotGroup>,
    writer: Writer,
    buffer: Vec<u8>,
    descriptors: Vec<OwnedFd>,
}

impl Helper {
    /// Starts a zygote and sets up its slot.
    pub(crate) fn start(
        program: &Path,
        identity: Identity,
        place: Option<&Place>,
        scratch: Option<&mut Scratch>,
        spec: &SlotSpec,
    ) -> Result<Self, SandboxError> {
        // The process is started first, because for root the number of the slot's user is derived
        // from that of the process.
        let mut helper = Self::spawn(program)?;
        let user = match identity {
            Identity::Root => Some(SlotUser::for_process(helper.child.id())),
            Identity::RootOfContainer => Some(SlotUser::reserve()?),
            Identity::UserNamespace | Identity::Caller => None,
        };
        let head = SetupHead {
            confinement: identity.confinement(),
            uid: user.as_ref().map(|user| user.uid),
            hide_groups: place.is_none_or(|place| place.below_own),
            core: spec.core,
            single_process: spec.single_process,
            local_sockets: spec.local_sockets,
        };
        // Owned by the helper from here on: after an error below, its process is killed before the
        // user can be reserved again.
        helper.user = user;
        spec.check()?;
        let path = scratch.as_ref().map(|scratch| scratch.path());
        let path = path.unwrap_or(Path::new(""));
        Setup::write(&mut helper.writer, &head, path, spec);
        let directory = scratch.map(Scratch::directory).transpose()?;
        helper.send_with(&Vec::from_iter(directory))?;
        helper.await_ready("to set up its slot")?;
        if let Some(place) = place {
            helper.enter(place.group()?)?;
        }
        tracing::debug!(target: "sandbox", helper = helper.child.id(), ?head, "slot is ready");
        Ok(helper)
    }

    fn spawn(program: &Path) -> Result<Self, SandboxError> {
        let (channel, theirs) = Channel::pair().map_err(SandboxError::host("create a socket"))?;
        channel
            .set_timeouts(MAX_ANSWER_TIME)
            .map_err(SandboxError::host("set the timeouts of a socket"))?;
        // Opened here, so that its absence has a separate error: a minimal root file system has no
        // `/dev/null`, and the error would suggest that `program` is missing.
        let null = File::options().read(true).write(true).open("/dev/null");
        let null = null.map_err(SandboxError::host("open `/dev/null`"))?;
        let null_too = null
            .try_clone()
            .map_err(SandboxError::host("copy a descriptor"))?;
        // Without `uid`, `groups` or `pre_exec`, the standard library spawns like vfork, regardless
        // of the size of this process.
        let child = Command::new(program)
            .arg0(ZYGOTE_NAME)
            .env_clear()
            // Helpers keep no directory busy, and inherit nothing that a package could have set.
            .current_dir("/")
            .stdin(theirs)
            .stdout(null)
            .stderr(null_too)
            .spawn()
            .map_err(SandboxError::host(format!(
                "start `{}` as a helper",
                program.display()
            )))?;
        let pid = Pid::from_child(&child);
        alive().push(pid);
        Ok(Self {
            channel: Some(channel),
            child,
            user: None,
            group: None,
            writer: Writer::default(),
            buffer: Vec::new(),
            descriptors: Vec::new(),
        })
    }

    fn enter(&mut self, group: SlotGroup) -> Result<(), SandboxError> {
        messages::write_group(&mut self.writer, &group.files);
        self.log_message(self.writer.bytes(), "sent");
        let sent = self
            .channel()?
            .send(self.writer.bytes(), &messages::borrowed(&group.files));
        // The old group is removed once the zygote has the new one: it contains no process between
        // runs.
        let _old = self.group.replace(group);
        sent.map_err(lost)?;
        self.await_ready("to take over a control group")
    }

    /// Replaces a control group that can be used for one run only.
    pub(crate) fn renew_group(&mut self, place: Option<&Place>) -> Result<(), SandboxError> {
        match place {
            Some(place) if self.group.as_ref().is_some_and(|group| group.single_use) => {
                self.enter(place.group()?)
            }
            _ => Ok(()),
        }
    }

    /// True if the control group can count runs separately.
    pub(crate) fn counts_runs(&self) -> bool {
        let counts = |group: &SlotGroup| {
            group
                .files
                .iter()
                .any(|(role, _)| *role == messages::Role::ProcessCount)
        };
        self.group
            .as_ref()
            .is_some_and(|group| !group.single_use && counts(group))
    }

    pub(crate) fn channel(&self) -> Result<&Channel, SandboxError> {
        self.channel
            .as_ref()
            .ok_or_else(|| SandboxError::helper("it has been shut down"))
    }

    /// The writer for the next message.
    pub(crate) fn writer(&mut self) -> &mut Writer {
        &mut self.writer
    }

    /// Sends the message in the writer with descriptors.
    pub(crate) fn send_with(
        &self,
        descriptors: &[rustix::fd::BorrowedFd<'_>],
    ) -> Result<(), SandboxError> {
        self.log_message(self.writer.bytes(), "sent");
        self.channel()?
            .send(self.writer.bytes(), descriptors)
            .map_err(lost)
    }

    /// Receives the next message, and waits for it if necessary.
    pub(crate) fn receive(&mut self) -> Result<(u32, Reader<'_>, &mut Vec<OwnedFd>), SandboxError> {
        let Some(channel) = &self.channel else {
            return Err(SandboxError::helper("it has been shut down"));
        };
        let length = channel
            .receive(&mut self.buffer, &mut self.descriptors)
            .map_err(|error| SandboxError::helper(format!("cannot receive from it: {error}")))?
            .ok_or_else(|| SandboxError::helper_ended("it did not answer"))?;
        self.log_message(&self.buffer[..length], "received");
        let (kind, mut reader) = Reader::new(&self.buffer[..length])
            .map_err(|_| SandboxError::helper("its version differs"))?;
        if kind == kind::FAULT {
            let detail = reader
                .string()
                .map(|text| text.to_string_lossy().into_owned());
            return Err(SandboxError::helper(detail.unwrap_or_default()));
        }
        Ok((kind, reader, &mut self.descriptors))
    }

    /// Logs a message, on this side only: a zygote must not allocate.
    fn log_message(&self, message: &[u8], way: &str) {
        tracing::debug!(
            target: "sandbox", helper = self.child.id(), bytes = message.len(),
            kind = Reader::new(message).map_or("unknown", |(kind, _)| kind::name(kind)), "{way}"
        );
    }

    /// Waits until the zygote has finished `step`, which follows "when asked" in errors.
    fn await_ready(&mut self, step: &str) -> Result<(), SandboxError> {
        loop {
            if !is_readable_within(self.channel()?, MAX_ANSWER_TIME) {
                return Err(silent(step, MAX_ANSWER_TIME));
            }
            match self.receive()?.0 {
                kind::READY => return Ok(()),
                kind::BUSY => {}
                other => {
                    return Err(SandboxError::helper(format!(
                        "an unexpected answer of kind {other}"
                    )));
                }
            }
        }
    }
}

/// Returns the error for a zygote that gives no answer. This is the host's fault, regardless of the
/// program in the slot.
pub(crate) fn silent(step: &str, timeout: Duration) -> SandboxError {
    SandboxError::helper(format!(
        "no answer within {} s when asked {step}",
        timeout.as_secs()
    ))
}

/// Returns the error for a message that cannot be sent.
fn lost(errno: Errno) -> SandboxError {
    let detail = format!("cannot send to it: {errno}");
    // unix(7): the other end is closed.
    if matches!(errno, Errno::PIPE | Errno::CONNRESET) {
        return SandboxError::helper_ended(detail);
    }
    if errno == Errno::AGAIN {
        return silent("to receive a message", MAX_ANSWER_TIME);
    }
    SandboxError::helper(detail)
}

/// Waits for a process that was asked to exit, and then kills it. Returns `false` if even that
/// fails.
fn end(child: &mut Child, kill: impl FnOnce(&mut Child)) -> bool {
    let pid = Pid::from_child(child);
    // A pidfd can be polled with a timeout, which wait4(2) cannot. It becomes readable when the
    // process is dead, reaped or not.
    let pidfd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
    let ended = |child: &mut Child, timeout: Duration| match &pidfd {
        Ok(pidfd) => is_readable_within(pidfd, timeout),
        // No descriptor is free.
        Err(_) => {
            let deadline = Instant::now() + timeout;
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            matches!(child.try_wait(), Ok(Some(_)))
        }
    };
    let left = ended(child, MAX_LEAVE_TIME);
    tracing::debug!(target: "sandbox", helper = child.id(), left, "helper is asked to exit");
    if left {
        return true;
    }
    kill(child);
    ended(child, MAX_KILL_TIME)
}

impl Drop for Helper {
    fn drop(&mut self) {
        // The zygote ends when its socket is closed, together with everything below it.
        drop(self.channel.take());
        // Killing a zygote kills its pid namespace; without one, a signal notifies its inits of its
        // death.
        let has_ended = end(&mut self.child, |child| drop(child.kill()));
        if has_ended {
            // Before its number can be reused.
            let pid = Pid::from_child(&self.child);
            alive().retain(|alive| *alive != pid);
            // It is dead, so this does not wait.
            let _ = self.child.wait();
        } else {
            ABANDONED.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(target: "sandbox", helper = self.child.id(), "helper cannot be killed");
            // Its programs may be alive: no other slot may use their user as long as this process
            // lives.
            std::mem::forget(self.user.take());
        }
        // Last: a group can be removed only when it is empty.
        drop(self.group.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::exchange::RunExchange;
    use crate::streams::stdin::Source;
    use crate::{CancelToken, Capture, Execution, RunLimits};

    /// A program that reads the messages to a zygote, never answers, and exits when the socket is
    /// closed.
    const MUTE: &str = "cat";
    /// A program that does not even notice that the socket is closed.
    const DEAF: &str = "yes";

    fn message<T>(result: Result<T, SandboxError>) -> String {
        result.map(drop).unwrap_err().to_string()
    }

    #[test]
    fn errors_about_silent_zygotes_name_the_step() {
        for program in [MUTE, DEAF] {
            let begun = Instant::now();
            let started = Helper::start(
                Path::new(program),
                Identity::Caller,
                None,
                None,
                &SlotSpec::default(),
            );
            assert!(
                message(started).contains("when asked to set up its slot"),
                "{program}"
            );
            let mut helper = Helper::spawn(Path::new(program)).unwrap();
            assert!(
                message(helper.enter(SlotGroup::empty()))
                    .contains("when asked to take over a control group")
            );
            // More than its socket holds.
            if program == DEAF {
                let filled = (0..1000).find_map(|_| {
                    helper.writer.start(kind::KILL).string(&[1; 65_536]);
                    helper.send_with(&[]).err()
                });
                assert!(
                    message(filled.map_or(Ok(()), Err)).contains("when asked to receive a message")
                );
            }
            let limits = RunLimits {
                cpu_time: Duration::from_secs(1),
                wall_time: Duration::ZERO,
                memory_bytes: 1,
                stdout_bytes: 1,
                stderr_bytes: 1,
                processes: 1,
            };
            let cancel = CancelToken::new().unwrap();
            let execution = Execution::new(vec!["/nothing".into()], limits, cancel.clone());
            let mut exchange = RunExchange {
                helper: Helper::spawn(Path::new(program)).unwrap(),
                number: 1,
            };
            exchange.helper.writer().start(kind::RUN);
            let found = exchange.run(Source::Empty, &execution, &mut Capture::default());
            assert!(message(found).contains("when asked to execute a run"));
            // A run that is to be killed may not use the rest of its time.
            let limits = RunLimits {
                wall_time: Duration::from_secs(1000),
                ..execution.limits.clone()
            };
            let execution = Execution {
                limits,
                ..execution
            };
            cancel.cancel();
            exchange.helper.writer().start(kind::RUN);
            let found = exchange.run(Source::Empty, &execution, &mut Capture::default());
            assert!(message(found).contains("when asked to end a run"));
            drop((exchange, helper));
            assert!(begun.elapsed() < Duration::from_secs(40), "{program}");
        }
    }

    #[test]
    fn unkillable_zygotes_are_abandoned() {
        let mut helper = Helper::spawn(Path::new(DEAF)).unwrap();
        drop(helper.channel.take());
        let pid = Pid::from_child(&helper.child);
        let is_alive = || alive().contains(&pid);
        // A kill without effect simulates a process that is stuck inside the kernel.
        assert!(!end(&mut helper.child, |_| ()));
        assert!(is_alive());
        drop(helper);
        assert!(!is_alive());
        assert_eq!(abandoned_helpers(), 0);
    }
}
