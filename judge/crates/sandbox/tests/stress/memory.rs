//! Tests of where the memory limit lies, and of the memory that is reported as used.

use judge_model::IsolationLevel;

use crate::bench::Bench;

const MIB: u64 = 1 << 20;

/// Without a control group memory is sampled from time to time, so the limit is not exact.
pub(crate) fn memory(bench: &mut Bench) -> String {
    if bench.level != IsolationLevel::Full {
        return format!(
            "nothing to check: memory is sampled at level `{}`",
            bench.level
        );
    }
    let mut found = Vec::new();
    // Touching a gigabyte takes half a second.
    let limits: &[u64] = if bench.full {
        &[16 * MIB, 64 * MIB, 256 * MIB, 1024 * MIB]
    } else {
        &[16 * MIB, 256 * MIB]
    };
    for &limit in limits {
        let runs = bench.count(3, 25);
        for run in 0..runs {
            let message =
                |what: String| format!("run {run} of {runs}, limit {} MiB: {what}", limit / MIB);
            let below = limit - MIB - page_tables(limit);
            let (survived, reported) = touch(bench, limit, below);
            assert!(survived, "{}", message("killed 1 MiB below it".to_owned()));
            // Near the limit, what the kernel took back for the program cannot be distinguished
            // from what the program used.
            let expected = below - MIB..=limit;
            assert!(
                expected.contains(&reported),
                "{}",
                message(format!("{below} bytes were reported as {reported}"))
            );
            let (survived, reported) = touch(bench, limit, limit + MIB);
            assert!(
                !survived,
                "{}",
                message("not killed 1 MiB above it".to_owned())
            );
            assert!(
                reported.abs_diff(limit) <= MIB,
                "{}",
                message(format!("reported as {reported}"))
            );
        }
        let (max, reported) = max_touched(bench, limit, MIB / 64);
        found.push(format!(
            "{} MiB: {runs} runs each 1 MiB below and above; {} KiB can be touched, reported as {} KiB",
            limit / MIB,
            difference(max, limit),
            difference(reported, limit)
        ));
    }
    found.join("; ")
}

/// The bytes of page tables that the kernel needs to map that many bytes: 8 for each page of 4 KiB.
/// They count too, unless the host was started with `cgroup.memory=nokmem`.
fn page_tables(bytes: u64) -> u64 {
    bytes / 512
}

/// Formats the difference from the limit in KiB.
fn difference(bytes: u64, limit: u64) -> String {
    format!("{:+}", (bytes.cast_signed() - limit.cast_signed()) / 1024)
}

/// Touches memory. Returns true if the program survived it, and the reported memory.
fn touch(bench: &mut Bench, limit: u64, bytes: u64) -> (bool, u64) {
    let mut execution = bench.execution(&["touch", &(bytes / 1024).to_string()]);
    execution.limits.memory_bytes = limit;
    let outcome = bench.run(&execution);
    assert_eq!(
        outcome.is_clean_exit(),
        outcome.usage.memory_kills == 0,
        "{outcome:?}"
    );
    (outcome.is_clean_exit(), outcome.usage.memory_bytes)
}

/// Finds the largest memory that a program can touch, to within `step` bytes, and the memory
/// reported then.
fn max_touched(bench: &mut Bench, limit: u64, step: u64) -> (u64, u64) {
    let (mut low, mut high, mut at_low) = (limit - MIB - page_tables(limit), limit + MIB, 0);
    while high - low > step {
        let middle = (low + high) / 2;
        match touch(bench, limit, middle) {
            (true, reported) => (low, at_low) = (middle, reported),
            (false, _) => high = middle,
        }
    }
    (low, at_low)
}
