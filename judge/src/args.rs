//! The command line: what was typed.
//!
//! Responsible for names, help and syntax. Does no I/O, so that `--help` cannot fail. What the words mean on this host
//! is decided in `config`.

mod authoring;
mod color;
mod compare;
mod execution;
mod help;
mod interchange;
mod mutate;
mod reporting;
mod selection;
mod sharding;
mod statement;
mod stress;
mod trying;
mod values;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand};
use judge_package::{Profile, SchemaName};

pub(crate) use authoring::{AcceptArgs, AddArgs, GenerateArgs, NewArgs, NewLanguage, NewType};
pub(crate) use color::{Color, of_help as color_of_help};
pub(crate) use compare::CompareArgs;
pub(crate) use execution::{ExecutionArgs, FailFastArgs, IsolationArgs, JobsArgs, TimeFactorArgs, TimeLimitArgs};
pub(crate) use help::{command, message_of_foreign_verb};
pub(crate) use interchange::{ImportArgs, PackArgs, UpgradeArgs};
pub(crate) use mutate::MutateArgs;
pub(crate) use reporting::{MessageFormat, ReportingArgs, RunReportArgs};
pub(crate) use selection::{ChangesArgs, ProblemArgs, SelectionArgs};
pub(crate) use sharding::{MergeArgs, ShardingArgs};
pub(crate) use statement::{StatementArgs, VisualizeArgs};
pub(crate) use stress::{InputSource, StressArgs};
pub(crate) use trying::TryArgs;
use values::{parse_jobs, parse_seconds};
pub(crate) use words::Words;

/// Grades programming-contest submissions.
#[derive(Debug, Parser)]
#[command(name = "judge", version, about, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 as expected, 1 an expectation violated, 2 usage or configuration, \
    3 package error or judge error, 4 host or sandbox error, 5 nothing selected, 6 a gate of `compare` not held, \
    130 interrupted.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Say more: test cases (-v), compilers and everything else (-vv)
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: u8,

    /// Say only what is not as expected, and the summary
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,

    /// Run as if started in this directory
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge the submissions of problems against what is expected
    Run(RunArgs),
    /// Judge a program of your own, as an online judge would
    Submit(SubmitArgs),
    /// Run a program on any input, and show what it writes
    #[command(override_usage = "judge try [OPTIONS] <FILE>\n       judge try [OPTIONS] --by-hand")]
    Try(TryArgs),
    /// Compare submissions: the same answers? which is faster?
    Compare(CompareArgs),
    /// Look for an input that a submission fails, and make it small
    Stress(StressArgs),
    /// Measure test data by small mistakes put into a correct solution
    Mutate(MutateArgs),
    /// Find mistakes in packages: data, statements, validators
    Check(CheckArgs),
    /// Give test data to the validators of its package
    Validate(ValidateArgs),
    /// Check packages and judge their submissions: what a CI runs
    Verify(VerifyArgs),
    /// Make test data from `generators/generators.yaml`
    Generate(GenerateArgs),
    /// Show which test cases reject which submissions
    Matrix(MatrixArgs),
    /// Begin a problem: a package that can be judged at once
    New(NewArgs),
    /// Make a package of a problem in another format, such as Polygon's
    Import(ImportArgs),
    /// Pack problems for another judge, and say what it will not honour
    Pack(PackArgs),
    /// Bring a package of the legacy format into 2025-09
    Upgrade(UpgradeArgs),
    /// Look through answers that changed while their inputs did not
    Accept(AcceptArgs),
    /// Add a test case, and say which wrong submissions it rejects
    Add(AddArgs),
    /// List problems, test cases and submissions
    List(ListArgs),
    /// Make a page of HTML or a PDF of a statement, with its samples
    Statement(StatementArgs),
    /// Draw a test case, or what a submission writes, as pictures
    Visualize(VisualizeArgs),
    /// Show a stored run again, as text or as any other report
    Report(ReportArgs),
    /// Merge the shards of a run into one report
    Merge(MergeArgs),
    /// Say what this host can enforce, and which compilers it has
    Doctor(DoctorArgs),
    /// Print something for shells, editors or compilers
    Print(PrintArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// Take it for an error that a submission is skipped because this host lacks its compiler; so with `--ci`
    #[arg(long)]
    pub(crate) strict: bool,

    /// Then wait, and judge what a saved file affects, again and again
    #[arg(long, conflicts_with_all = ["json", "reports", "ci"])]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    #[command(flatten)]
    pub(crate) fail_fast: FailFastArgs,

    #[command(flatten)]
    pub(crate) sharding: ShardingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MatrixArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    /// Demand that each submission that must be rejected is rejected by so many secret test cases
    #[arg(long, value_name = "N")]
    pub(crate) min_kills: Option<u64>,

    /// Count samples too for `--min-kills`
    #[arg(long, requires = "min_kills")]
    pub(crate) count_samples: bool,

    /// Print the matrix as Markdown, for a pull request
    #[arg(long)]
    pub(crate) markdown: bool,

    /// Count the mutants of an accepted Rust solution too, as in `judge mutate --full`, in what each test case is worth
    #[arg(long)]
    pub(crate) mutants: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// The file or directory to judge
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The problem: its name or path; guessed from the file's path or name when not given
    #[arg(short, long, value_name = "PROBLEM")]
    pub(crate) problem: Option<String>,

    /// Then wait, and judge again whenever it is saved
    #[arg(long, conflicts_with_all = ["json", "reports", "ci"])]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    #[command(flatten)]
    pub(crate) fail_fast: FailFastArgs,
}

/// Options of the commands that judge.
#[derive(Debug, Args)]
pub(crate) struct JudgingArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,

    /// Time limit in seconds, instead of the packages' own
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) time_limit: Option<Duration>,

    #[command(flatten)]
    pub(crate) time_factor: TimeFactorArgs,

    /// Judge the samples only
    #[arg(long)]
    pub(crate) samples: bool,

    #[command(flatten)]
    pub(crate) reports: RunReportArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Judge everything again, also what did not change since it was judged; what is kept of that is replaced
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The stored event stream (`judge run --json=FILE`); `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) reporting: ReportingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// Only problems that are concerned by what is about to be committed or pushed, for a hook of Git; files that are not
    /// that, as WHAT, mean the packages that they lie in
    #[arg(long, conflicts_with = "since")]
    pub(crate) staged: bool,

    #[command(flatten)]
    pub(crate) weighing: WeighingArgs,

    /// Run nothing: look at files only
    #[arg(long = "static")]
    pub(crate) files_only: bool,

    /// Explain a code, such as `JP302`; without one, list all codes
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["what", "since", "staged", "profile", "strict", "files_only", "jobs", "json", "reports", "ci", "isolation", "no_cache"])]
    pub(crate) explain: Option<String>,

    /// Programs to run, or files to read, at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) reports: RunReportArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    #[command(flatten)]
    pub(crate) cache: CheckCacheArgs,
}

/// The use of what an earlier check has found.
#[derive(Debug, Args)]
pub(crate) struct CheckCacheArgs {
    /// Run all validators again, also where nothing changed since they ran; what is kept of that is replaced
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Validators to run at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    #[command(flatten)]
    pub(crate) reports: RunReportArgs,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    #[command(flatten)]
    pub(crate) cache: CheckCacheArgs,
}

/// The weight of findings.
#[derive(Debug, Args)]
pub(crate) struct WeighingArgs {
    /// What the packages are meant for: `default`, `kattis`, `domjudge`, `icpc` or `strict`
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,

    /// Take warnings for errors, and submissions that are skipped because this host lacks their compiler
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,

    #[command(flatten)]
    pub(crate) weighing: WeighingArgs,

    #[command(flatten)]
    pub(crate) fail_fast: FailFastArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) changes: ChangesArgs,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
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
        /// The command that the page is about, such as `run`; without it, `judge` as a whole
        #[arg(value_name = "COMMAND")]
        about: Option<String>,
    },
    /// Print the JSON Schema of a file that people write, for editors
    Schema {
        /// The file: `problem.yaml`, `submissions.yaml`, `generators.yaml`, `test_group.yaml`, `testdata.yaml` or `judge.yaml`
        #[arg(value_name = "NAME")]
        name: SchemaName,
    },
    /// Print the Rust library for generators and validators as one file
    Testlib,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Also say what an administrator would do for a stronger isolation level; nothing is changed
    #[arg(long)]
    pub(crate) fix_hints: bool,

    /// Also run fixed work for some seconds, and say how many times slower this host is than the reference; nothing is
    /// changed
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
    fn json_is_a_flag_or_names_a_file() {
        let json = |line: &str| match parse(line).unwrap().command {
            Command::Run(run) => run.judging.reports.json,
            other => panic!("{other:?}"),
        };
        assert_eq!(json("judge run"), None);
        assert_eq!(json("judge run --json fiveup"), Some(PathBuf::from("-")));
        assert_eq!(json("judge run --json=run.jsonl fiveup"), Some(PathBuf::from("run.jsonl")));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for line in ["judge run -j 0", "judge run --time-limit 0", "judge run --time-limit nan", "judge run -j x"] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse("judge run --time-limit 0.5s").is_ok());
        assert!(parse("judge run --isolation strong").is_err());
        for wrong in ["--precision 0", "--precision 60", "--gate time", "--budget 0", "--seed -1"] {
            assert!(parse(&format!("judge compare a b {wrong}")).is_err(), "{wrong}");
        }
        assert!(parse("judge compare a b --precision 1% --gate time<=1.05,mem<=2").is_ok());
        assert!(parse("judge compare").is_err());
    }
}
