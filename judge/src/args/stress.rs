//! The command line of `judge stress`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use judge_stress::Costs;

use super::values::{parse_jobs, parse_pause, parse_seconds};
use super::{IsolationArgs, JsonReportArgs, OutputCheckArgs, ProblemArgs, TimeLimitArgs};

/// The seed of a search, with the costs of the kinds of calls that an earlier search printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchSeed {
    pub(crate) number: u64,
    pub(crate) costs: Option<Costs>,
}

impl FromStr for SearchSeed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, costs) = text
            .split_once('/')
            .map_or((text, None), |(number, costs)| (number, Some(costs)));
        let number = number
            .parse()
            .map_err(|_| format!("expected a whole number of at least 0, found `{number}`"))?;
        Ok(Self {
            number,
            costs: costs.map(str::parse).transpose()?,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// One program that should fail, or several that should differ: files, directories, or names of
    /// solutions (`fiveup/wrong_answer/greedy_first_end.rs`)
    #[arg(value_name = "SUBMISSION", required_unless_present = "find")]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Condition on the results, such as `greedy.rs ~ WA && slow.rs !~ TLE` or `a.rs != b.rs`
    /// [default: one submission is not accepted, or several get different verdicts]
    #[arg(long, value_name = "CONDITION")]
    pub(crate) find: Option<String>,

    /// The program that produces the answers, such as a brute force [default: that of
    /// generators.yaml, or the first accepted submission]
    #[arg(long, value_name = "SUBMISSION")]
    pub(crate) reference: Option<String>,

    /// A generator and its arguments, such as `gen.py [1..20] (a|b) {seed}`, instead of
    /// generators.yaml and test cases: a file or a generator of the package. Without `{seed}`, the
    /// seed is the last argument; can be repeated
    #[arg(long = "generator", alias = "args", value_name = "CALL")]
    pub(crate) calls: Vec<String>,

    /// A program that rejects invalid inputs, so that parts of an input can be removed (without a
    /// package)
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    pub(crate) validator: Option<String>,

    #[command(flatten)]
    pub(crate) output_check: OutputCheckArgs,

    /// Maximum time of the search, in seconds [default: 30, unlimited with --inputs]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,

    /// Maximum number of inputs
    #[arg(long, value_name = "N")]
    pub(crate) inputs: Option<NonZero<u64>>,

    /// Seed of all inputs, as an earlier search printed it [default: random, printed]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<SearchSeed>,

    /// The number of the first input, to continue an earlier search with the same seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) from: u64,

    /// Find the input on which the first submission is slowest
    #[arg(long)]
    pub(crate) slowest: bool,

    /// Maximum time to shrink the input found, in seconds; 0 disables shrinking
    #[arg(long, value_name = "SECONDS", value_parser = parse_pause, default_value = "30")]
    pub(crate) shrink: Duration,

    /// Write the found input and its answer to this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,

    /// Add the input found as a test case with this name, such as `secret/killer`, as `judge add`
    /// does
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
