//! Shell patterns for names.
//!
//! Responsible for bounding the time of a match. Must not know what is named.

/// True if a name matches a pattern with `*` and `?`. Takes at most as many steps as the product of
/// both lengths.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    // The position of the last star, and the end of the part of the name that it matches.
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(expected) if *expected == '?' || *expected == name[of] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((place, taken)) = star.as_mut() else {
                    return false;
                };
                *taken += 1;
                (at, of) = (*place + 1, *taken);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_patterns_are_supported() {
        assert!(
            fits("*", "") && fits("st-*", "st-1") && fits("s?-1", "st-1") && fits("*1", "st-1")
        );
        assert!(!fits("st", "st-1") && !fits("?", "") && !fits("st-*2", "st-1"));
        assert!(
            fits("a?c*", "abc")
                && fits("*b*d", "abcd")
                && fits("é?", "éa")
                && !fits("*b", "abc")
                && !fits("", "a")
        );
        // Trying all combinations of stars would take exponential time.
        assert!(!fits(&("*a".repeat(40) + "b"), &"a".repeat(200)));
    }
}
