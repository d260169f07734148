//! The command line of looking for inputs.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use judge_stress::CostSetting;

use super::values::{parse_jobs, parse_pause, parse_seconds};
use super::{IsolationArgs, ProblemArgs, TimeFactorArgs, TimeLimitArgs};

/// The sources that inputs are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputSource {
    /// Calls of generators, and changed test cases
    #[default]
    Both,
    /// Calls of generators only
    Generators,
    /// Changed test cases only
    TestCases,
}

#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// One submission, to be failed; or several, to be told apart: files or directories, or solutions by name
    /// (`fiveup/wrong_answer/greedy_first_end.rs`)
    #[arg(value_name = "SUBMISSION", required_unless_present = "find")]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// What an input must do, such as `greedy.rs ~ WA && slow.rs !~ TLE` or `a.rs != b.rs` [default: one submission is
    /// not accepted, or several get different verdicts]
    #[arg(long, value_name = "FINDER")]
    pub(crate) find: Option<String>,

    /// The submission that writes the answers [default: as in generators.yaml, or else the first accepted one]
    #[arg(long, value_name = "SUBMISSION")]
    pub(crate) reference: Option<String>,

    /// A generator and its arguments, such as `random [1..20] (a|b) {seed}`, instead of what generators.yaml calls; may be
    /// given several times
    #[arg(long = "args", value_name = "CALL")]
    pub(crate) calls: Vec<String>,

    /// What inputs are made of
    #[arg(long, value_enum, value_name = "KIND", default_value_t = InputSource::Both)]
    pub(crate) source: InputSource,

    /// How long to look, in seconds [default: 30, or without limit with --inputs]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,

    /// How many inputs to try
    #[arg(long, value_name = "N")]
    pub(crate) inputs: Option<NonZero<u64>>,

    /// Seed of all inputs [default: drawn anew, and told]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// How dear the kinds of generator calls are, which are drawn as much less often: `measured`, `equal`, or what an earlier
    /// search with the same seed has told [default: equal with --seed, or else measured]
    #[arg(long, value_name = "COSTS")]
    pub(crate) costs: Option<CostSetting>,

    /// The number of the first input: where an earlier search with the same seed ended
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) from: u64,

    /// How many failures of different kinds to find
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) findings: NonZero<usize>,

    /// Keep the input that the first submission is slowest on
    #[arg(long)]
    pub(crate) slowest: bool,

    /// How long to make each finding smaller, in seconds; 0 leaves them as they are
    #[arg(long, value_name = "SECONDS", value_parser = parse_pause, default_value = "30")]
    pub(crate) shrink: Duration,

    /// Write inputs and answers that were found into this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,

    /// Add the first finding as a test case, as `judge add` does: its name, such as `secret/killer`
    #[arg(long, value_name = "NAME")]
    pub(crate) add: Option<String>,

    /// Write everything as JSON to this file, or to standard output instead of the report
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", require_equals = true)]
    pub(crate) json: Option<PathBuf>,

    /// Inputs to try at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) time_factor: TimeFactorArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
