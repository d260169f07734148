//! Options of the commands that run programs.
//!
//! Responsible for their names, help and syntax. Does no I/O.

use clap::Args;
use judge_model::IsolationLevel;

use super::values::parse_jobs;

/// Options of the commands that run programs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ExecutionArgs {
    /// Programs to run at a time [default: physical cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,

    /// Demand this isolation level: `full`, `namespaces`, `user`, `landlock` or `none`
    #[arg(long, value_name = "LEVEL")]
    pub(crate) isolation: Option<IsolationLevel>,
}
