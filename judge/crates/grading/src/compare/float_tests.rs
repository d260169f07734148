//! Reading numbers: grammar, value, and length.

use proptest::prelude::*;

use super::*;

fn value(token: &[u8]) -> Option<f64> {
    let mut reader = NumberReader::default();
    reader.read(token);
    reader.number().map(|number| number.value())
}

#[test]
fn reads_numbers_like_the_standard_library() {
    for text in [
        "0",
        "-0",
        "1",
        "+1.5",
        ".5",
        "5.",
        "1e3",
        "1.E-3",
        "-12.5e+01",
        "1e308",
        "1.7976931348623157e308",
    ] {
        assert_eq!(value(text.as_bytes()), text.parse().ok(), "{text}");
    }
    // A very late digit decides about the nearest binary64: the value is slightly above the middle
    // between 1 and its neighbour.
    let half_way = "1.00000000000000011102230246251565404236316680908203125";
    assert_eq!(value(half_way.as_bytes()), Some(1.0));
    let above = format!("{half_way}{}1", "0".repeat(10_000));
    assert_eq!(value(above.as_bytes()), Some(1.0 + f64::EPSILON));
}

#[test]
fn rejects_tokens_outside_of_the_grammar() {
    for text in [
        "", "+", ".", "-.", "e", ".e1", "1e", "1e-", "1.5.", "1e1.0", "inf", "nan", "0x1", "1 ",
        " 1", "1\0",
    ] {
        assert_eq!(value(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn length_and_magnitude_are_unbounded() {
    let zeros = "0".repeat(100_000);
    assert_eq!(value(format!("1{zeros}e-100000").as_bytes()), Some(1.0));
    assert_eq!(value(format!("0.{zeros}1e100001").as_bytes()), Some(1.0));
    assert_eq!(value(format!("{zeros}7").as_bytes()), Some(7.0));
    assert_eq!(
        value(format!("1e{}", "9".repeat(1000)).as_bytes()),
        Some(f64::INFINITY)
    );
    assert_eq!(
        value(format!("-1e-{}", "9".repeat(1000)).as_bytes()),
        Some(0.0)
    );
    assert_eq!(
        value(format!("0e{}", "9".repeat(1000)).as_bytes()),
        Some(0.0)
    );
    let mut reader = NumberReader::default();
    reader.read(&b"3".repeat(1 << 20));
    assert!(
        reader.digits.capacity() <= 2 * KEPT_DIGITS,
        "memory does not grow with the token"
    );
}

#[test]
fn a_reader_can_be_used_again() {
    let mut reader = NumberReader::default();
    for (token, expected) in [
        (&b"-1e-5"[..], Some(-1e-5)),
        (b"x", None),
        (b"", None),
        (b"20", Some(20.0)),
    ] {
        reader.restart();
        reader.read(token);
        assert_eq!(reader.number().map(|number| number.value()), expected);
    }
}

#[test]
fn plain_values_are_numbers_of_normal_magnitude() {
    assert_eq!(plain_value(b"-1.5e3"), Some(-1500.0));
    assert_eq!(plain_value(b"+.5"), Some(0.5));
    for text in [
        "inf",
        "+inf",
        "-infinity",
        "nan",
        "NaN",
        "",
        "-",
        "+-1",
        "0",
        "0.0",
        "1e999",
        "1e-310",
        "1e",
        "\u{661}",
    ] {
        assert_eq!(plain_value(text.as_bytes()), None, "{text}");
    }
}

proptest! {
    #[test]
    fn agrees_with_the_standard_library(text in "[+-]?([0-9]{0,40}\\.[0-9]{1,40}|[0-9]{1,25}\\.?)([eE][+-]?[0-9]{1,3})?") {
        let read = value(text.as_bytes());
        prop_assert_eq!(read, text.parse().ok());
        if let Some(plain) = plain_value(text.as_bytes()) {
            prop_assert_eq!(read, Some(plain));
        }
    }

    #[test]
    fn scaling_does_not_change_the_result(answer in 1..1000_i32, output in 1..1000_i32, tolerance in 0..200_i32, power in 500..100_000_i64) {
        let options = CompareOptions { float_relative: Some(f64::from(tolerance) / 128.0), ..CompareOptions::default() };
        let number = |text: String| {
            let mut reader = NumberReader::default();
            reader.read(text.as_bytes());
            reader
        };
        // Not at the bound itself, where rounding may go either way.
        prop_assume!((answer - output).abs() * 128 != tolerance * answer);
        let expected = (answer - output).abs() * 128 < tolerance * answer;
        for power in [0, power, -power] {
            let (answer, output) = (number(format!("{answer}e{power}")), number(format!("{output}e{power}")));
            let close = are_close(answer.number().unwrap(), output.number().unwrap(), &options);
            prop_assert_eq!(close, expected, "times ten to the power of {}", power);
        }
    }
}
