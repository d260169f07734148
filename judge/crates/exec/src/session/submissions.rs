//! Submissions in a session: compiling them, preparing their output check, judging and measuring
//! them.
//!
//! Responsible for all steps from a submission and a test case to a result, one run at a time. Must
//! not know the order of submissions or the consequences of results.

use std::sync::Arc;
use std::time::Duration;

use judge_grading::{Attempt, CompareOptions, Confirmation, Decision, KILL_AT};
use judge_model::{OutputValidator, ProblemIndex, SubmissionPlace, TestCaseIndex};

use crate::ExecError;
use crate::build::compile::Trust;
use crate::build::compiled::{Compiled, answers, refused};
use crate::build::program::Runnable;
use crate::build::sources::Sources;
use crate::fault::{Fault, Refusal};
use crate::jury::visualizer::Pictures;
use crate::session::TimeLimit;
use crate::session::worker::{JudgingSlots, Worker};
use crate::testcase::execute::TestExecutor;
use crate::testcase::result::TestResult;
use crate::testcase::test_run::{OutputCheck, TestRun};

/// A submission that is ready to run.
#[derive(Clone, Debug)]
pub struct PreparedSubmission {
    /// Its place in the session.
    pub place: SubmissionPlace,
    /// The program that it was compiled to.
    pub program: Arc<Runnable>,
    /// The check of its output.
    pub output_check: Arc<OutputCheck>,
}

impl PreparedSubmission {
    /// Returns the same submission without a check of its output.
    pub(super) fn unjudged(&self) -> Self {
        Self {
            output_check: Arc::new(OutputCheck::Unjudged),
            ..self.clone()
        }
    }

    /// True when both were compiled to the same bytes. Submitted answers are never the same
    /// program.
    #[must_use]
    pub fn is_same_program(&self, other: &Self) -> bool {
        match (&self.program.content, &other.program.content) {
            (Some(content), Some(of_other)) => content.digest() == of_other.digest(),
            _ => false,
        }
    }
}

impl Worker<'_> {
    /// Returns the test run of a ready submission on a test case of its problem.
    ///
    /// # Errors
    /// When the files of the test case cannot be copied into the cache.
    pub fn test_run(
        &self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
        limit: TimeLimit,
    ) -> Result<TestRun, ExecError> {
        let PreparedSubmission {
            place,
            program,
            output_check,
        } = prepared;
        let problem = self.session.problem(place.problem);
        let case = &problem.test_cases[test_case];
        Ok(TestRun {
            problem: Arc::clone(problem),
            output_check: Arc::clone(output_check),
            program: Arc::clone(program),
            test_case,
            answer: self
                .session
                .submission(*place)
                .answers
                .get(&case.id)
                .cloned(),
            files: self.copied(case.files.as_deref())?,
            time_limit: limit.time_limit,
            kill_at: limit.kill_at,
            output_hash: self.session.output_hashes,
            transcript: false,
            pictures: Pictures::OfRejected,
        })
    }

    /// Compiles a submission, or returns the cached program if it is undamaged.
    ///
    /// # Errors
    /// Faults of the host; a refusal of the compiler is in the result.
    pub fn compile(&mut self, place: SubmissionPlace) -> Result<Compiled, ExecError> {
        self.compile_with(place, Trust::Content)
    }

    /// Compiles a submission with this trust in the cache's copy.
    ///
    /// # Errors
    /// As for [`Self::compile`].
    pub fn compile_with(
        &mut self,
        place: SubmissionPlace,
        trust: Trust,
    ) -> Result<Compiled, ExecError> {
        let problem = self.session.problem(place.problem);
        let submission = self.session.submission(place);
        if problem.submit_answer {
            return Ok(answers());
        }
        let toolchain = submission
            .language
            .as_ref()
            .and_then(|language| self.session.tools.for_language(language));
        // Submissions without tools are skipped before any of their jobs is scheduled, so this is a
        // fault of the program itself.
        let toolchain =
            Arc::clone(toolchain.expect("a submission without a toolchain is never scheduled"));
        // A compile error and not a skipped submission: the package forbids the language on
        // every host.
        if problem
            .languages
            .as_ref()
            .is_some_and(|allowed| !allowed.contains(&toolchain.language.id))
        {
            return Ok(refused(format!(
                "the problem does not permit the language `{}`",
                toolchain.language.id
            )));
        }
        let sources = Sources::from_submission(submission, problem, &toolchain.language.id);
        // The limit on the size of code applies only to submissions. Programs of the package are
        // compiled without it.
        let code_bytes = Some(problem.limits.code_bytes);
        self.submission_compiler(trust)
            .compile(&toolchain, &sources, &problem.limits, code_bytes)
    }

    /// Prepares the output check of a problem.
    ///
    /// # Errors
    /// Faults of the package and of the host.
    pub fn prepare(
        &mut self,
        problem: ProblemIndex,
        trust: Trust,
    ) -> Result<Arc<OutputCheck>, Fault> {
        let problem = Arc::clone(self.session.problem(problem));
        // Programs that groups need run later, but a failure to prepare them is reported now.
        for (program, role) in [
            (problem.static_validator.as_ref(), "static validator"),
            (problem.grading.grader(), "grader"),
        ] {
            if let Some(program) = program {
                self.ready(program, role, &problem, trust)?;
            }
        }
        let validators = match &problem.output_validator {
            OutputValidator::Default if problem.interactive => {
                let why = "an interactive problem needs its own output validator, found none";
                return Err(Fault::of_package(why));
            }
            OutputValidator::Default => {
                // Options are parsed once for each test case and not for each run. Invalid options
                // are the package's fault, so they are reported before any submission runs.
                let parse = |test_case: &judge_model::TestCase| {
                    CompareOptions::parse(&test_case.output_validator_args.all, problem.format)
                        .map_err(|error| {
                            Fault::of_package(format!("test case `{}`: {error}", test_case.id))
                        })
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
        Ok(Arc::new(OutputCheck::Custom(
            self.ready_validators(validators, &problem, trust)?,
        )))
    }

    /// Judges a submission on a test case with undamaged programs; `None` when it was cancelled. A
    /// result with a program that changed meanwhile does not count: the programs are rebuilt, once.
    /// Returns the run that counts, too.
    ///
    /// # Errors
    /// Faults of the host only; a submission cannot cause one.
    pub fn judge(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
    ) -> Result<(TestRun, Option<TestResult>), ExecError> {
        if run
            .programs()
            .all(|program| program.was_verified() || program.holds())
        {
            // Programs that this process has verified are not checked again here: their metadata
            // are compared after the run, with the same effect and one check less.
            let result = self.execute(&run);
            // Damage may be the reason for an error; without any damage, the error is the host's.
            if result.is_ok() || run.programs().all(Runnable::holds) {
                return Ok((run, result?));
            }
        }
        // The result of a damaged program is always dropped. The second attempt has programs that
        // were verified by content.
        let Some(run) = self.with_rebuilt_programs(place, run.clone())? else {
            return Ok((run, None));
        };
        let result = self.execute(&run)?;
        Ok((run, result))
    }

    /// Judges with these programs. A program that changed meanwhile is a fault.
    fn execute(&mut self, run: &TestRun) -> Result<Option<TestResult>, ExecError> {
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        let JudgingSlots {
            submissions,
            mut validators,
            capture,
        } = self.judging_slots(&run.program)?;
        let result = TestExecutor {
            slot: submissions,
            jury: &mut validators,
            capture,
            cache,
            cancel,
        }
        .execute(run);
        // Checked before the error of the run: a damaged program may fail in any way.
        run.programs().try_for_each(Runnable::expect_whole)?;
        let mut result = result?;
        if let Some(result) = &mut result {
            self.illustrate(run, result)?;
        }
        Ok(result)
    }

    /// Returns the same run with undamaged programs; `None` when it was cancelled.
    fn with_rebuilt_programs(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
    ) -> Result<Option<TestRun>, ExecError> {
        // A refusal here is not a verdict about the submission: its program compiled before, so the
        // host or its author has changed something since.
        match self.rebuild_programs(place, run) {
            Ok(run) => Ok(Some(run)),
            Err(fault) => {
                let why = fault.refusal()?.to_string();
                if self.cancel.is_cancelled() {
                    Ok(None)
                } else {
                    Err(ExecError::NotMadeAgain { why })
                }
            }
        }
    }

    fn rebuild_programs(&mut self, place: SubmissionPlace, run: TestRun) -> Result<TestRun, Fault> {
        let compiled = self.compile(place)?.result;
        let program = compiled.map_err(|failure| Refusal::of_submission(failure.why()))?;
        let output_check = match *run.output_check {
            // No program of the package decides here, so none is rebuilt.
            OutputCheck::Unjudged => Arc::clone(&run.output_check),
            _ => self.prepare(place.problem, Trust::Content)?,
        };
        Ok(TestRun {
            program,
            output_check,
            ..run
        })
    }

    /// Prepares a submission: compiles it, and prepares the output check of its problem.
    ///
    /// # Errors
    /// When it cannot be run, through a fault of the submission, the package or the host.
    pub fn prepare_submission(
        &mut self,
        place: SubmissionPlace,
    ) -> Result<PreparedSubmission, Fault> {
        let session = self.session;
        let timed = session.problems.get(place.problem.0);
        let submission = timed.and_then(|timed| timed.problem.submissions.get(place.submission.0));
        let Some(submission) = submission else {
            return Err(Refusal::of_submission("no such submission").into());
        };
        let has_tools = submission
            .language
            .as_ref()
            .is_some_and(|language| session.tools.are_for_submissions(language));
        if !has_tools && !session.problem(place.problem).submit_answer {
            return Err(Refusal::of_submission("this host has no tools for its language").into());
        }
        // Compiled before the output check is prepared: a submission that does not compile is the
        // more frequent fault, and its author waits for the message.
        let compiled = self.compile(place)?.result;
        let program = compiled.map_err(|failure| failure.refusal("it"))?;
        Ok(PreparedSubmission {
            place,
            program,
            output_check: self.prepare(place.problem, Trust::Content)?,
        })
    }

    /// Returns the run of a submission on a test case. Time beyond the limit is irrelevant here, so
    /// it is killed early.
    pub(super) fn measured_run(
        &self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<TestRun, ExecError> {
        let time_limit = self.session.problems[prepared.place.problem.0].time_limit;
        let run = self.test_run(
            prepared,
            test_case,
            TimeLimit {
                time_limit,
                kill_at: KILL_AT,
            },
        )?;
        // Pictures are for users who examine one result. A comparison repeats the run many times
        // and would draw the same ones again.
        Ok(TestRun {
            pictures: Pictures::None,
            ..run
        })
    }

    /// Runs and judges a submission on a test case, and draws its pictures for any verdict; `None`
    /// when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host only; neither a submission nor a program of the package can cause one.
    pub fn illustrated(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = self.measured_run(prepared, test_case)?;
        let (_, result) = self.judge(
            prepared.place,
            TestRun {
                pictures: Pictures::Always,
                ..run
            },
        )?;
        Ok(result)
    }

    /// Measures a submission on a test case; `None` when it was cancelled. The result is
    /// [starved](TestResult::is_starved) when the host starved it repeatedly: a comparison loses
    /// one measurement by that.
    ///
    /// # Errors
    /// Faults of the host only; a submission cannot cause one.
    pub fn measure(
        &mut self,
        prepared: &PreparedSubmission,
        test_case: TestCaseIndex,
    ) -> Result<Option<TestResult>, ExecError> {
        let run = self.measured_run(prepared, test_case)?;
        self.run_until_decided(prepared.place, run, Confirmation::for_measurement())
    }

    /// Judges a submission on a test case with a separate time limit, where that is less than the
    /// problem's, and kills the run there: for callers that need to know if a submission takes
    /// longer, but not by how much. A time near the problem's limit is confirmed; one near a lower
    /// limit decides nothing.
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
        let confirmation = match time_limit < run.time_limit {
            true => Confirmation::for_measurement(),
            false => Confirmation::for_search(run.time_limit),
        };
        let run = TestRun {
            time_limit: run.time_limit.min(time_limit),
            kill_at: 1.0,
            ..run
        };
        self.confirmed(prepared.place, run, confirmation)
    }

    /// Runs and judges until a result is final; `None` when it was cancelled.
    ///
    /// # Errors
    /// Faults of the host, among them [`ExecError::Starved`]; nothing that a submission does is
    /// one.
    pub fn confirmed(
        &mut self,
        place: SubmissionPlace,
        run: TestRun,
        confirmation: Confirmation,
    ) -> Result<Option<TestResult>, ExecError> {
        match self.run_until_decided(place, run, confirmation)? {
            Some(result) if result.is_starved() => Err(ExecError::Starved),
            result => Ok(result),
        }
    }

    /// Runs and judges until a result is final, or the host has starved too many runs.
    fn run_until_decided(
        &mut self,
        place: SubmissionPlace,
        mut run: TestRun,
        confirmation: Confirmation,
    ) -> Result<Option<TestResult>, ExecError> {
        let mut attempt = Attempt::First;
        loop {
            // The programs may have been rebuilt meanwhile; the next run uses the new ones.
            let (same, result) = self.judge(place, run)?;
            let Some(result) = result else {
                return Ok(None);
            };
            match confirmation.after(attempt, &result.evidence()) {
                // Callers treat a starved result differently: `measure` loses one sample by
                // it, and `confirmed` makes an error of it.
                Decision::Final | Decision::HostFault => return Ok(Some(result)),
                Decision::Again(next) => (attempt, run) = (next, same),
            }
        }
    }
}
