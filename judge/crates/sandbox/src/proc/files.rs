//! Files of `/proc` and their fields.
//!
//! Responsible for reading untrusted contents, such as the name of a program. Must not know the
//! purpose of a field.

use std::fs;
use std::os::fd::BorrowedFd;
use std::str::FromStr;

use rustix::fs::{Dir, OFlags};
use rustix::io::Errno;

use crate::open::open_at;

/// Returns the text of a file of a process.
///
/// # Errors
/// [`Errno::NOENT`] or [`Errno::SRCH`] once the process has ended; others if it may not be
/// inspected.
pub(crate) fn read(proc: BorrowedFd<'_>, pid: i32, name: &str) -> Result<String, Errno> {
    let file = open_at(proc, format!("{pid}/{name}"), OFlags::RDONLY)?;
    // The kernel generates the text at the first read, and further reads continue in it
    // (seq_file.rst), so all fields belong to the same moment. One read is enough for nearly all
    // files. The `status` of a user in many groups is longer, and some of its fields come after the
    // list of groups.
    let mut text = Vec::with_capacity(4096);
    while rustix::io::read(&file, rustix::buffer::spare_capacity(&mut text))? > 0
        && text.len() == text.capacity()
    {
        text.reserve(text.capacity());
    }
    // A process may have any bytes in its name.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the numbers of all processes; none if they cannot be listed.
pub(crate) fn processes(proc: BorrowedFd<'_>) -> Vec<i32> {
    numbers(proc, ".")
}

/// Returns the numbers of the threads of a process; none if it has ended.
pub(crate) fn threads(proc: BorrowedFd<'_>, pid: i32) -> Vec<i32> {
    numbers(proc, &format!("{pid}/task"))
}

fn numbers(proc: BorrowedFd<'_>, path: &str) -> Vec<i32> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let Ok(directory) = open_at(proc, path, flags).and_then(Dir::new) else {
        return Vec::new();
    };
    directory
        .filter_map(|entry| entry.ok()?.file_name().to_str().ok()?.parse().ok())
        .collect()
}

/// Returns a field of `stat` after the name, by its number in proc_pid_stat(5): 3 is the state.
pub(crate) fn stat_field<T: FromStr>(stat: &str, number: usize) -> Option<T> {
    // A process can put spaces and parentheses into its name, but not into later fields, so the
    // last parenthesis ends the name.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(number - 3)?.trim_end().parse().ok()
}

/// Returns the first number in a line of `status`, such as `Threads:` (proc_pid_status(5)). The
/// name of the process is the first line, and its line feeds are escaped, so it cannot imitate
/// another field.
pub(crate) fn status_number(status: &str, field: &str) -> Option<u64> {
    status.lines().find_map(|line| {
        line.strip_prefix(field)?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    })
}

/// Returns how many processes and threads this process's user has now, on the whole host.
pub(crate) fn tasks_of_user() -> u64 {
    let us = rustix::process::geteuid().as_raw();
    let Ok(entries) = fs::read_dir("/proc") else {
        return 0;
    };
    let tasks = entries.flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        let status = fs::read_to_string(entry.path().join("status")).ok()?;
        (status_number(&status, "Uid:")? == u64::from(us))
            .then(|| status_number(&status, "Threads:"))?
    });
    tasks.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd as _;

    #[test]
    fn long_files_are_read_to_their_end() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("7")).unwrap();
        let groups = "1000 ".repeat(4000);
        fs::write(
            root.path().join("7/status"),
            format!("Name:\ta\nGroups:\t{groups}\nThreads:\t3\n"),
        )
        .unwrap();
        let proc = fs::File::open(root.path()).unwrap();
        let status = read(proc.as_fd(), 7, "status").unwrap();
        assert_eq!(status_number(&status, "Threads:"), Some(3));
    }
}
