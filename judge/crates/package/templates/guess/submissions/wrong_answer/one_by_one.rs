//! Wrong: guesses one number after the other.

use std::io::BufRead;

fn main() {
    let mut answers = std::io::stdin().lock().lines();
    for guess in 1.. {
        println!("{guess}");
        match answers.next() {
            Some(Ok(answer)) if answer != "correct" => {}
            _ => return,
        }
    }
}
