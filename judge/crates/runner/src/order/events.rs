//! Event construction: events from plans and results.
//!
//! Responsible for the fields of each event. Must not know when an event is due.

use std::time::Duration;

use judge_event::{
    CompileFinished, Event, GroupFinished, NearLimit, PackageFault, ProblemStarted,
    SubmissionStarted, TestCaseFinished, TimeLimitFrom,
};
use judge_exec::{Compiled, TestResult, shown_by_author, split_hint};
use judge_grading::{CountedResult, GroupResult};
use judge_model::{Submission, SubmissionIndex, TestCaseIndex, Verdict, micros};

use crate::order::excerpts;
use crate::plan::{Inference, NotInferred, PlannedProblem, TimeLimitSource};

pub(crate) fn package_fault(planned: &PlannedProblem, message: &str) -> Event {
    let (message, hint) = split_hint(message);
    fault_in(planned, planned.path.clone(), message, hint)
}

fn fault_in(
    planned: &PlannedProblem,
    file: String,
    message: String,
    hint: Option<String>,
) -> Event {
    Event::PackageFault(PackageFault {
        problem: planned.name.clone(),
        file,
        line: None,
        message,
        hint,
    })
}

/// The fault of a package with a submission that must not be skipped and cannot be judged on this
/// host.
pub(crate) fn must_not_be_skipped(
    planned: &PlannedProblem,
    index: SubmissionIndex,
    reason: &str,
) -> Event {
    let hint = match &planned.problem.submissions[index.0].language {
        Some(language) => format!(
            "`judge doctor` lists missing tools and levels; to permit skipping a language, set in judge.yaml: \
             `allow_skipped: [{language}]`"
        ),
        None => "the extension determines the language; judge.yaml can add languages".to_owned(),
    };
    let message = format!("is skipped, which is not allowed: {reason}");
    let file = planned.submission_paths[index.0].clone();
    fault_in(planned, file, message, Some(hint))
}

/// The fault of a package whose time limit could not be inferred. Missing tools are a fault of the
/// host, and reported as such.
pub(crate) fn no_time_limit(planned: &PlannedProblem) -> Option<Event> {
    match &planned.time_limit_source {
        TimeLimitSource::Failed(NotInferred::NothingStated(message)) => {
            let file = format!("{}/problem.yaml", planned.path);
            let hint =
                "set `limits.time_limit` in problem.yaml, or use `judge run --time-limit SECONDS`";
            let hint = Some(hint.to_owned());
            Some(fault_in(planned, file, message.clone(), hint))
        }
        TimeLimitSource::Failed(NotInferred::PackageFault(message)) => {
            Some(package_fault(planned, message))
        }
        // Missing tools (`NoTools`) are no fault of the package, and another host may have them.
        _ => None,
    }
}

pub(crate) fn problem_started(planned: &PlannedProblem, excerpts: bool) -> Event {
    let problem = &planned.problem;
    let shown = if excerpts {
        problem.test_cases.as_slice()
    } else {
        &[]
    };
    Event::ProblemStarted(ProblemStarted {
        problem: planned.name.clone(),
        title: problem.title.clone(),
        path: planned.path.clone(),
        // The time limit is zero when none could be inferred. The schema of events documents 1 for
        // that.
        time_limit_us: micros(planned.time_limit.max(Duration::from_micros(1))),
        time_factor: Some(planned.time_factor).filter(|factor| (factor - 1.0).abs() > f64::EPSILON),
        time_limit_from: match &planned.time_limit_source {
            TimeLimitSource::Inferred(Inference {
                run,
                measured_at,
                cached,
            }) => Some(Box::new(TimeLimitFrom {
                submission: run.submission.clone(),
                test_case: run.test_case.clone(),
                cpu_time_us: micros(run.cpu_time),
                measured_at: measured_at.clone(),
                cached: *cached,
            })),
            _ => None,
        },
        limits: problem.limits.clone(),
        test_cases: problem
            .test_cases
            .iter()
            .map(|test_case| test_case.id.clone())
            .collect(),
        test_cases_total: planned.test_cases_total as u64,
        submissions: problem
            .submissions
            .iter()
            .map(|submission| submission.id.clone())
            .collect(),
        inputs: shown
            .iter()
            .filter_map(|test_case| excerpts::input_excerpt(test_case, planned))
            .collect(),
    })
}

pub(crate) fn submission_started(
    planned: &PlannedProblem,
    index: SubmissionIndex,
    excerpts: bool,
) -> Event {
    let submission = &planned.problem.submissions[index];
    Event::SubmissionStarted(SubmissionStarted {
        problem: planned.name.clone(),
        submission: submission.id.clone(),
        path: planned
            .submission_paths
            .get(index.0)
            .cloned()
            .unwrap_or_default(),
        language: submission.language.clone(),
        expectations: submission.expectations.clone(),
        sources: if excerpts {
            excerpts::source_files(submission)
        } else {
            Vec::new()
        },
    })
}

pub(crate) fn compile_finished(
    planned: &PlannedProblem,
    submission: &Submission,
    compiled: &Compiled,
) -> Event {
    let (success, toolchain, reason) = match &compiled.result {
        Ok(program) => (true, Some(program.described_toolchain()), None),
        Err(failure) => (false, None, failure.reason.clone()),
    };
    Event::CompileFinished(CompileFinished {
        problem: planned.name.clone(),
        submission: submission.id.clone(),
        success,
        cached: compiled.cached,
        cpu_time_us: micros(compiled.cpu_time),
        toolchain,
        reason,
        message: compiled.message.clone(),
    })
}

/// The result of a test case as it counts, with the first run if this one confirmed it.
pub(crate) fn test_case_finished(
    planned: &PlannedProblem,
    submission: &Submission,
    test_case: TestCaseIndex,
    result: TestResult,
    near_limit: Option<NearLimit>,
    counted: CountedResult,
) -> TestCaseFinished {
    let usage = &result.outcome.usage;
    TestCaseFinished {
        problem: planned.name.clone(),
        submission: submission.id.clone(),
        test_case: planned.problem.test_cases[test_case].id.clone(),
        verdict: counted.verdict,
        cpu_time_us: micros(usage.cpu_time),
        wall_time_us: micros(usage.wall_time),
        memory_bytes: usage.memory_bytes,
        stdout_bytes: usage.stdout_bytes,
        stderr_bytes: usage.stderr_bytes,
        output_hash: result.output_hash,
        termination: result.outcome.termination,
        near_limit,
        cached: result.cached,
        after_stop: false,
        difference: result.difference,
        judge_message: result.judge_message,
        stderr: match result.verdict {
            // The text is from the validator and contains no paths of the submission.
            Verdict::JudgeError => result.stderr,
            _ => shown_by_author(result.stderr, submission, &planned.problem),
        },
        reason: result.reason.or(counted.fault),
        score: counted.score,
        passes: (result.passes > 1).then_some(result.passes),
        interaction: result.interaction,
        team_message: result.team_message,
        pictures: result.pictures,
        picture_remarks: result.picture_remarks,
    }
}

pub(crate) fn group_finished(group: &GroupResult) -> GroupFinished {
    GroupFinished {
        group: group.group.clone(),
        verdict: group.verdict,
        score: group.score,
        max_score: group.max_score,
        skipped: group.skipped.clone(),
        reason: group.fault.clone(),
    }
}
