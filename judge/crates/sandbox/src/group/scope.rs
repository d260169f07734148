//! A control group from systemd, for users without a group that can be divided.
//!
//! Responsible for requesting that the user's service manager moves this process into a new scope
//! that is delegated to it, as `systemd-run --user --scope -p Delegate=yes` does, but without
//! starting a process. Must not decide whether that is worthwhile, nor create groups.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::group::dbus::{Bytes, Method, call};

/// The timeout for each step of the request: a manager that hangs must not delay the harness.
const STEP_TIMEOUT: Duration = Duration::from_secs(1);

const START: Method<'static> = Method {
    destination: "org.freedesktop.systemd1",
    path: "/org/freedesktop/systemd1",
    interface: "org.freedesktop.systemd1.Manager",
    name: "StartTransientUnit",
    signature: "ssa(sv)a(sa(sv))",
};

/// Returns the socket on which the manager of the user's services listens, or the reason why it is
/// unavailable.
pub(crate) fn manager() -> Result<PathBuf, String> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    let runtime = runtime.ok_or("cannot request one from systemd: `XDG_RUNTIME_DIR` is not set")?;
    let socket = Path::new(&runtime).join("systemd/private");
    match socket.metadata() {
        // Under `sudo` to a third user, the variable may still be that of another user.
        Ok(found) if found.uid() != rustix::process::geteuid().as_raw() => Err(format!(
            "cannot request one from systemd: `{}` belongs to another user",
            socket.display()
        )),
        Ok(_) => Ok(socket),
        Err(error) => Err(format!(
            "cannot request one from systemd: `{}`: {error}",
            socket.display()
        )),
    }
}

/// Moves this process into a new scope and returns the scope's name, or the reason for a refusal.
/// No password is needed: the manager is the user's own.
pub(crate) fn enter(manager: &Path) -> Result<String, String> {
    let name = format!("judge-{}.scope", std::process::id());
    let refused =
        |error: io::Error| format!("systemd refused one at `{}`: {error}", manager.display());
    let stream = connect(manager).map_err(refused)?;
    call(stream, &START, &arguments(&name)).map_err(refused)?;
    // The answer only confirms that the job is queued: the move happens later.
    let deadline = Instant::now() + STEP_TIMEOUT;
    // Groups must not be created in the old group, and only /proc/self/cgroup shows whether this
    // process has moved.
    while !is_in(&name) {
        if Instant::now() > deadline {
            return Err(format!(
                "systemd did not move judge to `{name}` within {STEP_TIMEOUT:?}"
            ));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(name)
}

fn connect(socket: &Path) -> io::Result<UnixStream> {
    let stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(STEP_TIMEOUT))?;
    stream.set_write_timeout(Some(STEP_TIMEOUT))?;
    Ok(stream)
}

/// The arguments: a name, the policy for units of the same name, properties, and no further units
/// (org.freedesktop.systemd1(5)).
fn arguments(name: &str) -> Bytes {
    let mut arguments = Bytes::default();
    arguments
        .string(name)
        .string("fail")
        .array(8, |properties| {
            properties
                .structure()
                .string("PIDs")
                .signature("au")
                .array(4, |pids| {
                    pids.u32(std::process::id());
                });
            properties
                .structure()
                .string("Delegate")
                .signature("b")
                .u32(1);
            // systemd removes the unit, however this process ends.
            properties
                .structure()
                .string("CollectMode")
                .signature("s")
                .string("inactive-or-failed");
            properties
                .structure()
                .string("Description")
                .signature("s")
                .string("judge and the programs that it runs");
        });
    arguments.array(8, |_| {});
    arguments
}

/// True if this process is in the scope.
fn is_in(name: &str) -> bool {
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups
        .lines()
        .any(|line| line.starts_with("0::") && line.ends_with(&format!("/{name}")))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixListener;

    use super::*;

    /// Runs `enter` against a manager that always answers with these bytes. Returns its result and
    /// the bytes that the manager received.
    fn enter_with_answer(answer: &[u8]) -> (Result<String, String>, Vec<u8>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("private");
        let listener = UnixListener::bind(&path).unwrap();
        std::thread::scope(|scope| {
            let manager = scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                stream.write_all(b"OK 0123\r\n").unwrap();
                stream.write_all(answer).unwrap();
                let mut received = Vec::new();
                stream.read_to_end(&mut received).unwrap();
                received
            });
            let entered = enter(&path);
            (entered, manager.join().unwrap())
        })
    }

    #[test]
    fn refusal_of_the_manager_is_reported() {
        let (entered, received) =
            enter_with_answer(b"l\x03\0\x01\x07\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0no\0");
        let error = entered.unwrap_err();
        assert!(error.ends_with("/private`: no"), "{error}");
        let has = |words: &str| {
            received
                .windows(words.len())
                .any(|window| window == words.as_bytes())
        };
        assert!(
            has("StartTransientUnit")
                && has("Delegate")
                && has(&format!("judge-{}.scope", std::process::id()))
        );
    }

    #[test]
    fn waiting_for_the_move_is_bounded() {
        let (entered, _) = enter_with_answer(b"l\x02\0\x01\0\0\0\0\x01\0\0\0\0\0\0\0");
        assert!(entered.unwrap_err().contains("did not move judge"));
    }

    #[test]
    fn a_missing_or_silent_manager_is_reported() {
        let missing = enter(Path::new("/missing/private")).unwrap_err();
        assert!(missing.contains("No such file"), "{missing}");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("private");
        let _silent = UnixListener::bind(&path).unwrap();
        assert!(enter(&path).unwrap_err().contains("systemd refused one at"));
    }
}
