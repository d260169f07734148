//! Regular expressions: POSIX extended ones over bytes, always with the longest match.
//!
//! Responsible for parsing and for matching. The syntax is that of POSIX; where POSIX leaves the
//! meaning open, this module follows the tools that check packages: a backslash escapes
//! punctuation, also in brackets, and is an error before a letter or digit outside of brackets. `.`
//! matches every byte, `^` the position where matching begins, `$` the end of the input. Collating
//! elements (`[.a.]`, `[=a=]`) are not supported. Must not depend on programs.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::error::Excerpt;

/// The maximum length of a regular expression, in bytes.
const MAX_BYTES: usize = 1 << 16;

/// The maximum number of consecutive quantifiers, as in `a+?`.
const MAX_QUANTIFIERS: u32 = 16;

/// The maximum memory of a compiled regular expression, in bytes.
const MAX_MEMORY: usize = 8 << 20;

/// A compiled regular expression.
#[derive(Debug)]
pub(crate) struct Pattern {
    automaton: DFA,
}

/// A match, and the number of bytes that were examined to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The length of the longest match at the beginning.
    pub(crate) length: Option<usize>,
    pub(crate) examined_bytes: usize,
}

impl Pattern {
    /// Reads a regular expression. The error is a message on one line.
    pub(crate) fn parse(written: &[u8]) -> Result<Pattern, String> {
        if written.len() > MAX_BYTES {
            return Err(format!(
                "expected a regular expression of at most {MAX_BYTES} bytes, found {}",
                written.len()
            ));
        }
        let shown = Excerpt(written);
        let fault =
            |message: &str| format!("the regular expression {shown} cannot be used: {message}");
        let translation = Translation {
            written,
            ..Translation::default()
        };
        let translated = translation.run().map_err(|message| fault(&message))?;
        let limits = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(MAX_MEMORY))
            .which_captures(thompson::WhichCaptures::None);
        // All matches, of which the last one is the longest: POSIX's rule, where `regex` takes the
        // first alternative.
        let matching = DFA::config().match_kind(MatchKind::All);
        let syntax = syntax::Config::new().unicode(false).utf8(false);
        let automaton = DFA::builder()
            .configure(matching.skip_cache_capacity_check(true))
            .syntax(syntax.dot_matches_new_line(true))
            .thompson(limits)
            .build(&translated)
            .map_err(|_| fault("it is too large, or nested too deeply"))?;
        Ok(Pattern { automaton })
    }

    /// Creates the memory that matching needs.
    pub(crate) fn cache(&self) -> Cache {
        self.automaton.create_cache()
    }

    /// Returns the longest match at the beginning of `text`, or `None` if the automaton gives up,
    /// which no expression that [`parse`](Self::parse) accepts causes.
    pub(crate) fn find(&self, cache: &mut Cache, text: &[u8]) -> Option<Match> {
        let input = Input::new(text).anchored(Anchored::Yes);
        let mut state = self.automaton.start_state_forward(cache, &input).ok()?;
        let mut length = None;
        for (at, byte) in text.iter().enumerate() {
            state = self.automaton.next_state(cache, state, *byte).ok()?;
            // A match is reported one byte late: the state after a byte shows whether the text
            // before that byte matches.
            if state.is_match() {
                length = Some(at);
            } else if state.is_dead() {
                return Some(Match {
                    length,
                    examined_bytes: at + 1,
                });
            } else if state.is_quit() {
                return None;
            }
        }
        if self.automaton.next_eoi_state(cache, state).ok()?.is_match() {
            length = Some(text.len());
        }
        Some(Match {
            length,
            examined_bytes: text.len(),
        })
    }
}

/// A translation from POSIX's notation to that of `regex-automata`.
#[derive(Default)]
struct Translation<'a> {
    written: &'a [u8],
    at: usize,
    out: String,
    /// The positions in `out` where the open groups begin.
    groups: Vec<usize>,
    /// The position in `out` of the atom that a quantifier would repeat.
    atom: Option<usize>,
    /// The number of quantifiers that the atom already has.
    quantifiers: u32,
}

impl Translation<'_> {
    fn run(mut self) -> Result<String, String> {
        while let Some(byte) = self.next() {
            match byte {
                b'(' => {
                    self.groups.push(self.out.len());
                    self.out.push_str("(?:");
                    self.atom = None;
                }
                b')' => {
                    let start = self
                        .groups
                        .pop()
                        .ok_or("unmatched `)`; write `\\\\)` for the character")?;
                    self.out.push(')');
                    self.set_atom(start);
                }
                b'|' => {
                    self.out.push('|');
                    self.atom = None;
                }
                b'*' | b'+' | b'?' => {
                    self.quantifier(&char::from(byte).to_string(), char::from(byte))?;
                }
                b'{' => {
                    let bounds = self.bounds()?;
                    self.quantifier(&bounds, '{')?;
                }
                b'.' => self.atom("."),
                // POSIX anchors refer to the whole text. Outside of its multi-line mode
                // `regex-automata` agrees, but these two spellings are independent of the mode.
                b'^' => self.atom("\\A"),
                b'$' => self.atom("\\z"),
                b'[' => self.bracket()?,
                b'\\' => {
                    let escaped = self.escaped()?;
                    self.literal(escaped);
                }
                _ => self.literal(byte),
            }
        }
        if self.groups.is_empty() {
            Ok(self.out)
        } else {
            Err("a `(` is not closed".to_owned())
        }
    }

    fn peek(&self) -> Option<u8> {
        self.written.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn set_atom(&mut self, start: usize) {
        self.atom = Some(start);
        self.quantifiers = 0;
    }

    fn atom(&mut self, translated: &str) {
        self.set_atom(self.out.len());
        self.out.push_str(translated);
    }

    fn literal(&mut self, byte: u8) {
        // Every literal is written as a number, so that no character has a special meaning in the
        // target notation.
        self.atom(&hexadecimal(byte));
    }

    fn escaped(&mut self) -> Result<u8, String> {
        match self.next() {
            None => Err("it ends with a backslash".to_owned()),
            Some(byte) if byte.is_ascii_alphanumeric() => Err(format!(
                "`\\{0}` is not an escape in POSIX extended regular expressions; write the characters, such as `[0-9]`",
                char::from(byte)
            )),
            Some(byte) => Ok(byte),
        }
    }

    fn quantifier(&mut self, translated: &str, sign: char) -> Result<(), String> {
        let start = self
            .atom
            .ok_or_else(|| format!("`{sign}` has nothing to repeat"))?;
        if self.quantifiers == MAX_QUANTIFIERS {
            return Err("too many consecutive quantifiers".to_owned());
        }
        if self.quantifiers > 0 {
            // Without the group, `a+?` would be a single lazy quantifier.
            self.out.insert_str(start, "(?:");
            self.out.push(')');
        }
        self.quantifiers += 1;
        self.out.push_str(translated);
        Ok(())
    }

    /// Reads the bounds of a repetition, which follow `{`.
    fn bounds(&mut self) -> Result<String, String> {
        let expected =
            || "expected `{n}`, `{n,}`, `{n,m}` or `{,m}`, with `n` not above `m`".to_owned();
        let min = self.count().map_err(|()| expected())?;
        let has_max = self.peek() == Some(b',');
        self.at += usize::from(has_max);
        let max = if has_max {
            self.count().map_err(|()| expected())?
        } else {
            min
        };
        if self.next() != Some(b'}') || (min.is_none() && max.is_none()) {
            return Err(expected());
        }
        let min = min.unwrap_or(0);
        match max {
            None => Ok(format!("{{{min},}}")),
            Some(max) if max < min => Err(expected()),
            Some(max) => Ok(format!("{{{min},{max}}}")),
        }
    }

    fn count(&mut self) -> Result<Option<u32>, ()> {
        let mut count = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            count = Some(count.unwrap_or(0) * 10 + u32::from(digit - b'0'));
            // Counts far above what the memory limit allows are refused here, before they
            // overflow.
            if count > Some(1_000_000) {
                return Err(());
            }
        }
        Ok(count)
    }

    /// Reads the bracket expression that follows `[`.
    fn bracket(&mut self) -> Result<(), String> {
        self.set_atom(self.out.len());
        self.out.push('[');
        if self.peek() == Some(b'^') {
            self.at += 1;
            self.out.push('^');
        }
        let first = self.at;
        loop {
            let unclosed = "unclosed `[`: a literal `]` must come first, or after a backslash";
            let byte = self.next().ok_or(unclosed)?;
            // POSIX takes a `]` that comes first as a literal, also after `^`.
            if byte == b']' && self.at - 1 > first {
                self.out.push(']');
                return Ok(());
            }
            if byte == b'[' && matches!(self.peek(), Some(b':' | b'.' | b'=')) {
                self.class()?;
                continue;
            }
            let min = self.bracket_escape(byte);
            self.out.push_str(&hexadecimal(min));
            // A `-` before the closing `]` is a literal and begins no range.
            if self.peek() == Some(b'-')
                && self
                    .written
                    .get(self.at + 1)
                    .is_some_and(|next| *next != b']')
            {
                self.at += 1;
                let next = self.next().ok_or(unclosed)?;
                if next == b'[' && matches!(self.peek(), Some(b':' | b'.' | b'=')) {
                    return Err("a range needs a character at its end".to_owned());
                }
                let max = self.bracket_escape(next);
                if max < min {
                    return Err(format!("the range {} is empty", Excerpt(&[min, b'-', max])));
                }
                self.out.push('-');
                self.out.push_str(&hexadecimal(max));
            }
        }
    }

    /// Resolves a possible escape in brackets and returns the character that it stands for.
    fn bracket_escape(&mut self, byte: u8) -> u8 {
        match self.peek() {
            Some(next) if byte == b'\\' && next.is_ascii_punctuation() => {
                self.at += 1;
                next
            }
            _ => byte,
        }
    }

    /// Reads the class that follows `[` in brackets, such as `[:digit:]`.
    fn class(&mut self) -> Result<(), String> {
        const CLASSES: [&str; 12] = [
            "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
            "space", "upper", "xdigit",
        ];
        let rest = &self.written[self.at..];
        let class = CLASSES.iter().find(|name| {
            rest.strip_prefix(b":")
                .and_then(|rest| rest.strip_prefix(name.as_bytes()))
                .is_some_and(|rest| rest.starts_with(b":]"))
        });
        let class =
            class.ok_or("in brackets, expected a class such as `[:digit:]` or `[:alpha:]`; no collating elements")?;
        self.at += class.len() + 3;
        self.out.push_str(&format!("[:{class}:]"));
        Ok(())
    }
}

fn hexadecimal(byte: u8) -> String {
    format!("\\x{byte:02X}")
}
