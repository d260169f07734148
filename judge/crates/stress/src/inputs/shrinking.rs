//! Shrinking an input: parts are removed and numbers reduced, as long as the failure remains.
//!
//! Responsible for the order of the attempts, and for the guarantee that no single line and no
//! single word of the result can be removed. Pure except for the function that it calls. Must not
//! know formats, validators or submissions.
//!
//! Source: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 2002
//! (delta debugging).

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::inputs::parts::{MANY_WORDS, Partition, partitions};
use crate::inputs::text::{Place, Removal, Text};

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The input is not valid.
    Invalid,
    /// The input is valid, but the failure is gone or differs.
    Gone,
    /// The input is valid and has the same failure.
    Same,
}

/// The result of shrinking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShrunkInput {
    /// The smallest input that was found.
    pub input: Vec<u8>,
    /// The number of attempts.
    pub tried: u64,
    /// True when shrinking was not stopped: then no single line and no single word can be removed.
    pub is_minimal: bool,
}

/// The minimum number of parts for probing a partition with a few attempts first.
const MIN_PROBED_PARTS: usize = 12;
/// The divisors of the number of parts: in each round, at least this share of the parts is removed
/// in one step.
const ROUNDS: [usize; 3] = [24, 400, usize::MAX];
/// The maximum number of numbers that are reduced one by one. If there are more, only equal ones
/// are reduced together.
const MAX_NUMBERS: usize = 2000;

/// Examines an input. Returns `None` when the time is used up.
type Examine<'a, E> = dyn FnMut(&[u8]) -> Result<Option<Answer>, E> + 'a;

struct Shrinker<'a, E> {
    examine: &'a mut Examine<'a, E>,
    best: Vec<u8>,
    /// The hashes of inputs that do not fail in the same way.
    rejected: HashSet<u64>,
    tried: u64,
}

/// The reason why shrinking stops early.
enum Stop<E> {
    OutOfTime,
    Failed(E),
}

/// Shrinks an input. `examine` returns the result of an attempt, or `None` when the time is used
/// up. A failure counts only if it happens twice.
///
/// # Errors
/// The errors of `examine`.
pub fn shrink<'a, E>(input: &[u8], examine: &'a mut Examine<'a, E>) -> Result<ShrunkInput, E> {
    let mut shrinker = Shrinker {
        examine,
        best: input.to_vec(),
        rejected: HashSet::new(),
        tried: 0,
    };
    let is_minimal = match shrinker.all() {
        // With more words, not every single word was tried.
        Ok(()) => Text::read(&shrinker.best).words().count() <= MANY_WORDS,
        Err(Stop::OutOfTime) => false,
        Err(Stop::Failed(error)) => return Err(error),
    };
    Ok(ShrunkInput {
        input: shrinker.best,
        tried: shrinker.tried,
        is_minimal,
    })
}

impl<E> Shrinker<'_, E> {
    fn examine_once(&mut self, input: &[u8]) -> Result<Answer, Stop<E>> {
        self.tried += 1;
        match (self.examine)(input) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Stop::OutOfTime),
            Err(error) => Err(Stop::Failed(error)),
        }
    }

    /// Examines an input, and makes it the best one if the failure is the same twice.
    fn try_input(&mut self, input: Vec<u8>) -> Result<Answer, Stop<E>> {
        // Removing parts and reducing numbers often lead to the same text, so the hashes of
        // rejected inputs are stored. The best input has the same failure by definition, but is not
        // progress.
        if input == self.best {
            return Ok(Answer::Gone);
        }
        let hash = hash_of(&input);
        if self.rejected.contains(&hash) {
            return Ok(Answer::Gone);
        }
        let mut answer = self.examine_once(&input)?;
        // Without the second run, a failure by chance could replace the best input by one that does
        // not fail.
        if answer == Answer::Same {
            answer = self.examine_once(&input)?;
        }
        if answer == Answer::Same {
            self.best = input;
        } else {
            self.rejected.insert(hash);
        }
        Ok(answer)
    }

    fn all(&mut self) -> Result<(), Stop<E>> {
        // Large parts come first: while an input is long, removing single lines would take an
        // attempt each for little progress. The last round removes single parts, which makes the
        // result minimal.
        for share in ROUNDS {
            loop {
                let before = self.best.clone();
                self.remove_parts(share)?;
                self.reduce_numbers()?;
                if self.best == before {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Runs one round over all partitions of the input, which are computed again after a change.
    fn remove_parts(&mut self, share: usize) -> Result<(), Stop<E>> {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        'changed: loop {
            let text = Text::read(&self.best);
            for (index, partition) in partitions(&text).into_iter().enumerate() {
                if !done.insert(index) {
                    continue;
                }
                let before = self.best.len();
                self.reduce(&text, &partition, share)?;
                // The partitions were computed for the text before. Finished ones are kept in the
                // set: otherwise, large inputs would start over after every success.
                if self.best.len() < before {
                    continue 'changed;
                }
            }
            return Ok(());
        }
    }

    /// Removes as many parts as possible, in halves, quarters and so on, down to the share given by
    /// this divisor.
    fn reduce(&mut self, text: &Text, partition: &Partition, share: usize) -> Result<(), Stop<E>> {
        let count = partition.parts.len();
        let min = (count / share).max(1);
        let mut kept: Vec<usize> = (0..count).collect();
        // Numbers that count parts are guesses. If a guess is wrong, every removal is invalid, and
        // halving would waste twice as many attempts as there are parts.
        if count >= MIN_PROBED_PARTS
            && !partition.counts.is_empty()
            && !self.probe(text, partition)?
        {
            return Ok(());
        }
        let mut size = count;
        while size >= min && !kept.is_empty() {
            let mut start = 0;
            let mut changed = false;
            while start < kept.len() {
                let end = (start + size).min(kept.len());
                let rest: Vec<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
                let left = text.without(&partition.removal(text, &rest));
                // After a success the same place is tried again, since the following parts have
                // moved there.
                if self.try_input(left)? == Answer::Same {
                    kept = rest;
                    changed = true;
                } else {
                    start = end;
                }
            }
            // At the smallest size, passes are repeated until nothing changes: after the removal of
            // a part, an earlier part may become removable.
            if size == min && !changed {
                break;
            }
            if size > min {
                size = (size / 2).max(min);
            }
        }
        Ok(())
    }

    /// Probes a partition: returns true when an input is valid after removing some of the parts. A
    /// wrong guess costs at most these attempts.
    fn probe(&mut self, text: &Text, partition: &Partition) -> Result<bool, Stop<E>> {
        let count = partition.parts.len();
        for gone in [
            count / 2..count,
            0..count / 2,
            count - 1..count,
            0..1,
            count / 2..count / 2 + 1,
        ] {
            let kept: Vec<usize> = (0..count).filter(|part| !gone.contains(part)).collect();
            let left = text.without(&partition.removal(text, &kept));
            // A valid input shows that the guess about counts is right, whether it still fails or
            // not.
            if self.examine_once(&left)? != Answer::Invalid {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reduces numbers: equal ones together, then each alone.
    fn reduce_numbers(&mut self) -> Result<(), Stop<E>> {
        let mut seen = BTreeSet::new();
        loop {
            let text = Text::read(&self.best);
            let values: BTreeSet<i128> =
                digits(&text).into_iter().map(|(_, value)| value).collect();
            let Some(value) = values
                .into_iter()
                .rev()
                .find(|value| *value != 0 && seen.insert(*value))
            else {
                break;
            };
            let mut same = digits(&text);
            same.retain(|(_, other)| *other == value);
            let same: Vec<Digits> = same.into_iter().map(|(digits, _)| digits).collect();
            // Equal numbers are reduced together, so that a size in several places stays
            // consistent.
            if same.len() > 1 {
                self.reduce_all(&text, &same, value)?;
            }
        }
        let mut index = 0;
        loop {
            let text = Text::read(&self.best);
            let all = digits(&text);
            // Trying thousands of numbers one by one would leave no time for removing parts.
            if all.len() > MAX_NUMBERS {
                return Ok(());
            }
            let Some((place, value)) = all.get(index).cloned() else {
                return Ok(());
            };
            if !self.reduce_all(&text, &[place], value)? {
                index += 1;
            }
        }
    }

    /// Reduces equal numbers together. Returns true when that was possible.
    fn reduce_all(&mut self, text: &Text, all: &[Digits], value: i128) -> Result<bool, Stop<E>> {
        for smaller in smaller_than(value) {
            if self.try_input(replaced(text, all, smaller))? == Answer::Same {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A hash that identifies an input.
pub(crate) fn hash_of(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}

/// Digits within a word, with a minus before them if the word begins with one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digits {
    place: Place,
    /// The first digit or minus in the word, and the end after the last digit.
    from: usize,
    to: usize,
}

/// All numbers, including those within words such as `T12`.
fn digits(text: &Text) -> Vec<(Digits, i128)> {
    let mut found = Vec::new();
    for place in text.words() {
        let word = text.word(place);
        let mut at = 0;
        while at < word.len() {
            // A minus inside a word is a separator, as in `3-7`.
            let is_minus = word[at] == b'-' && at == 0;
            let start = at + usize::from(is_minus);
            let length = word[start..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let value = std::str::from_utf8(&word[at..start + length])
                .ok()
                .and_then(|text| text.parse().ok());
            if let Some(value) = value.filter(|_| length > 0) {
                found.push((
                    Digits {
                        place,
                        from: at,
                        to: start + length,
                    },
                    value,
                ));
            }
            at = (start + length).max(at + 1);
        }
    }
    found
}

/// The smaller numbers that are tried in place of a number, the simplest first.
fn smaller_than(value: i128) -> Vec<i128> {
    let mut candidates = vec![0, 1, value / 10];
    if value < 0 {
        candidates.extend([value.saturating_neg(), -1]);
    }
    // The next numbers approach the value from its half, halving the distance: a binary search for
    // the smallest number that fails.
    let mut step = value / 2;
    while step != 0 {
        candidates.push(value - step);
        step /= 2;
    }
    // A number is smaller when it is nearer to 0, or at the same distance positive instead of
    // negative. Every step reduces this measure, so reducing terminates.
    let is_smaller = |other: &i128| (other.abs(), *other < 0) < (value.abs(), value < 0);
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| is_smaller(candidate) && seen.insert(*candidate));
    candidates
}

fn replaced(text: &Text, all: &[Digits], value: i128) -> Vec<u8> {
    let mut removal = Removal::default();
    for digits in all.iter().rev() {
        // A word may contain several numbers. They are replaced from the end, so that earlier
        // places stay valid.
        let word = removal
            .replaced
            .remove(&digits.place)
            .unwrap_or_else(|| text.word(digits.place).to_vec());
        let other = [
            &word[..digits.from],
            value.to_string().as_bytes(),
            &word[digits.to..],
        ]
        .concat();
        removal.replaced.insert(digits.place, other);
    }
    text.without(&removal)
}

#[cfg(test)]
#[path = "shrinking_tests.rs"]
mod tests;
