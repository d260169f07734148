//! Conversations between a submission and an interactive output validator.
//!
//! Responsible for rendering the end of a conversation, where it failed. Must not know verdicts.

use judge_event::{Gap, Interaction, Message, Party};

use crate::text::escape::{Piece, prose};
use crate::text::line::{Line, Tone};
use crate::text::numbers::plural;
use crate::text::page::Page;

/// The maximum number of rows of a message.
const MAX_ROWS_PER_MESSAGE: usize = 4;

/// The remark before messages that were written after a deadlock.
pub(crate) const AFTER_DEADLOCK: &str = "deadlock; written after the submission was killed:";

/// Renders the end of a conversation, in about `max_rows` rows, with the signs that the package
/// format uses for samples: `>` for the submission and `<` for the validator (2025-09, "Interactive
/// Problems", `.interaction` files).
pub(crate) fn render(page: &mut Page, indent: usize, interaction: &Interaction, max_rows: usize) {
    let messages = &interaction.messages;
    if messages.is_empty() {
        return page.wrapped(
            indent,
            Tone::Dim,
            "neither the submission nor the output validator sent anything",
        );
    }
    page.wrapped(
        indent,
        Tone::Dim,
        "conversation (> submission, < output validator):",
    );
    let mut first = messages.len();
    let mut rows = 0;
    while first > 0 && (rows == 0 || rows + height(&messages[first - 1]) <= max_rows.max(1)) {
        first -= 1;
        rows += height(&messages[first]);
    }
    let gap = interaction.gap.unwrap_or(Gap {
        before: 0,
        messages: 0,
    });
    let gap_at = usize::try_from(gap.before).unwrap_or(usize::MAX);
    let before = first as u64 + if gap_at <= first { gap.messages } else { 0 };
    if before > 0 {
        remark(page, indent, &(plural(before, "message") + " left out"));
    }
    let mut pass = messages[0].pass;
    let mut after_deadlock = false;
    for (index, message) in messages.iter().enumerate().skip(first) {
        if index == gap_at && index > first && gap.messages > 0 {
            remark(
                page,
                indent,
                &(plural(gap.messages, "message") + " left out"),
            );
        }
        if message.pass != pass {
            pass = message.pass;
            remark(page, indent, &format!("pass {pass}"));
        }
        if message.after_deadlock && !std::mem::replace(&mut after_deadlock, true) {
            remark(page, indent, AFTER_DEADLOCK);
        }
        let (tone, sign) = match message.from {
            Party::Submission => (Tone::Strong, "> "),
            Party::Validator => (Tone::Dim, "< "),
        };
        let (lines, left_out) = rows_of(message);
        for line in lines {
            page.data(Line::indented(indent).with(tone, sign), Tone::Plain, &line);
        }
        if let Some(left_out) = left_out {
            remark(page, indent, &left_out);
        }
    }
}

/// Returns the lines of a message, and a remark about the parts that are left out.
fn rows_of(message: &Message) -> (Vec<Vec<Piece>>, Option<String>) {
    let mut lines = prose(&message.bytes.0);
    let more = lines.len().saturating_sub(MAX_ROWS_PER_MESSAGE);
    if more > 0 {
        lines.truncate(MAX_ROWS_PER_MESSAGE - 1);
    }
    let lines_left = (more > 0).then(|| plural(more as u64 + 1, "line"));
    let bytes_left = (message.left_out > 0).then(|| plural(message.left_out, "byte"));
    let left: Vec<String> = lines_left.into_iter().chain(bytes_left).collect();
    let left_out = (!left.is_empty()).then(|| left.join(" and ") + " left out");
    (lines, left_out)
}

/// Returns the number of rows of a message.
fn height(message: &Message) -> usize {
    let (lines, left_out) = rows_of(message);
    lines.len() + usize::from(left_out.is_some())
}

fn remark(page: &mut Page, indent: usize, text: &str) {
    page.line(Line::indented(indent).with(Tone::Dim, &format!("[{text}]")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::page::Look;
    use judge_event::Bytes;

    fn message(from: Party, pass: u32, text: &str) -> Message {
        Message {
            from,
            pass,
            time_us: 0,
            bytes: Bytes::from(text.as_bytes()),
            left_out: 0,
            after_deadlock: false,
        }
    }

    fn shown(interaction: &Interaction, max_rows: usize) -> String {
        let mut page = Page::new(Look {
            width: 40,
            ..Look::default()
        });
        render(&mut page, 2, interaction, max_rows);
        page.take()
    }

    fn talk(count: u32) -> Vec<Message> {
        let from = |number: u32| {
            if number.is_multiple_of(2) {
                Party::Submission
            } else {
                Party::Validator
            }
        };
        (0..count)
            .map(|number| message(from(number), 1, &format!("{number}\n")))
            .collect()
    }

    const HEAD: &str = "  conversation (> submission, < output\n    validator):\n";

    #[test]
    fn the_end_is_rendered_and_omitted_messages_are_counted() {
        let interaction = Interaction {
            messages: talk(4),
            ..Interaction::default()
        };
        assert_eq!(
            shown(&interaction, 9),
            format!("{HEAD}  > 0\n  < 1\n  > 2\n  < 3\n")
        );
        assert_eq!(
            shown(&interaction, 2),
            format!("{HEAD}  [2 messages left out]\n  > 2\n  < 3\n")
        );
        let gap = Some(Gap {
            before: 1,
            messages: 90,
        });
        let long = Interaction {
            messages: talk(4),
            gap,
            ..Interaction::default()
        };
        assert_eq!(
            shown(&long, 2),
            format!("{HEAD}  [92 messages left out]\n  > 2\n  < 3\n")
        );
        assert_eq!(
            shown(&long, 9),
            format!("{HEAD}  > 0\n  [90 messages left out]\n  < 1\n  > 2\n  < 3\n")
        );
    }

    #[test]
    fn hostile_text_is_escaped_and_long_messages_are_cut() {
        let mut messages = vec![
            message(Party::Submission, 1, "\x1b[31mred\n"),
            message(Party::Validator, 2, "a"),
        ];
        messages.push(message(Party::Submission, 2, &"x\n".repeat(9)));
        messages.push(Message {
            left_out: 7,
            ..message(Party::Validator, 2, &"y".repeat(99))
        });
        let text = shown(
            &Interaction {
                messages,
                ..Interaction::default()
            },
            20,
        );
        assert!(
            text.contains(
                "  > \\x1b[31mred\n  [pass 2]\n  < a\n  > x\n  > x\n  > x\n  [6 lines left out]\n"
            ),
            "{text}"
        );
        assert!(
            text.ends_with("[7 bytes left out]\n")
                && text.lines().all(|line| line.chars().count() <= 40),
            "{text}"
        );
        let silent = shown(&Interaction::default(), 5);
        assert!(silent.contains("neither"), "{silent}");
    }
}
