//! "Did you mean …?": finds the known word nearest to a misspelt one, and lists words in messages.
//!
//! Must not know the purpose of the words.

use std::fmt::Display;

/// The hint for an unknown word, if one of the known words is close enough.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, known).map(|best| format!("did you mean `{best}`?"))
}

/// The names in backticks, separated by commas.
pub fn quoted(names: impl IntoIterator<Item = impl Display>) -> String {
    names
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The maximum number of typing errors for which a word is certainly a misspelt known one.
const MAX_SLIPS: usize = 2;

/// Returns the known long word that was certainly intended: it differs only in letter case, in `-`
/// for `_`, or by a typing error.
pub(crate) fn likely_intended<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    closest(word, known)
        .filter(|best| best.len() > 3 * MAX_SLIPS && typing_errors(word, best) <= MAX_SLIPS)
}

/// The first known word with the fewest typing errors, if these are at most a third of the word's
/// letters.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    // Longer words than this are not mistyped names, and comparing is quadratic.
    if letters > 100 {
        return None;
    }
    let allowed = (letters / 3).max(1);
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= allowed)
        .map(|candidate| (typing_errors(word, candidate), candidate))
        .filter(|(errors, _)| *errors <= allowed)
        .min_by_key(|(errors, _)| *errors)
        .map(|(_, candidate)| candidate)
}

/// The number of letters left out, added, changed or swapped with their neighbour (optimal string
/// alignment). Letter case, and `-` for `_`, are not counted.
fn typing_errors(a: &str, b: &str) -> usize {
    let fold = |text: &str| text.to_ascii_lowercase().replace('-', "_");
    strsim::osa_distance(&fold(a), &fold(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intended_word_is_suggested() {
        let known = ["limits", "license", "name", "time_limit"];
        assert_eq!(closest("limit", known), Some("limits"));
        assert_eq!(closest("licence", known), Some("license"));
        assert_eq!(closest("naem", known), Some("name"));
        assert_eq!(closest("Time-Limit", known), Some("time_limit"));
        assert_eq!(closest("grading", known), None);
        assert_eq!(closest("", known), None);
        assert_eq!(closest("x", ["y"]), Some("y"));
    }

    #[test]
    fn words_with_a_slip_are_recognised() {
        let known = ["accepted", "wrong_answer", "time_limit_exceeded"];
        for (word, expected) in [
            ("Accepted", 0),
            ("wrong-answer", 1),
            ("wrong_anwsers", 1),
            ("TimeLimitExceeded", 2),
        ] {
            assert_eq!(
                likely_intended(word, known),
                Some(known[expected]),
                "{word}"
            );
        }
        for word in ["old", "accepted_slow", "memory_limit_exceeded", "answer"] {
            assert_eq!(likely_intended(word, known), None, "{word}");
        }
    }

    #[test]
    fn swapped_letters_are_one_error() {
        assert_eq!(typing_errors("ab", "ba"), 1);
        assert_eq!(typing_errors("", "abc"), 3);
        assert_eq!(typing_errors("kitten", "sitting"), 3);
    }
}
