//! The conversation between a submission and an interactive output validator.
//!
//! Responsible for a record that stays small however long they talked. Must not know how they were connected.

use serde::{Deserialize, Serialize};

use crate::Bytes;

/// One side of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Party {
    /// The submission.
    Submission,
    /// The output validator.
    Validator,
}

/// The message of one side, until the other one answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    /// The side that said it.
    pub from: Party,
    /// The pass in which it was said, counted from 1.
    pub pass: u32,
    /// The time at which it began, since the start of the pass.
    pub time_us: u64,
    /// The text, cut when long.
    pub bytes: Bytes,
    /// Bytes of it that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The record of an interaction: its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interaction {
    /// The beginning and the end of what was said, in order.
    pub messages: Vec<Message>,
    /// The part that was left out between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// The party whose process ended first; in the last pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_first: Option<Party>,
    /// `true` when both sides waited for each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock: bool,
}

/// Messages that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gap {
    /// The index in `messages` before which they stood.
    pub before: u64,
    /// The number of messages that were left out.
    pub messages: u64,
}
