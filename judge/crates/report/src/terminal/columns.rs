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

/// The widths of the columns, in characters of the terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The columns before the marks.
    pub(super) indent: usize,
    /// The submission's id.
    pub(super) submission: usize,
    /// The verdict's code.
    pub(super) verdict: usize,
    /// The time used, with its unit.
    pub(super) time: usize,
    /// Peak memory.
    pub(super) memory: usize,
    /// The deciding test case, and the reason.
    pub(super) test_case: usize,
    mark: usize,
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
        let (indent, mark) = (2, width(glyphs.good));
        let fixed = indent + mark + 1 + GAP + VERDICT + GAP + time + 1 + GAP + memory + MARK + GAP;
        let room = page.saturating_sub(fixed);
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
        Self {
            indent,
            submission,
            verdict: VERDICT,
            time,
            memory,
            test_case: room.saturating_sub(submission),
            mark,
        }
    }

    /// Returns the start of the submission's id.
    pub(super) fn text_start(&self) -> usize {
        self.indent + self.mark + 1
    }

    /// Returns the start of the verdict.
    pub(super) fn verdict_start(&self) -> usize {
        self.text_start() + self.submission + GAP
    }

    /// Returns the start of the time.
    pub(super) fn time_start(&self) -> usize {
        self.verdict_start() + self.verdict + GAP
    }

    /// Returns the start of the memory.
    pub(super) fn memory_start(&self) -> usize {
        self.time_start() + self.time + 1 + GAP
    }

    /// Returns the start of the test case.
    pub(super) fn test_case_start(&self) -> usize {
        self.memory_start() + self.memory + MARK + GAP
    }
}
