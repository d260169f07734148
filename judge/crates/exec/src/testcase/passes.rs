//! Passes: a submission is run again on the input that the validator wrote for the next pass.
//!
//! Responsible for the files that go from pass to pass, and for the time of all passes. Must not
//! know how a pass is run.
//!
//! Source: 2025-09, "Multi-pass".

use std::path::PathBuf;
use std::time::{Duration, Instant};

use judge_grading::{PassDecision, PassTimes, ValidatorDecision, next_pass};
use judge_model::Usage;

use crate::jury::next_pass::NextPass;
use crate::jury::reply::Reply;

/// The state of the passes of one test case.
#[derive(Debug)]
pub(crate) struct Passes {
    /// The number of the current pass, counted from 1.
    pub(crate) number: u32,
    /// The time when the first pass began.
    begun: Instant,
    /// The files that the pass before left.
    pub(crate) earlier: Option<NextPass>,
    /// The maximum of each figure over the earlier passes.
    used: Option<Usage>,
}

impl Passes {
    /// Creates the state before the first pass.
    pub(crate) fn new() -> Self {
        Self {
            number: 1,
            begun: Instant::now(),
            earlier: None,
            used: None,
        }
    }

    /// The input of this pass, if it is not the test case's own.
    pub(crate) fn input(&self) -> Option<PathBuf> {
        self.earlier.as_ref().map(NextPass::input)
    }

    /// Takes the next pass out of a reply, if the validator requests one and is allowed to: there
    /// are at most `passes`, each of which may take `max_pass_time`.
    pub(crate) fn next(
        &self,
        mut reply: Reply,
        passes: u32,
        max_pass_time: Duration,
    ) -> (Reply, Option<NextPass>) {
        let wrote = reply.next_pass.take();
        // The clock runs from the first pass on, because the bound applies to all passes together.
        let times = PassTimes {
            elapsed: self.begun.elapsed(),
            max_pass_time,
        };
        match next_pass(&reply.decision, wrote.is_some(), self.number, passes, times) {
            PassDecision::Over => (reply, None),
            PassDecision::Next => (reply, wrote),
            PassDecision::JudgeError { reason } => {
                reply.decision = ValidatorDecision::JudgeError { reason };
                (reply, None)
            }
        }
    }

    /// Begins the next pass.
    pub(crate) fn advance(&mut self, next: NextPass, used: Usage) {
        self.used = Some(self.maximum(used));
        self.number += 1;
        self.earlier = Some(next);
    }

    /// The maximum of each figure over this pass and the earlier ones: limits hold for each pass.
    pub(crate) fn maximum(&self, usage: Usage) -> Usage {
        let Some(before) = self.used else {
            return usage;
        };
        Usage {
            cpu_time: before.cpu_time.max(usage.cpu_time),
            wall_time: before.wall_time.max(usage.wall_time),
            memory_bytes: before.memory_bytes.max(usage.memory_bytes),
            stdout_bytes: before.stdout_bytes.max(usage.stdout_bytes),
            stderr_bytes: before.stderr_bytes.max(usage.stderr_bytes),
            memory_kills: before.memory_kills.max(usage.memory_kills),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use judge_event::{Bytes, Excerpt};

    use crate::store::programs::ProgramCache;

    /// Returns the reply of a validator that always requests another pass.
    fn reply_requesting_another_pass(cache: &ProgramCache, work: &Path) -> Reply {
        let work = std::fs::File::open(work).unwrap().into();
        Reply {
            decision: ValidatorDecision::Accepted,
            judge_message: Bytes::default(),
            team_message: Bytes::default(),
            score_files: judge_grading::ScoreFiles::default(),
            next_pass: Some(NextPass::keep(cache, &work, b"again", 1 << 20).unwrap()),
            stderr: Excerpt::default(),
            timed_out: false,
            spoke: false,
            feedback: None,
        }
    }

    #[test]
    fn too_many_passes_are_a_judge_error() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let work = dir.path().join("work");
        std::fs::create_dir(&work).unwrap();
        std::fs::write(work.join("nextpass.in"), "again").unwrap();
        let max_pass_time = Duration::from_millis(10);
        let (mut passes, begun) = (Passes::new(), Instant::now());
        let (reply, next) = loop {
            let (reply, next) = passes.next(
                reply_requesting_another_pass(&cache, &work),
                1_000_000_000,
                max_pass_time,
            );
            let Some(next) = next else {
                break (reply, next);
            };
            passes.advance(next, Usage::default());
            assert!(begun.elapsed() < Duration::from_secs(30), "{passes:?}");
        };
        assert!(next.is_none() && passes.number >= 10, "{passes:?}");
        assert!(begun.elapsed() >= 10 * max_pass_time);
        let ValidatorDecision::JudgeError { reason } = reply.decision else {
            panic!("{reply:?}")
        };
        assert!(
            reason.starts_with("the output validator requested another pass"),
            "{reason}"
        );
    }

    #[test]
    fn usage_is_the_maximum_over_passes() {
        let usage = |millis| Usage {
            cpu_time: Duration::from_millis(millis),
            ..Usage::default()
        };
        let mut passes = Passes::new();
        assert_eq!(
            (passes.number, passes.input(), passes.maximum(usage(3))),
            (1, None, usage(3))
        );
        for (used, max) in [(9, 9), (2, 9)] {
            passes.used = Some(passes.maximum(usage(used)));
            assert_eq!(passes.maximum(usage(5)), usage(max));
        }
    }
}
