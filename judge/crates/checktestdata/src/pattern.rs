//! Regular expressions: POSIX extended ones over bytes, always with the longest match.
//!
//! Responsible for reading their notation and for matching. The notation is that of POSIX;
//! where POSIX leaves open what something means, it is read as the tools that check packages
//! read it: a backslash before punctuation takes away its meaning, in brackets too, and before
//! a letter or digit it is an error outside of brackets. `.` matches every byte, `^` the place
//! where matching begins, `$` the end of the input. Collating elements (`[.a.]`, `[=a=]`) are
//! not supported. Must not know programs.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::error::Excerpt;

/// The most bytes of a regular expression.
const MAX_BYTES: usize = 1 << 16;

/// The most quantifiers one after the other, as in `a+?`.
const MAX_QUANTIFIERS: u32 = 16;

/// The most memory of a compiled regular expression.
const MAX_MEMORY: usize = 8 << 20;

/// A compiled regular expression.
#[derive(Debug)]
pub(crate) struct Pattern {
    automaton: DFA,
}

/// The match that was found, and the number of bytes that were looked at for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The length of the longest match at the beginning.
    pub(crate) length: Option<usize>,
    pub(crate) looked_at: usize,
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
        let fault = |message: &str| {
            format!(
                "the regular expression {} cannot be used: {message}",
                Excerpt(written)
            )
        };
        let translated = Translation::new(written)
            .run()
            .map_err(|message| fault(&message))?;
        let limits = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(MAX_MEMORY))
            .which_captures(thompson::WhichCaptures::None);
        let automaton = DFA::builder()
            // All matches, of which the last one is the longest: POSIX's rule, where `regex`
            // takes the first alternative.
            .configure(
                DFA::config()
                    .match_kind(MatchKind::All)
                    .skip_cache_capacity_check(true),
            )
            .syntax(
                syntax::Config::new()
                    .unicode(false)
                    .utf8(false)
                    .dot_matches_new_line(true),
            )
            .thompson(limits)
            .build(&translated)
            .map_err(|_| fault("it is too large, or nested too deeply"))?;
        Ok(Pattern { automaton })
    }

    /// Memory for matching.
    pub(crate) fn cache(&self) -> Cache {
        self.automaton.create_cache()
    }

    /// The longest match at the beginning of `text`. `None` if matching is not possible, which
    /// does not happen for any expression that can be written.
    pub(crate) fn find(&self, cache: &mut Cache, text: &[u8]) -> Option<Match> {
        let input = Input::new(text).anchored(Anchored::Yes);
        let mut state = self.automaton.start_state_forward(cache, &input).ok()?;
        let mut length = None;
        for (at, byte) in text.iter().enumerate() {
            state = self.automaton.next_state(cache, state, *byte).ok()?;
            // A state says of the text before the byte that led to it whether it matches.
            if state.is_match() {
                length = Some(at);
            } else if state.is_dead() {
                return Some(Match {
                    length,
                    looked_at: at + 1,
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
            looked_at: text.len(),
        })
    }
}

/// A translation from POSIX's notation to that of `regex-automata`.
struct Translation<'a> {
    written: &'a [u8],
    at: usize,
    out: String,
    /// The places in `out` where the open groups begin.
    groups: Vec<usize>,
    /// The place in `out` where the atom begins that a quantifier would repeat.
    atom: Option<usize>,
    /// The number of quantifiers that the atom has already.
    quantifiers: u32,
}

impl<'a> Translation<'a> {
    fn new(written: &'a [u8]) -> Self {
        Translation {
            written,
            at: 0,
            out: String::new(),
            groups: Vec::new(),
            atom: None,
            quantifiers: 0,
        }
    }

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
                        .ok_or("`)` closes nothing; for the character, write `\\\\)`")?;
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
                // `regex-automata` agrees, but these two spellings do not depend on a mode.
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
        // Every literal is written as a number, so that no character has a second meaning in
        // the other notation.
        self.atom(&hexadecimal(byte));
    }

    fn escaped(&mut self) -> Result<u8, String> {
        match self.next() {
            None => Err("it ends with a backslash".to_owned()),
            Some(byte) if byte.is_ascii_alphanumeric() => Err(format!(
                "`\\{0}` is no escape of POSIX extended regular expressions; write the characters, such as `[0-9]`",
                char::from(byte)
            )),
            Some(byte) => Ok(byte),
        }
    }

    fn quantifier(&mut self, translated: &str, sign: char) -> Result<(), String> {
        let start = self
            .atom
            .ok_or_else(|| format!("`{sign}` repeats nothing"))?;
        if self.quantifiers == MAX_QUANTIFIERS {
            return Err("too many quantifiers one after the other".to_owned());
        }
        if self.quantifiers > 0 {
            // Or `a+?` would be another quantifier, not two.
            self.out.insert_str(start, "(?:");
            self.out.push(')');
        }
        self.quantifiers += 1;
        self.out.push_str(translated);
        Ok(())
    }

    /// Reads the bounds that follow `{`: how often something is repeated.
    fn bounds(&mut self) -> Result<String, String> {
        let expected =
            || "expected `{n}`, `{n,}`, `{n,m}` or `{,m}`, with `n` not above `m`".to_owned();
        let least = self.count().map_err(|()| expected())?;
        let has_most = self.peek() == Some(b',');
        self.at += usize::from(has_most);
        let most = if has_most {
            self.count().map_err(|()| expected())?
        } else {
            least
        };
        if self.next() != Some(b'}') || (least.is_none() && most.is_none()) {
            return Err(expected());
        }
        let least = least.unwrap_or(0);
        match most {
            None => Ok(format!("{{{least},}}")),
            Some(most) if most < least => Err(expected()),
            Some(most) => Ok(format!("{{{least},{most}}}")),
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
            let least = self.bracket_escape(byte);
            self.out.push_str(&hexadecimal(least));
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
                let most = self.bracket_escape(next);
                if most < least {
                    return Err(format!(
                        "the range {} is empty",
                        Excerpt(&[least, b'-', most])
                    ));
                }
                self.out.push('-');
                self.out.push_str(&hexadecimal(most));
            }
        }
    }

    /// The character that is meant by this one in brackets, and perhaps the next one.
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
