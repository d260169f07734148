//! The command line of looking for inputs.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use judge_stress::CostSetting;

use super::values::{parse_jobs, parse_pause, parse_seconds};
use super::{IsolationArgs, JsonReportArgs, ProblemArgs, TimeLimitArgs};

/// The sources that inputs are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputSource {
    /// Generator calls and mutated test cases
    #[default]
    Both,
    /// Only generator calls
    Generators,
    /// Only mutated test cases
    TestCases,
}

#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// One submission that should fail, or several that should differ: files, directories, or names of solutions
    /// (`fiveup/wrong_answer/greedy_first_end.rs`)
    #[arg(value_name = "SUBMISSION", required_unless_present = "find")]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Condition on the results, such as `greedy.rs ~ WA && slow.rs !~ TLE` or `a.rs != b.rs` [default: one submission is
    /// not accepted, or several get different verdicts]
    #[arg(long, value_name = "CONDITION")]
    pub(crate) find: Option<String>,

    /// The submission that produces the answers [default: that of generators.yaml, or the first accepted one]
    #[arg(long, value_name = "SUBMISSION")]
    pub(crate) reference: Option<String>,

    /// A generator and its arguments, such as `random [1..20] (a|b) {seed}`, instead of the calls in generators.yaml; can
    /// be repeated
    #[arg(long = "args", value_name = "CALL")]
    pub(crate) calls: Vec<String>,

    /// The source of inputs
    #[arg(long, value_enum, value_name = "KIND", default_value_t = InputSource::Both)]
    pub(crate) source: InputSource,

    /// Maximum time of the search, in seconds [default: 30, unlimited with --inputs]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,

    /// Maximum number of inputs
    #[arg(long, value_name = "N")]
    pub(crate) inputs: Option<NonZero<u64>>,

    /// Seed of all inputs [default: random, printed]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Cost of each kind of generator call; expensive kinds are used less often. `measured`, `equal`, or the costs that an
    /// earlier search with the same seed printed [default: equal with --seed, otherwise measured]
    #[arg(long, value_name = "COSTS")]
    pub(crate) costs: Option<CostSetting>,

    /// The number of the first input, to continue an earlier search with the same seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) from: u64,

    /// Number of different failures to find
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) findings: NonZero<usize>,

    /// Find the input on which the first submission is slowest
    #[arg(long)]
    pub(crate) slowest: bool,

    /// Maximum time to shrink each finding, in seconds; 0 for no shrinking
    #[arg(long, value_name = "SECONDS", value_parser = parse_pause, default_value = "30")]
    pub(crate) shrink: Duration,

    /// Write found inputs and answers to this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,

    /// Add the first finding as a test case with this name, such as `secret/killer`, as `judge add` does
    #[arg(long, value_name = "NAME")]
    pub(crate) add: Option<String>,

    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,

    /// Number of inputs to try at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
