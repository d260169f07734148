//! The shard that a run is: a part of a run that was split between hosts.
//!
//! Responsible for what must be known to merge the shards. Must not know how a run is split.

use serde::{Deserialize, Serialize};

/// The shard that a run is, in its `run_started`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunShard {
    /// The number of this shard, counted from 1.
    pub number: u64,
    /// The number of shards that the run was split into.
    pub of: u64,
    /// The digest of the whole run: 64 hexadecimal digits, made of everything that was selected and
    /// of all options that decide about results.
    pub run: String,
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
    /// Its position among the problems of the run, counted from 1.
    pub position: u64,
    /// The digest of the package: 64 hexadecimal digits, made of every file but submissions.
    pub content: String,
    /// The positions of the shard's submissions among those of the problem, counted from 1, such as
    /// `1-12,40`.
    pub submissions: String,
    /// Submissions of the problem in the whole run.
    pub submissions_total: u64,
}
