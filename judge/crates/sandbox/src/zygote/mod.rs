//! Zygotes: the small helper processes that start runs.
//!
//! Responsible for the life of one: it sets up its slot once, then executes one run after the
//! other, until the harness closes the socket. Must not know how results are used.
//!
//! A zygote is this program, started again, so that it is small (a child's peak memory includes its
//! parent's) and single-threaded. It is two processes: the outer one makes the namespaces and
//! waits; the inner one is pid 1 of its own pid namespace: everything that it has started dies with
//! it.

mod etc;
mod filter;
mod group;
mod init;
mod landlock;
mod locks;
mod prefilled_workdir;
mod report;
mod root;
mod shared_namespaces;
mod shared_root;
mod slot;
mod streams;
mod warm;
mod watch;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitCode;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::SocketType;
use rustix::pipe::PipeFlags;
use rustix::process::{DumpableBehavior, Signal};
use rustix::thread::{CpuSet, UnshareFlags};

use crate::clock::timespec;
use crate::kernel::{self, Fork};
use crate::protocol::channel::Channel;
use crate::protocol::messages::{Confinement, Setup, kind};
use crate::protocol::wire::{Reader, Writer};

/// The user id that programs see in a user namespace.
const INNER_UID: u32 = 1000;

/// Serves as a zygote if standard input is the socket of one; `None` if it is not.
pub(crate) fn serve_on_stdin() -> Option<ExitCode> {
    if rustix::net::sockopt::socket_type(std::io::stdin()) != Ok(SocketType::SEQPACKET) {
        return None;
    }
    // The socket moves away from the numbers that programs' streams will have; nothing else is
    // inherited.
    let _ = kernel::close_from(3);
    let socket = rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3).ok()?;
    // Leaked for the life of this process, because a panic can come at any time.
    let channel: &'static Channel = Box::leak(Box::new(Channel::new(socket)));
    report_panics(channel);
    // The first use of the clock maps the kernel's page for it, which a child that shares this
    // process's memory must not do.
    let _ = crate::clock::now();
    Some(match serve(channel) {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    })
}

/// Reports panics to the harness. Standard error is discarded, and a zygote that just ends would
/// give no reason.
fn report_panics(channel: &'static Channel) {
    std::panic::set_hook(Box::new(move |panic| {
        let _ = fault(
            channel,
            &format!(
                "a fault of the judge: {}",
                panic.to_string().replace('\n', " ")
            ),
        );
    }));
}

fn serve(channel: &Channel) -> Result<(), ()> {
    // The harness may ignore signals or block them, and both survive execve: programs would inherit
    // that.
    kernel::reset_signals();
    // A program inherits the mask as well. Files that it makes have the same modes on every
    // host.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    // No signals from the harness's terminal, and no way back to it.
    let _ = rustix::process::setpgid(None, None);
    kernel::leave_terminal();
    // Standard input was the socket, which programs must not inherit by its number.
    let null = streams::null().map_err(drop)?;
    for stream in 0..3 {
        kernel::duplicate_onto(null.as_fd(), stream).map_err(drop)?;
    }
    drop(null);
    let (mut buffer, mut descriptors) = (Vec::new(), Vec::new());
    // The harness sends the setup immediately. If it is dead already, nothing has to be set up, and
    // a report would have no receiver.
    let Ok(Some(length)) = channel.receive(&mut buffer, &mut descriptors) else {
        return Err(());
    };
    let result = match Reader::new(&buffer[..length]) {
        Ok((kind::SETUP, mut reader)) => {
            Setup::read(&mut reader).map_err(|_| "a malformed setup".to_owned())
        }
        _ => Err("a setup was expected: was the program replaced while it ran?".to_owned()),
    };
    let result = result.and_then(|setup| {
        isolate(&setup)?;
        Ok(setup)
    });
    match result {
        // Without a pid namespace there is no need for an inner process, which would be its init.
        Ok(setup) if setup.head.confinement != Confinement::Namespaces => {
            inner(channel, &setup, descriptors.pop())
        }
        Ok(setup) => start_inner(channel, &setup),
        Err(detail) => fault(channel, &detail),
    }
}

/// Starts the inner process, the init of the slot's pid namespace, and waits for its end.
fn start_inner(channel: &Channel, setup: &Setup<'_>) -> Result<(), ()> {
    let failed = |error| {
        fault(
            channel,
            &format!("cannot start the zygote's inner process: {error}"),
        )
    };
    let (lives, alive) = match rustix::pipe::pipe_with(PipeFlags::CLOEXEC) {
        Ok(pipe) => pipe,
        Err(error) => return failed(error),
    };
    match kernel::fork() {
        Ok(Fork::Child) => {
            drop(alive);
            end_with_parent(lives.as_fd())?;
            inner(channel, setup, None)
        }
        Ok(Fork::Parent(pid)) => {
            drop(lives);
            // The inner process watches the judge: it sees the end of the socket.
            while kernel::wait(pid) == Err(rustix::io::Errno::INTR) {}
            drop(alive);
            Ok(())
        }
        Err(error) => failed(error),
    }
}

/// Requests that this process is killed when its parent dies, and fails if the parent is dead
/// already. The parent has only one thread, so its death cannot be mistaken for a thread's
/// (PR_SET_PDEATHSIG(2const)). It alone holds the other end of the pipe, which a process loses
/// before its children learn of its death: no death is missed between the request and the check.
fn end_with_parent(lives: BorrowedFd<'_>) -> Result<(), ()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(drop)?;
    // Readable means closed: nothing is ever written to it.
    match poll(
        &mut [PollFd::new(&lives, PollFlags::IN)],
        Some(&timespec(Duration::ZERO)),
    ) {
        Ok(0) => Ok(()),
        _ => Err(()),
    }
}

/// Moves into namespaces that all runs of the slot share.
fn isolate(setup: &Setup<'_>) -> Result<(), String> {
    let doing = |action: &'static str| move |error| format!("cannot {action}: {error}");
    if let Some(core) = setup.head.core {
        let mut set = CpuSet::new();
        if core >= CpuSet::MAX_CPU {
            return Err(format!("no such processor: {core}"));
        }
        // Before anything is started: every process of the slot inherits the processor, and
        // the filter refuses to change it.
        set.set(core);
        rustix::thread::sched_setaffinity(None, &set)
            .map_err(|error| format!("cannot stay on processor {core}: {error}"))?;
    }
    match setup.head.confinement {
        Confinement::Namespaces => {}
        Confinement::OwnUser | Confinement::SameUser => return prepare_shared_namespaces(),
    }
    if setup.head.uid.is_none() {
        let (uid, gid) = (
            rustix::process::geteuid().as_raw(),
            rustix::process::getegid().as_raw(),
        );
        // A lack of memory on the host ends this run rather than its user's other programs.
        let _ = std::fs::write("/proc/self/oom_score_adj", "500");
        kernel::unshare(UnshareFlags::NEWUSER).map_err(doing("make a user namespace"))?;
        let map = |file: &str, id: u32| {
            std::fs::write(file, format!("{INNER_UID} {id} 1"))
                .map_err(|error| format!("cannot map users into the user namespace: {error}"))
        };
        // user_namespaces(7): a group can be mapped without privilege only once setgroups is given
        // up.
        std::fs::write("/proc/self/setgroups", "deny")
            .map_err(|error| format!("cannot give up setgroups in the user namespace: {error}"))?;
        map("/proc/self/uid_map", uid)?;
        map("/proc/self/gid_map", gid)?;
    }
    // A child of unshare(NEWPID) is the first process of the new namespace, not this one: that is
    // why there is an inner process.
    let mut flags = UnshareFlags::NEWNS
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWPID;
    if setup.head.hide_groups {
        flags |= UnshareFlags::NEWCGROUP;
    }
    kernel::unshare(flags).map_err(doing("make mount, network, uts, ipc and pid namespaces"))?;
    // podman's default filter refuses both calls to an ordinary user and allows everything else
    // that `namespaces` needs. Programs then see the name of the container.
    match rustix::system::sethostname(b"judge").and_then(|()| rustix::system::setdomainname(b"")) {
        Ok(()) | Err(rustix::io::Errno::PERM) => Ok(()),
        Err(error) => Err(doing("set the host name")(error)),
    }
}

/// The priority of zygotes and inits (nice(2)). Programs go back to the ordinary one.
const HELPER_PRIORITY: i32 = -10;

/// The time that zygotes and inits compute in one turn, the shortest that the kernel offers.
/// Programs go back to the usual one. An ordinary user has no right to a priority, and its zygotes
/// would compete with every thread of a program for a turn.
const HELPER_SLICE: Duration = Duration::from_micros(100);

/// Prepares for runs in the host's namespaces.
fn prepare_shared_namespaces() -> Result<(), String> {
    // A lack of memory on the host ends a run rather than its user's other programs.
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
    rustix::process::set_child_subreaper(rustix::process::getpid().into())
        .map_err(|error| format!("cannot adopt orphaned processes: {error}"))
}

/// Creates the view of the file system for all runs of a slot.
fn open_root_view(
    setup: &Setup<'_>,
    channel: &Channel,
    directory: Option<OwnedFd>,
) -> Result<slot::RootView, String> {
    if setup.head.confinement == Confinement::Namespaces {
        return root::Root::build(setup, setup.head.uid.unwrap_or(INNER_UID))
            .map(slot::RootView::Own);
    }
    let version = kernel::landlock_version();
    // As another user, a program may not change any file of this user, even where Landlock does not
    // control the access.
    let needed = if setup.head.confinement == Confinement::OwnUser {
        1
    } else {
        landlock::SEES_TRUNCATION
    };
    if version < needed {
        return Err(format!(
            "expected a kernel with Landlock of version {needed} or later, found {version}"
        ));
    }
    let heartbeat = shared_root::Heartbeat::new(channel)
        .map_err(|error| format!("cannot copy the socket's descriptor: {error}"))?;
    let directory = directory.ok_or("the slot's directory is missing")?;
    shared_root::SharedRoot::new(setup, directory, version, heartbeat)
        .map(|root| slot::RootView::Shared(Box::new(root)))
}

/// The inner process: sets up the slot and serves it. `directory` is the slot's, where it has no
/// mount namespace.
fn inner(channel: &Channel, setup: &Setup<'_>, directory: Option<OwnedFd>) -> Result<(), ()> {
    // The watcher must not wait for its turn after a hundred processes that it has to kill. Without
    // this privilege, kills come a little later.
    let _ = rustix::process::setpriority_process(None, HELPER_PRIORITY);
    if let Ok(priority) = rustix::process::getpriority_process(None) {
        kernel::set_slice(HELPER_SLICE, priority);
    }
    // Before anything else is started. An unprivileged process must give up gaining privileges
    // before it loads a filter (seccomp(2)), and no process here needs to gain any.
    if setup.head.confinement != Confinement::Namespaces {
        let _ = rustix::thread::set_no_new_privs(true);
    }
    // The filter binds this process and all that it starts. So it must come before init exists, and
    // its listener is the zygote's.
    let locks = locks::Locks::listen(setup.head.uid);
    let root_view = match open_root_view(setup, channel, directory) {
        Ok(root_view) => root_view,
        Err(detail) => return fault(channel, &detail),
    };
    // No process below may inspect this one, whose memory the programs' processes share until
    // execve.
    let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    let mut slot = match slot::ZygoteSlot::new(root_view, &setup.head, locks) {
        Ok(slot) => slot,
        Err(detail) => return fault(channel, &detail),
    };
    if setup.head.confinement == Confinement::OwnUser {
        slot.sweep_user();
    }
    let mut writer = Writer::default();
    channel
        .send(writer.start(kind::READY).bytes(), &[])
        .map_err(drop)?;
    let (mut buffer, mut descriptors) = (Vec::new(), Vec::new());
    loop {
        let length = match channel.receive(&mut buffer, &mut descriptors) {
            Ok(Some(length)) => length,
            Ok(None) => {
                slot.leave();
                return Ok(());
            }
            Err(error) => {
                fault(channel, &format!("cannot receive an order: {error}"))?;
                continue;
            }
        };
        if let Err(detail) = obey(
            &mut slot,
            channel,
            &buffer[..length],
            &mut descriptors,
            &mut writer,
        ) {
            fault(channel, &detail)?;
        }
    }
}

fn obey(
    slot: &mut slot::ZygoteSlot,
    channel: &Channel,
    message: &[u8],
    descriptors: &mut Vec<OwnedFd>,
    writer: &mut Writer,
) -> Result<(), String> {
    let malformed = |_| "a malformed order".to_owned();
    let (kind, mut reader) = Reader::new(message).map_err(malformed)?;
    match kind {
        kind::GROUP => {
            let roles = crate::protocol::messages::read_group(&mut reader).map_err(malformed)?;
            slot.take_group(roles.into_iter().zip(descriptors.drain(..)).collect());
            channel
                .send(writer.start(kind::READY).bytes(), &[])
                .map_err(|error| format!("cannot answer: {error}"))
        }
        kind::RUN | kind::WARM => {
            let run = crate::protocol::messages::Run::read(&mut reader).map_err(malformed)?;
            slot.run(&run, kind == kind::WARM, descriptors, channel, writer)
        }
        // Its run is over already.
        kind::KILL | kind::OBSERVE => Ok(()),
        _ => Err("an unknown order".to_owned()),
    }
}

/// Reports a fault to the harness.
fn fault(channel: &Channel, detail: &str) -> Result<(), ()> {
    let mut writer = Writer::default();
    let detail = detail.replace('\0', "");
    channel
        .send(
            writer.start(kind::FAULT).string(detail.as_bytes()).bytes(),
            &[],
        )
        .map_err(drop)
}
