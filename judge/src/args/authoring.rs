//! The command line of the commands that write parts of packages.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use judge_package::LICENSES;

use super::{ExecutionArgs, SelectionArgs};

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Change nothing; fail when something would change
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) check: bool,

    /// Change nothing; show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Take other answers for inputs that are the same as before
    #[arg(long)]
    pub(crate) accept_answers: bool,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The problem's name: lower-case letters and digits
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// What kind of problem to begin with
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value_t = NewType::PassFail)]
    pub(crate) kind: NewType,

    /// The language of its programs: `cpp` and `python` for what every judging system takes, `rust` with the judge's library
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = NewLanguage::Rust)]
    pub(crate) language: NewLanguage,

    /// The title [default: a placeholder, which `judge check` finds]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The author, who has the rights too [default: a placeholder, which `judge check` finds]
    #[arg(long, value_name = "PERSON")]
    pub(crate) author: Option<String>,

    /// The licence
    #[arg(long, value_name = "LICENCE", default_value = "cc by-sa", value_parser = LICENSES)]
    pub(crate) license: String,

    /// The directory in which the package is made [default: the first of `problems` in judge.yaml, or `problems` beside it,
    /// or else the current one]
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) place: Option<PathBuf>,
}

/// The kind of problem to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewType {
    /// One right output for each input
    PassFail,
    /// Numbers that may be off by a little
    Float,
    /// The submission talks with an interactor
    Interactive,
    /// The submission is run twice
    MultiPass,
    /// Groups of test cases that are worth points
    Scoring,
}

/// The language of a new problem's programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewLanguage {
    /// Rust, with the library that the judge brings
    Rust,
    /// C++ with its standard library
    Cpp,
    /// Python 3 with its standard library
    Python,
}

#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Problems or test cases, as everywhere; without a terminal, test cases that are named are accepted
    #[arg(value_name = "WHAT")]
    pub(crate) what: Vec<String>,

    /// Accept every changed answer without asking
    #[arg(long)]
    pub(crate) all: bool,

    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The input, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "generate", conflicts_with = "generate")]
    pub(crate) file: Option<PathBuf>,

    /// Make it with a generator, and write the command into `generators/generators.yaml`, such as
    /// `random --n 5 {seed:3}`
    #[arg(long, value_name = "COMMAND")]
    pub(crate) generate: Option<String>,

    /// The problem: its name or path; that of the current directory when not given
    #[arg(short, long, value_name = "PROBLEM")]
    pub(crate) problem: Option<String>,

    /// Where it goes: `sample`, `secret`, or a group such as `secret/large`
    #[arg(long, value_name = "GROUP", default_value = "secret")]
    pub(crate) to: String,

    /// What it is called [default: as its file or its generator]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The answer, instead of what the reference solution writes
    #[arg(long, value_name = "FILE", conflicts_with = "generate")]
    pub(crate) answer: Option<PathBuf>,

    /// Fail, and write nothing, unless this submission is rejected on it; may be given several times
    #[arg(long, value_name = "SUBMISSION")]
    pub(crate) require_kill: Vec<String>,

    /// Do not count which other test cases reject the same submissions
    #[arg(long)]
    pub(crate) quick: bool,

    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Write the pictures of what is not accepted on it into this directory, where the package has a visualizer
    #[arg(long, value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,

    /// Tell it as Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,

    /// Tell it as a JSON document
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}
