//! The command lines of the commands that write packages, or make something of one.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use judge_interchange::import::Format;
use judge_interchange::pack::Target;
use judge_model::ReportKind;
use judge_package::LICENSES;
use judge_printing::Engine;

use crate::args::reporting::parse_report_of;
use crate::args::{ExecutionArgs, IsolationArgs, JsonReportArgs, ReportTarget, SelectionArgs};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Change nothing; show what would change, and fail if something would
    #[arg(long)]
    pub(crate) check: bool,

    /// Accept changed answers to unchanged inputs
    #[arg(long)]
    pub(crate) accept_answers: bool,

    /// Only review answers that changed although their inputs did not, one by one; answers of test
    /// cases that WHAT names are accepted without asking
    #[arg(long)]
    pub(crate) review: bool,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The problem's name, of lower-case letters and digits, or a path that ends with it [default
    /// directory: the first of `problems` in judge.yaml, `problems` next to it, or the current
    /// directory]
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,

    /// The type of the problem
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value_t = NewType::PassFail)]
    pub(crate) kind: NewType,

    /// The language of its programs: `cpp` and `python` work on every judging system, `rust` uses
    /// the library of `judge`
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = NewLanguage::Rust)]
    pub(crate) language: NewLanguage,

    /// A package of your own to copy, with placeholders such as `@TITLE@` filled in
    #[arg(long, value_name = "DIR", conflicts_with_all = ["kind", "language"])]
    pub(crate) from: Option<PathBuf>,

    /// The title [default: a placeholder that `judge check` reports]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The author and rights owner [default: a placeholder that `judge check` reports]
    #[arg(long, value_name = "PERSON")]
    pub(crate) author: Option<String>,

    /// The licence
    #[arg(long, value_name = "LICENCE", default_value = "cc by-sa", value_parser = LICENSES)]
    pub(crate) license: String,
}

/// The kind of the new problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewType {
    /// One correct output for each input
    PassFail,
    /// Floating-point numbers, compared with a tolerance
    Float,
    /// Several correct outputs for each input, judged by an output validator
    Custom,
    /// The submission communicates with an interactor
    Interactive,
    /// The submission is run twice
    MultiPass,
    /// Groups of test cases with scores
    Scoring,
}

/// The language of a new problem's programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewLanguage {
    /// Rust with the library of `judge`
    Rust,
    /// C++ with the standard library
    Cpp,
    /// C++ with `testlib.h`, copied from this host
    CppTestlib,
    /// Python 3 with the standard library
    Python,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The input; `-` for standard input
    #[arg(
        value_name = "FILE",
        required_unless_present = "generate",
        conflicts_with = "generate"
    )]
    pub(crate) file: Option<PathBuf>,

    /// Generate the input and add the command to `generators/generators.yaml`, such as
    /// `random 5 {seed:3}`
    #[arg(long, value_name = "COMMAND")]
    pub(crate) generate: Option<String>,

    /// The problem's name or path [default: that of the current directory]
    #[arg(short, long, value_name = "PROBLEM")]
    pub(crate) problem: Option<String>,

    /// The group: `sample`, `secret`, or a group such as `secret/large`
    #[arg(long, value_name = "GROUP", default_value = "secret")]
    pub(crate) to: String,

    /// The name of the test case [default: that of the file or generator]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The answer [default: the output of the reference solution]
    #[arg(long, value_name = "FILE", conflicts_with = "generate")]
    pub(crate) answer: Option<PathBuf>,

    /// Fail and change nothing unless the test case rejects this submission; can be repeated
    #[arg(long, value_name = "SUBMISSION")]
    pub(crate) require_kill: Vec<String>,

    /// Change nothing; show which wrong submissions the test case would reject
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Write the report as `json` or `markdown`, such as `json=FILE`, or without `=FILE` to
    /// standard output
    #[arg(long = "report", value_name = "KIND[=FILE]", value_parser = parse_report_of(&[ReportKind::Json, ReportKind::Markdown]))]
    pub(crate) reports: Vec<ReportTarget>,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}

/// Names as a list for people: `a`, `b` or `c`.
fn listed(names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn described_targets() -> String {
    let targets = Target::all().map(|target| format!("`{target}` ({})", target.description()));
    targets.collect::<Vec<_>>().join(", ")
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A directory, an archive (`.zip`, `.tar.gz`), or a Competitive Companion file (`.json`)
    #[arg(value_name = "SOURCE")]
    pub(crate) source: PathBuf,

    /// The directory for the package [default: the first of `problems` in judge.yaml, `problems`
    /// next to it, or the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// The package's name: lower-case letters and digits [default: the problem's name in the
    /// source]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    #[arg(long, value_name = "FORMAT", help = format!("The format of the source [default: detected]: {}", listed(Format::all().map(Format::name))))]
    pub(crate) from: Option<Format>,

    /// Generate missing data, check the package, and judge every solution against its expectation
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) prove: bool,

    /// Write nothing; show what would be imported
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    #[arg(long = "for", value_name = "JUDGE", help = format!("The judge to pack for: {}", described_targets()))]
    pub(crate) judge: Target,

    /// The archive of one problem, or the directory for several [default: `JUDGE/NAME.zip`]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Also write all samples to one archive for contestants
    #[arg(long, value_name = "FILE")]
    pub(crate) samples: Option<PathBuf>,

    /// With `--for icpc`: convert Markdown statements to TeX, for tools that read nothing else,
    /// such as BAPCtools
    #[arg(long)]
    pub(crate) tex: bool,

    /// Overwrite an archive that another tool wrote, or that was made for another target
    #[arg(long)]
    pub(crate) force: bool,

    /// Write nothing; show what would be packed
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UpgradeArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Change the package [default: show what would change]
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) reports: JsonReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatementArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// A file, or a directory for pages named `PROBLEM.LANGUAGE.html`; `-` for standard output
    #[arg(
        short,
        long,
        value_name = "PATH",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) output: PathBuf,

    /// The language, such as `en` or `pt-BR`, or `all` [default: English, or the first]
    #[arg(short, long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,

    /// Write a PDF, using `latex` or `chromium` [default: an installed one]
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, require_equals = true)]
    pub(crate) pdf: Option<Option<Engine>>,

    /// Write one booklet of all problems; `contest` in judge.yaml describes its cover
    #[arg(long)]
    pub(crate) contest: bool,

    /// Render descriptions of solutions (`solution/solution.LANGUAGE.md`) instead of statements
    #[arg(long)]
    pub(crate) solution: bool,

    /// Watch files and write the pages again after every save
    #[arg(long, requires = "output")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VisualizeArgs {
    /// The problem's name or path
    #[arg(value_name = "PROBLEM")]
    pub(crate) problem: String,

    /// The test case, such as `secret/03`, or several, such as `secret` or `secret/*`
    #[arg(value_name = "CASE")]
    pub(crate) case: String,

    /// Draw the output of this submission or file, such as `wrong_answer/greedy.rs` [default: the
    /// answer of the test case]
    #[arg(short, long, value_name = "SUBMISSION")]
    pub(crate) submission: Option<String>,

    /// The directory for pictures; existing ones are replaced
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}
