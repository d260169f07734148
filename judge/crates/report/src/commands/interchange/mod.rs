//! The reports of `judge import`, `judge pack` and `judge upgrade`: the parts that were carried
//! over, changed or lost.
//!
//! Responsible for their text. Must not know how facts are determined.

mod file_changes;

pub use file_changes::FileChanges;
use judge_event::{Confidence, Direction, Fate, Interchange, Part, Remark};

use crate::text::escape::printable;
use crate::text::line::{Line, Tone};
use crate::text::numbers::plural;
use crate::text::page::{Look, Page};

/// The report of the conversion of a problem from one format into another.
#[derive(Clone, Copy, Debug)]
pub struct InterchangeReport<'a>(pub &'a Interchange);

/// The column in which remarks begin.
const COLUMN: usize = 14;

impl InterchangeReport<'_> {
    /// Renders the text for people. With `all`, it includes the parts that were carried over.
    #[must_use]
    pub fn to_text(&self, look: Look, all: bool) -> String {
        let mut page = Page::new(look);
        let interchange = self.0;
        let count = |fate: Fate| {
            interchange
                .remarks
                .iter()
                .filter(|remark| remark.fate == fate)
                .count() as u64
        };
        let mark = match (count(Fate::Refused), count(Fate::Lost)) {
            (0, 0) => (page.glyphs.good, Tone::Good),
            (0, _) => (page.glyphs.none, Tone::Warn),
            _ => (page.glyphs.bad, Tone::Bad),
        };
        let dot = page.glyphs.dot;
        let line = Line::titled(mark, &interchange.problem);
        let way = match interchange.direction {
            Direction::Import | Direction::Upgrade => "from",
            Direction::Export => "for",
        };
        page.line(line.with(
            Tone::Plain,
            &format!(
                "  {way} {}{dot}{}",
                interchange.format,
                printable(&interchange.source)
            ),
        ));
        let mut row = |what: &str, text: &str| page.labelled(what, COLUMN, Tone::Plain, text);
        if !interchange.evidence.is_empty() {
            row(
                "detected by",
                &format!(
                    "{}{}",
                    printable(&interchange.evidence),
                    alternatives(interchange)
                ),
            );
        }
        let target = printable(&interchange.target);
        let files = plural(interchange.files.len() as u64, "file");
        let refused = count(Fate::Refused);
        if interchange.direction == Direction::Upgrade
            && interchange.files.is_empty()
            && refused == 0
        {
            row(
                "unchanged",
                &format!("{target} is already of format {}", interchange.format),
            );
            return page.take();
        }
        let written = match (interchange.written, refused) {
            (true, _) => "written",
            (false, 0) => "would write",
            (false, _) => "not written",
        };
        row(written, &format!("{target}, {files}"));
        let shown = interchange
            .remarks
            .iter()
            .filter(|remark| all || remark.fate != Fate::Carried);
        let (first, others): (Vec<&Remark>, Vec<&Remark>) = shown.partition(|remark| {
            interchange.direction != Direction::Export || affects_contestants(remark)
        });
        if interchange.direction == Direction::Export && !first.is_empty() && !others.is_empty() {
            page.line(Line::indented(2).with(Tone::Strong, "affects contestants"));
            remark_rows(&mut page, &first, interchange.direction);
            page.line(Line::indented(2).with(Tone::Strong, "does not affect contestants"));
            remark_rows(&mut page, &others, interchange.direction);
        } else {
            remark_rows(&mut page, &[first, others].concat(), interchange.direction);
        }
        // Imports refuse nothing, and packing carries over everything that it does not mention.
        let fates: &[Fate] = match interchange.direction {
            Direction::Import => &[Fate::Carried, Fate::Changed, Fate::Lost],
            Direction::Export | Direction::Upgrade => &[Fate::Changed, Fate::Lost, Fate::Refused],
        };
        let counts: Vec<String> = fates
            .iter()
            .map(|fate| format!("{} {}", count(*fate), fate.name()))
            .collect();
        let counts = counts.join(dot);
        page.line(Line::indented(2).with(Tone::Dim, &counts));
        page.take()
    }
}

impl InterchangeReport<'_> {
    /// Renders the text for one of several packages: a line, and the remarks that affect
    /// contestants.
    #[must_use]
    pub fn to_brief_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        let interchange = self.0;
        let first: Vec<&Remark> = interchange
            .remarks
            .iter()
            .filter(|remark| affects_contestants(remark))
            .collect();
        let is_refused = first.iter().any(|remark| remark.fate == Fate::Refused);
        let mark = match (is_refused, first.is_empty()) {
            (false, true) => (page.glyphs.good, Tone::Good),
            (false, false) => (page.glyphs.none, Tone::Warn),
            (true, _) => (page.glyphs.bad, Tone::Bad),
        };
        let others = interchange
            .remarks
            .iter()
            .filter(|remark| remark.fate != Fate::Carried && !affects_contestants(remark))
            .count();
        let others = match others {
            0 => String::new(),
            others => format!(
                "{}{others} more that do not affect contestants",
                page.glyphs.dot
            ),
        };
        let state = if interchange.written {
            ""
        } else if is_refused {
            "not written: "
        } else {
            "would write "
        };
        let line = Line::titled(mark, &interchange.problem);
        let line = line.with(
            Tone::Plain,
            &format!("  {state}{}", printable(&interchange.target)),
        );
        page.line(line.with(Tone::Dim, &others));
        remark_rows(&mut page, &first, interchange.direction);
        page.take()
    }
}

/// True for a remark that keeps a package from being written, or that affects contestants.
fn affects_contestants(remark: &Remark) -> bool {
    match remark.fate {
        Fate::Carried => false,
        Fate::Changed => matches!(remark.part, Part::Limits | Part::Tests | Part::Groups),
        Fate::Lost => !matches!(
            remark.part,
            Part::Metadata | Part::Validators | Part::Generators | Part::Solutions | Part::Files
        ),
        Fate::Refused => true,
    }
}

/// Remarks by their fates, the worst first.
fn remark_rows(page: &mut Page, remarks: &[&Remark], direction: Direction) {
    for fate in Fate::ALL.into_iter().rev() {
        for (index, remark) in remarks
            .iter()
            .filter(|remark| remark.fate == fate)
            .enumerate()
        {
            remark_row(page, remark, index == 0, direction != Direction::Import);
        }
    }
}

/// Returns the remark about an uncertain format.
fn alternatives(interchange: &Interchange) -> String {
    let sure = match interchange.confidence {
        Confidence::Certain => return String::new(),
        Confidence::Likely => "likely",
        Confidence::Guess => "a guess",
    };
    let others: Vec<String> = interchange
        .could_be
        .iter()
        .map(|format| format!("`{format}`"))
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!(", and could be {}", others.join(" or "))
    };
    format!(": {sure}{others}; `--from` names another format")
}

/// Renders a remark; the first of its kind includes the word for the fate of the part.
fn remark_row(page: &mut Page, remark: &Remark, is_first: bool, is_packed: bool) {
    let tone = match remark.fate {
        Fate::Carried => Tone::Plain,
        Fate::Changed => Tone::Strong,
        Fate::Lost => Tone::Warn,
        Fate::Refused => Tone::Bad,
    };
    let word = if is_first { remark.fate.name() } else { "" };
    let start = Line::indented(2).with(tone, word).pad_to(COLUMN);
    let part = if remark.part == Part::Files {
        String::new()
    } else {
        format!("{}: ", remark.part.name())
    };
    // The place is the subject of a loss in packing.
    let place = if is_packed && !remark.place.is_empty() {
        format!("`{}` ", printable(&remark.place))
    } else {
        String::new()
    };
    let text = format!("{part}{place}{} [{}]", printable(&remark.text), remark.code);
    page.wrapped_after(start, COLUMN, Tone::Plain, &text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_package(direction: Direction, format: &str, remarks: Vec<Remark>) -> Interchange {
        Interchange {
            schema: Interchange::SCHEMA,
            direction,
            format: format.to_owned(),
            evidence: String::new(),
            confidence: Confidence::Certain,
            could_be: Vec::new(),
            problem: "sum".to_owned(),
            source: "problems/sum".to_owned(),
            target: "problems/sum".to_owned(),
            written: false,
            files: Vec::new(),
            remarks,
        }
    }

    #[test]
    fn current_packages_are_unchanged() {
        let remark = |fate| {
            vec![Remark::new(
                fate,
                Part::Metadata,
                "is already of format 2025-09",
            )]
        };
        let text = |interchange: Interchange| {
            InterchangeReport(&interchange).to_text(Look::default(), true)
        };
        let current = text(of_package(
            Direction::Upgrade,
            "2025-09",
            remark(Fate::Carried),
        ));
        let lines: Vec<&str> = current.lines().collect();
        assert!(
            lines[0].ends_with("sum  from 2025-09 · problems/sum"),
            "{current}"
        );
        assert_eq!(
            lines[1..],
            ["  unchanged   problems/sum is already of format 2025-09"]
        );
        let refused = text(of_package(
            Direction::Upgrade,
            "legacy",
            remark(Fate::Refused),
        ));
        assert!(
            refused.contains("not written") && !refused.contains("unchanged"),
            "{refused}"
        );
    }

    #[test]
    fn losses_for_contestants_come_first_and_are_alone_in_brief_texts() {
        let remark = |fate, part, place: &str, text: &str| Remark {
            place: place.into(),
            ..Remark::new(fate, part, text)
        };
        let remarks = vec![
            remark(Fate::Lost, Part::Metadata, "version", "is left out"),
            remark(
                Fate::Lost,
                Part::Statement,
                "statement/problem.de.md",
                "is left out",
            ),
            remark(
                Fate::Changed,
                Part::Groups,
                "secret",
                "is graded by another rule",
            ),
            remark(
                Fate::Changed,
                Part::Validators,
                "v.rs",
                "contains the library",
            ),
        ];
        let mut interchange = of_package(Direction::Export, "kattis", remarks);
        interchange.written = true;
        interchange.target = "sum-kattis.zip".to_owned();
        let text = InterchangeReport(&interchange).to_text(Look::default(), false);
        let place = |words: &str| {
            text.find(words)
                .unwrap_or_else(|| panic!("no `{words}` in {text}"))
        };
        let order = [
            "affects contestants",
            "problem.de.md",
            "secret",
            "does not affect contestants",
            "version",
            "v.rs",
        ]
        .map(place);
        assert!(order.is_sorted(), "{text}");
        let brief = InterchangeReport(&interchange).to_brief_text(Look::default());
        let lines: Vec<&str> = brief.lines().collect();
        assert!(
            lines[0].contains("sum  sum-kattis.zip") && lines[0].contains("2 "),
            "{brief}"
        );
        assert!(
            lines.len() == 3 && lines[1].contains("problem.de.md") && lines[2].contains("secret"),
            "{brief}"
        );
        interchange.remarks.truncate(1);
        assert_eq!(
            InterchangeReport(&interchange)
                .to_brief_text(Look::default())
                .lines()
                .count(),
            1
        );
        assert!(
            !InterchangeReport(&interchange)
                .to_text(Look::default(), false)
                .contains("contestants")
        );
    }

    #[test]
    fn losses_come_first_and_the_rest_is_counted() {
        let remarks = vec![
            Remark::new(Fate::Carried, Part::Tests, "18 tests"),
            Remark::new(
                Fate::Changed,
                Part::Checker,
                "`check.py`: a script speaks to it",
            ),
            Remark::new(Fate::Lost, Part::Groups, "the scorer"),
        ];
        let interchange = Interchange {
            schema: Interchange::SCHEMA,
            direction: Direction::Import,
            format: "polygon".to_owned(),
            evidence: "`problem.xml`".to_owned(),
            confidence: Confidence::Certain,
            could_be: Vec::new(),
            problem: "sum".to_owned(),
            source: "sum.zip".to_owned(),
            target: "problems/sum".to_owned(),
            written: true,
            files: vec!["problem.yaml".to_owned()],
            remarks,
        };
        let text = InterchangeReport(&interchange).to_text(Look::default(), false);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("sum  from polygon · sum.zip"), "{text}");
        assert_eq!(lines[1], "  detected by `problem.xml`");
        assert_eq!(lines[2], "  written     problems/sum, 1 file");
        assert_eq!(lines[3], "  lost        groups: the scorer [JI306]");
        assert_eq!(
            lines[4],
            "  changed     checker: `check.py`: a script speaks to it [JI207]"
        );
        assert_eq!(lines[5], "  1 carried · 1 changed · 1 lost");
        assert!(
            InterchangeReport(&interchange)
                .to_text(Look::default(), true)
                .contains("tests: 18 tests [JI104]")
        );
    }
}
