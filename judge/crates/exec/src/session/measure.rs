//! Measuring: running submissions again and again on one core, to compare what they use.
//!
//! Responsible for one judged run at a time, by the same way as in a run: every kind of problem works, and each
//! measurement has a verdict. Must not know in which order submissions are measured, nor what follows from their times.

use std::sync::Arc;
use std::time::Duration;

use judge_grading::{Attempt, Confirmation, Decision, KILL_AT};
use judge_model::{SubmissionPlace, TestCaseIndex};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::build::program::Runnable;
use crate::fault::{Fault, Refusal};
use crate::jury::visualizer::Pictures;
use crate::session::TimeLimit;
use crate::session::worker::Worker;
use crate::testcase::execute::{OutputCheck, TestRun};
use crate::testcase::result::TestResult;

/// A submission that is ready to run.
#[derive(Clone, Debug)]
pub struct PreparedSubmission {
    /// Its place in the session.
    pub place: SubmissionPlace,
    /// The program that it was compiled to.
    pub program: Arc<Runnable>,
    /// The check of its output.
    pub judgement: Arc<OutputCheck>,
}

impl PreparedSubmission {
    /// True when both were compiled to the same bytes. What was not compiled is what it is made of.
    #[must_use]
    pub fn is_same_program(&self, other: &Self) -> bool {
        match (&self.program.content, &other.program.content) {
            (Some(content), Some(of_other)) => content.digest() == of_other.digest(),
            _ => false,
        }
    }
}

impl Worker<'_> {
    /// Makes a submission ready: compiles it, and what judges its output.
    ///
    /// # Errors
    /// When it cannot be run, for a fault of its own, of the package or of the host.
    pub fn prepare_submission(&mut self, place: SubmissionPlace) -> Result<PreparedSubmission, Fault> {
        let session = self.session;
        let timed = session.problems.get(place.problem.0);
        let known = timed.and_then(|timed| timed.problem.submissions.get(place.submission.0));
        let Some(entered) = known else { return Err(Refusal::of_submission("there is no such submission").into()) };
        let has_tools = entered.language.as_ref().is_some_and(|language| session.tools.are_for_submissions(language));
        if !has_tools && !session.problem(place.problem).submit_answer {
            return Err(Refusal::of_submission("this host has no tools for its language").into());
        }
        let program = self.compile(place)?.result.map_err(|failure| {
            let why = format!("it {}", failure.in_words());
            Refusal::Submission { why, compiler_said: failure.said }
        })?;
        Ok(PreparedSubmission { place, program, judgement: self.prepare(place.problem, Trust::Content)? })
    }

    /// The run of a submission on a test case. Time beyond the limit is irrelevant here, so it is killed early.
    pub(super) fn measured_run(
        &self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<TestRun, ExecError> {
        let time_limit = self.session.problems[prepared.place.problem.0].time_limit;
        let run = self.test_run(prepared, test_case, TimeLimit { time_limit, kill_at: KILL_AT })?;
        Ok(TestRun { pictures: Pictures::None, ..run })
    }

    /// Runs and judges a submission on a test case with its pictures, whatever the verdict; `None` when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission or a program of the package does is one.
    pub fn illustrated(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = self.measured_run(prepared, test_case)?;
        let (_, judged) = self.judge(prepared.place, TestRun { pictures: Pictures::Always, ..run })?;
        Ok(judged)
    }

    /// Measures a submission on a test case; `None` when it was cancelled.
    ///
    /// # Errors
    /// As for [`Self::confirmed`].
    pub fn measure(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = self.measured_run(prepared, test_case)?;
        self.confirmed(prepared.place, run, Confirmation::of_measurement())
    }

    /// Measures in the same way with a time limit of its own, where that is less than the problem's, and ends the run
    /// there: for callers that ask whether a submission takes longer, and not by how much.
    ///
    /// # Errors
    /// As for [`Self::confirmed`].
    pub fn measure_within(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        time_limit: Duration,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = self.measured_run(prepared, test_case)?;
        let run = TestRun { time_limit: run.time_limit.min(time_limit), kill_at: 1.0, ..run };
        self.confirmed(prepared.place, run, Confirmation::of_measurement())
    }

    /// Runs and judges until a result stands; `None` when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host, among them [`ExecError::Starved`]; nothing that a submission does is one.
    pub fn confirmed(
        &mut self,
        place: SubmissionPlace,
        mut run: TestRun,
        confirmation: Confirmation,
    ) -> Result<Option<TestResult>, ExecError> {
        let mut attempt = Attempt::First;
        loop {
            // The programs may have been made again meanwhile; the next run is with these.
            let (same, result) = self.judge(place, run)?;
            let Some(result) = result else { return Ok(None) };
            match confirmation.after(attempt, &result.evidence()) {
                Decision::Stands => return Ok(Some(result)),
                Decision::Again(next) => (attempt, run) = (next, same),
                Decision::HostFault => return Err(ExecError::Starved),
            }
        }
    }
}
