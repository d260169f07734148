//! Compares words, although its arguments say `space_change_sensitive`.
use std::io::Read;
fn main() {
    let answer = std::fs::read(std::env::args().nth(2).unwrap()).unwrap();
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).unwrap();
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
    };
    std::process::exit(if words(&output) == words(&answer) { 42 } else { 43 });
}
