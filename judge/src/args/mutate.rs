//! The command line of `judge mutate`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use judge_model::ReportKind;

use super::reporting::parse_report_of;
use super::values::parse_seconds;
use super::{IsolationArgs, JobsArgs, ReportTarget, TimeLimitArgs};

#[derive(Debug, Args)]
pub(crate) struct MutateArgs {
    /// Problems, whose first accepted solution in Rust, C++, C, Java or Python is mutated, or
    /// solutions (`fiveup/accepted/kuhn_with_slots.rs`)
    #[arg(value_name = "WHAT")]
    pub(crate) what: Vec<String>,

    /// Run every mutant on every test case, even after one has killed it
    #[arg(long)]
    pub(crate) full: bool,

    /// Compile every mutant separately instead of many in one program; much slower, with the same
    /// results. For tests of the combined programs
    #[arg(long, hide = true)]
    pub(crate) apart: bool,

    /// Mutate every accepted solution of a problem and also report their mean score
    #[arg(long)]
    pub(crate) all: bool,

    /// Try at most N randomly chosen mutants of a solution; the score is then an estimate with an
    /// interval
    #[arg(long, value_name = "N", alias = "limit")]
    pub(crate) sample: Option<NonZero<usize>>,

    /// Search for inputs that kill the surviving mutants, for this many seconds per mutant
    /// [default: 10]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, value_parser = parse_seconds)]
    pub(crate) hunt: Option<Option<Duration>>,

    /// Maximum number of inputs per survivor, instead of a time
    #[arg(long, value_name = "N", requires = "hunt")]
    pub(crate) inputs: Option<NonZero<u64>>,

    /// The directory for found inputs, with a subdirectory for each problem
    #[arg(
        long,
        value_name = "DIR",
        default_value = "judge-hunt",
        requires = "hunt"
    )]
    pub(crate) save: PathBuf,

    /// Add each found input as a test case, as `judge add` does: `secret/mutant` adds
    /// `secret/mutant-01` and so on
    #[arg(long, value_name = "NAME", requires = "hunt")]
    pub(crate) add: Option<String>,

    /// Seed of the sample and of the inputs of a search
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Exit with code 1 unless at least this percentage of mutants is killed; with --all, on
    /// average
    #[arg(long, value_name = "PERCENT", value_parser = parse_score)]
    pub(crate) min_score: Option<f64>,

    /// Write a report: `KIND=FILE` to a file, `KIND` to standard output; can be repeated. Kinds:
    /// `json` (one line per solution), `html`
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report_of(&[ReportKind::Json, ReportKind::Html]))]
    pub(crate) reports: Vec<ReportTarget>,

    #[command(flatten)]
    pub(crate) jobs: JobsArgs,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// A score in percent.
fn parse_score(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected percent from 0 to 100, such as `95`".to_owned()),
    }
}
