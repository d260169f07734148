//! Lanes: threads that judge one request at a time, and the state that they share.
//!
//! Responsible for the way of a request from its line to its result, also if it fails. Must not
//! know how many other lanes there are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use judge_event::{
    End, ErrorKind, GradeRequest, GradeResult, ProgramSource, RequestId, RequestedLimits,
    RequestedProblem, Stop,
};
use judge_exec::{Environment, ExecError};
use judge_files::LockedDirectory;
use judge_model::{Problem, Submission, TestCase};
use judge_runner::{Plan, RunSettings, TimeLimitSource};
use judge_sandbox::CancelToken;

use crate::commands::grade::collector::Collector;
use crate::commands::grade::duplicates::{Claim, Duplicates, RequestKey, Waiting};
use crate::commands::grade::engine::Engine;
use crate::commands::grade::intake::{Intake, MAX_LINE_BYTES, RequestLine, Sequence, locked};
use crate::commands::grade::no_verdict::{self, NoVerdict};
use crate::commands::grade::output::{Answered, Output};
use crate::commands::grade::problems::{KnownProblem, Problems, apply_limits};
use crate::commands::grade::programs::{private_directory, submission};
use crate::commands::grade::report::{Report, ReportedProblem};
use crate::commands::grade::tally::Tally;
use crate::commands::judging::submit::must_be_accepted;
use crate::commands::judging::{JudgingSettings, PlanBuilder};
use crate::config::Config;
use crate::failure::Failure;

/// A thread that judges one request at a time.
pub(super) struct Lane<'g> {
    number: usize,
    config: Config,
    grading: &'g Grading,
    /// The directory for the programs of requests, one at a time.
    directory: Option<LockedDirectory>,
}

impl<'g> Lane<'g> {
    pub(super) fn new(number: usize, config: Config, grading: &'g Grading) -> Self {
        Self {
            number,
            config,
            grading,
            directory: None,
        }
    }

    /// Judges requests until there are no more.
    pub(super) fn run(mut self) {
        while let Some(line) = self.grading.intake.next() {
            self.take(line);
        }
    }

    /// Judges the request of a line, unless it has a result already.
    fn take(
        &mut self,
        RequestLine {
            sequence,
            line,
            bytes,
        }: RequestLine,
    ) {
        let parsed = parse(bytes.as_deref());
        let id = id_of(&parsed);
        if let Some(id) = id {
            self.grading.intake.name(sequence, format!("`{id}`"));
        }
        // With `--resume`, the file has this result already. The empty output keeps the order
        // of those that follow.
        if self.grading.answered.claim(id, line) {
            locked(&self.grading.tally).skip();
            self.write(sequence, Vec::new());
            return;
        }
        match parsed {
            Ok(request) => self.judge_once(sequence, line, request),
            Err((id, message)) => {
                let error = Some(no_verdict::error(ErrorKind::Request, message));
                self.answer(
                    &ReportedProblem::Unknown,
                    sequence,
                    &GradeResult {
                        id,
                        line,
                        error,
                        ..GradeResult::default()
                    },
                );
            }
        }
    }

    /// Judges a request, unless an equal one is being judged already.
    fn judge_once(&mut self, sequence: Sequence, line: u64, mut request: GradeRequest) {
        // Requests that differ only in their ids and priorities have the same result.
        let id = request.id.take();
        request.priority = 0;
        let problem = self.reported(&request.problem);
        let duplicates = &self.grading.duplicates;
        let key = duplicates.key(&request);
        if let Some(key) = key {
            match duplicates.claim(key, || Waiting {
                sequence,
                line,
                id: id.clone(),
            }) {
                Claim::Free => {}
                Claim::Waits => return,
                Claim::Known(result) => {
                    let result = GradeResult {
                        id,
                        line,
                        cached: true,
                        ..GradeResult::clone(&result)
                    };
                    return self.answer(&problem, sequence, &result);
                }
            }
        }
        let outcome = self.judge(request, &problem);
        // The program is removed after a failure too: that of the next request goes to the same
        // place.
        self.remove_program();
        let result = match outcome {
            Ok(result) => result,
            Err(NoVerdict::Error(error)) => Some(GradeResult {
                error: Some(error),
                ..GradeResult::default()
            }),
            Err(NoVerdict::Host(failure)) => {
                self.grading.fail(failure);
                None
            }
        };
        self.answer_all(&problem, key, Waiting { sequence, line, id }, result);
    }

    /// Writes the result of a request, and of those that wait for it.
    fn answer_all(
        &self,
        problem: &ReportedProblem,
        key: Option<RequestKey>,
        first: Waiting,
        result: Option<GradeResult>,
    ) {
        let duplicates = &self.grading.duplicates;
        let waiting = key.map(|key| duplicates.finish(key, result.as_ref()));
        let Some(result) = result else {
            return;
        };
        for Waiting { sequence, line, id } in waiting.unwrap_or_default() {
            let is_verdict = result.verdict.is_some();
            self.answer(
                problem,
                sequence,
                &GradeResult {
                    id,
                    line,
                    cached: is_verdict,
                    ..result.clone()
                },
            );
        }
        let Waiting { sequence, line, id } = first;
        self.answer(problem, sequence, &GradeResult { id, line, ..result });
    }

    fn answer(&self, problem: &ReportedProblem, sequence: Sequence, result: &GradeResult) {
        let mut line = serde_json::to_vec(result).expect("a result has string keys only");
        line.push(b'\n');
        locked(&self.grading.tally).add(result);
        if let Some(report) = &self.grading.report {
            report.add(problem, result);
        }
        self.write(sequence, line);
    }

    fn write(&self, sequence: Sequence, line: Vec<u8>) {
        match self.grading.output.write(sequence, line) {
            Ok(written) => written
                .into_iter()
                .for_each(|sequence| self.grading.intake.answered(sequence)),
            Err(error) => self.grading.end_without_reader(error),
        }
    }

    /// Judges a program as `judge submit` does; `None` when all lanes are ending already.
    fn judge(
        &mut self,
        request: GradeRequest,
        reported: &ReportedProblem,
    ) -> Result<Option<GradeResult>, NoVerdict> {
        let known = self.grading.problems.get(&self.config, &request.problem)?;
        let program = ProgramSource {
            source: request.source,
            files: request.files,
            path: request.path,
            language: request.language,
            filename: request.filename,
        };
        let submission = self.submission(&program)?;
        let tests = request.tests.as_deref();
        let mut plan = self.plan(&known, submission, tests, request.limits)?;
        plan.fail_fast = request.stop == Stop::FirstFailure;
        if !self.find_time_limit(&known, &mut plan)? {
            return Ok(None);
        }
        let problem = Arc::clone(&plan.problems[0].problem);
        let abort = &self.grading.abort;
        let mut collector = Collector::new(request.details, abort);
        let (environment, settings) = self.environment(&plan, known.is_package())?;
        let end = judge_runner::run(plan, &environment, &settings, &mut collector);
        match is_completed(end, &mut collector) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(failure) => {
                let changed = package_changed(&problem).filter(|_| known.is_package());
                return Err(changed.unwrap_or(failure.into()));
            }
        }
        if let Some(report) = &self.grading.report {
            let limit = (collector.problem.as_ref()).map_or(0, |problem| problem.time_limit_us);
            report.begin(reported, collector.started.take(), limit);
        }
        let mut result = collector.finish(|id| {
            problem
                .test_case(id)
                .map(|test_case| test_case.input.as_path())
        });
        if let Some(place) = self.place() {
            remove_place(&mut result, &place);
        }
        if let Some(error) = result.error.as_mut().filter(|_| !known.is_package()) {
            error.message = without_directory(
                &error.message,
                &problem.directory,
                &self.config.workspace.root,
            );
        }
        Ok(Some(result))
    }

    /// The problem of a request in reports.
    fn reported(&self, problem: &RequestedProblem) -> ReportedProblem {
        match problem {
            // Without a report, nothing needs the key, whose computation reads the whole problem.
            _ if self.grading.report.is_none() => ReportedProblem::Unknown,
            RequestedProblem::Named(name) => ReportedProblem::named(name),
            RequestedProblem::Inline(_) => {
                ReportedProblem::Inline(self.grading.problems.key(problem))
            }
        }
    }

    /// Writes the program of a request.
    fn submission(&mut self, program: &ProgramSource) -> Result<Submission, NoVerdict> {
        let directory = match &self.directory {
            Some(directory) => directory,
            None => self.directory.insert(private_directory()?),
        };
        let place = directory.path().join("program");
        Ok(must_be_accepted(submission(&self.config, program, &place)?))
    }

    /// The place of the program of a request.
    fn place(&self) -> Option<PathBuf> {
        self.directory
            .as_ref()
            .map(|directory| directory.path().join("program"))
    }

    fn remove_program(&self) {
        // A request that names a program on this host has no directory here. Files that cannot
        // be removed stay in the way of the next program, whose error reports that.
        let _ = self.place().map(fs::remove_dir_all);
    }

    /// The plan of a request: one submission on the requested test cases.
    fn plan(
        &self,
        known: &KnownProblem,
        submission: Submission,
        tests: Option<&[String]>,
        limits: RequestedLimits,
    ) -> Result<Plan, NoVerdict> {
        let mut problem = known.problem.clone();
        problem.submissions = vec![submission];
        let time_limit = apply_limits(&limits, &mut problem)?;
        let test_cases_total = problem.test_cases.len();
        if let Some(tests) = tests {
            select(&mut problem.test_cases, tests)?;
        }
        let settings = JudgingSettings {
            time_limit: time_limit.or(known.time_limit),
            ..self.grading.engine.settings()
        };
        let whole = Arc::clone(&known.whole);
        let mut plan = PlanBuilder::plan_of_replaced(&self.config, settings, problem, whole);
        plan.problems[0].test_cases_total = test_cases_total;
        Ok(plan)
    }

    /// Infers a missing time limit of a package, once for all requests. False when all lanes are
    /// ending already.
    fn find_time_limit(&self, known: &KnownProblem, plan: &mut Plan) -> Result<bool, NoVerdict> {
        if !matches!(
            plan.problems[0].time_limit_source,
            TimeLimitSource::ToInfer(_)
        ) {
            return Ok(true);
        }
        // Measuring takes seconds. Lanes that need the same limit wait here, and find it when
        // they get the lock.
        let mut inferred = locked(&known.inferred);
        if let Some(found) = &*inferred {
            let planned = &mut plan.problems[0];
            (planned.time_limit, planned.time_limit_source) = found.clone();
        } else {
            let mut collector = Collector::new(false, &self.grading.abort);
            let (environment, settings) = self.environment(plan, true)?;
            let end =
                judge_runner::infer_time_limits(plan, &environment, &settings, &mut collector);
            if !is_completed(end, &mut collector)? {
                return Ok(false);
            }
            let planned = &plan.problems[0];
            *inferred = Some((planned.time_limit, planned.time_limit_source.clone()));
        }
        let planned = &plan.problems[0];
        match &planned.time_limit_source {
            TimeLimitSource::Failed(why) => {
                let message = format!("{}: {}", planned.path, why.message());
                Err(NoVerdict::of_package(message))
            }
            _ => Ok(true),
        }
    }

    /// The environment and the settings of a run in this lane.
    fn environment(
        &self,
        plan: &Plan,
        is_kept: bool,
    ) -> Result<(Environment, RunSettings), Failure> {
        let engine = &self.grading.engine;
        engine.environment(&self.config, self.number, plan, is_kept)
    }
}

/// Removes the directory of the program from texts: it differs in each run, and no longer exists when
/// they are read.
fn remove_place(result: &mut GradeResult, place: &Path) {
    let place = format!("{}/", place.display());
    let stderr = (result.first_failure.iter_mut())
        .flat_map(|failure| [&mut failure.stderr.head, &mut failure.stderr.tail]);
    for bytes in stderr.chain([&mut result.compiler_message]) {
        if let Ok(text) = std::str::from_utf8(&bytes.0)
            && text.contains(&place)
        {
            *bytes = text.replace(&place, "").as_str().into();
        }
    }
}

/// A message about the checker of a request without the temporary directory of the problem, which
/// no longer exists when it is read.
fn without_directory(message: &str, directory: &Path, workspace: &Path) -> String {
    // Messages name files relative to the workspace, which may contain the directory.
    let shown = directory.strip_prefix(workspace).unwrap_or(directory);
    let mut message = message.to_owned();
    for name in [directory, shown].map(Path::display) {
        message = message
            .replace(&format!("{name}/checker/"), "")
            .replace(&format!("{name}: "), "");
    }
    message
}

/// A request, or its name and the error of an invalid one.
type ParsedRequest = Result<GradeRequest, (Option<RequestId>, String)>;

fn parse(line: Option<&[u8]>) -> ParsedRequest {
    let too_long = || {
        (
            None,
            format!("the line is longer than {} MiB", MAX_LINE_BYTES >> 20),
        )
    };
    line.map_or_else(|| Err(too_long()), GradeRequest::parse)
}

fn id_of(parsed: &ParsedRequest) -> Option<&RequestId> {
    match parsed {
        Ok(request) => request.id.as_ref(),
        Err((id, _)) => id.as_ref(),
    }
}

/// Names the requests that no lane has taken, for messages.
pub(super) fn name_left(intake: &Intake, max: usize) {
    for RequestLine {
        sequence, bytes, ..
    } in intake.left(max)
    {
        if let Some(id) = id_of(&parse(bytes.as_deref())) {
            intake.name(sequence, format!("`{id}`"));
        }
    }
}

/// Keeps the requested test cases, which are named directly or by a group.
fn select(test_cases: &mut Vec<TestCase>, requested: &[String]) -> Result<(), String> {
    // Whole parts of the path are compared, so `secret/1` is not `secret/10`.
    let is_in = |id: &str, word: &String| Path::new(id).starts_with(word);
    if let Some(unknown) = requested.iter().find(|word| {
        !test_cases
            .iter()
            .any(|test_case| is_in(&test_case.id, word))
    }) {
        return Err(format!("`tests`: no test case or group `{unknown}`"));
    }
    if requested.is_empty() {
        return Err("`tests` is empty; expected names of test cases or groups".to_owned());
    }
    test_cases.retain(|test_case| requested.iter().any(|word| is_in(&test_case.id, word)));
    Ok(())
}

/// The error of a package whose test cases were removed after it was loaded. To the run, a missing file
/// is a fault of the host.
fn package_changed(problem: &Problem) -> Option<NoVerdict> {
    let files =
        (problem.test_cases.iter()).flat_map(|test_case| [&test_case.input, &test_case.answer]);
    let missing = files.into_iter().find(|file| !file.exists())?;
    let text = format!(
        "`{}` was removed after the package was loaded",
        missing.display()
    );
    Some(NoVerdict::of_package(text))
}

/// True for a complete run, and false for one that ended because all lanes are ending.
fn is_completed(
    end: Result<End, ExecError>,
    collector: &mut Collector<'_>,
) -> Result<bool, Failure> {
    match end? {
        End::Completed => Ok(true),
        End::Interrupted => Ok(false),
        End::Aborted => {
            let fault = collector.host_fault.take();
            Err(Failure::Host(fault.unwrap_or_default()))
        }
    }
}

/// The state that all lanes share.
pub(super) struct Grading {
    pub(super) intake: Arc<Intake>,
    pub(super) output: Output,
    pub(super) answered: Answered,
    pub(super) problems: Problems,
    pub(super) duplicates: Duplicates,
    pub(super) report: Option<Report>,
    pub(super) engine: Engine,
    pub(super) tally: Mutex<Tally>,
    /// Set once running programs are no longer needed.
    pub(super) abort: CancelToken,
    /// The fault that ends everything.
    pub(super) fault: Mutex<Option<Failure>>,
}

impl Grading {
    /// Ends everything after a fault of the host. Other lanes finish their present requests.
    pub(super) fn fail(&self, failure: Failure) {
        locked(&self.fault).get_or_insert(failure);
        self.intake.stop();
    }

    /// Ends everything immediately, since the reader of the results is gone.
    pub(super) fn end_without_reader(&self, error: io::Error) {
        self.fail(Failure::write("the results", error));
        self.abort.cancel();
    }
}
