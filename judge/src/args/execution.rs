//! Options of the commands that run programs.
//!
//! Responsible for their names, help and syntax. Does no I/O.

use std::time::Duration;

use clap::Args;
use judge_model::IsolationLevel;

use super::values::{parse_factor, parse_jobs, parse_seconds};

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
