//! Listings of problems, test cases and submissions.
//!
//! Responsible for the text of `judge list`. Must not load or select anything.

use judge_event::{ListedProblem, Listing};
use judge_model::Expectation;

use crate::Verbosity;
use crate::summary::codes;
use crate::text::line::{Line, Tone, elide, widest, width};
use crate::text::numbers::{limit_bytes, limit_seconds, plural};
use crate::text::page::{Look, Page};

/// The report of problems, test cases and submissions.
#[derive(Clone, Copy, Debug)]
pub struct ListingReport<'a>(pub &'a Listing);

impl ListingReport<'_> {
    /// Renders the listing for people: a line for each problem, and from [`Verbosity::Verbose`] on
    /// its test cases and submissions. At [`Verbosity::Quiet`] only the names, one per line.
    #[must_use]
    pub fn to_text(&self, look: Look, verbosity: Verbosity) -> String {
        let mut page = Page::new(look);
        if verbosity == Verbosity::Quiet {
            for problem in &self.0.problems {
                page.line(Line::default().with(Tone::Plain, &problem.problem));
            }
            return page.take();
        }
        let rows: Vec<[String; 4]> = self.0.problems.iter().map(facts).collect();
        let widths: [usize; 4] =
            std::array::from_fn(|column| widest(rows.iter().map(|row| &row[column])));
        let room = page
            .width()
            .saturating_sub(widths.iter().map(|width| width + 2).sum());
        for (problem, row) in self.0.problems.iter().zip(&rows) {
            page.line(
                self.heading(problem, room, page.glyphs.ellipsis)
                    .join(cells(row, &widths)),
            );
            if verbosity >= Verbosity::Verbose {
                contents(&mut page, problem);
            }
        }
        let sum = |count: fn(&ListedProblem) -> usize| {
            self.0.problems.iter().map(count).sum::<usize>() as u64
        };
        let total = [
            plural(self.0.problems.len() as u64, "problem"),
            plural(sum(|problem| problem.test_cases.len()), "test case"),
            plural(sum(|problem| problem.submissions.len()), "submission"),
        ];
        page.line(Line::default().with(Tone::Dim, &total.join(page.glyphs.dot)));
        page.take()
    }

    /// Name and title in exactly `room` columns. Problems with equal names are distinguished by
    /// their paths.
    fn heading(&self, problem: &ListedProblem, room: usize, ellipsis: &str) -> Line {
        let names = widest(self.0.problems.iter().map(|problem| &problem.problem)).min(room);
        let name = Line::default()
            .with(Tone::Strong, &elide(&problem.problem, names, ellipsis))
            .pad_to(names);
        let title = match &problem.title {
            _ if self
                .0
                .problems
                .iter()
                .filter(|other| other.problem == problem.problem)
                .count()
                > 1 =>
            {
                &problem.path
            }
            title if *title == problem.problem => "",
            title => title,
        };
        name.with(Tone::Plain, &format!("  {title}"))
            .clip(room, ellipsis)
            .pad_to(room)
    }
}

fn facts(problem: &ListedProblem) -> [String; 4] {
    [
        plural(problem.test_cases.len() as u64, "test case"),
        plural(problem.submissions.len() as u64, "submission"),
        problem.time_limit_us.map_or_else(
            || "inferred".to_owned(),
            |limit| format!("{} s", limit_seconds(limit)),
        ),
        limit_bytes(problem.memory_bytes),
    ]
}

fn cells(row: &[String; 4], widths: &[usize; 4]) -> Line {
    row.iter()
        .zip(widths)
        .fold(Line::default(), |line, (cell, column)| {
            line.with(
                Tone::Dim,
                &format!("{}{cell}", " ".repeat(column + 2 - width(cell))),
            )
        })
}

fn contents(page: &mut Page, problem: &ListedProblem) {
    let ellipsis = page.glyphs.ellipsis;
    for test_case in &problem.test_cases {
        page.line(
            Line::indented(4).with(Tone::Plain, &elide(test_case, page.width() - 4, ellipsis)),
        );
    }
    let ids = widest(
        problem
            .submissions
            .iter()
            .map(|submission| &submission.submission),
    );
    let ids = ids.min(page.width() / 2);
    for submission in &problem.submissions {
        let language = submission
            .language
            .as_ref()
            .map_or("?", |language| language.0.as_str());
        let id = elide(&submission.submission, ids, ellipsis);
        let line = Line::indented(4).with(Tone::Plain, &id).pad_to(4 + ids + 2);
        let line = line.with(Tone::Dim, &format!("{language:<8}  "));
        page.line(line.with(Tone::Dim, &expected(&submission.expectations)));
    }
    page.blank();
}

/// Returns the expectations in short form: `AC WA, at least one WA; on secret/02: AC`.
fn expected(expectations: &[Expectation]) -> String {
    let rules: Vec<String> = expectations
        .iter()
        .map(rule)
        .filter(|rule| !rule.is_empty())
        .collect();
    if rules.is_empty() {
        "nothing expected".to_owned()
    } else {
        rules.join("; ")
    }
}

/// Describes a rule; empty for a rule that every result meets.
fn rule(rule: &Expectation) -> String {
    let mut parts = Vec::new();
    // All four verdicts of the package format are permitted, so the rule forbids none.
    if rule.permitted.len() < 4 {
        parts.push(codes(&rule.permitted, " "));
    }
    if !rule.required.is_empty() {
        parts.push(format!("at least one {}", codes(&rule.required, " or ")));
    }
    if !rule.whole.is_empty() {
        parts.push(format!("{} as a whole", codes(&rule.whole, " or ")));
    }
    if let Some(score) = rule.score {
        let range = score.min != score.max;
        let end = if range {
            format!(" to {}", score.max)
        } else {
            String::new()
        };
        parts.push(format!("score {}{end}", score.min));
    }
    if let Some(message) = &rule.message {
        parts.push(format!("a message with {message:?}"));
    }
    match &rule.scope {
        Some(scope) if !parts.is_empty() => format!("on {}: {}", some_of(scope), parts.join(", ")),
        _ => parts.join(", "),
    }
}

/// Returns the first ids, with the number of the others if there are many.
fn some_of(ids: &[String]) -> String {
    match ids {
        [] | [_] | [_, _] => ids.join(" and "),
        [first, rest @ ..] => format!("{first} and {} others", rest.len()),
    }
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
