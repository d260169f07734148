//! The accounting of CPU time, in which the sandbox, the kernel's rusage, and the program's own CPU
//! clocks must agree.

use std::time::Duration;

use judge_model::{Guarantee, IsolationLevel};
use judge_sandbox::{LinuxSandbox, Sandbox as _};

use crate::bench::{Bench, ms, percentile};

/// The kinds of work that a program does, and the number of places in which it does so at the same
/// time.
const KINDS: [(&str, u32); 5] = [
    ("alone", 1),
    ("threads", 4),
    ("waited", 4),
    ("orphans", 4),
    ("ignored", 4),
];
/// The CPU time that each place uses, by its own clock.
const EACH: Duration = Duration::from_millis(100);
const MIN_TOLERANCE: Duration = Duration::from_millis(2);

/// At level `full` the sandbox counts by control group, at the others by rusage: run at both, this
/// compares all three.
pub(crate) fn accounting(bench: &mut Bench) -> String {
    let runs = bench.count(3, 25);
    let gaps = LinuxSandbox::open(Some(bench.level))
        .unwrap()
        .isolation()
        .gaps
        .clone();
    let mut found = Vec::new();
    for (kind, places) in KINDS {
        if kind == "ignored" && gaps.contains(&Guarantee::CompleteCpuTime) {
            found.push("ignored: a gap of this level".to_owned());
            continue;
        }
        let execution = bench.execution(&[
            "account",
            &places.to_string(),
            &EACH.as_millis().to_string(),
            kind,
        ]);
        let tolerance = MIN_TOLERANCE.max(EACH * places / 100);
        let mut apart = Vec::new();
        for run in 0..runs {
            let outcome = bench.run(&execution);
            assert!(
                outcome.is_clean_exit(),
                "{kind}, run {run} of {runs}: {outcome:?}"
            );
            let mut numbers = bench
                .stdout()
                .split_whitespace()
                .map(|text| text.parse().unwrap());
            let [own, rusage] = [(); 2].map(|()| Duration::from_nanos(numbers.next().unwrap()));
            assert!(
                own >= EACH * places,
                "{kind}: the program's clocks show {} ms",
                ms(own)
            );
            let reported = outcome.usage.cpu_time;
            apart.push(reported.abs_diff(own));
            // A program's rusage does not include children that it cannot wait for.
            if !["orphans", "ignored"].contains(&kind) {
                apart.push(reported.abs_diff(rusage));
            }
        }
        apart.sort_unstable();
        // Once in some seconds of CPU time the kernel charges a process for milliseconds in which
        // an interrupt or another guest of the machine below had the processor; it may do so after
        // the program has read its clocks.
        let percent = bench.decisive_percentile(90);
        let usual = percentile(&apart, percent);
        let figures = format!(
            "{kind} x{places} {} (max {})",
            ms(usual),
            ms(percentile(&apart, 100))
        );
        assert!(
            usual <= tolerance,
            "in {runs} runs, p{percent} ms apart: {figures}; expected {} at most",
            ms(tolerance)
        );
        found.push(figures);
    }
    let by = if bench.level == IsolationLevel::Full {
        "control group"
    } else {
        "rusage"
    };
    format!(
        "{runs} runs each, by {by}; p{} ms apart from own clocks and rusage: {}",
        bench.decisive_percentile(90),
        found.join(", ")
    )
}
