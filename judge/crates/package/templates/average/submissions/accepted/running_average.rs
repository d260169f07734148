//! Keeps the average of the numbers read so far.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut average = 0.0;
    for (i, word) in text.split_whitespace().skip(1).enumerate() {
        let number: f64 = word.parse().unwrap();
        average += (number - average) / (i + 1) as f64;
    }
    println!("{average:.9}");
}
