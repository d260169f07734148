//! The events around a shard: a part of a run that was cut, so that several hosts can carry it out.
//!
//! Responsible for what must be known to put the parts together again. Must not know how a run is cut.

use judge_model::IsolationLevel;
use serde::{Deserialize, Serialize};

use crate::Host;

/// The first event of a shard's file. The events of an ordinary run follow, about the shard's submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShardStarted {
    /// Version of the stream.
    pub schema: u32,
    /// The key of the run: 64 hexadecimal digits, made of everything that was cut and of how it is judged.
    pub manifest: String,
    /// The number of this shard, counted from 1.
    pub shard: u64,
    /// Into how many shards the run was cut.
    pub shards: u64,
    /// Version of the judge.
    pub judge_version: String,
    /// The host that it ran on.
    pub host: Host,
    /// The processors that the process could use, such as `0-3,8`.
    pub affinity: String,
    /// The isolation level.
    pub isolation: IsolationLevel,
    /// Number of problems of the whole run.
    pub problems: u64,
    /// Number of submissions of the whole run.
    pub submissions: u64,
    /// The parts of the run that belong to the shard, in package order.
    pub parts: Vec<ShardPart>,
}

/// The part of a problem that belongs to a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShardPart {
    /// The problem's name, unique in the run.
    pub problem: String,
    /// Its place among the problems of the run, counted from 1.
    pub position: u64,
    /// The key of the package's content: 64 hexadecimal digits, made of every file but submissions.
    pub content: String,
    /// The places of the shard's submissions among those of the problem, counted from 1, such as `1-12,40`.
    pub submissions: String,
    /// Submissions of the problem in the whole run.
    pub submissions_total: u64,
    /// The key of the content of the shard's submissions: 64 hexadecimal digits.
    pub sources: String,
}

/// The last event of a shard's file that is whole, after the `run_finished` of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShardFinished {
    /// Submissions in the file, judged or skipped.
    pub submissions: u64,
    /// Test cases in the file.
    pub test_cases: u64,
}
