//! The end of a run: a table of problems and one last sentence.
//!
//! Responsible for sums, and for saying aloud when they are not the whole. Must not decide the exit code.

use judge_event::End;

use super::Terminal;
use super::judged::CACHED;
use crate::summary::{self, Row, Sentence, TITLES};
use crate::text::line::{Line, Tone, elide, width};
use crate::text::numbers::plural;
use crate::{Verbosity, View};

impl Terminal {
    /// Renders the end of a run: its sums, and everything that kept it from being whole.
    pub(super) fn closing(&mut self) {
        if self.settings.view != View::Submit && self.is_at(Verbosity::Normal) && !self.state.problems.is_empty() {
            self.table();
            self.legend();
        }
        self.missing_pictures();
        let whole = self.state.end == Some(End::Completed);
        if self.settings.view == View::Submit && whole {
            return;
        }
        self.page.blank();
        self.partial();
        if self.settings.view != View::Submit {
            self.last_line();
        }
    }

    fn table(&mut self) {
        let rows: Vec<Row> = self.state.problems.iter().map(summary::row).collect();
        let glyphs = self.page.glyphs;
        let mark = width(glyphs.good) + 1;
        let columns: Vec<(usize, usize)> = summary::used(&rows)
            .into_iter()
            .map(|column| {
                let cells = rows.iter().map(|row| width(&row.cells[column]));
                (column, cells.fold(width(TITLES[column]), usize::max))
            })
            .collect();
        let fixed = mark + columns.iter().map(|(_, width)| width + 2).sum::<usize>();
        let room = self.page.width().saturating_sub(fixed).max("problem".len());
        let names = rows.iter().map(|row| width(&row.problem)).max().unwrap_or(0).clamp("problem".len(), room);
        let cells = |mut line: Line, tone: Tone, cell: &dyn Fn(usize) -> String| {
            for (column, wide) in &columns {
                let cell = cell(*column);
                line = line.with(Tone::Plain, &" ".repeat(wide + 2 - width(&cell))).with(tone, &cell);
            }
            line
        };
        self.page.blank();
        let titles = Line::indented(mark).with(Tone::Dim, "problem").pad_to(mark + names);
        self.page.line(cells(titles, Tone::Dim, &|column| TITLES[column].to_owned()));
        for row in &rows {
            let (glyph, tone) = match row.good {
                Some(true) => (glyphs.good, Tone::Good),
                Some(false) => (glyphs.bad, Tone::Bad),
                None => ("!", Tone::Warn),
            };
            let name = elide(&row.problem, names, glyphs.ellipsis);
            let line = Line::default().with(tone, glyph).pad_to(mark).with(Tone::Plain, &name).pad_to(mark + names);
            self.page.line(cells(line, Tone::Plain, &|column| row.cells[column].clone()));
        }
    }

    fn legend(&mut self) {
        let submissions = || self.state.problems.iter().flat_map(|problem| &problem.submissions);
        let near = |test: &judge_event::TestCaseFinished| test.near_limit.is_some();
        // The matrix has no times to mark.
        if self.settings.view != View::Matrix && submissions().any(|submission| submission.test_cases.iter().any(near))
        {
            let text =
                "~ close to the time limit, kept waiting, or slow unexpectedly: run again alone, and that counts";
            self.page.wrapped(0, Tone::Dim, text);
        }
        if submissions().any(|submission| submission.test_cases.iter().any(|test| test.cached)) {
            let text =
                format!("{CACHED} judged by an earlier run, and nothing has changed since; --no-cache judges again");
            self.page.wrapped(0, Tone::Dim, &text);
        }
        if self.state.programs_remade > 0 && self.is_at(Verbosity::Verbose) {
            let were = plural(self.state.programs_remade, "program of the cache was", "programs of the cache were");
            self.page.wrapped(0, Tone::Dim, &format!("{were} damaged, and compiled again"));
        }
    }

    /// Why pictures are missing that the package's visualizers were to draw, each reason once.
    fn missing_pictures(&mut self) {
        const MOST: usize = 3;
        let mut reasons: Vec<String> = Vec::new();
        for problem in &self.state.problems {
            let tests = problem.submissions.iter().flat_map(|submission| &submission.test_cases);
            for remark in tests.flat_map(|test| &test.picture_remarks) {
                let first = remark.lines().next().unwrap_or_default().trim_end_matches(':');
                let reason = format!("{}: pictures are missing: {first}", problem.started.problem);
                if reasons.len() < MOST && !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        for reason in reasons {
            self.page.wrapped(0, Tone::Warn, &reason);
        }
    }

    fn partial(&mut self) {
        let Some(how) = summary::partial(&self.state) else { return };
        self.page.wrapped(0, Tone::Warn, &format!("{how}: this report is incomplete"));
        if let Some(kept) = self.state.results_kept.filter(|kept| *kept > 0) {
            let are_kept = plural(kept, "result is kept", "results are kept");
            self.page.wrapped(0, Tone::Plain, &format!("run again to go on: {are_kept}"));
        }
    }

    fn last_line(&mut self) {
        let Sentence { bad, text } = summary::sentence(&self.state);
        let whole = self.state.end == Some(End::Completed);
        let glyphs = self.page.glyphs;
        let (mark, tone) = match (bad, whole) {
            (true, _) => (glyphs.bad, Tone::Bad),
            (false, true) => (glyphs.good, Tone::Good),
            (false, false) => ("!", Tone::Warn),
        };
        let start = Line::default().with(tone, mark).with(Tone::Plain, " ");
        let hang = start.width();
        self.page.wrapped_after(start, hang, Tone::Strong, &text);
    }
}
