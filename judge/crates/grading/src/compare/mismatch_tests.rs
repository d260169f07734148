//! Tests of mismatches: their kinds and places, and their excerpts of long tokens.

use super::super::testing::{Pieces, compare_whole, options};
use super::super::{Comparison, compare};
use super::*;

fn mismatch(args: &str, answer: &[u8], output: &[u8]) -> Mismatch {
    match compare_whole(&options(args), answer, output) {
        Comparison::Rejected(mismatch) => mismatch,
        Comparison::Accepted => panic!(
            "`{}` `{}` is accepted",
            answer.escape_ascii(),
            output.escape_ascii()
        ),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_mismatch_has_a_kind_places_and_both_tokens() {
    use DifferenceKind::{Extra, Missing, Token, Tolerance, Whitespace};
    type Case = (
        &'static str,
        &'static [u8],
        &'static [u8],
        DifferenceKind,
        [[u64; 3]; 2],
        [&'static [u8]; 2],
    );
    let cases: [Case; 17] = [
        (
            "",
            b"1\n2\n7 12\n",
            b"1\n2\n7 13\n",
            Token,
            [[3, 3, 2], [3, 3, 2]],
            [b"12", b"13"],
        ),
        (
            "",
            b"a b\n",
            b"a\nc\n",
            Token,
            [[1, 3, 2], [2, 1, 1]],
            [b"b", b"c"],
        ),
        (
            "",
            b"abc",
            b"abcd",
            Token,
            [[1, 1, 1], [1, 1, 1]],
            [b"abc", b"abcd"],
        ),
        (
            "",
            b"x\ny\n",
            b"x\n",
            Missing,
            [[2, 1, 1], [2, 1, 1]],
            [b"y", b""],
        ),
        (
            "",
            b"x y",
            b"x",
            Missing,
            [[1, 3, 2], [1, 2, 2]],
            [b"y", b""],
        ),
        (
            "",
            b"x\n",
            b"x\n\nz\n",
            Extra,
            [[2, 1, 1], [3, 1, 1]],
            [b"", b"z"],
        ),
        (
            "",
            b"a",
            b"\"\0\xff",
            Token,
            [[1, 1, 1], [1, 1, 1]],
            [b"a", b"\"\0\xff"],
        ),
        (
            "float_tolerance 1e-6",
            b"1",
            b"one",
            Token,
            [[1, 1, 1], [1, 1, 1]],
            [b"1", b"one"],
        ),
        (
            "float_tolerance 1e-6",
            b"one",
            b"1",
            Token,
            [[1, 1, 1], [1, 1, 1]],
            [b"one", b"1"],
        ),
        (
            "float_tolerance 1e-6",
            b"3 1.5",
            b"3 1.7",
            Tolerance,
            [[1, 3, 2], [1, 3, 2]],
            [b"1.5", b"1.7"],
        ),
        (
            "float_absolute_tolerance 0.5",
            b"0",
            b"2",
            Tolerance,
            [[1, 1, 1], [1, 1, 1]],
            [b"0", b"2"],
        ),
        (
            "float_relative_tolerance 0.5",
            b"1e400",
            b"2e400",
            Tolerance,
            [[1, 1, 1], [1, 1, 1]],
            [b"1e400", b"2e400"],
        ),
        (
            "float_absolute_tolerance 1e-3",
            b"1",
            b"1.0010001",
            Tolerance,
            [[1, 1, 1], [1, 1, 1]],
            [b"1", b"1.0010001"],
        ),
        (
            "space_change_sensitive",
            b"a b\n",
            b"a \t b\n",
            Whitespace,
            [[1, 2, 2], [1, 2, 2]],
            [b" ", b" \t "],
        ),
        (
            "space_change_sensitive",
            b"a\n",
            b"a",
            Whitespace,
            [[1, 2, 2], [1, 2, 2]],
            [b"\n", b""],
        ),
        (
            "space_change_sensitive",
            b"a",
            b" a",
            Whitespace,
            [[1, 1, 1], [1, 1, 1]],
            [b"", b" "],
        ),
        (
            "space_change_sensitive",
            b"a",
            b"a\nb",
            Extra,
            [[1, 2, 2], [2, 1, 1]],
            [b"", b"b"],
        ),
    ];
    for (args, answer, output, kind, places, tokens) in cases {
        let Mismatch {
            kind: found_kind,
            answer: at,
            output: found_at,
            expected,
            found,
        } = mismatch(args, answer, output);
        let numbers = |place: Place| {
            [
                place.position.line,
                place.position.column,
                place.position.token,
            ]
        };
        let context = format!(
            "`{args}` `{}` `{}`",
            answer.escape_ascii(),
            output.escape_ascii()
        );
        assert_eq!(
            (found_kind, [at, found_at].map(numbers)),
            (kind, places),
            "{context}"
        );
        assert_eq!([&expected[..], &found[..]], tokens, "{context}");
    }
}

#[test]
fn the_excerpt_of_a_long_token_surrounds_the_difference() {
    let size = 300_000;
    let mut answer = b"first ".to_vec();
    answer.resize(size, b'x');
    let mut output = answer.clone();
    let at = 200_000;
    output[at] = b'y';
    for lengths in [&[1][..], &[127, 129], &[65_536]] {
        let comparison = compare(
            &options(""),
            Pieces::new(&answer, lengths),
            Pieces::new(&output, &[70_000]),
        )
        .unwrap();
        let Comparison::Rejected(mismatch) = comparison else {
            panic!("accepted");
        };
        let position = Position {
            line: 1,
            column: 7,
            token: 2,
        };
        assert_eq!(
            mismatch.output,
            Place {
                position,
                offset: 6
            }
        );
        assert_eq!(mismatch.found, output[at - 128..at + 128]);
        assert_eq!(mismatch.expected, answer[at - 128..at + 128]);
    }
}

#[test]
fn the_excerpt_of_a_long_number_surrounds_the_difference() {
    let answer = [&b"1."[..], &b"0".repeat(5000)].concat();
    let output = [&answer[..1000], &b"x"[..], &answer[1001..], &b" 7"[..]].concat();
    let mismatch = mismatch("float_tolerance 1", &answer, &output);
    assert_eq!(mismatch.found, output[1000 - 128..1000 + 128]);
    assert_eq!(mismatch.expected.len(), 256);
}

#[test]
fn excerpts_end_at_the_end_of_the_token() {
    let mismatch = mismatch("", b"abc def", b"abd   ghi");
    assert_eq!(
        (&mismatch.expected[..], &mismatch.found[..]),
        (&b"abc"[..], &b"abd"[..])
    );
}

#[test]
fn a_broken_reader_is_an_error_not_a_verdict() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let broken = || std::io::BufReader::new(Broken);
    assert_eq!(
        compare(&options(""), &b"a"[..], broken())
            .unwrap_err()
            .to_string(),
        "gone"
    );
    assert_eq!(
        compare(&options(""), broken(), &b"a"[..])
            .unwrap_err()
            .to_string(),
        "gone"
    );
}
