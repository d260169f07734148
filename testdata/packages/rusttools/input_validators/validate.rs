//! Validates an input of The Mean.

fn main() {
    testlib::validate_input(|input, _args| {
        let n: usize = input.int("n", 1..=50);
        input.newline();
        input.ints("a", n, -1000..=1000_i32);
        input.newline();
    })
}
