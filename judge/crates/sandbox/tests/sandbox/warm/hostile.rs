//! Programs that do something harmful before `main`, programs that attack the process waiting
//! there, and programs that replace it.

use std::time::{Duration, Instant};

use judge_sandbox::{Capture, WarmRefused};

use super::Warm;
use crate::bench::{Bench, Case};

pub(crate) const CASES: &[(&str, Case)] = &[
    ("warm_programs_must_do_nothing_before_main", before_main),
    ("warm_programs_cannot_be_attacked", attacked),
    ("warm_servers_that_lie_block_nothing", hostile_servers),
];

fn before_main(bench: &mut Bench) {
    let mut warm = Warm::new(bench, "before_main");
    // The time for warming, which a program that waits forever uses up.
    warm.execution.limits.wall_time = Duration::from_secs(2);
    for (mode, reason) in [
        ("thread", WarmRefused::Processes),
        ("fork", WarmRefused::Processes),
        ("read", WarmRefused::InputRead),
        ("write", WarmRefused::OutputWritten),
        ("file", WarmRefused::FilesWritten),
        ("exit", WarmRefused::Ended),
        ("crash", WarmRefused::Ended),
        ("spin", WarmRefused::Ended),
        ("close", WarmRefused::Ended),
        ("exec", WarmRefused::Ended),
    ] {
        warm.execution.env = vec![format!("MODE={mode}").into()];
        assert_eq!(warm.start(), Err(reason), "{mode}");
        assert_eq!(warm.refused(&["args"]), WarmRefused::NotWarm, "{mode}");
    }
    // A program without the shim ends, or waits forever.
    warm.execution.program = "/program/probe".into();
    warm.execution.args = ["probe", "sleep"].map(Into::into).into();
    assert_eq!(warm.start(), Err(WarmRefused::Ended));
    warm.execution.program = "/program/missing".into();
    assert_eq!(warm.start(), Err(WarmRefused::Ended));
    // The slot is as good as ever.
    let execution = bench.execution(&["print", "2"]);
    let mut capture = Capture::default();
    assert!(
        warm.slot
            .run(&execution, &mut capture)
            .unwrap()
            .outcome
            .is_clean_exit()
    );
    assert_eq!(capture.stdout, b"xx");
}

fn attacked(bench: &mut Bench) {
    for proc_mounted in [false, true] {
        let mut warm = Warm::new(bench, "before_main");
        warm.execution.proc_mounted = proc_mounted;
        warm.again();
        assert_eq!(
            warm.run(&["attacks"]).exited().stdout,
            "parent 1, control 1\n",
            "{proc_mounted}"
        );
        assert_eq!(warm.run(&["args"]).exited().stdout, "[probe][args]");
        // It may kill the waiting process, which is its own. Then the run has no known result, and
        // no other run follows.
        match warm.try_run(&["kills"], |_| ()) {
            Ok(ran) => drop(ran.exited()),
            Err(reason) => assert_eq!(reason, WarmRefused::Ended),
        }
        assert!([WarmRefused::Ended, WarmRefused::NotWarm].contains(&warm.refused(&["args"])));
        warm.again();
        assert_eq!(warm.run(&["args"]).exited().stdout, "[probe][args]");
    }
}

fn hostile_servers(bench: &mut Bench) {
    let mut neighbour = Warm::started(bench, "before_main");
    neighbour.execution.limits.wall_time = Duration::from_secs(20);
    for mode in [
        "answers_before",
        "reads_nothing",
        "never_answers",
        "ends_when_asked",
        "spins_when_asked",
        "eats_when_asked",
        "lies",
        "writes_by_itself",
        "decoy",
        "floods_answers",
        "timer",
    ] {
        let mut warm = Warm::new(bench, "before_main");
        warm.execution.env = vec![format!("MODE={mode}").into(), "SERVES=1".into()];
        warm.execution.limits.wall_time = Duration::from_millis(500);
        if mode == "timer" {
            warm.execution.env.pop();
        }
        for round in 0..3 {
            warm.again();
            let begun = Instant::now();
            // The run is over in time and no output goes to another run, even if the program lies
            // about itself.
            for run in 0..3 {
                match warm.try_run(&["args"], |_| ()) {
                    Ok(ran) => assert!(
                        !ran.stdout.contains("LATE"),
                        "{mode} {round} {run}: {}",
                        ran.stdout
                    ),
                    Err(_) => break,
                }
            }
            assert!(
                begun.elapsed() < Duration::from_secs(40),
                "{mode}: {:?}",
                begun.elapsed()
            );
            assert_eq!(
                neighbour.run(&["args"]).exited().stdout,
                "[probe][args]",
                "{mode}"
            );
            let (execution, mut capture) = (bench.execution(&["print", "2"]), Capture::default());
            assert!(
                warm.slot
                    .run(&execution, &mut capture)
                    .unwrap()
                    .outcome
                    .is_clean_exit(),
                "{mode}"
            );
            assert_eq!(capture.stdout, b"xx", "{mode}");
        }
    }
}
