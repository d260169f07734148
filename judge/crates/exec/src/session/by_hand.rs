//! Talking with an output validator in a submission's place.
//!
//! Responsible for giving the validator of an interactive problem a partner that is no program. Must not know who that is.

use judge_grading::InteractionDecision;
use judge_model::{ProblemIndex, TestCaseIndex, Verdict};
use judge_sandbox::{Capture, Execution, RunLimits, Slot};

use crate::build::compile::Trust;
use crate::fault::{Fault, Refusal};
use crate::jury::output_validator::{OutputValidation, Question, test_limits};
use crate::session::worker::Worker;
use crate::testcase::execute::OutputCheck;
use crate::testcase::interaction::SubmissionSide;
use crate::testcase::result::TestResult;
use crate::testcase::transcript::Transcript;

impl Worker<'_> {
    /// Lets a partner talk with the output validator of an interactive problem on a test case, in the first pass; `None` when
    /// that was cancelled. The partner is asked to run with the duplex as its input, and ends when it returns.
    ///
    /// # Errors
    /// Faults of the package and of the host.
    pub fn talk(
        &mut self,
        problem: ProblemIndex,
        test_case: TestCaseIndex,
        partner: &mut dyn Slot,
    ) -> Result<Option<TestResult>, Fault> {
        let check = self.prepare(problem, Trust::Content)?;
        let timed = &self.session.problems[problem.0];
        let (of, wall_time) = (std::sync::Arc::clone(&timed.problem), timed.time_limit);
        let OutputCheck::Custom(validators) = &*check else {
            return Err(Refusal::Package("the problem is not interactive".to_owned()).into());
        };
        let question = Question::of_test_case(&of, &of.test_cases[test_case]);
        let limits = RunLimits {
            cpu_time: wall_time,
            wall_time,
            memory_bytes: of.limits.memory_bytes,
            stdout_bytes: of.limits.output_bytes,
            stderr_bytes: 0,
            processes: 1,
        };
        let cancel = self.cancel.clone();
        let execution = Execution::new(Vec::new(), limits, cancel.clone());
        let limits = test_limits(&execution.limits);
        let session = self.session;
        let speaker = SubmissionSide { slot: partner, capture: &mut Capture::default(), execution, limits };
        let mut validating =
            OutputValidation { slot: self.validators()?, cache: &session.cache, cancel: &cancel, strict_text: false };
        let Some(end) = validating.talk(&validators[0], &question, speaker, &mut Transcript::default())? else {
            return Ok(None);
        };
        let result = match end.decision {
            InteractionDecision::Cancelled => return Ok(None),
            InteractionDecision::JudgeError { reason } => TestResult::judge_error(&end.outcome, reason),
            InteractionDecision::Verdict(verdict) => TestResult::new(verdict, &end.outcome),
        };
        let judged = matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer | Verdict::JudgeError);
        let judge_message = if judged { end.reply.judge_message } else { judge_event::Bytes::default() };
        Ok(Some(TestResult { judge_message, ..result }))
    }
}
