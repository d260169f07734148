//! Changes of words: other letters, another letter case, or other words. Pure.

use judge_exec::Random;

use crate::inputs::random::Draw;
use crate::inputs::text::{Place, Removal, Text};

/// The places of words that are not numbers.
fn texts(text: &Text) -> Vec<Place> {
    text.words()
        .filter(|place| text.number(*place).is_none())
        .collect()
}

fn any<'a, T>(items: &'a [T], random: &mut Random) -> Option<&'a T> {
    (!items.is_empty()).then(|| &items[random.index(items.len())])
}

/// Swaps two words of a line or of a column, or copies one over the other.
pub(crate) fn swap_words(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let places: Vec<Place> = text.words().collect();
    let one = *any(&places, random)?;
    // The second word is in the same line or in the same column.
    let which = random.below(3);
    let mut others = places;
    others.retain(|place| match which {
        0 => place.0 == one.0,
        1 => place.1 == one.1,
        _ => true,
    });
    let other = *any(&others, random)?;
    let mut removal = Removal::default();
    removal.replaced.insert(one, text.word(other).to_vec());
    if !random.once_in(3) {
        removal.replaced.insert(other, text.word(one).to_vec());
    }
    Some(text.without(&removal))
}

/// Replaces a character of a word by another character of the words, or swaps two of them.
pub(crate) fn other_letter(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let places = texts(text);
    let (place, other) = (*any(&places, random)?, *any(&places, random)?);
    let (mut word, mut other_word) = (text.word(place).to_vec(), text.word(other).to_vec());
    let (at, other_at) = (random.index(word.len()), random.index(other_word.len()));
    let mut removal = Removal::default();
    if random.once_in(2) && place != other {
        std::mem::swap(&mut word[at], &mut other_word[other_at]);
        removal.replaced.insert(other, other_word);
    } else {
        word[at] = other_word[other_at];
    }
    removal.replaced.insert(place, word);
    Some(text.without(&removal))
}

/// Returns a word in lower case, in upper case, capitalized, or with the case of one letter
/// changed.
fn in_other_case(mut word: Vec<u8>, random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => word.make_ascii_lowercase(),
        1 => word.make_ascii_uppercase(),
        2 => {
            word.make_ascii_lowercase();
            word[..1].make_ascii_uppercase();
        }
        _ => {
            let at = random.index(word.len());
            if word[at].is_ascii_alphabetic() {
                word[at] ^= 0x20;
            }
        }
    }
    word
}

/// Changes the letter case of a word.
pub(crate) fn other_case(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let mut places = texts(text);
    places.retain(|place| text.word(*place).iter().any(u8::is_ascii_alphabetic));
    let place = *any(&places, random)?;
    Some(text.with_word(place, in_other_case(text.word(place).to_vec(), random)))
}

/// Replaces a word by a literal of the sources or another word of the input, in any letter case.
pub(crate) fn other_word(
    text: &Text,
    literals: &[Vec<u8>],
    random: &mut Random,
) -> Option<Vec<u8>> {
    let places = texts(text);
    let place = *any(&places, random)?;
    let of_input = text.word(*any(&places, random)?).to_vec();
    let word = any(literals, random)
        .filter(|_| !random.once_in(4))
        .cloned()
        .unwrap_or(of_input);
    let word = if random.once_in(3) {
        in_other_case(word, random)
    } else {
        word
    };
    Some(text.with_word(place, word))
}

/// Adds a piece of another word to the beginning or end of a word, or removes a piece there.
pub(crate) fn longer_or_shorter(
    text: &Text,
    literals: &[Vec<u8>],
    random: &mut Random,
) -> Option<Vec<u8>> {
    let places = texts(text);
    let place = *any(&places, random)?;
    let word = text.word(place);
    if random.once_in(3) && word.len() > 1 {
        let left = 1 + random.index(word.len() - 1);
        let rest = if random.once_in(2) {
            &word[..left]
        } else {
            &word[word.len() - left..]
        };
        return Some(text.with_word(place, rest.to_vec()));
    }
    let other = any(literals, random)
        .filter(|_| random.once_in(2))
        .map_or(text.word(*any(&places, random)?), Vec::as_slice);
    let piece = &other[..1 + random.index(other.len())];
    let piece = if random.once_in(2) {
        &other[other.len() - piece.len()..]
    } else {
        piece
    };
    let parts = if random.once_in(2) {
        [word, piece]
    } else {
        [piece, word]
    };
    Some(text.with_word(place, parts.concat()))
}

/// Shuffles the words of a line or the characters of a word.
pub(crate) fn other_order(text: &Text, random: &mut Random) -> Option<Vec<u8>> {
    let place = *any(&text.words().collect::<Vec<_>>(), random)?;
    if random.once_in(2) && text.number(place).is_none() {
        let mut word = text.word(place).to_vec();
        shuffle(&mut word, random);
        return Some(text.with_word(place, word));
    }
    let line = place.0;
    let mut words: Vec<&[u8]> = (0..text.lines[line].words.len())
        .map(|word| text.word((line, word)))
        .collect();
    shuffle(&mut words, random);
    let mut removal = Removal::default();
    for (word, other) in words.iter().enumerate() {
        removal.replaced.insert((line, word), other.to_vec());
    }
    Some(text.without(&removal))
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.index(last + 1));
    }
}
