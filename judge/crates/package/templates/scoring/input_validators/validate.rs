//! Accepts only inputs that follow the statement.
//!
//! usage: validate [--most N]
//!
//! N is the maximum number of numbers: test groups can set a smaller one (`input_validator_args`).

fn main() {
    testlib::validate_input(|input, args| {
        let most: usize = args.int_or("most", 1..=100, 100);
        let n: usize = input.int("n", 1..=most);
        input.newline();
        let _a: Vec<i64> = input.ints("a", n, -1_000_000_000..=1_000_000_000);
        input.newline();
    })
}
