//! Recording: the conversation of a solution with the output validators, as samples show it
//! (`.interaction`).
//!
//! Responsible for running both programs. Must not know how the file's text is generated or where
//! it is stored.

use std::sync::Arc;
use std::time::Duration;

use judge_model::{Problem, TestCase, TestCaseIndex, Verdict};

use crate::fault::Fault;
use crate::jury::visualizer::Pictures;
use crate::session::generator::ReadyProgram;
use crate::session::questions::ReadyOutputValidators;
use crate::session::worker::{JudgingSlots, Worker};
use crate::testcase::execute::TestExecutor;
use crate::testcase::result::TestResult;
use crate::testcase::sample_record::{MAX_RECORD_BYTES, SampleRecord};
use crate::testcase::test_run::{OutputCheck, TestRun};
use crate::testcase::transcript::Transcript;

/// The time limit of a solution if the problem states none.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// The inputs of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its test case.
    pub test_case: &'a TestCase,
    /// The solution that communicates with the output validator. It must be accepted.
    pub solution: &'a ReadyProgram,
    /// The problem's own output validators.
    pub validators: &'a ReadyOutputValidators,
}

impl Worker<'_> {
    /// Judges a solution on a test case of an interactive or multi-pass problem, and returns the
    /// conversation as the text of an `.interaction` file.
    ///
    /// # Errors
    /// Faults of the host. The package's fault describes the failure, also when it was cancelled.
    pub fn record(&mut self, recording: &Recording<'_>) -> Result<Vec<u8>, Fault> {
        let Recording {
            problem,
            test_case,
            solution,
            validators,
        } = recording;
        let Some(programs) = validators.programs() else {
            return Err(Fault::of_package(
                "needs an output validator of the package",
            ));
        };
        let run = TestRun {
            // A test run names its test case by an index of its problem, so the problem gets only
            // this one.
            problem: Arc::new(Problem {
                test_cases: vec![(*test_case).clone()],
                ..(*problem).clone()
            }),
            output_check: Arc::new(OutputCheck::Custom(programs.to_vec())),
            program: Arc::clone(&solution.runnable),
            test_case: TestCaseIndex(0),
            answer: None,
            files: self.copied(test_case.files.as_deref())?,
            time_limit: problem.limits.time_limit.unwrap_or(DEFAULT_TIME_LIMIT),
            kill_at: 1.0,
            output_hash: false,
            transcript: false,
            pictures: Pictures::None,
        };
        let (cache, cancel) = (&self.session.cache, self.cancel.clone());
        // In the slot of generators: a solution that writes a sample is a program of the author,
        // and not a submission under test.
        let JudgingSlots {
            submissions,
            mut validators,
            capture,
        } = self.generator_and_validator()?;
        let mut transcript = Transcript::recorded();
        let mut executor = TestExecutor {
            slot: submissions,
            jury: &mut validators,
            capture,
            cache,
            cancel,
        };
        let result = executor.execute_with_transcript(&run, &mut transcript)?;
        let why = match result {
            None => "was cancelled".to_owned(),
            Some((
                TestResult {
                    verdict: Verdict::Accepted,
                    ..
                },
                _,
            )) => match transcript.record.and_then(SampleRecord::finish) {
                Some(text) => return Ok(text),
                None => format!("writes more than {} MiB", MAX_RECORD_BYTES >> 20),
            },
            Some((result, _)) => rejection(&result),
        };
        Err(Fault::of_package(why))
    }
}

fn rejection(result: &TestResult) -> String {
    let why = result
        .reason
        .clone()
        .unwrap_or_else(|| result.judge_message.to_text().trim().to_owned());
    let why = if why.is_empty() {
        String::new()
    } else {
        format!(": {why}")
    };
    format!("gets {}{why}", result.verdict)
}
