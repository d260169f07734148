//! Tests of the default output validator: properties that hold for any input, and a comparison with
//! a simple reference that splits all data into tokens in memory.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::testing::{Pieces, compare_whole};
use judge_model::{DifferenceKind, Position};

use super::{CompareOptions, Comparison, Mismatch, Place, compare};

fn is_space(byte: u8) -> bool {
    [9, 10, 11, 12, 13, 32].contains(&byte)
}

fn tokens(data: &[u8]) -> Vec<&[u8]> {
    data.split(|byte| is_space(*byte))
        .filter(|token| !token.is_empty())
        .collect()
}

/// Returns the whitespace between the tokens, and whether there is any before the first.
fn spaces(data: &[u8]) -> (bool, Vec<&[u8]>) {
    let runs = data
        .split(|byte| !is_space(*byte))
        .filter(|run| !run.is_empty())
        .collect();
    (data.first().is_some_and(|byte| is_space(*byte)), runs)
}

/// Parses the grammar as a chain of `strip_prefix` and similar calls; the reader under test is a
/// state machine.
fn number(token: &[u8]) -> Option<f64> {
    let text = str::from_utf8(token).ok()?;
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (significand, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((significand, exponent)) => (significand, Some(exponent)),
        None => (unsigned, None),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let some_digits = |text: &str| !text.is_empty() && are_digits(text);
    let is_significand = match significand.split_once('.') {
        Some((before, after)) => {
            are_digits(before) && are_digits(after) && !(before.is_empty() && after.is_empty())
        }
        None => some_digits(significand),
    };
    let is_exponent = |text: &str| some_digits(text.strip_prefix(['+', '-']).unwrap_or(text));
    (is_significand && exponent.is_none_or(is_exponent))
        .then(|| text.parse().ok())
        .flatten()
}

/// True if all numbers are in the range of the reference: binary64 represents them without overflow
/// or underflow.
fn is_in_range(data: &[u8]) -> bool {
    let is_zero = |token: &[u8]| {
        !token
            .iter()
            .take_while(|byte| !b"eE".contains(byte))
            .any(|byte| *byte > b'0')
    };
    let is_in_range =
        |token: &&[u8]| number(token).is_none_or(|value| value.is_normal() || is_zero(token));
    tokens(data).iter().all(is_in_range)
}

fn reference(options: &CompareOptions, answer: &[u8], output: &[u8]) -> bool {
    let is_right = |(a, s): (&&[u8], &&[u8])| match number(a).filter(|_| options.reads_floats()) {
        Some(expected) => number(s).is_some_and(|found| {
            let error = (found - expected).abs();
            options
                .float_absolute
                .is_some_and(|tolerance| error <= tolerance)
                || options
                    .float_relative
                    .is_some_and(|tolerance| error <= tolerance * expected.abs())
        }),
        None if options.case_sensitive => a == s,
        None => a.eq_ignore_ascii_case(s),
    };
    let (expected, found) = (tokens(answer), tokens(output));
    expected.len() == found.len()
        && expected.iter().zip(&found).all(is_right)
        && (!options.space_change_sensitive || spaces(answer) == spaces(output))
}

fn any_options() -> impl Strategy<Value = CompareOptions> {
    let tolerance = || prop::option::of(select(vec![0.0, 1e-9, 0.25, 1.0]));
    (any::<bool>(), any::<bool>(), tolerance(), tolerance()).prop_map(
        |(case_sensitive, space_change_sensitive, float_relative, float_absolute)| CompareOptions {
            case_sensitive,
            space_change_sensitive,
            float_relative,
            float_absolute,
        },
    )
}

/// Tokens that are nearly equal, and bytes that are easily confused.
#[rustfmt::skip]
const TOKENS: [&[u8]; 26] = [
    b"1", b"1.0", b"1.", b"1e0", b"1E0", b"+1", b"1.25", b"0", b"-0", b".5", b"0.75", b"2", b"12.5e-1", b"100", b"a",
    b"A", b"b", b"Yes", b"yES", b"1e", b".", b"inf", b"nan", b"\0", b"\xa0", b"longer-than-a-word",
];
const SPACES: [&[u8]; 7] = [b" ", b" ", b"\n", b"\t", b"\r\n", b"\x0b", b"\x0c"];

fn piece() -> impl Strategy<Value = &'static [u8]> {
    prop_oneof![3 => select(&TOKENS[..]), 5 => select(&SPACES[..])]
}

/// Returns an answer and an output that differ in a few pieces.
fn any_pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edit = (
        any::<prop::sample::Index>(),
        prop::option::of(piece()),
        any::<bool>(),
    );
    (vec(piece(), 0..40), vec(edit, 0..3)).prop_map(|(pieces, edits)| {
        let mut edited = pieces.clone();
        for (index, piece, replaces) in edits {
            let at = index.index(edited.len() + 1);
            let end = (at + usize::from(replaces)).min(edited.len());
            edited.splice(at..end, piece);
        }
        (pieces.concat(), edited.concat())
    })
}

fn pieces_lengths() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![Just(vec![1]), vec(1..20_usize, 1..6)]
}

/// Returns the place of an offset, counted from the start.
fn place(data: &[u8], offset: u64) -> Place {
    let before = &data[..offset as usize];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |feed| feed + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let token = tokens(&before[line_start..]).len() as u64 + 1;
    Place {
        position: Position {
            line,
            column: offset - line_start as u64 + 1,
            token,
        },
        offset,
    }
}

/// Asserts that the excerpt is a part of the token (or whitespace) that starts at the place.
fn assert_holds(side: &str, data: &[u8], start: Place, excerpt: &[u8]) {
    assert_eq!(start, place(data, start.offset), "{side}");
    let rest = &data[start.offset as usize..];
    let is_same = |byte: &u8| is_space(*byte) == is_space(rest[0]);
    let run = rest
        .iter()
        .position(|byte| !is_same(byte))
        .unwrap_or(rest.len());
    assert!(
        excerpt.is_empty()
            || rest[..run]
                .windows(excerpt.len())
                .any(|part| part == excerpt),
        "{side}"
    );
}

/// Asserts that the statements of a mismatch are true of the data.
fn assert_true(mismatch: &Mismatch, answer: &[u8], output: &[u8]) {
    assert_holds("answer", answer, mismatch.answer, &mismatch.expected);
    assert_holds("output", output, mismatch.output, &mismatch.found);
    let (expected, found) = (&mismatch.expected, &mismatch.found);
    match mismatch.kind {
        DifferenceKind::Missing => assert!(found.is_empty() && !expected.is_empty()),
        DifferenceKind::Extra => assert!(expected.is_empty() && !found.is_empty()),
        _ => assert_ne!(expected, found),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn agrees_with_the_reference(options in any_options(), (answer, output) in any_pair()) {
        prop_assume!(is_in_range(&answer) && is_in_range(&output));
        let comparison = compare_whole(&options, &answer, &output);
        prop_assert_eq!(comparison.is_accepted(), reference(&options, &answer, &output), "{:?}", comparison);
    }

    #[test]
    fn agrees_with_the_reference_on_any_bytes(
        options in any_options(),
        answer in vec(select(&b"01.eE+-aA \n\0"[..]), 0..12),
        output in vec(select(&b"01.eE+-aA \n\0"[..]), 0..12),
    ) {
        prop_assume!(is_in_range(&answer) && is_in_range(&output));
        let comparison = compare_whole(&options, &answer, &output);
        prop_assert_eq!(comparison.is_accepted(), reference(&options, &answer, &output), "{:?}", comparison);
    }

    #[test]
    fn does_not_depend_on_how_the_data_is_split(
        options in any_options(),
        (answer, output) in any_pair(),
        answer_lengths in pieces_lengths(),
        output_lengths in pieces_lengths(),
    ) {
        let whole = compare_whole(&options, &answer, &output);
        let cut = compare(&options, Pieces::new(&answer, &answer_lengths), Pieces::new(&output, &output_lengths));
        prop_assert_eq!(cut.unwrap(), whole);
    }

    #[test]
    fn places_and_excerpts_of_mismatches_are_correct(options in any_options(), (answer, output) in any_pair()) {
        if let Comparison::Rejected(mismatch) = compare_whole(&options, &answer, &output) {
            assert_true(&mismatch, &answer, &output);
        }
    }

    #[test]
    fn outputs_equal_themselves(options in any_options(), data in vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(compare_whole(&options, &data, &data), Comparison::Accepted);
    }

    #[test]
    fn trailing_whitespace_matters_only_if_requested(
        options in any_options(),
        (answer, output) in any_pair(),
        end in vec(select(&b" \t\n\x0b\x0c\r"[..]), 1..4),
    ) {
        let longer = [&output[..], &end[..]].concat();
        let comparison = compare_whole(&options, &answer, &output);
        let with_end = compare_whole(&options, &answer, &longer);
        if !options.space_change_sensitive {
            prop_assert_eq!(comparison.is_accepted(), with_end.is_accepted());
        } else if comparison.is_accepted() {
            let is_whitespace = |mismatch: &Mismatch| mismatch.kind == DifferenceKind::Whitespace;
            prop_assert!(matches!(with_end, Comparison::Rejected(mismatch) if is_whitespace(&mismatch)));
        }
    }
}

/// Data of more than a stride, with one difference that moves across the seam.
#[test]
fn differences_at_stride_boundaries_are_found() {
    let options = |float_absolute| CompareOptions {
        float_absolute,
        ..CompareOptions::default()
    };
    for separator in ["\n", "-", " \r\n\n "] {
        let data = ["1234567.5", separator]
            .concat()
            .repeat(super::STRIDE / 10 + 10)
            .into_bytes();
        for at in super::STRIDE - 8..super::STRIDE + 8 {
            for byte in [b' ', b'3', b'x'] {
                let mut changed = data.clone();
                changed[at] = byte;
                for options in [options(None), options(Some(3.0))] {
                    let comparison = compare_whole(&options, &data, &changed);
                    let context = (separator, at, char::from(byte), options);
                    assert_eq!(
                        comparison.is_accepted(),
                        reference(&options, &data, &changed),
                        "{context:?}"
                    );
                    let lengths = [super::STRIDE - 7, 20_000];
                    let cut =
                        compare(&options, Pieces::new(&data, &lengths), &changed[..]).unwrap();
                    assert_eq!(cut, comparison, "{context:?}");
                    if let Comparison::Rejected(mismatch) = comparison {
                        assert_true(&mismatch, &data, &changed);
                    }
                }
            }
        }
    }
}
