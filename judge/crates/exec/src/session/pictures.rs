//! Pictures of test cases and of submissions' output, in a session.
//!
//! Responsible for choosing the visualizer and the moment. Must not know how one is run or where
//! pictures are shown.

use judge_model::{Problem, Program, TestCase, TestCaseIndex, Verdict};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::fault::Fault;
use crate::jury::reply::Question;
use crate::jury::visualizer::{Drawing, Illustration, Pictures, Subject};
use crate::session::questions::ReadyOutputValidators;
use crate::session::worker::Worker;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::TestRun;

impl Worker<'_> {
    /// Adds the pictures of a run to its result, if they are to be drawn.
    pub(super) fn illustrate(
        &mut self,
        run: &TestRun,
        result: &mut TestResult,
    ) -> Result<(), ExecError> {
        let problem = &run.problem;
        // Taken in any case, so that the directory goes when no picture is drawn from it.
        let feedback = result.feedback.take();
        let is_drawn = match run.pictures {
            Pictures::None => false,
            Pictures::OfRejected => {
                !matches!(result.verdict, Verdict::Accepted | Verdict::JudgeError)
            }
            Pictures::Always => true,
        };
        if !is_drawn {
            return Ok(());
        }
        let case = &problem.test_cases[run.test_case];
        let mut found = self.drawn(problem, case, &Subject::Input)?;
        // An output visualizer is run after an output validator only.
        if matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer) {
            let output = if problem.interactive {
                Vec::new()
            } else {
                self.capture.stdout.clone()
            };
            let subject = Subject::Output(&output, feedback.as_ref());
            found.add(self.drawn(problem, case, &subject)?);
        }
        result.pictures = found.pictures;
        result.picture_remarks = found.remarks;
        Ok(())
    }

    /// Draws a test case of the session's problem, and an output outside of a run, such as its
    /// answer.
    ///
    /// # Errors
    /// Faults of the host only; a program of the package cannot cause one.
    pub fn illustrate_case(
        &mut self,
        problem: &Problem,
        test_case: TestCaseIndex,
        validators: &ReadyOutputValidators,
        output: &[u8],
    ) -> Result<Illustration, ExecError> {
        let case = &problem.test_cases[test_case];
        let mut found = self.drawn(problem, case, &Subject::Input)?;
        if problem.output_visualizer.is_none() || problem.interactive || problem.passes > 1 {
            return Ok(found);
        }
        // An output visualizer reads the feedback directory that the validator has filled, so
        // the validator runs first, even where its decision is known.
        let question = Question {
            output,
            keep_feedback: true,
            ..Question::for_test_case(problem, case)
        };
        let feedback = match validators.programs() {
            Some(programs) => self
                .output_validation(false)?
                .ask_all(programs, &question)?
                .and_then(|reply| reply.feedback),
            None => None,
        };
        let subject = Subject::Output(output, feedback.as_ref());
        found.add(self.drawn(problem, case, &subject)?);
        Ok(found)
    }

    fn drawn(
        &mut self,
        problem: &Problem,
        case: &TestCase,
        subject: &Subject<'_>,
    ) -> Result<Illustration, ExecError> {
        let (program, role) = match subject {
            Subject::Input => (&problem.input_visualizer, "input visualizer"),
            Subject::Output(..) => (&problem.output_visualizer, "output visualizer"),
        };
        let Some(program) = program else {
            return Ok(Illustration::default());
        };
        let ready = match self.ready(program, role, problem, Trust::Content) {
            Ok(ready) => ready,
            Err(fault) => {
                // A visualizer that does not compile only means that the picture is missing:
                // results never depend on it.
                return Ok(Illustration::missing(fault.refusal()?.to_string()));
            }
        };
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        let mut drawing = Drawing {
            slot: self.validators()?,
            cache,
            cancel: &cancel,
            limits: &problem.limits,
        };
        let drawn = drawing.draw(&ready, case, subject);
        let mut drawn = Fault::answer(drawn, Illustration::missing)?;
        for remark in &mut drawn.remarks {
            *remark = format!("{role}: {remark}");
        }
        Ok(drawn)
    }

    /// Compiles a visualizer of a package.
    ///
    /// # Errors
    /// Faults of the package, with the compiler's message, and of the host.
    pub fn program_compiles(
        &mut self,
        problem: &Problem,
        program: &Program,
        role: &str,
    ) -> Result<(), Fault> {
        self.ready(program, role, problem, Trust::Content).map(drop)
    }
}
