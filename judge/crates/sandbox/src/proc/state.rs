//! The state of a run's processes: waiting for input, busy, or about to end.
//!
//! Responsible for reading the state from `/proc`. Must not know its consequences.
//!
//! A run waits if only input can wake it: some thread is blocked in a read of descriptor 0, and
//! every other one is blocked as well, without a timeout, on threads or children of the run. A
//! program that sleeps, computes, or waits with a timeout never counts as waiting. A program may be
//! waiting for input or for something else if it waits with a call such as `poll`, has threads that
//! wait with a timeout, as runtimes do, or handles a signal that a timer or another process may
//! send. That is not enough to kill it.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;

use crate::numbered::numbered;
use crate::proc::files::{self, read, stat_field};

numbered! {
    /// The state of the processes of a run.
    pub(crate) enum ProcessState {
        /// It cannot be observed here.
        Unknown = 0,
        /// It does something other than waiting for input.
        Busy,
        /// It may be waiting for input.
        Perhaps,
        /// It waits for input.
        Waiting,
        /// None of its threads runs its own code any more.
        Ending,
    }
}

impl ProcessState {
    /// Returns the state that a zygote reports by its number. Any other number is an unknown state.
    pub(crate) fn from_message(number: u32) -> Self {
        Self::from_number(number).unwrap_or(Self::Unknown)
    }
}

/// `PF_EXITING` of the kernel's include/linux/sched.h: set before a process closes its files, long
/// before it is dead to its parent.
const EXITING: u64 = 4;
/// Signals that programs and runtimes handle although they are never sent, or only because of the
/// program's own actions: its faults, broken pipes, dead children, the terminal, and the two that
/// the C library keeps for its threads (signal(7), nptl(7)). A program that handles any other
/// signal may have set a timer (timer_create(2), setitimer(2)), which wakes it without input.
const UNTIMED_SIGNALS: [libc::c_int; 11] = [
    libc::SIGINT,
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGABRT,
    libc::SIGPIPE,
    libc::SIGCHLD,
    libc::SIGWINCH,
    32,
    33,
];

/// The state of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thread {
    Reads,
    /// It waits for another thread or a child.
    Waits,
    /// It waits for another thread or a child, with a timeout.
    WaitsWithTimeout,
    /// It waits for any of several descriptors.
    Polls,
    Busy,
    Unknown,
}

/// Returns the state of the processes of a run. Each comes with the text of its `stat`.
pub(crate) fn observe(proc: BorrowedFd<'_>, processes: &[(i32, String)]) -> ProcessState {
    // One busy thread makes the run busy, so the loop ends at the first one. The run waits only if
    // all of its threads do.
    let (mut alive, mut reads, mut perhaps) = (false, false, false);
    let mut runtime = false;
    for (pid, stat) in processes {
        let mut tasks = files::threads(proc, *pid);
        // The first thread may end before the others (pthread_exit(3)).
        if is_ending(stat) {
            tasks.retain(|task| {
                read(proc, *pid, &format!("task/{task}/stat")).is_ok_and(|stat| !is_ending(&stat))
            });
            if tasks.is_empty() {
                continue;
            }
        }
        alive = true;
        for thread in threads(proc, *pid, &tasks) {
            match thread {
                Thread::Reads => reads = true,
                Thread::Waits => {}
                Thread::WaitsWithTimeout => runtime = true,
                Thread::Polls => perhaps = true,
                Thread::Busy => return ProcessState::Busy,
                Thread::Unknown => return ProcessState::Unknown,
            }
        }
        runtime |= read(proc, *pid, "status").map_or(true, |status| may_be_woken(&status));
    }
    match (alive, reads, perhaps) {
        (false, ..) => ProcessState::Ending,
        // Certain only if a thread reads, none polls, and no timer or signal could wake any of
        // them.
        (true, true, false) if !runtime => ProcessState::Waiting,
        (true, false, false) => ProcessState::Busy,
        _ => ProcessState::Perhaps,
    }
}

/// The states of threads of a process, or busy if the process shows no threads.
fn threads(proc: BorrowedFd<'_>, pid: i32, tasks: &[i32]) -> Vec<Thread> {
    if tasks.is_empty() {
        return vec![Thread::Busy];
    }
    let state = |task: &i32| match read(proc, pid, &format!("task/{task}/syscall")) {
        Ok(text) => in_call(&text),
        Err(Errno::NOENT | Errno::SRCH) => Thread::Busy,
        Err(_) => Thread::Unknown,
    };
    tasks.iter().map(state).collect()
}

/// True if a thread is dead or about to be, by `state` and `flags` of proc_pid_stat(5); of the
/// first one, if it is a process.
fn is_ending(stat: &str) -> bool {
    let is_dead = matches!(stat_field(stat, 3), Some('Z' | 'X' | 'x'));
    is_dead || stat_field(stat, 9).is_some_and(|flags: u64| flags & EXITING != 0)
}

/// True if a process handles a signal that may come from a timer, by `SigCgt` of
/// proc_pid_status(5).
fn may_be_woken(status: &str) -> bool {
    let others: u64 = UNTIMED_SIGNALS.iter().map(|signal| 1 << (signal - 1)).sum();
    let mask = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask & !others != 0)
}

/// The system call that a thread is blocked in (proc_pid_syscall(5)): `running`, or its number and
/// its arguments.
fn in_call(text: &str) -> Thread {
    let mut words = text.split_whitespace();
    let Some(number) = words.next().and_then(|word| word.parse::<i64>().ok()) else {
        return Thread::Busy;
    };
    let args: Vec<u64> = words
        .map_while(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok())
        .take(6)
        .collect();
    // A thread that is blocked outside of a system call shows -1 and two more fields, the stack
    // pointer and the program counter.
    let [first, second, third, fourth, ..] = args[..] else {
        return Thread::Busy;
    };
    match number {
        libc::SYS_read | libc::SYS_readv if first == 0 => Thread::Reads,
        // FUTEX_WAIT and FUTEX_WAIT_BITSET without a timeout, whatever their flags (futex(2)).
        libc::SYS_futex if matches!(second & 0x7f, 0 | 9) && fourth == 0 => Thread::Waits,
        libc::SYS_futex if matches!(second & 0x7f, 0 | 9) => Thread::WaitsWithTimeout,
        libc::SYS_wait4 if third & libc::WNOHANG as u64 == 0 => Thread::Waits,
        libc::SYS_waitid if fourth & libc::WNOHANG as u64 == 0 => Thread::Waits,
        libc::SYS_rt_sigsuspend => Thread::Waits,
        libc::SYS_ppoll | libc::SYS_pselect6 | libc::SYS_epoll_pwait => Thread::Polls,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait => Thread::Polls,
        _ => Thread::Busy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::process::{Child, Command, Stdio};

    #[test]
    fn only_endless_waits_are_waits() {
        let call = |number: i64, args: &str| in_call(&format!("{number} {args} 0x7ffd0 0x7f3a1\n"));
        assert_eq!(
            call(libc::SYS_read, "0x0 0x55 0x1000 0x0 0x0 0x0"),
            Thread::Reads
        );
        assert_eq!(
            call(libc::SYS_read, "0x3 0x55 0x1000 0x0 0x0 0x0"),
            Thread::Busy
        );
        assert_eq!(
            call(libc::SYS_futex, "0x55 0x80 0x2 0x0 0x0 0x0"),
            Thread::Waits
        );
        assert_eq!(
            call(libc::SYS_futex, "0x55 0x189 0x2 0x0 0x0 0xffffffff"),
            Thread::Waits
        );
        assert_eq!(
            call(libc::SYS_futex, "0x55 0x189 0x2 0x7ffe 0x0 0xffffffff"),
            Thread::WaitsWithTimeout
        );
        assert_eq!(
            call(libc::SYS_wait4, "0xffffffff 0x7f 0x1 0x0 0x0 0x0"),
            Thread::Busy,
            "WNOHANG"
        );
        assert_eq!(
            call(libc::SYS_clock_nanosleep, "0x0 0x0 0x7f 0x7f 0x0 0x0"),
            Thread::Busy
        );
        assert_eq!(
            call(libc::SYS_ppoll, "0x7f 0x1 0x0 0x0 0x8 0x0"),
            Thread::Polls
        );
        assert_eq!(in_call("running\n"), Thread::Busy);
        assert_eq!(in_call("-1 0x7ffd0 0x7f3a1\n"), Thread::Busy);
        assert_eq!(in_call(""), Thread::Busy);
    }

    #[test]
    fn ending_processes_are_recognized_by_their_flags() {
        assert!(is_ending("7 (a) b) Z 1 7 7 0 -1 4228100 0 0"));
        assert!(is_ending("7 (a) R 1 7 7 0 -1 4194308 0 0"));
        assert!(!is_ending("7 (a) R 1 7 7 0 -1 4194304 0 0"));
        assert!(!is_ending(""));
    }

    #[test]
    fn signals_of_timers_are_found_in_the_mask() {
        assert!(may_be_woken("SigCgt:\t0000000000002000\n"));
        assert!(!may_be_woken(
            "SigBlk:\t0000000000002000\nSigCgt:\t0000000000000002\n"
        ));
        // SIGUSR1 and the first real-time signal of programs; then what the C library and Python
        // handle.
        assert!(may_be_woken("SigCgt:\t0000000000000200\n"));
        assert!(may_be_woken("SigCgt:\t0000000200000000\n"));
        assert!(!may_be_woken("SigCgt:\t0000000180000002\n"));
        assert!(may_be_woken(""));
    }

    fn start(script: &str) -> Child {
        Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn reaches(child: &Child, state: ProcessState) -> bool {
        let proc: OwnedFd = std::fs::File::open("/proc").unwrap().into();
        let pid = i32::try_from(child.id()).unwrap();
        (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            let Ok(stat) = read(proc.as_fd(), pid, "stat") else {
                return false;
            };
            observe(proc.as_fd(), &[(pid, stat)]) == state
        })
    }

    #[test]
    fn reading_counts_as_waiting_but_sleeping_does_not() {
        let mut reader = start("read line; exec sleep 1000");
        assert!(reaches(&reader, ProcessState::Waiting));
        std::io::Write::write_all(reader.stdin.as_mut().unwrap(), b"go\n").unwrap();
        assert!(reaches(&reader, ProcessState::Busy));
        reader.kill().unwrap();
        assert!(reaches(&reader, ProcessState::Ending));
        reader.wait().unwrap();
        if Command::new("python3").arg("--version").output().is_ok() {
            let mut poller = start("exec python3 -c 'import select; select.poll().poll()'");
            assert!(reaches(&poller, ProcessState::Perhaps));
            poller.kill().unwrap();
            poller.wait().unwrap();
            let script = format!(
                "import ctypes, sys, threading; threading.Thread(target=sys.stdin.read).start(); \
                 ctypes.CDLL(None).syscall({}, 0)",
                libc::SYS_exit
            );
            let mut without_first = start(&format!("exec python3 -c '{script}'"));
            let waits = reaches(&without_first, ProcessState::Waiting);
            without_first.kill().unwrap();
            without_first.wait().unwrap();
            assert!(waits, "the first thread has ended, and another one reads");
        }
        let mut spinner = start("echo here; while :; do :; done");
        BufReader::new(spinner.stdout.take().unwrap())
            .read_line(&mut String::new())
            .unwrap();
        assert!(reaches(&spinner, ProcessState::Busy));
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
}
