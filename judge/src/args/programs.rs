//! The command lines of the commands that work on single programs: `try`, `compare`, `stress` and
//! `mutate`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use judge_compare::Gate;
use judge_model::ReportKind;
use judge_stress::Costs;

use crate::args::options::{parse_jobs, parse_pause, parse_percent, parse_seconds};
use crate::args::reporting::parse_report_of;
use crate::args::{
    IsolationArgs, JobsArgs, JsonReportArgs, OutputCheckArgs, ProblemArgs, ReportTarget,
    TimeLimitArgs,
};

#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// The program to run: a file or a directory
    #[arg(
        value_name = "FILE",
        required_unless_present = "by_hand",
        conflicts_with = "by_hand"
    )]
    pub(crate) file: Option<PathBuf>,

    /// Communicate with the interactor yourself, line by line
    #[arg(long)]
    pub(crate) by_hand: bool,

    #[command(flatten)]
    pub(crate) problem: ProblemArgs,

    /// The input: a file, `-` for standard input, or a test case of the problem, such as
    /// `secret/03`; or inputs with answers to compare with: a directory or archive of `1.in`,
    /// `1.out` and so on, a Competitive Companion file, or a recorded conversation (`.interaction`)
    #[arg(short, long, value_name = "INPUT", default_value = "-")]
    pub(crate) input: String,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) output_check: OutputCheckArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// The kinds of reports of a comparison.
const COMPARISON_REPORTS: [ReportKind; 3] =
    [ReportKind::Json, ReportKind::Markdown, ReportKind::Html];

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
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report_of(&COMPARISON_REPORTS))]
    pub(crate) reports: Vec<ReportTarget>,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

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

    /// Maximum time to shrink each input found, in seconds; 0 disables shrinking
    #[arg(long, value_name = "SECONDS", value_parser = parse_pause, default_value = "30", requires = "hunt")]
    pub(crate) shrink: Duration,

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
