//! Text to be written.
//!
//! Responsible for collecting the output of a generator, so that it is written in one step. Must
//! not know its meaning.

use std::fmt::{self, Display, Write};

/// Text that `write!` and `writeln!` append to. Appending cannot fail, so there is no result to
/// check:
///
/// ```
/// let mut out = testlib::Text::new();
/// let n = 3;
/// writeln!(out, "{n}");
/// out.line(&[1, 2, 3]);
/// assert_eq!(out.as_str(), "3\n1 2 3\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Creates an empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends formatted text. `write!` calls this method.
    pub fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) {
        self.0
            .write_fmt(arguments)
            .expect("writing to a string cannot fail, and printing a value does not fail");
    }

    /// Appends values with a space between any two of them, and a line break.
    pub fn line<T: Display>(&mut self, values: &[T]) {
        self.0.push_str(&join(values));
        self.0.push('\n');
    }

    /// The text that was written, as a string slice.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Quotes words and joins them with commas.
pub(super) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// Joins values with a space between any two of them.
///
/// ```
/// assert_eq!(testlib::join(&[1, 2, 3]), "1 2 3");
/// assert_eq!(testlib::join::<u8>(&[]), "");
/// ```
pub fn join<T: Display>(values: &[T]) -> String {
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        write!(text, "{value}").expect("writing to a string cannot fail");
    }
    text
}
