//! Starting: the cost of a program that does nothing.
//!
//! Responsible for measuring the minimal program of each language. Must not know the submissions.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use judge_exec::{ExecError, Fault, TimedProblem, Toolchain, Worker};
use judge_model::{
    FormatVersion, LanguageId, Problem, ProblemIndex, Submission, SubmissionIndex, SubmissionPlace,
    TestCase, TestCaseIndex,
};

use crate::statistics::estimate::median;

/// The number of measurements of each program.
const MEASUREMENTS: usize = 15;

/// Returns a problem with a single, empty test case. Its submissions are the minimal programs of
/// the languages that have one. Its files are in `directory`, which must outlive every use of it.
pub(crate) fn problem(
    directory: &Path,
    toolchains: &[&Toolchain],
) -> Result<TimedProblem, std::io::Error> {
    let file = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(&path, text)?;
        Ok::<_, std::io::Error>(path)
    };
    let test_case = TestCase {
        id: "secret/nothing".to_owned(),
        input: file("nothing.in", "")?,
        answer: file("nothing.ans", "")?,
        ..TestCase::default()
    };
    let mut submissions = Vec::new();
    for language in toolchains
        .iter()
        .map(|toolchain| &toolchain.language)
        .filter(|language| !language.minimal.is_empty())
    {
        let name = language.main_file();
        let path = file(&format!("{}/{name}", language.id), &language.minimal)?;
        submissions.push(Submission {
            id: language.id.0.clone(),
            path,
            sources: vec![name.into()],
            language: Some(language.id.clone()),
            entry_class: Some("Main".to_owned()),
            ..Submission::default()
        });
    }
    let name = "start-up".to_owned();
    Ok(TimedProblem {
        time_limit: Duration::from_secs(60),
        problem: Arc::new(Problem {
            test_cases: vec![test_case],
            submissions,
            ..Problem::new(&name, directory.to_owned(), FormatVersion::V2025_09)
        }),
        name,
    })
}

/// The cost of starting a program of one language: CPU times in microseconds.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) language: LanguageId,
    pub(crate) times: Vec<f64>,
    /// The smallest peak of memory, in bytes.
    pub(crate) memory: u64,
}

impl Start {
    /// Returns the median of the times, which is reported.
    pub(crate) fn middle(&self) -> u64 {
        median(&mut self.times.clone()).map_or(0, |time| time.round() as u64)
    }

    /// Returns the shortest of the times, in seconds: other programs can only add to it.
    pub(crate) fn shortest(&self) -> f64 {
        self.times
            .iter()
            .copied()
            .min_by(f64::total_cmp)
            .unwrap_or_default()
            / 1e6
    }
}

/// Measures the minimal program of each language. Programs that fail or do not compile are skipped.
/// Returns `None` when it was cancelled.
pub(crate) fn measure(
    timed: &TimedProblem,
    problem: ProblemIndex,
    worker: &mut Worker<'_>,
) -> Result<Option<Vec<Start>>, ExecError> {
    let mut measured = Vec::new();
    for (index, submission) in SubmissionIndex::enumerate(&timed.problem.submissions) {
        let place = SubmissionPlace {
            problem,
            submission: index,
        };
        let prepared = Fault::apart(worker.prepare_submission(place))?;
        let (Ok(prepared), Some(language)) = (prepared, &submission.language) else {
            continue;
        };
        let (mut times, mut memory) = (Vec::new(), u64::MAX);
        for _ in 0..MEASUREMENTS {
            let Some(measurement) = worker.measure(&prepared, TestCaseIndex(0))? else {
                return Ok(None);
            };
            // A run that failed shows nothing about starting.
            if measurement.verdict == judge_model::Verdict::Accepted {
                times.push(measurement.outcome.usage.cpu_time.as_secs_f64() * 1e6);
                memory = memory.min(measurement.outcome.usage.memory_bytes);
            }
        }
        // If the clock of the host is too coarse, the time is 0 and must not be a divisor. Such a
        // language has no known start.
        if times.iter().any(|time| *time > 0.0) {
            measured.push(Start {
                language: language.clone(),
                times,
                memory,
            });
        }
    }
    Ok(Some(measured))
}
