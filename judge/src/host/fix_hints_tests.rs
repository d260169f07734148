//! Remedies for invented hosts.

use super::*;

const AT_LANDLOCK: [Guarantee; 5] = [
    Guarantee::FilesHidden,
    Guarantee::ProcessLimit,
    Guarantee::TotalMemory,
    Guarantee::CompleteCpuTime,
    Guarantee::DiskLimit,
];

/// An ordinary host without hints.
fn host() -> HostEnvironment {
    HostEnvironment {
        landlock: true,
        memory_controller: true,
        max_user_namespaces: Some(15_000),
        ..HostEnvironment::default()
    }
}

/// The hints as lines: the level, what it closes, then the commands.
fn rendered(host: &HostEnvironment, level: IsolationLevel, gaps: &[Guarantee]) -> Vec<String> {
    let mut lines = Vec::new();
    for hint in hints(host, Some(level), gaps) {
        assert!(
            !hint.why.is_empty() && !hint.commands.is_empty(),
            "{hint:?}"
        );
        let closes: Vec<&str> = hint.closes.iter().map(|gap| gap.name()).collect();
        lines.push(format!("{} closes {}", hint.gives, closes.join(" ")));
        lines.extend(hint.commands);
    }
    lines
}

#[test]
fn hosts_with_all_guarantees_get_no_hints() {
    for root in [false, true] {
        let host = HostEnvironment {
            root,
            systemd: true,
            has_sudo: true,
            ..host()
        };
        assert!(rendered(&host, IsolationLevel::Full, &[]).is_empty());
    }
}

#[test]
fn a_laptop_with_systemd_delegates_a_control_group() {
    let host = HostEnvironment {
        systemd: true,
        has_sudo: true,
        namespaces_for_everyone: Some(true),
        ..host()
    };
    assert_eq!(
        rendered(
            &host,
            IsolationLevel::Namespaces,
            &[Guarantee::TotalMemory, Guarantee::CompleteCpuTime]
        ),
        [
            "full closes total_memory complete_cpu_time",
            "loginctl enable-linger    # as this user: a manager also without a login",
            "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
            "systemd-run --user --scope -p Delegate=yes judge run    # the same by hand",
            "full closes total_memory complete_cpu_time",
            "sudo --preserve-env=PATH judge run",
        ]
    );
}

#[test]
fn apparmor_restricts_namespaces_on_ubuntu() {
    let host = HostEnvironment {
        namespaces_by_apparmor: Some(false),
        ..host()
    };
    assert_eq!(
        rendered(&host, IsolationLevel::Landlock, &AT_LANDLOCK),
        [
            "namespaces closes files_hidden process_limit disk_limit",
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
            "echo kernel.apparmor_restrict_unprivileged_userns=0 | sudo tee /etc/sysctl.d/60-judge.conf    # permanently",
        ]
    );
}

#[test]
fn older_debian_and_hardened_hosts_need_other_settings() {
    let debian = HostEnvironment {
        namespaces_for_everyone: Some(false),
        ..host()
    };
    let lines = rendered(&debian, IsolationLevel::Landlock, &AT_LANDLOCK);
    assert_eq!(
        lines[1],
        "sudo sysctl -w kernel.unprivileged_userns_clone=1"
    );
    let hardened = HostEnvironment {
        max_user_namespaces: Some(0),
        ..host()
    };
    let lines = rendered(&hardened, IsolationLevel::Landlock, &AT_LANDLOCK);
    assert_eq!(lines[1], "sudo sysctl -w user.max_user_namespaces=15000");
}

#[test]
fn containers_need_changes_from_outside() {
    let inside = |container| HostEnvironment {
        root: true,
        capabilities: 0xa804_25fb,
        container: Some(container),
        ..host()
    };
    let all =
        |container| rendered(&inside(container), IsolationLevel::User, &AT_LANDLOCK).join("\n");
    assert!(
        all(Container::Docker)
            .contains("docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined")
    );
    assert!(all(Container::GitLab).contains(
        "[runners.docker]    # in config.toml of the runner\n  cap_add = [\"SYS_ADMIN\"]"
    ));
    assert!(all(Container::GitHub).contains("container:\n  options: --user 0 --cap-add SYS_ADMIN"));
    assert!(all(Container::Kubernetes).contains("securityContext:\n  privileged: true"));
    assert!(all(Container::Podman).contains("podman run --cgroups=split"));
    // Hints for users without root.
    assert!(!all(Container::Docker).contains("--user 0"));
    let user = HostEnvironment {
        root: false,
        ..inside(Container::Docker)
    };
    let lines = rendered(&user, IsolationLevel::Landlock, &AT_LANDLOCK);
    let of_gitlab = HostEnvironment {
        container: Some(Container::GitLab),
        ..user.clone()
    };
    let of_gitlab = rendered(&of_gitlab, IsolationLevel::Landlock, &AT_LANDLOCK).join("\n");
    assert!(
        of_gitlab.contains(
            "[runners.docker]    # in config.toml of the runner\n  user = \"0\"\n  cap_add"
        ),
        "{of_gitlab}"
    );
    assert!(lines[3].contains("systempaths=unconfined"), "{lines:?}");
    assert_eq!(lines[4], "user closes process_limit");
    assert!(lines[5].starts_with("docker run --user 0"), "{lines:?}");
    for (container, command) in [
        (Container::Podman, "podman run --user 0 IMAGE judge run"),
        (Container::GitHub, "container:\n  options: --user 0"),
        (
            Container::GitLab,
            "[runners.docker]    # in config.toml of the runner\n  user = \"0\"",
        ),
        (Container::Kubernetes, "securityContext:\n  runAsUser: 0"),
    ] {
        let hints = hints(
            &HostEnvironment {
                container: Some(container),
                ..user.clone()
            },
            None,
            &Guarantee::ALL,
        );
        let hint = hints.iter().find(|hint| hint.gives == IsolationLevel::User);
        assert_eq!(
            hint.map(|hint| hint.commands.join("\n")).as_deref(),
            Some(command)
        );
    }
    let without_capabilities = HostEnvironment {
        capabilities: 0,
        ..inside(Container::Docker)
    };
    let hints = hints(&without_capabilities, None, &Guarantee::ALL);
    let found: Vec<_> = hints
        .iter()
        .map(|hint| (hint.gives, &*hint.commands[0]))
        .collect();
    assert_eq!(
        found,
        [(
            IsolationLevel::Landlock,
            "docker run --user 1000 IMAGE judge run"
        )]
    );
}

#[test]
fn surroundings_are_named() {
    let docker = HostEnvironment {
        root: true,
        filtered: true,
        container: Some(Container::Docker),
        ..host()
    };
    let default = HostEnvironment {
        capabilities: 0xa804_25fb,
        ..docker.clone()
    };
    let admin = HostEnvironment {
        capabilities: 0xa824_25fb,
        system_administrator: true,
        filtered: false,
        ..docker.clone()
    };
    for (found, expected) in [
        (
            default,
            "Docker container, default seccomp profile, root with default capabilities",
        ),
        (
            admin,
            "Docker container, no seccomp profile, root with CAP_SYS_ADMIN",
        ),
        (
            docker.clone(),
            "Docker container, default seccomp profile, root without capabilities",
        ),
        (
            HostEnvironment {
                root: false,
                container: Some(Container::GitLab),
                ..docker
            },
            "container of a GitLab job, default seccomp profile, ordinary user",
        ),
        (host(), "no container, ordinary user"),
        (
            HostEnvironment {
                root: true,
                capabilities: 1,
                ..host()
            },
            "no container, root without CAP_SYS_ADMIN",
        ),
    ] {
        assert_eq!(environment(&found), expected);
    }
}

#[test]
fn wsl_has_other_configuration_files() {
    let host = HostEnvironment {
        wsl: true,
        memory_controller: false,
        has_sudo: true,
        ..host()
    };
    let lines = rendered(
        &host,
        IsolationLevel::Namespaces,
        &[Guarantee::TotalMemory, Guarantee::CompleteCpuTime],
    )
    .join("\n");
    assert!(
        lines.contains(".wslconfig\n[wsl2]\nkernelCommandLine = cgroup_no_v1=all"),
        "{lines}"
    );
    assert!(lines.contains("[boot]\\nsystemd=true"), "{lines}");
}

#[test]
fn a_kernel_without_landlock_is_reported() {
    let host = HostEnvironment {
        landlock: false,
        ..host()
    };
    let hints = hints(&host, None, &Guarantee::ALL);
    assert_eq!(hints.len(), 1);
    assert!(
        hints[0].why.contains("Linux 5.13") && hints[0].gives == IsolationLevel::Landlock,
        "{hints:?}"
    );
}

#[test]
fn hints_are_limited_to_the_demand_of_judge_yaml() {
    let host = HostEnvironment {
        systemd: true,
        has_sudo: true,
        landlock: false,
        ..host()
    };
    let all = || hints(&host, None, &Guarantee::ALL);
    let gives = |level, demanded| {
        let hints = for_demand(all(), level, demanded);
        hints.into_iter().map(|hint| hint.gives).collect::<Vec<_>>()
    };
    let every = gives(None, None);
    assert!(
        every.contains(&IsolationLevel::Landlock) && every.contains(&IsolationLevel::Full),
        "{every:?}"
    );
    let helps = gives(None, Some(IsolationLevel::Full));
    assert!(
        !helps.is_empty() && helps.iter().all(|gives| *gives == IsolationLevel::Full),
        "{helps:?}"
    );
    assert_eq!(
        gives(
            Some(IsolationLevel::Namespaces),
            Some(IsolationLevel::Namespaces)
        ),
        []
    );
}

#[test]
fn commands_have_the_options_that_the_container_needs() {
    let user = HostEnvironment {
        container: Some(Container::Docker),
        ..host()
    };
    let read_only = HostEnvironment {
        has_read_only_tmp: true,
        root: true,
        capabilities: 0xa804_25fb,
        ..user.clone()
    };
    let found = hints(&read_only, None, &Guarantee::ALL);
    assert!(found[0].commands[0].starts_with("docker run --tmpfs /tmp:exec --cap-add SYS_ADMIN"));
    // Every level hides the network; only namespaces hide files.
    let closes = &found[1].closes;
    assert!(
        closes.contains(&Guarantee::NoNetwork) && !closes.contains(&Guarantee::FilesHidden),
        "{closes:?}"
    );
    assert_eq!(
        found.last().map(|hint| (hint.gives, &*hint.commands[0])),
        Some((
            IsolationLevel::User,
            "docker run --tmpfs /tmp:exec IMAGE judge run"
        ))
    );
    // Only root in a container needs the capabilities that an engine gives by default.
    let dropped = HostEnvironment {
        drops_capabilities: true,
        ..user
    };
    let lines = rendered(&dropped, IsolationLevel::Landlock, &AT_LANDLOCK).join("\n");
    assert!(
        lines.contains("docker run --user 0 IMAGE judge run    # without --cap-drop")
            && lines.contains("systempaths=unconfined IMAGE judge run\n"),
        "{lines}"
    );
}
