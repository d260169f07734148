//! Parts of an input that can be removed together: lines, blocks of lines, words, columns and
//! characters, each with the numbers that seem to count them.
//!
//! Responsible for guessing the structure of an input without knowing its format: a wrong guess
//! only costs a run of the input validator. Pure. Must not decide which parts are removed.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::inputs::text::{Place, Removal, Text};

/// The number of lines above which only numbers in the first lines may count parts.
const MANY_LINES: usize = 120;
/// The number of lines before a part that may contain its count.
const HEAD: usize = 3;
/// The number of words above which words are not removed one by one.
pub(crate) const MANY_WORDS: usize = 4000;
/// The maximum number of kinds of lines that are tried as ends of blocks.
const MAX_KINDS: usize = 6;

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Lines(Range<usize>),
    Words(Vec<Place>),
    /// Bytes within words.
    Bytes(Vec<usize>),
    /// A line and the column with the same index.
    Cross(usize, Vec<Place>),
}

/// Parts of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    pub(crate) parts: Vec<Part>,
    /// Numbers that seem to count the parts. They decrease by one for each part that is removed.
    pub(crate) counts: Vec<Place>,
}

impl Partition {
    fn uncounted(parts: Vec<Part>) -> Self {
        let counts = Vec::new();
        Self { parts, counts }
    }

    /// Each line is a part.
    pub(crate) fn lines(text: &Text) -> Self {
        let lines = 0..text.lines.len();
        Self::uncounted(lines.map(|line| Part::Lines(line..line + 1)).collect())
    }

    /// The removal of all parts except these, which are given in order.
    pub(crate) fn removal(&self, text: &Text, kept: &[usize]) -> Removal {
        let mut removal = Removal::default();
        let mut kept = kept.iter().peekable();
        let mut gone = 0;
        for (index, part) in self.parts.iter().enumerate() {
            if kept.next_if(|next| **next == index).is_some() {
                continue;
            }
            gone += 1;
            match part {
                Part::Lines(lines) => removal.lines.extend(lines.clone()),
                Part::Words(words) => removal.words.extend(words.iter().copied()),
                Part::Bytes(bytes) => removal.bytes.extend(bytes.iter().copied()),
                Part::Cross(line, words) => {
                    removal.lines.insert(*line);
                    removal.words.extend(words.iter().copied());
                }
            }
        }
        for place in &self.counts {
            let count = text.number(*place).unwrap_or(0) - gone;
            removal
                .replaced
                .insert(*place, count.to_string().into_bytes());
        }
        removal
    }
}

/// All guesses about the structure of an input, the largest parts first.
pub(crate) fn partitions(text: &Text) -> Vec<Partition> {
    let mut found = blocks(text);
    found.push(Partition::lines(text));
    found.extend(counted_lines(text));
    found.extend(columns(text));
    // Each attempt to remove a part runs programs. In a large input, single words are so many that
    // they would use up the time for larger parts.
    if text.words().count() <= MANY_WORDS {
        let words = text.words().map(|place| Part::Words(vec![place])).collect();
        found.push(Partition::uncounted(words));
        found.extend(rests_of_lines(text));
        found.extend(characters(text));
    }
    found.retain(|partition| !partition.parts.is_empty());
    found
}

/// The places of numbers with this value in these lines.
fn counts(text: &Text, lines: Range<usize>, value: usize) -> Vec<Place> {
    let value = i64::try_from(value).ok();
    let lines = lines.start.min(text.lines.len())..lines.end.min(text.lines.len());
    let words =
        lines.flat_map(|line| (0..text.lines[line].words.len()).map(move |word| (line, word)));
    words
        .filter(|place| text.number(*place).is_some() && text.number(*place) == value)
        .collect()
}

/// The shape of a line, in which all runs of digits look the same, and all runs of letters.
fn shape(line: &[u8]) -> Vec<u8> {
    let mut shape: Vec<u8> = Vec::new();
    for byte in line {
        let kind = match byte {
            b'0'..=b'9' => b'9',
            b'a'..=b'z' | b'A'..=b'Z' => b'a',
            b'-' => continue,
            other => *other,
        };
        if shape.last() != Some(&kind) || !kind.is_ascii_alphanumeric() {
            shape.push(kind);
        }
    }
    shape
}

/// Blocks of lines after a head of up to two lines: blocks that begin or end with lines that are
/// equal or have the same shape, and blocks with the number of their lines in their first line.
fn blocks(text: &Text) -> Vec<Partition> {
    let count = text.lines.len();
    let mut kinds: Vec<Vec<bool>> = Vec::new();
    for classify in [&|line: usize| text.line(line).to_vec(), &|line: usize| {
        shape(text.line(line))
    }] as [&dyn Fn(usize) -> Vec<u8>; 2]
    {
        let mut seen: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        (0..count).for_each(|line| *seen.entry(classify(line)).or_default() += 1);
        // A line that occurs once separates nothing. If all lines are of one kind, the blocks are
        // single lines, which are a partition of their own.
        let mut often: Vec<_> = seen
            .into_iter()
            .filter(|(_, times)| *times >= 2 && *times < count)
            .collect();
        often.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        for (kind, _) in often.into_iter().take(MAX_KINDS) {
            let marks: Vec<bool> = (0..count).map(|line| classify(line) == kind).collect();
            if !kinds.contains(&marks) {
                kinds.push(marks);
            }
        }
    }
    let mut found = Vec::new();
    for head in 0..HEAD.min(count) {
        for marks in &kinds {
            let ends: Vec<usize> = (head..count)
                .filter(|line| marks[*line])
                .map(|line| line + 1)
                .collect();
            let starts: Vec<usize> = (head..count).filter(|line| marks[*line]).collect();
            // The input does not show whether a repeated line ends a block or begins one, so both
            // are tried.
            found.extend(cut(text, head, &[&[head], &*ends].concat()));
            found.extend(cut(text, head, &[&*starts, &[count]].concat()));
        }
        for word in 0..2 {
            found.extend(self_counting(text, head, word));
        }
    }
    found
}

/// The blocks between these places, if there is more than one.
fn cut(text: &Text, head: usize, places: &[usize]) -> Vec<Partition> {
    let pairs = places.windows(2).filter(|pair| pair[0] < pair[1]);
    let parts: Vec<Part> = pairs.map(|pair| Part::Lines(pair[0]..pair[1])).collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    let counts = counts(text, 0..head, parts.len());
    match (head, counts.is_empty()) {
        // Without a count, the head makes no difference.
        (0, _) | (_, false) => vec![Partition { parts, counts }],
        _ => Vec::new(),
    }
}

/// Blocks that contain the number of their remaining lines in their first line, at this word.
fn self_counting(text: &Text, head: usize, word: usize) -> Vec<Partition> {
    let mut places = vec![head];
    let mut at = head;
    while at < text.lines.len() {
        let next = || {
            text.lines[at].words.get(word)?;
            let lines = usize::try_from(text.number((at, word))?).ok()?;
            at.checked_add(lines)?.checked_add(1)
        };
        let Some(next) = next() else {
            return Vec::new();
        };
        at = next;
        places.push(at);
    }
    // Only if the last block ends exactly with the input are the numbers likely to be counts.
    if at != text.lines.len() {
        Vec::new()
    } else {
        cut(text, head, &places)
    }
}

/// Lines that a number above them seems to count: as many lines or one less, directly below the
/// number or a few lines further down, or all lines below, in groups of equal size.
fn counted_lines(text: &Text) -> Vec<Partition> {
    let count = text.lines.len();
    let mut found = Vec::new();
    let last = if count > MANY_LINES { HEAD } else { count };
    for line in 0..last.min(count) {
        for word in 0..text.lines[line].words.len() {
            let Some(value) = text
                .number((line, word))
                .and_then(|value| usize::try_from(value).ok())
            else {
                continue;
            };
            let mut add = |start: usize, lines: usize, each: usize| {
                if lines > 0 && start + lines * each <= count {
                    let parts = (0..lines)
                        .map(|at| Part::Lines(start + at * each..start + (at + 1) * each))
                        .collect();
                    let counts = vec![(line, word)];
                    let partition = Partition { parts, counts };
                    if !found.contains(&partition) {
                        found.push(partition);
                    }
                }
            };
            // A number that is larger than the number of lines does not count lines.
            if value == 0 || value > count {
                continue;
            }
            // A few lines of other data may be between the number and the lines. A tree with n
            // vertices has n - 1 edges.
            for skipped in 0..HEAD {
                add(line + 1 + skipped, value, 1);
                add(line + 1 + skipped, value - 1, 1);
            }
            let lines_below = count - line - 1;
            if lines_below > value && lines_below.is_multiple_of(value) {
                add(line + 1, value, lines_below / value);
            }
        }
    }
    found
}

/// Columns of consecutive lines with the same number of words, or of characters in their only word.
fn columns(text: &Text) -> Vec<Partition> {
    let width = |line: usize| match text.lines[line].words.as_slice() {
        [only] => (1, only.len()),
        words => (words.len(), 0),
    };
    let count = text.lines.len();
    let lines: Vec<usize> = (0..count).collect();
    let mut found = Vec::new();
    for run in lines.chunk_by(|one, other| width(*one) == width(*other)) {
        let run = run[0]..run[0] + run.len();
        let (words, characters) = width(run.start);
        let columns = if words == 1 { characters } else { words };
        // A single column is not a grid, and a large grid has too many words to try.
        if columns < 2 || run.len() * columns > 4 * MANY_WORDS {
            continue;
        }
        // A head line may have as many words as the lines that it counts.
        for start in run.start..run.end.min(run.start + 2) {
            let lines = start..run.end;
            let column = |at: usize| {
                let lines = lines.clone();
                match words {
                    1 => Part::Bytes(
                        lines
                            .map(|line| text.lines[line].words[0].start + at)
                            .collect(),
                    ),
                    _ => Part::Words(lines.map(|line| (line, at)).collect()),
                }
            };
            let parts: Vec<Part> = (0..columns).map(column).collect();
            let above = counts(text, start.saturating_sub(HEAD)..start, columns);
            found.extend(with_counts(&parts, &above));
            found.push(Partition::uncounted(parts));
            // A square is often a matrix over vertices. A vertex is removed with its row and its
            // column.
            if words > 1 && lines.len() == columns {
                let crosses = (0..columns).map(|at| {
                    let others = lines.clone().filter(|line| *line != start + at);
                    Part::Cross(start + at, others.map(|line| (line, at)).collect())
                });
                found.extend(with_counts(&crosses.collect::<Vec<_>>(), &above));
            }
        }
    }
    // The words of each single line.
    for line in 0..count.min(MANY_LINES) {
        let words = text.lines[line].words.len();
        if (2..=MANY_WORDS).contains(&words) {
            let parts = words_of(line, 0..words);
            let above = counts(text, line.saturating_sub(HEAD)..line, words);
            found.extend(with_counts(&parts, &above));
        }
    }
    found
}

/// Partitions with each of the counts alone, and with all of them.
fn with_counts(parts: &[Part], counts: &[Place]) -> Vec<Partition> {
    let partition = |counts: &[Place]| Partition {
        parts: parts.to_vec(),
        counts: counts.to_vec(),
    };
    let mut found: Vec<Partition> = counts
        .iter()
        .map(|count| partition(std::slice::from_ref(count)))
        .collect();
    if counts.len() > 1 {
        found.push(partition(counts));
    }
    found
}

/// Some words of a line, each as a part.
fn words_of(line: usize, words: Range<usize>) -> Vec<Part> {
    words.map(|word| Part::Words(vec![(line, word)])).collect()
}

/// Words that a number before them in the same line seems to count.
fn rests_of_lines(text: &Text) -> Vec<Partition> {
    let mut found = Vec::new();
    for line in 0..text.lines.len().min(MANY_LINES) {
        let words = text.lines[line].words.len();
        for word in 0..words.saturating_sub(1) {
            let rest = words - word - 1;
            let value = text.number((line, word));
            if value.is_some_and(|value| usize::try_from(value) == Ok(rest)) {
                found.push(Partition {
                    parts: words_of(line, word + 1..words),
                    counts: vec![(line, word)],
                });
            }
        }
    }
    found
}

/// The characters of words that are not numbers: those of each word with a number that seems to
/// count them, and those of all words.
fn characters(text: &Text) -> Vec<Partition> {
    let mut found = Vec::new();
    let mut all = Vec::new();
    for (line, word) in text.words() {
        let span = text.lines[line].words[word].clone();
        // Numbers are reduced by their value elsewhere. Removing single digits would turn them into
        // arbitrary other numbers.
        if span.len() < 2 || text.number((line, word)).is_some() {
            continue;
        }
        all.extend(span.clone().map(|at| Part::Bytes(vec![at])));
        if line < MANY_LINES {
            let parts: Vec<Part> = span.clone().map(|at| Part::Bytes(vec![at])).collect();
            let mut near = counts(text, line.saturating_sub(HEAD)..line + 1, span.len());
            near.retain(|place| *place < (line, word));
            found.extend(with_counts(&parts, &near));
        }
    }
    if all.len() <= MANY_WORDS {
        found.push(Partition::uncounted(all));
    }
    found
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
