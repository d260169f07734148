//! The command line of a run that is one of many shards.
//!
//! Responsible for names, help and syntax. Does no I/O, and reads no variables of batch systems:
//! only the command line determines the shard.

use std::path::PathBuf;

use clap::Args;
use judge_sharding::Shard;

/// Options of a run that is one of many shards.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Shards")]
pub(crate) struct ShardingArgs {
    /// Judge only shard K of N, such as `3/16`; `judge report` merges the event streams of all
    /// shards
    #[arg(long, value_name = "K/N", requires = "reports", conflicts_with_all = ["since", "watch"])]
    pub(crate) shard: Option<Shard>,

    /// Balance the shards by the durations in an earlier run's event stream
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(crate) durations: Option<PathBuf>,

    /// Take time limits that packages leave open from an earlier run's event stream instead of
    /// measuring them
    #[arg(long, value_name = "FILE")]
    pub(crate) time_limits: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    #[test]
    fn a_shard_needs_an_event_stream() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' '));
        let Command::Run(run) = parse("judge run --shard 3/16 --report json=out p")
            .unwrap()
            .command
        else {
            panic!()
        };
        assert_eq!(
            run.sharding.shard,
            Some(Shard {
                number: 3,
                count: 16
            })
        );
        for wrong in [
            "--shard 3/16",
            "--shard 0/4 --report json=x",
            "--shard 3 --report json=x",
            "--durations x",
            "--shard 1/2 --report json --watch",
        ] {
            assert!(parse(&format!("judge run {wrong}")).is_err(), "{wrong}");
        }
        assert!(
            parse("judge report").is_err()
                && parse("judge report --missing x --report json").is_err()
        );
    }
}
