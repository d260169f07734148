//! The command line of `judge try`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;

use super::{IsolationArgs, OutputCheckArgs, ProblemArgs, TimeLimitArgs};

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
