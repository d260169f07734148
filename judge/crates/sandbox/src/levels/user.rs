//! Users for slots: numbers that no account has, and no two slots at a time.
//!
//! Responsible for choosing and reserving them. Must not know what runs as them.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::PathBuf;

use crate::SandboxError;

/// The first of the numbers that are preferred: outside of every range that systemd or the distributions hand out
/// (systemd's UIDS-GIDS.md). Twice as many as there can be processes follow.
const PREFERRED: u32 = 0x7000_0000;
const PROCESSES: u32 = 0x0040_0000;
/// The small ranges, for processes and for reserved users, where there are only 65536 users, as in most containers with
/// users of their own.
const SMALL: (u32, u32) = (20_000, 40_000);
const SMALL_RESERVED: u32 = 15_000;
/// The number of slots that all judges of a host can have at a time.
const MOST_SLOTS: u32 = 4096;

/// A user for one slot.
#[derive(Debug)]
pub(crate) struct SlotUser {
    pub(crate) uid: u32,
    /// Locked as long as it is in use; the kernel gives the lock up with the process that holds it.
    _lock: Option<File>,
}

/// The preferred user if there is one of that number.
fn user(preferred: u32, other: u32) -> u32 {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    if is_mapped(&map, preferred) { preferred } else { other }
}

/// True if a user exists in our own user namespace (user_namespaces(7)).
fn is_mapped(map: &str, uid: u32) -> bool {
    map.lines().any(|line| {
        let mut fields = line.split_whitespace().map_while(|field| field.parse::<u64>().ok());
        let (Some(first), Some(_), Some(count)) = (fields.next(), fields.next(), fields.next()) else { return false };
        (first..first + count).contains(&uid.into())
    })
}

impl SlotUser {
    /// A user for the slot of a zygote with this process number. Where its processes are in a pid namespace of their
    /// own, it does no harm if another slot has the same one.
    pub(crate) fn of_process(pid: u32) -> Self {
        Self { uid: user(PREFERRED + pid % PROCESSES, SMALL.0 + pid % SMALL.1), _lock: None }
    }

    /// A user that no other slot on this host has while this value lives: everything that runs as it is the slot's.
    pub(crate) fn reserve() -> Result<Self, SandboxError> {
        let directory = lock_directory()?;
        for index in 0..MOST_SLOTS {
            let path = directory.join(index.to_string());
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(SandboxError::host(format!("open `{}`", path.display())))?;
            // The files stay: removing one would let two processes lock different files of the same name.
            if file.try_lock().is_ok() {
                let uid = user(PREFERRED + PROCESSES + index, SMALL_RESERVED + index);
                return Ok(Self { uid, _lock: Some(file) });
            }
        }
        Err(SandboxError::helper(format!("all {MOST_SLOTS} users for slots are in use")))
    }
}

/// A directory that only root can have made, with a lock for each number.
fn lock_directory() -> Result<PathBuf, SandboxError> {
    let parent = ["/run", "/var/run", "/tmp"].into_iter().find(|path| std::path::Path::new(path).is_dir());
    let directory = PathBuf::from(parent.unwrap_or("/tmp")).join("judge-users");
    let made = match DirBuilder::new().mode(0o700).create(&directory) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::symlink_metadata(&directory),
    };
    let metadata = made.map_err(SandboxError::host(format!("create `{}`", directory.display())))?;
    if !metadata.is_dir() || metadata.uid() != rustix::process::geteuid().as_raw() {
        let shown = directory.display();
        return Err(SandboxError::helper(format!("`{shown}` is not a directory of our own: somebody else made it")));
    }
    Ok(directory)
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
    fn a_reserved_user_is_nobody_elses() {
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
