//! Passes: running a submission again, on what the validator wants it to be given next.
//!
//! Responsible for what goes from pass to pass. Must not decide whether there is another one.
//!
//! Source: 2025-09, "Multi-pass".

use std::path::PathBuf;

use judge_model::Usage;

use crate::next_pass::NextPass;

/// Where the passes over one test case stand.
#[derive(Debug)]
pub(crate) struct Passes {
    /// Counted from 1.
    number: u32,
    /// What the pass before left.
    earlier: Option<NextPass>,
    /// The most that earlier passes used.
    used: Option<Usage>,
}

impl Passes {
    /// Before the first one.
    pub(crate) fn new() -> Self {
        Self { number: 1, earlier: None, used: None }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// What the pass before left, if there was one.
    pub(crate) fn earlier(&self) -> Option<&NextPass> {
        self.earlier.as_ref()
    }

    /// The input of this pass, if it is not the test case's own.
    pub(crate) fn input(&self) -> Option<PathBuf> {
        self.earlier.as_ref().map(NextPass::input)
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
            instructions: before.instructions.most(usage.instructions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
