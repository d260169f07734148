//! The command line of `judge statement`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;

use super::SelectionArgs;

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
}
