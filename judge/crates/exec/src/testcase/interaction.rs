//! Interacting: a submission and an output validator that talk with each other.
//!
//! Responsible for running both at once and for what follows from their two ends. Must not know
//! passes.
//!
//! Source: 2025-09 and legacy, "Interactive Problems":
//! `validator input answer feedback_dir/ [args]` with its standard output and input connected to
//! the submission's.

use std::sync::Arc;
use std::time::Duration;

use judge_event::Party;
use judge_grading::{
    EndedFirst, TestLimits, ValidatorDecision, classify, classify_validator, decide_interaction,
    testlib_rejects,
};
use judge_model::{Limit, Outcome, Termination};
use judge_sandbox::{
    Capture, Conversation, Execution, First, Listener, Partner, Side, Slot, converse,
};

use crate::ExecError;
use crate::build::program::Runnable;
use crate::jury::output_validator::OutputValidation;
use crate::jury::reply::{Question, Reply};
use crate::jury::testlib;
use crate::testcase::transcript::Transcript;

const SUBMISSION: usize = 0;
/// The bytes that a validator may say to a submission: far more than any should. They are no
/// feedback, so `validation_output` does not limit them.
const SAID_BYTES: u64 = 64 << 20;
/// The time that a validator may go on for after its submission was ended for a limit. There may be
/// more left to read than it can ever get through.
const GRACE: Duration = Duration::from_secs(5);

/// The submission's side.
pub(crate) struct SubmissionSide<'a> {
    pub(crate) slot: &'a mut dyn Slot,
    pub(crate) capture: &'a mut Capture,
    pub(crate) execution: Execution,
    pub(crate) limits: TestLimits,
}

/// The end of an interaction.
pub(crate) struct InteractionEnd {
    /// The submission's run.
    pub(crate) outcome: Outcome,
    pub(crate) decision: judge_grading::InteractionDecision,
    pub(crate) reply: Reply,
    /// The party whose process ended first, by the clock.
    pub(crate) ended_first: Party,
    /// Both waited for each other.
    pub(crate) deadlock: bool,
    /// True when the host kept the submission from running for as long as anybody waits.
    pub(crate) starved: bool,
}

/// Hears both sides.
struct TranscriptListener<'a> {
    transcript: &'a mut Transcript,
    validator_limits: TestLimits,
    /// `Some` when the validator ends as testlib does; true when it may give points then.
    testlib: Option<bool>,
}

impl Listener for TranscriptListener<'_> {
    fn said(&mut self, side: usize, bytes: &[u8], elapsed: Duration) {
        self.transcript.said(party(side), bytes, elapsed);
    }

    fn deadlocked(&mut self) {
        self.transcript.deadlocked();
    }

    /// Only a validator that accepts leaves open how the submission ends. One that hears of the
    /// submission's end decides what that means. When a limit has ended the submission, there may
    /// be more to read than the validator ever gets through before it is itself ended for a limit;
    /// all that it could still say is that it had rejected before.
    fn ended(&mut self, side: usize, outcome: &Outcome) -> Partner {
        let limits = &self.validator_limits;
        let accepts = || match self.testlib {
            Some(scoring) => !testlib_rejects(outcome, limits, scoring),
            None => classify_validator(outcome, limits) == ValidatorDecision::Accepted,
        };
        match (side, outcome.termination) {
            (SUBMISSION, Termination::Killed { .. }) => {
                Partner::EndsAfter(GRACE.min(limits.cpu_time / 2))
            }
            (SUBMISSION, _) => Partner::Stays,
            _ if accepts() => Partner::Stays,
            _ => Partner::Ends,
        }
    }
}

fn party(side: usize) -> Party {
    if side == SUBMISSION {
        Party::Submission
    } else {
        Party::Validator
    }
}

impl OutputValidation<'_> {
    /// Lets a validator talk with a submission until both have ended; `None` when that was
    /// cancelled.
    pub(crate) fn talk(
        &mut self,
        validator: &Arc<Runnable>,
        question: &Question<'_>,
        speaker: SubmissionSide<'_>,
        transcript: &mut Transcript,
    ) -> Result<Option<InteractionEnd>, ExecError> {
        let SubmissionSide {
            slot,
            capture,
            execution,
            limits,
        } = speaker;
        let (mut of_validator, _files) = self.execution(validator, question)?;
        if validator.testlib {
            of_validator = testlib::interactor_execution(
                of_validator,
                validator,
                question,
                self.slot.layout(),
            )?;
        }
        of_validator.limits.stdout_bytes = SAID_BYTES;
        // Its standard output goes to the submission; only standard error is captured, which is no
        // part of the conversation.
        let mut said_aside = Capture::default();
        let sides = [
            Side {
                slot,
                execution,
                capture,
            },
            Side {
                slot: &mut *self.slot,
                execution: of_validator,
                capture: &mut said_aside,
            },
        ];
        let mut listener = TranscriptListener {
            transcript,
            // The output limit of a validator is for its feedback. Its words to the
            // submission have a bound of their own.
            validator_limits: TestLimits {
                output_bytes: u64::MAX,
                ..question.test_limits()
            },
            testlib: validator.testlib.then_some(question.scoring),
        };
        let Conversation {
            sides: [submission, mut ended],
            first,
            deadlock,
            starved,
        } = converse(sides, self.cancel, &mut listener)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        // Taken out before the run is classified: words of a validator are no output that its
        // limits are about.
        let words_bytes = std::mem::take(&mut ended.outcome.usage.stdout_bytes);
        let shown = validator.shown(&said_aside.stderr, self.slot.layout());
        let mut reply = Reply::of_run(question, &ended, &shown, self.cache)?;
        if validator.testlib {
            reply = testlib::reply_of(reply, &ended, &said_aside.stderr, question);
            // The listener has ended the submission because the exit code of testlib looked like a
            // rejection. The report says otherwise, and now nobody knows how the submission would
            // have ended.
            if submission.outcome.termination == Termination::Cancelled
                && reply.decision == ValidatorDecision::Accepted
            {
                let reason = "the output validator ended as if it rejected, but its report accepts"
                    .to_owned();
                reply.decision = ValidatorDecision::JudgeError { reason };
            }
        }
        let for_output = ended.outcome.termination
            == Termination::Killed {
                limit: Limit::Output,
            };
        if words_bytes > SAID_BYTES && for_output {
            let reason = format!(
                "the output validator said more than {} MiB to the submission",
                SAID_BYTES >> 20
            );
            reply.decision = ValidatorDecision::JudgeError { reason };
        }
        let ended_first = match first {
            First::Side(side) | First::ByChance(side) => party(side),
        };
        // If chance decides the order, the validator did not react to the submission's end. The
        // first end decides whose fault counts. Two ends within the precision of the clock have no
        // order.
        let first = if first == First::Side(SUBMISSION) {
            EndedFirst::Submission
        } else {
            EndedFirst::Validator
        };
        let outcome = submission.outcome;
        let decision = decide_interaction(classify(&outcome, &limits), &reply.decision, first);
        Ok(Some(InteractionEnd {
            outcome,
            decision,
            reply,
            ended_first,
            deadlock,
            starved,
        }))
    }
}
