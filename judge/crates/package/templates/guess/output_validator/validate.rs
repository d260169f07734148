//! Replies to guesses and judges them.

use std::cmp::Ordering;

const GUESSES: u32 = 10;

fn main() {
    testlib::interact(|judge| {
        let secret: u32 = judge.input.int("x", 1..=1_000);
        for guesses in 1..=GUESSES {
            let guess: u32 = judge.team.int("guess", 1..=1_000);
            match secret.cmp(&guess) {
                Ordering::Greater => judge.send("higher"),
                Ordering::Less => judge.send("lower"),
                Ordering::Equal => {
                    judge.message(format_args!("found {secret} with {guesses} guesses"));
                    // The submission need not read the last word.
                    println!("correct");
                    judge.right();
                }
            }
        }
        judge.wrong(format_args!("not found with {GUESSES} guesses"));
    })
}
