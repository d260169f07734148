//! Casts a number to a type that it need not fit.
use std::io::Read;
fn main() {
    let answer = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let answer: i32 = answer.trim().parse().unwrap();
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).unwrap();
    let output = String::from_utf8_lossy(&output);
    let is_right = output.trim().parse::<i64>().is_ok_and(|output| output as i32 == answer);
    std::process::exit(if is_right { 42 } else { 43 });
}
