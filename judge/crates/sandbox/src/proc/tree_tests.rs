//! Tests of measuring a process tree.

use super::*;
use rustix::fs::Mode;
use rustix::process::{Signal, kill_process};
use std::io::{BufRead as _, BufReader};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, Stdio};

/// A shell whose child is a Python script.
fn python(script: &str) -> Option<Child> {
    Command::new("python3").arg("--version").output().ok()?;
    let args = ["-c", r#"python3 -c "$0"; true"#, script];
    let mut command = Command::new("sh");
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    Some(command.spawn().unwrap())
}

#[test]
fn cpu_time_of_ended_processes_counts() {
    let seconds = |times: &[(i32, u64)]| {
        times
            .iter()
            .map(|(pid, used)| (*pid, Duration::from_secs(*used)))
            .collect()
    };
    let mut seen = CpuHistory::default();
    assert_eq!(
        seen.update(seconds(&[(7, 1), (8, 2)])),
        Duration::from_secs(3)
    );
    assert_eq!(
        seen.update(seconds(&[(7, 1), (9, 4)])),
        Duration::from_secs(7)
    );
    // Another process has the number now.
    assert_eq!(
        seen.update(seconds(&[(7, 1), (9, 1)])),
        Duration::from_secs(8)
    );
    assert_eq!(seen.update(seconds(&[])), Duration::from_secs(8));
}

#[test]
fn hostile_names_do_not_shift_fields() {
    let stat = "7 (a) R 1 1 1 0 ) S 1 7 7 0 -1 4194560 100 0 0 0 11 22 30 40 20 0 1 0 12345 0 0";
    assert_eq!(waited_children(stat), Some(Duration::from_millis(700)));
    assert_eq!(waited_children("7 (a) S 1"), None);
    assert_eq!(parent(stat), Some(1));
    assert!(!has_other_threads(stat));
    assert!(has_other_threads(
        &stat.replace("20 0 1 0 12345", "20 0 2 0 12345")
    ));
}

#[test]
fn memory_is_counted_after_the_end_of_the_first_thread() {
    // The first thread ends, and another one keeps 40 MiB.
    let script = format!(
        "import ctypes, threading, time\n\
         block = bytearray(40 << 20)\n\
         threading.Thread(target=time.sleep, args=(60,)).start()\n\
         print('ready', flush=True)\n\
         ctypes.CDLL(None).syscall({}, 0)",
        libc::SYS_exit
    );
    let Some(mut shell) = python(&script) else {
        return;
    };
    BufReader::new(shell.stdout.take().unwrap())
        .read_line(&mut String::new())
        .unwrap();
    let proc = std::fs::File::open("/proc").unwrap();
    let root = shell.id().cast_signed();
    let (pid, stat) = loop {
        let processes = living(proc.as_fd(), root, Members::Descendants(None));
        if let Some(zombie) = processes
            .into_iter()
            .find(|(_, stat)| stat.contains(") Z "))
        {
            break zombie;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let memory = ProcessMemory::find(proc.as_fd(), pid, &stat).map(|memory| memory.resident);
    let sample = sample(
        proc.as_fd(),
        root,
        Members::Descendants(None),
        &mut CpuHistory::default(),
    );
    let counted = exact_memory(proc.as_fd(), root, Members::Descendants(None));
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    shell.wait().unwrap();
    assert!(
        sample.lower_bound > 39 << 20 && sample.lower_bound <= sample.memory,
        "{sample:?}"
    );
    assert!(memory.is_some_and(|memory| memory > 40 << 20), "{memory:?}");
    assert!(
        matches!(counted, ExactMemory::Counted(bytes) if bytes > 40 << 20),
        "{counted:?}"
    );
}

#[test]
fn shared_pages_are_counted_by_their_share() {
    let rollup = "00400000-7fff [rollup]\nRss: 900 kB\nPss: 700 kB\nPss_Dirty: 9 kB\nPss_Anon:   120 kB\nPss_File: 500 kB\nPss_Shmem:  8 kB\n";
    assert_eq!(proportional(rollup), Some(128));
    assert_eq!(proportional("Rss: 900 kB\n"), None);
}

#[test]
fn shared_address_spaces_count_once() {
    let directory = tempfile::tempdir().unwrap();
    let fifo = directory.path().join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, Mode::RWXU).unwrap();
    // The child shares its parent's memory until the other end of its input is opened.
    let script = format!(
        "import os\n\
         block = bytearray(40 << 20)\n\
         print('ready', flush=True)\n\
         input = (os.POSIX_SPAWN_OPEN, 0, '{}', os.O_RDONLY, 0)\n\
         os.posix_spawn('/bin/cat', ['cat'], {{}}, file_actions=[input])",
        fifo.display()
    );
    let Some(mut shell) = python(&script) else {
        return;
    };
    BufReader::new(shell.stdout.take().unwrap())
        .read_line(&mut String::new())
        .unwrap();
    let proc = std::fs::File::open("/proc").unwrap();
    let root = shell.id().cast_signed();
    let processes = || {
        living(proc.as_fd(), root, Members::Descendants(None))
            .into_iter()
            .filter(|(pid, _)| *pid != root)
    };
    while processes().count() < 2 {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sum: u64 = processes()
        .filter_map(|(pid, stat)| ProcessMemory::find(proc.as_fd(), pid, &stat))
        .map(|memory| memory.resident)
        .sum();
    let counted = exact_memory(proc.as_fd(), root, Members::Descendants(None));
    std::fs::File::options().write(true).open(&fifo).unwrap();
    shell.wait().unwrap();
    assert!(sum > 80 << 20, "{sum}");
    assert!(
        matches!(counted, ExactMemory::Counted(bytes) if bytes > 40 << 20 && bytes < 70 << 20),
        "{counted:?}"
    );
}

#[test]
fn descendants_are_found_in_any_order() {
    let parents = [(9, 8), (5, 1), (8, 7), (7, 2), (6, 5), (2, 1), (1, 0)];
    let found = |root| Vec::from_iter(descendants(root, parents.into_iter()));
    assert_eq!(found(2), [2, 7, 8, 9]);
    assert_eq!(found(4), [4]);
    let again = descendants(3, [(3, 3), (4, 3), (3, 4)].into_iter());
    assert_eq!(Vec::from_iter(again), [3, 4], "reused numbers");
}

#[test]
fn ended_processes_are_reported_as_ended() {
    let proc = std::fs::File::open("/proc").unwrap();
    let mut child = Command::new("sleep").arg("60").spawn().unwrap();
    let own = std::process::id().cast_signed();
    let before = exact_memory(proc.as_fd(), own, Members::Descendants(None));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(before, ExactMemory::Counted(_)), "{before:?}");
    let after = exact_memory(
        proc.as_fd(),
        child.id().cast_signed(),
        Members::Descendants(None),
    );
    assert_eq!(after, ExactMemory::Ended);
}

#[test]
fn statm_is_in_pages() {
    let page = kernel::page_size();
    let found = size_resident_and_shared("100 20 5 1 0 9 0\n");
    assert_eq!(found, Some((100 * page, 20 * page, 5 * page)));
    assert_eq!(size_resident_and_shared(""), None);
}

#[test]
fn the_user_is_restored() {
    if !geteuid().is_root() {
        return;
    }
    let signal = Some(Signal::USR1);
    set_parent_process_death_signal(signal).unwrap();
    with_rights_of(Some(54_321), || assert_eq!(geteuid().as_raw(), 54_321));
    assert!(geteuid().is_root());
    assert_eq!(parent_process_death_signal().unwrap(), signal);
    set_parent_process_death_signal(None).unwrap();
}
