//! A shard: the part of a run that was split between hosts.
//!
//! Responsible for the facts that merging shards needs. Must not know how a run is split.

use serde::{Deserialize, Serialize};

/// The shard of a run, in its `run_started`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunShard {
    /// The number of this shard, counted from 1.
    pub number: u64,
    /// The number of shards that the run was split into.
    pub of: u64,
    /// The digest of the whole run, of everything that was selected and all options that affect
    /// results: 64 hexadecimal digits.
    pub run: String,
    /// The number of problems in the whole run.
    pub problems: u64,
    /// The number of submissions in the whole run.
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
    /// The digest of the package, of every file except submissions: 64 hexadecimal digits.
    pub content: String,
    /// The positions of the shard's submissions among those of the problem, counted from 1, such as
    /// `1-12,40`.
    pub submissions: String,
    /// The number of the problem's submissions in the whole run.
    pub submissions_total: u64,
}
