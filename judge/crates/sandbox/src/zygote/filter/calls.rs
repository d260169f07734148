//! The system calls that a filter answers the same whatever their arguments are.
//!
//! Responsible for the lists, with the reason for each call. Must not know what a filter is made of.

/// Calls that fail with "not permitted": what their manual pages promise to whoever lacks a privilege.
#[rustfmt::skip]
pub(in crate::zygote) const FORBIDDEN: &[libc::c_long] = &[
    // Keyrings belong to the user, not to the run.
    libc::SYS_keyctl, libc::SYS_add_key, libc::SYS_request_key,
    // Large kernel interfaces with a history of holes.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_vmsplice,
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd, libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_unshare, libc::SYS_setns,
    libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount,
    libc::SYS_fspick, libc::SYS_mount_setattr, SYS_OPEN_TREE_ATTR,
    // Files past the mount tree.
    libc::SYS_open_by_handle_at, libc::SYS_name_to_handle_at, libc::SYS_fanotify_init, libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    // The machine.
    libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module, libc::SYS_reboot,
    libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_settimeofday, libc::SYS_adjtimex,
    libc::SYS_clock_settime, libc::SYS_clock_adjtime, libc::SYS_syslog, libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_modify_ldt,
    // Objects that could outlive a run or carry messages between slots.
    libc::SYS_shmget, libc::SYS_msgget, libc::SYS_semget, libc::SYS_mq_open,
    // The processor that the slot is pinned to.
    libc::SYS_sched_setaffinity,
];

/// Calls that look missing. Kernels are built without each of them, or were once, so whoever wants one knows what to do
/// instead; "not permitted" is an error to some, and has been printed.
#[rustfmt::skip]
pub(in crate::zygote) const MISSING: &[libc::c_long] = &[
    // A filter cannot see its flags; callers use `clone` instead.
    libc::SYS_clone3,
    // Large kernel interfaces with a history of holes.
    libc::SYS_userfaultfd, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register,
    // Contexts of asynchronous requests, whose number is limited for the whole machine (`fs.aio-max-nr`).
    libc::SYS_io_setup,
    // Memory that nobody else sees, and thus nobody who counts.
    libc::SYS_memfd_secret,
    // Watching what others do with files that all of them see, and which of their pages are in memory.
    libc::SYS_inotify_init1, libc::SYS_inotify_add_watch, SYS_CACHESTAT, libc::SYS_mincore,
    #[cfg(target_arch = "x86_64")] libc::SYS_inotify_init,
    // The paths of the host that mounts were made from, and its namespaces.
    SYS_STATMOUNT, SYS_LISTMOUNT, SYS_LISTNS,
];

/// Calls that succeed and do nothing, as the kernel may answer them too. They act on the disks and the cache of the host: what
/// others write is forced out, at the disk's cost for everybody, and what others have read is put out of memory or into
/// it, which is a channel between slots. What a run itself writes is gone with it.
#[rustfmt::skip]
pub(in crate::zygote) const DONE: &[libc::c_long] = &[
    libc::SYS_sync, libc::SYS_syncfs, libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_sync_file_range,
    libc::SYS_fadvise64, libc::SYS_readahead,
];

/// Calls that fail with "not permitted" in everybody's namespaces.
#[rustfmt::skip]
pub(in crate::zygote) const FORBIDDEN_OUTSIDE: &[libc::c_long] = &[
    // Sockets that lead anywhere; what `socketpair` gives is connected already.
    libc::SYS_connect, libc::SYS_bind,
    // System V objects of others, which their numbers are enough for.
    libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_msgctl, libc::SYS_semop,
    libc::SYS_semctl, libc::SYS_semtimedop,
    // Marks on files of others that anybody may write to, which Landlock does not see.
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SYS_SETXATTRAT, libc::SYS_removexattr,
    libc::SYS_lremovexattr, libc::SYS_fremovexattr, SYS_REMOVEXATTRAT, libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")] libc::SYS_utime,
    #[cfg(target_arch = "x86_64")] libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")] libc::SYS_futimesat,
];

// Newer than the C library's headers.
const SYS_CACHESTAT: libc::c_long = 451;
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_STATMOUNT: libc::c_long = 457;
const SYS_LISTMOUNT: libc::c_long = 458;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_OPEN_TREE_ATTR: libc::c_long = 467;
const SYS_FILE_SETATTR: libc::c_long = 469;
const SYS_LISTNS: libc::c_long = 470;

/// Calls that fail with "not permitted" for a program that has its caller's user: what that user may do to its files
/// without opening them, which Landlock does not see, and to its processes.
#[rustfmt::skip]
pub(in crate::zygote) const FORBIDDEN_TO_SAME_USER: &[libc::c_long] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, SYS_FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, SYS_FILE_SETATTR,
    #[cfg(target_arch = "x86_64")] libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")] libc::SYS_chown,
    #[cfg(target_arch = "x86_64")] libc::SYS_lchown,
    libc::SYS_migrate_pages, libc::SYS_move_pages,
    // The process group is what a run is killed by.
    libc::SYS_setsid, libc::SYS_setpgid,
];
