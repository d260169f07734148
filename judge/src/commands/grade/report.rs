//! The reports of a stream as `html`, `junit` and `markdown`, rendered by the reporters of runs.
//!
//! Responsible for bounding their memory: they have a row for each of the first requests, with the
//! deciding failure and without other test cases. Must not know the layout of a report.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_event::{
    CompileFinished, End, Excerpt, GradeResult, ProblemStarted, ProblemState, RunStarted, RunState,
    Slowest, SubmissionFinished, SubmissionSkipped, SubmissionStarted, SubmissionState,
};
use judge_model::{Limits, Verdict};
use judge_report::{ReportSettings, render};

use super::intake::locked;
use crate::args::ReportTarget;
use crate::commands::document::{DocumentOutput, refuse_on_stdout};
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::note;

/// The maximum number of requests that reports list.
const MAX_ROWS: u64 = 10_000;
/// The maximum length of a name in a report, in characters.
const MAX_NAME: usize = 200;
/// The maximum size of a message in a report, in bytes.
const MESSAGE_BYTES: usize = 2048;

/// Unfinished reports: their files, and the rows so far with the number of requests.
pub(super) struct Report {
    files: DocumentOutput,
    state: Mutex<(RunState, u64)>,
}

impl Report {
    /// Opens the files; `None` when no report is requested.
    pub(super) fn open(config: &Config, targets: &[ReportTarget]) -> Result<Option<Self>, Failure> {
        if targets.is_empty() {
            return Ok(None);
        }
        refuse_on_stdout(targets, "grade")?;
        let files = DocumentOutput::open(config, targets)?;
        Ok(Some(Self {
            files,
            state: Mutex::default(),
        }))
    }

    /// Records the isolation and host of a run, and the time limit, which is the same for most
    /// requests of a problem.
    pub(super) fn begin(&self, problem: &str, started: Option<RunStarted>, time_limit_us: u64) {
        let mut state = locked(&self.state);
        if state.1 < MAX_ROWS {
            let problem = problem_named(&mut state.0, &short(problem));
            // Requests may state different limits, but a report has one for each problem: that of
            // the first request.
            if problem.started.time_limit_us == 0 {
                problem.started.time_limit_us = time_limit_us;
            }
        }
        if let Some(started) = started.filter(|_| state.0.started.is_none()) {
            state.0.isolation = Some(started.isolation.clone());
            state.0.started = Some(started);
        }
    }

    /// Adds a row.
    pub(super) fn add(&self, problem: &str, result: &GradeResult) {
        let mut state = locked(&self.state);
        state.1 += 1;
        if state.1 > MAX_ROWS {
            return;
        }
        let problem = &short(problem);
        let row = row(problem, result);
        let problem = problem_named(&mut state.0, problem);
        problem
            .started
            .submissions
            .push(row.started.submission.clone());
        problem.submissions.push(row);
    }

    /// Writes the reports.
    pub(super) fn finish(self, elapsed: Duration, jobs: usize, end: End) -> Result<(), Failure> {
        let (mut state, rows) = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if rows > MAX_ROWS {
            note(&format!(
                "reports list the first {MAX_ROWS} of {rows} requests"
            ));
        }
        (state.end, state.wall_time_us) = (
            Some(end),
            u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        );
        if let Some(started) = &mut state.started {
            started.jobs = u32::try_from(jobs).unwrap_or(u32::MAX);
            (started.problems, started.submissions) = (state.problems.len() as u64, rows);
        }
        let settings = ReportSettings::default();
        self.files
            .write(String::new, |kind| render(kind, &state, &settings))
    }
}

/// The beginning of a name, which may be as long as a line.
fn short(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// The problem with this name, which is added if it is new.
fn problem_named<'s>(state: &'s mut RunState, name: &str) -> &'s mut ProblemState {
    let problems = &mut state.problems;
    let index = problems
        .iter()
        .position(|problem| problem.started.problem == name)
        .unwrap_or_else(|| {
            problems.push(problem_state(name));
            problems.len() - 1
        });
    &mut problems[index]
}

fn problem_state(name: &str) -> ProblemState {
    let problem = name.to_owned();
    let started = ProblemStarted {
        title: problem.clone(),
        path: problem.clone(),
        problem,
        time_limit_us: 0,
        time_factor: None,
        time_limit_from: None,
        limits: Limits::default(),
        test_cases: Vec::new(),
        test_cases_total: 0,
        submissions: Vec::new(),
        inputs: Vec::new(),
    };
    ProblemState {
        started,
        submissions: Vec::new(),
        assessed: None,
    }
}

/// A request as a submission that is expected to be accepted.
fn row(problem: &str, result: &GradeResult) -> SubmissionState {
    let name = result
        .id
        .as_ref()
        .map_or_else(|| format!("line {}", result.line), ToString::to_string);
    let (problem, submission) = (problem.to_owned(), short(&name));
    let started = SubmissionStarted {
        problem: problem.clone(),
        submission: submission.clone(),
        path: submission.clone(),
        language: None,
        expectations: Vec::new(),
        sources: Vec::new(),
    };
    let (mut compiled, mut finished, mut skipped) = (None, None, None);
    if let Some(verdict) = result.verdict {
        if verdict == Verdict::CompileError {
            let message = Excerpt::new(&result.compiler_message.0, MESSAGE_BYTES, 0);
            compiled = Some(CompileFinished {
                problem: problem.clone(),
                submission: submission.clone(),
                success: false,
                cached: result.cached,
                cpu_time_us: 0,
                toolchain: None,
                reason: None,
                message,
            });
        }
        finished = Some(finish(problem, submission, verdict, result));
    } else if let Some(error) = &result.error {
        skipped = Some(SubmissionSkipped {
            problem,
            submission,
            reason: error.message.clone(),
        });
    }
    SubmissionState {
        started,
        compiled,
        test_cases: Vec::new(),
        finished,
        skipped,
    }
}

fn finish(
    problem: String,
    submission: String,
    verdict: Verdict,
    result: &GradeResult,
) -> SubmissionFinished {
    let failure = result.first_failure.as_deref();
    let deciding_test_case = failure.map(|failure| failure.test_case.clone());
    let mut violations = Vec::new();
    if verdict != Verdict::Accepted {
        let place = deciding_test_case
            .iter()
            .map(|test_case| format!(" on {test_case}"))
            .collect::<String>();
        let texts = failure.map(|failure| {
            [
                ("expected", &failure.expected),
                ("found", &failure.actual),
                ("", &failure.message),
            ]
        });
        let texts = texts
            .into_iter()
            .flatten()
            .filter(|(_, bytes)| !bytes.is_empty());
        let texts = texts.map(|(word, bytes)| {
            format!("{word} {:.200}", bytes.to_text().trim())
                .trim()
                .to_owned()
        });
        let error = result.error.as_ref().map(|error| error.message.clone());
        let parts: Vec<String> = [format!("{verdict}{place}")]
            .into_iter()
            .chain(texts)
            .chain(error)
            .collect();
        violations.push(parts.join(": ").replace('\n', " "));
    }
    SubmissionFinished {
        problem,
        submission,
        verdict,
        slowest: result.time.map(|time| Slowest {
            test_case: deciding_test_case.clone().unwrap_or_default(),
            cpu_time_us: u64::try_from(Duration::from_secs_f64(time).as_micros())
                .unwrap_or(u64::MAX),
        }),
        deciding_test_case,
        memory_bytes: result.memory.unwrap_or(0),
        test_cases_run: result.test_cases_judged,
        test_cases_total: result.test_cases_judged,
        as_expected: verdict == Verdict::Accepted,
        violations,
        remarks: Vec::new(),
        score: result.score,
        max_score: None,
        groups: Vec::new(),
    }
}
