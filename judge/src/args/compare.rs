//! The command line of comparing submissions.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use judge_compare::Gate;
use judge_model::ReportKind;

use super::reporting::parse_report_of;
use super::values::{parse_jobs, parse_percent, parse_seconds, parse_share};
use super::{IsolationArgs, ProblemArgs, ReportTarget, TimeLimitArgs};

/// The kinds of reports of a comparison.
const REPORTS: [ReportKind; 3] = [ReportKind::Json, ReportKind::Markdown, ReportKind::Html];

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Submissions, the reference first: files, directories, or names of solutions (`fiveup/accepted/*`)
    #[arg(value_name = "SUBMISSION", required = true)]
    pub(crate) submissions: Vec<String>,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// Seconds to spend on timing, after the answers are compared; ends early once the ratios are precise enough
    /// [default: 30 per candidate]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) budget: Option<Duration>,

    /// Desired precision: the half-width of the 95 % intervals of ratios, in percent
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value = "0.75")]
    pub(crate) precision: f64,

    /// Allowance for other load on the host, in percent, when languages or memory use differ; 0 on an idle machine
    /// [default: 10 for languages, 35 for memory, 200 for memory on a busy host]
    #[arg(long, value_name = "PERCENT", value_parser = parse_share)]
    pub(crate) host_effect: Option<f64>,

    /// Exit with code 6 unless the intervals stay below these ratios, such as `time<=1.05 mem<=1.1`
    #[arg(long, value_name = "BOUNDS")]
    pub(crate) gate: Option<Gate>,

    /// An earlier result (`--report json=FILE`) to compare the ratios with
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Seed for resampling [default: random, printed]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// Write a report: `KIND=FILE` to a file, `KIND` to standard output; can be repeated. Kinds: `json`
    /// (everything, with raw times), `markdown`, `html`
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report_of(&REPORTS))]
    pub(crate) reports: Vec<ReportTarget>,

    /// Number of programs to run at a time while answers are compared [default: physical cores]; timing runs one
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
