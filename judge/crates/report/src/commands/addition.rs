//! The report of `judge add`: the assessment of a new test case.
//!
//! Responsible for its text, for the terminal, as Markdown and as JSON. Must not know how facts are
//! determined.

use judge_event::{Addition, OtherRejections, Rejection};
use serde_json::{Value, json};

use crate::text::line::{Line, Tone, widest};
use crate::text::numbers::{limit_seconds, part_of, plural, seconds_over};
use crate::text::page::{Look, Page};

/// The column in which facts begin.
const COLUMN: usize = 12;

/// The report of an added test case.
#[derive(Clone, Copy, Debug)]
pub struct AdditionReport<'a>(pub &'a Addition);

impl AdditionReport<'_> {
    fn slowest(&self) -> u64 {
        let times = self.0.accepted.iter().map(|(_, time)| *time);
        times.max().unwrap_or(0)
    }

    fn input(&self) -> String {
        let (bytes, lines) = self.0.input;
        format!("{}, {}", plural(lines, "line"), plural(bytes, "byte"))
    }

    fn agreement(&self) -> String {
        match self.0.accepted.len() as u64 {
            0 => "no accepted solution was run on it".to_owned(),
            number => format!(
                "{}, the slowest in {} of {} s",
                if number == 1 {
                    "accepted solution: 1".to_owned()
                } else {
                    format!("{number} accepted solutions agree")
                },
                seconds_over(self.slowest(), self.0.time_limit_us),
                limit_seconds(self.0.time_limit_us)
            ),
        }
    }

    /// Renders the text for people.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        let mark = page.glyphs.mark(Some(self.0.objections.is_empty()));
        let dot = page.glyphs.dot;
        let line = Line::titled(mark, &self.0.problem);
        page.line(line.with(Tone::Plain, &format!("  {}{dot}{}", self.0.id, self.0.done)));
        let mut row = |what: &str, text: &str| page.labelled(what, COLUMN, Tone::Plain, text);
        row("input", &self.input());
        if let Some(command) = &self.0.command {
            row("made by", command);
        }
        row("answer", &self.agreement());
        let column = widest(
            self.0
                .rejections
                .iter()
                .map(|rejection| &rejection.submission),
        )
        .min(44);
        for (index, rejection) in self.0.rejections.iter().enumerate() {
            let line = Line::indented(2)
                .with(Tone::Strong, if index == 0 { "rejects" } else { "" })
                .pad_to(COLUMN);
            let line = line
                .with(Tone::Plain, &rejection.submission)
                .pad_to(COLUMN + column + 2);
            page.line(
                line.with(Tone::Plain, rejection.verdict.code())
                    .with(Tone::Dim, &others_in_words(rejection, dot)),
            );
        }
        let mut row = |what: &str, ids: &[String]| {
            if !ids.is_empty() {
                page.labelled(what, COLUMN, Tone::Dim, &ids.join(", "));
            }
        };
        if self.0.rejections.is_empty() {
            row("rejects", &["nothing that must be rejected".to_owned()]);
        }
        row("passes", &self.0.passes);
        row("skipped", &self.0.skipped);
        row("files", &self.0.files);
        for notice in &self.0.notices {
            page.wrapped(2, Tone::Warn, &format!("note: {notice}"));
        }
        for (objection, hint) in &self.0.objections {
            page.wrapped(2, Tone::Bad, objection);
            page.wrapped(2, Tone::Plain, &format!("hint: {hint}"));
        }
        page.take()
    }

    /// Renders the document for programs, as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let (bytes, lines) = self.0.input;
        let rejections = self.0.rejections.iter().map(|rejection| {
            let (others, of_others) = match rejection.others {
                None => (Value::Null, Value::Null),
                Some(OtherRejections::Some) => (json!("some"), Value::Null),
                Some(OtherRejections::Exactly(number, all)) => (json!(number), json!(all)),
            };
            json!({"submission": rejection.submission, "verdict": rejection.verdict, "others": others, "of_others": of_others})
        });
        let accepted = self
            .0
            .accepted
            .iter()
            .map(|(id, time)| json!({"submission": id, "cpu_time_us": time}));
        let objections = self
            .0
            .objections
            .iter()
            .map(|(message, hint)| json!({"message": message, "hint": hint}));
        let document = json!({
            "problem": self.0.problem,
            "test_case": self.0.id,
            "done": self.0.done,
            "input": {"bytes": bytes, "lines": lines},
            "command": self.0.command,
            "time_limit_us": self.0.time_limit_us,
            "accepted": accepted.collect::<Value>(),
            "rejections": rejections.collect::<Value>(),
            "passes": self.0.passes,
            "not_judged": self.0.skipped,
            "objections": objections.collect::<Value>(),
            "notices": self.0.notices,
            "files": self.0.files,
        });
        format!("{document:#}\n")
    }

    /// Renders the text for a pull request.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let code = |text: &String| format!("`{text}`");
        let list = |texts: &[String]| texts.iter().map(code).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "### Test case `{}` of `{}`: {}\n\n",
            self.0.id, self.0.problem, self.0.done
        );
        let mut item = |what: &str, words: &str| text.push_str(&format!("- {what}: {words}\n"));
        item("input", &self.input());
        if let Some(command) = &self.0.command {
            item("made by", &code(command));
        }
        item("answer", &self.agreement());
        if !self.0.passes.is_empty() {
            item(
                "passes, and must be rejected elsewhere",
                &list(&self.0.passes),
            );
        }
        if !self.0.skipped.is_empty() {
            item("not judged on this host", &list(&self.0.skipped));
        }
        for (objection, _) in &self.0.objections {
            item("**objection**", objection);
        }
        for notice in &self.0.notices {
            item("note", notice);
        }
        if self.0.rejections.is_empty() {
            item("rejects", "nothing that must be rejected");
            return text;
        }
        text.push_str("\n| rejects | verdict | other test cases that reject it |\n|---|---|---|\n");
        for rejection in &self.0.rejections {
            let others = match rejection.others {
                None => "not counted".to_owned(),
                Some(OtherRejections::Some) => "at least one".to_owned(),
                Some(OtherRejections::Exactly(0, _)) => "**none**".to_owned(),
                Some(OtherRejections::Exactly(number, all)) => part_of(number, all),
            };
            text.push_str(&format!(
                "| `{}` | {} | {others} |\n",
                rejection.submission,
                rejection.verdict.code()
            ));
        }
        text
    }
}

/// Describes the number of other test cases that reject the same submission.
fn others_in_words(rejection: &Rejection, dot: &str) -> String {
    match rejection.others {
        None => String::new(),
        Some(OtherRejections::Some) => format!("{dot}others do so too"),
        Some(OtherRejections::Exactly(0, _)) => format!("{dot}no other test case does"),
        Some(OtherRejections::Exactly(number, all)) => {
            format!("{dot}{} others do so too", part_of(number, all))
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_model::Verdict;

    use super::*;

    fn addition() -> Addition {
        let rejection = |submission: &str, verdict, others| Rejection {
            submission: submission.into(),
            verdict,
            others,
        };
        Addition {
            problem: "sum".into(),
            id: "secret/mine".into(),
            input: (5, 1),
            accepted: vec![
                ("accepted/a.c".into(), 1500),
                ("accepted/b.py".into(), 21_000),
            ],
            time_limit_us: 4_000_000,
            rejections: vec![
                rejection(
                    "wrong_answer/overflow.c",
                    Verdict::WrongAnswer,
                    Some(OtherRejections::Exactly(0, 12)),
                ),
                rejection(
                    "wrong_answer/x.c",
                    Verdict::RunTimeError,
                    Some(OtherRejections::Exactly(3, 12)),
                ),
                rejection(
                    "time_limit_exceeded/slow.c",
                    Verdict::TimeLimitExceeded,
                    Some(OtherRejections::Some),
                ),
            ],
            passes: vec!["wrong_answer/y.c".into()],
            files: vec!["data/secret/mine.in".into()],
            done: "added".into(),
            ..Addition::default()
        }
    }

    #[test]
    fn rejections_are_aligned_in_columns() {
        let expected = "\
✓ sum  secret/mine · added
  input     1 line, 5 bytes
  answer    2 accepted solutions agree, the slowest in 0.021 of 4 s
  rejects   wrong_answer/overflow.c     WA · no other test case does
            wrong_answer/x.c            RTE · 3 of 12 others do so too
            time_limit_exceeded/slow.c  TLE · others do so too
  passes    wrong_answer/y.c
  files     data/secret/mine.in
";
        assert_eq!(
            AdditionReport(&addition()).to_text(Look::default()),
            expected
        );
        let rejecting_nothing = Addition {
            rejections: Vec::new(),
            objections: vec![("`x.c` is not rejected".into(), "look again".into())],
            ..addition()
        };
        let text = AdditionReport(&rejecting_nothing).to_text(Look::default());
        assert!(text.contains("✗ sum"), "{text}");
        assert!(
            text.contains("rejects   nothing") && text.ends_with("hint: look again\n"),
            "{text}"
        );
    }

    #[test]
    fn json_reports_are_complete() {
        let document: Value = serde_json::from_str(&AdditionReport(&addition()).to_json()).unwrap();
        assert_eq!(document["done"], "added");
        assert_eq!(document["input"], json!({"bytes": 5, "lines": 1}));
        assert_eq!(
            document["accepted"][1],
            json!({"submission": "accepted/b.py", "cpu_time_us": 21000})
        );
        let expected = json!({"submission": "wrong_answer/x.c", "verdict": "RTE", "others": 3, "of_others": 12});
        assert_eq!(document["rejections"][1], expected);
        assert_eq!(document["rejections"][2]["others"], "some");
        assert_eq!(document["command"], Value::Null);
    }

    #[test]
    fn a_table_for_pull_requests() {
        let text = AdditionReport(&addition()).to_markdown();
        assert!(
            text.starts_with(
                "### Test case `secret/mine` of `sum`: added\n\n- input: 1 line, 5 bytes\n"
            ),
            "{text}"
        );
        let table = "| `wrong_answer/overflow.c` | WA | **none** |\n| `wrong_answer/x.c` | RTE | 3 of 12 |\n\
                     | `time_limit_exceeded/slow.c` | TLE | at least one |\n";
        assert!(text.ends_with(table), "{text}");
    }
}
