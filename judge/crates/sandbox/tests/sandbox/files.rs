//! Files that go in and come out.

use std::path::Path;

use judge_sandbox::{
    Bind, Capture, CopyLimits, HarvestError, Mount, Sandbox as _, SandboxError, SlotSpec, Work,
    copy_tree, read_file,
};

use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("binds_are_visible_and_read_only", binds),
    ("binds_end_with_their_run", binds_go),
    ("binds_follow_no_links", bind_links),
    ("invalid_binds_are_refused", invalid),
    ("views_are_mounted_for_all_runs", view),
    ("leftovers_are_removed", leftovers),
    ("work_files_can_be_read", work),
    ("work_files_are_in_the_working_directory", given),
    ("a_program_may_start_in_a_bound_directory", starts),
    (
        "given_files_belong_to_a_program_that_may_write",
        given_writable,
    ),
    (
        "given_files_are_read_only_without_a_writable_directory",
        given_read_only,
    ),
    ("work_files_do_not_count_against_the_limit", given_room),
    ("errors_about_missing_views_name_them", missing_view),
];

/// Runs an action with a slot that has another depot besides the usual one.
fn with_depot(bench: &mut Bench, depot: &Path, action: impl FnOnce(&mut Bench)) {
    std::os::unix::fs::PermissionsExt::set_mode(
        &mut std::fs::metadata(depot).unwrap().permissions(),
        0o755,
    );
    let spec = SlotSpec {
        depots: vec![bench.depot.clone(), depot.to_owned()],
        ..SlotSpec::default()
    };
    let mut slot = bench.sandbox.slot(&spec).unwrap();
    std::mem::swap(&mut bench.slot, &mut slot);
    action(bench);
    std::mem::swap(&mut bench.slot, &mut slot);
}

fn depot() -> tempfile::TempDir {
    let depot = tempfile::tempdir().unwrap();
    std::fs::set_permissions(
        depot.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    std::fs::create_dir(depot.path().join("cases")).unwrap();
    std::fs::write(depot.path().join("cases/1.in"), b"input").unwrap();
    std::fs::write(depot.path().join("cases/1.ans"), b"answer").unwrap();
    std::os::unix::fs::symlink("/etc/shadow", depot.path().join("cases/link")).unwrap();
    std::os::unix::fs::symlink("cases", depot.path().join("elsewhere")).unwrap();
    depot
}

fn bind(depot: &Path, source: &str, target: &str) -> Bind {
    Bind {
        source: depot.join(source),
        target: target.into(),
    }
}

fn binds(bench: &mut Bench) {
    let depot = depot();
    with_depot(bench, depot.path(), |bench| {
        let ran = bench.run_with(&["read", "/judge/input"], |execution| {
            execution
                .binds
                .push(bind(depot.path(), "cases/1.in", "/judge/input"));
        });
        assert_eq!(ran.exited().stdout, "input");
        let ran = bench.run_with(&["list", "/judge/all"], |execution| {
            execution
                .binds
                .push(bind(depot.path(), "cases", "/judge/all"));
        });
        let mut names: Vec<_> = ran.exited().stdout.lines().map(str::to_owned).collect();
        names.sort();
        assert_eq!(names, ["1.ans", "1.in", "link"]);
        let ran = bench.run_with(
            &["write", "/judge/input", "/judge/all/new", "/judge/new"],
            |execution| {
                execution
                    .binds
                    .push(bind(depot.path(), "cases/1.in", "/judge/input"));
                execution
                    .binds
                    .push(bind(depot.path(), "cases", "/judge/all"));
            },
        );
        for line in ran.exited().stdout.lines() {
            assert!(
                line.ends_with(" EROFS") || line.ends_with(" EACCES"),
                "{line}"
            );
        }
        assert_eq!(
            std::fs::read(depot.path().join("cases/1.in")).unwrap(),
            b"input"
        );
    });
}

fn binds_go(bench: &mut Bench) {
    let depot = depot();
    with_depot(bench, depot.path(), |bench| {
        for (name, target) in [
            ("cases/1.in", "/judge/a"),
            ("cases", "/judge/b"),
            ("cases/1.in", "/judge/b"),
        ] {
            let ran = bench.run_with(&["list", "/judge"], |execution| {
                execution.binds.push(bind(depot.path(), name, target));
            });
            assert_eq!(format!("/judge/{}", ran.exited().stdout.trim()), target);
        }
        assert_eq!(bench.run(&["list", "/judge"]).exited().stdout, "");
        let ran = bench.run_with(
            &["see", "/judge/input", "/judge/answer", "/.slot/1/cases"],
            |execution| {
                execution
                    .binds
                    .push(bind(depot.path(), "cases/1.in", "/judge/input"));
            },
        );
        let text = ran.exited().stdout;
        assert!(
            text.starts_with("/judge/input seen\n/judge/answer ENOENT\n/.slot/1/cases E"),
            "{text}"
        );
    });
}

fn bind_links(bench: &mut Bench) {
    let depot = depot();
    with_depot(bench, depot.path(), |bench| {
        for source in ["cases/link", "elsewhere", "elsewhere/1.in", "none"] {
            let mut execution = bench.execution(&["exit", "0"]);
            execution.binds.push(bind(depot.path(), source, "/judge/x"));
            let result = bench.slot.run(&execution, &mut Capture::default());
            assert!(
                matches!(
                    result,
                    Err(SandboxError::Host { .. } | SandboxError::Helper { .. })
                ),
                "{source}: {result:?}"
            );
            bench.run(&["exit", "0"]).exited();
        }
    });
}

fn invalid(bench: &mut Bench) {
    let program = bench.depot.join("program");
    for (source, target) in [
        (Path::new("/etc"), "/judge/etc"),
        (&program.join(".."), "/judge/x"),
        (&program, "/usr"),
        (&program, "/judge"),
        (&program, "/judge/../usr"),
        (&program, "/judge/a/b"),
        (&program, "relative"),
    ] {
        let mut execution = bench.execution(&["exit", "0"]);
        execution.binds.push(Bind {
            source: source.to_owned(),
            target: target.into(),
        });
        let result = bench.slot.run(&execution, &mut Capture::default());
        assert!(
            matches!(result, Err(SandboxError::InvalidExecution { .. })),
            "{target}: {result:?}"
        );
    }
}

fn view(bench: &mut Bench) {
    let tool = depot();
    let view = vec![
        Mount {
            source: tool.path().join("cases"),
            target: "/opt/tool/cases".into(),
        },
        Mount {
            source: tool.path().join("cases/1.in"),
            target: "/opt/single".into(),
        },
    ];
    let spec = SlotSpec {
        depots: vec![bench.depot.clone()],
        view,
        ..SlotSpec::default()
    };
    let mut slot = bench.sandbox.slot(&spec).unwrap();
    std::mem::swap(&mut bench.slot, &mut slot);
    assert_eq!(
        bench.run(&["read", "/opt/tool/cases/1.in"]).exited().stdout,
        "input"
    );
    assert_eq!(bench.run(&["read", "/opt/single"]).exited().stdout, "input");
    assert_eq!(
        bench.run(&["write", "/opt/tool/cases/x"]).exited().stdout,
        "/opt/tool/cases/x EROFS\n"
    );
    std::mem::swap(&mut bench.slot, &mut slot);
}

fn leftovers(bench: &mut Bench) {
    for _ in 0..2 {
        let seen = bench
            .run(&["see", "left", "/tmp/left", "/dev/shm/left"])
            .exited()
            .stdout;
        assert_eq!(
            seen,
            "left ENOENT\n/tmp/left ENOENT\n/dev/shm/left ENOENT\n"
        );
        assert_eq!(
            bench.run(&["leave"]).exited().stdout,
            "file ok\ntmp ok\nshm ok\n"
        );
    }
}

fn work(bench: &mut Bench) {
    let ran = bench
        .run_with(&["traps"], |execution| execution.keep_work = true)
        .exited();
    let work = ran.finished.work.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let limits = CopyLimits {
        bytes: 1 << 20,
        entries: 100,
        depth: 10,
    };
    let copied = copy_tree(
        &work,
        Path::new("out"),
        &directory.path().join("copy"),
        limits,
    )
    .unwrap();
    assert_eq!((copied.files, copied.bytes), (3, 11), "{copied:?}");
    // The link, the pipe and the socket; and the closed directory, unless the test runs as root.
    assert!(copied.skipped == 3 || copied.skipped == 4, "{copied:?}");
    let mode = std::fs::metadata(directory.path().join("copy/good"))
        .unwrap()
        .permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o7777,
        0o755
    );
    for name in [
        "root/etc/passwd",
        "out/link",
        "out/pipe",
        "../../etc/passwd",
    ] {
        let result = read_file(&work, Path::new(name), 1 << 20);
        assert!(
            matches!(result, Err(HarvestError::Missing { .. })),
            "{name}: {result:?}"
        );
    }
    assert_eq!(
        read_file(&work, Path::new("out/good"), 1000).unwrap(),
        b"12345"
    );
    // The next run's files are elsewhere.
    bench.run(&["leave"]).exited();
    assert!(read_file(&work, Path::new("left"), 1000).is_err());
    assert!(bench.run(&["leave"]).exited().finished.work.is_none());
}

/// A depot with two directories that share a name.
fn given_depot() -> tempfile::TempDir {
    let depot = depot();
    let write = |name: &str, text: &str| {
        let path = depot.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("first/x", "first");
    write("first/sub/y", "deep");
    write("second/x", "second");
    // Directories of packages have such modes too.
    for name in ["first/x", "first/sub/y", "second/x"] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(depot.path().join(name), mode).unwrap();
    }
    depot
}

fn given(bench: &mut Bench) {
    let depot = given_depot();
    with_depot(bench, depot.path(), |bench| {
        for work in [
            Work::ReadOnly,
            Work::Writable {
                bytes: 1 << 20,
                files: 10,
            },
        ] {
            let files = |names: &[&str]| {
                names
                    .iter()
                    .map(|name| depot.path().join(name))
                    .collect::<Vec<_>>()
            };
            for (names, text) in [
                (&["first", "second"], "second"),
                (&["second", "first"], "first"),
            ] {
                let ran = bench.run_with(&["read", "x"], |execution| {
                    (execution.work, execution.work_files) = (work, files(names));
                });
                assert_eq!(ran.exited().stdout, text, "{work:?}");
            }
            let ran = bench.run_with(&["read", "sub/y"], |execution| {
                (execution.work, execution.work_files) = (work, files(&["first"]));
            });
            assert_eq!(ran.exited().stdout, "deep", "{work:?}");
            // The next run has none of it.
            let ran = bench.run_with(&["see", "x", "sub"], |execution| execution.work = work);
            assert_eq!(ran.exited().stdout, "x ENOENT\nsub ENOENT\n", "{work:?}");
        }
        let mut execution = bench.execution(&["exit", "0"]);
        execution.work_files.push(depot.path().join("nowhere"));
        assert!(bench.slot.run(&execution, &mut Capture::default()).is_err());
        bench.run(&["exit", "0"]).exited();
    });
}

fn starts(bench: &mut Bench) {
    let depot = given_depot();
    with_depot(bench, depot.path(), |bench| {
        let ran = bench.run_with(&["list", "."], |execution| {
            execution
                .binds
                .push(bind(depot.path(), "first", "/judge/here"));
            execution.cwd = Some("/judge/here".into());
        });
        let mut names: Vec<_> = ran.exited().stdout.lines().map(str::to_owned).collect();
        names.sort();
        assert_eq!(names, ["sub", "x"]);
        // The next run starts where it always does.
        assert_eq!(bench.run(&["list", "."]).exited().stdout, "");
        for nowhere in ["/usr", "judge", "/judge/../usr"] {
            let mut execution = bench.execution(&["exit", "0"]);
            execution.cwd = Some(nowhere.into());
            let result = bench.slot.run(&execution, &mut Capture::default());
            assert!(
                matches!(result, Err(SandboxError::InvalidExecution { .. })),
                "{nowhere}: {result:?}"
            );
        }
        let mut execution = bench.execution(&["exit", "0"]);
        execution.cwd = Some("/judge/absent".into());
        assert!(bench.slot.run(&execution, &mut Capture::default()).is_err());
        bench.run(&["exit", "0"]).exited();
    });
}

fn given_writable(bench: &mut Bench) {
    let depot = given_depot();
    with_depot(bench, depot.path(), |bench| {
        let ran = bench.run_with(&["write", "x", "sub/y", "sub/new", "new"], |execution| {
            execution.work_files.push(depot.path().join("first"));
            execution.keep_work = true;
        });
        let ran = ran.exited();
        assert_eq!(ran.stdout, "x ok\nsub/y ok\nsub/new ok\nnew ok\n");
        assert!(read_file(&ran.finished.work.unwrap(), Path::new("sub/new"), 100).is_ok());
        assert_eq!(
            std::fs::read(depot.path().join("first/x")).unwrap(),
            b"first"
        );
    });
}

fn given_read_only(bench: &mut Bench) {
    let depot = given_depot();
    with_depot(bench, depot.path(), |bench| {
        let ran = bench.run_with(
            &["write", "x", "sub/y", "sub/new", "new", "/tmp/new"],
            |execution| {
                execution.work_files.push(depot.path().join("first"));
                execution.work = Work::ReadOnly;
            },
        );
        let text = ran.exited().stdout;
        assert_eq!(text.lines().count(), 5);
        // Without a mount namespace, programs see the host's `/tmp`, which a container may lack.
        let is_missing = !Path::new("/tmp").exists();
        for line in text.lines() {
            let is_refused = line.ends_with(" EROFS") || line.ends_with(" EACCES");
            assert!(
                is_refused || (is_missing && line == "/tmp/new ENOENT"),
                "{line}"
            );
        }
    });
}

fn given_room(bench: &mut Bench) {
    let depot = given_depot();
    std::fs::write(depot.path().join("first/large"), vec![b'x'; 3 << 20]).unwrap();
    with_depot(bench, depot.path(), |bench| {
        for (bytes, files, other) in [(8192, 2, "ok"), (4096, 2, "ENOSPC"), (8192, 1, "ENOSPC")] {
            let ran = bench.run_with(&["write", "new", "other"], |execution| {
                execution.work = Work::Writable { bytes, files };
                execution.work_files.push(depot.path().join("first"));
            });
            assert_eq!(
                ran.exited().stdout,
                format!("new ok\nother {other}\n"),
                "{bytes} bytes, {files} files"
            );
        }
    });
}

fn missing_view(bench: &mut Bench) {
    let view = vec![Mount {
        source: "/nowhere/at/all".into(),
        target: "/opt/x".into(),
    }];
    let error = bench
        .sandbox
        .slot(&SlotSpec {
            view,
            ..SlotSpec::default()
        })
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("/nowhere/at/all"), "{error}");
}
