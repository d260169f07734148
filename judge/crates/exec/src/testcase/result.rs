//! The result of a test case, and when it may stand.
//!
//! Must not know how it came to be known, nor what is expected of a submission.

use std::time::Duration;

use judge_event::{Bytes, Difference, Excerpt, Interaction, Picture};
use judge_grading::ScoreFiles;
use judge_model::{Limit, Outcome, Termination, Usage, Verdict};
use judge_sandbox::RunLimits;
use serde::{Deserialize, Serialize};

use crate::jury::visualizer::Feedback;
use crate::testcase::load;

/// A program that used less than this share of the elapsed time was idle; a busier one had a busy machine.
const IDLE_SHARE: f64 = 0.05;

/// The result of a test case: from the run to the report, and as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The end of the run and what it used; with several passes, the most of any.
    pub outcome: Outcome,
    /// The first difference from the answer, if the output was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The output validator's message to the jury.
    #[serde(default, skip_serializing_if = "Bytes::is_empty")]
    pub judge_message: Bytes,
    /// The end of standard error of a submission that is not accepted; the validator's with a judge error.
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
    /// The pictures that the package's visualizers drew, where they are wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// The reasons why pictures are missing.
    #[serde(skip)]
    pub remarks_on_pictures: Vec<String>,
    /// The feedback directory, until pictures are drawn from it.
    #[serde(skip)]
    pub feedback: Option<Feedback>,
    /// The number of passes in which the submission was run.
    pub passes: u32,
    /// The hash of the output, where outputs are compared with each other. It is not kept.
    #[serde(skip)]
    pub output_hash: Option<String>,
    /// The conversation, when it did not end well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<Box<Interaction>>,
    /// True when the output validator wrote to standard output, which reaches nobody as the problem is not interactive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub validator_spoke: bool,
    /// True when it was ended only after it had waited within the kernel for long, because of the host or by its own doing,
    /// or when it is `starved`. It is worth another run.
    #[serde(skip)]
    pub held_up: bool,
    /// True when the host kept it waiting for a processor for as long as anybody waits: then nothing is known, and it
    /// is not kept.
    #[serde(skip)]
    pub starved: bool,
    /// True when an earlier run has judged it.
    #[serde(skip)]
    pub cached: bool,
    /// When the earlier run began, of one that measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<String>,
}

impl TestResult {
    /// A result of which nothing more is known than its verdict and outcome.
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
            remarks_on_pictures: Vec::new(),
            feedback: None,
            passes: 1,
            output_hash: None,
            interaction: None,
            validator_spoke: false,
            held_up: false,
            starved: false,
            cached: false,
            measured_at: None,
        }
    }

    /// The result of a submission that handed in nothing for the test case.
    #[must_use]
    pub fn unanswered() -> Self {
        let outcome = Outcome { termination: Termination::Exited { code: 0 }, usage: Usage::default() };
        let reason = Some("nothing was handed in for this test case".to_owned());
        Self { reason, ..Self::new(Verdict::WrongAnswer, &outcome) }
    }

    /// A judge error, and why.
    #[must_use]
    pub fn judge_error(outcome: &Outcome, reason: String) -> Self {
        Self { reason: Some(reason), ..Self::new(Verdict::JudgeError, outcome) }
    }

    /// The judge error of a test case that cannot be run, because something of the package is not what it was.
    #[must_use]
    pub fn refused(reason: String) -> Self {
        Self::judge_error(&Outcome { termination: Termination::Exited { code: 0 }, usage: Usage::default() }, reason)
    }

    /// True when another run would come to the same, whatever its CPU time, so that this one may stand for it. A judge
    /// error is to be looked into. A run that was ended for elapsed time may have waited for the machine, unless both
    /// sides of an interaction waited for each other.
    pub(crate) fn is_lasting(&self) -> bool {
        self.verdict != Verdict::JudgeError && !self.has_waited()
    }

    /// True when the CPU time is about the time limit.
    #[must_use]
    pub fn is_near(&self, time_limit: Duration) -> bool {
        judge_grading::near_limit(self.outcome.usage.cpu_time, time_limit)
    }

    /// True when the verdict is to be confirmed by a run alone on the machine: one that ran out of elapsed time
    /// although it was not idle, or that was not let run. A program that waits by itself takes the same time on any
    /// machine.
    #[must_use]
    pub fn wants_confirmation(&self, time_limit: Duration) -> bool {
        self.is_near(time_limit) || self.may_have_waited_for_host()
    }

    /// True when it was ended for its elapsed time although it was not idle, or was not let run.
    pub(crate) fn may_have_waited_for_host(&self) -> bool {
        let usage = &self.outcome.usage;
        let busy = usage.cpu_time.as_secs_f64() > IDLE_SHARE * usage.wall_time.as_secs_f64();
        (self.has_waited() && busy) || self.held_up || self.starved
    }

    /// True when it was ended for its elapsed time. A deadlock is one on any machine.
    pub(crate) fn has_waited(&self) -> bool {
        let deadlock = self.interaction.as_ref().is_some_and(|interaction| interaction.deadlock);
        self.outcome.termination == Termination::Killed { limit: Limit::WallTime } && !deadlock
    }

    /// Notes what is known of the host after a run that nobody else took part in: a run that was ended for its elapsed
    /// time after the longest that anybody waits was kept from running for all but its limit. Where the kernel does not
    /// say how long programs waited, it may be any on an overloaded host. One that waited within the kernel is ended before
    /// that, and stands if it does so alone: a program can do that at will, and the host is not at fault for it.
    pub(crate) fn on_this_host(mut self, wall_limit: Duration) -> Self {
        let wall_time = self.outcome.usage.wall_time;
        let longest = wall_time >= RunLimits::longest(wall_limit);
        self.held_up = self.has_waited() && wall_time >= RunLimits::longest_within_kernel(wall_limit);
        self.starved = self.has_waited() && (longest || load::may_have_kept_waiting());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_idle_is_as_idle_on_any_machine() {
        let second = Duration::from_secs(1);
        let waited = |cpu_ms, wall_s| {
            let usage = Usage {
                cpu_time: Duration::from_millis(cpu_ms),
                wall_time: Duration::from_secs(wall_s),
                ..Usage::default()
            };
            let termination = Termination::Killed { limit: Limit::WallTime };
            TestResult::new(Verdict::TimeLimitExceeded, &Outcome { termination, usage })
        };
        assert!(!waited(40, 2).wants_confirmation(second));
        assert!(waited(300, 2).wants_confirmation(second));
        let starved = waited(40, 20).on_this_host(2 * second);
        assert!(starved.starved && starved.wants_confirmation(second));
        let within_kernel = waited(40, 10).on_this_host(2 * second);
        assert!(!within_kernel.starved && within_kernel.wants_confirmation(second));
        assert!(!waited(40, 9).on_this_host(2 * second).wants_confirmation(second));
        let wrong = Outcome { termination: Termination::Exited { code: 0 }, ..waited(40, 20).outcome };
        let wrong = TestResult::new(Verdict::WrongAnswer, &wrong).on_this_host(2 * second);
        assert!(!wrong.starved && !wrong.wants_confirmation(second));
    }
}
