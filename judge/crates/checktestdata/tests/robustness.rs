//! Tests of invalid and unusual programs, and of numbers that are written and read back: nothing
//! panics, and everything ends.

use judge_checktestdata::{CheckError, FaultKind, Program};
use proptest::prelude::*;

const PROGRAMS: [&str; 7] = [
    include_str!("cases/arrays.ctd"),
    include_str!("cases/expressions.ctd"),
    include_str!("cases/faults.ctd"),
    include_str!("cases/floats.ctd"),
    include_str!("cases/grid.ctd"),
    include_str!("cases/loops.ctd"),
    include_str!("cases/text.ctd"),
];

fn syntax_error(program: &str) -> String {
    Program::parse(program).expect_err(program).to_string()
}

#[test]
fn syntax_errors_have_a_position_and_a_cause() {
    let table = [
        ("INT(1 2)", "1:7: expected `,`, found `2`"),
        (
            "INT(1, 2",
            "1:9: expected `)`, found the end of the program",
        ),
        (
            "\n  INTEGER(1, 2)",
            "2:3: expected a command, found `INTEGER`",
        ),
        ("SPACE SPACE)", "1:12: expected a command, found `)`"),
        (
            "REP(3)\nSPACE",
            "2:6: expected `END` of the `REP` in line 1, found the end of the program",
        ),
        ("END", "1:1: expected a command, found `END`"),
        (
            "REP(2) ELSE END",
            "1:8: expected `END` of the `REP` in line 1, found `ELSE`",
        ),
        (
            "IF(1 == 1) ELSE ELSE END",
            "1:17: expected `END` of the `IF` in line 1, found `ELSE`",
        ),
        (
            "ASSERT(1)",
            "1:8: expected a test, such as a comparison, found a value",
        ),
        ("ASSERT(1 < 2 < 3)", "1:14: expected `)`, found `<`"),
        ("SET(x = 1 < 2)", "1:11: expected `)`, found `<`"),
        ("SET(x = ISEOF)", "1:9: expected a value, found a test"),
        (
            "SET(1 = x)",
            "1:5: expected the name of a variable, found `1`",
        ),
        (
            "SET(x = 007)",
            "1:9: expected an integer without leading zeros, found `007`",
        ),
        ("STRING(\"a", "1:8: this string has no closing `\"`"),
        (
            "STRING(\"\\777\")",
            "1:9: expected an octal escape up to `\\377`, found `\\777`",
        ),
        ("STRING(1 + 1)", "1:10: expected `)`, found `+`"),
        (
            "FLOAT(0, 1, FIXED)",
            "1:13: expected the name of a variable, found `FIXED`",
        ),
        (
            "FLOAT(0, 1, x, EXACT)",
            "1:16: expected `FIXED` or `SCIENTIFIC`, found `EXACT`",
        ),
        (
            "FLOAT(0, 1e999999, x)",
            "1:10: expected a float with an exponent from -100000 to 100000, found `1e999999`",
        ),
        ("INARRAY(1, x)", "1:1: expected a command, found `INARRAY`"),
        (
            "REP(2, REP(2) END) END",
            "1:8: expected a command, found `REP`",
        ),
        (
            "REP(2, 3) END",
            "1:8: expected a command that separates the passes, such as `SPACE`, found `3`",
        ),
        (
            "SPACE; NEWLINE",
            "1:6: expected a command, a value or a sign, found `;`",
        ),
        (
            "SPACE “",
            "1:7: expected a command, a value or a sign, found `“`",
        ),
        (
            "REGEX(\"(a\")",
            "1:7: the regular expression `(a` cannot be used: a `(` is not closed",
        ),
        (
            "REGEX(\"\\\\d\")",
            "1:7: the regular expression `\\d` cannot be used: `\\d` is not an escape",
        ),
    ];
    for (program, expected) in table {
        let found = syntax_error(program);
        assert!(found.starts_with(expected), "{program}: {found}");
    }
}

#[test]
fn regular_expressions_are_posix_extended_with_the_longest_match() {
    // Pattern, input, matched part of the input.
    let table: [(&str, &str, Option<&str>); 21] = [
        ("a|ab", "abc", Some("ab")),
        ("(a|ab)(c|bcd)", "abcd", Some("abcd")),
        ("a*", "b", Some("")),
        ("a+?", "b", Some("")),
        ("a+", "b", None),
        ("b", "ab", None),
        ("a{2}", "aaa", Some("aa")),
        ("a{2,}", "aaa", Some("aaa")),
        ("a{,2}", "aaa", Some("aa")),
        ("a.c", "a\nc", Some("a\nc")),
        ("[^\n]*", "ab\nc", Some("ab")),
        ("[]a]+", "a]b", Some("a]")),
        ("[a-]+", "a-b", Some("a-")),
        ("[\\\\-\\\\]]+", "-]\\\\", Some("-]")),
        ("[[:alpha:]_]+", "aZ_9", Some("aZ_")),
        ("\\\\.\\\\*", ".*x", Some(".*")),
        ("^ab$", "ab", Some("ab")),
        ("^ab$", "abc", None),
        ("[[]+", "[[a", Some("[[")),
        ("é", "é", Some("é")),
        ("()|a", "a", Some("a")),
    ];
    for (pattern, input, expected) in table {
        let program = Program::parse(&format!(
            "REGEX(\"{pattern}\", x) REGEX(\".*\") INT(STRLEN(x), 0)"
        ))
        .expect(pattern);
        // No input matches this `INT`, so its message contains the number of matched bytes.
        let message = program.check(input.as_bytes()).unwrap_err().to_string();
        match expected {
            Some(text) => assert!(
                message.contains(&format!("in {}..0", text.len())),
                "{pattern}: {message}"
            ),
            None => assert!(message.contains("expected a match"), "{pattern}: {message}"),
        }
    }
    for wrong in [
        "*",
        "a{2,1}",
        "a{",
        "a)",
        "[z-a]",
        "[[.a.]]",
        "[[:digits:]]",
        "[a",
        "a\\\\",
        "a{9999}{9999}",
        "(|*)",
    ] {
        assert!(
            syntax_error(&format!("REGEX(\"{wrong}\")")).contains("cannot be used"),
            "{wrong}"
        );
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    for times in [100, 100_000] {
        for (open, close) in [("(", ")"), ("-", ""), ("x[", "]"), ("2^-", "")] {
            let program = format!("SET(y = {}1{})", open.repeat(times), close.repeat(times));
            assert!(
                syntax_error(&program).contains("nested blocks and brackets"),
                "{open}"
            );
        }
        let nots = format!("ASSERT({}ISEOF)", "!".repeat(times));
        assert!(syntax_error(&nots).contains("nested blocks and brackets"));
        let blocks = format!("{}{}", "REP(1)".repeat(times), "END ".repeat(times));
        assert!(syntax_error(&blocks).contains("nested blocks and brackets"));
    }
    let groups = format!("REGEX(\"{}{}\")", "(".repeat(5_000), ")".repeat(5_000));
    assert!(syntax_error(&groups).contains("nested too deeply"));
    // Long programs are not deeply nested ones.
    let sum = format!("SET(x = 1) ASSERT(x{} == 100001)", " + x".repeat(100_000));
    Program::parse(&sum).unwrap().check(b"").unwrap();
    let nested = format!(
        "{}SPACE{}",
        "IF((((1 == 1))))".repeat(28),
        " END".repeat(28)
    );
    Program::parse(&nested).unwrap().check(b" ").unwrap();
}

#[test]
fn work_is_bounded() {
    let endless = [
        "WHILE(1 == 1) END",
        "WHILE(1 == 1) REGEX(\"a*\") END",
        "REP(10^18) END",
        "SET(i = 0) WHILE(i >= 0) SET(a[i] = i, i = i + 1) END",
        "SET(x = 1.5) WHILE(1 == 1) ASSERT(x != x * x * x * 7.1) END",
        "REP(10^9) REP(10^9) END END",
        "WHILE(1 == 1) SET(a[1] = 1) ASSERT(UNIQUE(a)) END",
    ];
    let steps = 100_000;
    for program in endless {
        let found = Program::parse(program)
            .unwrap()
            .check_within(b"aaa", steps)
            .unwrap_err();
        let CheckError::Faulty(fault) = &found else {
            panic!("{program}: {found}")
        };
        assert_eq!(fault.kind, FaultKind::Steps(steps), "{program}");
    }
    // A number with far more digits than its bounds is not even parsed.
    let digits = "9".repeat(1_000_000);
    let found = Program::parse("INT(0, 10^30)")
        .unwrap()
        .check_within(digits.as_bytes(), steps)
        .unwrap_err();
    assert!(matches!(found, CheckError::Rejected(_)), "{found}");
}

#[test]
fn white_space_is_exact() {
    let program = Program::parse("INT(1, 2) SPACE INT(1, 2) NEWLINE INT(1, 2) NEWLINE").unwrap();
    assert_eq!(program.check(b"1 2\n1\n"), Ok(()));
    for exact in [
        &b" 1 2\n1\n"[..],
        b"1  2\n1\n",
        b"1\t2\n1\n",
        b"1 2 \n1\n",
        b"1 2\n 1\n",
        b"1 2\r\n1\n",
        b"1 2\n1\n ",
        b"1\n2\n1\n",
        b"12\n1\n",
        b"1 2\n\n1\n",
        b"1 2\n1",
    ] {
        assert!(program.check(exact).is_err(), "{exact:?}");
    }
}

#[test]
fn any_bytes_may_be_a_program_or_an_input() {
    let program = Program::parse(&b"STRING(\"\xff\\377\") # \xfe\nINT(0, 1)"[..]).unwrap();
    assert_eq!(program.check(b"\xff\xff1"), Ok(()));
    let message = program.check(b"\xff\xfe1").unwrap_err().to_string();
    assert_eq!(
        message,
        "line 1, column 1: expected `\\xff\\xff`, found `\\xff\\xfe1`"
    );
}

proptest! {
    #[test]
    fn integers_are_accepted_exactly_within_their_bounds(value in any::<i128>(), below in 0_i128..1000, above in -3_i128..1000) {
        let (min, max) = (value.saturating_sub(below), value.saturating_add(above));
        let program = Program::parse(&format!("INT({min}, {max}, x) ASSERT(x == {value} && x + 1 > x)")).unwrap();
        prop_assert_eq!(program.check(value.to_string().as_bytes()).is_ok(), value <= max);
    }

    #[test]
    fn arithmetic_agrees_with_machine_integers(a in any::<i64>(), b in any::<i64>(), small in -9_i64..10) {
        for (a, b) in [(a, b), (a, small), (small, b), (a / 1_000_000_007, small)] {
            let (wide_a, wide_b) = (i128::from(a), i128::from(b));
            let mut tests = vec![
                format!("{a} + {b} == {}", wide_a + wide_b),
                format!("{a} - {b} == {}", wide_a - wide_b),
                format!("{a} * {b} == {}", wide_a * wide_b),
                format!("({a} < {b}) == 1").replace(") == 1", &format!(" || {})", if a < b { "1 == 2" } else { "1 == 1" })),
            ];
            if b != 0 {
                tests.push(format!("{a} / {b} == {} && {a} % {b} == {}", wide_a / wide_b, wide_a % wide_b));
            }
            for test in tests {
                let program = Program::parse(&format!("ASSERT({test})")).unwrap();
                prop_assert_eq!(program.check(b""), Ok(()), "{}", test);
            }
        }
    }

    #[test]
    fn decimals_are_equal_in_every_notation(whole in 0_u64..1_000_000, decimals in "[0-9]{1,30}", shift in 0_usize..30) {
        let plain = format!("{whole}.{decimals}");
        let shifted = format!("{whole}{decimals}{}.0e-{}", "0".repeat(shift), decimals.len() + shift);
        let program = Program::parse(&format!("FLOAT({shifted}, {shifted}, x) ASSERT(x == {plain})")).unwrap();
        prop_assert_eq!(program.check(plain.as_bytes()), Ok(()));
        let more = format!("{plain}1");
        prop_assert!(program.check(more.as_bytes()).is_err());
    }

    #[test]
    fn mutated_programs_are_read_and_run_without_panic(
        which in 0..PROGRAMS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..4, "[A-Za-z0-9\"\\\\()\\[\\],.!<>=&|^*/%+# \n-]{0,6}"), 1..6),
        input in "[0-9a-z .#\n-]{0,60}",
    ) {
        let mut program = PROGRAMS[which].as_bytes().to_vec();
        for (at, removed, added) in edits {
            let at = at.index(program.len() + 1);
            let end = (at + removed).min(program.len());
            program.splice(at..end, added.bytes());
        }
        if let Ok(program) = Program::parse(&program) {
            let first = program.check_within(input.as_bytes(), 20_000);
            prop_assert_eq!(program.check_within(input.as_bytes(), 20_000), first);
        }
    }
}
