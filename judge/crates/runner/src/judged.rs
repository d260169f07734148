//! What is known after a test case, and whether that may stand.
//!
//! Must not know how it came to be known, nor what is expected of a submission.

use std::time::Duration;

use judge_event::{Bytes, Difference, Excerpt, Interaction};
use judge_grading::ScoreFiles;
use judge_model::{Limit, Outcome, Termination, Usage, Verdict};

/// A program that used less than this share of the elapsed time was idle; a busier one had a busy machine.
const IDLE_SHARE: f64 = 0.05;

/// What is known after a test case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    pub(crate) difference: Option<Difference>,
    pub(crate) judge_message: Bytes,
    pub(crate) stderr: Excerpt,
    pub(crate) reason: Option<String>,
    /// What the output validator said about the score.
    pub(crate) score_files: ScoreFiles,
    pub(crate) team_message: Bytes,
    /// How often the submission was run.
    pub(crate) passes: u32,
    /// Tells outputs apart, where that is asked for; by the hash of what was written.
    pub(crate) output_hash: Option<String>,
    /// What was said, when that did not end well.
    pub(crate) interaction: Option<Box<Interaction>>,
    /// Whether an earlier run has judged it ([`crate::results`]).
    pub(crate) cached: bool,
}

impl Judged {
    pub(crate) fn new(verdict: Verdict, outcome: &Outcome) -> Self {
        Self {
            verdict,
            outcome: outcome.clone(),
            difference: None,
            judge_message: Bytes::default(),
            stderr: Excerpt::default(),
            reason: None,
            score_files: ScoreFiles::default(),
            team_message: Bytes::default(),
            passes: 1,
            output_hash: None,
            interaction: None,
            cached: false,
        }
    }

    /// Nothing was handed in for the test case.
    pub(crate) fn unanswered() -> Self {
        let outcome = Outcome { termination: Termination::Exited { code: 0 }, usage: Usage::default() };
        let reason = Some("nothing was handed in for this test case".to_owned());
        Self { reason, ..Self::new(Verdict::WrongAnswer, &outcome) }
    }

    pub(crate) fn judge_error(outcome: &Outcome, reason: String) -> Self {
        Self { reason: Some(reason), ..Self::new(Verdict::JudgeError, outcome) }
    }

    /// Whether another run would come to the same, whatever its CPU time, so that this one may stand for it. A judge error is
    /// to be looked into. What was ended for elapsed time may have waited for the machine, unless both sides of an
    /// interaction waited for each other.
    pub(crate) fn is_lasting(&self) -> bool {
        let deadlock = self.interaction.as_ref().is_some_and(|interaction| interaction.deadlock);
        let waited = self.outcome.termination == Termination::Killed { limit: Limit::WallTime } && !deadlock;
        self.verdict != Verdict::JudgeError && !waited
    }

    /// Whether the CPU time is about the time limit.
    pub(crate) fn is_near(&self, time_limit: Duration) -> bool {
        judge_grading::near_limit(self.outcome.usage.cpu_time, time_limit)
    }

    /// Whether the verdict is to be confirmed by a run alone on the machine. On one that is overloaded, a program that
    /// was kept waiting looks like one that is idle.
    pub(crate) fn wants_confirmation(&self, time_limit: Duration, overloaded: impl FnOnce() -> bool) -> bool {
        let usage = &self.outcome.usage;
        let busy = usage.cpu_time.as_secs_f64() > IDLE_SHARE * usage.wall_time.as_secs_f64();
        // A deadlock is one on any machine.
        let deadlock = self.interaction.as_ref().is_some_and(|interaction| interaction.deadlock);
        let waited = self.outcome.termination == Termination::Killed { limit: Limit::WallTime } && !deadlock;
        self.is_near(time_limit) || (waited && (busy || overloaded()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_idle_is_confirmed_only_where_others_may_have_kept_it_waiting() {
        let second = Duration::from_secs(1);
        let waited = |cpu_ms| {
            let usage = Usage {
                cpu_time: Duration::from_millis(cpu_ms),
                wall_time: Duration::from_secs(2),
                ..Usage::default()
            };
            let termination = Termination::Killed { limit: Limit::WallTime };
            Judged::new(Verdict::TimeLimitExceeded, &Outcome { termination, usage })
        };
        let overloaded = |is: bool| move || is;
        assert!(!waited(40).wants_confirmation(second, overloaded(false)));
        assert!(waited(40).wants_confirmation(second, overloaded(true)));
        assert!(waited(300).wants_confirmation(second, overloaded(false)));
        let wrong = Outcome { termination: Termination::Exited { code: 0 }, ..waited(40).outcome };
        assert!(!Judged::new(Verdict::WrongAnswer, &wrong).wants_confirmation(second, overloaded(true)));
    }
}
