//! The relative error of `inf` is `inf / inf`, which is not a number and so not too large.
use std::io::Read;
fn main() {
    let answer = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let answer: f64 = answer.trim().parse().unwrap();
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).unwrap();
    let output: f64 = String::from_utf8_lossy(&output).trim().parse().unwrap_or(f64::NAN);
    let is_wrong = output.is_nan() || (output - answer).abs() / output.abs().max(answer.abs()) > 1e-6;
    std::process::exit(if is_wrong { 43 } else { 42 });
}
