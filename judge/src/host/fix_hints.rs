//! Remedies: the commands of an administrator for a stronger isolation level (`judge doctor`).
//!
//! Responsible for choosing commands by the facts about the host. Must not read anything of the
//! host itself, and runs nothing: every command here weakens or opens something, so an
//! administrator has to decide.

use judge_event::FixHint;
use judge_model::{Guarantee, IsolationLevel};

/// The engine of the container that this process runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Docker,
    Podman,
    GitHub,
    GitLab,
    Kubernetes,
}

impl Container {
    fn name(self) -> &'static str {
        match self {
            Self::Docker => "Docker container",
            Self::Podman => "podman container",
            Self::GitHub => "container of a GitHub job",
            Self::GitLab => "container of a GitLab job",
            Self::Kubernetes => "Kubernetes pod",
        }
    }
}

/// The facts that were found on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HostEnvironment {
    pub(crate) root: bool,
    /// True when `CAP_SYS_ADMIN` is among the effective capabilities.
    pub(crate) system_administrator: bool,
    /// The effective capabilities, as a mask (capabilities(7)).
    pub(crate) capabilities: u64,
    /// True when a container's root has fewer capabilities than engines give it.
    pub(crate) drops_capabilities: bool,
    /// True when a filter of system calls was inherited.
    pub(crate) filtered: bool,
    pub(crate) container: Option<Container>,
    /// True on Windows Subsystem for Linux.
    pub(crate) wsl: bool,
    /// True when systemd is the host's init.
    pub(crate) systemd: bool,
    pub(crate) has_sudo: bool,
    /// True when Landlock can be used.
    pub(crate) landlock: bool,
    /// `kernel.unprivileged_userns_clone`, a setting of Debian's kernels.
    pub(crate) namespaces_for_everyone: Option<bool>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, a setting of Ubuntu's kernels.
    pub(crate) namespaces_by_apparmor: Option<bool>,
    /// `user.max_user_namespaces`.
    pub(crate) max_user_namespaces: Option<u64>,
    /// True when nothing can be written to the directory for temporary files.
    pub(crate) has_read_only_tmp: bool,
    /// True when the memory controller is available in either version.
    pub(crate) memory_controller: bool,
}

/// The capabilities that Docker and podman leave to root: the defaults of moby's `oci/caps` and of
/// containers-common.
pub(crate) const DEFAULT_CAPABILITIES: [u64; 2] = [0x0000_0000_a804_25fb, 0x0000_0000_8004_05fb];

/// A phrase that names the surroundings, such as "Docker container, default seccomp profile, root
/// with default capabilities".
pub(crate) fn environment(host: &HostEnvironment) -> String {
    let root = match host.capabilities {
        _ if !host.root => "ordinary user",
        _ if host.container.is_none() && host.system_administrator => "root",
        0 => "root without capabilities",
        found if DEFAULT_CAPABILITIES.contains(&found) => "root with default capabilities",
        _ if host.system_administrator => "root with CAP_SYS_ADMIN",
        _ => "root without CAP_SYS_ADMIN",
    };
    let Some(container) = host.container else {
        let system = if host.wsl {
            "Windows Subsystem for Linux"
        } else {
            "no container"
        };
        return format!("{system}, {root}");
    };
    // The profile itself cannot be read. Every engine applies its own, unless that is switched off.
    let profile = if host.filtered {
        "default seccomp profile"
    } else {
        "no seccomp profile"
    };
    format!("{}, {profile}, {root}", container.name())
}

/// True if a level gives a guarantee on an ordinary host.
fn is_given_at(level: IsolationLevel, guarantee: Guarantee) -> bool {
    let weakest = match guarantee {
        Guarantee::TotalMemory | Guarantee::CompleteCpuTime => IsolationLevel::Full,
        Guarantee::FilesHidden | Guarantee::DiskLimit => IsolationLevel::Namespaces,
        Guarantee::ProcessLimit => IsolationLevel::User,
        _ => IsolationLevel::Landlock,
    };
    level >= weakest
}

/// Returns the remedies for gaps, the strongest first.
pub(crate) fn hints(
    host: &HostEnvironment,
    level: Option<IsolationLevel>,
    gaps: &[Guarantee],
) -> Vec<FixHint> {
    let mut found = Vec::new();
    let mut add = |gives: IsolationLevel, why: &str, commands: &[&str]| {
        let closes: Vec<Guarantee> = gaps
            .iter()
            .copied()
            .filter(|gap| is_given_at(gives, *gap))
            .collect();
        if level.is_none_or(|level| gives > level) {
            let commands = commands
                .iter()
                .map(|command| with_needed_options(host, command))
                .collect();
            found.push(FixHint {
                gives,
                closes,
                why: why.to_owned(),
                commands,
            });
        }
    };
    match host.container {
        Some(container) => in_container(host, container, &mut add),
        None => on_host(host, &mut add),
    }
    if !host.landlock {
        add(
            IsolationLevel::Landlock,
            "Landlock is unavailable: it needs Linux 5.13 or newer, and must be among the kernel's security modules",
            &[
                "cat /sys/kernel/security/lsm    # the present value",
                "# kernel command line: lsm=landlock,<present value>",
            ],
        );
    }
    found
}

/// The hints for a level that `judge.yaml` demands: none once it is available, and none for weaker
/// levels before.
pub(crate) fn for_demand(
    mut hints: Vec<FixHint>,
    level: Option<IsolationLevel>,
    demanded: Option<IsolationLevel>,
) -> Vec<FixHint> {
    if let Some(demanded) = demanded {
        hints.retain(|hint| level.is_none() && hint.gives >= demanded);
    }
    hints
}

/// Adds what a command that starts a container needs in addition, because of this container's
/// options.
fn with_needed_options(host: &HostEnvironment, command: &str) -> String {
    let starts_container = |engine: &&str| command.starts_with(&format!("{engine} run "));
    let Some(engine) = ["docker", "podman"].into_iter().find(starts_container) else {
        return command.to_owned();
    };
    let mut command = command.to_owned();
    if host.has_read_only_tmp && !command.contains("--tmpfs") {
        command.insert_str(engine.len() + " run".len(), " --tmpfs /tmp:exec");
    }
    // Without the default capabilities, root cannot give programs to other users.
    if host.drops_capabilities && !command.contains("--user 1000") {
        command += "    # without --cap-drop";
    }
    command
}

type Add<'a> = dyn FnMut(IsolationLevel, &str, &[&str]) + 'a;

fn in_container(host: &HostEnvironment, container: Container, add: &mut Add<'_>) {
    use IsolationLevel::{Full, Namespaces};
    match container {
        // With CAP_SYS_ADMIN, the control groups of the container can be mounted and divided.
        Container::GitLab => {
            let mut commands = vec![RUNNER_SETTINGS];
            commands.extend((!host.root).then_some("  user = \"0\""));
            commands.extend([
                "  cap_add = [\"SYS_ADMIN\"]",
                "  security_opt = [\"apparmor=unconfined\"]",
            ]);
            add(
                Full,
                "GitLab's runner decides about the job's container",
                &commands,
            );
        }
        Container::GitHub => add(
            Full,
            "the workflow decides about the job's container",
            &[
                "container:",
                "  options: --user 0 --cap-add SYS_ADMIN --security-opt apparmor=unconfined",
            ],
        ),
        Container::Kubernetes => add(
            Full,
            "the pod's specification decides about the container",
            &["securityContext:", "  privileged: true"],
        ),
        Container::Podman => {
            add(
                Full,
                "systemd can delegate a control group to a container of podman",
                &[
                    "podman run --cgroups=split --security-opt unmask=/sys/fs/cgroup IMAGE judge run    # as a systemd service with Delegate=yes",
                ],
            );
            add(
                Namespaces,
                "an ordinary user can create namespaces if no part of /proc is covered",
                &["podman run --user 1000 --security-opt unmask=ALL IMAGE judge run"],
            );
        }
        // Without the other default capabilities, programs cannot be given to other users.
        Container::Docker if host.root && host.capabilities == 0 => {}
        Container::Docker => add(
            Full,
            "the container is not allowed to make mounts and control groups",
            &[if host.root {
                "docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined IMAGE judge run"
            } else {
                "docker run --user 0 --cap-add SYS_ADMIN --security-opt apparmor=unconfined IMAGE judge run"
            }],
        ),
    }
    for_users_of_container(host, container, add);
}

/// The part of a GitLab runner's settings that is about containers.
const RUNNER_SETTINGS: &str = "[runners.docker]    # in config.toml of the runner";

/// The hints to run as another user in the same container, or with fewer restrictions.
fn for_users_of_container(host: &HostEnvironment, container: Container, add: &mut Add<'_>) {
    use IsolationLevel::{Landlock, Namespaces, User};
    if host.has_read_only_tmp {
        add(
            if host.root { User } else { Landlock },
            "programs need a directory for temporary files, and the file system is read-only",
            match container {
                Container::Docker => &["docker run --tmpfs /tmp:exec IMAGE judge run"],
                Container::Podman => &["podman run --tmpfs /tmp:exec IMAGE judge run"],
                Container::GitHub => &["container:", "  options: --tmpfs /tmp:exec"],
                Container::GitLab => &[
                    "[runners.docker.tmpfs]    # in config.toml of the runner",
                    "  \"/tmp\" = \"rw,exec\"",
                ],
                Container::Kubernetes => &[
                    "volumeMounts: [{name: tmp, mountPath: /tmp}]    # of the container",
                    "volumes: [{name: tmp, emptyDir: {}}]    # of the pod",
                ],
            },
        );
    }
    if !host.root && container == Container::Docker {
        add(
            Namespaces,
            "an ordinary user can create namespaces if no filter refuses them and no part of /proc is covered",
            &[
                "docker run --user 1000 --security-opt seccomp=unconfined --security-opt systempaths=unconfined IMAGE judge run",
            ],
        );
    }
    if !host.root {
        add(
            User,
            "root in the container can give each program its own user, without more rights outside",
            match container {
                Container::Docker => &["docker run --user 0 IMAGE judge run"],
                Container::Podman => &["podman run --user 0 IMAGE judge run"],
                Container::GitHub => &["container:", "  options: --user 0"],
                Container::GitLab => &[RUNNER_SETTINGS, "  user = \"0\""],
                Container::Kubernetes => &["securityContext:", "  runAsUser: 0"],
            },
        );
    } else if host.capabilities == 0 {
        add(
            Landlock,
            "root without capabilities cannot run programs as another user, and cannot limit its own processes",
            match container {
                Container::Docker => &["docker run --user 1000 IMAGE judge run"],
                Container::Podman => &["podman run --user 1000 IMAGE judge run"],
                Container::GitHub => &["container:", "  options: --user 1000"],
                Container::GitLab => &[RUNNER_SETTINGS, "  user = \"1000\""],
                Container::Kubernetes => &["securityContext:", "  runAsUser: 1000"],
            },
        );
    }
}

fn on_host(host: &HostEnvironment, add: &mut Add<'_>) {
    use IsolationLevel::{Full, Namespaces};
    if !host.memory_controller {
        let wsl: &[&str] = &[
            "# %UserProfile%\\.wslconfig",
            "[wsl2]",
            "kernelCommandLine = cgroup_no_v1=all cgroup_enable=memory",
            "# then, in Windows:",
            "wsl --shutdown",
        ];
        let other: &[&str] = &[
            "# kernel command line: cgroup_enable=memory",
            "cat /proc/cmdline    # the present value",
        ];
        add(
            Full,
            "the kernel was started without the memory controller",
            if host.wsl { wsl } else { other },
        );
    }
    if host.wsl && !host.systemd {
        add(
            Full,
            "WSL can be configured to start systemd, which delegates control groups",
            &[
                "printf '[boot]\\nsystemd=true\\n' | sudo tee -a /etc/wsl.conf",
                "wsl.exe --shutdown",
            ],
        );
    }
    match (host.root, host.systemd) {
        (false, true) => add(
            Full,
            "systemd gives the judge its own control group if its user has a reachable manager",
            &[
                "loginctl enable-linger    # as this user: a manager also without a login",
                "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
                "systemd-run --user --scope -p Delegate=yes judge run    # the same by hand",
            ],
        ),
        (true, true) => add(
            Full,
            "systemd gives a command its own control group",
            &["systemd-run --scope -p Delegate=yes judge run"],
        ),
        _ => {}
    }
    if !host.root && host.has_sudo {
        add(
            Full,
            "root can create everything that is needed",
            &["sudo --preserve-env=PATH judge run"],
        );
    }
    if host.root && !host.system_administrator {
        add(
            Full,
            "root lacks CAP_SYS_ADMIN here, so something confines this process; find out what",
            &["capsh --decode=$(sed -n 's/^CapBnd:\\s*//p' /proc/self/status)"],
        );
    }
    if host.root {
        return;
    }
    if host.namespaces_by_apparmor == Some(false) {
        add(
            Namespaces,
            "AppArmor denies user namespaces to ordinary programs",
            &[
                "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
                "echo kernel.apparmor_restrict_unprivileged_userns=0 | sudo tee /etc/sysctl.d/60-judge.conf    # permanently",
            ],
        );
    }
    if host.namespaces_for_everyone == Some(false) {
        add(
            Namespaces,
            "this kernel permits user namespaces only to root",
            &[
                "sudo sysctl -w kernel.unprivileged_userns_clone=1",
                "echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-judge.conf    # permanently",
            ],
        );
    }
    if host.max_user_namespaces == Some(0) {
        add(
            Namespaces,
            "the number of user namespaces is limited to 0",
            &[
                "sudo sysctl -w user.max_user_namespaces=15000",
                "echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-judge.conf    # permanently",
            ],
        );
    }
}

#[cfg(test)]
#[path = "fix_hints_tests.rs"]
mod tests;
