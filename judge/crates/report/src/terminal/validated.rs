//! The replies of validators to the data of a package: a row for each directory.
//!
//! Responsible for the table. Faults are rendered below it, as findings. Must not know how validators are run.

use judge_event::{DataValidated, ValidatorAnswers};

use super::Terminal;
use crate::Verbosity;
use crate::text::line::{Line, Tone, elide, width};
use crate::text::numbers::count;

/// The heading of the first column.
const DATA: &str = "data";
/// The text of a cell where nothing was asked.
const NOT_ASKED: &str = "not asked";
/// The indent of the table, below the name of the package.
const INDENT: usize = 3;
const GAP: usize = 2;

impl Terminal {
    /// The table of a package whose data was validated.
    pub(super) fn validated(&mut self, problem: &str) {
        let Some(check) = &self.state.check else { return };
        let rows: Vec<DataValidated> = check.data.iter().filter(|data| data.problem == problem).cloned().collect();
        if rows.is_empty() || !self.is_at(Verbosity::Normal) {
            return;
        }
        let cells: Vec<[String; 2]> = rows.iter().map(|row| [cell(row.inputs), cell(row.outputs)]).collect();
        let widest =
            |column: usize, title: &str| cells.iter().map(|cells| width(&cells[column])).fold(width(title), usize::max);
        let (inputs, outputs) = (widest(0, "inputs"), widest(1, "outputs"));
        let names = rows.iter().map(|row| width(&row.directory)).fold(width(DATA), usize::max);
        let names = names.min(self.page.width().saturating_sub(INDENT + 2 * GAP + inputs + outputs).max(width(DATA)));
        let (second, third) = (INDENT + names + GAP, INDENT + names + GAP + inputs + GAP);
        let titles = Line::indented(INDENT).with(Tone::Dim, DATA).pad_to(second).with(Tone::Dim, "inputs");
        self.page.line(titles.pad_to(third).with(Tone::Dim, "outputs"));
        for (row, [inputs, outputs]) in rows.iter().zip(&cells) {
            let line = Line::indented(INDENT)
                .with(Tone::Plain, &elide(&row.directory, names, self.page.glyphs.ellipsis))
                .pad_to(second)
                .with(tone(row.inputs), inputs)
                .pad_to(third)
                .with(tone(row.outputs), outputs);
            self.page.line(line);
        }
    }
}

/// `44 accepted`, `3 rejected`, `43 accepted, 1 not`.
fn cell(answers: Option<ValidatorAnswers>) -> String {
    let Some(ValidatorAnswers { must_accept, right, wrong }) = answers else { return NOT_ASKED.to_owned() };
    let right = format!("{} {}", count(right), if must_accept { "accepted" } else { "rejected" });
    if wrong > 0 { format!("{right}, {} not", count(wrong)) } else { right }
}

fn tone(answers: Option<ValidatorAnswers>) -> Tone {
    match answers {
        None => Tone::Dim,
        Some(answers) if answers.wrong > 0 => Tone::Bad,
        Some(_) => Tone::Plain,
    }
}
