//! The load of the machine by other programs.
//!
//! Responsible for detecting that programs have to wait for a processor. Must not know what is run.

use std::fs;
use std::path::Path;
use std::thread;

/// The number of running programs for each processor above which the machine is overloaded. The
/// judge itself runs at most one for each.
const TOO_MANY: f64 = 1.5;

/// True when a program may have been delayed without evidence: the kernel does not report waiting
/// times (`schedstat`), and the host is overloaded.
pub(crate) fn may_have_kept_waiting() -> bool {
    // With the statistics, the sandbox has measured how long the run waited, which is better
    // evidence than the load of the whole host.
    !Path::new("/proc/self/schedstat").exists() && is_too_high()
}

/// True when the load is too high: more programs are ready to run than there are processors, by the
/// average of the last minute. A host that does not report it counts as idle.
fn is_too_high() -> bool {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    fs::read_to_string("/proc/loadavg").is_ok_and(|text| exceeds(&text, processors))
}

/// True when the load in the text of `/proc/loadavg` is too high.
fn exceeds(text: &str, processors: usize) -> bool {
    let average = text
        .split_ascii_whitespace()
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    average.is_some_and(|average| average > TOO_MANY * processors as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_limit_depends_on_the_number_of_processors() {
        assert!(exceeds("3.10 1.00 0.50 4/300 1234\n", 2));
        assert!(!exceeds("2.90 9.00 9.00 4/300 1234\n", 2));
        assert!(!exceeds("", 2) && !exceeds("many", 1));
    }
}
