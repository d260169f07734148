//! Compares the bytes of both sides in memory up to the first difference.
//!
//! Responsible for speed, and for skipping differences that no option counts. It stops wherever it
//! cannot decide, also if only a part of a token is in memory: the slower rules in the parent
//! module decide there. Must not know lines or columns.

use judge_model::CompareOptions;

use super::float;

/// True for the whitespace of the package format: space, horizontal tab, line feed, vertical tab,
/// form feed, carriage return.
pub(super) const fn is_whitespace(byte: u8) -> bool {
    // Without branches, so that loops over many bytes compile to vector instructions.
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// The reason why [`scan`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// One of the sides has no more bytes in memory.
    Exhausted,
    /// Both sides have a next byte, the two differ, and that may be a difference.
    Difference,
}

/// The result of [`scan`]: the numbers of bytes that it skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scan {
    /// The number of bytes of the answer that agree with those of the output.
    pub(super) answer: usize,
    /// The number of bytes of the output that agree with those of the answer.
    pub(super) output: usize,
    /// True if the skipped bytes of both sides are identical.
    pub(super) identical: bool,
    /// The reason why it stopped.
    pub(super) stop: Stop,
}

/// Skips the bytes that agree on both sides. `in_token` is true if the bytes before were part of a
/// token.
pub(super) fn scan(options: &CompareOptions, answer: &[u8], output: &[u8], in_token: bool) -> Scan {
    let (mut a, mut o) = (0, 0);
    let mut identical = true;
    let stop = loop {
        let same = common_prefix(&answer[a..], &output[o..]);
        a += same;
        o += same;
        let (Some(&answer_byte), Some(&output_byte)) = (answer.get(a), output.get(o)) else {
            break Stop::Exhausted;
        };
        let answer_space = is_whitespace(answer_byte);
        let output_space = is_whitespace(output_byte);
        if !answer_space && !output_space {
            // Letters of another case: no longer identical, but equal. Runs of them are common, so
            // they have a separate loop.
            if !options.case_sensitive && folded(answer_byte) == folded(output_byte) {
                let same = common_folded_prefix(&answer[a..], &output[o..]);
                (a, o) = (a + same, o + same);
                identical = false;
                continue;
            }
        } else if !options.space_change_sensitive
            // Whitespace opposite a byte of a token is skipped only where no token ends: after one,
            // it would split the token of the other side.
            && (answer_space && output_space || !is_after_token(&answer[..a], &output[..o], in_token))
        {
            a += run_length(&answer[a..], false);
            o += run_length(&output[o..], false);
            identical = false;
            continue;
        }
        if answer_space && output_space {
            break Stop::Difference;
        }
        // Two different tokens may be numbers within a tolerance. In an output of floating-point
        // numbers every token may differ, so it is decided here if both are complete.
        match close_numbers(options, answer, a, output, o, in_token) {
            Some(ends) => (a, o) = ends,
            None => break Stop::Difference,
        }
        identical = false;
    };
    Scan {
        answer: a,
        output: o,
        identical,
        stop,
    }
}

/// True if the last skipped byte, on either side, was part of a token.
fn is_after_token(answer: &[u8], output: &[u8], in_token: bool) -> bool {
    answer
        .last()
        .or(output.last())
        .map_or(in_token, |byte| !is_whitespace(*byte))
}

/// Returns the number of bytes at the start that belong to a token (`of_token`) or to whitespace.
pub(super) fn run_length(bytes: &[u8], of_token: bool) -> usize {
    bytes
        .iter()
        .position(|byte| is_whitespace(*byte) == of_token)
        .unwrap_or(bytes.len())
}

/// Returns the ends of two tokens that differ at these offsets, if they are numbers within a
/// tolerance. At most one of the tokens ends there.
///
/// Also returns `None` when this is uncertain: when a token is not completely in memory (its end is
/// unknown without the whitespace after it), or a number is too large or too small for plain
/// arithmetic.
fn close_numbers(
    options: &CompareOptions,
    answer: &[u8],
    a: usize,
    output: &[u8],
    o: usize,
    in_token: bool,
) -> Option<(usize, usize)> {
    if !options.reads_floats() {
        return None;
    }
    // The bytes of the token before the difference agree, so their number is the same on both
    // sides.
    let shared = answer[..a]
        .iter()
        .rev()
        .take_while(|byte| !is_whitespace(**byte))
        .count();
    // A token that began before these bytes is left to the slower rules, because they have read its
    // beginning.
    let (answer_start, output_start) = (a - shared, o.checked_sub(shared)?);
    if in_token && (answer_start == 0 || output_start == 0) {
        return None;
    }
    let answer_end = a + run_length(&answer[a..], true);
    let output_end = o + run_length(&output[o..], true);
    // The token may continue after these bytes, which would change its value.
    if answer_end == answer.len() || output_end == output.len() {
        return None;
    }
    let expected = float::plain_value(&answer[answer_start..answer_end])?;
    let found = float::plain_value(&output[output_start..output_end])?;
    float::are_plain_values_close(expected, found, options)?.then_some((answer_end, output_end))
}

/// Returns the number of bytes at the start that are the same on both sides.
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    // After this many equal bytes it is likely that many more follow.
    const SHORT: usize = 8 * WORD;
    const BLOCK: usize = 1 << 10;

    let length = left.len().min(right.len());
    let (left, right) = (&left[..length], &right[..length]);
    let mut at = 0;
    while let (Some(l), Some(r)) = (
        left[at..].first_chunk::<WORD>(),
        right[at..].first_chunk::<WORD>(),
    ) {
        let differing = u64::from_le_bytes(*l) ^ u64::from_le_bytes(*r);
        if differing != 0 {
            return at + (differing.trailing_zeros() / u8::BITS) as usize;
        }
        at += WORD;
        // Whole blocks from here on: the loop compiles to vector instructions, but for a few bytes
        // starting it costs more than it saves.
        if at == SHORT {
            at += BLOCK * equal_blocks::<BLOCK>(&left[at..], &right[at..]);
        }
    }
    at + left[at..]
        .iter()
        .zip(&right[at..])
        .take_while(|(l, r)| l == r)
        .count()
}

/// Returns the number of bytes at the start that are the same on both sides up to the case of ASCII
/// letters. The number is limited: after one difference in case, more are likely to follow, but not
/// forever.
fn common_folded_prefix(left: &[u8], right: &[u8]) -> usize {
    const BLOCK: usize = 32;
    const MAX_LENGTH: usize = 512;

    // The differences of a block are combined and compared once, so that the loop has no branches
    // and compiles to vector instructions.
    let is_same = |(l, r): (&[u8], &[u8])| {
        l.iter()
            .zip(r)
            .fold(0, |all, (l, r)| all | (folded(*l) ^ folded(*r)))
            == 0
    };
    let (left, right) = (
        &left[..left.len().min(MAX_LENGTH)],
        &right[..right.len().min(MAX_LENGTH)],
    );
    let blocks = left
        .chunks_exact(BLOCK)
        .zip(right.chunks_exact(BLOCK))
        .take_while(|pair| is_same(*pair))
        .count();
    let at = blocks * BLOCK;
    at + left[at..]
        .iter()
        .zip(&right[at..])
        .take_while(|(l, r)| folded(**l) == folded(**r))
        .count()
}

/// Returns the byte in lower case if it is an ASCII letter; without branches, for vector
/// instructions.
const fn folded(byte: u8) -> u8 {
    byte | (((byte.wrapping_sub(b'A') < 26) as u8) << 5)
}

/// Returns the number of whole blocks at the start that are the same on both sides.
fn equal_blocks<const BLOCK: usize>(left: &[u8], right: &[u8]) -> usize {
    left.chunks_exact(BLOCK)
        .zip(right.chunks_exact(BLOCK))
        .take_while(|(l, r)| l == r)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_is_exactly_six_bytes() {
        let found: Vec<u8> = (0..=u8::MAX).filter(|byte| is_whitespace(*byte)).collect();
        assert_eq!(found, [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
    }

    #[test]
    fn folding_changes_only_ascii_letters() {
        for byte in 0..=u8::MAX {
            assert_eq!(folded(byte), byte.to_ascii_lowercase());
        }
    }

    #[test]
    fn common_folded_prefix_finds_the_first_difference() {
        let left = b"Aa".repeat(60);
        let right = b"aA".repeat(60);
        for length in 0..=left.len() {
            assert_eq!(common_folded_prefix(&left[..length], &right), length);
            if length < left.len() {
                let mut right = right.clone();
                right[length] = b'!';
                assert_eq!(common_folded_prefix(&left, &right), length);
            }
        }
    }

    #[test]
    fn common_prefix_finds_the_first_difference() {
        let left: Vec<u8> = (0..5000u32).map(|n| n as u8).collect();
        for length in (0..150).chain([1087, 1088, 1089, 2111, 2112, 4999, 5000]) {
            assert_eq!(common_prefix(&left[..length], &left), length);
            assert_eq!(common_prefix(&left, &left[..length]), length);
            if length < left.len() {
                let mut right = left.clone();
                right[length] ^= 0x80;
                assert_eq!(common_prefix(&left, &right), length);
            }
        }
    }

    #[test]
    fn truncated_numbers_are_left_to_the_caller() {
        let options = CompareOptions {
            float_absolute: Some(1.0),
            ..CompareOptions::default()
        };
        let difference_at = |at| Scan {
            answer: at,
            output: at,
            identical: true,
            stop: Stop::Difference,
        };
        let all_of = |length| Scan {
            answer: length,
            output: length,
            identical: false,
            stop: Stop::Exhausted,
        };
        assert_eq!(scan(&options, b"1.5 ", b"1.6 ", false), all_of(4));
        assert_eq!(scan(&options, b"1.5", b"1.6 ", false), difference_at(2));
        assert_eq!(scan(&options, b"1.5 ", b"1.6", false), difference_at(2));
        assert_eq!(scan(&options, b"1.5 ", b"1.6 ", true), difference_at(2));
        assert_eq!(scan(&options, b" 1.5 ", b" 1.6 ", true), all_of(5));
    }
}
