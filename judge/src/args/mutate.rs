//! The command line of mutation testing.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::reporting::parse_page;
use super::values::{parse_pause, parse_seconds};
use super::{IsolationArgs, JobsArgs, TimeLimitArgs};

#[derive(Debug, Args)]
pub(crate) struct MutateArgs {
    /// Problems, by name or path; their first accepted solution in Rust, C++, C, Java or Python is mutated, unless one is named
    /// (`fiveup/accepted/greedy.rs`)
    #[arg(value_name = "WHAT")]
    pub(crate) what: Vec<String>,

    /// Run every mutant on every test case, also after the first of a group that kills it
    #[arg(long)]
    pub(crate) full: bool,

    /// Compile every mutant by itself and run it on all that it may meet, instead of many in one program: this takes much
    /// longer, and should come to the same
    #[arg(long)]
    pub(crate) apart: bool,

    /// Mutate every accepted solution of a problem, and tell the mean of their scores too, which does not hang on the
    /// style of one author
    #[arg(long)]
    pub(crate) all: bool,

    /// Try so many mutants of a solution at the most, drawn from all; the score then has an interval
    #[arg(long, value_name = "N", alias = "limit")]
    pub(crate) sample: Option<NonZero<usize>>,

    /// Look for inputs that kill the survivors, for so many seconds for each of them [default: 10]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, value_parser = parse_seconds)]
    pub(crate) hunt: Option<Option<Duration>>,

    /// How many inputs to try in a hunt, instead of for how long
    #[arg(long, value_name = "N", requires = "hunt")]
    pub(crate) inputs: Option<NonZero<u64>>,

    /// How long to make each input smaller that a hunt finds, in seconds; 0 leaves them as they are
    #[arg(long, value_name = "SECONDS", value_parser = parse_pause, default_value = "10", requires = "hunt")]
    pub(crate) shrink: Duration,

    /// Where to write what a hunt finds: into a directory in it for each problem
    #[arg(long, value_name = "DIR", default_value = "judge-hunt", requires = "hunt")]
    pub(crate) save: PathBuf,

    /// Add each input that a hunt finds as a test case, as `judge add` does: `secret/mutant` makes `secret/mutant-01` and
    /// so on
    #[arg(long, value_name = "NAME", requires = "hunt")]
    pub(crate) add: Option<String>,

    /// Seed of that drawing, and of the inputs of a hunt
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Fail with exit code 1 unless so many percent of the mutants are killed; with --all, in the mean
    #[arg(long, value_name = "PERCENT", value_parser = parse_score)]
    pub(crate) min_score: Option<f64>,

    /// Write everything as JSON to this file, or to standard output instead of the report; a line for each problem
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", require_equals = true)]
    pub(crate) json: Option<PathBuf>,

    /// Also write the report as a page for a browser, such as `html=mutants.html`
    #[arg(long = "report", value_name = "html=FILE", value_parser = parse_page)]
    pub(crate) pages: Vec<PathBuf>,

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
