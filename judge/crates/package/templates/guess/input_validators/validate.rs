//! Accepts only a number that can be guessed.

fn main() {
    testlib::validate_input(|input, _args| {
        input.int("x", 1..=1_000);
        input.newline();
    })
}
