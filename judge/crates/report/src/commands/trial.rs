//! The report of `judge try`: the behaviour of a program on an input.
//!
//! Responsible for the text in addition to the program's output. Must not know how it was run.

use judge_event::{Bytes, Excerpt, Interaction};
use judge_model::{Termination, Verdict};

use crate::conversation;
use crate::detail::{Keep, explained_ending, quote};
use crate::text::line::{Line, Tone};
use crate::text::numbers::{counted, limit_bytes, limit_seconds, mebibytes, seconds_over};
use crate::text::page::{Look, Page};

/// The maximum number of rows of a conversation, and of lines of standard error.
const MAX_ROWS: usize = 200;

/// A run of a program on any input.
#[derive(Clone, Debug)]
pub struct TrialReport {
    /// The verdict. If nothing judges the output, AC means that the program exited with code 0
    /// within its limits.
    pub verdict: Verdict,
    /// True when an interactor judged the output.
    pub is_judged: bool,
    /// The termination of the program.
    pub termination: Termination,
    /// CPU time in microseconds.
    pub cpu_time_us: u64,
    /// Elapsed time in microseconds.
    pub wall_time_us: u64,
    /// The time limit in microseconds.
    pub time_limit_us: u64,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// The memory limit in bytes.
    pub memory_limit: u64,
    /// The size of standard output in bytes; `None` if it went to an interactor.
    pub output_bytes: Option<u64>,
    /// Standard error.
    pub stderr: Bytes,
    /// The end of standard error of an interactor that failed.
    pub interactor_stderr: Excerpt,
    /// The conversation with an interactor.
    pub interaction: Option<Interaction>,
    /// The interactor's message to the jury.
    pub judge_message: Bytes,
    /// The reason for a verdict that the termination of the program does not explain.
    pub reason: Option<String>,
}

impl TrialReport {
    /// Returns the conversation; empty without an interactor.
    #[must_use]
    pub fn conversation(&self, look: Look) -> String {
        let mut page = Page::new(look);
        if let Some(interaction) = &self.interaction {
            conversation::render(&mut page, 0, interaction, MAX_ROWS);
        }
        page.take()
    }

    /// Renders the text in addition to the output: standard error, the termination, and the
    /// resources used.
    #[must_use]
    pub fn to_text(&self, look: Look) -> String {
        let mut page = Page::new(look);
        quote(
            &mut page,
            0,
            "the interactor says",
            &self.judge_message.clone().into(),
            Keep::First(MAX_ROWS),
        );
        quote(
            &mut page,
            0,
            "standard error",
            &self.stderr.clone().into(),
            Keep::Last(MAX_ROWS),
        );
        quote(
            &mut page,
            0,
            "standard error of the interactor",
            &self.interactor_stderr,
            Keep::Last(MAX_ROWS),
        );
        let good = self.verdict == Verdict::Accepted;
        let (mark, tone) = page.glyphs.mark(Some(good));
        let code = self.verdict.code();
        let interaction = self.interaction.as_ref();
        let deadlock = interaction.filter(|interaction| interaction.deadlock);
        let how = match (self.is_judged, good) {
            (false, true) => "exited normally".to_owned(),
            (true, true) => format!("{code}: the interactor accepts"),
            _ if let Some(interaction) = deadlock => {
                let question = interaction.question_about_flushing();
                format!("{code}: both sides waited for each other; {question}")
            }
            (true, false) if self.verdict == Verdict::WrongAnswer && self.reason.is_none() => {
                format!("{code}: the interactor rejects")
            }
            (_, false) => {
                let why = self.reason.clone();
                let why = why.unwrap_or_else(|| explained_ending(self.termination));
                format!("{code}: {why}")
            }
        };
        let mut facts = vec![
            how,
            format!(
                "{} of {} s",
                seconds_over(self.cpu_time_us, self.time_limit_us),
                limit_seconds(self.time_limit_us)
            ),
        ];
        // A waiting program uses no processor.
        if self.wall_time_us > 2 * self.cpu_time_us + 100_000 {
            facts.push(format!(
                "{} s elapsed",
                limit_seconds(self.wall_time_us / 10_000 * 10_000)
            ));
        }
        facts.push(format!(
            "{} of {}",
            mebibytes(self.memory_bytes),
            limit_bytes(self.memory_limit)
        ));
        facts.extend(
            self.output_bytes
                .map(|bytes| counted(bytes, "byte of output", "bytes of output")),
        );
        let text = facts.join(page.glyphs.dot);
        page.wrapped_after(
            Line::default().with(tone, &format!("{mark} ")),
            2,
            Tone::Plain,
            &text,
        );
        page.take()
    }
}

#[cfg(test)]
mod tests {
    use judge_event::{Message, Party};

    use super::*;

    fn report() -> TrialReport {
        TrialReport {
            verdict: Verdict::Accepted,
            is_judged: false,
            termination: Termination::Exited { code: 0 },
            cpu_time_us: 12_000,
            wall_time_us: 14_000,
            time_limit_us: 10_000_000,
            memory_bytes: 3 << 20,
            memory_limit: 256 << 20,
            output_bytes: Some(3),
            stderr: Bytes::default(),
            interactor_stderr: Excerpt::default(),
            interaction: None,
            judge_message: Bytes::default(),
            reason: None,
        }
    }

    #[test]
    fn termination_and_resources_are_one_line() {
        let look = Look {
            width: 100,
            color: false,
            unicode: true,
        };
        assert_eq!(
            report().to_text(look),
            "✓ exited normally · 0.012 of 10 s · 3.0 MiB of 256 MiB · 3 bytes of output\n"
        );
        let crashed = TrialReport {
            verdict: Verdict::RunTimeError,
            termination: Termination::Signaled { signal: 11 },
            stderr: Bytes(b"oh\x1b[31m\n".to_vec()),
            wall_time_us: 2_345_678,
            ..report()
        };
        let text = crashed.to_text(look);
        assert!(
            text.contains("RTE: SIGSEGV (signal 11): invalid memory access, often")
                && text.contains("2.34 s elapsed"),
            "{text}"
        );
        assert!(text.contains("oh") && !text.contains('\x1b'), "{text}");
    }

    #[test]
    fn failed_interactors_are_quoted() {
        let look = Look {
            width: 100,
            color: false,
            unicode: true,
        };
        let failed = TrialReport {
            verdict: Verdict::JudgeError,
            is_judged: true,
            reason: Some("the output validator returned exit code 1".to_owned()),
            interactor_stderr: Excerpt {
                head: Bytes(b"expected a number\n".to_vec()),
                ..Excerpt::default()
            },
            ..report()
        };
        let text = failed.to_text(look);
        let quoted = text.split_once("standard error of the interactor:\n");
        let (_, rest) = quoted.expect(&text);
        assert!(
            rest.contains("expected a number\n✗ JE: the output validator returned exit code 1 ·"),
            "{text}"
        );
    }

    #[test]
    fn a_conversation_shows_both_sides() {
        let look = Look {
            width: 100,
            color: false,
            unicode: true,
        };
        let message = |from, text: &str| Message {
            from,
            pass: 1,
            time_us: 0,
            bytes: Bytes(text.as_bytes().to_vec()),
            left_out: 0,
            after_deadlock: false,
        };
        let interaction = Interaction {
            messages: vec![
                message(Party::Submission, "50\n"),
                message(Party::Validator, "less\n"),
            ],
            ..Interaction::default()
        };
        let report = TrialReport {
            is_judged: true,
            output_bytes: None,
            interaction: Some(interaction),
            ..report()
        };
        assert!(
            report.conversation(look).ends_with("> 50\n< less\n"),
            "{}",
            report.conversation(look)
        );
        assert!(
            report
                .to_text(look)
                .starts_with("✓ AC: the interactor accepts · ")
        );
    }
}
