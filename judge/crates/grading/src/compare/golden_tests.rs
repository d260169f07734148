//! The default output validator, case by case. Each table names the clause of the package format
//! that it tests (2025-09, "Default output validator specification", unless another section is
//! named).

use super::testing::{Pieces, compare_whole, options};
use super::{Comparison, compare};

const AC: bool = true;
const WA: bool = false;

/// Arguments, answer, output, whether it is accepted.
type Case = (&'static str, &'static [u8], &'static [u8], bool);

fn assert_clause(clause: &str, cases: &[Case]) {
    for &(args, answer, output, accepted) in cases {
        let description = || {
            format!(
                "{clause}: `{args}` `{}` `{}`",
                answer.escape_ascii(),
                output.escape_ascii()
            )
        };
        let options = options(args);
        let whole = compare_whole(&options, answer, output);
        assert_eq!(
            whole.is_accepted(),
            accepted,
            "{}: {whole:?}",
            description()
        );
        for lengths in [&[1], &[2], &[3]] {
            let pieces = compare(
                &options,
                Pieces::new(answer, lengths),
                Pieces::new(output, &[1]),
            )
            .unwrap();
            assert_eq!(pieces, whole, "in pieces of {lengths:?}: {}", description());
        }
        assert_eq!(
            compare_whole(&options, answer, answer),
            Comparison::Accepted,
            "answer with itself: {}",
            description()
        );
    }
}

#[test]
fn tokens_are_split_at_whitespace() {
    assert_clause(
        "Output parsing: splitting on sequences of one or more whitespaces; whitespace is ignored",
        &[
            ("", b"", b"", AC),
            ("", b"", b" ", AC),
            ("", b"\n", b"", AC),
            ("", b"", b" \x0c\n\r\t\x0b", AC),
            ("", b"a b", b"a  b", AC),
            ("", b"a b", b"a\nb", AC),
            ("", b"a b\n", b"a\r\nb\r\n", AC),
            ("", b"a b", b"a\tb", AC),
            ("", b"a b", b"a\x0bb", AC),
            ("", b"a b", b"a\x0cb", AC),
            ("", b"a\n", b"a", AC),
            ("", b"a", b"a\n\n\n", AC),
            ("", b"a", b"\n \ta", AC),
            ("", b" a", b"a", AC),
            ("", b"ab", b"a b", WA),
            ("", b"a b", b"ab", WA),
            ("", b"a b", b"b a", WA),
            ("", b"a b c", b"a bc", WA),
        ],
    );
    assert_clause(
        "Output parsing: the six whitespace characters, and no other",
        &[
            ("", b"a b", b"a\0b", WA),
            ("", b"a b", b"a\x08b", WA),
            ("", b"a b", b"a\x0eb", WA),
            ("", b"a b", b"a\x1cb", WA),
            ("", b"a b", b"a\x1fb", WA),
            ("", b"a b", b"a\x85b", WA),
            ("", b"a b", b"a\xa0b", WA),
            ("", b"a b", "a\u{a0}b".as_bytes(), WA),
            ("", b"a b", "a\u{2003}b".as_bytes(), WA),
            ("", b"a", "a\u{feff}".as_bytes(), WA),
            ("", b"a", b"\xef\xbb\xbfa", WA),
        ],
    );
    assert_clause(
        "Output parsing: single-byte characters; NUL does not end a token",
        &[
            ("", b"abc", b"abc\0junk", WA),
            ("", b"abc\0junk", b"abc", WA),
            ("", b"abc\0x", b"abc\0y", WA),
            ("", b"abc\0x", b"abc\0x", AC),
            ("", b"", b"\0", WA),
            ("float_tolerance 1", b"1", b"1\0", WA),
            ("float_tolerance 1", b"1\0", b"1", WA),
            ("float_tolerance 1", b"1", b"2\0junk", WA),
            ("", b"\xff\xfe", b"\xff\xfe", AC),
            ("", b"\xff\xfe", b"\xff\xfd", WA),
        ],
    );
    assert_clause(
        "Output parsing: the number of tokens must agree",
        &[
            ("", b"", b"a", WA),
            ("", b"a", b"", WA),
            ("", b"a", b"   \n", WA),
            ("", b"a b", b"a", WA),
            ("", b"a b", b"a\n", WA),
            ("", b"a", b"a b", WA),
            ("", b"a\n", b"a\n\n\n\nb", WA),
            ("", b"a a", b"a a a", WA),
            ("float_tolerance 1", b"1 2", b"1", WA),
            ("float_tolerance 1", b"1", b"1 2", WA),
            ("float_tolerance 1", b"1 ", b"1.5 ", AC),
        ],
    );
}

#[test]
fn strings_are_compared_up_to_the_case_of_ascii_letters() {
    assert_clause(
        "Comparing string tokens: A-Z are equivalent to their lowercase counterparts",
        &[
            ("", b"Yes", b"yES", AC),
            ("", b"yes", b"YES", AC),
            ("", b"az", b"AZ", AC),
            ("", b"Yes no", b"yes NO", AC),
            ("", b"@", b"`", WA),
            ("", b"[", b"{", WA),
            ("", b"^", b"~", WA),
            ("", b"0", b"\x10", WA),
            ("", "\u{e9}".as_bytes(), "\u{c9}".as_bytes(), WA),
            ("", b"\xe9", b"\xc9", WA),
            ("", b"K", "\u{212a}".as_bytes(), WA),
            ("", b"yes", b"yess", WA),
            ("", b"yess", b"yes", WA),
            ("", b"Yes", b"yeS x", WA),
            ("", b"1", b"1.0", WA),
            ("", b"1", b"+1", WA),
            ("", b"1", b"01", WA),
        ],
    );
    assert_clause(
        "Comparing string tokens: with `case_sensitive`, identical byte for byte",
        &[
            ("case_sensitive", b"Yes", b"Yes", AC),
            ("case_sensitive", b"Yes", b"yes", WA),
            ("case_sensitive", b"yes", b"yeS", WA),
            ("case_sensitive", b"a  b", b"a b\n", AC),
            ("case_sensitive float_tolerance 1", b"Yes 1", b"Yes 2", AC),
            ("case_sensitive float_tolerance 1", b"Yes 1", b"yes 1", WA),
            ("case_sensitive float_tolerance 0", b"1e1", b"1E1", AC),
            ("case_sensitive float_tolerance 1", b"nan", b"NaN", WA),
        ],
    );
}

#[test]
fn whitespace_counts_if_requested() {
    const SPACE: &str = "space_change_sensitive";
    assert_clause(
        "Whitespace sensitivity: sequences must agree in type and amount, leading and trailing ones too",
        &[
            (SPACE, b"a b\n", b"a b\n", AC),
            (SPACE, b"a b\n", b"a  b\n", WA),
            (SPACE, b"a  b\n", b"a b\n", WA),
            (SPACE, b"a b\n", b"a\tb\n", WA),
            (SPACE, b"a b\n", b"a\nb\n", WA),
            (SPACE, b"a b\n", b"a b", WA),
            (SPACE, b"a b", b"a b\n", WA),
            (SPACE, b"a b\n", b"a b\n\n", WA),
            (SPACE, b"a b\n", b"a b \n", WA),
            (SPACE, b"a b\n", b"a b\r\n", WA),
            (SPACE, b"a b\n", b" a b\n", WA),
            (SPACE, b" a b\n", b"a b\n", WA),
            (SPACE, b"", b"\n", WA),
            (SPACE, b"\n", b"", WA),
            (SPACE, b"\n", b" ", WA),
            (SPACE, b"", b"", AC),
            (SPACE, b"a", b"a\n\nb", WA),
            (SPACE, b"a\n\nb", b"a", WA),
            (SPACE, b"Yes\n", b"yes\n", AC),
            (
                "space_change_sensitive case_sensitive",
                b"Yes\n",
                b"yes\n",
                WA,
            ),
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1 2\n",
                b"1.05 2.0\n",
                AC,
            ),
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1 2\n",
                b"1.05  2.0\n",
                WA,
            ),
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1 2\n",
                b"1.05 2.0",
                WA,
            ),
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1.00 2\n",
                b"1 2\n",
                AC,
            ),
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1.00 2\n",
                b"1  2\n",
                WA,
            ),
            // Whitespace directly after equal numbers.
            (
                "space_change_sensitive float_tolerance 0.1",
                b"1 2\n",
                b"1\n2\n",
                WA,
            ),
        ],
    );
}

#[test]
fn floats_follow_the_grammar() {
    const TOL: &str = "float_tolerance 1e-6";
    assert_clause(
        "General requirements: every form of the grammar is a number",
        &[
            (TOL, b"1", b"1.0", AC),
            (TOL, b"1", b"1.", AC),
            (TOL, b"0.5", b".5", AC),
            (TOL, b"1", b"+1", AC),
            (TOL, b"1", b"+1.e0", AC),
            (TOL, b"1", b"1e0", AC),
            (TOL, b"1", b"1E+0", AC),
            (TOL, b"1", b"10e-1", AC),
            (TOL, b"1", b"0.1e00001", AC),
            (TOL, b"1", b"0001", AC),
            (TOL, b"-1", b"-.1e1", AC),
            (TOL, b"0", b"-0.0", AC),
            (TOL, b"0", b"-0e999999999999999999999", AC),
            (TOL, b"100000", b"1e5", AC),
            (TOL, b"1e5", b"100000.00000", AC),
        ],
    );
    assert_clause(
        "General requirements: nothing else is; comparing floating-point tokens: such output is rejected",
        &[
            (TOL, b"1", b"1e", WA),
            (TOL, b"1", b"1e+", WA),
            (TOL, b"1", b"1.e", WA),
            (TOL, b"0", b".", WA),
            (TOL, b"0", b"+.", WA),
            (TOL, b"0", b".e1", WA),
            (TOL, b"0", b"e1", WA),
            (TOL, b"0", b"-", WA),
            (TOL, b"1", b"--1", WA),
            (TOL, b"1", b"+-1", WA),
            (TOL, b"1", b"0x1", WA),
            (TOL, b"1", b"0x1p0", WA),
            (TOL, b"1", b"1f", WA),
            (TOL, b"10", b"1_0", WA),
            (TOL, b"1.5", b"1,5", WA),
            (TOL, b"10", b"1d1", WA),
            (TOL, b"1", b"1.0.0", WA),
            (TOL, b"1", b"1e0.0", WA),
            (TOL, b"1", b"1e0e0", WA),
            (TOL, b"1", b"one", WA),
            (TOL, b"1", b"nan", WA),
            (TOL, b"1", b"inf", WA),
            (TOL, b"1", "\u{661}".as_bytes(), WA),
            (TOL, b"1", "\u{2212}1".as_bytes(), WA),
        ],
    );
    assert_clause(
        "Comparing floating-point tokens: an answer that is not a number is compared as a string",
        &[
            (TOL, b"nan", b"nan", AC),
            (TOL, b"nan", b"NaN", AC),
            (TOL, b"nan", b"-nan", WA),
            (TOL, b"inf", b"INF", AC),
            (TOL, b"inf", b"infinity", WA),
            (TOL, b"inf", b"1e999", WA),
            (TOL, b"1e", b"1E", AC),
            (TOL, b"1e", b"1", WA),
            (TOL, b"0x1", b"0X1", AC),
            (TOL, b"0x1", b"1", WA),
            (TOL, b"a1", b"a1.0", WA),
            (TOL, b"1a", b"1.0a", WA),
        ],
    );
}

#[test]
fn tolerances_are_inclusive() {
    const ABS: &str = "float_absolute_tolerance 0.5";
    const REL: &str = "float_relative_tolerance 0.5";
    assert_clause(
        "Comparing floating-point tokens: |s-a| <= absolute tolerance",
        &[
            (ABS, b"1", b"1.5", AC),
            (ABS, b"1", b"0.5", AC),
            (ABS, b"1", b"1.5000001", WA),
            (ABS, b"1", b"0.4999999", WA),
            (ABS, b"0", b"-0.5", AC),
            (ABS, b"100", b"101", WA),
            (ABS, b"-1", b"1", WA),
            ("float_absolute_tolerance 1e-6", b"1.0", b"1.000001", AC),
            ("float_absolute_tolerance 0", b"1", b"1.0", AC),
            ("float_absolute_tolerance 0", b"1", b"1.0000001", WA),
        ],
    );
    assert_clause(
        "Comparing floating-point tokens: |s-a| <= relative tolerance times |a|, a being the answer",
        &[
            (REL, b"2", b"3", AC),
            (REL, b"2", b"1", AC),
            (REL, b"3", b"2", AC),
            (REL, b"2", b"3.0001", WA),
            (REL, b"2", b"0.9999", WA),
            (REL, b"-2", b"-3", AC),
            (REL, b"-2", b"-3.1", WA),
            (REL, b"-2", b"2", WA),
            // Relative to the output, 1.5 would be off by 1/3 only.
            ("float_relative_tolerance 0.4", b"1", b"1.5", WA),
            (REL, b"0", b"0.0", AC),
            (REL, b"0", b"-0", AC),
            (REL, b"0", b"1e-300", WA),
            (REL, b"0", b"1e-999", WA),
            (REL, b"1000000", b"1500000", AC),
        ],
    );
    assert_clause(
        "Comparing floating-point tokens: within either of the two tolerances",
        &[
            ("float_tolerance 0.5", b"0", b"0.5", AC),
            ("float_tolerance 0.5", b"100", b"150", AC),
            ("float_tolerance 0.5", b"0.1", b"0.6", AC),
            ("float_tolerance 0.5", b"100", b"151", WA),
            (
                "float_relative_tolerance 0.1 float_absolute_tolerance 5",
                b"100",
                b"109",
                AC,
            ),
            (
                "float_relative_tolerance 0.1 float_absolute_tolerance 5",
                b"10",
                b"14",
                AC,
            ),
            (
                "float_relative_tolerance 0.1 float_absolute_tolerance 5",
                b"10",
                b"16",
                WA,
            ),
        ],
    );
    assert_clause(
        "Comparing floating-point tokens: integers are numbers with a tolerance, and strings without one",
        &[
            ("float_tolerance 1e-3", b"100000", b"100001", AC),
            ("float_tolerance 0", b"10", b"1e1", AC),
            ("", b"10", b"1e1", WA),
            ("", b"0", b"-0", WA),
        ],
    );
}

#[test]
fn long_and_extreme_numbers_are_compared_by_value() {
    const REL: &str = "float_relative_tolerance 1e-6";
    assert_clause(
        "General requirements: at least 30 digits on either side of the point",
        &[
            (
                REL,
                b"123456789012345678901234567890.123456789012345678901234567890",
                b"1.2345678901234567890e29",
                AC,
            ),
            (
                REL,
                b"123456789012345678901234567890",
                b"123457789012345678901234567890",
                WA,
            ),
            (REL, b"0.000000000000000000000000000001", b"1e-30", AC),
            (REL, b"0.000000000000000000000000000001", b"1.1e-30", WA),
        ],
    );
    assert_clause(
        "General requirements: numbers out of the range of binary64 are still numbers",
        &[
            (REL, b"1e400", b"10e399", AC),
            (REL, b"1e400", b"1.0000001e400", AC),
            (REL, b"1e400", b"1.00001e400", WA),
            (REL, b"1e400", b"-1e400", WA),
            (REL, b"1e400", b"1e401", WA),
            (REL, b"1e400", b"0", WA),
            (REL, b"1e-400", b"10e-401", AC),
            (REL, b"1e-400", b"2e-400", WA),
            (REL, b"1e-400", b"0", WA),
            (REL, b"1e-310", b"1.1e-310", WA),
            (REL, b"1e308", b"-1e308", WA),
            (
                REL,
                b"1e99999999999999999999",
                b"2e99999999999999999999",
                WA,
            ),
            ("float_absolute_tolerance 1e-6", b"1e-400", b"2e-400", AC),
            ("float_absolute_tolerance 1e-6", b"0", b"1e-400", AC),
            ("float_absolute_tolerance 1e300", b"1e309", b"1.1e309", WA),
            ("float_absolute_tolerance 1e308", b"1e309", b"1.1e309", AC),
            ("float_absolute_tolerance 1e308", b"1e308", b"-1e308", WA),
        ],
    );
}
