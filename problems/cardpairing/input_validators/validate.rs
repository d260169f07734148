//! Input validator of "Card Pairing Solitaire".
//!
//! ```text
//! input  = T "\n" { layout }              T layouts, 1 <= T <= 100, then the end of the file
//! layout = stack { " " stack } "\n"       9 stacks
//! stack  = rank rank rank rank
//! rank   = one of 6 7 8 9 T J Q K A       each four times in a layout
//! ```

use testlib::{Chars, Reader};

const RANKS: &str = "6789TJQKA";

fn main() {
    testlib::validate_input(|input, _| {
        let layouts: usize = input.int("T", 1..=100);
        input.newline();
        for _ in 0..layouts {
            layout(input);
        }
    })
}

fn layout(input: &mut Reader) {
    let mut cards = String::new();
    for stack in 0..9 {
        if stack > 0 {
            input.space();
        }
        cards += &input.token("", Chars::new(RANKS), 4..=4);
    }
    for rank in RANKS.chars() {
        let count = cards.matches(rank).count();
        input.require(count == 4, format_args!("`{rank}` lies there {count} times instead of 4 in one layout"));
    }
    input.newline();
}
