//! The command line of comparing submissions.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use judge_compare::{Gate, InstructionCounter};

use super::reporting::parse_page;
use super::values::{parse_jobs, parse_percent, parse_seconds, parse_share};
use super::{IsolationArgs, ProblemArgs, TimeLimitArgs};

/// The counter of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstructionSource {
    /// A counter of the processor
    Hardware,
    /// `valgrind --tool=callgrind`
    Callgrind,
}

impl From<InstructionSource> for InstructionCounter {
    fn from(source: InstructionSource) -> Self {
        match source {
            InstructionSource::Hardware => Self::Hardware,
            InstructionSource::Callgrind => Self::Callgrind,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Submissions, the reference first: files or directories, or solutions by name (`fiveup/accepted/*`)
    #[arg(value_name = "SUBMISSION", required = true)]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Elapsed time for timing, in seconds, once the answers are compared; it ends earlier when the ratios are known well
    /// enough [default: 30 for each candidate]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) budget: Option<Duration>,

    /// Take the time of starting, in each submission's language, off before ratios are made
    #[arg(long)]
    pub(crate) subtract_start_up: bool,

    /// How well ratios are to be known: the half-width of their 95 % intervals in percent
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0.75")]
    pub(crate) precision: f64,

    /// How much other work on the host may move the ratio of programs in different languages or of very different memory, in
    /// percent, which intervals allow for; 0 on a machine that does nothing else [default: 10 for languages, 35 for
    /// memory, 200 for memory while others keep processors busy]
    #[arg(long, value_name = "PERCENT", value_parser = parse_share)]
    pub(crate) host_effect: Option<f64>,

    /// Fail with exit code 6 unless the intervals stay below these ratios, such as `time<=1.05 mem<=1.1`
    #[arg(long, value_name = "BOUNDS")]
    pub(crate) gate: Option<Gate>,

    /// An earlier result (`--json=FILE`) to hold the ratios against
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Seed of the resampling [default: drawn anew, and told]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Take as long as the budget for counting instructions, and warn where they are not: by the processor's counter, or
    /// by `callgrind`, which takes 50 times as long as a run [default: by the processor where it can, briefly]
    #[arg(long, value_name = "SOURCE", num_args = 0..=1, default_missing_value = "hardware", require_equals = true)]
    pub(crate) instructions: Option<InstructionSource>,

    /// Write the report as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,

    /// Write everything, raw times too, as JSON to this file, or to standard output instead of the report
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", require_equals = true)]
    pub(crate) json: Option<PathBuf>,

    /// Also write the report as a page for a browser, such as `html=comparison.html`
    #[arg(long = "report", value_name = "html=FILE", value_parser = parse_page)]
    pub(crate) pages: Vec<PathBuf>,

    /// Programs to run at a time while the answers are compared [default: physical cores]; timing runs one
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    /// Compare on the samples only
    #[arg(long)]
    pub(crate) samples: bool,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
