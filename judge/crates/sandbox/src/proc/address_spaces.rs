//! Recognizing processes that share an address space.
//!
//! Must not know what is counted for an address space.
//!
//! A child of vfork(2) or posix_spawn(3) uses its parent's address space until it executes another
//! program. kcmp(2) compares address spaces, but only for callers that may trace both processes,
//! which a zygote in a container may not. So a different number for each process is written into a
//! field that belongs to the address space, `/proc/PID/coredump_filter` (core(5)). Processes that
//! share an address space then all show the last number. The field has no other effect, because
//! programs dump no core, and its old value is restored. Programs cannot write it: they see no
//! `/proc`, or only a read-only one.

use std::os::fd::{AsFd as _, BorrowedFd};

use rustix::fs::OFlags;

use crate::open::open_at;
use crate::proc::files::read;

const FIELD: &str = "coredump_filter";
/// The values that the field can have (`MMF_DUMP_FILTER_BITS` of the kernel's
/// include/linux/mm_types.h).
const VALUES: usize = 1 << 9;

/// Returns, for each of these threads, of one process each, the index of the thread that represents
/// its address space: the same for all that share it. If that cannot be determined, each thread
/// represents itself.
pub(super) fn representatives(proc: BorrowedFd<'_>, threads: &[i32]) -> Vec<usize> {
    let own = |threads: &[i32]| (0..threads.len()).collect();
    if threads.len() < 2 {
        return own(threads);
    }
    let value =
        |thread: &i32| u32::from_str_radix(read(proc, *thread, FIELD).ok()?.trim(), 16).ok();
    // All are read before the first is changed, so that the same old value is saved for processes
    // that share.
    let before: Vec<Option<u32>> = threads.iter().take(VALUES).map(value).collect();
    let is_marked: Vec<bool> = (0..)
        .zip(threads.iter().zip(&before))
        .map(|(index, (thread, before))| before.is_some() && write(proc, *thread, index))
        .collect();
    let marked = || (0..is_marked.len()).filter(|index| is_marked[*index]);
    let marker = |thread: &i32| value(thread).and_then(|value| usize::try_from(value).ok());
    let mut found: Vec<usize> = own(threads);
    for index in marked() {
        found[index] = marker(&threads[index])
            .filter(|other| is_marked.get(*other) == Some(&true))
            .unwrap_or(index);
    }
    // The old values are restored, so that they are equal again at the next call.
    for index in marked() {
        write(proc, threads[index], before[index].unwrap_or_default());
    }
    found
}

fn write(proc: BorrowedFd<'_>, thread: i32, value: u32) -> bool {
    let file = open_at(proc, format!("{thread}/{FIELD}"), OFlags::WRONLY);
    file.and_then(|file| rustix::io::write(file.as_fd(), value.to_string().as_bytes()))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn separate_processes_are_distinct_and_unchanged() {
        let proc = std::fs::File::open("/proc").unwrap();
        let mut children = [0, 1, 2].map(|_| Command::new("sleep").arg("60").spawn().unwrap());
        let mut threads = Vec::from(children.each_ref().map(|child| child.id().cast_signed()));
        let value = |thread: i32| read(proc.as_fd(), thread, FIELD).ok();
        let before = value(threads[0]);
        let found = representatives(proc.as_fd(), &threads);
        // Named twice like two that share; and a number that no process has, like one that has
        // ended.
        threads.extend([threads[1], i32::MAX]);
        let shared = representatives(proc.as_fd(), &threads);
        let after = value(threads[0]);
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(found, [0, 1, 2]);
        assert_eq!(shared, [0, 3, 2, 3, 4]);
        assert!(before.is_some() && before == after, "{before:?} {after:?}");
    }
}
