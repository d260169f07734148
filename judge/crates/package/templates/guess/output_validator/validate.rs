//! Answers guesses, and judges them: exit code 42 when the number was found, 43 when it was not.
//!
//! usage: validate INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENTS]
//!
//! Standard input is what the submission writes, standard output what it reads. How the submission ends is for the judge
//! to see.

use std::fs;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::exit;

const GUESSES: u32 = 10;

fn main() {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, _answer, feedback, ..] = &args[..] else {
        eprintln!("usage: validate INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENTS]");
        exit(1);
    };
    let input = fs::read_to_string(input).expect("the input can be read");
    let secret: u32 = input.trim().parse().expect("the input is a number");
    let (code, message) = match play(secret) {
        Ok(guesses) => (42, format!("found {secret} with {guesses} guesses\n")),
        Err(why) => (43, format!("{why}\n")),
    };
    fs::write(feedback.join("judgemessage.txt"), message).expect("the feedback can be written");
    exit(code);
}

/// How many guesses it took, or why the number was not found.
fn play(secret: u32) -> Result<u32, String> {
    let mut lines = std::io::stdin().lock().split(b'\n');
    for guesses in 1..=GUESSES {
        let line = match lines.next() {
            Some(Ok(line)) => String::from_utf8_lossy(&line).into_owned(),
            _ => return Err(format!("no guess after {} guesses", guesses - 1)),
        };
        let guess = line.trim().parse().ok().filter(|guess| (1..=1000).contains(guess));
        let guess: u32 = guess.ok_or(format!("guess {guesses} is no number from 1 to 1000: {line:.40}"))?;
        let answer = match secret.cmp(&guess) {
            std::cmp::Ordering::Greater => "higher",
            std::cmp::Ordering::Less => "lower",
            std::cmp::Ordering::Equal => "correct",
        };
        // A submission that does not listen any more may still have won.
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
        if guess == secret {
            return Ok(guesses);
        }
    }
    Err(format!("not found with {GUESSES} guesses"))
}
