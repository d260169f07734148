//! The readable circumstances that determine the isolation level of this process.
//!
//! Responsible for reading them quickly. Must not decide anything: when they are the same as
//! before, the same level is expected, and the sandbox checks that when it is opened.

use std::env;
use std::fs;

use judge_model::IsolationLevel;

/// Lines of `/proc/self/status` (proc_pid_status(5)): the identity and the rights of this process.
const STATUS: [&str; 8] = [
    "Uid:",
    "Gid:",
    "Groups:",
    "CapEff:",
    "CapPrm:",
    "CapBnd:",
    "NoNewPrivs:",
    "Seccomp:",
];
/// The namespaces that this process is in (namespaces(7)).
const NAMESPACES: [&str; 5] = ["cgroup", "mnt", "net", "pid", "user"];
/// Settings of the kernel, and the id of the machine's start.
const FILES: [&str; 7] = [
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/proc/self/cgroup",
    "/proc/self/attr/current",
];
/// The variables by which a user's systemd is found, which may give a control group.
const VARIABLES: [&str; 2] = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];

/// The circumstances of this process. `judge` identifies the version of this program.
pub(crate) fn circumstances(judge: &str, demand: Option<IsolationLevel>) -> Vec<String> {
    let read =
        |path: &str| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let status = read("/proc/self/status").unwrap_or_default();
    let is_relevant = |line: &&str| STATUS.iter().any(|name| line.starts_with(name));
    let status = status
        .lines()
        .filter(is_relevant)
        .map(ToOwned::to_owned)
        .collect::<Vec<_>>()
        .join("\n");
    let namespace = |name: &str| {
        fs::read_link(format!("/proc/self/ns/{name}"))
            .map_or_else(|_| String::new(), |link| link.display().to_string())
    };
    let mut circumstances = vec![
        judge.to_owned(),
        demand
            .map(IsolationLevel::name)
            .unwrap_or_default()
            .to_owned(),
        status,
    ];
    circumstances.extend(NAMESPACES.map(namespace));
    circumstances.extend(FILES.map(|path| read(path).unwrap_or_default()));
    circumstances.extend(VARIABLES.map(|name| env::var(name).unwrap_or_default()));
    circumstances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isolation_keys_depend_on_the_circumstances() {
        let here = circumstances("1", None);
        assert_eq!(circumstances("1", None), here);
        assert_ne!(circumstances("2", None), here);
        assert_ne!(circumstances("1", Some(IsolationLevel::Full)), here);
        assert!(
            here[2].contains("Uid:") && here.iter().any(|text| text.starts_with("user:[")),
            "{here:?}"
        );
    }
}
