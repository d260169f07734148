//! The command lines of `judge statement` and `judge visualize`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;
use judge_printing::Engine;

use super::SelectionArgs;
use super::execution::IsolationArgs;

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
