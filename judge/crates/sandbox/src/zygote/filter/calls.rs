//! The system calls that a filter answers regardless of their arguments.
//!
//! Responsible for the lists, with the reason for each call. Must not know what a filter is made
//! of.

/// Calls that fail with "not permitted": the error that their manual pages document for a missing
/// privilege.
pub(crate) const FORBIDDEN: &[libc::c_long] = &[
    // Keyrings belong to the user, not to the run.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Large kernel interfaces with a history of holes.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_vmsplice,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    // Files past the mount tree.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    // Objects that can outlive a run or carry messages between slots. Message queues have names, so
    // even `mq_unlink` alone reaches those of others.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    // Attributes of files: those of files in memory take memory that is not counted, and the rest
    // are marks on files of others that every user may write to, which Landlock does not see.
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    // The processor that the slot is pinned to.
    libc::SYS_sched_setaffinity,
];

/// Calls that look missing. Kernels are built without each of them, or were once, so callers have a
/// fallback; "not permitted" is an error to some, and has been printed.
pub(crate) const MISSING: &[libc::c_long] = &[
    // A filter cannot see its flags; callers use `clone` instead.
    libc::SYS_clone3,
    // Filters of the program's own. The kernel translates them to machine code that is charged to
    // the host and not to the group (`bpf_jit_limit`), and freeing thousands of them has stalled a
    // kernel (Linux 6.18, `bpf_prog_pack_free`).
    libc::SYS_seccomp,
    // Policies of memory on machines with several nodes: the kernel keeps one for each mapping and
    // charges it to no group.
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_get_mempolicy,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Large kernel interfaces with a history of holes.
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Handles of processes, whose inode numbers the whole host counts up: the next run can see how
    // many a run has made. `clone` refuses the flag that makes one.
    libc::SYS_pidfd_open,
    // Contexts of asynchronous requests, whose number is limited for the whole machine
    // (`fs.aio-max-nr`).
    libc::SYS_io_setup,
    // Watching what others do with files that all programs see, and which of their pages are in
    // memory.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_mincore,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// The first of the calls that all look missing, as on a kernel before Linux 5.12, on which
/// run-times work too. Below it, the set of calls is complete, and each has been decided about.
/// From it on there are calls that set up mounts, quotas and Landlock, that hide memory from the
/// count (`memfd_secret`), that show what is cached (`cachestat`), how the host is mounted
/// (`statmount`, `listmount`, `listns`) and secured (`lsm_…`), that change attributes without a
/// descriptor (`fchmodat2`, `setxattrat`, `file_setattr`), and all calls of future kernels. The
/// number is the same for all architectures, as are all from 424 on.
pub(crate) const FIRST_UNDECIDED: u32 = 442;

/// Calls that look as if these descriptors did not support them. All callers then read and write
/// instead: for Go, no other error of `splice` has this effect, and for Java none of `sendfile`.
/// Each of them can sleep with the lock of a pipe, as `sendfile` does from an empty socket into a
/// pipe. Every other process that reads, writes or looks at that pipe then waits within the kernel,
/// without an end: the program's own threads, which look as if the host held them up, and the
/// harness itself where the pipe is a stream of the program.
pub(crate) const HOLDING_PIPES: &[libc::c_long] =
    &[libc::SYS_splice, libc::SYS_tee, libc::SYS_sendfile];

/// Calls that name sockets and find them by their names: the ends of a `socketpair` can be named
/// too, and later runs of the slot would find the names.
pub(crate) const NAMING_SOCKETS: &[libc::c_long] = &[
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];

/// Calls that put descriptors into a message (`SCM_RIGHTS`). Sockets that are on their way to each
/// other are held by no process and stay until the kernel looks for them, which may be long after
/// the run. No filter can look into a message.
pub(crate) const PASSING_DESCRIPTORS: &[libc::c_long] = &[libc::SYS_sendmsg, libc::SYS_sendmmsg];

/// Calls that succeed and do nothing, as the kernel may answer them too. They act on the disks and
/// the cache of the host: they force out the writes of others, which slows the disk down for all,
/// and move files that others have read out of memory or into it, which is a channel between slots.
/// The files of a run are removed after it, so it loses nothing.
pub(crate) const DONE: &[libc::c_long] = &[
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
];

/// Calls that fail with "not permitted" where a program shares the host's namespaces.
pub(crate) const FORBIDDEN_IN_SHARED_NAMESPACES: &[libc::c_long] = &[
    // System V objects of others, for which a number is enough.
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_semtimedop,
    // Marks on files of others that every user may write to, which Landlock does not see.
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Calls that fail with "not permitted" for a program that has its caller's user: they act on that
/// user's files without opening them, which Landlock does not see, or on its processes.
pub(crate) const FORBIDDEN_TO_SAME_USER: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    // A run is killed by its process group.
    libc::SYS_setsid,
    libc::SYS_setpgid,
];
