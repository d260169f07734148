//! Words that are whole answers, such as `NO` or `-1`: careless validators accept them everywhere.
//!
//! Pure. Responsible for the words, and for the answers that each word replaces.

use super::damage::tokens;

/// The maximum number of words. With more, the problem is not a decision, and each word may be
/// correct.
const MAX_WORDS: usize = 3;
/// The maximum number of answers that a word replaces.
const MAX_PLACES: usize = 3;

/// Returns the words, each with the indices of answers that begin differently. A word is omitted if
/// the only such answer is a single word too: both may be correct.
pub(crate) fn words<'a>(answers: &[&'a [u8]]) -> Vec<(&'a [u8], Vec<usize>)> {
    let mut words: Vec<&[u8]> = Vec::new();
    for answer in answers {
        let is_known = words
            .iter()
            .any(|word| is_equal(first(word), first(answer)));
        if is_alone(answer) && is_word(first(answer)) && !is_known {
            words.push(answer);
        }
    }
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let places = |word: &[u8]| {
        let is_place = |answer: &[u8]| {
            !is_equal(first(answer), first(word))
                && !first(answer).is_empty()
                && (is_name(first(word)) || !is_alone(answer))
        };
        let places: Vec<usize> = (0..answers.len())
            .filter(|index| is_place(answers[*index]))
            .take(MAX_PLACES)
            .collect();
        let is_conclusive =
            places.len() > 1 || places.iter().any(|index| !is_alone(answers[*index]));
        is_conclusive.then_some(places)
    };
    words
        .into_iter()
        .filter_map(|word| Some((word, places(word)?)))
        .collect()
}

fn first(answer: &[u8]) -> &[u8] {
    tokens(answer).next().map_or(b"", |token| &answer[token])
}

fn is_alone(answer: &[u8]) -> bool {
    tokens(answer).count() == 1
}

fn is_equal(one: &[u8], other: &[u8]) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn is_name(token: &[u8]) -> bool {
    token.len() > 1 && token.iter().all(u8::is_ascii_alphabetic)
}

/// Returns true for a word that a statement may ask for instead of an answer. When answers are
/// numbers, -1 may be one of them.
fn is_word(token: &[u8]) -> bool {
    is_name(token) || token == b"-1"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(answers: &[&str]) -> Vec<(String, Vec<usize>)> {
        let answers: Vec<&[u8]> = answers.iter().map(|answer| answer.as_bytes()).collect();
        let text = |word: &[u8]| String::from_utf8_lossy(word.trim_ascii()).into_owned();
        words(&answers)
            .into_iter()
            .map(|(word, places)| (text(word), places))
            .collect()
    }

    #[test]
    fn words_are_tried_in_place_of_other_answers() {
        let no = || "NO".to_owned();
        assert_eq!(found(&["NO\n", "no\n", "YES\n1 2\n"]), [(no(), vec![2])]);
        assert_eq!(
            found(&["-1\n", "5 6\n", "7\n"]),
            [("-1".to_owned(), vec![1])]
        );
        assert_eq!(found(&["NO\n", "YES\n", "YES\n"]), [(no(), vec![1, 2])]);
        assert_eq!(
            found(&["NO\n", "1\n", "2\n", "3\n", "4\n"]),
            [(no(), vec![1, 2, 3])]
        );
    }

    #[test]
    fn possibly_correct_words_are_left_out() {
        for answers in [
            &["a\n", "b\n", "c\n"] as &[&str],
            &["alice\n", "bob\n", "carol\n", "dave\n"],
            &["NO\n", "YES\n"],
            &["NO\n", "NO\n"],
            &["-1\n", "5\n", "6\n"],
            &["5\n", "6 7\n"],
            &["NO\n", ""],
        ] {
            assert_eq!(found(answers), [], "{answers:?}");
        }
    }
}
