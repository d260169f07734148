//! Numbers on the command line.
//!
//! Responsible for their ranges; must not know the options.

use std::time::Duration;

use judge_model::{CompareOptions, FormatVersion};

/// Reads the number of programs that run at a time.
pub(super) fn parse_jobs(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(jobs) if (1..=1024).contains(&jobs) => Ok(jobs),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

/// Reads seconds, with or without the unit.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_suffix('s').unwrap_or(text).parse::<f64>();
    // A day is longer than any time limit, and far below the maximum of `Duration`.
    match seconds {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected seconds, such as `2` or `0.5`".to_owned()),
    }
}

/// Reads a factor between hosts.
pub(super) fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if judge_package::is_time_factor(factor) => Ok(factor),
        _ => Err("expected a factor from 0.01 to 100, such as `1.5`".to_owned()),
    }
}

/// Reads seconds; 0 is valid too.
pub(super) fn parse_pause(text: &str) -> Result<Duration, String> {
    if text == "0" {
        Ok(Duration::ZERO)
    } else {
        parse_seconds(text)
    }
}

/// Reads a tolerance of the default output validator, and returns it unchanged.
pub(super) fn parse_tolerance(text: &str) -> Result<String, String> {
    let args = ["float_tolerance", text].map(str::to_owned);
    match CompareOptions::parse(&args, FormatVersion::V2025_09) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("expected a number of at least 0, such as `1e-6`".to_owned()),
    }
}

/// Reads a percentage, and returns it as a share.
pub(super) fn parse_percent(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).parse::<f64>() {
        Ok(percent) if (0.01..=50.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("expected percent from 0.01 to 50, such as `0.75`".to_owned()),
    }
}
