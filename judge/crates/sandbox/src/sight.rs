//! Seeing what the processes of a run are doing: whether they wait for input, or are about to end.
//!
//! Responsible for reading that from `/proc`. Must not know what follows from it.
//!
//! A run waits when nothing but its input can make it go on: some thread is blocked in a read of descriptor 0, and every
//! other one is blocked as well, without a timeout, on threads or children of the run. A program that sleeps, computes,
//! or waits with a timeout never counts as waiting. One that waits with `poll` and the like, or has threads that wait
//! with a timeout, as runtimes do, may be waiting for input or for something else: that is too little to end it for.

use std::os::fd::BorrowedFd;

use rustix::fs::{Dir, Mode, OFlags, openat};
use rustix::io::Errno;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Sight {
    /// It cannot be seen here.
    Unknown = 0,
    /// Something else than waiting for input.
    Busy,
    /// It may be waiting for input.
    Perhaps,
    /// It waits for input.
    Waiting,
    /// Nothing of it runs its own code any more.
    Ending,
}

impl Sight {
    pub(crate) fn from_number(number: u32) -> Self {
        let known = [Self::Busy, Self::Perhaps, Self::Waiting, Self::Ending];
        known.into_iter().find(|sight| *sight as u32 == number).unwrap_or(Self::Unknown)
    }
}

/// `PF_EXITING` of the kernel's include/linux/sched.h: set before a process closes its files, long before it is dead
/// to its parent.
const EXITING: u64 = 4;
/// The bit of SIGALRM in signal masks: whoever handles it may have set an alarm.
const ALARM: u64 = 1 << (libc::SIGALRM - 1);

/// What one thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thread {
    Reads,
    /// It waits for another thread or a child.
    Waits,
    /// The same, but for so long at most.
    WaitsAWhile,
    /// It waits for some descriptors, whichever.
    Polls,
    Busy,
    Unknown,
}

/// Looks at the processes of a run, each with what its `stat` says.
pub(crate) fn look(proc: BorrowedFd<'_>, processes: &[(i32, String)]) -> Sight {
    let (mut alive, mut reads, mut perhaps) = (false, false, false);
    let mut runtime = false;
    for (pid, _) in processes.iter().filter(|(_, stat)| !is_ending(stat)) {
        alive = true;
        for thread in threads(proc, *pid) {
            match thread {
                Thread::Reads => reads = true,
                Thread::Waits => {}
                Thread::WaitsAWhile => runtime = true,
                Thread::Polls => perhaps = true,
                Thread::Busy => return Sight::Busy,
                Thread::Unknown => return Sight::Unknown,
            }
        }
        let alarmed = read(proc, &format!("{pid}/status")).map_or(true, |status| handles_alarms(&status));
        runtime |= alarmed;
    }
    match (alive, reads, perhaps) {
        (false, ..) => Sight::Ending,
        (true, true, false) if !runtime => Sight::Waiting,
        (true, false, false) => Sight::Busy,
        _ => Sight::Perhaps,
    }
}

/// What each thread of a process is doing.
fn threads(proc: BorrowedFd<'_>, pid: i32) -> Vec<Thread> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(tasks) = openat(proc, format!("{pid}/task"), flags, Mode::empty()).and_then(Dir::new) else {
        return vec![Thread::Busy];
    };
    let look = |task: i32| match read(proc, &format!("{pid}/task/{task}/syscall")) {
        Ok(text) => in_call(&text),
        Err(Errno::NOENT | Errno::SRCH) => Thread::Busy,
        Err(_) => Thread::Unknown,
    };
    tasks.flatten().filter_map(|entry| entry.file_name().to_str().ok()?.parse().ok()).map(look).collect()
}

/// `state` and `flags` of proc_pid_stat(5), of the main thread.
fn is_ending(stat: &str) -> bool {
    let Some((_, fields)) = stat.rsplit_once(") ") else { return false };
    let mut fields = fields.split(' ');
    let dead = fields.next().is_some_and(|state| matches!(state, "Z" | "X" | "x"));
    // `flags` is field 9, and `fields` stands before field 4.
    dead || fields.nth(5).and_then(|flags| flags.parse::<u64>().ok()).is_some_and(|flags| flags & EXITING != 0)
}

/// `SigCgt` of proc_pid_status(5).
fn handles_alarms(status: &str) -> bool {
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask & ALARM != 0)
}

/// The system call that a thread is blocked in (proc_pid_syscall(5)): `running`, or its number and its arguments.
fn in_call(text: &str) -> Thread {
    let mut words = text.split_whitespace();
    let Some(number) = words.next().and_then(|word| word.parse::<i64>().ok()) else { return Thread::Busy };
    let args: Vec<u64> =
        words.map_while(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()).take(6).collect();
    let [first, second, third, fourth, ..] = args[..] else { return Thread::Busy };
    match number {
        libc::SYS_read | libc::SYS_readv if first == 0 => Thread::Reads,
        // FUTEX_WAIT and FUTEX_WAIT_BITSET without a timeout, whatever their flags (futex(2)).
        libc::SYS_futex if matches!(second & 0x7f, 0 | 9) && fourth == 0 => Thread::Waits,
        libc::SYS_futex if matches!(second & 0x7f, 0 | 9) => Thread::WaitsAWhile,
        libc::SYS_wait4 if third & libc::WNOHANG as u64 == 0 => Thread::Waits,
        libc::SYS_waitid if fourth & libc::WNOHANG as u64 == 0 => Thread::Waits,
        libc::SYS_rt_sigsuspend => Thread::Waits,
        libc::SYS_ppoll | libc::SYS_pselect6 | libc::SYS_epoll_pwait => Thread::Polls,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait => Thread::Polls,
        _ => Thread::Busy,
    }
}

fn read(proc: BorrowedFd<'_>, path: &str) -> Result<String, Errno> {
    let file = openat(proc, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut text = Vec::with_capacity(4096);
    rustix::io::read(&file, rustix::buffer::spare_capacity(&mut text))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
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
        assert_eq!(call(libc::SYS_read, "0x0 0x55 0x1000 0x0 0x0 0x0"), Thread::Reads);
        assert_eq!(call(libc::SYS_read, "0x3 0x55 0x1000 0x0 0x0 0x0"), Thread::Busy);
        assert_eq!(call(libc::SYS_futex, "0x55 0x80 0x2 0x0 0x0 0x0"), Thread::Waits);
        assert_eq!(call(libc::SYS_futex, "0x55 0x189 0x2 0x0 0x0 0xffffffff"), Thread::Waits);
        assert_eq!(call(libc::SYS_futex, "0x55 0x189 0x2 0x7ffe 0x0 0xffffffff"), Thread::WaitsAWhile);
        assert_eq!(call(libc::SYS_wait4, "0xffffffff 0x7f 0x1 0x0 0x0 0x0"), Thread::Busy, "WNOHANG");
        assert_eq!(call(libc::SYS_clock_nanosleep, "0x0 0x0 0x7f 0x7f 0x0 0x0"), Thread::Busy);
        assert_eq!(call(libc::SYS_ppoll, "0x7f 0x1 0x0 0x0 0x8 0x0"), Thread::Polls);
        assert_eq!(in_call("running\n"), Thread::Busy);
        assert_eq!(in_call("-1 0x7ffd0 0x7f3a1\n"), Thread::Busy);
        assert_eq!(in_call(""), Thread::Busy);
    }

    #[test]
    fn the_end_shows_in_the_flags_before_the_process_is_dead() {
        assert!(is_ending("7 (a) b) Z 1 7 7 0 -1 4228100 0 0"));
        assert!(is_ending("7 (a) R 1 7 7 0 -1 4194308 0 0"));
        assert!(!is_ending("7 (a) R 1 7 7 0 -1 4194304 0 0"));
        assert!(!is_ending(""));
    }

    #[test]
    fn alarms_are_seen_in_the_mask() {
        assert!(handles_alarms("SigCgt:\t0000000000002000\n"));
        assert!(!handles_alarms("SigBlk:\t0000000000002000\nSigCgt:\t0000000000000002\n"));
        assert!(handles_alarms(""));
    }

    fn started(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    fn seen(child: &Child, wanted: Sight) -> bool {
        let proc: OwnedFd = std::fs::File::open("/proc").unwrap().into();
        let pid = i32::try_from(child.id()).unwrap();
        (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            let Ok(stat) = read(proc.as_fd(), &format!("{pid}/stat")) else { return false };
            look(proc.as_fd(), &[(pid, stat)]) == wanted
        })
    }

    #[test]
    fn a_reader_waits_and_a_sleeper_does_not() {
        let mut reader = started("read line; exec sleep 1000");
        assert!(seen(&reader, Sight::Waiting));
        std::io::Write::write_all(reader.stdin.as_mut().unwrap(), b"go\n").unwrap();
        assert!(seen(&reader, Sight::Busy));
        reader.kill().unwrap();
        assert!(seen(&reader, Sight::Ending));
        reader.wait().unwrap();
        if Command::new("python3").arg("--version").output().is_ok() {
            let mut poller = started("exec python3 -c 'import select; select.poll().poll()'");
            assert!(seen(&poller, Sight::Perhaps));
            poller.kill().unwrap();
            poller.wait().unwrap();
        }
        let mut spinner = started("echo here; while :; do :; done");
        BufReader::new(spinner.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        assert!(seen(&spinner, Sight::Busy));
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
}
