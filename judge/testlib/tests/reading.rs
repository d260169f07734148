//! Tests of reading: values, the places of faults, and their messages.
//!
//! Responsible for strict and loose reading. Must not end the process: readers of texts panic.

use std::panic::catch_unwind;

use testlib::{Chars, Reader};

/// The message of the fault that reading a text causes.
fn fault<T>(text: &str, read: impl Fn(&mut Reader) -> T) -> String {
    let read = std::panic::AssertUnwindSafe(|| read(&mut Reader::of_text(text)));
    let panic = catch_unwind(read)
        .map(|_| ())
        .expect_err(&format!("{text:?} is taken"));
    panic
        .downcast_ref::<String>()
        .expect("a fault is reported in words")
        .clone()
}

fn int(reader: &mut Reader) {
    reader.int("n", 1..=100_u8);
    reader.newline();
    reader.end_of_file();
}

#[test]
fn only_canonical_integers_are_accepted() {
    for (text, value) in [("1\n", 1), ("100\n", 100), ("42\n", 42)] {
        let mut reader = Reader::of_text(text);
        assert_eq!(reader.int("n", 1..=100), value);
        reader.newline();
        reader.end_of_file();
    }
    for (text, message) in [
        (
            "0\n",
            "line 1, column 1: expected an integer `n` from 1 to 100, found `0`",
        ),
        (
            "101\n",
            "line 1, column 1: expected an integer `n` from 1 to 100, found `101`",
        ),
        (
            "-5\n",
            "line 1, column 1: expected an integer `n` from 1 to 100, found `-5`",
        ),
        (
            &format!("{}\n", "9".repeat(50)),
            &format!("found `{}…`", "9".repeat(40)),
        ),
        (
            "007\n",
            "expected an integer `n` from 1 to 100, found `007`: it has leading zeros",
        ),
        ("-0\n", "found `-0`: zero has no sign"),
        ("-\n", "expected an integer `n` from 1 to 100, found `-`"),
        ("+5\n", "expected an integer `n` from 1 to 100, found `+`"),
        (
            "\n",
            "expected an integer `n` from 1 to 100, found the end of the line",
        ),
        (
            " 5\n",
            "line 1, column 1: expected an integer `n` from 1 to 100, found a space",
        ),
        (
            "5 \n",
            "line 1, column 2: expected the end of the line, found a space",
        ),
        (
            "5\r\n",
            "line 1, column 2: expected the end of the line, found a carriage return",
        ),
        (
            "5",
            "line 1, column 2: expected the end of the line, found the end of the file",
        ),
        (
            "5\n\n",
            "line 2, column 1: expected the end of the file, found the end of the line",
        ),
        ("5\n\x01", "found the byte 0x01"),
        (
            "",
            "line 1, column 1: expected an integer `n` from 1 to 100, found the end of the file",
        ),
    ] {
        let output = fault(text, int);
        assert!(output.contains(message), "{text:?}: {output}");
    }
}

#[test]
fn integers_of_all_types_include_the_bounds() {
    let mut reader = Reader::of_text("-9223372036854775808 18446744073709551615 -128 0");
    assert_eq!(reader.int("", i64::MIN..=i64::MAX), i64::MIN);
    reader.space();
    assert_eq!(reader.int("", u64::MIN..=u64::MAX), u64::MAX);
    reader.space();
    assert_eq!(reader.int("", i8::MIN..=i8::MAX), i8::MIN);
    reader.space();
    assert_eq!(reader.int("", 0..=0_usize), 0);
    assert_eq!(reader.bounds(), "", "without a name there are no bounds");
}

#[test]
fn signs_end_numbers_in_strict_mode() {
    let mut reader = Reader::of_text("3-4--5");
    assert_eq!(reader.int("a", 0..=9_i32), 3);
    reader.literal("-");
    assert_eq!(reader.int("a", 0..=9_i32), 4);
    reader.literal("-");
    assert_eq!(reader.int("a", -9..=9_i32), -5);
}

#[test]
fn lists_are_separated_by_single_spaces() {
    let list = |reader: &mut Reader| reader.ints("a", 3, 0..=9_u8);
    assert_eq!(Reader::of_text("1 2 3").ints("a", 3, 0..=9_u8), [1, 2, 3]);
    assert_eq!(
        fault("1  2 3", list),
        "line 1, column 3: expected an integer `a` from 0 to 9, found a space"
    );
    assert_eq!(
        fault("1 2", list),
        "line 1, column 4: expected a space, found the end of the file"
    );
    assert_eq!(
        fault("1\t2 3", list),
        "line 1, column 2: expected a space, found a tab"
    );
}

#[test]
fn only_canonical_decimals_are_accepted() {
    let read = |text: &str| Reader::of_text(text).decimal("x", -10.0..=10.0, 0..=3);
    for (text, value) in [
        ("0", 0.0),
        ("-1.5", -1.5),
        ("10.000", 10.0),
        ("0.125", 0.125),
    ] {
        assert!((read(text) - value).abs() < 1e-12, "{text}");
    }
    for text in [
        "1.", ".5", "+1", "1e0", "01", "-0", "-0.00", "1.0000", "10.001", "nan", "inf", "1,5",
        "--1", "", "0x1",
    ] {
        let output = fault(text, |reader| reader.decimal("x", -10.0..=10.0, 0..=3));
        assert!(
            output.starts_with("line 1, column 1: expected ") && output.contains("`x`"),
            "{text}: {output}"
        );
    }
}

#[test]
fn floats_in_all_forms_of_the_package_format_are_accepted() {
    let read = |text: &str| Reader::of_text(text).float("x", -1e300..=1e300);
    for (text, value) in [
        ("1", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+1e2", 100.0),
        ("-2E-1", -0.2),
        ("1e-9999", 0.0),
    ] {
        assert!((read(text) - value).abs() < 1e-12, "{text}");
    }
    for text in [
        "nan", "inf", "-inf", "infinity", "1e", "e5", ".", "+", "--1", "1e400", "0x10", "1_0",
    ] {
        let output = fault(text, |reader| reader.float("x", -1e300..=1e300));
        assert!(
            output.contains("a number `x` from -1e300 to 1e300"),
            "{text}: {output}"
        );
    }
}

#[test]
fn words_and_lines_are_read() {
    let name = Chars::LOWER | Chars::new("_");
    assert_eq!(Reader::of_text("ab_c d").token("s", name, 1..=4), "ab_c");
    for (text, message) in [
        ("abcde", "found `e` after 4 of them"),
        (" ab", "found a space after 0 of them"),
        ("", "found the end of the file after 0 of them"),
    ] {
        let output = fault(text, |reader| {
            reader.token("s", name, 1..=4);
            reader.end_of_file();
        });
        assert!(output.contains(message), "{text:?}: {output}");
    }
    let output = fault("C", |reader| {
        reader.token("s", Chars::range('a'..='c'), 1..=4)
    });
    assert_eq!(
        output,
        "line 1, column 1: expected a word `s` of 1 to 4 characters from `abc`, found `C` after 0 of them"
    );
    let mut reader = Reader::of_text("a b\nc");
    assert_eq!(reader.line("s", Chars::PRINTABLE, 0..=3), "a b");
    reader.newline();
    assert!(
        fault("a\tb\n", |reader| reader.line("s", Chars::PRINTABLE, 0..=3)).contains("column 2")
    );
    assert!(
        fault("abcd\n", |reader| reader.line("s", Chars::PRINTABLE, 0..=3)).contains("found `d`")
    );
    assert_eq!(Reader::of_text("yes").choice("", &["no", "yes"]), "yes");
    assert_eq!(
        fault("yesno", |reader| reader.choice("", &["no", "yes"])),
        "line 1, column 1: expected a word among `no`, `yes`, found `yesn`"
    );
}

#[test]
fn loose_readers_skip_white_space_and_take_entire_tokens() {
    let mut reader = Reader::of_text("\n 3 \r\n\t1\n2 3.5 ok\n\n");
    reader.loose();
    let n: usize = reader.int("n", 1..=9);
    reader.newline();
    assert_eq!((n, reader.ints("a", 2, 0..=9)), (3, vec![1, 2]));
    assert!((reader.float("x", 0.0..=9.0) - 3.5).abs() < 1e-12);
    assert_eq!(reader.token("s", Chars::LOWER, 1..=2), "ok");
    reader.end_of_file();

    let loose = |text: &str| {
        fault(text, |reader| {
            reader.loose();
            reader.int("n", 0..=99_i32);
            reader.end_of_file();
        })
    };
    assert!(loose("12x").contains("found `12x`"));
    assert!(loose("12 \n x").contains("line 2, column 2: expected the end of the file, found `x`"));
}

#[test]
fn reached_bounds_are_recorded() {
    let mut reader = Reader::of_text("2 1 5\n0.5 abc");
    let n: i64 = reader.int("n", 1..=2);
    reader.space();
    assert_eq!(reader.ints("a b", 2, 1..=n + 3), [1, 5]);
    reader.newline();
    reader.decimal("x", 0.0..=1.0, 1..=1);
    reader.space();
    reader.token("s", Chars::LOWER, 1..=3);
    let bounds = reader.bounds();
    let lines: Vec<&str> = bounds
        .lines()
        .map(|line| line.split_once(' ').expect("a place stands before").1)
        .collect();
    assert_eq!(
        lines,
        [
            "n 0 1 2 2 1 2",
            "a_b 1 1 1 5 1 5",
            "x 0 0 0.5 0.5 0 1",
            "|s| 0 1 3 3 1 3"
        ]
    );
    assert!(bounds.starts_with("reading.rs:"), "{bounds}");
}

#[test]
fn violated_requirements_are_reported() {
    assert_eq!(
        fault("7", |reader| {
            let n: i32 = reader.int("n", 0..=9);
            reader.require(n % 2 == 0, "n is odd");
        }),
        "line 1, column 2: n is odd"
    );
}
