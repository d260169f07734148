//! The doctor's findings: what this host can enforce, which languages it can judge, and what makes timing unreliable.
//!
//! Responsible for their shape, text and JSON. Must not examine anything.

use judge_model::{Guarantee, Isolation, IsolationLevel, LanguageId};
use serde::Serialize;

use super::calibration::Calibration;
use crate::terminal::{gaps, isolation};
use crate::text::line::{Line, Tone, elide, width};
use crate::text::numbers::plural;
use crate::text::page::{Look, Page};

/// The report about a host.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoctorReport {
    /// The isolation that programs would have; `None` when no level that is safe can be had.
    pub isolation: Option<Isolation>,
    /// The level that `judge.yaml` demands, whatever else could be had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demanded: Option<IsolationLevel>,
    /// The levels that were tried, the strongest first.
    pub attempts: Vec<Attempt>,
    /// The fixes that would make a stronger level possible, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixes: Option<Vec<FixHint>>,
    /// Physical cores that may be used.
    pub cores: u32,
    /// Programs that would run at a time.
    pub jobs: u32,
    /// The tools of every language.
    pub toolchains: Vec<ToolchainLine>,
    /// The extensions by which the language of a file is known.
    pub extensions: Vec<LanguageExtensions>,
    /// Warnings about things that make timing unreliable here.
    pub timing: Vec<TimingWarning>,
    /// The speed beside that of the reference, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// The program itself.
    pub program: ProgramFacts,
    /// The directory in which compiled programs and results are kept.
    pub cache_dir: String,
    /// The `judge.yaml` that holds here; `None` where there is none.
    pub workspace: Option<String>,
}

/// The facts about the program that decide on which hosts it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProgramFacts {
    /// Its version.
    pub version: String,
    /// The processor that it is for, such as `x86_64`.
    pub processor: String,
    /// The C library that it was built with, such as `glibc` or `musl`.
    pub libc: String,
    /// True when that library is in it, so that it needs none of the host.
    pub linked_statically: bool,
}

/// An isolation level that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// The level.
    pub level: IsolationLevel,
    /// The reason that it is not to be had here; `None` when it is.
    pub problem: Option<String>,
}

/// A fix that an administrator could make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixHint {
    /// The level that becomes possible.
    pub gives: IsolationLevel,
    /// The guarantees that are missing now and would not be then.
    pub closes: Vec<Guarantee>,
    /// The reason why the level cannot be had now.
    pub why: String,
    /// Commands to type, or lines of a file to write, one after the other.
    pub commands: Vec<String>,
}

/// A tool of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolchainLine {
    /// The language.
    pub language: LanguageId,
    /// The tool, such as `rustc`.
    pub tool: String,
    /// Its version in its own words, where it was found.
    pub version: Option<String>,
    /// Its path, where it was found.
    pub path: Option<String>,
    /// True if a small program in the language was compiled and run.
    pub works: bool,
    /// The reason that it cannot be used; `None` when it can, or was not tried.
    pub problem: Option<String>,
}

/// The extensions of a language's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguageExtensions {
    /// The language.
    pub language: LanguageId,
    /// The extensions, without the dot.
    pub extensions: Vec<String>,
}

/// Something that makes timing unreliable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimingWarning {
    /// The thing that was found, such as "CPU frequency governor is `powersave`".
    pub what: String,
    /// The reason why that is bad for measurements.
    pub why: String,
    /// The fix.
    pub fix: String,
}

impl DoctorReport {
    /// The findings as one JSON object.
    ///
    /// # Panics
    /// Never: they have string keys only, which is all that JSON asks for.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("findings have string keys only")
    }

    /// The findings for people.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        heading(&mut page, "isolation");
        self.isolation(&mut page);
        page.blank();
        if let Some(fixes) = &self.fixes {
            heading(&mut page, "fix hints");
            write_fixes(&mut page, fixes, self.demanded);
            page.blank();
        }
        heading(&mut page, "languages");
        self.languages(&mut page);
        self.extensions(&mut page);
        page.blank();
        heading(&mut page, "timing");
        self.timing(&mut page);
        page.blank();
        if let Some(calibration) = &self.calibration {
            heading(&mut page, "calibration");
            calibration.write(&mut page);
            page.blank();
        }
        let ProgramFacts { version, processor, libc, linked_statically } = &self.program;
        let linked = if *linked_statically { "in it (static)" } else { "of this host (dynamic)" };
        page.wrapped(0, Tone::Dim, &format!("program: judge {version} for {processor}, with the {libc} {linked}"));
        page.wrapped(0, Tone::Dim, &format!("cache: {}", self.cache_dir));
        if let Some(file) = &self.workspace {
            page.wrapped(0, Tone::Dim, &format!("workspace: {file}"));
        }
        page.take()
    }

    fn isolation(&self, page: &mut Page) {
        let glyphs = page.glyphs;
        let text_start = 2 + width(glyphs.good) + 1;
        for attempt in &self.attempts {
            let (mark, tone) =
                if attempt.problem.is_none() { (glyphs.good, Tone::Good) } else { (glyphs.none, Tone::Dim) };
            let start = Line::indented(2).with(tone, mark).pad_to(text_start);
            let start = start.with(Tone::Plain, &format!("{:<12}", attempt.level));
            let hang = start.width();
            match &attempt.problem {
                None => page.line(start.with(Tone::Dim, "available")),
                Some(problem) => page.wrapped_after(start, hang, Tone::Dim, problem),
            }
        }
        match &self.isolation {
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
        let widest = |text: fn(&ToolchainLine) -> &str, most: usize| {
            self.toolchains.iter().map(|line| width(text(line))).max().unwrap_or(0).min(most)
        };
        let languages = widest(|line| &line.language.0, 12);
        let tools = widest(|line| &line.tool, 14);
        for line in &self.toolchains {
            let (mark, tone) = match (line.works, &line.problem) {
                (true, _) => (glyphs.good, Tone::Good),
                (false, None) => (glyphs.none, Tone::Dim),
                (false, Some(_)) => (glyphs.none, Tone::Warn),
            };
            let start = Line::indented(2)
                .with(tone, mark)
                .pad_to(text_start)
                .with(Tone::Plain, &elide(&line.language.0, languages, glyphs.ellipsis))
                .pad_to(text_start + languages + 2)
                .with(Tone::Plain, &elide(&line.tool, tools, glyphs.ellipsis))
                .pad_to(text_start + languages + 2 + tools + 2);
            let hang = start.width();
            if let Some(problem) = &line.problem {
                page.wrapped_after(start, hang, Tone::Warn, problem);
                continue;
            }
            let state = if line.works { "works" } else { "found, not tried" };
            let version = format!("{state}: {}", line.version.as_deref().unwrap_or("version unknown"));
            let path = line.path.as_deref();
            let whole = path.map_or_else(|| version.clone(), |path| format!("{version}  {path}"));
            if hang + width(&whole) <= page.width() {
                let line = start.with(Tone::Plain, &version);
                page.line(line.with(Tone::Dim, &path.map_or_else(String::new, |path| format!("  {path}"))));
            } else {
                page.wrapped_after(start, hang, Tone::Plain, &version);
                page.wrapped_after(Line::indented(hang), hang, Tone::Dim, path.unwrap_or_default());
            }
        }
    }

    fn extensions(&self, page: &mut Page) {
        let words = |of: &LanguageExtensions| {
            let extensions: Vec<String> = of.extensions.iter().map(|extension| format!(".{extension}")).collect();
            format!("{} {}", of.language, extensions.join(" "))
        };
        let known = self.extensions.iter().filter(|of| !of.extensions.is_empty());
        let known: Vec<String> = known.map(words).collect();
        if !known.is_empty() {
            page.wrapped(2, Tone::Dim, &format!("by extension: {}", known.join(", ")));
        }
    }

    fn timing(&self, page: &mut Page) {
        let cores = plural(self.cores.into(), "core", "cores");
        let jobs = plural(self.jobs.into(), "program at a time", "programs at a time");
        page.wrapped(2, Tone::Plain, &format!("{cores}, {jobs}"));
        if self.timing.is_empty() {
            let start = Line::indented(2).with(Tone::Good, page.glyphs.good).with(Tone::Plain, " ");
            page.line(start.with(Tone::Plain, "nothing was found that makes timing unreliable"));
        }
        for warning in &self.timing {
            let start = Line::indented(2).with(Tone::Warn, "! ");
            page.wrapped_after(start, 4, Tone::Plain, &format!("{}: {}", warning.what, warning.why));
            page.wrapped_after(Line::indented(4), 6, Tone::Dim, &format!("fix: {}", warning.fix));
        }
    }
}

/// Renders the possible fixes; commands are never broken into lines, so that they can be copied.
fn write_fixes(page: &mut Page, fixes: &[FixHint], demanded: Option<IsolationLevel>) {
    if fixes.is_empty() {
        let text = match demanded {
            Some(level) => {
                format!("judge.yaml demands `{level}`: no other level is used, and nothing is known to do for it")
            }
            None => "nothing is known that would make isolation stronger here".to_owned(),
        };
        page.wrapped(2, Tone::Plain, &text);
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

fn heading(page: &mut Page, text: &str) {
    page.line(Line::default().with(Tone::Strong, text));
}

#[cfg(test)]
#[path = "doctor_tests.rs"]
mod tests;
