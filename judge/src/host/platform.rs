//! The platform: facts in files that decide about isolation on this host.
//!
//! Responsible for reading them. Must not decide anything: whether a level is available is found by
//! trying, in the sandbox. These facts only choose the hints that are useful.

use std::env;
use std::fs;
use std::path::Path;

use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::host::fix_hints::{Container, DEFAULT_CAPABILITIES, HostEnvironment};

/// The number of `CAP_SYS_ADMIN` (capabilities(7)).
const SYSTEM_ADMINISTRATOR: u32 = 21;
/// The number of `CAP_SYS_MODULE`, which engines remove even when `CAP_SYS_ADMIN` is added.
const MODULES: u32 = 16;

/// Reads the facts.
pub(crate) fn read_facts() -> HostEnvironment {
    let status = read("/proc/self/status");
    let capabilities = field(&status, "CapEff:")
        .and_then(|text| u64::from_str_radix(text, 16).ok())
        .unwrap_or(0);
    let bounding = bounding(&status);
    let setting = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    HostEnvironment {
        root: field(&status, "Uid:")
            .is_some_and(|text| text.split_whitespace().nth(1) == Some("0")),
        system_administrator: capabilities >> SYSTEM_ADMINISTRATOR & 1 == 1,
        capabilities,
        drops_capabilities: DEFAULT_CAPABILITIES
            .iter()
            .all(|default| bounding & default != *default),
        filtered: is_filtered(&status),
        container: container(is_confined(&status)),
        wsl: read("/proc/sys/kernel/osrelease")
            .to_lowercase()
            .contains("microsoft"),
        systemd: Path::new("/run/systemd/system").is_dir(),
        has_sudo: is_in_path("sudo"),
        landlock: judge_sandbox::has_landlock(),
        namespaces_for_everyone: setting("/proc/sys/kernel/unprivileged_userns_clone")
            .map(|value| value != 0),
        namespaces_by_apparmor: setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
            .map(|value| value == 0),
        max_user_namespaces: setting("/proc/sys/user/max_user_namespaces"),
        has_read_only_tmp: access(env::temp_dir(), Access::WRITE_OK) == Err(Errno::ROFS),
        memory_controller: has_memory_controller(
            &read("/proc/cgroups"),
            &read("/sys/fs/cgroup/cgroup.controllers"),
        ),
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .map(str::trim)
}

fn is_in_path(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|directory| directory.join(name).is_file())
}

/// True if the memory controller is enabled, in a line `name hierarchy groups enabled` of
/// /proc/cgroups (cgroups(7)) or, for kernels without v1, in the list of v2.
fn has_memory_controller(v1: &str, v2: &str) -> bool {
    let enabled = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.first() == Some(&"memory") && fields.get(3) == Some(&"1")
    };
    v1.lines().any(enabled)
        || v2
            .split_whitespace()
            .any(|controller| controller == "memory")
}

/// The capabilities that processes can have at most, as a mask (capabilities(7)).
fn bounding(status: &str) -> u64 {
    field(status, "CapBnd:")
        .and_then(|text| u64::from_str_radix(text, 16).ok())
        .unwrap_or(u64::MAX)
}

/// True when this process permanently lacks what a container engine removes by default:
/// `CAP_SYS_ADMIN`, `CAP_SYS_MODULE`, or system calls. The marks of engines alone are not enough:
/// virtual machines are made from their images.
fn is_confined(status: &str) -> bool {
    let bounding = bounding(status);
    [SYSTEM_ADMINISTRATOR, MODULES]
        .iter()
        .any(|capability| bounding >> capability & 1 == 0)
        || is_filtered(status)
}

fn is_filtered(status: &str) -> bool {
    field(status, "Seccomp:").is_some_and(|mode| mode != "0")
}

/// The engine whose container this is, by the marks that each leaves.
fn container(confined: bool) -> Option<Container> {
    if !confined {
        return None;
    }
    let is_set = |name: &str| env::var_os(name).is_some();
    let docker = Path::new("/.dockerenv").exists();
    let podman = Path::new("/run/.containerenv").exists();
    let kubernetes = is_set("KUBERNETES_SERVICE_HOST");
    match (
        docker || podman || kubernetes || env::var_os("container").is_some(),
        podman,
        kubernetes,
    ) {
        (false, ..) => None,
        _ if is_set("GITLAB_CI") => Some(Container::GitLab),
        _ if is_set("GITHUB_ACTIONS") => Some(Container::GitHub),
        (_, true, _) => Some(Container::Podman),
        (_, _, true) => Some(Container::Kubernetes),
        _ => Some(Container::Docker),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_controller_is_found_in_either_version() {
        let v1 = "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t1\t2\t1\nmemory\t4\t2\t1\n";
        assert!(has_memory_controller(v1, ""));
        assert!(!has_memory_controller(
            &v1.replace("memory\t4\t2\t1", "memory\t4\t2\t0"),
            "cpu io\n"
        ));
        assert!(has_memory_controller("", "cpuset cpu io memory pids\n"));
    }

    #[test]
    fn fields_of_status_are_read() {
        let status = "Name:\tx\nUid:\t1000\t0\t0\t0\nCapEff:\t00000000a80425fb\n";
        assert_eq!(field(status, "Uid:"), Some("1000\t0\t0\t0"));
        assert_eq!(field(status, "CapEff:"), Some("00000000a80425fb"));
    }

    #[test]
    fn virtual_machines_are_not_containers() {
        assert!(!is_confined("CapBnd:\t000001ffffffffff\nSeccomp:\t0\n"));
        assert!(is_confined("CapBnd:\t00000000a80425fb\nSeccomp:\t0\n"));
        assert!(is_confined("CapBnd:\t000001ffffffffff\nSeccomp:\t2\n"));
        assert!(is_confined("CapBnd:\t00000000a82425fb\nSeccomp:\t0\n"));
        assert!(!is_confined(""));
    }
}
