//! Damage: copies of an input with one formatting mistake, as careless authors and tools make it.
//!
//! Pure. Must not know whether a validator notices.

use std::ops::Range;

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    DoubledSpace,
    SpaceAtLineEnd,
    EmptyLine,
    LeadingZero,
    TrailingZero,
    TextAfterTheEnd,
    CarriageReturns,
    NoNewlineAtTheEnd,
    OtherDigits,
    OtherLastDigit,
    Wrapped32,
    Wrapped64,
}

impl Damage {
    pub(crate) const ALL: [Self; 12] = [
        Self::DoubledSpace,
        Self::SpaceAtLineEnd,
        Self::EmptyLine,
        Self::LeadingZero,
        Self::TrailingZero,
        Self::TextAfterTheEnd,
        Self::CarriageReturns,
        Self::NoNewlineAtTheEnd,
        Self::OtherDigits,
        Self::OtherLastDigit,
        Self::Wrapped32,
        Self::Wrapped64,
    ];

    /// The name of the damage, to be read after "a copy with".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::DoubledSpace => "two spaces instead of one",
            Self::SpaceAtLineEnd => "a space at the end of a line",
            Self::EmptyLine => "an empty line between two lines",
            Self::LeadingZero => "a leading zero before an integer",
            Self::TrailingZero => "a trailing zero after a decimal",
            Self::TextAfterTheEnd => "more text after the end",
            Self::CarriageReturns => "carriage returns at the ends of lines",
            Self::NoNewlineAtTheEnd => "no newline at the end",
            Self::OtherDigits => "digits of another script in an integer",
            Self::OtherLastDigit => "a last digit of another script in an integer",
            Self::Wrapped32 => "2^32 added to an integer",
            Self::Wrapped64 => "2^64 added to an integer",
        }
    }

    /// The damaged copy; `None` when this damage is not applicable.
    pub(crate) fn apply(self, input: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::DoubledSpace => {
                let place = inner(input, b' ')?;
                Some(with(input, place, b" "))
            }
            Self::SpaceAtLineEnd => {
                let place = input.iter().position(|byte| *byte == b'\n')?;
                Some(with(input, place, b" "))
            }
            Self::EmptyLine => {
                let place = inner(input, b'\n')?;
                Some(with(input, place, b"\n"))
            }
            Self::LeadingZero => {
                let token = tokens(input).find(|token| is_integer(&input[token.clone()]))?;
                let sign = usize::from(input[token.start] == b'-');
                Some(with(input, token.start + sign, b"0"))
            }
            Self::TrailingZero => {
                let token = tokens(input).find(|token| is_decimal(&input[token.clone()]))?;
                Some(with(input, token.end, b"0"))
            }
            Self::TextAfterTheEnd => Some([input, b"hello world\n"].concat()),
            Self::CarriageReturns => {
                let lines = input.contains(&b'\n') && !input.contains(&b'\r');
                let changed = || {
                    input.iter().flat_map(|byte| {
                        if *byte == b'\n' {
                            vec![b'\r', b'\n']
                        } else {
                            vec![*byte]
                        }
                    })
                };
                lines.then(|| changed().collect())
            }
            Self::NoNewlineAtTheEnd => input.strip_suffix(b"\n").map(<[u8]>::to_vec),
            Self::OtherDigits => first_integer(input, |number| Some(in_other_digits(number))),
            // A pattern such as `[1-9]\d*` allows other digits only after the first one.
            Self::OtherLastDigit => {
                let is_long =
                    |token: &Range<usize>| token.len() > 1 && input[token.end - 2].is_ascii_digit();
                let token = tokens(input)
                    .find(|token| is_integer(&input[token.clone()]) && is_long(token))?;
                let digit =
                    in_other_digits(std::str::from_utf8(&input[token.end - 1..token.end]).ok()?);
                Some(
                    [
                        &input[..token.end - 1],
                        digit.as_bytes(),
                        &input[token.end..],
                    ]
                    .concat(),
                )
            }
            Self::Wrapped32 => first_integer(input, |number| added(number, 1 << 32)),
            Self::Wrapped64 => first_integer(input, |number| added(number, 1 << 64)),
        }
    }

    /// True when only the spelling of a number is changed.
    pub(crate) fn is_of_number(self) -> bool {
        matches!(
            self,
            Self::OtherDigits | Self::OtherLastDigit | Self::Wrapped32 | Self::Wrapped64
        )
    }

    /// A control: a copy similar to the damaged one. If it is accepted, numbers of that size are
    /// valid, and accepting the damage is not a fault.
    pub(crate) fn control(self, input: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Wrapped32 => first_integer(input, |number| added(number, (1 << 32) * 3 / 2)),
            Self::Wrapped64 => first_integer(input, |number| added(number, (1 << 64) * 3 / 2)),
            _ => None,
        }
    }
}

/// The input with its first integer replaced.
fn first_integer(input: &[u8], replaced: impl Fn(&str) -> Option<String>) -> Option<Vec<u8>> {
    let token = tokens(input).find(|token| is_integer(&input[token.clone()]))?;
    let number = replaced(std::str::from_utf8(&input[token.clone()]).ok()?)?;
    Some(
        [
            &input[..token.start],
            number.as_bytes(),
            &input[token.end..],
        ]
        .concat(),
    )
}

fn added(number: &str, more: i128) -> Option<String> {
    Some(number.parse::<i128>().ok()?.checked_add(more)?.to_string())
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

pub(super) fn with(input: &[u8], place: usize, more: &[u8]) -> Vec<u8> {
    [&input[..place], more, &input[place..]].concat()
}

pub(super) fn tokens(input: &[u8]) -> impl Iterator<Item = Range<usize>> {
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
    std::str::from_utf8(token)
        .ok()
        .filter(|_| is_short)?
        .parse()
        .ok()
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
        for (damage, expected) in Damage::ALL.into_iter().zip(expected) {
            assert_eq!(damage.apply(input).as_deref(), expected, "{damage:?}");
        }
        assert_eq!(
            Damage::OtherLastDigit.apply(b"-3 -47 5\n").unwrap(),
            b"-3 -4\xd9\xa7 5\n"
        );
        // The control adds 2^31, so that the sum still differs after it wraps around.
        assert_eq!(
            Damage::Wrapped32.control(input).unwrap(),
            b"abc 6442450941 4\n1.5 x\n"
        );
    }

    #[test]
    fn inapplicable_damage_is_left_out() {
        for damage in Damage::ALL {
            let damaged = damage.apply(b"word");
            assert_eq!(
                damaged.is_some(),
                damage == Damage::TextAfterTheEnd,
                "{damage:?}"
            );
            assert_ne!(damaged.as_deref(), Some(b"word".as_slice()));
        }
        assert_eq!(Damage::EmptyLine.apply(b"one line\n"), None);
    }
}
