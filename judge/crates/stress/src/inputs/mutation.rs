//! Changing an input a little: what a test case of the package becomes another one by.
//!
//! Responsible for changes that leave an input valid often enough, without knowing its format. Pure. Must not know
//! whether what comes out is valid.

use crate::inputs::parts::{Part, Partition, partitions};
use crate::inputs::random::Draw;
use crate::inputs::text::{Place, Removal, Text};
use judge_exec::Random;

/// Above so many lines, parts are not looked for: it would take longer than running programs.
const MANY_LINES: usize = 400;

/// Changes an input, once or a few times.
pub(crate) fn mutate(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = change(input, random);
    while random.once_in(2) {
        changed = change(&changed, random);
    }
    changed
}

fn change(input: &[u8], random: &mut Random) -> Vec<u8> {
    let text = Text::read(input);
    if text.words().next().is_none() {
        return input.to_vec();
    }
    match random.below(8) {
        0 | 1 => without_a_part(&text, random),
        2 => repeat_or_swap_lines(&text, random),
        3 => swap_words(&text, random),
        4 => other_letter(&text, random),
        _ => other_number(&text, random),
    }
}

/// A run of parts goes, with the numbers that count them.
fn without_a_part(text: &Text, random: &mut Random) -> Vec<u8> {
    let guesses = if text.lines.len() <= MANY_LINES { partitions(text) } else { vec![lines_of(text)] };
    let partition = &guesses[random.index(guesses.len())];
    let count = partition.parts.len();
    let start = random.index(count);
    let length = 1 + random.small((count - start) as u64) as usize;
    let kept: Vec<usize> = (0..count).filter(|part| !(start..start + length).contains(part)).collect();
    text.without(&partition.removal(text, &kept))
}

fn lines_of(text: &Text) -> Partition {
    let parts = (0..text.lines.len()).map(|line| Part::Lines(line..line + 1)).collect();
    Partition { parts, counts: Vec::new() }
}

/// A line comes twice, or changes places with another one.
fn repeat_or_swap_lines(text: &Text, random: &mut Random) -> Vec<u8> {
    let count = text.lines.len();
    let (one, other) = (random.index(count), random.index(count));
    let mut order: Vec<usize> = (0..count).collect();
    if random.once_in(2) {
        order.insert(other, one);
    } else {
        order.swap(one, other);
    }
    order.iter().flat_map(|line| text.bytes[text.lines[*line].span.clone()].iter().copied()).collect()
}

fn swap_words(text: &Text, random: &mut Random) -> Vec<u8> {
    let places: Vec<Place> = text.words().collect();
    let one = places[random.index(places.len())];
    // In the same line, or in the same column.
    let others: Vec<Place> = match random.below(3) {
        0 => places.iter().copied().filter(|place| place.0 == one.0).collect(),
        1 => places.iter().copied().filter(|place| place.1 == one.1).collect(),
        _ => places,
    };
    let other = others[random.index(others.len())];
    let mut removal = Removal::default();
    removal.replaced.insert(one, text.word(other).to_vec());
    if !random.once_in(3) {
        removal.replaced.insert(other, text.word(one).to_vec());
    }
    text.without(&removal)
}

/// A character of a word becomes another one that words of this length have, or changes places with one.
fn other_letter(text: &Text, random: &mut Random) -> Vec<u8> {
    let places: Vec<Place> = text.words().filter(|place| text.number(*place).is_none()).collect();
    if places.is_empty() {
        return other_number(text, random);
    }
    let place = places[random.index(places.len())];
    let mut word = text.word(place).to_vec();
    let at = random.index(word.len());
    let mut removal = Removal::default();
    let other = places[random.index(places.len())];
    let mut other_word = text.word(other).to_vec();
    let other_at = random.index(other_word.len());
    if random.once_in(2) && place != other {
        std::mem::swap(&mut word[at], &mut other_word[other_at]);
        removal.replaced.insert(other, other_word);
    } else {
        word[at] = other_word[other_at];
    }
    removal.replaced.insert(place, word);
    text.without(&removal)
}

fn other_number(text: &Text, random: &mut Random) -> Vec<u8> {
    let places: Vec<(Place, i64)> =
        text.words().filter_map(|place| text.number(place).map(|number| (place, number))).collect();
    if places.is_empty() {
        return repeat_or_swap_lines(text, random);
    }
    let (place, value) = places[random.index(places.len())];
    let sizes = places.iter().map(|(_, number)| *number);
    let (low, high) = sizes.fold((0, 1), |(low, high), number| (low.min(number), high.max(number)));
    let other = match random.below(10) {
        0 => 0,
        1 => 1,
        2 => value.saturating_sub(1),
        3 => value.saturating_add(1),
        4 => value / 2,
        5 => value.saturating_mul(2),
        6 => value.saturating_neg(),
        7 => high,
        8 => places[random.index(places.len())].1,
        _ => random.near(low, high),
    };
    let mut removal = Removal::default();
    removal.replaced.insert(place, other.to_string().into_bytes());
    text.without(&removal)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all(input: &str) -> BTreeSet<String> {
        let mutated = |number| mutate(input.as_bytes(), &mut Random::of(3, number));
        (0..3000).map(|number| String::from_utf8_lossy(&mutated(number)).into_owned()).collect()
    }

    #[test]
    fn changes_reach_what_people_would_try() {
        let found = all("3\n5 6 7\n");
        for expected in
            ["2\n5 7\n", "3\n5 6 0\n", "3\n5 6 8\n", "3\n6 5 7\n", "3\n5 5 7\n", "3\n5 6 14\n", "3\n-5 6 7\n"]
        {
            assert!(found.contains(expected), "{expected:?}");
        }
        let found = all("5 B\n0 F\n7 F\n8 B\n0 F\n");
        for expected in ["7 F\n8 B\n0 F\n", "5 F\n0 F\n7 F\n8 B\n0 F\n", "5 B\n0 F\n8 B\n7 F\n0 F\n"] {
            assert!(found.contains(expected), "{expected:?}");
        }
    }

    #[test]
    fn nothing_makes_it_panic() {
        for input in ["", "\n", "x", "9223372036854775807 -9223372036854775808\n", "\n\n1"] {
            all(input);
        }
    }
}
