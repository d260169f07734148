//! The transcript of a conversation between a submission and an output validator.
//!
//! Responsible for keeping its beginning and its end in little memory, for conversations of any
//! length. Must not know how both sides are connected.

use std::collections::VecDeque;
use std::time::Duration;

use judge_event::{Bytes, Gap, Interaction, Message, Party};
use judge_model::micros;

use crate::testcase::sample_record::SampleRecord;

/// The number of messages kept from the beginning and from the end, and the maximum bytes of each.
/// Readers need the end, where the conversation went wrong, and the beginning.
const HEAD: usize = 16;
const TAIL: usize = 32;
const MESSAGE: usize = 512;

/// The transcript of a conversation so far, over all passes.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    pass: u32,
    head: Vec<Message>,
    tail: VecDeque<Message>,
    left_out: u64,
    /// True once both sides have waited for each other in this pass.
    after_deadlock: bool,
    /// The whole conversation, if it is to be recorded.
    pub(crate) record: Option<SampleRecord>,
}

impl Transcript {
    /// Creates a transcript that also records the whole conversation.
    pub(crate) fn recorded() -> Self {
        Self {
            record: Some(SampleRecord::default()),
            ..Self::default()
        }
    }

    /// Records a pass without a conversation: the input and the output of the submission. It is
    /// part of the recorded file only.
    pub(crate) fn ran(&mut self, input: &[u8], output: &[u8]) {
        if let Some(record) = &mut self.record {
            record.handed_over(Party::Validator, input);
            record.handed_over(Party::Submission, output);
        }
    }

    /// Begins this pass, counted from 1, to which all later messages belong.
    pub(crate) fn start_pass(&mut self, pass: u32) {
        self.pass = pass;
        self.after_deadlock = false;
        if let Some(record) = &mut self.record {
            record.start_pass();
        }
    }

    /// Records that both sides wait for each other, so that the submission is killed now.
    pub(crate) fn deadlocked(&mut self) {
        self.after_deadlock = true;
    }

    /// Records output of a party, `elapsed` after the beginning of the pass. Everything before the
    /// other party's answer is one message.
    pub(crate) fn append(&mut self, from: Party, bytes: &[u8], elapsed: Duration) {
        if let Some(record) = &mut self.record {
            record.append(from, bytes);
        }
        let pass = self.pass;
        let after_deadlock = self.after_deadlock;
        let continues = |message: &&mut Message| {
            (message.from, message.pass, message.after_deadlock) == (from, pass, after_deadlock)
        };
        // A party often writes one message in several pieces, byte by byte without a buffer. Pieces
        // of one side are joined until the other side or the next pass begins.
        let last = self
            .tail
            .back_mut()
            .or_else(|| self.head.last_mut())
            .filter(continues);
        if let Some(last) = last {
            return extend(last, bytes);
        }
        let time_us = micros(elapsed);
        let mut message = Message {
            from,
            pass,
            time_us,
            bytes: Bytes::default(),
            left_out: 0,
            after_deadlock,
        };
        extend(&mut message, bytes);
        if self.head.len() < HEAD {
            return self.head.push(message);
        }
        // The beginning and the end are kept, and the middle is only counted: a conversation may
        // have millions of messages.
        if self.tail.len() == TAIL {
            self.tail.pop_front();
            self.left_out += 1;
        }
        self.tail.push_back(message);
    }

    /// Returns the transcript for the result.
    pub(crate) fn interaction(self, ended_first: Option<Party>, deadlock: bool) -> Interaction {
        let gap = (self.left_out > 0).then_some(Gap {
            before: self.head.len() as u64,
            messages: self.left_out,
        });
        let messages = self.head.into_iter().chain(self.tail).collect();
        Interaction {
            messages,
            gap,
            ended_first,
            deadlock,
        }
    }
}

fn extend(message: &mut Message, bytes: &[u8]) {
    // The rest of a long message is counted, so that a report can state how much is missing.
    let kept = bytes
        .len()
        .min(MESSAGE.saturating_sub(message.bytes.0.len()));
    message.bytes.0.extend_from_slice(&bytes[..kept]);
    message.left_out += (bytes.len() - kept) as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_output_of_one_side_is_one_message() {
        let mut transcript = Transcript::default();
        transcript.start_pass(1);
        for (from, bytes) in [
            (Party::Validator, &b"3"[..]),
            (Party::Validator, b"\n"),
            (Party::Submission, b"1\n"),
            (Party::Validator, b"x"),
        ] {
            transcript.append(from, bytes, Duration::from_micros(7));
        }
        transcript.start_pass(2);
        transcript.append(Party::Validator, b"y", Duration::ZERO);
        let interaction = transcript.interaction(Some(Party::Validator), false);
        let messages: Vec<_> = interaction
            .messages
            .iter()
            .map(|message| (message.pass, message.bytes.0.as_slice()))
            .collect();
        assert_eq!(
            messages,
            [(1, &b"3\n"[..]), (1, b"1\n"), (1, b"x"), (2, b"y")]
        );
        assert_eq!(
            (interaction.gap, interaction.messages[0].time_us),
            (None, 7)
        );
    }

    #[test]
    fn output_after_a_deadlock_is_a_separate_message() {
        let mut transcript = Transcript::default();
        transcript.start_pass(1);
        transcript.append(Party::Validator, b"3\n", Duration::ZERO);
        transcript.deadlocked();
        transcript.append(Party::Validator, b"4\n", Duration::ZERO);
        transcript.start_pass(2);
        transcript.append(Party::Validator, b"5\n", Duration::ZERO);
        let interaction = transcript.interaction(None, true);
        let found: Vec<_> = interaction
            .messages
            .iter()
            .map(|message| (message.bytes.0.as_slice(), message.after_deadlock))
            .collect();
        assert_eq!(
            found,
            [(&b"3\n"[..], false), (b"4\n", true), (b"5\n", false)]
        );
    }

    #[test]
    fn the_middle_is_omitted_and_counted() {
        let mut transcript = Transcript::default();
        for number in 0..1000_u32 {
            let from = if number.is_multiple_of(2) {
                Party::Submission
            } else {
                Party::Validator
            };
            transcript.append(
                from,
                format!("{number}\n").repeat(200).as_bytes(),
                Duration::ZERO,
            );
        }
        let interaction = transcript.interaction(None, true);
        assert_eq!(interaction.messages.len(), HEAD + TAIL);
        assert_eq!(
            interaction.gap,
            Some(Gap {
                before: HEAD as u64,
                messages: (1000 - HEAD - TAIL) as u64
            })
        );
        let last = interaction.messages.last().unwrap();
        assert!(last.bytes.0.starts_with(b"999\n") && last.bytes.0.len() == MESSAGE);
        assert_eq!(last.left_out, 800 - MESSAGE as u64);
    }
}
