//! Literals of sources: words and numbers that a program may compare its input with.
//!
//! Responsible for finding them without knowing the language. Pure.

use std::collections::BTreeSet;

/// The maximum length of a literal that may be a word of an input, in bytes.
const MAX_LITERAL_BYTES: usize = 32;
/// The maximum number of literals of all sources together.
const MAX_LITERALS: usize = 400;

/// The words in quotation marks and the numbers of sources, each once, in order.
pub(crate) fn literals<'s>(sources: impl IntoIterator<Item = &'s [u8]>) -> Vec<Vec<u8>> {
    let mut found = BTreeSet::new();
    for source in sources {
        for line in source.split(|byte| *byte == b'\n') {
            quoted(line, &mut found);
            let words = line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            let numbers = words.filter(|word| word.first().is_some_and(u8::is_ascii_digit));
            let digits = numbers.map(|word| {
                word.iter()
                    .copied()
                    .filter(|byte| *byte != b'_')
                    .collect::<Vec<u8>>()
            });
            found.extend(
                digits.filter(|word| word.len() <= 19 && word.iter().all(u8::is_ascii_digit)),
            );
        }
    }
    found.into_iter().take(MAX_LITERALS).collect()
}

/// The words of all texts in quotation marks of a line.
fn quoted(line: &[u8], found: &mut BTreeSet<Vec<u8>>) {
    for mark in [b'"', b'\''] {
        let parts: Vec<&[u8]> = line.split(|byte| *byte == mark).collect();
        // Every second part is between two marks, except the part after the last mark.
        let inside = parts.iter().skip(1).step_by(2).take((parts.len() - 1) / 2);
        let words =
            inside.flat_map(|text| text.split(|byte| byte.is_ascii_whitespace() || *byte == b'\\'));
        let is_word = |word: &&[u8]| {
            (1..=MAX_LITERAL_BYTES).contains(&word.len()) && word.iter().all(u8::is_ascii_graphic)
        };
        found.extend(words.filter(is_word).map(<[u8]>::to_vec));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_and_numbers_are_found() {
        let source =
            b"if word == \"END of\" || c == 'x' {\n  let n = 1_000_000 + 0x1f - 42; // don't\n}\n";
        let found = literals([&source[..]]);
        let words: Vec<&str> = found
            .iter()
            .map(|word| std::str::from_utf8(word).unwrap())
            .collect();
        assert_eq!(words, ["1000000", "42", "END", "of", "x"]);
        assert!(literals([&b""[..], b"\"", b"'\n'"]).is_empty());
    }
}
