fn main() {
    testlib::validate_input(|input, _| {
        let _: i32 = input.int("a", 0..=999);
        input.space();
        let _: i32 = input.int("b", 0..=999);
        input.newline();
    })
}
