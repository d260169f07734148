//! Notices: everything about a run that needs attention, each with the file concerned.
//!
//! Responsible for the list from which annotations, code quality and SARIF are made, with the most
//! important notices first. Must not know their formats.

use judge_event::{Finding, ProblemState, RunState, SubmissionState};
use judge_model::{Severity, Verdict};

use super::compile_place::CompilePlace;
use super::evidence;
use crate::summary::{hint_line, place};
use crate::text::escape::{printable, printable_lines};

/// The level of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// A fault.
    Error,
    /// A possible fault.
    Warning,
    /// A remark.
    Note,
}

/// A part of a run that deserves the reader's attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    /// The stable name of its kind: a code such as `JP302`, or one of [`RULES`].
    pub(crate) rule: String,
    pub(crate) level: Level,
    /// The file concerned, relative to the workspace where possible; `None` for the host.
    pub(crate) file: Option<String>,
    /// The line, counted from 1.
    pub(crate) line: Option<u32>,
    /// The column in that line, counted from 1.
    pub(crate) column: Option<u32>,
    /// The message, in one line.
    pub(crate) message: String,
    /// The details, in several lines.
    pub(crate) details: String,
    /// The reason why the notice is silenced; `None` for one that counts.
    pub(crate) silenced: Option<String>,
}

impl Notice {
    /// Returns the file concerned and the line in it, or the host.
    pub(crate) fn place(&self) -> String {
        match &self.file {
            Some(file) => place(file, self.line),
            None => "host".to_owned(),
        }
    }
}

/// The kinds of notices besides the codes of findings, with their meaning.
pub(crate) const RULES: [(&str, &str); 7] = [
    (
        "expectation-violated",
        "A submission does not behave as its author declared",
    ),
    (
        "judge-error",
        "A program of the package failed; nothing is known about the submission",
    ),
    (
        "package-fault",
        "A package, or a part of it, cannot be judged",
    ),
    ("package-warning", "A package contains something suspicious"),
    (
        "host-fault",
        "The host or the sandbox failed; the affected work has no verdict",
    ),
    (
        "request-error",
        "A request of `judge grade` has no verdict because of an error",
    ),
    ("remark", "A submission has an unusual result"),
];

impl Level {
    /// The word for it that compilers and SARIF use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Returns the notices that are not silenced, the most important first.
pub(crate) fn open_notices(state: &RunState) -> impl Iterator<Item = Notice> {
    notices(state)
        .into_iter()
        .filter(|notice| notice.silenced.is_none())
}

/// Returns all notices, the most important first.
pub(crate) fn notices(state: &RunState) -> Vec<Notice> {
    let mut notices = Vec::new();
    add_host_notices(state, &mut notices);
    add_package_notices(state, &mut notices);
    notices.extend(
        state
            .check
            .iter()
            .flat_map(|check| &check.findings)
            .map(finding_notice),
    );
    for problem in &state.problems {
        for submission in &problem.submissions {
            add_submission_notices(problem, submission, &mut notices);
        }
    }
    for notice in &mut notices {
        notice.message = printable(&notice.message).into_owned();
        notice.details = printable_lines(&notice.details);
    }
    // A stable sort: within one level, notices stay in the order of the run. Silenced ones come
    // last.
    notices.sort_by_key(|notice| (notice.silenced.is_some(), notice.level));
    notices
}

/// Returns a notice without a line and details.
pub(crate) fn notice(rule: &str, level: Level, file: Option<String>, message: String) -> Notice {
    Notice {
        rule: rule.to_owned(),
        level,
        file,
        line: None,
        column: None,
        message,
        details: String::new(),
        silenced: None,
    }
}

fn add_host_notices(state: &RunState, notices: &mut Vec<Notice>) {
    for fault in &state.host_faults {
        let during = fault
            .during()
            .map(|during| format!(" (during {during})"))
            .unwrap_or_default();
        let message = format!("the host failed: {}{during}", fault.message);
        notices.push(notice("host-fault", Level::Error, None, message));
    }
}

fn add_package_notices(state: &RunState, notices: &mut Vec<Notice>) {
    for fault in &state.package_faults {
        notices.push(Notice {
            line: fault.line,
            details: hint_line(fault.hint.as_deref()),
            ..notice(
                "package-fault",
                Level::Error,
                Some(fault.file.clone()),
                fault.message.clone(),
            )
        });
    }
    for warning in &state.package_warnings {
        let file = Some(warning.file.clone());
        let notice = notice(
            "package-warning",
            Level::Warning,
            file,
            warning.message.clone(),
        );
        notices.push(Notice {
            line: warning.line,
            ..notice
        });
    }
}

fn finding_notice(finding: &Finding) -> Notice {
    let level = match finding.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    Notice {
        line: finding.line,
        column: finding.column,
        details: hint_line(finding.hint.as_deref()),
        silenced: finding.silenced.clone(),
        ..notice(
            &finding.code,
            level,
            Some(finding.file.clone()),
            finding.message.clone(),
        )
    }
}

/// Moves the notice about a compile error to the place that the compiler reports.
fn at_place(violated: Notice, place: CompilePlace) -> Notice {
    Notice {
        file: Some(place.file),
        line: Some(place.line),
        column: place.column,
        message: format!("CE: {}", place.message),
        details: format!("{}\n{}", violated.message, violated.details),
        ..violated
    }
}

fn add_submission_notices(
    problem: &ProblemState,
    submission: &SubmissionState,
    notices: &mut Vec<Notice>,
) {
    if let Some(error) = &submission.error {
        let (message, details) = error.split_once('\n').unwrap_or((error, ""));
        let file = Some(submission.started.path.clone());
        notices.push(Notice {
            details: details.to_owned(),
            ..notice("request-error", Level::Error, file, message.to_owned())
        });
    }
    let Some(finished) = &submission.finished else {
        return;
    };
    let source = Some(submission.started.path.clone());
    let details = || evidence::for_submission(problem, submission);
    if finished.verdict == Verdict::JudgeError {
        let test = submission
            .test_cases
            .iter()
            .find(|test| test.is_rejected() && test.verdict == Verdict::JudgeError);
        let reason =
            test.map(|test| format!("{}: {}", test.test_case, evidence::reason(problem, test)));
        let group_faults = || {
            finished
                .groups
                .iter()
                .find_map(|group| group.reason.clone())
        };
        let reason = reason
            .or_else(group_faults)
            .or_else(|| finished.violations.first().cloned())
            .unwrap_or_else(|| Verdict::JudgeError.name().to_owned());
        // The package is at fault, and the input is the only known file.
        let input = test.map(|test| format!("{}/data/{}.in", problem.started.path, test.test_case));
        let file = input.or_else(|| Some(format!("{}/problem.yaml", problem.started.path)));
        let message = format!("{}: {reason}", finished.submission);
        notices.push(Notice {
            details: details(),
            ..notice("judge-error", Level::Error, file, message)
        });
    } else if !finished.as_expected {
        let message = finished
            .violations
            .first()
            .cloned()
            .unwrap_or_else(|| "not as expected".to_owned());
        let more: String = finished
            .violations
            .iter()
            .skip(1)
            .map(|violation| format!("{violation}\n"))
            .collect();
        let violated = notice(
            "expectation-violated",
            Level::Error,
            source.clone(),
            message,
        );
        let violated = Notice {
            details: more + &details(),
            ..violated
        };
        let place = submission.failed_compilation().and_then(|compiled| {
            let output = [&compiled.message.head, &compiled.message.tail]
                .map(judge_event::Bytes::to_text)
                .join("\n");
            CompilePlace::first_in(&output, &submission.started.path)
        });
        notices.push(match place {
            Some(place) => at_place(violated, place),
            None => violated,
        });
    }
    notices.extend(
        finished
            .remarks
            .iter()
            .map(|remark| notice("remark", Level::Note, source.clone(), remark.clone())),
    );
}
