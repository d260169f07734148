//! Reading: values in the expected form, or the position of a fault.
//!
//! Responsible for parsing a text, and for the messages of faults. Must not know the kind of
//! program, which only determines how the program exits after a fault.

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
use super::text::listed;

/// The maximum number of bytes that are read of a number.
const MAX_NUMBER_BYTES: usize = 4096;

/// The consequence of a fault: of text that differs from the expected form.
pub(super) enum OnFault {
    /// The input is invalid. The fault is reported on standard error.
    Reject,
    /// The output is wrong. The fault is reported in the message for the jury.
    Wrong(PathBuf),
    /// A file of the package is faulty, which is not the submission's fault.
    Broken,
    /// The reader panics, in a test.
    Panic,
}

/// A text that is read, byte by byte or token by token.
///
/// A *strict* reader, which input validators use, reads every byte unchanged: spaces and ends of
/// lines must be exactly where the program expects them. A *loose* reader, which output validators
/// use, skips white space and ends of lines before every value.
///
/// Numbers have names, for messages and for their bounds: for each name, the reader records whether
/// the smallest and the largest allowed value occurred. The bounds of a number with an empty name
/// are not recorded.
///
/// On a fault the program ends: an invalid input or a wrong output is rejected, and a faulty file
/// of the package is a judge error. Therefore the methods return the value itself, without a
/// `Result`.
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

    /// Creates a strict reader of a text for tests. It panics where other readers would exit.
    #[must_use]
    pub fn of_text(text: impl Into<Vec<u8>>) -> Self {
        Self::new(
            Box::new(std::io::Cursor::new(text.into())),
            "the text",
            OnFault::Panic,
        )
    }

    /// Makes the reader strict, for output in which spaces and lines matter.
    pub fn strict(&mut self) {
        self.loose = false;
    }

    /// Makes the reader loose: white space and ends of lines are skipped.
    pub fn loose(&mut self) {
        self.loose = true;
    }

    /// Reads an integer: digits without leading zeros, after a `-` if it is negative.
    #[track_caller]
    pub fn int<T: Integer>(&mut self, name: &str, range: RangeInclusive<T>) -> T {
        let place = Location::caller();
        let wide = [range.start(), range.end()].map(|bound| bound.to_wide());
        let [low, high] = wide;
        // An empty range is a mistake in the program and not in the input, so it is a panic.
        assert!(
            low <= high,
            "expected a range for {}, found {low}..={high}",
            named(name)
        );
        let (position, token) =
            self.number_token(|byte, first| byte == b'-' && first || byte.is_ascii_digit());
        let expected = || format!("{}from {low} to {high}", spaced("an integer", name));
        let parsed = parse_integer(&token)
            .map(|value| value.filter(|value| low <= *value && *value <= high));
        let value = self.parsed(position, &token, parsed, expected);
        let allowed = wide.map(Amount::Integer);
        self.bounds
            .note(name, Amount::Integer(value), allowed, place);
        T::from_wide(value).expect("it is between two numbers of the type")
    }

    /// Reads `count` integers, with a single space between any two of them.
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

    /// Reads a number with this many digits after the point, in the notation of inputs: no
    /// exponent, no leading zeros, digits on both sides of the point, no negative zero.
    #[track_caller]
    pub fn decimal(
        &mut self,
        name: &str,
        range: RangeInclusive<f64>,
        digits: RangeInclusive<usize>,
    ) -> f64 {
        let (low, high) = (*range.start(), *range.end());
        let (min_digits, max_digits) = (*digits.start(), *digits.end());
        let parse = |token: &[u8]| {
            parse_decimal(token)
                .map(|(value, after)| Some(value).filter(|_| digits.contains(&after)))
        };
        let expected = || {
            format!(
                "{}from {low} to {high} with {min_digits} to {max_digits} digits after the point",
                spaced("a number", name)
            )
        };
        self.real(name, &range, parse, expected)
    }

    /// Reads a number in any form of the package format, such as `1`, `.5` and `-2e-7`, but not
    /// `nan` or `inf`.
    #[track_caller]
    pub fn float(&mut self, name: &str, range: RangeInclusive<f64>) -> f64 {
        let (low, high) = (*range.start(), *range.end());
        let expected = || match (low, high) {
            // Any number is allowed.
            (f64::MIN, f64::MAX) => spaced("a number", name).trim_end().to_owned(),
            _ => format!("{}from {low:?} to {high:?}", spaced("a number", name)),
        };
        self.real(name, &range, |token| parse_float(token).map(Some), expected)
    }

    /// Reads a number of a range. `parse` returns `None` for a number that is not allowed.
    #[track_caller]
    fn real(
        &mut self,
        name: &str,
        range: &RangeInclusive<f64>,
        parse: impl Fn(&[u8]) -> Result<Option<f64>, Why>,
        expected: impl Fn() -> String,
    ) -> f64 {
        let place = Location::caller();
        let (low, high) = (*range.start(), *range.end());
        assert!(
            low <= high,
            "expected a range for {}, found {low}..={high}",
            named(name)
        );
        let (position, token) = self.number_token(|byte, _| is_visible(byte));
        let parsed = parse(&token).map(|value| value.filter(|value| range.contains(value)));
        let value = self.parsed(position, &token, parsed, expected);
        let allowed = [low, high].map(Amount::Real);
        self.bounds.note(name, Amount::Real(value), allowed, place);
        value
    }

    /// Returns the value of a token, or reports that the token is not the expected one.
    fn parsed<T>(
        &mut self,
        position: Position,
        token: &[u8],
        parsed: Result<Option<T>, Why>,
        expected: impl Fn() -> String,
    ) -> T {
        match parsed {
            Ok(Some(value)) => value,
            Ok(None) => self.found(position, &expected(), token, ""),
            Err(why) => self.found(position, &expected(), token, why),
        }
    }

    /// Reads a word of these characters with a length in this range. The bounds of the length are
    /// recorded as `|name|`.
    #[track_caller]
    pub fn token(&mut self, name: &str, chars: Chars, length: RangeInclusive<usize>) -> String {
        let place = Location::caller();
        self.skip_blanks();
        self.characters("a word", name, chars, length, place)
    }

    /// Reads the rest of a line, of these characters and with a length in this range. The end of
    /// the line is not read.
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
        // One character more than the longest word is enough to show that a token is not one of
        // them.
        let token = self.scanner.take_while(longest + 1, is_visible);
        match words.iter().find(|word| word.as_bytes() == token) {
            Some(word) => word,
            None => {
                let expected = format!("{}among {}", spaced("a word", name), listed(words));
                self.found(position, &expected, &token, "")
            }
        }
    }

    /// Reads exactly this text.
    #[track_caller]
    pub fn literal(&mut self, text: &str) {
        // A loose reader skips white space, unless the text begins with it.
        if !text.starts_with([' ', '\n']) {
            self.skip_blanks();
        }
        for byte in text.bytes() {
            if !self.scanner.take(byte) {
                self.unexpected(format_args!("`{}`", text.escape_debug()));
            }
        }
    }

    /// Reads a single space. A loose reader skips any white space.
    #[track_caller]
    pub fn space(&mut self) {
        self.skip_blanks();
        if !self.loose && !self.scanner.take(b' ') {
            self.unexpected("a space");
        }
    }

    /// Reads the end of a line. A loose reader skips any white space.
    #[track_caller]
    pub fn newline(&mut self) {
        // Even a loose reader must not read further: the submission may be waiting for an answer.
        if !self.loose && !self.scanner.take(b'\n') {
            self.unexpected("the end of the line");
        }
    }

    /// Reads the end of the text. A loose reader skips white space before it. The functions that
    /// run programs call it at the end.
    #[track_caller]
    pub fn end_of_file(&mut self) {
        self.skip_blanks();
        if self.scanner.peek().is_some() {
            self.unexpected("the end of the file");
        }
    }

    /// Returns true at the end of the text. A loose reader skips white space first. Waits if more
    /// text may follow.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.scanner.peek().is_none()
    }

    /// Returns the next byte without taking it; `None` at the end.
    pub fn peek(&mut self) -> Option<u8> {
        self.scanner.peek()
    }

    /// Continues only if a condition holds. Otherwise the fault is reported with `what`, a sentence
    /// that describes it.
    pub fn require(&mut self, holds: bool, what: impl Display) {
        if !holds {
            self.reject(what);
        }
    }

    /// Ends the program because of a fault in the text so far.
    pub fn reject(&mut self, what: impl Display) -> ! {
        self.fault(self.scanner.position(), what)
    }

    /// Returns the bounds that were reached, a line for each name, in the format of
    /// `--constraints_file` of BAPCtools:
    /// `place name reached_low reached_high least most low high`.
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

    /// Takes the bytes of a number. `belongs` gets each byte, and true for the first one: in `3-4`
    /// a strict reader finds 3. A loose reader takes the whole token, so that `12x` is not read as
    /// 12.
    fn number_token(&mut self, belongs: fn(u8, bool) -> bool) -> (Position, Vec<u8>) {
        self.skip_blanks();
        let position = self.scanner.position();
        let mut token = Vec::new();
        let loose = self.loose;
        // The bound prevents an untrusted file of digits from filling the memory. No allowed number
        // is that long.
        while token.len() < MAX_NUMBER_BYTES {
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
        let (min_length, max_length) = (*length.start(), *length.end());
        let position = self.scanner.position();
        // Reading stops at the maximum length: an untrusted input must not fill the memory.
        let token = self.scanner.take_while(max_length, |byte| chars.has(byte));
        let ends = self
            .scanner
            .peek()
            .is_none_or(|byte| byte.is_ascii_whitespace() || !(self.loose || chars.has(byte)));
        if !ends || !length.contains(&token.len()) {
            let found = if token.len() < max_length || !ends {
                self.scanner.describe_next()
            } else {
                String::new()
            };
            let kind = spaced(kind, name);
            let expected =
                format!("{kind}of {min_length} to {max_length} characters from `{chars}`");
            let after = format!("found {found} after {} of them", token.len());
            self.fault(position, format_args!("expected {expected}, {after}"));
        }
        if !name.is_empty() {
            // The name in bars, which is the notation of lengths in statements.
            let amount = |length: usize| Amount::Integer(length as i128);
            let allowed = [min_length, max_length].map(amount);
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

    /// Reports a token that differs from the expected form, with the reason unless it is obvious.
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

/// A kind with a name, followed by a space.
fn spaced(kind: &str, name: &str) -> String {
    if name.is_empty() {
        format!("{kind} ")
    } else {
        format!("{kind} `{name}` ")
    }
}
