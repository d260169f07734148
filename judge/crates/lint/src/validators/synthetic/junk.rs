//! Junk: bytes that are not an input or output of any problem, and outputs that make careless
//! readers fail.
//!
//! Pure: the same seed gives the same bytes.

use judge_exec::Random;

/// Junk: bytes, with a name for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Junk {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Junk {
    fn new(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            bytes,
        }
    }
}

const LENGTH: usize = 1024;

fn random_bytes(random: &mut Random, letters: &[u8]) -> Vec<u8> {
    (0..LENGTH)
        .map(|_| letters[(random.draw() % letters.len() as u64) as usize])
        .collect()
}

/// The names of four texts that no validator should accept.
pub(crate) const TEXT_NAMES: [&str; 4] = [
    "an empty file",
    "random bytes",
    "random ASCII on one line",
    "random printable text",
];

/// Four texts that no validator should accept.
pub(crate) fn texts(seed: u64) -> Vec<Junk> {
    let mut random = Random::new(seed);
    let any: Vec<u8> = (0..=255).collect();
    let visible: Vec<u8> = (32..=126).collect();
    let lines: Vec<u8> = (32..=126)
        .chain(*b"\t\n\r\x0b\x0c")
        .chain(*b"0123456789 \n")
        .collect();
    let random = [any, visible, lines].map(|letters| random_bytes(&mut random, &letters));
    let texts = [Vec::new()].into_iter().chain(random);
    let named = TEXT_NAMES.iter().zip(texts);
    named.map(|(name, bytes)| Junk::new(name, bytes)).collect()
}

/// Outputs that make careless readers fail: numbers out of range, too many or too few tokens, words
/// instead of numbers.
const CRASHERS: [&[u8]; 22] = [
    b"-1\n",
    b"2147483647\n",
    b"2147483648\n",
    b"9223372036854775808\n",
    b"-9223372036854775809\n",
    b"0\n",
    b"1\n",
    b"1.0\n",
    b"1e400\n",
    b"a\n",
    b"2\n-1 1\n",
    b"2\n1\n",
    b"1\n1000000000\n",
    b"1000000000 1\n",
    b"1 1 1 1 1 1 1 1\n",
    b"1/0\n",
    b"NaN\n",
    b"inf\n",
    b"yes\nno\n",
    b"\x00\n",
    b"\x80\n",
    b"\n\n",
];

/// The four texts, then the outputs that make careless readers fail.
pub(crate) fn outputs(seed: u64) -> Vec<Junk> {
    let crashers = CRASHERS.iter().map(|bytes| {
        let shown = bytes.escape_ascii().to_string();
        Junk::new(&format!("`{shown}`"), bytes.to_vec())
    });
    texts(seed).into_iter().chain(crashers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_depends_only_on_the_seed() {
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn junk_matches_its_name() {
        let texts = texts(1);
        assert!(texts[0].bytes.is_empty());
        assert!(std::str::from_utf8(&texts[1].bytes).is_err());
        assert!(texts[2].bytes.iter().all(|byte| (32..=126).contains(byte)));
        assert!(texts[3].bytes.contains(&b'\n'));
        assert_eq!(outputs(1).len(), 4 + CRASHERS.len());
    }
}
