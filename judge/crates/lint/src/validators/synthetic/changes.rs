//! Changed answers: correct outputs with one mistake, as submissions and careless authors make it.
//!
//! Pure. Responsible for the changes and for the decisions that validators may make about each.

use std::ops::Range;

use judge_exec::ValidatorDecision as Output;
use judge_model::OutputValidatorArgs;

use super::damage::{
    carriage_returns, doubled_space, first_token, integer, is_decimal, replaced, space_at_line_end,
    tokens, with,
};
use super::permutations::permutation;

/// The size of deliberately large outputs, in bytes, unless the problem allows less.
const LARGE: usize = 10 << 20;
/// The maximum number of bytes of an output in a message.
const MAX_SHOWN: usize = 24;

/// The decision that a validator must make about a changed answer. A judge error is always wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Required {
    /// A rejection: a validator that reads the whole output does not accept it.
    Rejected,
    /// A rejection, unless the problem has scores: then the output may have a lower score.
    RejectedUnlessScored,
    /// Acceptance; with `space_change_sensitive` in the arguments, a rejection.
    WhiteSpace,
    /// Any; with `case_sensitive` in the arguments, a rejection.
    LetterCase,
    /// Any: the changed answer is correct in some problems.
    Any,
}

/// Changes an answer; `None` when the change is not applicable.
type Apply = fn(&[u8], &Setting<'_>) -> Option<Vec<u8>>;

/// A change of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    /// The name of the change, to be read after "a correct answer with".
    pub(crate) name: &'static str,
    pub(crate) required: Required,
    /// Creates the changed answer; `None` if the change is not applicable.
    apply: Apply,
    /// A similar change. If it is accepted too, the problem allows such changes or compares with a
    /// tolerance, and there is no fault.
    control: Option<Apply>,
    /// Outputs of which every validator that reads its input rejects at least one. If the validator
    /// does, the changed answer may be another correct answer.
    contrasts: &'static [Apply],
    /// True if the decisions about equal changed answers are combined over all test cases, and
    /// those about different ones are evaluated separately.
    pub(crate) by_output: bool,
    /// True if the change is tried on one test case only, because it takes long.
    pub(crate) once: bool,
}

/// The purpose of an output that a change produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Change,
    /// See [`Change::control`].
    Control,
    /// See [`Change::contrasts`].
    Contrast,
}

impl Change {
    /// The decision that a validator with these arguments must make about this change; `None` if it
    /// depends on the problem.
    pub(crate) fn expected(&self, args: &OutputValidatorArgs, has_scores: bool) -> Option<Output> {
        let has_flag = |flag: &str| args.for_validator(0).any(|arg| arg == flag);
        match self.required {
            Required::Rejected => Some(Output::Rejected),
            Required::RejectedUnlessScored => (!has_scores).then_some(Output::Rejected),
            Required::WhiteSpace if has_flag("space_change_sensitive") => Some(Output::Rejected),
            Required::WhiteSpace => Some(Output::Accepted),
            Required::LetterCase => has_flag("case_sensitive").then_some(Output::Rejected),
            Required::Any => None,
        }
    }

    /// All outputs that the change produces from an answer.
    pub(crate) fn outputs(&self, answer: &[u8], setting: &Setting<'_>) -> Vec<(Role, Vec<u8>)> {
        let controls = self.control.iter().map(|control| (Role::Control, control));
        let contrasts = self
            .contrasts
            .iter()
            .map(|contrast| (Role::Contrast, contrast));
        let makes = [(Role::Change, &self.apply)]
            .into_iter()
            .chain(controls)
            .chain(contrasts);
        let made = makes.filter_map(|(role, make)| Some((role, make(answer, setting)?)));
        // A change without effect, such as another letter case of digits, proves nothing.
        made.filter(|(_, output)| output != answer).collect()
    }

    #[cfg(test)]
    pub(crate) fn apply(&self, answer: &[u8], setting: &Setting<'_>) -> Option<Vec<u8>> {
        (self.apply)(answer, setting).filter(|changed| changed != answer)
    }
}

/// The input of changes besides the answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Setting<'a> {
    /// The maximum number of bytes that a submission may write.
    pub(crate) output_bytes: u64,
    /// The answer of another test case with different tokens, if there is one.
    pub(crate) other_answer: Option<&'a [u8]>,
    /// A word that is the whole answer of other test cases, such as `NO` ([`super::words`]).
    pub(crate) word: Option<&'a [u8]>,
    /// True if all answers are permutations, and not by chance ([`are_permutations`]).
    pub(crate) has_permutations: bool,
}

/// The size of a deliberately large output of a problem with this output limit, in bytes.
pub(super) fn large_size(output_bytes: u64) -> usize {
    usize::try_from(output_bytes).unwrap_or(LARGE).min(LARGE)
}

/// The changes. The acceptance of a change is a finding only if no reasonable problem accepts it on
/// every test case: too little of the answer is left, or the addition is not an output.
pub(crate) const CHANGES: [Change; 31] = [
    white_space("no newline at the end", |answer, _| {
        Some(answer.trim_ascii_end().to_vec())
    }),
    white_space("an empty line at the end", |answer, _| {
        Some([answer, b"\n"].concat())
    }),
    white_space("a space at the end of a line", |answer, _| {
        space_at_line_end(answer)
    }),
    any("two spaces instead of one", |answer, _| {
        doubled_space(answer)
    }),
    any("carriage returns at the ends of lines", |answer, _| {
        carriage_returns(answer)
    }),
    Change {
        required: Required::LetterCase,
        ..any("other letter case", |answer, _| Some(other_case(answer)))
    },
    rejected("text after it", |answer, _| {
        has_tokens(answer).then(|| [answer, b"hello world\n"].concat())
    }),
    rejected("text before it", |answer, _| {
        has_tokens(answer).then(|| [b"hello world\n", answer].concat())
    }),
    rejected("a letter after its last number", |answer, _| {
        after_last_number(answer, b"x")
    }),
    rejected(
        "a byte that is not UTF-8 after its last number",
        |answer, _| after_last_number(answer, b"\xff"),
    ),
    rejected("a NUL byte after its last number", |answer, _| {
        after_last_number(answer, b"\0")
    }),
    any("a byte that is not UTF-8 at its end", |answer, _| {
        Some([answer.trim_ascii_end(), b"\xff\n"].concat())
    }),
    // One answer fits all test cases only if there is one test case, or if all answers are equal. A
    // problem that accepts any large number may also accept the answer of another test case.
    Change {
        contrasts: &[
            |answer, _| only_integer(answer, "0"),
            |answer, _| only_integer(answer, "1999999999"),
        ],
        ..rejected_unless_scored(
            "the answer of another test case in its place",
            |_, setting| setting.other_answer.map(<[u8]>::to_vec),
        )
    },
    Change {
        by_output: true,
        ..rejected_unless_scored(
            "the word that is the answer of other test cases in its place",
            |_, setting| setting.word.map(<[u8]>::to_vec),
        )
    },
    rejected("`nan` in place of its first number", |answer, _| {
        first_number(answer, "nan")
    }),
    // A problem that accepts any large number may also accept infinity.
    Change {
        control: Some(|answer, _| first_number(answer, &"7".repeat(30))),
        ..rejected("`inf` in place of its first number", |answer, _| {
            first_number(answer, "inf")
        })
    },
    any(
        "a number of 400 digits in place of its first one",
        |answer, _| first_number(answer, &"7".repeat(400)),
    ),
    // Python's `isdigit` accepts these characters, but `int` does not.
    any("superscript digits in its first number", |answer, _| {
        first_integer(answer, |number| Some(superscript(number)))
    }),
    Change {
        // A validator that reads 32 bits mistakes the sum for the number itself. If it also accepts
        // the sum plus 1, it does not compare numbers, or has a tolerance.
        control: Some(|answer, _| {
            first_integer(answer, |number| Some((number + (1 << 32) + 1).to_string()))
        }),
        ..rejected("2^32 added to its first number", |answer, _| {
            first_integer(answer, |number| Some((number + (1 << 32)).to_string()))
        })
    },
    Change {
        control: Some(|answer, _| {
            first_integer(answer, |number| Some((number + (1 << 64) + 1).to_string()))
        }),
        ..rejected("2^64 added to its first number", |answer, _| {
            first_integer(answer, |number| Some((number + (1 << 64)).to_string()))
        })
    },
    // Finds a difference without absolute value. Only for a single number: one of several may be
    // far off in another correct answer.
    Change {
        control: Some(|answer, _| only_decimal(answer, "1000000000.5")),
        ..rejected_unless_scored("-1000000000.5 in place of its number", |answer, _| {
            only_decimal(answer, "-1000000000.5")
        })
    },
    // Finds a difference that is truncated to an integer, as by `abs` in C. No problem has a
    // tolerance between 0.999 and 1.
    Change {
        control: Some(|answer, _| first_decimal(answer, 1.0)),
        ..rejected_unless_scored("0.999 added to its first decimal", |answer, _| {
            first_decimal(answer, 0.999)
        })
    },
    // Finds validators that collect tokens in a set. If any other token can be left out too, a part
    // of the answer is correct.
    Change {
        control: Some(|answer, _| without_token(answer, |count| count == 1)),
        ..rejected_unless_scored("one of two equal tokens missing", |answer, _| {
            without_token(answer, |count| count > 1)
        })
    },
    rejected_unless_scored(
        "its last token repeated, so that the number of tokens is wrong",
        |answer, _| last_token_twice(answer),
    ),
    rejected_unless_scored(
        "its second number replaced by the first one",
        |answer, setting| repeating(answer, setting, 1, 0),
    ),
    rejected_unless_scored(
        "its first number replaced by the second one",
        |answer, setting| repeating(answer, setting, 0, 1),
    ),
    rejected_unless_scored("its last token missing", |answer, _| {
        without_last_token(answer)
    }),
    any("its second half missing", |answer, _| {
        Some(answer[..answer.len() / 2].to_vec())
    }),
    any("two lines swapped", |answer, _| swapped_lines(answer)),
    Change {
        once: true,
        ..rejected("10 MB of numbers after it", |answer, setting| {
            large(answer, unused_number(answer), setting)
        })
    },
    Change {
        once: true,
        ..rejected("10 MB of digits after it", |answer, setting| {
            large(answer, b"7", setting)
        })
    },
];

const fn any(name: &'static str, apply: Apply) -> Change {
    Change {
        name,
        required: Required::Any,
        apply,
        control: None,
        contrasts: &[],
        by_output: false,
        once: false,
    }
}

const fn rejected(name: &'static str, apply: Apply) -> Change {
    Change {
        required: Required::Rejected,
        ..any(name, apply)
    }
}

const fn white_space(name: &'static str, apply: Apply) -> Change {
    Change {
        required: Required::WhiteSpace,
        ..any(name, apply)
    }
}

const fn rejected_unless_scored(name: &'static str, apply: Apply) -> Change {
    Change {
        required: Required::RejectedUnlessScored,
        ..any(name, apply)
    }
}

/// The answer with one number of its permutation in place of another.
fn repeating(answer: &[u8], setting: &Setting<'_>, place: usize, by: usize) -> Option<Vec<u8>> {
    let list = permutation(answer).filter(|list| setting.has_permutations && list.len() > 2)?;
    Some(replaced(
        answer,
        list[place].clone(),
        &answer[list[by].clone()],
    ))
}

/// The answer with its only token replaced, a decimal that is not negative.
fn only_decimal(answer: &[u8], other: &str) -> Option<Vec<u8>> {
    let mut all = tokens(answer);
    let token = all
        .next()
        .filter(|token| is_decimal(&answer[token.clone()]) && answer[token.start] != b'-')?;
    let is_alone = all.next().is_none();
    is_alone.then(|| replaced(answer, token, other.as_bytes()))
}

/// The answer with its only token replaced, an integer.
fn only_integer(answer: &[u8], other: &str) -> Option<Vec<u8>> {
    let is_alone = tokens(answer).nth(1).is_none();
    is_alone.then(|| first_integer(answer, |_| Some(other.to_owned())))?
}

/// The largest decimal that is changed. Sums of larger ones with a small number are inexact.
const MAX_DECIMAL: f64 = 1e6;

/// The answer with `added` added to its first decimal. Rounding only makes the sum larger.
fn first_decimal(answer: &[u8], added: f64) -> Option<Vec<u8>> {
    let token = first_token(answer, is_decimal)?;
    let number: f64 = str::from_utf8(&answer[token.clone()]).ok()?.parse().ok()?;
    let sum = number + added;
    // Rounding can make the difference smaller than `added`, and a tolerance of 1 would rightly
    // accept it.
    let sum = if sum - number < added {
        sum.next_up()
    } else {
        sum
    };
    let is_small = number.abs() < MAX_DECIMAL;
    is_small.then(|| replaced(answer, token, sum.to_string().as_bytes()))
}

/// The tokens of a list: all, or those after their count. `None` for short lists, which prove
/// nothing.
fn list(answer: &[u8]) -> Option<(Vec<Range<usize>>, bool)> {
    let mut all: Vec<Range<usize>> = tokens(answer).collect();
    let count = all
        .first()
        .and_then(|first| integer(&answer[first.clone()]));
    let is_counted = count.is_some_and(|count| count + 1 == all.len() as i128);
    if is_counted {
        all.remove(0);
    }
    (all.len() > 2).then_some((all, is_counted))
}

/// The answer without the last token of its list whose number of occurrences matches.
fn without_token(answer: &[u8], matches: impl Fn(usize) -> bool) -> Option<Vec<u8>> {
    let (list, _) = list(answer)?;
    let text = |token: &Range<usize>| &answer[token.clone()];
    let count = |token: &Range<usize>| {
        list.iter()
            .filter(|other| text(other) == text(token))
            .count()
    };
    let last = list.iter().rposition(|token| matches(count(token)))?;
    // The white space between the token and its neighbour is removed too.
    let (start, end) = match last {
        0 => (list[0].start, list[1].start),
        _ => (list[last - 1].end, list[last].end),
    };
    Some([&answer[..start], &answer[end..]].concat())
}

/// The answer with the last token of its list repeated, if the number of tokens precedes them.
fn last_token_twice(answer: &[u8]) -> Option<Vec<u8>> {
    let (list, _) = list(answer).filter(|(_, is_counted)| *is_counted)?;
    let (before, last) = (&list[list.len() - 2], &list[list.len() - 1]);
    Some(with(answer, last.end, &answer[before.end..last.end]))
}

/// A number that is not a token of the answer, and a space.
fn unused_number(answer: &[u8]) -> &'static [u8] {
    let numbers: [&[u8]; 3] = [b"7 ", b"86 ", b"953 "];
    let is_token =
        |number: &&&[u8]| tokens(answer).any(|token| answer[token] == *number.trim_ascii_end());
    numbers
        .iter()
        .find(|number| !is_token(number))
        .copied()
        .unwrap_or(b"7 ")
}

fn has_tokens(answer: &[u8]) -> bool {
    !answer.trim_ascii().is_empty()
}

fn other_case(answer: &[u8]) -> Vec<u8> {
    let other = |byte: &u8| {
        if byte.is_ascii_lowercase() {
            byte.to_ascii_uppercase()
        } else {
            byte.to_ascii_lowercase()
        }
    };
    answer.iter().map(other).collect()
}

fn is_number(token: &[u8]) -> bool {
    integer(token).is_some() || is_decimal(token)
}

/// The number in superscript digits.
fn superscript(number: i128) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |letter: char| {
        letter
            .to_digit(10)
            .map_or(letter, |digit| DIGITS[digit as usize])
    };
    number.to_string().chars().map(digit).collect()
}

/// The answer with its first number replaced.
fn first_number(answer: &[u8], other: &str) -> Option<Vec<u8>> {
    Some(replaced(
        answer,
        first_token(answer, is_number)?,
        other.as_bytes(),
    ))
}

/// The answer with its first integer replaced.
fn first_integer(answer: &[u8], other: impl Fn(i128) -> Option<String>) -> Option<Vec<u8>> {
    let token = first_token(answer, |token| integer(token).is_some())?;
    let number = other(integer(&answer[token.clone()])?)?;
    Some(replaced(answer, token, number.as_bytes()))
}

/// The answer with `more` directly after its last number.
fn after_last_number(answer: &[u8], more: &[u8]) -> Option<Vec<u8>> {
    let last = tokens(answer)
        .last()
        .filter(|token| is_number(&answer[token.clone()]))?;
    Some(with(answer, last.end, more))
}

fn without_last_token(answer: &[u8]) -> Option<Vec<u8>> {
    let last = tokens(answer).last()?;
    Some([answer[..last.start].trim_ascii_end(), b"\n"].concat())
}

fn swapped_lines(answer: &[u8]) -> Option<Vec<u8>> {
    let mut lines: Vec<&[u8]> = answer.split_inclusive(|byte| *byte == b'\n').collect();
    // A last line without a line break cannot be swapped: it would join with the next line.
    let terminated = lines.iter().filter(|line| line.ends_with(b"\n")).count();
    (terminated >= 2).then(|| {
        lines.swap(terminated - 2, terminated - 1);
        lines.concat()
    })
}

/// The answer, followed by `more` repeated up to the maximum size of an output.
fn large(answer: &[u8], more: &[u8], setting: &Setting<'_>) -> Option<Vec<u8>> {
    let available = large_size(setting.output_bytes).checked_sub(answer.len() + 1)?;
    has_tokens(answer).then(|| [answer, &more.repeat(available / more.len()), b"\n"].concat())
}

/// Renders an output for a message: all of it, or its beginning and end.
pub(crate) fn shown(output: &[u8]) -> String {
    if output.is_empty() {
        return "nothing".to_owned();
    }
    match output.len().checked_sub(MAX_SHOWN) {
        None | Some(0) => format!("`{}`", output.escape_ascii()),
        Some(_) => {
            let head = output[..MAX_SHOWN / 2].escape_ascii();
            let tail = output[output.len() - MAX_SHOWN / 2..].escape_ascii();
            format!("`{head}…{tail}`")
        }
    }
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
