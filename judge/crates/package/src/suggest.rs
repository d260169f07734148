//! "Did you mean …?": the known word that is nearest to a mistyped one.
//!
//! Must not know what the words are for.

/// The hint for a word that is not known, when one of the known words is near enough.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, known).map(|best| format!("did you mean `{best}`?"))
}

/// The known word with the fewest typing errors, if these are at most a third of the word's letters.
/// Of equally near ones, the first.
fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// How many letters were left out, added, changed or swapped with their neighbour (optimal string alignment).
/// Letter case, and `-` for `_`, are not counted.
fn typing_errors(a: &str, b: &str) -> usize {
    let fold = |text: &str| -> Vec<char> {
        text.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
    };
    let (a, b) = (fold(a), fold(b));
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
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
    fn neighbours_swapped_are_one_error() {
        assert_eq!(typing_errors("ab", "ba"), 1);
        assert_eq!(typing_errors("", "abc"), 3);
        assert_eq!(typing_errors("kitten", "sitting"), 3);
    }
}
