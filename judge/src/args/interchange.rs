//! The command lines of `judge import`, `judge pack` and `judge upgrade`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;
use judge_interchange::import::Format;
use judge_interchange::pack::Target;

use super::{ExecutionArgs, SelectionArgs};

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

    /// The format, instead of what is found out: `polygon`, `hydro`, `dmoj`, `syzoj`, `uoj`, `fps`, `library-checker`, `tps`,
    /// `cms`, `sinol`, `companion` or `plain`
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

#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// The judge that it is for: `kattis`, `domjudge`, `icpc` (the package itself, self-contained), `hydro`, `dmoj` or `plain` (inputs and
    /// outputs)
    #[arg(long = "for", value_name = "JUDGE")]
    pub(crate) judge: Target,

    /// The archive of one problem, or the directory for those of several [default: `NAME.zip` in the current directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write the samples of all of them into one archive too, as contestants load them
    #[arg(long, value_name = "FILE")]
    pub(crate) samples: Option<PathBuf>,

    /// With `--for icpc`: write statements in Markdown as TeX, for readers that take nothing else, such as BAPCtools
    #[arg(long)]
    pub(crate) tex: bool,

    /// Replace an archive that was not packed by this command, or for another judge
    #[arg(long)]
    pub(crate) force: bool,

    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Tell it as JSON: one document for each problem, on a line of its own
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UpgradeArgs {
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,

    /// Change the package; otherwise what would change is shown
    #[arg(long)]
    pub(crate) write: bool,

    /// Tell it as JSON: one document for each problem, on a line of its own
    #[arg(long)]
    pub(crate) json: bool,
}
