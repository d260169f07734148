//! Carries the word from the first run to the second, and judges the number.

use testlib::Chars;

fn main() {
    testlib::validate_output(|judge| {
        // The input is that of the run which has just ended.
        if judge.input.choice("task", &["send", "receive"]) == "send" {
            let word = judge.team.token("word", Chars::LOWER, 1..=5);
            judge.next_pass(&format!("receive\n{word}\n"));
        } else {
            let sent: u32 = judge.answer.int("x", 1..=1_000_000);
            let arrived: u32 = judge.team.int("x", 1..=1_000_000);
            if arrived != sent {
                judge.wrong(format_args!("{arrived} arrived instead of {sent}"));
            }
            // The first word of the input is all that was looked at.
            judge.right();
        }
    })
}
