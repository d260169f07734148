//! The command lines of `judge statement` and `judge visualize`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;
use judge_printing::Engine;

use super::execution::IsolationArgs;
use super::{ExecutionArgs, SelectionArgs};

#[derive(Debug, Args)]
pub(crate) struct StatementArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Where the page goes: a file, or a directory for pages named `PROBLEM.LANGUAGE.html`; `-` is standard output
    #[arg(short, long, value_name = "PATH", default_value = "-", hide_default_value = true)]
    pub(crate) output: PathBuf,

    /// The language, such as `en` or `pt-BR`; `all` for a page in each [default: English, or else the first]
    #[arg(short, long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,

    /// Make a PDF, by LaTeX or else by Chromium, whichever is installed
    #[arg(long)]
    pub(crate) pdf: bool,

    /// Make the PDF this way only: `latex` or `chromium`
    #[arg(long, value_name = "ENGINE", requires = "pdf")]
    pub(crate) engine: Option<Engine>,

    /// Make one booklet of all problems, with a cover; `contest` in judge.yaml says what is on it
    #[arg(long)]
    pub(crate) contest: bool,

    /// Take the descriptions of solutions, `solution/solution.LANGUAGE.md` and the like, instead of statements
    #[arg(long)]
    pub(crate) solution: bool,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VisualizeArgs {
    /// The problem: a name or a path
    #[arg(value_name = "PROBLEM")]
    pub(crate) problem: String,

    /// The test case, such as `secret/03`
    #[arg(value_name = "CASE")]
    pub(crate) case: String,

    /// The submission whose output is drawn, such as `wrong_answer/greedy.rs`, or a file [default: the answer of the test
    /// case]
    #[arg(short, long, value_name = "SUBMISSION")]
    pub(crate) submission: Option<String>,

    /// The directory for the pictures; those of the same names are replaced
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}
