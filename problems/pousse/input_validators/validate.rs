//! Input validator of "Pousse".
//!
//! ```text
//! file   = games "\n" { game }      as many games as stated; at most 30,000 lines in all
//! games  = 1 .. 400
//! game   = n "\n" { move "\n" } "QUIT\n"
//! n      = 1 .. 100
//! move   = ( "L" | "R" | "T" | "B" ) line
//! line   = 1 .. n                   all numbers without leading zeros
//! ```

use testlib::{Chars, Reader};

const MAX_LINES: usize = 30_000;

fn main() {
    testlib::validate_input(|input, _| {
        let mut lines = 0;
        let games: usize = input.int("games", 1..=400);
        end_of_line(input, &mut lines);
        for _ in 0..games {
            let n: usize = input.int("n", 1..=100);
            end_of_line(input, &mut lines);
            while input.peek() != Some(b'Q') {
                input.token("", Chars::new("LRTB"), 1..=1);
                input.int("line", 1..=n);
                end_of_line(input, &mut lines);
            }
            input.literal("QUIT");
            end_of_line(input, &mut lines);
        }
    })
}

fn end_of_line(input: &mut Reader, lines: &mut usize) {
    *lines += 1;
    input.require(*lines <= MAX_LINES, format_args!("the file has more than {MAX_LINES} lines"));
    input.newline();
}
