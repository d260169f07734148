//! The command line of shards: cutting a run, and putting it together again.
//!
//! Responsible for names, help and syntax. Does no I/O, and never looks at the environment of an engine: a shard is what
//! was typed.

use std::path::PathBuf;

use clap::Args;
use judge_sharding::Shard;

use super::RunReportArgs;

/// Options of a run that is one of many shards.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Shards")]
pub(crate) struct ShardingArgs {
    /// Judge this part of the run, such as `3/16`; `judge merge` puts the parts together
    #[arg(long, value_name = "K/N", requires = "events")]
    pub(crate) shard: Option<Shard>,

    /// Write the events of the shard into this directory; a shard that did not come to its end is gone on with
    #[arg(long, value_name = "DIR", conflicts_with = "since")]
    pub(crate) events: Option<PathBuf>,

    /// Balance the shards by what submissions took in an earlier run: its events, or the directory of its shards
    #[arg(long, value_name = "FILE|DIR", requires = "events")]
    pub(crate) durations: Option<PathBuf>,

    /// Keep copies of packages, and compiled programs, in this directory of the node; shards on a node share it
    #[arg(long, value_name = "DIR", requires = "events")]
    pub(crate) cache: Option<PathBuf>,

    /// Take time limits that packages leave open from the events of an earlier run, instead of measuring them
    #[arg(long, value_name = "FILE")]
    pub(crate) time_limits: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The directories with the events of the shards (`judge run --shard K/N --events DIR`)
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reports: RunReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MissingArgs {
    /// The directories with the events of the shards
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn a_shard_needs_a_place_for_its_events() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' '));
        let Command::Run(run) = parse("judge run --shard 3/16 --events out p").unwrap().command else { panic!() };
        assert_eq!(run.sharding.shard, Some(Shard { number: 3, of: 16 }));
        assert!(parse("judge run --events out").is_ok());
        for wrong in ["--shard 3/16", "--shard 0/4 --events out", "--shard 3 --events out", "--durations x"] {
            assert!(parse(&format!("judge run {wrong}")).is_err(), "{wrong}");
        }
        assert!(parse("judge merge").is_err() && parse("judge missing").is_err());
    }
}
