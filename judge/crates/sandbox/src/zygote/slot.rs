//! The zygote's side of a slot.
//!
//! Responsible for turning one order into one run and its report. Must not know the harness's side
//! of a slot.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use libc::sock_filter;
use rustix::event::{EventfdFlags, eventfd};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::filter::arguments::{FilterConfinement, FilterSpec};
use super::group::Group;
use super::init::{Job, Mounts, RETRY_PAUSE, RunEnvironment, WorkMount};
use super::locks::{LockableFiles, Locks};
use super::prefilled_workdir::PrefilledWorkdir;
use super::report::{not_started, report};
use super::root::Root;
use super::shared_namespaces::SharedNamespaces;
use super::shared_root::SharedRoot;
use super::streams::{self, streams};
use super::warm::Warm;
use super::watch::record::Record;
use super::watch::run::{HarnessGone, Watch};
use super::{filter::program as filter, landlock};
use crate::clock::timespec;
use crate::kernel::{self, Stack, Strings};
use crate::levels::ceilings;
use crate::proc::files::tasks_of_user;
use crate::proc::tree::Members;
use crate::protocol::channel::Channel;
use crate::protocol::messages::{BoundPart, Confinement, Report, Role, Run, SetupHead};
use crate::protocol::step::Step;
use crate::protocol::wire::Writer;

/// The view of the file system for the runs of a slot.
pub(super) enum RootView {
    /// A root file system of the slot's own.
    Own(Root),
    /// The host's file system, restricted by Landlock.
    Shared(Box<SharedRoot>),
}

impl RootView {
    fn proc(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Own(root) => root.proc.as_ref().map(AsFd::as_fd),
            Self::Shared(root) => Some(root.proc.as_fd()),
        }
    }

    fn depots(&self) -> &[OwnedFd] {
        match self {
            Self::Own(root) => &root.depots,
            Self::Shared(root) => &root.depots,
        }
    }
}

/// The state of a slot that is kept from run to run.
pub(super) struct ZygoteSlot {
    root_view: RootView,
    confinement: Confinement,
    /// The last count of this user's processes and threads, if programs run as the same user.
    tasks: (Option<Instant>, u64),
    uid: Option<u32>,
    group: Option<Group>,
    filter: Vec<sock_filter>,
    locks: Option<Locks>,
    landlock: Option<OwnedFd>,
    all_dead: OwnedFd,
    processors: u32,
    /// Hard limits that this process cannot exceed.
    ceilings: Vec<(Resource, u64)>,
    args: Strings,
    env: Strings,
    init_stack: Stack,
    program_stack: Stack,
}

const LIMITED_RESOURCES: [Resource; 13] = [
    Resource::Core,
    Resource::Stack,
    Resource::Nofile,
    Resource::Fsize,
    Resource::As,
    Resource::Data,
    Resource::Memlock,
    Resource::Msgqueue,
    Resource::Sigpending,
    Resource::Cpu,
    Resource::Nproc,
    Resource::Nice,
    Resource::Rtprio,
];

/// The number of processes that the user may start elsewhere before the limit of programs is
/// affected.
const OTHER_TASKS: u64 = 256;
/// The number of processes by which a run may exceed its limit before it is killed, if processes
/// are only counted at intervals.
const PROCESS_SLACK: u64 = 8;
/// The pause between two counts of a user's processes.
const RECOUNT_INTERVAL: Duration = Duration::from_secs(1);

impl ZygoteSlot {
    pub(super) fn new(
        root_view: RootView,
        head: &SetupHead,
        locks: Option<Locks>,
    ) -> Result<Self, String> {
        // Since Landlock 6, signals to processes outside of the domain can be refused by the
        // kernel (landlock(7)). Before, the filter has to refuse nearly all of them.
        let scoped = kernel::landlock_version() >= landlock::SCOPES_SIGNALS;
        let (confinement, uid) = (head.confinement, head.uid);
        let filter_confinement = match confinement {
            Confinement::Namespaces => FilterConfinement::Namespaces,
            Confinement::OwnUser => FilterConfinement::OwnUser,
            Confinement::SameUser => FilterConfinement::SameUser {
                signals_scoped: scoped,
            },
        };
        // Opened once, to find out now whether every run without input would fail.
        drop(
            streams::null()
                .map_err(|error| format!("cannot open `/dev/null` inside the sandbox: {error}"))?,
        );
        if let (Some(locks), RootView::Own(root)) = (&locks, &root_view) {
            locks.set_own_devices(root.own_devices);
        }
        let all_dead = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(|error| format!("cannot create an event descriptor: {error}"))?;
        // The number of processors of the host would be too high in a container with few of them or
        // under taskset(1). Programs inherit this mask from the zygote.
        let affinity = rustix::thread::sched_getaffinity(None)
            .map_err(|error| format!("cannot learn the number of processors: {error}"))?;
        // Only with CAP_SYS_RESOURCE on the host, which not even every root has, can hard limits be
        // raised.
        let ceiling = |resource| {
            let _ = setrlimit(
                resource,
                Rlimit {
                    current: getrlimit(resource).current,
                    maximum: None,
                },
            );
            getrlimit(resource).maximum
        };
        Ok(Self {
            root_view,
            confinement,
            tasks: (None, 0),
            uid,
            group: None,
            filter: filter::build(FilterSpec {
                confinement: filter_confinement,
                single_process: head.single_process,
                locks_are_decided: locks.is_some(),
                local_sockets: head.local_sockets,
            }),
            locks,
            landlock: landlock::second_barrier(),
            all_dead,
            processors: affinity.count().max(1),
            ceilings: LIMITED_RESOURCES
                .map(|resource| (resource, ceiling(resource).unwrap_or(u64::MAX)))
                .into(),
            args: Strings::default(),
            env: Strings::default(),
            init_stack: Stack::new(),
            program_stack: Stack::new(),
        })
    }

    /// Takes over a control group for all runs to come.
    pub(super) fn take_group(&mut self, files: Vec<(Role, OwnedFd)>) {
        self.group = Some(Group::new(files));
    }

    /// Executes one run and reports it. `Err` is for faults that make the slot useless.
    #[expect(
        clippy::too_many_lines,
        reason = "the order of these steps is the safety of a run, and is read in one piece"
    )]
    pub(super) fn run<'a>(
        &mut self,
        run: &Run<'a>,
        warm: bool,
        descriptors: &mut Vec<OwnedFd>,
        channel: &Channel,
        writer: &mut Writer,
    ) -> Result<(), String> {
        // CPU time and memory would be unlimited then: a weaker level is better on such a host.
        if self.group.is_none() && self.root_view.proc().is_none() {
            return Err(
                "cannot mount `/proc`, as where a container covers parts of its own".to_owned(),
            );
        }
        let mut streams = streams(run.stdin, self.root_view.depots(), descriptors)?;
        let control = match warm.then(Channel::pair).transpose() {
            Ok(pair) => pair.map(|(ours, theirs)| {
                streams.control = Some(theirs);
                ours
            }),
            Err(error) => return Err(format!("cannot create a socket: {error}")),
        };
        // Prepared here, because the program's process shares the zygote's memory and must not
        // allocate.
        self.args.replace(run.args.iter().copied());
        self.env.replace(run.env.iter().copied());
        let binds = match &mut self.root_view {
            RootView::Own(root) => {
                root.prepare_points(&run.binds)?;
                let bind = |(depot, source, target): &BoundPart<'a>| {
                    Ok((hidden_path(*depot, source)?, *target))
                };
                run.binds
                    .iter()
                    .map(bind)
                    .collect::<Result<Vec<_>, String>>()?
            }
            RootView::Shared(root) => {
                root.prepare(run)?;
                Vec::new()
            }
        };
        // Unmounted for the zygote at the end of the run.
        let filled = self.prefilled_workdir(run)?;
        let options = run.work.map(|(bytes, files)| work_options(bytes, files));
        let work = match (&filled, &options) {
            (Some(_), _) => WorkMount::Prefilled {
                read_only: run.work.is_none(),
            },
            (None, Some(options)) => WorkMount::New(options),
            (None, None) => WorkMount::Root,
        };
        let limits = self.limits(run);
        // Taken as late as possible, because the memory that earlier runs left in the group may
        // decrease until then.
        let baseline = match &self.group {
            Some(group) => match group.prepare(run.bounds.memory_bytes, run.bounds.processes) {
                Ok(baseline) => Some(baseline),
                Err(error) => {
                    return send(
                        channel,
                        writer,
                        &not_started(run.bounds.number, Step::Group, error.raw_os_error()),
                        &[],
                    );
                }
            },
            None => None,
        };
        let group = self.group.as_ref();
        // An empty path in the order means the usual working directory, which differs between both
        // kinds of slots.
        let cwd = Some(run.cwd).filter(|cwd| !cwd.is_empty());
        let environment = match &self.root_view {
            RootView::Own(_) => RunEnvironment::Mounted(Mounts {
                binds: &binds,
                work,
                cwd: cwd.unwrap_or(c"/box/work"),
                proc_mounted: run.proc_mounted,
                // A warm program's runs are checked for leftovers through that directory.
                keep_work: run.keep_work || warm,
            }),
            RootView::Shared(root) => RunEnvironment::Shared(SharedNamespaces {
                cwd: cwd.unwrap_or(&root.cwd),
                ruleset: root.ruleset().ok_or("the Landlock ruleset is missing")?,
                proc: run.proc_mounted.then(|| root.proc.as_fd()),
                zygote: Some(rustix::process::getpid()),
            }),
        };
        // Without namespaces, the run's processes are among those of the host: they are found
        // by their parents and killed by their process group or user.
        let is_shared = self.confinement != Confinement::Namespaces;
        let job = Job {
            program: run.program,
            args: &self.args,
            env: &self.env,
            environment,
            rehearsal: run.rehearsal,
            uid: self.uid,
            limits: &limits,
            born_into: group.and_then(Group::born_into),
            joined: group.map_or(&[], Group::joined),
            victim: self.root_view.proc().filter(|_| is_shared),
            filter: &self.filter,
            landlock: self.landlock.as_ref().map(AsFd::as_fd),
            streams: Mutex::new(Some(streams)),
            all_dead: self.all_dead.as_fd(),
            control: control.as_ref().map(AsFd::as_fd),
            stack: Mutex::new(&mut self.program_stack),
            record: Record::default(),
        };
        let watch = Watch {
            bounds: run.bounds,
            // A run of one thread cannot use up its CPU time faster than one processor gives it, so
            // it is checked less often.
            processors: self.processors.min(run.bounds.processes),
            group: group.zip(baseline),
            proc: self.root_view.proc(),
            max_processes: if is_shared {
                u64::from(run.bounds.processes) + PROCESS_SLACK
            } else {
                u64::MAX
            },
            owner: self.uid,
            members: if is_shared {
                Members::Descendants(self.uid)
            } else {
                Members::Namespace(self.uid)
            },
            channel,
            all_dead: self.all_dead.as_fd(),
            record: &job.record,
            locks: self.locks.as_ref(),
            lockable: match &self.root_view {
                RootView::Own(_) => LockableFiles::Mounted(&job.record),
                RootView::Shared(root) => root.lockable_files(),
            },
            ready: control.as_ref().map(AsFd::as_fd),
            waits: None,
        };
        let keeper = control
            .as_ref()
            .zip(group.zip(baseline))
            .map(|(control, (group, start))| Warm {
                control,
                group,
                start,
                depots: self.root_view.depots(),
                watch,
                processors: self.processors,
            });
        // The network, uts and user namespaces are the slot's; only what a run could leave
        // something in is new for each run.
        let namespaces = if is_shared {
            0
        } else {
            libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC
        };
        let begun = Instant::now();
        // An event of an earlier run is obsolete.
        let _ = rustix::io::read(&self.all_dead, &mut [0; 8]);
        let supervised = kernel::supervise(namespaces, &mut self.init_stack, &job, |init| {
            let watch_result = watch.watch(init);
            if watch_result.is_err() {
                watch.abandon(init);
            }
            let watch_result = watch_result?;
            if let Some(keeper) = &keeper {
                return keeper
                    .serve(init, watch_result, writer)
                    .map(|last| (Ok(()), last));
            }
            // Without a pid namespace that ends with init, everything has to be dead before the run
            // is reported.
            if is_shared && !job.record.is_reaped() {
                sweep(&job);
            }
            let elapsed = begun.elapsed();
            let report = report(
                run.bounds.number,
                &job.record,
                &watch_result,
                group.zip(baseline),
                elapsed,
            );
            let kept = match &self.root_view {
                RootView::Shared(root) if run.keep_work => root.work(),
                _ => None,
            };
            // The descriptor goes out with the report. The harness reads the files from it after
            // the end of the run's mount namespace.
            let work: Vec<_> = job
                .record
                .work()
                .or(kept.as_ref())
                .into_iter()
                .map(AsFd::as_fd)
                .collect();
            Ok((send(channel, writer, &report, &work), None))
        });
        if is_shared && !job.record.is_reaped() {
            sweep(&job);
        } else if is_shared {
            // Reaps a child that an earlier run had to leave.
            reap_orphans(1);
        }
        // Descriptors of the run's files are closed with its waiting calls: nothing of the run may
        // be held by the next one.
        self.locks.iter().for_each(Locks::forget);
        // `supervise` has killed and reaped init by now, in any case.
        let result = match supervised {
            Ok(Ok((sent, None))) => sent,
            Ok(Ok((_, Some(last)))) => match &keeper {
                Some(keeper) => send(channel, writer, &keeper.report(&last), &[]),
                None => Ok(()),
            },
            // The harness is gone. Exiting kills everything that may still run.
            Ok(Err(HarnessGone)) => {
                drop(job);
                self.leave();
                kernel::exit(0)
            }
            Err(error) => send(
                channel,
                writer,
                &not_started(run.bounds.number, Step::Init, error.raw_os_error()),
                &[],
            ),
        };
        drop(job);
        match &mut self.root_view {
            RootView::Shared(root) if !run.keep_work => result.and_then(|()| root.tidy()),
            _ => result,
        }
    }

    /// Removes everything that would outlive this process.
    pub(super) fn leave(&mut self) {
        if let RootView::Shared(root) = &self.root_view {
            root.remove();
        }
    }

    /// Kills what an earlier slot may have left to the same user.
    pub(super) fn sweep_user(&mut self) {
        super::shared_namespaces::sweep(0, self.uid, &Mutex::new(&mut self.program_stack));
    }

    /// The file system for a run that finds files in its working directory.
    fn prefilled_workdir(&self, run: &Run<'_>) -> Result<Option<PrefilledWorkdir>, String> {
        match &self.root_view {
            RootView::Own(root) if !run.work_files.is_empty() => {
                PrefilledWorkdir::new(&run.work_files, &root.depots, run.work, self.uid).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Processes and threads of this user, counted once in a while: it takes about as long as a
    /// run.
    fn tasks(&mut self) -> u64 {
        // The limit of RLIMIT_NPROC holds for all processes of a user on the host
        // (getrlimit(2)), so it is set above those that run elsewhere.
        if self
            .tasks
            .0
            .is_none_or(|counted| counted.elapsed() > RECOUNT_INTERVAL)
        {
            self.tasks = (Some(Instant::now()), tasks_of_user());
        }
        self.tasks.1
    }

    fn limits(&mut self, run: &Run<'_>) -> Vec<(Resource, u64)> {
        let files = run.work.map_or(run.bounds.memory_bytes, |(bytes, _)| bytes);
        // The group counts processes where there is one. Otherwise the number is counted for each
        // user of a user namespace (Linux 5.14), which holds the zygote and the run's init too, or
        // for the slot's own user.
        let processes = match (&self.group, self.uid) {
            (Some(group), _) if group.limits_processes() => u64::MAX,
            (_, Some(_)) => u64::from(run.bounds.processes),
            (_, None) if self.confinement == Confinement::Namespaces => {
                u64::from(run.bounds.processes) + 3
            }
            // The user's own processes count too, and come and go meanwhile.
            (_, None) => self.tasks() + u64::from(run.bounds.processes) + OTHER_TASKS,
        };
        let limit_of = |resource| match resource {
            // Not 0: only 1 also keeps handlers in `core_pattern` from being started (core(5)).
            Resource::Core => 1,
            // Recursion may use as much memory as the program may use at all. The kernel extends
            // the stack on demand, so only the used part counts as memory.
            Resource::Stack => run.bounds.memory_bytes,
            Resource::Nofile => ceilings::DESCRIPTORS,
            Resource::Fsize => files,
            // Memory in use is limited, not reserved memory: a lower limit would be the caller's
            // (ulimit -v, -d).
            Resource::As | Resource::Data => u64::MAX,
            Resource::Memlock => ceilings::LOCKED,
            // Pending signals and timers: more than programs need, and a small part of what their
            // user may have in total.
            Resource::Sigpending => 4096,
            // Set only where the zygote cannot see the usage that it limits otherwise, over the
            // whole tree: with this limit, the kernel lets the program's own CPU clock lag behind
            // by up to a tick.
            Resource::Cpu if self.group.is_none() && self.root_view.proc().is_none() => {
                ceilings::cpu_seconds(run.bounds.cpu_time)
            }
            Resource::Cpu => u64::MAX,
            Resource::Nproc => processes,
            _ => 0,
        };
        self.ceilings
            .iter()
            .map(|(resource, ceiling)| (*resource, limit_of(*resource).min(*ceiling)))
            .collect()
    }
}

/// Sends a report.
fn send(
    channel: &Channel,
    writer: &mut Writer,
    report: &Report,
    work: &[BorrowedFd<'_>],
) -> Result<(), String> {
    report.write(writer);
    channel
        .send(writer.bytes(), work)
        .map_err(|error| format!("cannot report: {error}"))
}

/// Kills and reaps the rest of a run whose init was killed before it could.
fn sweep(job: &Job<'_>) {
    // Once init has swept, it may have reaped the program, whose number can be another process's by
    // now. Processes that it killed may still be ending: on a busy host, that takes a large program
    // longer than the grace that init has.
    if !job.record.is_swept() {
        super::shared_namespaces::sweep(job.record.program_pid(), job.uid, &job.stack);
    }
    reap_orphans(500);
    job.record.set_swept();
}

/// Reaps the processes that are now the zygote's children. One that cannot be ended, because the
/// kernel is busy with it, is left to later runs.
fn reap_orphans(attempts: u32) {
    let mut left = attempts;
    while left > 0 {
        // As in `shared_namespaces`, a child is inspected before it is reaped, and only dead ones
        // are waited for: nothing here may block.
        match kernel::dead_child() {
            Ok(Some(pid)) => drop(kernel::wait(pid)),
            Ok(None) => {
                left -= 1;
                if left > 0 {
                    let _ = rustix::thread::nanosleep(&timespec(RETRY_PAUSE));
                }
            }
            Err(_) => break,
        }
    }
}

/// The path of a depot's part below the root, where only inits see it.
fn hidden_path(depot: u32, source: &CStr) -> Result<CString, String> {
    let mut path = format!(".slot/{depot}").into_bytes();
    if !source.is_empty() {
        path.push(b'/');
        path.extend_from_slice(source.to_bytes());
    }
    CString::new(path).map_err(|_| "a path with a NUL".to_owned())
}

/// Options of the file system for work files. Its own three directories are not the program's.
fn work_options(bytes: u64, files: u64) -> CString {
    let options = format!(
        "mode=0755,size={bytes},nr_inodes={}",
        files.saturating_add(3)
    );
    CString::new(options).unwrap_or_default()
}
