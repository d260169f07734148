//! Passes: running a submission again, on what the validator wants it to be given next.
//!
//! Responsible for what goes from pass to pass, and for how long all of them take. Must not know how a pass is judged.
//!
//! Source: 2025-09, "Multi-pass".

use std::path::PathBuf;
use std::time::{Duration, Instant};

use judge_grading::{PassDecision, PassTimes, ValidatorDecision, next_pass};
use judge_model::Usage;

use crate::jury::next_pass::NextPass;
use crate::jury::output_validator::Reply;

/// The state of the passes over one test case.
#[derive(Debug)]
pub(crate) struct Passes {
    /// Counted from 1.
    number: u32,
    /// When the first one began.
    begun: Instant,
    /// The files that the pass before left.
    earlier: Option<NextPass>,
    /// The most that earlier passes used.
    used: Option<Usage>,
}

impl Passes {
    /// Before the first one.
    pub(crate) fn new() -> Self {
        Self { number: 1, begun: Instant::now(), earlier: None, used: None }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// The files that the pass before left, if there was one.
    pub(crate) fn earlier(&self) -> Option<&NextPass> {
        self.earlier.as_ref()
    }

    /// The input of this pass, if it is not the test case's own.
    pub(crate) fn input(&self) -> Option<PathBuf> {
        self.earlier.as_ref().map(NextPass::input)
    }

    /// Takes the next pass out of a reply, if the validator wants one and may: of `passes` at most, each of which may
    /// take as long as `longest_pass`.
    pub(crate) fn next(&self, mut reply: Reply, passes: u32, longest_pass: Duration) -> (Reply, Option<NextPass>) {
        let wrote = reply.next_pass.take();
        let times = PassTimes { elapsed: self.begun.elapsed(), longest_pass };
        match next_pass(&reply.decision, wrote.is_some(), self.number, passes, times) {
            PassDecision::Over => (reply, None),
            PassDecision::Next => (reply, wrote),
            PassDecision::JudgeError { reason } => {
                reply.decision = ValidatorDecision::JudgeError { reason };
                (reply, None)
            }
        }
    }

    /// Goes on to the next pass.
    pub(crate) fn go_on(&mut self, next: NextPass, used: Usage) {
        self.used = Some(self.most(used));
        self.number += 1;
        self.earlier = Some(next);
    }

    /// The most of every figure, over this pass and those before: limits hold for each pass.
    pub(crate) fn most(&self, usage: Usage) -> Usage {
        let Some(before) = self.used else { return usage };
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

    /// A validator that always wants another pass.
    fn insatiable(cache: &ProgramCache, work: &Path) -> Reply {
        let work = std::fs::File::open(work).unwrap().into();
        Reply {
            decision: ValidatorDecision::Accepted,
            judge_message: Bytes::default(),
            team_message: Bytes::default(),
            score: None,
            score_multiplier: None,
            next_pass: Some(NextPass::keep(cache, &work, b"again", 1 << 20).unwrap()),
            stderr: Excerpt::default(),
            timed_out: false,
            stdout_bytes: 0,
            feedback: None,
        }
    }

    #[test]
    fn a_validator_that_always_wants_another_pass_has_an_end() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ProgramCache::open(&dir.path().join("cache")).unwrap();
        let work = dir.path().join("work");
        std::fs::create_dir(&work).unwrap();
        std::fs::write(work.join("nextpass.in"), "again").unwrap();
        let longest_pass = Duration::from_millis(10);
        let (mut passes, begun) = (Passes::new(), Instant::now());
        let (reply, next) = loop {
            let (reply, next) = passes.next(insatiable(&cache, &work), 1_000_000_000, longest_pass);
            let Some(next) = next else { break (reply, next) };
            passes.go_on(next, Usage::default());
            assert!(begun.elapsed() < Duration::from_secs(30), "{passes:?}");
        };
        assert!(next.is_none() && passes.number() >= 10, "{passes:?}");
        assert!(begun.elapsed() >= 10 * longest_pass);
        let ValidatorDecision::JudgeError { reason } = reply.decision else { panic!("{reply:?}") };
        assert!(reason.starts_with("the output validator wanted another pass"), "{reason}");
    }

    #[test]
    fn the_slowest_pass_counts() {
        let usage = |millis| Usage { cpu_time: Duration::from_millis(millis), ..Usage::default() };
        let mut passes = Passes::new();
        assert_eq!((passes.number(), passes.input(), passes.most(usage(3))), (1, None, usage(3)));
        for (used, most) in [(9, 9), (2, 9)] {
            passes.used = Some(passes.most(usage(used)));
            assert_eq!(passes.most(usage(5)), usage(most));
        }
    }
}
