//! Submissions in Python whose interpreter was started before, for callers that request it.
//!
//! Responsible for deciding which results of warm runs count as verdicts, and for adding the
//! start-up time to them. Must not know how an interpreter waits for programs.
//!
//! The time that a start would have taken is added to the time of each copy. Only an accepted result
//! well within the limits counts; an ordinary run decides about all others. A submission whose two
//! results differ, or that fails more than once, gets only ordinary runs from then on.

use std::time::Duration;

use judge_model::{LanguageFamily, SubmissionPlace, Verdict};

use crate::ExecError;
use crate::interpreters::can_wait_for;
use crate::jury::visualizer::Pictures;
use crate::session::worker::{WarmSubmission, Worker};
use crate::testcase::result::TestResult;
use crate::testcase::test_run::TestRun;
use crate::warm_slot::Start;

/// The part of a limit, of time or memory, above which an ordinary run decides. A copy shares
/// pages with the waiting process, so its memory differs from that of an ordinary run by some MiB.
const MAX_PART_OF_LIMIT: f64 = 0.5;
/// The number of warm runs that may fail before a submission gets only ordinary runs. Each failure
/// costs two runs.
const MAX_FAILURES: u32 = 1;

/// The result of a run of a test case.
pub struct SubmissionResult {
    /// The run that counts; its programs may have been rebuilt.
    pub run: TestRun,
    /// The result; `None` when the run was cancelled.
    pub result: Option<TestResult>,
    /// True when the result comes from a warm run.
    pub is_warm: bool,
}

/// True for a run that is possible in a copy of a waiting interpreter: it has one process, needs no
/// separate files or `/proc`, communicates with no validator, and writes no files, by whose numbers
/// and times it could pass data to the next program.
fn can_be_warm(run: &TestRun) -> bool {
    let problem = &run.problem;
    run.program.toolchain.language.family == Some(LanguageFamily::Python)
        && run.program.warm_start().is_some()
        && run.program.content.is_some()
        && run.files.is_none()
        && !problem.allow_file_writing
        && problem.named_files.output.is_none()
        && !(problem.interactive || problem.submit_answer || problem.passes > 1)
        && !run.sees_proc()
}

impl Worker<'_> {
    /// Judges like [`judge`](Self::judge), in a copy of a waiting interpreter where the session
    /// allows it and the result counts.
    ///
    /// # Errors
    /// As for [`judge`](Self::judge).
    pub fn judge_warm(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
    ) -> Result<SubmissionResult, ExecError> {
        if self.session.interpreters.is_none() || !can_be_warm(&run) {
            return self.judge_ordinary(place, run);
        }
        let known = self
            .warm_submission
            .take()
            .filter(|known| known.digest == run.program.digest());
        let mut known = known.unwrap_or_else(|| WarmSubmission {
            digest: run.program.digest().to_owned(),
            is_excluded: !can_wait_for(&run.program),
            failures: 0,
        });
        let outcome = self.judge_in_copy(place, run, &mut known);
        self.warm_submission = Some(known);
        outcome
    }

    /// Judges like [`judge`](Self::judge).
    ///
    /// # Errors
    /// As for [`judge`](Self::judge).
    pub fn judge_ordinary(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
    ) -> Result<SubmissionResult, ExecError> {
        let (run, result) = self.judge(place, run)?;
        Ok(SubmissionResult {
            run,
            result,
            is_warm: false,
        })
    }

    fn judge_in_copy(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
        known: &mut WarmSubmission,
    ) -> Result<SubmissionResult, ExecError> {
        if known.is_excluded {
            return self.judge_ordinary(place, run);
        }
        let (mut warm, start) = self.run_warm(place, &run)?;
        // Cancelled, or started as usual: no interpreter could run it.
        let Some(result) = warm.result.as_mut().filter(|_| warm.is_warm) else {
            known.is_excluded |= warm.result.is_some();
            return Ok(warm);
        };
        let usage = &mut result.outcome.usage;
        usage.cpu_time += start;
        usage.wall_time += start;
        let memory_limit = run.problem.limits.memory_bytes as f64;
        let is_within = usage.cpu_time.max(usage.wall_time)
            <= run.time_limit.mul_f64(MAX_PART_OF_LIMIT)
            && usage.memory_bytes as f64 <= memory_limit * MAX_PART_OF_LIMIT;
        let verdict = result.verdict;
        if verdict == Verdict::Accepted && is_within {
            return Ok(warm);
        }
        let outcome = self.judge_ordinary(place, run)?;
        let disagrees = outcome
            .result
            .as_ref()
            .is_some_and(|ordinary| ordinary.verdict != verdict);
        known.failures += 1;
        if disagrees || known.failures > MAX_FAILURES {
            known.is_excluded = true;
        }
        Ok(outcome)
    }

    /// Judges in a copy of a waiting interpreter, where that is possible. Also returns the time that
    /// a start would have taken.
    fn run_warm(
        &mut self,
        place: SubmissionPlace,
        run: &TestRun,
    ) -> Result<(SubmissionResult, Duration), ExecError> {
        // A result that needs pictures is not accepted, so the ordinary run draws them.
        let run = TestRun {
            pictures: Pictures::None,
            ..run.clone()
        };
        let ((outcome, saved), is_warm) = self.starting(Start::SharedInterpreter, |worker| {
            let outcome = worker.judge(place, run);
            (outcome, worker.saved_start())
        });
        let (run, result) = outcome?;
        let outcome = SubmissionResult {
            run,
            result,
            is_warm,
        };
        Ok((outcome, saved))
    }
}
