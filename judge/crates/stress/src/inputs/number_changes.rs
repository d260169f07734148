//! Changes of numbers: a single number, a value everywhere, or all numbers. Pure.

use std::ops::Range;

use judge_exec::Random;

use crate::inputs::random::Draw;
use crate::inputs::text::{Place, Text};

/// Typical limits of tables, digit counts and machine words.
const EDGES: [i64; 11] = [8, 9, 10, 11, 16, 32, 33, 64, 65, 99, 100];

/// The numbers of a text that are whole words.
fn numbers(text: &Text) -> Vec<(Place, i64)> {
    text.words()
        .filter_map(|place| text.number(place).map(|number| (place, number)))
        .collect()
}

/// The smallest and the largest number, with a range that contains at least 0 and 1.
fn bounds(numbers: &[(Place, i64)]) -> (i64, i64) {
    numbers.iter().fold((0, 1), |(low, high), (_, number)| {
        (low.min(*number), high.max(*number))
    })
}

/// Replaces a number by another one.
pub(crate) fn other_number(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let numbers = numbers(text);
    let (place, value) = *numbers.get(random.index(numbers.len().max(1)))?;
    let (low, high) = bounds(&numbers);
    let other = match random.below(10) {
        0 => 0,
        1 => 1,
        2 => value.saturating_sub(1),
        3 => value.saturating_add(1),
        4 => value / 2,
        5 => value.saturating_mul(2),
        6 => value.saturating_neg(),
        7 => high,
        8 => numbers[random.index(numbers.len())].1,
        _ => random.near(low, high),
    };
    Some(with_number(text, place, other))
}

fn with_number(text: &Text, place: Place, number: i64) -> Vec<u8> {
    text.with_word(place, number.to_string().into_bytes())
}

/// Draws a power of two or of ten, mostly at most twice as large as `high`.
fn power(high: i64, random: &mut Random) -> i64 {
    let base: i64 = if random.once_in(2) { 2 } else { 10 };
    let max = if random.once_in(4) {
        i64::MAX
    } else {
        high.saturating_mul(2)
    };
    let exponent = random.below(u64::from(max.max(1).ilog(base)) + 1);
    base.pow(u32::try_from(exponent).unwrap_or(0))
}

/// Replaces a number by a power of two or of ten, or a neighbour of one.
pub(crate) fn round_number(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let numbers = numbers(text);
    let (place, value) = *numbers.get(random.index(numbers.len().max(1)))?;
    let round = power(bounds(&numbers).1, random).saturating_add(random.between(-2, 2));
    Some(with_number(
        text,
        place,
        if value < 0 { -round } else { round },
    ))
}

/// The ranges of digits in an input, including those inside words, with a sign if the word begins
/// with one.
fn runs(bytes: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = within.start;
    while at < within.end {
        let length = bytes[at..within.end]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if length > 0 {
            let begins = |at: usize| at == 0 || bytes[at - 1].is_ascii_whitespace();
            let start = if at > 0 && bytes[at - 1] == b'-' && begins(at - 1) {
                at - 1
            } else {
                at
            };
            runs.push(start..at + length);
        }
        at += length + 1;
    }
    runs
}

fn value(bytes: &[u8], run: &Range<usize>) -> Option<i64> {
    std::str::from_utf8(&bytes[run.clone()]).ok()?.parse().ok()
}

/// Replaces the numbers of some runs of digits.
fn with_values(bytes: &[u8], runs: &[Range<usize>], other: impl Fn(i64) -> Option<i64>) -> Vec<u8> {
    let mut changed = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for run in runs {
        let Some(other) = value(bytes, run).and_then(&other) else {
            continue;
        };
        changed.extend_from_slice(&bytes[copied..run.start]);
        changed.extend_from_slice(other.to_string().as_bytes());
        copied = run.end;
    }
    changed.extend_from_slice(&bytes[copied..]);
    changed
}

/// Replaces a value by another one everywhere.
pub(crate) fn everywhere(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let runs = runs(&text.bytes, 0..text.bytes.len());
    let old = value(&text.bytes, runs.get(random.index(runs.len().max(1)))?)?;
    let other = match random.below(3) {
        0 => EDGES[random.index(EDGES.len())],
        1 => old.saturating_add(random.between(-2, 2)),
        _ => value(&text.bytes, &runs[random.index(runs.len())])?,
    };
    Some(with_values(&text.bytes, &runs, |value| {
        (value == old).then_some(other)
    }))
}

/// Replaces a run of digits, perhaps inside a word, by another number.
pub(crate) fn inside_a_word(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let runs = runs(&text.bytes, 0..text.bytes.len());
    let run = runs.get(random.index(runs.len().max(1)))?.clone();
    let old = value(&text.bytes, &run)?;
    let other = if random.once_in(2) {
        EDGES[random.index(EDGES.len())]
    } else {
        old.saturating_add(random.between(-1, 1))
    };
    Some(with_values(&text.bytes, &[run], |_| Some(other)))
}

/// Adds the same power of two or of ten to all numbers of a line, of all lines but the first, or of
/// the input.
pub(crate) fn all_larger(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let all = 0..text.bytes.len();
    let range = match random.below(3) {
        0 => text.lines[random.index(text.lines.len())].span.clone(),
        // The first line often contains the number of the lines after it. Increasing that number as
        // well would make such inputs invalid.
        1 => text.lines[0].span.end..all.end,
        _ => all,
    };
    let runs = runs(&text.bytes, range);
    if runs.is_empty() {
        return None;
    }
    let high = runs
        .iter()
        .filter_map(|run| value(&text.bytes, run))
        .max()
        .unwrap_or(1)
        .max(1);
    let more = power(if random.once_in(2) { i64::MAX } else { high }, random);
    Some(with_values(&text.bytes, &runs, |value| {
        value.checked_add(more)
    }))
}
