//! Accepts inputs of the first run, and nothing else: exit code 42, or else 43 with the reason on standard error.

use std::io::Read;
use std::process::exit;

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
    let rest = text.strip_prefix("send\n").ok_or("line 1: not `send`")?;
    let line = rest.strip_suffix('\n').ok_or("line 2: no newline at its end")?;
    let number: u32 = line.parse().map_err(|_| format!("line 2: no number: {line}"))?;
    if number.to_string() != line {
        return Err(format!("line 2: not written as it should be: {line}"));
    }
    if (1..=1_000_000).contains(&number) { Ok(()) } else { Err(format!("line 2: {number} is not in 1..10^6")) }
}
