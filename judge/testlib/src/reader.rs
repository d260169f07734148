//! Reading: what is expected, or the place where something else is found.
//!
//! Responsible for what can be asked of a text, and for the words of a fault. Must not know
//! what kind of program asks: that decides only how it ends.

use std::fmt::Display;
use std::io::Read;
use std::ops::RangeInclusive;
use std::panic::Location;
use std::path::PathBuf;

use super::bounds::{Amount, Bounds};
use super::chars::Chars;
use super::ending::{broken, end, reject, say, REJECTED};
use super::number::{parse_decimal, parse_float, parse_integer, Integer, Why};
use super::scanner::{describe_token, Position, Scanner};

/// The length of the longest number, in bytes; no more are read of one.
const LONGEST_NUMBER: usize = 4096;

/// The consequence of a fault: of text that is other than it should be.
pub(super) enum OnFault {
    /// An invalid input: it is said on standard error.
    Reject,
    /// A wrong output: it is said in the judge's message.
    Wrong(PathBuf),
    /// A file of the package, whose faults are not the submission's.
    Broken,
    /// A test: it panics.
    Panic,
}

/// A text that is read, byte by byte or token by token.
///
/// A *strict* reader takes every byte as it is: blanks and ends of lines are where they are
/// asked for, and nowhere else. Input validators read so. A *loose* one skips blanks and ends
/// of lines before everything that it reads; output validators read so.
///
/// Numbers have names, for messages and for their bounds: for each name it is known whether its
/// smallest and its largest allowed value occurred. A number with an empty name has no bounds
/// that matter.
///
/// On a fault, where the text is not as it should be, the program ends: an invalid input or a
/// wrong output is rejected, a faulty file of the package is a judge error. The methods give
/// back what was read, and no result to look at.
///
/// ```
/// use testlib::Reader;
/// let mut input = Reader::of_text("3\n1 2 3\n");
/// let n: usize = input.int("n", 1..=10);
/// input.newline();
/// assert_eq!(input.ints::<i32>("a", n, 0..=9), [1, 2, 3]);
/// input.newline();
/// input.end_of_file();
/// ```
pub struct Reader {
    scanner: Scanner,
    on_fault: OnFault,
    loose: bool,
    bounds: Bounds,
}

impl Reader {
    pub(super) fn new(source: Box<dyn Read>, name: &'static str, on_fault: OnFault) -> Self {
        let loose = !matches!(on_fault, OnFault::Reject | OnFault::Panic);
        Self {
            scanner: Scanner::new(source, name),
            on_fault,
            loose,
            bounds: Bounds::default(),
        }
    }

    /// Makes a reader of a text, for tests: strict, and where another reader would end the
    /// program, it panics.
    #[must_use]
    pub fn of_text(text: impl Into<Vec<u8>>) -> Self {
        Self::new(
            Box::new(std::io::Cursor::new(text.into())),
            "the text",
            OnFault::Panic,
        )
    }

    /// Makes it strict: for output whose blanks and lines matter.
    pub fn strict(&mut self) {
        self.loose = false;
    }

    /// Makes it loose: blanks and ends of lines are skipped.
    pub fn loose(&mut self) {
        self.loose = true;
    }

    /// An integer: digits without leading zeros, with a `-` before them if it is negative.
    #[track_caller]
    pub fn int<T: Integer>(&mut self, name: &str, range: RangeInclusive<T>) -> T {
        let (place, wide) = (
            Location::caller(),
            [range.start(), range.end()].map(|bound| bound.to_wide()),
        );
        let [low, high] = wide;
        // An empty range is a mistake of the program and not of the input, so it is a panic.
        assert!(
            low <= high,
            "expected a range for {}, found {low}..={high}",
            named(name)
        );
        let (position, token) =
            self.number_token(|byte, first| byte == b'-' && first || byte.is_ascii_digit());
        let expected = || format!("{}from {low} to {high}", spaced("an integer", name));
        let value = match parse_integer(&token) {
            Ok(Some(value)) if low <= value && value <= high => value,
            Ok(_) => self.found(position, &expected(), &token, ""),
            Err(why) => self.found(position, &expected(), &token, why),
        };
        self.bounds.note(
            name,
            Amount::Integer(value),
            wide.map(Amount::Integer),
            place,
        );
        T::from_wide(value).expect("it lies between two numbers of the type")
    }

    /// Reads so many integers, with a single space between any two of them.
    #[track_caller]
    pub fn ints<T: Integer>(
        &mut self,
        name: &str,
        count: usize,
        range: RangeInclusive<T>,
    ) -> Vec<T> {
        let mut numbers = Vec::new();
        for index in 0..count {
            if index > 0 {
                self.space();
            }
            numbers.push(self.int(name, range.clone()));
        }
        numbers
    }

    /// A number with so many digits after the point, in the one form that inputs should have:
    /// no exponent, no leading zeros, digits on both sides of the point, no negative zero.
    #[track_caller]
    pub fn decimal(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
        digits: RangeInclusive<usize>,
    ) -> f64 {
        let place = Location::caller();
        let (low, high) = (*range.start(), *range.end());
        assert!(
            low <= high,
            "expected a range for {}, found {low}..={high}",
            named(name)
        );
        let (position, token) = self.number_token(|byte, _| is_visible(byte));
        let (fewest, most) = (*digits.start(), *digits.end());
        let expected = || {
            format!(
                "{}from {low} to {high} with {fewest} to {most} digits after the point",
                spaced("a number", name)
            )
        };
        let value = match parse_decimal(&token) {
            Ok((value, after)) if range.contains(&value) && digits.contains(&after) => value,
            Ok(_) => self.found(position, &expected(), &token, ""),
            Err(why) => self.found(position, &expected(), &token, why),
        };
        self.bounds.note(
            name,
            Amount::Real(value),
            [low, high].map(Amount::Real),
            place,
        );
        value
    }

    /// A number in any form of the package format, such as `1`, `.5` and `-2e-7`, but never
    /// `nan` or `inf`.
    #[track_caller]
    pub fn float(&mut self, name: &str, range: RangeInclusive<f64>) -> f64 {
        let place = Location::caller();
        let (low, high) = (*range.start(), *range.end());
        assert!(
            low <= high,
            "expected a range for {}, found {low}..={high}",
            named(name)
        );
        let (position, token) = self.number_token(|byte, _| is_visible(byte));
        let expected = || match (low, high) {
            // Any number will do.
            (f64::MIN, f64::MAX) => spaced("a number", name).trim_end().to_owned(),
            _ => format!("{}from {low:?} to {high:?}", spaced("a number", name)),
        };
        let value = match parse_float(&token) {
            Ok(value) if range.contains(&value) => value,
            Ok(_) => self.found(position, &expected(), &token, ""),
            Err(why) => self.found(position, &expected(), &token, why),
        };
        self.bounds.note(
            name,
            Amount::Real(value),
            [low, high].map(Amount::Real),
            place,
        );
        value
    }

    /// A word of these characters, its length in this range. Bounds of the length are those of
    /// `|name|`.
    #[track_caller]
    pub fn token(&mut self, name: &str, chars: Chars, length: RangeInclusive<usize>) -> String {
        let place = Location::caller();
        self.skip_blanks();
        self.characters("a word", name, chars, length, place)
    }

    /// The rest of a line, made of these characters, its length in this range. The end of the
    /// line is not read.
    #[track_caller]
    pub fn line(&mut self, name: &str, chars: Chars, length: RangeInclusive<usize>) -> String {
        let place = Location::caller();
        let text = self.characters("a line", name, chars, length, place);
        // `newline` or `end_of_file` decides whether the last line may lack its line break.
        if !matches!(self.scanner.peek(), None | Some(b'\n')) {
            let found = self.scanner.describe_next();
            self.fault(
                self.scanner.position(),
                format_args!("expected the end of the line, found {found}"),
            );
        }
        text
    }

    /// Reads one of several words.
    #[track_caller]
    pub fn choice<'a>(&mut self, name: &str, words: &[&'a str]) -> &'a str {
        self.skip_blanks();
        let position = self.scanner.position();
        let longest = words
            .iter()
            .map(|word| word.len())
            .max()
            .expect("there are words to choose from");
        // One character more than the longest word is enough to see that a token is not one of
        // them, however long it is.
        let token = self.scanner.take_while(longest + 1, is_visible);
        match words.iter().find(|word| word.as_bytes() == token) {
            Some(word) => word,
            None => {
                let expected = words
                    .iter()
                    .map(|word| format!("`{word}`"))
                    .collect::<Vec<_>>()
                    .join(", ");
                self.found(
                    position,
                    &format!("{}among {expected}", spaced("a word", name)),
                    &token,
                    "",
                )
            }
        }
    }

    /// Exactly this text.
    #[track_caller]
    pub fn literal(&mut self, text: &str) {
        // A loose reader skips blanks, but not if it is to read them.
        if !text.starts_with([' ', '\n']) {
            self.skip_blanks();
        }
        for byte in text.bytes() {
            if !self.scanner.take(byte) {
                self.unexpected(format_args!("`{}`", text.escape_debug()));
            }
        }
    }

    /// A single space; a loose reader skips any blanks.
    #[track_caller]
    pub fn space(&mut self) {
        self.skip_blanks();
        if !self.loose && !self.scanner.take(b' ') {
            self.unexpected("a space");
        }
    }

    /// The end of a line; a loose reader skips any blanks.
    #[track_caller]
    pub fn newline(&mut self) {
        // Not even a loose reader may look further: the other side may be waiting for an
        // answer.
        if !self.loose && !self.scanner.take(b'\n') {
            self.unexpected("the end of the line");
        }
    }

    /// The end of the text; a loose reader skips blanks before it. It is asked for
    /// automatically at the end.
    #[track_caller]
    pub fn end_of_file(&mut self) {
        self.skip_blanks();
        if self.scanner.peek().is_some() {
            self.unexpected("the end of the file");
        }
    }

    /// True if nothing is left; a loose reader skips blanks before it looks. Waits for more
    /// where it may still come.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.scanner.peek().is_none()
    }

    /// The next byte, which is not taken; `None` at the end.
    pub fn peek(&mut self) -> Option<u8> {
        self.scanner.peek()
    }

    /// Goes on only if something holds. `what` is said otherwise: a sentence about what is
    /// wrong.
    pub fn require(&mut self, holds: bool, what: impl Display) {
        if !holds {
            self.reject(what);
        }
    }

    /// Ends the program because of what was read so far.
    pub fn reject(&mut self, what: impl Display) -> ! {
        self.fault(self.scanner.position(), what)
    }

    /// The bounds that were reached, a line for each name, as BAPCtools has them in its
    /// `--constraints_file`: `place name reached_low reached_high least most low high`.
    #[must_use]
    pub fn bounds(&self) -> String {
        self.bounds.lines()
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.loose
            && self
                .scanner
                .peek()
                .is_some_and(|byte| byte.is_ascii_whitespace())
        {
            self.scanner.next();
        }
    }

    /// Takes what may belong to a number, by the byte and whether it is the first one: in `3-4`
    /// a strict reader finds 3. A loose one takes the whole token: `12x` is not 12 and
    /// something.
    fn number_token(&mut self, belongs: fn(u8, bool) -> bool) -> (Position, Vec<u8>) {
        self.skip_blanks();
        let position = self.scanner.position();
        let mut token = Vec::new();
        let loose = self.loose;
        // The bound keeps an untrusted file of digits from filling the memory. No allowed
        // number is that long.
        while token.len() < LONGEST_NUMBER {
            let is_next = |byte: &u8| {
                if loose {
                    is_visible(*byte)
                } else {
                    belongs(*byte, token.is_empty())
                }
            };
            let Some(byte) = self.scanner.peek().filter(is_next) else {
                break;
            };
            token.push(byte);
            self.scanner.next();
        }
        (position, token)
    }

    fn characters(
        &mut self,
        kind: &str,
        name: &str,
        chars: Chars,
        length: RangeInclusive<usize>,
        place: &Location<'_>,
    ) -> String {
        let (shortest, longest) = (*length.start(), *length.end());
        let position = self.scanner.position();
        // Reading stops at the longest length that is allowed: a hostile input must not fill
        // the memory.
        let token = self.scanner.take_while(longest, |byte| chars.has(byte));
        let ends = self
            .scanner
            .peek()
            .is_none_or(|byte| byte.is_ascii_whitespace() || !(self.loose || chars.has(byte)));
        if !ends || !length.contains(&token.len()) {
            let found = if token.len() < longest || !ends {
                self.scanner.describe_next()
            } else {
                String::new()
            };
            let kind = spaced(kind, name);
            let expected = format!("{kind}of {shortest} to {longest} characters from `{chars}`");
            let after = format!("found {found} after {} of them", token.len());
            self.fault(position, format_args!("expected {expected}, {after}"));
        }
        if !name.is_empty() {
            // The name with bars, as statements write the length of a text.
            let amount = |length: usize| Amount::Integer(length as i128);
            let allowed = [shortest, longest].map(amount);
            self.bounds
                .note(&format!("|{name}|"), amount(token.len()), allowed, place);
        }
        String::from_utf8_lossy(&token).into_owned()
    }

    fn unexpected(&mut self, expected: impl Display) -> ! {
        let found = self.scanner.describe_next();
        self.fault(
            self.scanner.position(),
            format_args!("expected {expected}, found {found}"),
        )
    }

    /// A token that is not what is expected, and why if that needs saying.
    fn found(&mut self, position: Position, expected: &str, token: &[u8], why: Why) -> ! {
        let found = if token.is_empty() {
            self.scanner.describe_next()
        } else {
            describe_token(token)
        };
        let why = if why.is_empty() || token.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        };
        self.fault(
            position,
            format_args!("expected {expected}, found {found}{why}"),
        )
    }

    fn fault(&self, position: Position, what: impl Display) -> ! {
        let text = format!("{position}: {what}");
        match &self.on_fault {
            OnFault::Reject => {
                say(text);
                end(REJECTED)
            }
            OnFault::Wrong(feedback) => {
                reject(feedback, &format!("{}: {text}", self.scanner.name()))
            }
            OnFault::Broken => broken(format_args!("{}: {text}", self.scanner.name())),
            OnFault::Panic => panic!("{}", text),
        }
    }
}

fn is_visible(byte: u8) -> bool {
    !byte.is_ascii_whitespace()
}

fn named(name: &str) -> String {
    if name.is_empty() {
        "a number".to_owned()
    } else {
        format!("`{name}`")
    }
}

/// A kind with a name, and a space behind.
fn spaced(kind: &str, name: &str) -> String {
    if name.is_empty() {
        format!("{kind} ")
    } else {
        format!("{kind} `{name}` ")
    }
}
