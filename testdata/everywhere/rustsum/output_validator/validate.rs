fn main() {
    testlib::validate_output(|judge| {
        let right: i32 = judge.answer.int("the sum", 0..=1998);
        let found: i32 = judge.team.int("the sum", 0..=9999);
        if found != right {
            judge.wrong(format_args!("expected {right}, found {found}"));
        }
    })
}
