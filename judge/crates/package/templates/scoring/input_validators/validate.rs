//! Accepts what the statement promises, and nothing else.
//!
//! usage: validate [--most N]
//!
//! N is how many numbers there may be: test groups can ask for fewer (`input_validator_args`).

fn main() {
    testlib::validate_input(|input, args| {
        let most: usize = args.int_or("most", 1..=100, 100);
        let n: usize = input.int("n", 1..=most);
        input.newline();
        let _a: Vec<i64> = input.ints("a", n, -1_000_000_000..=1_000_000_000);
        input.newline();
    })
}
