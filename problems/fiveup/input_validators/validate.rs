//! Input validator of "Five Up".
//!
//! ```text
//! file  = game { game }             1 to 1,000 games, at most 6,000 bones
//! game  = bone { " " bone } "\n"    1 to 2,500 bones
//! bone  = value "-" value
//! value = "0" | "1".."9" { digit }  at most 2^63 - 1
//! ```

use testlib::Reader;

const MAX_GAMES: usize = 1_000;
const MAX_BONES_IN_GAME: usize = 2_500;
const MAX_BONES: usize = 6_000;
const MAX_VALUE: u64 = (1 << 63) - 1;

fn main() {
    testlib::validate_input(|input, _| {
        let (mut games, mut bones) = (0, 0);
        while games == 0 || !input.is_at_end() {
            games += 1;
            input.require(games <= MAX_GAMES, format_args!("the file has more than {MAX_GAMES} games"));
            game(input, &mut bones);
        }
    })
}

/// Reads a line; `total` counts the bones of the whole file.
fn game(input: &mut Reader, total: &mut usize) {
    let mut bones = 0;
    loop {
        (bones, *total) = (bones + 1, *total + 1);
        input.require(bones <= MAX_BONES_IN_GAME, format_args!("a game has more than {MAX_BONES_IN_GAME} bones"));
        input.require(*total <= MAX_BONES, format_args!("the file has more than {MAX_BONES} bones"));
        input.int("value", 0..=MAX_VALUE);
        input.literal("-");
        input.int("value", 0..=MAX_VALUE);
        if input.peek() == Some(b'\n') {
            return input.newline();
        }
        input.space();
    }
}
