//! The question to an output validator, and its reply.
//!
//! Responsible for reading the feedback directory, and for the reply of several validators
//! together. Must not know how a validator is run.
//!
//! Source: package format, "Output Validators".

use std::path::Path;

use judge_event::{Bytes, Excerpt};
use judge_grading::{ScoreFiles, TestLimits, ValidatorDecision, classify_validator};
use judge_model::{Limits, OutputValidatorArgs, Problem, Termination, TestCase};
use judge_sandbox::{Finished, read_file};

use crate::ExecError;
use crate::jury::limits::{apply_file_limit, is_out_of_time, run_limits, test_limits};
use crate::jury::next_pass::{NEXT_INPUT, NextPass};
use crate::jury::visualizer::Feedback;
use crate::store::programs::ProgramCache;

const STDERR_EXCERPT: usize = 2 << 10;
pub(crate) const MAX_MESSAGE_BYTES: usize = 8 << 10;
/// A score is a short number. A longer file is invalid, and its first bytes show that.
const MAX_SCORE_BYTES: usize = 1 << 10;

/// A question to output validators: about one output, or about one pass of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) limits: &'a Limits,
    /// The input file of the first pass.
    pub(crate) input: &'a Path,
    pub(crate) answer: &'a Path,
    /// The position of the validator among the problem's output validators.
    pub(crate) position: usize,
    pub(crate) args: &'a OutputValidatorArgs,
    /// The output of the submission; empty in an interaction.
    pub(crate) output: &'a [u8],
    /// The files that the pass before left: the input of this one, and those of its feedback
    /// directory (2025-09, "Multi-pass").
    pub(crate) earlier: Option<&'a NextPass>,
    /// True when the problem has scores that a validator may give.
    pub(crate) scoring: bool,
    /// True when its feedback is needed for the output visualizer.
    pub(crate) keep_feedback: bool,
}

impl<'a> Question<'a> {
    /// Creates a question about a test case, without an output.
    pub(crate) fn for_test_case(problem: &'a Problem, test_case: &'a TestCase) -> Self {
        Self {
            limits: &problem.limits,
            input: &test_case.input,
            answer: &test_case.answer,
            position: 0,
            args: &test_case.output_validator_args,
            output: &[],
            earlier: None,
            scoring: problem.grading.scores(),
            keep_feedback: false,
        }
    }

    /// The limits of a validator's run.
    pub(crate) fn test_limits(&self) -> TestLimits {
        test_limits(&run_limits(self.limits))
    }
}

/// The reply of a validator. The files are those of its feedback directory; one that is missing,
/// too large, a directory or a link counts as absent.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// A reason for a judge error begins with "the output validator".
    pub(crate) decision: ValidatorDecision,
    /// The beginning of `judgemessage.txt`.
    pub(crate) judge_message: Bytes,
    /// The beginning of `teammessage.txt`.
    pub(crate) team_message: Bytes,
    /// The beginnings of `score.txt` and `score_multiplier.txt`.
    pub(crate) score_files: ScoreFiles,
    /// The files for the next pass, if it left `nextpass.in`, regardless of its decision.
    pub(crate) next_pass: Option<NextPass>,
    /// The end of standard error.
    pub(crate) stderr: Excerpt,
    /// True when it was killed for its time, or used more time than allowed.
    pub(crate) timed_out: bool,
    /// True when it wrote to standard output, as an interactor does. Not after exit code 0: its
    /// author does not know the protocol of validators, and a text such as `ok` is no conversation.
    pub(crate) spoke: bool,
    /// The feedback directory, where it is needed.
    pub(crate) feedback: Option<Feedback>,
}

impl Reply {
    /// Creates a reply from the end of a validator and the files that it left. Reads the working
    /// directory immediately: without a mount namespace, the slot's next run removes it.
    pub(crate) fn from_run(
        question: &Question<'_>,
        finished: &Finished,
        stderr: &[u8],
        cache: &ProgramCache,
    ) -> Result<Self, ExecError> {
        let mut reply = Self::new("output validator", question.limits, finished, stderr, cache)?;
        if let (true, Some(work)) = (question.keep_feedback, &finished.work) {
            reply.feedback = Feedback::keep(cache, work, question.limits.validation_output_bytes)?;
        }
        Ok(reply)
    }

    /// Creates a reply for any validator that reports like an output validator. `role` names its
    /// kind.
    pub(crate) fn new(
        role: &str,
        limits: &Limits,
        finished: &Finished,
        stderr: &[u8],
        cache: &ProgramCache,
    ) -> Result<Self, ExecError> {
        // Checked before the classification: a validator that filled its directory may have ended
        // with another error, so its exit code is meaningless.
        let outcome = apply_file_limit(finished, limits.validation_output_bytes);
        let work = &finished.work;
        let mut decision = match classify_validator(&outcome, &test_limits(&run_limits(limits))) {
            ValidatorDecision::JudgeError { reason } => ValidatorDecision::JudgeError {
                reason: format!("the {role} {reason}"),
            },
            other => other,
        };
        let max_bytes = limits.validation_output_bytes;
        // Read without following links, and at most the bytes that the validator may write: the
        // directory may hold anything that the validator made.
        let read = |name: &str| {
            work.as_ref()
                .and_then(|work| read_file(work, Path::new(name), max_bytes).ok())
        };
        let beginning = |name: &str, length: usize| {
            read(name).map(|mut bytes| {
                bytes.truncate(length);
                bytes
            })
        };
        // Kept regardless of the decision. A validator that requests another pass and rejects is at
        // fault, which is detected later.
        let next_pass = match (work, read(NEXT_INPUT)) {
            (Some(work), Some(input)) => match NextPass::keep(cache, work, &input, max_bytes) {
                Ok(next_pass) => Some(next_pass),
                Err(fault) => {
                    decision = ValidatorDecision::JudgeError {
                        reason: fault.refusal()?.to_string(),
                    };
                    None
                }
            },
            _ => None,
        };
        Ok(Self {
            decision,
            judge_message: Bytes(
                beginning("judgemessage.txt", MAX_MESSAGE_BYTES).unwrap_or_default(),
            ),
            team_message: Bytes(
                beginning("teammessage.txt", MAX_MESSAGE_BYTES).unwrap_or_default(),
            ),
            score_files: ScoreFiles {
                score: beginning("score.txt", MAX_SCORE_BYTES),
                multiplier: beginning("score_multiplier.txt", MAX_SCORE_BYTES),
            },
            next_pass,
            stderr: tail(stderr),
            timed_out: is_out_of_time(&finished.outcome, &run_limits(limits)),
            spoke: finished.outcome.usage.stdout_bytes > 0
                && finished.outcome.termination != Termination::Exited { code: 0 },
            feedback: None,
        })
    }

    /// Adds the reply of another validator about the same output: any judge error makes a judge
    /// error, any rejection rejects.
    pub(crate) fn and(self, other: Self) -> Self {
        use ValidatorDecision::{Accepted, Cancelled, JudgeError, Rejected};
        // A judge error outweighs a rejection: when one validator failed, the decision of the other
        // one is uncertain.
        let weight = |decision: &ValidatorDecision| match decision {
            Accepted => 0,
            Rejected => 1,
            JudgeError { .. } => 2,
            Cancelled => 3,
        };
        // The worse decision counts and its message comes first; the other message is appended, for
        // the author of the package.
        let (mut first, second) = if weight(&other.decision) > weight(&self.decision) {
            (other, self)
        } else {
            (self, other)
        };
        let join = |one: &mut Bytes, two: Bytes| {
            if !one.0.is_empty() && !two.0.is_empty() && one.0.last() != Some(&b'\n') {
                one.0.push(b'\n');
            }
            one.0.extend(two.0);
        };
        join(&mut first.judge_message, second.judge_message);
        join(&mut first.team_message, second.team_message);
        let (own, other) = (&mut first.score_files, second.score_files);
        own.score = own.score.take().or(other.score);
        own.multiplier = own.multiplier.take().or(other.multiplier);
        first.next_pass = first.next_pass.or(second.next_pass);
        first.timed_out |= second.timed_out;
        first.spoke |= second.spoke;
        first
    }
}

/// Shortens standard error to its end, which contains the reason why a program died.
pub(crate) fn tail(stderr: &[u8]) -> Excerpt {
    Excerpt::new(stderr, 0, STDERR_EXCERPT)
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use judge_model::Outcome;

    use super::*;

    /// The reply of a validator that wrote two bytes, by its exit code and its working directory.
    fn reply_after(code: i32, work: &Path, cache: &ProgramCache) -> Reply {
        let work: OwnedFd = std::fs::File::open(work).unwrap().into();
        let limits = Limits::default();
        let nothing = Path::new("/nowhere");
        let question = Question {
            limits: &limits,
            input: nothing,
            answer: nothing,
            position: 0,
            args: &OutputValidatorArgs::default(),
            output: &[],
            earlier: None,
            scoring: false,
            keep_feedback: false,
        };
        let outcome = Outcome {
            termination: Termination::Exited { code },
            usage: judge_model::Usage {
                stdout_bytes: 2,
                ..judge_model::Usage::default()
            },
        };
        let finished = Finished {
            outcome,
            work: Some(work),
            ended: Duration::ZERO,
        };
        Reply::from_run(&question, &finished, b"", cache).unwrap()
    }

    #[test]
    fn output_counts_as_conversation_unless_the_exit_code_is_0() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let spoke = |code| reply_after(code, dir.path(), &cache).spoke;
        assert_eq!([43, 1, 0].map(spoke), [true, true, false]);
    }

    #[test]
    fn the_next_pass_gets_all_feedback_except_its_input() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let work = dir.path().join("work");
        std::fs::create_dir_all(work.join("state")).unwrap();
        std::fs::write(work.join("state/1"), "x").unwrap();
        std::fs::write(work.join(NEXT_INPUT), "7").unwrap();
        let reply = reply_after(42, &work, &cache);
        assert_eq!(reply.decision, ValidatorDecision::Accepted);
        let next = reply.next_pass.unwrap();
        assert_eq!(std::fs::read_to_string(next.input()).unwrap(), "7");
        let left: Vec<_> = std::fs::read_dir(next.feedback())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        assert_eq!(left, ["state"]);
    }

    fn reply(decision: ValidatorDecision, message: &str) -> Reply {
        Reply {
            decision,
            judge_message: Bytes(message.into()),
            team_message: Bytes::default(),
            score_files: ScoreFiles::default(),
            next_pass: None,
            stderr: Excerpt::default(),
            timed_out: false,
            spoke: false,
            feedback: None,
        }
    }

    #[test]
    fn the_worst_decision_counts_and_messages_are_joined() {
        use ValidatorDecision::{Accepted, JudgeError, Rejected};
        let error = JudgeError { reason: "x".into() };
        for (one, two, expected) in [
            (Accepted, Accepted, Accepted),
            (Accepted, Rejected, Rejected),
            (Rejected, Accepted, Rejected),
            (Rejected, error.clone(), error.clone()),
            (error.clone(), Accepted, error.clone()),
        ] {
            let all = reply(one, "a").and(reply(two, "b"));
            assert_eq!(all.decision, expected);
            assert_eq!(all.judge_message.0.len(), 3);
        }
        let score_files = ScoreFiles {
            score: Some(b"7".to_vec()),
            multiplier: None,
        };
        let scored = Reply {
            score_files: score_files.clone(),
            ..reply(Accepted, "")
        };
        assert_eq!(reply(Rejected, "").and(scored).score_files, score_files);
    }
}
