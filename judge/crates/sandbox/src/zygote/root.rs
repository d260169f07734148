//! The root file system of a slot.
//!
//! Responsible for building it once, and for the mount points of single runs. Must not know runs.
//!
//! Everything a program sees is either a read-only view of a system directory or was written here.
//! The pieces are cloned as detached mounts first (open_tree(2)), so that it does not matter where
//! the new root covers the old one.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, fstat, makedev, mkdirat, mknodat, openat, statat,
    unlinkat,
};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, mount_move, move_mount, open_tree, unmount,
};

use super::etc::Etc;
use crate::kernel;
use crate::open::{directory_handle, is_directory, open_at};
use crate::protocol::messages::{BoundPart, Setup};

/// The box for files that programs write, if they may: `work` is the working directory, `tmp` is
/// used for `/tmp` and similar directories.
pub(super) const BOX: &CStr = c"/box";
/// A directory that only the zygote and inits see into; they cover it before a program starts.
pub(super) const HIDDEN: &CStr = c"/.slot";
/// The empty directory that they cover it with.
pub(super) const EMPTY: &CStr = c"/.empty";
const HIDDEN_PROC: &str = "/.slot/proc";

const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
const DEVICE: u64 = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC;
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// Their minor numbers; the major number is 1 (the kernel's
/// `Documentation/admin-guide/devices.txt`).
const MINOR_NUMBERS: [u32; 5] = [3, 5, 7, 8, 9];

/// The finished root.
pub(super) struct Root {
    /// The root once more, writable: only the zygote has this descriptor.
    store: OwnedFd,
    /// A `/proc` of the zygote's pid namespace, where the host permits one.
    pub(super) proc: Option<OwnedFd>,
    /// Each depot, on its read-only mount.
    pub(super) depots: Vec<OwnedFd>,
    /// True if the devices are the slot's own.
    pub(super) own_devices: bool,
    /// The present mount points: the path below the root, and true for a directory.
    points: Vec<(CString, bool)>,
}

/// Returns a function for `map_err` that makes a message: the action that failed, and the reason.
pub(super) fn doing<E: Into<io::Error>>(action: impl Into<String>) -> impl FnOnce(E) -> String {
    move |error| format!("cannot {}: {}", action.into(), error.into())
}

fn shown(path: &CStr) -> String {
    path.to_string_lossy().into_owned()
}

/// A detached read-only copy of the mounts at `path`.
fn clone_mounts(path: &Path, attributes: u64) -> Result<OwnedFd, String> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, path, flags).map_err(doing(format!("open `{}`", path.display())))?;
    kernel::restrict_mount(tree.as_fd(), attributes, true).map_err(doing(format!(
        "make the view of `{}` read-only",
        path.display()
    )))?;
    Ok(tree)
}

fn attach(tree: &OwnedFd, target: &Path) -> Result<(), String> {
    move_mount(
        tree,
        c"",
        CWD,
        target,
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH,
    )
    .map_err(doing(format!("mount on `{}`", target.display())))
}

pub(super) fn make_directory(path: &str, mode: u32) -> Result<(), String> {
    fs::create_dir_all(path)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(mode)))
        .map_err(doing(format!("create `{path}`")))
}

/// The host's system directories: links as they are, directories as mounts.
enum System {
    Link(PathBuf),
    Mount(OwnedFd),
}

/// The paths of the host's system directories, links among them.
pub(super) fn system_paths() -> Result<Vec<PathBuf>, String> {
    let mut names: Vec<PathBuf> = ["/usr", "/bin", "/sbin", "/nix/store", "/gnu/store"]
        .map(PathBuf::from)
        .into();
    let top = fs::read_dir("/").map_err(doing("list `/`"))?;
    names.extend(
        top.filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.as_os_str().as_bytes().starts_with(b"/lib")),
    );
    Ok(names)
}

fn system_directories() -> Result<Vec<(PathBuf, System)>, String> {
    let mut found = Vec::new();
    for name in system_paths()? {
        if let Ok(target) = name.read_link() {
            found.push((name, System::Link(target)));
        } else if name.is_dir() {
            let tree = clone_mounts(&name, READ_ONLY)?;
            found.push((name, System::Mount(tree)));
        }
    }
    Ok(found)
}

impl Root {
    /// Builds the root and moves the calling process into it. Its mount namespace must be its own
    /// already.
    pub(super) fn build(setup: &Setup<'_>, uid: u32) -> Result<Self, String> {
        // systemd makes mounts shared: without this, every mount below would appear on the host too
        // (mount_namespaces(7)).
        mount_change(
            "/",
            MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
        )
        .map_err(doing("make the mounts private"))?;
        // Everything is cloned before the new root is entered: afterwards no path of the host can
        // be resolved.
        let system = system_directories()?;
        let etc = Etc::read();
        let path = |name: &CStr| Path::new(OsStr::from_bytes(name.to_bytes())).to_owned();
        let view = setup
            .view
            .iter()
            .map(|(source, target)| Ok((path(target), clone_mounts(&path(source), READ_ONLY)?)))
            .collect::<Result<Vec<_>, String>>()?;
        let depots = setup
            .depots
            .iter()
            .map(|source| clone_mounts(&path(source), READ_ONLY))
            .collect::<Result<Vec<_>, String>>()?;
        // A user namespace may not make devices (mknod(2)), so only a root of the host has its own.
        let EmptyRoot {
            store,
            proc,
            devices,
        } = enter_empty_root(setup.head.uid.is_some())?;

        for (target, system) in &system {
            match system {
                System::Link(link) => {
                    symlink(link, target).map_err(doing(format!("link `{}`", target.display())))?;
                }
                System::Mount(tree) => place(tree, target)?,
            }
        }
        etc.write(uid).map_err(doing("write `/etc`"))?;
        populate(&devices)?;
        let own_devices = devices.is_empty();
        if own_devices {
            // Only now, because mknod(2) fails on a read-only mount. Writing to a device is
            // possible nevertheless: the kernel requires a writable mount only for changes of the
            // file system.
            let made = directory_handle("/dev").map_err(doing("open `/dev`"))?;
            kernel::restrict_mount(made.as_fd(), DEVICE, false)
                .map_err(doing("make `/dev` read-only"))?;
        }
        for (target, tree) in &view {
            place(tree, target)?;
        }
        let depots = depots
            .iter()
            .enumerate()
            .map(|(index, tree)| {
                let point = format!("/.slot/{index}");
                make_directory(&point, 0o755)?;
                attach(tree, Path::new(&point))?;
                directory_handle(&point).map_err(doing(format!("open `{point}`")))
            })
            .collect::<Result<Vec<_>, String>>()?;
        // Read-only last: mount points and links had to be made first. `store` stays writable for
        // the mount points of later runs.
        let root = directory_handle("/").map_err(doing("open the root"))?;
        kernel::restrict_mount(root.as_fd(), READ_ONLY, false)
            .map_err(doing("make the root read-only"))?;
        Ok(Self {
            store,
            proc,
            depots,
            own_devices,
            points: Vec::new(),
        })
    }

    /// Makes the mount points of a run's binds, and removes those that it does not use, so that no
    /// run can see what others were given.
    pub(super) fn prepare_points(&mut self, binds: &[BoundPart<'_>]) -> Result<(), String> {
        let mut points = Vec::with_capacity(binds.len());
        for (depot, source, target) in binds {
            let depot = self
                .depots
                .get(*depot as usize)
                .ok_or("an unknown depot was named")?;
            let stat = statat(
                depot,
                *source,
                AtFlags::EMPTY_PATH | AtFlags::SYMLINK_NOFOLLOW,
            )
            .map_err(doing(format!("find `{}` in its depot", shown(source))))?;
            let directory = is_directory(&stat);
            // `/program` itself is part of the root; what lies below `/program` or `/judge` is made
            // for the run.
            let below = target
                .to_bytes()
                .iter()
                .filter(|byte| **byte == b'/')
                .count()
                > 1;
            if below {
                let relative =
                    CString::new(&target.to_bytes()[1..]).map_err(|_| "a target with a NUL")?;
                points.push((relative, directory));
            } else if !directory {
                return Err(format!("`{}` must be given a directory", shown(target)));
            }
        }
        // The usual case: one run after the other of the same program.
        if points == self.points {
            return Ok(());
        }
        // The mount that programs see is read-only. `store` is another, writable mount of the same
        // file system, so each change through it shows in both.
        for (point, directory) in self.points.drain(..) {
            let flags = if directory {
                AtFlags::REMOVEDIR
            } else {
                AtFlags::empty()
            };
            let _ = unlinkat(&self.store, &point, flags);
        }
        for (point, directory) in &points {
            let made = if *directory {
                mkdirat(&self.store, point, Mode::from_raw_mode(0o755))
            } else {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
                openat(&self.store, point, flags, Mode::from_raw_mode(0o444)).map(drop)
            };
            match made {
                Ok(()) => self.points.push((point.clone(), *directory)),
                Err(error) => {
                    return Err(
                        doing(format!("create the mount point `/{}`", shown(point)))(error),
                    );
                }
            }
        }
        Ok(())
    }
}

/// A new root with nothing but devices.
struct EmptyRoot {
    /// The writable store of the root.
    store: OwnedFd,
    /// A `/proc` of this pid namespace, where the host permits one.
    proc: Option<OwnedFd>,
    /// Copies of the host's devices; empty if the root has its own.
    devices: Vec<(&'static str, OwnedFd)>,
}

/// Creates an empty root, moves into it and detaches the old one.
fn enter_empty_root(may_make_devices: bool) -> Result<EmptyRoot, String> {
    // Any directory is suitable: nothing below it is needed any more.
    let place = ["/tmp", "/mnt", "/usr"]
        .into_iter()
        .find(|path| Path::new(path).is_dir())
        .unwrap_or("/");
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", place, "tmpfs", flags, c"mode=0755,size=64m")
        .map_err(doing("mount a new root"))?;
    let store = open_tree(
        CWD,
        place,
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC,
    )
    .map_err(doing("open the new root"))?;
    rustix::process::chdir(place).map_err(doing("enter the new root"))?;
    make_directory(".slot", 0o700)?;
    make_directory(".slot/proc", 0o755)?;
    make_directory(".slot/work", 0o755)?;
    // Decided while paths of the host can still be resolved: closing a copy that nothing uses makes
    // the kernel wait until all processors have noticed (`namespace_unlock` in its fs/namespace.c).
    let devices = if may_make_devices && make_devices().is_ok() {
        Vec::new()
    } else {
        DEVICES
            .iter()
            .map(|name| Ok((*name, clone_mounts(&Path::new("/dev").join(name), DEVICE)?)))
            .collect::<Result<Vec<_>, String>>()?
    };
    // In a user namespace this works only while the host's own /proc is visible, and not where
    // parts of it are covered, as in most containers (`mount_too_revealing` in the kernel's
    // fs/namespace.c).
    let flags = flags | MountFlags::NOEXEC;
    let proc = mount("proc", ".slot/proc", "proc", flags, None).is_ok();
    // pivot_root(2), NOTES: with the same directory twice, the old root ends up on top of the new
    // one.
    match rustix::process::pivot_root(".", ".") {
        Ok(()) => unmount(".", UnmountFlags::DETACH).map_err(doing("leave the old root"))?,
        // Docker's default filter of system calls refuses it even with CAP_SYS_ADMIN, and allows
        // the other calls. An ordinary user gets no `/proc` there, so a level that measures the
        // usage of programs is better.
        Err(Errno::PERM | Errno::NOSYS) if proc => cover_old_root(place)?,
        Err(error) => return Err(doing("change to the new root")(error)),
    }
    rustix::process::chdir("/").map_err(doing("enter the new root"))?;
    let proc = proc
        .then(|| directory_handle(HIDDEN_PROC))
        .transpose()
        .map_err(doing("open `/proc`"))?;
    Ok(EmptyRoot {
        store,
        proc,
        devices,
    })
}

/// Moves the new root, which is the working directory, from `place` over the old one and changes
/// into it.
///
/// Unlike after pivot_root(2), the old root stays in the mount namespace, below the new one. Only a
/// process that may call chroot(2) could climb down to it, and programs may not: the filter refuses
/// the call, and they have no capabilities. Mounts of the host in other places are unmounted as
/// well, so that few remain.
fn cover_old_root(place: &str) -> Result<(), String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").map_err(doing("list the mounts"))?;
    // The fifth field is the mount point (proc_pid_mountinfo(5)).
    for point in mounts
        .lines()
        .filter_map(|line| line.split(' ').nth(4))
        .map(Path::new)
    {
        if !point.starts_with(place) && !Path::new(place).starts_with(point) {
            // A mount takes those below it along. One that cannot be unmounted is covered, as the
            // root itself is.
            let _ = unmount(point, UnmountFlags::DETACH);
        }
    }
    mount_move(".", "/").map_err(doing("move the new root over the old one"))?;
    // A mount on `/` does not move the root of a running process, which would still resolve
    // absolute paths in the old one.
    rustix::process::chroot(".").map_err(doing("change to the new root"))
}

/// Mounts a detached copy at a path of the new root, which is created if it is missing.
fn place(tree: &OwnedFd, target: &Path) -> Result<(), String> {
    let made = if fstat(tree).is_ok_and(|stat| is_directory(&stat)) {
        fs::create_dir_all(target)
    } else {
        let parent = target.parent().map_or(Ok(()), fs::create_dir_all);
        parent.and_then(|()| {
            if target.exists() {
                Ok(())
            } else {
                fs::write(target, b"")
            }
        })
    };
    made.map_err(doing(format!(
        "create the mount point `{}`",
        target.display()
    )))?;
    attach(tree, target)
}

/// Makes devices of the slot's own in a file system on `dev`, below the working directory. The
/// host's would have the same effect, but marks on them, such as locks, are visible to every
/// process that has them open. Only root may make devices (mknod(2)), and not in every container.
fn make_devices() -> Result<(), Errno> {
    make_directory("dev", 0o755).map_err(|_| Errno::IO)?;
    mount(
        "tmpfs",
        "dev",
        "tmpfs",
        MountFlags::NOSUID | MountFlags::NOEXEC,
        c"mode=0755,size=64k,nr_inodes=32",
    )?;
    let read_and_write = Mode::from_raw_mode(0o666);
    let made = DEVICES
        .iter()
        .zip(MINOR_NUMBERS)
        .try_for_each(|(name, minor)| {
            let path = Path::new("dev").join(name);
            mknodat(
                CWD,
                &path,
                FileType::CharacterDevice,
                read_and_write,
                makedev(1, minor),
            )?;
            // The umask of this process may have taken bits away.
            rustix::fs::chmod(&path, read_and_write)?;
            // A control group may forbid opening a device although creating it was allowed.
            open_at(CWD, &path, OFlags::RDWR).map(drop)
        });
    if made.is_err() {
        unmount("dev", UnmountFlags::DETACH)?;
    }
    made
}

/// Creates everything in the root that belongs neither to the host nor to a single run.
fn populate(devices: &[(&str, OwnedFd)]) -> Result<(), String> {
    for path in [
        "/dev",
        "/proc",
        "/program",
        "/judge",
        "/box/work",
        "/box/tmp",
        "/.empty",
        "/var",
    ] {
        make_directory(path, 0o755)?;
    }
    for (name, tree) in devices {
        place(tree, &Path::new("/dev").join(name))?;
    }
    let links = [
        ("/tmp", "/box/tmp"),
        ("/var/tmp", "/box/tmp"),
        ("/dev/shm", "/box/tmp"),
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ];
    for (link, target) in links {
        symlink(target, link).map_err(doing(format!("link `{link}`")))?;
    }
    Ok(())
}
