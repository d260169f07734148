//! The state that the dispatcher and the workers share, and the reports of the workers to the
//! dispatcher.
//!
//! Must not know how jobs are run.

use std::sync::Arc;

use judge_exec::{
    Compiled, ExecError, OutputCheck, Refusal, Results, Session, StaticValidation, TestResult,
};
use judge_grading::Attempt;
use judge_model::{ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::lanes::Lanes;
use crate::schedule::{Job, Schedule};
use crate::work::Work;

/// The state that all workers share.
pub(crate) struct Shared {
    pub(crate) work: Work,
    pub(crate) session: Session,
    /// The store of results, if they are cached.
    pub(crate) results: Option<Arc<Results>>,
    /// The store of the measured runs, if they are cached.
    pub(crate) measured: Option<Arc<Results>>,
    /// The time at which the run began, as it is written in events.
    pub(crate) began: Option<String>,
    pub(crate) schedule: Schedule,
    /// The lanes to which this run belongs, if there are several.
    pub(crate) lanes: Option<Arc<Lanes>>,
    /// The core of each worker; workers beyond the list are not pinned.
    pub(crate) cores: Vec<usize>,
}

impl Shared {
    /// Describes a job.
    pub(crate) fn name_of(&self, job: &Job) -> String {
        let named = |place: SubmissionPlace| {
            let (planned, submission) = self.work.submission(place);
            format!("submission {place}, {} {}", planned.name, submission.id)
        };
        match job {
            Job::Prepare { problem } => format!("prepare {}", self.work.problem(*problem).name),
            Job::Compile { submission } => format!("compile {}", named(*submission)),
            Job::Ask {
                submission,
                question,
            } => format!("ask {question:?} of {}", named(*submission)),
            Job::Test {
                prepared,
                test_case,
                attempt,
            } => {
                let problem = &self.work.problem(prepared.place.problem).problem;
                format!(
                    "run {} on {}, {attempt:?}",
                    named(prepared.place),
                    problem.test_cases[*test_case].id
                )
            }
        }
    }
}

/// The answer of a program of the package to a question about a group.
#[derive(Debug)]
pub(crate) enum GroupAnswer {
    /// Of the static validator.
    Validated(StaticValidation),
    /// Of the grader; a refusal is worded to follow "the grader".
    Graded(Result<Vec<u8>, Refusal>),
}

/// The report of a worker about a job.
pub(crate) enum Report {
    Prepared {
        problem: ProblemIndex,
        result: Result<Arc<OutputCheck>, Refusal>,
    },
    Compiled {
        submission: SubmissionPlace,
        compiled: Compiled,
        /// The results of earlier runs of the judge, each with the index of its test case.
        cached: Vec<(TestCaseIndex, TestResult)>,
    },
    /// `None` when it was cancelled.
    TestResult {
        submission: SubmissionPlace,
        test_case: TestCaseIndex,
        attempt: Attempt,
        result: Option<Box<TestResult>>,
    },
    /// The answer to a question about a group.
    Answered {
        submission: SubmissionPlace,
        answer: GroupAnswer,
    },
    /// `job` is `None` when the failure did not belong to a job.
    Failed { job: Option<Job>, error: ExecError },
}
