//! Arguments: named options, words, and a seed at the end.
//!
//! Responsible for parsing them, and for refusing unexpected ones. Must not know their meaning.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::ending::broken;
use super::number::{parse_integer, Integer};
use super::random::Random;
use super::text::listed;

/// The arguments of a program. Each of them is taken once.
///
/// An option is `--name value` or `--name=value` (a single dash works too), a flag is `--name`, and
/// the rest are words. Options must be requested before words. Arguments that are left at the end
/// of the program are an error, so that no misspelt option is overlooked.
///
/// ```
/// use testlib::Args;
/// let mut args = Args::for_test(["--n=5", "--kind", "path", "--shuffle", "1234"]);
/// assert_eq!(args.int("n", 1..=10), 5);
/// assert_eq!(args.int_or("m", 1..=10, 7), 7);
/// assert_eq!(args.choice("kind", &["star", "path"]), "path");
/// assert!(args.flag("shuffle"));
/// let mut random = args.random();
/// args.finish();
/// # random.bits();
/// ```
///
/// On a wrong call, the program exits with a message and code 1.
#[derive(Clone, Debug)]
pub struct Args {
    words: Vec<String>,
    /// True in tests, where faults cause panics.
    panics: bool,
}

impl Args {
    /// Returns the arguments of the program itself.
    #[must_use]
    pub fn from_program() -> Self {
        let words = std::env::args_os()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned());
        Self {
            words: words.collect(),
            panics: false,
        }
    }

    /// Creates arguments for a test, where faults cause panics.
    #[must_use]
    pub fn for_test<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        Self {
            words: words.into_iter().map(Into::into).collect(),
            panics: true,
        }
    }

    pub(super) fn from_words(words: Vec<String>) -> Self {
        Self {
            words,
            panics: false,
        }
    }

    /// Takes the value of an option, if it is given.
    pub fn text_if_given(&mut self, name: &str) -> Option<String> {
        let names = [format!("--{name}"), format!("-{name}")];
        // Only the first matching word is taken, so a second one with the same name remains, and
        // `finish` refuses it.
        let index = self.words.iter().position(|word| {
            let option = word.split_once('=').map_or(&**word, |(option, _)| option);
            names.iter().any(|name| name == option)
        })?;
        let word = self.words.remove(index);
        if let Some((_, value)) = word.split_once('=') {
            return Some(value.to_owned());
        }
        Some(self.take_value(index, &word))
    }

    /// Takes the value at an index, which follows this word.
    fn take_value(&mut self, index: usize, word: &str) -> String {
        if index == self.words.len() {
            self.fault(format_args!("expected a value after `{word}`"));
        }
        self.words.remove(index)
    }

    /// Takes the value of an option.
    pub fn text(&mut self, name: &str) -> String {
        match self.text_if_given(name) {
            Some(text) => text,
            None => self.fault(format_args!("expected the option `--{name}`")),
        }
    }

    /// Takes the value of an option, or returns `otherwise`.
    pub fn text_or(&mut self, name: &str, otherwise: &str) -> String {
        self.text_if_given(name)
            .unwrap_or_else(|| otherwise.to_owned())
    }

    /// Takes the value of an option, which must be one of these words.
    pub fn choice<'a>(&mut self, name: &str, words: &[&'a str]) -> &'a str {
        let text = self.text(name);
        match words.iter().find(|word| **word == text) {
            Some(word) => word,
            None => {
                let expected = listed(words);
                self.fault(format_args!(
                    "option `--{name}`: expected one of {expected}, found `{text}`"
                ))
            }
        }
    }

    /// Takes an option that is an integer. Exponents are allowed: `2e5`.
    pub fn int<T: Integer>(&mut self, name: &str, range: RangeInclusive<T>) -> T {
        let text = self.text(name);
        self.to_int(&format!("option `--{name}`"), &text, &range)
    }

    /// Takes an option that is an integer, or returns `otherwise`.
    pub fn int_or<T: Integer>(&mut self, name: &str, range: RangeInclusive<T>, otherwise: T) -> T {
        let text = self.text_if_given(name);
        text.map_or(otherwise, |text| {
            self.to_int(&format!("option `--{name}`"), &text, &range)
        })
    }

    /// Takes an option that is a number.
    pub fn real(&mut self, name: &str, range: RangeInclusive<f64>) -> f64 {
        let text = self.text(name);
        match text.parse().ok().filter(|value| range.contains(value)) {
            Some(value) => value,
            None => {
                let (low, high) = (range.start(), range.end());
                self.fault(format_args!(
                    "option `--{name}`: expected a number from {low} to {high}, found `{text}`"
                ))
            }
        }
    }

    /// Takes an option of any type that can be parsed.
    pub fn parse<T: FromStr>(&mut self, name: &str) -> T
    where
        T::Err: Display,
    {
        let text = self.text(name);
        self.to_value(name, &text)
    }

    /// Takes an option of any type that can be parsed, or returns `otherwise`.
    pub fn parse_or<T: FromStr>(&mut self, name: &str, otherwise: T) -> T
    where
        T::Err: Display,
    {
        let text = self.text_if_given(name);
        text.map_or(otherwise, |text| self.to_value(name, &text))
    }

    /// Takes a flag. Returns true if it is given.
    pub fn flag(&mut self, name: &str) -> bool {
        let names = [format!("--{name}"), format!("-{name}")];
        let index = self.words.iter().position(|word| names.contains(word));
        index.map(|index| self.words.remove(index)).is_some()
    }

    /// Takes the next word that is not an option. `what` describes it in messages.
    pub fn word(&mut self, what: &str) -> String {
        match self.words.iter().position(|word| !is_option(word)) {
            Some(index) => self.words.remove(index),
            None => self.fault(format_args!("expected {what} as the next argument")),
        }
    }

    /// Takes the next word as an integer. `what` describes it in messages.
    pub fn int_word<T: Integer>(&mut self, what: &str, range: RangeInclusive<T>) -> T {
        let text = self.word(what);
        self.to_int(what, &text, &range)
    }

    /// Takes the seed, which is the last argument and an integer from 0 to 2⁶⁴ - 1, and returns its
    /// random numbers.
    pub fn random(&mut self) -> Random {
        let word = self.words.pop().unwrap_or_default();
        match word.parse() {
            Ok(seed) => Random::new(seed),
            Err(_) => self.fault(format_args!(
                "expected a seed (an integer) as the last argument, found `{word}`"
            )),
        }
    }

    /// Takes the value that follows a word without dashes, as in the arguments of the default
    /// output validator: `float_tolerance 1e-6`.
    pub fn value_after(&mut self, word: &str) -> Option<String> {
        let index = self.words.iter().position(|found| found == word)?;
        self.words.remove(index);
        Some(self.take_value(index, word))
    }

    /// Returns true if no argument remains.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Refuses remaining arguments. The functions that run programs call it at the end.
    pub fn finish(&mut self) {
        if let Some(word) = self.words.first() {
            let kind = if is_option(word) {
                "option"
            } else {
                "argument"
            };
            self.fault(format_args!(
                "unknown {kind} `{word}`, or it is given twice"
            ));
        }
    }

    fn to_int<T: Integer>(&self, what: &str, text: &str, range: &RangeInclusive<T>) -> T {
        let (low, high) = (range.start().to_wide(), range.end().to_wide());
        let value = parse_short(text).filter(|value| (low..=high).contains(value));
        match value.and_then(T::from_wide) {
            Some(value) => value,
            None => self.fault(format_args!(
                "{what}: expected an integer from {low} to {high}, found `{text}`"
            )),
        }
    }

    fn to_value<T: FromStr>(&self, name: &str, text: &str) -> T
    where
        T::Err: Display,
    {
        match text.parse() {
            Ok(value) => value,
            Err(error) => self.fault(format_args!("option `--{name}`: {error}, found `{text}`")),
        }
    }

    fn fault(&self, what: impl Display) -> ! {
        // Tests can catch a panic, but not the end of the process.
        if self.panics {
            panic!("{}", what);
        }
        broken(format_args!("wrong call: {what}"))
    }
}

/// Returns true for a word that begins with a dash and is not a number.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Parses an integer, which may have an exponent: `2e5`.
fn parse_short(text: &str) -> Option<i128> {
    // Both the product and the power are checked, because arguments of a generator come from a file
    // that may be wrong.
    let (factor, power) = text.split_once('e').unwrap_or((text, "0"));
    let factor = parse_integer(factor.as_bytes()).ok()??;
    factor.checked_mul(10_i128.checked_pow(power.parse().ok()?)?)
}
