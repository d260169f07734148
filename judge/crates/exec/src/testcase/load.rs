//! The load of the host: whether it may delay programs.
//!
//! Must not know which results depend on it.

use std::fs;
use std::path::Path;
use std::thread;

/// The number of running programs for each processor above which the host is overloaded. The judge
/// itself runs at most one for each.
const MAX_LOAD_PER_PROCESSOR: f64 = 1.5;

/// True when the host may delay a program without evidence: the kernel does not report waiting
/// times (`schedstat`), and the host is overloaded.
pub(crate) fn may_delay_unnoticed() -> bool {
    // With the statistics, the sandbox has measured how long the run waited, which is better
    // evidence than the load of the whole host.
    !Path::new("/proc/self/schedstat").exists() && is_overloaded()
}

/// True when more programs are ready to run than there are processors, by the average of the last
/// minute. A host that does not report it counts as idle.
fn is_overloaded() -> bool {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    match fs::read_to_string("/proc/loadavg") {
        Ok(loadavg) => is_too_high(&loadavg, processors),
        Err(_) => false,
    }
}

/// True when the load in the text of `/proc/loadavg` is too high for this number of processors.
fn is_too_high(loadavg: &str, processors: usize) -> bool {
    let last_minute = loadavg.split_ascii_whitespace().next();
    match last_minute.map(str::parse::<f64>) {
        Some(Ok(load)) => load > MAX_LOAD_PER_PROCESSOR * processors as f64,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_limit_depends_on_the_number_of_processors() {
        assert!(is_too_high("3.10 1.00 0.50 4/300 1234\n", 2));
        assert!(!is_too_high("2.90 9.00 9.00 4/300 1234\n", 2));
        assert!(!is_too_high("", 2) && !is_too_high("many", 1));
    }
}
