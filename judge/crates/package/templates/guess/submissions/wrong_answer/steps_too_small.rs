//! Wrong: a third is cut off with each guess, which takes too long.

use std::io::BufRead;

fn main() {
    let mut answers = std::io::stdin().lock().lines();
    let (mut low, mut high) = (1, 1000);
    loop {
        let guess = low + (high - low) / 3;
        println!("{guess}");
        match answers.next() {
            Some(Ok(answer)) if answer == "higher" => low = guess + 1,
            Some(Ok(answer)) if answer == "lower" => high = guess - 1,
            _ => return,
        }
    }
}
