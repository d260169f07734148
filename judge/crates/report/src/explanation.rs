//! Explanations of codes: the meaning of a finding, for first-time readers.
//!
//! Responsible for their layout. Must not know any code.

use judge_model::Severity;

use crate::text::line::{Line, Tone};
use crate::text::page::{Look, Page};

/// The explanation of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code itself, such as `JP302`.
    pub code: String,
    /// The severity of its findings; `None` if only some profiles report it.
    pub severity: Option<Severity>,
    /// The title: a short description of the finding.
    pub title: String,
    /// The reason why it matters.
    pub why: String,
    /// The fix.
    pub fix: String,
    /// An example of it.
    pub example: String,
}

impl Explanation {
    /// Renders the complete explanation.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        let title = Line::default().with(
            tone(self.severity),
            &format!("{} {}", self.code, weight(self.severity)),
        );
        page.wrapped_after(title.with(Tone::Plain, "  "), 2, Tone::Strong, &self.title);
        for (heading, text) in [
            ("why", &self.why),
            ("fix", &self.fix),
            ("example", &self.example),
        ] {
            page.blank();
            page.wrapped_after(
                Line::default().with(Tone::Dim, heading).pad_to(9),
                9,
                Tone::Plain,
                text,
            );
        }
        page.take()
    }

    /// Returns the list of codes, one line each.
    #[must_use]
    pub fn list(all: &[Self], look: Look) -> String {
        let mut page = Page::new(look);
        for each in all {
            let line = Line::default().with(Tone::Strong, &each.code).pad_to(7);
            let line = line
                .with(tone(each.severity), weight(each.severity))
                .pad_to(16);
            page.wrapped_after(line, 16, Tone::Plain, &each.title);
        }
        page.take()
    }
}

fn weight(severity: Option<Severity>) -> &'static str {
    severity.map_or("off", Severity::name)
}

fn tone(severity: Option<Severity>) -> Tone {
    match severity {
        Some(Severity::Error) => Tone::Bad,
        Some(Severity::Warning) => Tone::Warn,
        None => Tone::Dim,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation() -> Explanation {
        Explanation {
            code: "JP999".to_owned(),
            severity: Some(Severity::Warning),
            title: "something is odd".to_owned(),
            why: "Because it is, and because this sentence goes on for so long that it does not fit a line.".to_owned(),
            fix: "Fix it.".to_owned(),
            example: "odd".to_owned(),
        }
    }

    #[test]
    fn each_part_is_rendered_and_no_line_is_too_wide() {
        let text = explanation().to_text(Look {
            width: 60,
            ..Look::default()
        });
        assert_eq!(
            text,
            "JP999 warning  something is odd\n\n\
             why      Because it is, and because this sentence goes on\n         for so long that it does not fit a line.\n\n\
             fix      Fix it.\n\nexample  odd\n"
        );
    }

    #[test]
    fn the_list_has_one_line_per_item() {
        let off = Explanation {
            severity: None,
            ..explanation()
        };
        let text = Explanation::list(&[explanation(), off], Look::default());
        assert_eq!(
            text,
            "JP999  warning  something is odd\nJP999  off      something is odd\n"
        );
    }
}
