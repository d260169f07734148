//! Changed answers: right outputs with one thing changed, as submissions and careless authors change them.
//!
//! Pure. Responsible for the changes and for what each of them may lead to. Must not know who reads them.

use super::damage::{Damage, is_decimal, tokens, with};

/// The size of outputs that are large on purpose, unless the problem allows less.
const LARGE: usize = 10 << 20;
/// The bytes of an output that are shown.
const SHOWN: usize = 24;

/// The decision that a changed answer must lead to. A judge error is always wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// A rejection: nobody who reads the whole output takes it for an answer.
    Rejected,
    /// A rejection, unless the problem has scores: then it may be worth less.
    RejectedUnlessScored,
    /// Acceptance, unless the arguments say `space_change_sensitive`: then a rejection.
    WhiteSpace,
    /// Any, unless the arguments say `case_sensitive`: then a rejection.
    LetterCase,
    /// Any: in some problem it is another right answer, in another it is not.
    Any,
}

/// Makes a change of an answer; `None` where it has no place for it.
type Apply = fn(&[u8], &Setting<'_>) -> Option<Vec<u8>>;

/// A change of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// To be read after "a right answer with".
    pub(crate) name: &'static str,
    pub(crate) fit: Fit,
    /// The changed answer; `None` where the answer has no place for the change.
    apply: Apply,
    /// A change that is like this one and shows no fault. Where it is accepted too, the problem is one whose answers may
    /// be changed like this, or compares with a tolerance.
    control: Option<Apply>,
    /// True when it is tried on one test case only: it takes long.
    pub(crate) once: bool,
}

impl Change {
    pub(crate) fn apply(&self, answer: &[u8], setting: &Setting<'_>) -> Option<Vec<u8>> {
        (self.apply)(answer, setting).filter(|changed| changed != answer)
    }

    pub(crate) fn control(&self, answer: &[u8], setting: &Setting<'_>) -> Option<Vec<u8>> {
        (self.control?)(answer, setting).filter(|changed| changed != answer)
    }
}

/// What changes depend on beside the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    /// The most bytes that a submission may write.
    pub(crate) output_bytes: u64,
    /// The answer of a test case that has other tokens in its answer, if there is one.
    pub(crate) other_answer: Option<&'a [u8]>,
}

impl Setting<'_> {
    fn large(&self) -> usize {
        usize::try_from(self.output_bytes).unwrap_or(LARGE).min(LARGE)
    }
}

/// The changes. A change whose acceptance is a finding is one that no reasonable problem accepts on every test case: what
/// is left of the answer is too little, or what is added to it is no output.
pub(crate) const CHANGES: [Change; 24] = [
    white_space("no newline at the end", |answer, _| Some(answer.trim_ascii_end().to_vec())),
    white_space("an empty line at the end", |answer, _| Some([answer, b"\n"].concat())),
    white_space("a blank at the end of a line", |answer, _| Damage::BlankAtLineEnd.apply(answer)),
    any("two blanks in place of one", |answer, _| Damage::DoubledBlank.apply(answer)),
    any("carriage returns at the ends of lines", |answer, _| Damage::CarriageReturns.apply(answer)),
    Change { fit: Fit::LetterCase, ..any("other letter case", |answer, _| Some(other_case(answer))) },
    rejected("text after it", |answer, _| has_tokens(answer).then(|| [answer, b"hello world\n"].concat())),
    rejected("text before it", |answer, _| has_tokens(answer).then(|| [b"hello world\n", answer].concat())),
    rejected("a letter behind its last number", |answer, _| behind_last_number(answer, b"x")),
    rejected("a byte that is not UTF-8 behind its last number", |answer, _| behind_last_number(answer, b"\xff")),
    rejected("a NUL byte behind its last number", |answer, _| behind_last_number(answer, b"\0")),
    any("a byte that is not UTF-8 at its end", |answer, _| Some([answer.trim_ascii_end(), b"\xff\n"].concat())),
    // Every problem whose answers are the same everywhere has one test case, or equal answers.
    Change {
        fit: Fit::RejectedUnlessScored,
        ..any("the answer of another test case in its place", |_, setting| setting.other_answer.map(<[u8]>::to_vec))
    },
    rejected("`nan` in place of its first number", |answer, _| first_number(answer, "nan")),
    // Where any large number is right, infinity may be right too.
    Change {
        control: Some(|answer, _| first_number(answer, &"7".repeat(30))),
        ..rejected("`inf` in place of its first number", |answer, _| first_number(answer, "inf"))
    },
    any("a number of 400 digits in place of its first one", |answer, _| first_number(answer, &"7".repeat(400))),
    // Python takes them for digits, and for no number.
    any("superscript digits in its first number", |answer, _| first_integer(answer, |number| Some(raised(number)))),
    Change {
        control: Some(|answer, _| first_integer(answer, |number| Some((number + (1 << 32) + 1).to_string()))),
        ..rejected("2^32 added to its first number", |answer, _| {
            first_integer(answer, |number| Some((number + (1 << 32)).to_string()))
        })
    },
    Change {
        control: Some(|answer, _| first_integer(answer, |number| Some((number + (1 << 64) + 1).to_string()))),
        ..rejected("2^64 added to its first number", |answer, _| {
            first_integer(answer, |number| Some((number + (1 << 64)).to_string()))
        })
    },
    Change { fit: Fit::RejectedUnlessScored, ..any("its last token missing", |answer, _| without_last_token(answer)) },
    any("its second half missing", |answer, _| Some(answer[..answer.len() / 2].to_vec())),
    any("two lines swapped", |answer, _| swapped_lines(answer)),
    Change { once: true, ..rejected("10 MB of numbers after it", |answer, setting| large(answer, b"7 ", setting)) },
    Change { once: true, ..rejected("10 MB of digits after it", |answer, setting| large(answer, b"7", setting)) },
];

const fn any(name: &'static str, apply: Apply) -> Change {
    Change { name, fit: Fit::Any, apply, control: None, once: false }
}

const fn rejected(name: &'static str, apply: Apply) -> Change {
    Change { fit: Fit::Rejected, ..any(name, apply) }
}

const fn white_space(name: &'static str, apply: Apply) -> Change {
    Change { fit: Fit::WhiteSpace, ..any(name, apply) }
}

fn has_tokens(answer: &[u8]) -> bool {
    !answer.trim_ascii().is_empty()
}

fn other_case(answer: &[u8]) -> Vec<u8> {
    let other =
        |byte: &u8| if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
    answer.iter().map(other).collect()
}

/// The integer that a token is, if it is one that this program can add to.
fn integer(token: &[u8]) -> Option<i128> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let is_short = (1..=30).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(token).ok().filter(|_| is_short)?.parse().ok()
}

fn is_number(token: &[u8]) -> bool {
    integer(token).is_some() || is_decimal(token)
}

/// The number in superscript digits.
fn raised(number: i128) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |letter: char| letter.to_digit(10).map_or(letter, |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(digit).collect()
}

/// The answer with its first number replaced.
fn first_number(answer: &[u8], replaced: &str) -> Option<Vec<u8>> {
    let token = tokens(answer).find(|token| is_number(&answer[token.clone()]))?;
    Some([&answer[..token.start], replaced.as_bytes(), &answer[token.end..]].concat())
}

/// The answer with its first integer replaced.
fn first_integer(answer: &[u8], replaced: impl Fn(i128) -> Option<String>) -> Option<Vec<u8>> {
    let token = tokens(answer).find(|token| integer(&answer[token.clone()]).is_some())?;
    let number = replaced(integer(&answer[token.clone()])?)?;
    Some([&answer[..token.start], number.as_bytes(), &answer[token.end..]].concat())
}

/// The answer with something behind its last number, without a blank between them.
fn behind_last_number(answer: &[u8], more: &[u8]) -> Option<Vec<u8>> {
    let last = tokens(answer).last().filter(|token| is_number(&answer[token.clone()]))?;
    Some(with(answer, last.end, more))
}

fn without_last_token(answer: &[u8]) -> Option<Vec<u8>> {
    let last = tokens(answer).last()?;
    Some([answer[..last.start].trim_ascii_end(), b"\n"].concat())
}

fn swapped_lines(answer: &[u8]) -> Option<Vec<u8>> {
    let mut lines: Vec<&[u8]> = answer.split_inclusive(|byte| *byte == b'\n').collect();
    let whole = lines.iter().filter(|line| line.ends_with(b"\n")).count();
    (whole >= 2).then(|| {
        lines.swap(whole - 2, whole - 1);
        lines.concat()
    })
}

/// The answer, and then so much that both are as long as an output may be.
fn large(answer: &[u8], more: &[u8], setting: &Setting<'_>) -> Option<Vec<u8>> {
    let room = setting.large().checked_sub(answer.len() + 1)?;
    has_tokens(answer).then(|| [answer, &more.repeat(room / more.len()), b"\n"].concat())
}

/// An output as messages show it: its end, where the change mostly is, or all of it.
pub(crate) fn shown(output: &[u8]) -> String {
    if output.is_empty() {
        return "nothing".to_owned();
    }
    match output.len().checked_sub(SHOWN) {
        None | Some(0) => format!("`{}`", output.escape_ascii()),
        Some(_) => {
            let (head, tail) = (&output[..SHOWN / 2], &output[output.len() - SHOWN / 2..]);
            format!("`{}…{}`", head.escape_ascii(), tail.escape_ascii())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTING: Setting<'_> = Setting { output_bytes: 64, other_answer: Some(b"No\n") };

    fn changed(name: &str, answer: &str) -> Option<Vec<u8>> {
        let change = CHANGES.iter().find(|change| change.name == name).unwrap_or_else(|| panic!("{name}"));
        change.apply(answer.as_bytes(), &SETTING)
    }

    #[test]
    fn each_change_is_made_in_its_place() {
        let answer = "Yes 3\n-1 42\n";
        let expected: [(&str, &[u8]); 18] = [
            ("no newline at the end", b"Yes 3\n-1 42"),
            ("an empty line at the end", b"Yes 3\n-1 42\n\n"),
            ("a blank at the end of a line", b"Yes 3 \n-1 42\n"),
            ("other letter case", b"yES 3\n-1 42\n"),
            ("text after it", b"Yes 3\n-1 42\nhello world\n"),
            ("a letter behind its last number", b"Yes 3\n-1 42x\n"),
            ("a byte that is not UTF-8 behind its last number", b"Yes 3\n-1 42\xff\n"),
            ("the answer of another test case in its place", b"No\n"),
            ("`nan` in place of its first number", b"Yes nan\n-1 42\n"),
            ("`inf` in place of its first number", b"Yes inf\n-1 42\n"),
            ("superscript digits in its first number", b"Yes \xc2\xb3\n-1 42\n"),
            ("2^32 added to its first number", b"Yes 4294967299\n-1 42\n"),
            ("2^64 added to its first number", b"Yes 18446744073709551619\n-1 42\n"),
            ("its last token missing", b"Yes 3\n-1\n"),
            ("its second half missing", b"Yes 3\n"),
            ("two lines swapped", b"-1 42\nYes 3\n"),
            ("text before it", b"hello world\nYes 3\n-1 42\n"),
            ("carriage returns at the ends of lines", b"Yes 3\r\n-1 42\r\n"),
        ];
        for (name, expected) in expected {
            assert_eq!(changed(name, answer).as_deref(), Some(expected), "{name}");
        }
        for name in ["10 MB of numbers after it", "10 MB of digits after it"] {
            let large = changed(name, answer).unwrap();
            assert!((62..=64).contains(&large.len()) && large.starts_with(answer.as_bytes()), "{name}");
        }
    }

    #[test]
    fn decimals_are_numbers_too() {
        let expected: [(&str, &[u8]); 3] = [
            ("`nan` in place of its first number", b"nan 7\n2.5\n"),
            ("a letter behind its last number", b"-0.5 7\n2.5x\n"),
            ("2^32 added to its first number", b"-0.5 4294967303\n2.5\n"),
        ];
        for (name, expected) in expected {
            assert_eq!(changed(name, "-0.5 7\n2.5\n").as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn answers_without_a_place_for_a_change_are_left_out() {
        for name in ["`nan` in place of its first number", "two lines swapped", "a letter behind its last number"] {
            assert_eq!(changed(name, "word\n"), None, "{name}");
        }
        for name in ["other letter case", "no newline at the end"] {
            assert_eq!(changed(name, "1"), None, "{name}");
        }
        for change in &CHANGES {
            assert_ne!(change.apply(b"", &SETTING).as_deref(), Some(b"".as_slice()), "{}", change.name);
        }
    }

    #[test]
    fn names_are_told_apart_and_long_outputs_are_cut() {
        for (index, change) in CHANGES.iter().enumerate() {
            assert!(CHANGES[..index].iter().all(|other| other.name != change.name), "{}", change.name);
        }
        assert_eq!(shown(b"5\xff\n"), "`5\\xff\\n`");
        assert_eq!(shown(&b"7 ".repeat(1000)), "`7 7 7 7 7 7 …7 7 7 7 7 7 `");
        assert_eq!(shown(b""), "nothing");
    }
}
