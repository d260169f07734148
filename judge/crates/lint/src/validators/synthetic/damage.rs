//! Damage: copies of an input with one formatting mistake, as careless authors and tools make it.
//!
//! Pure. Must not know whether a validator notices.

use std::ops::Range;

/// Changes an input; `None` when the change is not applicable.
type ChangeInput = fn(&[u8]) -> Option<Vec<u8>>;

/// A kind of damage.
pub(crate) struct Damage {
    /// The name of the damage, to be read after "a copy with".
    pub(crate) name: &'static str,
    /// Creates the damaged copy.
    pub(crate) apply: ChangeInput,
    /// Creates a control: a copy similar to the damaged one. If it is accepted, numbers of that
    /// size are valid, and accepting the damage is not a fault.
    pub(crate) control: Option<ChangeInput>,
    /// True when only the spelling of a number is changed.
    pub(crate) is_of_number: bool,
}

pub(crate) const DAMAGES: [Damage; 12] = [
    damage("two spaces instead of one", doubled_space),
    damage("a space at the end of a line", space_at_line_end),
    damage("an empty line between two lines", |input| {
        Some(with(input, inner(input, b'\n')?, b"\n"))
    }),
    damage("a leading zero before an integer", |input| {
        let token = first_token(input, is_integer)?;
        let sign = usize::from(input[token.start] == b'-');
        Some(with(input, token.start + sign, b"0"))
    }),
    damage("a trailing zero after a decimal", |input| {
        Some(with(input, first_token(input, is_decimal)?.end, b"0"))
    }),
    damage("more text after the end", |input| {
        Some([input, b"hello world\n"].concat())
    }),
    damage("carriage returns at the ends of lines", carriage_returns),
    damage("no newline at the end", |input| {
        input.strip_suffix(b"\n").map(<[u8]>::to_vec)
    }),
    of_number("digits of another script in an integer", |input| {
        first_integer(input, |number| Some(in_other_digits(number)))
    }),
    of_number(
        "a last digit of another script in an integer",
        other_last_digit,
    ),
    Damage {
        control: Some(|input| added(input, (1 << 32) * 3 / 2)),
        ..of_number("2^32 added to an integer", |input| added(input, 1 << 32))
    },
    Damage {
        control: Some(|input| added(input, (1 << 64) * 3 / 2)),
        ..of_number("2^64 added to an integer", |input| added(input, 1 << 64))
    },
];

const fn damage(name: &'static str, apply: ChangeInput) -> Damage {
    Damage {
        name,
        apply,
        control: None,
        is_of_number: false,
    }
}

const fn of_number(name: &'static str, apply: ChangeInput) -> Damage {
    Damage {
        is_of_number: true,
        ..damage(name, apply)
    }
}

pub(super) fn doubled_space(input: &[u8]) -> Option<Vec<u8>> {
    Some(with(input, inner(input, b' ')?, b" "))
}

pub(super) fn space_at_line_end(input: &[u8]) -> Option<Vec<u8>> {
    let place = input.iter().position(|byte| *byte == b'\n')?;
    Some(with(input, place, b" "))
}

pub(super) fn carriage_returns(input: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
    (lines.len() > 1 && !input.contains(&b'\r')).then(|| lines.join(&b"\r\n"[..]))
}

/// A pattern such as `[1-9]\d*` allows other digits only after the first one.
fn other_last_digit(input: &[u8]) -> Option<Vec<u8>> {
    let ends_in_two_digits =
        |token: &[u8]| token.len() > 1 && token[token.len() - 2].is_ascii_digit();
    let token = first_token(input, |token| {
        is_integer(token) && ends_in_two_digits(token)
    })?;
    let last = token.end - 1..token.end;
    let digit = in_other_digits(str::from_utf8(&input[last.clone()]).ok()?);
    Some(replaced(input, last, digit.as_bytes()))
}

/// The input with its first integer replaced.
fn first_integer(input: &[u8], other: impl Fn(&str) -> Option<String>) -> Option<Vec<u8>> {
    let token = first_token(input, is_integer)?;
    let number = other(str::from_utf8(&input[token.clone()]).ok()?)?;
    Some(replaced(input, token, number.as_bytes()))
}

/// The input with `more` added to its first integer.
fn added(input: &[u8], more: i128) -> Option<Vec<u8>> {
    first_integer(input, |number| {
        Some(number.parse::<i128>().ok()?.checked_add(more)?.to_string())
    })
}

/// The number in Arabic-Indic digits, which Python's `int` and `\d` read as well.
fn in_other_digits(number: &str) -> String {
    let other = |letter: char| {
        letter
            .to_digit(10)
            .and_then(|digit| char::from_u32(0x660 + digit))
            .unwrap_or(letter)
    };
    number.chars().map(other).collect()
}

/// The position of the first byte equal to `separator` that has text before and after it.
fn inner(input: &[u8], separator: u8) -> Option<usize> {
    let is_text = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    (1..input.len()).find(|at| {
        input[*at] == separator && is_text(input.get(at - 1)) && is_text(input.get(at + 1))
    })
}

/// The text with `more` inserted at a place.
pub(super) fn with(text: &[u8], place: usize, more: &[u8]) -> Vec<u8> {
    replaced(text, place..place, more)
}

/// The text with other bytes in place of a part.
pub(super) fn replaced(text: &[u8], part: Range<usize>, other: &[u8]) -> Vec<u8> {
    [&text[..part.start], other, &text[part.end..]].concat()
}

/// The first token that matches.
pub(super) fn first_token(text: &[u8], matches: impl Fn(&[u8]) -> bool) -> Option<Range<usize>> {
    tokens(text).find(|token| matches(&text[token.clone()]))
}

pub(crate) fn tokens(input: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_space = |byte: &&u8| byte.is_ascii_whitespace();
        at += input[at..].iter().take_while(is_space).count();
        let length = input[at..]
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace())
            .count();
        let token = at..at + length;
        at += length;
        (length > 0).then_some(token)
    })
}

fn is_integer(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The integer that a token represents, if sums with it do not overflow.
pub(super) fn integer(token: &[u8]) -> Option<i128> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    // 30 digits leave room for the sums with 2^64 in 128 bits.
    let is_short = (1..=30).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let text = str::from_utf8(token).ok().filter(|_| is_short)?;
    text.parse().ok()
}

pub(super) fn is_decimal(token: &[u8]) -> bool {
    let mut parts = token.splitn(2, |byte| *byte == b'.');
    match (parts.next(), parts.next()) {
        (Some(integer), Some(fraction)) => {
            is_integer(integer) && !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_applied_in_one_place() {
        let input = b"abc -3 4\n1.5 x\n";
        let expected: [Option<&[u8]>; 12] = [
            Some(b"abc  -3 4\n1.5 x\n"),
            Some(b"abc -3 4 \n1.5 x\n"),
            Some(b"abc -3 4\n\n1.5 x\n"),
            Some(b"abc -03 4\n1.5 x\n"),
            Some(b"abc -3 4\n1.50 x\n"),
            Some(b"abc -3 4\n1.5 x\nhello world\n"),
            Some(b"abc -3 4\r\n1.5 x\r\n"),
            Some(b"abc -3 4\n1.5 x"),
            Some(b"abc -\xd9\xa3 4\n1.5 x\n"),
            None,
            Some(b"abc 4294967293 4\n1.5 x\n"),
            Some(b"abc 18446744073709551613 4\n1.5 x\n"),
        ];
        for (damage, expected) in DAMAGES.iter().zip(expected) {
            assert_eq!(
                (damage.apply)(input).as_deref(),
                expected,
                "{}",
                damage.name
            );
        }
        assert_eq!(
            other_last_digit(b"-3 -47 5\n").unwrap(),
            b"-3 -4\xd9\xa7 5\n"
        );
        // The control adds 2^31, so that the sum still differs after it wraps around.
        assert_eq!(
            DAMAGES[10].control.unwrap()(input).unwrap(),
            b"abc 6442450941 4\n1.5 x\n"
        );
    }

    #[test]
    fn inapplicable_damage_is_left_out() {
        for Damage { name, apply, .. } in DAMAGES {
            let damaged = apply(b"word");
            assert_eq!(
                damaged.is_some(),
                name == "more text after the end",
                "{name}"
            );
            assert_ne!(damaged.as_deref(), Some(b"word".as_slice()));
        }
        assert_eq!((DAMAGES[2].apply)(b"one line\n"), None);
    }
}
