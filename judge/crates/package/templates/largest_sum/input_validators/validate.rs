//! Accepts what the statement promises, and nothing else: exit code 42, or else 43 with the reason on standard error.

use std::io::Read;
use std::ops::RangeInclusive;
use std::process::exit;

const COUNT: RangeInclusive<i64> = 1..=100;
const NUMBER: RangeInclusive<i64> = -1_000_000_000..=1_000_000_000;

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("standard input can be read");
    match check(&bytes) {
        Ok(()) => exit(42),
        Err(why) => {
            eprintln!("{why}");
            exit(43);
        }
    }
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let mut words = text.split_ascii_whitespace();
    let count = number(words.next(), "n", &COUNT)?;
    let numbers = (1..=count).map(|i| number(words.next(), &format!("a_{i}"), &NUMBER));
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    // Written again, it must be the same: no other blanks, line ends or leading zeros, and nothing more at the end.
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let expected = format!("{count}\n{}\n", numbers.join(" "));
    same(text, &expected)
}

fn number(word: Option<&str>, name: &str, range: &RangeInclusive<i64>) -> Result<i64, String> {
    let word = word.ok_or(format!("the end instead of {name}"))?;
    let number = word.parse().map_err(|_| format!("{name} is no number: {word}"))?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(format!("{name} = {number} is not in {}..{}", range.start(), range.end()))
    }
}

fn same(text: &str, expected: &str) -> Result<(), String> {
    if text == expected {
        return Ok(());
    }
    let place = text.bytes().zip(expected.bytes()).take_while(|(one, other)| one == other).count();
    let before = &text.as_bytes()[..place];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Err(format!("line {line}, column {column}: not written as it should be"))
}
