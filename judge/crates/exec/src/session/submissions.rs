//! Submissions in a session: compiling them, making ready how they are judged, and judging them.
//!
//! Responsible for the way from a submission and a test case to a result. Must not know in which order results are
//! wanted, nor what follows from them.

use std::sync::Arc;

use judge_grading::CompareOptions;
use judge_model::{Grading, OutputValidator, ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::build::compiled::{Compiled, answers, refused};
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::fault::{Fault, Refusal};
use crate::jury::visualizer::Pictures;
use crate::session::TimeLimit;
use crate::session::measure::PreparedSubmission;
use crate::session::worker::{JudgingSlots, Worker};
use crate::testcase::execute::{OutputCheck, TestExecutor, TestRun};
use crate::testcase::result::TestResult;

impl Worker<'_> {
    /// The test run of a submission that is ready, on a test case of its problem.
    ///
    /// # Errors
    /// When the files of the test case cannot be copied into the cache.
    pub fn test_run(
        &self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        limit: TimeLimit,
    ) -> Result<TestRun, ExecError> {
        let PreparedSubmission { place, program, judgement } = prepared;
        let problem = self.session.problem(place.problem);
        let case = &problem.test_cases[test_case];
        Ok(TestRun {
            problem: Arc::clone(problem),
            judgement: Arc::clone(judgement),
            program: Arc::clone(program),
            test_case,
            answer: self.session.submission(*place).answers.get(&case.id).cloned(),
            files: self.copied_files(case)?,
            time_limit: limit.time_limit,
            kill_at: limit.kill_at,
            output_hash: self.session.output_hashes,
            transcript: false,
            pictures: Pictures::OfRejected,
        })
    }

    /// Compiles a submission, or takes it from the cache when it is whole there.
    ///
    /// # Errors
    /// Faults of the host; a refusal of the compiler is in the result.
    pub fn compile(&mut self, place: SubmissionPlace) -> Result<Compiled, ExecError> {
        self.compile_with(place, Trust::Content)
    }

    /// The same, where it is said how the cache's copy is trusted.
    ///
    /// # Errors
    /// As for [`Self::compile`].
    pub fn compile_with(&mut self, place: SubmissionPlace, trust: Trust) -> Result<Compiled, ExecError> {
        let problem = self.session.problem(place.problem);
        let submission = self.session.submission(place);
        if problem.submit_answer {
            return Ok(answers());
        }
        let toolchain = submission.language.as_ref().and_then(|language| self.session.tools.of(language));
        let toolchain = Arc::clone(toolchain.expect("a submission without a toolchain is never scheduled"));
        if problem.languages.as_ref().is_some_and(|allowed| !allowed.contains(&toolchain.language.id)) {
            return Ok(refused(format!("the problem does not permit the language `{}`", toolchain.language.id)));
        }
        let sources = Sources::of_submission(submission, problem, &toolchain.language.id);
        let code_bytes = Some(problem.limits.code_bytes);
        self.submission_compiler(trust).compile(&toolchain, &sources, &problem.limits, code_bytes)
    }

    /// Makes ready how a problem's output is judged.
    ///
    /// # Errors
    /// Faults of the package and of the host.
    pub fn prepare(&mut self, problem: ProblemIndex, trust: Trust) -> Result<Arc<OutputCheck>, Fault> {
        let problem = Arc::clone(self.session.problem(problem));
        // Programs that groups need run later, but a failure to prepare them is to be known now.
        let grader = match &problem.grading {
            Grading::Legacy(legacy) => legacy.grader.as_ref(),
            _ => None,
        };
        for (program, role) in [(&problem.static_validator, "static validator"), (&grader.cloned(), "grader")] {
            if let Some(program) = program {
                self.ready(program, role, &problem, trust)?;
            }
        }
        let validators = match &problem.output_validator {
            OutputValidator::Default if problem.interactive => {
                let why = "an interactive problem needs an output validator of its own, found none";
                return Err(Fault::of_package(why));
            }
            OutputValidator::Default => {
                let parse = |test_case: &judge_model::TestCase| {
                    CompareOptions::parse(&test_case.output_validator_args.all, problem.format)
                        .map_err(|error| Fault::of_package(format!("test case `{}`: {error}", test_case.id)))
                };
                let options: Result<Vec<_>, Fault> = problem.test_cases.iter().map(parse).collect();
                return Ok(Arc::new(OutputCheck::Default(options?)));
            }
            OutputValidator::Custom(validators)
                if validators.len() > 1 && (problem.interactive || problem.passes > 1) =>
            {
                return Err(Fault::of_package(format!(
                    "expected one output validator in a problem that is interactive or has several passes, found {}",
                    validators.len()
                )));
            }
            OutputValidator::Custom(validators) => validators,
        };
        Ok(Arc::new(OutputCheck::Custom(self.ready_validators(validators, &problem, trust)?)))
    }

    /// Judges a submission on a test case with programs that are whole; `None` when it was cancelled. What was found
    /// out with one that changed meanwhile counts for nothing: the programs are made again, once. Gives what was run,
    /// too.
    ///
    /// # Errors
    /// Faults of the host; nothing that a submission does is one.
    pub fn judge(&mut self, place: SubmissionPlace, run: TestRun) -> Result<(TestRun, Option<TestResult>), ExecError> {
        if run.programs().all(|program| program.was_verified() || program.holds()) {
            let judged = self.judge_once(&run);
            if judged.is_ok() || run.programs().all(Runnable::holds) {
                return Ok((run, judged?));
            }
        }
        let Some(run) = self.with_programs_made_again(place, run.clone())? else { return Ok((run, None)) };
        let judged = self.judge_once(&run)?;
        Ok((run, judged))
    }

    /// The same with these programs. One that changed meanwhile is a fault.
    fn judge_once(&mut self, run: &TestRun) -> Result<Option<TestResult>, ExecError> {
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        let JudgingSlots { submissions, mut validators, capture } = self.judging_slots(&run.program)?;
        let judged = TestExecutor { slot: submissions, capture, cache, cancel }.judge(run, &mut validators);
        run.programs().try_for_each(Runnable::expect_whole)?;
        let mut judged = judged?;
        if let Some(result) = &mut judged {
            self.illustrate(run, result)?;
        }
        Ok(judged)
    }

    /// The same run with programs that are whole; `None` when it was cancelled.
    fn with_programs_made_again(&mut self, place: SubmissionPlace, run: TestRun) -> Result<Option<TestRun>, ExecError> {
        match self.make_programs_again(place, run) {
            Ok(run) => Ok(Some(run)),
            Err(fault) => {
                let why = fault.refusal()?.to_string();
                if self.cancel.is_cancelled() { Ok(None) } else { Err(ExecError::NotMadeAgain { why }) }
            }
        }
    }

    fn make_programs_again(&mut self, place: SubmissionPlace, run: TestRun) -> Result<TestRun, Fault> {
        let compiled = self.compile(place)?.result;
        let program = compiled.map_err(|failure| Refusal::of_submission(failure.why()))?;
        let judgement = match *run.judgement {
            OutputCheck::Unjudged => Arc::clone(&run.judgement),
            _ => self.prepare(place.problem, Trust::Content)?,
        };
        Ok(TestRun { program, judgement, ..run })
    }
}
