//! Options that several commands share, and the numbers in them.
//!
//! Responsible for their names, help and syntax. Does no I/O. The meaning of words is decided in
//! `judge_package::select` and in `crate::since`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use judge_model::{CompareOptions, FormatVersion, IsolationLevel};
use judge_sharding::Shard;

/// The number of programs that run at a time.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct JobsArgs {
    /// Number of programs to run at a time [default: physical cores]
    #[arg(short = 'j', long = "jobs", id = "jobs", value_name = "N", value_parser = parse_jobs)]
    pub(crate) number: Option<usize>,
}

/// The time limit that replaces that of the package.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct TimeLimitArgs {
    /// Time limit in seconds, replacing that of the package
    #[arg(long = "time-limit", id = "time_limit", value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) seconds: Option<Duration>,
}

/// The factor for a slower host.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct TimeFactorArgs {
    /// Multiply the packages' time limits by this factor, for a slower host;
    /// `judge doctor --calibrate` measures it [default: `time_factor` in judge.yaml, or 1]
    #[arg(long = "time-factor", id = "time_factor", value_name = "X", value_parser = parse_factor)]
    pub(crate) factor: Option<f64>,
}

/// The required isolation level.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct IsolationArgs {
    /// Require this isolation level: `full`, `namespaces`, `user`, `landlock` or `none`
    #[arg(long = "isolation", id = "isolation", value_name = "LEVEL")]
    pub(crate) level: Option<IsolationLevel>,
}

/// Options of the commands that run programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ExecutionArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// Options that restrict or extend the test cases that are run.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ExtentArgs {
    /// Judge only the samples
    #[arg(long)]
    pub(crate) samples: bool,

    /// Judge every test case, even after a failure; this does not change verdicts or scores
    #[arg(long)]
    pub(crate) no_fail_fast: bool,
}

const WHAT_HELP: &str = "Problems, submissions or test cases: the name of a problem (`fiveup`), a path, a glob \
    (`five*`), or one of these with a part of the problem (`fiveup/wrong_answer/*`, `fiveup/secret/03-*`); inside a \
    package, the problem can be left out (`wrong_answer/*`) [default: everything in the current directory]";

/// The problems that a command works on, or parts of them.
#[derive(Debug, Default, Args)]
pub(crate) struct SelectionArgs {
    #[arg(value_name = "WHAT", help = WHAT_HELP)]
    pub(crate) what: Vec<String>,
}

/// The same, with an option that leaves out unchanged problems.
#[derive(Debug, Default, Args)]
pub(crate) struct ChangesArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Select only problems whose files, solutions or judge.yaml changed since this Git revision
    /// (`HEAD~1`), between two (`A..B`), or since the branch left another (`main...`)
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,
}

impl ChangesArgs {
    /// True without any word or revision: the command works on the whole workspace, or on the
    /// package around the current directory.
    pub(crate) fn is_everything(&self) -> bool {
        self.selection.what.is_empty() && self.since.is_none()
    }
}

/// The one problem of the submissions that a command works on.
#[derive(Debug, Default, Args)]
pub(crate) struct ProblemArgs {
    /// The problem's name or path [default: the problem that the submissions belong to]
    #[arg(short = 'p', long = "problem", id = "problem", value_name = "PROBLEM")]
    pub(crate) name: Option<String>,
}

/// The output check of programs without a package.
#[derive(Debug, Default, Args)]
pub(crate) struct OutputCheckArgs {
    /// A program that judges outputs: a testlib checker or an output validator (without a package)
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub(crate) checker: Option<String>,

    /// Accept numbers with this absolute or relative error, such as `1e-6` (without a package)
    #[arg(long, value_name = "ERROR", conflicts_with_all = ["problem", "checker"], value_parser = parse_tolerance)]
    pub(crate) float_tolerance: Option<String>,
}

/// Options of a run that is one of many shards.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Shards")]
pub(crate) struct ShardingArgs {
    /// Judge only shard K of N, such as `3/16`; `judge report` merges the event streams of all
    /// shards
    #[arg(long, value_name = "K/N", requires = "reports", conflicts_with_all = ["since", "watch"])]
    pub(crate) shard: Option<Shard>,

    /// Balance the shards by the durations in an earlier run's event stream
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(crate) durations: Option<PathBuf>,

    /// Take time limits that packages leave open from an earlier run's event stream instead of
    /// measuring them
    #[arg(long, value_name = "FILE")]
    pub(crate) time_limits: Option<PathBuf>,
}

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
fn parse_factor(text: &str) -> Result<f64, String> {
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
fn parse_tolerance(text: &str) -> Result<String, String> {
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn a_shard_needs_an_event_stream() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' '));
        let Command::Run(run) = parse("judge run --shard 3/16 --report json=out p")
            .unwrap()
            .command
        else {
            panic!()
        };
        assert_eq!(
            run.sharding.shard,
            Some(Shard {
                number: 3,
                count: 16
            })
        );
        for wrong in [
            "--shard 3/16",
            "--shard 0/4 --report json=x",
            "--shard 3 --report json=x",
            "--durations x",
            "--shard 1/2 --report json --watch",
        ] {
            assert!(parse(&format!("judge run {wrong}")).is_err(), "{wrong}");
        }
        assert!(
            parse("judge report").is_err()
                && parse("judge report --missing x --report json").is_err()
        );
    }
}
