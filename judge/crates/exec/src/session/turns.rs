//! Turns: counts how often an output validator answers a line before it gets the next one.
//!
//! Responsible for the conversation. Must not know the consequences of the number.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::time::Duration;

use judge_sandbox::{Capture, Execution, Finished, Input, SandboxError, Slot};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::time::{ClockId, clock_gettime};

use crate::ExecError;
use crate::fault::Fault;
use crate::jury::validator_requests::OutputQuestion;
use crate::session::questions::{ReadyOutputValidators, partner_side};
use crate::session::worker::Worker;
use crate::testcase::result::not_run;
use crate::testcase::transcript::Transcript;

/// The timeout for the first byte of an answer: long enough for an interpreter to start.
const ANSWER_TIME: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};
/// The silence that ends an answer. Lines that are flushed one by one are a single answer.
const SILENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};
/// The maximum size of an answer, in bytes. A validator that writes more does not wait for a line.
const ANSWER_BYTES: usize = 4 << 10;

impl Worker<'_> {
    /// Sends a line to the first output validator of a package repeatedly, each time after an
    /// answer, and returns the number of answers: at most `max_answers`. The output of the question
    /// does not matter.
    ///
    /// # Errors
    /// Faults of the host only; a validator cannot cause one.
    pub fn answers_to_line(
        &mut self,
        validators: &ReadyOutputValidators,
        question: &OutputQuestion<'_>,
        line: &[u8],
        max_answers: usize,
    ) -> Result<usize, ExecError> {
        let Some([validator, ..]) = validators.programs() else {
            return Ok(0);
        };
        let mut partner = Partner {
            line,
            max_answers,
            answers: 0,
        };
        let (mut capture, cancel) = (Capture::default(), self.cancel.clone());
        let (limits, time) = (question.limits, question.limits.validation_time);
        let speaker = partner_side(&mut partner, &mut capture, limits, time, cancel);
        let question = question.in_first_pass(validators.scoring);
        let mut validating = self.output_validation(false)?;
        let talked = validating.talk(validator, &question, speaker, &mut Transcript::default());
        Fault::answer(talked.map(|_| ()), |_| ())?;
        Ok(partner.answers)
    }
}

/// The partner of the validator, in the place of a program.
struct Partner<'a> {
    line: &'a [u8],
    max_answers: usize,
    answers: usize,
}

impl Slot for Partner<'_> {
    fn run(&mut self, execution: &Execution, _: &mut Capture) -> Result<Finished, SandboxError> {
        if let Input::Duplex(duplex) = &execution.stdin
            && let Some([from, to]) = duplex.take_ends_unobserved()
        {
            // A validator that has closed its input has ended the conversation.
            let _ = self.talk(File::from(from), File::from(to));
        }
        let now = clock_gettime(ClockId::Monotonic);
        let ended = Duration::new(
            now.tv_sec.unsigned_abs(),
            u32::try_from(now.tv_nsec).unwrap_or(0),
        );
        Ok(Finished {
            outcome: not_run(),
            work: None,
            ended,
        })
    }
}

impl Partner<'_> {
    fn talk(&mut self, mut from: File, mut to: File) -> io::Result<()> {
        // One line at a time, with the input held open: a validator that reads all of an output
        // before it decides is silent here, and so is one that has decided.
        while self.answers < self.max_answers {
            to.write_all(self.line)?;
            if !answered(&mut from)? {
                return Ok(());
            }
            self.answers += 1;
        }
        Ok(())
    }
}

/// Reads an answer to its end. Returns false if the validator writes nothing, or too much.
fn answered(from: &mut File) -> io::Result<bool> {
    let (mut bytes, mut total) = (vec![0; 4 << 10], 0);
    while total < ANSWER_BYTES {
        // The interpreter may still be starting before the first byte; later bytes come
        // immediately.
        let time = if total == 0 { ANSWER_TIME } else { SILENCE };
        if poll(&mut [PollFd::new(from, PollFlags::IN)], Some(&time))? == 0 {
            break;
        }
        let length = from.read(&mut bytes)?;
        if length == 0 {
            break;
        }
        total += length;
    }
    Ok((1..ANSWER_BYTES).contains(&total))
}
