//! Accepts what is to be guessed, and nothing else.

fn main() {
    testlib::validate_input(|input, _args| {
        input.int("x", 1..=1_000);
        input.newline();
    })
}
