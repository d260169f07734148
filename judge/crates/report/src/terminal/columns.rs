//! The columns of a problem's rows.
//!
//! Responsible for one layout that fits all submissions of a problem, so that rows line up although
//! they are printed one by one. Must not know their content.

use judge_event::ProblemStarted;

use crate::text::line::{widest, width};
use crate::text::numbers::{mebibytes, seconds};
use crate::text::page::Glyphs;

/// The width of a verdict, such as `TLE`.
const VERDICT: usize = 3;
/// The indent of a test case's row below its submission's.
const TEST_CASE_INDENT: usize = 2;
/// The width of the unit ` s`.
const UNIT: usize = 2;
/// The width of the mark of a cached result, after the memory.
const MARK: usize = 2;
/// The gap between columns.
const GAP: usize = 2;

/// The columns before the marks.
pub(super) const INDENT: usize = 2;

/// The widths and the starts of the columns, in characters of the terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The submission's id.
    pub(super) submission: usize,
    pub(super) submission_start: usize,
    pub(super) verdict_start: usize,
    /// The time used, with its unit.
    pub(super) time: usize,
    pub(super) time_start: usize,
    /// Peak memory.
    pub(super) memory: usize,
    pub(super) memory_start: usize,
    /// The deciding test case, and the reason.
    pub(super) test_case: usize,
    pub(super) test_case_start: usize,
}

impl Columns {
    /// Returns the layout for a problem. With `test_case_rows` the first column also contains test
    /// cases, slightly indented.
    pub(super) fn new(
        problem: &ProblemStarted,
        page: usize,
        glyphs: &Glyphs,
        test_case_rows: bool,
    ) -> Self {
        // A program is stopped well before twice the limit.
        let time = width(&seconds(problem.time_limit_us.saturating_mul(2))) + UNIT;
        let memory = width(&mebibytes(problem.limits.memory_bytes));
        let submission_start = INDENT + width(glyphs.good) + 1;
        let fixed = GAP + VERDICT + GAP + time + 1 + GAP + memory + MARK + GAP;
        let room = page.saturating_sub(submission_start + fixed);
        // If both do not fit, test cases get a third.
        let test_cases = widest(&problem.test_cases);
        let rows = if test_case_rows {
            TEST_CASE_INDENT + test_cases
        } else {
            0
        };
        let submissions = widest(&problem.submissions).max(rows);
        // Submissions get the room that they need, and test cases the rest. If the rest is less
        // than a third, both share the room.
        let for_test_cases = test_cases.min((room / 3).max(room.saturating_sub(submissions)));
        let submission = submissions.min(room.saturating_sub(for_test_cases));
        let verdict_start = submission_start + submission + GAP;
        let time_start = verdict_start + VERDICT + GAP;
        let memory_start = time_start + time + 1 + GAP;
        Self {
            submission,
            submission_start,
            verdict_start,
            time,
            time_start,
            memory,
            memory_start,
            test_case: room.saturating_sub(submission),
            test_case_start: memory_start + memory + MARK + GAP,
        }
    }
}
