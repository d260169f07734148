//! A check of packages: for each package a block with the decisions of its validators and its
//! findings, and a final sentence.
//!
//! Responsible for an order with the most severe findings first, and for rendering many findings of
//! one kind as one. Must not know the meaning of a code.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use judge_event::{
    CheckStarted, CheckState, DataValidated, Finding, PackageChecked, ValidatorAnswers,
};
use judge_model::Severity;

use crate::Verbosity;
use crate::isolation::gaps;
use crate::summary::place;
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{count, duration, plural};
use crate::text::page::Page;

/// The number of findings of one kind that are rendered in full, unless all are requested.
const MAX_FULL_FINDINGS: usize = 3;
/// The first column of places and messages, after ` warning JP302 `.
const TEXT: usize = 17;
/// The heading of the first column of the decisions.
const DATA: &str = "data";
/// The text of a cell for validators that were not run.
const NOT_RUN: &str = "not run";
/// The indent of the decisions, below the name of the package.
const INDENT: usize = 3;
const GAP: usize = 2;

/// Prints the first lines of a check, above its packages.
pub(super) fn check_started(page: &mut Page, verbosity: Verbosity, started: &CheckStarted) {
    if verbosity >= Verbosity::Normal {
        let mut facts = vec![
            format!("judge {}", started.judge_version),
            plural(started.packages, "package"),
            format!("profile {}", profile_in_words(&started.profile)),
        ];
        facts.extend(
            started
                .isolation
                .as_ref()
                .map(|isolation| format!("isolation {}", isolation.level)),
        );
        facts.extend(started.seed.map(|seed| format!("seed {seed}")));
        page.wrapped(0, Tone::Dim, &facts.join(page.glyphs.dot));
    }
    if let Some(isolation) = &started.isolation {
        gaps(page, isolation);
    }
}

/// A check on a page.
pub(super) struct CheckView<'a> {
    pub(super) page: &'a mut Page,
    pub(super) verbosity: Verbosity,
    pub(super) check: &'a CheckState,
}

impl<'a> CheckView<'a> {
    /// Renders the decisions of validators and the findings of a package.
    pub(super) fn package(&mut self, package: &PackageChecked) {
        let found = self.findings(|finding| finding.problem.as_deref() == Some(&package.problem));
        let silenced = found
            .iter()
            .filter(|finding| finding.silenced.is_some())
            .count();
        let shown: Vec<&Finding> = found
            .iter()
            .copied()
            .filter(|finding| self.shows(finding))
            .collect();
        let counts = |severity| {
            let counted = found
                .iter()
                .filter(|finding| finding.silenced.is_none() && finding.severity == severity);
            counted.count() as u64
        };
        let (errors, warnings) = (counts(Severity::Error), counts(Severity::Warning));
        // With `--quiet`, packages without findings are not mentioned.
        if shown.is_empty() && self.verbosity < Verbosity::Normal {
            return;
        }
        let good = match (errors, warnings) {
            (0, 0) => Some(true),
            (0, _) => None,
            _ => Some(false),
        };
        let (mark, tone) = self.page.glyphs.mark(good);
        let mut facts = sums(errors, warnings, silenced as u64);
        if package.validator_runs > 0 {
            let runs = plural(package.validator_runs, "validator run");
            facts.push(if package.cached {
                format!("{runs} (cached)")
            } else {
                runs
            });
        }
        if !shown.is_empty() {
            self.page.blank();
        }
        let line = Line::default()
            .with(tone, mark)
            .pad_to(3)
            .with(Tone::Strong, &package.problem);
        self.page
            .line(line.with(Tone::Dim, &format!("  {}", facts.join(", "))));
        self.replies(&package.problem);
        self.render_findings(&shown);
    }

    /// Renders findings without a package, and the last line.
    pub(super) fn finished(&mut self) {
        let others = self.findings(|finding| finding.problem.is_none());
        let shown: Vec<&Finding> = others
            .into_iter()
            .filter(|finding| self.shows(finding))
            .collect();
        self.page.blank();
        self.render_findings(&shown);
        self.last_line();
    }

    fn findings(&self, belongs: impl Fn(&Finding) -> bool) -> Vec<&'a Finding> {
        let mut found: Vec<&Finding> = self
            .check
            .findings
            .iter()
            .filter(|finding| belongs(finding))
            .collect();
        // Kinds come in the order of their first finding, and the findings of a kind in the order
        // of the stream: by file and line, the order of fixing them.
        let mut first = BTreeMap::new();
        for (index, finding) in found.iter().copied().enumerate() {
            let kind = (finding.severity, finding.code.as_str());
            first.entry(kind).or_insert(index);
        }
        found.sort_by_key(|finding| {
            let kind = (finding.severity, finding.code.as_str());
            (Reverse(finding.severity), first[&kind])
        });
        found
    }

    fn shows(&self, finding: &Finding) -> bool {
        match (&finding.silenced, finding.severity) {
            (Some(_), _) => self.verbosity >= Verbosity::Verbose,
            (None, Severity::Warning) => self.verbosity >= Verbosity::Normal,
            (None, Severity::Error) => true,
        }
    }

    fn render_findings(&mut self, shown: &[&Finding]) {
        for same_kind in shown.chunk_by(|a, b| (a.severity, &a.code) == (b.severity, &b.code)) {
            // A remark about one more finding would take as many lines as the finding.
            let all =
                self.verbosity >= Verbosity::Verbose || same_kind.len() <= MAX_FULL_FINDINGS + 1;
            let in_full = if all {
                same_kind.len()
            } else {
                MAX_FULL_FINDINGS
            };
            for (index, finding) in same_kind[..in_full].iter().enumerate() {
                self.render_finding(finding, index == 0);
            }
            if same_kind.len() > in_full {
                let more = format!(
                    "and {} more of {}, shown with -v",
                    same_kind.len() - in_full,
                    same_kind[0].code
                );
                self.page.wrapped(TEXT, Tone::Dim, &more);
            }
        }
    }

    fn render_finding(&mut self, finding: &Finding, with_code: bool) {
        let tone = match (&finding.silenced, finding.severity) {
            (Some(_), _) => Tone::Dim,
            (None, Severity::Error) => Tone::Bad,
            (None, Severity::Warning) => Tone::Warn,
        };
        let mut line = Line::indented(2);
        if with_code {
            line = line
                .with(tone, finding.severity.name())
                .pad_to(10)
                .with(Tone::Plain, &finding.code);
        }
        self.page.wrapped_after(
            line.pad_to(TEXT),
            TEXT,
            Tone::Strong,
            &place(&finding.file, finding.line),
        );
        self.page.wrapped_after(
            Line::indented(TEXT + 2),
            TEXT + 2,
            Tone::Plain,
            &finding.message,
        );
        if let Some(hint) = &finding.hint {
            self.page
                .wrapped(TEXT + 2, Tone::Dim, &format!("hint: {hint}"));
        }
        if let Some(reason) = &finding.silenced {
            self.page
                .wrapped(TEXT + 2, Tone::Dim, &format!("silenced: {reason}"));
        }
    }

    fn last_line(&mut self) {
        let check = self.check;
        let (errors, warnings) = (check.count(Severity::Error), check.count(Severity::Warning));
        let whole = check.is_whole();
        let good = match (errors, warnings) {
            (0, 0) if whole => Some(true),
            (0, _) => None,
            _ => Some(false),
        };
        let checked = plural(check.packages.len() as u64, "package");
        let mut text = format!(
            "{checked} checked: {}",
            sums(errors, warnings, check.silenced()).join(", ")
        );
        if let Some(finished) = &check.finished {
            text.push_str(&format!("; {}", duration(finished.wall_time_us)));
        }
        if !whole {
            self.page.wrapped(
                0,
                Tone::Warn,
                "not everything was checked: this report is incomplete",
            );
        }
        let start = Line::marked(0, self.page.glyphs.mark(good));
        let hang = start.width();
        self.page.wrapped_after(start, hang, Tone::Strong, &text);
        let shown = check.findings.iter().filter(|finding| self.shows(finding));
        // One hint for the whole report, about the worst finding. Of equally severe ones, the first
        // by code.
        if let Some(worst) =
            shown.max_by(|a, b| a.severity.cmp(&b.severity).then(b.code.cmp(&a.code)))
            && self.verbosity >= Verbosity::Normal
        {
            let text = format!(
                "`judge check --explain {}` explains why it matters and how to fix it",
                worst.code
            );
            self.page.wrapped(hang, Tone::Dim, &text);
        }
    }

    /// Prints the decisions of validators on the data of a package: a row for each directory.
    /// Faults follow as findings.
    fn replies(&mut self, problem: &str) {
        let rows: Vec<&DataValidated> = self
            .check
            .data
            .iter()
            .filter(|data| data.problem == problem)
            .collect();
        if rows.is_empty() || self.verbosity < Verbosity::Normal {
            return;
        }
        let cells: Vec<[String; 2]> = rows
            .iter()
            .map(|row| [cell(row.inputs), cell(row.outputs)])
            .collect();
        let column = |column: usize| cells.iter().map(move |cells| cells[column].as_str());
        let inputs = widest(column(0).chain(["inputs"]));
        let outputs = widest(column(1).chain(["outputs"]));
        let names = widest(rows.iter().map(|row| row.directory.as_str()).chain([DATA]));
        // Counts are never cut, only long names of directories.
        let names = names.min(
            self.page
                .width()
                .saturating_sub(INDENT + 2 * GAP + inputs + outputs)
                .max(width(DATA)),
        );
        let (second, third) = (INDENT + names + GAP, INDENT + names + GAP + inputs + GAP);
        let titles = Line::indented(INDENT)
            .with(Tone::Dim, DATA)
            .pad_to(second)
            .with(Tone::Dim, "inputs");
        self.page
            .line(titles.pad_to(third).with(Tone::Dim, "outputs"));
        for (row, [inputs, outputs]) in rows.iter().zip(&cells) {
            let line = Line::indented(INDENT)
                .with(
                    Tone::Plain,
                    &elide(&row.directory, names, self.page.glyphs.ellipsis),
                )
                .pad_to(second)
                .with(tone(row.inputs), inputs)
                .pad_to(third)
                .with(tone(row.outputs), outputs);
            self.page.line(line);
        }
    }
}

/// Describes the profile, which may be the strict form of another one.
fn profile_in_words(profile: &str) -> String {
    match profile.strip_suffix(", strict") {
        Some(profile) => format!("{profile}, every finding is an error"),
        None => profile.to_owned(),
    }
}

fn sums(errors: u64, warnings: u64, silenced: u64) -> Vec<String> {
    let mut sums = Vec::new();
    if errors > 0 {
        sums.push(plural(errors, "error"));
    }
    if warnings > 0 {
        sums.push(plural(warnings, "warning"));
    }
    if sums.is_empty() {
        sums.push("nothing found".to_owned());
    }
    if silenced > 0 {
        sums.push(format!("{silenced} silenced"));
    }
    sums
}

/// `44 accepted`, `3 rejected`, `43 accepted, 1 not`.
fn cell(answers: Option<ValidatorAnswers>) -> String {
    let Some(ValidatorAnswers {
        must_accept,
        right,
        wrong,
    }) = answers
    else {
        return NOT_RUN.to_owned();
    };
    let right = format!(
        "{} {}",
        count(right),
        if must_accept { "accepted" } else { "rejected" }
    );
    if wrong > 0 {
        format!("{right}, {} not", count(wrong))
    } else {
        right
    }
}

fn tone(answers: Option<ValidatorAnswers>) -> Tone {
    match answers {
        None => Tone::Dim,
        Some(answers) if answers.wrong > 0 => Tone::Bad,
        Some(_) => Tone::Plain,
    }
}
