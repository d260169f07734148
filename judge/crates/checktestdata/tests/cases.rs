//! Checks the programs of `cases/` against the inputs in the list next to each of them.
//!
//! A line of a list is `accepted | INPUT`, `rejected LINE:COLUMN | INPUT | PART OF THE MESSAGE` or
//! `fault PROGRAM_LINE | INPUT | PART OF THE MESSAGE`, where `\n`, `\r`, `\t` and `\\` have their
//! usual meaning.

use judge_checktestdata::{CheckError, Program};

fn unescape(text: &str) -> String {
    let mut result = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        result.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('\\') => '\\',
                other => panic!("unknown escape {other:?} in {text}"),
            },
            _ => character,
        });
    }
    result
}

fn check_case(name: &str, program: &str, inputs: &str) {
    let program = Program::parse(program).unwrap_or_else(|error| panic!("{name}.ctd:{error}"));
    for line in inputs.lines() {
        let parts: Vec<String> = line.split(" | ").map(unescape).collect();
        let [expected, input, message @ ..] = parts.as_slice() else {
            panic!("{name}: invalid line: {line}")
        };
        let found = program.check_within(input.as_bytes(), 1_000_000);
        let (place, reported) = match &found {
            Ok(()) => ("accepted".to_owned(), String::new()),
            Err(CheckError::Rejected(it)) => (
                format!("rejected {}:{}", it.line, it.column),
                it.to_string(),
            ),
            Err(CheckError::Faulty(it)) => (format!("fault {}", it.program_line), it.to_string()),
        };
        assert_eq!(place, *expected, "{name}: {line}: {reported}");
        assert!(
            message.iter().all(|part| reported.contains(part)),
            "{name}: {line}: {reported}"
        );
        assert_eq!(
            message.is_empty(),
            found.is_ok(),
            "{name}: {line}: a line needs a message unless its input is accepted"
        );
        assert!(!reported.contains('\n'), "{name}: {reported}");
    }
}

macro_rules! cases {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            check_case(name, include_str!(concat!("cases/", stringify!($name), ".ctd")),
                include_str!(concat!("cases/", stringify!($name), ".inputs")));
        }
    )*};
}

cases!(
    arrays,
    expressions,
    faults,
    floats,
    grid,
    loops,
    numbers,
    text
);
