//! Validates a secret number.

fn main() {
    testlib::validate_input(|input, _args| {
        input.int("s", 1..=100_u32);
        input.newline();
    })
}
