//! The conversation between a submission and an interactive output validator.
//!
//! Responsible for a record of bounded size, regardless of the length of the conversation. Must not
//! know how the two were connected.

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

/// The message of one side, up to the answer of the other side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    /// The side that sent it.
    pub from: Party,
    /// The pass in which it was sent, counted from 1.
    pub pass: u32,
    /// The time at which it began, since the start of the pass.
    pub time_us: u64,
    /// The text, cut when long.
    pub bytes: Bytes,
    /// The number of its bytes that were left out.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub left_out: u64,
    /// `true` when it was sent only after a deadlock, for which the submission was killed. It may
    /// be a reaction to that, or text that was written before and not flushed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_deadlock: bool,
}

/// The record of an interaction: its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interaction {
    /// The first and the last messages, in order.
    pub messages: Vec<Message>,
    /// The part between them that was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// The party whose process ended first in the last pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_first: Option<Party>,
    /// `true` when both sides waited for each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlock: bool,
}

impl Interaction {
    /// The question about flushing after a deadlock. It names the side that should have sent the
    /// next message.
    #[must_use]
    pub fn question_about_flushing(&self) -> &'static str {
        if self
            .messages
            .iter()
            .any(|message| message.after_deadlock && message.from == Party::Validator)
        {
            return "the output validator wrote more once the submission was killed; is its output flushed?";
        }
        match self.messages.last().map(|message| message.from) {
            Some(Party::Submission) => {
                "the submission spoke last; is the output of the output validator flushed?"
            }
            Some(Party::Validator) => {
                "the output validator spoke last; is the output of the submission flushed?"
            }
            None => "neither side had sent anything; is the output flushed?",
        }
    }
}

/// Messages that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gap {
    /// The index in `messages` of the message after the gap.
    pub before: u64,
    /// The number of messages that were left out.
    pub messages: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_about_flushing_names_the_side_to_move() {
        let message = |from, after_deadlock| Message {
            from,
            pass: 1,
            time_us: 0,
            bytes: Bytes::from(&b"x\n"[..]),
            left_out: 0,
            after_deadlock,
        };
        let (submission, validator) = (Party::Submission, Party::Validator);
        for (messages, expected) in [
            (vec![], "neither side had sent anything"),
            (
                vec![message(validator, false)],
                "is the output of the submission flushed?",
            ),
            (
                vec![message(validator, false), message(submission, false)],
                "is the output of the output validator flushed?",
            ),
            (
                vec![message(submission, false), message(validator, true)],
                "the output validator wrote more once",
            ),
        ] {
            let interaction = Interaction {
                messages,
                deadlock: true,
                ..Interaction::default()
            };
            let question = interaction.question_about_flushing();
            assert!(question.contains(expected), "{question}");
        }
    }
}
