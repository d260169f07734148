//! Users for slots: numbers that no account has, and no two slots at a time.
//!
//! Responsible for choosing and reserving them. Must not know which programs use them.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::SandboxError;

/// The first of the numbers that are preferred: outside of every range that systemd or the
/// distributions hand out (systemd's UIDS-GIDS.md). It is followed by twice as many numbers as
/// there can be processes.
const PREFERRED: u32 = 0x7000_0000;
const PROCESSES: u32 = 0x0040_0000;
/// The small range of users for processes, as its first number and size. For hosts with only 65536
/// users, as in most containers with a user namespace. All containers of one user of rootless
/// podman share it.
const SMALL: (u32, u32) = (20_000, 40_000);
/// The small range for reserved users.
const SMALL_RESERVED: (u32, u32) = (15_000, 5000);
/// The number of slots that all harnesses of a host can have at a time.
const MAX_SLOTS: u32 = 4096;
/// The number of blocks of `MAX_SLOTS` users from which harnesses with different directories or pid
/// namespaces choose. All of them are below 2^31, the end of the unassigned range.
const BLOCKS: u32 = 60_000;
const _: () = assert!(PREFERRED + PROCESSES + BLOCKS * MAX_SLOTS <= 1 << 31);
const _: () =
    assert!(MAX_SLOTS <= SMALL_RESERVED.1 && SMALL_RESERVED.0 + SMALL_RESERVED.1 <= SMALL.0);
/// The inode of the first pid namespace (`PROC_PID_INIT_INO` of the kernel's proc_ns.h).
const FIRST_PID_NAMESPACE: u64 = 0xEFFF_FFFC;

/// A user for one slot.
#[derive(Debug)]
pub(crate) struct SlotUser {
    pub(crate) uid: u32,
    /// Locked as long as it is in use. The kernel releases the lock when the process that holds it
    /// ends.
    _lock: Option<File>,
}

/// The preferred user if there is one of that number.
fn user(preferred: u32, other: u32) -> u32 {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    if is_mapped(&map, preferred) {
        preferred
    } else {
        other
    }
}

/// True if a user exists in our own user namespace (user_namespaces(7)).
pub(crate) fn is_mapped(map: &str, uid: u32) -> bool {
    map.lines().any(|line| {
        let mut fields = line
            .split_whitespace()
            .map_while(|field| field.parse::<u64>().ok());
        let (Some(first), Some(_), Some(count)) = (fields.next(), fields.next(), fields.next())
        else {
            return false;
        };
        (first..first + count).contains(&uid.into())
    })
}

impl SlotUser {
    /// A user for the slot of a zygote with this process number. If its processes are in their own
    /// pid namespace, another slot may have the same user.
    pub(crate) fn for_process(pid: u32) -> Self {
        let shift = mixed(&[pid_namespace()], PROCESSES);
        let [preferred, small] =
            [PROCESSES, SMALL.1].map(|number| (pid % PROCESSES + shift) % number);
        Self {
            uid: user(PREFERRED + preferred, SMALL.0 + small),
            _lock: None,
        }
    }

    /// A user that no other slot on this host has while this value lives: every process that runs
    /// as it belongs to the slot.
    pub(crate) fn reserve() -> Result<Self, SandboxError> {
        let (directory, block) = lock_directory()?;
        for index in 0..MAX_SLOTS {
            let path = directory.join(index.to_string());
            let file = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path);
            let file = file.map_err(SandboxError::host(format!("open `{}`", path.display())))?;
            // The files are never removed: otherwise two processes could lock different files of
            // the same name. A lock is used instead of the file's existence, because the kernel
            // releases it whenever the process dies.
            if file.try_lock().is_ok() {
                let (preferred, small) = reserved(block, index);
                return Ok(Self {
                    uid: user(preferred, small),
                    _lock: Some(file),
                });
            }
        }
        Err(SandboxError::helper(format!(
            "all {MAX_SLOTS} users for slots are in use"
        )))
    }
}

/// The preferred and the small number of a user in a block. The small range is too small for
/// blocks, so each block begins at a different place in it.
fn reserved(block: u32, index: u32) -> (u32, u32) {
    let small = SMALL_RESERVED.0 + (block + index) % SMALL_RESERVED.1;
    (PREFERRED + PROCESSES + block * MAX_SLOTS + index, small)
}

/// The inode of this pid namespace, and 0 for the host's own. Containers do not see each other's
/// processes, but the kernel counts the processes of a user in all of them together (RLIMIT_NPROC,
/// getrlimit(2)).
fn pid_namespace() -> u64 {
    let inode = fs::metadata("/proc/self/ns/pid").map_or(0, |metadata| metadata.ino());
    if inode == FIRST_PID_NAMESPACE {
        0
    } else {
        inode
    }
}

/// Returns a number below `bound` that distinguishes different `numbers`, and 0 if all of them are
/// 0 (SplitMix64).
fn mixed(numbers: &[u64], bound: u32) -> u32 {
    let mixed = numbers.iter().fold(0_u64, |state, number| {
        let mixed = (state ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (mixed >> 31)
    });
    (mixed % u64::from(bound)) as u32
}

/// A directory with a lock for each number, in the first writable place: if the root file system is
/// read-only, `/run` often is too. Harnesses that lock in different directories cannot see each
/// other's locks, so each directory except the one in the host's `/run` has its own block of users,
/// chosen by its inode and the pid namespace.
fn lock_directory() -> Result<(PathBuf, u32), SandboxError> {
    let of_session = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    // `/run` first, because all harnesses of a host see it; the others may differ from harness to
    // harness.
    let places = [
        Some("/run".into()),
        of_session,
        Some(std::env::temp_dir()),
        Some("/tmp".into()),
    ];
    let directory = lock_directory_in(places.into_iter().flatten())?;
    let namespace = pid_namespace();
    if namespace == 0 && directory.starts_with("/run/judge-users") {
        return Ok((directory, 0));
    }
    // Two harnesses that see different directories cannot exclude each other by locks, so they take
    // users from different blocks. `/run` of two containers may have the same inode.
    let [device, inode] =
        fs::metadata(&directory).map_or([0; 2], |metadata| [metadata.dev(), metadata.ino()]);
    let block = 1 + mixed(&[namespace, device, inode], BLOCKS - 1);
    Ok((directory, block))
}

fn lock_directory_in(places: impl Iterator<Item = PathBuf>) -> Result<PathBuf, SandboxError> {
    let mut tried = Vec::new();
    for place in places {
        let directory = place.join("judge-users");
        match closed_directory(&directory) {
            Ok(()) => return Ok(directory),
            Err(reason) => tried.push(format!("`{}`: {reason}", directory.display())),
        }
    }
    Err(SandboxError::helper(format!(
        "no directory for the locks of slots' users: {}",
        tried.join("; ")
    )))
}

/// Creates a directory that only this user can use, or checks an existing one.
fn closed_directory(directory: &Path) -> Result<(), String> {
    match DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(error.to_string());
        }
        _ => {}
    }
    // A link is not followed: in `/tmp`, another user could make one that leads to any private
    // directory of this user, and the locks would be created there.
    let metadata = fs::symlink_metadata(directory).map_err(|error| error.to_string())?;
    let is_ours = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    if !is_ours || metadata.mode() & 0o077 != 0 {
        return Err(
            "expected a directory of this user with the mode 0700, found another one".to_owned(),
        );
    }
    // A directory that an earlier harness made may be on a file system that has become read-only.
    rustix::fs::access(directory, rustix::fs::Access::WRITE_OK).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_looked_up_in_the_map() {
        let whole = "         0          0 4294967295\n";
        assert!(is_mapped(whole, 0x7000_0001));
        let container = "0 100000 65536\n";
        assert!(!is_mapped(container, 0x7000_0001) && is_mapped(container, 20_000));
        assert!(!is_mapped("", 0));
    }

    #[test]
    fn namespaces_and_directories_choose_different_blocks() {
        assert_eq!(
            (mixed(&[0], PROCESSES), mixed(&[0, 0, 0], BLOCKS)),
            (0, 0),
            "on the host, numbers are unchanged"
        );
        // The kernel numbers namespaces, devices and inodes one after the other.
        for place in 0..3 {
            let blocks = (1..=100_u64).map(|number| {
                let mut numbers = [FIRST_PID_NAMESPACE, 45, 1000];
                numbers[place] += number;
                mixed(&numbers, BLOCKS)
            });
            let different: std::collections::BTreeSet<u32> = blocks.collect();
            assert!(different.len() >= 97, "{place}: {}", different.len());
        }
        let small: std::collections::BTreeSet<u32> = (0..MAX_SLOTS)
            .map(|index| reserved(BLOCKS - 1, index).1)
            .collect();
        assert_eq!(
            small.len(),
            MAX_SLOTS as usize,
            "no two slots of a harness have the same user"
        );
        assert_ne!(reserved(1, 0).1, reserved(2, 0).1);
    }

    #[test]
    fn locks_are_in_the_first_writable_directory_of_this_user() {
        let outer = tempfile::tempdir().unwrap();
        let place = |name: &str, mode| {
            let place = outer.path().join(name);
            DirBuilder::new().mode(0o755).create(&place).unwrap();
            if let Some(mode) = mode {
                fs::create_dir(place.join("judge-users")).unwrap();
                let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
                fs::set_permissions(place.join("judge-users"), permissions).unwrap();
            }
            place
        };
        let missing = outer.path().join("missing");
        let (open, linked, good) = (
            place("open", Some(0o755)),
            place("linked", None),
            place("good", None),
        );
        std::os::unix::fs::symlink(
            place("elsewhere", Some(0o700)).join("judge-users"),
            linked.join("judge-users"),
        )
        .unwrap();
        let found = lock_directory_in(
            [missing.clone(), open.clone(), linked.clone(), good.clone()].into_iter(),
        )
        .unwrap();
        assert_eq!(found, good.join("judge-users"));
        assert_eq!(fs::metadata(&found).unwrap().mode() & 0o777, 0o700);
        // It is taken again.
        assert_eq!(lock_directory_in([good].into_iter()).unwrap(), found);
        let refused = lock_directory_in([missing, open, linked].into_iter())
            .unwrap_err()
            .to_string();
        assert!(
            refused.matches("found another one").count() == 2,
            "{refused}"
        );
    }

    #[test]
    fn reserved_users_are_exclusive() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let first = SlotUser::reserve().unwrap();
        let second = SlotUser::reserve().unwrap();
        assert_ne!(first.uid, second.uid);
        let free = first.uid;
        drop(first);
        assert!((0..100).any(|_| SlotUser::reserve().unwrap().uid == free));
    }
}
