//! A submission on a test case, before it runs.
//!
//! Must not know how it runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_grading::{CompareOptions, TestLimits, wall_limit};
use judge_model::{Problem, TestCase, TestCaseIndex};

use crate::build::program::Runnable;
use crate::jury::reply::Question;
use crate::jury::visualizer::Pictures;

/// The check of the output, ready for use.
#[derive(Clone, Debug)]
pub enum OutputCheck {
    /// In process, with the options of each test case, in the order of the problem's test cases.
    Default(Vec<CompareOptions>),
    /// By programs of the package, all of which must accept. Only legacy packages have more than
    /// one.
    Custom(Vec<Arc<Runnable>>),
    /// No check: a program that ends normally is accepted. For callers that use the output.
    Unjudged,
}

impl OutputCheck {
    /// The programs of the package.
    fn programs(&self) -> &[Arc<Runnable>] {
        match self {
            Self::Custom(programs) => programs,
            Self::Default(_) | Self::Unjudged => &[],
        }
    }

    /// The digests of its programs.
    #[must_use]
    pub fn digests(&self) -> Vec<&str> {
        self.programs()
            .iter()
            .map(|program| program.digest())
            .collect()
    }
}

/// A submission on a test case.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The check of the output.
    pub output_check: Arc<OutputCheck>,
    /// The submission, compiled.
    pub program: Arc<Runnable>,
    /// Index among the problem's test cases.
    pub test_case: TestCaseIndex,
    /// For a problem of type `submit-answer`: the submitted file for the test case, if any.
    pub answer: Option<PathBuf>,
    /// The files for the working directory, copied into the cache.
    pub files: Option<PathBuf>,
    /// The time limit in force.
    pub time_limit: Duration,
    /// The multiple of the time limit at which it is killed.
    pub kill_at: f64,
    /// True when the hash of the output is requested, which shows equal outputs.
    pub output_hash: bool,
    /// True when the conversation is part of the result even if the submission is accepted.
    pub transcript: bool,
    /// The pictures that are drawn of it.
    pub pictures: Pictures,
}

impl TestRun {
    /// Returns the programs that its result depends on.
    pub fn programs(&self) -> impl Iterator<Item = &Runnable> {
        [&self.program]
            .into_iter()
            .chain(self.output_check.programs())
            .map(|program| &**program)
    }

    pub(super) fn test_case(&self) -> &TestCase {
        &self.problem.test_cases[self.test_case]
    }

    /// The limits by which its outcome is classified.
    pub(super) fn test_limits(&self) -> TestLimits {
        TestLimits {
            cpu_time: self.time_limit,
            wall_time: wall_limit(self.time_limit, self.kill_at),
            memory_bytes: self.problem.limits.memory_bytes,
            output_bytes: self.problem.limits.output_bytes,
        }
    }

    /// The maximum time that one pass may take.
    pub(super) fn max_pass_time(&self) -> Duration {
        wall_limit(self.time_limit, self.kill_at)
            + Question::for_test_case(&self.problem, self.test_case())
                .test_limits()
                .wall_time
    }

    /// True when the submission sees `/proc`. A file that was added to it may start it by
    /// `/proc/self/exe`.
    pub(crate) fn sees_proc(&self) -> bool {
        self.program.sees_proc(&self.test_case().args) || self.program.at_hand
    }
}
