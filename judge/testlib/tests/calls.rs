//! Tests of arguments and tolerances.
//!
//! Responsible for the messages of wrong calls. Must not call any program.

use std::panic::{catch_unwind, AssertUnwindSafe};

use testlib::generate::TreeShape;
use testlib::{Args, Tolerance};

fn fault<T>(words: &[&str], ask: impl Fn(&mut Args) -> T) -> String {
    let request = AssertUnwindSafe(|| {
        let mut args = Args::for_test(words.iter().copied());
        ask(&mut args);
        args.finish();
    });
    let panic = catch_unwind(request).expect_err(&format!("{words:?} are taken"));
    panic
        .downcast_ref::<String>()
        .expect("a fault is reported in words")
        .clone()
}

#[test]
fn options_are_taken_in_any_order_and_form() {
    let mut args = Args::for_test([
        "-n", "2e5", "path", "--low=-7", "--quick", "--kind", "broom", "-3", "99",
    ]);
    assert_eq!(args.int("low", -10..=0), -7);
    assert_eq!(args.int("n", 1..=200_000), 200_000);
    assert_eq!(args.parse::<TreeShape>("kind"), TreeShape::Broom);
    assert!(args.flag("quick") && !args.flag("quick"));
    assert_eq!(args.text_or("name", "none"), "none");
    assert_eq!(args.random().bits(), testlib::Random::new(99).bits());
    assert_eq!(args.word("the first word"), "path");
    assert_eq!(args.int_word("a number", -5..=5), -3);
    args.finish();
}

#[test]
fn wrong_calls_are_reported() {
    let n = |args: &mut Args| args.int("n", 1..=10_i32);
    for (words, message) in [
        (
            &["--n", "11"][..],
            "option `--n`: expected an integer from 1 to 10, found `11`",
        ),
        (
            &["--n", "x"],
            "option `--n`: expected an integer from 1 to 10, found `x`",
        ),
        (&["--n", "1e99"], "found `1e99`"),
        (&["--n"], "expected a value after `--n`"),
        (&[], "expected the option `--n`"),
        (&["--n", "1", "--m", "2"], "unknown option `--m`"),
        (
            &["--n", "1", "--n", "2"],
            "unknown option `--n`, or it is given twice",
        ),
        (&["--n", "1", "extra"], "unknown argument `extra`"),
    ] {
        let output = fault(words, n);
        assert!(output.contains(message), "{words:?}: {output}");
    }
    assert!(
        fault(&["x"], Args::random).contains("expected a seed (an integer) as the last argument")
    );
    let kind = fault(&["--kind", "oak"], |args| args.parse::<TreeShape>("kind"));
    assert!(
        kind.contains("`caterpillar`") && kind.contains("found `oak`"),
        "{kind}"
    );
    assert!(fault(&["--k", "c"], |args| args.choice("k", &["a", "b"]))
        .contains("expected one of `a`, `b`"));
}

#[test]
fn one_satisfied_tolerance_is_enough() {
    let both = Tolerance::both(1e-6);
    assert!(both.accepts(0.0, 1e-6) && !both.accepts(0.0, 1.1e-6));
    assert!(both.accepts(1e6, 1e6 + 1.0) && !both.accepts(1e6, 1e6 + 1.1));
    assert!(
        !Tolerance::relative(1e-6).accepts(0.0, 1e-9)
            && Tolerance::relative(1e-6).accepts(0.0, 0.0)
    );
    assert!(!both.accepts(1.0, f64::INFINITY) && !both.accepts(f64::NAN, f64::NAN));
    assert!(!Tolerance::default().accepts(1.0, 1.1) && Tolerance::default().accepts(1.0, 1.0));
}
