//! Tests of changed answers.

use super::super::permutations::are_permutations;
use super::*;

const SETTING: Setting<'_> = Setting {
    output_bytes: 64,
    other_answer: Some(b"No\n"),
    word: None,
    has_permutations: true,
};

fn changed(name: &str, answer: &str) -> Option<Vec<u8>> {
    let change = CHANGES
        .iter()
        .find(|change| change.name == name)
        .unwrap_or_else(|| panic!("{name}"));
    change.apply(answer.as_bytes(), &SETTING)
}

#[test]
fn changes_are_made_in_the_expected_place() {
    let answer = "Yes 3\n-1 42\n";
    let expected: [(&str, &[u8]); 18] = [
        ("no newline at the end", b"Yes 3\n-1 42"),
        ("an empty line at the end", b"Yes 3\n-1 42\n\n"),
        ("a space at the end of a line", b"Yes 3 \n-1 42\n"),
        ("other letter case", b"yES 3\n-1 42\n"),
        ("text after it", b"Yes 3\n-1 42\nhello world\n"),
        ("a letter after its last number", b"Yes 3\n-1 42x\n"),
        (
            "a byte that is not UTF-8 after its last number",
            b"Yes 3\n-1 42\xff\n",
        ),
        ("the answer of another test case in its place", b"No\n"),
        ("`nan` in place of its first number", b"Yes nan\n-1 42\n"),
        ("`inf` in place of its first number", b"Yes inf\n-1 42\n"),
        (
            "superscript digits in its first number",
            b"Yes \xc2\xb3\n-1 42\n",
        ),
        ("2^32 added to its first number", b"Yes 4294967299\n-1 42\n"),
        (
            "2^64 added to its first number",
            b"Yes 18446744073709551619\n-1 42\n",
        ),
        ("its last token missing", b"Yes 3\n-1\n"),
        ("its second half missing", b"Yes 3\n"),
        ("two lines swapped", b"-1 42\nYes 3\n"),
        ("text before it", b"hello world\nYes 3\n-1 42\n"),
        (
            "carriage returns at the ends of lines",
            b"Yes 3\r\n-1 42\r\n",
        ),
    ];
    for (name, expected) in expected {
        assert_eq!(changed(name, answer).as_deref(), Some(expected), "{name}");
    }
    for name in ["10 MB of numbers after it", "10 MB of digits after it"] {
        let large = changed(name, answer).unwrap();
        assert!(
            (62..=64).contains(&large.len()) && large.starts_with(answer.as_bytes()),
            "{name}"
        );
    }
}

#[test]
fn decimals_are_changed_like_integers() {
    assert_eq!(
        changed("-1000000000.5 in place of its number", "0.5\n").unwrap(),
        b"-1000000000.5\n"
    );
    for several in ["0.5 7\n", "-0.5\n", "7\n"] {
        assert_eq!(
            changed("-1000000000.5 in place of its number", several),
            None,
            "{several}"
        );
    }
    let expected: [(&str, &[u8]); 3] = [
        ("`nan` in place of its first number", b"nan 7\n2.5\n"),
        ("a letter after its last number", b"-0.5 7\n2.5x\n"),
        ("2^32 added to its first number", b"-0.5 4294967303\n2.5\n"),
    ];
    for (name, expected) in expected {
        assert_eq!(
            changed(name, "-0.5 7\n2.5\n").as_deref(),
            Some(expected),
            "{name}"
        );
    }
}

#[test]
fn numbers_are_repeated_only_if_answers_are_permutations() {
    for (answer, expected) in [
        ("3 1 2\n", Some("3 3 2\n")),
        ("3\n3\n1\n2\n", Some("3\n3\n3\n2\n")),
        ("Yes\n0 2 1\n", Some("Yes\n0 0 1\n")),
        ("3 1 3\n", None),
        ("2 1\n", None),
        ("4 2 3\n", None),
        ("a b c\n", None),
    ] {
        let found = changed("its second number replaced by the first one", answer);
        assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{answer}");
    }
    let setting = Setting {
        has_permutations: false,
        ..SETTING
    };
    assert_eq!(repeating(b"3 1 2\n", &setting, 1, 0), None);
    let all = |answers: &[&str]| are_permutations(answers.iter().map(|answer| answer.as_bytes()));
    assert!(all(&["3 1 2\n", "1\n", "2 3 1\n"]) && all(&["5 4 3 2 1\n"]));
    assert!(!all(&["3 1 2\n"]) && !all(&["5 4 3 2 1\n", "2 2 2\n"]) && !all(&[]));
}

#[test]
fn tokens_are_missing_and_repeated_in_lists() {
    let outputs = |name: &str, answer: &str| -> Vec<(Role, String)> {
        let change = CHANGES.iter().find(|change| change.name == name).unwrap();
        let text = |(role, output): (Role, Vec<u8>)| (role, String::from_utf8(output).unwrap());
        change
            .outputs(answer.as_bytes(), &SETTING)
            .into_iter()
            .map(text)
            .collect()
    };
    let equal = |answer: &str| outputs("one of two equal tokens missing", answer);
    let (change, control) = (
        |text: &str| (Role::Change, text.to_owned()),
        |text: &str| (Role::Control, text.to_owned()),
    );
    assert_eq!(
        equal("4\n4 7 7 9\n"),
        [change("4\n4 7 9\n"), control("4\n4 7 7\n")]
    );
    assert_eq!(equal("7\n7\n9\n"), [change("7\n9\n"), control("7\n7\n")]);
    assert_eq!(equal("1 2 3\n"), [control("1 2\n")]);
    assert_eq!(equal("7 7\n"), []);
    let twice = "its last token repeated, so that the number of tokens is wrong";
    assert_eq!(outputs(twice, "3\n1 2 3\n"), [change("3\n1 2 3 3\n")]);
    assert_eq!(outputs(twice, "2 1 3\n"), []);
}

#[test]
fn decimals_grow_by_less_than_one_and_by_one() {
    let change = CHANGES
        .iter()
        .find(|change| change.name == "0.999 added to its first decimal")
        .unwrap();
    let outputs = change.outputs(b"-0.5 0.25\n", &SETTING);
    assert_eq!(
        outputs,
        [
            (Role::Change, b"0.499 0.25\n".to_vec()),
            (Role::Control, b"0.5 0.25\n".to_vec())
        ]
    );
    for number in [0.1, 0.3, 17.7, 999_999.9] {
        let answer = number.to_string();
        let sum: f64 = String::from_utf8(first_decimal(answer.as_bytes(), 1.0).unwrap())
            .unwrap()
            .parse()
            .unwrap();
        assert!(sum - number >= 1.0, "{sum}");
    }
    assert_eq!(change.outputs(b"7 1000000.5\n", &SETTING), []);
}

#[test]
fn large_outputs_repeat_a_number_missing_from_the_answer() {
    assert_eq!(unused_number(b"1 2\n"), b"7 ");
    assert_eq!(unused_number(b"7 2\n"), b"86 ");
}

#[test]
fn inapplicable_changes_are_left_out() {
    for name in [
        "`nan` in place of its first number",
        "two lines swapped",
        "a letter after its last number",
    ] {
        assert_eq!(changed(name, "word\n"), None, "{name}");
    }
    for name in ["other letter case", "no newline at the end"] {
        assert_eq!(changed(name, "1"), None, "{name}");
    }
    for change in &CHANGES {
        assert_ne!(
            change.apply(b"", &SETTING).as_deref(),
            Some(b"".as_slice()),
            "{}",
            change.name
        );
    }
}

#[test]
fn names_are_unique_and_long_outputs_are_cut() {
    for (index, change) in CHANGES.iter().enumerate() {
        assert!(
            CHANGES[..index]
                .iter()
                .all(|other| other.name != change.name),
            "{}",
            change.name
        );
    }
    assert_eq!(shown(b"5\xff\n"), "`5\\xff\\n`");
    assert_eq!(shown(&b"7 ".repeat(1000)), "`7 7 7 7 7 7 …7 7 7 7 7 7 `");
    assert_eq!(shown(b""), "nothing");
}
