//! Answers that contain a permutation.
//!
//! Pure. Responsible for finding the permutation, and for deciding if it may be chance. Must not
//! know how answers are changed.

use std::ops::Range;

use super::damage::{integer, tokens};

/// The maximum probability that all answers would be permutations if numbers could repeat. Above
/// it, answers prove nothing about repetition.
const MAX_CHANCE: f64 = 0.05;

/// Returns true if every answer contains a permutation, and they are long enough to prove that
/// numbers must not repeat.
pub(crate) fn are_permutations<'a>(answers: impl IntoIterator<Item = &'a [u8]>) -> bool {
    let chance = answers.into_iter().try_fold(1.0, |chance, answer| {
        let length = permutation(answer)?.len();
        // Of the `n^n` lists of `n` numbers, `n!` are permutations. The chances of all answers
        // are multiplied, so many short ones are as convincing as a long one.
        Some((1..=length).fold(chance, |chance, number| {
            chance * number as f64 / length as f64
        }))
    });
    chance.is_some_and(|chance| chance < MAX_CHANCE)
}

/// The tokens of the permutation of 1, 2, … or of 0, 1, … in an answer: all tokens, those after
/// their count, or those of the longest line.
pub(super) fn permutation(answer: &[u8]) -> Option<Vec<Range<usize>>> {
    let all: Vec<Range<usize>> = tokens(answer).collect();
    let mut start = 0;
    let lines = answer.split_inclusive(|byte| *byte == b'\n').map(|line| {
        start += line.len();
        let before = start - line.len();
        tokens(line)
            .map(|token| before + token.start..before + token.end)
            .collect()
    });
    let longest = lines.max_by_key(Vec::len)?;
    let number = |token: &Range<usize>| integer(&answer[token.clone()]);
    // Many problems print the length of a list before it.
    let is_counted = all
        .first()
        .and_then(number)
        .is_some_and(|count| count + 1 == all.len() as i128);
    let behind_count = all.iter().skip(1).filter(|_| is_counted).cloned().collect();
    let is_permutation = |list: &Vec<Range<usize>>| {
        let mut numbers: Vec<i128> = list.iter().filter_map(number).collect();
        numbers.sort_unstable();
        let first = numbers
            .first()
            .copied()
            .filter(|first| matches!(first, 0 | 1));
        numbers.len() == list.len()
            && first.is_some_and(|first| numbers.into_iter().eq(first..first + list.len() as i128))
    };
    // The longest line comes last: it also fits answers with other lines around the list.
    [all.clone(), behind_count, longest]
        .into_iter()
        .find(is_permutation)
}
