//! The command lines of `judge import`, `judge pack` and `judge upgrade`.
//!
//! Responsible for names, help and syntax. Does no I/O.

use std::path::PathBuf;

use clap::Args;
use judge_interchange::import::Format;
use judge_interchange::pack::Target;

use super::{ExecutionArgs, JsonReportArgs, SelectionArgs};

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
