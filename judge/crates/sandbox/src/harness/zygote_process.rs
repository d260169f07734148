//! A zygote as the harness sees it.
//!
//! Responsible for starting it, waiting for its answers and ending it. Must not know runs.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::group::{Place, SlotGroup};
use crate::harness::channel::Channel;
use crate::harness::messages::{self, Setup, SetupHead, Walls, kind};
use crate::harness::wire::{Reader, Writer};
use crate::levels::scratch::Scratch;
use crate::levels::user::SlotUser;
use crate::{SandboxError, SlotSpec, zygote};

/// The longest time for furnishing a slot. A zygote takes milliseconds, and more on a host that is overloaded.
const FURNISHING: Duration = Duration::from_secs(20);
/// The longest time that a zygote may take to leave.
const LEAVING: Duration = Duration::from_secs(2);

/// The identity of programs, which keeps them from being the harness's own user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// We are root: each slot has a user of its own.
    Root,
    /// We are not: programs stay our user, in a user namespace.
    UserNamespace,
    /// We are root, but may make no namespaces: each slot has a user of its own.
    RootOfContainer,
    /// Programs stay our user.
    Caller,
}

impl Identity {
    fn walls(self) -> Walls {
        match self {
            Self::Root | Self::UserNamespace => Walls::Namespaces,
            Self::RootOfContainer => Walls::OwnUser,
            Self::Caller => Walls::SameUser,
        }
    }
}

/// A zygote that is ready for runs. Dropping it ends it and everything below it.
pub(crate) struct Helper {
    channel: Option<Channel>,
    child: Child,
    /// Reserved as long as the zygote lives.
    _user: Option<SlotUser>,
    group: Option<SlotGroup>,
    writer: Writer,
    buffer: Vec<u8>,
    descriptors: Vec<OwnedFd>,
}

impl Helper {
    /// Starts a zygote and furnishes its slot.
    pub(crate) fn start(
        program: &Path,
        identity: Identity,
        place: Option<&Place>,
        scratch: Option<&mut Scratch>,
        spec: &SlotSpec,
    ) -> Result<Self, SandboxError> {
        let (channel, theirs) = Channel::pair().map_err(SandboxError::host("create a socket"))?;
        // Opened here for an error of its own: a bare root file system has none, and that would read as if `program`
        // were missing.
        let null = File::options().read(true).write(true).open("/dev/null");
        let null = null.map_err(SandboxError::host("open `/dev/null`"))?;
        let null_too = null.try_clone().map_err(SandboxError::host("copy a descriptor"))?;
        // Without `uid`, `groups` or `pre_exec`, the standard library spawns like vfork does, whatever our size.
        let child = Command::new(program)
            .arg0(zygote::NAME)
            .env_clear()
            .current_dir("/")
            .stdin(theirs)
            .stdout(null)
            .stderr(null_too)
            .spawn()
            .map_err(SandboxError::host(format!("start `{}` as a helper", program.display())))?;
        let user = match identity {
            Identity::Root => Some(SlotUser::of_process(child.id())),
            Identity::RootOfContainer => Some(SlotUser::reserve()?),
            Identity::UserNamespace | Identity::Caller => None,
        };
        let head = SetupHead {
            walls: identity.walls(),
            uid: user.as_ref().map(|user| user.uid),
            hide_groups: place.is_none_or(|place| place.below_own),
            core: spec.core,
            single_process: spec.single_process,
            local_sockets: spec.local_sockets,
        };
        let mut helper = Self {
            channel: Some(channel),
            child,
            _user: user,
            group: None,
            writer: Writer::default(),
            buffer: Vec::new(),
            descriptors: Vec::new(),
        };
        let strings = spec.strings()?;
        let path = scratch.as_ref().map(|scratch| scratch.path().to_owned()).unwrap_or_default();
        Setup::write(&mut helper.writer, &head, path.as_os_str().as_bytes(), &strings.view, &strings.depots);
        let directory = scratch.map(Scratch::directory).transpose()?;
        helper.send_with(&Vec::from_iter(directory))?;
        helper.await_ready()?;
        if let Some(place) = place {
            helper.enter(place.group()?)?;
        }
        tracing::debug!(target: "sandbox", helper = helper.child.id(), ?head, "slot is ready");
        Ok(helper)
    }

    fn enter(&mut self, group: SlotGroup) -> Result<(), SandboxError> {
        messages::write_group(&mut self.writer, &group.files);
        self.log_message(self.writer.bytes(), "sent");
        let sent = self.channel()?.send(self.writer.bytes(), &messages::borrowed(&group.files));
        // The old group goes once the zygote has the new one: it holds no process in between runs.
        let _old = self.group.replace(group);
        sent.map_err(lost)?;
        self.await_ready()
    }

    /// Replaces a control group that serves one run only.
    pub(crate) fn renew_group(&mut self, place: Option<&Place>) -> Result<(), SandboxError> {
        match place {
            Some(place) if self.group.as_ref().is_some_and(|group| group.single_use) => self.enter(place.group()?),
            _ => Ok(()),
        }
    }

    /// True if the control group can count one run after the other.
    pub(crate) fn counts_runs(&self) -> bool {
        let counts = |group: &SlotGroup| group.files.iter().any(|(role, _)| *role == messages::Role::ProcessCount);
        self.group.as_ref().is_some_and(|group| !group.single_use && counts(group))
    }

    pub(crate) fn channel(&self) -> Result<&Channel, SandboxError> {
        self.channel.as_ref().ok_or_else(|| SandboxError::helper("it has been ended"))
    }

    /// The writer for the next message.
    pub(crate) fn writer(&mut self) -> &mut Writer {
        &mut self.writer
    }

    /// Sends the message in the writer with descriptors.
    pub(crate) fn send_with(&self, descriptors: &[rustix::fd::BorrowedFd<'_>]) -> Result<(), SandboxError> {
        self.log_message(self.writer.bytes(), "sent");
        self.channel()?.send(self.writer.bytes(), descriptors).map_err(lost)
    }

    /// Receives a message that is known to be there, or waits for it.
    pub(crate) fn receive(&mut self) -> Result<(u32, Reader<'_>, &mut Vec<OwnedFd>), SandboxError> {
        let Some(channel) = &self.channel else { return Err(SandboxError::helper("it has been ended")) };
        let length = match channel.receive(&mut self.buffer, &mut self.descriptors) {
            Ok(Some(length)) => length,
            Ok(None) => return Err(SandboxError::helper_ended("it gave no answer")),
            Err(error) => return Err(SandboxError::helper(error.to_string())),
        };
        self.log_message(&self.buffer[..length], "received");
        let (kind, mut reader) =
            Reader::new(&self.buffer[..length]).map_err(|_| SandboxError::helper("it is of another version"))?;
        if kind == kind::FAULT {
            let detail = reader.string().map(|text| text.to_string_lossy().into_owned());
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

    fn await_ready(&mut self) -> Result<(), SandboxError> {
        loop {
            if !readable(&self.channel()?, FURNISHING) {
                return Err(SandboxError::helper(format!("no answer within {} s", FURNISHING.as_secs())));
            }
            match self.receive()?.0 {
                kind::READY => return Ok(()),
                kind::BUSY => {}
                other => return Err(SandboxError::helper(format!("an unexpected answer of kind {other}"))),
            }
        }
    }
}

/// Returns the error for a message that cannot be sent.
fn lost(errno: Errno) -> SandboxError {
    let detail = format!("it cannot be reached: {errno}");
    // unix(7): nobody holds the other end any more.
    if matches!(errno, Errno::PIPE | Errno::CONNRESET) {
        return SandboxError::helper_ended(detail);
    }
    SandboxError::helper(detail)
}

/// True if a descriptor becomes readable within some time.
fn readable(fd: &impl AsFd, patience: Duration) -> bool {
    let give_up = Instant::now() + patience;
    loop {
        let left = give_up.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(fd, PollFlags::IN)], Some(&timeout)) {
            Err(Errno::INTR) => {}
            result => return result.is_ok_and(|count| count > 0),
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // The end of the socket tells the zygote to leave; it takes everything below along.
        drop(self.channel.take());
        let leaving = rustix::process::Pid::from_child(&self.child);
        let left = rustix::process::pidfd_open(leaving, rustix::process::PidfdFlags::empty())
            .is_ok_and(|pidfd| readable(&pidfd, LEAVING));
        tracing::debug!(target: "sandbox", helper = self.child.id(), left, "helper is ended");
        if !left {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        drop(self.group.take());
    }
}
