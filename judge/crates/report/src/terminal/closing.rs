//! The end of a run: a table of problems and one last sentence.
//!
//! Responsible for sums, and for saying aloud when they are not the whole. Must not decide the exit code.

use judge_event::{Counts, End, ProblemState};
use judge_model::Verdict;

use super::Terminal;
use crate::line::{Line, Tone, elide, width};
use crate::numbers::{count, duration, limit_seconds, plural, seconds};
use crate::{Verbosity, View};

/// One problem in the table.
struct Row {
    /// Whether all is as expected; `None` when not all is known.
    good: Option<bool>,
    problem: String,
    cells: [String; 6],
}

const TITLES: [&str; 6] = ["as expected", "not", "judge errors", "skipped", "test runs", "slowest accepted"];

/// What a cell says where there is nothing.
const NOTHING: &str = "-";

impl Terminal {
    /// Tells what the run has come to.
    pub(super) fn closing(&mut self) {
        if self.settings.view != View::Submit && self.tells(Verbosity::Normal) && !self.state.problems.is_empty() {
            self.table();
            self.legend();
        }
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
        let rows: Vec<Row> = self.state.problems.iter().map(row).collect();
        let glyphs = self.page.glyphs;
        let mark = width(glyphs.good) + 1;
        // A column where every problem has nothing is no column. The first is always there, and so are sums.
        let used = |column: &usize| matches!(column, 0 | 4) || rows.iter().any(|row| row.cells[*column] != NOTHING);
        let columns: Vec<(usize, usize)> = (0..TITLES.len())
            .filter(used)
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
            let text = "~ close to the time limit, or on a busy machine: run again alone, and that counts";
            self.page.wrapped(0, Tone::Dim, text);
        }
    }

    fn partial(&mut self) {
        let how = match self.state.end {
            Some(End::Completed) => return,
            Some(End::Interrupted) => "interrupted",
            Some(End::Aborted) => "given up after a failure of this host",
            None => "cut off: the events end before the run does",
        };
        self.page.wrapped(0, Tone::Warn, &format!("{how}; what is told here is partial"));
    }

    fn last_line(&mut self) {
        let Counts { as_expected, violated, judge_errors, skipped, test_cases } = self.state.counts();
        let problems = self.state.problems.len() as u64;
        let mut parts = vec![
            plural(problems, "problem", "problems"),
            format!("{} as expected", plural(as_expected, "submission", "submissions")),
        ];
        let mut add = |number: u64, text: String| {
            if number > 0 {
                parts.push(text);
            }
        };
        let (package_faults, host_faults) =
            (self.state.package_faults.len() as u64, self.state.host_faults.len() as u64);
        add(violated, format!("{} not", count(violated)));
        add(judge_errors, plural(judge_errors, "judge error", "judge errors"));
        add(skipped, format!("{} skipped", count(skipped)));
        add(package_faults, plural(package_faults, "package fault", "package faults"));
        add(host_faults, plural(host_faults, "host fault", "host faults"));
        // A run that judged nothing of what it was asked for is no success.
        let nothing = skipped > 0 && self.state.counts().judged() == 0;
        let bad = nothing || violated + judge_errors + package_faults + host_faults > 0;
        let mut text = format!("{}; {}", parts.join(", "), plural(test_cases, "test run", "test runs"));
        if self.state.end.is_some() {
            text.push_str(&format!(" in {}", duration(self.state.wall_time_us)));
        }
        if let Some(isolation) = &self.state.isolation {
            text.push_str(&format!("; isolation {}", isolation.level));
        }
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

fn row(problem: &ProblemState) -> Row {
    let counts = problem.counts();
    let bad = counts.violated + counts.judge_errors > 0;
    let whole = counts.judged() + counts.skipped >= problem.started.submissions.len() as u64;
    let accepted = problem.submissions.iter().filter_map(|submission| submission.finished.as_ref());
    let slowest = accepted
        .filter(|finished| finished.verdict == Verdict::Accepted && finished.as_expected)
        .filter_map(|finished| finished.slowest.as_ref())
        .map(|slowest| slowest.cpu_time_us)
        .max();
    let some = |number: u64| if number == 0 { NOTHING.to_owned() } else { count(number) };
    let limit = limit_seconds(problem.started.time_limit_us);
    Row {
        good: if bad { Some(false) } else { (whole && counts.judged() > 0).then_some(true) },
        problem: problem.started.problem.clone(),
        cells: [
            count(counts.as_expected),
            some(counts.violated),
            some(counts.judge_errors),
            some(counts.skipped),
            count(counts.test_cases),
            slowest.map_or_else(|| NOTHING.to_owned(), |time| format!("{} / {limit} s", seconds(time))),
        ],
    }
}
