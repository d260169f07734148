//! Interaction: a submission and an output validator that communicate with each other.
//!
//! Responsible for running both at the same time and for the result that follows from their ends.
//! Must not know passes.
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
use crate::jury::output_validator::{MAX_SENT_BYTES, OutputValidation};
use crate::jury::reply::{Question, Reply};
use crate::testcase::transcript::Transcript;

const SUBMISSION: usize = 0;
/// The time for which a validator may continue after its submission was killed for a limit. There
/// may be more unread output than it can ever process.
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
    pub(crate) conversation: ConversationEnd,
    /// True when the host delayed the submission for the maximum time that the judge waits.
    pub(crate) starved: bool,
}

/// The end of a conversation with an output validator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConversationEnd {
    /// The party whose process ended first, by the clock.
    pub(crate) ended_first: Party,
    /// True when both waited for each other.
    pub(crate) deadlock: bool,
}

/// Records the output of both sides, and decides what happens at an end.
struct TranscriptListener<'a> {
    transcript: &'a mut Transcript,
    validator_limits: TestLimits,
    /// `Some` when the validator uses testlib's exit codes; true when it may give points then.
    testlib: Option<bool>,
}

impl Listener for TranscriptListener<'_> {
    fn wrote(&mut self, side: usize, bytes: &[u8], elapsed: Duration) {
        self.transcript.append(party(side), bytes, elapsed);
    }

    fn deadlocked(&mut self) {
        self.transcript.deadlocked();
    }

    /// The end of the submission is undecided only if the validator accepts. A validator that
    /// notices the submission's end decides what it means. When the submission was killed for a
    /// limit, there may be more to read than the validator can process before its own limit. At
    /// most, it could still report that it had rejected before.
    fn ended(&mut self, side: usize, outcome: &Outcome) -> Partner {
        let limits = &self.validator_limits;
        let accepts = || match self.testlib {
            Some(scoring) => !testlib_rejects(outcome, limits, scoring),
            None => classify_validator(outcome, limits) == ValidatorDecision::Accepted,
        };
        match (side, outcome.termination) {
            (SUBMISSION, Termination::Killed { .. }) => {
                Partner::KilledAfter(GRACE.min(limits.cpu_time / 2))
            }
            (SUBMISSION, _) => Partner::Continues,
            _ if accepts() => Partner::Continues,
            _ => Partner::Killed,
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
    /// Runs a validator with a submission until both have ended; `None` when that was cancelled.
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
        let (of_validator, _files) = self.talking_execution(validator, question)?;
        // The validator's standard output goes to the submission; only standard error is captured,
        // which is not part of the conversation.
        let mut validator_capture = Capture::default();
        let sides = [
            Side {
                slot,
                execution,
                capture,
            },
            Side {
                slot: &mut *self.slot,
                execution: of_validator,
                capture: &mut validator_capture,
            },
        ];
        let mut listener = TranscriptListener {
            transcript,
            // The output limit of a validator is for its feedback. Its output for the submission
            // has a separate bound.
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
        } = converse(sides, &self.cancel, &mut listener)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        // Taken out before the run is classified: the validator's limits do not apply to its output
        // for the submission.
        let sent_bytes = std::mem::take(&mut ended.outcome.usage.stdout_bytes);
        let mut reply = self.reply(validator, question, &ended, &validator_capture.stderr)?;
        // The listener has killed the submission because the exit code of testlib looked like a
        // rejection. The report contradicts that, and it is unknown how the submission would have
        // ended.
        if validator.testlib
            && submission.outcome.termination == Termination::Cancelled
            && reply.decision == ValidatorDecision::Accepted
        {
            let reason =
                "the output validator rejects by its exit code, but its report accepts".to_owned();
            reply.decision = ValidatorDecision::JudgeError { reason };
        }
        let for_output = ended.outcome.termination
            == Termination::Killed {
                limit: Limit::Output,
            };
        if sent_bytes > MAX_SENT_BYTES && for_output {
            let reason = format!(
                "the output validator sent more than {} MiB to the submission",
                MAX_SENT_BYTES >> 20
            );
            reply.decision = ValidatorDecision::JudgeError { reason };
        }
        let ended_first = match first {
            First::Side(side) | First::ByChance(side) => party(side),
        };
        // The first end decides whose fault counts. Two ends within the precision of the clock have
        // no order: then the validator did not react to the submission's end.
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
            conversation: ConversationEnd {
                ended_first,
                deadlock,
            },
            starved,
        }))
    }
}
