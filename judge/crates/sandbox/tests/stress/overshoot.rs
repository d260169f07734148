//! The overshoot: how far a program gets beyond its CPU time limit on a busy host.

use std::time::Duration;

use judge_model::{Limit, Termination};

use crate::bench::{Bench, Load, ms, percentile};

const LIMIT: Duration = Duration::from_millis(50);
const MAX_OVERSHOOT: Duration = Duration::from_millis(10);
const LOAD: usize = 4;

pub(crate) fn overshoot(bench: &mut Bench) -> String {
    let runs = bench.count(15, 200);
    let _load = Load::start(bench, LOAD);
    let mut of_all = Vec::new();
    for threads in ["1", "4"] {
        let mut execution = bench.execution(&["spin", threads]);
        execution.limits.cpu_time = LIMIT;
        let mut over: Vec<Duration> = (0..runs)
            .map(|run| {
                let outcome = bench.run(&execution);
                let killed = Termination::Killed {
                    limit: Limit::CpuTime,
                };
                assert_eq!(
                    outcome.termination, killed,
                    "run {run} of {runs}, {threads} threads"
                );
                outcome.usage.cpu_time.checked_sub(LIMIT).unwrap()
            })
            .collect();
        over.sort_unstable();
        let percent = bench.decisive_percentile(99);
        let found = percentile(&over, percent);
        let figures = format!(
            "{runs} runs with {threads} threads: median {}, p90 {}, p99 {}, max {} ms",
            ms(percentile(&over, 50)),
            ms(percentile(&over, 90)),
            ms(percentile(&over, 99)),
            ms(percentile(&over, 100))
        );
        assert!(
            found < MAX_OVERSHOOT,
            "expected a p{percent} below {} ms: {figures}",
            ms(MAX_OVERSHOOT)
        );
        of_all.push(figures);
    }
    let busy = std::fs::read_to_string("/proc/loadavg").unwrap();
    let busy = busy.split(' ').next().unwrap_or_default();
    format!(
        "beyond {} ms, with {LOAD} busy processes, load {busy}; {}",
        ms(LIMIT),
        of_all.join("; ")
    )
}
