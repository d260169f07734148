//! Tests of the text of differences, and of the parts of long tokens that they hold.

use super::super::testing::{Pieces, compare_whole, options};
use super::super::{Comparison, Difference, compare};

fn difference(args: &str, answer: &[u8], output: &[u8]) -> Difference {
    match compare_whole(&options(args), answer, output) {
        Comparison::Rejected(difference) => difference,
        Comparison::Accepted => panic!("`{}` `{}` is accepted", answer.escape_ascii(), output.escape_ascii()),
    }
}

#[test]
fn a_difference_is_one_line() {
    let cases: [(&str, &[u8], &[u8], &str); 17] = [
        ("", b"1\n2\n7 12\n", b"1\n2\n7 13\n", "line 3, token 2: expected `12`, found `13`"),
        ("", b"a b\n", b"a\nc\n", "line 2, token 1: expected `b`, found `c` (in the answer: line 1, token 2)"),
        ("", b"abc", b"abcd", "line 1, token 1: expected `abc`, found `abcd`"),
        ("", b"x\ny\n", b"x\n", "line 2, token 1: expected `y`, found the end of the output"),
        ("", b"x y", b"x", "line 1, token 2: expected `y`, found the end of the output"),
        (
            "",
            b"x\n",
            b"x\n\nz\n",
            "line 3, token 1: expected the end of the output, found `z` (in the answer: line 2, token 1)",
        ),
        ("", b"a", b"\"\0\xff", "line 1, token 1: expected `a`, found `\\\"\\x00\\xff`"),
        ("float_tolerance 1e-6", b"1", b"one", "line 1, token 1: expected a number close to `1`, found `one`"),
        ("float_tolerance 1e-6", b"one", b"1", "line 1, token 1: expected `one`, found `1`"),
        (
            "float_tolerance 1e-6",
            b"3 1.5",
            b"3 1.7",
            "line 1, token 2: expected `1.5`, found `1.7`, absolute error 0.2 (tolerated: 1e-6), \
             relative error 0.133 (tolerated: 1e-6)",
        ),
        (
            "float_absolute_tolerance 0.5",
            b"0",
            b"2",
            "line 1, token 1: expected `0`, found `2`, absolute error 2 (tolerated: 0.5), relative error inf",
        ),
        (
            "float_relative_tolerance 0.5",
            b"1e400",
            b"2e400",
            "line 1, token 1: expected `1e400`, found `2e400`, absolute error inf, relative error 1 (tolerated: 0.5)",
        ),
        (
            // Just out of the tolerance: enough digits to tell.
            "float_absolute_tolerance 1e-3",
            b"1",
            b"1.0010001",
            "line 1, token 1: expected `1`, found `1.0010001`, absolute error 0.0010001 (tolerated: 0.001), \
             relative error 0.001",
        ),
        (
            "space_change_sensitive",
            b"a b\n",
            b"a \t b\n",
            "line 1, column 2: expected whitespace ` `, found whitespace ` \\t `",
        ),
        ("space_change_sensitive", b"a\n", b"a", "line 1, column 2: expected whitespace `\\n`, found no whitespace"),
        ("space_change_sensitive", b"a", b" a", "line 1, column 1: expected no whitespace, found whitespace ` `"),
        (
            "space_change_sensitive",
            b"a",
            b"a\nb",
            "line 2, token 1: expected the end of the output, found `b` (in the answer: line 1, token 2)",
        ),
    ];
    for (args, answer, output, text) in cases {
        assert_eq!(difference(args, answer, output).describe(), text);
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
        let comparison = compare(&options(""), Pieces::new(&answer, lengths), Pieces::new(&output, &[70_000])).unwrap();
        let Comparison::Rejected(difference) = comparison else {
            panic!("accepted");
        };
        assert_eq!((difference.output.token, difference.output.column, difference.output.offset), (2, 7, 6));
        assert_eq!(difference.agreeing_bytes, at as u64 - 6);
        assert_eq!(difference.found.omitted_before, at as u64 - 6 - 128);
        assert_eq!(difference.found.bytes, output[at - 128..at + 128]);
        assert_eq!(difference.expected.bytes, answer[at - 128..at + 128]);
        assert!(difference.found.cut_after);
        let text = difference.describe();
        assert!(text.contains("found [199866 bytes]...`xxx") && text.ends_with("x`..."), "{text}");
    }
}

#[test]
fn the_excerpt_of_a_long_number_surrounds_the_difference() {
    let answer = [&b"1."[..], &b"0".repeat(5000)].concat();
    let output = [&answer[..1000], &b"x"[..], &answer[1001..], &b" 7"[..]].concat();
    let difference = difference("float_tolerance 1", &answer, &output);
    assert_eq!(difference.agreeing_bytes, 1000);
    assert_eq!(difference.found.bytes, output[1000 - 128..1000 + 128]);
    assert_eq!(difference.expected.bytes.len(), 256);
}

#[test]
fn an_excerpt_ends_with_its_token() {
    let difference = difference("", b"abc def", b"abd   ghi");
    assert_eq!((&difference.expected.bytes[..], difference.expected.cut_after), (&b"abc"[..], false));
    assert_eq!((&difference.found.bytes[..], difference.found.cut_after), (&b"abd"[..], false));
    assert_eq!(difference.agreeing_bytes, 2);
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
    assert_eq!(compare(&options(""), &b"a"[..], broken()).unwrap_err().to_string(), "gone");
    assert_eq!(compare(&options(""), broken(), &b"a"[..]).unwrap_err().to_string(), "gone");
}
