//! Accepts every choice with the largest sum, not only that of the answer.

fn main() {
    testlib::validate_output(|judge| {
        let n: usize = judge.input.int("n", 1..=100);
        let numbers: Vec<i64> = judge.input.ints("a", n, -1_000_000_000..=1_000_000_000);
        let largest: i64 = judge.answer.int("the largest sum", i64::MIN..=i64::MAX);

        let claimed: i64 = judge.team.int("the sum", i64::MIN..=i64::MAX);
        let first: usize = judge.team.int("the first position", 1..=n);
        let last: usize = judge.team.int("the last position", first..=n);
        let sum: i64 = numbers[first - 1..last].iter().sum();
        if claimed != sum {
            judge.wrong(format_args!("the numbers from {first} to {last} have the sum {sum}, not {claimed}"));
        }
        if sum > largest {
            judge.broken(format_args!("the submission found the sum {sum}, and the answer only {largest}"));
        }
        if sum < largest {
            judge.wrong(format_args!("the sum {sum} is not the largest, which is {largest}"));
        }
    })
}
