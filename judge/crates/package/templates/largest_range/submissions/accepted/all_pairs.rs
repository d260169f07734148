//! Tries every beginning and every end.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    let mut best = (i64::MIN, 0, 0);
    for first in 0..numbers.len() {
        let mut sum = 0;
        for last in first..numbers.len() {
            sum += numbers[last];
            best = best.max((sum, first + 1, last + 1));
        }
    }
    println!("{}\n{} {}", best.0, best.1, best.2);
}
