//! Halves the possible numbers with each guess.

use std::io::BufRead;

fn main() {
    let mut answers = std::io::stdin().lock().lines();
    let (mut low, mut high) = (1, 1000);
    loop {
        let guess = (low + high) / 2;
        // Standard output of Rust is flushed at the end of each line.
        println!("{guess}");
        match answers.next().unwrap().unwrap().as_str() {
            "higher" => low = guess + 1,
            "lower" => high = guess - 1,
            _ => return,
        }
    }
}
