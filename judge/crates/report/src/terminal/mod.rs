//! The terminal report: what people watch and what CI logs keep.
//!
//! Responsible for what is printed at which verbosity, and when. As expected is calm: one line. A surprise gets the
//! sentence that it violates and the evidence. Never silent, at any verbosity: faults of packages and of the host,
//! missing protections, and what was skipped. Must not know where its text goes, nor read the environment.

mod closing;
mod columns;
mod findings;
mod judged;
mod matrix;
mod single;
mod validated;

use std::io::{self, Write};
use std::time::Duration;

use judge_event::{
    Event, HostFault, LanguageUnavailable, PackageFault, PackageWarning, ProblemStarted, Progress, RunStarted, RunState,
};
use judge_model::{Isolation, micros};

use crate::summary::time_limit_origin;
use crate::text::bar::{Bar, ProgressTarget};
use crate::text::escape::printable;
use crate::text::line::{Line, Tone};
use crate::text::numbers::{count, limit_bytes, limit_seconds, plural};
use crate::text::page::{Look, Page};
use crate::{Reporter, Verbosity, View};
use columns::Columns;

/// The most columns between the two ends of a heading: further apart the eye loses the line.
const HEADING_WIDTH: usize = 100;

/// The value for a time limit that could not be inferred: a microsecond is never stated.
const NO_TIME_LIMIT: u64 = 1;

/// The settings of the terminal report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalSettings {
    /// Width, colour and marks.
    pub look: Look,
    /// The verbosity of the report.
    pub verbosity: Verbosity,
    /// The view that the reader asked for.
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
    /// True once anything of the closing was printed.
    closed: bool,
    /// True while packages are being checked: then validators are run, and no submissions.
    checking: bool,
    /// The runs that progress counts.
    runs: &'static str,
    results: Box<dyn Write + Send>,
    bar: Bar,
}

impl Terminal {
    /// A report that writes results here and shows progress there.
    #[must_use]
    pub fn new(settings: TerminalSettings, results: Box<dyn Write + Send>, bar: ProgressTarget) -> Self {
        Self {
            settings,
            state: RunState::default(),
            page: Page::new(settings.look),
            columns: Columns::default(),
            headed: false,
            closed: false,
            checking: false,
            runs: "test runs",
            results,
            bar: Bar::new(bar, settings.look),
        }
    }

    /// The same, with progress that counts something else than test runs, such as `mutants`.
    #[must_use]
    pub fn counting(self, runs: &'static str) -> Self {
        Self { runs, ..self }
    }

    /// The same, with progress that ends within a time, which begins when something is counted.
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
            Event::TestDataAssessed(assessed) => self.matrix(assessed),
            Event::HostFault(fault) => self.host_fault(fault),
            Event::RunFinished(_) => self.close(),
            Event::CheckStarted(started) => self.check_started(started),
            Event::PackageChecked(package) => self.package_checked(package),
            Event::CheckFinished(_) => self.check_finished(),
            // Told with the submission or package that they are about; or an event of a later version, which this one
            // cannot tell.
            _ => {}
        }
    }

    fn submission_ended(&mut self) {
        match self.settings.view {
            View::Run => self.judged(),
            View::Submit => self.single(),
            // Told when it is known what the whole problem came to.
            View::Matrix => {}
        }
    }

    fn close(&mut self) {
        if !std::mem::replace(&mut self.closed, true) {
            self.closing();
        }
    }

    /// The first lines: what was asked for, and how well programs are kept apart.
    fn run_started(&mut self, started: &RunStarted) {
        let dot = self.page.glyphs.dot;
        if self.settings.view != View::Submit && self.is_at(Verbosity::Normal) {
            let isolation = match self.is_at(Verbosity::Verbose) {
                true => isolation(&started.isolation),
                false => format!("isolation {}", started.isolation.level),
            };
            let facts = [
                format!("judge {}", started.judge_version),
                plural(started.problems, "problem", "problems"),
                plural(started.submissions, "submission", "submissions"),
                plural(started.jobs.into(), "job", "jobs"),
                isolation,
            ];
            self.page.wrapped(0, Tone::Dim, &facts.join(dot));
        }
        gaps(&mut self.page, &started.isolation);
    }

    fn package_fault(&mut self, fault: &PackageFault) {
        let start = Line::default().with(Tone::Bad, self.page.glyphs.bad).with(Tone::Plain, " ");
        let text = format!("{}: {}", place(&fault.file, fault.line), fault.message);
        self.page.wrapped_after(start, 4, Tone::Plain, &text);
        if let Some(hint) = &fault.hint {
            self.page.wrapped(4, Tone::Dim, &format!("hint: {hint}"));
        }
    }

    fn package_warning(&mut self, warning: &PackageWarning) {
        if self.is_at(Verbosity::Normal) {
            let start = Line::default().with(Tone::Warn, "! ");
            let text = format!("{}: {}", place(&warning.file, warning.line), warning.message);
            self.page.wrapped_after(start, 4, Tone::Plain, &text);
            if let Some(hint) = &warning.hint {
                self.page.wrapped(4, Tone::Dim, &format!("hint: {hint}"));
            }
        }
    }

    fn language_unavailable(&mut self, missing: &LanguageUnavailable) {
        let start = Line::default().with(Tone::Warn, "! ");
        let skipped = plural(missing.submissions, "submission is skipped", "submissions are skipped");
        let text = format!("{} cannot be judged here: {}; {skipped}", missing.language, missing.reason);
        self.page.wrapped_after(start, 4, Tone::Plain, &text);
    }

    fn problem_started(&mut self, started: &ProblemStarted) {
        self.columns = Columns::of(started, self.page.width(), &self.page.glyphs, self.is_at(Verbosity::Verbose));
        self.headed = false;
        if self.is_at(Verbosity::Normal) {
            self.heading();
        }
    }

    /// The heading of the current problem, unless it was printed already.
    fn heading(&mut self) {
        if self.settings.view == View::Submit || std::mem::replace(&mut self.headed, true) {
            return;
        }
        let Some(problem) = self.state.problems.last().map(|problem| &problem.started) else {
            return;
        };
        let selected = problem.test_cases.len() as u64;
        let test_cases = if selected < problem.test_cases_total {
            format!("{} of {}", count(selected), plural(problem.test_cases_total, "test case", "test cases"))
        } else {
            plural(selected, "test case", "test cases")
        };
        let time_limit = match (problem.time_limit_us, &problem.time_limit_from) {
            (NO_TIME_LIMIT, _) => "no time limit".to_owned(),
            (limit, Some(_)) => format!("{} s (inferred)", limit_seconds(limit)),
            (limit, None) => match (problem.limits.time_limit, problem.time_factor) {
                (Some(stated), Some(factor)) => {
                    let stated = micros(stated);
                    format!("{} s ({} s × {factor})", limit_seconds(limit), limit_seconds(stated))
                }
                _ => format!("{} s", limit_seconds(limit)),
            },
        };
        let facts = [test_cases, time_limit, limit_bytes(problem.limits.memory_bytes)].join(self.page.glyphs.dot);
        let mut line = Line::default().with(Tone::Strong, &problem.problem);
        if !problem.title.is_empty() && problem.title != problem.problem {
            line.push(Tone::Plain, &format!("  {}", problem.title));
        }
        // The facts stand at the right end; a title that leaves no room for them is cut.
        let right = self.page.width().min(HEADING_WIDTH);
        let room = right.saturating_sub(crate::text::line::width(&facts) + 2);
        let line = line.clip(room, self.page.glyphs.ellipsis).pad_to(room + 2).with(Tone::Dim, &facts);
        let from = problem.time_limit_from.as_deref().map(time_limit_origin);
        self.page.blank();
        self.page.line(line);
        if let Some(from) = from.filter(|_| self.is_at(Verbosity::Normal)) {
            self.page.wrapped(2, Tone::Dim, &from);
        }
    }

    fn host_fault(&mut self, fault: &HostFault) {
        let start = Line::default().with(Tone::Bad, self.page.glyphs.bad).with(Tone::Plain, " ");
        let during = fault.during().map(|during| format!(" (during {during})")).unwrap_or_default();
        let text = format!("this host failed: {}{during}", fault.message);
        self.page.wrapped_after(start, 4, Tone::Bad, &text);
        // The system's words for ENOSPC (strerror(3)).
        if fault.message.contains("No space left on device") {
            let hint = "hint: the cache may be where there is no room; `judge doctor` names its directory, and \
                        `JUDGE_CACHE_DIR` another one";
            self.page.wrapped(4, Tone::Dim, hint);
        }
    }

    /// Writes what was laid out, at once and with the bar out of the way.
    fn write(&mut self) -> io::Result<()> {
        let text = self.page.take();
        if text.is_empty() {
            return Ok(());
        }
        let results = &mut self.results;
        self.bar.aside(|| results.write_all(text.as_bytes()).and_then(|()| results.flush()))
    }
}

impl Reporter for Terminal {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.state.apply(event);
        self.render(event);
        match event {
            Event::CheckStarted(_) => self.checking = true,
            Event::CheckFinished(_) => {
                self.checking = false;
                self.bar.clear();
            }
            _ => {}
        }
        if self.closed {
            self.bar.clear();
        }
        self.write()
    }

    fn progress(&mut self, progress: &Progress) -> io::Result<()> {
        if !self.closed {
            self.bar.show(progress, if self.checking { "validator runs" } else { self.runs });
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.bar.clear();
        if self.state.isolation.is_some() {
            self.close();
        }
        self.write()
    }
}

/// The isolation in a few words.
pub(crate) fn isolation(isolation: &Isolation) -> String {
    match isolation.cgroup_version {
        Some(version) => format!("isolation {} (cgroup v{version})", isolation.level),
        None => format!("isolation {}", isolation.level),
    }
}

/// Names what the isolation does not guarantee. Told at every verbosity: a missing protection is never silent.
pub(crate) fn gaps(page: &mut Page, isolation: &Isolation) {
    if !isolation.gaps.is_empty() {
        let gaps: Vec<&str> = isolation.gaps.iter().map(|gap| gap.describe()).collect();
        let start = Line::default().with(Tone::Warn, "! ");
        let text = format!("isolation {}, not guaranteed: {}", isolation.level, gaps.join("; "));
        page.wrapped_after(start, 4, Tone::Warn, &text);
    }
}

fn place(file: &str, line: Option<u32>) -> String {
    // A name with a line break in it is one name.
    let file = printable(file);
    line.map_or_else(|| file.clone().into_owned(), |line| format!("{file}:{line}"))
}
