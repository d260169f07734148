//! Changes of an input: small mutations that turn a test case into a new input.
//!
//! Responsible for changes that often leave an input valid, without knowing its format. Pure.

use judge_exec::Random;

use crate::inputs::number_changes::{
    all_larger, everywhere, inside_a_word, other_number, round_number,
};
use crate::inputs::parts::{Partition, partitions};
use crate::inputs::random::Draw;
use crate::inputs::text::Text;
use crate::inputs::word_changes::{
    longer_or_shorter, other_case, other_letter, other_order, other_word, swap_words,
};

/// The maximum number of lines in which parts are searched. With more, searching would take longer
/// than running programs.
const MAX_LINES: usize = 400;

/// Parts that changes take from other inputs and sources.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Material<'a> {
    /// Words and numbers of the sources.
    pub(crate) literals: &'a [Vec<u8>],
    /// Another input.
    pub(crate) other: &'a [u8],
}

/// Changes an input, once or a few times.
pub(crate) fn mutate(input: &[u8], material: Material<'_>, random: &mut Random) -> Vec<u8> {
    let mut changed = change(input, material, random);
    while random.once_in(2) {
        changed = change(&changed, material, random);
    }
    changed
}

fn change(input: &[u8], material: Material<'_>, random: &mut Random) -> Vec<u8> {
    let text = Text::read(input);
    if text.words().next().is_none() {
        return input.to_vec();
    }
    // Half of the changes keep nearly all inputs valid. The others find faults that valid inputs
    // cannot.
    let changed = match random.below(18) {
        0..2 => Some(without_a_part(&text, random)),
        2 => Some(repeat_or_swap_lines(&text, random)),
        3 => swap_words(&text, random),
        4 => other_letter(&text, random),
        5..9 => other_number(&text, random),
        9 => other_case(&text, random),
        10 => other_word(&text, material.literals, random),
        11 => longer_or_shorter(&text, material.literals, random),
        12 => other_order(&text, random),
        13 => round_number(&text, random),
        14 => everywhere(&text, random),
        15 => inside_a_word(&text, random),
        16 => all_larger(&text, random),
        _ => with_lines_of(&text, &Text::read(material.other), random),
    };
    // Some changes need a number or a word, which the input may not have.
    changed
        .or_else(|| match random.once_in(2) {
            true => other_number(&text, random),
            false => other_letter(&text, random),
        })
        .unwrap_or_else(|| repeat_or_swap_lines(&text, random))
}

/// Removes consecutive parts, and adjusts the numbers that count them.
fn without_a_part(text: &Text, random: &mut Random) -> Vec<u8> {
    // The partition adjusts numbers that count the removed parts, so that many inputs stay valid.
    let guesses = if text.lines.len() <= MAX_LINES {
        partitions(text)
    } else {
        vec![Partition::lines(text)]
    };
    let partition = &guesses[random.index(guesses.len())];
    let count = partition.parts.len();
    // Mostly, few parts are removed: an input without half of its lines is rarely valid.
    let start = random.index(count);
    let length = 1 + random.small((count - start) as u64) as usize;
    let kept: Vec<usize> = (0..count)
        .filter(|part| !(start..start + length).contains(part))
        .collect();
    text.without(&partition.removal(text, &kept))
}

/// Repeats a line, or swaps two lines.
fn repeat_or_swap_lines(text: &Text, random: &mut Random) -> Vec<u8> {
    let count = text.lines.len();
    let (one, other) = (random.index(count), random.index(count));
    let mut order: Vec<usize> = (0..count).collect();
    if random.once_in(2) {
        order.insert(other, one);
    } else {
        order.swap(one, other);
    }
    order
        .iter()
        .flat_map(|line| text.bytes[text.lines[*line].span.clone()].iter().copied())
        .collect()
}

/// Appends the cases of another input, if both inputs begin with the number of their cases, or
/// inserts some lines of the other input anywhere.
fn with_lines_of(text: &Text, other: &Text, random: &mut Random) -> Option<Vec<u8>> {
    if other.lines.is_empty() {
        return None;
    }
    let count = |input: &Text| {
        (input.lines[0].words.len() == 1)
            .then(|| input.number((0, 0)))
            .flatten()
    };
    // Inputs with several cases begin with their number. After appending, the number is the sum of
    // both.
    if let (Some(one), Some(two), true) = (count(text), count(other), random.once_in(2)) {
        let mut joined = text.with_word((0, 0), one.saturating_add(two).to_string().into_bytes());
        joined.extend_from_slice(&other.bytes[other.lines[0].span.end..]);
        return Some(joined);
    }
    let from = random.index(other.lines.len());
    let last = from + random.index(other.lines.len() - from);
    let lines = &other.bytes[other.lines[from].span.start..other.lines[last].span.end];
    let at = text.lines[random.index(text.lines.len())].span.start;
    Some([&text.bytes[..at], lines, &text.bytes[at..]].concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all_with(input: &str, material: Material<'_>) -> BTreeSet<String> {
        let mutated = |number| {
            mutate(
                input.as_bytes(),
                material,
                &mut Random::for_number(3, number),
            )
        };
        (0..9000)
            .map(|number| String::from_utf8_lossy(&mutated(number)).into_owned())
            .collect()
    }

    fn all(input: &str) -> BTreeSet<String> {
        all_with(input, Material::default())
    }

    #[test]
    fn changes_include_small_edits() {
        let found = all("3\n5 6 7\n");
        for expected in [
            "2\n5 7\n",
            "3\n5 6 0\n",
            "3\n5 6 8\n",
            "3\n6 5 7\n",
            "3\n5 5 7\n",
            "3\n5 6 14\n",
            "3\n-5 6 7\n",
        ] {
            assert!(found.contains(expected), "{expected:?}");
        }
        let found = all("5 B\n0 F\n7 F\n8 B\n0 F\n");
        for expected in [
            "7 F\n8 B\n0 F\n",
            "5 F\n0 F\n7 F\n8 B\n0 F\n",
            "5 B\n0 F\n8 B\n7 F\n0 F\n",
        ] {
            assert!(found.contains(expected), "{expected:?}");
        }
    }

    #[test]
    fn changes_use_literals_sizes_and_other_inputs() {
        let literals = ["STOP".into(), "900".into()];
        let found = all_with(
            "2\nend\n8 9\n",
            Material {
                literals: &literals,
                other: b"3\nx\ny\n",
            },
        );
        for (expected, change) in [
            ("2\nEnd\n8 9\n", "case"),
            ("2\nEND\n8 9\n", "case"),
            ("2\nSTOP\n8 9\n", "literals"),
            ("2\nendSTOP\n8 9\n", "longer"),
            ("2\nen\n8 9\n", "shorter"),
            ("2\nend\n9 8\n", "order"),
            ("2\nend\n8 16\n", "powers"),
            ("2\nend\n8 11\n", "neighbours of powers"),
            ("5\nend\n8 9\nx\ny\n", "cases of another input"),
            ("2\nx\nend\n8 9\n", "lines of another input"),
            ("2\nend\n1032 1033\n", "all numbers of a line"),
        ] {
            assert!(found.contains(expected), "{change}: {expected:?}");
        }
        let beyond_floats = |text: &String| {
            let pair = text
                .strip_prefix("2\nend\n")
                .and_then(|line| line.trim_end().split_once(' '));
            let pair =
                pair.and_then(|(one, two)| one.parse::<i64>().ok().zip(two.parse::<i64>().ok()));
            pair.is_some_and(|(one, two)| one > 1 << 53 && two - one == 1)
        };
        assert!(found.iter().any(beyond_floats));
        let found = all("3 3\n4a3 7\n");
        for expected in ["64 64\n4a64 7\n", "3 3\n4a33 7\n", "13 13\n14a13 17\n"] {
            assert!(found.contains(expected), "{expected:?}");
        }
    }

    #[test]
    fn changes_do_not_panic() {
        for input in [
            "",
            "\n",
            "x",
            "9223372036854775807 -9223372036854775808\n",
            "\n\n1",
            "-",
            "-9-",
            "\u{e4}\u{f6}",
        ] {
            all(input);
            all_with(
                "1\nx 2\n",
                Material {
                    literals: &[],
                    other: input.as_bytes(),
                },
            );
        }
    }
}
