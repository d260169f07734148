//! Expected output with placeholders for values that vary.
//!
//! Responsible for `{number}`, which stands for digits, `{errno}` for the name of an error,
//! `{word}` for anything without a space, and for the directories of a slot. Must not know cases.

use judge_sandbox::Layout;

/// `expected` with the slot's own directories in place of `{work}` and `{tmp}`.
pub(crate) fn placed(expected: &str, layout: &Layout) -> String {
    let text = expected.replace("{work}", &layout.work.display().to_string());
    text.replace("{tmp}", &layout.tmp.display().to_string())
}

/// True when `found` matches `expected`.
pub(crate) fn matches(expected: &str, found: &[u8]) -> bool {
    let mut rest = found;
    let mut expected = expected;
    loop {
        let (literal, place, remaining) = next_place(expected);
        let Some(after) = rest.strip_prefix(literal.as_bytes()) else {
            return false;
        };
        let Some(place) = place else {
            return after.is_empty();
        };
        let length = after.iter().take_while(|byte| place.takes(**byte)).count();
        if length == 0 || !place.begins(after[0]) {
            return false;
        }
        (rest, expected) = (&after[length..], remaining);
    }
}

#[derive(Clone, Copy)]
enum Place {
    Number,
    Errno,
    Word,
}

impl Place {
    fn takes(self, byte: u8) -> bool {
        match self {
            Self::Number => byte.is_ascii_digit(),
            Self::Errno => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Word => !byte.is_ascii_whitespace(),
        }
    }

    /// All names of errors begin with the same letter, and no other output of programs does.
    fn begins(self, byte: u8) -> bool {
        !matches!(self, Self::Errno) || byte == b'E'
    }
}

/// The text before the first placeholder, the placeholder, and the text after it.
fn next_place(expected: &str) -> (&str, Option<Place>, &str) {
    let places = [
        ("{number}", Place::Number),
        ("{errno}", Place::Errno),
        ("{word}", Place::Word),
    ];
    let found = places
        .into_iter()
        .filter_map(|(name, place)| Some((expected.find(name)?, name, place)));
    match found.min_by_key(|(at, ..)| *at) {
        Some((at, name, place)) => (&expected[..at], Some(place), &expected[at + name.len()..]),
        None => (expected, None, ""),
    }
}
