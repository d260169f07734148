//! Messages that are written and read back.

use super::*;

#[test]
fn reports_are_read_back() {
    let endings = [
        Ending::Exited(255),
        Ending::Signaled(11),
        Ending::CpuTime,
        Ending::WallTime,
        Ending::Memory,
        Ending::Ordered,
        Ending::NotStarted(3, 2),
        Ending::Warmed,
        Ending::Cold,
    ];
    for ending in endings {
        let report = Report {
            number: 9,
            ending,
            cpu_time: Duration::from_micros(1_500_001),
            wall_time: Duration::from_secs(2),
            memory_bytes: 1 << 40,
            memory_kills: 3,
            is_host_out_of_memory: true,
            ended: Duration::from_nanos(77),
            cold: [None, Some(WarmRefused::Strays)][usize::from(ending == Ending::Cold)],
        };
        let mut writer = Writer::default();
        report.write(&mut writer);
        let (kind, mut reader) = Reader::new(writer.bytes()).unwrap();
        assert_eq!(
            (kind, Report::read(&mut reader)),
            (kind::FINISHED, Ok(report))
        );
    }
}

#[test]
fn runs_are_read_back() {
    let limits = RunLimits {
        cpu_time: Duration::from_millis(1500),
        wall_time: Duration::MAX,
        memory_bytes: 7,
        stdout_bytes: 0,
        stderr_bytes: 0,
        processes: 3,
    };
    let cancel = crate::CancelToken::new().unwrap();
    let execution = Execution {
        work: Work::Writable {
            bytes: 4096,
            files: 2,
        },
        proc_mounted: true,
        ..Execution::new(Vec::new(), limits.clone(), cancel)
    };
    let mut writer = Writer::default();
    write_run_head(&mut writer, kind::RUN, 5, &execution, true);
    write_stdin(&mut writer, Stdin::Depot(1, c"a/b"));
    writer.string(b"/program/x").string(b"/judge/here");
    writer
        .u32(1)
        .string(b"\xff")
        .u32(0)
        .u32(1)
        .u32(0)
        .string(b"")
        .string(b"/judge/in")
        .u32(1)
        .u32(2)
        .string(b"c");
    let (kind, mut reader) = Reader::new(writer.bytes()).unwrap();
    let run = Run::read(&mut reader).unwrap();
    assert_eq!(
        (kind, run.bounds.number, run.bounds.processes),
        (kind::RUN, 5, 3)
    );
    assert_eq!(
        (run.bounds.cpu_time, run.bounds.wall_time),
        (limits.cpu_time, Duration::from_nanos(u64::MAX))
    );
    assert_eq!(
        (run.work, run.proc_mounted, run.keep_work, run.rehearsal),
        (Some((4096, 2)), true, false, true)
    );
    assert_eq!(
        (run.stdin, run.program, run.cwd),
        (Stdin::Depot(1, c"a/b"), c"/program/x", c"/judge/here")
    );
    assert_eq!(run.work_files, [(2, c"c")]);
    assert_eq!(
        (run.args[0].to_bytes(), run.env.len(), run.binds.len()),
        (&b"\xff"[..], 0, 1)
    );
}

#[test]
fn warm_runs_are_read_back() {
    let limits = RunLimits {
        cpu_time: Duration::from_millis(1500),
        wall_time: Duration::MAX,
        memory_bytes: 7,
        stdout_bytes: 0,
        stderr_bytes: 0,
        processes: 3,
    };
    let mut writer = Writer::default();
    write_warm_run_head(&mut writer, 5, &limits, true);
    write_stdin(&mut writer, Stdin::Depot(1, c"a/b"));
    writer.u32(2).string(b"x").string(b"");
    let (kind, mut reader) = Reader::new(writer.bytes()).unwrap();
    let run = WarmRun::read(&mut reader).unwrap();
    assert_eq!(
        (
            kind,
            run.bounds.number,
            run.bounds.processes,
            run.bounds.memory_bytes
        ),
        (kind::RUN_WARM, 5, 3, 7)
    );
    assert_eq!(
        (run.bounds.cpu_time, run.bounds.wall_time),
        (limits.cpu_time, Duration::from_nanos(u64::MAX))
    );
    assert_eq!(
        (run.is_other_program, run.stdin, run.args),
        (true, Stdin::Depot(1, c"a/b"), vec![c"x", c""])
    );
}

#[test]
fn role_codes_are_unique() {
    for (index, role) in Role::ALL.iter().copied().enumerate() {
        assert_eq!(role as usize, index + 1);
    }
}

#[test]
fn setups_are_read_back() {
    let head = SetupHead {
        confinement: Confinement::OwnUser,
        uid: Some(61_000),
        hide_groups: false,
        core: None,
        single_process: true,
        local_sockets: false,
    };
    let mut writer = Writer::default();
    let mount = crate::Mount {
        source: "/opt/a".into(),
        target: "/b".into(),
    };
    let spec = SlotSpec {
        view: vec![mount],
        depots: vec!["/depot".into()],
        ..SlotSpec::default()
    };
    Setup::write(&mut writer, &head, Path::new("/tmp/x"), &spec);
    let (kind, mut reader) = Reader::new(writer.bytes()).unwrap();
    let setup = Setup::read(&mut reader).unwrap();
    assert_eq!(
        (kind, setup.head, setup.scratch),
        (kind::SETUP, head, c"/tmp/x")
    );
    assert_eq!(
        (setup.view, setup.depots),
        (vec![(c"/opt/a", c"/b")], vec![c"/depot"])
    );
}
