//! Evidence as plain text, the same as below a surprise on the terminal, for reports that quote it.
//!
//! Responsible for a width that is readable in all of them. Must not know the reports.

use judge_event::{CompileFinished, ProblemState, SubmissionState, TestCaseFinished};

use crate::detail;
use crate::hints;
use crate::text::numbers::{duration, limit_seconds, mebibytes, seconds};
use crate::text::page::{Look, Page};

/// The width of a quoted line in columns.
const WIDTH: usize = 100;
/// The maximum number of lines of standard error, of a compiler or of a conversation.
const LINES: usize = 20;

fn page() -> Page {
    Page::new(Look {
        width: WIDTH,
        color: false,
        unicode: true,
    })
}

/// Returns the reasons for the verdict of a test case, in several lines.
pub(crate) fn for_test_case(problem: &ProblemState, test: &TestCaseFinished) -> String {
    let mut page = page();
    detail::test_case(&mut page, 0, test, &problem.started, LINES);
    page.take()
}

/// Returns the reason for the verdict of a test case, in one sentence.
pub(crate) fn reason(problem: &ProblemState, test: &TestCaseFinished) -> String {
    detail::verdict_reason(test, &problem.started)
}

/// Returns the evidence of compiling: the message of the compiler.
pub(crate) fn for_compilation(compiled: &CompileFinished) -> String {
    let mut page = page();
    detail::compilation(&mut page, 0, compiled, LINES);
    page.take()
}

/// Returns the reasons for the verdict of a submission: its compiler, or the test case that
/// decided.
pub(crate) fn for_submission(problem: &ProblemState, submission: &SubmissionState) -> String {
    if let Some(compiled) = submission.failed_compilation() {
        return for_compilation(compiled);
    }
    let deciding = submission
        .finished
        .as_ref()
        .and_then(|finished| finished.deciding_test_case.as_ref());
    let test = deciding.and_then(|name| {
        submission
            .test_cases
            .iter()
            .find(|test| test.test_case == *name)
    });
    let mut page = page();
    if let Some(test) = test {
        detail::test_case(&mut page, 0, test, &problem.started, LINES);
        hints::run_time_error(&mut page, 2, submission, test);
    }
    page.take()
}

/// Returns the cost of a run on a test case, in one line.
pub(crate) fn cost(problem: &ProblemState, test: &TestCaseFinished) -> String {
    format!(
        "{}: {} s of CPU time, the limit is {} s; {} elapsed; {}",
        test.verdict,
        seconds(test.cpu_time_us),
        limit_seconds(problem.started.time_limit_us),
        duration(test.wall_time_us),
        mebibytes(test.memory_bytes),
    )
}
