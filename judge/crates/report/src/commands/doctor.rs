//! The findings of `judge doctor` for people.
//!
//! Responsible for layout. Must not examine anything.

use judge_event::{
    Calibration, DiagnosedTool, Diagnosis, FixHint, LanguageExtensions, ProgramFacts,
};

use crate::isolation::{gaps, isolation};
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{counted, plural};
use crate::text::page::{Look, Page};

/// The share of noise above which the factor is unreliable.
const MAX_NOISE: f64 = 0.15;

/// The report about a host.
#[derive(Clone, Copy, Debug)]
pub struct DoctorReport<'a>(pub &'a Diagnosis);

impl DoctorReport<'_> {
    /// Renders the findings for people.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        heading(&mut page, "isolation");
        self.isolation(&mut page);
        page.blank();
        if !self.0.fixes.is_empty() {
            heading(&mut page, "stronger isolation");
            write_fixes(&mut page, &self.0.fixes);
            page.blank();
        }
        heading(&mut page, "languages");
        self.languages(&mut page);
        self.extensions(&mut page);
        page.blank();
        heading(&mut page, "timing");
        self.timing(&mut page);
        page.blank();
        if let Some(calibration) = &self.0.calibration {
            heading(&mut page, "calibration");
            write_calibration(calibration, &mut page);
            page.blank();
        }
        let ProgramFacts {
            version,
            processor,
            libc,
            linked_statically,
        } = &self.0.program;
        let linked = if *linked_statically {
            "statically"
        } else {
            "dynamically"
        };
        page.wrapped(
            0,
            Tone::Dim,
            &format!("program: judge {version} for {processor}, linked {linked} with {libc}"),
        );
        page.wrapped(0, Tone::Dim, &format!("cache: {}", self.0.cache_dir));
        if let Some(file) = &self.0.workspace {
            page.wrapped(0, Tone::Dim, &format!("workspace: {file}"));
        }
        if let Some(problem) = &self.0.problem {
            page.blank();
            let start = Line::marked(0, page.glyphs.mark(Some(false)));
            let text = format!("this host failed: {problem}");
            page.wrapped_after(start, 2, Tone::Bad, &text);
        }
        page.take()
    }

    fn isolation(&self, page: &mut Page) {
        let glyphs = page.glyphs;
        let text_start = 2 + width(glyphs.good) + 1;
        page.wrapped(2, Tone::Plain, &self.0.environment);
        for attempt in &self.0.attempts {
            let (mark, tone) = if attempt.problem.is_none() {
                (glyphs.good, Tone::Good)
            } else {
                (glyphs.none, Tone::Dim)
            };
            let start = Line::indented(2).with(tone, mark).pad_to(text_start);
            let start = start.with(Tone::Plain, &format!("{:<12}", attempt.level));
            let hang = start.width();
            match &attempt.problem {
                None => page.line(start.with(Tone::Dim, "available")),
                Some(problem) => page.wrapped_after(start, hang, Tone::Dim, problem),
            }
        }
        match &self.0.isolation {
            Some(found) => {
                page.wrapped(2, Tone::Strong, &format!("programs run with {}", isolation(found)));
                gaps(page, found);
            }
            None => page.wrapped(
                2,
                Tone::Bad,
                "this host supports no isolation level that is safe for untrusted programs: nothing can be judged here",
            ),
        }
    }

    fn languages(&self, page: &mut Page) {
        let glyphs = page.glyphs;
        let text_start = 2 + width(glyphs.good) + 1;
        let rows = rows(&self.0.toolchains);
        let column =
            |text: fn(&DiagnosedTool) -> &str, max: usize| widest(rows.iter().map(&text)).min(max);
        let languages = column(|line| &line.language.0, 12);
        let tools = column(|line| &line.tool, 14);
        for line in &rows {
            let (mark, tone) = match (line.works, &line.problem) {
                (true, _) => (glyphs.good, Tone::Good),
                (false, None) => (glyphs.none, Tone::Dim),
                (false, Some(_)) => (glyphs.none, Tone::Warn),
            };
            let start = Line::indented(2)
                .with(tone, mark)
                .pad_to(text_start)
                .with(
                    Tone::Plain,
                    &elide(&line.language.0, languages, glyphs.ellipsis),
                )
                .pad_to(text_start + languages + 2)
                .with(Tone::Plain, &elide(&line.tool, tools, glyphs.ellipsis))
                .pad_to(text_start + languages + 2 + tools + 2);
            let hang = start.width();
            if let Some(problem) = &line.problem {
                page.wrapped_after(start, hang, Tone::Warn, problem);
                continue;
            }
            let state = if line.works {
                "works"
            } else {
                "found, not tried"
            };
            let version = format!(
                "{state}: {}",
                line.version.as_deref().unwrap_or("version unknown")
            );
            let path = line.path.as_deref();
            let whole = path.map_or_else(|| version.clone(), |path| format!("{version}  {path}"));
            // Version and path on one line if they fit, otherwise on separate lines, because a
            // broken path is useless.
            if hang + width(&whole) <= page.width() {
                let line = start.with(Tone::Plain, &version);
                page.line(line.with(
                    Tone::Dim,
                    &path.map_or_else(String::new, |path| format!("  {path}")),
                ));
            } else {
                page.wrapped_after(start, hang, Tone::Plain, &version);
                page.wrapped_after(
                    Line::indented(hang),
                    hang,
                    Tone::Dim,
                    path.unwrap_or_default(),
                );
            }
        }
    }

    fn extensions(&self, page: &mut Page) {
        let words = |language: &LanguageExtensions| {
            let extensions: Vec<String> = language
                .extensions
                .iter()
                .map(|extension| format!(".{extension}"))
                .collect();
            format!("{} {}", language.language, extensions.join(" "))
        };
        let known = self
            .0
            .extensions
            .iter()
            .filter(|language| !language.extensions.is_empty());
        let known: Vec<String> = known.map(words).collect();
        if !known.is_empty() {
            page.wrapped(2, Tone::Dim, &format!("by extension: {}", known.join(", ")));
        }
    }

    fn timing(&self, page: &mut Page) {
        let cores = plural(self.0.cores.into(), "core");
        let jobs = counted(
            self.0.jobs.into(),
            "program at a time",
            "programs at a time",
        );
        page.wrapped(2, Tone::Plain, &format!("{cores}, {jobs}"));
        if self.0.timing.is_empty() {
            let text = "nothing was found that makes timing unreliable";
            page.line(Line::marked(2, page.glyphs.mark(Some(true))).with(Tone::Plain, text));
        }
        for warning in &self.0.timing {
            let start = Line::indented(2).with(Tone::Warn, "! ");
            page.wrapped_after(
                start,
                4,
                Tone::Plain,
                &format!("{}: {}", warning.what, warning.why),
            );
            page.wrapped(4, Tone::Dim, &format!("fix: {}", warning.fix));
        }
    }
}

/// Returns a row for each language. The tools of a language are consecutive.
fn rows(tools: &[DiagnosedTool]) -> Vec<DiagnosedTool> {
    let mut rows: Vec<DiagnosedTool> = Vec::new();
    let join = |one: &mut String, other: &str| {
        if one != other {
            *one = format!("{one}, {other}");
        }
    };
    for tool in tools {
        match rows.last_mut() {
            Some(row)
                if row.language == tool.language
                    && (row.works, &row.problem) == (tool.works, &tool.problem) =>
            {
                join(&mut row.tool, &tool.tool);
                for (one, other) in [
                    (&mut row.version, &tool.version),
                    (&mut row.path, &tool.path),
                ] {
                    if let (Some(one), Some(other)) = (one, other) {
                        join(one, other);
                    }
                }
            }
            _ => rows.push(tool.clone()),
        }
    }
    rows
}

/// Renders the possible fixes. Commands are never broken into lines, so that users can copy them.
fn write_fixes(page: &mut Page, fixes: &[FixHint]) {
    let starts_container =
        |command: &String| command.starts_with("docker run ") || command.starts_with("podman run ");
    if fixes
        .iter()
        .flat_map(|fix| &fix.commands)
        .any(starts_container)
    {
        let text = "add the options to those of this container; IMAGE is its image";
        page.wrapped(2, Tone::Dim, text);
    }
    for fix in fixes {
        page.wrapped(2, Tone::Plain, &format!("for `{}`: {}", fix.gives, fix.why));
        for gap in &fix.closes {
            page.wrapped(4, Tone::Dim, &format!("gains: {}", gap.describe()));
        }
        for command in &fix.commands {
            page.whole_line(Line::indented(6).with(Tone::Strong, command));
        }
    }
}

fn write_calibration(calibration: &Calibration, page: &mut Page) {
    for kind in &calibration.kinds {
        let text = format!(
            "{:<8} {:.3} s, {:.2} times the reference of {:.3} s; runs differ by {:.0} %",
            kind.kind,
            kind.seconds,
            kind.factor,
            kind.reference_seconds,
            kind.spread * 100.0
        );
        page.wrapped(2, Tone::Plain, &text);
    }
    let text = format!(
        "this host takes {:.2} times as long as the reference; by kind {:.2} to {:.2} times",
        calibration.factor, calibration.lowest, calibration.highest
    );
    page.wrapped(2, Tone::Strong, &text);
    if calibration.noise > MAX_NOISE {
        let text = "runs of the same work differ too much for a reliable factor: try again when nothing else runs";
        page.wrapped(2, Tone::Warn, text);
    }
    let text = format!(
        "no file was changed. If time limits are meant for the reference, write `time_factor: {}` into judge.yaml; \
         if they are meant for another host, calibrate that host too and divide the factors",
        calibration.factor
    );
    page.wrapped(2, Tone::Dim, &text);
}

fn heading(page: &mut Page, text: &str) {
    page.line(Line::default().with(Tone::Strong, text));
}

#[cfg(test)]
#[path = "doctor_tests.rs"]
mod tests;
