//! Judges an output of The Mean: the mean of the input, within a tolerance.

use testlib::Tolerance;

fn main() {
    testlib::validate_output(|judge| {
        let tolerance = judge.tolerance().unwrap_or(Tolerance::both(1e-6));
        let n: u32 = judge.input.int("n", 1..=50);
        let a: Vec<i32> = judge.input.ints("a", n as usize, -1000..=1000);
        let mean = f64::from(a.iter().sum::<i32>()) / f64::from(n);
        let right = judge.answer.float("the mean", -1000.0..=1000.0);
        if !tolerance.accepts(mean, right) {
            judge.broken(format_args!("the jury's mean is {right}, but should be {mean}"));
        }
        let found = judge.team.float("the mean", f64::MIN..=f64::MAX);
        if !tolerance.accepts(mean, found) {
            judge.wrong(format_args!("expected {mean}, found {found}"));
        }
    })
}
