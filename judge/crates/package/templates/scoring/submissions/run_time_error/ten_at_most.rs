//! Solves the first group only: it has space for ten numbers.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = [i64::MIN; 10];
    let words: Vec<i64> = text.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    for (i, number) in words.iter().enumerate() {
        numbers[i] = *number;
    }
    let numbers = &numbers[..words.len()];
    let sums = (0..words.len()).flat_map(|begin| (begin + 1..=words.len()).map(move |end| numbers[begin..end].iter().sum()));
    println!("{}", sums.max().unwrap_or(0i64));
}
