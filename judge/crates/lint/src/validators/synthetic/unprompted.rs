//! Unprompted outputs: text that a submission may send to an interactive output validator without
//! reading anything.
//!
//! Pure. Responsible for the outputs. Must not know which program reads them.
//!
//! An interactor that reads such an output up to its end reads the same as from a submission that
//! does not wait for replies. The empty output represents silence and an early exit: a submission
//! that is silent for too long is killed, and then its interactor reads the end of its input.

use super::changes::large_size;
use super::damage::tokens;

/// The number of repetitions of a sample's output.
const REPETITIONS: usize = 10;

/// An unprompted output, with a name for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnpromptedOutput {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// True if no interactor may accept the output on every test case.
    pub(crate) must_fail: bool,
}

/// Outputs that do not depend on the problem: name, text, and true if interactors must reject it.
const PLAIN: [(&str, &[u8], bool); 19] = [
    ("nothing, and then the end", b"", true),
    ("empty lines", b"\n\n\n", true),
    ("words", b"hello world\nhello world\nhello world\n", true),
    ("bytes that are not UTF-8", b"\x80\xff\n\xfe\n\x80\n", true),
    ("NUL bytes", b"\0\n\0\n", true),
    ("a line without a newline", b"1", false),
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
    ("numbers that are not integers", b"1.5\nnan\n1e400\n", false),
    ("several numbers in a line", b"1 1 1 1\n1 1 1 1\n", false),
    ("`?` alone", b"?\n?\n", false),
    ("`?` and a word", b"? x\n? x\n", false),
    ("`?` and a number", b"? 1\n? 1 1\n! 1\n", false),
    ("`?` and a negative number", b"? -1\n? -1 -1\n! -1\n", false),
    (
        "`?` and a huge number",
        b"? 99999999999999999999\n! 99999999999999999999\n",
        false,
    ),
];

/// Returns all unprompted outputs. If there is a sample, some of them are changed copies of the
/// text that its submission writes.
pub(crate) fn unprompted_outputs(
    sample: Option<&[u8]>,
    output_bytes: u64,
) -> Vec<UnpromptedOutput> {
    let output = |name: &str, bytes: Vec<u8>, must_fail: bool| UnpromptedOutput {
        name: name.to_owned(),
        bytes,
        must_fail,
    };
    let plain = PLAIN
        .iter()
        .map(|(name, bytes, must_fail)| output(name, bytes.to_vec(), *must_fail));
    let endless = large_size(output_bytes);
    let mut outputs: Vec<UnpromptedOutput> = plain
        .chain([
            output("an endless line of letters", b"a".repeat(endless), false),
            output("an endless line of digits", b"1".repeat(endless), false),
        ])
        .collect();
    let Some(sample) = sample.filter(|sample| !sample.is_empty()) else {
        return outputs;
    };
    let mut add = |name: &str, bytes: Vec<u8>| {
        if bytes != sample && outputs.iter().all(|output| output.bytes != bytes) {
            let name = format!("the submission's side of a sample, {name}");
            outputs.push(output(&name, bytes, false));
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
    add("with words instead of numbers", with_numbers(sample, b"x"));
    add(
        "with bytes that are not UTF-8 instead of numbers",
        with_numbers(sample, b"\xff"),
    );
    add("with negative numbers", with_numbers(sample, b"-1"));
    add(
        "with numbers of 22 digits",
        with_numbers(sample, b"1000000000000000000000"),
    );
    add("with nothing instead of numbers", with_numbers(sample, b""));
    outputs
}

/// The text with every number replaced.
fn with_numbers(text: &[u8], replacement: &[u8]) -> Vec<u8> {
    let (mut changed, mut end) = (Vec::new(), 0);
    for token in tokens(text) {
        let number = &text[token.clone()];
        let is_number = number.iter().any(u8::is_ascii_digit)
            && number.iter().all(|byte| b"-+.0123456789".contains(byte));
        changed.extend_from_slice(&text[end..token.start]);
        changed.extend_from_slice(if is_number { replacement } else { number });
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
        let outputs = unprompted_outputs(Some(b"? 1 2\n! 37\n"), 100);
        let text = |name: &str| {
            let output = outputs.iter().find(|output| output.name.ends_with(name));
            String::from_utf8_lossy(&output.unwrap_or_else(|| panic!("{name}")).bytes).into_owned()
        };
        assert_eq!(text("up to its first line"), "? 1 2\n");
        assert_eq!(text("with words instead of numbers"), "? x x\n! x\n");
        assert_eq!(text("with nothing instead of numbers"), "?  \n! \n");
        assert_eq!(text("sample, ten times"), "? 1 2\n! 37\n".repeat(10));
        assert_eq!(text("its first line many times"), "? 1 2\n".repeat(20));
        assert_eq!(text("an endless line of digits"), "1".repeat(100));
    }

    #[test]
    fn unprompted_outputs_differ() {
        let outputs = unprompted_outputs(None, 100);
        for (index, output) in outputs.iter().enumerate() {
            assert!(
                outputs[..index]
                    .iter()
                    .all(|other| other.bytes != output.bytes),
                "{output:?}"
            );
        }
    }
}
