//! The result of a test case.
//!
//! Responsible for the facts after the last run, and for the delay by the host. Must not know what
//! is expected of a submission or decide whether a result counts: `grading` does
//! ([`judge_grading::Confirmation`]).

use std::time::Duration;

use judge_event::{Bytes, Difference, Excerpt, Interaction, Picture};
use judge_grading::{Evidence, HostDelay, ScoreFiles};
use judge_model::{Outcome, Termination, Usage, Verdict};
use judge_sandbox::RunLimits;
use serde::{Deserialize, Serialize};

use crate::jury::visualizer::Feedback;
use crate::testcase::load::may_delay_unnoticed;

/// The result of a test case, from the run to the report and in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The end of the run and its usage; with several passes, the maximum of each figure.
    pub outcome: Outcome,
    /// The first difference from the answer, if the output was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The output validator's message to the jury.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub judge_message: Bytes,
    /// The end of standard error of a submission that is not accepted; the validator's with a judge
    /// error.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub stderr: Excerpt,
    /// The reason of a verdict that an outcome alone does not explain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The files of the output validator about the score.
    #[serde(default, skip_serializing_if = "ScoreFiles::is_empty")]
    pub score_files: ScoreFiles,
    /// The output validator's message to the team.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub team_message: Bytes,
    /// The pictures that the package's visualizers drew, if any were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The reasons why pictures are missing.
    #[serde(skip)]
    pub picture_remarks: Vec<String>,
    /// The feedback directory, until pictures are drawn from it.
    #[serde(skip)]
    pub feedback: Option<Feedback>,
    /// The number of passes in which the submission was run.
    pub passes: u32,
    /// The hash of the output, if outputs are compared with each other. It is not stored.
    #[serde(skip)]
    pub output_hash: Option<String>,
    /// The hash of an output that differs from the answer file, if no output validator decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_hash: Option<String>,
    /// The conversation, if the submission was not accepted or its transcript was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Box<Interaction>>,
    /// True when the output validator wrote to standard output, which is not read because the
    /// problem is not interactive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub validator_spoke: bool,
    /// The delay by the host in a run that was killed for its elapsed time. A delayed result is not
    /// cached.
    #[serde(skip)]
    pub delay: HostDelay,
    /// True when it comes from an earlier run.
    #[serde(skip)]
    pub cached: bool,
    /// The time when the earlier run began, if it measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<String>,
}

/// The outcome where no program was run.
pub(crate) fn not_run() -> Outcome {
    Outcome {
        termination: Termination::Exited { code: 0 },
        usage: Usage::default(),
    }
}

impl TestResult {
    /// Creates a result with only a verdict and an outcome.
    #[must_use]
    pub fn new(verdict: Verdict, outcome: &Outcome) -> Self {
        Self {
            verdict,
            outcome: outcome.clone(),
            difference: None,
            judge_message: Bytes::default(),
            stderr: Excerpt::default(),
            reason: None,
            score_files: ScoreFiles::default(),
            team_message: Bytes::default(),
            pictures: Vec::new(),
            picture_remarks: Vec::new(),
            feedback: None,
            passes: 1,
            output_hash: None,
            rejected_hash: None,
            interaction: None,
            validator_spoke: false,
            delay: HostDelay::None,
            cached: false,
            measured_at: None,
        }
    }

    /// Creates the result of a submission without an answer for the test case.
    #[must_use]
    pub fn unanswered() -> Self {
        Self {
            reason: Some("nothing was handed in for this test case".to_owned()),
            ..Self::new(Verdict::WrongAnswer, &not_run())
        }
    }

    /// Creates a judge error with its reason.
    #[must_use]
    pub fn judge_error(outcome: &Outcome, reason: String) -> Self {
        Self {
            reason: Some(reason),
            ..Self::new(Verdict::JudgeError, outcome)
        }
    }

    /// Creates the judge error of a test case that cannot be run because the package has changed.
    #[must_use]
    pub fn refused(reason: String) -> Self {
        Self::judge_error(&not_run(), reason)
    }

    /// True when the host gave the run no processor, so that the result is meaningless for the
    /// submission.
    #[must_use]
    pub fn is_starved(&self) -> bool {
        self.delay == HostDelay::Starved
    }

    /// Returns the evidence in the result about delays by the host.
    #[must_use]
    pub fn evidence(&self) -> Evidence<'_> {
        // A deadlock runs until the limit of elapsed time on any host, so it must not look
        // like a run that had to wait.
        let deadlock = self
            .interaction
            .as_ref()
            .is_some_and(|interaction| interaction.deadlock);
        Evidence {
            verdict: self.verdict,
            outcome: &self.outcome,
            deadlock,
            delay: self.delay,
        }
    }

    /// Records the delay by the host in a run without a partner.
    ///
    /// The sandbox stops the clock of a run that waits for a processor, so a run that lasted until
    /// the sandbox gave up had no processor except for the time of its limit. Where the kernel does
    /// not count such waits, any run on an overloaded host may be one of them.
    pub(crate) fn with_delay(mut self, wall_limit: Duration) -> Self {
        let wall_time = self.outcome.usage.wall_time;
        // The longest wait comes first: a run that had no processor for so long may also have
        // waited within the kernel.
        self.delay = if !self.evidence().ran_out_of_wall_time() {
            HostDelay::None
        } else if wall_time >= RunLimits::max_elapsed(wall_limit) || may_delay_unnoticed() {
            HostDelay::Starved
        } else if wall_time >= RunLimits::max_elapsed_within_kernel(wall_limit) {
            HostDelay::WithinKernel
        } else {
            HostDelay::None
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use judge_model::Limit;

    use super::*;

    #[test]
    fn host_delay_follows_from_the_elapsed_time() {
        let wall_limit = Duration::from_secs(2);
        let ended = |termination, wall_s| {
            let usage = Usage {
                wall_time: Duration::from_secs(wall_s),
                ..Usage::default()
            };
            TestResult::new(Verdict::TimeLimitExceeded, &Outcome { termination, usage })
                .with_delay(wall_limit)
                .delay
        };
        let killed = Termination::Killed {
            limit: Limit::WallTime,
        };
        assert_eq!(ended(killed, 2), HostDelay::None);
        assert_eq!(ended(killed, 9), HostDelay::None);
        assert_eq!(ended(killed, 10), HostDelay::WithinKernel);
        assert_eq!(ended(killed, 20), HostDelay::Starved);
        assert_eq!(ended(Termination::Exited { code: 0 }, 20), HostDelay::None);
    }
}
