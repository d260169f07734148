//! Inputs as lines of words, from which parts can be removed. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The place of a word: the line, and the word in it, both counted from 0.
pub(crate) type Place = (usize, usize);

/// A line, as ranges of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The range of the line, including its newline.
    pub(crate) span: Range<usize>,
    /// The words, which are separated by white space.
    pub(crate) words: Vec<Range<usize>>,
}

/// A parsed input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    pub(crate) lines: Vec<Line>,
}

/// The removal of parts of a text, and the replacement of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) lines: BTreeSet<usize>,
    pub(crate) words: BTreeSet<Place>,
    /// Bytes within words.
    pub(crate) bytes: BTreeSet<usize>,
    pub(crate) replaced: BTreeMap<Place, Vec<u8>>,
}

impl Text {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        while start < bytes.len() {
            let end = bytes[start..]
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(bytes.len(), |at| start + at + 1);
            let mut words = Vec::new();
            let mut at = start;
            for word in bytes[start..end].split(u8::is_ascii_whitespace) {
                if !word.is_empty() {
                    words.push(at..at + word.len());
                }
                at += word.len() + 1;
            }
            lines.push(Line {
                span: start..end,
                words,
            });
            start = end;
        }
        Self {
            bytes: bytes.to_vec(),
            lines,
        }
    }

    pub(crate) fn word(&self, (line, word): Place) -> &[u8] {
        &self.bytes[self.lines[line].words[word].clone()]
    }

    /// The line without its newline and trailing white space.
    pub(crate) fn line(&self, line: usize) -> &[u8] {
        self.bytes[self.lines[line].span.clone()].trim_ascii_end()
    }

    /// The value of a word that is a whole number in canonical notation.
    pub(crate) fn number(&self, place: Place) -> Option<i64> {
        number(self.word(place))
    }

    /// The places of all words.
    pub(crate) fn words(&self) -> impl Iterator<Item = Place> + '_ {
        self.lines
            .iter()
            .enumerate()
            .flat_map(|(line, entry)| (0..entry.words.len()).map(move |word| (line, word)))
    }

    /// The text after a removal. The white space before a removed word is removed too. A line
    /// without remaining words becomes an empty line.
    pub(crate) fn without(&self, removal: &Removal) -> Vec<u8> {
        let mut left = Vec::with_capacity(self.bytes.len());
        for (index, line) in self.lines.iter().enumerate() {
            if removal.lines.contains(&index) {
                continue;
            }
            let words = (index, 0)..=(index, usize::MAX);
            let is_whole = removal.words.range(words.clone()).next().is_none()
                && removal.replaced.range(words).next().is_none()
                && removal.bytes.range(line.span.clone()).next().is_none();
            if is_whole {
                left.extend_from_slice(&self.bytes[line.span.clone()]);
                continue;
            }
            self.rest_of_line(index, line, removal, &mut left);
        }
        left
    }

    /// The text with another word in one place.
    pub(crate) fn with_word(&self, place: Place, word: Vec<u8>) -> Vec<u8> {
        self.without(&Removal {
            replaced: [(place, word)].into(),
            ..Removal::default()
        })
    }

    fn rest_of_line(&self, index: usize, line: &Line, removal: &Removal, left: &mut Vec<u8>) {
        let mut is_first = true;
        for (word, span) in line.words.iter().enumerate() {
            if removal.words.contains(&(index, word)) {
                continue;
            }
            // White space belongs to the word after it. Only the first remaining word gets the
            // indentation of the line instead, because its own separator would become one.
            let before = if is_first {
                line.span.start..line.words[0].start
            } else {
                line.words[word - 1].end..span.start
            };
            left.extend_from_slice(&self.bytes[before]);
            is_first = false;
            match removal.replaced.get(&(index, word)) {
                Some(other) => left.extend_from_slice(other),
                None => {
                    let kept = span.clone().filter(|at| !removal.bytes.contains(at));
                    left.extend(kept.map(|at| self.bytes[at]));
                }
            }
        }
        let end = line.words.last().map_or(line.span.start, |word| word.end)..line.span.end;
        left.extend_from_slice(&self.bytes[end]);
    }
}

/// Parses a whole number in canonical notation: without a plus, leading zeros, or other characters.
pub(crate) fn number(word: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse::<i64>()
        .ok()
        .filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(
        text: &str,
        lines: &[usize],
        words: &[Place],
        bytes: &[usize],
        replaced: &[(Place, &str)],
    ) -> String {
        let removal = Removal {
            lines: lines.iter().copied().collect(),
            words: words.iter().copied().collect(),
            bytes: bytes.iter().copied().collect(),
            replaced: replaced
                .iter()
                .map(|(place, text)| (*place, text.as_bytes().to_vec()))
                .collect(),
        };
        String::from_utf8(Text::read(text.as_bytes()).without(&removal)).unwrap()
    }

    #[test]
    fn an_empty_removal_changes_nothing() {
        for text in ["", "\n", "a", "a\n\n b  c \r\n", "\n\n x"] {
            assert_eq!(left(text, &[], &[], &[], &[]), text);
        }
    }

    #[test]
    fn words_are_removed_with_the_preceding_white_space() {
        assert_eq!(left("a b  c\n", &[], &[(0, 1)], &[], &[]), "a  c\n");
        assert_eq!(left("a b  c\n", &[], &[(0, 0)], &[], &[]), "b  c\n");
        assert_eq!(left("a b  c\n", &[], &[(0, 0), (0, 1)], &[], &[]), "c\n");
        assert_eq!(left("a b c", &[], &[(0, 1), (0, 2)], &[], &[]), "a");
        assert_eq!(
            left("3 a\nx\n", &[1], &[(0, 1)], &[], &[((0, 0), "2")]),
            "2\n"
        );
        assert_eq!(left("abc de\n", &[], &[], &[1, 4], &[]), "ac e\n");
    }

    #[test]
    fn only_canonical_numbers_are_recognized() {
        let numbers = ["0", "-7", "12"].map(|word| number(word.as_bytes()));
        assert_eq!(numbers, [Some(0), Some(-7), Some(12)]);
        for word in ["", "+1", "01", "-0", "1.0", "x", "99999999999999999999"] {
            assert_eq!(number(word.as_bytes()), None, "{word}");
        }
    }
}
