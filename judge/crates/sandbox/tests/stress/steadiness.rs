//! Many runs of the same kind: the sandbox has no fault, and all of them end alike.

use std::time::Duration;

use judge_model::{Limit, Termination};

use crate::bench::{Bench, ms};

/// Programs that do nothing.
pub(crate) fn nothing(bench: &mut Bench) -> String {
    let runs = bench.count(200, 1000);
    let execution = bench.execution(&["exit", "0"]);
    for run in 0..runs {
        let outcome = bench.run(&execution);
        assert!(outcome.is_clean_exit(), "run {run} of {runs}: {outcome:?}");
    }
    format!("{runs} runs, all with exit code 0")
}

const LIMIT: Duration = Duration::from_millis(50);

/// Programs that use nine and eleven tenths of a CPU time limit, by their own CPU clock.
pub(crate) fn limits(bench: &mut Bench) -> String {
    let runs = bench.count(25, 1000);
    // Few runs on a host that other programs share are disturbed more often; a flaw of the sandbox
    // disturbs them all.
    let (max_disturbed, max_unseen) = if bench.full {
        (runs / 20, runs / 200)
    } else {
        (runs, runs / 5)
    };
    let (mut of_both, mut disturbed, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    for percent in [90, 110] {
        let target = LIMIT * percent / 100;
        let mut execution = bench.execution(&["burn", &target.as_micros().to_string()]);
        execution.limits.cpu_time = LIMIT;
        let mut used = Vec::new();
        while used.len() < runs {
            let outcome = bench.run(&execution);
            let is_over = outcome.usage.cpu_time > LIMIT;
            // The time that the kernel charged to the program without its doing, by the program's
            // own clock.
            let charged = bench
                .stdout()
                .lines()
                .map(|step| Duration::from_nanos(step.parse().unwrap()))
                .sum();
            if is_over != (percent > 100) && outcome.usage.cpu_time.saturating_sub(charged) <= LIMIT
            {
                disturbed.push(outcome.usage.cpu_time);
                assert!(
                    disturbed.len() <= max_disturbed,
                    "the host is too busy: {disturbed:?}"
                );
                continue;
            }
            // The host can take its time after the program has last looked at its clock: before a
            // kill, or on the way out. Where that happens, it is a matter of some seconds of CPU
            // time; a fault of the sandbox would show in more runs.
            if percent < 100 && is_over {
                unseen.push(outcome.usage.cpu_time);
                assert!(
                    unseen.len() <= max_unseen,
                    "over the limit at {percent} % of it: {unseen:?}"
                );
                continue;
            }
            // The watch looks when the limit may have been reached, and can be late: then the
            // program ends on its own, and its usage decides. So a verdict by the usage is the same
            // in both cases.
            let is_consistent = match outcome.termination {
                Termination::Exited { code: 0 } => true,
                Termination::Killed {
                    limit: Limit::CpuTime,
                } => is_over,
                _ => false,
            };
            assert!(
                is_consistent && is_over == (percent > 100),
                "run {} of {runs} at {percent} % of {} ms, {} ms of them charged by the host: {outcome:?}",
                used.len(),
                ms(LIMIT),
                ms(charged)
            );
            used.push(outcome.usage.cpu_time);
        }
        let (min, max) = (used.iter().min().unwrap(), used.iter().max().unwrap());
        of_both.push(format!(
            "{runs} at {percent} %: {} to {} ms",
            ms(*min),
            ms(*max)
        ));
    }
    format!(
        "limit {} ms; {}; {} more were charged for what the host did, by their own clocks, and {} unnoticed",
        ms(LIMIT),
        of_both.join(", "),
        disturbed.len(),
        unseen.len()
    )
}
