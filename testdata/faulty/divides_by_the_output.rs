//! Divides by the output, to compare it with a tolerance.
use std::io::Read;
fn main() {
    let answer = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let answer: i128 = answer.trim().parse().unwrap();
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).unwrap();
    let output = String::from_utf8_lossy(&output);
    let is_close = |output: i64| (i128::from(output) - answer) * 1_000_000 / i128::from(output) == 0;
    std::process::exit(if output.trim().parse().is_ok_and(is_close) { 42 } else { 43 });
}
