//! The command line of `judge import`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;
use judge_interchange::import::Format;

use super::ExecutionArgs;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A directory, an archive (`.zip`), or a file of Competitive Companion (`.json`)
    #[arg(value_name = "SOURCE")]
    pub(crate) source: PathBuf,

    /// The directory in which the package is made [default: the first of `problems` in judge.yaml, or `problems` beside it,
    /// or else the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,

    /// The name of the package: lower-case letters and digits [default: what the problem is called there]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The format, instead of what is found out: `polygon`, `companion` or `plain`
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Format>,

    /// Make missing data, check the package, and judge every solution against what is expected of it
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub(crate) prove: bool,

    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Tell it as a JSON document
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) execution: ExecutionArgs,
}
