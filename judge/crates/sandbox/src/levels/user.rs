//! Users for slots: numbers that no account has, and no two slots at a time.
//!
//! Responsible for choosing and reserving them. Must not know what runs as them.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::SandboxError;

/// The first of the numbers that are preferred: outside of every range that systemd or the distributions hand out
/// (systemd's UIDS-GIDS.md). Twice as many as there can be processes follow.
const PREFERRED: u32 = 0x7000_0000;
const PROCESSES: u32 = 0x0040_0000;
/// The small ranges, for processes and for reserved users, where there are only 65536 users, as in most containers with
/// users of their own.
const SMALL: (u32, u32) = (20_000, 40_000);
const SMALL_RESERVED: u32 = 15_000;
/// The number of slots that all harnesses of a host can have at a time.
const MAX_SLOTS: u32 = 4096;
/// The number of blocks of so many users that harnesses with different directories choose from.
const BLOCKS: u64 = 1024;

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
pub(crate) fn is_mapped(map: &str, uid: u32) -> bool {
    map.lines().any(|line| {
        let mut fields = line.split_whitespace().map_while(|field| field.parse::<u64>().ok());
        let (Some(first), Some(_), Some(count)) = (fields.next(), fields.next(), fields.next()) else { return false };
        (first..first + count).contains(&uid.into())
    })
}

impl SlotUser {
    /// A user for the slot of a zygote with this process number. Where its processes are in a pid namespace of their
    /// own, it does no harm if another slot has the same one.
    pub(crate) fn for_process(pid: u32) -> Self {
        Self { uid: user(PREFERRED + pid % PROCESSES, SMALL.0 + pid % SMALL.1), _lock: None }
    }

    /// A user that no other slot on this host has while this value lives: every process that runs as it belongs to the
    /// slot.
    pub(crate) fn reserve() -> Result<Self, SandboxError> {
        let (directory, block) = lock_directory()?;
        for index in 0..MAX_SLOTS {
            let path = directory.join(index.to_string());
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(SandboxError::host(format!("open `{}`", path.display())))?;
            // The files stay: removing one would let two processes lock different files of the same name.
            // A lock and not the file's existence: the kernel gives it up when the process dies, however that happens.
            if file.try_lock().is_ok() {
                let uid = user(PREFERRED + PROCESSES + block * MAX_SLOTS + index, SMALL_RESERVED + index);
                return Ok(Self { uid, _lock: Some(file) });
            }
        }
        Err(SandboxError::helper(format!("all {MAX_SLOTS} users for slots are in use")))
    }
}

/// A directory of our own with a lock for each number, in the first place that can be written: where the root file system
/// is read-only, `/run` often is too. Harnesses that lock in different directories know nothing of each other, so each
/// directory other than the one in `/run` stands for a block of users, by its inode.
fn lock_directory() -> Result<(PathBuf, u32), SandboxError> {
    let of_session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    // `/run` first, because all harnesses of a host see it; the others may differ from harness to harness.
    let places = [Some("/run".into()), of_session, Some(std::env::temp_dir()), Some("/tmp".into())];
    let directory = lock_directory_in(places.into_iter().flatten())?;
    // Two harnesses that see different directories cannot exclude each other by locks, so they take users from different
    // blocks.
    let inode = fs::metadata(&directory).map_or(0, |metadata| metadata.ino());
    let block = if directory.starts_with("/run/judge-users") { 0 } else { 1 + (inode % (BLOCKS - 1)) as u32 };
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
    Err(SandboxError::helper(format!("no directory for the locks of slots' users: {}", tried.join("; "))))
}

/// Makes a directory that only we can use, or makes sure that it is one.
fn closed_directory(directory: &Path) -> Result<(), String> {
    match DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error.to_string()),
        _ => {}
    }
    let metadata = fs::symlink_metadata(directory).map_err(|error| error.to_string())?;
    let is_ours = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    if !is_ours || metadata.mode() & 0o077 != 0 {
        return Err("expected a directory of our own with the mode 0700: somebody else made it".to_owned());
    }
    // One that an earlier harness made may be on a file system that has become read-only.
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
    fn locks_lie_in_the_first_directory_that_is_ours_and_can_be_written() {
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
        let (open, linked, good) = (place("open", Some(0o755)), place("linked", None), place("good", None));
        std::os::unix::fs::symlink(place("elsewhere", Some(0o700)).join("judge-users"), linked.join("judge-users"))
            .unwrap();
        let found =
            lock_directory_in([missing.clone(), open.clone(), linked.clone(), good.clone()].into_iter()).unwrap();
        assert_eq!(found, good.join("judge-users"));
        assert_eq!(fs::metadata(&found).unwrap().mode() & 0o777, 0o700);
        // It is taken again.
        assert_eq!(lock_directory_in([good].into_iter()).unwrap(), found);
        let refused = lock_directory_in([missing, open, linked].into_iter()).unwrap_err().to_string();
        assert!(refused.matches("somebody else made it").count() == 2, "{refused}");
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
