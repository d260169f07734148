//! The command line of `judge compare`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::time::Duration;

use clap::Args;
use judge_compare::Gate;
use judge_model::ReportKind;

use super::reporting::parse_report_of;
use super::values::{parse_percent, parse_seconds};
use super::{IsolationArgs, OutputCheckArgs, ProblemArgs, ReportTarget, TimeLimitArgs};

/// The kinds of reports of a comparison.
const REPORTS: [ReportKind; 3] = [ReportKind::Json, ReportKind::Markdown, ReportKind::Html];

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Programs, the reference first: files, directories, or names of solutions
    /// (`fiveup/accepted/*`)
    #[arg(value_name = "SUBMISSION", required = true)]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// An input, or a directory, an archive or a Competitive Companion file of inputs with or
    /// without answers, in place of a package; can be repeated. The first program writes the
    /// answers that are missing
    #[arg(
        short,
        long = "input",
        value_name = "INPUT",
        conflicts_with = "problem"
    )]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) output_check: OutputCheckArgs,

    /// Seconds to spend on timing, after the answers are compared; ends early once the ratios are
    /// precise enough [default: 30 per candidate]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) budget: Option<Duration>,

    /// Desired precision: the half-width of the 95 % intervals of ratios, in percent
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0.75")]
    pub(crate) precision: f64,

    /// Exit with code 6 unless the intervals stay below these ratios, such as `time<=1.05 mem<=1.1`
    #[arg(long, value_name = "BOUNDS")]
    pub(crate) gate: Option<Gate>,

    /// Write a report: `KIND=FILE` to a file, `KIND` to standard output; can be repeated. Kinds:
    /// `json` (everything, with raw times), `markdown`, `html`
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report_of(&REPORTS))]
    pub(crate) reports: Vec<ReportTarget>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
