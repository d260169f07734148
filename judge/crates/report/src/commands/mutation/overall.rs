//! The scores of several solutions of a problem together, for people.
//!
//! Responsible for their layout. Must not know how they are computed.

use judge_event::{MutationOverall, Totals};

use super::{NO_SCORE, rounded_down, shown};
use crate::text::line::{Line, Tone, widest};
use crate::text::numbers::plural;
use crate::text::page::{Look, Page};

/// The report of several solutions of one problem.
#[derive(Clone, Debug)]
pub struct MutationOverallReport {
    pub(crate) overall: MutationOverall,
    /// The requested minimum mean, in percent.
    pub(crate) min_mean: Option<f64>,
}

impl MutationOverallReport {
    /// Creates the report of these scores.
    #[must_use]
    pub fn new(overall: MutationOverall, min_mean: Option<f64>) -> Self {
        Self { overall, min_mean }
    }

    /// True when the mean reaches the requested minimum.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.min_mean
            .is_none_or(|min_mean| self.overall.mean >= min_mean)
    }

    /// Returns the mean in percent, rounded down.
    pub(crate) fn shown_mean(&self) -> String {
        rounded_down(self.overall.mean)
    }

    /// Describes the mean.
    pub(crate) fn words(&self, dot: &str) -> String {
        let mean = "the mean of the solutions' scores".to_owned();
        match self.min_mean.filter(|_| !self.is_enough()) {
            Some(min_mean) => format!("{mean}{dot}expected {min_mean} % or more"),
            None => mean,
        }
    }

    /// Renders the report for a terminal.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        let MutationOverall {
            problem,
            solutions,
            mean,
            ..
        } = &self.overall;
        let head = Line::default().with(Tone::Strong, problem);
        let number = plural(solutions.len() as u64, "solution");
        page.blank();
        page.line(head.with(Tone::Dim, &format!("  mutants of {number} together")));
        let (tone, mark) = match (self.min_mean, self.is_enough()) {
            (Some(_), false) => (Tone::Bad, page.glyphs.bad),
            (None, _) if *mean < 100.0 => (Tone::Plain, page.glyphs.none),
            _ => (Tone::Good, page.glyphs.good),
        };
        let mean = format!(" {}", self.shown_mean());
        let start = Line::default()
            .with(tone, mark)
            .with(tone, &mean)
            .with(Tone::Plain, "  ");
        page.wrapped_after(start, 4, Tone::Plain, &self.words(page.glyphs.dot));
        let longest = widest(solutions.iter().map(|solution| &solution.solution));
        for solution in solutions {
            let line = Line::indented(4)
                .with(Tone::Plain, &solution.solution)
                .pad_to(longest + 6);
            let text = match solution.totals {
                Totals { of: 0, .. } => NO_SCORE.to_owned(),
                totals => format!("{}  of {}", shown(totals), totals.of),
            };
            page.line(line.with(Tone::Dim, &text));
        }
        page.take()
    }
}

#[cfg(test)]
mod tests {
    use judge_event::{SolutionScore, Totals};

    use super::*;

    #[test]
    fn the_mean_is_printed_above_the_scores() {
        let score = |name: &str, killed, of| SolutionScore {
            solution: name.into(),
            totals: Totals { killed, of },
        };
        let solutions = vec![
            score("accepted/a.cpp", 9, 10),
            score("accepted/longer.py", 30, 30),
        ];
        let overall = MutationOverall {
            problem: "sum".into(),
            solutions,
            mean: 95.0,
            ..MutationOverall::default()
        };
        let report = |min_mean| MutationOverallReport::new(overall.clone(), min_mean);
        insta::assert_snapshot!(report(Some(95.1)).to_text(Look::default()));
        let with_none = MutationOverall {
            solutions: vec![score("accepted/empty.c", 0, 0)],
            ..overall.clone()
        };
        let text = MutationOverallReport::new(with_none, None).to_text(Look::default());
        assert!(text.contains("accepted/empty.c  no score\n"), "{text}");
        assert!(
            !report(Some(95.1)).is_enough()
                && report(Some(95.0)).is_enough()
                && report(None).is_enough()
        );
    }
}
