//! Speeches: texts that a submission may send to an interactive output validator without reading
//! anything.
//!
//! Pure. Responsible for the speeches. Must not know which program reads them.
//!
//! An interactor that reads a whole speech and then the end of its input reads the same as from a
//! submission that does not wait for answers. The empty speech represents silence and an early end:
//! a submission that is silent for too long is ended, and then its interactor reads the end.

use super::changes::Setting;
use super::damage::tokens;

/// The size of a line without an end, in bytes.
const ENDLESS_BYTES: usize = 10 << 20;
/// The number of times that the speech of a sample is repeated.
const REPETITIONS: usize = 10;

/// A speech, with a name for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Speech {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// True when no interactor may accept the speech on every test case.
    pub(crate) must_fail: bool,
}

/// Speeches that do not depend on the problem: name, text, and whether interactors must reject it.
const PLAIN: [(&str, &[u8], bool); 19] = [
    ("nothing, and then the end", b"", true),
    ("empty lines", b"\n\n\n", true),
    ("words", b"hello world\nhello world\nhello world\n", true),
    ("bytes that are not UTF-8", b"\x80\xff\n\xfe\n\x80\n", true),
    ("NUL bytes", b"\0\n\0\n", true),
    ("a line without an end", b"1", false),
    ("negative numbers", b"-1\n-1\n-1\n", false),
    ("zeros", b"0\n0\n0\n", false),
    ("ones", b"1\n1\n1\n", false),
    ("2^31", b"2147483648\n2147483648\n", false),
    ("2^63", b"9223372036854775808\n9223372036854775808\n", false),
    (
        "numbers of 22 digits",
        b"1000000000000000000000\n1000000000000000000000\n",
        false,
    ),
    ("numbers that are no integers", b"1.5\nnan\n1e400\n", false),
    ("several numbers in a line", b"1 1 1 1\n1 1 1 1\n", false),
    ("`?` and nothing else", b"?\n?\n", false),
    ("`?` and a word", b"? x\n? x\n", false),
    ("`?` and a number", b"? 1\n? 1 1\n! 1\n", false),
    ("`?` and a negative number", b"? -1\n? -1 -1\n! -1\n", false),
    (
        "`?` and a huge number",
        b"? 99999999999999999999\n! 99999999999999999999\n",
        false,
    ),
];

/// The speeches. Some of them change the text that a submission writes in a sample, if there is
/// one.
pub(crate) fn speeches(sample: Option<&[u8]>, setting: &Setting<'_>) -> Vec<Speech> {
    let endless = usize::try_from(setting.output_bytes)
        .unwrap_or(ENDLESS_BYTES)
        .min(ENDLESS_BYTES);
    let plain = PLAIN.iter().map(|(name, bytes, must_fail)| Speech {
        name: (*name).to_owned(),
        bytes: bytes.to_vec(),
        must_fail: *must_fail,
    });
    let mut speeches: Vec<Speech> = plain.collect();
    for (name, letter) in [
        ("an endless line of letters", b"a"),
        ("an endless line of digits", b"1"),
    ] {
        speeches.push(Speech {
            name: name.to_owned(),
            bytes: letter.repeat(endless),
            must_fail: false,
        });
    }
    let Some(sample) = sample.filter(|sample| !sample.is_empty()) else {
        return speeches;
    };
    let mut add = |name: &str, bytes: Vec<u8>| {
        if bytes != sample && speeches.iter().all(|speech| speech.bytes != bytes) {
            speeches.push(Speech {
                name: format!("what a sample says, {name}"),
                bytes,
                must_fail: false,
            });
        }
    };
    let first = sample
        .split_inclusive(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    add("up to its first line", first.to_vec());
    add("cut in its first line", first[..first.len() / 2].to_vec());
    add(
        "its first line many times",
        first.repeat(REPETITIONS * sample.iter().filter(|byte| **byte == b'\n').count().max(1)),
    );
    add("ten times", sample.repeat(REPETITIONS));
    add("with words in place of numbers", with_numbers(sample, b"x"));
    add(
        "with bytes that are not UTF-8 in place of numbers",
        with_numbers(sample, b"\xff"),
    );
    add("with negative numbers", with_numbers(sample, b"-1"));
    add(
        "with numbers of 22 digits",
        with_numbers(sample, b"1000000000000000000000"),
    );
    add(
        "with nothing in place of numbers",
        with_numbers(sample, b""),
    );
    speeches
}

/// The text with every number replaced.
fn with_numbers(text: &[u8], replaced: &[u8]) -> Vec<u8> {
    let (mut changed, mut end) = (Vec::new(), 0);
    for token in tokens(text) {
        let number = &text[token.clone()];
        let is_number = number.iter().any(u8::is_ascii_digit)
            && number.iter().all(|byte| b"-+.0123456789".contains(byte));
        changed.extend_from_slice(&text[end..token.start]);
        changed.extend_from_slice(if is_number { replaced } else { number });
        end = token.end;
    }
    changed.extend_from_slice(&text[end..]);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_sample_are_changed_and_repeated() {
        let speeches = speeches(
            Some(b"? 1 2\n! 37\n"),
            &Setting {
                output_bytes: 100,
                ..Setting::default()
            },
        );
        let of = |name: &str| {
            let speech = speeches.iter().find(|speech| speech.name.ends_with(name));
            String::from_utf8_lossy(&speech.unwrap_or_else(|| panic!("{name}")).bytes).into_owned()
        };
        assert_eq!(of("up to its first line"), "? 1 2\n");
        assert_eq!(of("with words in place of numbers"), "? x x\n! x\n");
        assert_eq!(of("with nothing in place of numbers"), "?  \n! \n");
        assert_eq!(of("says, ten times"), "? 1 2\n! 37\n".repeat(10));
        assert_eq!(of("its first line many times"), "? 1 2\n".repeat(20));
        assert_eq!(of("an endless line of digits"), "1".repeat(100));
    }

    #[test]
    fn speeches_differ() {
        let speeches = speeches(
            None,
            &Setting {
                output_bytes: 100,
                ..Setting::default()
            },
        );
        for (index, speech) in speeches.iter().enumerate() {
            assert!(
                speeches[..index]
                    .iter()
                    .all(|other| other.bytes != speech.bytes),
                "{speech:?}"
            );
        }
    }
}
