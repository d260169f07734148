//! The command line as it is typed.
//!
//! Responsible for names, help and syntax. Does no I/O, so that `--help` cannot fail. `config`
//! decides what the words mean on this host.

mod help;
mod options;
mod packages;
mod programs;
mod reporting;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand};
pub(crate) use help::{command, message_of_input, message_of_other_tool};
use judge_model::ReportKind;
use judge_package::{Profile, SchemaName};
pub(crate) use options::{
    ChangesArgs, ExecutionArgs, ExtentArgs, IsolationArgs, JobsArgs, OutputCheckArgs, ProblemArgs,
    SelectionArgs, ShardingArgs, TimeFactorArgs, TimeLimitArgs,
};
use options::{parse_jobs, parse_seconds};
pub(crate) use packages::{
    AddArgs, GenerateArgs, ImportArgs, NewArgs, NewLanguage, NewType, PackArgs, StatementArgs,
    UpgradeArgs, VisualizeArgs,
};
pub(crate) use programs::{CompareArgs, MutateArgs, SearchSeed, StressArgs, TryArgs};
use reporting::parse_report_of;
pub(crate) use reporting::{JsonReportArgs, ReportTarget, ReportingArgs, expand_json};
pub(crate) use words::Words;

/// Grades programming-contest submissions.
#[derive(Debug, Parser)]
#[command(
    name = "judge",
    version,
    about,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 as expected, 1 an expectation violated, 2 usage or configuration, \
    3 package error or judge error, 4 host or sandbox error, 5 nothing selected, 6 a gate of `compare` failed, \
    130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Print more: test cases (-v), also compilers (-vv)
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: u8,

    /// Print only unexpected results and the summary
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Change to this directory first
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge the submissions of problems against their expectations
    Run(RunArgs),
    /// Judge your own program, as an online judge would
    Submit(SubmitArgs),
    /// Run a program on any input and show its output
    #[command(override_usage = "judge try [OPTIONS] <FILE>\n       judge try [OPTIONS] --by-hand")]
    Try(TryArgs),
    /// Judge many programs: requests in, results out, as JSON Lines
    Grade(GradeArgs),
    /// Compare the answers and the speed of submissions
    Compare(CompareArgs),
    /// Find a small input on which a submission fails
    Stress(StressArgs),
    /// Measure test data by inserting small mistakes into a solution
    Mutate(MutateArgs),
    /// Find mistakes in packages: data, statements, validators
    Check(CheckArgs),
    /// Check packages and judge their submissions, as in CI
    Verify(VerifyArgs),
    /// Generate test data from `generators/generators.yaml`
    Generate(GenerateArgs),
    /// Create a new problem package
    New(NewArgs),
    /// Convert a problem from another format, such as Polygon
    Import(ImportArgs),
    /// Pack problems for another judge and report what it ignores
    Pack(PackArgs),
    /// Convert a package from the legacy format to 2025-09
    Upgrade(UpgradeArgs),
    /// Add a test case and show which wrong submissions it rejects
    Add(AddArgs),
    /// List problems, test cases and submissions
    List(ListArgs),
    /// Render a statement with its samples as HTML or PDF
    Statement(StatementArgs),
    /// Draw a test case or the output of a submission
    Visualize(VisualizeArgs),
    /// Report a stored run again, or merge its shards
    Report(ReportArgs),
    /// Show what this host can enforce and which compilers it has
    Doctor(DoctorArgs),
    /// Print completions, manual pages, schemas or the Rust library
    Print(PrintArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// Fail if a submission is skipped because its compiler is missing (implied by `--report ci`)
    #[arg(long)]
    pub(crate) strict: bool,

    /// Watch files and judge again after every save
    #[arg(long, conflicts_with = "reports")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    /// Time limit in seconds, replacing that of the package
    #[arg(long, value_name = "SECONDS", conflicts_with = "time_factor", value_parser = parse_seconds)]
    pub(crate) time_limit: Option<Duration>,

    #[command(flatten)]
    pub(crate) time_factor: TimeFactorArgs,

    #[command(flatten)]
    pub(crate) extent: ExtentArgs,

    #[command(flatten)]
    pub(crate) matrix: MatrixArgs,

    #[command(flatten)]
    pub(crate) sharding: ShardingArgs,
}

/// Options for the assessment of test data.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Matrix")]
pub(crate) struct MatrixArgs {
    /// Judge every submission on every test case, and show which test cases reject which
    /// submissions
    #[arg(long = "matrix", conflicts_with_all = ["since", "strict", "watch", "shard", "time_limits"])]
    pub(crate) is_requested: bool,

    /// Fail unless at least N secret test cases reject each submission that must be rejected
    #[arg(long, value_name = "N", requires = "is_requested")]
    pub(crate) min_kills: Option<u64>,

    /// Also count which mutants of an accepted solution each test case kills, as
    /// `judge mutate --full` does
    #[arg(long, requires = "is_requested")]
    pub(crate) mutants: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// The file or directory to judge
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The problem's name or path [default: guessed from the path or name of the file]
    #[arg(short, long, value_name = "PROBLEM")]
    pub(crate) problem: Option<String>,

    /// Watch the file and judge again after every save
    #[arg(long, conflicts_with = "reports")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    #[command(flatten)]
    pub(crate) time_limit: TimeLimitArgs,

    #[command(flatten)]
    pub(crate) extent: ExtentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// The requests, as JSON Lines; `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,

    /// Write the results to a new file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) output: Option<PathBuf>,

    /// Append the results to this file, and skip requests that have one there
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Write results in the order of the requests, not as they become ready
    #[arg(long)]
    pub(crate) ordered: bool,

    /// Start Python once for many programs and run test cases in copies of that process: many times
    /// faster, but less isolated (`judge/docs/guides/grade.md`)
    #[arg(long)]
    pub(crate) warm_python: bool,

    /// Write a report on the first 10,000 requests to a file: `html`, `junit` or `markdown`; can be
    /// repeated
    #[arg(long = "report", id = "reports", value_name = "KIND=FILE", value_parser = parse_report_of(&[ReportKind::Html, ReportKind::Junit, ReportKind::Markdown]))]
    pub(crate) reports: Vec<ReportTarget>,

    #[command(flatten)]
    pub(crate) jobs: JobsArgs,

    #[command(flatten)]
    pub(crate) time_factor: TimeFactorArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Judge everything again: ignore cached results and replace them
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// Options of the commands that judge.
#[derive(Debug, Args)]
pub(crate) struct JudgingArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,

    #[command(flatten)]
    pub(crate) reports: ReportingArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Ignore cached results and replace them
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The event stream of a run (`judge run --report json=FILE`; `-` for standard input), or those
    /// of its shards (`judge run --shard K/N --report json=FILE`), also directories with them
    #[arg(value_name = "FILE|DIR", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Print only the numbers of missing and incomplete shards, such as `3,17-18`
    #[arg(long, conflicts_with = "reports")]
    pub(crate) missing: bool,

    #[command(flatten)]
    pub(crate) reporting: ReportingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// For a Git hook: check only problems with staged changes, or with commits to be pushed; other
    /// files given as WHAT stand for the packages that contain them
    #[arg(long, conflicts_with = "since")]
    pub(crate) staged: bool,

    #[command(flatten)]
    pub(crate) severity_args: SeverityArgs,

    /// Check files only, without running programs
    #[arg(long = "static")]
    pub(crate) files_only: bool,

    /// Only run the validators on the test data; WHAT can be single test cases
    #[arg(long = "data", conflicts_with_all = ["since", "staged", "profile", "strict", "files_only"])]
    pub(crate) data_only: bool,

    /// Save the inputs and outputs on which validators fail as test cases in `invalid_input`,
    /// `invalid_output` and `valid_output`
    #[arg(long, conflicts_with_all = ["files_only", "data_only", "explain"])]
    pub(crate) save: bool,

    /// Watch files and check changed problems again after every save
    #[arg(long, conflicts_with_all = ["reports", "staged", "save", "explain"])]
    pub(crate) watch: bool,

    /// Explain a code, such as `JP302`, or list all codes
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["what", "since", "staged", "profile", "strict", "files_only", "data_only", "jobs", "reports", "isolation", "no_cache"])]
    pub(crate) explain: Option<String>,

    /// Number of programs or files to process at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) reports: ReportingArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Ignore cached results of validators and replace them
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// Options that decide about the severity of findings.
#[derive(Debug, Args)]
pub(crate) struct SeverityArgs {
    /// The rules to check against: `default`, `kattis`, `domjudge`, `icpc` or `strict`
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,

    /// Treat warnings as errors, and fail if a submission is skipped because its compiler is
    /// missing
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// Check files only, without running programs or judging submissions
    #[arg(long = "static")]
    pub(crate) files_only: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    #[command(flatten)]
    pub(crate) time_factor: TimeFactorArgs,

    #[command(flatten)]
    pub(crate) severity_args: SeverityArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PrintArgs {
    #[command(subcommand)]
    pub(crate) what: PrintCommand,
}

/// The texts that `judge print` prints.
#[derive(Debug, Subcommand)]
pub(crate) enum PrintCommand {
    /// Print the completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print a manual page
    Man {
        /// The command, such as `run` [default: `judge` itself]
        #[arg(value_name = "COMMAND")]
        about: Option<String>,
    },
    /// Print a JSON Schema for editors: of judge.yaml, or of a file in packages
    Schema {
        /// The file: `problem.yaml`, `submissions.yaml`, `generators.yaml`, `test_group.yaml`,
        /// `testdata.yaml` or `judge.yaml`
        #[arg(value_name = "NAME")]
        name: SchemaName,
    },
    /// Print the Rust library for generators and validators as one file
    Testlib,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,

    /// Also measure for a few seconds how many times slower this host is than the reference host;
    /// changes nothing
    #[arg(long)]
    pub(crate) calibrate: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for line in [
            "judge run -j 0",
            "judge run --time-limit 0",
            "judge run --time-limit nan",
            "judge run -j x",
            "judge try a.py --float-tolerance 0.0.1",
            "judge try a.py --float-tolerance -1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse("judge run --time-limit 0.5s").is_ok());
        assert!(parse("judge run --isolation strong").is_err());
        for wrong in [
            "--precision 0",
            "--precision 60",
            "--gate time",
            "--budget 0",
            "--seed -1",
        ] {
            assert!(
                parse(&format!("judge compare a b {wrong}")).is_err(),
                "{wrong}"
            );
        }
        assert!(parse("judge compare a b --precision 1% --gate time<=1.05,mem<=2").is_ok());
        assert!(parse("judge compare").is_err());
    }
}
