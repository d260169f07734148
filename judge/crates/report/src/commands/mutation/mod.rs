//! Mutation testing, for people: the score, the scores of groups, and the mistakes that no test
//! case detects.
//!
//! Responsible for layout, and for the difference between a solution and its mutants. Must not know
//! how mutants are made or run.

mod overall;
pub(crate) mod words;

pub use overall::MutationOverallReport;

use std::collections::BTreeMap;

use judge_event::{DataGap, MutantResult, Mutation, ScoreInterval, Totals};
use similar::{ChangeTag, TextDiff};

use crate::commands::search::{InputReport, row};
use crate::text::cut::Cut;
use crate::text::escape::source_line;
use crate::text::line::{Line, Tone, widest};
use crate::text::numbers::{count, duration, plural};
use crate::text::page::{Look, Page};

/// The report of mutation testing of a problem.
#[derive(Clone, Debug, Default)]
pub struct MutationReport {
    /// The result.
    pub(crate) mutation: Mutation,
    /// Each kind of mistake, with its totals.
    pub(crate) operators: Vec<(String, Totals)>,
    /// The result of the hunt for an input that kills a survivor, in a sentence, by the survivor's
    /// name; empty without a hunt.
    pub(crate) fates: BTreeMap<String, String>,
    /// Inputs that were found to kill survivors.
    pub(crate) found: Vec<InputReport>,
    /// Facts about the search for these inputs: a name and a description.
    pub(crate) searched: Vec<(String, String)>,
    /// Notes on the method, a sentence each.
    pub(crate) notes: Vec<String>,
    /// Warnings, such as a mutant that is declared equivalent and is not, a sentence each.
    pub(crate) warnings: Vec<String>,
    /// The requested minimum score, in percent.
    pub(crate) min_score: Option<f64>,
}

/// The maximum number of named test cases that reach a place.
const MAX_NAMED_TEST_CASES: usize = 3;
/// The number of lines around a change.
const CONTEXT_LINES: usize = 1;

impl MutationReport {
    /// Renders the report for a terminal; without survivors and notes if `brief`.
    #[must_use]
    pub fn to_text(&self, look: Look, brief: bool) -> String {
        let mut page = Page::new(look);
        self.scores(&mut page);
        if !brief {
            for (gap, survivors) in self.by_gap() {
                if let Some(gap) = gap {
                    let head = Line::default().with(Tone::Strong, gap_title(gap));
                    page.blank();
                    page.line(
                        head.with(Tone::Dim, &format!("  {}", count(survivors.len() as u64))),
                    );
                }
                for survivor in survivors {
                    self.survivor(&mut page, survivor);
                }
            }
        }
        // Only the requested gaps.
        for found in &self.found {
            found.lay_out(&mut page);
        }
        if !brief {
            page.blank();
            for fact in &self.searched {
                row(&mut page, fact);
            }
            for note in &self.notes {
                page.wrapped(0, Tone::Dim, note);
            }
        }
        for warning in &self.warnings {
            page.wrapped(0, Tone::Warn, &format!("warning: {warning}"));
        }
        page.take()
    }

    /// True when the score reaches the requested minimum.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.min_score
            .is_none_or(|min_score| self.mutation.score.totals.percent() >= min_score)
    }

    /// Returns each group with the mutants that its test cases kill alone, of all that count.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&str, Totals)> {
        let totals = self.mutation.score.totals;
        self.mutation.groups.iter().map(move |group| {
            let killed = group.totals.killed;
            (group.group.as_str(), Totals { killed, ..totals })
        })
    }

    /// Returns the survivors of each gap, in the order of the gaps.
    pub(crate) fn by_gap(&self) -> Vec<(Option<DataGap>, Vec<&MutantResult>)> {
        let survivors_in = |gap: Option<DataGap>| -> Vec<&MutantResult> {
            let survivors = self.mutation.survivors();
            survivors.filter(|survivor| survivor.gap == gap).collect()
        };
        let gaps = DataGap::ALL.into_iter().map(Some).chain([None]);
        gaps.map(|gap| (gap, survivors_in(gap)))
            .filter(|(_, survivors)| !survivors.is_empty())
            .collect()
    }

    fn scores(&self, page: &mut Page) {
        let (mutation, score) = (&self.mutation, &self.mutation.score);
        let totals = score.totals;
        let head = Line::default().with(Tone::Strong, &mutation.problem);
        page.line(head.with(Tone::Dim, &format!("  mutants of {}", mutation.solution)));
        let (tone, mark) = match (self.min_score, self.is_enough()) {
            (Some(_), false) => (Tone::Bad, page.glyphs.bad),
            // Without a requested score, survivors are information and not a failure.
            (None, _) if totals.killed < totals.of || totals.of == 0 => {
                (Tone::Plain, page.glyphs.none)
            }
            _ => (Tone::Good, page.glyphs.good),
        };
        let (shown_score, first) = match (totals.of, score.equivalent + score.does_not_compile) {
            (0, 0) => (
                NO_SCORE.to_owned(),
                "nothing to mutate: no expression in it can be changed".to_owned(),
            ),
            (0, _) => (
                NO_SCORE.to_owned(),
                "no mutant that could be killed".to_owned(),
            ),
            (of, _) => {
                let (killed, mutants) = (count(totals.killed), plural(of, "mutant"));
                (shown(totals), format!("{killed} of {mutants} killed"))
            }
        };
        let mut facts = vec![first];
        let mut add = |number: u64, what: &str| {
            if number > 0 {
                facts.push(format!("{} {what}", count(number)));
            }
        };
        add(totals.of - totals.killed, "survived");
        add(
            score.equivalent - score.same_program,
            "argued to be equivalent",
        );
        add(score.same_program, "the same program");
        add(score.does_not_compile, "refused by the compiler");
        facts.extend(score.interval.map(within));
        facts.extend(
            self.min_score
                .filter(|_| !self.is_enough())
                .map(|min_score| format!("expected {min_score} % or more")),
        );
        facts.push(duration(mutation.method.elapsed_us));
        let start = Line::default()
            .with(tone, &format!("{mark} {shown_score}"))
            .with(Tone::Plain, "  ");
        page.wrapped_after(start, 4, Tone::Plain, &facts.join(page.glyphs.dot));
        let longest = widest(self.groups().map(|(group, _)| group));
        // With one group, its score is the score above.
        if mutation.groups.len() > 1 && totals.of > 0 {
            for (group, totals) in self.groups() {
                let line = Line::indented(4)
                    .with(Tone::Plain, group)
                    .pad_to(longest + 6);
                let text = format!("{}  {} killed", shown(totals), count(totals.killed));
                page.line(line.with(Tone::Dim, &text));
            }
        }
    }

    fn survivor(&self, page: &mut Page, survivor: &MutantResult) {
        page.blank();
        let place = match survivor.function.as_str() {
            "" => format!("line {}", survivor.line),
            function => format!("line {}, in {function}", survivor.line),
        };
        let head = Line::default()
            .with(Tone::Bad, "survived")
            .with(Tone::Plain, "  ")
            .with(Tone::Strong, &survivor.id);
        page.line(
            head.with(Tone::Plain, &format!("  {}", survivor.operator))
                .with(Tone::Dim, &format!("  {place}")),
        );
        let mutant = survivor.source.as_deref().unwrap_or_default();
        difference(page, &self.mutation.source, mutant);
        if let Some(meaning) = &survivor.meaning {
            page.wrapped(2, Tone::Plain, meaning);
        }
        if let Some(reached) = &survivor.reached {
            page.wrapped(
                2,
                Tone::Dim,
                &nearest(reached, &survivor.near, page.glyphs.ellipsis),
            );
        }
        if let Some(fate) = self.fates.get(&survivor.id) {
            page.wrapped(2, Tone::Plain, fate);
        }
    }
}

/// The score without a mutant that counts.
pub(crate) const NO_SCORE: &str = "no score";

/// Returns a score with one decimal.
pub(crate) fn shown(totals: Totals) -> String {
    rounded_down(totals.percent())
}

/// Returns a percentage with one decimal, rounded down, so that only a complete score is 100 %.
fn rounded_down(percent: f64) -> String {
    format!("{:5.1} %", (percent * 10.0).floor() / 10.0)
}

/// Describes the nearest test cases: those that reach the place with a value that could differ, or
/// otherwise with another value.
pub(crate) fn nearest(reached: &[String], near: &[String], ellipsis: &str) -> String {
    let named = |cases: &[String]| {
        let more = if cases.len() > MAX_NAMED_TEST_CASES {
            format!(", {ellipsis}")
        } else {
            String::new()
        };
        cases
            .iter()
            .take(MAX_NAMED_TEST_CASES)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ")
            + &more
    };
    match (reached, near) {
        ([], []) => "no test case reaches this place with a value that would differ".to_owned(),
        ([], [one]) => {
            format!("nearest: {one} reaches this place, with a value that makes no difference")
        }
        ([], many) => {
            let number = many.len();
            format!(
                "nearest: {number} test cases reach this place, with values that make no difference: {}",
                named(many)
            )
        }
        ([one], _) => format!("it could differ on one test case: {one}"),
        (many, _) => {
            format!(
                "it could differ on {} test cases, with the same result: {}",
                many.len(),
                named(many)
            )
        }
    }
}

/// Describes the bounds of a score from a sample.
pub(crate) fn within(interval: ScoreInterval) -> String {
    let ScoreInterval { low, high } = interval;
    format!("{low:.1} % to {high:.1} % of all, at 95 % confidence")
}

/// Returns a gap as a heading.
pub(crate) fn gap_title(gap: DataGap) -> &'static str {
    match gap {
        DataGap::Unreached => "no test case reaches this place",
        DataGap::Bound => "no test case reaches these bounds",
        DataGap::EqualValues => "no test case has two equal values here",
        DataGap::OneWay => "no test case takes the other branch here",
        DataGap::LargeValues => "no test case needs more than 32 bits here",
        DataGap::Order => "no test case shows this order",
        DataGap::NoEffect => "executed, but no answer depends on it",
    }
}

/// A line of a difference.
pub(crate) struct Change {
    /// Its number in the solution, counted from 1; `None` for an added line.
    pub(crate) line: Option<usize>,
    pub(crate) tag: ChangeTag,
    pub(crate) text: String,
}

/// Returns the lines that differ, with context.
pub(crate) fn changes(source: &str, mutant: &str) -> Vec<Change> {
    let diff = TextDiff::from_lines(source, mutant);
    let ops = diff.grouped_ops(CONTEXT_LINES);
    let changes = ops.iter().flatten().flat_map(|op| diff.iter_changes(op));
    let change = changes.map(|change| Change {
        line: change.old_index().map(|index| index + 1),
        tag: change.tag(),
        text: change.value().trim_end_matches(['\n', '\r']).to_owned(),
    });
    change.collect()
}

/// Returns each line of a difference with the offset of the byte where it differs from its
/// counterpart; 0 without a counterpart.
fn focused(changes: Vec<Change>) -> Vec<(Change, usize)> {
    let differs = |old: &str, new: &str| {
        old.bytes()
            .zip(new.bytes())
            .take_while(|(old, new)| old == new)
            .count()
    };
    let mut focuses = vec![0; changes.len()];
    // A block of removed lines is followed by the lines that replace them, in the same order.
    let removed = |index: &usize| changes[*index].tag == ChangeTag::Delete;
    let added = |index: &usize| changes[*index].tag == ChangeTag::Insert;
    let mut start = 0;
    while start < changes.len() {
        let old: Vec<usize> = (start..changes.len()).take_while(removed).collect();
        let new: Vec<usize> = (start + old.len()..changes.len())
            .take_while(added)
            .collect();
        for (old, new) in old.iter().zip(&new) {
            let place = differs(&changes[*old].text, &changes[*new].text);
            (focuses[*old], focuses[*new]) = (place, place);
        }
        start += (old.len() + new.len()).max(1);
    }
    changes.into_iter().zip(focuses).collect()
}

fn difference(page: &mut Page, source: &str, mutant: &str) {
    /// The number of columns before the text: the indent, the number and the sign.
    const BEFORE: usize = 9;
    for (Change { line, tag, text }, focus) in focused(changes(source, mutant)) {
        let number = line.map_or(String::new(), |line| line.to_string());
        let (sign, tone) = match tag {
            ChangeTag::Delete => ("-", Tone::Bad),
            ChangeTag::Insert => ("+", Tone::Good),
            ChangeTag::Equal => (" ", Tone::Dim),
        };
        let line = Line::indented(2)
            .with(Tone::Dim, &format!("{number:>4} "))
            .with(tone, sign);
        let cut = Cut::new(
            &source_line(&text),
            focus,
            0,
            0,
            page.width().saturating_sub(BEFORE),
        );
        page.line(
            line.with(tone, " ")
                .join(cut.line(Line::default().with(tone, &cut.text))),
        );
    }
}

#[cfg(test)]
#[path = "mutation_tests.rs"]
mod tests;
