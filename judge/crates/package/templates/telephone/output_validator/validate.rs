//! Carries the word from the first run to the second, and judges the number: exit code 42 accepts, 43 rejects.
//!
//! usage: validate INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENTS] < OUTPUT
//!
//! The input is that of the run which has just ended. Another run is asked for by writing its input to `nextpass.in`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::exit;

fn main() {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, answer, feedback, ..] = &args[..] else {
        eprintln!("usage: validate INPUT ANSWER FEEDBACK_DIRECTORY [ARGUMENTS] < OUTPUT");
        exit(1);
    };
    let input = fs::read_to_string(input).expect("the input can be read");
    let answer = fs::read_to_string(answer).expect("the answer can be read");
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).expect("the output can be read");
    let output = String::from_utf8_lossy(&output);
    let judged = match input.starts_with("send") {
        true => first_run(&output, feedback),
        false => second_run(&output, answer.trim()),
    };
    if let Err(why) = judged {
        fs::write(feedback.join("judgemessage.txt"), format!("{why}\n")).expect("the feedback can be written");
        exit(43);
    }
    exit(42);
}

/// The one word of an output.
fn only_word(output: &str) -> Result<&str, String> {
    let mut words = output.split_ascii_whitespace();
    let word = words.next().ok_or("the output is empty")?;
    if words.next().is_some() { Err("the output is more than a word".to_owned()) } else { Ok(word) }
}

fn first_run(output: &str, feedback: &Path) -> Result<(), String> {
    let word = only_word(output)?;
    if word.len() > 5 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err(format!("not at most five letters from a to z: {word:.40}"));
    }
    fs::write(feedback.join("nextpass.in"), format!("receive\n{word}\n")).expect("the next input can be written");
    Ok(())
}

fn second_run(output: &str, number: &str) -> Result<(), String> {
    let word = only_word(output)?;
    if word == number { Ok(()) } else { Err(format!("{word:.40} arrived instead of {number}")) }
}
