//! The terminal report, for users and CI logs.
//!
//! Responsible for what is printed at which verbosity, and when. An expected result takes one line.
//! A surprise has the violated expectation and the evidence. At any verbosity, the report contains
//! faults of packages and of the host, missing protections, and skipped submissions. Must not know
//! where its text goes, or read the environment.

mod check;
mod columns;
mod matrix;
mod submission;

use std::io::{self, Write};
use std::time::Duration;

use judge_event::{
    End, Event, HostFault, LanguageUnavailable, PackageFault, PackageWarning, ProblemStarted,
    ProblemState, Progress, RunStarted, RunState, TestDataAssessed,
};
use judge_model::micros;

use crate::isolation::{gaps, isolation};
use crate::summary::{self, Row, Sentence, TITLES, place, time_limit_origin};
use crate::text::bar::{Bar, ProgressTarget};
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{count, counted, limit_bytes, limit_seconds, plural};
use crate::text::page::{Look, Page};
use crate::{Reporter, Verbosity, View};
use check::{CheckView, check_started};
use columns::Columns;
use matrix::{MatrixView, is_all_as_expected};
use submission::{CACHED, SubmissionView, is_printed};

/// The maximum width of a heading in columns: if both ends are further apart, readers lose the
/// line.
const HEADING_WIDTH: usize = 100;

/// The value for a time limit that could not be inferred. No package states a microsecond.
const NO_TIME_LIMIT: u64 = 1;

/// The settings of the terminal report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalSettings {
    /// Width, colour and marks.
    pub look: Look,
    /// The verbosity of the report.
    pub verbosity: Verbosity,
    /// The view that the user requested.
    pub view: View,
}

/// The reporter for people.
pub struct Terminal {
    settings: TerminalSettings,
    state: RunState,
    page: Page,
    columns: Columns,
    /// True once the heading of the current problem was printed.
    headed: bool,
    /// True once a part of the closing was printed.
    closed: bool,
    /// The runs that progress counts.
    runs: &'static str,
    results: Box<dyn Write + Send>,
    bar: Bar,
}

impl Terminal {
    /// Creates a report that writes to `results` and shows progress with `bar`.
    #[must_use]
    pub fn new(
        settings: TerminalSettings,
        results: Box<dyn Write + Send>,
        bar: ProgressTarget,
    ) -> Self {
        Self {
            settings,
            state: RunState::default(),
            page: Page::new(settings.look),
            columns: Columns::default(),
            headed: false,
            closed: false,
            runs: "test runs",
            results,
            bar: Bar::new(bar, settings.look),
        }
    }

    /// Returns the same report, with progress that counts something other than test runs, such as
    /// `mutants`.
    #[must_use]
    pub fn counting(self, runs: &'static str) -> Self {
        Self { runs, ..self }
    }

    /// Returns the same report, with progress that ends within a budget. The time begins with the
    /// first count.
    #[must_use]
    pub fn within(mut self, budget: Duration) -> Self {
        self.bar.set_budget(budget);
        self
    }

    fn is_at(&self, verbosity: Verbosity) -> bool {
        self.settings.verbosity >= verbosity
    }

    fn render(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.run_started(started),
            Event::PackageFault(fault) => self.package_fault(fault),
            Event::PackageWarning(warning) => self.package_warning(warning),
            Event::LanguageUnavailable(language) => self.language_unavailable(language),
            Event::ProblemStarted(started) => self.problem_started(started),
            Event::SubmissionFinished(_) | Event::SubmissionSkipped(_) => self.submission_ended(),
            Event::TestDataAssessed(assessed) => self.test_data_assessed(assessed),
            Event::HostFault(fault) => self.host_fault(fault),
            Event::RunFinished(_) => self.close(),
            Event::CheckStarted(started) => {
                check_started(&mut self.page, self.settings.verbosity, started);
            }
            Event::PackageChecked(package) => self.with_check(|mut check| check.package(package)),
            Event::CheckFinished(_) => self.with_check(|mut check| check.finished()),
            // Rendered with their submission or package, or unknown events of a later version.
            _ => {}
        }
    }

    fn submission_ended(&mut self) {
        let verbosity = self.settings.verbosity;
        let ended = self
            .state
            .problems
            .last()
            .and_then(|problem| problem.submissions.last());
        let Some(submission) = ended else { return };
        match self.settings.view {
            View::Run if is_printed(submission, &self.state.languages_unavailable, verbosity) => {
                self.heading();
                self.with_submission(|mut view| view.in_run());
            }
            View::Submit => self.with_submission(|mut view| view.alone()),
            // A matrix is rendered when all submissions of the problem are finished.
            View::Run | View::Matrix => {}
        }
    }

    fn with_submission(&mut self, render: impl FnOnce(SubmissionView<'_>)) {
        let (page, verbosity) = (&mut self.page, self.settings.verbosity);
        if let Some(problem) = self.state.problems.last()
            && let Some(submission) = problem.submissions.last()
        {
            render(SubmissionView {
                page,
                verbosity,
                columns: &self.columns,
                problem,
                submission,
            });
        }
    }

    fn with_check(&mut self, render: impl FnOnce(CheckView<'_>)) {
        if let Some(check) = &self.state.check {
            render(CheckView {
                page: &mut self.page,
                verbosity: self.settings.verbosity,
                check,
            });
        }
    }

    fn test_data_assessed(&mut self, assessed: &TestDataAssessed) {
        let verbosity = self.settings.verbosity;
        let is_hidden =
            |problem| verbosity < Verbosity::Normal && is_all_as_expected(problem, assessed);
        if self.state.problems.last().is_none_or(is_hidden) {
            return;
        }
        self.heading();
        if let Some(problem) = self.state.problems.last() {
            MatrixView {
                page: &mut self.page,
                verbosity,
                problem,
                assessed,
            }
            .render();
        }
    }

    fn close(&mut self) {
        if !std::mem::replace(&mut self.closed, true) {
            self.closing();
        }
    }

    /// Prints the first lines: the selection, and the isolation of programs.
    fn run_started(&mut self, started: &RunStarted) {
        let dot = self.page.glyphs.dot;
        if self.settings.view != View::Submit && self.is_at(Verbosity::Normal) {
            let isolation = match self.is_at(Verbosity::Verbose) {
                true => isolation(&started.isolation),
                false => format!("isolation {}", started.isolation.level),
            };
            let facts = [
                format!("judge {}", started.judge_version),
                plural(started.problems, "problem"),
                plural(started.submissions, "submission"),
                plural(started.jobs.into(), "job"),
                isolation,
            ];
            self.page.wrapped(0, Tone::Dim, &facts.join(dot));
        }
        // Missing protections are printed at every verbosity and in every view, because results
        // without them may not be trustworthy.
        gaps(&mut self.page, &started.isolation);
    }

    fn package_fault(&mut self, fault: &PackageFault) {
        let start = Line::marked(0, self.page.glyphs.mark(Some(false)));
        let place = place(&fault.file, fault.line);
        self.about_package(start, &place, &fault.message, fault.hint.as_deref());
    }

    fn package_warning(&mut self, warning: &PackageWarning) {
        if self.is_at(Verbosity::Normal) {
            let start = Line::default().with(Tone::Warn, "! ");
            let place = place(&warning.file, warning.line);
            self.about_package(start, &place, &warning.message, warning.hint.as_deref());
        }
    }

    fn about_package(&mut self, start: Line, place: &str, message: &str, hint: Option<&str>) {
        self.page
            .wrapped_after(start, 4, Tone::Plain, &format!("{place}: {message}"));
        if let Some(hint) = hint {
            self.page.wrapped(4, Tone::Dim, &format!("hint: {hint}"));
        }
    }

    fn language_unavailable(&mut self, missing: &LanguageUnavailable) {
        let start = Line::default().with(Tone::Warn, "! ");
        let skipped = counted(
            missing.submissions,
            "submission is skipped",
            "submissions are skipped",
        );
        let text = format!(
            "{} cannot be judged here: {}; {skipped}",
            missing.language, missing.reason
        );
        self.page.wrapped_after(start, 4, Tone::Plain, &text);
    }

    fn problem_started(&mut self, started: &ProblemStarted) {
        // Columns are laid out for each problem, since its names are known from the beginning.
        // A table of the whole run would have to wait for its end.
        self.columns = Columns::new(
            started,
            self.page.width(),
            &self.page.glyphs,
            self.is_at(Verbosity::Verbose),
        );
        self.headed = false;
        if self.is_at(Verbosity::Normal) {
            self.heading();
        }
    }

    /// Prints the heading of the current problem, unless it was already printed.
    fn heading(&mut self) {
        // With `--quiet` the heading is printed late, above the first line of the problem that
        // needs one.
        if self.settings.view == View::Submit || std::mem::replace(&mut self.headed, true) {
            return;
        }
        let Some(problem) = self.state.problems.last().map(|problem| &problem.started) else {
            return;
        };
        let selected = problem.test_cases.len() as u64;
        let test_cases = if selected < problem.test_cases_total {
            format!(
                "{} of {}",
                count(selected),
                plural(problem.test_cases_total, "test case")
            )
        } else {
            plural(selected, "test case")
        };
        // The limit in force may differ from the one that the package states: a factor for this
        // host multiplies it, or it was inferred. The heading shows its origin, because readers
        // compare it with `problem.yaml`.
        let time_limit = match (problem.time_limit_us, &problem.time_limit_from) {
            (NO_TIME_LIMIT, _) => "no time limit".to_owned(),
            (limit, Some(_)) => format!("{} s (inferred)", limit_seconds(limit)),
            (limit, None) => match (problem.limits.time_limit, problem.time_factor) {
                (Some(stated), Some(factor)) => {
                    let stated = micros(stated);
                    format!(
                        "{} s ({} s × {factor})",
                        limit_seconds(limit),
                        limit_seconds(stated)
                    )
                }
                _ => format!("{} s", limit_seconds(limit)),
            },
        };
        let facts = [
            test_cases,
            time_limit,
            limit_bytes(problem.limits.memory_bytes),
        ]
        .join(self.page.glyphs.dot);
        let mut line = Line::default().with(Tone::Strong, &problem.problem);
        if !problem.title.is_empty() && problem.title != problem.problem {
            line.push(Tone::Plain, &format!("  {}", problem.title));
        }
        // The facts are at the right end; a title that leaves no room for them is cut.
        let right = self.page.width().min(HEADING_WIDTH);
        let room = right.saturating_sub(width(&facts) + 2);
        let line = line
            .clip(room, self.page.glyphs.ellipsis)
            .pad_to(room + 2)
            .with(Tone::Dim, &facts);
        let from = problem.time_limit_from.as_deref().map(time_limit_origin);
        self.page.blank();
        self.page.line(line);
        if let Some(from) = from.filter(|_| self.is_at(Verbosity::Normal)) {
            self.page.wrapped(2, Tone::Dim, &from);
        }
    }

    /// Renders the end of a run: its sums, and the reasons why it is incomplete.
    fn closing(&mut self) {
        if self.settings.view != View::Submit
            && self.is_at(Verbosity::Normal)
            && !self.state.problems.is_empty()
        {
            self.table();
            self.legend();
        }
        self.missing_pictures();
        let whole = self.state.end == Some(End::Completed);
        // The verdict of a single submission has already been printed prominently. Sums would
        // repeat it.
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
                let cells = rows.iter().map(|row| row.cells[column].as_str());
                (column, widest(cells.chain([TITLES[column]])))
            })
            .collect();
        let fixed = mark + columns.iter().map(|(_, width)| width + 2).sum::<usize>();
        // A page that is too narrow for the numbers still has a column for the names. The terminal
        // may break the lines, which loses no text.
        let room = self.page.width().saturating_sub(fixed).max("problem".len());
        // Numbers are never cut. Names get the room that is left.
        let names = widest(rows.iter().map(|row| &row.problem)).clamp("problem".len(), room);
        let cells = |mut line: Line, tone: Tone, cell: &dyn Fn(usize) -> String| {
            for (column, wide) in &columns {
                let cell = cell(*column);
                line = line
                    .with(Tone::Plain, &" ".repeat(wide + 2 - width(&cell)))
                    .with(tone, &cell);
            }
            line
        };
        self.page.blank();
        let titles = Line::indented(mark)
            .with(Tone::Dim, "problem")
            .pad_to(mark + names);
        self.page.line(cells(titles, Tone::Dim, &|column| {
            TITLES[column].to_owned()
        }));
        for row in &rows {
            let (glyph, tone) = glyphs.mark(row.good);
            let name = elide(&row.problem, names, glyphs.ellipsis);
            let line = Line::default()
                .with(tone, glyph)
                .pad_to(mark)
                .with(Tone::Plain, &name)
                .pad_to(mark + names);
            self.page.line(cells(line, Tone::Plain, &|column| {
                row.cells[column].clone()
            }));
        }
    }

    fn legend(&mut self) {
        let runs = || self.state.problems.iter().flat_map(ProblemState::test_runs);
        let near = runs().any(|test| test.near_limit.is_some());
        let cached = runs().any(|test| test.cached);
        // The matrix has no times to mark.
        if self.settings.view != View::Matrix && near {
            let text = "~ run again alone, because it was near the limit or a margin, waited for the host, or was unexpectedly slow; the second result counts";
            self.page.wrapped(0, Tone::Dim, text);
        }
        if cached {
            let text = format!("{CACHED} cached from an earlier run; --no-cache judges again");
            self.page.wrapped(0, Tone::Dim, &text);
        }
        if self.state.programs_remade > 0 && self.is_at(Verbosity::Verbose) {
            let were = counted(
                self.state.programs_remade,
                "program of the cache was",
                "programs of the cache were",
            );
            self.page
                .wrapped(0, Tone::Dim, &format!("{were} damaged, and compiled again"));
        }
    }

    /// Prints the reasons why pictures of the package's visualizers are missing, each once.
    fn missing_pictures(&mut self) {
        const MAX_REASONS: usize = 3;
        let mut reasons: Vec<String> = Vec::new();
        for problem in &self.state.problems {
            let tests = problem.test_runs();
            for remark in tests.flat_map(|test| &test.picture_remarks) {
                // A failing visualizer usually fails on every test case, with different output.
                // Only the first line is the same.
                let first = remark
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .trim_end_matches(':');
                let reason = format!("{}: pictures are missing: {first}", problem.started.problem);
                if reasons.len() < MAX_REASONS && !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        for reason in reasons {
            self.page.wrapped(0, Tone::Warn, &reason);
        }
    }

    fn partial(&mut self) {
        let Some(how) = summary::partial(&self.state) else {
            return;
        };
        self.page
            .wrapped(0, Tone::Warn, &format!("{how}: this report is incomplete"));
        if let Some(kept) = self.state.results_kept.filter(|kept| *kept > 0) {
            let are_cached = counted(kept, "result is cached", "results are cached");
            self.page.wrapped(
                0,
                Tone::Plain,
                &format!("run again to resume: {are_cached}"),
            );
        }
    }

    fn last_line(&mut self) {
        let Sentence { bad, text } = summary::sentence(&self.state);
        let good = match self.state.end {
            _ if bad => Some(false),
            Some(End::Completed) => Some(true),
            _ => None,
        };
        let mark = self.page.glyphs.mark(good);
        let start = Line::marked(0, mark);
        let hang = start.width();
        self.page.wrapped_after(start, hang, Tone::Strong, &text);
    }

    fn host_fault(&mut self, fault: &HostFault) {
        let start = Line::marked(0, self.page.glyphs.mark(Some(false)));
        let during = fault
            .during()
            .map(|during| format!(" (during {during})"))
            .unwrap_or_default();
        let text = format!("this host failed: {}{during}", fault.message);
        self.page.wrapped_after(start, 4, Tone::Bad, &text);
        // The system's words for ENOSPC (strerror(3)).
        if fault.message.contains("No space left on device") {
            let hint = if fault.message.starts_with("cannot compile in") {
                "hint: `TMPDIR` sets another directory for temporary files"
            } else {
                "hint: the cache may be on a full disk; `judge doctor` prints its directory, and \
                 `JUDGE_CACHE_DIR` sets another one"
            };
            self.page.wrapped(4, Tone::Dim, hint);
        }
    }

    /// Writes the finished lines together, while the bar is hidden.
    fn write(&mut self) -> io::Result<()> {
        let text = self.page.take();
        if text.is_empty() {
            return Ok(());
        }
        let results = &mut self.results;
        // All lines of an event are written together, so that the bar is hidden and drawn again
        // only once.
        self.bar.aside(|| {
            results
                .write_all(text.as_bytes())
                .and_then(|()| results.flush())
        })
    }
}

impl Reporter for Terminal {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        // The state is updated first, because the lines of an event show sums that include it.
        self.state.apply(event);
        self.render(event);
        // Nothing may be drawn below the closing, and a run after a check has a separate bar.
        if self.closed || matches!(event, Event::CheckFinished(_)) {
            self.bar.clear();
        }
        self.write()
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        if !self.closed {
            // While packages are being checked, validators are run instead of submissions.
            let check = self.state.check.as_ref();
            let runs = match check.is_some_and(|check| check.finished.is_none()) {
                true => "validator runs",
                false => self.runs,
            };
            self.bar.show(progress, runs);
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.bar.clear();
        // A stream that ends without `RunFinished`, as after a crash, gets its closing here. A
        // stream without a beginning needs none.
        if self.state.isolation.is_some() {
            self.close();
        }
        self.write()
    }
}
