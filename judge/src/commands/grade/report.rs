//! The reports of a stream as `html`, `junit` and `markdown`, rendered by the reporters of runs.
//!
//! Responsible for bounding their memory: they have a row for each of the first requests, with the
//! deciding failure and without other test cases. Must not know the layout of a report.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_event::{
    Bytes, End, GradeResult, ProblemStarted, ProblemState, RunStarted, RunState, Slowest,
    SubmissionFinished, SubmissionStarted, SubmissionState,
};
use judge_model::{Limits, Verdict};
use judge_report::{ReportSettings, render};

use super::intake::locked;
use super::problems::ProblemKey;
use crate::args::{GradeArgs, ReportTarget};
use crate::commands::document::{DocumentOutput, refuse_on_stdout};
use crate::config::Config;
use crate::failure::Failure;
use crate::messages::note;
use crate::reporters::refuse_source;

/// The maximum number of requests that reports list.
const MAX_ROWS: usize = 10_000;
/// The maximum number of problems in a report. Requests of further problems share one.
const MAX_PROBLEMS: usize = 100;
/// The maximum length of a name in a report, in characters.
const MAX_NAME: usize = 200;
/// The maximum number of lines that a report has of the compiler's message or standard error.
const MAX_LINES: usize = 20;

/// The problem of a request, as far as reports distinguish problems.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReportedProblem {
    /// The beginning of the name or path of a package.
    Named(String),
    /// The key of a problem in a request.
    Inline(ProblemKey),
    /// That of a request that could not be read.
    Unknown,
}

impl ReportedProblem {
    pub(super) fn named(name: &str) -> Self {
        Self::Named(short(name))
    }
}

/// A request in a report.
struct Row {
    problem: ReportedProblem,
    submission: SubmissionState,
}

#[derive(Default)]
struct ReportedRequests {
    /// The first rows by the lines of their requests, so that a report does not depend on the order
    /// in which requests are answered.
    rows: BTreeMap<u64, Row>,
    /// The number of requests, also of those without a row.
    requests: u64,
    /// The largest time limit of each problem, in microseconds. Requests may state different ones,
    /// but a report has one for each problem.
    time_limits: HashMap<ReportedProblem, u64>,
    started: Option<RunStarted>,
}

/// Unfinished reports: their files, and the requests so far.
pub(super) struct Report {
    files: DocumentOutput,
    state: Mutex<ReportedRequests>,
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

    /// Refuses a report that would replace the requests or the results.
    pub(super) fn refuse_shared(config: &Config, args: &GradeArgs) -> Result<(), Failure> {
        let named = [Some(&args.file), args.output.as_ref(), args.resume.as_ref()];
        let sources: Vec<PathBuf> = (named.into_iter().flatten())
            .map(|file| config.directory.join(file))
            .collect();
        for target in args.reports.iter().filter(|target| !target.is_stdout()) {
            let path = config.directory.join(&target.file);
            // The results may not exist yet, and then only their name can be compared.
            if sources.contains(&path) {
                let name = target.file.display();
                return Err(Failure::Usage(format!(
                    "`{name}` has the requests or the results\nhint: name another file for the report"
                )));
            }
            refuse_source(&sources, &path)?;
        }
        Ok(())
    }

    /// Records the isolation and host of a run, and the time limit of its problem.
    pub(super) fn begin(
        &self,
        problem: &ReportedProblem,
        started: Option<RunStarted>,
        time_limit_us: u64,
    ) {
        let mut state = locked(&self.state);
        if let Some(limit) = state.time_limits.get_mut(problem) {
            *limit = time_limit_us.max(*limit);
        } else if state.time_limits.len() < MAX_ROWS {
            state.time_limits.insert(problem.clone(), time_limit_us);
        }
        if state.started.is_none() {
            state.started = started;
        }
    }

    /// Adds a row.
    pub(super) fn add(&self, problem: &ReportedProblem, result: &GradeResult) {
        let mut state = locked(&self.state);
        state.requests += 1;
        let is_full = state.rows.len() >= MAX_ROWS;
        let last = state.rows.last_key_value().map(|(line, _)| *line);
        if is_full && last.is_some_and(|last| result.line > last) {
            return;
        }
        let row = Row {
            problem: problem.clone(),
            submission: submission_state(result),
        };
        state.rows.insert(result.line, row);
        if state.rows.len() > MAX_ROWS {
            state.rows.pop_last();
        }
    }

    /// Writes the reports.
    pub(super) fn finish(self, elapsed: Duration, jobs: usize, end: End) -> Result<(), Failure> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let requests = state.requests;
        if requests > state.rows.len() as u64 {
            note(&format!(
                "reports list the first {MAX_ROWS} of {requests} requests"
            ));
        }
        let mut started = state.started;
        let problems = problem_states(state.rows, &state.time_limits);
        if let Some(started) = &mut started {
            started.jobs = u32::try_from(jobs).unwrap_or(u32::MAX);
            (started.problems, started.submissions) = (problems.len() as u64, requests);
        }
        let state = RunState {
            isolation: started.as_ref().map(|started| started.isolation.clone()),
            started,
            problems,
            end: Some(end),
            wall_time_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
            ..RunState::default()
        };
        let settings = ReportSettings::default();
        self.files
            .write(String::new, |kind| render(kind, &state, &settings))
    }
}

/// The problems of rows, in the order of their first requests, with their rows.
fn problem_states(
    rows: BTreeMap<u64, Row>,
    time_limits: &HashMap<ReportedProblem, u64>,
) -> Vec<ProblemState> {
    let is_inline = |problem: &ReportedProblem| matches!(problem, ReportedProblem::Inline(_));
    let mut order: Vec<ReportedProblem> = Vec::new();
    let mut indices: HashMap<ReportedProblem, usize> = HashMap::new();
    for Row { problem, .. } in rows.values() {
        indices.entry(problem.clone()).or_insert_with(|| {
            order.push(problem.clone());
            order.len() - 1
        });
    }
    let has_one_inline = order.iter().filter(|problem| is_inline(problem)).count() == 1;
    let mut inline = 0;
    let mut problems: Vec<ProblemState> = Vec::new();
    for (index, problem) in order.iter().enumerate() {
        let limit = time_limits.get(problem).copied().unwrap_or(0);
        if let Some(further) = problems.get_mut(MAX_PROBLEMS) {
            let known = &mut further.started.time_limit_us;
            *known = limit.max(*known);
            continue;
        }
        let name = match problem {
            _ if index == MAX_PROBLEMS => "(further problems)".to_owned(),
            ReportedProblem::Named(name) => name.clone(),
            ReportedProblem::Inline(_) if has_one_inline => "inline".to_owned(),
            ReportedProblem::Inline(_) => {
                inline += 1;
                format!("inline {inline}")
            }
            ReportedProblem::Unknown => "(invalid requests)".to_owned(),
        };
        problems.push(problem_state(&name, limit));
    }
    for Row {
        problem,
        mut submission,
    } in rows.into_values()
    {
        let problem = &mut problems[indices[&problem].min(MAX_PROBLEMS)];
        let name = &problem.started.problem;
        submission.started.problem.clone_from(name);
        if let Some(finished) = &mut submission.finished {
            finished.problem.clone_from(name);
        }
        let started = submission.started.submission.clone();
        problem.started.submissions.push(started);
        problem.submissions.push(submission);
    }
    problems
}

/// The beginning of a name, which may be as long as a line.
fn short(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

fn problem_state(name: &str, time_limit_us: u64) -> ProblemState {
    let problem = name.to_owned();
    let started = ProblemStarted {
        title: problem.clone(),
        path: problem.clone(),
        problem,
        time_limit_us,
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

/// A request as a submission that is expected to be accepted. The name of the problem is added at
/// the end.
fn submission_state(result: &GradeResult) -> SubmissionState {
    let name = result
        .id
        .as_ref()
        .map_or_else(|| format!("line {}", result.line), ToString::to_string);
    let (problem, submission) = (String::new(), short(&name));
    let started = SubmissionStarted {
        problem: problem.clone(),
        submission: submission.clone(),
        path: submission.clone(),
        language: None,
        expectations: Vec::new(),
        sources: Vec::new(),
    };
    let finished = result
        .verdict
        .map(|verdict| finish(problem, submission, verdict, result));
    // The error of a request with the verdict JE is the reason of that verdict.
    let error = match result.verdict {
        None => result.error.as_ref().map(|error| error.message.clone()),
        Some(_) => None,
    };
    SubmissionState {
        started,
        compiled: None,
        test_cases: Vec::new(),
        finished,
        skipped: None,
        error,
    }
}

/// The lines of a text; long ones are cut.
fn lines_of(bytes: &Bytes) -> Vec<String> {
    let text = bytes.to_text();
    text.lines().map(|line| format!("{line:.200}")).collect()
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
        let reason = failure
            .filter(|failure| verdict != Verdict::WrongAnswer && !failure.reason.is_empty())
            .map(|failure| failure.reason.clone());
        let error = result.error.as_ref().map(|error| error.message.clone());
        let parts: Vec<String> = [format!("{verdict}{place}")]
            .into_iter()
            .chain(reason)
            .chain(texts)
            .chain(error)
            .collect();
        violations.push(parts.join(": ").replace('\n', " "));
        let stderr = failure.map(|failure| &failure.stderr);
        let evidence = stderr
            .into_iter()
            .flat_map(|stderr| [&stderr.head, &stderr.tail]);
        let lines = evidence
            .chain([&result.compiler_message])
            .flat_map(lines_of);
        violations.extend(lines.take(MAX_LINES));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(problem: ReportedProblem, line: u64) -> (u64, Row) {
        let result = GradeResult {
            line,
            ..GradeResult::default()
        };
        let submission = submission_state(&result);
        let row = Row {
            problem,
            submission,
        };
        (line, row)
    }

    #[test]
    fn problems_are_in_the_order_of_lines_and_their_number_is_bounded() {
        let inline = |number: u64| ReportedProblem::Inline([number, 0]);
        let requests = (1..=150).map(|line| row(inline(151 - line), line));
        let last = row(inline(1), 151);
        let limits = HashMap::from([(inline(150), 7), (inline(2), 9), (inline(1), 8)]);
        let problems = problem_states(requests.chain([last]).collect(), &limits);
        assert_eq!(problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(problems[0].started.problem, "inline 1");
        assert_eq!(problems[0].started.time_limit_us, 7);
        let further = &problems[MAX_PROBLEMS];
        assert_eq!(further.started.problem, "(further problems)");
        assert_eq!(further.started.time_limit_us, 9);
        assert_eq!(further.submissions.len(), 151 - MAX_PROBLEMS);
        let last = further.submissions.last().unwrap();
        assert_eq!(
            (&*last.started.submission, &*last.started.problem),
            ("line 151", "(further problems)")
        );
    }

    #[test]
    fn a_single_problem_in_requests_has_no_number() {
        let rows = [
            row(ReportedProblem::named("sum"), 1),
            row(ReportedProblem::Inline([1, 2]), 2),
        ];
        let problems = problem_states(rows.into_iter().collect(), &HashMap::new());
        let names: Vec<&str> = problems
            .iter()
            .map(|problem| &*problem.started.problem)
            .collect();
        assert_eq!(names, ["sum", "inline"]);
    }
}
