//! The matrix of a problem on the terminal, and below it the assessment of its test cases.
//!
//! Responsible for fitting the strips of letters to the page, group by group. Must not decide
//! whether a letter meets an expectation.

use std::ops::Range;

use judge_event::{MutantsKilled, ProblemState, TestDataAssessed};
use judge_model::Verdict;

use crate::Verbosity;
use crate::commands::matrix::{
    AssessedList, Group, Matrix, MatrixRow, NOT_RUN, is_rejection, kills_in_words, lists,
    mutants_in_words, smallest_heading,
};
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{count, counted};
use crate::text::page::Page;

/// The maximum number of printed names of a list, unless all are requested.
const NAMES: usize = 6;
/// The maximum number of test cases that are printed with the mutants that they kill, unless all
/// are requested.
const KILLERS: usize = 40;
/// The heading above the numbers of test cases that reject a submission.
const REJECTED_BY: &str = "not A";
/// The gap between the columns of the page.
const GAP: usize = 2;
/// Strips are broken at a multiple of this number, so that the ruler continues evenly.
const TICKS: usize = 10;
/// The minimum width of strips, for which long names of submissions are cut.
const MIN_STRIP: usize = 34;

/// Some columns of a group on the page.
struct Strip<'a> {
    group: &'a Group,
    columns: Range<usize>,
    /// The width on the page. The name may be wider than the letters.
    width: usize,
}

/// The matrix of a finished problem, on a page.
pub(super) struct MatrixView<'a> {
    pub(super) page: &'a mut Page,
    pub(super) verbosity: Verbosity,
    pub(super) problem: &'a ProblemState,
    pub(super) assessed: &'a TestDataAssessed,
}

/// True when everything is as expected.
pub(super) fn is_all_as_expected(problem: &ProblemState, assessed: &TestDataAssessed) -> bool {
    let counts = problem.counts();
    counts.violated + counts.judge_errors == 0 && assessed.too_few().next().is_none()
}

impl MatrixView<'_> {
    pub(super) fn render(&mut self) {
        let matrix = Matrix::new(self.problem);
        if !matrix.rows.is_empty() && !matrix.groups.is_empty() {
            self.strips(&matrix);
        }
        if self.verbosity >= Verbosity::Verbose {
            self.column_names(&matrix);
        }
        self.near_limit();
        if !is_all_as_expected(self.problem, self.assessed) {
            self.page.blank();
        }
        self.violations();
        self.assessment();
    }

    fn strips(&mut self, matrix: &Matrix) {
        let glyphs = self.page.glyphs;
        let mark = 2 + width(glyphs.good) + 1;
        let fixed = mark + GAP + REJECTED_BY.len() + GAP;
        let names = widest(matrix.rows.iter().map(|row| &row.submission));
        // Long names of submissions are cut in favour of the strips, which are the essential part
        // of the matrix.
        let names = names.min(self.page.width().saturating_sub(fixed + MIN_STRIP));
        let room = self.page.width().saturating_sub(fixed + names);
        let start = fixed + names;
        for block in blocks(&matrix.groups, room) {
            self.page.blank();
            let mut titles = Line::indented(mark + names + GAP)
                .with(Tone::Dim, REJECTED_BY)
                .pad_to(start);
            let mut ruler = Line::indented(start);
            let mut at = start;
            for strip in &block {
                let name = elide(&strip.group.name, strip.width, glyphs.ellipsis);
                titles = titles.pad_to(at).with(Tone::Strong, &name);
                ruler = ruler.pad_to(at).with(Tone::Dim, &ticks(strip));
                at += strip.width + GAP;
            }
            self.page.line(titles);
            self.page.line(ruler);
            for row in &matrix.rows {
                let line = self.row_of(row, mark, names).pad_to(start);
                self.page.line(letters(line, row, &block, start));
            }
        }
        self.page.blank();
        self.page
            .wrapped(2, Tone::Dim, &matrix.legend().join(self.page.glyphs.dot));
    }

    /// Returns the part of a row before the letters.
    fn row_of(&self, row: &MatrixRow, mark: usize, names: usize) -> Line {
        let glyphs = self.page.glyphs;
        let (glyph, tone) = match row.as_expected {
            Some(true) => (glyphs.good, Tone::Good),
            Some(false) => (glyphs.bad, Tone::Bad),
            None => (glyphs.none, Tone::Dim),
        };
        let count = match row.rejections() {
            0 => String::new(),
            count => count.to_string(),
        };
        Line::indented(2)
            .with(tone, glyph)
            .pad_to(mark)
            .with(Tone::Plain, &elide(&row.submission, names, glyphs.ellipsis))
            .pad_to(mark + names + GAP)
            .with(
                Tone::Plain,
                &format!("{count:>width$}", width = REJECTED_BY.len()),
            )
    }

    /// Renders the names of the columns, which are test cases.
    fn column_names(&mut self, matrix: &Matrix) {
        for group in &matrix.groups {
            let cases = &self.problem.started.test_cases[group.columns.clone()];
            let named = cases.iter().zip(1..).map(|(case, number)| {
                let name = case
                    .rsplit_once('/')
                    .map_or(case.as_str(), |(_, name)| name);
                format!("{number} {name}")
            });
            let start = Line::indented(2)
                .with(Tone::Strong, &group.name)
                .with(Tone::Plain, "  ");
            self.page.wrapped_after(
                start,
                4,
                Tone::Dim,
                &named.collect::<Vec<_>>().join(self.page.glyphs.dot),
            );
        }
    }

    fn near_limit(&mut self) {
        let tests = self.problem.test_runs();
        let near = tests.filter(|test| test.near_limit.is_some()).count() as u64;
        if near > 0 && self.verbosity >= Verbosity::Normal {
            let runs = counted(near, "test run was", "test runs were");
            let text = format!(
                "{runs} near the limit or a margin, waiting for the host, or unexpectedly slow: run again alone, and that result counts"
            );
            self.page.wrapped(2, Tone::Dim, &text);
        }
    }

    /// Prints the first violation of each submission, or the reason why the package's programs
    /// failed.
    fn violations(&mut self) {
        for submission in &self.problem.submissions {
            let name = &submission.started.submission;
            // The reason of a judge error comes first, because violations are only consequences.
            let failed = submission
                .test_cases
                .iter()
                .find(|test| test.verdict == Verdict::JudgeError);
            let reason = failed
                .and_then(|test| Some(format!("{}: {}", test.test_case, test.reason.as_ref()?)));
            let violations = submission
                .finished
                .as_ref()
                .map_or(&[][..], |finished| &finished.violations);
            let more = violations.len().saturating_sub(1);
            let more = if more > 0 {
                format!("; and {more} more like that")
            } else {
                String::new()
            };
            let violation = violations
                .first()
                .map(|violation| format!("{violation}{more}"));
            if let Some(text) = reason.or(violation) {
                let start = Line::marked(2, self.page.glyphs.mark(Some(false)));
                self.page
                    .wrapped_after(start, 4, Tone::Bad, &format!("{name}: {text}"));
            }
            if let Some(skipped) = &submission.skipped {
                let start = Line::indented(2).with(Tone::Warn, "! ");
                self.page.wrapped_after(
                    start,
                    4,
                    Tone::Warn,
                    &format!("{name}: skipped: {}", skipped.reason),
                );
            }
        }
    }

    fn assessment(&mut self) {
        let assessed = self.assessed;
        let required = assessed.min_kills.unwrap_or(0);
        for one in assessed.too_few() {
            let by = kills_in_words(assessed, one);
            let text = format!(
                "{}: rejected by {by}; at least {required} required",
                one.submission
            );
            let start = Line::marked(2, self.page.glyphs.mark(Some(false)));
            self.page.wrapped_after(start, 4, Tone::Bad, &text);
        }
        if self.verbosity < Verbosity::Normal {
            return;
        }
        self.page.blank();
        let submissions = &assessed.must_be_rejected;
        // Without a wrong submission or a mutant, every test case would appear redundant.
        if submissions.is_empty() && assessed.mutants.is_none() {
            let text = "no submission that must be rejected was judged: nothing is known about the test cases";
            self.page.wrapped(2, Tone::Warn, text);
            return;
        }
        for AssessedList { tone, what, items } in lists(assessed, str::to_owned) {
            self.list(tone, &what, &items);
        }
        let is_complete = submissions.iter().all(|one| !one.test_cases.is_empty());
        let all = match (is_complete, &assessed.mutants) {
            (_, Some(_)) => "as much as all",
            (true, None) => "all",
            (false, None) => "all that are rejected",
        };
        self.list(
            Tone::Plain,
            &format!("{} {all}", smallest_heading(assessed)),
            &assessed.smallest,
        );
        if let Some(mutants) = &assessed.mutants {
            self.mutants(mutants);
        }
    }

    /// Renders the mutants that the test cases kill, a line for each solution.
    fn mutants(&mut self, mutants: &MutantsKilled) {
        self.page.blank();
        self.page
            .wrapped(2, Tone::Plain, &mutants_in_words(mutants));
        let longest = widest(mutants.by.iter().map(|by| &by.test_case));
        let digits = widest(mutants.by.iter().map(|by| count(by.mutants)));
        // As in `list`: a remark about one more would take as much space.
        let all = self.verbosity >= Verbosity::Verbose || mutants.by.len() <= KILLERS + 1;
        let shown = if all { mutants.by.len() } else { KILLERS };
        for by in &mutants.by[..shown] {
            let number = count(by.mutants);
            let line = Line::indented(4)
                .with(Tone::Plain, &by.test_case)
                .pad_to(6 + longest + digits - number.len());
            let alone = if by.alone > 0 {
                format!("  {} by it alone", count(by.alone))
            } else {
                String::new()
            };
            self.page
                .line(line.with(Tone::Plain, &number).with(Tone::Dim, &alone));
        }
        if shown < mutants.by.len() {
            let more = format!("{} more (shown with -v)", mutants.by.len() - shown);
            self.page.line(Line::indented(4).with(Tone::Dim, &more));
        }
    }

    /// Prints a list with its length, cut unless everything is requested.
    fn list(&mut self, tone: Tone, what: &str, names: &[String]) {
        if names.is_empty() {
            return;
        }
        // One name more than permitted is printed, because the remark about it would take as
        // much space.
        let all = self.verbosity >= Verbosity::Verbose || names.len() <= NAMES + 1;
        let shown = if all { names } else { &names[..NAMES] };
        let more = names.len() - shown.len();
        let more = if more > 0 {
            format!(", and {more} more (shown with -v)")
        } else {
            String::new()
        };
        let what = format!("{what} ({})", names.len());
        let line = Line::indented(2).with(tone, &what).with(Tone::Plain, ": ");
        let text = format!("{}{more}", shown.join(", "));
        // A list that fits is printed on one line. A longer one begins below its heading, so that
        // all of its lines have the same indentation.
        let whole = line.clone().with(Tone::Plain, &text);
        if whole.width() <= self.page.width() {
            self.page.line(whole);
        } else {
            self.page.wrapped(2, tone, &format!("{what}:"));
            self.page
                .wrapped_after(Line::indented(4), 4, Tone::Plain, &text);
        }
    }
}

/// Returns the strips, by block: a group that does not fit next to others begins the next block,
/// and a group that does not fit on the page is broken.
fn blocks(groups: &[Group], room: usize) -> Vec<Vec<Strip<'_>>> {
    // Without any room, the loop below would never advance.
    let room = room.max(1);
    // A page narrower than one tick cannot align anything, and takes as many columns as it has.
    let max_columns = if room > TICKS {
        room / TICKS * TICKS
    } else {
        room
    };
    let mut blocks: Vec<Vec<Strip<'_>>> = Vec::new();
    let mut used = 0;
    for group in groups {
        let mut from = group.columns.start;
        while from < group.columns.end {
            let left = group.columns.end - from;
            let strip = |columns: usize| Strip {
                group,
                columns: from..from + columns,
                // A group of few test cases is as wide as its name, which is above its letters.
                width: columns.max(width(&group.name).min(room)),
            };
            let remaining = room.saturating_sub(used + GAP);
            // A group that must be broken in any case begins in the current block if there is room.
            let begun = if left > room {
                remaining / TICKS * TICKS
            } else {
                0
            };
            let (next, in_new_block) = match blocks.is_empty() {
                false if strip(left).width <= remaining => (strip(left), false),
                false if begun > 0 && strip(begun).width <= remaining => (strip(begun), false),
                _ => (strip(if left <= room { left } else { max_columns }), true),
            };
            from = next.columns.end;
            used = if in_new_block {
                next.width
            } else {
                used + GAP + next.width
            };
            match blocks.last_mut().filter(|_| !in_new_block) {
                Some(block) => block.push(next),
                None => blocks.push(vec![next]),
            }
        }
    }
    blocks
}

/// Numbers of test cases within their group, each ending above its column: `1...5...10`.
fn ticks(strip: &Strip<'_>) -> String {
    let first = strip.columns.start - strip.group.columns.start + 1;
    let mut text = String::new();
    for number in first..first + strip.columns.len() {
        let column = number - first + 1;
        let name = number.to_string();
        // The letters before the first number of a strip are too few for it to be printed.
        if (number == 1 || number % 5 == 0) && name.len() <= column {
            // The last digit is above its column, so the number replaces the dots before it.
            text.truncate(column - name.len());
            text.push_str(&name);
        } else {
            text.push('.');
        }
    }
    text
}

fn letters(mut line: Line, row: &MatrixRow, block: &[Strip<'_>], start: usize) -> Line {
    let mut at = start;
    for strip in block {
        line = line.pad_to(at);
        for letter in &row.letters[strip.columns.clone()] {
            line.push(tone(*letter, row.as_expected), &letter.to_string());
        }
        at += strip.width + GAP;
    }
    line
}

/// Returns the tone of a letter: rejections are striking, and unexpected ones even more so.
fn tone(letter: char, as_expected: Option<bool>) -> Tone {
    match letter {
        'A' | 'a' | NOT_RUN => Tone::Dim,
        'T' | 't' => Tone::Warn,
        letter if is_rejection(letter) && as_expected == Some(true) => Tone::Bad,
        _ => Tone::BadStrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, columns: Range<usize>) -> Group {
        Group {
            name: name.to_owned(),
            columns,
        }
    }

    #[test]
    fn strips_are_packed_and_broken_at_ticks() {
        let groups = [
            group("sample", 0..3),
            group("secret", 3..60),
            group("g", 60..62),
        ];
        let pack = |room| {
            let blocks = blocks(&groups, room);
            blocks
                .iter()
                .map(|block| {
                    block
                        .iter()
                        .map(|strip| strip.columns.clone())
                        .collect::<Vec<_>>()
                })
                .collect()
        };
        let packed: Vec<Vec<Range<usize>>> = pack(70);
        assert_eq!(packed, [vec![0..3, 3..60, 60..62]]);
        let packed: Vec<Vec<Range<usize>>> = pack(34);
        assert_eq!(
            packed,
            [
                vec![0..3, 3..23],
                std::iter::once(23..53).collect(),
                vec![53..60, 60..62]
            ]
        );
        let narrow: Vec<Vec<Range<usize>>> = pack(0);
        assert_eq!(narrow.len(), 62);
    }

    #[test]
    fn numbers_end_above_their_columns() {
        let whole = group("g", 10..32);
        let ticks_for = |columns: Range<usize>| {
            ticks(&Strip {
                group: &whole,
                width: columns.len(),
                columns,
            })
        };
        assert_eq!(ticks_for(10..32), "1...5...10...15...20..");
        assert_eq!(ticks_for(20..27), "...15..");
        assert_eq!(ticks_for(10..11), "1");
        assert_eq!(ticks_for(29..32), "...", "no room for 20");
    }
}
