//! The patterns of `match`.
//!
//! Pure. Must not know which files are searched.
//!
//! Source: BAPCtools, doc/generators.md: regular expressions of Python, in which `^` and `$` match
//! at every line and `.` also matches a line end. Look-around and back references are not
//! supported.

use regex_automata::Input;
use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

/// A regular expression.
#[derive(Debug)]
pub(crate) struct Pattern(DFA);

impl Pattern {
    /// Parses a regular expression.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        // Python's notation for the end of the text.
        let text = text.replace("\\Z", "\\z");
        let syntax = syntax::Config::new()
            .unicode(false)
            .utf8(false)
            .multi_line(true)
            .dot_matches_new_line(true);
        let built = DFA::builder()
            .syntax(syntax)
            .thompson(thompson::Config::new().utf8(false))
            .build(&text);
        built
            .map(Self)
            .map_err(|error| match std::error::Error::source(&error) {
                Some(source) => source
                    .to_string()
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .to_owned(),
                None => error.to_string(),
            })
    }

    /// Returns true when the pattern matches anywhere in the bytes.
    pub(crate) fn matches(&self, bytes: &[u8]) -> bool {
        let mut cache = self.0.create_cache();
        self.0
            .try_search_fwd(&mut cache, &Input::new(bytes))
            .is_ok_and(|found| found.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_and_dots_match_as_in_python() {
        let matches =
            |pattern: &str, text: &str| Pattern::new(pattern).unwrap().matches(text.as_bytes());
        assert!(matches("^b$", "a\nb\nc\n") && matches("^a$.*^c$", "a\nb\nc\n"));
        assert!(
            !matches("\\Ab$", "a\nb\n") && !matches("^bb$", "b\n") && matches("c\\n\\Z", "a\nc\n")
        );
        assert!(matches("\\xff", "é") || Pattern::new("\\xff").unwrap().matches(b"\xff"));
        assert!(Pattern::new("(?!a)").is_err() && Pattern::new("(").is_err());
    }
}
