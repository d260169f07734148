//! Problems in which a validator does more than check one output: it talks with the submission, or
//! requests another pass.
//!
//! Responsible for combining the terminations of both sides, and for deciding about another pass.
//! Must not know how the two were connected, or how the order of their ends was determined.
//!
//! Sources: 2025-09, "Interactive Problems" and "Multi-pass"; legacy, "Validators". They do not
//! define the result when both sides fail; the order here is common to contest systems.

use std::time::Duration;

use judge_model::Verdict;

use crate::{Classification, ValidatorDecision};

/// The side of an interaction that ended first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedFirst {
    /// The submission: the validator's decision may be a consequence.
    Submission,
    /// The validator, or both at the same time, without knowing of each other's end.
    Validator,
}

/// The decision about an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InteractionDecision {
    /// The verdict.
    Verdict(Verdict),
    /// Nothing is known about the submission.
    JudgeError {
        /// The reason.
        reason: String,
    },
    /// It was cancelled: nothing is known, and nothing is wrong.
    Cancelled,
}

/// Decides the result of an interaction.
///
/// In this order: a validator that fails is a judge error. If the validator ended because a failed
/// submission was gone, the submission keeps its verdict. A validator that rejects before the
/// submission has ended makes a wrong answer, regardless of the submission's behaviour after that.
/// A submission that fails has its own verdict, even after the validator has accepted. Otherwise
/// the validator decides.
#[must_use]
pub fn decide_interaction(
    submission: Classification,
    validator: &ValidatorDecision,
    first: EndedFirst,
) -> InteractionDecision {
    let rejected = *validator == ValidatorDecision::Rejected;
    match (validator, submission) {
        // A broken validator may have confused the submission, so the submission's behaviour does
        // not count.
        (ValidatorDecision::JudgeError { reason }, _) => InteractionDecision::JudgeError {
            reason: reason.clone(),
        },
        (ValidatorDecision::Cancelled, Classification::Verdict(verdict))
            if first == EndedFirst::Submission =>
        {
            InteractionDecision::Verdict(verdict)
        }
        (ValidatorDecision::Cancelled, _) => InteractionDecision::Cancelled,
        // Before the submission's own failure: it may have crashed because the validator closed the
        // connection.
        _ if rejected && first == EndedFirst::Validator => {
            InteractionDecision::Verdict(Verdict::WrongAnswer)
        }
        // An accepting validator does not excuse a submission that then runs forever or crashes.
        (_, Classification::Verdict(verdict)) => InteractionDecision::Verdict(verdict),
        (_, Classification::Cancelled) => InteractionDecision::Cancelled,
        // The submission ended normally, so only the validator's decision is left.
        (ValidatorDecision::Rejected, Classification::CompareOutput) => {
            InteractionDecision::Verdict(Verdict::WrongAnswer)
        }
        (ValidatorDecision::Accepted, Classification::CompareOutput) => {
            InteractionDecision::Verdict(Verdict::Accepted)
        }
    }
}

/// The decision after a pass in which the submission did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassDecision {
    /// No further pass: the validator decides.
    Over,
    /// Another pass, with `nextpass.in` as its input.
    Next,
    /// A judge error.
    JudgeError {
        /// The reason.
        reason: String,
    },
}

/// The number of passes that always have the full time of their own limits.
const UNBOUNDED_PASSES: u32 = 10;

/// The elapsed time of all passes on one test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassTimes {
    /// The time since the first pass began.
    pub elapsed: Duration,
    /// The maximum time of one pass by the limits of the submission and of the validator.
    pub max_pass_time: Duration,
}

/// The reason of a judge error if a validator accepts a pass and requests another one that the
/// problem does not have.
const NEXT_PASS_IN_ONE_PASS: &str = "the output validator wrote `nextpass.in`, and the problem has one pass; expected \
    the type `multi-pass` in problem.yaml (legacy: `validation: custom multi-pass`)";

/// Decides whether there is another pass. `pass` counts from 1, `passes` is the maximum, and
/// `wrote` is true if the validator wrote `nextpass.in`. In a problem with a single pass, this file
/// is a judge error after an acceptance: the type is missing, and the result of the further pass is
/// unknown. A rejection is final.
///
/// Source: 2025-09, "Multi-pass" and `validation_passes`: only a validator that accepts may request
/// another pass, at most as often as the problem allows. The format sets no limit for the time of
/// all passes together, and allows any number of them. Here, after `UNBOUNDED_PASSES`, there is no
/// further pass once the time that this many passes may take is used up.
#[must_use]
pub fn next_pass(
    decision: &ValidatorDecision,
    wrote: bool,
    pass: u32,
    passes: u32,
    times: PassTimes,
) -> PassDecision {
    // Without the file there is no next pass, regardless of the decision and of the remaining
    // passes.
    if !wrote {
        return PassDecision::Over;
    }
    if passes <= 1 {
        // If this were accepted without that pass, every submission that gets this far would be
        // right.
        return match decision {
            ValidatorDecision::Accepted => PassDecision::JudgeError {
                reason: NEXT_PASS_IN_ONE_PASS.to_owned(),
            },
            _ => PassDecision::Over,
        };
    }
    // There is no limit for a few slow passes. Beyond that, the time of `UNBOUNDED_PASSES` passes
    // has to suffice for all of them: otherwise a validator that always requests another pass would
    // never end.
    let max = times.max_pass_time * UNBOUNDED_PASSES;
    match decision {
        ValidatorDecision::Accepted if pass < passes && pass >= UNBOUNDED_PASSES && times.elapsed >= max => {
            let (elapsed, max) = (times.elapsed.as_secs(), max.as_secs_f64());
            let reason = format!(
                "the output validator requested another pass after {pass} passes and {elapsed} s; the passes of a test case \
                 may take at most {max} s in total (the limits of {UNBOUNDED_PASSES} passes)"
            );
            PassDecision::JudgeError { reason }
        }
        ValidatorDecision::Accepted if pass < passes => PassDecision::Next,
        ValidatorDecision::Accepted => PassDecision::JudgeError {
            reason: format!(
                "the output validator wrote `nextpass.in` in pass {pass}; the problem allows {passes} passes \
                 (`validation_passes`)"
            ),
        },
        // The file requests another pass and the exit code forbids one. Choosing one of them could
        // hide a mistake in the validator.
        ValidatorDecision::Rejected => PassDecision::JudgeError {
            reason: "the output validator wrote `nextpass.in` and rejected; expected exit code 42 with it".to_owned(),
        },
        ValidatorDecision::JudgeError { .. } | ValidatorDecision::Cancelled => PassDecision::Over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Classification::{CompareOutput, Verdict as Own};
    use EndedFirst::{Submission, Validator};
    use ValidatorDecision::{Accepted, Rejected};

    #[test]
    fn failures_and_the_order_of_terminations_decide_the_verdict() {
        let (ac, wa) = (Verdict::Accepted, Verdict::WrongAnswer);
        let (tle, mle) = (Verdict::TimeLimitExceeded, Verdict::MemoryLimitExceeded);
        let (ole, rte) = (Verdict::OutputLimitExceeded, Verdict::RunTimeError);
        for (submission, validator, first, expected) in [
            (CompareOutput, Accepted, Submission, ac),
            (CompareOutput, Accepted, Validator, ac),
            (CompareOutput, Rejected, Submission, wa),
            (CompareOutput, Rejected, Validator, wa),
            // It rejected on its own: the submission's behaviour does not matter.
            (Own(rte), Rejected, Validator, wa),
            (Own(tle), Rejected, Validator, wa),
            (Own(mle), Rejected, Validator, wa),
            (Own(ole), Rejected, Validator, wa),
            (Classification::Cancelled, Rejected, Validator, wa),
            // It rejected because the submission was gone.
            (Own(rte), Rejected, Submission, rte),
            (Own(tle), Rejected, Submission, tle),
            (Own(mle), Rejected, Submission, mle),
            (Own(ole), Rejected, Submission, ole),
            // It failed although it had been right.
            (Own(rte), Accepted, Validator, rte),
            (Own(tle), Accepted, Validator, tle),
            (Own(rte), Accepted, Submission, rte),
        ] {
            let decided = decide_interaction(submission, &validator, first);
            let shown = format!("{submission:?}, {validator:?}, {first:?} first");
            assert_eq!(decided, InteractionDecision::Verdict(expected), "{shown}");
        }
    }

    #[test]
    fn failing_validators_give_a_judge_error() {
        let failed = ValidatorDecision::JudgeError { reason: "x".into() };
        for submission in [
            CompareOutput,
            Own(Verdict::RunTimeError),
            Classification::Cancelled,
        ] {
            for first in [Submission, Validator] {
                let expected = InteractionDecision::JudgeError { reason: "x".into() };
                assert_eq!(decide_interaction(submission, &failed, first), expected);
            }
        }
    }

    #[test]
    fn cancelled_runs_have_no_verdict() {
        let cancelled = InteractionDecision::Cancelled;
        assert_eq!(
            decide_interaction(Classification::Cancelled, &Accepted, Submission),
            cancelled
        );
        assert_eq!(
            decide_interaction(CompareOutput, &ValidatorDecision::Cancelled, Submission),
            cancelled
        );
        assert_eq!(
            decide_interaction(Classification::Cancelled, &Rejected, Submission),
            cancelled
        );
        let stopped = ValidatorDecision::Cancelled;
        assert_eq!(
            decide_interaction(Own(Verdict::TimeLimitExceeded), &stopped, Validator),
            cancelled
        );
    }

    #[test]
    fn validators_stopped_early_do_not_change_verdicts() {
        for verdict in [Verdict::TimeLimitExceeded, Verdict::OutputLimitExceeded] {
            let decided =
                decide_interaction(Own(verdict), &ValidatorDecision::Cancelled, Submission);
            assert_eq!(decided, InteractionDecision::Verdict(verdict));
        }
    }

    const NO_TIME: PassTimes = PassTimes {
        elapsed: Duration::ZERO,
        max_pass_time: Duration::from_secs(3),
    };

    #[test]
    fn passes_end_when_their_total_time_is_used_up() {
        let after = |pass, seconds| {
            let times = PassTimes {
                elapsed: Duration::from_secs(seconds),
                ..NO_TIME
            };
            next_pass(&Accepted, true, pass, 1_000_000_000, times)
        };
        assert_eq!(
            after(999_999, 29),
            PassDecision::Next,
            "many passes that take no time"
        );
        assert_eq!(
            after(9, 9999),
            PassDecision::Next,
            "as few as always have their time"
        );
        for pass in [10, 999_999] {
            let PassDecision::JudgeError { reason } = after(pass, 30) else {
                panic!("{pass}")
            };
            assert!(
                reason.contains("requested another pass") && reason.contains("at most 30 s"),
                "{reason}"
            );
        }
        let times = PassTimes {
            elapsed: Duration::from_secs(31),
            ..NO_TIME
        };
        assert_eq!(
            next_pass(&Accepted, false, 10, 11, times),
            PassDecision::Over,
            "it requests no further pass"
        );
    }

    #[test]
    fn another_pass_needs_acceptance_a_file_and_a_remaining_pass() {
        for (decision, wrote, pass, passes, expected) in [
            (Accepted, true, 1, 2, PassDecision::Next),
            (Accepted, true, 2, 3, PassDecision::Next),
            (Accepted, false, 1, 2, PassDecision::Over),
            (Rejected, false, 1, 2, PassDecision::Over),
            (
                Accepted,
                true,
                1,
                1,
                PassDecision::JudgeError {
                    reason: NEXT_PASS_IN_ONE_PASS.to_owned(),
                },
            ),
            (Accepted, false, 1, 1, PassDecision::Over),
            (Rejected, true, 1, 1, PassDecision::Over),
            (
                ValidatorDecision::JudgeError { reason: "x".into() },
                true,
                1,
                2,
                PassDecision::Over,
            ),
        ] {
            let found = next_pass(&decision, wrote, pass, passes, NO_TIME);
            assert_eq!(found, expected, "{decision:?} {wrote} {pass}/{passes}");
        }
        for (decision, pass, word) in [
            (Accepted, 2, "validation_passes"),
            (Rejected, 1, "rejected"),
        ] {
            let PassDecision::JudgeError { reason } = next_pass(&decision, true, pass, 2, NO_TIME)
            else {
                panic!("{decision:?}")
            };
            assert!(reason.contains(word), "{reason}");
        }
    }
}
